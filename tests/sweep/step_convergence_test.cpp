// Order, limit and thresholds from results at halved time steps.
#include "libdem/sweep/step_convergence.hpp"

#include "libdem/sweep/time_step_study.hpp"
#include "tests/sweep/sweep_cases.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

using Kind = StepConvergence::Kind;

template <class F>
std::vector<StepResult> halved(int count, F value) {
  std::vector<StepResult> results;
  for (int k = 0; k < count; ++k) {
    const double step = std::pow(0.5, k);
    results.push_back({step, value(step), 0});
  }
  return results;
}

const std::vector<double> tolerances{0.05, 0.02, 0.01};

}  // namespace

BOOST_AUTO_TEST_CASE(too_few_results_are_counted) {
  // The two smallest of five steps have a result, and one beyond a gap has one.
  const auto results = halved(5, [](double h) { return h == 1 || h < 0.2 ? 1 + h : std::nan(""); });
  BOOST_CHECK_EXCEPTION(step_convergence(results, tolerances), std::invalid_argument,
                        says("found 2 time steps with a result, counted from the smallest, allowed at least three; "));
}

BOOST_AUTO_TEST_CASE(known_orders_limits_and_thresholds) {
  for (const double p : {1.0, 2.0, 5.0}) {
    const auto c = step_convergence(halved(8, [&](double h) { return 3 * (1 - 0.2 * std::pow(h, p)); }), tolerances);
    BOOST_TEST((c.kind == Kind::ordered));
    BOOST_TEST(c.order == p, tolerance(1e-6));
    BOOST_TEST(c.limit == 3, tolerance(1e-9));
    BOOST_TEST(c.spread == 0.2, tolerance(1e-6));
    for (std::size_t k = 0; k < 3; ++k) {
      BOOST_TEST_REQUIRE(c.thresholds[k].step.has_value());
      BOOST_TEST(*c.thresholds[k].step == std::pow(tolerances[k] / 0.2, 1 / p), tolerance(1e-6));
      BOOST_TEST(!c.thresholds[k].at_least);
    }
  }
  // 1/t_R = 1/t_0 + b Δt (polygon-dem reference, §5): of order 1, and within 5 % below Δt = 1/(19 b t_0).
  const auto c = step_convergence(halved(11, [](double h) { return 1 / (1 / 238.5 + 0.2 * h); }), tolerances, true);
  BOOST_TEST((c.kind == Kind::ordered));
  BOOST_TEST(c.order == 1, tolerance(1e-9));
  BOOST_TEST(c.limit == 238.5, tolerance(1e-9));
  BOOST_TEST(*c.thresholds[0].step == 1 / (19 * 0.2 * 238.5), tolerance(0.01));
  // Steps that are all too large are extrapolated. Small ones are at least.
  const auto large = step_convergence(halved(5, [](double h) { return 1 + 10 * h; }), tolerances);
  BOOST_TEST((large.thresholds[2].step && large.thresholds[2].extrapolated));
  BOOST_TEST(*large.thresholds[2].step == 0.001, tolerance(1e-6));
  const auto small = step_convergence(halved(5, [](double h) { return 1 + 0.001 * h * h; }), tolerances);
  BOOST_TEST((small.kind == Kind::ordered));
  BOOST_TEST((small.thresholds[2].step && small.thresholds[2].at_least));
}

BOOST_AUTO_TEST_CASE(no_order_is_read_out_of_noise) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  int ordered = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto small = step_convergence(halved(8, [&](double) { return 1 + 1e-5 * normal(random); }), tolerances);
    ordered += small.kind == Kind::ordered;
    if (small.kind != Kind::ordered) {
      BOOST_TEST((small.kind == Kind::independent));
      BOOST_TEST(small.thresholds[2].at_least);
    }
    const auto large = step_convergence(halved(8, [&](double) { return 1 + 0.2 * normal(random); }), tolerances);
    ordered += large.kind == Kind::ordered;
    if (large.kind == Kind::scattered && 2 * large.scatter > 0.05) BOOST_TEST(!large.thresholds[0].step.has_value());
  }
  BOOST_TEST(ordered < 120);  // 3 % of 4000: chance
}

BOOST_AUTO_TEST_CASE(values_that_are_missing_at_large_steps_are_left_out) {
  auto results = halved(8, [](double h) { return 1 + 0.1 * h; });
  results[0].value = results[2].value = NAN;
  const auto c = step_convergence(results, tolerances);
  BOOST_TEST(c.order == 1, tolerance(1e-6));
  BOOST_TEST(c.thresholds[0].at_least);  // of what is left, from 1/8 on
  BOOST_TEST(*c.thresholds[0].step == 0.125);
  for (std::size_t k = 0; k < 6; ++k) results[k].value = NAN;
  BOOST_CHECK_THROW(step_convergence(results, tolerances), std::invalid_argument);
}

// Replicates that differ from each other at every step alike tell the steps apart nevertheless.
BOOST_AUTO_TEST_CASE(errors_from_replicates_leave_out_what_replicates_have_in_common) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> steps;
  std::vector<std::vector<double>> values;
  const double own[] = {1.0, 2.0, 3.0, 7.0, 11.0};
  for (int k = 0; k < 40; ++k) {
    steps.push_back(std::pow(0.9, k));
    values.emplace_back();
    for (const double mean : own) values.back().push_back(mean + steps[k] + 0.05 * normal(random));
  }
  const auto results = step_means(steps, values);
  for (const StepResult& r : results) BOOST_TEST(r.error == 0.05 / std::sqrt(5.0), tolerance(0.15));
  BOOST_TEST(results[0].value == 4.8 + 1, tolerance(0.02));
}

BOOST_FIXTURE_TEST_CASE(the_study_of_two_discs_finds_the_published_threshold_and_the_cure, InTemporaryFolder) {
  for (const bool geometric : {false, true}) {
    const std::string text = with(two_discs(geometric ? "" : "[contact]\nelongation = \"velocity\"\n"),
                                  "restitution = 0.9", "restitution = 0.9875");
    const auto file = folder.write(geometric ? "g.toml" : "v.toml", text);
    const TimeStepChoice how{.from = 0.01 * 0.0984359,
                             .halvings = geometric ? 3 : 6,
                             .folder = folder.path / (geometric ? "g" : "v"),
                             .show_progress = false};
    const TimeStepStudy study = study_time_step(file, how);
    BOOST_TEST(study.relaxation);
    const double t_c = study.contact_duration;
    BOOST_TEST(t_c == 0.0984359, tolerance(1e-5));
    BOOST_TEST(study.convergence.limit / t_c == 238.50, tolerance(1e-3));
    if (geometric) {
      BOOST_TEST((study.convergence.kind == Kind::independent));
      BOOST_TEST(study.convergence.thresholds[2].at_least);
    } else {
      BOOST_TEST((study.convergence.kind == Kind::ordered));
      BOOST_TEST(study.convergence.order == 1, tolerance(0.02));
      BOOST_TEST(*study.convergence.thresholds[0].step / t_c == 1.07e-3, tolerance(0.02));
      BOOST_TEST(*study.convergence.thresholds[1].step / t_c == 4.2e-4, tolerance(0.02));
      BOOST_TEST(study.recommended / t_c < 4.2e-4);
    }
    BOOST_TEST((study.stable > 0.2 * t_c && study.unstable < 0.35 * t_c && study.unstable < 1.02 * study.stable));
    BOOST_TEST(has(time_step_report(study), study.recommendation));
    BOOST_TEST(std::filesystem::exists(how.folder / "report.txt"));
  }
}
