// The graded sand of the plane shear: what its case says, and that stress and strain are what the study takes them for.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "validation/fleischmann2015/plane-shear/sand.hpp"

using namespace dem;
using namespace dem::validation;
using namespace dem::validation::fleischmann2015;

BOOST_AUTO_TEST_SUITE(graded_sand)

BOOST_AUTO_TEST_CASE(rows_and_windows) {
  ShearPath path;
  for (int k = 1; k <= 4; ++k) path.rows.push_back({0.1 * k, 90, 95, 100, 10.0 * k, 0.6, 4, 0.1});
  path.steps = 7, path.seconds = 8, path.servo_mean = 9, path.margin = 0.5;
  const ShearPath again = ShearPath::unpack(path.pack());
  BOOST_TEST_REQUIRE(again.rows.size() == 4u);
  BOOST_TEST((again.rows[2].ratio() == 0.3 && again.margin == 0.5));
  const auto ratio = [](const ShearRow& r) { return r.ratio(); };
  // Rows end where they say: 0.1 is the interval before.
  BOOST_TEST(std::abs(path.mean(0.1, 0.3, ratio) - 0.25) < 1e-15);
  BOOST_TEST(std::abs(path.mean(0.1, 9, ratio) - 0.3) < 1e-15);
  BOOST_TEST(std::abs(path.rows[2].mohr_sine() - std::hypot(5, 30) / 95) < 1e-15);
}

BOOST_AUTO_TEST_CASE(grading_by_mass) {
  Packing p;
  p.radius = {0.5, 0.5, 0.5, 0.5, 1};  // a tenth of the mass each but the last: 8 of 12
  const Grading g = grading_of(p);
  BOOST_TEST((g.d10 == 1 && g.d50 == 2 && g.d60 == 2 && g.uniformity() == 2 && g.smallest == 1));
}

BOOST_AUTO_TEST_CASE(small_packing_sheared) {
  Sand sand;
  sand.count = 300;
  sand.cut = 1.5;  // the largest grain must not meet two images of another
  sand.packing_friction = 0.2;
  TaskProgress progress;
  const Packing packing = kuhn2011::make_packing(packing_case(sand), progress);
  BOOST_TEST(packing.radius.size() == 300u);
  BOOST_TEST(packing.unbalanced < 2e-2);
  const double solid = 1 / (1 + packing.void_ratio);
  BOOST_TEST((solid > 0.58 && solid < 0.66), solid);
  const Shear shear{TangentialHistory::whole, 2e-3, 0.021};
  const Case c = shear_case(sand, packing, shear);
  BOOST_TEST(c.stages[1].cell->component[4].rate == 0.02);  // I √(σ/ρ)/D50 with σ = 100
  const ShearPath path = run_shear(c, progress);
  BOOST_TEST(std::abs(path.rows.back().strain - 0.02) < 1e-4);
  BOOST_TEST(path.rows.size() == 5u);
  BOOST_TEST(path.margin < 1);
  for (const ShearRow& r : path.rows) BOOST_TEST(std::abs(r.zz / 100 - 1) < 0.02);
  BOOST_TEST(path.rows.back().ratio() > 0.15);
  BOOST_TEST((path.rows.back().xx > 50 && path.rows.back().xx < 200));
}

BOOST_AUTO_TEST_SUITE_END()
