// Movement of contacts since the last evaluation (movement writers), the law, and the work of the step.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "libdem/contacts/planar/contacts.hpp"

namespace dem {
namespace {

/// (Δψ/2)/sin(Δψ/2): length of the arc over its chord.
double arc_over_chord(double angle) {
  const double half = 0.5 * angle;
  return std::abs(half) < 1e-4 ? 1 + half * half / 6 : half / std::sin(half);
}

/// Angle from a to b, both unit vectors.
double angle_between(Vec2 a, Vec2 b) { return std::atan2(cross(a, b), dot(a, b)); }

}  // namespace

void PlanarContacts::set_lines(PlanarContact& c, const BodyFrame& i, const BodyFrame& j, const Vec2& branch) const {
  const Vec2 tangent = turned_left(c.normal), from_j = c.point - branch;
  c.viscous_line = one_normal_line(c) ? c.elastic_line : through_point(c.normal, c.point, from_j);
  switch (lever_) {
    case Lever::contact_point:
      c.tangential_line = through_point(tangent, c.point, from_j);
      break;
    case Lever::conjugate:  // ∂ξ/∂R and ∂ξ/∂θ of form (G)
      if (is_wall_[c.key.j])
        c.tangential_line = {tangent, 1, -i.radius, i.radius - dot(branch, c.normal)};
      else
        c.tangential_line = {tangent, (i.radius + j.radius) / norm(branch), -i.radius, -j.radius};
      break;
    case Lever::proportional: {
      const double share = is_wall_[c.key.j] ? 1 : norm(branch) / (i.radius + j.radius);
      c.tangential_line = {tangent, 1, -share * i.radius, -share * j.radius};
      break;
    }
    case Lever::radius:
      c.tangential_line = {tangent, 1, -i.radius, -j.radius};
      break;
  }
}

/// Tangential movement of j relative to i since the last evaluation (m), for a contact that existed then.
double PlanarContacts::tangential_shift(const PlanarContact& c, const PlanarContact& old, const BodyFrame& i,
                                        const BodyFrame& j) const {
  const Vec2 tangent = turned_left(c.normal);
  const Vec2 moved = relative_movement(c.key);
  const bool wall = is_wall_[c.key.j];
  if (discs_) {
    if (choice_.geometric_form == GeometricForm::eq10_11_literal) {
      // Eqs. 10 and 11 word by word, with absolute angles. Reference §3 shows what is wrong with them.
      const double share = wall ? 1 : i.radius / (i.radius + j.radius);
      return share * dot(moved, tangent) - i.radius * i.turned - j.radius * j.turned;
    }
    // (G): Δξ = a_i(Δφ − Δθ_i) + a_j(Δφ − Δθ_j). A wall is a disc of infinite radius, Δφ = Δθ_j. Its term is the
    // movement along its face: the change of l·t, where t turns with the wall.
    if (wall) {
      const Vec2 before = j.position + image_shift(c.key.image) - i.position - moved;
      return dot(moved, tangent) + dot(before, tangent - turned_left(old.normal)) + i.radius * (j.turned - i.turned);
    }
    const double turn = angle_between(old.normal, c.normal);
    return i.radius * (turn - i.turned) + j.radius * (turn - j.turned);
  }
  if (choice_.geometric_form == GeometricForm::centroid_displacement) {
    // "Displacement of the overlap centroid" word by word: not zero in a rigid motion (reference §4).
    const Vec2 centre_before = i.position - i.moved;
    return dot((i.position + c.point) - (centre_before + old.point), tangent);
  }
  // (P): `Δξ = [Q(θ̄_i) Δc_i − Q(θ̄_j) Δc_j] · t(ᾱ)`. Unit vectors half way have the directions of the mean angles.
  const Vec2 sum = tangent + turned_left(old.normal);
  const double length = norm(sum);
  const Vec2 middle = length > 0 ? (1 / length) * sum : tangent;
  Vec2 over_i = i.mid_turn(c.point_in_i - old.point_in_i), over_j = j.mid_turn(c.point_in_j - old.point_in_j);
  if (choice_.arc_correction) {
    const double turn = angle_between(old.normal, c.normal);
    over_i = arc_over_chord(turn - i.turned) * over_i;
    over_j = arc_over_chord(turn - j.turned) * over_j;
  }
  return dot(over_i - over_j, middle);
}

/// Normal and overlap (negative: a gap) of two discs, or of a disc and a wall, also if they do not touch. The branch
/// goes from i to j. Sets only what tangential_shift() and set_lines() read.
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

/// Tangential movement of the step (m) by the elongation of the case.
double PlanarContacts::elongation_shift(const PlanarContact& c, const PlanarContact& old, const BodyFrame& i,
                                        const BodyFrame& j) const {
  if (choice_.elongation == Elongation::geometric) return tangential_shift(c, old, i, j);
  Vec2 past = j.elongation_velocity - i.elongation_velocity;
  if (cell_moves_) past += image_velocity(c.key);  // the rate of the cell is constant during the step
  return elongation_dt_ * c.tangential_line.work(past, i.elongation_spin, j.elongation_spin);
}

void PlanarContacts::apply_law(Scratch& scratch) {
  Chunk& chunk = *scratch.chunk;
  const std::size_t count = chunk.contacts.size(), history_size = std::size_t(law_->history_size);
  chunk.history.resize(count * history_size);
  chunk.work.resize(count);
  chunk.loads.resize(count);
  laws::Block block;
  // Law linear-refined damps movement over Δt (linear-frictional reference, §6), the others the velocity at the end.
  const bool damp_movement = law_->sees_lost_contacts && evaluated_ && elongation_dt_ > 0;
  const double per_dt = damp_movement ? 1 / elongation_dt_ : 0;
  for (std::size_t first = 0; first < count; first += laws::block_size) {
    block.count = int(std::min<std::size_t>(laws::block_size, count - first));

    // Movement writer.
    for (int row = 0; row < block.count; ++row) {
      const std::size_t k = first + std::size_t(row);
      PlanarContact& c = chunk.contacts[k];
      const PlanarContact* old =
          scratch.continued[k] >= 0 ? &scratch.before[std::size_t(scratch.continued[k])] : nullptr;
      const BodyFrame &i = frames_[c.key.i], &j = frames_[c.key.j];
      const Vec2 branch = j.position + image_shift(c.key.image) - i.position;
      if (!discs_) {
        c.point_in_i = i.turn.back(c.point);
        c.point_in_j = j.turn.back(c.point - branch);
      }
      set_lines(c, i, j, branch);
      if (old) {
        c.normal_damping = old->normal_damping;
        c.tangential_damping = old->tangential_damping;
      } else {
        c.normal_damping = table_.normal_damping(c.key.i, c.key.j);
        c.tangential_damping = table_.tangential_damping(c.normal_damping, table_.of(c.key.i, c.key.j));
      }
      const Vec2 moved = relative_movement(c.key), velocity = relative_velocity(c.key);
      const auto rate_along = [&](const LineOfAction& line) {
        return damp_movement ? per_dt * line.work(moved, i.turned, j.turned) : line.work(velocity, i.spin, j.spin);
      };
      c.normal_viscous = -c.normal_damping * rate_along(c.viscous_line);
      if (choice_.clip_tension && c.normal_elastic + c.normal_viscous < 0) c.normal_viscous = -c.normal_elastic;
      c.couple = -table_.rotational_damping * (j.spin - i.spin);

      block.normal_start[row] = old ? old->normal_elastic : 0;
      block.normal_end[row] = c.normal_elastic;
      block.normal_viscous[row] = c.normal_viscous;
      block.velocity_1[row] = rate_along(c.tangential_line);
      block.velocity_2[row] = 0;
      block.shift_2[row] = 0;
      const PairValues& springs = table_.of(c.key.i, c.key.j);
      block.stiffness[row] = springs.tangential_stiffness;
      block.damping[row] = c.tangential_damping;
      block.friction[row] = table_.friction(springs);
      block.made[row] = 0;
      block.lost[row] = 1;
      // A new contact starts unstrained. Except: the gap before touch is known and the law uses it.
      block.shift_1[row] = old ? elongation_shift(c, *old, i, j) : 0;
      if (!old && discs_ && damp_movement)
        if (const PlanarContact apart = discs_at(c.key, branch - moved); apart.overlap <= 0) {
          block.made[row] = -apart.overlap / (c.overlap - apart.overlap);
          block.shift_1[row] = elongation_shift(c, apart, i, j);
        }
      double* history = chunk.history.data() + k * history_size;
      if (old)
        std::copy_n(scratch.history_before.data() + std::size_t(scratch.continued[k]) * history_size, history_size,
                    history);
      else
        std::fill_n(history, history_size, 0.0);
    }

    law_->pass(law_.data(), step_flags_, block, chunk.history.data() + first * history_size);

    // Forces, and the work of the step by the trapezoid of force over movement. At either end of the step the movement
    // is taken along the line of action there.
    for (int row = 0; row < block.count; ++row) {
      const std::size_t k = first + std::size_t(row);
      PlanarContact& c = chunk.contacts[k];
      c.tangential_elastic = block.elastic_1[row];
      c.tangential_viscous = block.viscous_1[row];
      c.stored_tangential = block.stored[row];
      c.sliding = block.sliding[row] != 0;
      const double tangential_force = c.tangential_elastic + c.tangential_viscous;
      const Vec2 force = force_on_j(c);
      chunk.loads[k] = {force,
                        c.normal_elastic * c.elastic_line.arm_i + c.normal_viscous * c.viscous_line.arm_i +
                            tangential_force * c.tangential_line.arm_i - c.couple,
                        c.normal_elastic * c.elastic_line.arm_j + c.normal_viscous * c.viscous_line.arm_j +
                            tangential_force * c.tangential_line.arm_j + c.couple,
                        std::uint32_t(c.key.i), std::uint32_t(c.key.j)};

      const BodyFrame &i = frames_[c.key.i], &j = frames_[c.key.j];
      const Vec2 moved = relative_movement(c.key);
      const double i_turned = i.turned, j_turned = j.turned;
      const auto along = [&](const LineOfAction& line) { return line.work(moved, i_turned, j_turned); };
      static constexpr PlanarContact none{};
      const PlanarContact& old = scratch.continued[k] >= 0 ? scratch.before[std::size_t(scratch.continued[k])] : none;
      const bool one_line = one_normal_line(c);
      const double press_before = along(old.elastic_line), press_now = along(c.elastic_line);
      const double damp_before = one_line ? press_before : along(old.viscous_line),
                   damp_now = one_line ? press_now : along(c.viscous_line);
      const double slide_before = along(old.tangential_line), slide_now = along(c.tangential_line);
      const double elastic = 0.5 * (old.normal_elastic * press_before + c.normal_elastic * press_now);
      const double viscous_normal = 0.5 * (old.normal_viscous * damp_before + c.normal_viscous * damp_now);
      const double tangential = 0.5 * (old.tangential_elastic * slide_before + c.tangential_elastic * slide_now);
      const double viscous_tangential =
          0.5 * (old.tangential_viscous * slide_before + c.tangential_viscous * slide_now);
      const double viscous_couple = 0.5 * (old.couple + c.couple) * (j_turned - i_turned);
      ContactWork& work = chunk.work[k];
      work.friction = block.dissipated[row];
      work.viscous = -(viscous_normal + viscous_tangential + viscous_couple);
      work.circulation = 0;
      if (!has_potential_) work.circulation -= elastic + (c.stored_normal - old.stored_normal);
      if (!tangential_conjugate_)
        work.circulation -= tangential + (c.stored_tangential - old.stored_tangential) + work.friction;
      // The limited force of a sliding contact counts as a whole, however spring and dashpot share it.
      const double slid = block.sliding[row] != 0 ? std::abs(tangential + viscous_tangential)
                                                  : std::abs(tangential) + std::abs(viscous_tangential);
      work.absolute = std::abs(elastic) + std::abs(viscous_normal) + slid + std::abs(viscous_couple);
      work.by_cell = cell_moves_ ? -0.5 * dot(force_on_j(old) + force, image_movement(c.key)) : 0;
    }
  }
}

double PlanarContacts::set_history(std::optional<TangentialHistory> history) {
  if (!law_.set_history(history, choice_.law)) return 0;
  double lost = 0;
  for (Chunk& chunk : std::span(chunks_).first(chunks_used_)) {
    std::ranges::fill(chunk.history, 0.0);
    for (PlanarContact& c : chunk.contacts) lost += std::exchange(c.stored_tangential, 0.0);
  }
  return lost;
}

/// Energy that friction takes from a contact that opens within this step (J), for laws that follow it to its end.
double PlanarContacts::friction_of_lost(Scratch& scratch, const PlanarContact& old) const {
  const BodyFrame &i = frames_[old.key.i], &j = frames_[old.key.j];
  laws::Block block;
  block.count = 1;
  block.made[0] = 0;
  block.lost[0] = 1;  // polygons: the area shows only that the contact is gone
  if (discs_) {
    const Vec2 branch = j.position + image_shift(old.key.image) - i.position;
    PlanarContact now = discs_at(old.key, branch);
    set_lines(now, i, j, branch);
    if (now.overlap < 0) block.lost[0] = old.overlap / (old.overlap - now.overlap);
    block.shift_1[0] = elongation_shift(now, old, i, j);
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
