// Laws of displacement history on real walls: T5 and T7 of the direct-shear reference, and gross sliding. The pyramid
// of case D2 stands on a plane, the loop of D3 is on the floor of a shear box. The files without walls are
// laws/displacement_history_test.cpp and history_spheres_test.cpp.
#include <boost/test/unit_test.hpp>

#include "support/history_tables.hpp"
#include "support/single_bodies.hpp"

using namespace dem;
using namespace dem::test::history;
namespace tt = boost::test_tools;

namespace {

WallImpact of_row(const ImpactRow& row) {
  return {.coefficients = row.coefficients,
          .midpoint = row.midpoint,
          .history = row.history,
          .limit = row.limit,
          .degrees = row.degrees};
}
Rebound alone(const WallImpact& i, SeenVelocity seen) {
  Contact c(i.coefficients);
  c.options.history = i.history;
  c.options.friction_limit = i.limit;
  return meets_wall(c, 3e-3, i.speed, i.degrees * degree, i.midpoint, i.dt, 100000, 0, seen);
}
/// Of velocities and R ω, over the speed of 1 m/s.
template <class A, class B>
double apart(const A& a, const B& b) {
  return std::max({std::abs(a.v_x - b.v_x), std::abs(a.v_z - b.v_z), 3e-3 * std::abs(a.spin - b.spin)});
}

}  // namespace

/// T5 on a plane agrees to rounding with the law alone and the same integrator. It is within 1e-4 of the digits of the
/// reference, whose dashpots see other velocities. Without dashpots the integrator is the reference's.
BOOST_AUTO_TEST_CASE(oblique_impacts_on_a_plane) {
  for (const ImpactRow& row : impact_rows()) BOOST_TEST_CONTEXT(row.name) {
      WallImpact i = of_row(row);
      BOOST_TEST(apart(rebound_from_wall(i), alone(i, SeenVelocity::extrapolated)) < 1e-12);
      BOOST_TEST(apart(alone(i, SeenVelocity::of_mid_step), row) < 1e-12);
      BOOST_TEST(apart(alone(i, SeenVelocity::of_mid_step), alone(i, SeenVelocity::extrapolated)) > 1e-8);
      i.source = VelocitySource::trapezoid;
      BOOST_TEST(apart(rebound_from_wall(i), row) < 1e-4);
      i.coefficients.gamma_n = i.coefficients.gamma_t = i.coefficients.restitution = 0;
      BOOST_TEST(apart(rebound_from_wall(i), alone(i, SeenVelocity::of_mid_step)) < 1e-12);
    }
}

/// D4: a contact that slides from its beginning to its end, and one that has a dashpot only.
BOOST_AUTO_TEST_CASE(gross_sliding) {
  const Coefficients k = impact_rows()[6].coefficients;
  for (const double degrees : {75.0, 80.0})
    for (const TangentialHistory history : histories) BOOST_TEST_CONTEXT(degrees << " degrees, " << name_of(history)) {
        const Rebound r = rebound_from_wall(
            {.coefficients = k, .midpoint = false, .history = history, .degrees = degrees, .clip_tension = true});
        const double a = degrees * degree, shed = k.friction * (std::cos(a) + r.v_z);
        BOOST_TEST(r.impulse_t / r.impulse_n == k.friction, tt::tolerance(1e-9));
        BOOST_TEST(r.v_x == std::sin(a) - shed, tt::tolerance(1e-9));
        BOOST_TEST(3e-3 * r.spin == 2.5 * shed, tt::tolerance(1e-9));
      }
  WallImpact i = of_row(impact_rows()[7]);
  const Rebound none = rebound_from_wall(i);
  BOOST_TEST(std::abs(none.impulse_t / none.impulse_n - 0.0720) < 1e-4);
}

/// T7: all three histories on a plane, gravity tilted by 15°.
BOOST_AUTO_TEST_CASE(locked_incline) {
  const OnSlope rests = run_slope({}, 0.2);
  BOOST_TEST(rests.elongation == rest_at_15, tt::tolerance(1e-8));
  BOOST_TEST(std::abs(rests.speed) < 1e-10);
  BOOST_TEST(run_slope({.history = TangentialHistory::none}, 0.2).speed == creep_at_15, tt::tolerance(1e-9));
  for (const auto& [dt, v] : pseudo_at_15)
    BOOST_TEST(run_slope({.history = TangentialHistory::pseudo, .dt = dt}, 0.1).speed == v, tt::tolerance(1e-8));
}

/// T8, D2: from a cold start and, loaded slowly, close to statics. At rest just above the threshold the lower spheres
/// do not press each other. The force ratios are then those of statics, but for a small movement of the spheres.
/// Without history the pyramid creeps down, below half of its height after 0.19 s by the reference. Pseudo-history is a
/// dashpot of k_t Δt beside γ_t m̄. It delays the fall in proportion to the time step.
BOOST_AUTO_TEST_CASE(stacks_on_a_plane) {
  const auto stands = [](const Stack& s) { return fate_of(s, 1).fell_at == 0; };
  BOOST_TEST(stands({.friction = 0.33}));
  BOOST_TEST(!stands({.friction = 0.32}));
  BOOST_TEST(stands({.ground_friction = 0.085}));
  BOOST_TEST(!stands({.ground_friction = 0.08}));
  const LeastFriction least[] = {least_friction(false), least_friction(true)};
  BOOST_TEST(least[0].contact == 0.3178372451957823, tt::tolerance(1e-12));
  BOOST_TEST(least[0].ground == 0.07945931129894558, tt::tolerance(1e-12));
  BOOST_TEST(least[1].contact == 0.2679491924311227, tt::tolerance(1e-12));
  BOOST_TEST(least[1].ground == 0.0893163974770409, tt::tolerance(1e-12));
  for (const bool wedge : {false, true})
    for (const double factor : {1.002, 0.998}) BOOST_TEST_CONTEXT("wedge " << wedge << ", factor " << factor) {
        const auto [contact, ground] = least[wedge];
        BOOST_TEST(stands({.wedge = wedge, .friction = factor * contact, .slowly = 0.2}) == (factor > 1));
        BOOST_TEST(stands({.wedge = wedge, .ground_friction = factor * ground, .slowly = 0.2}) == (factor > 1));
      }
  const Fate just = fate_of({.friction = 0.33}, 2);
  BOOST_TEST(just.contact_ratio == least[0].contact, tt::tolerance(1e-2));
  BOOST_TEST(just.ground_ratio == least[0].ground, tt::tolerance(2e-2));
  BOOST_TEST(fate_of({}, 2).fell_at == 0);
  BOOST_TEST(fate_of({}, 2).height == 1.3160, tt::tolerance(1e-3));
  const double none = fate_of({.history = TangentialHistory::none}, 2).fell_at;
  BOOST_TEST(std::abs(none - 0.19) < 0.02);
  const auto delay = [&](double dt) {
    return fate_of({.history = TangentialHistory::pseudo, .dt = dt}, 2).fell_at - none;
  };
  BOOST_TEST(delay(2e-5) > 0.3 * none);
  BOOST_TEST(delay(2e-5) / delay(5e-6) == 4, tt::tolerance(0.1));
}

/// D3: slope f k_t, plateaus ± μ F_n, a closed loop.
BOOST_AUTO_TEST_CASE(shear_and_reversal) {
  for (const bool hertz : {true, false}) {
    const Loop loop{.coefficients = on_a_wall(hertz ? glass : Coefficients{false, 2000, 1600, 400, 200, 0.18, 0, 0})};
    const LoopTrace t = run_loop(loop);
    const double limit = loop.coefficients.friction * loop.normal();
    BOOST_TEST((t.force[60] - t.force[10]) / (t.x[60] - t.x[10]) == loop.stiffness(), tt::tolerance(1e-10));
    BOOST_TEST_REQUIRE(t.force.size() == 6000u);
    BOOST_TEST(t.force[1199] == limit, tt::tolerance(1e-10));
    BOOST_TEST(t.force[3599] == -limit, tt::tolerance(1e-10));
    BOOST_TEST(t.force[5999] == limit, tt::tolerance(1e-10));
    BOOST_TEST(t.slides[1199]);
    BOOST_TEST(!t.slides[1200]);
    BOOST_TEST(std::abs(t.x.back() - loop.travel) < 1e-15);
  }
}
