// T_t(μ, k_t/k_n, ε_t/ε_n) of Peña, Lind and Herrmann, Eq. 9, as a function, beside its prediction 2·tol·τ/f_t
// (polygon-dem reference, §5).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "validation/pena2008/relaxation_curve.hpp"
#include "validation/pena2008/studies.hpp"
#include "validation/pena2008/thresholds/places.hpp"

namespace dem::validation::pena2008 {

namespace {

std::string shown(double threshold) {
  return std::isfinite(threshold) ? fmt::format("{:.3g}", threshold) : std::string("none");
}

void claim_reference_values(StudyRun& run, const std::vector<ThresholdPlace>& all) {
  struct Printed {
    std::size_t reading, tolerance;
    double value;
  };
  // polygon-dem reference §5: three digits at most.
  const Printed printed[] = {{0, 0, 1.07e-3}, {0, 1, 4.2e-4}, {0, 2, 2.1e-4}, {1, 0, 1.07e-3},
                             {1, 1, 4.2e-4},  {2, 0, 2.7e-4}, {2, 1, 1.04e-4}};
  double off = 0;
  std::string measured;
  for (const Printed& p : printed) {
    const double found = reference_place(all, p.reading).exact[p.tolerance];
    off = std::max(off, std::abs(found / p.value - 1));
    measured +=
        fmt::format("{}{} {:g} %: {:.3g} ({:g})", measured.empty() ? "" : "; ", threshold_readings[p.reading].name,
                    100 * threshold_tolerances[p.tolerance], found, p.value);
  }
  run.claim({"reference-values", "polygon-dem reference §5",
             "T_t = 1.07e-3 at 5 %, 4.2e-4 at 2 %, 2.1e-4 at 1 % (guided, with and without rotation); 2.7e-4 at 5 %, "
             "1.04e-4 at 2 % (free)",
             measured + "; printed in brackets", "3 %, the last printed digit", verdict(off < 0.03),
             "From the exact spectrum of the step, by where t_R has left its limit by the tolerance."});

  const double rotation = reference_place(all, 0).exact[0], held = reference_place(all, 1).exact[0],
               free = reference_place(all, 2).exact[0];
  run.claim({"published", "Eq. 9 and Fig. 3", "T_t ≈ 1e-3 with rotation and 1e-4 without",
             fmt::format("at 5 %: {:.3g} with rotation; without rotation {:.3g} (guided), {:.3g} (free)", rotation,
                         held, free),
             "half a decade, at the tolerance that gives 1e-3 with rotation: 5 %",
             verdict(std::abs(std::log10(rotation / 1e-3)) < 0.5 &&
                     std::min(std::abs(std::log10(held / 1e-4)), std::abs(std::log10(free / 1e-4))) < 0.5),
             "Without rotation only the reading `free` comes near 1e-4, and a threshold has no meaning without its "
             "tolerance, which is not printed."});
  run.claim({"factor", "polygon-dem reference §5; Fig. 3", "suppressing rotation lowers T_t by a factor 10",
             fmt::format(
                 "at one tolerance: {:.2f} (5 %), {:.2f} (1 %) in the reading `free`, {:.2f} in the reading `guided`",
                 rotation / free, reference_place(all, 0).exact[2] / reference_place(all, 2).exact[2], rotation / held),
             "a factor 2: a ratio read from one axis is known better than either power of ten",
             verdict(std::max(rotation / free, rotation / held) > 5),
             "The shares f_t = 1/4 and 1 of tangential strain energy give a factor 4; suppressing the rotation of the "
             "guided disc changes t_R and not T_t."});
}

void claim_decays(StudyRun& run, const std::vector<ThresholdPlace>& all) {
  // A decay shows one mode where the next one decays clearly faster; slip may leave another mixture of modes.
  double off = 0, scatter = 0, off_of_two = 0;
  int alone = 0, two = 0, other = 0, without = 0, unusable = 0;
  for (const ThresholdPlace& p : all) {
    if (!p.done || !p.decay) continue;
    if (!p.measured.usable) {
      ++unusable;
      continue;
    }
    const auto modes = slow_modes(p.given());
    if (std::abs(p.measured.limit / modes.front().relaxation - 1) > 0.005) {
      ++other;
      continue;
    }
    const double found = p.measured.at(shown_tolerance);
    if (!std::isfinite(p.exact[0]) && !std::isfinite(found)) {
      ++without;
      continue;
    }
    const double deviation =
        std::isfinite(found) && std::isfinite(p.exact[0]) ? std::abs(found / p.exact[0] - 1) : INFINITY;
    if (modes.size() > 1 && modes[1].relaxation > 0.8 * modes[0].relaxation) {
      off_of_two = std::max(off_of_two, deviation);
      ++two;
    } else {
      off = std::max(off, deviation);
      scatter = std::max(scatter, p.measured.scatter);
      ++alone;
    }
  }
  std::string text = fmt::format(
      "{} places where one mode is slowest by far: T_t at 5 % from decays within {:.2g} % of the spectrum's, b "
      "constant to {:.2g} %",
      alone, 100 * off, 100 * scatter);
  if (two > 0)
    text += fmt::format("; {} with a second mode that has more than 0.8 of its t_R: within {:.2g} %", two,
                        100 * off_of_two);
  text += fmt::format(
      "; no threshold by both at {}; the limit is not that of the slowest mode within 0.5 % at {}; no usable decay at "
      "{}",
      without, other, unusable);
  run.claim(
      {"decay-against-spectrum", "polygon-dem reference §5",
       "1/t_R(Δt) = 1/t_R(0) + bΔt, and decays give the thresholds of the spectrum", text,
       "2 %; an error of 0.5 % in t_R (reference §11) alone would be 14 % of T_t", verdict(alone > 0 && off < 0.02),
       "Decays at steps from the threshold on (quick: above it) and at Δt → 0 with geometric elongation; two modes of "
       "nearly equal rate are not told apart by a fit."});
}

void claim_prediction(StudyRun& run, const std::vector<ThresholdPlace>& all) {
  double off = 0, off_of_others = 0, general = 0, floor = INFINITY;
  int single = 0, others = 0, with_none = 0;
  for (const ThresholdPlace& p : all) {
    if (!p.done || p.friction != 500) continue;  // the spectrum is that of the sticking contact
    for (std::size_t k = 0; k < threshold_tolerances.size(); ++k) {
      const double tolerance = threshold_tolerances[k];
      const double of_all = predicted_threshold_of_all_modes(p.given(), tolerance);
      if (!std::isfinite(p.exact[k])) {
        with_none += of_all > largest_studied_step;
        general = of_all > largest_studied_step ? general : INFINITY;
        continue;
      }
      general = std::max(general, std::abs(p.exact[k] / of_all - 1));
      floor = std::min(floor, p.exact[k] / (2 * tolerance * p.tangential_time));
      // Is it another mode that is the slowest at the threshold?
      const bool crossed = std::abs(p.predicted[k] / (1 - tolerance) / of_all - 1) > 1e-6;
      const double deviation = std::abs(p.exact[k] / p.predicted[k] - 1);
      (crossed ? off_of_others : off) = std::max(crossed ? off_of_others : off, deviation);
      ++(crossed ? others : single);
    }
  }
  run.claim(
      {"prediction", "polygon-dem reference §5", "T_t t_c ≈ 2·tol·τ/f_t",
       fmt::format("{} thresholds at which the mode that is slowest for Δt → 0 still is: within {:.2g} %; {} at which "
                   "another has "
                   "become the slowest: up to {:.2g} % later; {} without threshold",
                   single, 100 * off, others, 100 * off_of_others, with_none),
       "10 %: the prediction is of first order in tol (5 %) and in the damping",
       verdict(single > 0 && std::max(off, off_of_others) < 0.1),
       others > 0
           ? "It holds for the mode that decides; where two modes decay at nearly equal rates the second takes over "
             "within "
             "the tolerance and the threshold comes later."
           : "τ is the mean of γ/k over normal and tangential weighted by strain energy, the reference's τ where the "
             "two are equal."});
  run.claim({"prediction-of-all-modes", "polygon-dem reference §5, extended to every mode",
             "T_t t_c = max over the modes of 2τ/f_t (t_R/(t_R(0)(1 − tol)) − 1)",
             fmt::format("{} thresholds within {:.2g} %; none predicted at {} places and tolerances without threshold",
                         single + others, 100 * general, with_none),
             "1 %: first order in the damping, whose ratio is 0.004", verdict(general < 0.01),
             "The same formula without the first order in tol, for whichever mode is the slowest at the step."});
  run.claim({"floor", "polygon-dem reference §5", "since f_t ≤ 1 the threshold has the floor 2·tol·τ (2.5e-4 at 5 %)",
             fmt::format("smallest T_t t_c/(2·tol·γ_t/k_t) over the grid: {:.3f}; at the reference parameters the "
                         "floor is {:.3g} at 5 %",
                         floor, 2 * 0.05 * reference_place(all, 2).tangential_time),
             "an inequality", verdict(floor >= 1),
             "A contact never adds more than k_tΔt/2 to γ_t, whatever the mode."});
}

void claim_dependence(StudyRun& run, const std::vector<ThresholdPlace>& all, const ThresholdGrid& g) {
  std::string ratios;
  bool varies = true;
  for (std::size_t r = 0; r < threshold_readings.size(); ++r) {
    double k_least = INFINITY, k_most = 0, e_least = INFINITY, e_most = 0;
    for (const ThresholdPlace& p : all) {
      if (p.reading != r || p.friction != 500 || !p.done || !std::isfinite(p.exact[0])) continue;
      if (p.restitution_ratio == reference_restitution_ratio)
        k_least = std::min(k_least, p.exact[0]), k_most = std::max(k_most, p.exact[0]);
      if (p.stiffness_ratio == reference_stiffness_ratio)
        e_least = std::min(e_least, p.exact[0]), e_most = std::max(e_most, p.exact[0]);
    }
    varies = varies && k_most / k_least > 2 && e_most / e_least > 2;
    ratios += fmt::format(
        "{}{}: {:.2g} to {:.2g} over k_t/k_n = {:.3g} to {:.3g}, {:.2g} to {:.2g} over ε_t/ε_n = {:g} to {:g}",
        r == 0 ? "" : "; ", threshold_readings[r].name, k_least, k_most, g.stiffness.front(), g.stiffness.back(),
        e_least, e_most, g.restitution.front(), g.restitution.back());
  }
  run.claim({"ratios", "Eq. 9", "T_t depends on k_t/k_n and ε_t/ε_n", "at 5 %, " + ratios,
             "a factor 2, visible in a figure with logarithmic axis", verdict(varies),
             "Both ratios decide the share of tangential strain energy and the damping of the slowest mode."});

  std::string text;
  bool same = true;
  for (std::size_t r = 0; r < threshold_readings.size(); ++r) {
    text += fmt::format("{}{}:", r == 0 ? "" : "; ", threshold_readings[r].name);
    const double at_reference = reference_place(all, r).measured.at(shown_tolerance);
    std::string last;
    double first_of_last = 0, last_mu = 0;
    const auto say = [&] {  // frictions of the same threshold together
      if (!last.empty())
        text += fmt::format(" {}: {},",
                            first_of_last == last_mu ? fmt::format("{:g}", last_mu)
                                                     : fmt::format("{:g} to {:g}", first_of_last, last_mu),
                            last);
    };
    for (double mu : g.friction) {
      const ThresholdPlace& p = reference_place(all, r, mu);
      if (!p.decay) continue;
      const double found = p.measured.at(shown_tolerance);
      const std::string word = p.measured.usable ? shown(found) : "no decay";
      if (word != last) {
        say();
        first_of_last = mu;
      }
      last = word;
      last_mu = mu;
      if (p.measured.usable && mu > 0) same = same && std::abs(found / at_reference - 1) < 0.05;
      if (mu == 0 && r < 2) same = same && p.measured.usable && !std::isfinite(found);
    }
    say();
    if (text.back() == ',') text.pop_back();
  }
  run.claim({"friction", "Eq. 9", "T_t depends on μ", fmt::format("T_t at 5 % from decays over μ: {}", text),
             "5 % of T_t between frictions at which the contact sticks late in the decay",
             same ? ClaimVerdict::differs : ClaimVerdict::agrees,
             same ? "μ decides whether the contact sticks at rest; where it does the threshold is that of the sticking "
                    "contact, where it slides there is none."
                  : "In the reading `free` slip near μ = 1 leaves the normal mode, which hardly depends on Δt; where "
                    "the contact "
                    "sticks T_t does not depend on μ, and where it slides there is none."});
}

void claim_geometric(StudyRun& run) {
  double largest = 0;
  for (const auto& [reading, name] : threshold_readings)
    for (double k : threshold_grid(true).stiffness)
      for (double e : threshold_grid(true).restitution) {
        Case c = with_ratios(two_disc_case(reading, largest_studied_step), k, e);
        const double far = slowest_mode(c).relaxation;
        c.time.step *= 1e-2;
        largest = std::max(largest, std::abs(far / slowest_mode(c).relaxation - 1));
      }
  run.claim(
      {"geometric", "polygon-dem reference §5", "geometric elongation has no threshold",
       fmt::format("t_R at Δt/t_c = {:g} deviates from its limit by at most {:.2g} % over 27 places: T_t > {:g} at 1 %",
                   largest_studied_step, 100 * largest, largest_studied_step),
       "1 %, the smallest tolerance", verdict(largest < 0.01),
       "An upper bound on the deviation; above 0.1 t_c the stability limit follows."});
}

Panel axis_panel(const std::vector<ThresholdPlace>& all, const char* title, const char* label, bool log_x,
                 double ThresholdPlace::*axis, bool (*on_axis)(const ThresholdPlace&)) {
  Panel panel{title, label, "T_t (Δt/t_c)", log_x, true, {}, {}};
  for (std::size_t r = 0; r < threshold_readings.size(); ++r) {
    Curve decays{fmt::format("{}, 5 %, decays", threshold_readings[r].name), {}, {}, {}, {}, Curve::Style::points};
    Curve exact{fmt::format("{}, 5 %, spectrum", threshold_readings[r].name), {}, {}, {}, {}, Curve::Style::line};
    Curve theory{fmt::format("{}, 2·tol·τ/f_t", threshold_readings[r].name), {}, {}, {}, {}, Curve::Style::prediction};
    for (const ThresholdPlace& p : all) {
      if (p.reading != r || !p.done || !on_axis(p) || (log_x && p.*axis <= 0)) continue;
      if (const double t = p.measured.at(shown_tolerance); p.decay && p.measured.usable && std::isfinite(t))
        decays.x.push_back(p.*axis), decays.y.push_back(t);
      if (axis == &ThresholdPlace::friction) continue;  // the spectrum knows sticking contacts alone
      if (std::isfinite(p.exact[0])) exact.x.push_back(p.*axis), exact.y.push_back(p.exact[0]);
      if (std::isfinite(p.predicted[0]) && p.predicted[0] < 1)
        theory.x.push_back(p.*axis), theory.y.push_back(p.predicted[0]);
    }
    if (axis == &ThresholdPlace::friction)
      theory = {theory.label, decays.x, std::vector<double>(decays.x.size(), reference_place(all, r).predicted[0]),
                {},           {},       Curve::Style::prediction};
    for (Curve* curve : {&decays, &exact, &theory})
      if (!curve->x.empty()) panel.curves.push_back(std::move(*curve));
  }
  return panel;
}

Panel map_panel(const std::vector<ThresholdPlace>& all, std::size_t reading, const ThresholdGrid& g) {
  Panel panel{fmt::format("map over both ratios, 5 %: {}", threshold_readings[reading].name),
              "k_t/k_n",
              "T_t (Δt/t_c)",
              true,
              true,
              {},
              {}};
  for (double e : g.restitution) {
    Curve curve{fmt::format("ε_t/ε_n = {:g}", e), {}, {}, {}, {}, Curve::Style::line_and_points};
    for (const ThresholdPlace& p : all)
      if (p.reading == reading && p.friction == 500 && p.restitution_ratio == e && p.done && std::isfinite(p.exact[0]))
        curve.x.push_back(p.stiffness_ratio), curve.y.push_back(p.exact[0]);
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

Panel tolerance_panel(const std::vector<ThresholdPlace>& all) {
  Panel panel{"tolerance, reference parameters", "tolerance", "T_t (Δt/t_c)", true, true, {}, {}};
  for (std::size_t r = 0; r < threshold_readings.size(); ++r) {
    const ThresholdPlace& p = reference_place(all, r);
    Curve exact{fmt::format("{}, spectrum", threshold_readings[r].name), {}, {}, {}, {}, Curve::Style::points},
        theory{fmt::format("{}, 2·tol·τ/f_t", threshold_readings[r].name), {}, {}, {}, {}, Curve::Style::prediction};
    for (std::size_t k = 0; k < threshold_tolerances.size(); ++k) {
      exact.x.push_back(threshold_tolerances[k]), exact.y.push_back(p.exact[k]);
      theory.x.push_back(threshold_tolerances[k]), theory.y.push_back(p.predicted[k]);
    }
    panel.curves.push_back(std::move(exact));
    panel.curves.push_back(std::move(theory));
  }
  return panel;
}

}  // namespace

void thresholds(StudyRun& run) {
  const ThresholdGrid g = threshold_grid(run.quick());
  const std::vector<ThresholdPlace> all = work_out_places(run);
  claim_reference_values(run, all);
  claim_decays(run, all);
  claim_prediction(run, all);
  claim_dependence(run, all, g);
  claim_geometric(run);

  Figure figure{"pena2008/thresholds",
                "Thresholds of the time step",
                {},
                {},
                text_of_file(run.sources() / "case.toml"),
                "dem validate pena2008/thresholds"};
  figure.panels.push_back(
      axis_panel(all, "friction", "μ", true, &ThresholdPlace::friction, [](const ThresholdPlace& p) {
        return p.stiffness_ratio == reference_stiffness_ratio && p.restitution_ratio == reference_restitution_ratio;
      }));
  figure.panels.push_back(axis_panel(
      all, "stiffness ratio", "k_t/k_n", true, &ThresholdPlace::stiffness_ratio,
      [](const ThresholdPlace& p) { return p.friction == 500 && p.restitution_ratio == reference_restitution_ratio; }));
  figure.panels.push_back(axis_panel(
      all, "restitution ratio", "ε_t/ε_n", false, &ThresholdPlace::restitution_ratio,
      [](const ThresholdPlace& p) { return p.friction == 500 && p.stiffness_ratio == reference_stiffness_ratio; }));
  figure.panels.push_back(tolerance_panel(all));
  for (std::size_t r : {std::size_t(0), std::size_t(2)}) figure.panels.push_back(map_panel(all, r, g));
  figure.caption =
      "T_t: the largest Δt/t_c at which t_R is within a tolerance of its limit for Δt → 0, with velocity elongation. "
      "Points: decays; lines: exact spectrum of the "
      "step; dashed: 2·tol·τ/f_t. Without rotation in the reading `guided` T_t is that with rotation at equal ratios "
      "of γ and k. Where a curve has no "
      "point t_R does not leave its limit up to Δt/t_c = 0.1, as with geometric elongation everywhere.";
  run.figure(std::move(figure));
}

}  // namespace dem::validation::pena2008
