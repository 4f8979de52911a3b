// The periodic Voronoi assembly, as the dual of CGAL's Delaunay triangulation.
#include <CGAL/Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>

#include "geometry/voronoi_sites.hpp"

namespace dem::geometry {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Vertex = CGAL::Triangulation_vertex_base_with_info_2<VoronoiCopy, Kernel>;
using Delaunay = CGAL::Delaunay_triangulation_2<Kernel, CGAL::Triangulation_data_structure_2<Vertex>>;

}  // namespace

std::vector<VoronoiCell> periodic_voronoi(const VoronoiInput& in) {
  const VoronoiSites sites(in);
  Delaunay delaunay;
  std::vector<Delaunay::Vertex_handle> own(std::size_t(in.columns) * std::size_t(in.rows));
  Delaunay::Face_handle hint;
  for (const VoronoiCopy& copy : sites.copies()) {
    const Vec2 p = sites.at(copy);
    const auto vertex = delaunay.insert({p.x, p.y}, hint);
    vertex->info() = copy;
    hint = vertex->face();
    if (copy.mirror == 0 && copy.image == 0)
      own[std::size_t(copy.row) * std::size_t(in.columns) + std::size_t(copy.column)] = vertex;
  }
  return voronoi_cells(in, [&](int row, int column) {
    Outline vertices;
    const auto start = delaunay.incident_faces(own[std::size_t(row) * std::size_t(in.columns) + std::size_t(column)]);
    auto face = start;  // counter-clockwise
    do
      vertices.push_back(
          sites.circumcentre({face->vertex(0)->info(), face->vertex(1)->info(), face->vertex(2)->info()}));
    while (++face != start);
    return vertices;
  });
}

}  // namespace dem::geometry
