// Spheres and clusters: the same bits for any number of threads, any skin, any instruction set, after save and load.
#include "cell_cases.hpp"
#include "libdem/contacts/spheres/contacts.hpp"
#include "libdem/laws/hertz_history.hpp"
#include "libdem/laws/hertz_mindlin.hpp"
#include "libdem/laws/hooke_history.hpp"
#include "libdem/laws/jaeger.hpp"
#include "support/resumed.hpp"

namespace {

constexpr int steps = 60;

struct Outcome {
  std::uint64_t hash, builds;
  EnergyLedger ledger;
  Tensor3 virial;
  HistoryMemory histories;
};

Outcome outcome_of(const Simulation& run) {
  return {run.hash(), run.list_builds(), run.ledger(), run.contact_engine().virial(run.state()),
          run.contact_engine().history_memory().value_or(HistoryMemory{})};
}
Outcome outcome_of(const Case& c, std::optional<geometry::Instructions> set = {}, bool* contacts_ended = nullptr,
                   bool cores_are_far = false) {
  Simulation run(c);
  auto& contacts = const_cast<SphereContacts&>(dynamic_cast<const SphereContacts&>(run.contact_engine()));
  if (set) contacts.use_kernels(*set);
  if (cores_are_far) contacts.set_far_away(0);
  for (int k = 0; k < steps; ++k) {
    const std::size_t before = run.contact_count();
    run.step();
    if (contacts_ended) *contacts_ended |= run.contact_count() < before;
  }
  return outcome_of(run);
}
void check_equal(const Outcome& a, const Outcome& b) {
  BOOST_TEST(a.hash == b.hash);
  BOOST_TEST(a.histories.legs == b.histories.legs);
  BOOST_TEST(a.histories.bytes == b.histories.bytes);  // the need of the histories, not the memory kept for them
  BOOST_TEST(a.histories.exact_legs == b.histories.exact_legs);
  BOOST_TEST(a.histories.merge_error == b.histories.merge_error);
  BOOST_TEST(std::memcmp(&a.ledger, &b.ledger, sizeof a.ledger) == 0);
  BOOST_TEST(std::memcmp(&a.virial, &b.virial, sizeof a.virial) == 0);
}

void check(Case c) {
  c.spatial_order_interval = 25;  // renewed twice on the way
  bool contacts_ended = false;
  const Outcome reference = outcome_of(c, {}, &contacts_ended);
  BOOST_TEST(reference.ledger.friction > 0);
  BOOST_TEST(contacts_ended);
  Case other = c;
  for (const int threads : {2, 8}) {
    other.threads = threads;
    BOOST_TEST_CONTEXT(threads << " threads") check_equal(outcome_of(other), reference);
    BOOST_TEST_CONTEXT(threads << " threads, far cores") check_equal(outcome_of(other, {}, nullptr, true), reference);
  }
  other = c;
  std::vector<std::uint64_t> builds;
  for (const double skin : {0.01, 0.15}) {
    other.skin = skin;
    const Outcome found = outcome_of(other);
    builds.push_back(found.builds);
    BOOST_TEST_CONTEXT("skin " << skin) check_equal(found, reference);
  }
  BOOST_TEST(builds[0] > builds[1]);  // the lists really were made at other times
  using geometry::Instructions;
  for (const Instructions set : {Instructions::generic, Instructions::avx2, Instructions::avx512}) {
    if (!is_available(set)) BOOST_TEST_MESSAGE("this processor lacks the set of instructions " << int(set));
    BOOST_TEST_CONTEXT("set of instructions " << int(set)) check_equal(outcome_of(c, set), reference);
  }
  other = c;
  other.threads = 2;
  for (const int at : {1, 25, 38}) BOOST_TEST_CONTEXT("saved at " << at) {
      const Simulation run = advanced(c, at);
      Simulation resumed = resumed_from(run, other);
      BOOST_TEST(resumed.hash() == run.hash());
      BOOST_TEST(resumed.contact_count() == run.contact_count());
      BOOST_TEST(resumed.contact_engine().stored_tangential() == run.contact_engine().stored_tangential());
      advance(resumed, std::uint64_t(steps - at));
      check_equal(outcome_of(resumed), reference);
    }
}

/// A cloud with stages of a cell.
void check_driven(Case c, const Stage& stage) {
  c.stages = {lasting(1e9, stage)};
  check(c);
}

}  // namespace

BOOST_AUTO_TEST_CASE(springs_in_a_periodic_cell) {
  Case velocity = sphere_cloud(9, 0), refined = sphere_cloud(9, 4);
  velocity.contact.elongation = Elongation::velocity;
  velocity.time.integrator = Integrator::velocity_verlet;
  refined.contact.law = "linear-refined";
  refined.time.integrator = Integrator::velocity_verlet;
  refined.material.mass_damping = 0.2;
  Case rotational = sphere_cloud(9, 4);
  rotational.material.rotational_damping = 0.05;
  for (const Case& c : {sphere_cloud(9, 0), velocity, refined, rotational})
    BOOST_TEST_CONTEXT(c.contact.law.name() << ", elongation " << int(c.contact.elongation) << ", rotational damping "
                                            << c.material.rotational_damping)
  check(c);
}

/// Histories of any length: legs move with their contacts between blocks and lists, and into the checkpoint.
BOOST_AUTO_TEST_CASE(histories_with_legs) {
  for (const auto& [law, merge, error, memory] : {std::tuple{"jaeger", 0.0, 0.0, MindlinMemory::none},
                                                  {"jaeger", 0.1, 0.0, MindlinMemory::none},
                                                  {"jaeger", 0.0, 0.02, MindlinMemory::none},
                                                  {"jaeger-checked", 0.0, 0.02, MindlinMemory::none},
                                                  {"hertz-mindlin", 0.0, 0.0, MindlinMemory::turning_points}})
    BOOST_TEST_CONTEXT(law << ", merge_slope " << merge << ", merge_error " << error) {
      Case c = hertzian(sphere_cloud(9, 4), law);
      if (c.contact.law == "hertz-mindlin")
        c.contact.law.options<laws::HertzMindlin>().memory = memory;
      else
        c.contact.law.options<laws::Jaeger>() = {.merge_slope = merge, .merge_error = error};
      for (BodySpec& body : c.assembly.bodies) body.velocity = 0.3 * body.velocity;  // contacts stick and turn back
      c.cell_size = 0.97 * c.cell_size;
      c.material.tangential_damping_ratio = 0.3;
      const Simulation run = advanced(c, steps);
      const auto found = run.contact_engine().history_memory();
      BOOST_TEST_REQUIRE(found.has_value());
      BOOST_TEST(found->contacts == run.contact_count());
      BOOST_TEST(found->mean_length() > (law == std::string("hertz-mindlin") ? 0 : merge + error == 0 ? 3 : 1.01));
      check(c);
    }
}

/// Levers of the radius, dampings by the mass, springs of each pair.
BOOST_AUTO_TEST_CASE(displacement_histories_and_their_coefficients) {
  for (const char* law : {"hooke-history", "hertz-history"}) {
    Case c = hertzian(sphere_cloud(9, 4), law);
    c.contact.lever = Lever::radius;
    c.contact.clip_tension = true;
    c.contact.transport = Transport::projection_rescaled;
    c.time.step = 4e-4;
    if (c.contact.law == "hooke-history")
      c.material.characteristic_speed = 0.3;
    else
      c.material.restitution.reset(), c.material.normal_damping_rate = 20;
    BOOST_TEST_CONTEXT(law) check(c);
  }
  using enum HertzVariant;
  for (const auto& [law, limit, variant] : {std::tuple{"hooke-history", FrictionLimit::total, displacement},
                                            {"hooke-history", FrictionLimit::spring, displacement},
                                            {"hertz-history", FrictionLimit::total, displacement},
                                            {"hertz-history", FrictionLimit::spring, rescaled}})
    BOOST_TEST_CONTEXT(law << ", limit " << int(limit)) {
      Case c = sphere_cloud(9, 4);
      c.contact.law = law;
      if (c.contact.law == "hertz-history") {
        c = hertzian(c, law);
        c.contact.law.options<laws::HertzHistory>() = {TangentialHistory::whole, limit, variant};
      } else {
        c.contact.law.options<laws::HookeHistory>().friction_limit = limit;
      }
      c.time.step = 4e-4;  // the tangential dashpots are stronger than those of law linear
      check(c);
    }
  Case c = sphere_cloud(9, 0);
  c.contact.law = "hooke-history";
  *c.contact.law.history() = TangentialHistory::pseudo;
  check(c);
}

BOOST_AUTO_TEST_CASE(driven_cells_and_every_column_of_a_contact) {
  Case leaning = sphere_cloud(9, 0), slow = sphere_cloud(9, 0);
  leaning.cell_tilt = {1.2, -0.7, 2.5};
  leaning.contact.transport = Transport::projection;
  check_driven(leaning, cell_stage(at_rate(-0.05), {}, at_rate(0.2)));
  // Slowly, so that the work on the moving images is not lost beside that of the kicks. Its sum may not depend on the
  // division of pairs.
  for (BodySpec& body : slow.assembly.bodies) body.velocity = 0.1 * body.velocity;
  check_driven(slow, cell_stage(at_rate(-1e-2), {}));
  // Two materials, dashpots by mass and by turn, ledger, transport `none`: all columns move when contacts of a tile
  // come and go.
  Case c = sphere_cloud(9, 4);
  c.material.restitution = 0.6;
  c.material.tangential_damping_ratio = 0.3;
  c.materials = {{"soft", 3, 500, 300, 0.2}};
  for (std::size_t b = 0; b < c.assembly.bodies.size(); b += 3) c.assembly.bodies[b].material = "soft";
  c.contact.transport = Transport::none;
  c.material.rotational_damping = 0.005;
  check(c);
}

/// Walls of rectangles and a moving plane: spheres and clusters in corners and at edges.
BOOST_AUTO_TEST_CASE(spheres_between_walls) {
  for (const char* law : {"linear", "jaeger"}) {
    Case c = law == std::string("jaeger") ? hertzian(sphere_cloud(6, 4), law) : sphere_cloud(6, 4);
    c.periodic = {false, false, false};
    const double side = c.cell_size.x;
    c.cell_size = {};
    const auto add = [&](const char* name, Vec3 corner, Vec3 a, Vec3 b) {
      c.assembly.walls.push_back(rectangle_wall(name, corner, a, b));
    };
    const double low = -0.4, half = 0.5 * side;
    for (const double x : {low, low + half})
      for (const double y : {low, low + half}) add("room", {x, y, low}, {half, 0, 0}, {0, half, 0});
    add("room", {low, low, low}, {side, 0, 0}, {0, 0, side});
    add("room", {low, low, low}, {0, side, 0}, {0, 0, side});
    add("step", {0.46, low, low}, {0, side, 0}, {0, 0, 0.2});
    add("step", {0.46, low, -0.2}, {0.05, 0, 0}, {0, side, 0});
    WallSpec& lid = c.assembly.walls.emplace_back(plane_wall("lid", {0, 0, side - 0.45}, {0.05, 0, -1}));
    lid.velocity = {0.3, 0.1, -0.5};
    c.assembly.largest_start_overlap = 1;
    c.time.override_limit = true;
    check(c);
  }
}
