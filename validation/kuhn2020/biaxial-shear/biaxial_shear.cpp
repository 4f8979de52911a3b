// Biaxial compression and simple shear of discs and of pentagons in a periodic cell at constant stress: strength,
// volume change, fabric, and where the strength of each shape comes from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "libdem/case/case_file.hpp"
#include "validation/kuhn2020/biaxial-shear/shear_test.hpp"
#include "validation/kuhn2020/claims.hpp"
#include "validation/kuhn2020/studies.hpp"

namespace dem::validation::kuhn2020 {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double peak_window = 0.005;      // of γ: the peak is that of a running mean over it
constexpr double dilatancy_window = 0.01;  // of γ, to either side: slope of the volume

struct Test {
  ShearTest what;
  ShearPath path;
};

template <class F>
double mean_between(const ShearPath& path, double from, double to, F value) {
  double sum = 0, n = 0;
  for (const ShearRow& r : path.rows)
    if (r.gamma >= from && r.gamma <= to) sum += value(r), n += 1;
  return sum / n;
}

/// Mean over the last quarter of the strain, and its standard error from five blocks.
struct Mean {
  double value = 0, error = 0;
  std::string text() const { return fmt::format("{:.3f} ± {:.3f}", value, error); }
};
template <class F>
Mean at_end(const ShearPath& path, F value) {
  constexpr int blocks = 5;
  const double end = path.rows.back().gamma, from = 0.75 * end, width = (end - from) / blocks;
  double sum = 0, squares = 0;
  for (int b = 0; b < blocks; ++b) {
    const double m = mean_between(path, from + b * width, from + (b + 1) * width, value);
    sum += m, squares += m * m;
  }
  const double mean = sum / blocks;
  return {mean, std::sqrt(std::max(0.0, squares / blocks - mean * mean) / (blocks - 1))};
}

struct Peak {
  double gamma = 0, sine = 0;
};
Peak peak_of(const ShearPath& path) {
  Peak peak;
  for (const ShearRow& r : path.rows) {
    if (r.gamma < peak_window / 2 || r.gamma > path.rows.back().gamma - peak_window / 2) continue;
    const double s = mean_between(path, r.gamma - peak_window / 2, r.gamma + peak_window / 2,
                                  [](const ShearRow& x) { return x.sine(); });
    if (s > peak.sine) peak = {r.gamma, s};
  }
  return peak;
}

/// Change between the rows next to `gamma` ∓ dilatancy_window (cut at the ends).
struct Increment {
  double xx = 0, yy = 0, xy = 0;
};
Increment increment_at(const ShearPath& path, double gamma, double window = dilatancy_window) {
  const ShearRow *from = &path.rows.front(), *to = &path.rows.back();
  for (const ShearRow& r : path.rows) {
    if (r.gamma <= gamma - window) from = &r;
    if (r.gamma >= gamma + window) {
      to = &r;
      break;
    }
  }
  return {to->strain_xx - from->strain_xx, to->strain_yy - from->strain_yy, to->strain_xy - from->strain_xy};
}
/// sin ψ = dε_v/dγ of the increment, dilation positive, dγ the difference of the principal strains.
double dilatancy(const Increment& d) { return (d.xx + d.yy) / std::hypot(d.xx - d.yy, d.xy); }
/// Direction of its major compression (rad).
double compression_of(const Increment& d) { return 0.5 * std::atan2(-d.xy, -(d.xx - d.yy)); }

double ratio(double sine) { return (1 + sine) / (1 - sine); }

Curve curve(const Test& t, auto value) {
  Curve c{t.what.label(), {}, {}, {}, {}, Curve::Style::line};
  for (const ShearRow& r : t.path.rows) {
    c.x.push_back(100 * r.gamma);
    c.y.push_back(value(r));
  }
  return c;
}

void draw(StudyRun& run, const std::vector<Test>& tests, const Case& shown) {
  Figure figure;
  figure.id = "kuhn2020/biaxial-shear";
  figure.title = "Biaxial compression and simple shear at constant stress";
  figure.caption = fmt::format(
      "{} discs and as many regular pentagons of the same sizes and friction 0.5 in a periodic cell, packed with "
      "friction 0.05, single runs. γ: difference of the principal "
      "strains in the biaxial compression, γ_xy in the simple shear. sin φ = (σ1 − σ2)/(σ1 + σ2). Lower right: normals "
      "over the last tenth of "
      "the strain; dashed: their second-order form.",
      shown.assembly.random->count);
  struct Wanted {
    const char *title, *y;
    double (*value)(const ShearRow&);
  };
  const Wanted wanted[] = {
      {"stress ratio", "sin φ = q/p", [](const ShearRow& r) { return r.sine(); }},
      {"volume change", "volumetric strain (%, dilation positive)", [](const ShearRow& r) { return 100 * r.volume(); }},
      {"coordination", "touching bodies of a body, without rattlers", [](const ShearRow& r) { return r.backbone; }},
      {"fabric", "anisotropy of the contacts a_c", [](const ShearRow& r) { return r.a.contact; }},
      {"forces", "anisotropy of the forces a_n + a_t", [](const ShearRow& r) { return r.a.normal + r.a.tangential; }}};
  for (const Wanted& w : wanted) {
    Panel panel{w.title, "shear strain γ (%)", w.y, false, false, {}, {}};
    for (const Test& t : tests) panel.curves.push_back(curve(t, w.value));
    figure.panels.push_back(std::move(panel));
  }
  Panel panel{
      "directions of contacts", "angle from x (degrees)", "density of normals, 1: isotropic", false, false, {}, {}};
  for (const Test& t : tests) {
    Curve points{t.what.label(), {}, {}, {}, {}, Curve::Style::points},
        form{t.what.label() + ", second order", {}, {}, {}, {}, Curve::Style::prediction};
    double all = 0, cosine = 0, sine = 0;
    for (const double n : t.path.directions) all += n;
    for (std::size_t b = 0; b < direction_bins; ++b) {
      const double angle = (double(b) + 0.5) * std::numbers::pi / double(direction_bins),
                   density = t.path.directions[b] / all * double(direction_bins);
      points.x.push_back(angle / degree);
      points.y.push_back(density);
      cosine += 2 * density * std::cos(2 * angle) / double(direction_bins);
      sine += 2 * density * std::sin(2 * angle) / double(direction_bins);
    }
    for (double angle = 0; angle <= 180; angle += 3) {
      form.x.push_back(angle);
      form.y.push_back(1 + cosine * std::cos(2 * angle * degree) + sine * std::sin(2 * angle * degree));
    }
    panel.curves.push_back(std::move(points));
    panel.curves.push_back(std::move(form));
  }
  figure.panels.push_back(std::move(panel));
  figure.case_text = resolved_case(shown);
  figure.command = "dem validate kuhn2020/biaxial-shear";
  run.figure(std::move(figure));
}

/// "A biaxial, discs; B …".
std::string each(const std::vector<Test>& tests, auto text) {
  std::string all;
  for (const Test& t : tests) all += fmt::format("{}{}: {}", all.empty() ? "" : "; ", t.what.label(), text(t));
  return all;
}
double worst(const std::vector<Test>& tests, auto value) {
  double largest = 0;
  for (const Test& t : tests) largest = std::max(largest, value(t));
  return largest;
}
template <class F>
double worst_row(const ShearPath& path, F value) {
  double largest = 0;
  for (const ShearRow& r : path.rows)
    if (r.gamma > 0) largest = std::max(largest, value(r));
  return largest;
}

/// What holds in any run, whatever the material does.
void claim_soundness(StudyRun& run, const std::vector<Test>& tests) {
  // The quick set is no quasi-static loading: what is demanded of one is judged on the full set.
  const auto judged = [&](bool holds) { return run.quick() ? ClaimVerdict::not_comparable : verdict(holds); };
  const double servo = worst(tests, [](const Test& t) { return t.path.servo_mean; });
  run.claim({"servo", "Demand on the servo of the cell", "held stresses within 0.1 % in quasi-static loading",
             fmt::format("root mean square over the shear: {}; largest of any step {:.1e}",
                         each(tests, [](const Test& t) { return fmt::format("{:.1e}", t.path.servo_mean); }),
                         worst(tests, [](const Test& t) { return t.path.servo_largest; })),
             "1e-3", judged(servo <= 1e-3),
             run.quick() ? "Fewer bodies than in the full set: the opening of one contact is a larger part of the "
                           "stress, three times as fast a motion."
                         : "Every step since the stress had first been within its tolerance for 100 steps."});
  const auto unsymmetric = [](const Test& t) {
    return worst_row(t.path, [](const ShearRow& r) { return std::abs(r.xy - r.yx) / (-0.5 * (r.xx + r.yy)); });
  };
  const double largest = worst(tests, unsymmetric);
  run.claim({"symmetric", "Balance of angular momentum of bodies in equilibrium", "σ_xy = σ_yx",
             fmt::format("|σ_xy − σ_yx|/p, largest of all rows: {}",
                         each(tests, [&](const Test& t) { return fmt::format("{:.1e}", unsymmetric(t)); })),
             "1e-3: what bodies that still move may leave, as for the servo", judged(largest <= 1e-3),
             "The tensor is the sum of contact force and branch, nothing is made symmetric."});
  const double residual = worst(tests, [](const Test& t) { return t.path.residual; });
  run.claim(
      {"ledger", "DESIGN, promise 2",
       "initial and boundary energy = kinetic + stored + friction + viscous + circulation + event loss",
       fmt::format("residual over absolute work {:.1e} at most; circulation of the pentagons' normal force {:.1e}",
                   residual, worst(tests, [](const Test& t) { return t.path.circulation; })),
       "1e-3", verdict(residual <= 1e-3), "Packing and shear; the servo's boundary work included."});
  const auto inertial = [](const Test& t) { return worst_row(t.path, [](const ShearRow& r) { return r.inertial; }); };
  const auto unbalanced = [](const Test& t) {
    return mean_between(t.path, 0.1 * t.path.rows.back().gamma, 1, [](const ShearRow& r) { return r.unbalanced; });
  };
  run.claim({"quasi-static", "da Cruz et al., Phys. Rev. E 72 (2005) 021309",
             "below I = 1e-3 the rate does not matter; resultants are small beside contact forces",
             fmt::format("largest I {:.1e}; mean resultant over mean contact force, mean of the run: {}",
                         worst(tests, inertial),
                         each(tests, [&](const Test& t) { return fmt::format("{:.1e}", unbalanced(t)); })),
             "I ≤ 1e-3, resultants ≤ 1e-2", judged(worst(tests, inertial) <= 1e-3 && worst(tests, unbalanced) <= 1e-2),
             run.quick() ? "Quick sets go three times as fast as full ones."
                         : "I: of the cell's deviatoric rate, servo included; mean diameter, mean pressure."});
}

}  // namespace

void biaxial_shear(StudyRun& run) {
  std::vector<Test> tests;
  for (const Loading l : {Loading::biaxial, Loading::simple_shear})
    for (const Bodies2D b : {Bodies2D::discs, Bodies2D::pentagons}) tests.push_back({{l, b}, {}});
  std::string fingerprint = "biaxial-shear 1\n";
  std::vector<Case> cases;
  std::vector<double> cost;
  for (const Test& t : tests) {
    cases.push_back(shear_case(t.what, run.sources(), run.quick()));
    fingerprint += resolved_case(cases.back());
    cost.push_back(t.what.bodies == Bodies2D::discs ? 1 : 6);
  }
  const auto results = run.tasks(
      "tests", tests.size(),
      [&](std::size_t k, TaskProgress& progress) {
        return run_shear_test(cases[k], tests[k].what.loading, 800, progress).pack();
      },
      fingerprint, cost);
  for (std::size_t k = 0; k < tests.size(); ++k) {
    if (!results[k].done)
      throw std::runtime_error(fmt::format("the test {} failed: {}", tests[k].what.label(), results[k].message));
    tests[k].path = ShearPath::unpack(results[k].numbers);
  }
  draw(run, tests, cases[1]);
  claim_soundness(run, tests);

  // A few hundred bodies over a small strain show that everything runs, not what a material does.
  const auto judged = [&](bool holds) { return run.quick() ? ClaimVerdict::not_comparable : verdict(holds); };
  const auto sine = [](const ShearRow& r) { return r.sine(); };
  const Test &biaxial_discs = tests[0], &biaxial_pentagons = tests[1], &shear_discs = tests[2],
             &shear_pentagons = tests[3];
  const double end = biaxial_discs.path.rows.back().gamma;
  std::vector<Peak> peaks;
  std::vector<Mean> ends;
  for (const Test& t : tests) {
    peaks.push_back(peak_of(t.path));
    ends.push_back(at_end(t.path, sine));
  }
  const auto index = [&](const Test& t) { return std::size_t(&t - tests.data()); };
  const auto with_index = [&](auto text) { return each(tests, [&, text](const Test& t) { return text(index(t)); }); };

  bool peaked = true;
  for (std::size_t k = 0; k < tests.size(); ++k) peaked = peaked && peaks[k].sine > ends[k].value + 2 * ends[k].error;
  run.claim(
      {"peak", "Textbooks of soil mechanics", "a dense assembly has a peak of strength and softens towards a lower one",
       fmt::format("sin φ at the peak (at γ) and over the last quarter: {}", with_index([&](std::size_t k) {
                     return fmt::format("{:.3f} ({:.1f} %), {}, i.e. σ1/σ2 {:.2f} and {:.2f}, φ {:.1f}° and {:.1f}°",
                                        peaks[k].sine, 100 * peaks[k].gamma, ends[k].text(), ratio(peaks[k].sine),
                                        ratio(ends[k].value), std::asin(peaks[k].sine) / degree,
                                        std::asin(ends[k].value) / degree);
                   })),
       "two standard errors of the end", judged(peaked),
       fmt::format("Void ratio at the start {:.3f} (discs), {:.3f} (pentagons). The peak is that of a running mean "
                   "over 0.5 % of γ.",
                   biaxial_discs.path.rows.front().void_ratio, biaxial_pentagons.path.rows.front().void_ratio)});
  const Mean tangent = at_end(shear_discs.path, [](const ShearRow& r) { return std::abs(r.xy / r.yy); });
  run.claim({"discs", "da Cruz et al., Phys. Rev. E 72 (2005) 021309",
             "slow steady shear of discs with friction 0.4: shear over normal stress about 0.26",
             fmt::format("|σ_xy|/|σ_yy| = {} over the last quarter", tangent.text()),
             "0.05: another friction, sizes and walls", judged(std::abs(tangent.value - 0.26) <= 0.05),
             "Friction 0.5, a small strain beside that of a steady flow."});
  const auto stronger = [&](std::size_t discs, std::size_t pentagons) {
    return ends[pentagons].value - ends[discs].value > 2 * std::hypot(ends[pentagons].error, ends[discs].error) &&
           peaks[pentagons].sine > peaks[discs].sine;
  };
  run.claim({"shape-strength", "Azéma, Radjaï, Peyroux, Saussine, Phys. Rev. E 76 (2007) 011301",
             "pentagons are stronger than discs at equal friction",
             fmt::format("sin φ of pentagons over that of discs: biaxial {:.2f} at the peak, {:.2f} at the end; simple "
                         "shear {:.2f}, {:.2f}",
                         peaks[1].sine / peaks[0].sine, ends[1].value / ends[0].value, peaks[3].sine / peaks[2].sine,
                         ends[3].value / ends[2].value),
             "above 1, at the end by two standard errors", judged(stronger(0, 1) && stronger(2, 3)),
             "Sizes, friction, stiffness, pressure and rate are the same."});

  const auto part = [&](const Test& t, double Anisotropies::*member) {
    return at_end(t.path, [member](const ShearRow& r) { return r.a.*member; });
  };
  const auto forces = [&](const Test& t) {
    return at_end(t.path, [](const ShearRow& r) { return r.a.normal + r.a.tangential; });
  };
  const auto contact_of = [&](const Test& t) { return part(t, &Anisotropies::contact); };
  const auto less_contact = [&](const Test& discs, const Test& pentagons) {
    return contact_of(pentagons).value < contact_of(discs).value;
  };
  const auto more_force = [&](const Test& discs, const Test& pentagons) {
    return forces(pentagons).value > forces(discs).value;
  };
  const std::string parts = each(tests, [&](const Test& t) {
    return fmt::format("a_c {}, a_n {}, a_t {}, a_l {}", contact_of(t).text(), part(t, &Anisotropies::normal).text(),
                       part(t, &Anisotropies::tangential).text(), part(t, &Anisotropies::branch).text());
  });
  run.claim({"shape-fabric", "Azéma, Radjaï, Peyroux, Saussine, Phys. Rev. E 76 (2007) 011301",
             "under steady shear pentagons have a lower anisotropy of contacts than discs, and a higher one of forces "
             "that makes them stronger",
             fmt::format("last quarter: {}", parts), "as said, in both loadings",
             judged(less_contact(biaxial_discs, biaxial_pentagons) && less_contact(shear_discs, shear_pentagons) &&
                    more_force(biaxial_discs, biaxial_pentagons) && more_force(shear_discs, shear_pentagons)),
             "Parts along the major compression of the stress."});
  double off = 0;
  const std::string sums = each(tests, [&](const Test& t) {
    double sum = 0, n = 0;
    for (const ShearRow& r : t.path.rows)
      if (r.gamma > 0.01) sum += 0.5 * r.a.sum() / r.sine(), n += 1;
    off = std::max(off, std::abs(sum / n - 1));
    return fmt::format("{:.3f}", sum / n);
  });
  run.claim({"stress-force-fabric", "Rothenburg and Bathurst, Géotechnique 39 (1989) 601",
             "sin φ = (a_c + a_n + a_t + a_l)/2", fmt::format("right side over left, mean beyond γ = 1 %: {}", sums),
             "10 %: products of anisotropies are left out", judged(off <= 0.1),
             "The form supposes that forces and branches of contacts of one direction are independent of each other."});

  bool turns = true;
  const std::string volumes = each(tests, [&](const Test& t) {
    double lowest = 0;
    for (const ShearRow& r : t.path.rows) lowest = std::min(lowest, r.volume());
    const double last = t.path.rows.back().volume();
    turns = turns && lowest < 0 && last > 0;
    return fmt::format("{:.3f} % at least, {:.2f} % at the end (e {:.3f} to {:.3f})", 100 * lowest, 100 * last,
                       t.path.rows.front().void_ratio, t.path.rows.back().void_ratio);
  });
  run.claim({"volume", "Reynolds (1885); textbooks of soil mechanics", "contraction first, then dilation",
             fmt::format("volumetric strain: {}", volumes), "signs", judged(turns),
             "From the start of the shear, at which friction goes from 0.05 to 0.5; extension positive."});
  double furthest = 0;
  const std::string rowe = with_index([&](std::size_t k) {
    const ShearPath& path = tests[k].path;
    const double sine_at_peak =
        mean_between(path, peaks[k].gamma - dilatancy_window, peaks[k].gamma + dilatancy_window, sine);
    const double at_peak = dilatancy(increment_at(path, peaks[k].gamma)), last = path.rows.back().gamma,
                 late = dilatancy(increment_at(path, 0.875 * last, 0.125 * last));
    const double peak_k = ratio(sine_at_peak) / ratio(at_peak), end_k = ratio(ends[k].value) / ratio(late);
    furthest = std::max(furthest, std::abs(peak_k / end_k - 1));
    return fmt::format("ψ {:.1f}° at the peak, {:.1f}° at the end, K {:.2f} and {:.2f}", std::asin(at_peak) / degree,
                       std::asin(late) / degree, peak_k, end_k);
  });
  run.claim({"dilatancy", "Rowe, Proc. R. Soc. A 269 (1962) 500",
             "σ1/σ2 = K (1 + sin ψ)/(1 − sin ψ) with one K of the material", rowe, "10 % between peak and end",
             judged(furthest <= 0.1),
             "sin ψ: volumetric over shear strain, over 2 % of γ at the peak and the last quarter."});

  bool between = true;
  const std::string coordinations = each(tests, [&](const Test& t) {
    const ShearRow& first = t.path.rows.front();
    const Mean last = at_end(t.path, [](const ShearRow& r) { return r.backbone; });
    if (t.what.bodies == Bodies2D::discs) between = between && first.backbone <= 4.15 && last.value >= 3;
    return fmt::format(
        "{:.2f} then {:.2f} without rattlers, {:.2f} then {:.2f} with; share of rattlers {:.1f} then {:.1f} %, sliding "
        "{:.0f} %",
        first.backbone, last.value, first.coordination,
        at_end(t.path, [](const ShearRow& r) { return r.coordination; }).value, 100 * (1 - first.backbone_share),
        100 * (1 - at_end(t.path, [](const ShearRow& r) { return r.backbone_share; }).value),
        100 * at_end(t.path, [](const ShearRow& r) { return r.sliding; }).value);
  });
  run.claim({"coordination", "Counting of forces and equations (isostaticity)",
             "discs without rattlers: from 4 (no friction, rigid) at most, falling no lower than 3 (friction)",
             fmt::format("at the start, over the last quarter: {}", coordinations), "0.15 above 4 for overlaps of 1e-3",
             judged(between), "Pentagons touch along sides, which carry a couple as well: no such bounds."});

  const auto towards = [&](const Test& t, auto direction) {
    return at_end(t.path, [&](const ShearRow& r) { return between_axes(direction(r), r.compression()) / degree; });
  };
  const auto fabric = [&](const Test& t) { return towards(t, [](const ShearRow& r) { return r.fabric_direction(); }); };
  run.claim({"fabric-direction", "Oda, Konishi, Nemat-Nasser, Géotechnique 30 (1980) 479",
             "contacts gather along the major compression",
             fmt::format("mean angle between the axes of fabric and stress over the last quarter: {}",
                         each(tests, [&](const Test& t) { return fmt::format("{:.1f}°", fabric(t).value); })),
             "10°", judged(worst(tests, [&](const Test& t) { return fabric(t).value; }) <= 10),
             "Both of every row, not of the mean tensors."});
  const auto coaxial = [&](const Test& t) {
    return towards(t, [&](const ShearRow& r) { return compression_of(increment_at(t.path, r.gamma)); }).value;
  };
  run.claim(
      {"coaxial", "Thornton and Zhang, Phil. Mag. 86 (2006) 3425",
       "principal axes of stress and strain rate coincide at large strain, also in simple shear",
       fmt::format(
           "mean angle between them over the last quarter: {}; stress in simple shear at {}° from x (shear plane)",
           each(tests, [&](const Test& t) { return fmt::format("{:.1f}°", coaxial(t)); }),
           fmt::format("{:.1f} and {:.1f}",
                       at_end(shear_discs.path, [](const ShearRow& r) { return r.compression() / degree; }).value,
                       at_end(shear_pentagons.path, [](const ShearRow& r) { return r.compression() / degree; }).value)),
       "5°", judged(worst(tests, coaxial) <= 5), "Strain increments over 2 % of γ."});
  const double discs_apart = ends[2].value / ends[0].value - 1, pentagons_apart = ends[3].value / ends[1].value - 1;
  run.claim({"loading", "Critical-state soil mechanics (Schofield and Wroth, 1968)",
             "the strength at large strain does not depend on the way of loading",
             fmt::format("sin φ over the last quarter (γ to {:.0f} %), simple shear over biaxial: discs {:+.1f} %, "
                         "pentagons {:+.1f} %",
                         100 * end, 100 * discs_apart, 100 * pentagons_apart),
             "10 %", judged(std::max(std::abs(discs_apart), std::abs(pentagons_apart)) <= 0.1),
             "Not yet at constant volume; plane strain in both."});
}

}  // namespace dem::validation::kuhn2020
