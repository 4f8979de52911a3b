// T_t(μ, k_t/k_n, ε_t/ε_n) of Peña, Lind and Herrmann, Eq. 9, as a function, beside its prediction 2·tol·τ/f_t (polygon-dem reference, §5).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "validation/pena2008/relaxation_curve.hpp"
#include "validation/pena2008/studies.hpp"
#include "validation/pena2008/thresholds/threshold.hpp"
#include "validation/pena2008/two_discs.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr std::array tolerances{0.05, 0.02, 0.01};
constexpr double reference_stiffness_ratio = 1.0 / 3, reference_restitution_ratio = 1.0053, shown_tolerance = 0.05;
struct ReadingName { Reading reading; const char* name; };
constexpr std::array readings{ReadingName{Reading::guided, "with rotation, guided"}, ReadingName{Reading::guided_no_rotation, "no rotation, guided"},
                              ReadingName{Reading::free_no_rotation, "no rotation, free"}};

Case threshold_case(Reading reading, double stiffness_ratio, double restitution_ratio, double friction = 500) {
  Case c = with_velocity_elongation(with_ratios(two_disc_case(reading, 1e-3), stiffness_ratio, restitution_ratio));
  c.material.friction = friction;
  return c;
}

/// A threshold at one place of the three parameters, by all that is known of it.
struct Place {
  std::size_t reading = 0;
  double friction = 500, stiffness_ratio = reference_stiffness_ratio, restitution_ratio = reference_restitution_ratio;
  bool decay = false;  ///< measured from decays as well
  // Found:
  std::array<double, 3> exact{}, predicted{};  // at each tolerance
  double tangential_share = 0, damping_time = 0, tangential_time = 0;
  MeasuredThreshold measured;
  std::string message;
  bool done = false;

  Case given() const { return threshold_case(readings[reading].reading, stiffness_ratio, restitution_ratio, friction); }
  std::string text() const { return fmt::format("{} {:g} {:g} {:g} {}", reading, friction, stiffness_ratio, restitution_ratio, decay); }
};

struct Grid {
  std::vector<double> friction, stiffness, restitution;
};
Grid grid(bool quick) {
  if (quick) return {{0, 0.1, 500}, {0.1, reference_stiffness_ratio, 1}, {0.98, reference_restitution_ratio, 1.01}};
  return {{0, 0.01, 0.1, 0.3, 0.5, 0.9, 1.1, 1.2, 2, 10, 100, 500},
          {0.01, 0.02, 0.05, 0.1, 0.2, reference_stiffness_ratio, 0.5, 0.8, 1},
          {0.98, 0.985, 0.99, 0.995, 1, 1.0025, reference_restitution_ratio, 1.008, 1.01}};
}

/// Each axis through the reference place with decays, and the map over both ratios from the spectrum.
std::vector<Place> places(const Grid& g, bool quick) {
  std::vector<Place> all;
  const auto add = [&](std::size_t reading, double friction, double stiffness, double restitution, bool decay) {
    Place p;
    p.reading = reading, p.friction = friction, p.stiffness_ratio = stiffness, p.restitution_ratio = restitution, p.decay = decay;
    all.push_back(std::move(p));
  };
  for (std::size_t r = 0; r < readings.size(); ++r) {
    for (double k : g.stiffness)
      for (double e : g.restitution) {
        const bool on_axis = k == reference_stiffness_ratio || e == reference_restitution_ratio;
        add(r, 500, k, e, quick ? k == reference_stiffness_ratio && e == reference_restitution_ratio : on_axis);
      }
    for (double mu : g.friction)
      if (mu != 500) add(r, mu, reference_stiffness_ratio, reference_restitution_ratio, true);
  }
  return all;
}

std::vector<double> work_out(Place p, bool quick, TaskProgress& progress) {
  const Case c = p.given();
  std::vector<double> numbers;
  for (double tolerance : tolerances) numbers.push_back(exact_threshold(c, tolerance));
  for (double tolerance : tolerances) numbers.push_back(predicted_threshold(c, tolerance));
  const SlowMode mode = slow_mode(c);
  numbers.insert(numbers.end(), {mode.tangential_share, mode.damping_time,
                                 c.material.tangential_damping.value() / c.material.tangential_stiffness / contact_duration_of(c)});
  MeasuredThreshold m;
  if (p.decay) {
    // Steps about the threshold itself; where there is none, or in the quick set, larger ones and the straight line in Δt.
    double centre = numbers[0];
    if (!std::isfinite(centre)) centre = 0.03;
    std::vector<double> steps{0.5 * centre, centre, 2 * centre};
    if (quick) steps = {2 * centre, 4 * centre};
    m = measure_threshold(c, steps, [&](double share) { progress.done(share); });
  }
  numbers.insert(numbers.end(), {m.limit, m.slope, m.scatter, double(m.usable), m.r_squared});
  return numbers;
}

std::vector<Place> work_out_all(StudyRun& run) {
  std::vector<Place> all = places(grid(run.quick()), run.quick());
  std::string what = fmt::format("exact, predicted at 5, 2, 1 %, decays at {}", run.quick() ? "2, 4" : "0.5, 1, 2");
  std::vector<double> cost;
  for (const Place& p : all) {
    what += "; " + p.text();
    cost.push_back(p.decay ? (p.reading == 2 ? 40 : 10) : 1);
  }
  const auto results = run.tasks("grid", all.size(), [&](std::size_t k, TaskProgress& progress) { return work_out(all[k], run.quick(), progress); }, what, cost);
  for (std::size_t k = 0; k < all.size(); ++k) {
    Place& p = all[k];
    p.done = results[k].done;
    p.message = results[k].message;
    if (!p.done) continue;
    const auto& x = results[k].numbers;
    std::copy_n(x.begin(), 3, p.exact.begin());
    std::copy_n(x.begin() + 3, 3, p.predicted.begin());
    p.tangential_share = x[6], p.damping_time = x[7], p.tangential_time = x[8];
    p.measured = {x[9], x[10], x[11], x[12] > 0, x[13]};
  }
  return all;
}

const Place& reference_place(const std::vector<Place>& all, std::size_t reading, double friction = 500) {
  for (const Place& p : all)
    if (p.reading == reading && p.friction == friction && p.stiffness_ratio == reference_stiffness_ratio && p.restitution_ratio == reference_restitution_ratio)
      return p;
  throw std::out_of_range("the reference place is not in the grid");
}

std::string shown(double threshold) { return std::isfinite(threshold) ? fmt::format("{:.3g}", threshold) : std::string("none"); }

void claim_reference_values(StudyRun& run, const std::vector<Place>& all) {
  struct Printed { std::size_t reading, tolerance; double value; };
  // polygon-dem reference §5: three digits at most.
  const Printed printed[] = {{0, 0, 1.07e-3}, {0, 1, 4.2e-4}, {0, 2, 2.1e-4}, {1, 0, 1.07e-3}, {1, 1, 4.2e-4}, {2, 0, 2.7e-4}, {2, 1, 1.04e-4}};
  double off = 0;
  std::string measured;
  for (const Printed& p : printed) {
    const double found = reference_place(all, p.reading).exact[p.tolerance];
    off = std::max(off, std::abs(found / p.value - 1));
    measured += fmt::format("{}{} {:g} %: {:.3g} ({:g})", measured.empty() ? "" : "; ", readings[p.reading].name, 100 * tolerances[p.tolerance], found, p.value);
  }
  run.claim({"reference-values", "polygon-dem reference §5", "T_t = 1.07e-3 at 5 %, 4.2e-4 at 2 %, 2.1e-4 at 1 % (guided, with and without rotation); 2.7e-4 at 5 %, "
             "1.04e-4 at 2 % (free)", measured + "; printed in brackets", "3 %, the last printed digit", verdict(off < 0.03),
             "From the exact spectrum of the step, by where t_R has left its limit by the tolerance."});

  const double rotation = reference_place(all, 0).exact[0], held = reference_place(all, 1).exact[0], free = reference_place(all, 2).exact[0];
  run.claim({"published", "Eq. 9 and Fig. 3", "T_t ≈ 1e-3 with rotation and 1e-4 without, a function of μ, k_t/k_n and ε_t/ε_n",
             fmt::format("at 5 %: {:.3g} with rotation; without rotation {:.3g} (guided), {:.3g} (free)", rotation, held, free),
             "half a decade, at the tolerance that gives 1e-3 with rotation: 5 %",
             verdict(std::abs(std::log10(rotation / 1e-3)) < 0.5 && std::min(std::abs(std::log10(held / 1e-4)), std::abs(std::log10(free / 1e-4))) < 0.5),
             "Without rotation only the reading `free` comes near 1e-4, and a threshold has no meaning without its tolerance, which is not printed."});
  run.claim({"factor", "polygon-dem reference §5; Fig. 3", "suppressing rotation lowers T_t by a factor 10",
             fmt::format("at one tolerance: {:.2f} (5 %), {:.2f} (1 %) in the reading `free`, {:.2f} in the reading `guided`", rotation / free,
                         reference_place(all, 0).exact[2] / reference_place(all, 2).exact[2], rotation / held),
             "a factor 2: a ratio read from one axis is known better than either power of ten", verdict(std::max(rotation / free, rotation / held) > 5),
             "The shares f_t = 1/4 and 1 of tangential strain energy give a factor 4; suppressing the rotation of the guided disc changes t_R and not T_t."});
}

void claim_decays(StudyRun& run, const std::vector<Place>& all) {
  double off = 0, scatter = 0;
  int compared = 0, without = 0, unusable = 0;
  for (const Place& p : all) {
    if (!p.done || !p.decay) continue;
    if (!p.measured.usable) { ++unusable; continue; }
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
  run.claim({"decay-against-spectrum", "polygon-dem reference §5", "1/t_R(Δt) = 1/t_R(0) + bΔt, and decays give the thresholds of the spectrum",
             fmt::format("{} places: T_t at 5 % from decays within {:.2g} % of the spectrum's, b constant to {:.2g} % over the steps; no threshold by both at {} places; "
                         "no usable decay at {}", compared, 100 * off, 100 * scatter, without, unusable),
             "2 %: 0.5 % of t_R at both ends of a 5 % change would be 14 %, the line through three steps is better", verdict(compared > 0 && off < 0.02),
             "Decays are measured at steps about the threshold (quick: above it) and at Δt → 0 with geometric elongation."});
}

void claim_prediction(StudyRun& run, const std::vector<Place>& all) {
  double off = 0, corrected = 0, floor = INFINITY;
  int compared = 0, with_none = 0;
  for (const Place& p : all) {
    if (!p.done || p.friction == 0) continue;
    for (std::size_t k = 0; k < tolerances.size(); ++k) {
      if (!std::isfinite(p.exact[k])) { ++with_none; continue; }
      if (!std::isfinite(p.predicted[k])) { off = INFINITY; continue; }
      off = std::max(off, std::abs(p.exact[k] / p.predicted[k] - 1));
      corrected = std::max(corrected, std::abs(p.exact[k] * (1 - tolerances[k]) / p.predicted[k] - 1));
      floor = std::min(floor, p.exact[k] / (2 * tolerances[k] * p.tangential_time));
      ++compared;
    }
  }
  run.claim({"prediction", "polygon-dem reference §5", "T_t t_c ≈ 2·tol·τ/f_t",
             fmt::format("{} thresholds over the grid: at most {:.2g} % from 2·tol·τ/f_t, {:.2g} % from 2·tol·τ/((1 − tol) f_t); {} places and tolerances without threshold",
                         compared, 100 * off, 100 * corrected, with_none),
             "10 %: the prediction is of first order in tol (5 %) and in the damping", verdict(compared > 0 && off < 0.1),
             "τ is the mean of γ/k over normal and tangential weighted by strain energy, which is the reference's τ where the two are equal."});
  run.claim({"floor", "polygon-dem reference §5", "since f_t ≤ 1 the threshold has the floor 2·tol·τ (2.5e-4 at 5 %)",
             fmt::format("smallest T_t t_c/(2·tol·γ_t/k_t) over the grid: {:.3f}; at the reference parameters the floor is {:.3g} at 5 %", floor,
                         2 * 0.05 * reference_place(all, 2).tangential_time),
             "an inequality", verdict(floor >= 1), "A contact never adds more than k_tΔt/2 to γ_t, whatever the mode."});
}

void claim_friction(StudyRun& run, const std::vector<Place>& all, const Grid& g) {
  std::string text;
  bool same = true;
  for (std::size_t r = 0; r < readings.size(); ++r) {
    text += fmt::format("{}{}:", r == 0 ? "" : "; ", readings[r].name);
    const double at_reference = reference_place(all, r).measured.at(shown_tolerance);
    for (double mu : g.friction) {
      const Place& p = reference_place(all, r, mu);
      if (!p.decay) continue;
      const double found = p.measured.at(shown_tolerance);
      text += fmt::format(" {:g}: {}", mu, p.measured.usable ? shown(found) : "no decay");
      if (p.measured.usable && mu > 0) same = same && std::abs(found / at_reference - 1) < 0.05;
      if (mu == 0 && r < 2) same = same && p.measured.usable && !std::isfinite(found);
    }
  }
  run.claim({"friction", "Eq. 9: T_t depends on μ", "T_t is a function of μ", fmt::format("T_t at 5 % from decays over μ: {}", text),
             "5 % of T_t between frictions at which the contact sticks late in the decay", same ? ClaimVerdict::differs : ClaimVerdict::agrees,
             "μ decides whether the contact sticks at rest; where it does the threshold is that of the sticking contact, where it slides there is none."});
}

void claim_geometric(StudyRun& run) {
  double largest = 0;
  for (const auto& [reading, name] : readings)
    for (double k : grid(true).stiffness)
      for (double e : grid(true).restitution) {
        Case c = with_ratios(two_disc_case(reading, largest_studied_step), k, e);
        const double far = slowest_mode(c).relaxation;
        c.time.step *= 1e-2;
        largest = std::max(largest, std::abs(far / slowest_mode(c).relaxation - 1));
      }
  run.claim({"geometric", "polygon-dem reference §5", "geometric elongation has no threshold",
             fmt::format("t_R at Δt/t_c = {:g} deviates from its limit by at most {:.2g} % over 27 places: T_t > {:g} at 1 %", largest_studied_step, 100 * largest, largest_studied_step),
             "1 %, the smallest tolerance", verdict(largest < 0.01), "An upper bound on the deviation; above 0.1 t_c the stability limit follows."});
}

Panel axis_panel(const std::vector<Place>& all, const char* title, const char* label, bool log_x, double Place::*axis, bool (*on_axis)(const Place&)) {
  Panel panel{title, label, "T_t (Δt/t_c)", log_x, true, {}, {}};
  for (std::size_t r = 0; r < readings.size(); ++r) {
    Curve decays{fmt::format("{}, 5 %, decays", readings[r].name), {}, {}, {}, {}, Curve::Style::points};
    Curve exact{fmt::format("{}, 5 %, spectrum", readings[r].name), {}, {}, {}, {}, Curve::Style::line};
    Curve theory{fmt::format("{}, 2·tol·τ/f_t", readings[r].name), {}, {}, {}, {}, Curve::Style::prediction};
    for (const Place& p : all) {
      if (p.reading != r || !p.done || !on_axis(p) || (log_x && p.*axis <= 0)) continue;
      if (const double t = p.measured.at(shown_tolerance); p.decay && p.measured.usable && std::isfinite(t)) decays.x.push_back(p.*axis), decays.y.push_back(t);
      if (axis == &Place::friction) continue;  // the spectrum knows sticking contacts alone
      if (std::isfinite(p.exact[0])) exact.x.push_back(p.*axis), exact.y.push_back(p.exact[0]);
      if (std::isfinite(p.predicted[0]) && p.predicted[0] < 1) theory.x.push_back(p.*axis), theory.y.push_back(p.predicted[0]);
    }
    if (axis == &Place::friction) theory = {theory.label, decays.x, std::vector<double>(decays.x.size(), reference_place(all, r).predicted[0]), {}, {}, Curve::Style::prediction};
    for (Curve* curve : {&decays, &exact, &theory})
      if (!curve->x.empty()) panel.curves.push_back(std::move(*curve));
  }
  return panel;
}

Panel map_panel(const std::vector<Place>& all, std::size_t reading, const Grid& g) {
  Panel panel{fmt::format("map over both ratios, 5 %: {}", readings[reading].name), "k_t/k_n", "T_t (Δt/t_c)", true, true, {}, {}};
  for (double e : g.restitution) {
    Curve curve{fmt::format("ε_t/ε_n = {:g}", e), {}, {}, {}, {}, Curve::Style::line_and_points};
    for (const Place& p : all)
      if (p.reading == reading && p.friction == 500 && p.restitution_ratio == e && p.done && std::isfinite(p.exact[0]))
        curve.x.push_back(p.stiffness_ratio), curve.y.push_back(p.exact[0]);
    if (!curve.x.empty()) panel.curves.push_back(std::move(curve));
  }
  return panel;
}

Panel tolerance_panel(const std::vector<Place>& all) {
  Panel panel{"tolerance, reference parameters", "tolerance", "T_t (Δt/t_c)", true, true, {}, {}};
  for (std::size_t r = 0; r < readings.size(); ++r) {
    const Place& p = reference_place(all, r);
    Curve exact{fmt::format("{}, spectrum", readings[r].name), {}, {}, {}, {}, Curve::Style::points}, theory{fmt::format("{}, 2·tol·τ/f_t", readings[r].name), {}, {}, {}, {}, Curve::Style::prediction};
    for (std::size_t k = 0; k < tolerances.size(); ++k) {
      exact.x.push_back(tolerances[k]), exact.y.push_back(p.exact[k]);
      theory.x.push_back(tolerances[k]), theory.y.push_back(p.predicted[k]);
    }
    panel.curves.push_back(std::move(exact));
    panel.curves.push_back(std::move(theory));
  }
  return panel;
}

}  // namespace

void thresholds(StudyRun& run) {
  const Grid g = grid(run.quick());
  const std::vector<Place> all = work_out_all(run);
  claim_reference_values(run, all);
  claim_decays(run, all);
  claim_prediction(run, all);
  claim_friction(run, all, g);
  claim_geometric(run);

  Figure figure{"pena2008/thresholds", "Thresholds of the time step", {}, {}, text_of_file(run.sources() / "case.toml"),
                "dem validate pena2008/thresholds"};
  figure.panels.push_back(axis_panel(all, "friction", "μ", true, &Place::friction, [](const Place& p) {
    return p.stiffness_ratio == reference_stiffness_ratio && p.restitution_ratio == reference_restitution_ratio; }));
  figure.panels.push_back(axis_panel(all, "stiffness ratio", "k_t/k_n", true, &Place::stiffness_ratio, [](const Place& p) {
    return p.friction == 500 && p.restitution_ratio == reference_restitution_ratio; }));
  figure.panels.push_back(axis_panel(all, "restitution ratio", "ε_t/ε_n", false, &Place::restitution_ratio, [](const Place& p) {
    return p.friction == 500 && p.stiffness_ratio == reference_stiffness_ratio; }));
  figure.panels.push_back(tolerance_panel(all));
  for (std::size_t r : {std::size_t(0), std::size_t(2)}) figure.panels.push_back(map_panel(all, r, g));
  figure.caption = "T_t: the largest Δt/t_c at which t_R is within a tolerance of its limit for Δt → 0, with velocity elongation. Points: decays; lines: exact spectrum of the "
                   "step; dashed: 2·tol·τ/f_t. Without rotation in the reading `guided` T_t is that with rotation at equal ratios of γ and k. Where a curve has no "
                   "point t_R does not leave its limit up to Δt/t_c = 0.1, as with geometric elongation everywhere.";
  run.figure(std::move(figure));
}

}  // namespace dem::validation::pena2008
