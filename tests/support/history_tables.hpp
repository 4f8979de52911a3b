// The unit numbers T2, T3, T5 and T7 of the direct-shear reference (§5), and what computes them.
#pragma once
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/laws/displacement_history.hpp"
#include "support/history_contact.hpp"
#include "support/study_tables.hpp"

namespace dem::test::history {

inline constexpr double degree = std::numbers::pi / 180;

struct TableRow : StudyRow {
  Vec3 vector(const std::string& name) const { return {number(name + "_x"), number(name + "_y"), number(name + "_z")}; }
  TangentialHistory history() const {
    return at("history") == "true"     ? TangentialHistory::whole
           : at("history") == "pseudo" ? TangentialHistory::pseudo
                                       : TangentialHistory::none;
  }
  FrictionLimit limit() const { return at("limit") == "spring" ? FrictionLimit::spring : FrictionLimit::total; }
};

// T2: one evaluation of the law, n = (0.6, 0, 0.8), δ = Δt = 1e-5.

struct Evaluation {
  std::string name;
  Coefficients coefficients;
  TangentialHistory history = TangentialHistory::whole;
  FrictionLimit limit = FrictionLimit::total;
  Vec3 speed;         ///< of j relative to i (m/s)
  Vec3 start;         ///< elongation before; what lies along n is the frame's to take away
  double normal;      ///< F_n (N)
  Vec3 force, after;  ///< F_t on j (N); elongation after, with the whole history
  Vec3 n{0.6, 0, 0.8};
  double overlap = 1e-5, dt = 1e-5;
};

struct Evaluated {
  double normal;
  Vec3 force, after;
};
inline Evaluated evaluate(const Evaluation& row) {
  const Vec3 across = cross(row.n, Vec3{0, 1, 0}), e1 = (1 / norm(across)) * across, e2 = cross(row.n, e1);
  Contact c(row.coefficients);
  c.options.history = row.history;
  c.options.friction_limit = row.limit;
  const double stiffness = c.factor(row.overlap) * row.coefficients.k_t;
  const double start[2] = {stiffness * dot(row.start, e1), stiffness * dot(row.start, e2)};
  c.history[2] = row.coefficients.hertz ? stiffness : 0;
  c.law->start(c.history, start, stiffness);
  c.step(row.overlap, dot(row.speed, row.n), dot(row.speed, e1), dot(row.speed, e2), row.dt);
  return {c.normal(), c.on_j_1() * e1 + c.on_j_2() * e2, c.elongation(1) * e1 + c.elongation(2) * e2};
}

/// All 16 rows.
inline std::vector<Evaluation> evaluations() {
  std::vector<Evaluation> all;
  for (const TableRow& r : study_rows<TableRow>("tests/support/tables/evaluations.csv")) {
    Coefficients k = r.at("law") == "hertz" ? Coefficients{true, 5.86e6, 5.79e6, 1e6, 5e5, 0, 0.00125, 8.18e-05}
                                            : Coefficients{false, 2000, 1600, 400, 200, 0, 0.00125, 8.18e-05};
    k.friction = r.number("friction");
    all.push_back({r.at("name"), k, r.history(), r.limit(), r.vector("v"), r.vector("start"), r.number("normal"),
                   r.vector("force"), r.vector("after")});
  }
  return all;
}

// T3: pressed, sheared forth and back. The normal turns; the elongation is projected, as there.

struct ShearRow {
  int step;
  double f_x, f_z, u_x;  ///< on the sphere that moves (N); m
};
/// The state after every step.
inline std::vector<ShearRow> press_shear_reverse(const Coefficients& coefficients) {
  constexpr double radius = 0.003, speed = 0.01, dt = 1e-6, height = 2 * radius - 2e-5;
  constexpr int forth = 1200, back = 2400;
  Contact c(coefficients);
  std::vector<ShearRow> rows;
  double before = 0;  // angle of the normal from z
  for (int k = 1; k <= forth + back; ++k) {
    const double v = k <= forth ? speed : -speed, x = speed * dt * (k <= forth ? k : 2 * forth - k);
    const double angle = std::atan2(x, height), s = std::sin(angle), t = std::cos(angle);
    for (int d = 0; d < 2; ++d) c.history[d] *= std::cos(angle - before);
    before = angle;
    c.step(2 * radius - std::hypot(x, height), v * s, v * t, 0, dt);
    rows.push_back({k, c.normal() * s + c.on_j_1() * t, c.normal() * t - c.on_j_1() * s, c.elongation(1) * t});
  }
  return rows;
}

struct ShearTable {
  std::string name;
  Coefficients coefficients;
  std::vector<ShearRow> rows;
};
/// Of the Hertz and of the Hooke form.
inline std::vector<ShearTable> shear_tables() {
  std::vector<ShearTable> all{{"hertz", glass, {}},
                              {"hooke", {false, 2000, 1600, 400, 200, 0.18, 0.0015, 0.00014419910279977148}, {}}};
  for (const TableRow& r : study_rows<TableRow>("tests/support/tables/shear.csv"))
    all[r.at("law") == "hertz" ? 0 : 1].rows.push_back(
        {int(r.number("step")), r.number("f_x"), r.number("f_z"), r.number("u_x")});
  return all;
}

// T5: oblique impacts on a flat wall.

struct ImpactRow {
  std::string name;
  Coefficients coefficients;
  bool midpoint;  ///< lever
  TangentialHistory history;
  FrictionLimit limit;
  double degrees, v_x, v_z, spin;
  double e_n = 0, impulses = 0;  ///< J_t/J_n. 0 if not given
};
inline Rebound rebound_of(const ImpactRow& row) {
  Contact c(row.coefficients);
  c.options.history = row.history;
  c.options.friction_limit = row.limit;
  return meets_wall(c, 0.003, 1, row.degrees * degree, row.midpoint, 1e-6, 3000);
}
inline std::vector<ImpactRow> impact_rows() {
  Coefficients hertz = on_a_wall(glass), material = hertz;
  material.restitution = 0.87;
  const Coefficients hooke = on_a_wall({false, 2000, 1600, 400, 200, 0.18, 0, 0});
  std::vector<ImpactRow> all;
  for (const TableRow& r : study_rows<TableRow>("tests/support/tables/impacts.csv")) {
    const std::string& kind = r.at("coefficients");
    all.push_back({r.at("name"),
                   kind == "hertz"   ? hertz
                   : kind == "hooke" ? hooke
                                     : material,
                   r.at("lever") == "midpoint", r.history(), r.limit(), r.number("degrees"), r.number("v_x"),
                   r.number("v_z"), r.number("spin"), r.number("e_n"), r.number("impulses")});
  }
  return all;
}

// T7: a sphere that cannot turn on an incline.

struct Incline {
  double degrees = 15, friction = 0.5, k_t = 571.4285714285714, gamma_t = 200, mass = 0.0001636246173744684;
};
struct OnIncline {
  double speed = 0, elongation = 0;  ///< at the end
};
inline OnIncline slide_on_incline(const Incline& given, TangentialHistory history, double dt, double until) {
  Contact c({false, 2000, given.k_t, 400, given.gamma_t, given.friction, 0.0025, given.mass});
  c.options.history = history;
  const double g = 9.81, along = given.mass * g * std::sin(given.degrees * degree);
  const double overlap = given.mass * g * std::cos(given.degrees * degree) / 2000;  // at rest across
  OnIncline out;
  double f = 0;
  const long steps = std::lround(until / dt);
  for (long k = 0; k < steps; ++k) {
    out.speed += 0.5 * dt * (along + f) / given.mass;
    c.step(overlap, 0, out.speed, 0, dt);
    f = c.on_j_1();
    out.speed += 0.5 * dt * (along + f) / given.mass;
  }
  out.elongation = c.elongation(1);
  return out;
}
/// The speed of a sphere that creeps, and the elongation of one that rests.
inline double creep_of(const Incline& i, double dt_of_pseudo = 0) {
  return i.mass * 9.81 * std::sin(i.degrees * degree) / (i.gamma_t * i.mass + i.k_t * dt_of_pseudo);
}

inline constexpr double rest_at_15 = 7.270293283201703e-07,
                        creep_at_15 = 0.012695074162278646;  ///< true history (m); none (m/s)
struct PseudoCreep {
  double dt, speed;
};
inline constexpr PseudoCreep pseudo_at_15[] = {
    {2e-5, 0.009409115436433212}, {1e-5, 0.010807853211132559}, {5e-6, 0.011675694339724724}};

}  // namespace dem::test::history
