// Contacts of spheres as observers and checkpoints see them: sums, records, hash, files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "libdem/contacts/spheres/contacts.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "libdem/laws/normal/spring.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();  // values that were not watched

using Image = std::array<std::int16_t, 3>;
std::uint64_t packed(Image k) {
  return std::uint64_t(std::uint16_t(k[0])) | std::uint64_t(std::uint16_t(k[1])) << 16 |
         std::uint64_t(std::uint16_t(k[2])) << 32;
}
Image unpacked(std::uint64_t w) {
  return {std::int16_t(w & 0xffff), std::int16_t(w >> 16 & 0xffff), std::int16_t(w >> 32 & 0xffff)};
}

}  // namespace

laws::Hertz SphereContacts::hertz_of(const SphereBlock& block, const SpherePair& pair) const {
  const PairValues& m = table_[pair.coefficients];
  const double radius = radius_[sphere_at(block, pair.p)];
  return {m.modulus, m.ratio,
          block.is_wall(pair) ? 2 * radius : laws::Hertz::radius_of(radius, radius_[sphere_at(block, pair.q)])};
}

std::size_t SphereContacts::size() const {
  std::size_t n = 0;
  for (const TileHead& head : heads_) n += std::size_t(head.contacts());
  return n;
}

std::optional<HistoryMemory> SphereContacts::history_memory() const {
  if (law_->legs < 0) return std::nullopt;
  HistoryMemory m;
  for_each_contact([&](const Site& site) {
    ++m.contacts;
    double* history = history_of(site.tile, site.lane);
    const auto count = [&](int at) {
      const auto stack = reinterpret_cast<const laws::LegPool::Stack&>(history[at]);
      m.bytes += laws::LegPool::bytes_of(stack);
      return stack.count + 1;  // the last leg is not in the pool
    };
    m.legs += count(law_->legs);
    if (law_->exact_legs >= 0) m.exact_legs += count(law_->exact_legs);
  });
  m.checked = law_->exact_legs >= 0;
  m.merge_error = merge_error_;
  const std::size_t records = m.contacts * format_.history * sizeof(double);
  m.bytes += records;
  m.reserved = records;
  for (const SphereBlock& block : blocks_) m.reserved += block.legs.bytes();
  return m;
}

double SphereContacts::stored_normal() const {
  double e = 0;
  for_each_contact([&](const Site& at) {
    const double overlap = at.tile.overlap[at.lane];
    if (!(overlap > 0)) return;
    e += table_.hertzian()
             ? hertz_of(at.block, at.pair).stored(overlap)
             : laws::Spring{normal_stiffness(at.tile, at.lane, table_[at.pair.coefficients])}.stored(overlap);
  });
  return e;
}

double SphereContacts::stored_tangential() const {
  if (evaluated_ && !has_forces()) return nan;
  double e = 0;
  for_each_contact([&](const Site& at) { e += at.tile.stored[at.lane]; });
  return e;
}

Tensor3 SphereContacts::virial(const State& state) const {
  if (evaluated_ && !has_forces()) return Tensor3{{{{nan, nan, nan}, {nan, nan, nan}, {nan, nan, nan}}}};
  std::vector<Tensor3> of_block(blocks_.size());
  for_blocks([&](std::size_t k) {
    Vec3 sum[3];  // rows
    for_contacts_of(blocks_[k], [&](const Site& at) {
      const std::uint32_t p = sphere_at(at.block, at.pair.p);
      Vec3 branch = at.block.is_wall(at.pair)
                        ? branch_to_wall(state, p, at.tile, at.lane)
                        : body_position(state, sphere_at(at.block, at.pair.q)) - body_position(state, p);
      if (at.pair.image != 0) branch += state.evaluated_cell.shift(images_[at.pair.image]);
      const Vec3 force = -at.tile.force_on_q(at.lane);
      sum[0] += force.x * branch;
      sum[1] += force.y * branch;
      sum[2] += force.z * branch;
    });
    for (std::size_t r = 0; r < 3; ++r) of_block[k].m[r] = {sum[r].x, sum[r].y, sum[r].z};
  });
  Tensor3 sum;
  for (const Tensor3& t : of_block) sum += t;
  return sum;
}

ContactKey SphereContacts::key_of(const State& state, const Site& site) const {
  const auto& [block, head, tile, lane, pair] = site;
  const auto [i, j] = bodies_of(block, pair);
  ContactKey key{std::uint32_t(i), std::uint32_t(j), images_[pair.image], 0};
  const std::uint32_t p = sphere_at(block, pair.p);
  if (block.is_wall(pair))
    key.feature = std::uint16_t((spheres_.single ? 0 : spheres_.number[p] * tile_size) + slot_of(block, pair));
  else if (!spheres_.single)
    key.feature = std::uint16_t(spheres_.number[p] * state.shape_of(j).spheres().size() +
                                spheres_.number[sphere_at(block, pair.q)]);
  return key;
}

/// Middle of the overlap.
Vec3 SphereContacts::point_of(const State& state, const Site& site) const {
  const std::uint32_t p = sphere_at(site.block, site.pair.p);
  const Vec3 point =
      body_position(state, p) + (radius_[p] - 0.5 * site.tile.overlap[site.lane]) * site.tile.normal(site.lane);
  return spheres_.single ? point : point + offset_of(state, p, state.bodies.evaluated_orientation[spheres_.body[p]]);
}

Vec3 SphereContacts::force_on_p(const Site& at) const {
  return has_forces() ? -at.tile.force_on_q(at.lane) : Vec3{nan, nan, nan};
}

/// Fills the load in its place: a copy would cost as much again.
void SphereContacts::see(const State& state, const Site& site, const ContactKey& key, ContactLoad& load) const {
  const std::uint32_t p = sphere_at(site.block, site.pair.p);
  load.key = key;
  load.normal = site.tile.normal(site.lane);
  load.force = force_on_p(site);
  load.branch = site.block.is_wall(site.pair) ? point_of(state, site) - body_position(state, p)
                                              : body_position(state, sphere_at(site.block, site.pair.q)) +
                                                    state.evaluated_cell.shift(key.image) - body_position(state, p);
  load.overlap = site.tile.overlap[site.lane];
  load.regime = site.head.sliding >> site.lane & 1u ? Regime::slip : Regime::stick;
}

void SphereContacts::see(const State& state, const Site& site, const ContactKey& key, ContactRecord& r) const {
  const auto& [block, head, tile, lane, pair] = site;
  const PairValues& m = table_[pair.coefficients];
  see(state, site, key, static_cast<ContactLoad&>(r));
  r.point = point_of(state, site);
  const bool seen = has_forces();
  r.normal_force = seen ? tile.force_n[lane] : nan;
  r.tangential_force = seen ? std::hypot(tile.force_1[lane], tile.force_2[lane]) : nan;
  const double spring = normal_stiffness(tile, lane, m);
  const double tangential_stiffness = format_.stiffness ? table_.stiffness_ratio() * spring : m.tangential_stiffness;
  double elongation[2];
  const laws::Hertz hertz = table_.hertzian() ? hertz_of(block, pair) : laws::Hertz{};
  const double pressed = r.overlap > 0 ? r.overlap : 0;
  const laws::ContactSprings springs{tangential_stiffness, hertz.modulus, hertz.ratio, hertz.radius,
                                     table_.hertzian() ? hertz.tangent(pressed) : spring};
  law_->elongation(history_of(tile, lane), &block.legs, springs, elongation);
  r.elongation = std::hypot(elongation[0], elongation[1]);
  const bool sliding = r.regime == Regime::slip;
  double damping = format_.damping ? tile.damping[lane] : m.damping;
  r.normal_stiffness = springs.normal;
  r.stored_normal = table_.hertzian() ? hertz.stored(pressed) : laws::Spring{spring}.stored(pressed);
  if (table_.hertzian() && table_.damping_by_mass())
    damping *= std::sqrt(table_.damping_by_rate() ? hertz.radius * (0.5 * pressed) : r.normal_stiffness);
  r.tangential_stiffness = sliding ? 0 : law_->tangent(law_.data(), springs);
  r.normal_damping = damping;
  r.tangential_damping =
      sliding && !choice_.damp_while_sliding ? 0 : m.tangential_ratio * damping + m.tangential_damping;
  r.stored_tangential = seen ? tile.stored[lane] : nan;
}

/// Calls f(Site, ContactKey) for the contacts of a block in their order. Numbers of bodies are gathered once.
template <class F>
void SphereContacts::for_keys_of(const State& state, const SphereBlock& block, F&& f) const {
  std::vector<std::uint32_t> body(block.spheres());
  for (std::uint32_t k = 0; k < block.spheres(); ++k) body[k] = spheres_.body[sphere_at(block, k)];
  for_contacts_of(block, [&](const Site& site) {
    if (spheres_.single && !block.is_wall(site.pair))
      f(site, ContactKey{body[site.pair.p], body[site.pair.q], images_[site.pair.image], 0});
    else
      f(site, key_of(state, site));
  });
}

template <class T>
void SphereContacts::see_all(const State& state, std::vector<T>& out) const {
  std::vector<std::uint32_t> first_of_block;
  std::uint32_t all = 0;
  for (const SphereBlock& block : blocks_) {
    first_of_block.push_back(all);
    for (std::uint32_t t = block.first_tile; t < block.end_tile; ++t) all += std::uint32_t(heads_[t].contacts());
  }
  std::vector<ContactKey> keys(all);
  for_blocks([&](std::size_t k) {
    for_keys_of(state, blocks_[k],
                [&, n = first_of_block[k]](const Site&, const ContactKey& key) mutable { keys[n++] = key; });
  });
  // Counted into the contacts of each body, then inserted among these few.
  std::vector<std::uint32_t> first(state.bodies.size() + 1, 0), in_order(all), at(all);
  for (const ContactKey& key : keys) ++first[key.i + 1];
  for (std::size_t b = 1; b < first.size(); ++b) first[b] += first[b - 1];
  std::vector<std::uint32_t> end = first;
  for (std::uint32_t n = 0; n < all; ++n) {
    const ContactKey& key = keys[n];
    std::uint32_t k = end[key.i]++;
    const auto is_before = [&](const ContactKey& other) { return key.j != other.j ? key.j < other.j : key < other; };
    for (; k > first[key.i] && is_before(keys[in_order[k - 1]]); --k) in_order[k] = in_order[k - 1];
    in_order[k] = n;
  }
  for (std::uint32_t k = 0; k < all; ++k) at[in_order[k]] = k;
  out.resize(all);
  for_blocks([&](std::size_t k) {
    for_contacts_of(blocks_[k], [&, n = first_of_block[k]](const Site& site) mutable {
      if (n + 8 < all) __builtin_prefetch(&out[at[n + 8]], 1);  // its place is far from that of the last one
      see(state, site, keys[n], out[at[n]]);
      ++n;
    });
  });
}

void SphereContacts::records(const State& state, std::vector<ContactRecord>& out) const { see_all(state, out); }

void SphereContacts::loads(const State& state, std::vector<ContactLoad>& out) const { see_all(state, out); }

/// In one look at the tiles: so few bytes are sorted themselves.
void SphereContacts::forces(const State& state, std::vector<ContactForce>& out) const {
  std::vector<ContactForce> found(size());
  std::vector<std::uint32_t> end(state.bodies.size() + 1, 0);
  ContactForce* next = found.data();
  for (const SphereBlock& block : blocks_)
    for_keys_of(state, block, [&](const Site& site, const ContactKey& key) {
      *next++ = {key, force_on_p(site)};
      ++end[key.i + 1];
    });
  for (std::size_t b = 1; b < end.size(); ++b) end[b] += end[b - 1];
  const std::vector<std::uint32_t> first = end;
  out.resize(found.size());
  for (const ContactForce& c : found) {
    std::uint32_t at = end[c.key.i]++;
    for (; at > first[c.key.i] && c.key < out[at - 1].key; --at) out[at] = out[at - 1];
    out[at] = c;
  }
}

void SphereContacts::visit(const State& state, const std::function<void(std::span<const ContactRecord>)>& look) const {
  std::vector<ContactRecord> some;
  const SphereBlock* at = nullptr;
  for_each_contact([&](const Site& site) {
    if (at != &site.block && at) {
      look(some);
      some.clear();
    }
    at = &site.block;
    see(state, site, key_of(state, site), some.emplace_back());
  });
  if (at) look(some);
}

void SphereContacts::fields(FieldVisitor& f) {
  const std::size_t state = format_.stride();
  Movers all = f.reads() ? contacts_of_tiles() : Movers{};
  std::vector<std::uint64_t> order, pairs;
  std::vector<double> values, observed, legs;
  if (f.reads()) {
    order.assign(spheres_.order.begin(), spheres_.order.end());
    for (const Moving& m : all.contacts) {
      pairs.push_back(std::uint64_t(m.low) << 32 | m.high);
      pairs.push_back(packed(m.image) | std::uint64_t(m.sliding) << 48);
    }
    const std::size_t seen = moving_stride() - state;
    for (std::size_t k = 0; seen > 0 && k < all.contacts.size(); ++k) {  // both of a contact lie side by side
      const auto of_contact = all.values.begin() + std::ptrdiff_t(k * moving_stride());
      observed.insert(observed.end(), of_contact + std::ptrdiff_t(state), of_contact + std::ptrdiff_t(state + seen));
      std::copy_n(of_contact, state, all.values.begin() + std::ptrdiff_t(k * state));
    }
    all.values.resize(all.contacts.size() * state);
    values = std::move(all.values);
    for (const laws::Leg& leg : all.legs) legs.insert(legs.end(), {leg.z, leg.p_1, leg.p_2});
  }
  f.list("order", order);
  f.list("pairs", pairs);
  f.list(fmt::format("values/{}/{}", law_->name, state), values);
  if (law_->legs >= 0) f.list("legs", legs);
  f.list("observed", observed, Hashed::no);  // no part of the state
  if (law_->exact_legs >= 0) f("merge_error", merge_error_, Hashed::no);
  f.flag("evaluated", evaluated_, Hashed::no);
  f.flag("watched", format_.watched, Hashed::no);
  f("ordered_at", ordered_at_, Hashed::no);
  std::uint64_t builds = candidates_.builds();
  f("list_builds", builds, Hashed::no);
  if (!f.loads()) return;
  take(order, pairs, values, observed, legs);
  candidates_.forget();
  candidates_.set_builds(builds);
}

std::size_t SphereContacts::archive_bytes() const {
  std::size_t bytes = 1024 + 8 * spheres_.order.size() + size() * (16 + sizeof(double) * moving_stride());
  for (const SphereBlock& block : blocks_) bytes += block.legs.used_bytes();
  return bytes;
}

/// Takes the legs of a checkpoint, contact after contact. Each history has the number of its legs.
void SphereContacts::take_legs(const std::vector<double>& numbers, Movers& movers) const {
  movers.legs.resize(numbers.size() / 3);
  for (std::size_t k = 0; k < movers.legs.size(); ++k)
    movers.legs[k] = {numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]};
  std::size_t at = 0;
  for (Moving& m : movers.contacts) {
    m.legs = at;
    law_->for_each_stack(&movers.values[m.values * moving_stride() + format_.columns()],
                         [&](const laws::LegPool::Stack& legs) { at += legs.count; });
  }
  if (3 * at != numbers.size())
    throw std::runtime_error("the checkpoint does not fit the case: contact histories of another length");
}

/// Makes these the contacts until the next step builds its list.
void SphereContacts::take(const std::vector<std::uint64_t>& order, const std::vector<std::uint64_t>& pairs,
                          const std::vector<double>& values, const std::vector<double>& observed,
                          const std::vector<double>& legs) {
  const std::size_t n = pairs.size() / 2, state = format_.stride(), seen = moving_stride() - state;
  std::vector<std::uint32_t> places(order.begin(), order.end());
  std::vector<std::uint32_t> sorted = places, present = spheres_.order;
  std::sort(sorted.begin(), sorted.end());
  std::sort(present.begin(), present.end());
  if (sorted != present || pairs.size() % 2 != 0 || values.size() != n * state || observed.size() != n * seen)
    throw std::runtime_error("the checkpoint does not fit the case: contacts or bodies of another number");
  set_order(std::move(places));
  Movers movers;
  for (std::size_t k = 0; k < n; ++k) {
    Moving m;
    m.low = std::uint32_t(pairs[2 * k] >> 32);
    m.high = std::uint32_t(pairs[2 * k] & 0xffffffffu);
    m.image = unpacked(pairs[2 * k + 1]);
    m.sliding = std::uint16_t(pairs[2 * k + 1] >> 48);
    m.values = k;
    if (!(m.low < m.high && m.high < spheres_.size() + wall_count_))
      throw std::runtime_error("the checkpoint does not fit the case: a contact of unknown spheres");
    movers.contacts.push_back(m);
    movers.values.insert(movers.values.end(), values.begin() + std::ptrdiff_t(k * state),
                         values.begin() + std::ptrdiff_t((k + 1) * state));
    movers.values.insert(movers.values.end(), observed.begin() + std::ptrdiff_t(k * seen),
                         observed.begin() + std::ptrdiff_t((k + 1) * seen));
  }
  if (law_->legs >= 0) take_legs(legs, movers);
  set_pairs({}, {}, {}, movers);
}

}  // namespace dem
