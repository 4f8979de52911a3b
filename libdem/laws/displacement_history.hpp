// Common part of laws `hooke-history` and `hertz-history`: a tangential spring and a dashpot under one Coulomb limit,
// with three histories. Without a history law `linear` is the same. Source: J. Fleischmann, R. Serban, D. Negrut, P.
// Jayakumar, J. Comput. Nonlinear Dyn. 11 (2016) 044502; direct-shear reference, §1.
//
//   F_n     normal force at the end of the step, dashpot included; the limit is μ|F_n|.
//   u       elongation of the spring, f = K_t u its force on i. The history stores f; K_t is that of the step.
//   c       factor of the old force where K_t changes.
//   whole   trial f* = c f + K_t Δu.
//     total   |f* + γ_t v_t| > μ|F_n|: both together are cut to the limit. f is the rest without dashpot (variant A).
//     spring  |f*| > μ|F_n|: f is cut to the limit, the dashpot rests. Otherwise it is added without limit (variant B).
//   pseudo  the force K_t Δu + γ_t v_t, Δu = v_t Δt, is that of a dashpot and depends on Δt. Always limited as a whole.
//   none    the same without K_t.
//
// The stored force turns with the frame of the contact and keeps its length; the paper projects it, which is transport
// `projection`. Without a limit (no friction) there is no tangential force at all: spring and dashpot hold nothing.
//
// Energy, whole. Stored is f²/(2 K_t). Friction takes the mean elastic force, c f before the step, over the slip. A
// change of K_t makes or takes `f²/(2K) − (c f)²/(2 K_t)` at rest, neither stored nor dissipated. The caller books it
// as circulation, work − change − dissipated. Without such a change work = change + dissipated exactly. While variant A
// slides, the work of the dashpot is viscous and friction has the rest. That rest is negative where the dashpot alone
// is beyond the limit. The spring is then stretched backwards, against a motion that the total force resists. Even
// friction and viscous work together may then be negative. Only their sum with the change of the stored energy is the
// work taken up.
//
// Energy, pseudo and none. Nothing is stored. Below the limit the force is viscous; at the limit it is elastic by name,
// and friction takes its work.
#pragma once
#include <cmath>
#include <iterator>

#include "libdem/laws/row.hpp"

namespace dem {

/// Forces that Coulomb's law limits: spring and dashpot together (the reference's variant A), or the spring alone (B).
enum class FrictionLimit : std::uint8_t { total, spring };

}  // namespace dem
namespace dem::laws {

template <class Options>
Key history_key() {
  return key("history", &Options::history,
             std::vector(std::begin(tangential_histories), std::end(tangential_histories)),
             "Memory of the tangential spring (Fleischmann et al. 2016).")
      .named_everywhere();
}

/// Keys of the options `history` and `friction_limit`.
template <class Options>
std::vector<Key> displacement_keys() {
  return {
      history_key<Options>(),
      key("friction_limit", &Options::friction_limit,
          {{FrictionLimit::total, "total", "spring and dashpot together; the spring keeps the limit less the dashpot"},
           {FrictionLimit::spring, "spring",
            "the spring alone: the dashpot rests while it slides, and is not limited while it sticks"}},
          "Forces that Coulomb's law limits, with history = \"true\". With total, a dashpot that alone is beyond the "
          "limit stretches the spring backwards. friction_loss is then negative, and friction_loss + viscous_loss may "
          "be. Only their sum with the change of stored_tangential and with circulation means something: it is the "
          "work that the tangential forces took up.")
          .named_everywhere()};
}

inline void check_time_of_pseudo_history(TangentialHistory history, const Setting& setting, const Refuse& refuse) {
  if (history == TangentialHistory::pseudo && !(setting.time_step > 0))
    refuse("time_step",
           "a number > 0 with history = \"pseudo\": its spring holds the movement of one row, which takes the time of "
           "a row");
}

template <class Options>
void check_displacement_history(const Options& o, const Setting& setting, const Refuse& refuse) {
  if (o.history != TangentialHistory::whole && o.friction_limit != FrictionLimit::total)
    refuse("friction_limit", "\"total\" only: without a history the limit is always that of the total force");
  check_time_of_pseudo_history(o.history, setting, refuse);
  if (setting.damp_while_sliding)
    refuse("damp_while_sliding", "false only: " + std::string(setting.table) +
                                     "friction_limit decides on the dashpot of laws with displacement history");
}

/// A history needs a spring to be stored in.
template <class Options>
std::string_view why_displacement_spring(const Options& o) {
  return o.history == TangentialHistory::whole
             ? "its history is that of the spring; contact.history = \"none\" has none"
             : "";
}

/// The tangential spring of a contact in a step.
struct HistorySpring {
  double stiffness = 0;  ///< K_t (N/m)
  double carried = 1;    ///< c, factor of the old force
};

/// spring_of(block, c, history) returns a HistorySpring. A history with a member `stiffness` keeps K_t.
template <bool whole, bool energies, class Options, class History, class SpringOf>
void pass_with_displacement_history(const Options& options, Block& __restrict b, History* __restrict history,
                                    SpringOf spring_of) {
  double dashpot_limited = 1;
  if constexpr (whole) dashpot_limited = options.friction_limit == FrictionLimit::total ? 1 : 0;
  const double of_step = options.history == TangentialHistory::none ? 0 : 1;
  const int lanes = b.lanes > b.count ? b.lanes : b.count;
  for (int c = 0; c < lanes; ++c) {  // without branches, so that several contacts go at a time
    const double old_1 = history[c].force_1, old_2 = history[c].force_2;
    const HistorySpring spring = spring_of(b, c, history[c]);
    const double k = spring.stiffness, carried = whole ? spring.carried : 0, start_1 = carried * old_1,
                 start_2 = carried * old_2;
    const double trial_1 = start_1 + of_step * k * b.shift_1[c], trial_2 = start_2 + of_step * k * b.shift_2[c];
    const double limit = b.friction[c] * std::abs(b.normal_end[c] + b.normal_viscous[c]);
    const double damping = limit > 0 ? b.damping[c] : 0;
    const double dashpot_1 = damping * b.velocity_1[c], dashpot_2 = damping * b.velocity_2[c];
    const double limited_1 = trial_1 + dashpot_limited * dashpot_1, limited_2 = trial_2 + dashpot_limited * dashpot_2;
    const double size = std::sqrt(limited_1 * limited_1 + limited_2 * limited_2);
    const bool slides = (size > limit) | (limit == 0);
    const double share = limit / (size > 0 ? size : 1), factor = slides ? share : 1;
    const double cut_1 = factor * limited_1, cut_2 = factor * limited_2;
    double force_1, force_2, viscous_1, viscous_2;
    if constexpr (whole) {
      const double acts = slides ? dashpot_limited : 1;
      viscous_1 = acts * dashpot_1;
      viscous_2 = acts * dashpot_2;
      force_1 = slides ? cut_1 - viscous_1 : trial_1;
      force_2 = slides ? cut_2 - viscous_2 : trial_2;
    } else {
      const double slid = slides ? 1 : 0;  // by products: choices of a force or zero become branches
      force_1 = slid * cut_1;
      force_2 = slid * cut_2;
      viscous_1 = cut_1 - force_1;
      viscous_2 = cut_2 - force_2;
    }
    history[c].force_1 = force_1;
    history[c].force_2 = force_2;
    if constexpr (requires { history->stiffness; }) history[c].stiffness = k;
    b.elastic_1[c] = -force_1;
    b.elastic_2[c] = -force_2;
    b.viscous_1[c] = -viscous_1;
    b.viscous_2[c] = -viscous_2;
    b.sliding[c] = slides ? 1 : 0;
    if constexpr (energies) {
      const double work = 0.5 * ((old_1 + force_1) * b.shift_1[c] + (old_2 + force_2) * b.shift_2[c]);
      const double softness = 1 / (k > 0 ? k : 1);  // without a spring there is no elongation to hold
      b.work[c] = work;
      if constexpr (whole) {
        b.stored[c] = 0.5 * softness * (force_1 * force_1 + force_2 * force_2);
        b.dissipated[c] =
            0.5 * softness * ((start_1 + force_1) * (trial_1 - force_1) + (start_2 + force_2) * (trial_2 - force_2));
      } else {
        b.stored[c] = 0;
        b.dissipated[c] = work;
      }
    }
  }
}

template <bool whole, class Options, class History, class SpringOf>
void pass_with_displacement_history(const Options& options, const StepFlags& flags, Block& b, History* history,
                                    SpringOf spring_of) {
  if (flags.energies)
    pass_with_displacement_history<whole, true>(options, b, history, spring_of);
  else
    pass_with_displacement_history<whole, false>(options, b, history, spring_of);
}

template <class Options, class History, class SpringOf>
void pass_with_displacement_history(const Options& options, const StepFlags& flags, Block& b, History* history,
                                    SpringOf spring_of) {
  if (options.history == TangentialHistory::whole)
    pass_with_displacement_history<true>(options, flags, b, history, spring_of);
  else
    pass_with_displacement_history<false>(options, flags, b, history, spring_of);
}

}  // namespace dem::laws
