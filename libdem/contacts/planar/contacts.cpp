// The contact pass: places bodies, goes through the pairs in order. search.cpp finds the contacts of a pair, and
// law_pass.cpp has their movement and forces. sums.cpp adds them up, observation.cpp shows and saves them.
// bookkeeping.cpp has the lists.
#include "libdem/contacts/planar/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {
PlanarContacts::PlanarContacts(const Case& given, const State& state)
    : choice_(given.contact),
      order_(state),
      table_(given, state),
      law_(given.contact.law),
      threads_(given.threads),
      cell_(state.cell),
      is_periodic_(std::ranges::find(state.cell.periodic, true) != state.cell.periodic.end()),
      finder_(given, state, order_) {
  if (law_->hertzian) throw std::invalid_argument("law '" + std::string(law_.name()) + "' is for spheres and clusters");
  if (given.material.characteristic_speed)
    throw std::invalid_argument("material.characteristic_speed is for spheres and clusters");
  if (!order_.is_by_number()) table_.rename(order_.numbers());
  step_flags_.damp_while_sliding = choice_.damp_while_sliding;
  overlap_ = choice_.geometry == GeometryMethod::fast ? geometry::overlap_fast : geometry::overlap_exact;

  const std::size_t n = state.bodies.size();
  for (std::size_t b = 0; b < n; ++b)
    if (!state.shape_of(b).is_half_plane()) kind_ = state.shape_of(b).kind();
  finders_ = {finder_of(kind_, false), finder_of(kind_, true)};
  discs_ = kind_ == ShapeKind::disc;
  through_chord_ = choice_.normal_force == NormalForce::area_potential;
  has_potential_ = discs_ || through_chord_;
  const bool exact_form = choice_.elongation == Elongation::geometric && choice_.geometric_form == GeometricForm::exact;
  lever_ = choice_.lever.value_or(discs_ && exact_form ? Lever::conjugate : Lever::contact_point);
  tangential_conjugate_ = choice_.elongation == Elongation::velocity
                              ? lever_ == Lever::contact_point && choice_.velocity_source == VelocitySource::trapezoid
                              : exact_form && (discs_ ? lever_ == Lever::conjugate : lever_ == Lever::contact_point);

  take_bodies(state);
  if (!discs_) {
    watch_all_ = given.output.plane_jumps;
    if (watch_all_) last_jumps_.reserve(n);
    if (choice_.plane == geometry::ContactPlane::area_gradient && !watch_all_)
      want_boundary_ = geometry::WantBoundary::no;
    batches_ = overlap_ == geometry::overlap_fast;
  }
  if (choice_.elongation == Elongation::velocity && choice_.velocity_source != VelocitySource::predicted) {
    start_velocity_.resize(n);
    start_spin_.resize(n);
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

void PlanarContacts::note_start_velocities(const State& state) {
  if (start_velocity_.empty()) return;
  for (std::size_t at = 0; at < start_velocity_.size(); ++at) {
    start_velocity_[at] = planar(state.velocity(order_.number(at)));
    start_spin_[at] = state.spin(order_.number(at));
  }
}

void PlanarContacts::place_cell(State& state) {
  if (evaluated_ && !is_periodic_) return;  // without images no vector of the cell is read
  cell_ = state.cell;
  state.evaluated_cell_before = evaluated_ ? state.evaluated_cell : state.cell;
  state.evaluated_cell = state.cell;
  cell_before_ = state.evaluated_cell_before;
  cell_rate_ = {planar(state.cell_rate[0]), planar(state.cell_rate[1])};
  cell_moves_ = cell_.vectors != cell_before_.vectors || cell_rate_ != std::array<Vec2, 2>{};
}

/// Makes the frames of all bodies, and gives them the loads that act without contacts.
void PlanarContacts::place(State& state, const BaseLoads& base) {
  place_cell(state);
  Bodies& bodies = state.bodies;
  const std::size_t n = bodies.size();
  bodies.evaluated_position_before.swap(bodies.evaluated_position);
  bodies.evaluated_rotation_before.swap(bodies.evaluated_rotation);
  if (!evaluated_) {
    bodies.evaluated_position_before = bodies.position[0];
    bodies.evaluated_rotation_before = bodies.rotation[0];
  }
  elongation_dt_ = state.dt;
  const double per_dt = state.dt > 0 ? 1 / state.dt : 0;
  const Vec3 *const positions = bodies.position[0].stored().data(), *const moves = bodies.position[1].stored().data(),
                    *const rotations = bodies.rotation[0].stored().data(),
                    *const turns = bodies.rotation[1].stored().data(),
                    *const positions_before = bodies.evaluated_position_before.stored().data(),
                    *const rotations_before = bodies.evaluated_rotation_before.stored().data();
  Vec3* const evaluated_positions = bodies.evaluated_position.stored().data();
  Vec3* const evaluated_rotations = bodies.evaluated_rotation.stored().data();
  Vec3 *const forces = bodies.force.stored().data(), *const torques = bodies.torque.stored().data();
  Turn* const turns_before = turn_before_.stored().data();
  const auto place_one = [&](std::size_t b) __attribute__((always_inline)) {  // by place
    BodyFrame& f = frames_[b];
    const Vec3 position = positions[b], rotation = rotations[b];
    evaluated_positions[b] = position;
    evaluated_rotations[b] = rotation;
    forces[b] = base.force.empty() ? Vec3{} : base.force[order_.number(b)];
    torques[b] = base.torque.empty() ? Vec3{} : base.torque[order_.number(b)];
    f.position = planar(position);
    f.velocity = per_dt * planar(moves[b]);
    f.spin = per_dt * turns[b].z;
    f.moved = planar(position) - planar(positions_before[b]);
    f.turned = rotation.z - rotations_before[b].z;
    if (choice_.elongation == Elongation::velocity) {
      const bool start = !start_velocity_.empty();
      f.elongation_velocity = of_source(choice_.velocity_source, f.velocity, start ? start_velocity_[b] : Vec2{});
      f.elongation_spin = of_source(choice_.velocity_source, f.spin, start ? start_spin_[b] : 0);
    }
    if (discs_ && !is_wall_[b]) return;  // a disc has no orientation to see
    f.turn = Turn::by(rotation.z);
    if (!evaluated_) turns_before[b] = f.turn;
    const Vec2 middle{f.turn.c + turns_before[b].c, f.turn.s + turns_before[b].s};
    const double length = norm(middle);  // zero only if the body made half a turn in one step
    f.mid_turn = length > 0 ? Turn{middle.x / length, middle.y / length} : f.turn;
    turns_before[b] = f.turn;
    if (discs_ || is_wall_[b]) return;
    geometry::Box box{{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (std::uint32_t v = first_vertex_[b]; v < first_vertex_[b + 1]; ++v) {
      const Vec2 p = f.position + f.turn(body_vertices_[v]);
      placed_vertices_[v] = p;
      box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
      box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
    }
    placed_[b].box = box;
    convexity_[b].coordinates = std::abs(f.position.x) + std::abs(f.position.y) + bounding_radius_[b];
    placed_[b].vertices = {placed_vertices_.data() + first_vertex_[b], first_vertex_[b + 1] - first_vertex_[b]};
  };
  parallel_parts(threads_, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) place_one(b);
  });
}

ContactWork PlanarContacts::evaluate(State& state, const BaseLoads& base) {
  place(state, base);
  if (timed_)
    for (Scratch& scratch : scratch_) scratch.times = {};
  Sums sums;
  Turns turns(threads_);
  parallel_shares(threads_, chunks_used_, [&](std::size_t first, std::size_t last, int thread) {
    const Turns::Turn turn(turns, thread);
    Scratch& scratch = scratch_[std::size_t(thread)];
    for (std::size_t c = first; c < last; ++c) {
      scratch.chunk = &chunks_[c];
      process(scratch, c + 1 < last ? &chunks_[c + 1] : nullptr);
    }
    turn.begin();
    sums.add(std::span(chunks_).subspan(first, last - first));
  });
  chunks_are_current_ = true;
  const auto add = [&](std::size_t first, std::size_t last) {
    if (order_.is_by_number())
      add_loads(state.bodies, first, last);
    else
      gather_loads(state.bodies, first, last);
  };
  parallel_parts(threads_, state.bodies.size(), add, state.bodies.share_begins);
  undefined_planes_ += sums.undefined_planes;
  plane_jumps_ += sums.plane_jumps;
  merging_jumps_ += sums.merging_jumps;
  if (watch_all_) note_jumps();
  sums.work += sums.lost;
  if (!std::exchange(evaluated_, true)) return {};
  return sums.work;
}

EvaluationTimes PlanarContacts::times() const {
  EvaluationTimes sum;
  for (const Scratch& scratch : scratch_) sum += scratch.times;
  return sum;
}

/// Asks memory for contact k of the next chunk: called once for each pair, so that few lines are under way at a time.
void PlanarContacts::ask_for(const Chunk& next, std::size_t k) {
  if (k >= next.contacts.size()) return;
  const char* const contact = reinterpret_cast<const char*>(&next.contacts[k]);
  for (std::size_t at = 0; at < sizeof(PlanarContact); at += 64) __builtin_prefetch(contact + at, 1, 2);
  __builtin_prefetch(next.loads.data() + k, 1, 2);
  __builtin_prefetch(next.work.data() + k, 1, 2);
}

void PlanarContacts::process(Scratch& scratch, const Chunk* next) {
  Lap lap(timed_);
  Chunk& chunk = *scratch.chunk;
  scratch.before.swap(chunk.contacts);
  scratch.history_before.swap(chunk.history);
  chunk.contacts.clear();
  scratch.continued.clear();
  chunk.lost_work.clear();
  chunk.undefined_planes = chunk.plane_jumps = chunk.merging_jumps = 0;
  if (watch_all_) {
    scratch.planes_before.swap(chunk.planes);
    chunk.planes.clear();
    chunk.jumps.clear();
  }

  if (batches_) overlap_remembered(scratch);

  // Pairs and old contacts are both in the order of keys.
  std::size_t old = 0;
  const std::size_t old_count = scratch.before.size();
  for (std::size_t p = chunk.first_pair; p < chunk.end_pair; ++p) {
    if (next) ask_for(*next, p - chunk.first_pair);
    if (!order_.is_by_number()) chunk.first_contact[p - chunk.first_pair] = std::uint16_t(chunk.contacts.size());
    const Pair& pair = candidates_[p];
    OldContacts of_pair{old, old};
    for (; old < old_count; ++old) {
      const auto at = order(scratch.before[old].key, pair);
      if (at > 0) break;
      of_pair.end = old + 1;
      if (at == 0) continue;
      book_lost(scratch, scratch.before[old]);
      of_pair.first = of_pair.end;
    }
    find(scratch, pair, of_pair);
  }
  chunk.first_contact[chunk.end_pair - chunk.first_pair] = std::uint16_t(chunk.contacts.size());
  while (old < old_count) book_lost(scratch, scratch.before[old++]);
  if (lap) scratch.times.geometry += lap.seconds();
  apply_law(scratch);
  if (lap) scratch.times.forces += lap.seconds();
}

}  // namespace dem
