// Fig. 8: oblique loading and unloading (U2) with the Jäger contact in four steps, and incremental models beside it in
// more and more steps; reversals at constant normal force, of which a model with one remembered extreme misses every
// second. jaeger-contact reference, §14.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "validation/kuhn2011/contact_path.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using kuhn2020::agrees_with_print;
using kuhn2020::verdict;
constexpr const char* section = "jaeger-contact reference §14";
constexpr double start_z = 0.01;

struct Model {
  const char* name;
  MindlinMemory memory;
};
constexpr Model turning_points{"turning points (A)", MindlinMemory::turning_points},
    single_reversal{"single reversal (B)", MindlinMemory::single_reversal}, no_memory{"no memory", MindlinMemory::none};
constexpr std::array<Model, 3> models{turning_points, single_reversal, no_memory};

/// F_t/(f F_n) at the end of every movement, each in `parts` equal steps, after a step that presses to ζ_0.
template <class Path>
std::vector<double> stations(Path path, const std::vector<Move>& moves, int parts) {
  std::vector<double> at;
  path.step({start_z});
  for (const Move& m : moves) {
    step_in_parts(path, m, parts);
    at.push_back(path.h.force_1 / path.limit());
  }
  return at;
}
double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}
std::string listed(const std::vector<double>& values, int digits) {
  std::string text;
  for (const double v : values) text += fmt::format("{}{:.{}f}", text.empty() ? "" : ", ", v, digits);
  return text;
}

const laws::JaegerCoefficients u2 = coefficients(1, 0.5, 0.5);
MindlinPath mindlin(const Model& m) { return {u2, m.memory}; }

struct Row {
  int parts;
  std::array<const char*, 4> a, b;
};
constexpr std::array<Row, 4> table{
    {{1, {"0.516619", "1.000000", "0.112086", "-1.000000"}, {"0.511393", "1.000000", "0.094065", "-1.000000"}},
     {5, {"0.484370", "0.920223", "0.104758", "-0.937358"}, {"0.483469", "0.919062", "0.100445", "-0.943880"}},
     {50, {"0.477566", "0.901943", "0.101539", "-0.903725"}, {"0.477479", "0.901834", "0.101127", "-0.904314"}},
     {5000, {"0.476829", "0.900019", "0.101253", "-0.900037"}, {"0.476828", "0.900018", "0.101249", "-0.900043"}}}};

void claim_stations(StudyRun& run) {
  for (const Model& m : {turning_points, single_reversal}) {
    const bool is_a = m.memory == MindlinMemory::turning_points;
    bool holds = true;
    double worst = 0;
    std::string published, measured;
    for (const Row& row : table) {
      const auto found = stations(mindlin(m), chords_of_u2, row.parts);
      for (std::size_t k = 0; k < 4; ++k) {
        const char* printed = (is_a ? row.a : row.b)[k];
        holds = holds && agrees_with_print(printed, found[k]);
        worst = std::max(worst, std::abs(found[k] - std::atof(printed)));
      }
      const auto& printed = is_a ? row.a : row.b;
      published += fmt::format("{}{} steps: {}, {}, {}, {}", published.empty() ? "" : "; ", row.parts, printed[0],
                               printed[1], printed[2], printed[3]);
      measured += fmt::format("{}{}: {}", measured.empty() ? "" : "; ", row.parts, listed(found, 6));
    }
    run.claim({is_a ? "table-A" : "table-B", section,
               fmt::format("{}, F_t/(f F_n) at the four stations of U2, steps per chord: {}", m.name, published),
               fmt::format("{}; off by at most {:.1e}", measured, worst), "half a unit of the sixth decimal",
               verdict(holds), "Law hertz-mindlin with this memory, as the program runs it."});
  }
  const char* printed[] = {"0.476821", "0.900000", "0.101250", "-0.900000"};
  bool holds = true;
  double spread = 0;
  const auto whole = stations(JaegerPath{u2}, chords_of_u2, 1);
  for (const int parts : {1, 5, 50, 5000}) {
    const auto found = stations(JaegerPath{u2}, chords_of_u2, parts);
    for (std::size_t k = 0; k < 4; ++k) holds = holds && agrees_with_print(printed[k], found[k]);
    spread = std::max(spread, largest_difference(found, whole));
  }
  run.claim({"jaeger", "Kuhn 2011, §4.1 and Fig. 8; jaeger-contact reference §14",
             "Jäger contact, any number of steps: 0.476821, 0.900000, 0.101250, −0.900000",
             fmt::format("{}; in 1, 5, 50 and 5000 steps per chord within {:.1e} f F_n of each other", listed(whole, 6),
                         spread),
             "half a unit of the sixth decimal; 1e-12 between numbers of steps", verdict(holds && spread <= 1e-12),
             "Four large steps are as good as twenty thousand small ones."});
}

struct Convergence {
  std::vector<double> parts, jaeger;
  std::array<std::vector<double>, 3> models;               ///< largest of the stations
  std::array<std::vector<std::vector<double>>, 3> single;  ///< of each station
};
Convergence converge(const std::vector<Move>& moves, int most) {
  Convergence c;
  const auto exact = stations(JaegerPath{u2}, moves, 1);
  for (int decade = 1; decade <= most; decade *= 10) {
    for (const int factor : {1, 2, 5}) {
      const int parts = factor * decade;
      if (parts > most) break;
      c.parts.push_back(parts);
      c.jaeger.push_back(std::max(largest_difference(stations(JaegerPath{u2}, moves, parts), exact), 1e-17));
      for (std::size_t m = 0; m < models.size(); ++m) {
        const auto found = stations(mindlin(models[m]), moves, parts);
        c.models[m].push_back(largest_difference(found, exact));
        c.single[m].resize(exact.size());
        for (std::size_t k = 0; k < exact.size(); ++k) c.single[m][k].push_back(std::abs(found[k] - exact[k]));
      }
    }
  }
  return c;
}
/// Order over the last decade.
double order(const Convergence& c, const std::vector<double>& errors) {
  return -kuhn2020::log_slope({c.parts.end() - 4, c.parts.end()}, {errors.end() - 4, errors.end()});
}

void claim_orders(StudyRun& run, const Convergence& c) {
  double low = INFINITY, high = 0;
  std::string each;
  for (std::size_t m = 0; m < 2; ++m) {
    each += fmt::format("{}{}:", m ? "; " : "", models[m].name);
    for (const auto& errors : c.single[m]) {
      const double n = order(c, errors);
      low = std::min(low, n);
      high = std::max(high, n);
      each += fmt::format(" {:.3f}", n);
    }
  }
  run.claim({"order", section, "A and B converge at first order",
             fmt::format("order from {:.0f} to {:.0f} steps per chord, stations 1 to 4: {}", *(c.parts.end() - 4),
                         c.parts.back(), each),
             "0.15 of the exponent", verdict(low > 0.85 && high < 1.15),
             "To the values of the Jäger contact, with which they share the theory."});
  // No number is published for the model without memory on this path.
  std::string rows;
  for (const Row& row : table)
    rows += fmt::format("{}{}: {}", rows.empty() ? "" : "; ", row.parts,
                        listed(stations(mindlin(no_memory), chords_of_u2, row.parts), 6));
  run.claim(
      {"no-memory", section, "(the model without memory of the slip is not given for this path)",
       fmt::format("stations at steps per chord {}; largest error {:.4f} f F_n in {:.0f} steps and {:.4f} in {:.0f}",
                   rows, *(c.models[2].end() - 4), *(c.parts.end() - 4), c.models[2].back(), c.parts.back()),
       "", ClaimVerdict::not_comparable,
       "A spring of the stiffness without slip up to the limit, as most programs have it: its error is the model's, "
       "smaller steps do not help."});
}

/// The sequence of movements at constant normal force.
void claim_reversals(StudyRun& run, const Convergence& c) {
  const auto holds = [](const auto& printed, const std::vector<double>& found) {
    bool all = true;
    for (std::size_t k = 0; k < found.size(); ++k) all = all && agrees_with_print(printed[k], found[k]);
    return all;
  };
  constexpr std::array<const char*, 6> exact{"1.00000", "0.08866", "-0.72459", "0.49643", "-0.07249", "0.63782"},
      single{"1.00000", "0.08865", "-0.72461", "0.2559", "-0.2211", "0.4310"};
  const auto jaeger = stations(JaegerPath{u2}, to_and_fro, 1),
             a = stations(mindlin(turning_points), to_and_fro, 100000),
             b = stations(mindlin(single_reversal), to_and_fro, 10000);
  run.claim({"reversals-jaeger", section,
             "constant F_n, Δξ = 0.008, −0.005, −0.006, 0.007, −0.003, 0.004: 1.00000, 0.08866, −0.72459, 0.49643, "
             "−0.07249, 0.63782",
             fmt::format("{} in six steps; in 5000 each within {:.1e}", listed(jaeger, 5), c.jaeger.back()),
             "half a unit of the fifth decimal", verdict(holds(exact, jaeger)),
             "F_t/(f F_n) at the ends of the movements."});
  std::string orders;
  double low = INFINITY, high = 0;
  for (std::size_t k = 1; k < 6; ++k) {  // the first movement slides: no error
    const double n = order(c, c.single[0][k]);
    low = std::min(low, n);
    high = std::max(high, n);
    orders += fmt::format(" {:.3f}", n);
  }
  run.claim({"reversals-A", section, "A converges to the values of the Jäger contact",
             fmt::format("{} in 100000 steps each, {:.1e} f F_n off at most; order at stations 2 to 6:{}", listed(a, 5),
                         largest_difference(a, jaeger), orders),
             "half a unit of the fifth decimal; 0.15 of the exponent",
             verdict(holds(exact, a) && low > 0.85 && high < 1.15),
             "It remembers every reversal and forgets closed loops."});
  run.claim({"reversals-B", section,
             "B: 1.00000, 0.08865, −0.72461, 0.2559, −0.2211, 0.4310: it misses every second reversal",
             fmt::format("{} in 10000 steps each; {:.4f} f F_n from the Jäger contact after the second reversal, "
                         "{:.4f} at most, and {:.4f} in 5000 steps",
                         listed(b, 5), std::abs(b[3] - jaeger[3]), largest_difference(b, jaeger), c.models[1].back()),
             "half a unit of the last printed decimal", verdict(holds(single, b)),
             "Smaller steps do not help: the error is of the memory."});
}

/// A path of F_t/(f F_0) over ξ/(κ f ζ_0), `parts` steps a movement.
template <class Path>
Curve path_curve(std::string label, Path path, const std::vector<Move>& moves, int parts, Curve::Style style) {
  Curve c{std::move(label), {0}, {0}, {}, {}, style};
  path.step({start_z});
  const double force = path.limit(), length = path.c.ratio * path.c.friction * start_z;
  double at = 0;
  for (const Move& m : moves) {
    const double from = path.h.z;
    for (int k = 1; k <= parts; ++k) {
      path.step({k == parts ? m.z : from + (m.z - from) * k / parts, m.shift_1 / parts});
      at += m.shift_1 / parts;
      c.x.push_back(at / length);
      c.y.push_back(path.h.force_1 / force);
    }
  }
  return c;
}

Panel error_panel(std::string title, const Convergence& c) {
  Panel p{std::move(title), "steps per movement", "largest |ΔF_t|/(f F_n) at the stations", true, true, {}, {}};
  p.curves.push_back({"Jäger", c.parts, c.jaeger, {}, {}, Curve::Style::line_and_points});
  for (std::size_t m = 0; m < models.size(); ++m)
    p.curves.push_back({models[m].name, c.parts, c.models[m], {}, {}, Curve::Style::line_and_points});
  Curve first{"first order", {}, {}, {}, {}, Curve::Style::prediction};
  for (const double n : {c.parts.front(), c.parts.back()}) {
    first.x.push_back(n);
    first.y.push_back(2 * c.models[0][2] * c.parts[2] / n);
  }
  p.curves.push_back(std::move(first));
  return p;
}

void draw_oblique(StudyRun& run, const Convergence& c) {
  Figure figure;
  figure.id = "kuhn2011/figure-8";
  figure.title = "Oblique loading and unloading: the Jäger contact in four steps and incremental models";
  figure.caption =
      "A contact pressed to F_0 is sheared with dF_t/dF_n = 4 to F_t = 0.9 f F_n (B) and back to −0.9 f F_n (D); ν = "
      "0.5, f = 0.5, ζ_0 = 0.01 R. "
      "Dashed: Mindlin and Deresiewicz, and the limit of friction. Points: the ends of the steps, one, then five for "
      "each of the four chords. Lower "
      "right: largest error at the four stations; the error of the Jäger contact is rounding at any number of steps.";
  const Proportional exact(u2, start_z, 4, 0.9);
  const double n0 = exact.start(), limit = u2.friction * n0, length = u2.ratio * u2.friction * start_z;
  const auto forces = [&](std::string label, auto path, int parts) {
    Curve over{std::move(label), {1}, {0}, {}, {}, Curve::Style::points};
    path.step({start_z});
    for (const Move& m : chords_of_u2) {
      step_in_parts(path, m, parts);
      over.x.push_back(path.h.normal_force / n0);
      over.y.push_back(path.h.force_1 / limit);
    }
    return over;
  };
  Curve line{"", {}, {}, {}, {}, Curve::Style::prediction};
  for (const double n : {exact.end(), exact.turn()}) {
    line.x.push_back(n / n0);
    line.y.push_back(exact.force(n) / limit);
  }
  const Curve cone{"", {0.85, 1.15, NAN, 0.85, 1.15}, {0.85, 1.15, NAN, -0.85, -1.15}, {},
                   {}, Curve::Style::prediction};
  figure.panels.push_back({"one step per chord; dotted: ±f F_n",
                           "F_n/F_0",
                           "F_t/(f F_0)",
                           false,
                           false,
                           {forces("Jäger", JaegerPath{u2}, 1), forces(turning_points.name, mindlin(turning_points), 1),
                            forces(single_reversal.name, mindlin(single_reversal), 1),
                            forces(no_memory.name, mindlin(no_memory), 1), line, cone},
                           {}});
  Curve md{"Mindlin, Deresiewicz", {0}, {0}, {}, {}, Curve::Style::prediction};
  for (const Move& m : exact.moves(200)) {
    md.x.push_back(md.x.back() + m.shift_1 / length);
    md.y.push_back(exact.force(u2.normal_force(m.z)) / limit);
  }
  for (const int parts : {1, 5}) {
    Panel p{
        parts == 1 ? "one step per chord" : "five steps per chord", "ξ/(κ f ζ_0)", "F_t/(f F_0)", false, false, {}, {}};
    const auto style = parts == 1 ? Curve::Style::points : Curve::Style::line_and_points;
    p.curves.push_back(path_curve("Jäger", JaegerPath{u2}, chords_of_u2, parts, style));
    for (const Model& m : models) p.curves.push_back(path_curve(m.name, mindlin(m), chords_of_u2, parts, style));
    p.curves.push_back(md);
    figure.panels.push_back(std::move(p));
  }
  figure.panels.push_back(error_panel("error", c));
  figure.command = "dem validate kuhn2011/figure-8";
  run.figure(std::move(figure));
}

void draw_reversals(StudyRun& run, const Convergence& c) {
  Figure figure;
  figure.id = "kuhn2011/figure-8/reversals";
  figure.title = "Reversals within reversals at constant normal force";
  figure.caption =
      "Six movements to and fro, the first to gross sliding; ν = 0.5, f = 0.5, ζ = 0.01 R. The Jäger contact in six "
      "steps (points); incremental "
      "models "
      "in 1000 steps per movement. A model with one remembered extreme departs at the second reversal, and stays away "
      "however small its steps are.";
  Panel p{"path", "ξ/(κ f ζ)", "F_t/(f F_n)", false, false, {}, {}};
  p.curves.push_back(path_curve("Jäger, 6 steps", JaegerPath{u2}, to_and_fro, 1, Curve::Style::points));
  for (const Model& m : models)
    p.curves.push_back(path_curve(m.name, mindlin(m), to_and_fro, 1000, Curve::Style::line));
  figure.panels = {std::move(p), error_panel("error", c)};
  figure.command = "dem validate kuhn2011/figure-8";
  run.figure(std::move(figure));
}

}  // namespace

void figure_8(StudyRun& run) {
  const Convergence oblique = converge(chords_of_u2, 5000), reversals = converge(to_and_fro, 5000);
  claim_stations(run);
  claim_orders(run, oblique);
  claim_reversals(run, reversals);
  draw_oblique(run, oblique);
  draw_reversals(run, reversals);
}

}  // namespace dem::validation::kuhn2011
