// Law `linear`: Cundall–Strack spring with trial and radial return. Source: Peña, Lind, Herrmann, Eqs. 3, 4
// (polygon-dem reference, §3); P. A. Cundall, O. D. L. Strack, Géotechnique 29 (1979) 47.
//
//   trial    ξ* = ξ + Δξ.
//   limit    k_t |ξ| ≤ μ f_n with the elastic normal force f_n at the end of the step.
//   force    on j: −k_t ξ − γ_t v_t. The dashpot rests while the contact is at the limit.
//
// Energy. Stored is ½ k_t ξ². Friction takes the mean elastic force over the slip Δξ − (ξ_end − ξ_start), which
// includes the slip that a falling limit causes without movement. Both are exact for this law: work ½(f_0 + f_1)·Δξ =
// Δstored + dissipated. Dissipation is negative only if a step throws the spring over to sliding on its other side
// while the limit falls.
//
// History `pseudo` or `none`: the force of a step is that of hooke-history (displacement_history.hpp). Spring and
// dashpot are limited together, by μ|F_n| with its dashpot, because a dashpot alone would have no limit.
#pragma once
#include <cmath>

#include "libdem/laws/displacement_history.hpp"

namespace dem::laws {

struct Linear {
  static constexpr const char* name = "linear";
  static constexpr const char* description =
      "linear spring with Coulomb limit (Cundall-Strack, trial and radial return; Peña, Lind, Herrmann Eqs. 3-4)";

  static constexpr Traits traits{.history_is_one_vector = true};

  struct Options {
    TangentialHistory history = TangentialHistory::whole;
  };
  static std::vector<Key> keys() { return {history_key<Options>()}; }
  static void check(const Options& o, const Setting& setting, const Refuse& refuse) {
    check_time_of_pseudo_history(o.history, setting, refuse);
    if (o.history != TangentialHistory::whole && setting.damp_while_sliding)
      refuse("damp_while_sliding", "false only: without a history spring and dashpot are limited together");
  }

  struct History {
    double elongation_1 = 0, elongation_2 = 0;  ///< ξ (m), displacement of j relative to i that the spring holds
  };

  static void pass(const Options& options, const StepFlags& flags, Block& __restrict b, History* __restrict history) {
    if (options.history != TangentialHistory::whole)
      pass_without_history(options, flags, b, history);
    else if (flags.energies)
      pass<true>(flags, b, history);
    else
      pass<false>(flags, b, history);
  }

  template <bool energies>
  static void pass(const StepFlags& flags, Block& __restrict b, History* __restrict history) {
    const double damp_sliding = flags.damp_while_sliding ? 1 : 0;
    const int lanes = b.lanes > b.count ? b.lanes : b.count;
    for (int c = 0; c < lanes; ++c) {  // without branches, so that several contacts go at a time
      const double k = b.stiffness[c];
      const double xi_1 = history[c].elongation_1, xi_2 = history[c].elongation_2;
      const double trial_1 = xi_1 + b.shift_1[c], trial_2 = xi_2 + b.shift_2[c];
      const double size = std::sqrt(trial_1 * trial_1 + trial_2 * trial_2);
      const double limit = b.friction[c] * (b.normal_end[c] > 0 ? b.normal_end[c] : 0);
      // Without a limit (no friction) the contact is at it from the first step on, in which ξ* is still zero.
      const double trial = k * size;
      const bool slides = (trial > limit) | (limit == 0);
      // Without a trial force the contact slides only if the limit is zero.
      const double share = limit / (trial > 0 ? trial : 1);
      const double factor = slides ? share : 1;
      const double end_1 = factor * trial_1, end_2 = factor * trial_2;
      [[maybe_unused]] const double slip_1 = trial_1 - end_1, slip_2 = trial_2 - end_2;
      history[c].elongation_1 = end_1;
      history[c].elongation_2 = end_2;
      b.elastic_1[c] = -k * end_1;
      b.elastic_2[c] = -k * end_2;
      const double damping = b.damping[c] * (slides ? damp_sliding : 1);
      b.viscous_1[c] = -damping * b.velocity_1[c];
      b.viscous_2[c] = -damping * b.velocity_2[c];
      if constexpr (energies) {
        b.stored[c] = 0.5 * k * (end_1 * end_1 + end_2 * end_2);
        b.dissipated[c] = 0.5 * k * ((xi_1 + end_1) * slip_1 + (xi_2 + end_2) * slip_2);
        b.work[c] = 0.5 * k * ((xi_1 + end_1) * b.shift_1[c] + (xi_2 + end_2) * b.shift_2[c]);
      }
      b.sliding[c] = slides ? 1 : 0;
    }
  }

  /// The force at the limit stays for the work of the next step, as an elongation; without a spring as it is.
  static void pass_without_history(const Options& options, const StepFlags& flags, Block& b, History* history) {
    struct Held {
      double force_1, force_2;
    } held[block_size];
    const auto unit = [&b](int c) { return b.stiffness[c] > 0 ? b.stiffness[c] : 1; };
    const int lanes = b.lanes > b.count ? b.lanes : b.count;
    for (int c = 0; c < lanes; ++c) held[c] = {unit(c) * history[c].elongation_1, unit(c) * history[c].elongation_2};
    pass_with_displacement_history<false>(options, flags, b, held, [](const Block& of, int c, const Held&) {
      return HistorySpring{of.stiffness[c], 1};
    });
    for (int c = 0; c < lanes; ++c) history[c] = {held[c].force_1 / unit(c), held[c].force_2 / unit(c)};
  }

  /// `force`: on i (N).
  static void start(History& h, const double force[2], double tangent) { h = {force[0] / tangent, force[1] / tangent}; }

  static void elongation(const History& h, const ContactSprings&, double out[2]) {
    out[0] = h.elongation_1;
    out[1] = h.elongation_2;
  }
};

}  // namespace dem::laws
