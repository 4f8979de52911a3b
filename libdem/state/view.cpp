#include "libdem/state/view.hpp"

#include <fmt/format.h>

#include <limits>
#include <numbers>
#include <stdexcept>

#include "libdem/state/quaternion.hpp"

namespace dem {

RunDescription this_build() {
  RunDescription run;
  run.program_version = LIBDEM_VERSION;
#ifdef __clang__
  run.compiler = "clang " __clang_version__;
#else
  run.compiler = "g++ " __VERSION__;
#endif
  run.flags = LIBDEM_BUILD_FLAGS;
  return run;
}

std::vector<Vec2> placed_outline(const State& s, std::size_t body) {
  const Shape& shape = s.shape_of(body);
  const Vec2 at = planar(s.bodies.position[0][body]);
  std::vector<Vec2> out;
  if (shape.is_half_plane() || is_solid(shape.kind())) return out;
  if (shape.kind() == ShapeKind::polygon) {
    const Turn turn = Turn::by(s.bodies.rotation[0][body].z);
    for (const Vec2 p : shape.polygon()[0].vertices()) out.push_back(at + turn(p));
  } else {
    for (int k = 0; k < 32; ++k)
      out.push_back(at + shape.radius() * Turn::by(k * std::numbers::pi / 16 + s.bodies.rotation[0][body].z)({1, 0}));
  }
  return out;
}

std::vector<std::uint32_t> coordination(const AssemblyView& v) {
  std::vector<std::uint32_t> count(v.state.bodies.size());
  for (const ContactRecord& c : v.contacts) ++count[c.key.i], ++count[c.key.j];
  return count;
}

std::vector<PlacedSphere> placed_spheres(const State& s) {
  std::vector<PlacedSphere> out;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    for (const auto& [at, radius] : s.shape_of(b).spheres())
      out.push_back({s.bodies.position[0][b] + rotated(orientation(s, b), at), radius, b});
  return out;
}

std::vector<Tensor3> body_stresses(const AssemblyView& v) {
  std::vector<Tensor3> stress(v.state.bodies.size());
  for (const ContactRecord& c : v.contacts) {
    // The branch goes from the centre of i to that of j at the evaluation. Both arms end at the same point.
    const Vec3 arm = c.point - v.state.bodies.position[0][c.key.i];
    stress[c.key.i].add(1, c.force, arm);
    stress[c.key.j].add(1, -c.force, arm - c.branch);
  }
  for (std::size_t b = 0; b < stress.size(); ++b) {
    const Shape& shape = v.state.shape_of(b);
    const double size = v.state.dimension == 3 ? shape.volume() : shape.area();
    stress[b] *= size > 0 ? 1 / size : 0;
  }
  return stress;
}

BodyScalar body_scalar(const AssemblyView& v, std::string_view what) {
  BodyScalar s;
  const std::size_t n = v.state.bodies.size();
  const bool space = v.state.dimension == 3;
  const auto fill = [&](const char* label, const char* unit, bool signed_values, auto value) {
    s = {std::vector<double>(n), label, unit, signed_values};
    for (std::size_t b = 0; b < n; ++b) s.values[b] = value(b);
  };
  if (what == "rotation") {
    const auto& angle = v.state.bodies.rotation[0];
    fill("rotation", "°", !space,
         [&](auto b) { return (space ? norm(angle[b]) : angle[b].z) * 180 / std::numbers::pi; });
  } else if (what == "speed") {
    fill("speed", "m/s", false, [&](auto b) { return norm(v.state.velocity(b)); });
  } else if (what == "spin") {
    fill("spin", "rad/s", !space, [&](auto b) { return space ? norm(v.state.angular_velocity(b)) : v.state.spin(b); });
  } else if (what == "coordination") {
    fill("contacts of a body", "", false, [count = coordination(v)](auto b) { return double(count[b]); });
  } else if (what == "stress") {
    fill("mean pressure", space ? "Pa" : "N/m", false,
         [&, stress = body_stresses(v)](auto b) { return mean_pressure(stress[b], v.state.dimension); });
  } else {
    throw std::invalid_argument(
        fmt::format("cannot colour by {}: allowed are rotation, speed, spin, coordination, stress", what));
  }
  for (std::size_t b = 0; b < n; ++b)
    if (v.state.shape_of(b).is_wall()) s.values[b] = std::numeric_limits<double>::quiet_NaN();
  return s;
}

}  // namespace dem
