#include "libdem/assembly/import_assembly.hpp"

#include <fstream>
#include <numbers>

#include "geometry/error.hpp"
#include "geometry/outlines.hpp"
#include "geometry/sphere_union.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/platform/number_stream.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {

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

ImportedBodies bodies_of(const ImportedAssembly& file, double scale) {
  ImportedBodies out;
  out.bodies.reserve(file.particles.size());
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
  if (file.cell) {
    const auto& [a, b, c] = *file.cell;
    const bool flat = file.shape == ShapeKind::disc;
    out.cell_size = scale * Vec3{a.x, b.y, flat ? 0 : c.z};
    out.cell_tilt = scale * Vec3{b.x, flat ? 0 : c.x, flat ? 0 : c.y};
  }
  return out;
}

PackingInput packing_of(const ImportedAssembly& file) {
  PackingInput in;
  in.dimension = file.dimension();
  if (file.cell) {
    in.cell.vectors = *file.cell;
    in.cell.periodic = {true, true, in.dimension == 3};
  }
  double unit_volume = in.dimension == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
  if (file.shape == ShapeKind::cluster) {
    std::vector<geometry::Sphere> unit;
    for (const auto& [at, radius] : file.unit_spheres) unit.push_back({at, radius});
    unit_volume = geometry::sphere_union(unit).volume;
  }
  for (const auto& particle : file.particles) {
    const double r = particle.radius;
    const auto owner = std::uint32_t(in.positions.size());
    if (file.shape != ShapeKind::cluster) in.spheres.push_back({particle.position, r, owner});
    for (const auto& [at, radius] : file.unit_spheres)
      in.spheres.push_back({particle.position + rotated(particle.orientation, r * at), r * radius, owner});
    in.positions.push_back(particle.position);
    in.radii.push_back(r);
    in.volumes.push_back(unit_volume * (in.dimension == 2 ? r * r : r * r * r));
  }
  return in;
}

}  // namespace dem
