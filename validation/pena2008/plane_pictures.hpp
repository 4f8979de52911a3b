// Drawn pairs of polygons with their overlap and contact planes, for the studies of the contact plane.
#pragma once
#include <initializer_list>
#include <string>

#include "validation/pena2008/plane_paths.hpp"
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

/// Both bodies, the overlap and, through its centroid, the planes (indices of plane_definitions).
Panel pair_panel(const MovingPair&, double share, std::initializer_list<std::size_t> planes, std::string title);

/// The component of the overlap nearest to `centroid_in_i` (frame of i, m) alone, large, with its planes.
Panel overlap_panel(const MovingPair&, double share, Vec2 centroid_in_i, std::initializer_list<std::size_t> planes,
                    std::string title);

}  // namespace dem::validation::pena2008
