// Drivers with a table of their own, as C++ code reads and sets them.
#include "cases.hpp"
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
}

BOOST_AUTO_TEST_CASE(copies_of_a_case_have_options_of_their_own) {
  Case c;
  c.use_driver<PlatesSpec>();
  Case other = c;
  BOOST_TEST((other == c));
  other.use_driver<PlatesSpec>().gap = 2;
  BOOST_TEST(c.driver_options<PlatesSpec>()->gap == 0);
  BOOST_TEST((other != c));
}

/// plates.from_rows depends on the generator, unless the case gives it.
BOOST_AUTO_TEST_CASE(defaults_that_depend_on_the_assembly) {
  const auto from_rows = [](const std::string& generator, const std::string& given) {
    return case_of("assembly = {columns = 6, rows = 6, generator = " + generator + "}\nplates = {" + given + R"(}
material = {normal_stiffness = 400, tangential_stiffness = 40, friction = 0.5, restitution = 0.5}
time.step = 1e-3
stage = [{duration = 1}]
)")
        .driver_options<PlatesSpec>()
        ->from_rows;
  };
  BOOST_TEST(from_rows("\"voronoi\"", ""));
  BOOST_TEST(!from_rows("\"voronoi\"", "from_rows = false"));
  BOOST_TEST(!from_rows("\"lattice\", shape = \"disc\"", ""));
  BOOST_TEST(from_rows("\"lattice\", shape = \"disc\"", "from_rows = true"));
}
