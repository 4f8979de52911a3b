// Fig. 3 of Peña, Lind and Herrmann: the relaxation time of two discs against the time step, for stiffnesses and
// friction, with rotation and without (polygon-dem reference, §5 and §9).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/run/simulation.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "validation/pena2008/relaxation_curve.hpp"
#include "validation/pena2008/studies.hpp"
#include "validation/pena2008/two_discs.hpp"

namespace dem::validation::pena2008 {

namespace {

/// One reading of the set-up over stiffnesses and time steps.
struct Series {
  std::string name;
  Reading reading;
  SweepTable table;
  std::vector<double> stiffnesses;
  std::vector<RelaxationCurve> curves;  // one a stiffness
  double limit = 0;                     // t_R/t_c for Δt → 0 (spectrum, geometric elongation)
};

Series read_series(StudyRun& run, std::string name, Reading reading, std::string_view file) {
  Series s{std::move(name), reading, run.sweep(file), {}, {}, 0};
  s.stiffnesses = values_of(s.table, "normal_stiffness");
  for (double k_n : s.stiffnesses)
    s.curves.push_back(relaxation_curve(s.table, "dt_over_tc", {{"normal_stiffness", k_n}}));
  s.limit = slowest_mode(two_disc_case(reading, 1e-3)).relaxation;
  return s;
}

std::function<double(double)> spectrum(Reading reading, double friction = 500) {
  return [reading, friction](double dt) {
    Case c = with_velocity_elongation(two_disc_case(reading, dt));
    c.material.friction = friction;
    return slowest_mode(c).relaxation;
  };
}

/// Largest relative difference between two stiffnesses at the same Δt/t_c.
double spread(const Series& s) {
  double largest = 0;
  for (std::size_t k = 0; k < s.curves[0].size(); ++k) {
    double least = INFINITY, most = 0;
    for (const RelaxationCurve& curve : s.curves)
      if (curve[k].usable()) least = std::min(least, curve[k].relaxation), most = std::max(most, curve[k].relaxation);
    if (most > 0) largest = std::max(largest, most / least - 1);
  }
  return largest;
}

double spectrum_deviation(const Series& s) {
  double largest = 0;
  const auto f = spectrum(s.reading);
  std::vector<std::pair<double, double>> known;  // the spectrum is the same for all stiffnesses
  const auto looked_up = [&](double dt) {
    for (const auto& [x, y] : known)
      if (x == dt) return y;
    known.emplace_back(dt, f(dt));
    return known.back().second;
  };
  for (const RelaxationCurve& curve : s.curves) largest = std::max(largest, largest_deviation(curve, looked_up));
  return largest;
}

std::string step_text(double threshold) {
  return std::isfinite(threshold) ? fmt::format("{:.2e}", threshold) : std::string("none up to the largest step");
}

/// A threshold read off a figure with logarithmic axis is known to half a decade.
bool within_half_a_decade(double found, double published) {
  return std::isfinite(found) && std::abs(std::log10(found / published)) <= 0.5;
}

/// The set-up as printed, with rotation: kinetic energy at the start and at the end of its second half, and the
/// exponent between.
std::vector<double> literal_set_up() {
  Case c = with_velocity_elongation(two_disc_case(Reading::free_no_rotation, 1e-2));
  c.assembly.bodies[1].fix_rotation = false;
  const double t_c = contact_duration_of(c);
  Simulation run(c);
  // Means over a stretch of ten contact times, longer than the vibrations that ride on the energy of rolling.
  const auto mean_energy = [&](double from) {
    double sum = 0;
    int steps = 0;
    while (run.time() < (from + 10) * t_c) {
      run.step();
      if (run.time() > from * t_c) sum += kinetic_energy(run.state()), ++steps;
    }
    return sum / steps;
  };
  const double early = mean_energy(45), late = mean_energy(95);
  return {early, late, std::log(late / early) / std::log(2.0)};
}

void claim_collapse(StudyRun& run, std::span<const Series> all) {
  std::string measured;
  bool holds = true;
  for (const Series& s : all) {
    holds = holds && spread(s) <= 0.02;
    measured += fmt::format("{}{}: {} stiffnesses differ by at most {:.2g} %", measured.empty() ? "" : "; ", s.name,
                            s.curves.size(), 100 * spread(s));
  }
  run.claim({"collapse", "Fig. 3a-c; polygon-dem reference §5",
             "t_R/t_c against Δt/t_c is one curve for k_n = 1, 50, 200, 1e4, 1e8 N/m", measured,
             "2 %, the size of a symbol in the figure", verdict(holds),
             "k_n only sets the unit of time: with the damping given by restitution the equations hold Δt/t_c alone."});
}

void claim_plateau(StudyRun& run, const Series& s) {
  const RelaxationCurve& curve = s.curves.back();
  const double smallest = curve.front().x, largest = curve.back().x, at_smallest = value_at(curve, smallest);
  const double off = 1 - at_smallest / s.limit;
  run.claim(
      {"plateau", "Fig. 3a, b; polygon-dem reference §5, §9", "t_R/t_c rises to a plateau as Δt falls",
       fmt::format("with rotation {:.2f} at Δt/t_c = {:.0e}, {:.2f} at {:.0e}, {:.2f} % below the limit {:.2f}; {}",
                   value_at(curve, largest), largest, at_smallest, smallest, 100 * off, s.limit,
                   falls(curve) ? "it falls with every step in Δt" : "it does not fall with every step in Δt"),
       "monotone, and within 5 % of the limit at the smallest step: a plateau that the eye sees",
       verdict(falls(curve) && std::abs(off) < 0.05),
       "The velocity elongation adds k_tΔt/2 to the tangential damping; as Δt falls only the physical damping is "
       "left."});
}

void claim_threshold(StudyRun& run, const char* id, const Series& s, double published, std::string note) {
  const RelaxationCurve& curve = s.curves.back();
  const auto at = [&](double tolerance) { return threshold_of(curve, s.limit, tolerance); };
  run.claim(
      {id, s.reading == Reading::guided ? "Fig. 3a, b; Eq. 9" : "Fig. 3c; Eq. 9",
       fmt::format("T_t ≈ {:.0e} {}", published, s.reading == Reading::guided ? "with rotation" : "without rotation"),
       fmt::format("{}: {} at 5 %, {} at 2 %, {} at 1 % of the limit {:.2f}; smallest step {:.0e}", s.name,
                   step_text(at(0.05)), step_text(at(0.02)), step_text(at(0.01)), s.limit, curve.front().x),
       "half a decade, at 5 %: the source gives powers of ten and no tolerance, and with rotation 1e-3 means 5 % "
       "(reference §5)",
       verdict(within_half_a_decade(at(0.05), published)), std::move(note)});
}

void claim_rotation(StudyRun& run, const Series& rotation, const Series& held) {
  const RelaxationCurve &with = rotation.curves.back(), &without = held.curves.back();
  double least = INFINITY, most = 0;
  int points = 0;
  for (const RelaxationPoint& a : with)
    for (const RelaxationPoint& b : without)
      if (a.usable() && b.usable() && std::abs(a.x / b.x - 1) < 1e-6) {
        least = std::min(least, b.relaxation / a.relaxation);
        most = std::max(most, b.relaxation / a.relaxation);
        ++points;
      }
  run.claim(
      {"rotation-suppressed", "Fig. 3a-c; polygon-dem reference §5",
       "t_R is smaller when rotation is suppressed (guided: exactly half)",
       fmt::format("guided: t_R without rotation over t_R with it lies in [{:.4f}, {:.4f}] at {} time steps", least,
                   most, points),
       "0.5 %, as the relaxation times of the reference",
       verdict(points > 0 && std::abs(least - 0.5) < 0.0025 && std::abs(most - 0.5) < 0.0025),
       "3m/γ_n with rotation and 3m/(2γ_n) without; in the reading `free` there is no rotation to compare with."});
}

void claim_friction(StudyRun& run, const SweepTable& guided, const SweepTable& free) {
  const RelaxationCurve frictionless = relaxation_curve(guided, "dt_over_tc", {{"friction", 0.0}});
  double off = 0;
  for (const RelaxationPoint& p : frictionless) off = std::max(off, std::abs(p.relaxation / 159.0 - 1));
  run.claim({"frictionless", "Fig. 3, dashed line; polygon-dem reference §5",
             "a frictionless t_R exists: 2m/γ_n = 159.00 t_c",
             fmt::format("guided: {:.2f} t_c at Δt/t_c = {:.0e}, within {:.2g} % of 159.00 at all {} steps",
                         frictionless.front().relaxation, frictionless.front().x, 100 * off, frictionless.size()),
             "0.5 %, as the table of the reference", verdict(off < 0.005),
             "Without friction the disc vibrates on the normal spring alone, so that t_R does not depend on Δt."});

  std::string below, above;
  bool none_below = true, some_above = true;
  for (double mu : values_of(free, "friction")) {
    const RelaxationCurve curve = relaxation_curve(free, "dt_over_tc", {{"friction", mu}});
    const auto usable = std::ranges::count_if(curve, &RelaxationPoint::usable);
    std::string& text = mu <= 1 ? below : above;
    text += fmt::format("{}{:g}: {} of {}", text.empty() ? "" : ", ", mu, usable, curve.size());
    if (mu <= 1) none_below = none_below && usable == 0;
    if (mu >= 10) some_above = some_above && usable > 0;
  }
  run.claim({"no-decay-below-one", "Fig. 3d; polygon-dem reference §5",
             "without rotation (free) there is no decay for μ ≤ 1: the disc slides off",
             fmt::format("time steps with a decay, at μ = {} (no more than 1), {} (above 1)", below, above),
             "a decay has 20 maxima and R² > 0.999 (reference §5)", verdict(none_below && some_above),
             "Rest needs |F_t/F_n| = 1 at 45°, which friction below 1 cannot hold."});
}

Figure figure_of(StudyRun& run, std::span<const Series> all, const SweepTable& guided, const SweepTable& free) {
  Figure figure{"pena2008/figure-3", "Relaxation time against the time step", {}, {}, {}, {}};
  const char *step = "Δt/t_c", *time = "t_R/t_c";
  const auto range = [](const Series& s) { return std::pair(s.curves[0].front().x, s.curves[0].back().x); };
  const auto panel_of = [&](const Series& s, std::string title) {
    Panel panel{std::move(title), step, time, true, false, {}, {}};
    for (std::size_t k = 0; k < s.curves.size(); ++k)
      panel.curves.push_back(drawn(s.curves[k], fmt::format("k_n = {:g} N/m", s.stiffnesses[k])));
    panel.curves.push_back(predicted("spectrum of the step", range(s).first, range(s).second, spectrum(s.reading)));
    return panel;
  };

  Panel plain{"before scaling: with rotation, guided", "Δt (s)", "t_R (s)", true, true, {}, {}};
  for (std::size_t k = 0; k < all[0].curves.size(); ++k) {
    const double k_n = all[0].stiffnesses[k], t_c = reference_duration(k_n);
    Curve curve = drawn(all[0].curves[k], fmt::format("k_n = {:g} N/m", k_n), Curve::Style::line_and_points, t_c);
    for (double& x : curve.x) x *= t_c;
    plain.curves.push_back(std::move(curve));
  }
  figure.panels.push_back(std::move(plain));
  figure.panels.push_back(panel_of(all[0], "a, b: with rotation, guided"));
  const auto dashed = spectrum(Reading::guided, 0);
  figure.panels.back().curves.push_back(
      predicted("no friction (guided)", range(all[0]).first, range(all[0]).second, dashed, 1));
  figure.panels.push_back(panel_of(all[1], "c: no rotation, guided"));
  figure.panels.push_back(panel_of(all[2], "c: no rotation, free"));

  for (const auto& [table, reading, title] :
       {std::tuple(&free, Reading::free_no_rotation, "d: friction, no rotation, free"),
        std::tuple(&guided, Reading::guided_no_rotation, "d: friction, no rotation, guided")}) {
    Panel panel{title, step, time, true, false, {}, {}};
    for (double mu : values_of(*table, "friction")) {
      Curve curve = drawn(relaxation_curve(*table, "dt_over_tc", {{"friction", mu}}), fmt::format("μ = {:g}", mu),
                          Curve::Style::line_and_points);
      panel.curves.push_back(std::move(curve));
    }
    const auto steps = values_of(*table, "dt_over_tc");
    panel.curves.push_back(predicted("spectrum, sticking", steps.front(), steps.back(), spectrum(reading)));
    figure.panels.push_back(std::move(panel));
  }
  figure.caption =
      "Conventional (velocity) elongation with the predicted velocity. Points: decay of the kinetic energy; dashed: "
      "exact spectrum of "
      "the step. The printed set-up has no equilibrium with rotation, so two well-posed readings stand for it: guided "
      "(the disc "
      "moves along the force) and free (it moves in x and y and does not rotate). The first panel is that of a, b "
      "before scaling.";
  figure.case_text = text_of_file(run.sources() / "case.toml");
  figure.command = "dem validate pena2008/figure-3";
  return figure;
}

}  // namespace

void figure_3(StudyRun& run) {
  const Series all[] = {read_series(run, "with rotation, guided", Reading::guided, "rotation.toml"),
                        read_series(run, "no rotation, guided", Reading::guided_no_rotation, "no-rotation.toml"),
                        read_series(run, "no rotation, free", Reading::free_no_rotation, "no-rotation-free.toml")};
  const SweepTable friction_free = run.sweep("friction-free.toml"), friction_guided = run.sweep("friction-guided.toml");

  claim_collapse(run, all);
  claim_plateau(run, all[0]);
  claim_threshold(run, "threshold-rotation", all[0], 1e-3,
                  "The contact's share of tangential strain energy is 1/4 in the slowest mode, whose decay the "
                  "published trend shows.");
  claim_threshold(run, "threshold-no-rotation-guided", all[1], 1e-4,
                  "Suppressing the rotation halves t_R but leaves the slowest mode's share of tangential strain energy "
                  "at 1/4, hence T_t.");
  claim_threshold(run, "threshold-no-rotation-free", all[2], 1e-4,
                  "In the reading `free` the slowest mode is purely tangential, so that the added damping counts four "
                  "times as much.");
  const double at = 0.05, ratio = threshold_of(all[0].curves.back(), all[0].limit, at) /
                                  threshold_of(all[2].curves.back(), all[2].limit, at);
  if (std::isfinite(ratio) && ratio > 0)
    run.claim({"threshold-ratio", "Fig. 3; polygon-dem reference §5",
               "suppressing rotation lowers T_t tenfold, from 1e-3 to 1e-4",
               fmt::format("at one tolerance (5 %) guided with rotation over free without: {:.2f}", ratio),
               "a factor 2: a ratio read from one axis is known better than either power of ten", verdict(ratio > 5),
               "The shares of tangential strain energy, 1/4 and 1, allow a factor 4; ten needs two tolerances."});
  claim_rotation(run, all[0], all[1]);

  std::string table;
  bool close = true;
  std::vector<RelaxationCurve> curves;
  for (const Series& s : all) {
    const double off = spectrum_deviation(s);
    close = close && off < 0.005;
    table += fmt::format("{}{}: {:.2g} %", table.empty() ? "" : "; ", s.name, 100 * off);
    curves.insert(curves.end(), s.curves.begin(), s.curves.end());
  }
  run.claim({"spectrum", "polygon-dem reference §5, table",
             "t_R/t_c over four decades of Δt/t_c is that of the spectrum of the step",
             fmt::format("largest deviation of a measured decay from the spectrum: {}; {} runs have a usable fit",
                         table, usable_share(curves)),
             "0.5 % (reference §11)", verdict(close), "The decay late in the run is that of the slowest mode."});

  const auto literal = run.tasks(
      "literal-set-up", 1, [](std::size_t, TaskProgress&) { return literal_set_up(); },
      "mean energy 45-55, 95-105, 1e-2");
  if (literal[0].done)
    run.claim({"decay-with-rotation", "Fig. 3a, b; Fig. 2",
               "with rotation E_k decays exponentially and Δθ, ΔR stay finite",
               fmt::format("as printed (free in x, y and rotation): E_k grows {:.2f}-fold from 50 t_c to 100 t_c, as "
                           "t^{:.2f}; guided: it decays, {:.2f} t_c",
                           literal[0].numbers[1] / literal[0].numbers[0], literal[0].numbers[2], all[0].limit),
               "growth or decay", verdict(literal[0].numbers[1] < literal[0].numbers[0]),
               "Zero torque on the free disc needs F_t = 0, which the force at 45° does not allow: it rolls away with "
               "E_k ~ t²; a guide restores the claim."});
  claim_friction(run, friction_guided, friction_free);
  run.claim({"absolute-values", "Fig. 3", "absolute values of t_R",
             fmt::format("plateaus at {:.2f}, {:.2f} and {:.2f} t_c (with rotation, without, free)", all[0].limit,
                         all[1].limit, all[2].limit),
             "none", ClaimVerdict::not_comparable,
             "The printed values and the boundary conditions behind them are not available; trends and thresholds are "
             "compared."});
  run.figure(figure_of(run, all, friction_guided, friction_free));
}

}  // namespace dem::validation::pena2008
