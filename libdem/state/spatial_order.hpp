// An order in which neighbours in space are mostly near each other in memory, too.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/broad_phase.hpp"

namespace dem {

/// Bodies in bricks of about 8³ bodies, within a brick line by line; ties by number. A pure function of positions (m, not wrapped) and cell.
std::vector<std::uint32_t> spatial_order(std::span<const Vec3> positions, const geometry::Cell&);

}  // namespace dem
