#include "libdem/contacts/spheres/candidates.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "libdem/platform/parallel.hpp"
#include "libdem/platform/vector_clones.hpp"
#include "libdem/platform/work_sharing.hpp"
#include "libdem/state/cell_deformation.hpp"
#include "libdem/state/groups.hpp"
#include "libdem/state/quaternion.hpp"
#include "libdem/state/spatial_order.hpp"

namespace dem {
namespace {

constexpr std::uint64_t steps_of_drift = 16;  // from one measurement of the mean displacement to the next

/// True if all n bodies are nearer than √square to x0 + mean, where the mean motion has taken them.
LIBDEM_VECTOR_CLONES bool all_near(const Vec3* __restrict x, const Vec3* __restrict x0, std::size_t n, Vec3 mean,
                                   double square) {
  std::uint64_t far = 0;  // also when a displacement is not a number
  for (std::size_t b = 0; b < n; ++b) {
    const double ux = x[b].x - x0[b].x - mean.x, uy = x[b].y - x0[b].y - mean.y, uz = x[b].z - x0[b].z - mean.z;
    far |= ux * ux + uy * uy + uz * uz < square ? 0 : 1;
  }
  return far == 0;
}

/// The same for a deformed cell, with origin + F (x0 − origin) + mean.
LIBDEM_VECTOR_CLONES bool all_near(const Vec3* __restrict x, const Vec3* __restrict x0, std::size_t n, Vec3 mean,
                                   double square, Vec3 origin, Vec3 f_x, Vec3 f_y, Vec3 f_z) {
  std::uint64_t far = 0;
  for (std::size_t b = 0; b < n; ++b) {
    const double rx = x0[b].x - origin.x, ry = x0[b].y - origin.y, rz = x0[b].z - origin.z;
    const double ux = x[b].x - origin.x - (f_x.x * rx + f_x.y * ry + f_x.z * rz) - mean.x;
    const double uy = x[b].y - origin.y - (f_y.x * rx + f_y.y * ry + f_y.z * rz) - mean.y;
    const double uz = x[b].z - origin.z - (f_z.x * rx + f_z.y * ry + f_z.z * rz) - mean.z;
    far |= ux * ux + uy * uy + uz * uz < square ? 0 : 1;
  }
  return far == 0;
}

/// Component spheres as the search for pairs reads them.
struct PlacedComponents {
  std::vector<Vec3> positions;
  std::vector<double> radii;
  std::vector<std::uint8_t> freedom, is_boundary;
  PlacedComponents(const State& state, const ComponentSpheres& spheres, int threads)
      : positions(spheres.size()), radii(spheres.size()), freedom(spheres.size()), is_boundary(spheres.size()) {
    const Bodies& bodies = state.bodies;
    parallel_for(threads, spheres.size(), [&](std::size_t c) {
      const std::uint32_t b = spheres.body[c];
      const ClusterSphere s = spheres.of(state, c);
      positions[c] = spheres.single ? bodies.position[0][b]
                                    : bodies.position[0][b] + rotated(bodies.orientation[0][b], s.position);
      radii[c] = s.radius;
      freedom[c] = bodies.freedom[b];
      is_boundary[c] = dem::is_boundary(state, b);
    });
  }
};

}  // namespace

std::size_t bodies_without_walls(const State& state) {
  std::size_t n = state.bodies.size();
  while (n > 0 && state.shape_of(n - 1).is_wall()) --n;
  return n;
}

std::vector<std::uint32_t> spatial_order(const State& state) {
  return spatial_order(std::span<const Vec3>(state.bodies.position[0].by_number()).first(bodies_without_walls(state)),
                       state.cell);
}

ComponentSpheres::ComponentSpheres(const State& state, std::vector<std::uint32_t> given) : order(std::move(given)) {
  first.reserve(order.size() + 1);
  for (const std::uint32_t b : order) {
    const Shape& shape = state.shape_of(b);
    first.push_back(std::uint32_t(body.size()));
    single &= shape.spheres().size() == 1 && shape.spheres()[0].position == Vec3{};
    for (std::size_t k = 0; k < shape.spheres().size(); ++k) {
      body.push_back(b);
      number.push_back(std::uint16_t(k));
    }
  }
  first.push_back(std::uint32_t(body.size()));
  if (single) std::vector<std::uint16_t>().swap(number);  // = {} would keep its memory
}

ComponentSpheres ComponentSpheres::reordered(std::vector<std::uint32_t> to) const {
  std::vector<std::uint32_t> place_of(order.size());
  for (std::size_t at = 0; at < order.size(); ++at) place_of[order[at]] = std::uint32_t(at);
  ComponentSpheres out;
  out.single = single;
  out.order = std::move(to);
  out.first.reserve(first.size());
  out.body.reserve(body.size());
  out.number.reserve(number.size());
  for (const std::uint32_t b : out.order) {
    out.first.push_back(std::uint32_t(out.body.size()));
    for (std::uint32_t c = first[place_of[b]]; c < first[place_of[b] + 1]; ++c) {
      out.body.push_back(b);
      if (!number.empty()) out.number.push_back(number[c]);
    }
  }
  out.first.push_back(std::uint32_t(out.body.size()));
  return out;
}

SphereCandidates::SphereCandidates(const Case& given, const State& state) {
  const std::size_t n = bodies_without_walls(state);
  double mean = 0, largest = 0, second = 0;
  for (std::size_t b = 0; b < n; ++b) {
    mean += state.shape_of(b).bounding_radius() / double(n);
    for (const ClusterSphere s : state.shape_of(b).spheres()) {
      second = std::max(second, std::min(s.radius, largest));
      largest = std::max(largest, s.radius);
    }
  }
  longest_reach_ = largest + second;
  skin_ = given.skin > 0 ? given.skin : 0.1 * mean;
  periodic_ = state.cell.periodic[0] || state.cell.periodic[1] || state.cell.periodic[2];
}

/// Every pair that is not listed was farther apart than its reach r by the skin. Since then the cell has taken mean
/// positions from x to F x. So the distance is at least `σ(r + skin) − 2u` now, with the smallest stretch σ of F and
/// the largest displacement u beside the mean motion.
bool SphereCandidates::expired(const State& state, const ComponentSpheres& spheres, int threads) {
  const Bodies& bodies = state.bodies;
  const std::size_t n = bodies.size();
  if (n != built_at_.size()) return true;
  const bool deformed = periodic_ && state.cell.vectors != built_cell_.vectors;
  const CellDeformation change = deformed ? cell_deformation(state.cell, built_cell_) : CellDeformation{};
  const std::array<Vec3, 3>& f = change.rows;
  const double room = deformed ? skin_ - change.size * (longest_reach_ + skin_) : skin_;
  if (!(room > 0) || (deformed && !own_images_.stay_apart(state))) return true;
  // The point that a deforming cell keeps in place. Any other point would do for a list.
  const Vec3 origin = state.cell_origin;
  const auto displacement = [&](std::size_t b) {
    const Vec3 from = built_at_[b];
    if (!deformed) return bodies.position[0][b] - from;
    const Vec3 x = from - origin;
    return bodies.position[0][b] - origin - Vec3{dot(f[0], x), dot(f[1], x), dot(f[2], x)};
  };
  // A common translation brings no pair nearer. A few bodies show its approximate size, and any value is right. It is
  // not measured in every step, because the bodies are in the caches of all cores.
  if (state.step >= next_drift_) {
    next_drift_ = state.step + steps_of_drift;
    drift_ = {};
    const std::size_t sample = std::max<std::size_t>(1, n / 32);
    double counted = 0;
    for (std::size_t b = 0; b < n; b += sample, ++counted) drift_ += displacement(b);
    drift_ = (1 / counted) * drift_;
  }
  const Vec3 mean = drift_;
  const double allowed = 0.5 * room * (1 - 1e-9);  // the margin is for round-off
  std::atomic<bool> moved_far = false;
  const auto look = [&](std::size_t first, std::size_t last) {
    if (moved_far) return;
    if (built_turned_.empty()) {
      const Vec3 *const x = bodies.position[0].stored().data() + first, *const x0 = built_at_.stored().data() + first;
      const bool near = deformed ? all_near(x, x0, last - first, mean, allowed * allowed, origin, f[0], f[1], f[2])
                                 : all_near(x, x0, last - first, mean, allowed * allowed);
      if (!near) moved_far = true;
      return;
    }
    for (std::size_t at = first; at < last; ++at) {
      const std::size_t b = at < spheres.order.size() ? spheres.order[at] : at;
      // A turn by ψ moves a point at distance o by `≤ 2 o sin(ψ/2) ≤ 4 o sin(ψ/4) = 2 o |q − q₀|`; −q turns as q does.
      if (state.shape_of(b).is_wall()) {
        if (!(norm(displacement(b) - mean) < allowed)) moved_far = true;
        continue;
      }
      const Quaternion q = bodies.orientation[0][b], p = built_turned_[b];
      const Quaternion d = dot(q, p) < 0 ? q + p : q - p;
      const double moved =
          norm(displacement(b) - mean) + 2 * state.shape_of(b).bounding_radius() * std::sqrt(dot(d, d));
      if (!(moved < allowed)) moved_far = true;  // also when it is not a number
    }
  };
  parallel_parts(threads, n, look, bodies.share_begins);
  return moved_far;
}

void SphereCandidates::find_walls(const State& state, const ComponentSpheres& spheres, std::span<const Vec3> positions,
                                  std::span<const double> radii) {
  walls_.clear();
  facets_.clear();
  const std::size_t first = bodies_without_walls(state), n = state.bodies.size();
  if (first == n) return;
  std::vector<std::uint32_t> near;
  for (std::size_t c = 0; c < positions.size(); ++c) {
    if ((state.bodies.freedom[spheres.body[c]] & (free_x | free_y | free_z)) == 0)
      continue;  // a part of the boundary itself
    for (std::size_t wall = first; wall < n; ++wall) {
      state.shape_of(wall).facets()->near(positions[c] - state.bodies.position[0][wall], radii[c] + skin_, near);
      if (near.empty()) continue;
      walls_.push_back({std::uint32_t(c), std::uint32_t(wall - first), std::uint32_t(facets_.size()),
                        std::uint32_t(facets_.size() + near.size()), 1});
      facets_.insert(facets_.end(), near.begin(), near.end());
    }
  }
}

void SphereCandidates::take(std::vector<geometry::CandidatePair> pairs, const State& state,
                            const ComponentSpheres& spheres, std::size_t owned) {
  pairs_ = std::move(pairs);
  const PlacedComponents placed(state, spheres, 1);
  find_walls(state, spheres, std::span(placed.positions).first(owned), placed.radii);
  is_current_ = true;
  ++builds_;
}

bool SphereCandidates::update(const State& state, const ComponentSpheres& spheres, int threads) {
  if (is_current_ && !expired(state, spheres, threads)) return false;
  own_images_.check(state);
  const Bodies& bodies = state.bodies;
  const PlacedComponents placed(state, spheres, threads);
  geometry::NeighbourList neighbours;  // not kept: its lists would take as much memory as the contacts
  neighbours.build({placed.positions, placed.radii, &state.cell, skin_, false, placed.freedom}, work_sharing(threads));
  // Spheres of one body are parts of it. Forces between plates and walls are no load of the assembly.
  pairs_ = neighbours.take_pairs();
  std::erase_if(pairs_, [&](const geometry::CandidatePair& pair) {
    return spheres.body[pair.i] == spheres.body[pair.j] || (placed.is_boundary[pair.i] && placed.is_boundary[pair.j]);
  });
  find_walls(state, spheres, placed.positions, placed.radii);
  built_at_ = bodies.position[0];
  built_turned_.clear();
  if (!spheres.single) built_turned_ = bodies.orientation[0];
  built_cell_ = state.cell;
  next_drift_ = 0;
  is_current_ = true;
  ++builds_;
  return true;
}

}  // namespace dem
