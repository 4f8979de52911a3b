// Elongation of polygons along prescribed motions, without any integration (polygon-dem reference, §4; shapes and
// motions of polygon-cases.json): errors and orders, rigid motion, superposed spin, the reading of the published
// recipe, reduction to discs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "validation/pena2008/elongation/motions.hpp"
#include "validation/pena2008/studies.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr const char* section = "polygon-dem reference §4";

Case pair_case() {
  Case c = driven_pair_case(elongation_i, elongation_j, elongation_start);
  c.title = "Two polygons moved along prescribed paths";
  c.assembly.bodies[1].angle = 0.3;
  return c;
}

ContactRecord only_contact(const DrivenPair& pair) {
  const auto records = pair.records();
  if (records.size() != 1)
    throw std::runtime_error(fmt::format("the driven polygons have {} contacts instead of one", records.size()));
  return records[0];
}

double by_geometry(const Motion& motion, int steps, GeometricForm form = GeometricForm::exact) {
  Case c = pair_case();
  c.contact.geometric_form = form;
  DrivenPair pair(c);
  for (int k = 0; k <= steps; ++k) pair.move(motion.i(double(k) / steps), motion.j(double(k) / steps));
  return only_contact(pair).elongation;
}

struct Rates {
  Vec2 velocity;
  double spin;
};
/// Derivative of a path by s: five-point formula, exact to 1e-12 for these paths.
Rates rates(const std::function<Pose(double)>& path, double s) {
  const double h = 1e-3;
  const Pose a = path(s - 2 * h), b = path(s - h), c = path(s + h), d = path(s + 2 * h);
  const double f = 1 / (12 * h);
  return {f * (a.position - 8 * b.position + 8 * c.position - d.position),
          f * (a.angle - 8 * b.angle + 8 * c.angle - d.angle)};
}

/// v_t Δt with the velocity at the end of each step (`right`).
double by_velocity(const Motion& motion, int steps) {
  Case c = pair_case();
  c.contact.elongation = Elongation::velocity;
  DrivenPair pair(c);
  const double dt = 1.0 / steps;
  for (int k = 0; k <= steps; ++k) {
    const Rates i = rates(motion.i, k * dt), j = rates(motion.j, k * dt);
    pair.set_velocities(dt * i.velocity, dt * i.spin, dt * j.velocity,
                        dt * j.spin);  // the pass multiplies by its Δt of 1 s
    pair.move(motion.i(k * dt), motion.j(k * dt));
  }
  return only_contact(pair).elongation;
}

/// Contact point and tangent of the pair with both bodies where the motion has them at s.
struct ContactAt {
  Vec2 point, tangent;
};
ContactAt contact_at(DrivenPair& pair, const Motion& motion, double s) {
  pair.move(motion.i(s), motion.j(s));
  const ContactRecord k = only_contact(pair);
  return {planar(k.point), turned_left(planar(k.normal))};
}

/// The material points of both bodies that lie under the contact at the start of a step, moved to its end: Δξ = (x_j −
/// x_i)·t_end.
double by_forward_points(const Motion& motion, int steps) {
  DrivenPair pair(pair_case());
  ContactAt before = contact_at(pair, motion, 0);
  double sum = 0;
  for (int k = 0; k < steps; ++k) {
    const double s = double(k) / steps, e = double(k + 1) / steps;
    const ContactAt now = contact_at(pair, motion, e);
    const auto carried = [&](const std::function<Pose(double)>& path) {
      const Pose a = path(s), b = path(e);
      return b.position + Turn::by(b.angle - a.angle)(before.point - a.position);
    };
    sum += dot(carried(motion.j) - carried(motion.i), now.tangent);
    before = now;
  }
  return sum;
}

/// ∫ v_t ds by Gauss–Legendre with two points an interval: what every elongation approximates, from positions and
/// velocities alone.
double quadrature(const Motion& motion, int intervals) {
  DrivenPair pair(pair_case());
  double sum = 0;
  for (int k = 0; k < intervals; ++k)
    for (const double side : {-1.0, 1.0}) {
      const double s = (k + 0.5 * (1 + side / std::sqrt(3.0))) / intervals;
      const ContactAt c = contact_at(pair, motion, s);
      const Rates i = rates(motion.i, s), j = rates(motion.j, s);
      const Vec2 v = j.velocity + j.spin * turned_left(c.point - motion.j(s).position) - i.velocity -
                     i.spin * turned_left(c.point - motion.i(s).position);
      sum += dot(v, c.tangent) / (2.0 * intervals);
    }
  return sum;
}

/// "3.25e-6" as a number, and half a unit of its last digit.
struct Printed {
  double value, half_digit;
};
constexpr Printed digits(double mantissa, int decimals, int exponent) {
  double unit = 1, half = 0.5;
  for (int k = 0; k < -exponent; ++k) unit /= 10;
  for (int k = 0; k < decimals; ++k) half /= 10;
  return {mantissa * unit, half * unit};
}

std::string listed(std::span<const double> values) {
  std::string out;
  for (double v : values) out += fmt::format("{}{:.3g}", out.empty() ? "" : ", ", v);
  return out;
}

double order_of(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

Claim claim_of(std::string id, std::string published, std::string measured, std::string tolerance, bool agrees,
               std::string note) {
  return {std::move(id),        section,
          std::move(published), std::move(measured),
          std::move(tolerance), agrees ? ClaimVerdict::agrees : ClaimVerdict::differs,
          std::move(note)};
}

Curve curve_of(std::string label, std::span<const int> steps, std::span<const double> y,
               Curve::Style style = Curve::Style::line_and_points) {
  return {std::move(label), {steps.begin(), steps.end()}, {y.begin(), y.end()}, {}, {}, style};
}

/// Errors of the three elongations against the number of steps.
void errors(StudyRun& run) {
  const Motion motion = slide_rotate();
  const int intervals = run.quick() ? 4000 : 20000;
  const double exact = quadrature(motion, intervals),
               error_of_exact =
                   std::max(1e-12, std::abs(exact - quadrature(motion, intervals / 2)));  // 1e-12: of the derivatives
  constexpr double published_value = -0.0354003825;
  run.claim(claim_of(
      "integral", "∫ v_t dt of the prescribed motion is −0.0354003825",
      fmt::format("{:.12f} ± {:.0e}", exact, error_of_exact), "half a unit of the last printed digit, 5e-11",
      std::abs(exact - published_value) < 5e-11 + error_of_exact,
      "Gauss quadrature of the tangential velocity at the overlap centroid, from positions and velocities alone."));

  const int steps[] = {10, 40, 160, 320};
  constexpr Printed published_p[] = {digits(3.25, 2, -6), digits(2.03, 2, -7), digits(1.27, 2, -8),
                                     digits(3.17, 2, -9)};
  constexpr Printed published_forward[] = {digits(8.7, 1, -5), digits(2.3, 1, -5), digits(5.9, 1, -6),
                                           digits(3.0, 1, -6)};
  constexpr Printed published_velocity[] = {digits(1.6, 1, -2), digits(3.9, 1, -3), digits(9.7, 1, -4),
                                            digits(4.8, 1, -4)};
  double p[4], forward[4], velocity[4];
  for (int n = 0; n < 4; ++n) {
    p[n] = std::abs(by_geometry(motion, steps[n]) - exact);
    forward[n] = std::abs(by_forward_points(motion, steps[n]) - exact);
    velocity[n] = std::abs(by_velocity(motion, steps[n]) - exact);
  }
  const auto within = [](const double* found, const Printed* published) {
    for (int n = 0; n < 4; ++n)
      if (std::abs(found[n] - published[n].value) > published[n].half_digit) return false;
    return true;
  };
  const std::string last_digit = "half a unit of the last printed digit of each entry";
  run.claim(claim_of("errors-of-P", "errors of (P) in 10, 40, 160, 320 steps: 3.25e-6, 2.03e-7, 1.27e-8, 3.17e-9",
                     listed(p), last_digit, within(p, published_p),
                     "The same motion of the same polygons, driven through the contact pass of the program."));
  const double order = order_of(p[0], p[3], 32);
  run.claim(claim_of("order-of-P", "(P) is second order in the step (the mid-point rule), order 2.00",
                     fmt::format("order {:.3f} from 10 to 320 steps", order), "0.01, two decimals are printed",
                     std::abs(order - 2) < 0.01, "Errors against the quadrature."));
  run.claim(claim_of("forward-variant",
                     "forward material point and new tangent: 8.7e-5, 2.3e-5, 5.9e-6, 3.0e-6 (order 1)",
                     fmt::format("{}; order {:.2f}", listed(forward), order_of(forward[2], forward[3], 2)), last_digit,
                     within(forward, published_forward),
                     "Material points of both bodies under the contact at the start of a step, moved to its end, along "
                     "the tangent at the end."));
  run.claim(claim_of("velocity",
                     "v_t Δt with the velocity at the end of the step: 1.6e-2, 3.9e-3, 9.7e-4, 4.8e-4 (order 1)",
                     fmt::format("{}; order {:.2f}", listed(velocity), order_of(velocity[2], velocity[3], 2)),
                     last_digit, within(velocity, published_velocity),
                     "Elongation `velocity` of the program, velocities by differentiation of the paths."));

  Figure figure;
  figure.id = "pena2008/elongation/errors";
  figure.title = "Elongation along a prescribed smooth motion";
  figure.caption =
      "Left: error of the elongation after the motion against the number of steps; lines of order 1 and 2 dashed, "
      "published numbers as crosses. "
      "Right: the two polygons at the start of the motion, with their contact plane.";
  Panel panel{"Error against the quadrature of v_t", "steps", "|ξ − ∫ v_t dt| (m)", true, true, {}, {}};
  std::vector<int> fine{10, 20, 40, 80, 160, 320};
  if (!run.quick()) fine.insert(fine.end(), {640, 1280, 2560});
  std::vector<double> all[3], second, first;
  for (int n : fine) {
    all[0].push_back(std::abs(by_geometry(motion, n) - exact));
    all[1].push_back(std::abs(by_forward_points(motion, n) - exact));
    all[2].push_back(std::abs(by_velocity(motion, n) - exact));
    second.push_back(1.5 * all[0][0] * 100.0 / (double(n) * n));
    first.push_back(1.5 * all[2][0] * 10.0 / n);
  }
  panel.curves = {curve_of("geometric, (P)", fine, all[0]), curve_of("forward points, new tangent", fine, all[1]),
                  curve_of("v_t Δt", fine, all[2]), curve_of("order 2", fine, second, Curve::Style::prediction),
                  curve_of("order 1", fine, first, Curve::Style::prediction)};
  const std::array<const Printed*, 3> printed{published_p, published_forward, published_velocity};
  for (int column = 0; column < 3; ++column)
    for (int n = 0; n < 4; ++n)
      panel.curves.push_back({column == 0 && n == 0 ? "published" : "",
                              {double(steps[n])},
                              {printed[std::size_t(column)][n].value},
                              {},
                              {},
                              Curve::Style::prediction});
  figure.panels.push_back(std::move(panel));

  Panel shapes{"The pair at the start", "x (m)", "y (m)", false, false, {}, {}};
  DrivenPair pair(pair_case());
  const ContactAt contact = contact_at(pair, motion, 0);
  const auto drawn = [](const geometry::Outline& outline, Pose pose, std::string label, std::string role) {
    DrawnPolygon d{{}, {}, std::move(label), std::move(role)};
    for (Vec2 v : outline) {
      const Vec2 q = pose.position + Turn::by(pose.angle)(v);
      d.x.push_back(q.x), d.y.push_back(q.y);
    }
    return d;
  };
  shapes.polygons = {drawn(elongation_i, motion.i(0), "body i", "body-i"),
                     drawn(elongation_j, motion.j(0), "body j", "body-j")};
  const Vec2 a = contact.point - 0.3 * contact.tangent, b = contact.point + 0.3 * contact.tangent;
  shapes.polygons.push_back({{a.x, b.x}, {a.y, b.y}, "contact plane", "plane"});
  figure.panels.push_back(std::move(shapes));
  figure.case_text = resolved_case(pair_case());
  run.figure(std::move(figure));
}

void digits_of_the_cases(StudyRun& run) {
  const double slide[] = {-0.03539713552, -0.035400179501, -0.035400369799},
               both[] = {-0.130572865734, -0.130574536093, -0.130574640489};
  const int steps[] = {10, 40, 160};
  double largest = 0, spun = 0;
  for (int n = 0; n < 3; ++n) {
    const double found = by_geometry(slide_rotate(), steps[n]);
    largest = std::max({largest, std::abs(found - slide[n]), std::abs(by_geometry(both_move(), steps[n]) - both[n])});
    spun = std::max(spun, std::abs(by_geometry(slide_rotate(2, {0.3, 0}), steps[n]) - found));
  }
  run.claim(claim_of(
      "digits-of-P",
      "elongations by (P) of polygon-cases.json (slide_rotate and both_move; 10, 40, 160 steps), twelve decimals",
      fmt::format("largest difference {:.1e} m", largest),
      "1e-12: half a unit of the last printed digit of either side", largest < 1e-12,
      "Two motions, three step sizes."));
  run.claim(claim_of("superposed-spin", "with an added spin of 2 rad the (P) column is unchanged to all printed digits",
                     fmt::format("largest change {:.1e} m", spun), "5e-13, half a unit of the last printed digit",
                     spun < 5e-13, "(P) is objective: a superposed rotation shifts all angles equally."));
}

void rigid_motion(StudyRun& run) {
  const double few = std::abs(by_geometry(rigid(), 10)), many = std::abs(by_geometry(rigid(), 320));
  run.claim(claim_of("rigid-motion", "rigid motion of the pair through 1.3 rad: |ξ| < 2e-13 in 10 or 320 steps",
                     fmt::format("{:.1e} in 10 steps, {:.1e} in 320", few, many), "the published bound, 2e-13 m",
                     std::max(few, many) < 2e-13, "The contact point does not move over either body."));
  const double recipe = by_geometry(rigid(), 320, GeometricForm::centroid_displacement),
               coarse = by_geometry(rigid(), 10, GeometricForm::centroid_displacement);
  run.claim(claim_of(
      "centroid-recipe", "\"displacement of the overlap centroid\" alone gives −0.19 in the same rigid motion",
      fmt::format("{:.4f} m in 320 steps, {:.4f} m in 10", recipe, coarse), "0.005, two decimals are printed",
      std::abs(recipe + 0.19) < 0.005,
      "The recipe of the paper read word by word (geometric_form = centroid-displacement) is not an elongation."));
  const double by_v = by_velocity(rigid(), 320), by_v_coarse = by_velocity(rigid(), 10);

  Figure figure;
  figure.id = "pena2008/elongation/rigid-motion";
  figure.title = "Elongation that a rigid motion of the pair leaves";
  figure.caption = fmt::format(
      "The pair turns through 1.3 rad as one body. (P) stays at round-off (at most {:.0e} m); the displacement of the "
      "overlap centroid, read word by "
      "word, grows to {:.2f} m; v_t Δt at the contact point leaves {:.0e} m in 10 steps and {:.0e} m in 320.",
      std::max(few, many), recipe, std::abs(by_v_coarse), std::abs(by_v));
  Panel panel{"", "turn of the pair (rad)", "ξ (m)", false, false, {}, {}};
  Curve p{"(P)", {}, {}, {}, {}, Curve::Style::line}, c{"centroid displacement", {}, {}, {}, {}, Curve::Style::line};
  for (const GeometricForm form : {GeometricForm::exact, GeometricForm::centroid_displacement}) {
    Case given = pair_case();
    given.contact.geometric_form = form;
    DrivenPair pair(given);
    for (int k = 0; k <= 64; ++k) {
      const double s = k / 64.0;
      pair.move(rigid().i(s), rigid().j(s));
      Curve& curve = form == GeometricForm::exact ? p : c;
      curve.x.push_back(1.3 * s);
      curve.y.push_back(only_contact(pair).elongation);
    }
  }
  panel.curves = {p, c};
  figure.panels.push_back(std::move(panel));
  Case shown = pair_case();
  shown.contact.geometric_form = GeometricForm::centroid_displacement;
  figure.case_text = resolved_case(shown);
  run.figure(std::move(figure));
}

/// One large step of two bodies that roll and slide: turn of the branch and of both bodies.
struct Step {
  double turn, spin_i, spin_j;
};
double one_step(const Case& c, double distance, Step step, ContactRecord* end = nullptr) {
  DrivenPair pair(c);
  pair.move({{0, 0}, 0}, {{distance, 0}, 0});
  pair.move({{0, 0}, step.spin_i}, {Turn::by(step.turn)(Vec2{distance, 0}), step.spin_j});
  const ContactRecord k = only_contact(pair);
  if (end) *end = k;
  return k.elongation;
}

void discs(StudyRun& run) {
  const double a_i = 1, a_j = 0.5, distance = 1.48;
  const Step step{0.6, 0.2, -0.5};
  // Discs of the program: (G).
  Case round = driven_pair_case({}, {}, {distance, 0});
  round.contact.normal_force = NormalForce::overlap;
  round.assembly.bodies[0].shape = round.assembly.bodies[1].shape = ShapeKind::disc;
  round.assembly.bodies[0].radius = a_i;
  round.assembly.bodies[1].radius = a_j;
  const double g = a_i * (step.turn - step.spin_i) + a_j * (step.turn - step.spin_j),
               found = one_step(round, distance, step);
  run.claim(claim_of(
      "form-G", "for discs Δξ = a_i(Δφ − Δθ_i) + a_j(Δφ − Δθ_j) exactly, for any step",
      fmt::format("one step with Δφ = 0.6, Δθ = 0.2, −0.5: {:.15f}, difference {:.0e} m", found, std::abs(found - g)),
      "1e-14 m, round-off", std::abs(found - g) < 1e-14, "Radii 1 m and 0.5 m; one single step."));

  // Polygons with more and more sides. Their overlap centroids lie δ/2 inside, so (G) holds with the distances to the
  // contact.
  std::vector<int> sides{50, 100, 200, 400, 800};
  if (!run.quick()) sides.insert(sides.end(), {1600, 3200});
  std::vector<double> with, without;
  double expected_without = 0;
  for (const int n : sides) {
    const double area_i = std::numbers::pi * a_i * a_i, area_j = std::numbers::pi * a_j * a_j;
    for (const bool arc : {true, false}) {
      Case c =
          driven_pair_case(geometry::regular_polygon(n, area_i), geometry::regular_polygon(n, area_j), {distance, 0});
      c.contact.arc_correction = arc;
      ContactRecord end;
      const double xi = one_step(c, distance, step, &end);
      const double l_i = norm(planar(end.point)), l_j = distance - l_i;
      (arc ? with : without)
          .push_back(std::abs(xi - (l_i * (step.turn - step.spin_i) + l_j * (step.turn - step.spin_j))));
      const auto deficit = [](double length, double angle) { return length * (angle - 2 * std::sin(angle / 2)); };
      expected_without = deficit(l_i, step.turn - step.spin_i) + deficit(l_j, step.turn - step.spin_j);
    }
  }
  const double last_with = with.back(), last_without = without.back();
  // A corner of an n-gon stands a(π/n)²/2 before its side: contact points and normals are those of discs up to π/n.
  const double facet = std::numbers::pi / sides.back();
  run.claim(claim_of(
      "arc-correction",
      "discs: multiplying each migration by (Δψ/2)/sin(Δψ/2) gives (G) exactly; the factor is 1 + O(Δ²)",
      fmt::format(
          "{}-gons: {:.1e} m from (G) with the correction; {:.4e} m without, chords instead of arcs predict {:.4e} m",
          sides.back(), last_with, last_without, expected_without),
      fmt::format("half the angle of a side, π/n = {:.1e}, times the step's 1.0 m of movement", facet),
      last_with < facet && std::abs(last_without - expected_without) < facet,
      "One step with Δφ = 0.6 rad of regular polygons whose number of sides grows; what remains are the facets."));
  Figure figure;
  figure.id = "pena2008/elongation/discs";
  figure.title = "From polygons to discs";
  figure.caption =
      "Deviation of one large step of (P) from (G) for regular polygons of equal area: with the arc correction it "
      "vanishes with the facets, "
      "without it the chords remain (dashed: their closed form).";
  Panel panel{"", "sides of either polygon", "|ξ − (G)| (m)", true, true, {}, {}};
  panel.curves = {curve_of("with arc correction", sides, with),
                  curve_of("without", sides, without),
                  {"chord instead of arc",
                   {double(sides.front()), double(sides.back())},
                   {expected_without, expected_without},
                   {},
                   {},
                   Curve::Style::prediction}};
  figure.panels.push_back(std::move(panel));
  run.figure(std::move(figure));
}

}  // namespace

void elongation(StudyRun& run) {
  errors(run);
  digits_of_the_cases(run);
  rigid_motion(run);
  discs(run);
}

}  // namespace dem::validation::pena2008
