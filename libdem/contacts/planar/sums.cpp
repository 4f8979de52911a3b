// Sums over the contacts of a plane assembly. They run in the order of the keys. So no bit depends on how threads
// shared the work. Each thread reads the contacts that it has processed.
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

void PlanarContacts::note_jumps() {
  last_jumps_.clear();
  for (const Chunk& chunk : used())
    for (const PlaneJump& jump : chunk.jumps) {
      ++jumps_of_plane_[std::size_t(jump.plane)];
      last_jumps_.push_back(jump);
    }
}

double PlanarContacts::sum_of(double PlanarContact::*energy) const {
  double e = 0;
  shares_in_turn(threads_, chunks_used_, [&](std::size_t first, std::size_t last) {
    for (const Chunk& chunk : std::span(chunks_).subspan(first, last - first))
      for (const PlanarContact& k : chunk.contacts) e += k.*energy;
  });
  return e;
}

}  // namespace dem
