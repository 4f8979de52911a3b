// Bookkeeping of the contact pass: places bodies, goes through the pairs in order. search.cpp finds the contacts of a
// pair, and law_pass.cpp has their movement and forces. sums.cpp adds them up, observation.cpp shows and saves them.
#include "libdem/contacts/planar/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {
namespace {

/// Less, equal or greater: the contact (or the other pair) comes before, belongs to or comes after the pair.
template <class Key>
std::strong_ordering order(const Key& key, const geometry::CandidatePair& pair) {
  if (key.i != pair.i) return key.i <=> pair.i;
  if (key.j != pair.j) return key.j <=> pair.j;
  return key.image <=> pair.image;
}

}  // namespace

PlanarContacts::PlanarContacts(const Case& given, const State& state)
    : choice_(given.contact),
      table_(given, state),
      law_(given.contact.law),
      threads_(given.threads),
      cell_(state.cell),
      is_periodic_(std::ranges::find(state.cell.periodic, true) != state.cell.periodic.end()),
      finder_(given, state) {
  if (law_->hertzian) throw std::invalid_argument("law '" + std::string(law_.name()) + "' is for spheres and clusters");
  if (given.material.characteristic_speed)
    throw std::invalid_argument("material.characteristic_speed is for spheres and clusters");
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

/// Shapes, and room for what each evaluation finds.
void PlanarContacts::take_bodies(const State& state) {
  const std::size_t n = state.bodies.size();
  frames_.resize(n);
  turn_before_.assign(n, {});
  is_wall_.resize(n);
  bounding_radius_.resize(n);
  for (std::size_t b = 0; b < n; ++b) {
    const Shape& shape = state.shape_of(b);
    is_wall_[b] = shape.is_half_plane();
    bounding_radius_[b] = shape.bounding_radius();
    frames_[b].radius = shape.radius();
  }
  if (discs_) return;
  placed_.assign(n, {});
  convexity_.assign(n, {});
  first_vertex_.clear();
  body_vertices_.clear();
  for (std::size_t b = 0; b < n; ++b) {
    first_vertex_.push_back(std::uint32_t(body_vertices_.size()));
    const Shape& shape = state.shape_of(b);
    if (shape.polygon().empty()) continue;
    for (Vec2 v : shape.polygon().front().vertices()) body_vertices_.push_back(v);
    most_vertices_ = std::max(most_vertices_, shape.polygon().front().vertices().size());
    placed_[b].convex = shape.polygon().front().convex();
    convexity_[b].margin = shape.polygon().front().convexity_margin();
  }
  first_vertex_.push_back(std::uint32_t(body_vertices_.size()));
  placed_vertices_.resize(body_vertices_.size());
}

PlanarContacts::Movers PlanarContacts::carried() const {
  Movers out;
  for (const Chunk& chunk : used()) {
    out.contacts.insert(out.contacts.end(), chunk.contacts.begin(), chunk.contacts.end());
    out.history.insert(out.history.end(), chunk.history.begin(), chunk.history.end());
  }
  return out;
}

void PlanarContacts::take_part(const Case& given, const State& state, std::span<const Pair> pairs, Movers movers) {
  const std::optional<double> friction = table_.friction_override();
  table_ = PairTable(given, state);
  table_.override_friction(friction);
  take_bodies(state);
  for (std::size_t b = 0; b < turn_before_.size(); ++b)
    turn_before_[b] = Turn::by(state.bodies.evaluated_rotation[b].z);
  candidates_.clear();  // they name other bodies
  memories_.clear();
  hold(std::move(movers));
  set_candidates(pairs);
  finder_.set_builds(finder_.builds() + 1);
  evaluated_ = true;
}

/// Replaces all contacts; the next list of candidates cuts them into chunks.
void PlanarContacts::hold(Movers movers) {
  chunks_.clear();
  chunks_.resize(1);
  chunks_used_ = 1;
  chunks_[0].contacts = std::move(movers.contacts);
  chunks_[0].history = std::move(movers.history);
}

void PlanarContacts::find_candidates(State& state) {
  if (finder_.update(state, threads_)) set_candidates(finder_.pairs());
}

void PlanarContacts::set_candidates(std::span<const Pair> pairs) {
  // Moves contacts in the order of their keys from the old chunks into the new ones.
  std::vector<PlanarContact>& contacts = moving_contacts_;
  std::vector<double>& history = moving_history_;
  contacts.clear();
  history.clear();
  moving_planes_.clear();
  for (const Chunk& chunk : used()) {
    moving_planes_.insert(moving_planes_.end(), chunk.planes.begin(), chunk.planes.end());
    contacts.insert(contacts.end(), chunk.contacts.begin(), chunk.contacts.end());
    history.insert(history.end(), chunk.history.begin(), chunk.history.end());
  }
  take_candidates(pairs);
  chunks_used_ = std::max<std::size_t>(1, (candidates_.size() + chunk_pairs - 1) / chunk_pairs);
  reserve_room();
  const auto before = [](const PlanarContact& c, const Pair& p) { return order(c.key, p) < 0; };
  std::ptrdiff_t next = 0;
  for (std::size_t c = 0; c < chunks_used_; ++c) {
    Chunk& chunk = chunks_[c];
    chunk.first_pair = std::min(c * chunk_pairs, candidates_.size());
    chunk.end_pair = std::min(chunk.first_pair + chunk_pairs, candidates_.size());
    // A chunk also takes contacts whose pair is no longer listed: it will book them as lost.
    std::ptrdiff_t end = std::ssize(contacts);
    if (c + 1 < chunks_used_)
      end = std::lower_bound(contacts.begin() + next, contacts.end(), candidates_[(c + 1) * chunk_pairs], before) -
            contacts.begin();
    const auto take = [&](auto& to, const auto& from, std::ptrdiff_t each) {
      to.assign(from.begin() + next * each, from.begin() + end * each);
    };
    take(chunk.contacts, contacts, 1);
    take(chunk.history, history, law_->history_size);
    if (watch_all_) take(chunk.planes, moving_planes_, 1);
    next = end;
    note_bodies(chunk);
  }
}

void PlanarContacts::note_bodies(Chunk& chunk) const {
  chunk.first_body = std::numeric_limits<std::uint32_t>::max();
  chunk.last_body = 0;
  for (const Pair& pair : std::span(candidates_).subspan(chunk.first_pair, chunk.end_pair - chunk.first_pair)) {
    chunk.first_body = std::min({chunk.first_body, pair.i, pair.j});
    chunk.last_body = std::max({chunk.last_body, pair.i, pair.j});
  }
}

/// Replaces the candidate pairs. Pairs that stay keep what they remember.
void PlanarContacts::take_candidates(std::span<const Pair> pairs) {
  if (discs_) {
    candidates_.assign(pairs.begin(), pairs.end());
    return;
  }
  moving_memories_.swap(memories_);
  memories_.assign(pairs.size(), {});
  std::size_t old = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    while (old < candidates_.size() && order(candidates_[old], pairs[p]) < 0) ++old;
    if (old < candidates_.size() && candidates_[old] == pairs[p]) memories_[p] = moving_memories_[old];
  }
  candidates_.assign(pairs.begin(), pairs.end());
}

/// Reserves room for later steps and lists, so that a step takes no memory unless the contacts become more. It is six
/// pairs per body, twice what a dense packing has in contact, or a quarter more pairs than now.
void PlanarContacts::reserve_room() {
  const auto h = std::size_t(law_->history_size);
  if (chunks_.size() < chunks_used_ || moving_contacts_.capacity() == 0) {
    const std::size_t pairs = std::max(6 * frames_.size(), candidates_.size() + candidates_.size() / 4);
    candidates_.reserve(pairs);
    if (!discs_)
      for (auto* list : {&memories_, &moving_memories_}) list->reserve(pairs);
    moving_contacts_.reserve(pairs);
    moving_history_.reserve(pairs * h);
    if (watch_all_) moving_planes_.reserve(pairs);
    chunks_.resize(std::max(chunks_.size(), pairs / chunk_pairs + 1));
  }
  // Buffers go from chunk to chunk, so each has room for the longest list. A pair of concave bodies has several
  // contacts. Except: hold() puts all contacts into one chunk.
  std::size_t room = chunk_pairs;
  for (const Chunk& chunk : chunks_)
    room = std::max(room, std::min(4 * chunk_pairs, chunk.contacts.size() + chunk.contacts.size() / 4));
  for (Chunk& chunk : chunks_) {
    chunk.contacts.reserve(room);
    chunk.history.reserve(room * h);
    for (auto* list : {&chunk.work, &chunk.lost_work}) list->reserve(room);
    chunk.loads.reserve(room);
    if (!watch_all_) continue;
    chunk.planes.reserve(room);
    chunk.jumps.reserve(room);
  }
  scratch_.resize(std::size_t(std::max(threads_, 1)));
  for (Scratch& scratch : scratch_) {
    scratch.before.reserve(room);
    scratch.history_before.reserve(room * h);
    scratch.continued.reserve(room);
    if (discs_) continue;
    scratch.overlap.components.reserve(8);
    scratch.overlap.vertices.reserve(2 * most_vertices_);
    scratch.overlap.owners.reserve(2 * most_vertices_);
    scratch.image_vertices.reserve(most_vertices_);
    scratch.remembered.pairs.reserve(chunk_pairs);
    scratch.remembered.overlaps.components.reserve(chunk_pairs);
    if (want_boundary_ == geometry::WantBoundary::yes) {
      const std::size_t each = std::min<std::size_t>(2 * most_vertices_, geometry::most_remembered_vertices);
      scratch.remembered.overlaps.vertices.reserve(chunk_pairs * each);
      scratch.remembered.overlaps.owners.reserve(chunk_pairs * each);
    }
    for (auto* list : {&scratch.old_points, &scratch.new_points}) list->reserve(8);
    scratch.match.reserve(8);
    scratch.follower.reserve(most_vertices_);
    if (watch_all_) scratch.planes_before.reserve(room);
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
  for (std::size_t b = 0; b < start_velocity_.size(); ++b) {
    start_velocity_[b] = planar(state.velocity(b));
    start_spin_[b] = state.spin(b);
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
  // In the plane places are numbers.
  const Vec3 *const positions = bodies.position[0].stored().data(), *const moves = bodies.position[1].stored().data(),
                    *const rotations = bodies.rotation[0].stored().data(),
                    *const turns = bodies.rotation[1].stored().data(),
                    *const positions_before = bodies.evaluated_position_before.stored().data(),
                    *const rotations_before = bodies.evaluated_rotation_before.stored().data();
  Vec3* const evaluated_positions = bodies.evaluated_position.stored().data();
  Vec3* const evaluated_rotations = bodies.evaluated_rotation.stored().data();
  Vec3 *const forces = bodies.force.stored().data(), *const torques = bodies.torque.stored().data();
  const auto place_one = [&](std::size_t b) __attribute__((always_inline)) {
    BodyFrame& f = frames_[b];
    const Vec3 position = positions[b], rotation = rotations[b];
    evaluated_positions[b] = position;
    evaluated_rotations[b] = rotation;
    forces[b] = base.force.empty() ? Vec3{} : base.force[b];
    torques[b] = base.torque.empty() ? Vec3{} : base.torque[b];
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
    if (!evaluated_) turn_before_[b] = f.turn;
    const Vec2 middle{f.turn.c + turn_before_[b].c, f.turn.s + turn_before_[b].s};
    const double length = norm(middle);  // zero only if the body made half a turn in one step
    f.mid_turn = length > 0 ? Turn{middle.x / length, middle.y / length} : f.turn;
    turn_before_[b] = f.turn;
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
  parallel_parts(
      threads_, state.bodies.size(), [&](std::size_t first, std::size_t last) { add_loads(state.bodies, first, last); },
      state.bodies.share_begins);
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
  while (old < old_count) book_lost(scratch, scratch.before[old++]);
  if (lap) scratch.times.geometry += lap.seconds();
  apply_law(scratch);
  if (lap) scratch.times.forces += lap.seconds();
}

}  // namespace dem
