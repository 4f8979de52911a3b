// Closed forms of Mindlin and Deresiewicz beside the Jäger contact: a cycle at constant normal force with what it loses
// (U1), oblique loading and unloading in large and small steps (U2). Source: jaeger-contact reference, §8, §11 and §16.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/random.hpp"
#include "validation/kuhn2011/reference_tables.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using kuhn2020::verdict;
constexpr const char* theory = "Mindlin, Deresiewicz 1953; jaeger-contact reference §16";
constexpr double exactness = 1e-12;  // of f F_n, which the reference asks for (§16, checklist)

/// ξ/(κ f ζ) on the curve of first loading at the share s = F_t/(f F_n), and the share at such a movement.
double loading(double s) { return 1 - std::cbrt((1 - s) * (1 - s)); }
double share_of(double x) { return 1 - std::pow(1 - x, 1.5); }

/// Shares of the limit that a cycle goes to, and ξ/(κ f ζ) there; the turns are at ±top.
struct Station {
  double share, x;
};
struct Cycle {
  double top;
  std::array<std::vector<double>, 3> shares;  // loading, unloading, reloading
  std::vector<Station> stations() const {
    std::vector<Station> all;
    for (const double s : shares[0]) all.push_back({s, loading(s)});
    for (const double s : shares[1]) all.push_back({s, loading(top) - 2 * loading((top - s) / 2)});
    for (const double s : shares[2]) all.push_back({s, 2 * loading((s + top) / 2) - loading(top)});
    return all;
  }
};
const Cycle u1{0.85, {{{0.3, 0.6, 0.85}, {0.4, 0, -0.5, -0.85}, {-0.2, 0.3, 0.85}}}};

/// |F_t − closed form|/(f F_n) at the stations of a cycle at half-overlap z, along a direction of the plane.
std::vector<double> errors_of(const Cycle& cycle, JaegerPath path, double z, double angle = 0) {
  const double x0 = path.c.ratio * path.c.friction * z, along_1 = std::cos(angle), along_2 = std::sin(angle);
  std::vector<double> errors;
  path.step({z});
  double at = 0;
  for (const auto [share, x] : cycle.stations()) {
    path.step({z, (x0 * x - at) * along_1, (x0 * x - at) * along_2});
    at = x0 * x;
    const double limit = path.limit();
    errors.push_back(std::hypot(path.h.force_1 - share * limit * along_1, path.h.force_2 - share * limit * along_2) /
                     limit);
  }
  return errors;
}
double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

struct Draw : geometry::Random {
  using Random::Random;
  double between(double low, double high) { return low + (high - low) * uniform(); }
  /// Any material and size, and a half-overlap of 0.01 % to 3 % of the radius.
  laws::JaegerCoefficients material() {
    return coefficients(std::pow(10, between(0, 11)), between(0, 0.5), between(0.05, 1.2),
                        std::pow(10, between(-5, 0)));
  }
  double overlap_share() { return std::pow(10, between(-4, -1.5)); }
};

void claim_cycle(StudyRun& run) {
  const auto& table = table_named("U1");
  const TableMatch m = match(table);
  run.claim({"u1-table", "jaeger-contact reference §16, U1", "11 steps: F_n, F_t, U_t and regimes",
             fmt::format("F_t off by at most {:.1e} of f F_n, U_t by {:.1e}; {} rows with another regime", m.force,
                         m.stored, m.regimes),
             table_tolerance, verdict(m.holds()), "The digits are those of an evaluation with 60 digits."});
  const double stations = largest(errors_of(u1, path_of(table), 0.01));
  const int count = run.quick() ? 200 : 5000;
  Draw draw(20110101);
  double any = 0;
  for (int k = 0; k < count; ++k) {
    Cycle c{draw.between(0.05, 0.99), {}};
    for (int n = 1; n <= 8; ++n) {
      c.shares[0].push_back(c.top * n / 8);
      c.shares[1].push_back(c.top * (1 - 2.0 * n / 8));
      c.shares[2].push_back(-c.top * (1 - 2.0 * n / 8));
    }
    const auto material = draw.material();
    any = std::max(any, largest(errors_of(c, {material}, draw.overlap_share() * material.radius,
                                          draw.between(0, 2 * std::numbers::pi))));
  }
  run.claim({"u1-closed-form", theory,
             "constant normal force: ξ = x_0 g(s), then both axes doubled after each turn; x_0 = κ f ζ, g = 1 − (1 − "
             "s)^(2/3)",
             fmt::format("largest difference {:.1e} f F_n at the 10 stations of U1, {:.1e} f F_n at 24 stations of "
                         "each of {} cycles of any material, size, "
                         "amplitude and direction",
                         stations, any, count),
             "1e-12 f F_n (reference, checklist of §16)", verdict(stations <= exactness && any <= exactness),
             "One step from station to station."});
}

/// Loss of a cycle between ±s f F_n and of first loading to s, each branch in n steps (J).
struct Loss {
  double first, cycle;
};
Loss trapezoid_loss(JaegerPath path, double z, double s, int n) {
  const double far = path.c.ratio * path.c.friction * z * loading(s);
  path.step({z});
  step_in_parts(path, {z, far}, n);
  const double first = path.lost();
  step_in_parts(path, {z, -2 * far}, n);
  step_in_parts(path, {z, 2 * far}, n);
  return {first, path.lost() - first};
}
/// Without the error that goes with the square of the steps.
Loss loss(const JaegerPath& path, double z, double s) {
  const Loss coarse = trapezoid_loss(path, z, s, 1000), fine = trapezoid_loss(path, z, s, 2000);
  return {fine.first + (fine.first - coarse.first) / 3, fine.cycle + (fine.cycle - coarse.cycle) / 3};
}
/// §11: of a cycle (J), at G and ν.
double closed_loss(const JaegerPath& path, double z, double s, double shear_modulus, double poisson_ratio) {
  const double limit = path.c.friction * path.c.normal_force(z), a = std::sqrt(path.c.radius * z);
  return 9 * (2 - poisson_ratio) * limit * limit / (5 * a * shear_modulus) *
         (1 - std::pow(1 - s, 5.0 / 3) - 5 * s / 6 * (1 + std::pow(1 - s, 2.0 / 3)));
}

/// Share of the energy scale κ f F_n·2ζ f, against the amplitude.
struct LossCurve {
  std::vector<double> amplitude, closed, measured, first;
};
LossCurve claim_loss(StudyRun& run) {
  const auto& table = table_named("U1");
  const JaegerPath path = path_of(table);
  const double z = 0.01, scale = 2 * path.c.ratio * path.c.friction * path.c.friction * path.c.normal_force(z) * z;
  const Loss found = loss(path, z, 0.85);
  const double off = std::abs(found.cycle / 5.478844845104513e-06 - 1),
               off_first = std::abs(found.first / 1.3697112112761326e-06 - 1);
  LossCurve curve;
  double worst = 0;
  for (const double s : {0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0}) {
    const Loss one = loss(path, z, s);
    const double closed = closed_loss(path, z, s, table.shear_modulus, table.poisson_ratio);
    worst = std::max({worst, std::abs(one.cycle / closed - 1), std::abs(4 * one.first / closed - 1)});
    curve.amplitude.push_back(s);
    curve.closed.push_back(closed / scale);
    curve.measured.push_back(one.cycle / scale);
    curve.first.push_back(one.first / scale);
  }
  // Fourth order is left: 1e-3 to the fourth power; the closed form loses digits in a difference that falls as s³, the
  // force in its limit at s = 1.
  const double tolerance = 1e-8;
  run.claim({"u1-loss", "jaeger-contact reference §11 and §16, U1",
             "lost in the cycle 5.478844845104513e-06, in first loading 1.3697112112761326e-06",
             fmt::format("{:.11e} and {:.11e}: off by {:.1e} and {:.1e}", found.cycle, found.first, off, off_first),
             "1e-8: work by the trapezoid, 1000 and 2000 steps a branch, extrapolated",
             verdict(off <= tolerance && off_first <= tolerance),
             "Work of F_t less the change of U_t, which the contact takes from its legs."});
  run.claim({"loss-amplitude", "Mindlin, Deresiewicz 1953; jaeger-contact reference §11",
             "closed form of the loss of a cycle between ±s f F_n",
             fmt::format("ten amplitudes from s = 0.1 to 1: off by at most {:.1e}; a quarter of it is lost in first "
                         "loading, within the same",
                         worst),
             "1e-8, as above", verdict(worst <= tolerance), "From 1e-3 to a sixth of the prefactor."});
  return curve;
}

/// Masing, of the contact with itself: no closed form needed.
void claim_masing(StudyRun& run) {
  Draw draw(20110102);
  double doubled = 0, forgotten = 0;
  const int count = run.quick() ? 100 : 2000;
  for (int k = 0; k < count; ++k) {
    JaegerPath first{draw.material()};
    const double z = draw.overlap_share() * first.c.radius, x0 = first.c.ratio * first.c.friction * z;
    first.step({z});
    JaegerPath turned = first;
    const double far = x0 * draw.between(0.1, 0.9), limit = first.limit();
    turned.step({z, far});
    JaegerPath looped = turned;
    const double turn = turned.h.force_1;
    double x = 0;
    while (x < far) {  // back by twice what first loading does
      const double dx = std::min(0.13 * x0, far - x);
      x += dx;
      first.step({z, dx});
      turned.step({z, -2 * dx});
      doubled = std::max(doubled, std::abs(turned.h.force_1 - turn + 2 * first.h.force_1) / limit);
    }
    // A loop within the first branch, closed, and on: as if it had not been.
    looped.step({z, -0.4 * far});
    looped.step({z, 0.4 * far});
    looped.step({z, x0 - far});
    forgotten = std::max(forgotten, std::abs(looped.h.force_1 / limit - 1));
    looped.step({z, -0.3 * x0});
    forgotten = std::max(forgotten, std::abs(looped.h.force_1 / limit - (1 - 2 * share_of(0.15))));
  }
  run.claim({"masing", "jaeger-contact reference §8.4",
             "after a reversal both axes are doubled; closed loops are forgotten",
             fmt::format(
                 "{} contacts: {:.1e} f F_n between a branch and twice first loading, {:.1e} f F_n after a closed loop",
                 count, doubled, forgotten),
             "1e-12 f F_n", verdict(doubled <= exactness && forgotten <= exactness),
             "The contact compared with itself, without a closed form but at the end."});
}

/// Ends of the four chords of U2 in three ways: |F_t − exact|/(f F_B).
struct Ways {
  std::array<std::vector<double>, 3> errors;
  double along = 0;  ///< largest on the whole curved path
};
Ways proportional(const JaegerPath& pressed, const Proportional& p, int parts) {
  Ways w;
  const double scale = pressed.c.friction * p.turn();
  for (int way = 0; way < 3; ++way) {
    JaegerPath path = pressed;
    const auto moves = p.moves(way == 1 ? parts : 1);
    for (std::size_t k = 0; k < moves.size(); ++k) {
      if (way == 2)
        step_in_parts(path, moves[k], parts);
      else
        path.step(moves[k]);
      const double error = std::abs(path.h.force_1 - p.force(path.h.normal_force)) / scale;
      if (way == 1) w.along = std::max(w.along, error);
      if ((k + 1) % (moves.size() / 4) == 0) w.errors[std::size_t(way)].push_back(error);
    }
  }
  return w;
}

Ways claim_proportional(StudyRun& run) {
  const auto& table = table_named("U2");
  const TableMatch m = match(table);
  run.claim({"u2-table", "jaeger-contact reference §16, U2", "5 steps: F_n, F_t, U_t and regimes",
             fmt::format("F_t off by at most {:.1e} of f F_n, U_t by {:.1e}; {} rows with another regime", m.force,
                         m.stored, m.regimes),
             table_tolerance, verdict(m.holds()), "The digits are those of an evaluation with 60 digits."});
  JaegerPath pressed = path_of(table);
  pressed.step({0.01});
  const Ways w = proportional(pressed, Proportional(pressed.c, 0.01, 4, 0.9), 1000);
  const double all = std::max({largest(w.errors[0]), largest(w.errors[1]), largest(w.errors[2]), w.along});
  run.claim({"u2-closed-form", "Kuhn 2011, §4.1 and Fig. 8; jaeger-contact reference §16, U2",
             "four large steps, 4000 along the curved path, and each large step cut into 1000 give the forces of "
             "Mindlin and Deresiewicz",
             fmt::format("F_t = 4 (F_n − F_0) at the ends of the four chords within {:.1e}, {:.1e} and {:.1e} f F_n; "
                         "all along the curved path within {:.1e}",
                         largest(w.errors[0]), largest(w.errors[1]), largest(w.errors[2]), w.along),
             "1e-12 f F_n (reference, checklist of §16)", verdict(all <= exactness),
             "The reference measured 4e-16, 2e-15 and 1e-13. Cut into parts a large step is a chord, not the curved "
             "path; both end alike."});
  Draw draw(20110103);
  const int count = run.quick() ? 100 : 1000;
  std::array<double, 3> any{};
  for (int k = 0; k < count; ++k) {
    JaegerPath path{draw.material()};
    const double z = draw.overlap_share() * path.c.radius, slope = path.c.friction * draw.between(1.2, 12),
                 share = draw.between(0.1, 0.95);
    path.step({z});
    const Ways one = proportional(path, Proportional(path.c, z, slope, share), 100);
    for (std::size_t way = 0; way < 3; ++way)
      any[way] = std::max({any[way], largest(one.errors[way]), way == 1 ? one.along : 0});
  }
  run.claim({"oblique-any", theory, "oblique loading and unloading, any slope above f",
             fmt::format("{} contacts, slopes of 1.2 to 12 f, turned at 0.1 to 0.95 f F_n: {:.1e} f F_n in four steps, "
                         "{:.1e} in 400 along the "
                         "curved path, {:.1e} in "
                         "400 along the chords",
                         count, any[0], any[1], any[2]),
             "1e-12 f F_n", verdict(std::max({any[0], any[1], any[2]}) <= exactness),
             "Includes paths on which the cone of loading is forgotten."});
  return w;
}

void draw(StudyRun& run, const LossCurve& loss, const Ways& ways) {
  Figure figure;
  figure.id = "kuhn2011/closed-forms";
  figure.title = "The Jäger contact and the closed forms of Mindlin and Deresiewicz";
  figure.caption =
      "Left: cycle at constant normal force in ten large steps (points) and the closed forms (dashed). Middle: "
      "difference from the closed forms in "
      "units of f F_n at the stations of this cycle, one step from station to station, and at the ends of the four "
      "chords of oblique loading and "
      "unloading (dF_t/dF_n = 4 = 8 f, turned at 0.9 f F_n): in four steps, in 4000 along the curved path, and with "
      "each chord cut into 1000; what "
      "is "
      "below 1e-17 is drawn there, dashed is what the reference asks for. Right: energy lost in a cycle between ±s f "
      "F_n and in first loading to s, "
      "over 2κ f² F_n ζ.";
  JaegerPath path = path_of(table_named("U1"));
  const double z = 0.01, x0 = path.c.ratio * path.c.friction * z;
  path.step({z});
  Curve points{"Jäger contact, 10 steps", {0}, {0}, {}, {}, Curve::Style::points};
  double at = 0;
  for (const auto [share, x] : u1.stations()) {
    path.step({z, x0 * x - at});
    at = x0 * x;
    points.x.push_back(x);
    points.y.push_back(path.h.force_1 / path.limit());
  }
  std::vector<Curve> cycle{points};
  constexpr const char* names[] = {"first loading", "unloading", "reloading"};
  for (int branch = 0; branch < 3; ++branch) {
    Curve c{names[branch], {}, {}, {}, {}, Curve::Style::prediction};
    for (int k = 0; k <= 100; ++k) {
      const double s = u1.top * k / 100, x = loading(s), back = branch == 1 ? 1 : -1;
      c.x.push_back(branch == 0 ? x : back * (loading(u1.top) - 2 * loading(s)));
      c.y.push_back(branch == 0 ? s : back * (u1.top - 2 * s));
    }
    cycle.push_back(std::move(c));
  }
  figure.panels.push_back(
      {"cycle at constant normal force", "ξ/(κ f ζ)", "F_t/(f F_n)", false, false, std::move(cycle), {}});
  std::vector<Curve> errors;
  const auto add = [&](const char* label, const std::vector<double>& e) {
    Curve c{label, {}, {}, {}, {}, Curve::Style::points};
    for (std::size_t k = 0; k < e.size(); ++k) {
      c.x.push_back(double(k + 1));
      c.y.push_back(std::max(e[k], 1e-17));
    }
    errors.push_back(std::move(c));
  };
  add("constant F_n", errors_of(u1, path_of(table_named("U1")), 0.01));
  add("oblique, 4 steps", ways.errors[0]);
  add("oblique, 4000 steps", ways.errors[1]);
  add("oblique, 4 × 1000", ways.errors[2]);
  errors.push_back({"asked for: 1e-12", {1, 10}, {exactness, exactness}, {}, {}, Curve::Style::prediction});
  figure.panels.push_back(
      {"difference from the closed forms", "station", "|ΔF_t|/(f F_n)", false, true, std::move(errors), {}});
  std::vector<double> quarter = loss.closed;
  for (double& v : quarter) v /= 4;
  figure.panels.push_back({"energy lost",
                           "amplitude s",
                           "ΔW/(2κ f² F_n ζ)",
                           true,
                           true,
                           {{"cycle, Jäger contact", loss.amplitude, loss.measured, {}, {}, Curve::Style::points},
                            {"first loading, Jäger contact", loss.amplitude, loss.first, {}, {}, Curve::Style::points},
                            {"cycle, closed form", loss.amplitude, loss.closed, {}, {}, Curve::Style::prediction},
                            {"first loading, closed form", loss.amplitude, quarter, {}, {}, Curve::Style::prediction}},
                           {}});
  figure.command = "dem validate kuhn2011/closed-forms";
  run.figure(std::move(figure));
}

}  // namespace

void closed_forms(StudyRun& run) {
  claim_cycle(run);
  const LossCurve loss = claim_loss(run);
  claim_masing(run);
  const Ways ways = claim_proportional(run);
  draw(run, loss, ways);
}

}  // namespace dem::validation::kuhn2011
