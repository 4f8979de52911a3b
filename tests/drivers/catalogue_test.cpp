// Drivers with a table of their own, as C++ code reads and sets them.
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "prelude.hpp"

BOOST_AUTO_TEST_CASE(a_case_uses_a_driver) {
  Case c;
  BOOST_TEST(!c.driver_options<PlatesSpec>());
  c.use_driver(ShearBoxSpec{}).length = 0.5;
  c.use_driver<PlatesSpec>().gap = 1;
  c.use_driver<PlatesSpec>().sides = 7;
  BOOST_TEST(c.driver_options<PlatesSpec>()->gap == 1);
  BOOST_TEST(c.driver_options<PlatesSpec>()->sides == 7);
  BOOST_TEST(c.driver_options<ShearBoxSpec>()->length == 0.5);
  // In the order of the catalogue.
  BOOST_TEST_REQUIRE(c.drivers.size() == 2u);
  BOOST_TEST(c.drivers[0].as<PlatesSpec>());
  BOOST_TEST(c.drivers[1].as<ShearBoxSpec>());
  struct Other {};
  BOOST_CHECK_THROW(c.use_driver<Other>(), std::logic_error);
  // A copy has options of its own.
  Case other = c;
  BOOST_TEST((other == c));
  other.use_driver<PlatesSpec>().gap = 2;
  BOOST_TEST(c.driver_options<PlatesSpec>()->gap == 1);
  BOOST_TEST((other != c));
}
