// Where the tangential force acts (direct-shear reference, §1.1 and T9): with the middle of the overlap as contact
// point forces and couples of a contact leave the angular momentum as it is, and a pair that turns as one body does not
// slip; with levers of the whole radius the two couples are too large by δ n × F_t together.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "validation/fleischmann2015/angular-momentum/pairs.hpp"
#include "validation/fleischmann2015/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::log_slope;
using kuhn2020::verdict;

constexpr const char* section = "direct-shear reference §1.1";
constexpr double published_slip = 3.1415926535897935e-05, rounding = 1e-12;

struct Worst {
  double middle = 0, radius_error = 0, radius_least = 1, radius_most = 0;
  int count = 0;
};

/// Over laws, histories, friction, restitution and integrators; Gear's scheme apart.
Worst worst_of_collisions(double steps) {
  Worst w;
  for (const char* law : {"hooke-history", "hertz-history"})
    for (const TangentialHistory history :
         {TangentialHistory::whole, TangentialHistory::pseudo, TangentialHistory::none})
      for (const double friction : {0.1, 0.5, 10.0})
        for (const double restitution : {1.0, 0.7}) {
          Collision c{.law = law, .history = history, .friction = friction, .restitution = restitution, .steps = steps};
          w.middle = std::max(w.middle, collide(c).momentum);
          c.lever = Lever::radius;
          const Collided r = collide(c);
          if (!(r.by_lever > 1e-9)) continue;  // no tangential force: no history and no dashpot
          w.radius_error = std::max(w.radius_error, std::abs(r.momentum / r.by_lever - 1));
          w.radius_least = std::min(w.radius_least, r.momentum);
          w.radius_most = std::max(w.radius_most, r.momentum);
          ++w.count;
        }
  return w;
}

void claim_collisions(StudyRun& run, double steps) {
  const Worst w = worst_of_collisions(steps);
  run.claim({"collision-midpoint", section,
             "with r measured to the contact point (middle of the overlap) forces and couples of a contact balance",
             fmt::format("off-centre collisions of spinning spheres with both laws, three histories, μ = 0.1, 0.5, 10, "
                         "e = 1 and 0.7: the angular momentum "
                         "changes by {:.1e} of itself at most",
                         w.middle),
             "1e-12: rounding of some hundred steps", verdict(w.middle < rounding),
             "Velocity Verlet, which keeps it exactly where the couples balance."});
  run.claim({"collision-radius", section, "r = R n makes couples that do not balance: δ n × F_t is left over",
             fmt::format("the angular momentum changes by {:.2g} to {:.2g} of itself in {} collisions; ∫ δ n × F_t dt "
                         "from the contact's own records gives "
                         "the same within {:.1e}",
                         w.radius_least, w.radius_most, w.count, w.radius_error),
             "1e-3 of the change: sum over the steps of the contact",
             verdict(w.radius_error < 1e-3 && w.radius_least > 1e-6),
             "This lever is that of some codes; it is offered for comparison only."});
  double gear = 0, gear_radius = 0;
  for (const char* law : {"hooke-history", "hertz-history"}) {
    Collision c{.law = law, .integrator = Integrator::gear5, .steps = steps};
    gear = std::max(gear, collide(c).momentum);
    c.lever = Lever::radius;
    gear_radius = std::max(gear_radius, collide(c).momentum);
  }
  run.claim(
      {"collision-gear", section, "nothing on integrators",
       fmt::format("Gear's scheme, {:g} steps a contact: {:.1e} (midpoint), {:.1e} (radius)", steps, gear, gear_radius),
       "", ClaimVerdict::not_comparable,
       "A predictor-corrector keeps angular momentum only up to its truncation error, whatever the lever."});
}

void claim_turning(StudyRun& run, int steps) {
  double middle = 0, radius = 0;
  for (const Vec3 axis : {Vec3{0, 1, 0}, Vec3{0.6, 0.8, 0}}) {
    PairTurn turn{.friction = 1e6, .steps = steps, .axis = axis};
    for (const double u : turn_pair(turn).slip) middle = std::max(middle, u);
    turn.lever = Lever::radius;
    radius = turn_pair(turn).slip.back();
  }
  run.claim({"turn-midpoint", "direct-shear reference T9", "a pair that turns by 90° as one body slips by 0",
             fmt::format("{:.1e} m at most in {} steps about two axes, of an overlap of 2e-5 m", middle, steps),
             "1e-15 m: rounding", verdict(middle < 1e-15), "Geometric elongation with arms of mid-step."});
  run.claim({"turn-radius", "direct-shear reference T9",
             fmt::format("with r = R n it slips by δ π/2 = {:.5e} m", published_slip),
             fmt::format("{:.9e} m, {:.1e} off", radius, radius / published_slip - 1),
             "1e-6: chords of 1000 steps instead of arcs, (π/2000)²/24 = 1.0e-7",
             verdict(std::abs(radius / published_slip - 1) < 1e-6), "k_t 1600 N/m without a limit."});
  PairTurn turn{.lever = Lever::radius, .steps = steps};
  const Turned limited = turn_pair(turn);
  const double limit = turn.friction * turn.k_n * turn.overlap;
  run.claim({"turn-saturates", "direct-shear reference T9", "which saturates the Coulomb limit at k_t 1600, μ 0.9",
             fmt::format("{} with a force of {:.9g} N, μ k_n δ = {:.9g} N", limited.slides ? "slides" : "sticks",
                         limited.force, limit),
             "1e-9 of the force", verdict(limited.slides && std::abs(limited.force / limit - 1) < 1e-9),
             "A rigid turn should leave the contact without any tangential force."});
}

void draw(StudyRun& run, double steps) {
  Figure figure;
  figure.id = "fleischmann2015/angular-momentum";
  figure.title = "Where the tangential force acts";
  figure.caption =
      "Left: elongation of the spring of two spheres (R = 3 mm, δ = 2e-5 m, k_t = 1600 N/m) that turn as one rigid "
      "body about an axis through one of them; dashed: δ θ. "
      "Middle: angular momentum during an off-centre collision of spinning spheres (law hooke-history, μ = 0.5, e = "
      "1). Right: its change over the collision against the "
      "largest overlap; the rounding of the midpoint lever does not depend on it.";
  Panel turn{"turning as one body", "angle θ (degrees)", "elongation over overlap u/δ", false, false, {}, {}};
  Panel time{"during a collision", "time over contact duration", "|ΔL|/L₀", false, true, {}, {}};
  Panel softness{"after it", "largest overlap over radius, δ/R", "|ΔL|/L₀", true, true, {}, {}};
  struct Line {
    Lever lever;
    const char* label;
  };
  constexpr Line lines[] = {{Lever::contact_point, "contact-point (default)"}, {Lever::radius, "radius"}};
  for (const Line& line : lines) {
    for (const double friction : {1e6, 0.9}) {
      if (line.lever == Lever::contact_point && friction < 1) continue;
      const PairTurn given{.lever = line.lever, .friction = friction, .steps = 90};
      const Turned t = turn_pair(given);
      Curve c{friction < 1 ? "radius, μ = 0.9" : line.label, {}, {}, {}, {}, Curve::Style::line};
      for (std::size_t k = 0; k < t.angle.size(); ++k)
        c.x.push_back(t.angle[k] * 57.29577951308232), c.y.push_back(t.slip[k] / given.overlap);
      turn.curves.push_back(std::move(c));
    }
    const Collided hit = collide({.lever = line.lever, .steps = steps});
    Curve during{line.label, {}, {}, {}, {}, Curve::Style::line};
    for (std::size_t k = 0; k < hit.time.size(); ++k)
      if (hit.time[k] <= 1.05) during.x.push_back(hit.time[k]), during.y.push_back(std::max(hit.change[k], 1e-17));
    time.curves.push_back(std::move(during));
    Curve against{line.label, {}, {}, {}, {}, Curve::Style::line_and_points};
    for (double s = 1e-3; s < 40; s *= 4) {
      const Collided c = collide({.lever = line.lever, .softness = s, .steps = steps});
      against.x.push_back(c.overlap), against.y.push_back(std::max(c.momentum, 1e-17));
    }
    if (line.lever == Lever::radius) {
      const double slope = log_slope(against.x, against.y);
      run.claim(
          {"overlap", section, "the spurious slip is δ θ: what is lost is in proportion to the overlap",
           fmt::format("|ΔL| ~ (δ/R)^{:.3f} for δ/R from {:.1e} to {:.2g}", slope, against.x.front(), against.x.back()),
           "0.05 of the exponent", verdict(std::abs(slope - 1) < 0.05),
           "Spheres as hard as sand lose little in one collision, those of soft computations do not."});
    }
    softness.curves.push_back(std::move(against));
  }
  Curve theory{"δ θ", {0, 90}, {0, published_slip / 2e-5}, {}, {}, Curve::Style::prediction};
  turn.curves.push_back(std::move(theory));
  figure.panels = {std::move(turn), std::move(time), std::move(softness)};
  figure.case_text = resolved_case(collision_case({.lever = Lever::radius, .steps = steps}));
  figure.command = "dem validate fleischmann2015/angular-momentum";
  run.figure(std::move(figure));
}

}  // namespace

void angular_momentum(StudyRun& run) {
  const double steps = run.quick() ? 200 : 1000;
  claim_turning(run, 1000);
  claim_collisions(run, steps);
  draw(run, steps);
}

}  // namespace dem::validation::fleischmann2015
