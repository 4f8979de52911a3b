// The contact studies of Kuhn (2011): contacts driven along a path, closed forms of oblique loading, tables with
// digits.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "validation/kuhn2011/reference_tables.hpp"

using namespace dem;
using namespace dem::validation::kuhn2011;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(kuhn2011_contact)

/// U2 of the jaeger-contact reference, §16, whose literals come from elsewhere.
BOOST_AUTO_TEST_CASE(oblique_loading_has_the_numbers_of_the_reference) {
  const auto c = coefficients(1, 0.5, 0.5);
  BOOST_TEST(c.modulus == 5.333333333333333, tolerance(1e-15));
  BOOST_TEST(c.ratio == 1.5);
  const Proportional p(c, 0.01, 4, 0.9);
  const auto exactly = tolerance(1e-14);
  BOOST_TEST(p.start() == 0.005333333333333333, exactly);
  BOOST_TEST(p.turn() == 0.006009389671361502, exactly);
  BOOST_TEST(p.end() == 0.0047940074906367034, exactly);
  BOOST_TEST(p.force(p.turn()) == 0.9 * 0.5 * p.turn(), exactly);
  BOOST_TEST(p.force(p.end()) == -0.9 * 0.5 * p.end(), exactly);
  // The cone of loading is forgotten at this force: both forms meet there, with a kink.
  const double at = 0.004807511737089202, near = 1e-9;
  BOOST_TEST(p.shift(at * (1 + near), true) == p.shift(at * (1 - near), true), tolerance(1e-6));
  BOOST_TEST(p.shift(p.turn(), true) == p.shift(p.turn(), false), exactly);
  const auto moves = p.moves(1);
  BOOST_TEST_REQUIRE(moves.size() == 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    BOOST_TEST(moves[k].z == chords_of_u2[k].z, exactly);
    BOOST_TEST(moves[k].shift_1 == chords_of_u2[k].shift_1, tolerance(1e-12));
  }
  const auto fine = p.moves(50);
  const auto sum = [](const auto& list) {
    return std::accumulate(list.begin(), list.end(), 0.0, [](double s, const Move& m) { return s + m.shift_1; });
  };
  BOOST_TEST(fine.size() == 200u);
  BOOST_TEST(sum(fine) == sum(moves), tolerance(1e-12));
  BOOST_TEST(fine[49].z == moves[0].z);
}

BOOST_AUTO_TEST_CASE(path_counts_its_work_and_its_legs) {
  JaegerPath path{coefficients(1, 0.25, 0.5)};
  BOOST_TEST(path.legs().empty());
  step_in_parts(path, {0.01, 0.001, -0.002}, 20000);  // sticks: nothing is lost
  BOOST_TEST(path.h.z == 0.01);
  BOOST_TEST(path.work > 0);
  BOOST_TEST(std::abs(path.lost()) < 1e-8 * path.work);
  const double stored = path.h.stored;
  path.step({0.01, 0.5});  // far: slides at the limit nearly all the way
  BOOST_TEST(path.lost() > 0.9 * path.limit() * 0.5);
  BOOST_TEST(path.h.stored > stored);
  BOOST_TEST(path.legs().size() == 1u);
  path.step({0.012});
  const auto legs = path.legs();
  BOOST_TEST_REQUIRE(legs.size() == 2u);
  BOOST_TEST(legs[0].z == 0.01);
  BOOST_TEST(std::hypot(legs[0].p_1, legs[0].p_2) == 0.5, tolerance(1e-15));
  BOOST_TEST(legs[1].z == 0.012);
  BOOST_TEST(legs[1].p_1 == 0);
  JaegerPath copy = path;  // with legs of its own
  copy.step({0.012, -1});
  BOOST_TEST(path.legs().size() == 2u);
  BOOST_TEST(copy.legs().size() == 1u);
}

/// Full movements for the law, halves for the path.
BOOST_AUTO_TEST_CASE(incremental_model_has_the_stiffness_without_slip) {
  MindlinPath path{coefficients(3, 0.2, 0.5), MindlinMemory::none};
  path.step({0.01});
  path.step({0.01, 1e-6});
  const double stiffness = 4 * 3 * std::sqrt(0.01) / (2 - 0.2);  // 4Ga/(2 − ν)
  BOOST_TEST(path.h.force_1 == 2e-6 * stiffness, tolerance(1e-12));
  BOOST_TEST(path.limit() == 0.5 * path.c.normal_force(0.01), tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(a_wrong_digit_does_not_match) {
  const auto& table = table_named("U3");
  BOOST_TEST(match(table).holds());
  const auto wrong = [&](auto change) {
    auto copy = table;
    change(copy.rows);
    BOOST_TEST(!match(copy).holds());
    return match(copy);
  };
  wrong([](auto& rows) { rows[4].force_1 *= 1 + 1e-9; });
  wrong([](auto& rows) { rows[4].normal *= 1 + 1e-9; });
  wrong([](auto& rows) { rows[3].stored *= 1 + 1e-9; });
  BOOST_TEST(wrong([](auto& rows) { rows[8].regime = laws::StepRegime::stick; }).regimes == 1);
  auto legs = table;
  legs.rows[8].legs = 6;
  BOOST_TEST(match(legs).legs == 1);
  BOOST_CHECK_THROW(table_named("U9"), std::runtime_error);
}

BOOST_AUTO_TEST_SUITE_END()
