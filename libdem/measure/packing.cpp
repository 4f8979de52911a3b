#include "libdem/measure/packing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "libdem/state/state.hpp"

namespace dem {
namespace {

/// 2 × the radius up to which the particles, sorted by size, first hold half of the solid volume.
double diameter_at_half(const PackingInput& in, double solid) {
  std::vector<std::size_t> order(in.radii.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return in.radii[a] < in.radii[b]; });
  double sum = 0;
  for (const std::size_t p : order)
    if ((sum += in.volumes[p]) >= 0.5 * solid) return 2 * in.radii[p];
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

PackingSummary summarize_packing(const PackingInput& in) {
  PackingSummary out;
  out.particles = in.positions.size();
  out.solid_volume = std::accumulate(in.volumes.begin(), in.volumes.end(), 0.0);
  const auto& [a, b, c] = in.cell.vectors;
  const bool closed = in.cell.periodic[0] && in.cell.periodic[1] && (in.dimension == 2 || in.cell.periodic[2]);
  out.volume = closed ? (in.dimension == 2 ? cross(planar(a), planar(b)) : dot(a, cross(b, c)))
                      : std::numeric_limits<double>::quiet_NaN();
  out.median_diameter = diameter_at_half(in, out.solid_volume);

  std::vector<Vec3> centres;
  std::vector<double> radii;
  for (const ComponentSphere& s : in.spheres) centres.push_back(s.position), radii.push_back(s.radius);
  geometry::NeighbourList list;
  list.build({centres, radii, &in.cell, 0, in.dimension == 2, {}});

  std::vector<Vec3> resultant(out.particles);
  std::vector<std::uint8_t> touched(out.particles, 0);
  std::map<std::array<std::int64_t, 5>, std::size_t> contacts_of_pair;  // particles and image
  std::vector<double> overlaps;
  double sum = 0;
  for (const geometry::CandidatePair& pair : list.pairs()) {
    const ComponentSphere &i = in.spheres[pair.i], &j = in.spheres[pair.j];
    if (i.particle == j.particle) continue;
    const Vec3 shift = in.cell.shift(pair.image), between = j.position + shift - i.position;
    const double distance = norm(between), overlap = i.radius + j.radius - distance;
    if (!(overlap > 0)) continue;
    overlaps.push_back(overlap);
    sum += overlap;
    ++contacts_of_pair[{i.particle, j.particle, pair.image[0], pair.image[1], pair.image[2]}];
    touched[i.particle] = touched[j.particle] = 1;
    if (centres_coincide(distance, i.radius + j.radius)) {
      out.coincident.push_back({i.particle, j.particle});  // no normal, so no force
      continue;
    }
    const Vec3 normal = (1 / distance) * between, branch = in.positions[j.particle] + shift - in.positions[i.particle];
    resultant[i.particle] -= overlap * normal;
    resultant[j.particle] += overlap * normal;
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
