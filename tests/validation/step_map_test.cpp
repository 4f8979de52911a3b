// The spectrum of the two-disc step against the table of the polygon-dem reference, §5.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "validation/pena2008/two_discs.hpp"

using namespace dem;
using namespace dem::validation::pena2008;
using boost::test_tools::tolerance;

namespace {
const auto printed = tolerance(2e-4);  // four to five digits are printed

const double steps[] = {1e-1, 0.0316227766, 1e-2, 1e-3, 1e-4, 1e-5};  // Δt/t_c; the second stands for 10^-1.5
}  // namespace

BOOST_AUTO_TEST_SUITE(step_map)

BOOST_AUTO_TEST_CASE(table_of_relaxation_times) {
  using enum Reading;
  using enum VelocitySource;
  // Elongation geometric where there is no source. Three digits are printed at the larger steps with `corrected`.
  const struct {
    const char* name;
    Reading reading;
    std::optional<VelocitySource> source;
    double tolerance, relaxation[6];
  } columns[] = {
      {"guided, predicted", guided, predicted, 2e-4, {40.43, 93.51, 160.02, 227.35, 237.33, 238.38}},
      {"guided, corrected", guided, corrected, 2e-3, {-5.82, -21.8, -168.7, 250.80, 239.67, 238.61}},
      {"guided, trapezoid", guided, trapezoid, 2e-4, {238.65, 238.51, 238.50, 238.50, 238.50, 238.50}},
      {"guided, geometric", guided, {}, 2e-4, {238.46, 238.50, 238.50, 238.50, 238.50, 238.50}},
      {"no rotation, predicted", guided_no_rotation, predicted, 4e-4, {20.22, 46.75, 80.01, 113.67, 118.67, 119.19}},
      {"no rotation, geometric", guided_no_rotation, {}, 2e-4, {119.19, 119.25, 119.25, 119.25, 119.25, 119.25}},
      {"free, tangential, predicted", free_no_rotation, predicted, 5e-4, {11.59, 33.11, 80.53, 199.39, 233.91, 238.03}},
      {"free, tangential, geometric", free_no_rotation, {}, 2e-4, {238.46, 238.50, 238.50, 238.50, 238.50, 238.50}}};
  for (const auto& column : columns)
    for (std::size_t k = 0; k < 6; ++k) BOOST_TEST_CONTEXT(column.name << ", time step " << steps[k]) {
        Case c = two_disc_case(column.reading, steps[k]);
        if (column.source) c = with_velocity_elongation(c, *column.source);
        const auto mode = column.reading == free_no_rotation ? tangential_mode(c) : slowest_mode(c);
        BOOST_TEST(mode.relaxation == column.relaxation[k], tolerance(column.tolerance));
      }
}

BOOST_AUTO_TEST_CASE(frequencies_and_the_other_modes) {
  // Free: t_R of the normal mode is m/γ_n = 1/η_n = 79.5 t_c. Frequencies are √(k/m), √(k_t/m) with the mass that
  // moves.
  const auto modes = step_map_modes(two_disc_case(Reading::free_no_rotation, 1e-3));
  BOOST_TEST_REQUIRE(modes.size() >= 2u);
  BOOST_TEST(modes[0].relaxation == 238.50, printed);
  BOOST_TEST(modes[0].tangential == 1, printed);
  BOOST_TEST(modes[1].relaxation == 79.50, printed);
  BOOST_TEST(modes[1].tangential < 1e-10);
  BOOST_TEST(modes[0].frequency / modes[1].frequency == std::sqrt(1.0 / 3), tolerance(1e-4));
  BOOST_TEST(modes[1].frequency == std::acos(-1.0) / std::sqrt(2.0), tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(no_friction_leaves_the_normal_mode) {
  Case c = two_disc_case(Reading::guided_no_rotation, 1e-4);
  c.material.friction = 0;
  BOOST_TEST(slowest_mode(c).relaxation == 159.00, printed);
}

BOOST_AUTO_TEST_CASE(relaxation_does_not_reveal_the_literal_reading) {
  // §3: measured from decays, 119.247 against 119.249.
  Case c = two_disc_case(Reading::guided_no_rotation, 1e-3);
  const double exact = slowest_mode(c).relaxation;
  BOOST_TEST(exact == 119.249, tolerance(2e-5));
  c.contact.geometric_form = GeometricForm::eq10_11_literal;
  BOOST_TEST(slowest_mode(c).relaxation == exact, tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(ratios_of_the_tangential_spring) {
  const auto relaxation = [](Reading reading, double stiffness, double restitution) {
    return slowest_mode(with_ratios(two_disc_case(reading, 1e-4), stiffness, restitution)).relaxation;
  };
  // §5: ε_t/ε_n at k_t/k_n = 1/3, with rotation.
  const double by_restitution[][2] = {{0.98, 126.97},   {0.99, 155.99},  {1, 201.60},   {1.0025, 217.40},
                                      {1.0053, 238.25}, {1.008, 262.45}, {1.01, 283.76}};
  for (const auto& [ratio, expected] : by_restitution)
    BOOST_TEST(relaxation(Reading::guided, 1.0 / 3, ratio) == expected, printed);
  // §5: k_t/k_n at ε_t/ε_n = 1.0053, with and without rotation.
  const double by_stiffness[][3] = {{0.01, 698.95, 150.28},    {0.1, 273.63, 134.36}, {0.2, 250.50, 126.26},
                                    {1.0 / 3, 238.25, 119.12}, {0.5, 226.63, 112.77}, {0.8, 216.36, 104.70},
                                    {1, 212.85, 100.65}};
  for (const auto& [ratio, with, without] : by_stiffness) {
    BOOST_TEST(relaxation(Reading::guided, ratio, 1.0053) == with, printed);
    BOOST_TEST(relaxation(Reading::guided_no_rotation, ratio, 1.0053) == without, printed);
  }
}

BOOST_AUTO_TEST_CASE(the_same_for_every_stiffness) {
  for (double k_n : {1.0, 200.0, 1e8})
    BOOST_TEST(slowest_mode(two_disc_case(Reading::guided, 0.03, k_n)).relaxation == 238.50, printed);
}

BOOST_AUTO_TEST_SUITE_END()
