#include "libdem/assembly/packing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "geometry/broad_phase.hpp"
#include "geometry/sphere_union.hpp"
#include "libdem/state/quaternion.hpp"
#include "libdem/state/state.hpp"

namespace dem {
namespace {

/// The spheres of all particles; those of one particle are contiguous.
struct Spheres {
  std::vector<Vec3> centres;
  std::vector<double> radii;
  std::vector<std::uint32_t> particle;

  explicit Spheres(const ImportedAssembly& assembly) {
    for (const auto& p : assembly.particles) {
      const auto owner = std::uint32_t(&p - assembly.particles.data());
      if (assembly.shape != ShapeKind::cluster) add(p.position, p.radius, owner);
      for (const auto& [at, radius] : assembly.unit_spheres)
        add(p.position + rotated(p.orientation, p.radius * at), p.radius * radius, owner);
    }
  }
  void add(Vec3 centre, double radius, std::uint32_t owner) {
    centres.push_back(centre);
    radii.push_back(radius);
    particle.push_back(owner);
  }
};

/// Volume (disc: area) of a particle of radius 1.
double unit_volume(const ImportedAssembly& assembly) {
  if (assembly.shape != ShapeKind::cluster)
    return assembly.dimension() == 2 ? std::numbers::pi : 4 * std::numbers::pi / 3;
  std::vector<geometry::Sphere> unit;
  for (const auto& [at, radius] : assembly.unit_spheres) unit.push_back({at, radius});
  return geometry::sphere_union(unit).volume;
}

/// 2 × the radius up to which the particles, sorted by size, first hold half of the solid volume.
double diameter_at_half(const ImportedAssembly& assembly, const std::vector<double>& volumes, double solid) {
  std::vector<std::size_t> order(volumes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto radius = [&](std::size_t p) { return assembly.particles[p].radius; };
  std::ranges::sort(order, {}, radius);
  double sum = 0;
  for (const std::size_t p : order)
    if ((sum += volumes[p]) >= 0.5 * solid) return 2 * radius(p);
  return 0;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const std::size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(middle), values.end());
  const double upper = values[middle];
  if (values.size() % 2 == 1) return upper;
  return 0.5 * (upper + *std::max_element(values.begin(), values.begin() + std::ptrdiff_t(middle)));
}

}  // namespace

PackingSummary summarize_packing(const ImportedAssembly& assembly) {
  const bool flat = assembly.dimension() == 2;
  geometry::Cell cell;
  PackingSummary out;
  out.particles = assembly.particles.size();
  out.volume = std::numeric_limits<double>::quiet_NaN();
  if (assembly.cell) {
    cell.vectors = *assembly.cell;
    cell.periodic = {true, true, !flat};
    const auto& [a, b, c] = cell.vectors;
    out.volume = flat ? cross(planar(a), planar(b)) : dot(a, cross(b, c));
  }
  const double of_unit = unit_volume(assembly);
  std::vector<double> volumes;
  for (const auto& particle : assembly.particles) {
    const double r = particle.radius;
    volumes.push_back(of_unit * (flat ? r * r : r * r * r));
  }
  out.solid_volume = std::accumulate(volumes.begin(), volumes.end(), 0.0);
  out.median_diameter = diameter_at_half(assembly, volumes, out.solid_volume);

  const Spheres spheres(assembly);
  geometry::NeighbourList list;
  list.build({spheres.centres, spheres.radii, &cell, 0, flat, {}});

  std::vector<Vec3> resultant(out.particles);
  std::vector<std::uint8_t> touched(out.particles, 0);
  std::map<std::array<std::int64_t, 5>, std::size_t> contacts_of_pair;  // particles and image
  std::vector<double> overlaps;
  double sum = 0;
  for (const geometry::CandidatePair& pair : list.pairs()) {
    const std::uint32_t i = spheres.particle[pair.i], j = spheres.particle[pair.j];
    if (i == j) continue;
    const Vec3 shift = cell.shift(pair.image), between = spheres.centres[pair.j] + shift - spheres.centres[pair.i];
    const double reach = spheres.radii[pair.i] + spheres.radii[pair.j], distance = norm(between),
                 overlap = reach - distance;
    if (!(overlap > 0)) continue;
    overlaps.push_back(overlap);
    sum += overlap;
    ++contacts_of_pair[{i, j, pair.image[0], pair.image[1], pair.image[2]}];
    touched[i] = touched[j] = 1;
    if (centres_coincide(distance, reach)) {
      out.coincident.push_back({i, j});  // no normal, so no force
      continue;
    }
    const Vec3 normal = (1 / distance) * between,
               branch = assembly.particles[j].position + shift - assembly.particles[i].position;
    resultant[i] -= overlap * normal;
    resultant[j] += overlap * normal;
    out.stress_over_stiffness.add(-overlap / out.volume, normal, branch);
  }
  out.contacts = overlaps.size();
  out.touching_pairs = contacts_of_pair.size();
  for (const auto& [pair, count] : contacts_of_pair) {
    if (out.pairs_by_contacts.size() < count) out.pairs_by_contacts.resize(count);
    ++out.pairs_by_contacts[count - 1];
  }
  out.without_contact = std::size_t(std::count(touched.begin(), touched.end(), 0));
  if (overlaps.empty()) return out;
  const double over_d = 1 / out.median_diameter, mean = sum / double(overlaps.size());
  out.mean_overlap = mean * over_d;
  out.largest_overlap = *std::max_element(overlaps.begin(), overlaps.end()) * over_d;
  out.median_overlap = median(std::move(overlaps)) * over_d;
  double square = 0;
  for (const Vec3 f : resultant) square += dot(f, f);
  out.unbalanced = std::sqrt(square / double(out.particles)) / mean;
  return out;
}

}  // namespace dem
