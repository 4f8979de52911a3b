// Thresholds of the time step against the polygon-dem reference, §5, and the curves that claims are made on.
#include "validation/pena2008/thresholds/threshold.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

#include "validation/pena2008/relaxation_curve.hpp"
#include "validation/pena2008/two_discs.hpp"

using namespace dem;
using namespace dem::validation::pena2008;
using boost::test_tools::tolerance;

namespace {
Case velocity_case(Reading reading) { return with_velocity_elongation(two_disc_case(reading, 1e-3)); }
}  // namespace

BOOST_AUTO_TEST_SUITE(thresholds_of_the_time_step)

BOOST_AUTO_TEST_CASE(slow_modes_of_the_reference) {
  // t_R = 3m/γ_n with rotation, 3m/(2γ_n) without. f_t = 1/4 guided, 1 for the tangential mode of `free`. The damping
  // time is τ = γ_n/k_n = 2L/(π² + L²) t_c, L = −ln 0.9875.
  for (const auto& [reading, relaxation, share] : {std::tuple{Reading::guided, 238.50, 0.25},
                                                   {Reading::guided_no_rotation, 119.25, 0.25},
                                                   {Reading::free_no_rotation, 238.50, 1.}}) {
    const SlowMode mode = slow_modes(velocity_case(reading)).front();
    BOOST_TEST(mode.relaxation == relaxation, tolerance(1e-4));
    BOOST_TEST(mode.tangential_share == share, tolerance(1e-4));
    BOOST_TEST(mode.damping_time == 0.0025491, tolerance(1e-4));
  }
  Case frictionless = velocity_case(Reading::guided);
  frictionless.material.friction = 0;
  BOOST_TEST(slow_modes(frictionless).front().relaxation == 159.00, tolerance(1e-4));
  BOOST_TEST(slow_modes(frictionless).front().tangential_share == 0);
}

BOOST_AUTO_TEST_CASE(equal_frequencies_do_not_mix_normal_and_tangential) {
  // `free`, k_t = k_n, ε_t > ε_n: both vibrations have one frequency. The tangential one decays more slowly.
  const SlowMode mode = slow_modes(with_ratios(velocity_case(Reading::free_no_rotation), 1, 1.005)).front();
  BOOST_TEST(mode.tangential_share == 1, tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(exact_thresholds_of_the_reference) {
  // Tolerances: half of the last printed digit.
  const Case guided = velocity_case(Reading::guided), free = velocity_case(Reading::free_no_rotation);
  for (const auto& [c, share, printed, room] : {std::tuple{guided, 0.05, 1.07e-3, 0.005},
                                                {guided, 0.02, 4.2e-4, 0.012},
                                                {guided, 0.01, 2.1e-4, 0.025},
                                                {free, 0.05, 2.7e-4, 0.0186},
                                                {free, 0.02, 1.04e-4, 0.005}})
    BOOST_TEST(exact_threshold(c, share) == printed, tolerance(room));
  // 2·tol·τ/f_t is of first order in tol.
  for (double tol : {0.05, 0.02, 0.01})
    BOOST_TEST(predicted_threshold(guided, tol) == exact_threshold(guided, tol) * (1 - tol), tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(no_threshold_where_nothing_is_damped_by_the_step) {
  Case frictionless = velocity_case(Reading::guided_no_rotation);
  frictionless.material.friction = 0;
  BOOST_TEST(exact_threshold(frictionless, 0.01) == no_threshold);
  BOOST_TEST(predicted_threshold(frictionless, 0.01) == no_threshold);
  BOOST_TEST(exact_threshold(two_disc_case(Reading::guided, 1e-3), 0.01) == no_threshold);  // geometric
}

BOOST_AUTO_TEST_CASE(a_second_mode_takes_over_within_the_tolerance) {
  // guided, k_t/k_n = 0.02, ε_t/ε_n = 0.98: two modes of nearly equal t_R.
  const Case c = with_ratios(velocity_case(Reading::guided), 0.02, 0.98);
  const auto modes = slow_modes(c);
  BOOST_REQUIRE_EQUAL(modes.size(), 2u);
  BOOST_TEST(modes[1].relaxation > 0.95 * modes[0].relaxation);
  BOOST_TEST(exact_threshold(c, 0.05) == predicted_threshold_of_all_modes(c, 0.05), tolerance(0.01));
  BOOST_TEST(exact_threshold(c, 0.05) > 1.2 * predicted_threshold(c, 0.05));
  // One mode alone: the general form differs by 1/(1 − tol).
  const Case one = velocity_case(Reading::guided);
  BOOST_TEST(predicted_threshold_of_all_modes(one, 0.02) == predicted_threshold(one, 0.02) / 0.98, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(decays_give_the_threshold_of_the_spectrum) {
  const double steps[] = {0.005, 0.01};
  const MeasuredThreshold measured = measure_threshold(velocity_case(Reading::guided_no_rotation), steps);
  BOOST_TEST(measured.usable);
  BOOST_TEST(measured.limit == 119.25, tolerance(1e-3));
  BOOST_TEST(measured.at(0.05) == 1.0744e-3, tolerance(0.005));
  BOOST_TEST(measured.scatter < 0.005);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(relaxation_curves)

BOOST_AUTO_TEST_CASE(threshold_between_two_points_and_below_the_first) {
  // 1/t_R = 1/200 + x: within 5 % of 200 up to x = (0.05/0.95)/200 = 2.6316e-4, within 20 % up to 1.25e-3.
  RelaxationCurve curve;
  for (double x : {1e-3, 3e-3, 1e-2}) curve.push_back({x, 1 / (1.0 / 200 + x), 1, 100, ""});
  BOOST_TEST(threshold_of(curve, 200, 0.05) == 2.6316e-4, tolerance(1e-4));
  BOOST_TEST(threshold_of(curve, 200, 0.2) == 1.25e-3, tolerance(1e-9));
  BOOST_TEST(std::isinf(threshold_of(curve, 200, 0.9)));
  BOOST_TEST(falls(curve));
  curve[1].relaxation = NAN;  // a fit that was not usable is left out
  BOOST_TEST(!curve[1].usable());
  BOOST_TEST(falls(curve));
  BOOST_TEST(usable_share(std::span(&curve, 1)) == "2 of 3");
  curve[2].relaxation = 1000;
  BOOST_TEST(!falls(curve));
  BOOST_CHECK_THROW(value_at(curve, 3e-3), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(least_squares_of_a_straight_line) {
  const double x[] = {0, 1, 2, 3}, y[] = {1, 3, 5, 7.4};
  const StraightLine line = straight_line(x, y);
  BOOST_TEST(line.b == 2.12, tolerance(1e-12));
  BOOST_TEST(line.a == 0.92, tolerance(1e-12));
  BOOST_TEST(line.largest_residual == 0.16, tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
