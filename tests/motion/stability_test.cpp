// Stability limits of the schemes, and integrators near them. tests/python/integrators_test.py has the numbers of the
// polygon-dem reference, §2 ("Stability").
#include "libdem/motion/limit/stability.hpp"

#include "libdem/contacts/contact_frame.hpp"
#include "motion/steps.hpp"
#include "prelude.hpp"

namespace {

constexpr Scheme gear_position{Integrator::gear5, GearCoefficients::position_only};

// Largest amplitude in the last tenth of a run over that in the tenth before, of an oscillator (ω = 1). A share of its
// spring acts on the sum of v Δt. The amplitude is that of the force, because the place may rest anywhere.
double growth_in_run(Scheme scheme, double zeta, double dt, double share = 0) {
  Bodies b = make_bodies(1, 0.5);
  b.position[0][0] = {1, 0, 0};
  double elongation = 1, start = 0;
  const ForceEvaluation at_start = [&](Bodies& all) { oscillator_forces(all, dt, 2 * zeta); };
  const ForceEvaluation forces = [&](Bodies& all) {
    at_start(all);
    const double x = all.position[0][0].x;
    elongation += scheme.elongation ? of_source(*scheme.elongation, all.position[1][0].x, start) : 0;
    all.force[0].x += all.mass[0] * share * (x - elongation);
  };
  at_start(b);
  gear_start_plain(b, dt);
  const int steps = 20000, part = steps / 10;
  double last = 0, before = 0;
  for (int s = 0; s < steps; ++s) {
    start = b.position[1][0].x;
    advance(b, scheme, dt, forces);
    const double x = (1 - share) * b.position[0][0].x + share * elongation, v = b.position[1][0].x / dt,
                 amplitude = std::sqrt(x * x + v * v);
    if (!(amplitude < 1e100)) return 1e9;
    if (s >= steps - part)
      last = std::max(last, amplitude);
    else if (s >= steps - 2 * part)
      before = std::max(before, amplitude);
  }
  return before > 1e-12 ? last / before : 0;  // below is round-off
}

}  // namespace

// stability_limit bisects: right only if the growth exceeds the tolerance from one ωΔt on.
BOOST_AUTO_TEST_CASE(growth_crosses_the_tolerance_once) {
  const auto check = [](Scheme scheme, double zeta, double share = 0) {
    const double limit = stability_limit(scheme, zeta, share);
    for (int k = 1; k <= 60; ++k) {
      const double below = limit * k / 61, above = limit + (4 - limit) * k / 60;
      BOOST_TEST(spectral_radius(scheme, zeta, below, share) - 1 <= tolerated_growth,
                 "zeta " << zeta << " share " << share << " wdt " << below);
      BOOST_TEST(spectral_radius(scheme, zeta, above, share) - 1 > tolerated_growth,
                 "zeta " << zeta << " share " << share << " wdt " << above);
    }
  };
  for (Scheme scheme : {gear, gear_position, verlet})
    for (double zeta : {0.0, 1e-5, 1e-4, 0.001, 0.004, 0.01, 0.03, 0.1, 0.3, 0.7, 1.0, 3.0, 30.0}) {
      check(scheme, zeta);
      for (const VelocitySource source : all_sources)
        for (const double share : {0.01, 0.1, 0.5, 1.0}) check(by_velocity(scheme, source), zeta, share);
    }
}

BOOST_AUTO_TEST_CASE(integrators_blow_up_where_the_map_says) {
  for (Scheme scheme : {gear, gear_position, verlet})
    for (double zeta : {0.004, 0.05, 0.3}) {
      const double limit = stability_limit(scheme, zeta);
      BOOST_TEST(growth_in_run(scheme, zeta, 0.98 * limit) < 1.0);
      BOOST_TEST(growth_in_run(scheme, zeta, 1.02 * limit) > 1.5);
      for (const VelocitySource source : all_sources)
        for (const double share : {0.3, 1.0}) {
          const Scheme s = by_velocity(scheme, source);
          const double by_sum = stability_limit(s, zeta, share);
          BOOST_TEST(growth_in_run(s, zeta, 0.98 * by_sum, share) < 1.0, "share " << share << " zeta " << zeta);
          const double above = source == VelocitySource::corrected ? 1.3 : 1.02;  // slow growth
          BOOST_TEST(growth_in_run(s, zeta, above * by_sum, share) > 1.05, "share " << share << " zeta " << zeta);
        }
    }
}

BOOST_AUTO_TEST_CASE(limits_of_elongations_by_velocity) {
  using enum VelocitySource;
  // (f. l.) ζ = 0 and 0.05, of the table in stability.hpp. Verlet with a dashpot k Δt/2: ωΔt = √2.
  for (const auto& [source, undamped, verlet_undamped, damped, verlet_damped] :
       {std::tuple{predicted, 0.572, std::sqrt(2), 0.480, 1.318},
        {trapezoid, 0.154, 2.0, 0.655, 1.81},
        {corrected, 0.002, 0.002, 0.200, 0.204}}) {
    const Scheme of_gear = by_velocity(gear, source), of_verlet = by_velocity(verlet, source);
    BOOST_TEST(std::abs(stability_limit(of_gear, 0, 1) - undamped) < 6e-4);
    BOOST_TEST(std::abs(stability_limit(of_verlet, 0, 1) - verlet_undamped) < 6e-4);
    BOOST_TEST(std::abs(stability_limit(of_gear, 0.05, 1) - damped) < 6e-4);
    BOOST_TEST(std::abs(stability_limit(of_verlet, 0.05, 1) - verlet_damped) < 6e-4);
    // Without tangential springs nothing changes.
    BOOST_TEST(stability_limit(of_gear, 0.05) == stability_limit(gear, 0.05));
  }
}
