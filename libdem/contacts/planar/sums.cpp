// Sums over the contacts of a plane assembly. They run in a fixed order, so no bit depends on how threads shared the
// work. Each thread reads the contacts that it has processed.
#include <algorithm>
#include <tuple>

#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {

void PlanarContacts::Sums::add(std::span<const Chunk> chunks) {
  for (const Chunk& chunk : chunks) {
    for (const ContactWork& w : chunk.work) work += w;
    for (const ContactWork& w : chunk.lost_work) lost += w;
    undefined_planes += chunk.undefined_planes;
    plane_jumps += chunk.plane_jumps;
    merging_jumps += chunk.merging_jumps;
  }
}

/// Adds the loads of the contacts to the bodies first … last − 1.
void PlanarContacts::add_loads(Bodies& bodies, std::size_t first, std::size_t last) const {
  Vec3* const forces = bodies.force.stored().data();
  Vec3* const torques = bodies.torque.stored().data();
  const auto add = [&](std::size_t b, Vec2 force, double torque) __attribute__((always_inline)) {
    forces[b].x += force.x;
    forces[b].y += force.y;
    torques[b].z += torque;
  };
  for (const Chunk& chunk : used()) {
    if (chunk.last_body < first || chunk.first_body >= last) continue;
    const bool all = chunk.first_body >= first && chunk.last_body < last;
    for (const Load& load : chunk.loads) {
      if (all || (load.i >= first && load.i < last)) add(load.i, -load.force, load.torque_i);
      if (all || (load.j >= first && load.j < last)) add(load.j, load.force, load.torque_j);
    }
  }
}

/// The same where places are not numbers: from the contacts of each body, so that its sum runs in the same order.
void PlanarContacts::gather_loads(Bodies& bodies, std::size_t first, std::size_t last) const {
  Vec3* const forces = bodies.force.stored().data();
  Vec3* const torques = bodies.torque.stored().data();
  for (std::size_t b = first; b < last; ++b) {
    Vec3 force = forces[b], torque = torques[b];
    for (std::uint32_t k = first_of_place_[b]; k < first_of_place_[b + 1]; ++k) {
      const std::uint32_t p = pairs_of_place_[k] / 2;
      const bool is_j = pairs_of_place_[k] % 2 != 0;
      const Chunk& chunk = chunks_[p / chunk_pairs];
      for (std::uint16_t c = chunk.first_contact[p % chunk_pairs]; c < chunk.first_contact[p % chunk_pairs + 1]; ++c) {
        const Load& load = chunk.loads[c];
        const Vec2 on_b = is_j ? load.force : -load.force;
        force.x += on_b.x;
        force.y += on_b.y;
        torque.z += is_j ? load.torque_j : load.torque_i;
      }
    }
    forces[b] = force;
    torques[b] = torque;
  }
}

void PlanarContacts::note_jumps() {
  last_jumps_.clear();
  for (const Chunk& chunk : used())
    for (const PlaneJump& jump : chunk.jumps) {
      ++jumps_of_plane_[std::size_t(jump.plane)];
      last_jumps_.push_back(jump);
      last_jumps_.back().key = order_.named(jump.key);
    }
  if (order_.is_by_number()) return;
  std::ranges::stable_sort(last_jumps_, {},
                           [](const PlaneJump& jump) { return std::tie(jump.key.i, jump.key.j, jump.key.image); });
}

double PlanarContacts::sum_of(double PlanarContact::*energy) const {
  double e = 0;
  if (!order_.is_by_number()) {
    for_contacts_by_number([&](const Chunk& chunk, std::size_t k) { e += chunk.contacts[k].*energy; });
    return e;
  }
  shares_in_turn(threads_, chunks_used_, [&](std::size_t first, std::size_t last) {
    for (const Chunk& chunk : std::span(chunks_).subspan(first, last - first))
      for (const PlanarContact& k : chunk.contacts) e += k.*energy;
  });
  return e;
}

}  // namespace dem
