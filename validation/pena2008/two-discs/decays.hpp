// Parts of the two-disc study, and the decays that they measure.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "validation/pena2008/two_discs.hpp"
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

/// A relaxation time, measured by decay and known from the spectrum of the step.
struct Decay {
  std::string name;
  Case given;
  RelaxationRun how;
  double spectrum =
      std::nan("");           ///< t_R/t_c of the slowest mode; NaN: not asked for (slipping contacts have no spectrum)
  double guess = 240;         ///< of t_R/t_c, for the expected cost
  RelaxationFit::Result fit;  ///< time in t_c; 0 maxima where the run failed
  std::string message;

  bool usable() const { return fit.usable(); }
  /// By decay where the reference's condition (at least 20 maxima, R² > 0.999) holds, else by the spectrum.
  double value() const { return usable() ? fit.time : spectrum; }
};

Decay decay_of(std::string name, Case, double guess = 240);
/// Runs them as tasks of the study under that name.
void measure(StudyRun&, std::string_view name, std::vector<Decay>&);

/// "40.43, 93.51, 160.02*": those with a star are from the spectrum.
std::string values_text(const std::vector<Decay>&, int decimals = 2);

inline bool within(double found, double published, double relative) {
  return std::abs(found - published) <= relative * std::abs(published);
}
ClaimVerdict verdict_of(bool agrees);

/// 3m/γ_n, the closed form of t_R/t_c with rotation for Δt → 0; half of it without rotation, two thirds without
/// friction.
double limit_with_rotation();

inline constexpr const char* section_5 = "polygon-dem reference §5";

/// The case of the study with the stage that `dem run` needs: what the report shows.
std::string shown_case(Case, double duration_in_tc = 1000);

/// What one part finds and another needs, for the table of published claims against readings.
struct Findings {
  double with_rotation = 0, without_rotation = 0, frictionless_with = 0,
         frictionless_without = 0;  ///< t_R/t_c by decay
  bool free_without_friction_decays = true;
  double free_energy_exponent = 0;  ///< of E_k(t) where the disc is free to move and to rotate
  double threshold_guided[2] = {0, 0}, threshold_held[2] = {0, 0}, threshold_free[2] = {0, 0};  ///< Δt/t_c at 5 %, 2 %
  double collapse_spread = 0;                                                                   ///< relative, over k_n
  double change_of_friction_guided = 0,
         change_of_friction_free = 0;  ///< μ where t_R of the readings without rotation changes
  double guided_friction_range = 0;    ///< largest relative deviation of t_R for μ ≥ 0.01, guided without rotation
  double log_deviation = 0, early_small = 0,
         early_large = 0;            ///< t_R against ln(k_t/k_n); deviation at 1e-3 for ratio 0.1 and 1
  double exponential_deviation = 0;  ///< of ln t_R from a line in ε_t/ε_n
};

void constants(StudyRun&);
void relaxation_table(StudyRun&, Findings&);
void thresholds_and_spectrum(StudyRun&, Findings&);
void final_states(StudyRun&);
void ratios(StudyRun&, Findings&);
void friction(StudyRun&, Findings&);
void free_rolling(StudyRun&, Findings&);
void readings(StudyRun&, const Findings&);

}  // namespace dem::validation::pena2008
