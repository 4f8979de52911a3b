// The tables of §5: relaxation times, final states, thresholds and readings of the two-disc test.
#include <fmt/format.h>

#include "libdem/case/case_file.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "libdem/platform/text_file.hpp"
#include "validation/pena2008/studies.hpp"
#include "validation/pena2008/two-discs/decays.hpp"

namespace dem::validation::pena2008 {

Decay decay_of(std::string name, Case c, double guess) {
  Decay d;
  d.name = std::move(name);
  d.spectrum = slowest_mode(c).relaxation;
  d.given = std::move(c);
  d.guess = guess;
  return d;
}

void measure(StudyRun& run, std::string_view name, std::vector<Decay>& decays) {
  std::string fingerprint;
  std::vector<double> cost;
  for (const Decay& d : decays) {
    fingerprint += fmt::format("{} {:016x} {:g} {:g}\n", d.name, fnv1a(resolved_case(d.given)), d.how.limit_in_tc,
                               d.how.energy_limit);
    cost.push_back(20 * std::abs(d.guess) * contact_duration_of(d.given) / d.given.time.step);
  }
  const auto results = run.tasks(
      name, decays.size(),
      [&](std::size_t k, TaskProgress& progress) {
        RelaxationRun how = decays[k].how;
        // The run ends after about 21 relaxation times, long before its limit.
        how.progress = [&](double share) {
          progress.done(std::min(1.0, share * how.limit_in_tc / (21 * std::abs(decays[k].guess))));
        };
        const auto fit = relax(decays[k].given, how);
        return std::vector<double>{fit.time, fit.r_squared, double(fit.maxima)};
      },
      fingerprint, cost);
  for (std::size_t k = 0; k < decays.size(); ++k) {
    decays[k].message = results[k].message;
    if (results[k].done)
      decays[k].fit = {results[k].numbers[0], results[k].numbers[1], std::size_t(results[k].numbers[2])};
  }
}

std::string values_text(const std::vector<Decay>& decays, int decimals) {
  std::string out;
  for (const Decay& d : decays)
    out += fmt::format("{}{:.{}f}{}", out.empty() ? "" : ", ", d.value(), decimals, d.usable() ? "" : "*");
  return out;
}

ClaimVerdict verdict_of(bool agrees) { return agrees ? ClaimVerdict::agrees : ClaimVerdict::differs; }

double limit_with_rotation() {
  const double m = std::acos(-1.0) / 4;
  return 3 * m / damping_of_restitution(reference_restitution, reference_stiffness, m / 2) / reference_duration();
}

std::string shown_case(Case c, double duration_in_tc) {
  Stage rest;
  rest.name = "rest";
  rest.duration = duration_in_tc * contact_duration_of(c);
  c.stages = {rest};
  return resolved_case(c);
}

void constants(StudyRun& run) {
  const char* source = "polygon-dem reference §1";
  const double m_r = std::acos(-1.0) / 8, t_c = reference_duration();
  run.claim(
      {"contact-duration", source, "equal discs of radius 0.5 m and density 1 kg/m², k_n = 4e8 N/m: t_c = 9.84359e-5 s",
       fmt::format("{:.6g} s", t_c), "half a unit of the last printed digit",
       verdict_of(std::abs(t_c - 9.84359e-5) < 5e-11), "t_c = π/√(k_n/m_r − η²) with m_r = π/8 kg and ε_n = 0.9875."});
  const double gamma = damping_of_restitution(reference_restitution, 4e8, m_r);
  const auto ratio = [&](double gamma_t) {
    return restitution_of_damping(gamma_t, 4e8 / 3, m_r) / reference_restitution;
  };
  run.claim({"restitution-ratio", source,
             "ε_t/ε_n = 1.0053 (paper) follows from γ_t/γ_n = k_t/k_n = 1/3: exactly 1.0053306",
             fmt::format("{:.7f}", ratio(gamma / 3)), "half a unit of the last printed digit",
             verdict_of(std::abs(ratio(gamma / 3) - 1.0053306) < 5e-8),
             "Hence the reading of the paper's damping: γ_t/γ_n = k_t/k_n."});
  run.claim({"isotropic-damping", source, "with γ_t = γ_n (the literal Eq. 5) the ratio ε_t/ε_n is below 1",
             fmt::format("{:.4f}", ratio(gamma)), "a sign", verdict_of(ratio(gamma) < 1),
             "The literal Eq. 5 cannot give the paper's 1.0053."});
  Case infinite = two_disc_case(Reading::guided, 1e-4);
  infinite.contact.fixed_mass = FixedMass::infinite;
  const double gamma_infinite = damping_of_restitution(reference_restitution, 4e8, 2 * m_r);
  // The case's unit is t_c of m_r = m/2; with an infinite partner m_r is m.
  const double of_infinite = slowest_mode(infinite).relaxation * t_c / contact_duration(gamma_infinite, 4e8, 2 * m_r);
  const double of_material = slowest_mode(two_disc_case(Reading::guided, 1e-4)).relaxation;
  run.claim({"fixed-mass", source, "all t_R/t_c with the fixed disc's material mass are twice those with m_i → ∞",
             fmt::format("{:.3f} / {:.3f} = {:.4f}", of_material, of_infinite, of_material / of_infinite),
             "exact statement; 1e-3 for Δt/t_c = 1e-4", verdict_of(within(of_material / of_infinite, 2, 1e-3)),
             "Spectrum of the step, each in units of its own t_c (guided, geometric)."});
  const double share = 4e8 / 3 * t_c / 2 / (gamma / 3);
  run.claim({"scheme-damping", "polygon-dem reference §3",
             "the velocity scheme adds k_t Δt/2 to γ_t: relative to the physical damping about 196 Δt/t_c",
             fmt::format("k_t t_c/(2 γ_t) = {:.1f}", share), "half a unit of the last printed digit",
             verdict_of(std::abs(share - 196) < 0.5),
             "The expansion itself is checked by the thresholds and by the formula 1/t_R(Δt) = 1/t_R(0) + bΔt."});
}

void two_discs(StudyRun& run) {
  Findings findings;
  constants(run);
  relaxation_table(run, findings);
  thresholds_and_spectrum(run, findings);
  final_states(run);
  ratios(run, findings);
  friction(run, findings);
  free_rolling(run, findings);
  readings(run, findings);
}

}  // namespace dem::validation::pena2008
