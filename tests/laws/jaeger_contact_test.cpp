// One Jäger contact (jaeger-contact reference): tables U1 to U7 of §16, their closed forms, degenerate inputs.
#include "libdem/laws/jaeger_contact.hpp"

#include "tests/jaeger_tables.hpp"
#include "tests/laws/jaeger_paths.hpp"

using namespace dem::laws;
using namespace dem::laws::jaeger_paths;
using Contact = JaegerContact<LegPool>;
using Vector = Contact::Vector;

BOOST_AUTO_TEST_CASE(tables_of_jaeger_contacts) {
  for (const auto& table : jaeger_tables::tables) {
    JaegerCoefficients c =
        of_material(table.shear_modulus, table.poisson_ratio, table.friction, table.radius_p, table.radius_q);
    c.merge_slope = table.merge_slope;
    Single<> s{c};
    double largest = 0, largest_stored = 0;
    for (const auto& row : table.rows)
      largest = std::max(largest, row.normal), largest_stored = std::max(largest_stored, row.stored);
    for (const auto& row : table.rows) BOOST_TEST_CONTEXT(table.name << ", row " << &row - table.rows.data() + 1) {
        const double force = 3e-15 * c.friction * largest, energy = 1e-11 * row.stored + 1e-15 * largest_stored;
        BOOST_TEST((s.step(row.z, row.shift_1, row.shift_2) == row.regime));
        BOOST_TEST(s.h.normal_force == row.normal, tolerance(4e-16));
        BOOST_TEST(std::abs(s.h.force_1 - row.force_1) <= force);
        BOOST_TEST(std::abs(s.h.force_2 - row.force_2) <= force);
        // Where a loop closes exactly a leg of round-off length may remain.
        const bool closes = (table.name == "U1" && (row.legs == 2 || row.legs == 3)) || table.name == "U7 symmetric";
        BOOST_TEST(std::abs(int(s.h.legs()) - row.legs) <= (closes ? 1 : 0));
        BOOST_TEST(std::abs(s.h.stored - row.stored) <= energy);
        BOOST_TEST(std::abs(s.contact().stored_of_legs() - row.stored) <= energy);
        BOOST_TEST((Vector{s.h.held_1, s.h.held_2} - Contact::elongation(s.h, s.pool, c.ratio)).size() <= 1e-17);
      }
  }
}

/// U3: the history after each of the nine steps, ζ in mm and p.
BOOST_AUTO_TEST_CASE(histories_of_the_nine_steps) {
  const double seven_thirds = 7.0 / 3, end = 41.0 / 9;
  const std::vector<std::vector<std::pair<double, double>>> after = {
      {{0, 0}, {1, 0.2}},
      {{0, 0}, {1, 0.2}, {2, -0.3}},
      {{0, 0}, {1, 0.2}, {2, -0.3}, {3, -0.1}},
      {{0, 0}, {1, 0.2}, {2, -0.3}, {seven_thirds, -0.1}, {3.4, 0.5}},
      {{0, 0}, {1, 0.2}, {1.5, -0.3}, {3.2, 0.5}},
      {{0, 0}, {1, 0.2}, {1.5, -0.3}, {3.2, 0.5}, {4.2, 0.1}},
      {{0, 0}, {1, 0.2}, {1.5, -0.3}, {3.2, 0.5}, {4.2, 0.1}, {5, 0.4}},
      {{0, 0}, {1, 0.2}, {1.5, -0.3}, {3.2, 0.5}, {4.2, 0.1}, {end, 0.4}, {5.2, -0.5}},
      {{0, 0}, {1, 0.2}, {1.5, -0.3}, {3.2, 0.5}, {4.2, 0.1}, {end, 0.4}, {4.95, -0.5}, {5.1, 0.5}}};
  const auto& table = jaeger_tables::tables[2];
  BOOST_REQUIRE(table.name == "U3");
  Single<> s{of_material(1, 0.5, 0.5)};
  for (std::size_t k = 0; k < after.size(); ++k) {
    s.step(table.rows[k].z, table.rows[k].shift_1);
    const auto legs = s.legs();
    BOOST_TEST_REQUIRE(legs.size() == after[k].size());
    for (std::size_t l = 0; l < legs.size(); ++l) {
      BOOST_TEST(1000 * legs[l].z == after[k][l].first, tolerance(1e-14));
      BOOST_TEST(legs[l].p.x == after[k][l].second, tolerance(1e-14));
    }
  }
}

/// M–D closed forms at constant normal force (U1): loading, unloading from s*, reloading.
BOOST_AUTO_TEST_CASE(cycle_at_constant_normal_force) {
  const JaegerCoefficients c = of_material(1, 0.3, 0.5);
  Single<> s{c};
  const double z = 0.01, x0 = c.ratio * c.friction * z, turn = 0.85;
  s.step(z, 0);
  const double limit = c.friction * s.h.normal_force;
  const auto g = [](double x) { return 1 - std::cbrt((1 - x) * (1 - x)); };
  double at = 0, work = 0;
  const auto go_to = [&](double share, double xi) {  // in small steps, so that the work is exact
    in_parts(s, {z, xi - at, 0}, 20000, &work);
    at = xi;
    BOOST_TEST(std::abs(s.h.force_1 - share * limit) <= 1e-11 * limit);
  };
  for (const double share : {0.3, 0.6, turn}) go_to(share, x0 * g(share));
  const double lost_to_turn = work - s.h.stored;
  for (const double share : {0.4, 0.0, -0.5, -turn}) go_to(share, x0 * (g(turn) - 2 * g((turn - share) / 2)));
  for (const double share : {-0.2, 0.3, turn}) go_to(share, x0 * (2 * g((share + turn) / 2) - g(turn)));
  // Lost in first loading, and in the closed cycle (reference, U1), and the closed form of §11.
  BOOST_TEST(lost_to_turn == 1.3697112112761326e-06, tolerance(1e-7));
  BOOST_TEST(work - s.h.stored - lost_to_turn == 5.478844845104513e-06, tolerance(1e-7));
  const double normal = s.h.normal_force, a = std::sqrt(c.radius * z);
  const double closed = 9 * 1.7 * 0.25 * normal * normal / (5 * a * 1) *
                        (1 - std::pow(1 - turn, 5.0 / 3) - 5 * turn / 6 * (1 + std::pow(1 - turn, 2.0 / 3)));
  BOOST_TEST(closed == 5.478844845104513e-06, tolerance(1e-12));
}

/// U5, step 2: whole, in parts by radial return, and by the closed form that they tend to (§8.6).
BOOST_AUTO_TEST_CASE(sliding_that_turns) {
  const auto direction = [](int parts, bool pursuit) {
    Single<> s{of_material(1, 0.25, 0.5)};
    s.c.pursuit = pursuit;
    s.step(0.01, 0.02);
    for (int k = 0; k < parts; ++k) s.step(0.01, 0, 0.004 / parts);
    return Vector{s.h.force_1 / (0.5 * s.h.normal_force), s.h.force_2 / (0.5 * s.h.normal_force)};
  };
  const std::pair<int, double> printed[] = {
      {1, 0.824729}, {10, 0.806948}, {100, 0.803918}, {1000, 0.803597}, {10000, 0.803565}};
  for (const auto& [parts, x] : printed) BOOST_TEST(std::abs(direction(parts, false).x - x) <= 5.1e-7);
  for (const int parts : {1, 3, 100}) {
    const Vector e = direction(parts, true);
    BOOST_TEST(e.x == 0.8035615082587669, tolerance(1e-13));
    BOOST_TEST(e.y == 0.5952217254476652, tolerance(1e-13));
  }
}

/// The closed form is the limit also where sliding begins within the step and the overlap grows or falls.
BOOST_AUTO_TEST_CASE(sliding_that_turns_begins_within_the_step) {
  for (const double end : {0.0104, 0.01, 0.0093, 0.004}) {
    const auto run = [&](int parts, bool pursuit) {
      Single<> s{of_material(1, 0.25, 0.5)};
      s.c.pursuit = pursuit;
      s.step(0.01, 0.0003);
      s.step(0.0101, 0.003, 0.0007);
      for (int k = 1; k <= parts; ++k) s.step(0.0101 + (end - 0.0101) * k / parts, -0.003 / parts, 0.011 / parts);
      BOOST_TEST((s.step(end, 0) == StepRegime::unchanged));
      return Vector{s.h.force_1, s.h.force_2};
    };
    const Vector whole = run(1, true), parts = run(20000, false);
    BOOST_TEST((whole - parts).size() <= 1e-4 * whole.size());
    BOOST_TEST((run(7, true) - whole).size() <= 1e-12 * whole.size());
    BOOST_TEST((run(1, false) - parts).size() > 1e-2 * whole.size());  // the form is worth something here
  }
}

BOOST_AUTO_TEST_CASE(degenerate_steps_of_jaeger) {
  Single<> s{of_material(1, 0.3, 0.5)};
  BOOST_TEST((s.step(-0.1, 0.2) == StepRegime::separated));
  BOOST_TEST((s.step(jaeger_paths::nan, 0) == StepRegime::separated));
  BOOST_TEST((s.step(0.001, 1e9) == StepRegime::slide));  // first contact, beyond the limit
  BOOST_TEST(s.h.force_1 == 0.5 * s.h.normal_force, tolerance(1e-15));
  BOOST_TEST((s.step(1e-300, 0) == StepRegime::slide));  // F* underflows
  BOOST_TEST(std::isfinite(s.h.force_1));
  BOOST_TEST((s.step(2e-300, 1e-3) == StepRegime::slide));  // Δξ/Δζ would overflow
  BOOST_TEST(std::isfinite(s.h.force_1));
  BOOST_TEST((s.step(0, 0) == StepRegime::separated && s.h.legs() == 0 && s.pool.used_bytes() == 0));

  // The limit itself: |Δξ| = κ f Δζ slips or sticks with the same force.
  Single<> at_limit{of_material(1, 0.5, 0.5)}, below = at_limit;
  at_limit.step(0.01, 0);
  at_limit.step(0.02, 0.0075);
  below.step(0.01, 0);
  below.step(0.02, 0.0075 * (1 - 1e-15));
  BOOST_TEST(std::abs(at_limit.h.force_1 - below.h.force_1) <= 1e-14 * at_limit.h.force_1);
}
