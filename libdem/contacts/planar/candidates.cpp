#include "libdem/contacts/planar/candidates.hpp"

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "libdem/platform/parallel.hpp"
#include "libdem/platform/work_sharing.hpp"
#include "libdem/state/groups.hpp"

namespace dem {

PlanarCandidates::PlanarCandidates(const Case& given, const State& state, const BodyOrder& order) {
  ordinary_bodies_ = state.bodies.size();
  while (ordinary_bodies_ > 0 && state.shape_of(ordinary_bodies_ - 1).is_half_plane()) --ordinary_bodies_;
  double mean_radius = 0;
  for (std::size_t b = 0; b < ordinary_bodies_; ++b) {
    bounding_radii_.push_back(state.shape_of(order.number(b)).bounding_radius());
    mean_radius += bounding_radii_.back() / double(ordinary_bodies_);
  }
  skin_ = given.skin > 0 ? given.skin : 0.1 * mean_radius;
}

bool PlanarCandidates::list_holds(const State& state, std::span<const Vec3> positions, int threads) const {
  if (!is_current_) return false;
  if (neighbours_.complete()) return true;
  if (!own_images_.stay_apart(state)) return false;
  const geometry::NeighbourList::Look look = neighbours_.look(positions, &state.cell);
  std::atomic<bool> holds = true;
  const auto look_at = [&](std::size_t first, std::size_t last) {
    if (!look.holds(first, last)) holds = false;
  };
  parallel_parts(threads, positions.size(), look_at, state.bodies.share_begins);
  return holds;
}

bool PlanarCandidates::update(const State& state, const BodyOrder& order, int threads) {
  const std::span<const Vec3> positions(state.bodies.position[0].stored().data(), ordinary_bodies_);
  if (list_holds(state, positions, threads)) return false;
  own_images_.check(state);
  neighbours_.build(
      {positions, bounding_radii_, &state.cell, skin_, true, {state.bodies.freedom.stored().data(), ordinary_bodies_}},
      work_sharing(threads));
  // Each body is paired with all walls, behind its other partners. This keeps the order.
  pairs_.clear();
  const std::size_t n = state.bodies.size(),
                    most = neighbours_.pairs().size() + ordinary_bodies_ * (n - ordinary_bodies_);
  if (pairs_.capacity() < most) pairs_.reserve(std::max(most + most / 4, 6 * n));
  auto pair = neighbours_.pairs().begin();
  const auto end = neighbours_.pairs().end();
  for (std::size_t i = 0; i < ordinary_bodies_; ++i) {
    for (; pair != end && pair->i == i; ++pair) pairs_.push_back(*pair);
    for (std::size_t wall = ordinary_bodies_; wall < n; ++wall)
      pairs_.push_back({std::uint32_t(i), std::uint32_t(wall), {}});
  }
  // Particles of one plate are parts of one rigid body. Forces between plates and walls are no load of the assembly.
  std::erase_if(pairs_, [&](const auto& p) {
    return is_boundary(state, order.number(p.i)) && is_boundary(state, order.number(p.j));
  });
  if (!order.is_by_number()) {
    for (geometry::CandidatePair& p : pairs_) {
      if (order.number(p.i) < order.number(p.j)) continue;
      std::swap(p.i, p.j);
      for (std::int16_t& shift : p.image) shift = std::int16_t(-shift);
    }
    std::ranges::sort(pairs_, {}, [](const auto& p) { return std::tie(p.i, p.j, p.image); });
  }
  is_current_ = true;
  ++builds_;
  return true;
}

}  // namespace dem
