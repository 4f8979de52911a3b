// Measures of the efficiency study: admissible steps, distances of trajectories, a contact that slides all the time.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <vector>

#include "validation/pena2008/efficiency/runs.hpp"
#include "validation/pena2008/two_discs.hpp"

using namespace dem;
using namespace dem::validation::pena2008;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(efficiency)

BOOST_AUTO_TEST_CASE(admissible_step_follows_the_power_law_between_tested_steps) {
  const std::vector<double> step{0.4, 0.2, 0.1, 0.05};
  std::vector<double> error;
  for (double h : step) error.push_back(2 * h * h);
  const Admissible a = admissible_step(step, error, 0.04);
  BOOST_TEST(a.step == std::sqrt(0.02), tolerance(1e-12));
  BOOST_TEST(!a.at_least);
  BOOST_TEST(admissible_step(step, error, 1).at_least);
  BOOST_TEST(admissible_step(step, error, 1).step == 0.4);
  BOOST_TEST(std::isnan(admissible_step(step, error, 1e-6).step));
  // A coarse step that is right by chance does not count.
  BOOST_TEST(admissible_step(step, {0.0, 0.08, 0.02, 0.005}, 0.04).step < 0.2);
}

BOOST_AUTO_TEST_CASE(trajectory_error_is_relative_to_the_largest_displacement) {
  BOOST_TEST(trajectory_error({0, 0, 0, 1.1, 0, 0}, {0, 0, 0, 1, 0, 0}) == 0.1, tolerance(1e-12));
  BOOST_TEST(std::isnan(trajectory_error({0, 0, 0, NAN, 0, 0}, {0, 0, 0, 1, 0, 0})));
}

BOOST_AUTO_TEST_CASE(the_turned_disc_slides_all_the_time_and_the_guided_one_sticks) {
  BOOST_TEST(sliding_share(sliding_case(0.02, Summation::geometric)) > 0.99);
  BOOST_TEST(sliding_share(with(two_disc_case(Reading::guided, 0.02), Summation::geometric)) < 0.01);
}

BOOST_AUTO_TEST_CASE(geometric_trajectory_of_discs_is_of_the_order_of_the_integrator) {
  const Case c = two_disc_case(Reading::guided, 0.01);
  const double t_c = contact_duration_of(c);
  const auto exact = trajectory(c, t_c, 640);
  const double coarse = trajectory_error(trajectory(c, t_c, 10), exact),
               fine = trajectory_error(trajectory(c, t_c, 20), exact);
  BOOST_TEST(std::log2(coarse / fine) > 4.5);
  const Case summed = with(c, Summation::cundall);
  const double first = trajectory_error(trajectory(summed, t_c, 160), exact),
               second = trajectory_error(trajectory(summed, t_c, 320), exact);
  BOOST_TEST(std::abs(std::log2(first / second) - 1) < 0.1);
}

BOOST_AUTO_TEST_SUITE_END()
