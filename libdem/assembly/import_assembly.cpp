#include "libdem/assembly/import_assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <cmath>
#include <fstream>

#include "geometry/error.hpp"
#include "geometry/outlines.hpp"
#include "geometry/printable.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/platform/number_stream.hpp"

namespace dem {
namespace {

// DEMPLA's start files hold, in this order, a shape code, the number N, and the cell's edges H11 H22 H33 and offsets
// H12 H13 H23. Clusters add the number of satellites and their shape. N records follow. The format is described with
// the data of github.com/mrkuhn53/dempla, version 0.2.5.

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

/// Places in the line of the columns x, y, z, r, as the header gives them. −1 for a missing column.
std::array<int, 4> places_in(const std::vector<std::string>& names, const NumberStream& in) {
  std::array<int, 4> place{-1, -1, -1, -1};
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string name = boost::to_lower_copy(names[k]);
    const auto at = name == "radius"   ? 3
                    : name.size() == 1 ? std::string_view("xyzr").find(name)
                                       : std::string_view::npos;
    if (at == std::string_view::npos || place[at] >= 0)
      in.refuse(fmt::format("the column '{}'{}", printable(names[k]), at == std::string_view::npos ? "" : " twice"),
                "a header of the columns x, y, z (of spheres) and r or radius, each once");
    place[at] = int(k);
  }
  if (place[0] < 0 || place[1] < 0 || place[3] < 0)
    in.refuse(fmt::format("a header of the columns {}", printable(fmt::format("{}", fmt::join(names, ", ")))),
              "the columns x, y, z (of spheres) and r or radius");
  return place;
}

/// Three or four numbers with decimal commas would be read as twice as many.
std::string columns_text(int count) {
  return count == 1 ? "a line of one column"
                    : fmt::format("a line of {} columns{}", count,
                                  count == 6 || count == 8 ? " (with decimal commas? numbers have points)" : "");
}

}  // namespace

ImportedAssembly read_assembly_file(const std::filesystem::path& path) {
  std::string text;
  try {
    text = geometry::read_outline_text(path);
  } catch (const geometry::GeometryError& error) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored) && std::ifstream(path)) throw ContentError(error.what());
    throw FileError(error.what());
  }
  return NumberStream(text, path.string()).numbers_in_line() == 1 ? parse_dempla(text, path.string())
                                                                  : parse_assembly_table(text, path.string());
}

void add_bodies(const ImportedAssembly& file, double scale, GeneratedBodies& out) {
  out.bodies.reserve(out.bodies.size() + file.particles.size());
  for (const auto& particle : file.particles) {
    BodySpec& body = out.bodies.emplace_back();
    body.shape = file.shape;
    body.position = scale * particle.position;
    if (file.shape != ShapeKind::cluster) {
      body.radius = scale * particle.radius;
      continue;
    }
    body.orientation = particle.orientation;
    body.spheres.reserve(file.unit_spheres.size());
    const double factor = scale * particle.radius;
    for (const auto& [at, radius] : file.unit_spheres) body.spheres.push_back({factor * at, factor * radius});
  }
  if (!file.cell) return;
  const auto& [a, b, c] = *file.cell;
  const bool flat = file.shape == ShapeKind::disc;
  out.cell_size = scale * Vec3{a.x, b.y, flat ? 0 : c.z};
  out.cell_tilt = scale * Vec3{b.x, flat ? 0 : c.x, flat ? 0 : c.y};
}

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

ImportedAssembly parse_assembly_table(std::string_view text, const std::string& name) {
  constexpr std::string_view rows =
      "lines `x y z r` (spheres) or `x y r` (discs), or DEMPLA's format, which begins with a line of one number";
  NumberStream in(text, name);
  if (in.at_end()) in.refuse("an empty file", rows);
  ImportedAssembly out;
  std::array<int, 4> place{0, 1, 2, 3};
  int width = 0;
  if (const auto names = in.header(); !names.empty()) {
    place = places_in(names, in);
    width = int(names.size());
  }
  // A first line with one number less than the next line has the edges of the cell.
  int count = in.numbers_in_line();
  if (count < 2 || count > 4) in.refuse(in.at_end() ? "a header without a line after it" : columns_text(count), rows);
  double first[4];
  for (int k = 0; k < count; ++k) first[k] = in.number("a number");
  const int first_line = in.line(), next = in.numbers_in_line();
  const bool has_cell = width > 0 ? count == width - 1 : next == count + 1 && next <= 4;
  if (width == 0) width = has_cell ? next : count;
  if (width == 2)
    in.refuse(fmt::format("{} after one of two, the edges of a cell", next == 0 ? "nothing" : columns_text(next)),
              "lines `x y r`");
  if (width == 3 && place[2] == 2) place = {0, 1, -1, 2};
  out.shape = width == 4 ? ShapeKind::sphere : ShapeKind::disc;
  const std::string wanted = width == 4 ? "four, `x y z r`" : "three, `x y r`";
  const auto add = [&](const double* row, int line) {
    ImportedAssembly::Particle& p = out.particles.emplace_back();
    p.position = {row[place[0]], row[place[1]], width == 4 ? row[place[2]] : 0};
    p.radius = row[place[3]];
    p.line = line;
    if (!(p.radius > 0)) in.refuse(fmt::format("the radius {}", p.radius), "a radius > 0", line);
  };
  if (has_cell) {
    for (int k = 0; k < count; ++k)
      if (!(first[k] > 0)) in.refuse(fmt::format("the edge {} of the cell", first[k]), "edges > 0", first_line);
    out.cell = {Vec3{first[0], 0, 0}, Vec3{0, first[1], 0}, Vec3{0, 0, count == 3 ? first[2] : 1}};
  } else if (count == width) {
    add(first, first_line);
  } else {
    in.refuse(columns_text(count), wanted, first_line);
  }
  while (!in.at_end()) {
    count = in.numbers_in_line();
    if (count != width) in.refuse(columns_text(count), wanted);
    double row[4];
    for (int k = 0; k < width; ++k) row[k] = in.number("a number");
    add(row, in.line());
  }
  if (out.particles.empty()) in.refuse("no line of a particle", wanted);
  return out;
}

}  // namespace dem
