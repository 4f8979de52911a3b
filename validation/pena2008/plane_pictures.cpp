#include "validation/pena2008/plane_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dem::validation::pena2008 {
namespace {

DrawnPolygon drawn(std::span<const Vec2> vertices, std::string role, std::string label) {
  DrawnPolygon p;
  p.role = std::move(role);
  p.label = std::move(label);
  for (const Vec2 v : vertices) p.x.push_back(v.x), p.y.push_back(v.y);
  return p;
}

void add_planes(Panel& panel, const geometry::Overlap& overlap, const geometry::OverlapComponent& c, Vec2 branch,
                double half_length, std::initializer_list<std::size_t> planes) {
  for (const std::size_t p : planes) {
    const double angle = plane_definitions()[p].angle(overlap, c, branch);
    if (std::isnan(angle)) continue;
    const Vec2 along{half_length * std::cos(angle), half_length * std::sin(angle)};
    const std::array ends{c.centroid - along, c.centroid + along};
    panel.polygons.push_back(
        drawn(ends, "plane", fmt::format("{} {:.1f}°", plane_definitions()[p].name, angle * 57.295779513082321)));
  }
}

std::span<const Vec2> boundary(const geometry::Overlap& overlap, const geometry::OverlapComponent& c) {
  return std::span(overlap.vertices).subspan(c.first_vertex, c.end_vertex - c.first_vertex);
}

Panel empty_panel(std::string title) {
  Panel panel;
  panel.title = std::move(title);
  panel.x_label = "x (m)";
  panel.y_label = "y (m)";
  return panel;
}

}  // namespace

Panel pair_panel(const MovingPair& pair, double share, std::initializer_list<std::size_t> planes, std::string title) {
  Panel panel = empty_panel(std::move(title));
  panel.polygons.push_back(drawn(placed_i(pair), "body-i", "i"));
  panel.polygons.push_back(drawn(placed_j(pair, share), "body-j", "j"));
  const geometry::Overlap overlap = overlap_at(pair, share);
  for (const auto& c : overlap.components) {
    panel.polygons.push_back(drawn(boundary(overlap, c), "overlap", ""));
    add_planes(panel, overlap, c, pair.position(share), 0.3, planes);
  }
  return panel;
}

Panel overlap_panel(const MovingPair& pair, double share, Vec2 centroid_in_i, std::initializer_list<std::size_t> planes,
                    std::string title) {
  Panel panel = empty_panel(std::move(title));
  const geometry::Overlap overlap = overlap_at(pair, share);
  if (overlap.components.empty()) return panel;
  const Vec2 at = Turn::by(pair.angle_i)(centroid_in_i);
  const auto c = std::ranges::min_element(overlap.components, {}, [&](const auto& k) { return norm(k.centroid - at); });
  panel.polygons.push_back(drawn(boundary(overlap, *c), "overlap", ""));
  add_planes(panel, overlap, *c, pair.position(share), 0.3 * c->perimeter, planes);
  return panel;
}

}  // namespace dem::validation::pena2008
