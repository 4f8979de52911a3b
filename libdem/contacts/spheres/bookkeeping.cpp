// Order and lists of the sphere engine: contacts move from one list of pairs to the next.
#include <algorithm>
#include <utility>

#include "libdem/contacts/spheres/contacts.hpp"
#include "libdem/platform/team.hpp"

namespace dem {
namespace {

using Image = std::array<std::int16_t, 3>;
Image opposite(Image k) { return {std::int16_t(-k[0]), std::int16_t(-k[1]), std::int16_t(-k[2])}; }

/// The pair seen from its other end.
template <class Pair>
void reverse(Pair& pair) {
  std::swap(pair.low, pair.high);
  pair.image = opposite(pair.image);
}

}  // namespace

SphereContacts::Movers SphereContacts::contacts_of_tiles() const {
  struct Begin {
    std::size_t contact = 0, leg = 0;
  } next;
  std::vector<Begin> begins;  // of each block
  for (const SphereBlock& block : blocks_) {
    begins.push_back(next);
    for_contacts_of(block, [&](const Site& at) {
      ++next.contact;
      law_->for_each_stack(history_of(at.tile, at.lane),
                           [&](const laws::LegPool::Stack& legs) { next.leg += legs.count; });
    });
  }
  Movers out;
  out.watched = format_.watched;
  out.contacts.resize(next.contact);
  out.values.resize(next.contact * moving_stride());
  out.legs.resize(next.leg);
  for_blocks([&](std::size_t k) {
    Begin to = begins[k];
    for_contacts_of(blocks_[k], [&](const Site& at) {
      const std::uint16_t sliding = at.head.sliding >> at.lane & 1u;
      Moving m{sphere_at(at.block, at.pair.p), 0, images_[at.pair.image], sliding, to.contact, to.leg};
      if (at.block.is_wall(at.pair)) {
        m.high = std::uint32_t(spheres_.size() + wall_of(at.block, at.pair).wall);
        m.image = {std::int16_t(slot_of(at.block, at.pair)), 0, 0};
      } else {
        m.high = sphere_at(at.block, at.pair.q);
        if (m.high < m.low) reverse(m);
      }
      double* value = out.values.data() + to.contact * moving_stride();
      out.contacts[to.contact++] = m;
      for (std::size_t c = 0; c < format_.columns(); ++c) *value++ = at.tile.value(c, at.lane);
      std::copy_n(history_of(at.tile, at.lane), format_.history, value);
      law_->for_each_stack(value, [&](laws::LegPool::Stack& legs) {
        to.leg += legs.count;
        laws::Leg* leg = out.legs.data() + to.leg;  // from the top down
        at.block.legs.walk(legs, [&](const laws::Leg& each) { *--leg = each; });
        legs.chunk = 0;  // chunk numbers are no part of the state
      });
      value += format_.history;
      if (format_.watched)
        for (const double* column : {at.tile.force_n, at.tile.force_1, at.tile.force_2, at.tile.stored})
          *value++ = column[at.lane];
    });
  });
  return out;
}

SphereContacts::Movers SphereContacts::carried() const {
  Movers out = contacts_of_tiles();
  for (Moving& m : out.contacts) {
    m.low = spheres_.body[m.low];
    if (m.high >= spheres_.size()) continue;  // a wall: its number is its place
    m.high = spheres_.body[m.high];
    if (m.low > m.high) reverse(m);
  }
  return out;
}

std::size_t SphereContacts::legs_of_carried(const double* values) const {
  std::size_t count = 0;
  // for_each_stack takes histories that may change; these do not.
  law_->for_each_stack(const_cast<double*>(values) + format_.columns(),
                       [&](const laws::LegPool::Stack& legs) { count += legs.count; });
  return count;
}

void SphereContacts::take_part(const Case& given, State& state, std::vector<std::uint32_t> order, std::size_t owned,
                               std::vector<geometry::CandidatePair> candidates, Movers movers) {
  const std::optional<double> friction = table_.friction_override();
  table_ = PairTable(given, state);
  table_.override_friction(friction);
  format_.watched = movers.watched;
  start_turned_.clear();  // bodies come and go within a step
  spheres_ = ComponentSpheres(state, std::move(order));
  radius_.resize(spheres_.size());
  for (std::size_t c = 0; c < radius_.size(); ++c) radius_[c] = spheres_.of(state, c).radius;
  wall_count_ = state.bodies.size() - spheres_.order.size();
  set_places();
  arrange(state);
  std::vector<std::uint32_t> place(spheres_.size());
  for (std::size_t at = 0; at < place.size(); ++at) place[spheres_.order[at]] = std::uint32_t(at);
  renumber(movers, place);
  candidates_.take(std::move(candidates), state, spheres_, owned);
  set_pairs(candidates_.pairs(), candidates_.walls(), candidates_.facets(), movers);
  candidates_.drop_pairs();
  note_size();
  evaluated_ = true;
}

/// Stores the bodies in another order. Returns the new place of each component sphere.
std::vector<std::uint32_t> SphereContacts::set_order(std::vector<std::uint32_t> order) {
  const ComponentSpheres old = std::move(spheres_);
  spheres_ = old.reordered(std::move(order));
  std::vector<std::uint32_t> first_of_body(old.order.size()), new_place(old.size());
  for (std::size_t at = 0; at < old.order.size(); ++at) first_of_body[spheres_.order[at]] = spheres_.first[at];
  for (std::size_t c = 0; c < old.size(); ++c)
    new_place[c] = first_of_body[old.body[c]] + (old.number.empty() ? 0u : old.number[c]);
  std::vector<double> radius(radius_.size());
  for (std::size_t c = 0; c < radius.size(); ++c) radius[new_place[c]] = radius_[c];
  radius_ = std::move(radius);
  offsets_known_ = false;
  set_places();
  return new_place;
}

/// Walls are the last bodies and keep their places.
void SphereContacts::set_places() {
  const std::size_t n = spheres_.order.size();
  std::vector<std::uint32_t> places(n + wall_count_);
  for (std::size_t at = 0; at < places.size(); ++at) places[at < n ? spheres_.order[at] : at] = std::uint32_t(at);
  const bool in_order = std::ranges::is_sorted(places);
  places_ = in_order ? nullptr : std::make_shared<const std::vector<std::uint32_t>>(std::move(places));
}

void SphereContacts::arrange(State& state) {
  if (state.bodies.places() != places_) state.bodies.rearrange(places_);
  for (ByBody<Vec3>* start : {&start_moved_, &start_turned_})  // noted in this step, before the order changed
    if (start->size() == state.bodies.size()) start->rearrange(places_);
  state.bodies.share_begins.clear();
  for (const std::size_t block : share_begins_) state.bodies.share_begins.push_back(block * parts_per_block);
}

void SphereContacts::renumber(Movers& movers, std::span<const std::uint32_t> new_place) const {
  for (Moving& m : movers.contacts) {
    m.low = new_place[m.low];
    if (m.high >= spheres_.size()) continue;  // a wall
    m.high = new_place[m.high];
    if (m.low > m.high) reverse(m);
  }
  std::ranges::sort(movers.contacts, {}, &Moving::key);
}

void SphereContacts::find_candidates(State& state) {
  Movers movers;
  bool renewed = false;
  if (order_interval_ > 0 && state.step % order_interval_ == 0 && state.step != ordered_at_) {
    ordered_at_ = state.step;
    std::vector<std::uint32_t> order = spatial_order(state);
    renewed = order != spheres_.order;
    if (renewed) {
      movers = contacts_of_tiles();
      renumber(movers, set_order(std::move(order)));
      set_pairs({}, {}, {}, movers);  // contacts take the new order, whatever becomes of the list
      candidates_.forget();
    }
  }
  arrange(state);
  if (!candidates_.update(state, spheres_, threads_)) return;
  if (!renewed) movers = contacts_of_tiles();
  set_pairs(candidates_.pairs(), candidates_.walls(), candidates_.facets(), movers);
  candidates_.drop_pairs();
  arrange(state);  // shares follow the list
  note_size();
}

void SphereContacts::note_size() {
  std::size_t lines = 0;
  for (const SphereBlock& block : blocks_) lines += block.store.size();
  fetches_ahead_ = lines * sizeof(StoreLine) > cached_store;
}

/// Gives threads blocks of equal cost. A pair belongs to its earlier block, so that early blocks have more pairs. No
/// bit depends on the shares.
void SphereContacts::set_shares() {
  // About the times of a contact, a pair and a body in a step. Contacts are unknown before the first evaluation.
  const std::size_t contact = evaluated_ ? 3 : 0, pair = evaluated_ ? 1 : 4, body = 3;
  std::vector<std::size_t> costs;
  costs.reserve(blocks_.size());
  for (const SphereBlock& block : blocks_) {
    std::size_t cost = body * (block.end_body - block.first_body);
    for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t)
      cost += contact * std::size_t(heads_[t].contacts()) + pair * heads_[t].pairs;
    costs.push_back(cost);
  }
  share_begins_ = shares_of_cost(threads_, costs);
}

/// Lists the spheres that blocks of other threads read. Each thread has a share of the blocks, and outside spheres are
/// of later blocks. So those of other threads are the last.
void SphereContacts::set_border() {
  border_.spheres.clear();
  border_.copy_of.clear();
  for (SphereBlock& block : blocks_) block.end_near = block.end_outside;
  const int shares = int(share_begins_.size());
  if (shares > 1) {
    border_.copy_of.resize(outside_.size());
    for (int t = 0; t + 1 < shares; ++t) {
      const std::size_t end = share_begin(blocks_.size(), shares, t + 1, share_begins_);
      const std::uint32_t end_sphere = blocks_[end].first_sphere;
      for (std::size_t k = share_begins_[std::size_t(t)]; k < end; ++k) {
        SphereBlock& block = blocks_[k];
        while (block.end_near > block.first_outside && outside_[block.end_near - 1] >= end_sphere) --block.end_near;
        border_.spheres.insert(border_.spheres.end(), outside_.begin() + block.end_near,
                               outside_.begin() + block.end_outside);
      }
    }
    std::ranges::sort(border_.spheres);
    border_.spheres.erase(std::unique(border_.spheres.begin(), border_.spheres.end()), border_.spheres.end());
    for (const SphereBlock& block : blocks_)
      for (std::uint32_t n = block.end_near; n < block.end_outside; ++n)
        border_.copy_of[n] =
            std::uint32_t(std::ranges::lower_bound(border_.spheres, outside_[n]) - border_.spheres.begin());
  }
  border_.rows.resize(border_.spheres.size(), movement_.own_velocity);
  border_.is_far = !border_.spheres.empty() && transfer_time(shares) >= far_away_;
}

}  // namespace dem
