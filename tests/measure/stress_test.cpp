// Love–Weber stress against closed forms.
#include "libdem/measure/stress.hpp"

#include "motion/networks.hpp"
#include "prelude.hpp"

namespace {

ContactRecord contact(const Bodies& b, std::uint32_t i, std::uint32_t j, Vec3 force, Vec3 shift = {}) {
  ContactRecord c = contact_between(b, i, j, shift);
  c.force = force;
  return c;
}

// Square packing 3 × 3, spacing 1, periodic both ways, with the forces on i of the contacts along x and y.
std::vector<ContactRecord> square_packing(Bodies& b, Vec3 right, Vec3 up) {
  b = make_bodies(9);
  std::vector<ContactRecord> contacts;
  for (std::uint32_t k = 0; k < 9; ++k) b.position[0][k] = {double(k % 3), double(k / 3), 0};
  for (std::uint32_t k = 0; k < 9; ++k) {
    const bool last_x = k % 3 == 2, last_y = k / 3 == 2;
    // The smaller number is i: at the periodic boundary the neighbour to the right is i, met to the left of the image.
    contacts.push_back(last_x ? contact(b, k - 2, k, -right, {-3, 0, 0}) : contact(b, k, k + 1, right));
    contacts.push_back(last_y ? contact(b, k - 6, k, -up, {0, -3, 0}) : contact(b, k, k + 3, up));
  }
  return contacts;
}

}  // namespace

// Compression: the neighbour to the right pushes i to the left, one contact per unit area. Shear is positive where the
// top moves along x: the upper neighbour drags i along +x with 0.7, the right one along +y.
BOOST_AUTO_TEST_CASE(stress_of_a_square_packing_under_pressure_and_shear) {
  Bodies b;
  for (const double shear : {0.0, 0.7}) {
    const Tensor3 s = contact_stress(square_packing(b, {-2, shear, 0}, {shear, -5, 0}), 9);
    const auto close = [](double found, double expected) { BOOST_TEST(std::abs(found - expected) < 1e-14); };
    close(s.xx(), -2), close(s.yy(), -5), close(s.xy(), shear), close(s.yx(), shear), close(mean_pressure(s, 2), 3.5);
  }
}

BOOST_AUTO_TEST_CASE(stress_turns_with_the_frame) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  Bodies b = make_bodies(30), turned = b;
  const Turn turn = Turn::by(0.6);
  const auto rotate = [&](Vec3 a) {
    const Vec2 t = turn(planar(a));
    return Vec3{t.x, t.y, 0};
  };
  for (std::size_t i = 0; i < 30; ++i) {
    b.position[0][i] = {u(random), u(random), 0};
    turned.position[0][i] = rotate(b.position[0][i]);
  }
  std::vector<ContactRecord> contacts, turned_contacts;
  for (std::uint32_t i = 0; i < 29; ++i) {
    const Vec3 f{u(random), u(random), 0};
    contacts.push_back(contact(b, i, i + 1, f));
    contacts.back().point += {0.1 * u(random), 0.1 * u(random), 0};
    turned_contacts.push_back(contact(turned, i, i + 1, rotate(f)));
  }
  const Tensor3 all = contact_stress(contacts, 2), t = contact_stress(turned_contacts, 2);
  const double q[2][2] = {{turn.c, -turn.s}, {turn.s, turn.c}};
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t c = 0; c < 2; ++c) {
      double expected = 0;
      for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t l = 0; l < 2; ++l) expected += q[r][k] * all.m[k][l] * q[c][l];
      BOOST_TEST(std::abs(t.m[r][c] - expected) < 1e-14);
    }
  }
}
