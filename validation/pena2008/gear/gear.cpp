// Order and stability of Gear's predictor-corrector (polygon-dem reference, §2), on the program's own scheme: the table
// of errors, what an event costs, stability limits at three damping ratios, growth of undamped motion, and the "t_c/5"
// criterion.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "libdem/motion/limit/stability.hpp"
#include "validation/pena2008/gear/oscillator.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr const char* section = "polygon-dem reference §2";
constexpr std::array sets{GearCoefficients::velocity_dependent, GearCoefficients::position_only};
constexpr const char* set_names[] = {"c0 = 3/16", "c0 = 3/20"};

Claim claim_of(std::string id, std::string published, std::string measured, std::string tolerance, bool agrees,
               std::string note) {
  return {std::move(id),        section,
          std::move(published), std::move(measured),
          std::move(tolerance), agrees ? ClaimVerdict::agrees : ClaimVerdict::differs,
          std::move(note)};
}

std::string listed(const std::vector<double>& values, const char* form = "{:.6g}") {
  std::string out;
  for (double v : values) out += (out.empty() ? "" : ", ") + fmt::format(fmt::runtime(form), v);
  return out;
}

/// Slope of ln y over ln x by least squares.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double a = std::log(x[k]), b = std::log(y[k]);
    n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

const std::vector<int> table_steps{100, 200, 400, 800, 1600};

/// A column of the published table: errors at t = 10 in 100 … 1600 steps.
struct Column {
  const char *id, *title, *what;
  GearCoefficients set;
  bool exact_start, velocity;
  std::vector<double> published;
};
const std::array<Column, 4> columns{{
    {"position-3-16",
     "x, 3/16",
     "|x error| with 3/16",
     sets[0],
     true,
     false,
     {1.25756e-6, 3.94108e-8, 1.22513e-9, 3.81223e-11, 1.1883e-12}},
    {"velocity-3-16",
     "v, 3/16",
     "|v error| with 3/16",
     sets[0],
     true,
     true,
     {6.63103e-7, 1.54335e-8, 4.01656e-10, 1.13125e-11, 3.34333e-13}},
    {"position-3-20",
     "x, 3/20",
     "|x error| with 3/20",
     sets[1],
     true,
     false,
     {9.73604e-7, 3.14179e-8, 9.90488e-10, 3.10362e-11, 9.70782e-13}},
    {"start-at-zero",
     "x, 3/16, r3..r5 started at 0",
     "|x error| with r3..r5 started at 0",
     sets[0],
     false,
     false,
     {3.21736e-5, 7.76877e-6, 1.93242e-6, 4.82743e-7, 1.20671e-7}},
}};
const Oscillator damped{1, 0.1};  // x″ = −x − 0.2 x′

std::vector<double> errors_of(const Column& c, const std::vector<int>& steps) {
  std::vector<double> out;
  for (int n : steps) {
    const State1 error = error_after(damped, c.set, c.exact_start, 10, n);
    out.push_back(std::abs(c.velocity ? error.v : error.x));
  }
  return out;
}

void table_of_errors(StudyRun& run) {
  std::vector<int> fine = table_steps;
  if (!run.quick()) fine.insert(fine.end(), {50, 3200, 6400, 12800});
  std::sort(fine.begin(), fine.end());
  const std::vector<double> x(fine.begin(), fine.end()), published_x(table_steps.begin(), table_steps.end());
  std::vector<double> dt;
  for (double n : x) dt.push_back(10 / n);

  Figure figure;
  figure.id = "pena2008/gear/errors";
  figure.title = "Error of the Gear scheme against the time step";
  figure.caption =
      "x″ = −x − 0.2 x′ from x = 1, x′ = 0 to t = 10. Points: this program; dashed: the numbers of the table. Below "
      "1e-14 "
      "round-off is left.";
  Panel panel{"", "Δt (in units of 1/ω)", "error at t = 10", true, true, {}, {}};
  std::vector<double> slopes;
  double ratio_first = 1, ratio_last = 1;  // error of the start at zero over that of the exact start
  for (const Column& c : columns) {
    const std::vector<double> found = errors_of(c, table_steps), all = errors_of(c, fine);
    double worst = 0;
    bool agrees = true;
    ratio_first = found.front() / errors_of(columns[0], table_steps).front();
    ratio_last = found.back() / errors_of(columns[0], table_steps).back();
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double difference = std::abs(found[k] - c.published[k]);
      worst = std::max(worst, difference / c.published[k]);
      agrees &= difference <= 1e-3 * c.published[k] + 5e-15;
    }
    slopes.push_back(-slope({published_x.begin(), published_x.end() - 1}, {found.begin(), found.end() - 1}));
    run.claim(claim_of(std::string("errors-") + c.id,
                       fmt::format("{} in 100, 200, 400, 800, 1600 steps: {}", c.what, listed(c.published)),
                       fmt::format("{}; largest relative difference {:.1e}", listed(found), worst),
                       "1e-3 of each entry (§11) and 5e-15 of round-off gathered in 1600 steps", agrees,
                       "The program's own prediction and correction on one free coordinate."));
    panel.curves.push_back({c.title, dt, all, {}, {}, Curve::Style::line_and_points});
    std::vector<double> published_dt;
    for (double n : published_x) published_dt.push_back(10 / n);
    panel.curves.push_back(
        {std::string(c.title) + ", table", published_dt, c.published, {}, {}, Curve::Style::prediction});
  }
  figure.panels.push_back(std::move(panel));
  run.figure(std::move(figure));

  run.claim(claim_of("order-5", "global order 5 with exact initial derivatives",
                     fmt::format("order {:.3f} in x and {:.3f} in v (3/16), {:.3f} in x (3/20), 100 to 800 steps",
                                 slopes[0], slopes[1], slopes[2]),
                     "0.1 (§11: order 5.0 ± 0.1)", std::abs(slopes[0] - 5) <= 0.1 && std::abs(slopes[2] - 5) <= 0.1,
                     "Judged by the position, as the table is."));
  run.claim(claim_of(
      "order-2", "starting r3..r5 at zero reduces the order to 2",
      fmt::format("order {:.3f}, 100 to 800 steps", slopes[3]), "0.1, as for order 5", std::abs(slopes[3] - 2) <= 0.1,
      fmt::format("The error is {:.0f} times that of the exact start at 100 steps and {:.0e} times at 1600.",
                  ratio_first, ratio_last)));

  // Local error: one step from exact terms.
  std::vector<double> steps, local_x, local_v;
  for (double h = 0.4; h > 0.04; h /= std::numbers::sqrt2) {
    const State1 e = error_after(damped, sets[0], true, h, 1);
    steps.push_back(h);
    local_x.push_back(std::abs(e.x));
    local_v.push_back(std::abs(e.v) * h);
  }
  const double order_x = slope({steps.end() - 4, steps.end()}, {local_x.end() - 4, local_x.end()}),
               order_v = slope({steps.end() - 4, steps.end()}, {local_v.end() - 4, local_v.end()});
  run.claim(claim_of("local-error", "local error Δt^6",
                     fmt::format("order {:.2f} of one step in r0, {:.2f} in r1 = v Δt", order_x, order_v),
                     "0.1, as for the global order", std::abs(order_x - 6) <= 0.1 && std::abs(order_v - 6) <= 0.1,
                     "One step from exact derivatives, Δt from 0.14 down to 0.05."));

  // Undamped: 3/20 converges faster in position.
  const Oscillator free{1, 0};
  std::vector<double> n_free, e_free[2];
  for (int n : {100, 141, 200, 283, 400}) {
    n_free.push_back(n);
    for (std::size_t s = 0; s < 2; ++s) e_free[s].push_back(std::abs(error_after(free, sets[s], true, 10, n).x));
  }
  const double undamped_316 = -slope(n_free, e_free[0]), undamped_320 = -slope(n_free, e_free[1]);
  run.claim(
      claim_of("undamped-order", "with 3/20 the undamped oscillator converges at nearly sixth order in position",
               fmt::format("order {:.2f} with 3/20, {:.2f} with 3/16, 100 to 400 steps", undamped_320, undamped_316),
               "0.3 below 6 at most: \"nearly\" gives no digit", undamped_320 > 5.7 && undamped_320 < 6.3,
               "x″ = −x from x = 1, x′ = 0 to t = 10."));
}

void events(StudyRun& run) {
  const int phases = run.quick() ? 24 : 200;
  const std::vector<double> counts{200, 400, 800, 1600, 3200};
  Figure figure;
  figure.id = "pena2008/gear/events";
  figure.title = "What one event costs";
  figure.caption = fmt::format(
      "Undamped oscillator whose force changes once. Root mean square of the error afterwards over {} positions of the "
      "event within a step. "
      "Dashed: smooth motion from exact terms.",
      phases);
  Panel panel{"", "Δt (in units of 1/ω)", "error of x after the event", true, true, {}, {}};
  std::vector<double> dt, smooth;
  for (double n : counts) {
    dt.push_back(event_span / n);
    smooth.push_back(std::abs(error_after({1, 0}, sets[0], true, event_span, int(n)).x));
  }
  struct Row {
    Event event;
    const char *id, *name, *published;
  };
  const Row rows[] = {
      {Event::closing, "closing", "a contact closes (the force bends)",
       "the same loss (order 2) occurs at each contact opening or closing"},
      {Event::slip, "slip", "slip onset (the force bends)", "the same loss (order 2) occurs at slip onset"},
      {Event::jump, "jump", "the force jumps (a contact plane does)",
       "the same loss (order 2) occurs at a contact-plane jump"}};
  for (const Row& row : rows) {
    std::vector<double> error;
    for (double n : counts) error.push_back(error_with_event(row.event, int(n), phases));
    const double order = -slope(counts, error);
    run.claim(claim_of(std::string("event-") + row.id, row.published,
                       fmt::format("order {:.2f} (root mean square over {} phases, 200 to 3200 steps)", order, phases),
                       "0.3: the order is stated without digits", std::abs(order - 2) <= 0.3,
                       std::abs(order - 2) <= 0.3
                           ? "One event is enough to spoil order five; tests of the order need smooth motion."
                           : "A force that changes its value within a step is known only to that step: the order falls "
                             "further than the statement says."));
    panel.curves.push_back({row.name, dt, error, {}, {}, Curve::Style::line_and_points});
  }
  panel.curves.push_back({"no event", dt, smooth, {}, {}, Curve::Style::prediction});
  figure.panels.push_back(std::move(panel));
  run.figure(std::move(figure));
}

void stability(StudyRun& run) {
  constexpr double growth = 1e-9;  // a step, as the reference defines the limit
  const auto limit = [&](std::size_t s, double ratio) {
    return stability_limit({Integrator::gear5, sets[s]}, ratio, growth);
  };
  struct Row {
    const char* id;
    double ratio, published[2];
  };
  for (const Row& row : {Row{"0.004", 0.004, {0.69, 0.70}}, Row{"0.05", 0.05, {0.627, 0.65}},
                         Row{"0.3", 0.3, {0.246, 0.248}}, Row{"0", 0, {0.31, 0.10}}}) {
    const double found[2] = {limit(0, row.ratio), limit(1, row.ratio)};
    const auto near = [](double value, double published) {
      return std::abs(value - published) <= std::max(0.02 * published, 0.005);
    };
    const bool agrees = near(found[0], row.published[0]) && near(found[1], row.published[1]);
    // The same from the scheme itself: does an amplitude grow just above and not just below?
    const double below = grown(sets[0], row.ratio, 0.98 * found[0]), above = grown(sets[0], row.ratio, 1.02 * found[0]);
    run.claim(claim_of(
        fmt::format("limit-{}", row.id),
        row.ratio == 0 ? fmt::format("undamped: growth below 1e-9 per step up to ωΔt = {:.2f} (3/16) and {:.2f} (3/20)",
                                     row.published[0], row.published[1])
                       : fmt::format("step limit at damping ratio {}: ωΔt = {} (3/16), {} (3/20)", row.ratio,
                                     row.published[0], row.published[1]),
        fmt::format("{:.4f} and {:.4f}; 20 000 steps change an amplitude by a factor {:.1e} at 0.98 of the first and "
                    "{:.1e} at 1.02",
                    found[0], found[1], below, above),
        "2 % (§11), or half a unit of the second decimal, 0.005, where that is more", agrees,
        "Spectral radius of the map of one step; the factors are from the program's scheme itself."));
  }

  // t_c/5, with t_c = π/(ω √(1 − ζ²)).
  const auto in_tc = [](double omega_dt, double ratio) {
    return omega_dt * std::sqrt(1 - ratio * ratio) / std::numbers::pi;
  };
  const double fifth = std::numbers::pi / 5, low = limit(0, 0.05), low_320 = limit(1, 0.05), high = limit(0, 0.3);
  run.claim(claim_of(
      "fifth-marginal",
      "t_c/5 is ωΔt = 0.628, marginal at damping ratio 0.05 (limit 0.627–0.629 with 3/16, 0.652 with 3/20)",
      fmt::format("limits {:.4f} (3/16) and {:.4f} (3/20), {:.4f} and {:.4f} of t_c/5", low, low_320, low / fifth,
                  low_320 / fifth),
      "a unit of the last printed digit, 0.001", low > 0.626 && low < 0.630 && std::abs(low_320 - 0.652) <= 0.001,
      "At ε = 0.85 the usual criterion has no margin at all."));
  run.claim(claim_of("fifth-outside", "t_c/5 is far outside at damping ratio 0.3 (limit ≈ t_c/13)",
                     fmt::format("limit t_c/{:.1f} (3/16)", 1 / in_tc(high, 0.3)),
                     "t_c/12.5 to t_c/13.5, from the last digit", std::abs(1 / in_tc(high, 0.3) - 13) <= 0.5,
                     "A step check that does not know the restitution cannot be right."));

  Figure figure;
  figure.id = "pena2008/gear/growth";
  figure.title = "Growth of an amplitude per step against ωΔt";
  figure.caption =
      "Spectral radius of one step minus one, where it is positive. Dotted line: 1e-9, the growth that defines the "
      "published limits (circles). Vertical: t_c/5.";
  for (std::size_t s = 0; s < 2; ++s) {
    Panel panel{set_names[s], "ωΔt", "growth per step", false, true, {}, {}};
    for (double ratio : {0.0, 0.004, 0.05, 0.3}) {
      Curve c{fmt::format("damping ratio {}", ratio), {}, {}, {}, {}, Curve::Style::line};
      for (double w = 0.02; w <= 0.9; w += run.quick() ? 0.02 : 0.005) {
        const double g = spectral_radius({Integrator::gear5, sets[s]}, ratio, w) - 1;
        if (g > 1e-13) c.x.push_back(w), c.y.push_back(g);
      }
      panel.curves.push_back(std::move(c));
    }
    panel.curves.push_back({"1e-9", {0.02, 0.9}, {growth, growth}, {}, {}, Curve::Style::prediction});
    panel.curves.push_back({"t_c/5", {fifth, fifth}, {1e-12, 1}, {}, {}, Curve::Style::prediction});
    const std::array<std::array<double, 4>, 2> published{{{0.31, 0.69, 0.627, 0.246}, {0.10, 0.70, 0.65, 0.248}}};
    panel.curves.push_back({"published limits",
                            {published[s].begin(), published[s].end()},
                            std::vector<double>(4, growth),
                            {},
                            {},
                            Curve::Style::points});
    figure.panels.push_back(std::move(panel));
  }
  run.figure(std::move(figure));
}

}  // namespace

void gear(StudyRun& run) {
  table_of_errors(run);
  events(run);
  stability(run);
}

}  // namespace dem::validation::pena2008
