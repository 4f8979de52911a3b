// Turns the walls of a case into flat facets in space.
#pragma once
#include <vector>

#include "geometry/facets.hpp"
#include "libdem/case.hpp"

namespace dem {

/// Facets of one wall in space. A mesh is read from its file. Throws GeometryError (a line, facets without area) and
/// FileError.
std::vector<geometry::Facet> wall_facets(const WallSpec&);

/// Half width, along x and y, of the upright area about `centre` that the walls leave free at the height z (m). Rays
/// along ±x and ±y are stopped by upright facets. Infinite where a ray meets none.
Vec2 free_half_width(const std::vector<WallSpec>& walls, Vec2 centre, double z);

}  // namespace dem
