// From the walls of a case to flat facets in space.
#pragma once
#include <vector>

#include "geometry/facets.hpp"
#include "libdem/case.hpp"

namespace dem {

/// Facets of one wall in space; a mesh is read from its file. Throws GeometryError (a line, facets without area) and
/// FileError.
std::vector<geometry::Facet> wall_facets(const WallSpec&);

/// Half width, along x and y, of the largest upright area about `centre` that the walls leave free at the height z (m):
/// rays along ±x and ±y that meet upright facets. Infinite where there are none.
Vec2 free_half_width(const std::vector<WallSpec>& walls, Vec2 centre, double z);

}  // namespace dem
