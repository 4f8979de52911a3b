// Fabric, coordination, overlap, dimensionless numbers.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "motion/make_bodies.hpp"

using namespace dem;

namespace {

ContactRecord contact(std::uint32_t i, std::uint32_t j, double angle, Regime regime = Regime::stick) {
  ContactRecord c;
  c.key.i = i, c.key.j = j;
  c.normal = {std::cos(angle), std::sin(angle), 0};
  c.regime = regime;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(network)

BOOST_AUTO_TEST_CASE(fabric_of_known_directions) {
  const double pi = std::acos(-1.0);
  const std::vector<ContactRecord> hexagonal{contact(0, 1, 0), contact(0, 2, pi / 3), contact(0, 3, 2 * pi / 3)};
  const Tensor3 f = fabric_tensor(hexagonal);
  BOOST_TEST(f.xx() == 0.5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(f.yy() == 0.5, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(std::abs(f.xy()) < 1e-15);
  // All contacts along 30°, either way: anisotropy 1 in that direction.
  const Principal p = planar_principal(fabric_tensor(std::vector{contact(0, 1, pi / 6), contact(2, 1, pi / 6 + pi)}));
  BOOST_TEST(p.first == 1.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(std::abs(p.second) < 1e-14);
  BOOST_TEST(p.direction == pi / 6, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(fabric_tensor({}).xx() == 0.0);
}

BOOST_AUTO_TEST_CASE(coordination_with_plates_rattlers_and_sliding) {
  Bodies b = test::make_bodies(6);
  b.freedom[0] = 0;  // plate
  // 1, 2, 3 form a triangle on the plate; 4 touches 3 only; 5 touches nothing.
  const std::vector<ContactRecord> contacts{contact(0, 1, 1), contact(0, 2, 1), contact(1, 2, 1, Regime::slip), contact(1, 3, 1),
                                            contact(2, 3, 1), contact(3, 4, 1, Regime::slip)};
  const auto free = free_bodies(b);
  const ContactCounts c = count_contacts(contacts, b, free);
  BOOST_TEST(c.bodies == 5u);
  BOOST_TEST(c.contacts == 6u);
  BOOST_TEST(c.rattlers == 2u);
  BOOST_TEST(c.coordination == (3 + 3 + 3 + 1 + 0) / 5.0);
  BOOST_TEST(c.mechanical_coordination == 3.0);
  BOOST_TEST(c.sliding_fraction() == 2 / 6.0);
  BOOST_TEST(count_contacts({}, b, free).coordination == 0.0);
  // A set that does not touch the plate does not count its contacts.
  const std::vector<std::uint8_t> only_4{0, 0, 0, 0, 1, 0};
  BOOST_TEST(count_contacts(contacts, b, only_4).contacts == 1u);
}

BOOST_AUTO_TEST_CASE(largest_overlap_is_relative_to_the_smaller_body) {
  Bodies b = test::make_bodies(4);
  std::vector<Shape> shapes(3);
  shapes[0].equivalent_radius = 1, shapes[1].equivalent_radius = 0.1, shapes[2].half_plane = true;
  b.shape = {0, 0, 1, 2};
  std::vector<ContactRecord> contacts{contact(0, 1, 0), contact(1, 2, 0), contact(0, 3, 0)};
  contacts[0].overlap = 0.01, contacts[1].overlap = 0.004, contacts[2].overlap = 0.02;
  auto largest = largest_overlap(contacts, b, shapes);
  BOOST_REQUIRE(largest.has_value());
  BOOST_TEST(largest->relative == 0.02, boost::test_tools::tolerance(1e-14));
  BOOST_TEST((largest->contact == contacts[1].key));
  contacts[2].overlap = 0.1;  // on the half-plane: the body's diameter counts
  BOOST_TEST(largest_overlap(contacts, b, shapes)->relative == 0.05, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(!largest_overlap({}, b, shapes).has_value());
}

BOOST_AUTO_TEST_CASE(dimensionless_numbers) {
  BOOST_TEST(inertial_number(-2, 0.5, 4, 16) == 0.5);
  BOOST_TEST(stiffness_number(400, 0.4) == 1000.0, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(std::isinf(inertial_number(1, 1, 1, 0)));
  BOOST_TEST(std::isinf(stiffness_number(1, -1)));
}

BOOST_AUTO_TEST_SUITE_END()
