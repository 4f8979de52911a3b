// Shear stiffness of packings against pressure: the reason for Hertz contacts. A regular packing, whose contacts do not
// change, in closed form; a random one, whose contacts become more as it is pressed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "libdem/case/case_file.hpp"
#include "validation/kuhn2011/pressure-stiffness/fcc_moduli.hpp"
#include "validation/kuhn2011/pressure-stiffness/packing.hpp"
#include "validation/kuhn2011/studies.hpp"
#include "validation/kuhn2020/claims.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using namespace stiffness;
using kuhn2020::log_slope;
using kuhn2020::verdict;

constexpr std::array<const char*, 2> laws{"jaeger", "linear"};
constexpr double middle_pressure = 1e-5;

// ---- face-centred cubic

struct FccSeries {
  std::vector<double> pressure, c44, shear, form_44, form_shear;
  double worst = 0;  // of C11, C12 and C44 against the closed form
};

FccSeries fcc_series(const char* law, const std::vector<double>& overlaps, double strain) {
  FccSeries out;
  for (const double overlap : overlaps) {
    const FccState state{law, overlap, hertz_stiffness_at(middle_pressure)};
    const FccMeasurement m = measure_fcc(state, strain);
    const Moduli form = closed_form(state);
    out.pressure.push_back(m.pressure);
    out.c44.push_back(m.moduli.c44), out.form_44.push_back(form.c44);
    out.shear.push_back(m.moduli.shear()), out.form_shear.push_back(form.shear());
    for (const auto& [a, b] : {std::pair{m.moduli.c11, form.c11}, {m.moduli.c12, form.c12}, {m.moduli.c44, form.c44}})
      out.worst = std::max(out.worst, std::abs(a / b - 1));
  }
  return out;
}

void claim_fcc(StudyRun& run, Panel& panel) {
  constexpr const char* source = "J. Duffy, R. D. Mindlin, J. Appl. Mech. 24 (1957) 585; derived in this study";
  const std::vector<double> overlaps =
      run.quick() ? std::vector<double>{1e-5, 1e-4, 1e-3} : std::vector<double>{1e-5, 3e-5, 1e-4, 3e-4, 1e-3};
  constexpr double strain = 1e-4;
  std::array<FccSeries, 2> series;
  for (std::size_t k = 0; k < 2; ++k) series[k] = fcc_series(laws[k], overlaps, strain);
  const double slip = fcc_series("jaeger", overlaps, 0.5 * strain).worst;
  for (std::size_t k = 0; k < 2; ++k) {
    const FccSeries& s = series[k];
    const double wanted = k == 0 ? 1.0 / 3 : 0, a = log_slope(s.pressure, s.c44), b = log_slope(s.pressure, s.shear);
    run.claim({fmt::format("fcc-exponent-{}", laws[k]), source,
               k == 0 ? "Hertz contacts: moduli ~ p^(1/3)" : "linear contacts: moduli do not depend on p",
               fmt::format("C44 ~ p^{:.5f}, (C11 − C12)/2 ~ p^{:.5f}, p/G from {:.1e} to {:.1e}", a, b,
                           s.pressure.front(), s.pressure.back()),
               "1e-3 of C44: the multiples of p that the forces add, over the modulus at the largest pressure",
               verdict(std::abs(a - wanted) <= 1e-3),
               "Twelve contacts a sphere at every pressure. (C11 − C12)/2 has 7p/8 against a smaller modulus."});
    panel.curves.push_back({fmt::format("C44, {}", laws[k]), s.pressure, s.c44, {}, {}, Curve::Style::points});
    panel.curves.push_back(
        {fmt::format("(C11 − C12)/2, {}", laws[k]), s.pressure, s.shear, {}, {}, Curve::Style::points});
    panel.curves.push_back({k == 0 ? "closed form" : "", s.pressure, s.form_44, {}, {}, Curve::Style::prediction});
    panel.curves.push_back({"", s.pressure, s.form_shear, {}, {}, Curve::Style::prediction});
  }
  run.claim({"fcc-moduli", source,
             "C11 = √2 (K_n + K_t)/l − p/2, C12 = (K_n − K_t)/(√2 l) + 5p/4, C44 = (K_n + K_t)/(√2 l) − 3p/4",
             fmt::format(
                 "all three at {} pressures: jaeger off by {:.1e} at most (half the strain: {:.1e}), linear by {:.1e}",
                 overlaps.size(), series[0].worst, slip, series[1].worst),
             "1e-3; linear 1e-5: terms of the second order in overlap over diameter",
             verdict(series[0].worst <= 1e-3 && series[1].worst <= 1e-5),
             "By central differences of 1e-4 of the overlap. What jaeger is off by halves with the strain: contacts "
             "begin to slip at their edge at once."});
}

// ---- random packing

struct Series {
  PackingChoice choice;
  std::vector<StateModuli> states;
  std::vector<double> column(double StateModuli::*member) const {
    std::vector<double> out;
    for (const StateModuli& s : states) out.push_back(s.*member);
    return out;
  }
};

std::vector<Series> run_packings(StudyRun& run) {
  const std::vector<double> pressures =
      run.quick() ? std::vector<double>{1e-6, 1e-4} : std::vector<double>{1e-6, 3.16e-6, 1e-5, 3.16e-5, 1e-4};
  std::vector<Series> out;
  for (const char* law : laws)
    for (std::uint64_t seed = 1; seed <= (run.quick() ? 3u : 5u); ++seed) {
      PackingChoice c;
      c.law = law;
      c.seed = seed;
      c.spheres = run.quick() ? 80 : 600;
      c.pressures = pressures;
      c.normal_stiffness = hertz_stiffness_at(middle_pressure);
      out.push_back({c, {}});
    }
  const auto results = run.tasks(
      "packings", out.size(),
      [&](std::size_t k, TaskProgress& progress) {
        return measure_packing(out[k].choice, run.folder() / "states", progress);
      },
      fmt::format("pressure-stiffness 1: {} tasks, strain {:g}, rest {}\n{}", out.size(), out.front().choice.strain,
                  out.front().choice.rest_steps, resolved_case(packing_case(out.front().choice))));
  for (std::size_t k = 0; k < out.size(); ++k) {
    if (!results[k].done) throw std::runtime_error("a packing of the study failed: " + results[k].message);
    out[k].states = unpack_moduli(results[k].numbers);
  }
  return out;
}

std::vector<double> samples(const std::vector<Series>& all, const char* law, auto&& number) {
  std::vector<double> out;
  for (const Series& s : all)
    if (s.choice.law == law) out.push_back(number(s));
  return out;
}
Estimate exponent_of(const std::vector<Series>& all, const char* law, double StateModuli::*member) {
  return mean_of(samples(
      all, law, [&](const Series& s) { return log_slope(s.column(&StateModuli::pressure), s.column(member)); }));
}
/// Mean over the seeds at each pressure.
Curve mean_curve(const std::vector<Series>& all, const char* law, std::string label, auto&& x, auto&& y) {
  Curve c{std::move(label), {}, {}, {}, {}, Curve::Style::line_and_points};
  const std::size_t count = all.front().states.size();
  for (std::size_t k = 0; k < count; ++k) {
    c.x.push_back(mean_of(samples(all, law, [&](const Series& s) { return x(s.states[k]); })).value);
    const Estimate m = mean_of(samples(all, law, [&](const Series& s) { return y(s.states[k]); }));
    c.y.push_back(m.value), c.y_low.push_back(m.value - m.error), c.y_high.push_back(m.value + m.error);
  }
  return c;
}

std::string shown(const Estimate& e) { return fmt::format("{:.3f} ± {:.3f}", e.value, e.error); }

/// ln y at ln x between points of a curve; NaN outside.
double between(const Curve& c, double x) {
  for (std::size_t k = 0; k + 1 < c.x.size(); ++k)
    if (x >= c.x[k] && x <= c.x[k + 1]) {
      const double part = std::log(x / c.x[k]) / std::log(c.x[k + 1] / c.x[k]);
      return std::exp((1 - part) * std::log(c.y[k]) + part * std::log(c.y[k + 1]));
    }
  return std::nan("");
}

/// Half intervals of a curve, over its values.
Curve relative_intervals(Curve c) {
  for (std::size_t k = 0; k < c.x.size(); ++k) c.y[k] = 0.5 * (c.y_high[k] - c.y_low[k]) / c.y[k];
  return c;
}

void claim_packings(StudyRun& run, const std::vector<Series>& all, const Curve& hertz_ratio,
                    const Curve& linear_ratio) {
  const auto end_slope = [&](const char* law, bool low) {
    return mean_of(samples(all, law, [&](const Series& s) {
      const StateModuli &a = low ? s.states.front() : s.states[s.states.size() - 2],
                        &b = low ? s.states[1] : s.states.back();
      return std::log(b.shear / a.shear) / std::log(b.pressure / a.pressure);
    }));
  };
  const auto parts = [&](const char* law) {
    return all.front().states.size() < 3 ? std::string()
                                         : fmt::format("; {} in the lowest, {} in the highest part",
                                                       shown(end_slope(law, true)), shown(end_slope(law, false)));
  };
  const auto ends = [&](const char* law, double StateModuli::*member) {
    const auto at = [&](bool first) {
      return mean_of(samples(all, law,
                             [&](const Series& s) { return (first ? s.states.front() : s.states.back()).*member; }))
          .value;
    };
    return std::pair{at(true), at(false)};
  };
  const auto [z_low, z_high] = ends("jaeger", &StateModuli::coordination);
  const auto [l_low, l_high] = ends("linear", &StateModuli::coordination);
  const Estimate hertz = exponent_of(all, "jaeger", &StateModuli::shear),
                 linear = exponent_of(all, "linear", &StateModuli::shear);
  const Estimate hertz_affine = exponent_of(all, "jaeger", &StateModuli::affine),
                 hertz_k = exponent_of(all, "jaeger", &StateModuli::stiffness);
  const std::size_t seeds = all.size() / 2;
  const std::string which = fmt::format("{} spheres, {} seeds", all.front().choice.spheres, seeds);
  run.claim({"random-hertz",
             "J. D. Goddard, Proc. R. Soc. A 430 (1990) 105; the reason for Hertz contacts in Kuhn 2011",
             "G ~ p^n, n between 1/3 (Hertz, coordination constant) and 1/2 (sand at low pressure)",
             fmt::format("n = {} over p/G_s = 1e-6 to 1e-4 ({}){}; coordination rises from {:.2f} to {:.2f}",
                         shown(hertz), which, parts("jaeger"), z_low, z_high),
             "± is the 95 % interval of the seeds",
             verdict(hertz.value - hertz.error > 1.0 / 3 && hertz.value + hertz.error < 0.5),
             "Dense packings, compressed to the lowest pressure without friction, then μ = 0.3; probes by strains of "
             "2e-3 (p/G_s)^(2/3) at constant "
             "volume."});
  run.claim(
      {"random-parts", "Sum over the contacts", "of the exponent, 1/3 is the contacts', the rest is geometry",
       fmt::format(
           "mean K_n ~ p^{}; modulus if all spheres moved with the cell ~ p^{}, which counts contacts; measured ~ p^{}",
           shown(hertz_k), shown(hertz_affine), shown(hertz)),
       "mean K_n: 0.02, as contacts that are added are weak ones", verdict(std::abs(hertz_k.value - 1.0 / 3) <= 0.02),
       "What is left between the last two: spheres follow the mean motion better, the more contacts they have."});
  run.claim({"random-linear", "What is said of linear contacts",
             "linear contacts: stiffness does not depend on pressure",
             fmt::format("n = {} ({}){}; coordination rises from {:.2f} to {:.2f}", shown(linear), which,
                         parts("linear"), l_low, l_high),
             "0.03, a tenth of the exponent of Hertz contacts; ± is the 95 % interval of the seeds",
             verdict(std::abs(linear.value) <= 0.03),
             "True for contacts that stay; a random packing gains contacts. Its exponent is far from that of Hertz "
             "contacts."});
  const Curve hertz_width = relative_intervals(hertz_ratio), linear_width = relative_intervals(linear_ratio);
  std::string differences;
  bool same = true;
  for (std::size_t k = 0; k < hertz_ratio.x.size(); ++k) {
    const double at = hertz_ratio.x[k], other = between(linear_ratio, at);
    if (std::isnan(other)) continue;
    const double d = hertz_ratio.y[k] / other - 1, room = std::hypot(hertz_width.y[k], between(linear_width, at));
    same = same && std::abs(d) <= room;
    differences +=
        fmt::format("{}{:+.1f} ± {:.1f} % at {:.1e}", differences.empty() ? "" : ", ", 100 * d, 100 * room, at);
  }
  run.claim({"random-collapse", "Dimensions",
             "at equal overlap over diameter, G d/K_n is the same for both laws: the packing's geometry alone",
             "jaeger less linear: " + differences, "95 % intervals of the seeds of both laws, in quadrature",
             verdict(same),
             "K_n: mean over the contacts. What the law adds is K_n(p); beside it a few per cent, likely as weak Hertz "
             "contacts are softer than the "
             "mean."});
  double half = 0, unbalanced = 0, slipping = 0, spread = 0;
  for (const Series& s : all)
    for (const StateModuli& m : s.states) {
      half = std::max(half, std::abs(m.half_strain - 1));
      unbalanced = std::max(unbalanced, m.unbalanced);
      slipping = std::max(slipping, m.slipping);
      spread = std::max(spread, m.spread / m.shear);
    }
  run.claim({"random-probes", "Own check",
             "the modulus does not depend on the strain of the probe; forces balance before it",
             fmt::format("half the strain: {:.2f} % at most; mean unbalanced force {:.1e} of the mean contact force; "
                         "{:.1f} % of contacts at the "
                         "limit of friction; two planes "
                         "differ by ± {:.1f} % at most",
                         100 * half, unbalanced, 100 * slipping, 100 * spread),
             "1 % and 1e-3", verdict(half <= 0.01 && unbalanced <= 1e-3),
             "A run without strain is subtracted, so that what still creeps drops out."});
}

}  // namespace

void pressure_stiffness(StudyRun& run) {
  Figure figure;
  figure.id = "kuhn2011/pressure-stiffness";
  figure.title = "Shear stiffness against pressure";
  figure.caption =
      "Left: face-centred cubic packing; dashed: closed form. Middle: random packing, mean and 95 % interval of the "
      "seeds; dashed: p^(1/3) and "
      "p^(1/2) through the first point "
      "of law jaeger. Right: the same over the mean stiffness of a contact, against mean overlap over diameter. Unit "
      "of stress: shear modulus G_s of "
      "the spheres. Law linear has "
      "the K_n of a mean Hertz contact at p/G_s = 1e-5.";
  Panel left{"face-centred cubic", "p/G_s", "modulus/G_s", true, true, {}, {}},
      middle{"random packing", "p/G_s", "G/G_s", true, true, {}, {}};
  Panel right{"random packing, geometry", "mean overlap δ/d", "G d/K_n", true, false, {}, {}};
  claim_fcc(run, left);
  const std::vector<Series> all = run_packings(run);
  for (const char* law : laws) {
    middle.curves.push_back(mean_curve(
        all, law, law, [](const StateModuli& m) { return m.pressure; }, [](const StateModuli& m) { return m.shear; }));
    right.curves.push_back(mean_curve(
        all, law, law, [](const StateModuli& m) { return m.overlap; },
        [](const StateModuli& m) { return m.shear / m.stiffness; }));
  }
  claim_packings(run, all, right.curves[0], right.curves[1]);
  for (const double n : {1.0 / 3, 0.5}) {
    Curve power{n < 0.4 ? "p^(1/3)" : "p^(1/2)", middle.curves[0].x, {}, {}, {}, Curve::Style::prediction};
    for (const double p : power.x) power.y.push_back(middle.curves[0].y[0] * std::pow(p / power.x[0], n));
    middle.curves.push_back(std::move(power));
  }
  figure.panels = {std::move(left), std::move(middle), std::move(right)};
  figure.case_text = resolved_case(packing_case(all.front().choice));
  figure.command = "dem validate kuhn2011/pressure-stiffness";
  run.figure(std::move(figure));
}

}  // namespace dem::validation::kuhn2011
