// Lists of the plane: bodies, candidate pairs and chunks. Contacts move from one list of pairs to the next.
#include <algorithm>
#include <limits>
#include <numeric>

#include "libdem/contacts/planar/contacts.hpp"

namespace dem {

/// Shapes, and room for what each evaluation finds.
void PlanarContacts::take_bodies(const State& state) {
  const std::size_t n = state.bodies.size();
  frames_.resize(n);
  turn_before_.assign(n, {});
  is_wall_.resize(n);
  bounding_radius_.resize(n);
  turn_before_.rearrange(order_.places());
  for (std::size_t b = 0; b < n; ++b) {
    const Shape& shape = state.shape_of(order_.number(b));
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
    const Shape& shape = state.shape_of(order_.number(b));
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
  const auto h = std::ptrdiff_t(law_->history_size);
  Movers out;
  for_contacts_by_number([&](const Chunk& chunk, std::size_t k) {
    out.contacts.push_back(chunk.contacts[k]);
    out.contacts.back().key = order_.named(chunk.contacts[k].key);
    const auto history = chunk.history.begin() + std::ptrdiff_t(k) * h;
    out.history.insert(out.history.end(), history, history + h);
  });
  return out;
}

void PlanarContacts::take_part(const Case& given, const State& state, std::span<const Pair> pairs, Movers movers) {
  const std::optional<double> friction = table_.friction_override();
  order_ = {};
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

/// Contacts by numbers become contacts by places, in their order.
void PlanarContacts::to_places(Movers& movers, std::vector<PlaneAngles>& planes) const {
  if (order_.is_by_number()) return;
  for (PlanarContact& contact : movers.contacts) contact.key = order_.placed(contact.key);
  std::vector<std::size_t> sorted(movers.contacts.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::sort(sorted, {}, [&](std::size_t k) { return movers.contacts[k].key; });
  const auto sort = [&sorted](auto& list, std::size_t each) {
    auto old = list;
    for (std::size_t k = 0; k < sorted.size(); ++k) std::copy_n(&old[sorted[k] * each], each, &list[k * each]);
  };
  sort(movers.contacts, 1);
  if (law_->history_size > 0) sort(movers.history, std::size_t(law_->history_size));
  if (!planes.empty()) sort(planes, 1);
}

/// Replaces all contacts; the next list of candidates cuts them into chunks. They are by places, in their order.
void PlanarContacts::hold(Movers movers) {
  chunks_are_current_ = false;
  chunks_.clear();
  chunks_.resize(1);
  chunks_used_ = 1;
  chunks_[0].contacts = std::move(movers.contacts);
  chunks_[0].history = std::move(movers.history);
}

void PlanarContacts::arrange(State& state) {
  if (state.bodies.places() != order_.places()) state.bodies.rearrange(order_.places());
}

void PlanarContacts::find_candidates(State& state) {
  arrange(state);
  if (finder_.update(state, order_, threads_)) set_candidates(finder_.pairs());
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
  chunks_are_current_ = false;
  if (!order_.is_by_number()) note_pairs_by_number();
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

void PlanarContacts::note_pairs_by_number() {
  pairs_by_number_.resize(candidates_.size());
  std::iota(pairs_by_number_.begin(), pairs_by_number_.end(), 0u);
  std::ranges::sort(pairs_by_number_, {}, [this](std::uint32_t p) {
    const Pair& pair = candidates_[p];
    return order_.named({pair.i, pair.j, pair.image, 0});
  });
  first_of_place_.assign(frames_.size() + 1, 0);
  for (const Pair& pair : candidates_) ++first_of_place_[pair.i + 1], ++first_of_place_[pair.j + 1];
  std::partial_sum(first_of_place_.begin(), first_of_place_.end(), first_of_place_.begin());
  pairs_of_place_.resize(2 * candidates_.size());
  std::vector<std::uint32_t> next(first_of_place_.begin(), first_of_place_.end() - 1);
  for (const std::uint32_t p : pairs_by_number_) {
    pairs_of_place_[next[candidates_[p].i]++] = 2 * p;
    pairs_of_place_[next[candidates_[p].j]++] = 2 * p + 1;
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

}  // namespace dem
