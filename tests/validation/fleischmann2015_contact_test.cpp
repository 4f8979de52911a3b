// The studies of Fleischmann et al.: gains of impacts.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <stdexcept>

#include "validation/fleischmann2015/impact-energy/gains.hpp"

using namespace dem;
using namespace dem::validation::fleischmann2015;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(fleischmann2015_contact)

/// An impact that slides all the time: friction takes μ(1 + e) v_n of the tangential velocity.
BOOST_AUTO_TEST_CASE(energy_of_a_sliding_impact) {
  const double friction = 0.1, angle = 70 * std::acos(-1.0) / 180, v_n = std::cos(angle), v_t = std::sin(angle),
               change = 2 * friction * v_n;
  const double expected = v_t * v_t - std::pow(v_t - change, 2) - 0.4 * std::pow(2.5 * change, 2);
  for (const Form form : {Form::hooke, Form::displacement, Form::force_increment, Form::rescaled}) {
    const ImpactEnergy e = energy_of({.form = form, .friction = friction, .degrees = 70, .steps = 4000});
    BOOST_TEST(e.gain == -expected, tolerance(5e-3));  // the contact sticks for a moment at its beginning
    BOOST_TEST(e.friction == expected, tolerance(5e-3));
    BOOST_TEST(std::abs(e.gain + e.friction + e.circulation) < 1e-5);
  }
}

/// The two spins of the map: the rest of the energy only dilutes the gain.
BOOST_AUTO_TEST_CASE(spin_of_the_largest_gain) {
  Impact i{.form = Form::displacement, .young = 4e12, .poisson_ratio = 0, .friction = 10, .spin = spin_of_largest_gain};
  const double most = largest_gain(i).gain;
  BOOST_TEST(most > 0.1);
  for (const double spin : {-6.0, -4.0, -2.0, -1.0, 0.0, 1.0, 3.0}) {
    i.spin = spin;
    BOOST_TEST(largest_gain(i).gain < 1.01 * most);
  }
}

/// The program makes of it what the law alone does on a wall.
BOOST_AUTO_TEST_CASE(impacts_of_a_run) {
  for (const Form form : {Form::displacement, Form::rescaled}) {
    Impact i{.form = form, .young = 4e12, .poisson_ratio = 0, .friction = 10, .spin = spin_of_largest_gain};
    i.degrees = 65, i.steps = 1000;
    const double wall = energy_of(i).gain;
    for (const Partner partner : {Partner::held, Partner::free}) {
      const ImpactEnergy e = energy_of_run(i, partner);
      BOOST_TEST(std::abs(e.gain - wall) < 5e-3);
      BOOST_TEST(std::abs(e.gain + e.friction + e.circulation) < 1e-4);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
