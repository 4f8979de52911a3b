// Overlap of two polygons: components, planes and edges with their owners.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "apps/python/bind.hpp"
#include "geometry/contact_plane.hpp"
#include "geometry/overlap.hpp"

namespace dem::python {
namespace {

using Points = py::array_t<double, py::array::c_style | py::array::forcecast>;

geometry::Outline outline_of(const Points& points, const char* which) {
  if (points.ndim() != 2 || points.shape(1) != 2 || points.shape(0) < 3)
    throw py::value_error(fmt::format("{}: found an array of shape {}, allowed (n, 2) with n >= 3", which,
                                      std::string(py::str(points.attr("shape")))));
  geometry::Outline outline(std::size_t(points.shape(0)));
  for (py::ssize_t k = 0; k < points.shape(0); ++k) outline[std::size_t(k)] = {points.at(k, 0), points.at(k, 1)};
  return geometry::counter_clockwise(std::move(outline));
}

geometry::PlacedPolygon placed(const geometry::Outline& outline) {
  return {outline, geometry::bounding_box(outline), geometry::Polygon(outline).convex()};
}

py::list overlap(const Points& a, const Points& b, bool exact) {
  const geometry::Outline first = outline_of(a, "polygon_a"), second = outline_of(b, "polygon_b");
  geometry::Overlap overlap;
  (exact ? geometry::overlap_exact : geometry::overlap_fast)(placed(first), placed(second), overlap);
  const Vec2 branch = geometry::area_properties(second).centroid - geometry::area_properties(first).centroid;
  py::list out;
  for (const geometry::OverlapComponent& c : overlap.components) {
    py::dict planes, normals;
    for (const geometry::ContactPlaneEntry& plane : geometry::contact_planes) {
      const std::string name(plane.name);
      planes[name.c_str()] = geometry::contact_plane_angle(plane.plane, overlap, c, branch);
      const Vec2 n = geometry::contact_normal(plane.plane, overlap, c, branch);
      normals[name.c_str()] = py::make_tuple(n.x, n.y);
    }
    const std::size_t count = c.end_vertex - c.first_vertex;
    py::array_t<double> vertices({py::ssize_t(count), py::ssize_t{2}});
    py::list owners;
    for (std::size_t k = 0; k < count; ++k) {
      const Vec2 v = overlap.vertices[c.first_vertex + k];
      vertices.mutable_at(py::ssize_t(k), 0) = v.x;
      vertices.mutable_at(py::ssize_t(k), 1) = v.y;
      const geometry::Owner owner = overlap.owners[c.first_vertex + k];
      owners.append(owner == geometry::Owner::i ? "a" : owner == geometry::Owner::j ? "b" : "both");
    }
    out.append(py::make_tuple(c.area, py::make_tuple(c.centroid.x, c.centroid.y), c.perimeter, c.crossings,
                              py::make_tuple(c.gradient.x, c.gradient.y), planes, normals, vertices, owners));
  }
  return out;
}

}  // namespace

void bind_geometry(py::module_& m) {
  m.def("overlap", &overlap);
  m.def("contact_planes", [] {
    py::dict out;
    for (const geometry::ContactPlaneEntry& plane : geometry::contact_planes)
      out[std::string(plane.name).c_str()] = std::string(plane.description);
    return out;
  });
}

}  // namespace dem::python
