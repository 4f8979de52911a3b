// Avalanches of the slow-shear study: drops of the shear stress and bursts of kinetic energy, their sizes and what
// follows them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "libdem/measure/avalanches.hpp"
#include "libdem/measure/power_law.hpp"
#include "validation/pena2008/slow-shear/slow_shear.hpp"

namespace dem::validation::pena2008 {
namespace {

using geometry::ContactPlane;

const char* const source = "Peña et al., arXiv:0801.0862 (as cited in polygon-dem reference §8)";

// Thresholds. A drop: 1 % of the held normal stress, about the force of one contact over the width of the plates. A
// burst: the energy doubles and rises by a thousandth of σ d², the work of the stress on a grain that moves by its
// size.
constexpr double drop_share = 0.01, burst_factor = 2, burst_share = 1e-3;
constexpr double main_share = 0.05;  // of the events, the largest: main events for aftershocks
constexpr double held_stress = 0.4;  // N/m, of case.toml
const double grain_energy = held_stress * 4 * 0.95 / 3.14159265358979;  // σ d² (J)

enum class Measure { stress, energy };
constexpr Measure measures[] = {Measure::stress, Measure::energy};
const char* word(Measure m) { return m == Measure::stress ? "drops" : "bursts"; }

struct Events {
  std::vector<std::vector<double>> starts, stops, sizes;  ///< a run each; in t_c and in σ or σ d²
  std::vector<double> begins, ends;                       ///< window (t_c)
  double strain = 0;                                      ///< of all windows
  std::vector<double> all() const {
    std::vector<double> out;
    for (const auto& s : sizes) out.insert(out.end(), s.begin(), s.end());
    return out;
  }
};

Events events_of(const ShearGroup& g, Measure measure) {
  Events e;
  for (const ShearRecord& r : g.runs) {
    const std::size_t begin = first_row(r);
    std::vector<double> series = measure == Measure::stress ? r.shear_stress() : r.kinetic;
    series.erase(series.begin(), series.begin() + std::ptrdiff_t(begin));
    const double unit = measure == Measure::stress ? held_stress : grain_energy;
    const auto found = measure == Measure::stress ? drops(series, drop_share * unit)
                                                  : bursts(series, burst_factor, burst_share * unit);
    std::vector<double> starts, stops, sizes;
    for (const SeriesEvent& event : found) {
      starts.push_back(r.strain[begin + event.first] / g.point.rate);
      stops.push_back(r.strain[begin + event.last] / g.point.rate);
      sizes.push_back(event.size / unit);
    }
    e.starts.push_back(std::move(starts));
    e.stops.push_back(std::move(stops));
    e.sizes.push_back(std::move(sizes));
    e.begins.push_back(r.strain[begin] / g.point.rate);
    e.ends.push_back(r.strain.back() / g.point.rate);
    e.strain += r.strain.back() - r.strain[begin];
  }
  return e;
}

struct Fitted {
  const ShearGroup* group = nullptr;
  Measure measure = Measure::stress;
  Events events;
  std::optional<PowerLawFit> fit;  // of the largest events alone
  std::optional<CutoffPowerLawFit> bulk;
  AftershockRate after;
  std::optional<RateDecay> decay;

  std::string label() const {
    return fmt::format("{} at {:.0e}", shape_word(group->point.elongation), group->point.rate);
  }
  std::string sizes_text() const {
    std::string text =
        fmt::format("{}: {} {} in strain {:.2g}", label(), events.all().size(), word(measure), events.strain);
    if (!bulk || !fit) return text + ", too few for a fit";
    text += fmt::format(
        ", x^−α e^(−x/x_c) with α = {:.2f} [{:.2f}, {:.2f}], x_c = {:.2g} for {} sizes ≥ {:.2g} (KS distance {:.3f}, "
        "goodness {:.2f}, "
        "chance of an exponential {:.1g})",
        bulk->exponent, bulk->low, bulk->high, bulk->scale, bulk->count, bulk->lower, bulk->distance, bulk->goodness,
        bulk->exponential_chance);
    return text + fmt::format(
                      ", pure power law for the {} sizes ≥ {:.2g}: α = {:.2f} [{:.2f}, {:.2f}] (KS {:.3f}, goodness "
                      "{:.2f}, likelihood ratio to the "
                      "exponential {:+.1f}, chance {:.2g})",
                      fit->count, fit->lower, fit->exponent, fit->low, fit->high, fit->distance, fit->goodness,
                      fit->against_exponential, fit->against_exponential_chance);
  }
  /// A power law, cut off or not, is not refuted, and the exponential is.
  bool power_law() const {
    return bulk && bulk->goodness >= 0.1 && bulk->exponent > 0 && bulk->exponential_chance < 0.05;
  }
};

Fitted fitted(const ShearGroup& g, Measure measure) {
  Fitted f{&g, measure, events_of(g, measure), {}, {}, {}, {}};
  std::vector<double> all = f.events.all();
  try {
    f.fit = fit_power_law(all);
    f.bulk = fit_cutoff_power_law(all);
  } catch (const std::invalid_argument&) {  // too few: said in the text
  }
  if (all.size() < 100) return f;
  // From a row and a half to the strain in which the packing is renewed.
  for (double t = 8; t < 0.1 / g.point.rate; t *= 2) f.after.edges.push_back(t);
  std::sort(all.begin(), all.end());
  const double main_size = all[std::size_t((1 - main_share) * double(all.size()))];
  for (std::size_t k = 0; k < f.events.starts.size(); ++k)
    add_aftershocks(f.after, f.events.starts[k], f.events.stops[k], f.events.sizes[k], main_size, f.events.begins[k],
                    f.events.ends[k]);
  f.decay = fit_decay(f.after);
  return f;
}

std::string listed(const std::vector<Fitted>& all, Measure measure, std::string (*text)(const Fitted&)) {
  std::string out;
  for (const Fitted& f : all)
    if (f.measure == measure) out += (out.empty() ? "" : "; ") + text(f);
  return out;
}

/// Both shapes at the slowest rate there is; nullptr where a shape is missing.
std::array<const Fitted*, 2> slowest(const std::vector<Fitted>& all, Measure measure) {
  std::array<const Fitted*, 2> out{};
  for (const Fitted& f : all)
    if (f.measure == measure)
      for (std::size_t k = 0; k < 2; ++k)
        if (f.group->point.elongation == shapes[k] && (!out[k] || f.group->point.rate < out[k]->group->point.rate))
          out[k] = &f;
  return out;
}

std::string threshold_text(Measure m) {
  return m == Measure::stress
             ? fmt::format("falls of σ_xy by at least {:g} σ_yy that no rise by as much interrupts", drop_share)
             : fmt::format("rises of E_k by at least a factor {:g} and {:g} σ d² (σ d² = {:.2g} J)", burst_factor,
                           burst_share, grain_energy);
}

/// Largest distance of two samples' distributions and its chance were they of one (Kolmogorov-Smirnov, asymptotic).
std::pair<double, double> two_samples(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto share = [](const std::vector<double>& s, double x) {
    return double(std::upper_bound(s.begin(), s.end(), x) - s.begin()) / double(s.size());
  };
  double distance = 0;
  for (const auto* sample : {&a, &b})
    for (const double x : *sample) distance = std::max(distance, std::abs(share(a, x) - share(b, x)));
  const double root = std::sqrt(double(a.size()) * double(b.size()) / double(a.size() + b.size()));
  const double t = (root + 0.12 + 0.11 / root) * distance;  // Stephens' correction
  double chance = 0;
  for (int k = 1; k <= 100; ++k) chance += (k % 2 ? 2 : -2) * std::exp(-2.0 * k * k * t * t);
  return {distance, t < 0.2 ? 1 : std::clamp(chance, 0.0, 1.0)};
}

void size_claims(StudyRun& run, const std::vector<Fitted>& all, Measure measure) {
  const auto two = slowest(all, measure);
  const std::string measured = fmt::format("{}: {}", threshold_text(measure),
                                           listed(all, measure, [](const Fitted& f) { return f.sizes_text(); }));
  const bool fits = two[0] && two[1] && two[0]->bulk && two[1]->bulk;
  const std::string rate = two[0] ? fmt::format("{:.0e}", two[0]->group->point.rate) : "";

  std::string samples;
  if (fits) {
    const auto [distance, chance] = two_samples(two[0]->events.all(), two[1]->events.all());
    samples = fmt::format("; Kolmogorov-Smirnov distance of the two distributions of sizes {:.3f} (chance {:.2g})",
                          distance, chance);
  }

  Claim law{fmt::format("gutenberg-richter-{}", word(measure)),
            source,
            "avalanche magnitudes follow Gutenberg–Richter (a power law of sizes)",
            measured,
            "both shapes: a power law with the cutoff of a finite system has goodness ≥ 0.1, and the exponential a "
            "chance < 0.05 (Clauset, Shalizi, Newman "
            "2009)",
            ClaimVerdict::not_comparable,
            {}};
  Claim shape{fmt::format("shape-{}", word(measure)),
              source,
              "… nearly independent of shape",
              fits ? fmt::format("isotropic α = {:.2f} [{:.2f}, {:.2f}], elongated α = {:.2f} [{:.2f}, {:.2f}] at {}",
                                 two[0]->bulk->exponent, two[0]->bulk->low, two[0]->bulk->high, two[1]->bulk->exponent,
                                 two[1]->bulk->low, two[1]->bulk->high, rate) +
                         samples
                   : "too few events for an exponent of both shapes",
              "95 % intervals of the exponents overlap",
              ClaimVerdict::not_comparable,
              {}};
  if (run.quick() || !fits) {
    law.note = shape.note =
        run.quick() ? "the quick set shears one seed at γ̇t_c = 1e-3, where events overlap: it shows the detection only"
                    : "fewer than 50 events of a shape above a cutoff";
  } else {
    const bool both = two[0]->power_law() && two[1]->power_law();
    law.verdict = both ? ClaimVerdict::agrees : ClaimVerdict::differs;
    law.note = both ? fmt::format(
                          "judged at {}: a power law between the smallest events and the size that the cell of 256 "
                          "polygons allows",
                          rate)
                    : fmt::format("judged at {}: {}", rate,
                                  two[0]->bulk->goodness < 0.1 || two[1]->bulk->goodness < 0.1
                                      ? "the sizes of a shape lie farther from the law than chance allows"
                                      : "for a shape an exponential is as good: the sizes have a scale");
    const bool overlap = two[0]->bulk->low <= two[1]->bulk->high && two[1]->bulk->low <= two[0]->bulk->high;
    shape.verdict = overlap ? ClaimVerdict::agrees : ClaimVerdict::differs;
    shape.note = fmt::format("{}; the source's exponents and thresholds were not available{}",
                             overlap ? "within their intervals the exponents are the same"
                                     : "the exponents differ by more than their intervals",
                             both ? "" : "; the law itself is not confirmed for both");
  }
  run.claim(std::move(law));
  run.claim(std::move(shape));
}

void aftershock_claim(StudyRun& run, const std::vector<Fitted>& all, Measure measure) {
  const auto two = slowest(all, measure);
  const auto text = [](const Fitted& f) {
    if (!f.decay) return f.label() + ": too few";
    return fmt::format(
        "{}: {:.0f} after {} main events, rate ∝ t^−p with p = {:.2f} [{:.2f}, {:.2f}], first bin {:.2g} times the "
        "mean rate",
        f.label(), std::accumulate(f.after.count.begin(), f.after.count.end(), 0.0), f.after.mains, f.decay->exponent,
        f.decay->low, f.decay->high, f.after.rate(0) / f.after.background());
  };
  Claim claim{fmt::format("aftershocks-{}", word(measure)),
              source,
              "aftershocks depend on shape",
              fmt::format("rate of {} after the largest {:g} of them, from 8 t_c after its end to 0.1 of strain: {}",
                          word(measure), main_share, listed(all, measure, text)),
              "95 % intervals of p (likelihood ratio) do not overlap",
              ClaimVerdict::not_comparable,
              {}};
  if (run.quick() || !two[0] || !two[1] || !two[0]->decay || !two[1]->decay) {
    claim.note = run.quick() ? "the quick set has too few events" : "too few events after main ones";
  } else {
    const RateDecay &a = *two[0]->decay, &b = *two[1]->decay;
    const bool apart = a.low > b.high || b.low > a.high, any = a.low > 0 || b.low > 0;
    claim.verdict = apart && any ? ClaimVerdict::agrees : ClaimVerdict::not_comparable;
    claim.note =
        !any    ? "neither shape has a rate that decays after large events beyond its error: no aftershocks to compare"
        : apart ? "the rate after large events decays differently for the two shapes"
                : "the decays of both shapes lie within each other's intervals: this number of events cannot decide";
  }
  run.claim(std::move(claim));
}

Curve distribution(const Fitted& f) {
  std::vector<double> sizes = f.events.all();
  std::sort(sizes.begin(), sizes.end());
  Curve c{f.label(), {}, {}, {}, {}, Curve::Style::points};
  const std::size_t stride = std::max<std::size_t>(1, sizes.size() / 300);
  for (std::size_t k = 0; k < sizes.size(); k += k + 50 < sizes.size() ? stride : 1) {
    c.x.push_back(sizes[k]);
    c.y.push_back(double(sizes.size() - k) / double(sizes.size()));
  }
  return c;
}

std::optional<Curve> fitted_line(const Fitted& f) {
  if (!f.bulk) return {};
  const auto sizes = f.events.all();
  const double high = *std::max_element(sizes.begin(), sizes.end()), lower = f.bulk->lower,
               share = double(f.bulk->count) / double(sizes.size());
  Curve c{fmt::format("α = {:.2f} [{:.2f}, {:.2f}]", f.bulk->exponent, f.bulk->low, f.bulk->high),
          {},
          {},
          {},
          {},
          Curve::Style::prediction};
  // Share above x: the density summed up from far above the largest size.
  constexpr int points = 400;
  const double step = std::log(20 * high / lower) / points;
  double sum = 0;
  for (int k = points; k >= 0; --k) {
    const double x = lower * std::exp(k * step);
    sum += std::pow(x / lower, 1 - f.bulk->exponent) * std::exp(-(x - lower) / f.bulk->scale);
    if (x > high) continue;
    c.x.push_back(x);
    c.y.push_back(sum);
  }
  for (double& y : c.y) y *= share / sum;
  return c;
}

}  // namespace

void add_avalanche_claims(StudyRun& run, const std::vector<ShearGroup>& groups) {
  std::vector<Fitted> all;
  for (const Measure measure : measures)
    for (const ShearGroup& g : groups)
      if (g.point.plane == ContactPlane::area_gradient) all.push_back(fitted(g, measure));
  for (const Measure measure : measures) size_claims(run, all, measure);
  for (const Measure measure : measures) aftershock_claim(run, all, measure);

  Figure figure{
      "pena2008/slow-shear-avalanches",
      "Sizes of avalanches and the rate after large ones",
      fmt::format("Drops: {}. Bursts: {}. Rows every 0.5 s: a third of the inertial time d√(ρ/σ) = 1.6 s. Dashed: "
                  "power laws with exponential "
                  "cutoff by maximum likelihood above the lower end of least Kolmogorov-Smirnov distance, 95 % "
                  "interval by resampling; in the "
                  "panels of rates, the mean rate. Main events: the largest {:g} of each kind, all seeds together.",
                  threshold_text(Measure::stress), threshold_text(Measure::energy), main_share),
      {},
      case_behind(run),
      study_command(run)};
  for (const Measure measure : measures) {
    Panel sizes{measure == Measure::stress ? "drops of σ_xy" : "bursts of kinetic energy",
                measure == Measure::stress ? "size Δσ_xy/σ_yy" : "size ΔE_k/(σ d²)",
                "share of events at least this large",
                true,
                true,
                {},
                {}};
    Panel after{fmt::format("{} after large ones", word(measure)),
                "time since the main event (t_c)",
                "events per t_c",
                true,
                true,
                {},
                {}};
    for (const Fitted& f : all) {
      if (f.measure != measure || f.events.all().empty()) continue;
      sizes.curves.push_back(distribution(f));
      if (auto line = fitted_line(f)) sizes.curves.push_back(std::move(*line));
      Curve rate{f.label(), {}, {}, {}, {}, Curve::Style::line_and_points};
      for (std::size_t b = 0; b < f.after.count.size(); ++b) {
        if (!(f.after.exposure[b] > 0) || f.after.count[b] == 0) continue;
        const double n = f.after.count[b], error = std::sqrt(n);
        rate.x.push_back(std::sqrt(f.after.edges[b] * f.after.edges[b + 1]));
        rate.y.push_back(n / f.after.exposure[b]);
        rate.y_low.push_back(std::max(n - error, 0.3) / f.after.exposure[b]);
        rate.y_high.push_back((n + error) / f.after.exposure[b]);
      }
      if (rate.x.empty()) continue;
      after.curves.push_back(rate);
      after.curves.push_back({"mean rate",
                              {rate.x.front(), rate.x.back()},
                              {f.after.background(), f.after.background()},
                              {},
                              {},
                              Curve::Style::prediction});
    }
    if (!sizes.curves.empty()) figure.panels.push_back(std::move(sizes));
    if (!after.curves.empty()) figure.panels.push_back(std::move(after));
  }
  run.figure(std::move(figure));
}

}  // namespace dem::validation::pena2008
