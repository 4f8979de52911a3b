// D4: T5 on a real wall, gross sliding, impacts over the angle, two spinning spheres.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/fleischmann2015/single-bodies/bodies.hpp"
#include "validation/fleischmann2015/single-bodies/parts.hpp"
#include "validation/fleischmann2015/unit_tables.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::agrees_with_print;
using kuhn2020::log_slope;
using kuhn2020::verdict;

constexpr const char *t5 = "direct-shear reference T5", *case_d4 = "direct-shear reference §4, case D4";
constexpr double radius = 3e-3;

WallImpact of_row(const ImpactRow& row) {
  return {.coefficients = row.coefficients,
          .midpoint = row.midpoint,
          .history = row.history,
          .limit = row.limit,
          .degrees = row.degrees,
          .source = VelocitySource::trapezoid};
}
/// The law alone, on the flat wall of T5.
Rebound alone(const WallImpact& i, SeenVelocity seen) {
  Contact c(i.coefficients);
  c.options.history = i.history;
  c.options.friction_limit = i.limit;
  return meets_wall(c, radius, i.speed, i.degrees * degree, i.midpoint, i.dt, int(std::lround(0.1 / i.dt)), 0, seen);
}
/// Of velocities and R ω (m/s), which is over the speed of 1 m/s.
template <class A, class B>
double apart(const A& a, const B& b) {
  return std::max({std::abs(a.v_x - b.v_x), std::abs(a.v_z - b.v_z), radius * std::abs(a.spin - b.spin)});
}

void claim_rows(StudyRun& run) {
  int k = 0;
  double same = 0, undamped = 0, predicted = 0, geometric = 0;
  for (const ImpactRow& row : impact_rows()) {
    WallImpact i = of_row(row);
    const Rebound r = rebound_from_wall(i);
    std::string published = fmt::format("v_x′ {:.9g}, v_z′ {:.9g} m/s, ω′ {:.9g} 1/s", row.v_x, row.v_z, row.spin),
                ours = fmt::format("{:.9g}, {:.9g}, {:.9g}", r.v_x, r.v_z, r.spin);
    const double worst = apart(r, row);
    if (row.e_n > 0) {
      published += fmt::format(", e_n {:.7g}, J_t/J_n {:.7g}", row.e_n, row.impulses);
      ours += fmt::format(", {:.7g}, {:.7g}", r.v_z / std::cos(row.degrees * degree), r.impulse_t / r.impulse_n);
    }
    run.claim({fmt::format("t5-{}", ++k), fmt::format("{} {}", t5, row.name), published,
               fmt::format("{}; {:.0e} of the speed off", ours, worst),
               "1e-3 of the speed: another integrator (§5). The elongation grows with mid-step velocities as there; "
               "dashpots see v + a Δt instead of v + a Δt/2",
               verdict(worst < 1e-3),
               "A real wall of the program, velocity Verlet, velocity_source = trapezoid, Δt 1e-6 s."});
    i.source = VelocitySource::predicted;
    const Rebound other = rebound_from_wall(i);
    predicted = std::max(predicted, apart(other, row));
    same = std::max(same, apart(other, alone(i, SeenVelocity::extrapolated)));
    WallImpact g = i;
    g.elongation = Elongation::geometric;
    geometric = std::max(geometric, apart(rebound_from_wall(g), row));
    i.coefficients.gamma_n = i.coefficients.gamma_t = i.coefficients.restitution = 0;
    i.source = VelocitySource::trapezoid;
    undamped = std::max(undamped, apart(rebound_from_wall(i), alone(i, SeenVelocity::of_mid_step)));
  }
  run.claim({"t5-wall-to-rounding", t5, "1e-9 with the same integrator",
             fmt::format("all rows on a real wall and by the law alone on a flat one: {:.0e} of the speed apart where "
                         "both integrate with v + a Δt; without dashpots, where the integrator "
                         "is that of the reference, {:.0e}",
                         same, undamped),
             "1e-12: rounding of some hundred steps", verdict(std::max(same, undamped) < 1e-12),
             "So nothing but the velocity that the dashpots see separates the rows above from the reference; the law "
             "alone with its integrator has its digits to 1e-14 "
             "(unit-cases)."});
  run.claim({"t5-velocity-source", t5, "with another integrator 1e-3",
             fmt::format("worst row at Δt 1e-6 s: {:.1e} of the speed off with elongation = geometric, {:.1e} with "
                         "velocity and velocity_source = predicted",
                         geometric, predicted),
             "1e-3 of the speed (§5), both", verdict(std::max(geometric, predicted) < 1e-3),
             "predicted adds v + a Δt times Δt to the elongation, an error of first order in Δt; at 5° it shows in the "
             "spin. geometric and trapezoid are nearer."});
}

void claim_limit(StudyRun& run) {
  // Row by row: the mid-step integrator and the real wall at smaller and smaller steps.
  const std::vector<double> steps = run.quick() ? std::vector{1e-6, 1e-7} : std::vector{1e-6, 1e-7, 1e-8};
  std::vector<double> worst;
  double reference_off = 0;
  const double fine = run.quick() ? 2e-8 : 2e-9;
  for (const double dt : steps) {
    double most = 0;
    for (const ImpactRow& row : impact_rows()) {
      WallImpact i = of_row(row);
      i.dt = dt;
      most = std::max(most, apart(rebound_from_wall(i), alone(i, SeenVelocity::of_mid_step)));
    }
    worst.push_back(most);
  }
  for (const ImpactRow& row : impact_rows()) {
    WallImpact i = of_row(row);
    i.dt = fine;
    reference_off = std::max(reference_off, apart(alone(i, SeenVelocity::of_mid_step), row));
  }
  std::string text;
  for (std::size_t k = 0; k < steps.size(); ++k)
    text += fmt::format("{}{:.1e} at Δt = {:g} s", text.empty() ? "" : ", ", worst[k], steps[k]);
  const double order = log_slope(steps, worst);
  run.claim({"t5-small-steps", t5, "states Δt 1e-6 s only; two integrators of one law must have one limit",
             fmt::format("real wall and reference's integrator, worst row: {} of the speed apart, order {:.2f}; the "
                         "reference's digits are {:.1e} from that limit",
                         text, order, reference_off),
             "order 0.8 or more, below 1e-4 at the second step", verdict(order > 0.8 && worst[1] < 1e-4),
             "Forces at mid-step velocities with dashpots are of first order (§5 states Δt 1e-6 s)."});
}

void claim_sliding(StudyRun& run) {
  const Coefficients hooke = impact_rows()[6].coefficients, hertz = impact_rows()[1].coefficients;
  const double friction = hooke.friction;
  double impulse = 0, speed = 0, spin = 0;
  int count = 0;
  const auto check = [&](const Coefficients& k, TangentialHistory history, double degrees) {
    const Rebound r = rebound_from_wall(
        {.coefficients = k, .midpoint = false, .history = history, .degrees = degrees, .clip_tension = true});
    const double angle = degrees * degree, e = r.v_z / std::cos(angle), shed = friction * (1 + e) * std::cos(angle);
    impulse = std::max(impulse, std::abs(r.impulse_t / r.impulse_n / friction - 1));
    speed = std::max(speed, std::abs(r.v_x - (std::sin(angle) - shed)));
    spin = std::max(spin, std::abs(radius * r.spin - 2.5 * shed));
    ++count;
    return r.impulse_t / r.impulse_n;
  };
  for (const Coefficients& k : {hooke, hertz})
    for (const double degrees : {60.0, 65.0, 70.0, 75.0, 80.0}) check(k, TangentialHistory::whole, degrees);
  for (const TangentialHistory history : {TangentialHistory::pseudo, TangentialHistory::none})
    for (const double degrees : {75.0, 80.0}) check(hooke, history, degrees);
  const Rebound attracts = rebound_from_wall({.coefficients = hertz, .midpoint = false, .degrees = 80}),
                slips = rebound_from_wall({.coefficients = hooke,
                                           .midpoint = false,
                                           .history = TangentialHistory::none,
                                           .degrees = 60,
                                           .clip_tension = true});
  run.claim({"gross-sliding", case_d4,
             "large angles: J_t/J_n = μ, v_x′ = v sin α − μ(1 + e_n) v cos α, R ω′ = (5/2) μ(1 + e_n) v cos α",
             fmt::format("{} impacts, true history at 60° to 80° (Hooke, Hertz), pseudo and none at 75° and 80° "
                         "(Hooke): J_t/J_n {:.0e} off, v_x′ {:.0e} and R ω′ {:.0e} of the speed off",
                         count, impulse, speed, spin),
             "1e-9: closed forms, where the contact slides from the first step to the last",
             verdict(std::max({impulse, speed, spin}) < 1e-9),
             fmt::format("Lever radius, clip_tension, measured e_n. A dashpot slides only where γ_t m v_t > μ F_n all "
                         "the time: at 60° none has {:.4f}. Without clip_tension the limit is "
                         "μ|F_n| also while the contact attracts: {:.5f} at 80° (T5 (a)), as in its row.",
                         slips.impulse_t / slips.impulse_n, attracts.impulse_t / attracts.impulse_n)});
}

void claim_none(StudyRun& run) {
  const auto rows = impact_rows();
  const auto ratio = [&](std::size_t k) {
    const Rebound r = rebound_from_wall(of_row(rows[k]));
    return r.impulse_t / r.impulse_n;
  };
  const double whole = ratio(6), none = ratio(7);
  run.claim({"dashpot-only", case_d4, "without history J_t/J_n = 0.0720 instead of 0.1724 at 40° (Hooke)",
             fmt::format("{:.5f} instead of {:.5f}", none, whole), "the printed digits",
             verdict(agrees_with_print("0.0720", none) && agrees_with_print("0.1724", whole)),
             "A dashpot resists a speed only: it holds nothing back when the contact point slows down."});
}

void claim_spins(StudyRun& run) {
  const Coefficients k = impact_rows()[6].coefficients;
  std::string shift, turned;
  double last_speed = 0, last_spin = 0, mirrored = 0;
  for (const double v : {0.5, 0.05, 0.005}) {
    const double spin = 400 * v;
    const SpinRebound r = collide_spinning({.coefficients = k, .speed = v, .spin_1 = spin, .spin_2 = spin});
    const double e = (r.velocity[1].z - r.velocity[0].z) / (2 * v), shed = k.friction * (1 + e) * v;
    last_speed = r.velocity[1].x / shed - 1;
    last_spin = radius * (spin - r.spin[0]) / (2.5 * shed) - 1;
    shift += fmt::format("{}{:.1e}", shift.empty() ? "" : ", ", last_speed);
    turned += fmt::format("{}{:.1e}", turned.empty() ? "" : ", ", last_spin);
    const SpinRebound m = collide_spinning({.coefficients = k, .speed = v, .spin_1 = spin, .spin_2 = -spin});
    mirrored = std::max(
        {mirrored, std::abs(m.velocity[0].x) / v, std::abs(m.spin[0] / spin - 1), std::abs(m.spin[1] / spin + 1)});
  }
  run.claim(
      {"spins-equal", case_d4,
       "two spheres that spin alike and meet head-on slide: v_x′ = ∓μ(1 + e_n) v, R Δω = −(5/2) μ(1 + e_n) v for both",
       fmt::format("at 0.5, 0.05 and 0.005 m/s v_x′ is off by {}, R Δω by {}", shift, turned),
       "1e-3 at the lowest speed: the line of centres turns during a contact of 0.8 ms, by an angle in proportion to "
       "the speed",
       verdict(std::abs(last_speed) < 1e-3 && std::abs(last_spin) < 1e-3),
       "Hooke coefficients of T5 (c), R ω = 1.2 v, lever radius, clip_tension."});
  run.claim({"spins-opposite", case_d4, "spins of opposite sense roll on each other: no friction",
             fmt::format("sideways speed and spins change by {:.0e}, relative", mirrored), "1e-12: rounding",
             verdict(mirrored < 1e-12), "The same impacts."});
}

}  // namespace

std::vector<Panel> impacts(StudyRun& run) {
  claim_rows(run);
  claim_limit(run);
  claim_sliding(run);
  claim_none(run);
  claim_spins(run);

  Panel normal{"normal restitution", "angle α from the normal (degrees)", "e_n", false, false, {}, {}},
      tangential{"impulses", "angle α from the normal (degrees)", "J_t/J_n", false, false, {}, {}};
  struct Line {
    const char* label;
    std::size_t row;  // of T5, whose parameters they are
    TangentialHistory history;
  };
  constexpr Line lines[] = {{"Hertz, user's coefficients (T5 a), true history", 1, TangentialHistory::whole},
                            {"Hertz, user's coefficients (T5 a), no history", 1, TangentialHistory::none},
                            {"Hertz, material coefficients (T5 b), true history", 5, TangentialHistory::whole},
                            {"Hooke (T5 c), true history", 6, TangentialHistory::whole},
                            {"Hooke (T5 c), pseudo-history", 6, TangentialHistory::pseudo},
                            {"Hooke (T5 c), no history", 6, TangentialHistory::none}};
  for (const Line& line : lines) {
    Curve e{line.label, {}, {}, {}, {}, Curve::Style::line}, j = e;
    for (double degrees = 5; degrees <= 80; degrees += run.quick() ? 5 : 1) {
      WallImpact i = of_row(impact_rows()[line.row]);
      i.history = line.history;
      i.degrees = degrees;
      const Rebound r = rebound_from_wall(i);
      e.x.push_back(degrees);
      e.y.push_back(r.v_z / std::cos(degrees * degree));
      j.x.push_back(degrees);
      j.y.push_back(r.impulse_t / r.impulse_n);
    }
    if (line.history == TangentialHistory::whole) normal.curves.push_back(std::move(e));
    tangential.curves.push_back(std::move(j));
  }
  Curve e{"numbers of the reference, T5", {}, {}, {}, {}, Curve::Style::points}, j = e;
  for (const ImpactRow& row : impact_rows()) {
    const double angle = row.degrees * degree, e_n = row.v_z / std::cos(angle);
    e.x.push_back(row.degrees);
    e.y.push_back(e_n);
    if (row.degrees == 0) continue;
    j.x.push_back(row.degrees);
    j.y.push_back((std::sin(angle) - row.v_x) / (row.v_z + std::cos(angle)));
  }
  normal.curves.push_back(std::move(e));
  tangential.curves.push_back(std::move(j));
  tangential.curves.push_back({"μ", {5, 80}, {0.18, 0.18}, {}, {}, Curve::Style::prediction});
  return {std::move(normal), std::move(tangential)};
}

}  // namespace dem::validation::fleischmann2015
