// Generators of polygon assemblies.
#pragma once
#include <cstdint>
#include <vector>

#include "geometry/polygon.hpp"

namespace dem::geometry {

/// Periodic Voronoi assembly of the polygon-dem reference, §8. The sites lie on a lattice of columns × rows with the
/// given spacing. Each site is displaced uniformly within ±disorder/2 · spacing in x and y. The assembly is periodic in
/// x, and cells are clipped to −1 ≤ y/spacing ≤ rows − 1. Each cell is scaled about its centroid by √solid_fraction.
/// With an elongation λ the band is then stretched by √λ along x and by 1/√λ along y. Areas stay, and the cells are
/// elongated along x. (Stretched sites would not elongate the cells: at disorder 0.6 and λ = 4 the axes of the cells
/// differ only by a factor 1.3.)
struct VoronoiInput {
  int columns = 16, rows = 18;
  double spacing = 1;            ///< m
  double disorder = 0.6;         ///< in [0, 1)
  double solid_fraction = 0.95;  ///< in (0, 1]
  std::uint64_t seed = 1;
  double elongation = 1;  ///< λ in [0.1, 10]
  friend bool operator==(const VoronoiInput&, const VoronoiInput&) = default;
};
struct VoronoiCell {
  Outline outline;  ///< global frame, counter-clockwise (m)
  int row = 0, column = 0;
};
/// Width and height of the band that the cells fill (m): columns · √λ and rows/√λ spacings. The band starts one row
/// below y = 0.
Vec2 voronoi_size(const VoronoiInput&);
/// Cells in the order of their sites, row by row from the bottom. The assembly is as wide as voronoi_size. The same
/// input gives the same bits on one machine, because the random numbers come from a fixed generator.
std::vector<VoronoiCell> periodic_voronoi(const VoronoiInput&);

/// Regular n-gon of the given area about its centroid. `elongation` stretches it along x and shrinks it by the same
/// factor along y, so that the area is kept.
Outline regular_polygon(int sides, double area, double elongation = 1);

}  // namespace dem::geometry
