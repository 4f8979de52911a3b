// How a rank gets its part, and how grains with their luggage become bodies with contacts and back.
#include "apps/lammps/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "libdem/contacts/spheres/candidates.hpp"
#include "libdem/drivers/catalogue.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/state/groups.hpp"

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

Image opposite(Image i) { return {std::int16_t(-i[0]), std::int16_t(-i[1]), std::int16_t(-i[2])}; }

/// The largest sum of two bounding radii (m).
double reach_of(const State& state) {
  double largest = 0, second = 0;
  for (std::size_t b = 0; b < bodies_without_walls(state); ++b) {
    const double radius = state.shape_of(b).bounding_radius();
    second = std::max(second, std::min(radius, largest));
    largest = std::max(largest, radius);
  }
  return largest + second;
}
/// As in the engines of one process.
double skin_of(const Case& given, const State& state) {
  if (given.skin > 0) return given.skin;
  const std::size_t n = bodies_without_walls(state);
  double mean = 0;
  for (std::size_t b = 0; b < n; ++b) mean += state.shape_of(b).bounding_radius() / double(n);
  return 0.1 * mean;
}

std::unique_ptr<PartEngine> engine_for(const Case& given, const Simulation& whole, int rank) {
  if (given.dimension == 3) return make_sphere_engine(given, whole.state(), whole.contact_engine());
  return make_planar_engine(given, whole.state(), whole.contact_engine(), rank);
}

State without_bodies(const State& whole) {
  State s;
  if (whole.dimension == 2) s.shapes = whole.shapes;
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

/// Gives books the sums of others, an archive. Forces on held bodies are those of the state.
void load_sums(EnergyBooks& books, const State& state, MemoryArchive from) {
  books.note_held(state);
  const auto fields = [&books](FieldVisitor& f) { books.fields(f); };
  MemoryArchive own;
  save_fields(own, "books", fields);
  for (const char* name : {"books/held_force", "books/held_torque"}) from.entries[name] = own.entries[name];
  load_fields(from, "books", fields);
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
      ranks_(world_of_ranks, whole.state(), reach_of(whole.state()) + skin_of(case_, whole.state())),
      exchange_(world_of_ranks, whole.state().dimension == 2),
      contacts_(engine_for(case_, whole, ranks_.rank()), ranks_, exchange_),
      drivers_(make_drivers(case_, whole.state())),
      motion_(case_),
      books_(state_),
      skin_(skin_of(case_, whole.state())),
      reach_(reach_of(whole.state())),
      first_wall_(bodies_without_walls(whole.state())) {
  State all = whole.state();
  for (std::size_t b = 0; b < first_wall_; ++b)
    if (const double radius = all.shape_of(b).bounding_radius(); all.bodies.freedom[b] != 0 && radius > widest_radius_)
      widest_ = b, widest_radius_ = radius;
  turns_ = !all.bodies.evaluated_rotation.empty();
  if (all.dimension == 2) shape_of_ = all.bodies.shape;
  const EnergyBooks books(all);
  held_.assign(books.held().begin(), books.held().end());
  for (const std::size_t b : held_)
    for (const auto loads : {books.loads().force, books.loads().torque})
      held_base_.push_back(loads.empty() ? Vec3{} : loads[b]);
  for (std::size_t b = first_wall_; b < all.bodies.size(); ++b) {
    walls_.push_back(grain_of(all.bodies, b));
    if (ranks_.rank() != 0) walls_.back().force = walls_.back().torque = {};  // each rank has its share of them
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
  contacts_.part->pack(
      whole.contact_engine(),
      [&](std::uint32_t low) {
        const std::uint32_t atom = low < first_wall_ ? atom_of[low] : std::uint32_t(first_wall_);
        return atom < ranks_.owned() ? &ranks_.luggage(atom) : nullptr;
      },
      [](std::uint32_t high) { return high; });
  ranks_.migrate(state_, reach_ + std::max(skin_, parting(all, first_wall_, reach_ + skin_)));
  unpack();
  load_fields(archive, "run", [this](FieldVisitor& f) { fields_of_run(f); });
  stages_.resume(world(), drivers_);
  load_drivers(find_driver<MassDamping>(drivers_));
  take_damping();
  if (ranks_.rank() == 0) load_sums(books_, state_, archive);
}

/// The same fields as those of Simulation. Health is watched where the whole state is.
void Part::fields_of_run(FieldVisitor& f) {
  stages_.fields(f, case_, state_);
  f("next_limit_measurement", health_[0], Hashed::no);
  f("next_look", health_[1], Hashed::no);
  double step = state_.dt;
  f("dt", step, Hashed::no);
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
  contacts_.part->pack([this](std::uint32_t low) { return low < own_ ? &ranks_.luggage(atom_of_[low]) : nullptr; },
                       [this](std::uint32_t high) {
                         return high < own_ + ghosts_ ? number_of_[high]
                                                      : std::uint32_t(first_wall_ + high - own_ - ghosts_);
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

/// The bodies of this rank: owned grains, and those of other ranks that contacts here may need.
void Part::choose_bodies(std::span<const geometry::CandidatePair> atoms) {
  own_ = ranks_.owned();
  std::vector<std::uint32_t> needed;  // numbers
  for (const geometry::CandidatePair& pair : atoms)
    for (const std::uint32_t atom : {pair.i, pair.j}) needed.push_back(ranks_.number(atom));
  for (std::uint32_t k = 0; k < own_; ++k)  // of contacts, which may be no candidates any more
    contacts_.part->for_each_partner(ranks_.luggage(k), [&](std::uint32_t number) { needed.push_back(number); });
  std::ranges::sort(needed);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> own, ghosts;  // number, atom
  for (std::uint32_t k = 0; k < ranks_.atoms(); ++k) (k < own_ ? own : ghosts).push_back({ranks_.number(k), k});
  std::ranges::sort(own);
  std::ranges::sort(ghosts);
  std::erase_if(ghosts, [&](const auto& ghost) {
    const auto at = std::ranges::lower_bound(own, std::pair(ghost.first, 0u));
    return (at != own.end() && at->first == ghost.first) || !std::ranges::binary_search(needed, ghost.first);
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
}

/// Mass damping gets the loads that came with the grains. In the first stage begin() has set others.
void Part::take_damping() {
  auto* damping = find_driver<MassDamping>(drivers_);
  if (!damping) return;
  std::vector<const Grain*> grains;
  for (std::size_t b = 0; b < own_; ++b) grains.push_back(&ranks_.grain(atom_of_[b]));
  load_damping(*damping, state_, grains);
}

/// Grains with their luggage become bodies and contacts, with new candidates.
void Part::unpack() {
  std::vector<geometry::CandidatePair> pairs = candidates();
  choose_bodies(pairs);
  fill_bodies();
  Bodies& bodies = state_.bodies;

  body_at_ = contacts_.part->order(state_, own_, ghosts_);
  contacts_.body_at = body_at_;
  std::vector<std::uint32_t> place_of(body_at_.size());
  for (std::size_t at = 0; at < body_at_.size(); ++at) place_of[body_at_[at]] = std::uint32_t(at);
  const auto place_of_number = [&](std::uint32_t number) { return place_of[local_of(number)]; };
  std::vector<Exchange::Copy> copies;
  for (std::size_t b = own_; b < own_ + ghosts_; ++b)
    copies.push_back({ranks_.owner(atom_of_[b]), number_of_[b], place_of[b]});
  exchange_.plan(std::move(copies), place_of_number);

  for (geometry::CandidatePair& pair : pairs) {
    for (std::uint32_t* const atom : {&pair.i, &pair.j}) *atom = place_of_number(ranks_.number(*atom));
    if (pair.i > pair.j) pair = {pair.j, pair.i, opposite(pair.image)};
  }
  std::ranges::sort(pairs, {}, [](const auto& p) { return std::tie(p.i, p.j, p.image); });
  PartEngine::Delivery delivery{body_at_, own_, std::move(pairs), {}};
  for (std::uint32_t b = 0; b < own_; ++b) delivery.luggage.push_back(&ranks_.luggage(atom_of_[b]));
  contacts_.part->take(case_, state_, std::move(delivery), [this](std::uint32_t number) { return local_of(number); });
  // Nothing moves or loads a ghost but its owner.
  const auto freedom = bodies.freedom.stored();
  std::fill_n(freedom.begin() + std::ptrdiff_t(own_), ghosts_, std::uint8_t(0));
  renew_books();
  for (const auto& driver : drivers_) driver->take_part(state_, own_);
  if (auto* damping = find_driver<MassDamping>(drivers_)) {
    auto fresh = std::make_unique<MassDamping>(state_);
    if (!finished()) fresh->begin(case_.stages[stages_.index()], stages_.index() + 1, world());
    for (auto& driver : drivers_)
      if (driver.get() == damping) driver = std::move(fresh);
    take_damping();
  }
  built_at_.assign(bodies.position[0].stored().begin(), bodies.position[0].stored().begin() + std::ptrdiff_t(own_));
  built_walls_.assign(bodies.position[0].stored().begin() + std::ptrdiff_t(own_ + ghosts_),
                      bodies.position[0].stored().end());
  built_cell_ = state_.cell;
  radius_at_.clear();
  for (std::size_t at = 0; at < own_; ++at) radius_at_.push_back(state_.shape_of(body_at_[at]).bounding_radius());
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
  const bool shared = !shape_of_.empty();  // shapes: then they are those of the case
  if (!shared) state_.shapes.clear();
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
    if (shared) {
      b.shape.push_back(shape_of_[k < own_ + ghosts_ ? number_of_[k] : first_wall_ + k - own_ - ghosts_]);
    } else {
      b.shape.push_back(std::uint32_t(k));
      state_.shapes.push_back(k < own_ + ghosts_ ? Shape::sphere(g.radius) : wall_shapes_[k - own_ - ghosts_]);
    }
    b.applied_force[k] = g.applied_force;
    b.applied_torque[k] = g.applied_torque;
    forced |= g.applied_force != Vec3{};
    twisted |= g.applied_torque != Vec3{};
    if (named) b.name.push_back(k < own_ + ghosts_ ? "" : wall_names_[k - own_ - ghosts_]);
  }
  if (!forced) b.applied_force.clear();
  if (!twisted) b.applied_torque.clear();
  b.first_copy = own_;
  b.last_copy = own_ + ghosts_;
  state_.bodies = std::move(b);
}

/// Books for other bodies with the same sums.
void Part::renew_books() {
  const std::size_t first = own_, last = own_ + ghosts_;
  Bodies& bodies = state_.bodies;
  for (std::size_t b = first; b < last; ++b) {  // at rest and in no plate: no holder drives them
    bodies.position[1][b] = bodies.rotation[1][b] = {};
    bodies.group[b] = group_free;
  }
  EnergyBooks fresh(state_);
  for (std::size_t b = first; b < last; ++b) {
    const Grain& ghost = ranks_.grain(atom_of_[b]);
    bodies.position[1][b] = ghost.position[1];
    bodies.rotation[1][b] = ghost.rotation[1];
    bodies.group[b] = std::uint16_t(ghost.group);
  }
  MemoryArchive sums;
  save_fields(sums, "books", [&](FieldVisitor& f) { (books_are_open_ ? books_ : fresh).fields(f); });
  load_sums(fresh, state_, std::move(sums));
  books_ = std::move(fresh);
  books_are_open_ = true;
  const auto without_ghosts = [&](std::span<const Vec3> loads, std::vector<Vec3>& out) {
    out.assign(loads.begin(), loads.end());
    if (!out.empty()) std::fill(out.begin() + std::ptrdiff_t(first), out.begin() + std::ptrdiff_t(last), Vec3{});
  };
  without_ghosts(books_.loads().force, base_force_);
  without_ghosts(books_.loads().torque, base_torque_);
}

}  // namespace dem
