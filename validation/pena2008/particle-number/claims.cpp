// The claims of the study: the conjecture, and what the reference predicts instead.
#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "libdem/motion/limit/stability.hpp"
#include "validation/pena2008/particle-number/particle_number.hpp"

namespace dem::validation::pena2008::packed {

namespace {

constexpr const char* conjecture_source =
    "Peña, Lind, Herrmann (conjecture, untested there), after polygon-dem reference §8";
constexpr const char* conjecture = "1/N reduction of the time-step limit with the number of particles N (conjectured)";
constexpr double fewest =
    4;  // particles of a packing that a power law is fitted to: two discs have one contact with each other

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double x) { low = std::min(low, x), high = std::max(high, x); }
};

Range range(const std::vector<double>& values) {
  Range r;
  for (double x : values)
    if (std::isfinite(x)) r.add(x);
  return r;
}

PowerLaw law_of(const Ensemble& e, double (*of)(const Measurement&)) {
  std::vector<double> n, y;
  for (const Measurement& m : e.measured)
    if (m.bodies >= fewest) n.push_back(m.bodies), y.push_back(of(m));
  return power_law(n, y);
}

std::string text(const PowerLaw& law) { return fmt::format("N^({:+.3f} ± {:.3f})", law.exponent, law.half_width); }

std::string sizes(const Ensemble& discs, const Ensemble& polygons) {
  Range n;
  for (const Ensemble* e : {&discs, &polygons})
    for (const Measurement& m : e->measured)
      if (m.bodies >= fewest) n.add(m.bodies);
  return fmt::format("{:.0f} to {:.0f} particles, {} packings", n.low, n.high,
                     discs.measured.size() + polygons.measured.size());
}

/// Mean of y over the packings of fewest or of most particles (geometric).
double mean_at(const Ensemble& e, double low, double high, double (*of)(const Measurement&)) {
  double sum = 0, count = 0;
  for (const Measurement& m : e.measured)
    if (m.bodies >= low && m.bodies <= high) sum += std::log(of(m)), ++count;
  return std::exp(sum / count);
}

double five_percent(const Measurement& m) { return m.threshold(0.05); }
double floor_of(double tolerance) { return 2 * tolerance / (1 - tolerance) * damping_time(); }

/// Bound of |b| t_R(0) of `geometric`: relative change of the rate up to 0.1 t_c, over 0.1 t_c (1/t_c).
double change_over_step(const Measurement& m) {
  return m.geometric_change(geometric_steps.back()) / geometric_steps.back();
}

/// The conjecture is one statement for two limits: "agrees" only where both kinds of packing have −1 in their interval.
void conjecture_claim(StudyRun& run, const Ensemble& discs, const Ensemble& polygons, const char* id, const char* what,
                      double (*of)(const Measurement&), std::string note) {
  const PowerLaw d = law_of(discs, of), p = law_of(polygons, of);
  const bool falls = d.contains(-1) && p.contains(-1),
             known = std::isfinite(d.half_width) && std::isfinite(p.half_width);
  run.claim({id, conjecture_source, conjecture,
             fmt::format("{}: {} for discs, {} for polygons ({})", what, text(d), text(p), sizes(discs, polygons)),
             "−1 within the 95 % interval of the exponent (least squares over single packings)",
             !known  ? ClaimVerdict::not_comparable
             : falls ? ClaimVerdict::agrees
                     : ClaimVerdict::differs,
             std::move(note)});
}

std::string means(const Ensemble& e, double (*of)(const Measurement&)) {
  const double most = e.measured.empty() ? 0 : e.measured.back().bodies;
  return fmt::format("{}: {:.3g} t_c at {:.0f}, {:.3g} t_c at about {:.0f} particles", e.name, mean_at(e, 0, 2, of),
                     2.0, mean_at(e, 0.9 * most, 2 * most, of), most);
}

void relaxation_claims(StudyRun& run, const Ensemble& discs, const Ensemble& polygons) {
  conjecture_claim(run, discs, polygons, "one-over-n-relaxation", "relaxation threshold of `velocity` at 5 %",
                   five_percent,
                   fmt::format("The bias of `velocity` is damping by k_t Δt/2 at each contact, which no number of "
                               "particles multiplies ({}; {}).",
                               means(discs, five_percent), means(polygons, five_percent)));

  Range change, below, slope;
  for (const Ensemble* e : {&discs, &polygons})
    for (const Measurement& m : e->measured) {
      change.add(m.geometric_change(geometric_steps.back()));
      below.add(m.geometric_change(geometric_steps[1]));
      slope.add(change_over_step(m) * m.rate / m.fitted_slope);
    }
  run.claim({"one-over-n-geometric", conjecture_source, conjecture,
             fmt::format("`geometric`: t_R changes by at most {:.2g} % between Δt/t_c = {:g} and {:g}, so that there "
                         "is no relaxation threshold at 1 % "
                         "below the stability limit; |b| at most {:.1g} of that of `velocity`",
                         100 * change.high, geometric_steps.front(), geometric_steps.back(), slope.high),
             "a threshold at 1 % (the source's criterion at its sharpest) at Δt/t_c ≤ 0.1 would be needed",
             change.high > 0.01 ? ClaimVerdict::not_comparable : ClaimVerdict::differs,
             "Without a threshold there is nothing that could fall with N."});
  run.claim({"geometric-flat", "polygon-dem reference §5, table and text",
             "the geometric scheme is Δt-independent to 0.02 % over four decades",
             fmt::format("packings: largest change of t_R {:.2g} % up to Δt/t_c = {:g}, {:.2g} % up to {:g}",
                         100 * change.high, geometric_steps.back(), 100 * below.high, geometric_steps[1]),
             "0.02 %, as published for two discs", change.high <= 2e-4 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             change.high <= 2e-4
                 ? "Also in packings."
                 : "What is left at 0.1 t_c is the integrator's own error, of order (ωΔt)^5: the slowest modes of two "
                   "to four bodies are faster (ω t_c up to 2.2) than that of the guided disc (1.28)."});

  Range above;  // threshold over floor
  for (const Ensemble* e : {&discs, &polygons})
    for (const Measurement& m : e->measured)
      for (double tolerance : tolerances) above.add(m.threshold(tolerance) / floor_of(tolerance));
  run.claim({"floor", "polygon-dem reference §5, prediction of the threshold",
             "since f_t ≤ 1, a sticking packing of any number of particles has the floor 2·tol·τ (2.5e-4 t_c at 5 %): "
             "the relaxation threshold should not fall as 1/N",
             fmt::format("smallest threshold {:.2f} times the floor 2τ·tol/(1 − tol) = {:.3g} t_c at 5 % ({})",
                         above.low, floor_of(0.05), sizes(discs, polygons)),
             "1 % below the floor, what a threshold is measured to",
             above.low >= 0.99 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "The floor holds for every mode; the slowest mode of a packing has f_t of about 1/3 and stays above it."});

  const auto ratio = [](const Measurement& m) { return m.threshold(0.05) / m.predicted_threshold(0.05); };
  const Range d = range(discs.numbers(ratio)), p = range(polygons.numbers(ratio));
  const Range formula = range(discs.numbers(
      [](const Measurement& m) { return m.threshold(0.01) / (0.02 * damping_time() / m.tangential_share); }));
  run.claim({"prediction", "polygon-dem reference §5, prediction of the threshold",
             "a mode whose strain energy has the tangential share f_t reaches its limit within `tol` for Δt ≤ T_t t_c "
             "≈ 2·tol·τ/f_t",
             fmt::format("discs at 1 %: measured over 2·tol·τ/f_t {:.3f} to {:.3f}", formula.low, formula.high),
             "5 %: the formula is of first order in tol and in the overlaps",
             formula.low > 0.95 && formula.high < 1.05 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             fmt::format("With the damping φᵀCφ of the mode instead of τ ω² (contacts of corners have less stiffness "
                         "than k_n, but all of γ_n) the "
                         "prediction holds for both: measured over predicted {:.3f} to {:.3f} for discs, {:.3f} to "
                         "{:.3f} for polygons.",
                         d.low, d.high, p.low, p.high)});

  Range late;
  int used = 0, unclear = 0;
  for (const Ensemble* e : {&discs, &polygons})
    for (const Measurement& m : e->measured)
      for (const auto& [r, fit] :
           {std::pair{m.late_velocity, m.late_velocity_fit}, std::pair{m.late_geometric, m.late_geometric_fit}}) {
        if (!std::isfinite(r)) continue;
        if (fit > 0.99999)
          late.add(r), ++used;
        else
          ++unclear;
      }
  run.claim({"slowest-mode", "polygon-dem reference §5, measuring t_R",
             "two modes decay at different rates; the decay is set by the slowest mode",
             fmt::format("random disturbances of small packings: late rate over that of the slowest mode {:.4f} to "
                         "{:.4f} in {} decays with R² > 0.99999; "
                         "{} others are still mixtures of modes",
                         late.low, late.high, used, unclear),
             "1 %, the sharpest tolerance of a threshold",
             used == 0                             ? ClaimVerdict::not_comparable
             : late.low > 0.99 && late.high < 1.01 ? ClaimVerdict::agrees
                                                   : ClaimVerdict::differs,
             "So a start along the slowest mode measures what a long run from anywhere would; modes of nearly one rate "
             "need more than twelve decades of energy."});
}

void stability_claims(StudyRun& run, const Ensemble& discs, const Ensemble& polygons) {
  const auto velocity = [](const Measurement& m) { return m.velocity_limit; };
  const auto geometric = [](const Measurement& m) { return m.geometric_limit; };
  conjecture_claim(run, discs, polygons, "one-over-n-stability-velocity", "stability limit of `velocity`", velocity,
                   fmt::format("The largest eigenfrequency belongs to a few bodies and hardly grows with N ({}; {}).",
                               means(discs, velocity), means(polygons, velocity)));
  conjecture_claim(run, discs, polygons, "one-over-n-stability-geometric", "stability limit of `geometric`", geometric,
                   fmt::format("The largest eigenfrequency belongs to a few bodies and hardly grows with N ({}; {}).",
                               means(discs, geometric), means(polygons, geometric)));
  const auto ratio = [](const Measurement& m) { return m.geometric_limit / m.geometric_limit_predicted; };
  Range g = range(discs.numbers(ratio)), v;
  for (double x : polygons.numbers(ratio)) g.add(x);
  for (const Ensemble* e : {&discs, &polygons})
    for (const Measurement& m : e->measured) v.add(m.velocity_limit / m.velocity_limit_predicted);
  run.claim({"largest-eigenfrequency", "polygon-dem reference §5, prediction of the threshold; §2, stability",
             "the stability limit follows the largest eigenfrequency instead (ωΔt = 0.69 at damping ratio 0.004, 0.627 "
             "at 0.05)",
             fmt::format("`geometric`: measured over predicted {:.4f} to {:.4f}; `velocity`: {:.3f} to {:.3f} of the "
                         "prediction with modes taken one by one",
                         g.low, g.high, v.low, v.high),
             "2 %, the reference's for stability limits (§11)",
             g.low > 0.98 && g.high < 1.02 ? ClaimVerdict::agrees : ClaimVerdict::differs,
             "For `velocity` the damping k_t Δt/2 of the spring that runs ahead lowers the limit further, and couples "
             "the modes, which the prediction mode by mode leaves out."});
}

}  // namespace

PowerLaw power_law(const std::vector<double>& n, const std::vector<double>& y) {
  const double count = double(n.size());
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  for (std::size_t k = 0; k < n.size(); ++k) {
    const double u = std::log(n[k]), w = std::log(y[k]);
    sx += u, sy += w, sxx += u * u, sxy += u * w, syy += w * w;
  }
  const double xx = sxx - sx * sx / count, xy = sxy - sx * sy / count, yy = syy - sy * sy / count;
  if (count < 3 || !(xx > 0)) return {std::nan(""), std::nan("")};
  const double slope = xy / xx, variance = std::max(yy - slope * xy, 0.0) / (count - 2) / xx;
  return {slope, boost::math::quantile(boost::math::students_t(count - 2), 0.975) * std::sqrt(variance)};
}

void add_claims(StudyRun& run, const Ensemble& discs, const Ensemble& polygons) {
  std::string failures;
  for (const Ensemble* e : {&discs, &polygons})
    for (const std::string& f : e->failures) failures += (failures.empty() ? "" : "; ") + f;
  if (discs.measured.size() < 3 || polygons.measured.size() < 3) {
    run.claim({"packings", conjecture_source, conjecture, "too few packings: " + failures, "",
               ClaimVerdict::not_comparable, "There is nothing to compare."});
    return;
  }
  relaxation_claims(run, discs, polygons);
  stability_claims(run, discs, polygons);
  if (!failures.empty())
    run.claim({"packings", conjecture_source, conjecture, failures, "", ClaimVerdict::not_comparable,
               "These packings have no result and are left out of the other claims."});
}

}  // namespace dem::validation::pena2008::packed
