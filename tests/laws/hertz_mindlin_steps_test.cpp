// Law hertz-mindlin under any steps: limit, signs, frame, ends of contacts and loops, degenerate steps.
#include "laws/mindlin_contact.hpp"

using namespace mindlin_contact;

BOOST_AUTO_TEST_CASE(any_steps_stay_within_the_limit) {
  for (const double largest : {0.3, 3.0})
    for (const auto memory : memories) {
      Single s(material(0.25), memory);
      std::size_t most = 0;
      for (const auto& m : any_movements(10000, s.m, largest)) {
        s.step(m.z, m.shift_1, m.shift_2);
        BOOST_TEST_REQUIRE(s.size() <= s.limit() * (1 + 4e-16));
        BOOST_TEST_REQUIRE(std::isfinite(s.b.stored[0]));
        BOOST_TEST_REQUIRE(s.b.stored[0] >= -1e-14 * s.limit() * std::max(0.0, m.z));
        BOOST_TEST_REQUIRE(s.b.dissipated[0] >= 0);
        BOOST_TEST_REQUIRE((s.regime() == StepRegime::slide) == (s.b.sliding[0] == 1));
        if (s.regime() == StepRegime::slide) BOOST_TEST_REQUIRE(s.size() >= s.limit() * (1 - 1e-15));
        if (!(m.z > 0))
          BOOST_TEST_REQUIRE((s.regime() == StepRegime::separated && s.pool.used_bytes() == 0 && s.size() == 0));
        most = std::max(most, s.h.turning_points());
      }
      BOOST_TEST((memory == turning_points ? most >= 4 : most <= (memory == single_reversal ? 1u : 0u)));
      s.step(0, 0);
      BOOST_TEST(s.pool.used_bytes() == 0u);
    }
}

BOOST_AUTO_TEST_CASE(hertz_mindlin_turns_with_the_frame) {
  const double c = std::cos(0.7), s = std::sin(0.7);
  for (const auto memory : memories) {
    Single a(material(0.25), memory), b(material(0.25), memory);
    double largest = 0;
    for (const auto& m : any_movements(10000, a.m, 0.5)) {
      a.step(m.z, m.shift_1, m.shift_2);
      b.step(m.z, c * m.shift_1 - s * m.shift_2, s * m.shift_1 + c * m.shift_2);
      largest = std::max(largest, std::hypot(c * a.h.force_1 - s * a.h.force_2 - b.h.force_1,
                                             s * a.h.force_1 + c * a.h.force_2 - b.h.force_2));
      BOOST_TEST_REQUIRE(a.h.turning_points() == b.h.turning_points());
    }
    BOOST_TEST(largest < 1e-13 * 0.5 * a.m.normal_force(0.03));
  }
}

BOOST_AUTO_TEST_CASE(separation_gives_back_the_legs_and_books_the_energy) {
  Single s(material(0.25), turning_points);
  s.step(0.01, 0);
  double shift = 0.003;
  for (int k = 0; k < 40; ++k, shift *= -0.93) chord(s, 0.01, 0.01, shift, 0, 50);
  BOOST_TEST(s.h.turning_points() >= 30u);
  BOOST_TEST(s.pool.used_bytes() > 0u);
  const double stored = s.b.stored[0], force = s.h.force_1;
  BOOST_TEST(stored > 0);
  s.b.dissipated[0] = 0;
  s.step(-1e-5, 1e-7);
  BOOST_TEST((s.regime() == StepRegime::separated && s.pool.used_bytes() == 0));
  BOOST_TEST((s.b.elastic_1[0] == 0 && s.b.stored[0] == 0));
  BOOST_TEST(s.b.work[0] == 1e-7 * force, tolerance(1e-14));
  BOOST_TEST(s.b.dissipated[0] == stored + 1e-7 * force, tolerance(1e-14));
  s.step(0.004, 0.0004, 0.0003);  // as if it had never been
  Single fresh(material(0.25), turning_points);
  fresh.step(0.004, 0.0004, 0.0003);
  BOOST_TEST((s.h.force_1 == fresh.h.force_1 && s.h.force_2 == fresh.h.force_2));
}

/// Falling N takes the turning forces towards each other, until their loops are closed.
BOOST_AUTO_TEST_CASE(relief_closes_loops) {
  Single s(material(0.25), turning_points);
  s.step(0.01, 0);
  double shift = 0.003;
  for (int k = 0; k < 12; ++k, shift *= -0.9) chord(s, 0.01, 0.01, shift, 0, 200);
  std::size_t before = s.h.turning_points();
  BOOST_TEST(before >= 10u);
  for (int p = 1; p <= 5000; ++p) {
    s.step(0.01 * (1 - p / 5001.0), 0);
    BOOST_TEST_REQUIRE(s.h.turning_points() <= before);
    BOOST_TEST_REQUIRE(s.size() <= s.limit() * (1 + 4e-16));
    before = s.h.turning_points();
  }
  BOOST_TEST(before == 0u);
  BOOST_TEST(s.pool.used_bytes() == 0u);
}

/// Only the part of the movement counts in which there is contact; force on j is against it.
BOOST_AUTO_TEST_CASE(signs_and_parts_of_hertz_mindlin) {
  for (const auto memory : memories) {
    Single whole(material(0.25), memory), part(material(0.25), memory);
    whole.step(0.01, 0.0002, -0.0001);
    part.step(0.01, 4 * 0.0002, -4 * 0.0001, 0.75);
    BOOST_TEST(part.h.force_1 == whole.h.force_1);
    BOOST_TEST(part.b.elastic_1[0] == -whole.h.force_1);
    BOOST_TEST(part.b.elastic_2[0] == -whole.h.force_2);
    BOOST_TEST(part.h.force_1 > 0);
  }
}

BOOST_AUTO_TEST_CASE(degenerate_steps_of_hertz_mindlin) {
  const std::vector<Movement> path{
      {0.01, 0, 0},         {0.01, 0, 0},         {0.01, 1e-3, 0},     {0.01, -1e-3, 0},
      {0.01, 1e-3, 0},      {0.012, 1e-4, 0},     {0.01, -1e-4, 0},    {0.01, 1e6, -1e6},
      {0.01, -1e100, 0},    {0.01, 1e-300, 0},    {0.01, 0, -1e-300},  {0.01, 0, 1e-3},
      {1e-3, 0, 0},         {1e-3, 0, -1e-5},     {1e-12, 1e-13, 0},   {1e-100, 0, 1e-13},
      {1e-300, 0, 0},       {1e-300, 1e-300, 0},  {1e-310, 0, 0},      {1e-300, 1e-301, 0},
      {0.01, 1e-3, 1e-3},   {1e-300, 0, 0},       {1e-200, 1e-201, 0}, {1e-199, 1e-200, 0},
      {1e-199, -1e-200, 0}, {1e-200, 0, -1e-200}, {0.02, 0, 0},        {0.02, 1e-170, 0},
      {0.02, 0, 1e-170},    {0.02, -1e-160, 0},   {0.02, 1e-3, 0},     {std::nextafter(0.02, 1), 1e-3, 0},
      {0.02, -1e-3, 0},     {1e3, 1e-9, 0},       {1e-9, 0, 0},        {1e-9, 1e-10, 0},
      {-1, 0, 0},           {0.01, 0.02, 0},      {0.01, 0, 0.004},    {std::nan(""), 0, 0}};
  for (const auto memory : memories) {
    Single s(material(0.25), memory);
    for (const auto& m : path) {
      s.step(m.z, m.shift_1, m.shift_2);
      BOOST_TEST_CONTEXT("indentation " << m.z << ", shift " << m.shift_1 << ", " << m.shift_2) {
        for (const double v : {s.h.force_1, s.h.force_2, s.b.stored[0], s.h.line_1, s.h.line_2, s.h.turning, s.h.foot,
                               s.h.foot_energy, s.b.work[0], s.b.dissipated[0]})
          BOOST_TEST(std::isfinite(v));
        BOOST_TEST(s.size() <= s.limit() * (1 + 4e-16));
      }
    }
    BOOST_TEST(s.size() == 0);
    BOOST_TEST(s.pool.used_bytes() == 0u);
  }
}
