#include "geometry/voronoi_sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "geometry/error.hpp"
#include "geometry/random.hpp"

namespace dem::geometry {
namespace {

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

}  // namespace

VoronoiSites::VoronoiSites(const VoronoiInput& in) : columns_(in.columns), rows_(in.rows), digits_(0) {
  check(in);
  digits_ = 52 - int(std::bit_width(2u * unsigned(std::max(in.columns, in.rows)) + 2 * margin));
  Random random(in.seed);
  sites_.reserve(std::size_t(columns_) * std::size_t(rows_));
  for (int row = 0; row < rows_; ++row)
    for (int column = 0; column < columns_; ++column) {
      const double dx = random.uniform() - 0.5, dy = random.uniform() - 0.5;
      sites_.push_back({on_grid(column + 0.5 + in.disorder * dx), on_grid(row - 0.5 + in.disorder * dy)});
    }
}

Vec2 VoronoiSites::at(const VoronoiCopy& c) const {
  const Vec2 s = sites_[std::size_t(c.row) * std::size_t(columns_) + std::size_t(c.column)];
  const double y = c.mirror < 0 ? -2 - s.y : c.mirror > 0 ? 2.0 * (rows_ - 1) - s.y : s.y;
  return {s.x + double(c.image) * columns_, y};
}

std::vector<VoronoiCopy> VoronoiSites::copies() const {
  std::vector<VoronoiCopy> out;
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

Vec2 VoronoiSites::circumcentre(std::array<VoronoiCopy, 3> three) const {
  if (const auto v = on_edge_of_band(three)) return *v;
  const int image = normalise(three);
  const Vec2 o = at(three[0]), a = at(three[1]) - o, b = at(three[2]) - o;
  const double d = 2 * cross(a, b), aa = dot(a, a), bb = dot(b, b);
  const Vec2 centre{o.x + (b.y * aa - a.y * bb) / d, o.y + (a.x * bb - b.x * aa) / d};
  return {on_grid(centre.x) + double(image) * columns_, on_grid(centre.y)};
}

/// Puts three copies into the form that all their shifted copies share. Returns the number of periods removed.
int VoronoiSites::normalise(std::array<VoronoiCopy, 3>& three) {
  std::sort(three.begin(), three.end());
  const int image = three[0].image;
  for (VoronoiCopy& c : three) c.image -= image;
  return image;
}

/// The point where the cells of two sites p, q meet on the edge of the band. There p, q and their reflections lie on
/// one circle. Any three of them give the same point.
std::optional<Vec2> VoronoiSites::on_edge_of_band(std::array<VoronoiCopy, 3> three) const {
  int mirror = 0;
  for (VoronoiCopy& c : three)
    if (c.mirror != 0) mirror = std::exchange(c.mirror, 0);
  const int image = normalise(three);
  if (mirror == 0 || (three[0] != three[1] && three[1] != three[2])) return {};
  const double edge = mirror < 0 ? -1 : rows_ - 1;
  const Vec2 p = at(three[0]), d = at(three[2]) - p;
  // |p + d − v|² = |p − v|² with v = (x, edge).
  return Vec2{on_grid(p.x + (dot(d, d) / 2 - d.y * (edge - p.y)) / d.x) + double(image) * columns_, edge};
}

/// Rounds to a multiple of 2^-digits_, fine enough for all coordinates of the assembly to be exact.
double VoronoiSites::on_grid(double x) const { return std::ldexp(std::nearbyint(std::ldexp(x, digits_)), -digits_); }

std::vector<VoronoiCell> voronoi_cells(const VoronoiInput& in,
                                       const std::function<Outline(int row, int column)>& vertices) {
  std::vector<VoronoiCell> cells;
  cells.reserve(std::size_t(in.columns) * std::size_t(in.rows));
  const double factor = std::sqrt(in.solid_fraction), root = std::sqrt(in.elongation);
  const Vec2 scale = in.spacing * Vec2{root, 1 / root};
  for (int row = 0; row < in.rows; ++row)
    for (int column = 0; column < in.columns; ++column) {
      VoronoiCell cell{vertices(row, column), row, column};
      Outline& outline = cell.outline;
      outline.erase(std::unique(outline.begin(), outline.end()), outline.end());
      while (outline.size() > 1 && outline.back() == outline.front()) outline.pop_back();  // sites on one circle
      // Who finds the vertices chooses the first one. The outline starts at its lowest vertex.
      std::rotate(outline.begin(),
                  std::min_element(outline.begin(), outline.end(),
                                   [](Vec2 a, Vec2 b) { return a.y != b.y ? a.y < b.y : a.x < b.x; }),
                  outline.end());
      const Vec2 centroid = area_properties(outline).centroid;
      for (Vec2& v : outline) {
        if (factor != 1) v = centroid + factor * (v - centroid);
        v = {scale.x * v.x, scale.y * v.y};
      }
      cells.push_back(std::move(cell));
    }
  return cells;
}

Vec2 voronoi_size(const VoronoiInput& in) {
  const double root = std::sqrt(in.elongation);
  return in.spacing * Vec2{in.columns * root, in.rows / root};
}

}  // namespace dem::geometry
