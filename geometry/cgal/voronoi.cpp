// The periodic Voronoi assembly, as the dual of CGAL's Delaunay triangulation.
//
// All coordinates are in units of the spacing and multiples of one power of two. So a shift by the period (an integer)
// and a reflection are exact. Every Voronoi vertex has one value, whichever copies of its three sites are met. Cells
// that share an edge therefore share its end points bit by bit, also across the periodic boundary.
#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <optional>
#include <utility>

#include "geometry/error.hpp"
#include "geometry/random.hpp"
#include "geometry/tessellation.hpp"

namespace dem::geometry {
namespace {

/// One copy of a site. `mirror` −1 or 1 is reflected at the lower or upper edge of the band. `image` counts periods
/// along x.
struct Copy {
  int mirror = 0, row = 0, column = 0, image = 0;
  friend auto operator<=>(const Copy&, const Copy&) = default;
};

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Vertex = CGAL::Triangulation_vertex_base_with_info_2<Copy, Kernel>;
using Delaunay = CGAL::Delaunay_triangulation_2<Kernel, CGAL::Triangulation_data_structure_2<Vertex>>;

/// Copies reach this far (in spacings) beyond the assembly. Cells are smaller: with disorder < 1 no point of the band
/// is farther than √2 from a site. So no site farther than 2√2 from another takes part in its cell.
constexpr int margin = 3;

void check(const VoronoiInput& in) {
  if (in.columns < 3 || in.columns > 100000 || in.rows < 1 || in.rows > 100000)
    throw GeometryError(fmt::format(
        "the Voronoi assembly needs 3 to 100000 columns and 1 to 100000 rows, found {} and {}", in.columns, in.rows));
  if (!(in.spacing > 0) || !std::isfinite(in.spacing))
    throw GeometryError(fmt::format("the spacing of the Voronoi sites must be positive, found {} m", in.spacing));
  if (!(in.disorder >= 0 && in.disorder < 1))
    throw GeometryError(fmt::format("the disorder of the Voronoi sites must be in [0, 1), found {}", in.disorder));
  if (!(in.elongation >= 0.1 && in.elongation <= 10))
    throw GeometryError(
        fmt::format("the elongation of the Voronoi assembly must be in [0.1, 10], found {}", in.elongation));
  if (!(in.solid_fraction > 0 && in.solid_fraction <= 1))
    throw GeometryError(
        fmt::format("the solid fraction of the Voronoi assembly must be in (0, 1], found {}", in.solid_fraction));
}

class Sites {
 public:
  explicit Sites(const VoronoiInput& in)
      : columns_(in.columns),
        rows_(in.rows),
        digits_(52 - int(std::bit_width(2u * unsigned(std::max(in.columns, in.rows)) + 2 * margin))) {
    Random random(in.seed);
    sites_.reserve(std::size_t(columns_) * std::size_t(rows_));
    for (int row = 0; row < rows_; ++row)
      for (int column = 0; column < columns_; ++column) {
        const double dx = random.uniform() - 0.5, dy = random.uniform() - 0.5;
        sites_.push_back({on_grid(column + 0.5 + in.disorder * dx), on_grid(row - 0.5 + in.disorder * dy)});
      }
  }

  Vec2 at(const Copy& c) const {
    const Vec2 s = sites_[std::size_t(c.row) * std::size_t(columns_) + std::size_t(c.column)];
    const double y = c.mirror < 0 ? -2 - s.y : c.mirror > 0 ? 2.0 * (rows_ - 1) - s.y : s.y;
    return {s.x + double(c.image) * columns_, y};
  }

  /// The sites, their copies beyond the periodic edges, and their reflections at the edges of the band. With the
  /// reflections the edges of the band become Voronoi edges, and every cell ends there.
  std::vector<Copy> copies() const {
    std::vector<Copy> out;
    for (int mirror : {-1, 0, 1}) {
      const int first = mirror > 0 ? std::max(0, rows_ - margin) : 0;
      const int end = mirror < 0 ? std::min(rows_, margin) : rows_;
      for (int row = first; row < end; ++row)
        for (int x = -margin; x < columns_ + margin; ++x) {
          const int image = x < 0 ? -1 : x >= columns_ ? 1 : 0;
          out.push_back({mirror, row, x - image * columns_, image});
        }
    }
    return out;
  }

  /// Centre of the circle through three sites, a Voronoi vertex. Copies of the three have the same centre, exactly
  /// shifted.
  Vec2 circumcentre(std::array<Copy, 3> three) const {
    if (const auto v = on_edge_of_band(three)) return *v;
    const int image = normalise(three);
    const Vec2 o = at(three[0]), a = at(three[1]) - o, b = at(three[2]) - o;
    const double d = 2 * cross(a, b), aa = dot(a, a), bb = dot(b, b);
    const Vec2 centre{o.x + (b.y * aa - a.y * bb) / d, o.y + (a.x * bb - b.x * aa) / d};
    return {on_grid(centre.x) + double(image) * columns_, on_grid(centre.y)};
  }

 private:
  /// Puts three copies into the form that all their shifted copies share. Returns the number of periods removed.
  static int normalise(std::array<Copy, 3>& three) {
    std::sort(three.begin(), three.end());
    const int image = three[0].image;
    for (Copy& c : three) c.image -= image;
    return image;
  }

  /// The point where the cells of two sites p, q meet on the edge of the band. There p, q and their reflections lie on
  /// one circle. Any three of them give the same point.
  std::optional<Vec2> on_edge_of_band(std::array<Copy, 3> three) const {
    int mirror = 0;
    for (Copy& c : three)
      if (c.mirror != 0) mirror = std::exchange(c.mirror, 0);
    const int image = normalise(three);
    if (mirror == 0 || (three[0] != three[1] && three[1] != three[2])) return {};
    const double edge = mirror < 0 ? -1 : rows_ - 1;
    const Vec2 p = at(three[0]), d = at(three[2]) - p;
    // |p + d − v|² = |p − v|² with v = (x, edge).
    return Vec2{on_grid(p.x + (dot(d, d) / 2 - d.y * (edge - p.y)) / d.x) + double(image) * columns_, edge};
  }

  /// Rounds to a multiple of 2^-digits_, fine enough for all coordinates of the assembly to be exact.
  double on_grid(double x) const { return std::ldexp(std::nearbyint(std::ldexp(x, digits_)), -digits_); }

  int columns_, rows_, digits_;
  std::vector<Vec2> sites_;
};

Outline cell_of(const Sites& sites, Delaunay::Vertex_handle vertex, const Delaunay& delaunay) {
  Outline outline;
  const auto start = delaunay.incident_faces(vertex);  // counter-clockwise
  auto face = start;
  do {
    const Vec2 v = sites.circumcentre({face->vertex(0)->info(), face->vertex(1)->info(), face->vertex(2)->info()});
    if (outline.empty() || outline.back() != v) outline.push_back(v);
  } while (++face != start);
  while (outline.size() > 1 && outline.back() == outline.front()) outline.pop_back();  // sites on one circle
  // CGAL chooses where the circulator starts. The outline starts at its lowest vertex.
  std::rotate(outline.begin(),
              std::min_element(outline.begin(), outline.end(),
                               [](Vec2 a, Vec2 b) { return a.y != b.y ? a.y < b.y : a.x < b.x; }),
              outline.end());
  return outline;
}

}  // namespace

Vec2 voronoi_size(const VoronoiInput& in) {
  const double root = std::sqrt(in.elongation);
  return in.spacing * Vec2{in.columns * root, in.rows / root};
}

std::vector<VoronoiCell> periodic_voronoi(const VoronoiInput& in) {
  check(in);
  const Sites sites(in);
  Delaunay delaunay;
  std::vector<Delaunay::Vertex_handle> own(std::size_t(in.columns) * std::size_t(in.rows));
  Delaunay::Face_handle hint;
  for (const Copy& copy : sites.copies()) {
    const Vec2 p = sites.at(copy);
    const auto vertex = delaunay.insert({p.x, p.y}, hint);
    vertex->info() = copy;
    hint = vertex->face();
    if (copy.mirror == 0 && copy.image == 0)
      own[std::size_t(copy.row) * std::size_t(in.columns) + std::size_t(copy.column)] = vertex;
  }

  std::vector<VoronoiCell> cells;
  cells.reserve(own.size());
  const double factor = std::sqrt(in.solid_fraction), root = std::sqrt(in.elongation);
  const Vec2 scale = in.spacing * Vec2{root, 1 / root};
  for (const auto& vertex : own) {
    VoronoiCell cell{cell_of(sites, vertex, delaunay), vertex->info().row, vertex->info().column};
    const Vec2 centroid = area_properties(cell.outline).centroid;
    for (Vec2& v : cell.outline) {
      if (factor != 1) v = centroid + factor * (v - centroid);
      v = {scale.x * v.x, scale.y * v.y};
    }
    cells.push_back(std::move(cell));
  }
  return cells;
}

}  // namespace dem::geometry
