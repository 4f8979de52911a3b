#include "apps/lammps/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "libdem/drivers/catalogue.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/state/groups.hpp"
#include "libdem/state/spatial_order.hpp"

namespace dem {
namespace {

/// All vectors that a grain keeps, in Bodies and in Grain.
template <class F>
void for_each_vector(Bodies& b, Grain& g, F&& f) {
  for (std::size_t k = 0; k < std::size_t(gear_terms); ++k) {
    f(b.position[k], g.position[k]);
    f(b.rotation[k], g.rotation[k]);
  }
  f(b.evaluated_position, g.evaluated_position);
  f(b.evaluated_rotation, g.evaluated_rotation);
  f(b.evaluated_position_before, g.evaluated_position_before);
  f(b.evaluated_rotation_before, g.evaluated_rotation_before);
  f(b.force, g.force);
  f(b.torque, g.torque);
}

Grain grain_of(Bodies& bodies, std::size_t b) {
  Grain g;
  for_each_vector(bodies, g, [b](ByBody<Vec3>& all, Vec3& own) {
    if (!all.empty()) own = all[b];
  });
  g.mass = bodies.mass[b];
  g.moment = bodies.moment[b];
  g.material = bodies.material[b];
  g.group = bodies.group[b];
  g.freedom = bodies.freedom[b];
  g.applied_force = bodies.applied_force_on(b);
  g.applied_torque = bodies.applied_torque_on(b);
  return g;
}

const SphereContacts& spheres_of(const Simulation& run) {
  return dynamic_cast<const SphereContacts&>(run.contact_engine());
}
double skin_of(const Simulation& run) { return spheres_of(run).candidates().skin(); }
double reach_of(const Simulation& run) { return spheres_of(run).candidates().longest_reach(); }

State without_bodies(const State& whole) {
  State s;
  s.groups = whole.groups;
  s.cell = whole.cell;
  s.cell_rate = whole.cell_rate;
  s.evaluated_cell = whole.evaluated_cell;
  s.evaluated_cell_before = whole.evaluated_cell_before;
  s.dimension = whole.dimension;
  s.cell_origin = whole.cell_origin;
  s.gravity = whole.gravity;
  s.dt = whole.dt;
  s.step = whole.step;
  s.time = whole.time;
  return s;
}

Case on_one_thread(Case c) {
  c.threads = 1;
  return c;
}

/// Numbers before the values of a contact in a luggage.
constexpr std::size_t luggage_head = 6;

void append(Luggage& to, std::uint32_t partner, const SphereContacts::Moving& m, std::span<const double> values,
            std::span<const laws::Leg> legs) {
  to.insert(to.end(), {double(partner), double(m.image[0]), double(m.image[1]), double(m.image[2]), double(m.sliding),
                       double(legs.size())});
  to.insert(to.end(), values.begin(), values.end());
  for (const laws::Leg& leg : legs) to.insert(to.end(), {leg.z, leg.p_1, leg.p_2});
}

/// Mass damping remembers its loads on each body. They go with the grains.
void load_damping(MassDamping& damping, State& state, std::span<const Grain* const> by_body) {
  MemoryArchive archive;
  const auto fields = [&](FieldVisitor& f) { damping.fields(f, state); };
  save_fields(archive, "damping", fields);
  for (std::size_t b = 0; b < by_body.size(); ++b) {
    if (!by_body[b]) continue;
    std::copy_n(&by_body[b]->damping_force.x, 3, archive.numbers("damping/force").begin() + std::ptrdiff_t(3 * b));
    std::copy_n(&by_body[b]->damping_torque.x, 3, archive.numbers("damping/torque").begin() + std::ptrdiff_t(3 * b));
  }
  load_fields(archive, "damping", fields);
}
/// Two vectors of each body: force and torque.
std::array<std::vector<double>, 2> damping_of(MassDamping& damping, State& state) {
  MemoryArchive archive;
  save_fields(archive, "damping", [&](FieldVisitor& f) { damping.fields(f, state); });
  return {archive.doubles("damping/force"), archive.doubles("damping/torque")};
}
void set_damping(Grain& grain, const std::array<std::vector<double>, 2>& all, std::size_t b) {
  grain.damping_force = {all[0][3 * b], all[0][3 * b + 1], all[0][3 * b + 2]};
  grain.damping_torque = {all[1][3 * b], all[1][3 * b + 1], all[1][3 * b + 2]};
}

}  // namespace

Part::Part(MPI_Comm world_of_ranks, const Simulation& whole)
    : case_(on_one_thread(whole.given())),
      state_(without_bodies(whole.state())),
      ranks_(world_of_ranks, whole.state(), reach_of(whole) + skin_of(whole)),
      contacts_(case_, whole.state(), ranks_),
      drivers_(make_drivers(case_, whole.state())),
      motion_(case_),
      books_(state_),
      skin_(skin_of(whole)),
      reach_(reach_of(whole)),
      first_wall_(bodies_without_walls(whole.state())) {
  State all = whole.state();
  turns_ = !all.bodies.evaluated_rotation.empty();
  for (std::size_t b = first_wall_; b < all.bodies.size(); ++b) {
    walls_.push_back(grain_of(all.bodies, b));
    wall_shapes_.push_back(all.shape_of(b));
    wall_names_.push_back(all.bodies.name.empty() ? "" : all.bodies.name[b]);
  }
  MemoryArchive archive;
  whole.save(archive);
  const auto load_drivers = [&](const Driver* but) {
    for (const auto& driver : drivers_)
      if (driver.get() != but)
        load_fields(archive, driver->name(), [&](FieldVisitor& f) { driver->fields(f, state_); });
  };
  load_drivers(nullptr);
  std::vector<std::uint32_t> atom_of(first_wall_, std::uint32_t(first_wall_));
  for (std::uint32_t k = 0; k < ranks_.owned(); ++k) atom_of[ranks_.number(k)] = k;
  if (auto* damping = find_driver<MassDamping>(drivers_)) {
    const auto loads = damping_of(*damping, all);
    for (std::uint32_t k = 0; k < ranks_.owned(); ++k) set_damping(ranks_.grain(k), loads, ranks_.number(k));
  }
  const SphereContacts::Movers movers = spheres_of(whole).carried();
  pack(
      movers, [&](std::uint32_t low) { return atom_of[low]; }, [](std::uint32_t high) { return high; });
  ranks_.migrate(state_, reach_ + skin_);
  unpack();
  load_fields(archive, "run", [this](FieldVisitor& f) { fields_of_run(f); });
  stages_.resume(world(), drivers_);
  load_drivers(find_driver<MassDamping>(drivers_));
  if (ranks_.rank() == 0) load_fields(archive, "books", [this](FieldVisitor& f) { books_.fields(f); });
}

/// The same fields as those of Simulation. Health is watched where the whole state is.
void Part::fields_of_run(FieldVisitor& f) {
  stages_.fields(f, case_, state_);
  f("next_limit_measurement", health_[0], Hashed::no);
  f("next_look", health_[1], Hashed::no);
  double step = state_.dt;
  f("dt", step, Hashed::no);
}

/// Gives contacts to the grains that own them. `atom_of` of the lower body: none where it is not owned here.
template <class Atom, class Number>
void Part::pack(const SphereContacts::Movers& movers, Atom&& atom_of, Number&& number_of) {
  watched_ = movers.watched;
  const SphereContacts& engine = contacts_.inner;
  const std::size_t stride = engine.values_of_carried(watched_);
  for (const SphereContacts::Moving& m : movers.contacts) {
    const std::uint32_t atom = atom_of(m.low);
    if (atom >= ranks_.owned()) continue;
    const std::span values(movers.values.data() + m.values * stride, stride);
    append(ranks_.luggage(atom), number_of(m.high), m, values,
           std::span(movers.legs).subspan(m.legs, engine.legs_of_carried(values.data())));
  }
}

/// Bodies and contacts become grains with their luggage.
void Part::stow() {
  auto* damping = find_driver<MassDamping>(drivers_);
  const auto loads = damping ? damping_of(*damping, state_) : std::array<std::vector<double>, 2>{};
  Bodies& bodies = state_.bodies;
  for (std::size_t b = 0; b < own_; ++b) {
    Grain& grain = ranks_.grain(atom_of_[b]);
    for_each_vector(bodies, grain, [b](ByBody<Vec3>& all, Vec3& own) {
      if (!all.empty()) own = all[b];
    });
    if (damping) set_damping(grain, loads, b);
    ranks_.luggage(atom_of_[b]).clear();
  }
  for (std::size_t w = 0; w < walls_.size(); ++w)
    for_each_vector(bodies, walls_[w], [b = own_ + ghosts_ + w](ByBody<Vec3>& all, Vec3& own) {
      if (!all.empty()) own = all[b];
    });
  pack(
      contacts_.inner.carried(), [this](std::uint32_t low) { return atom_of_[low]; },
      [this](std::uint32_t high) {
        return high < own_ + ghosts_ ? number_of_[high] : std::uint32_t(first_wall_ + high - own_ - ghosts_);
      });
}

std::uint32_t Part::local_of(std::uint32_t number) const {
  if (number >= first_wall_) return std::uint32_t(own_ + ghosts_ + number - first_wall_);
  const auto own_end = number_of_.begin() + std::ptrdiff_t(own_);
  for (const auto& [first, last] : {std::pair(number_of_.begin(), own_end), std::pair(own_end, number_of_.end())})
    if (const auto at = std::lower_bound(first, last, number); at != last && *at == number)
      return std::uint32_t(at - number_of_.begin());
  throw std::logic_error(fmt::format("body {} is in contact but not near", number));
}

/// Grains with their luggage become bodies and contacts, with new candidates.
void Part::unpack() {
  own_ = ranks_.owned();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> own, ghosts;  // number, atom
  for (std::uint32_t k = 0; k < ranks_.atoms(); ++k) (k < own_ ? own : ghosts).push_back({ranks_.number(k), k});
  std::ranges::sort(own);
  std::ranges::sort(ghosts);
  std::erase_if(ghosts, [&](const auto& ghost) {
    const auto at = std::ranges::lower_bound(own, std::pair(ghost.first, 0u));
    return at != own.end() && at->first == ghost.first;
  });
  const auto repeated = std::ranges::unique(ghosts, {}, [](const auto& ghost) { return ghost.first; });
  ghosts.erase(repeated.begin(), repeated.end());
  ghosts_ = ghosts.size();
  number_of_.clear();
  atom_of_.clear();
  for (const auto* list : {&own, &ghosts})
    for (const auto& [number, atom] : *list) {
      number_of_.push_back(number);
      atom_of_.push_back(atom);
    }
  fill_bodies();
  Bodies& bodies = state_.bodies;

  std::vector<std::uint32_t> order;
  const std::vector<Vec3> positions = bodies.position[0].by_number();
  for (const std::uint32_t b : spatial_order(std::span(positions).first(own_), state_.cell)) order.push_back(b);
  for (const std::uint32_t b : spatial_order(std::span(positions).subspan(own_, ghosts_), state_.cell))
    order.push_back(std::uint32_t(own_ + b));
  std::vector<std::uint32_t> place_of(order.size());
  for (std::size_t at = 0; at < order.size(); ++at) place_of[order[at]] = std::uint32_t(at);
  place_of_atom_.resize(ranks_.atoms());
  carries_.assign(ranks_.atoms(), 0);
  for (std::uint32_t k = 0; k < ranks_.atoms(); ++k) place_of_atom_[k] = place_of[local_of(ranks_.number(k))];
  for (std::size_t b = own_; b < own_ + ghosts_; ++b) carries_[atom_of_[b]] = 1;

  SphereContacts::Movers movers;
  movers.watched = watched_;
  const std::size_t stride = contacts_.inner.values_of_carried(watched_);
  for (std::uint32_t b = 0; b < own_; ++b) {
    Luggage& luggage = ranks_.luggage(atom_of_[b]);
    for (const double* at = luggage.data(); at < luggage.data() + luggage.size();) {
      SphereContacts::Moving m;
      m.low = b;
      m.high = local_of(std::uint32_t(at[0]));
      m.image = {std::int16_t(at[1]), std::int16_t(at[2]), std::int16_t(at[3])};
      m.sliding = std::uint16_t(at[4]);
      m.values = movers.contacts.size();
      m.legs = movers.legs.size();
      const auto legs = std::size_t(at[5]);
      at += luggage_head;
      movers.values.insert(movers.values.end(), at, at + stride);
      at += stride;
      for (std::size_t k = 0; k < legs; ++k, at += 3) movers.legs.push_back({at[0], at[1], at[2]});
      movers.contacts.push_back(m);
    }
    luggage.clear();
  }
  contacts_.inner.take_part(case_, state_, std::move(order), own_, candidates(), std::move(movers));
  // Nothing moves or loads a ghost but its owner.
  const auto freedom = bodies.freedom.stored();
  std::fill_n(freedom.begin() + std::ptrdiff_t(own_), ghosts_, std::uint8_t(0));
  renew_books();
  if (auto* damping = find_driver<MassDamping>(drivers_)) {
    auto fresh = std::make_unique<MassDamping>(state_);
    std::vector<const Grain*> grains;
    for (std::size_t b = 0; b < own_; ++b) grains.push_back(&ranks_.grain(atom_of_[b]));
    load_damping(*fresh, state_, grains);
    if (!finished()) fresh->begin(case_.stages[stage()], stage() + 1, world());
    for (auto& driver : drivers_)
      if (driver.get() == damping) driver = std::move(fresh);
  }
  built_at_.assign(bodies.position[0].stored().begin(), bodies.position[0].stored().begin() + std::ptrdiff_t(own_));
  built_cell_ = state_.cell;
}

/// Bodies in the order of their local numbers.
void Part::fill_bodies() {
  const std::size_t n = own_ + ghosts_ + walls_.size();
  Bodies b;
  Grain any;
  for_each_vector(b, any, [n](ByBody<Vec3>& all, Vec3&) { all.resize(n); });
  if (!turns_)
    for (auto* turns : {&b.evaluated_rotation, &b.evaluated_rotation_before}) turns->clear();
  b.mass.resize(n);
  b.moment.resize(n);
  b.freedom.resize(n);
  state_.shapes.clear();
  bool named = false, forced = false, twisted = false;
  for (const std::string& name : wall_names_) named |= !name.empty();
  b.applied_force.resize(n);
  b.applied_torque.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    Grain& g = k < own_ + ghosts_ ? ranks_.grain(atom_of_[k]) : walls_[k - own_ - ghosts_];
    for_each_vector(b, g, [k](ByBody<Vec3>& all, Vec3& own) {
      if (!all.empty()) all[k] = own;
    });
    b.mass[k] = g.mass;
    b.moment[k] = g.moment;
    b.freedom[k] = std::uint8_t(g.freedom);
    b.material.push_back(std::uint16_t(g.material));
    b.group.push_back(std::uint16_t(g.group));
    b.shape.push_back(std::uint32_t(k));
    state_.shapes.push_back(k < own_ + ghosts_ ? Shape::sphere(g.radius) : wall_shapes_[k - own_ - ghosts_]);
    b.applied_force[k] = g.applied_force;
    b.applied_torque[k] = g.applied_torque;
    forced |= g.applied_force != Vec3{};
    twisted |= g.applied_torque != Vec3{};
    if (named) b.name.push_back(k < own_ + ghosts_ ? "" : wall_names_[k - own_ - ghosts_]);
  }
  if (!forced) b.applied_force.clear();
  if (!twisted) b.applied_torque.clear();
  state_.bodies = std::move(b);
}

/// Books for other bodies with the same sums.
void Part::renew_books() {
  const std::size_t first = own_, last = own_ + ghosts_;
  Bodies& bodies = state_.bodies;
  for (std::size_t b = first; b < last; ++b)  // at rest, no holder drives them
    bodies.position[1][b] = bodies.rotation[1][b] = {};
  EnergyBooks fresh(state_);
  if (books_are_open_) {
    MemoryArchive archive;
    save_fields(archive, "books", [this](FieldVisitor& f) { books_.fields(f); });
    load_fields(archive, "books", [&fresh](FieldVisitor& f) { fresh.fields(f); });
  }
  books_ = std::move(fresh);
  books_are_open_ = true;
  const auto without_ghosts = [&](std::span<const Vec3> loads, std::vector<Vec3>& out) {
    out.assign(loads.begin(), loads.end());
    if (!out.empty()) std::fill(out.begin() + std::ptrdiff_t(first), out.begin() + std::ptrdiff_t(last), Vec3{});
  };
  without_ghosts(books_.loads().force, base_force_);
  without_ghosts(books_.loads().torque, base_torque_);
}

Watch Part::needs() {
  if (stages_.may_end(world(), drivers_))
    return stages_.index() + 1 == case_.stages.size() ? Watch::energies : Watch::forces;
  Watch most = Watch::motion;
  for (const auto& driver : drivers_) most = std::max(most, driver->needs());
  return most;
}

void Part::step(bool watched) {
  contacts_.make_room();
  contacts_.watch(watched ? Watch::energies : needs());
  for (const auto& driver : drivers_) books_.book_boundary(driver->drive(world()));
  motion_.predict(state_);
  ++state_.step;
  state_.time += state_.dt;
  find_contacts();
  ContactWork work = contacts_.evaluate(state_, {base_force_, base_torque_});
  if (ranks_.ranks() > 1) ranks_.add_loads(state_.bodies, place_of_atom_, carries_);
  went_through_ = contacts_.went_through().has_value();
  for (const auto& driver : drivers_) work += driver->apply(world());
  motion_.correct(state_);
  books_.book(work, state_, false, 1);
  for (const auto& driver : drivers_) driver->measure(world(), false);
  if (stages_.near_end(state_.time) && stages_.advance(world(), drivers_))
    books_.book_dropped(stages_.begin(world(), drivers_));
}

}  // namespace dem
