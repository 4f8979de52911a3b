// The unit numbers T2 to T5, T7 and T9 of the direct-shear reference: published digit, ours, difference. The strict
// checks of every digit are tests; this is for readers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "libdem/contacts/one_contact.hpp"
#include "validation/fleischmann2015/angular-momentum/pairs.hpp"
#include "validation/fleischmann2015/studies.hpp"
#include "validation/fleischmann2015/turning_normal.hpp"
#include "validation/fleischmann2015/unit_tables.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

using kuhn2020::verdict;

std::string text_of(Vec3 v) { return fmt::format("({:.10g}, {:.10g}, {:.10g})", v.x + 0.0, v.y + 0.0, v.z + 0.0); }

void claim_evaluations(StudyRun& run) {
  int k = 0;
  for (const Evaluation& row : evaluations()) {
    const Evaluated found = evaluate(row);
    const bool whole = row.history == TangentialHistory::whole;
    const double normal = std::abs(found.normal / row.normal - 1),
                 force = norm(found.force - row.force) / norm(row.force);
    const double after = whole ? norm(found.after - row.after) / norm(row.after) : 0;
    run.claim({fmt::format("t2-{}", ++k), fmt::format("direct-shear reference T2, {}", row.name),
               fmt::format("F_n {:.10g} N, F_t {} N{}", row.normal, text_of(row.force),
                           whole ? fmt::format(", u {} m", text_of(row.after)) : ""),
               fmt::format("F_n {:.10g} N, F_t {} N{}; differences {:.0e}, {:.0e}{}", found.normal,
                           text_of(found.force), whole ? fmt::format(", u {} m", text_of(found.after)) : "", normal,
                           force, whole ? fmt::format(", {:.0e}", after) : ""),
               "1e-12, relative (§5)", verdict(std::max({normal, force, after}) <= 1e-12),
               "One evaluation of the law as the program runs it."});
  }
}

void claim_shear(StudyRun& run) {
  for (const ShearTable& table : shear_tables()) {
    const std::vector<ShearRow> found = press_shear_reverse(table.path);
    std::string published, ours;
    double worst = 0;
    for (const ShearRow& row : table.rows) {
      const ShearRow& is = found.at(std::size_t(row.step - 1));
      worst = std::max(
          {worst, std::abs(is.f_x / row.f_x - 1), std::abs(is.f_z / row.f_z - 1), std::abs(is.u_x / row.u_x - 1)});
      published += fmt::format("{}{}: {:.9g}", published.empty() ? "" : "; ", row.step, row.f_x);
      ours += fmt::format("{}{}: {:.9g}", ours.empty() ? "" : "; ", row.step, is.f_x);
    }
    run.claim(
        {fmt::format("t3-{}", table.name), fmt::format("direct-shear reference T3, {}", table.name),
         fmt::format("F_x on the moving sphere (N) after step {}", published),
         fmt::format("{}; F_x, F_z and u_x of all {} rows differ by {:.0e} at most", ours, table.rows.size(), worst),
         "1e-9, relative (§5)", verdict(worst <= 1e-9),
         "The sphere moves along a line, so that the overlap changes and the normal turns."});
  }
}

void claim_turning(StudyRun& run) {
  for (const int n : {9, 90, 900}) {
    const Vec3 t = turn_normal(n, {1e-6, 0, 0}, {0, 1, 0}, Transport::projection),
               along = turn_normal(n, {1e-6, 0, 0}, {1, 0, 0}, Transport::projection),
               kept = turn_normal(n, {1e-6, 0, 0}, {0, 1, 0}, Transport::projection_rescaled);
    const double ratio = norm(t) / 1e-6, law = std::pow(std::cos(90 * degree / n), n),
                 tilt = std::hypot(t.x, t.y) / norm(t);
    const double unchanged = norm(along - Vec3{1e-6, 0, 0}) / 1e-6, length = std::abs(norm(kept) / 1e-6 - 1);
    run.claim(
        {fmt::format("t4-{}", n), fmt::format("direct-shear reference T4, N = {}", n),
         fmt::format("the normal turns by 90° in {} steps: |u|/|u₀| = cos^N(90°/N) = {:.16g}, final direction −z; u "
                     "parallel to the axis unchanged",
                     n, law),
         fmt::format(
             "{:.16g}, {:.0e} off −z; parallel: changed by {:.0e}; with projection-rescaled |u|/|u₀| − 1 = {:.0e}",
             ratio, tilt, unchanged, length),
         "1e-12",
         verdict(std::abs(ratio / law - 1) <= 1e-12 && tilt <= 1e-12 && t.z < 0 && unchanged <= 1e-12 &&
                 length <= 1e-12),
         "contact.transport = projection is the published way; the default, exact, keeps the length and follows the "
         "twist too."});
  }
}

void claim_impacts(StudyRun& run) {
  int k = 0;
  for (const ImpactRow& row : impact_rows()) {
    const Rebound r = rebound_of(row);
    const auto off = [](double ours, double published) {
      return std::abs(ours - published) / std::max(std::abs(published), 1e-3);
    };
    double worst = std::max({off(r.v_x, row.v_x), off(r.v_z, row.v_z), off(r.spin, row.spin)});
    std::string published = fmt::format("v_x′ {:.12g}, v_z′ {:.12g} m/s, ω′ {:.12g} 1/s", row.v_x, row.v_z, row.spin);
    std::string ours = fmt::format("{:.12g}, {:.12g}, {:.12g}", r.v_x, r.v_z, r.spin);
    if (row.e_n > 0) {
      const double e_n = r.v_z / std::cos(row.degrees * degree), j = r.impulse_t / r.impulse_n;
      published += fmt::format(", e_n {:.10g}, J_t/J_n {:.10g}", row.e_n, row.impulses);
      ours += fmt::format(", {:.10g}, {:.10g}", e_n, j);
      worst = std::max({worst, off(e_n, row.e_n), off(j, row.impulses)});
    }
    run.claim({fmt::format("t5-{}", ++k), fmt::format("direct-shear reference T5 {}", row.name), published,
               fmt::format("{}; {:.0e} off", ours, worst),
               "1e-9 with the same integrator: velocity Verlet, forces with velocities of mid-step, Δt 1e-6 s",
               verdict(worst <= 1e-9),
               "The law alone on a flat wall; its impacts among spheres are in the tests, within 1e-3."});
  }
}

void claim_incline(StudyRun& run) {
  const Incline incline;
  const OnIncline rests = slide_on_incline(incline, TangentialHistory::whole, 1e-5, 0.2),
                  none = slide_on_incline(incline, TangentialHistory::none, 1e-5, 0.2);
  run.claim({"t7-true", "direct-shear reference T7", fmt::format("true history rests at u = {:.15g} m", rest_at_15),
             fmt::format("{:.10g} m after 0.2 s, {:.0e} off, moving at {:.0e} m/s", rests.elongation,
                         rests.elongation / rest_at_15 - 1, rests.speed),
             "1e-6: what the dashpot left to decay in 0.2 s",
             verdict(std::abs(rests.elongation / rest_at_15 - 1) <= 1e-6),
             "A sphere that cannot turn, on an incline of 15°, friction 0.5."});
  run.claim({"t7-none", "direct-shear reference T7",
             fmt::format("without history it creeps at {:.15g} m/s", creep_at_15),
             fmt::format("{:.15g} m/s, {:.0e} off", none.speed, none.speed / creep_at_15 - 1), "1e-9",
             verdict(std::abs(none.speed / creep_at_15 - 1) <= 1e-9), "m g sin θ/(γ_t m)."});
  std::string published, ours;
  double worst = 0;
  for (const auto& [dt, v] : pseudo_at_15) {
    const double found = slide_on_incline(incline, TangentialHistory::pseudo, dt, 0.1).speed;
    published += fmt::format("{}{:.12g} m/s at Δt = {:g} s", published.empty() ? "" : ", ", v, dt);
    ours += fmt::format("{}{:.12g}", ours.empty() ? "" : ", ", found);
    worst = std::max(worst, std::abs(found / v - 1));
  }
  run.claim({"t7-pseudo", "direct-shear reference T7",
             "pseudo-history creeps, and the speed depends on the time step: " + published,
             fmt::format("{} m/s; {:.0e} off at most", ours, worst), "1e-9", verdict(worst <= 1e-9),
             "m g sin θ/(γ_t m + k_t Δt): as Δt → 0 it becomes none."});
}

void claim_pair(StudyRun& run) {
  const double middle = turn_pair({.friction = 1e6}).slip.back(),
               radius = turn_pair({.lever = Lever::radius, .friction = 1e6}).slip.back(),
               published = 3.1415926535897935e-05;
  run.claim(
      {"t9", "direct-shear reference T9",
       fmt::format("a pair turned by 90° slips by 0 with lever midpoint, by {:.15g} m with lever radius", published),
       fmt::format("{:.0e} m and {:.15g} m, {:.0e} off", middle, radius, radius / published - 1),
       "1e-15 m; 1e-6 for chords instead of arcs (1000 steps: 1.0e-7)",
       verdict(middle <= 1e-15 && std::abs(radius / published - 1) <= 1e-6),
       "Through the contacts of spheres, study angular-momentum."});
}

void draw(StudyRun& run) {
  Figure figure;
  figure.id = "fleischmann2015/unit-cases";
  figure.title = "Unit cases of displacement history";
  figure.caption =
      "Left: pressed, sheared and reversed (T3): tangential force over μ F_n against the position of the sphere over "
      "the overlap; dots: the reference's numbers. Right: a sphere that cannot turn "
      "on an incline of 15° (T7): with the whole history it rests, with pseudo-history it creeps at a speed that "
      "depends on the time step; dashed: the steady creep without history.";
  Panel loop{"shear and reversal", "position x/δ₀", "F_x/(μ F_n)", false, false, {}, {}},
      incline{"locked sphere on an incline", "time (ms)", "path (μm)", false, false, {}, {}};
  for (const ShearTable& table : shear_tables()) {
    const ShearPath& path = table.path;
    const auto x = [&](int step) {
      return path.speed * path.dt * (step <= path.forth ? step : 2 * path.forth - step) / path.overlap;
    };
    const double normal = Contact(path.coefficients).factor(path.overlap) * path.coefficients.k_n * path.overlap,
                 limit = path.coefficients.friction * normal;
    Curve line{
        table.name == std::string("hertz") ? "hertz-history" : "hooke-history", {}, {}, {}, {}, Curve::Style::line},
        dots{std::string("reference, ") + table.name, {}, {}, {}, {}, Curve::Style::points};
    const std::vector<ShearRow> found = press_shear_reverse(path);
    for (std::size_t k = 0; k < found.size(); k += 5)
      line.x.push_back(x(found[k].step)), line.y.push_back(found[k].f_x / limit);
    for (const ShearRow& row : table.rows) dots.x.push_back(x(row.step)), dots.y.push_back(row.f_x / limit);
    loop.curves.push_back(std::move(line));
    loop.curves.push_back(std::move(dots));
  }
  const Incline given;
  const auto add = [&](const std::string& label, TangentialHistory history, double dt) {
    const OnIncline s = slide_on_incline(given, history, dt, 2e-2, int(std::lround(1e-4 / dt)));
    Curve line{label, s.time, s.path, {}, {}, Curve::Style::line};
    for (double& t : line.x) t *= 1e3;
    for (double& u : line.y) u *= 1e6;
    incline.curves.push_back(std::move(line));
  };
  add("true", TangentialHistory::whole, 1e-5);
  for (const auto& [dt, v] : pseudo_at_15) add(fmt::format("pseudo, Δt = {:g} s", dt), TangentialHistory::pseudo, dt);
  add("none", TangentialHistory::none, 1e-5);
  Curve theory{"m g sin θ/(γ_t m)", {0, 20}, {0, creep_of(given) * 2e-2 * 1e6}, {}, {}, Curve::Style::prediction};
  incline.curves.push_back(std::move(theory));
  figure.panels = {std::move(loop), std::move(incline)};
  figure.command = "dem validate fleischmann2015/unit-cases";
  run.figure(std::move(figure));
}

}  // namespace

void unit_cases(StudyRun& run) {
  claim_evaluations(run);
  claim_shear(run);
  claim_turning(run);
  claim_impacts(run);
  claim_incline(run);
  claim_pair(run);
  draw(run);
}

}  // namespace dem::validation::fleischmann2015
