// Voronoi cells without CGAL: each is cut out of a square by the lines half way to the sites near by. The vertices are
// those of dem, bit by bit, because geometry/voronoi_sites.hpp computes them. Only where four sites lie on one circle
// to rounding may the last bits differ.
#include <algorithm>

#include "geometry/voronoi_sites.hpp"

namespace dem::geometry {
namespace {

struct Neighbour {
  VoronoiCopy copy;
  Vec2 away;  // from the site of the cell (spacings)
};

/// Copies that may take part in the cell of a site, the nearest first.
std::vector<Neighbour> neighbours_of(const VoronoiSites& sites, const VoronoiCopy& own) {
  std::vector<Neighbour> found;
  const Vec2 centre = sites.at(own);
  const auto add = [&](int mirror, int row) {
    for (int x = own.column - VoronoiSites::margin; x <= own.column + VoronoiSites::margin; ++x) {
      const int image = x < 0 ? -1 : x >= sites.columns() ? 1 : 0;
      const VoronoiCopy copy{mirror, row, x - image * sites.columns(), image};
      if (copy != own) found.push_back({copy, sites.at(copy) - centre});
    }
  };
  const int first = std::max(0, own.row - VoronoiSites::margin),
            last = std::min(sites.rows() - 1, own.row + VoronoiSites::margin);
  for (int row = first; row <= last; ++row) add(0, row);
  for (int row = 0; row < std::min(sites.rows(), VoronoiSites::margin - own.row); ++row) add(-1, row);
  for (int row = std::max(0, 2 * sites.rows() - VoronoiSites::margin - own.row - 1); row < sites.rows(); ++row)
    add(1, row);
  std::ranges::sort(found, {}, [](const Neighbour& n) { return std::pair(dot(n.away, n.away), n.copy); });
  return found;
}

/// A corner of the cell, and the number of the neighbour behind the edge that begins there.
struct Corner {
  Vec2 at;
  int behind;
};

/// Cuts off what is nearer to a neighbour.
void cut(std::vector<Corner>& cell, Vec2 away, int number) {
  const double limit = 0.5 * dot(away, away);
  const auto beyond = [&](const Corner& c) { return dot(c.at, away) - limit; };
  std::vector<Corner> kept;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const Corner &here = cell[k], &next = cell[(k + 1) % cell.size()];
    const double a = beyond(here), b = beyond(next);
    if (a <= 0) kept.push_back(here);
    if ((a <= 0) == (b <= 0)) continue;
    const Vec2 crossing = here.at + (a / (a - b)) * (next.at - here.at);
    kept.push_back({crossing, a <= 0 ? number : here.behind});
  }
  cell = std::move(kept);
}

}  // namespace

std::vector<VoronoiCell> periodic_voronoi(const VoronoiInput& in) {
  const VoronoiSites sites(in);
  return voronoi_cells(in, [&](int row, int column) {
    const VoronoiCopy own{0, row, column, 0};
    const std::vector<Neighbour> near = neighbours_of(sites, own);
    constexpr double far = VoronoiSites::margin;
    std::vector<Corner> cell{{{-far, -far}, -1}, {{far, -far}, -1}, {{far, far}, -1}, {{-far, far}, -1}};
    for (std::size_t k = 0; k < near.size(); ++k) {
      double reach = 0;
      for (const Corner& c : cell) reach = std::max(reach, dot(c.at, c.at));
      if (dot(near[k].away, near[k].away) > 4 * reach) break;
      cut(cell, near[k].away, int(k));
    }
    Outline vertices;
    for (std::size_t k = 0; k < cell.size(); ++k) {
      const int before = cell[(k + cell.size() - 1) % cell.size()].behind, after = cell[k].behind;
      if (before < 0 || after < 0 || before == after) continue;
      vertices.push_back(sites.circumcentre({own, near[std::size_t(before)].copy, near[std::size_t(after)].copy}));
    }
    return vertices;
  });
}

}  // namespace dem::geometry
