// How spheres order along the walls of a box: a box of twelve diameters has few that no wall has placed.
#pragma once
#include <vector>

#include "libdem/state/state.hpp"

namespace dem::validation::fleischmann2015 {

/// A filled box: 0 < x, y < side, floor < z < top (m).
struct FilledBox {
  double side = 0, floor = 0, top = 0, diameter = 0;
};

/// Solid fraction of planes parallel to a wall, at distances of (k + 1/2) · spacing from it.
struct WallProfile {
  double spacing = 0;         ///< m
  std::vector<double> sides;  ///< mean over the four side walls, of their whole height but two diameters below the top
  std::vector<double> floor;
  /// Farthest distance from the side walls at which the solid fraction is off its mean over the inner half by more than
  /// `share` of that (m).
  double reach(double share) const;
};

/// Each sphere counts with its disc in the plane, so that there are no bins to choose. To half the side.
WallProfile wall_profile(const State&, const FilledBox&);

/// Solid fraction of what is farther than `distance` from every wall and twice that from the top, counted on points
/// d/20 apart; overlaps count once.
double core_solid_fraction(const State&, const FilledBox&, double distance);

}  // namespace dem::validation::fleischmann2015
