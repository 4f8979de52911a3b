// An order in which neighbours in space are mostly near each other in memory.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/cell.hpp"

namespace dem {

/// Order by halves across the longest edge. From the first body on, every 512 bodies form a compact group. Within such
/// a group every 64 bodies do, and within those every 8. Each group of 8, and each tie, is ordered by number. The order
/// is a pure function of positions (m, not wrapped) and cell.
std::vector<std::uint32_t> spatial_order(std::span<const Vec3> positions, const geometry::Cell&);

}  // namespace dem
