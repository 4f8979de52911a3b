// An order in which neighbours in space are mostly near each other in memory, too.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/broad_phase.hpp"

namespace dem {

/// By halves across the longest edge: every 512 bodies from the first on are a compact group, within it every 64,
/// within those every 8, which are ordered by number. Ties by number. A pure function of positions (m, not wrapped) and
/// cell.
std::vector<std::uint32_t> spatial_order(std::span<const Vec3> positions, const geometry::Cell&);

}  // namespace dem
