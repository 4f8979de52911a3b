// Fabric, coordination, overlap, dimensionless numbers.
#include "libdem/measure/dimensionless.hpp"
#include "libdem/measure/fabric.hpp"
#include "motion/make_bodies.hpp"
#include "prelude.hpp"

namespace {

const auto closely = tolerance(1e-14);

ContactRecord contact(std::uint32_t i, std::uint32_t j, double angle, Regime regime = Regime::stick) {
  ContactRecord c;
  c.key.i = i, c.key.j = j;
  c.normal = {std::cos(angle), std::sin(angle), 0};
  c.regime = regime;
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(fabric_of_known_directions) {
  const std::vector<ContactRecord> hexagonal{contact(0, 1, 0), contact(0, 2, pi / 3), contact(0, 3, 2 * pi / 3)};
  const Tensor3 f = fabric_tensor(hexagonal);
  BOOST_TEST(f.xx() == 0.5, closely);
  BOOST_TEST(f.yy() == 0.5, closely);
  BOOST_TEST(std::abs(f.xy()) < 1e-15);
  // All contacts along 30°, either way: anisotropy 1 in that direction.
  const Principal p = planar_principal(fabric_tensor(std::vector{contact(0, 1, pi / 6), contact(2, 1, pi / 6 + pi)}));
  BOOST_TEST(p.first == 1.0, closely);
  BOOST_TEST(std::abs(p.second) < 1e-14);
  BOOST_TEST(p.direction == pi / 6, closely);
  BOOST_TEST(fabric_tensor({}).xx() == 0.0);
}

BOOST_AUTO_TEST_CASE(coordination_with_plates_rattlers_and_sliding) {
  Bodies b = make_bodies(6);
  b.freedom[0] = 0;  // plate
  // Bodies 1, 2, 3 form a triangle on the plate, body 4 touches 3 only, and body 5 touches nothing.
  const std::vector<ContactRecord> contacts{contact(0, 1, 1), contact(0, 2, 1), contact(1, 2, 1, Regime::slip),
                                            contact(1, 3, 1), contact(2, 3, 1), contact(3, 4, 1, Regime::slip)};
  const auto free = free_bodies(b);
  const ContactCounts c = count_contacts(contacts, b, free);
  BOOST_TEST((c.bodies == 5 && c.contacts == 6 && c.rattlers == 2));
  BOOST_TEST(c.coordination == (3 + 3 + 3 + 1 + 0) / 5.0);
  BOOST_TEST(c.mechanical_coordination == 3.0);
  BOOST_TEST(c.sliding_fraction() == 2 / 6.0);
  BOOST_TEST(count_contacts({}, b, free).coordination == 0.0);
  // A set that does not touch the plate does not count its contacts.
  const std::vector<std::uint8_t> only_4{0, 0, 0, 0, 1, 0};
  BOOST_TEST(count_contacts(contacts, b, only_4).contacts == 1u);
}

BOOST_AUTO_TEST_CASE(largest_overlap_is_relative_to_the_smaller_body) {
  Bodies b = make_bodies(4);
  const std::vector<Shape> shapes{Shape::disc(1), Shape::disc(0.1), Shape::half_plane()};
  b.shape = {0, 0, 1, 2};
  std::vector<ContactRecord> contacts{contact(0, 1, 0), contact(1, 2, 0), contact(0, 3, 0)};
  contacts[0].overlap = 0.01, contacts[1].overlap = 0.004, contacts[2].overlap = 0.02;
  auto largest = largest_overlap(contacts, b, shapes);
  BOOST_REQUIRE(largest.has_value());
  BOOST_TEST(largest->relative == 0.02, closely);
  BOOST_TEST((largest->contact == contacts[1].key));
  contacts[2].overlap = 0.1;  // on the half-plane: the body's diameter counts
  BOOST_TEST(largest_overlap(contacts, b, shapes)->relative == 0.05, closely);
  BOOST_TEST(!largest_overlap({}, b, shapes).has_value());
}

BOOST_AUTO_TEST_CASE(dimensionless_numbers) {
  BOOST_TEST(inertial_number(-2, 0.5, 4, 16) == 0.5);
  BOOST_TEST(stiffness_number(400, 0.4) == 1000.0, closely);
  BOOST_TEST(std::isinf(inertial_number(1, 1, 1, 0)));
  BOOST_TEST(std::isinf(stiffness_number(1, -1)));
}

BOOST_AUTO_TEST_CASE(backbone_after_rattlers_are_removed_repeatedly) {
  // A triangle 0-1-2, of which 0-1 touch twice. A chain 2-3-4 hangs on it; 5 is alone.
  Bodies bodies = make_bodies(6);
  std::vector<ContactRecord> contacts{contact(0, 1, 0), contact(0, 1, 0), contact(0, 2, 1),
                                      contact(1, 2, 2), contact(2, 3, 0), contact(3, 4, 0)};
  contacts[1].key.feature = 1;
  const Coordination z = coordination_of(contacts, bodies);
  BOOST_TEST(z.bodies == 6u);
  BOOST_TEST(z.by_contacts == 12.0 / 6, closely);
  BOOST_TEST(z.by_pairs == 10.0 / 6, closely);
  BOOST_TEST(z.backbone == 3u);  // 4 goes first, then 3
  BOOST_TEST(z.backbone_by_contacts == 8.0 / 3, closely);
  BOOST_TEST(z.backbone_by_pairs == 2.0, closely);
}

BOOST_AUTO_TEST_CASE(two_definitions_of_sliding) {
  std::vector<ContactRecord> contacts{contact(0, 1, 0, Regime::slip), contact(0, 2, 0), contact(1, 2, 0),
                                      contact(2, 3, 0)};
  contacts[0].mobilised = 1;
  contacts[1].mobilised = 1 - 0.9e-5;  // did not slide in this step, but is at the limit
  contacts[2].mobilised = 1 - 1.1e-5;
  const Bodies bodies = make_bodies(4);
  BOOST_TEST(count_contacts(contacts, bodies).sliding_fraction() == 0.25);
  BOOST_TEST(fraction_at_limit(contacts) == 0.5);
}

BOOST_AUTO_TEST_CASE(deviators) {
  Tensor3 stress;  // triaxial: q = 3, p = 2
  stress.m = {{{-4, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  BOOST_TEST(mean_pressure(stress, 3) == 2.0, closely);
  BOOST_TEST(deviator_stress(stress, 3) == 3.0, closely);
  // In the plane half the difference of the principal stresses, −1 and −4, whatever the axes.
  const double c = std::cos(0.3), s = std::sin(0.3);
  stress.m = {{{-4 * c * c - s * s, -3 * c * s, 0}, {-3 * c * s, -4 * s * s - c * c, 0}, {0, 0, -7}}};
  BOOST_TEST(mean_pressure(stress, 2) == 2.5, closely);
  BOOST_TEST(deviator_stress(stress, 2) == 1.5, closely);
  BOOST_TEST(deviator_norm(stress, 2) == 1.5 * std::sqrt(2.0), closely);
}
