// Points at which the spheres of a block touch walls, and the loads of walls.
#include <algorithm>
#include <bit>

#include "geometry/error.hpp"
#include "libdem/contacts/spheres/contacts.hpp"

namespace dem {
namespace {
constexpr double same_point = 1e-9;   // of the radius: nearer points of two facets are one
constexpr double turns_little = 0.5;  // cosine of the largest turn of a normal in a step that keeps a contact
}  // namespace

std::uint32_t SphereContacts::slot_of(const SphereBlock& block, const SpherePair& pair) const {
  const std::uint32_t slot = block.first_slot + (pair.q - block.spheres());
  std::uint32_t first = slot;
  while (first > block.first_slot && wall_of_slot_[first - 1] == wall_of_slot_[slot]) --first;
  return slot - first;
}

/// From the centre of a sphere's body to its contact with a wall.
Vec3 SphereContacts::branch_to_wall(const State& state, std::size_t sphere, const SphereTile& tile, int lane) const {
  const Vec3 arm = (radius_[sphere] - 0.5 * tile.overlap[lane]) * tile.normal(lane);
  return spheres_.single ? arm
                         : arm + offset_of(state, sphere, state.bodies.evaluated_orientation[spheres_.body[sphere]]);
}

/// Places q of the pair at this point of its wall.
void SphereContacts::place_on_wall(const State& state, const SphereBlock& block, const SpherePair& pair, Vec3 point,
                                   SphereRows& rows) const {
  const Movement m = movement_of(state, wall_body(wall_of(block, pair)));
  rows.rows[pair.q] = {place_of(point, 0), move_of(m.moved, 0), {0, 0, 0, 1}};
  if (movement_.own_velocity) rows.velocities[pair.q] = {move_of(m.speed, 1), {0, 0, 0, 1}};
}

/// Finds the points at which the spheres of a tile touch their walls, before all other work on the tile. Contacts of a
/// sphere move to its first slots, which changes no lane. Each contact takes the point whose normal is nearest to its
/// own; the points that are left go to the slots behind. Slots without a point are placed where they do not touch.
void SphereContacts::meet_walls(const State& state, const SphereBlock& block, TileHead& head, SphereRows& rows,
                                Scratch& scratch, BlockSums& sums) const {
  using Touch = geometry::FacetSurface::Touch;
  thread_local std::vector<Touch> points;
  const SphereTile tile = block.tile(format_, head);
  const auto bits = [](std::uint32_t n) { return n < 64 ? (std::uint64_t(1) << n) - 1 : ~std::uint64_t(0); };
  for (std::uint32_t first = 0; first < head.pairs;) {
    const SpherePair* const pairs = pairs_.data() + head.first_pair + first;
    const NearWall& near = wall_of(block, *pairs);
    const std::uint64_t mask = bits(near.slots) << first;
    const int lane = std::popcount(head.touching & bits(first));
    const auto held = std::uint32_t(std::popcount(head.touching & mask));
    head.touching = (head.touching & ~mask) | bits(held) << first;

    const std::size_t body = wall_body(near);
    const geometry::FacetSurface& surface = *state.shape_of(body).facets();
    const Vec3 origin = state.bodies.position[0][body];
    const SpherePlace place = rows.rows[pairs->p].place;
    const Vec3 centre = Vec3{place.x, place.y, place.z} - origin;
    const auto old_normal = [&](std::uint32_t k) { return tile.normal(lane + int(k)); };
    const std::span<const std::uint32_t> among(facets_.data() + near.first_facet, facets_.data() + near.end_facet);
    const auto fill = [&](std::uint32_t k, std::uint32_t facet, Vec3 point) {
      scratch.facet[first + k] = facet;
      place_on_wall(state, block, pairs[k], origin + point, rows);
    };
    const auto goes_through = [&] { sums.went_through.emplace(spheres_.body[sphere_at(block, pairs->p)], body); };
    if (near.slots == 1 && among.size() == 1) {  // the usual case
      const Vec3 point = geometry::nearest_point(surface.facets()[among[0]], centre).point;
      fill(0, among[0], point);
      if (held == 1 && dot(old_normal(0), point - centre) < 0) goes_through();
      ++first;
      continue;
    }
    surface.touches(centre, among, same_point * place.radius, points);
    const auto normal_to = [&](const Touch& t) { return (1 / t.distance) * (t.point - centre); };
    // A contact takes the touching point that its normal turned to; without one, the gap that it opened into.
    std::uint64_t filled = 0, taken = 0;
    const auto match = [&](bool touching) {
      while (true) {
        double best = turns_little;
        std::uint32_t slot = 0;
        std::size_t at = points.size();
        for (std::uint32_t k = 0; k < held; ++k)
          for (std::size_t p = 0; p < points.size() && !(filled >> k & 1u); ++p) {
            if (taken >> p & 1u || (points[p].distance < place.radius) != touching) continue;
            const double cosine = dot(old_normal(k), normal_to(points[p]));
            if (cosine > best) best = cosine, slot = k, at = p;
          }
        if (at == points.size()) return;
        filled |= std::uint64_t(1) << slot;
        taken |= std::uint64_t(1) << at;
        fill(slot, points[at].facet, points[at].point);
      }
    };
    if (points.size() > 64)
      throw geometry::GeometryError("a sphere touches a wall at more than 64 points: its facets are too small");
    if (held > 0) {
      match(true);
      match(false);
    }
    // A centre that comes to the other side of a facet finds its point behind it. Ends of a rigid wall do not stop it.
    for (std::uint32_t k = 0; k < held; ++k)
      for (const Touch& t : points)
        if (!(filled >> k & 1u) && t.distance < place.radius && dot(old_normal(k), normal_to(t)) < -0.99)
          goes_through();
    const std::uint32_t any_facet = among.empty() ? 0 : among[0];
    const double beyond = (1 + 1e-9) * place.radius;
    for (std::uint32_t k = 0; k < held; ++k)
      if (!(filled >> k & 1u)) fill(k, any_facet, centre + beyond * old_normal(k));
    std::uint32_t next = held;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (taken >> p & 1u || !(points[p].distance < place.radius)) continue;
      if (next == near.slots)
        throw geometry::GeometryError("a sphere has too many contacts with one wall: its facets are too small");
      fill(next++, points[p].facet, points[p].point);
    }
    for (; next < near.slots; ++next) fill(next, any_facet, centre + Vec3{beyond, 0, 0});
    first += near.slots;
  }
}

/// Adds up the loads of walls. Torques are about the position of the wall.
void SphereContacts::hand_over_wall_loads(const State& state, const SphereBlock& block, const SphereRows& rows,
                                          const SphereLoad* loads) {
  OutsideLoad* const sums = wall_loads_.data() + std::size_t(&block - blocks_.data()) * wall_count_;
  std::fill_n(sums, wall_count_, OutsideLoad{});
  for (std::uint32_t t = block.first_wall_tile; t < block.end_tile; ++t)
    for (std::uint64_t left = heads_[t].touching; left != 0; left &= left - 1) {
      const SpherePair& pair = pairs_[heads_[t].first_pair + std::uint32_t(std::countr_zero(left))];
      const NearWall& near = wall_of(block, pair);
      const SphereLoad& load = loads[pair.q];
      const Vec3 force{load.fx, load.fy, load.fz}, torque{load.tx, load.ty, load.tz};
      const SpherePlace& point = rows.rows[pair.q].place;
      const Vec3 arm = Vec3{point.x, point.y, point.z} - state.bodies.position[0][wall_body(near)];
      sums[near.wall].force += force;
      sums[near.wall].torque += torque + cross(arm, force);
    }
}

void SphereContacts::add_wall_loads(Bodies& bodies, const BaseLoads& base) const {
  for (std::size_t w = 0; w < wall_count_; ++w) {
    const std::size_t b = spheres_.order.size() + w;
    Vec3 force = base.force.empty() ? Vec3{} : base.force[b], torque = base.torque.empty() ? Vec3{} : base.torque[b];
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      force += wall_loads_[k * wall_count_ + w].force;
      torque += wall_loads_[k * wall_count_ + w].torque;
    }
    bodies.force[b] = force;
    bodies.torque[b] = torque;
  }
}

}  // namespace dem
