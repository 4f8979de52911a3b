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
  double off = 0, scatter = 0;
  int compared = 0, without = 0, unusable = 0;
  for (const ThresholdPlace& p : all) {
    if (!p.done || !p.decay) continue;
    if (!p.measured.usable) {
      ++unusable;
      continue;
    }
    const double found = p.measured.at(shown_tolerance);
    if (!std::isfinite(p.exact[0]) || !std::isfinite(found)) {
      without += std::isfinite(p.exact[0]) == std::isfinite(found);
      off = std::isfinite(p.exact[0]) == std::isfinite(found) ? off : INFINITY;
      continue;
    }
    off = std::max(off, std::abs(found / p.exact[0] - 1));
    scatter = std::max(scatter, p.measured.scatter);
    ++compared;
  }
  run.claim(
      {"decay-against-spectrum", "polygon-dem reference §5",
       "1/t_R(Δt) = 1/t_R(0) + bΔt, and decays give the thresholds of the spectrum",
       fmt::format("{} places: T_t at 5 % from decays within {:.2g} % of the spectrum's, b constant to {:.2g} % over "
                   "the steps; no threshold by both at {} places; "
                   "no usable decay at {}",
                   compared, 100 * off, 100 * scatter, without, unusable),
       "2 %: 0.5 % of t_R at both ends of a 5 % change would be 14 %, the line through three steps is better",
       verdict(compared > 0 && off < 0.02),
       "Decays are measured at steps about the threshold (quick: above it) and at Δt → 0 with geometric elongation."});
}

void claim_prediction(StudyRun& run, const std::vector<ThresholdPlace>& all) {
  double off = 0, corrected = 0, floor = INFINITY;
  int compared = 0, with_none = 0;
  for (const ThresholdPlace& p : all) {
    if (!p.done || p.friction == 0) continue;
    for (std::size_t k = 0; k < threshold_tolerances.size(); ++k) {
      if (!std::isfinite(p.exact[k])) {
        ++with_none;
        continue;
      }
      if (!std::isfinite(p.predicted[k])) {
        off = INFINITY;
        continue;
      }
      off = std::max(off, std::abs(p.exact[k] / p.predicted[k] - 1));
      corrected = std::max(corrected, std::abs(p.exact[k] * (1 - threshold_tolerances[k]) / p.predicted[k] - 1));
      floor = std::min(floor, p.exact[k] / (2 * threshold_tolerances[k] * p.tangential_time));
      ++compared;
    }
  }
  run.claim({"prediction", "polygon-dem reference §5", "T_t t_c ≈ 2·tol·τ/f_t",
             fmt::format("{} thresholds over the grid: at most {:.2g} % from 2·tol·τ/f_t, {:.2g} % from 2·tol·τ/((1 − "
                         "tol) f_t); {} places and tolerances without threshold",
                         compared, 100 * off, 100 * corrected, with_none),
             "10 %: the prediction is of first order in tol (5 %) and in the damping",
             verdict(compared > 0 && off < 0.1),
             "τ is the mean of γ/k over normal and tangential weighted by strain energy, which is the reference's τ "
             "where the two are equal."});
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
    const char* comma = " ";
    for (double mu : g.friction) {
      const ThresholdPlace& p = reference_place(all, r, mu);
      if (!p.decay) continue;
      const double found = p.measured.at(shown_tolerance);
      text += fmt::format("{}{:g}: {}", comma, mu, p.measured.usable ? shown(found) : "no decay");
      comma = ", ";
      if (p.measured.usable && mu > 0) same = same && std::abs(found / at_reference - 1) < 0.05;
      if (mu == 0 && r < 2) same = same && p.measured.usable && !std::isfinite(found);
    }
  }
  run.claim({"friction", "Eq. 9", "T_t depends on μ", fmt::format("T_t at 5 % from decays over μ: {}", text),
             "5 % of T_t between frictions at which the contact sticks late in the decay",
             same ? ClaimVerdict::differs : ClaimVerdict::agrees,
             same ? "μ decides whether the contact sticks at rest; where it does the threshold is that of the sticking "
                    "contact, where it slides there is none."
                  : "Slip in the approach to rest changes the mixture of modes that the fit sees."});
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
