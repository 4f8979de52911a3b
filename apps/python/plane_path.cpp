// Contact planes along the path of one polygon past another.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>

#include "apps/python/bind.hpp"
#include "geometry/plane_continuity.hpp"
#include "libdem/contacts/planar/component_matching.hpp"

namespace dem::python {
namespace {

using namespace geometry;
using Points = std::vector<std::array<double, 2>>;

/// The line through the first two crossings met along the boundary.
double first_chord(const Overlap& overlap, const OverlapComponent& c, Vec2) {
  const Vec2* first = nullptr;
  for (std::uint32_t k = c.first_vertex; k < c.end_vertex; ++k) {
    if (overlap.owners[k] == overlap.owners[k > c.first_vertex ? k - 1 : c.end_vertex - 1]) continue;
    if (first) {
      const Vec2 line = overlap.vertices[k] - *first;
      return wrap_line_angle(std::atan2(line.y, line.x));
    }
    first = &overlap.vertices[k];
  }
  return NAN;
}

/// Principal direction of the edge tensor, without the choice between it and its perpendicular.
double unselected_axis(const Overlap& overlap, const OverlapComponent& c, Vec2) {
  double cosine = 0, sine = 0;
  for (std::uint32_t k = c.first_vertex; k < c.end_vertex; ++k) {
    const Vec2 e = overlap.vertices[k + 1 < c.end_vertex ? k + 1 : c.first_vertex] - overlap.vertices[k];
    const double length = norm(e);
    if (length == 0) continue;
    cosine += (e.x * e.x - e.y * e.y) / length;
    sine += 2 * e.x * e.y / length;
  }
  return std::hypot(cosine, sine) <= 1e-13 * c.perimeter ? NAN : 0.5 * std::atan2(sine, cosine);
}

struct Definition {
  std::string name;
  PlaneAngle angle;
};
/// Those of the cases, and two of the literature that no case offers.
const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = [] {
    std::vector<Definition> out;
    for (const ContactPlaneEntry& plane : contact_planes)
      out.push_back({std::string(plane.name), plane_angle_of(plane.plane)});
    out.push_back({"chord-first", first_chord});
    out.push_back({"edge-axial-unselected", unselected_axis});
    return out;
  }();
  return all;
}

Outline outline_of(const Points& points) {
  Outline outline;
  for (const auto& [x, y] : points) outline.push_back({x, y});
  return outline;
}

void place(const Outline& outline, Vec2 at, double angle, Outline& out) {
  const Turn turn = Turn::by(angle);
  out.clear();
  for (const Vec2 v : outline) out.push_back(at + turn(v));
}

py::tuple sample_of(const PlaneSample& s) {
  return py::make_tuple(s.at, s.area, s.crossings, py::make_tuple(s.centroid.x, s.centroid.y));
}

/// Rows of states (sample, area, crossings, centroid in the frame of i, angle by each definition), the largest turn
/// between two samples by each definition, and jumps.
py::tuple plane_path(const Points& polygon_i, double angle_i, const Points& polygon_j, const Points& positions,
                     const std::vector<double>& angles, double least_area, bool follow) {
  struct Part {
    Vec2 centroid;
    std::vector<double> angle;
  };
  const Outline i = outline_of(polygon_i), j = outline_of(polygon_j);
  const bool convex = Polygon(i).convex() && Polygon(j).convex();
  const Turn turn_i = Turn::by(angle_i);
  Outline placed_i, placed_j;
  place(i, {}, angle_i, placed_i);
  PlaneFollower follower;
  Overlap overlap;
  std::vector<std::vector<double>> states;
  std::vector<Part> before, now;
  std::vector<double> largest(definitions().size(), 0);
  py::list jumps;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const Vec2 at{positions[k][0], positions[k][1]};
    place(j, at, angles[k], placed_j);
    overlap_fast({placed_i, bounding_box(placed_i), convex}, {placed_j, bounding_box(placed_j), convex}, overlap);
    now.clear();
    for (const OverlapComponent& c : overlap.components) {
      if (!(c.area > least_area)) continue;
      Part& part = now.emplace_back();
      part.centroid = turn_i.back(c.centroid);
      for (const Definition& d : definitions()) part.angle.push_back(d.angle(overlap, c, at));
      auto& state = states.emplace_back(
          std::vector<double>{double(k), c.area, double(c.crossings), part.centroid.x, part.centroid.y});
      state.insert(state.end(), part.angle.begin(), part.angle.end());
    }
    if (!before.empty() && !now.empty()) {
      std::vector<Vec2> old_points, new_points;
      for (const Part& part : before) old_points.push_back(part.centroid);
      for (const Part& part : now) new_points.push_back(part.centroid);
      std::vector<int> match(now.size(), -1);
      match_components(old_points, new_points, match);
      const Vec2 moved = at - Vec2{positions[k - 1][0], positions[k - 1][1]};
      const PairMovement movement{
          {i, convex, {}, turn_i, {}, 0}, {j, convex, at, Turn::by(angles[k]), moved, angles[k] - angles[k - 1]}, {}};
      for (std::size_t m = 0; m < now.size(); ++m)
        for (std::size_t p = 0; match[m] >= 0 && p < definitions().size(); ++p) {
          const Part& old = before[std::size_t(match[m])];
          const double turn = std::abs(wrap_line_angle(now[m].angle[p] - old.angle[p]));
          if (std::isnan(turn)) continue;
          largest[p] = std::max(largest[p], turn);
          if (!follow || turn <= suspicious_turn) continue;
          const PlaneTurn found =
              follower.follow(movement, old.centroid, now[m].centroid, least_area, definitions()[p].angle);
          if (found.kind == PlaneTurn::Kind::jump)
            jumps.append(py::make_tuple(p, k - 1, found.size, found.merged_or_split, sample_of(found.before),
                                        sample_of(found.after)));
        }
    }
    before.swap(now);
  }
  const std::size_t columns = 5 + definitions().size();
  py::array_t<double> rows({py::ssize_t(states.size()), py::ssize_t(columns)});
  for (std::size_t k = 0; k < states.size(); ++k)
    std::copy_n(states[k].begin(), columns, rows.mutable_data(py::ssize_t(k), 0));
  return py::make_tuple(rows, largest, jumps);
}

}  // namespace

void bind_plane_path(py::module_& m) {
  m.def("plane_path", &plane_path);
  m.def("plane_path_names", [] {
    std::vector<std::string> names;
    for (const Definition& d : definitions()) names.push_back(d.name);
    return names;
  });
}

}  // namespace dem::python
