// Relaxation and final states of two discs: closed forms and numbers of the polygon-dem reference, §5.
#include "validation/pena2008/two_discs.hpp"

#include <boost/test/unit_test.hpp>
#include <numbers>

#include "libdem/contacts/pair_table.hpp"

using namespace dem;
using namespace dem::validation::pena2008;

BOOST_AUTO_TEST_SUITE(two_disc_test)

BOOST_AUTO_TEST_CASE(contact_duration_of_the_reference) {
  // §1: equal discs with radius 0.5 m and density 1 kg/m², k_n = 4e8 N/m: t_c = 9.84359e-5 s.
  BOOST_TEST(reference_duration(4e8) == 9.84359e-5, boost::test_tools::tolerance(1e-6));
  // §1: ε_t/ε_n = 1.0053306 with k_t/k_n = γ_t/γ_n = 1/3 and ε_n = 0.9875.
  const double m = std::numbers::pi / 8, gamma = damping_of_restitution(0.9875, 4e8, m);
  BOOST_TEST(restitution_of_damping(gamma, 4e8, m) == 0.9875, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(restitution_of_damping(gamma / 3, 4e8 / 3, m) / 0.9875 == 1.0053306, boost::test_tools::tolerance(1e-7));
}

struct Row {
  double dt_over_tc, predicted, corrected, trapezoid, geometric;
};

BOOST_AUTO_TEST_CASE(relaxation_time_guided_with_rotation) {
  // §5, table; 3.16e-2 stands for 10^-1.5.
  const Row rows[] = {{0.1, 40.43, -5.82, 238.65, 238.46},
                      {0.0316227766, 93.51, -21.8, 238.51, 238.50},
                      {0.01, 160.02, -168.7, 238.50, 238.50}};
  for (const Row& row : rows) {
    Case c = two_disc_case(Reading::guided, row.dt_over_tc);
    const auto geometric = relax(c);
    BOOST_TEST(geometric.usable());
    BOOST_TEST(geometric.time == row.geometric, boost::test_tools::tolerance(0.005));
    c = with_velocity_elongation(c);
    BOOST_TEST(relax(c).time == row.predicted, boost::test_tools::tolerance(0.005));
    c.contact.velocity_source = VelocitySource::trapezoid;
    BOOST_TEST(relax(c).time == row.trapezoid, boost::test_tools::tolerance(0.005));
    // `corrected` gains energy at these steps. Started 1e-4 of the displacement beside equilibrium (Δx = −2 F/k_n with
    // ξ = 0), so that the growth is seen over many decades before the contact opens.
    c.contact.velocity_source = VelocitySource::corrected;
    BOOST_TEST(relax(beside_equilibrium(c), growing_run()).time == row.corrected, boost::test_tools::tolerance(0.005));
  }
}

BOOST_AUTO_TEST_CASE(relaxation_time_without_rotation) {
  for (auto [dt, predicted, geometric] :
       {std::array{0.1, 20.22, 119.19}, std::array{0.0316227766, 46.75, 119.25}, std::array{0.01, 80.01, 119.25}}) {
    Case c = two_disc_case(Reading::guided_no_rotation, dt);
    BOOST_TEST(relax(c).time == geometric, boost::test_tools::tolerance(0.005));
    BOOST_TEST(relax(with_velocity_elongation(c)).time == predicted, boost::test_tools::tolerance(0.005));
  }
  Case c = two_disc_case(Reading::free_no_rotation, 0.01);
  BOOST_TEST(relax(c).time == 238.50, boost::test_tools::tolerance(0.005));
}

BOOST_AUTO_TEST_CASE(relaxation_does_not_depend_on_the_stiffness) {
  for (double k_n : {1.0, 200.0, 1e8})
    BOOST_TEST(relax(two_disc_case(Reading::guided, 0.03, k_n)).time == 238.50, boost::test_tools::tolerance(0.005));
}

BOOST_AUTO_TEST_CASE(final_states) {
  // §5: guided with rotation Δx = −2, aΔθ = +√2, ξ = 0; guided without Δx = −3/2, ξ = 1.0606602, |F_t/F_n| = 1/3;
  // free Δx = −2, Δy = 1, ξ = 3/√2, |F_t/F_n| = 1.
  const auto close = [](double a, double b) { return std::abs(a - b) < 1e-5; };
  const FinalState guided = settle(two_disc_case(Reading::guided, 0.05));
  BOOST_TEST_CONTEXT("guided: " << guided.dx << " " << guided.turn << " " << guided.elongation) {
    BOOST_TEST(close(guided.dx, -2));
    BOOST_TEST(close(guided.turn, std::sqrt(2.0)));
    BOOST_TEST(close(guided.elongation, 0));
  }
  const FinalState held = settle(two_disc_case(Reading::guided_no_rotation, 0.05));
  BOOST_TEST_CONTEXT("guided, no rotation: " << held.dx << " " << held.elongation << " " << held.force_ratio) {
    BOOST_TEST(close(held.dx, -1.5));
    BOOST_TEST(close(held.elongation, 1.0606602));
    BOOST_TEST(close(held.force_ratio, 1.0 / 3));
  }
  const FinalState free = settle(two_disc_case(Reading::free_no_rotation, 0.05));
  BOOST_TEST_CONTEXT("free: " << free.dx << " " << free.dy << " " << free.elongation << " " << free.force_ratio) {
    BOOST_TEST(close(free.dx, -2));
    BOOST_TEST(close(free.dy, 1));
    BOOST_TEST(close(free.elongation, 3 / std::sqrt(2.0)));
    BOOST_TEST(close(free.force_ratio, 1));
  }
}

BOOST_AUTO_TEST_CASE(final_states_of_the_literal_reading) {
  // §5: guided no rotation Δx = −12/7, ξ = 0.6060915; free Δx = −3.5, Δy = 2.5; guided with rotation aΔθ = 0.7071.
  const auto literal = [](Reading r) {
    Case c = two_disc_case(r, 0.05);
    c.contact.geometric_form = GeometricForm::eq10_11_literal;
    return settle(c);
  };
  const auto close = [](double a, double b) { return std::abs(a - b) < 2e-5; };
  const FinalState held = literal(Reading::guided_no_rotation), free = literal(Reading::free_no_rotation),
                   guided = literal(Reading::guided);
  BOOST_TEST_CONTEXT(held.dx << " " << held.elongation << " " << free.dx << " " << free.dy << " " << guided.turn) {
    BOOST_TEST(close(held.dx, -12.0 / 7));
    BOOST_TEST(close(held.elongation, 0.6060915));
    BOOST_TEST(close(free.dx, -3.5));
    BOOST_TEST(close(free.dy, 2.5));
    BOOST_TEST(close(guided.turn, std::sqrt(0.5)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
