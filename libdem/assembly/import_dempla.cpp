// DEMPLA's start files hold, in this order, a shape code, the number N, and the cell's edges H11 H22 H33 and offsets
// H12 H13 H23. Clusters add the number of satellites and their shape. N records follow. The format is described with
// the data of github.com/mrkuhn53/dempla, version 0.2.5.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "libdem/assembly/import_assembly.hpp"
#include "libdem/platform/number_stream.hpp"

namespace dem {
namespace {

constexpr std::array<const char*, 8> shape_names{"",        "discs",  "ovals",         "ellipses",
                                                 "spheres", "ovoids", "disc clusters", "sphere clusters"};

/// A central sphere with satellites about it. Six satellites sit on the axes; no other arrangement of the format is
/// known.
std::vector<ClusterSphere> read_unit_cluster(NumberStream& in) {
  const long satellites = in.whole("the number of satellites", 0, 1000);
  if (satellites != 6)
    in.refuse(fmt::format("{} satellites", satellites),
              "6 satellites, on the axes of the particle: where others sit is not known");
  const double satellite = in.positive("the radius of the satellites"),
               central = in.positive("the radius of the central sphere"),
               distance = in.positive("the distance of the satellites");
  std::vector<ClusterSphere> spheres{{{}, central}};
  for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
    for (const double sign : {1.0, -1.0}) spheres.push_back({sign * distance * axis, satellite});
  return spheres;
}

/// Reads a quaternion, scalar part first. The files give 17 digits, so its length is one to rounding. It is normalised.
Quaternion read_quaternion(NumberStream& in, const std::string& of) {
  double q[4], square = 0;
  for (int k = 0; k < 4; ++k) {
    q[k] = in.number(fmt::format("component {} of the quaternion{}", k, of));
    square += q[k] * q[k];
  }
  if (!(std::abs(std::sqrt(square) - 1) <= 1e-6))
    in.refuse(fmt::format("a quaternion of length {:.6g}", std::sqrt(square)), fmt::format("a unit quaternion{}", of));
  const double scale = std::abs(square - 1) > 1e-15 ? 1 / std::sqrt(square) : 1;
  return {scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
}

}  // namespace

ImportedAssembly parse_dempla(std::string_view text, const std::string& name) {
  NumberStream in(text, name);
  ImportedAssembly out;
  const long code = in.whole("a shape code", 1, 7);
  out.shape = code == 1 ? ShapeKind::disc : code == 4 ? ShapeKind::sphere : ShapeKind::cluster;
  if (code != 1 && code != 4 && code != 7)
    in.refuse(fmt::format("shape code {} ({})", code, shape_names[std::size_t(code)]),
              "1 (discs), 4 (spheres) or 7 (sphere clusters): other shapes are not supported");
  const long count = in.whole("the number of particles", 1, 1000000000);
  const double h11 = in.positive("cell size H11"), h22 = in.positive("cell size H22"),
               h33 = in.positive("cell size H33");
  const double h12 = in.number("cell offset H12"), h13 = in.number("cell offset H13"),
               h23 = in.number("cell offset H23");
  out.cell = {Vec3{h11, 0, 0}, Vec3{h12, h22, 0}, Vec3{h13, h23, h33}};
  if (out.shape == ShapeKind::cluster) out.unit_spheres = read_unit_cluster(in);
  out.particles.reserve(std::size_t(std::min(count, 1000000L)));
  for (long k = 1; k <= count; ++k) {
    const std::string of = fmt::format(" of particle {} of {}", k, count);
    ImportedAssembly::Particle& p = out.particles.emplace_back();
    p.radius = in.positive("the radius" + of);
    p.position.x = in.number("x1" + of);
    p.position.y = in.number("x2" + of);
    if (out.shape != ShapeKind::disc) p.position.z = in.number("x3" + of);
    if (out.shape == ShapeKind::cluster) p.orientation = read_quaternion(in, of);
  }
  if (!in.at_end()) {
    const double more = in.number(fmt::format("nothing after particle {}", count));
    in.refuse(fmt::format("{} after the last particle", more),
              fmt::format("the end of the file after {} particles", count));
  }
  return out;
}

}  // namespace dem
