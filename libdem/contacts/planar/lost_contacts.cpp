// Contacts that end: what friction takes from them, and the books of their forces.
#include <cmath>

#include "libdem/contacts/planar/contacts.hpp"

namespace dem {

/// Normal and overlap (negative: a gap) of two discs, or of a disc and a wall, also if they do not touch. The branch
/// goes from i to j. Sets only what their movement reads.
PlanarContact PlanarContacts::discs_at(const ContactKey& key, Vec2 branch) const {
  const BodyFrame &i = frames_[key.i], &j = frames_[key.j];
  PlanarContact c;
  c.key = key;
  const double distance = norm(branch);
  c.normal = is_wall_[key.j] ? -j.turn(Vec2{1, 0}) : distance > 0 ? (1 / distance) * branch : Vec2{1, 0};
  c.overlap = is_wall_[key.j] ? i.radius - dot(branch, c.normal) : i.radius + j.radius - distance;
  c.point = (i.radius - 0.5 * c.overlap) * c.normal;
  return c;
}

/// Energy that friction takes from a contact that opens within this step (J), for laws that follow it to its end.
double PlanarContacts::friction_of_lost(Scratch& scratch, const PlanarContact& old) const {
  const BodyFrame &i = frames_[old.key.i], &j = frames_[old.key.j];
  laws::Block block;
  block.count = 1;
  block.made[0] = 0;
  block.lost[0] = 1;  // polygons: the area shows only that the contact is gone
  if (discs_) {
    const PlanarContact now = discs_at(old.key, branch_of(old.key));
    if (now.overlap < 0) block.lost[0] = old.overlap / (old.overlap - now.overlap);
    block.shift_1[0] = shift_of_discs(now, old);
  } else {
    block.shift_1[0] = old.tangential_line.work(relative_movement(old.key), i.turned, j.turned);
  }
  block.normal_start[0] = old.normal_elastic;
  block.normal_end[0] = block.normal_viscous[0] = 0;
  block.shift_2[0] = block.velocity_1[0] = block.velocity_2[0] = block.damping[0] = 0;
  const PairValues& springs = table_.of(old.key.i, old.key.j);
  block.stiffness[0] = springs.tangential_stiffness;
  block.friction[0] = table_.friction(springs);
  law_->pass(
      law_.data(), step_flags_, block,
      scratch.history_before.data() + std::size_t(&old - scratch.before.data()) * std::size_t(law_->history_size));
  return block.dissipated[0];
}

/// Books a contact that is gone. Its forces end within this step; the ledger decides where its stored energy goes.
void PlanarContacts::book_lost(Scratch& scratch, const PlanarContact& old, bool opened) const {
  Chunk& chunk = *scratch.chunk;
  const BodyFrame &i = frames_[old.key.i], &j = frames_[old.key.j];
  const Vec2 moved = relative_movement(old.key);
  const auto along = [&](const LineOfAction& line) { return line.work(moved, i.turned, j.turned); };
  const double elastic = 0.5 * old.normal_elastic * along(old.elastic_line);
  const double viscous_normal = 0.5 * old.normal_viscous * along(old.viscous_line);
  const double tangential = 0.5 * old.tangential_elastic * along(old.tangential_line);
  const double viscous_tangential = 0.5 * old.tangential_viscous * along(old.tangential_line);
  const double couple = 0.5 * old.couple * (j.turned - i.turned);
  ContactWork& work = chunk.lost_work.emplace_back();
  work.viscous = -(viscous_normal + viscous_tangential + couple);
  work.event_loss = old.stored_tangential - tangential;
  if (opened && law_->sees_lost_contacts) {  // event loss is then the law's integral against the trapezoid
    work.friction = friction_of_lost(scratch, old);
    work.event_loss -= work.friction;
  }
  if (!has_potential_) work.event_loss += old.stored_normal - elastic;
  work.absolute = std::abs(elastic) + std::abs(viscous_normal) + std::abs(tangential) + std::abs(viscous_tangential) +
                  std::abs(couple);
  work.by_cell = cell_moves_ ? -0.5 * dot(force_on_j(old), image_movement(old.key)) : 0;
}

}  // namespace dem
