// D3: a sphere pressed on a floor that moves forth, back and forth again: slope, plateau and area of the loop.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/fleischmann2015/single-bodies/bodies.hpp"
#include "validation/fleischmann2015/single-bodies/parts.hpp"
#include "validation/fleischmann2015/unit_tables.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::verdict;

constexpr const char* source = "direct-shear reference §4, case D3";

Loop loop_of(bool hertz, bool damped) {
  Loop l{.coefficients = on_a_wall(hertz ? glass : Coefficients{false, 2000, 1600, 400, 200, 0.18, 0, 0})};
  if (!damped) l.coefficients.gamma_n = l.coefficients.gamma_t = 0;
  return l;
}

/// ∮ F dx of the legs back and forth.
double area_of(const Loop& loop, const LoopTrace& t) {
  double sum = 0;
  for (std::size_t k = std::size_t(std::lround(loop.travel / (loop.speed * loop.dt))); k < t.x.size(); ++k)
    sum += 0.5 * (t.force[k] + t.force[k - 1]) * (t.x[k] - t.x[k - 1]);
  return sum;
}

void claim_loop(StudyRun& run, bool hertz) {
  const char* name = hertz ? "hertz" : "hooke";
  const Loop damped = loop_of(hertz, true), loop = loop_of(hertz, false);
  const LoopTrace with = run_loop(damped), t = run_loop(loop);
  const double limit = loop.coefficients.friction * loop.normal(), k = loop.stiffness();
  const auto slope = [](const LoopTrace& of) { return (of.force[60] - of.force[10]) / (of.x[60] - of.x[10]); };
  const auto [low, high] = std::minmax_element(with.force.begin(), with.force.end());
  double worst_slope = 0, worst_plateau = std::max(std::abs(*high / limit - 1), std::abs(-*low / limit - 1));
  for (const LoopTrace* of : {&with, &t}) worst_slope = std::max(worst_slope, std::abs(slope(*of) / k - 1));
  const auto turn = std::size_t(std::lround(loop.travel / (loop.speed * loop.dt)));
  const double closes = std::abs(t.force.back() / t.force[turn - 1] - 1);
  run.claim(
      {fmt::format("loop-{}", name), source, "pressed, sheared, reversed: slope f k_t, plateau μ F_n, a full loop",
       fmt::format("slope {:.8g} N/m, {:.0e} off; plateaus {:.8g} and {:.8g} N, {:.0e} off; the cycle ends at the "
                   "force at which it began, {:.0e} off",
                   slope(with), worst_slope, *high, *low, worst_plateau, closes),
       "1e-9: closed forms, rounding of positions", verdict(std::max({worst_slope, worst_plateau, closes}) < 1e-9),
       fmt::format("A sphere of 3 mm with the coefficients of T3 on the floor of a shear box, F_n = {:.5g} N; with and "
                   "without dashpots.",
                   loop.normal())});
  // A plateau each way, what is left of the travel after the reversal from −μ F_n to μ F_n.
  const double plateau = 2 * loop.travel - 2 * limit / k, per_length = area_of(loop, t) / plateau;
  const double drag = damped.damping() * damped.speed, sticks = 2 * (limit - drag) / k;
  const double expected = 2 * (limit * (2 * loop.travel - sticks) + drag * sticks), found = area_of(damped, with);
  run.claim({fmt::format("loop-area-{}", name), source, "area per unit length of the plateau: 2 μ F_n",
             fmt::format("{:.6g} N without dashpots, 2 μ F_n = {:.6g} N, {:.0e} off; with those of T3 the area is "
                         "{:.6g} J, {:.0e} off its closed form",
                         per_length, 2 * limit, per_length / (2 * limit) - 1, found, found / expected - 1),
             "1e-3: the force is known at steps of 1e-8 m, a plateau has 1000 to 2000",
             verdict(std::abs(per_length / (2 * limit) - 1) < 1e-3 && std::abs(found / expected - 1) < 1e-3),
             "Closed form with the dashpot's drag γ_t f m v while the contact sticks."});
}

}  // namespace

Panel shear_loop(StudyRun& run) {
  Panel panel{
      "pressed, sheared, reversed", "position of the floor x/δ", "force along x, F_x/(μ F_n)", false, false, {}, {}};
  for (const bool hertz : {true, false}) {
    claim_loop(run, hertz);
    const Loop loop = loop_of(hertz, true);
    const LoopTrace t = run_loop(loop);
    const double limit = loop.coefficients.friction * loop.normal();
    Curve line{hertz ? "hertz-history, sphere on the floor" : "hooke-history, sphere on the floor",
               {0},
               {0},
               {},
               {},
               Curve::Style::line};
    for (std::size_t k = 0; k < t.x.size(); k += 5)
      line.x.push_back(t.x[k] / loop.overlap), line.y.push_back(t.force[k] / limit);
    panel.curves.push_back(std::move(line));
    const ShearTable& table = shear_tables()[hertz ? 0 : 1];
    const ShearPath& path = table.path;
    const double of_pair = path.coefficients.friction * Contact(path.coefficients).factor(path.overlap) *
                           path.coefficients.k_n * path.overlap;
    Curve dots{hertz ? "reference T3, pair of spheres, Hertz" : "reference T3, pair of spheres, Hooke",
               {},
               {},
               {},
               {},
               Curve::Style::points};
    for (const ShearRow& row : table.rows) {
      const int at = row.step <= path.forth ? row.step : 2 * path.forth - row.step;
      dots.x.push_back(path.speed * path.dt * at / path.overlap);
      dots.y.push_back(-row.f_x / of_pair);
    }
    panel.curves.push_back(std::move(dots));
  }
  return panel;
}

}  // namespace dem::validation::fleischmann2015
