// Pairs of the sphere engine lie in tiles of blocks: the candidates, and every contact.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

#include "geometry/error.hpp"
#include "libdem/contacts/spheres/contacts.hpp"

namespace dem {

using Image = std::array<std::int16_t, 3>;

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
        for (std::int16_t& shift : image) shift = std::int16_t(-shift);
      }
      pair.image = number_of(image);
      pair.coefficients = table_.number(a, b);
      if (contact) {
        const int lane = head.contacts();
        head.touching |= std::uint64_t(1) << head.pairs;
        head.sliding |= std::uint64_t(contact->sliding) << lane;
        arrivals.push_back(std::size_t(contact - movers.contacts.data()));
      }
      head.by_image |= std::uint64_t(pair.image != 0) << head.pairs;
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
  place_contacts(movers, arrivals);
}

/// Gives the contacts their lanes. `arrivals`: numbers in movers.contacts, in the order of the tiles.
void SphereContacts::place_contacts(const Movers& movers, std::span<const std::size_t> arrivals) {
  std::vector<std::size_t> begins(1, 0);  // first arrival of each block
  for (const SphereBlock& block : blocks_) {
    std::size_t contacts = 0;
    for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t) contacts += std::size_t(heads_[t].contacts());
    begins.push_back(begins.back() + contacts);
  }
  // By the thread that owns the block, so that its contacts are in the caches of that core.
  for_blocks([&](std::size_t k) { place_contacts_of(blocks_[k], movers, arrivals.subspan(begins[k])); });
}

void SphereContacts::place_contacts_of(SphereBlock& block, const Movers& movers,
                                       std::span<const std::size_t> arrivals) {
  auto arrival = arrivals.begin();
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

}  // namespace dem
