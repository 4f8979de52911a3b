// Order and lists of the sphere engine: contacts move from one list of pairs to the next.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "geometry/error.hpp"
#include "libdem/contacts/spheres/contacts.hpp"

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
  Movers out;
  out.watched = format_.watched;
  const std::size_t n = size();
  out.contacts.reserve(n);
  out.values.reserve(n * moving_stride());
  if (const auto memory = history_memory()) out.legs.reserve(memory->legs);
  for_each_contact([&](const Site& at) {
    const std::size_t first = out.values.size();
    const std::uint16_t sliding = at.head.sliding >> at.lane & 1u;
    Moving m{sphere_at(at.block, at.pair.p), 0, images_[at.pair.image], sliding, out.contacts.size(), out.legs.size()};
    if (at.block.is_wall(at.pair)) {
      m.high = std::uint32_t(spheres_.size() + wall_of(at.block, at.pair).wall);
      m.image = {std::int16_t(slot_of(at.block, at.pair)), 0, 0};
    } else {
      m.high = sphere_at(at.block, at.pair.q);
      if (m.high < m.low) reverse(m);
    }
    out.contacts.push_back(m);
    for (std::size_t c = 0; c < format_.columns(); ++c) out.values.push_back(at.tile.value(c, at.lane));
    const double* h = history_of(at.tile, at.lane);
    out.values.insert(out.values.end(), h, h + format_.history);
    law_->for_each_stack(&out.values[first + format_.columns()], [&](laws::LegPool::Stack& legs) {
      at.block.legs.walk(legs, [&](const laws::Leg& leg) { out.legs.push_back(leg); });
      std::reverse(out.legs.end() - std::ptrdiff_t(legs.count), out.legs.end());
      legs.chunk = 0;  // chunk numbers are no part of the state
    });
    if (format_.watched)
      for (const double* column : {at.tile.force_n, at.tile.force_1, at.tile.force_2, at.tile.stored})
        out.values.push_back(column[at.lane]);
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
    const auto repeated = std::ranges::unique(border_.spheres);
    border_.spheres.erase(repeated.begin(), repeated.end());
    for (const SphereBlock& block : blocks_)
      for (std::uint32_t n = block.end_near; n < block.end_outside; ++n)
        border_.copy_of[n] =
            std::uint32_t(std::ranges::lower_bound(border_.spheres, outside_[n]) - border_.spheres.begin());
  }
  border_.rows.resize(border_.spheres.size(), movement_.own_velocity);
}

/// Adds the pairs of the block's spheres with walls, in tiles of their own: those listed, and every contact, listed or
/// not. Removes them from both spans.
void SphereContacts::add_wall_pairs(SphereBlock& block, std::span<const NearWall>& listed, const Movers& movers,
                                    std::span<const std::size_t>& held, std::vector<std::size_t>& arrivals) {
  block.first_slot = std::uint32_t(wall_of_slot_.size());
  std::uint32_t slot = 0;
  while (true) {
    const NearWall* near = !listed.empty() && listed.front().sphere < block.end_sphere ? &listed.front() : nullptr;
    const Moving* contact = !held.empty() && movers.contacts[held.front()].low < block.end_sphere
                                ? &movers.contacts[held.front()]
                                : nullptr;
    if (!near && !contact) break;
    NearWall n = near ? *near : NearWall{};
    const auto wall = [&](const Moving& m) { return std::uint32_t(m.high - spheres_.size()); };
    const bool in_contact =
        contact && (!near || contact->low < n.sphere || (contact->low == n.sphere && wall(*contact) <= n.wall));
    if (in_contact && !(near && contact->low == n.sphere && wall(*contact) == n.wall))
      n = {contact->low, wall(*contact), 0, 0, 1};
    else
      listed = listed.subspan(1);
    std::size_t contacts = 0;
    while (in_contact && contacts < held.size() && movers.contacts[held[contacts]].low == n.sphere &&
           wall(movers.contacts[held[contacts]]) == n.wall)
      ++contacts;
    n.slots = slots_for(n.end_facet - n.first_facet, contacts);
    if (n.slots < contacts)
      throw geometry::GeometryError(
          fmt::format("a sphere has {} contacts with one wall: its facets are too small", contacts));
    if (heads_.size() == block.first_wall_tile || heads_.back().pairs + n.slots > tile_size)
      heads_.push_back({0, 0, std::uint32_t(pairs_.size()), 0, 0, 0});
    TileHead& head = heads_.back();
    const std::uint16_t coefficients = table_.number(spheres_.body[n.sphere], wall_body(n));
    for (std::uint32_t k = 0; k < n.slots; ++k) {
      if (k < contacts) {  // in their order
        const Moving& m = movers.contacts[held[k]];
        head.sliding |= std::uint64_t(m.sliding) << head.contacts();
        head.touching |= std::uint64_t(1) << head.pairs;
        arrivals.push_back(held[k]);
      }
      ++head.pairs;
      pairs_.push_back({{n.sphere - block.first_sphere, block.spheres() + slot++}, 0, coefficients});
      wall_of_slot_.push_back(std::uint32_t(walls_.size()));
    }
    held = held.subspan(contacts);
    walls_.push_back(n);
  }
  block.end_slot = std::uint32_t(wall_of_slot_.size());
}

/// Sets new pairs: the candidates, and every pair in contact, listed or not. Blocks, tiles and places of loads follow.
void SphereContacts::set_pairs(std::span<const geometry::CandidatePair> candidates,
                               std::span<const NearWall> near_walls, std::span<const std::uint32_t> facets,
                               const Movers& movers) {
  const std::size_t bodies = spheres_.order.size();
  blocks_.assign((bodies + bodies_per_block - 1) / bodies_per_block, {});
  sums_.assign(blocks_.size(), {});
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    blocks_[k].first_body = std::uint32_t(k * bodies_per_block);
    blocks_[k].end_body = std::uint32_t(std::min(bodies, (k + 1) * bodies_per_block));
    blocks_[k].first_sphere = spheres_.first[blocks_[k].first_body];
    blocks_[k].end_sphere = spheres_.first[blocks_[k].end_body];
  }

  std::map<Image, std::uint16_t> numbers;
  images_.assign(1, Image{});
  numbers[Image{}] = 0;
  const auto number_of = [&](Image image) {
    const auto [at, is_new] = numbers.try_emplace(image, std::uint16_t(images_.size()));
    if (is_new) {
      if (images_.size() > std::numeric_limits<std::uint16_t>::max()) {
        heads_.clear();  // an error report finds no contacts, rather than half of them
        for (SphereBlock& block : blocks_) block.first_tile = block.first_wall_tile = block.end_tile = 0;
        throw geometry::GeometryError("the bodies have moved too many periodic cells apart");
      }
      images_.push_back(image);
    }
    return at->second;
  };
  std::vector<std::size_t> held, held_by_walls;  // numbers in movers.contacts
  for (std::size_t k = 0; k < movers.contacts.size(); ++k)
    (movers.contacts[k].high < spheres_.size() ? held : held_by_walls).push_back(k);
  std::span<const std::size_t> wall_contacts = held_by_walls;
  walls_.clear();
  wall_of_slot_.clear();
  facets_.assign(facets.begin(), facets.end());
  pairs_.clear();
  heads_.clear();
  outside_.clear();
  incoming_.clear();
  std::vector<std::size_t> arrivals;  // numbers in movers.contacts, in the order of the tiles
  arrivals.reserve(movers.contacts.size());
  pairs_.reserve(candidates.size());
  std::vector<std::uint32_t> number_outside(spheres_.size());   // within the present block, of spheres of later ones
  std::vector<std::uint32_t> outside_in(spheres_.size(), ~0u);  // the last block that has the sphere in its list
  std::vector<std::vector<IncomingLoad>> incoming(blocks_.size());
  std::size_t next = 0, moving = 0;
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    SphereBlock& block = blocks_[k];
    block.first_tile = std::uint32_t(heads_.size());
    block.first_outside = std::uint32_t(outside_.size());
    while (true) {
      const bool listed = next < candidates.size() && candidates[next].i < block.end_sphere;
      const bool in_contact = moving < held.size() && movers.contacts[held[moving]].low < block.end_sphere;
      if (!listed && !in_contact) break;
      const geometry::CandidatePair* candidate = listed ? &candidates[next] : nullptr;
      const Moving* contact = in_contact ? &movers.contacts[held[moving]] : nullptr;
      if (candidate && contact) {  // the first of them, or both
        const auto order = contact->key() <=> std::tie(candidate->i, candidate->j, candidate->image);
        if (order < 0) candidate = nullptr;
        if (order > 0) contact = nullptr;
      }
      const std::uint32_t low = contact ? contact->low : candidate->i, high = contact ? contact->high : candidate->j;
      Image image = contact ? contact->image : candidate->image;
      next += candidate != nullptr;
      moving += contact != nullptr;
      if (heads_.size() == block.first_tile || heads_.back().pairs == tile_size)
        heads_.push_back({0, 0, std::uint32_t(pairs_.size()), 0, 0, 0});
      TileHead& head = heads_.back();
      if (high >= block.end_sphere && outside_in[high] != k) {
        outside_in[high] = std::uint32_t(k);
        outside_.push_back(high);
      }
      SpherePair pair{{low, high}, 0, 0};  // numbered within the block below
      const std::uint32_t a = spheres_.body[low], b = spheres_.body[high];
      if (b < a) {
        std::swap(pair.p, pair.q);
        image = opposite(image);
      }
      pair.image = number_of(image);
      pair.coefficients = table_.number(a, b);
      if (contact) {
        const int lane = head.contacts();
        head.touching |= std::uint64_t(1) << head.pairs;
        head.sliding |= std::uint64_t(contact->sliding) << lane;
        arrivals.push_back(std::size_t(contact - movers.contacts.data()));
      }
      ++head.pairs;
      pairs_.push_back(pair);
    }
    block.first_wall_tile = std::uint32_t(heads_.size());
    block.end_outside = std::uint32_t(outside_.size());
    // In storage order, which no list of candidates can change: loads of a body's spheres are added up in it.
    std::sort(outside_.begin() + block.first_outside, outside_.end());
    for (std::uint32_t n = block.first_outside; n < block.end_outside; ++n) {
      const std::uint32_t sphere = outside_[n];
      number_outside[sphere] = block.own_spheres() + (n - block.first_outside);
      const std::size_t place =
          std::size_t(std::upper_bound(spheres_.first.begin(), spheres_.first.end(), sphere) - spheres_.first.begin()) -
          1;
      incoming[place / bodies_per_block].push_back({sphere, n});
    }
    const auto number_in_block = [&](std::uint32_t sphere) {
      return sphere < block.end_sphere ? sphere - block.first_sphere : number_outside[sphere];
    };
    for (std::size_t pair = block.first_tile < block.first_wall_tile ? heads_[block.first_tile].first_pair
                                                                     : pairs_.size();
         pair < pairs_.size(); ++pair) {
      pairs_[pair].p = number_in_block(pairs_[pair].p);
      pairs_[pair].q = number_in_block(pairs_[pair].q);
    }
    add_wall_pairs(block, near_walls, movers, wall_contacts, arrivals);
    block.end_tile = std::uint32_t(heads_.size());
  }
  wall_loads_.assign(blocks_.size() * wall_count_, {});
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    blocks_[k].first_incoming = incoming_.size();
    incoming_.insert(incoming_.end(), incoming[k].begin(), incoming[k].end());
    blocks_[k].end_incoming = incoming_.size();
  }
  outside_loads_.resize(outside_.size());
  set_shares();
  set_border();
  auto arrival = arrivals.begin();
  for (SphereBlock& block : blocks_) {
    std::size_t column = 0;
    for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t)
      column += std::size_t(whole_lanes(heads_[t].contacts())) / 8;
    block.store.reserve(column * format_.stored_stride());
    if (format_.watched) block.seen.reserve(column * TileFormat::for_observers);
    for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t) {
      TileHead& head = heads_[t];
      const int count = head.contacts();
      if (count == 0) continue;
      block.give_room(format_, head, count);
      const SphereTile tile = block.tile(format_, head);
      std::uint64_t left = head.touching;
      for (int lane = 0; lane < count; ++lane, left &= left - 1) {
        set_damping(block, pairs_[head.first_pair + std::uint32_t(std::countr_zero(left))], tile, lane);
        const Moving& moved = movers.contacts[*arrival++];
        const double* from = movers.values.data() + moved.values * moving_stride();
        for (std::size_t c = 0; c < format_.columns(); ++c) tile.value(c, lane) = *from++;
        std::copy_n(from, format_.history, history_of(tile, lane));
        from += format_.history;
        const laws::Leg* leg = movers.legs.data() + moved.legs;
        law_->for_each_stack(history_of(tile, lane), [&](laws::LegPool::Stack& legs) {
          const std::uint32_t count_of_legs = std::exchange(legs, {}).count;
          for (std::uint32_t k = 0; k < count_of_legs; ++k) block.legs.push(legs, *leg++);
        });
        if (format_.watched)
          for (double* value : {tile.force_n, tile.force_1, tile.force_2, tile.stored}) value[lane] = *from++;
      }
      tile.pad(format_, count);
    }
  }
}

}  // namespace dem
