// Shear ratio, profiles, contacts and kinetic energy of the slow-shear study.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "libdem/measure/dimensionless.hpp"
#include "validation/pena2008/slow-shear/slow_shear.hpp"

namespace dem::validation::pena2008 {
namespace {

using geometry::ContactPlane;

const char* const reference = "polygon-dem reference §8";
const char* const prototype_differs =
    "not comparable: the prototype kept the height (φ₀ = 0.95, σ_yy 5 to 9 N/m and rising, γ̇t_c = 1e-3, one seed), "
    "here the stress is "
    "held at 0.4 N/m";

template <class Value>
std::vector<double> by_seed(const ShearGroup& group, Value value) {
  std::vector<double> out;
  for (const ShearRecord& r : group.runs) out.push_back(value(r));
  return out;
}

/// Mean over rows from `begin` to `end` of a column.
double mean_of(const std::vector<double>& column, std::size_t begin, std::size_t end) {
  return std::accumulate(column.begin() + std::ptrdiff_t(begin), column.begin() + std::ptrdiff_t(end), 0.0) /
         double(end - begin);
}
/// Mean shear over mean normal stress.
double ratio_of(const ShearRecord& r, std::size_t begin, std::size_t end) {
  return 0.5 * (mean_of(r.shear_bottom, begin, end) + mean_of(r.shear_top, begin, end)) / mean_of(r.normal, begin, end);
}
double ratio_of(const ShearRecord& r) { return ratio_of(r, first_row(r), r.rows()); }
double drift_of(const ShearRecord& r) {
  const std::size_t begin = first_row(r), middle = (begin + r.rows()) / 2;
  return ratio_of(r, middle, r.rows()) - ratio_of(r, begin, middle);
}
double wall_difference(const ShearRecord& r) {
  const std::size_t begin = first_row(r);
  return (mean_of(r.shear_top, begin, r.rows()) - mean_of(r.shear_bottom, begin, r.rows())) /
         mean_of(r.normal, begin, r.rows());
}
double window_of(const ShearRecord& r, const std::vector<double>& column) {
  return mean_of(column, first_row(r), r.rows());
}

/// Share of the displacement between the plates that the quarter of the layers with most shear carries; 1/4 when
/// homogeneous.
double localisation(const ShearRecord& r) {
  std::vector<double> steps;
  for (std::size_t k = 1; k < r.layer_shift.size(); ++k)
    if (std::isfinite(r.layer_shift[k] + r.layer_shift[k - 1]))
      steps.push_back(std::abs(r.layer_shift[k] - r.layer_shift[k - 1]));
  std::sort(steps.rbegin(), steps.rend());
  const double all = std::accumulate(steps.begin(), steps.end(), 0.0);
  // A quarter of the steps is not a whole number: the last one counts in part.
  const double quarter = double(steps.size()) / 4;
  double sum = 0;
  for (std::size_t k = 0; double(k) < quarter; ++k) sum += steps[k] * std::min(1.0, quarter - double(k));
  return sum / all;
}

std::string group_word(const ShearGroup& g) {
  return fmt::format("{} at {:.0e}{}", shape_word(g.point.elongation), g.point.rate,
                     g.point.plane == ContactPlane::edge_mean ? ", edge-mean" : "");
}

template <class Value>
std::string listed(const std::vector<ShearGroup>& groups, Value value, int digits = 3) {
  std::string text;
  for (const ShearGroup& g : groups)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", group_word(g), seed_mean(by_seed(g, value)).text(digits));
  return text;
}

/// Does the mean differ from zero, where `comparisons` of its kind are made? Never with one seed.
bool significant(const SeedMean& m, std::size_t comparisons) { return std::abs(m.mean) > m.half_width(comparisons); }
std::string interval_text(std::size_t comparisons) {
  return fmt::format(
      "95 % intervals over the seeds (Student's t; Bonferroni over {} comparisons); the source gives no tolerance",
      comparisons);
}

std::vector<double> differences(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) out.push_back(a[k] - b[k]);
  return out;
}

void set_up_claims(StudyRun& run, const std::vector<ShearGroup>& groups) {
  constexpr double walls_agree = 0.005;
  bool several = true, still = true, agree = true;
  for (const ShearGroup& g : groups) {
    several = several && g.runs.size() > 1;
    still = still && !significant(seed_mean(by_seed(g, drift_of)), groups.size());
    agree = agree && std::abs(seed_mean(by_seed(g, wall_difference)).mean) < walls_agree;
  }
  run.claim({"stationary", reference, "discard γ < 0.5",
             "change of σ_xy/σ_yy from the first to the second half of the window beyond γ = 0.5: " +
                 listed(groups, drift_of),
             interval_text(groups.size()),
             !several ? ClaimVerdict::not_comparable
             : still  ? ClaimVerdict::agrees
                      : ClaimVerdict::differs,
             !several ? "one seed has no error: a drift cannot be told from a fluctuation"
             : still  ? "no drift beyond the scatter of the seeds: the window is stationary"
                      : "a group still drifts: its means belong to this window and not to a stationary state"});
  run.claim(
      {"both-walls", reference, "wall forces per length: both walls, they must agree in the mean",
       "(σ_xy top − bottom)/σ_yy: " + listed(groups, wall_difference, 5),
       "0.005: the source gives the ratio with two digits",
       !several ? ClaimVerdict::not_comparable
       : agree  ? ClaimVerdict::agrees
                : ClaimVerdict::differs,
       !several
           ? "one seed over a short strain: the difference is the change of momentum of the grains over a short time"
       : agree ? "what differs is the momentum that grains gain and lose, which has no mean"
               : "the walls differ by more than a digit of the ratio"});

  double least = INFINITY, residual = 0, step = 0;
  std::string smaller;
  for (const ShearGroup& g : groups)
    for (const ShearRecord& r : g.runs)
      least = std::min(least, r.stiffness), residual = std::max(residual, r.ledger_residual),
      step = std::max(step, r.time_step);
  for (const ShearGroup& g : groups)
    for (std::size_t k = 0; k < g.runs.size(); ++k)
      if (g.runs[k].time_step < step)
        smaller += fmt::format("{}{}, seed {}: {:g} s", smaller.empty() ? "" : "; ", group_word(g), g.seeds[k],
                               g.runs[k].time_step);
  // I = γ̇ d √(ρ/σ) with the numbers of the prototype, d the mean equivalent diameter of cells of the solid fraction
  // 0.95.
  const double diameter = 2 * std::sqrt(0.95 / 3.14159265358979), rate = 1e-3 / contact_time;
  const double low = inertial_number(rate, diameter, 1, 9), high = inertial_number(rate, diameter, 1, 5);
  run.claim({"inertial-number", reference,
             "fixed height: inertial number about 4e-3 at γ̇t_c = 1e-3 (σ_yy climbs from 5 to 9 N/m)",
             fmt::format("{:.2g} to {:.2g} for these stresses; the runs here, at σ_yy = 0.4 N/m: {}", low, high,
                         listed(
                             groups, [](const ShearRecord& r) { return r.inertial; }, 5)),
             "one digit, as published: 3.5e-3 to 4.5e-3 must lie within the range",
             low <= 4.5e-3 && high >= 3.5e-3 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             fmt::format("γ̇ d √(ρ/σ); here k_n/σ = 1000 is held, at least {:.0f} in a row of the series", least)});
  constexpr double promised = 1e-3;
  run.claim(
      {"energy-balance", reference, "conservation checks: energy = work − dissipation",
       fmt::format("largest residual of the energy ledgers of all runs: {:.2g} of the work exchanged", residual),
       "1e-3, what libdem promises of a shear run (the source gives none)",
       residual <= promised ? ClaimVerdict::agrees : ClaimVerdict::differs,
       fmt::format("work of the plates against kinetic and stored energy, friction, viscosity and the circulation of "
                   "the area law; time step {:g} s{}",
                   step,
                   smaller.empty() ? "" : ", smaller where the limit of the assembly asks for it (" + smaller + ")")});
}

void prototype_claims(StudyRun& run, const std::vector<ShearGroup>& groups) {
  run.claim({"shear-ratio", reference,
             "σ_xy/σ_yy 0.57–0.59 for γ 0.37–0.49, 0.26–0.50 for γ 0.9–1.5 with strong fluctuations (area-gradient)",
             listed(groups, [](const ShearRecord& r) { return ratio_of(r); }),
             "none: orders of magnitude only, as the source says", ClaimVerdict::not_comparable, prototype_differs});
  run.claim({"coordination", reference, "coordination 4.0–4.2",
             listed(groups, [](const ShearRecord& r) { return window_of(r, r.coordination); }),
             "none: orders of magnitude only, as the source says", ClaimVerdict::not_comparable, prototype_differs});
  run.claim({"sliding-fraction", reference, "sliding fraction 0.09–0.14",
             listed(groups, [](const ShearRecord& r) { return window_of(r, r.sliding); }),
             "none: orders of magnitude only, as the source says", ClaimVerdict::not_comparable, prototype_differs});

  bool all = true, none = true, several = true;
  for (const ShearGroup& g : groups) {
    const SeedMean share = seed_mean(by_seed(g, localisation));
    several = several && share.seeds > 1;
    all = all && share.mean - share.half_width() > 0.5;
    none = none && share.mean + share.half_width() < 0.5;
  }
  run.claim({"localisation", reference, "16 rows between rough plates may localise",
             "share of the shear in the quarter of the height that shears most (homogeneous: 0.25): " +
                 listed(groups, localisation),
             "localised: above one half with the 95 % interval over the seeds, in every group (own choice, the source "
             "gives none)",
             several && all    ? ClaimVerdict::agrees
             : several && none ? ClaimVerdict::differs
                               : ClaimVerdict::not_comparable,
             !several ? "one seed: the profiles show where the shear is, not whether it is always there"
             : all    ? "the shear is localised, in every choice of shape, rate and contact plane"
             : none   ? "less than half of the shear is in a quarter of the height"
                      : "not in every group: whether it localises depends on shape, rate or contact plane"});
}

void plane_claims(StudyRun& run, const std::vector<ShearGroup>& groups) {
  const ShearGroup *gradient = find_group(groups, 1e-4, 1, ContactPlane::area_gradient),
                   *mean = find_group(groups, 1e-4, 1, ContactPlane::edge_mean);
  const std::string published = "the same cell with eq13_signed gives σ_xy/σ_yy 0.32–0.36 (area-gradient 0.57–0.59)",
                    louder = "with eq13_signed E_k is several times larger";
  if (!gradient || !mean || gradient->runs.size() < 2) {
    for (const auto& [id, text] : {std::pair{"edge-mean-ratio", published}, {"edge-mean-energy", louder}})
      run.claim({id, reference, text, "not measured by the quick set", "", ClaimVerdict::not_comparable,
                 "the quick set has one definition only"});
    return;
  }
  const auto ratio = [](const ShearRecord& r) { return ratio_of(r); };
  const auto energy = [](const ShearRecord& r) { return std::log(window_of(r, r.kinetic)); };
  const auto jumps = [](const ShearRecord& r) { return r.plane_jumps_per_million; };
  const SeedMean change = seed_mean(differences(by_seed(*mean, ratio), by_seed(*gradient, ratio)));
  const SeedMean gain = seed_mean(differences(by_seed(*mean, energy), by_seed(*gradient, energy)));
  run.claim(
      {"edge-mean-ratio", reference, published,
       fmt::format("edge-mean {}, area-gradient {}; difference seed by seed {}",
                   seed_mean(by_seed(*mean, ratio)).text(), seed_mean(by_seed(*gradient, ratio)).text(), change.text()),
       "lower with the 95 % interval over the seeds (Student's t)",
       change.mean < -change.half_width() ? ClaimVerdict::agrees : ClaimVerdict::differs,
       change.mean < -change.half_width()
           ? "edge-mean lowers the shear ratio also under a held stress, beyond the scatter of the seeds"
           : "the published comparison has one seed and another loading; five seeds under a held stress show no lower "
             "ratio"});
  run.claim(
      {"edge-mean-energy", reference, louder,
       fmt::format("mean E_k {:.2f} times that of area-gradient ({:.2f} to {:.2f} with 95 %)", std::exp(gain.mean),
                   std::exp(gain.mean - gain.half_width()), std::exp(gain.mean + gain.half_width())),
       "several: at least 2; the 95 % interval over the seeds (Student's t) decides",
       gain.mean + gain.half_width() < std::log(2.0) ? ClaimVerdict::differs
       : gain.mean > std::log(2.0)                   ? ClaimVerdict::agrees
                                                     : ClaimVerdict::not_comparable,
       fmt::format("jumps of the contact plane in a million contact steps: edge-mean {}, area-gradient {}",
                   seed_mean(by_seed(*mean, jumps)).text(), seed_mean(by_seed(*gradient, jumps)).text())});
}

void rate_claim(StudyRun& run, const std::vector<ShearGroup>& groups) {
  const std::string published = "shear at γ̇t_c ≤ 1e-4 for a picture, ≤ 1e-5 for a study (γ̇t_R ≪ 1)";
  std::string measured;
  bool any = false, both = false;
  constexpr std::size_t comparisons = 8;  // four quantities, two shapes
  for (const double elongation : shapes) {
    const ShearGroup *fast = find_group(groups, 1e-4, elongation, ContactPlane::area_gradient),
                     *slow = find_group(groups, 1e-5, elongation, ContactPlane::area_gradient);
    if (!fast || !slow) continue;
    both = true;
    const auto add = [&](const char* name, auto value, int digits) {
      const SeedMean change = seed_mean(differences(by_seed(*fast, value), by_seed(*slow, value)));
      any = any || significant(change, comparisons);
      measured += fmt::format("; {} {}", name, change.text(digits));
    };
    measured += fmt::format("{}{}, 1e-4 minus 1e-5", measured.empty() ? "" : ". ", shape_word(elongation));
    add(
        "σ_xy/σ_yy", [](const ShearRecord& r) { return ratio_of(r); }, 3);
    add(
        "coordination", [](const ShearRecord& r) { return window_of(r, r.coordination); }, 3);
    add(
        "sliding fraction", [](const ShearRecord& r) { return window_of(r, r.sliding); }, 3);
    add(
        "ln E_k", [](const ShearRecord& r) { return std::log(window_of(r, r.kinetic)); }, 2);
  }
  run.claim({"rate-dependence", reference, published, both ? measured : "not measured by the quick set",
             interval_text(comparisons) + "; differences seed by seed; the windows end at γ = 1.5 and 0.8, and "
                                          "the slow runs are sheared at 1e-4 up to γ = 0.45",
             !both ? ClaimVerdict::not_comparable
             : any ? ClaimVerdict::agrees
                   : ClaimVerdict::differs,
             !both ? "the quick set shears at γ̇t_c = 1e-3 only"
             : any ? "γ̇t_R is 0.024 and 0.0024: at 1e-4 the rate still shows in a measured quantity"
                   : "no measured quantity tells 1e-4 from 1e-5"});
}

Panel plain_panel(std::string title, std::string x_label, std::string y_label) {
  Panel p;
  p.title = std::move(title), p.x_label = std::move(x_label), p.y_label = std::move(y_label);
  return p;
}

/// A column against strain in steps of `bin`, mean over seeds.
Curve mean_curve(const ShearGroup& g, const std::string& label, double bin,
                 double (*value)(const ShearRecord&, std::size_t, std::size_t)) {
  Curve curve;
  curve.label = label;
  curve.style = Curve::Style::line;
  for (double from = 0; from + bin <= g.runs.front().strain.back() + 1e-9; from += bin) {
    std::vector<double> seeds;
    for (const ShearRecord& r : g.runs) {
      const auto row = [&](double strain) {
        return std::size_t(std::lower_bound(r.strain.begin(), r.strain.end(), strain) - r.strain.begin());
      };
      if (row(from + bin) > row(from)) seeds.push_back(value(r, row(from), row(from + bin)));
    }
    if (seeds.empty()) continue;
    const SeedMean m = seed_mean(seeds);
    curve.x.push_back(from + bin / 2);
    curve.y.push_back(m.mean);
  }
  return curve;
}

void add_figures(StudyRun& run, const std::vector<ShearGroup>& groups) {
  Figure stress{"pena2008/slow-shear-ratio",
                "Shear ratio against strain",
                "Means over strain intervals of 0.02, thin: seeds, last: mean over the seeds. Dashed: running mean "
                "over the seeds from γ = 0.5 on; "
                "before it nothing counts. Runs at 1e-5 are sheared at 1e-4 up to γ = 0.45.",
                {},
                case_behind(run),
                study_command(run)};
  for (const ShearGroup& g : groups) {
    Panel panel = plain_panel(group_word(g), "shear strain γ", "σ_xy/σ_yy");
    for (std::size_t k = 0; k < g.runs.size() && g.runs.size() > 1; ++k) {
      const ShearGroup one{g.point, {g.seeds[k]}, {g.runs[k]}};
      panel.curves.push_back(mean_curve(one, fmt::format("seed {}", g.seeds[k]), 0.02, ratio_of));
    }
    panel.curves.push_back(
        mean_curve(g, g.runs.size() > 1 ? "mean" : fmt::format("seed {}", g.seeds.front()), 0.02, ratio_of));
    Curve running{"running mean from 0.5", {}, {}, {}, {}, Curve::Style::prediction};
    double sum = 0, n = 0;
    for (std::size_t k = 0; k < panel.curves.back().x.size(); ++k) {
      if (panel.curves.back().x[k] < discarded_strain) continue;
      sum += panel.curves.back().y[k], n += 1;
      running.x.push_back(panel.curves.back().x[k]);
      running.y.push_back(sum / n);
    }
    panel.curves.push_back(std::move(running));
    stress.panels.push_back(std::move(panel));
  }
  run.figure(std::move(stress));

  Figure inside{"pena2008/slow-shear-profiles",
                "Profiles, sliding fraction and coordination",
                "Displacement along x from γ = 0.5 to the end over the strain gained and the height, mean over the "
                "seeds, in 16 layers; "
                "dashed: homogeneous shear. Sliding fraction and coordination: means over strain intervals of 0.05 and "
                "over the seeds; runs at 1e-5 are sheared at 1e-4 up to γ = 0.45.",
                {},
                case_behind(run),
                study_command(run)};
  Panel shift = plain_panel("displacement", "u_x/(Δγ H)", "height above the bottom plate y/H"),
        rotation = plain_panel("rotation", "mean rotation/Δγ", "height above the bottom plate y/H"),
        sliding = plain_panel("contacts that slide", "shear strain γ", "sliding fraction"),
        contacts = plain_panel("contacts", "shear strain γ", "coordination number"),
        energy = plain_panel("kinetic energy", "shear strain γ", "E_k (J)");
  energy.log_y = true;
  for (const ShearGroup& g : groups) {
    Curve moved{group_word(g), {}, {}, {}, {}, Curve::Style::line_and_points}, turned = moved;
    for (std::size_t k = 0; k < g.runs.front().layer_height.size(); ++k) {
      std::vector<double> u, w;
      for (const ShearRecord& r : g.runs)
        if (std::isfinite(r.layer_shift[k])) u.push_back(r.layer_shift[k]), w.push_back(r.layer_rotation[k]);
      if (u.empty()) continue;
      moved.x.push_back(seed_mean(u).mean), turned.x.push_back(seed_mean(w).mean);
      moved.y.push_back(g.runs.front().layer_height[k]), turned.y.push_back(g.runs.front().layer_height[k]);
    }
    shift.curves.push_back(std::move(moved));
    rotation.curves.push_back(std::move(turned));
    sliding.curves.push_back(mean_curve(g, group_word(g), 0.05, [](const ShearRecord& r, std::size_t a, std::size_t b) {
      return mean_of(r.sliding, a, b);
    }));
    contacts.curves.push_back(
        mean_curve(g, group_word(g), 0.05,
                   [](const ShearRecord& r, std::size_t a, std::size_t b) { return mean_of(r.coordination, a, b); }));
    energy.curves.push_back(mean_curve(g, group_word(g), 0.05, [](const ShearRecord& r, std::size_t a, std::size_t b) {
      return mean_of(r.kinetic, a, b);
    }));
  }
  shift.curves.push_back({"homogeneous", {-0.5, 0.5}, {0, 1}, {}, {}, Curve::Style::prediction});
  rotation.curves.push_back({"homogeneous", {-0.5, -0.5}, {0, 1}, {}, {}, Curve::Style::prediction});
  inside.panels = {std::move(shift), std::move(rotation), std::move(sliding), std::move(contacts), std::move(energy)};
  run.figure(std::move(inside));

  Figure picture{"pena2008/slow-shear-packings",
                 "The packings at the end of the shear",
                 "Free polygons and the two plates; bodies that leave on one side return on the other.",
                 {},
                 case_behind(run),
                 study_command(run)};
  for (const double elongation : shapes) {
    const ShearGroup* last = nullptr;  // the slowest
    for (const ShearGroup& g : groups)
      if (g.point.elongation == elongation && g.point.plane == ContactPlane::area_gradient) last = &g;
    if (!last) continue;
    Panel panel = plain_panel(fmt::format("{}, γ = {:.2g}, seed {}", group_word(*last),
                                          last->runs.front().strain.back(), last->seeds.front()),
                              "x (m)", "y (m)");
    panel.polygons = last->runs.front().picture;
    picture.panels.push_back(std::move(panel));
  }
  run.figure(std::move(picture));
}

}  // namespace

void add_stress_claims(StudyRun& run, const std::vector<ShearGroup>& groups) {
  set_up_claims(run, groups);
  prototype_claims(run, groups);
  plane_claims(run, groups);
  rate_claim(run, groups);
  add_figures(run, groups);
}

}  // namespace dem::validation::pena2008
