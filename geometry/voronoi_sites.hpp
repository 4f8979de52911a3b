// Sites of the periodic Voronoi assembly, and its vertices. Which sites meet at a vertex is found elsewhere.
//
// All coordinates are in units of the spacing and multiples of one power of two. So a shift by the period (an integer)
// and a reflection are exact. Every Voronoi vertex has one value, whichever copies of its three sites are met. Cells
// that share an edge therefore share its end points bit by bit, also across the periodic boundary.
#pragma once
#include <array>
#include <compare>
#include <functional>
#include <optional>
#include <vector>

#include "geometry/tessellation.hpp"

namespace dem::geometry {

/// One copy of a site. `mirror` −1 or 1 is reflected at the lower or upper edge of the band. `image` counts periods
/// along x.
struct VoronoiCopy {
  int mirror = 0, row = 0, column = 0, image = 0;
  friend auto operator<=>(const VoronoiCopy&, const VoronoiCopy&) = default;
};

class VoronoiSites {
 public:
  /// Copies reach this far (in spacings) beyond the assembly. Cells are smaller: with disorder < 1 no point of the band
  /// is farther than √2 from a site. So no site farther than 2√2 from another takes part in its cell.
  static constexpr int margin = 3;

  /// Throws GeometryError where the input makes no assembly.
  explicit VoronoiSites(const VoronoiInput&);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  Vec2 at(const VoronoiCopy&) const;
  /// The sites, their copies beyond the periodic edges, and their reflections at the edges of the band. With the
  /// reflections the edges of the band become Voronoi edges, and every cell ends there.
  std::vector<VoronoiCopy> copies() const;
  /// Centre of the circle through three sites, a Voronoi vertex. Copies of the three have the same centre, exactly
  /// shifted.
  Vec2 circumcentre(std::array<VoronoiCopy, 3>) const;

 private:
  static int normalise(std::array<VoronoiCopy, 3>&);
  std::optional<Vec2> on_edge_of_band(std::array<VoronoiCopy, 3>) const;
  double on_grid(double) const;

  int columns_, rows_, digits_;
  std::vector<Vec2> sites_;
};

/// The assembly of these sites. `vertices(row, column)` are the vertices of a cell, counter-clockwise. Where more than
/// three sites lie on one circle, its centre may stand there several times in a row.
std::vector<VoronoiCell> voronoi_cells(const VoronoiInput&,
                                       const std::function<Outline(int row, int column)>& vertices);

}  // namespace dem::geometry
