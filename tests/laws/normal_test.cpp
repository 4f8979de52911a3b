// Normal forces: each is the slope of its stored energy, and its tangent the slope of the force.
#include "libdem/laws/normal/area.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "libdem/laws/normal/spring.hpp"
#include "prelude.hpp"

using namespace dem::laws;

namespace {

const auto closely = tolerance(1e-12);
const auto to_differences = tolerance(1e-8);

template <class F>
double slope(F f, double at) {
  const double h = 1e-4 * at;
  return (8 * (f(at + h) - f(at - h)) - (f(at + 2 * h) - f(at - 2 * h))) / (12 * h);
}

/// `at`: what the law takes for a depth.
template <class Law, class At>
void check_slopes(const Law& law, double depth, At at) {
  BOOST_TEST(law.force(at(depth)) == slope([&](double x) { return law.stored(at(x)); }, depth), to_differences);
  BOOST_TEST(law.tangent(at(depth)) == slope([&](double x) { return law.force(at(x)); }, depth), to_differences);
}

template <class Law>
void check(const Law& law, double overlap) {
  check_slopes(law, overlap, [](double x) { return x; });
  BOOST_TEST(law.stored(overlap) == Law::stored_share * law.force(overlap) * overlap, closely);
  BOOST_TEST(law.force(0) == 0);
  BOOST_TEST(law.stored(0) == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(normal_force_of_spring_and_hertz) {
  for (const double overlap : {1e-6, 1e-3, 0.5}) {
    check(Spring{2e5}, overlap);
    const Hertz hertz{Hertz::modulus_of(2.9e10, 0.2), Hertz::ratio_of(0.2), Hertz::radius_of(1e-3, 3e-3)};
    check(hertz, overlap);
    // In the usual symbols: F = (4/3) E* √R_eff δ^(3/2).
    BOOST_TEST(hertz.force(overlap) ==
                   4.0 / 3 * (0.375 * hertz.modulus) * std::sqrt(0.5 * hertz.radius) * std::pow(overlap, 1.5),
               closely);
  }
}

/// A face of width w pressed in by x: A = w x.
BOOST_AUTO_TEST_CASE(normal_force_of_faces_of_polygons) {
  const double width = 0.3, k = 400, length = 0.8;
  const auto pressed = [&](double x) { return OverlapPart{width * x, width * x, width, true}; };
  for (const double x : {1e-4, 0.02}) {
    check_slopes(AreaOverLength{k, length}, x, pressed);
    for (const double exponent : {1.5, 2.0, 3.0}) check_slopes(AreaPotential{k, length, exponent}, x, pressed);
  }
  BOOST_TEST(AreaOverLength({k, length}).force(pressed(0.02)) == k * width * 0.02 / length, closely);
}

/// A body within another: the area has no gradient.
BOOST_AUTO_TEST_CASE(normal_force_of_containment) {
  const OverlapPart within{0.5, 0.5, 1e-17, false};
  const AreaOverLength published{400, 0.8};
  BOOST_TEST(published.force(within) == 400 * (0.5 / 0.8), closely);
  BOOST_TEST(published.stored(within) == 0.5 * published.force(within) * 0.8, closely);
  BOOST_TEST(AreaPotential({400, 0.8, 2}).force(within) == 0);
}
