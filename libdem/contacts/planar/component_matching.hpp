// Finds which overlap component of this step continues which contact of the last one.
#pragma once
#include <span>
#include <vector>

#include "geometry/vector.hpp"

namespace dem {

/// match[k] is the index of the old centroid that new centroid k continues, or −1. As many as possible are matched,
/// with the least total squared distance. Of equal totals, lower new indices get lower old indices (older numbers).
/// With more than six components on a side it is one of them, always the same. Positions are in the frame of i (m).
void match_components(std::span<const Vec2> old_points, std::span<const Vec2> new_points, std::vector<int>& match);

}  // namespace dem
