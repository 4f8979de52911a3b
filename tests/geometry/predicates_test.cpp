#include "geometry/predicates.hpp"

#include "geometry/edge_crossing.hpp"
#include "prelude.hpp"

namespace dem::geometry {
namespace {

// Kettner and others, Comput. Geom. 40 (2008) 61: last places around (1/2, 1/2) against the diagonal. In plain doubles
// a quarter of the signs is wrong.
BOOST_AUTO_TEST_CASE(signs_of_nearly_collinear_points_are_exact) {
  const double ulp = std::ldexp(1., -53);
  int plain_errors = 0;
  for (int i = 0; i < 64; ++i)
    for (int k = 0; k < 64; ++k) {
      const Vec2 p{0.5 + i * ulp, 0.5 + k * ulp}, q{12, 12}, r{24, 24};
      const int expected = (k > i) - (k < i);  // above the diagonal: a left turn
      BOOST_TEST(orientation_sign(p, q, r) == expected);
      BOOST_TEST(orientation_sign(q, r, p) == orientation_sign(p, q, r));
      BOOST_TEST(orientation_sign(q, p, r) == -orientation_sign(p, q, r));
      const double plain = (p.x - r.x) * (q.y - r.y) - (p.y - r.y) * (q.x - r.x);
      plain_errors += (plain > 0) - (plain < 0) != orientation_sign(p, q, r);
    }
  BOOST_TEST(plain_errors > 100);  // so the case is a hard one
}

// |b − a, c − a| with a off the diagonal by (i u, k u), b and c on it, (12, 12) apart: 12 (k − i) u, without round-off.
BOOST_AUTO_TEST_CASE(exact_value_is_rounded_once) {
  const double u = std::ldexp(1., -53);
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 8; ++k)
      BOOST_TEST(orientation_exact({0.5 + i * u, 0.5 + k * u}, {12, 12}, {24, 24}) == 12 * (k - i) * u);
}

BOOST_AUTO_TEST_CASE(no_sign_is_lost_to_underflow) {
  const double tiny = 1e-200;
  BOOST_TEST(orientation_sign({0, 0}, {tiny, 0}, {0, tiny}) == 1);
  BOOST_TEST(orientation_sign({0, 0}, {0, tiny}, {tiny, 0}) == -1);
  BOOST_TEST(orientation_sign({0, 0}, {tiny, tiny}, {3 * tiny, 3 * tiny}) == 0);
}

BOOST_AUTO_TEST_CASE(positions_on_a_line) {
  BOOST_TEST(strictly_between({1, 1}, {0, 0}, {2, 2}));
  BOOST_TEST(!strictly_between({0, 0}, {0, 0}, {2, 2}));
  BOOST_TEST(strictly_between({0, -1}, {0, 0}, {0, -2}));
  BOOST_TEST(!strictly_between({0, 1}, {0, 0}, {0, -2}));
  BOOST_TEST(same_direction({1, 1}, {2, 1}, {5, 1}));
  BOOST_TEST(!same_direction({1, 1}, {2, 1}, {0, 1}));
  BOOST_TEST(same_direction({1, 1}, {1, 0}, {1, -3}));
  BOOST_TEST(!same_direction({1, 1}, {1, 0}, {1, 2}));
}

// Two lanes give the bits of plain doubles, also far from the origin and for nearly parallel edges.
BOOST_AUTO_TEST_CASE(orientations_in_two_lanes_have_the_same_bits) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> in(-1, 1);
  for (int k = 0; k < 20000; ++k) {
    const double shift = k % 3 == 0 ? 1e6 : 0, size = k % 2 == 0 ? 1e-9 : 1;
    const auto point = [&] { return Vec2{shift + size * in(random), 3 * shift + size * in(random)}; };
    const Vec2 a = point(), b = point(), c = point(), d = k % 5 == 0 ? c + (b - a) : point();
    const EdgeOrientations found = edge_orientations(lanes(a), lanes(b), lanes(c), lanes(d));
    const Orientation plain[]{orientation_filtered(c, d, a), orientation_filtered(c, d, b),
                              orientation_filtered(a, b, c), orientation_filtered(a, b, d)};
    for (std::size_t e = 0; e < 2; ++e) {
      BOOST_TEST_REQUIRE(found.of_e.value[e] == plain[e].value);
      BOOST_TEST_REQUIRE(found.of_e.bound[e] == plain[e].bound);
      BOOST_TEST_REQUIRE(found.of_f.value[e] == plain[2 + e].value);
      BOOST_TEST_REQUIRE(found.of_f.bound[e] == plain[2 + e].bound);
    }
    const Orientation one = orientation_filtered(lanes(c), lanes(d), lanes(a));
    BOOST_TEST_REQUIRE((one.value == plain[0].value && one.bound == plain[0].bound));
    const MeasuredEdge edge = measured_edge(lanes(a), lanes(b));
    const Box box{{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
    BOOST_TEST_REQUIRE(edge.length == measured_edge(a, b, box).length);
  }
}

}  // namespace
}  // namespace dem::geometry
