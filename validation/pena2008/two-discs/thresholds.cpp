// Closed forms, the formula 1/t_R(Δt) = 1/t_R(0) + bΔt and the thresholds of §5, from the spectrum of the step.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "libdem/contacts/pair_table.hpp"
#include "validation/pena2008/two-discs/decays.hpp"

namespace dem::validation::pena2008 {

namespace {

using Relaxation = std::function<double(double step)>;  ///< t_R/t_c at Δt/t_c

/// Largest Δt/t_c at which t_R is within `tolerance` of its limit: bisection of the logarithm.
double threshold(const Relaxation& relaxation, double limit, double tolerance) {
  double low = std::log(1e-6), high = std::log(1e-1);
  for (int k = 0; k < 30; ++k) {
    const double middle = 0.5 * (low + high);
    (relaxation(std::exp(middle)) >= (1 - tolerance) * limit ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

bool to_digits(double found, double published, double half_digit) { return std::abs(found - published) <= half_digit; }

}  // namespace

void thresholds_and_spectrum(StudyRun& run, Findings& findings) {
  const double limit = limit_with_rotation();
  const auto slowest = [](Reading reading, double step, bool velocity, bool friction = true) {
    Case c = two_disc_case(reading, step);
    if (velocity) c = with_velocity_elongation(c);
    if (!friction) c.material.friction = 0;
    return slowest_mode(c).relaxation;
  };
  const double with = slowest(Reading::guided, 1e-5, false),
               without = slowest(Reading::guided_no_rotation, 1e-5, false);
  const double frictionless = slowest(Reading::guided, 1e-5, false, false);
  run.claim({"closed-forms", section_5,
             "t_R = 3m/γ_n with rotation, 3m/(2γ_n) without, 2m/γ_n without friction: 238.50, 119.25, 159.00",
             fmt::format("closed form {:.2f}, {:.2f}, {:.2f}; spectrum at Δt/t_c = 1e-5: {:.2f}, {:.2f}, {:.2f}", limit,
                         limit / 2, limit * 2 / 3, with, without, frictionless),
             "half a unit of the last printed digit",
             verdict_of(to_digits(with, 238.50, 0.005) && to_digits(without, 119.25, 0.005) &&
                        to_digits(frictionless, 159.00, 0.005)),
             "Guided. The spectrum and the closed form are independent of each other."});

  struct Threshold {
    std::string id;
    Reading reading;
    bool tangential;
    double tolerance, published, half_digit, share;
  };
  const Threshold all[] = {{"threshold-guided-5", Reading::guided, false, 0.05, 1.07e-3, 5e-6, 0.25},
                           {"threshold-guided-2", Reading::guided, false, 0.02, 4.2e-4, 5e-6, 0.25},
                           {"threshold-guided-1", Reading::guided, false, 0.01, 2.1e-4, 5e-6, 0.25},
                           {"threshold-held-5", Reading::guided_no_rotation, false, 0.05, 1.07e-3, 5e-6, 0.25},
                           {"threshold-held-2", Reading::guided_no_rotation, false, 0.02, 4.2e-4, 5e-6, 0.25},
                           {"threshold-free-5", Reading::free_no_rotation, true, 0.05, 2.7e-4, 5e-6, 1},
                           {"threshold-free-2", Reading::free_no_rotation, true, 0.02, 1.04e-4, 5e-7, 1}};
  double found[7], worst_prediction = 0;
  const double m = std::acos(-1.0) / 4, t_c = reference_duration();
  const double delay =
      damping_of_restitution(reference_restitution, reference_stiffness, m / 2) / (reference_stiffness * t_c);  // τ/t_c
  for (std::size_t k = 0; k < std::size(all); ++k) {
    const Threshold& t = all[k];
    const Relaxation relaxation = [&](double step) {
      const Case c = with_velocity_elongation(two_disc_case(t.reading, step));
      return t.tangential ? tangential_mode(c).relaxation : slowest_mode(c).relaxation;
    };
    const double of = t.reading == Reading::guided_no_rotation ? limit / 2 : limit;
    found[k] = threshold(relaxation, of, t.tolerance);
    const double predicted = 2 * t.tolerance * delay / t.share;
    worst_prediction = std::max(worst_prediction, std::abs(found[k] / predicted - 1));
    run.claim({t.id, section_5,
               fmt::format("T_t = {:g} at {:g} % ({}, predicted velocity)", t.published, 100 * t.tolerance,
                           t.reading == Reading::guided               ? "guided with rotation"
                           : t.reading == Reading::guided_no_rotation ? "guided without rotation"
                                                                      : "free, tangential mode"),
               fmt::format("{:.4g}; predicted 2·tol·τ/f_t = {:.4g}", found[k], predicted),
               "half a unit of the last printed digit", verdict_of(to_digits(found[k], t.published, t.half_digit)),
               "Largest Δt/t_c at which the t_R of the step's spectrum is that near to its limit."});
  }
  findings.threshold_guided[0] = found[0], findings.threshold_guided[1] = found[1];
  findings.threshold_held[0] = found[3], findings.threshold_held[1] = found[4];
  findings.threshold_free[0] = found[5], findings.threshold_free[1] = found[6];
  run.claim({"threshold-prediction", section_5,
             "T_t t_c ≈ 2·tol·τ/f_t with f_t = 1/4 guided, 1 for the tangential mode of free: the values above",
             fmt::format("largest deviation {:.1f} %", 100 * worst_prediction),
             "5.27 %: the formula is of first order in tol and leaves out 1/(1 − tol), 5.263 % at 5 %",
             verdict_of(worst_prediction < 0.0527), "1/(1 − tol) − 1 = tol + tol² … is the whole difference."});
  run.claim({"factor-four", section_5,
             "at one tolerance the two readings differ by a factor 4, not by the published 10",
             fmt::format("{:.3f} at 5 %, {:.3f} at 2 %", found[0] / found[5], found[1] / found[6]), "one digit",
             verdict_of(std::abs(found[0] / found[5] - 4) < 0.5 && std::abs(found[1] / found[6] - 4) < 0.5),
             "The ratio of the shares f_t = 1 and 1/4 of the tangential spring."});

  double variant = 0;
  for (const Reading reading : {Reading::guided, Reading::guided_no_rotation}) {
    const Case c = two_disc_case(reading, 0.1);
    variant = std::max(variant,
                       std::abs(step_map_modes_from_corrected(c).front().relaxation / slowest_mode(c).relaxation - 1));
  }
  run.claim(
      {"increments", section_5,
       "predicted minus predicted, predicted minus corrected, or the total angle form make no difference above 0.3 % "
       "at Δt/t_c = 0.1",
       fmt::format(
           "predicted minus corrected differs by {:.3f} %; the total angle is the sum of predicted minus predicted",
           100 * variant),
       "0.3 %, as published", verdict_of(variant <= 0.003),
       "Spectrum of the step, guided with and without rotation, geometric."});

  // 1/t_R(Δt) = 1/t_R(0) + bΔt: b from one step, tried on the others.
  const auto right = [&](double step) { return slowest(Reading::guided, step, true); };
  const double b = (1 / right(1e-3) - 1 / limit) / 1e-3;
  double line = 0;
  for (const double step : {1e-5, 1e-4, 3e-3, 1e-2})
    line = std::max(line, std::abs(right(step) * (1 / limit + b * step) - 1));
  const double coarse = std::abs(right(0.1) * (1 / limit + b * 0.1) - 1);
  run.claim({"formula", section_5, "1/t_R(Δt) = 1/t_R(0) + bΔt",
             fmt::format("b = {:.5g}; largest deviation {:.2g} % up to Δt/t_c = 1e-2, {:.2g} % at 1e-1", b, 100 * line,
                         100 * coarse),
             "0.5 %, the accuracy the reference asks for, up to Δt/t_c = 1e-2", verdict_of(line < 0.005),
             fmt::format("b from Δt/t_c = 1e-3; the expansion predicts f_t/(2τ t_R(0)) = {:.5g}.",
                         0.25 / (2 * delay * limit))});
}

}  // namespace dem::validation::pena2008
