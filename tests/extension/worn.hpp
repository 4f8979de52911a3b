// A law that libdem does not have, as a user writes it: a spring with a Coulomb limit that wears off.
//
//   μ(s) = μ [r + (1 − r) L/(L + s)]
//
// s is the way that the contact has slipped so far, r the share of friction that stays, L the length of wear.
#pragma once
#include <cmath>

#include "libdem/laws/row.hpp"

namespace outside {

struct Worn {
  static constexpr const char* name = "worn";
  static constexpr const char* description = "linear spring with a Coulomb limit that wears off as the contact slips";
  static constexpr const char* example = "wear_length = 1e-6\n";
  static constexpr dem::laws::Traits traits{.history_is_one_vector = true};

  struct Options {
    double length = 1e-3;  ///< L (m)
    double left = 0.5;     ///< r
  };
  static std::vector<dem::laws::Key> keys() {
    return {dem::laws::key("wear_length", &Options::length, "m", {0, 1e3, true},
                           "Slip after which half of the wear is done."),
            dem::laws::key("wear_left", &Options::left, "", {0, 1}, "Share of the friction that stays.")};
  }
  static void check(const Options& options, const dem::laws::Setting& setting, const dem::laws::Refuse& refuse) {
    if (options.left == 1 && setting.friction == 0)
      refuse("wear_left", "less than 1 without friction: there is nothing to wear");
  }

  struct History {
    double elongation_1 = 0, elongation_2 = 0;  ///< m
    double slipped = 0;                         ///< s (m)
  };

  static void pass(const Options& options, const dem::laws::StepFlags& flags, dem::laws::Block& b, History* history) {
    for (int c = 0; c < b.count; ++c) {
      History& h = history[c];
      const double k = b.stiffness[c], old_1 = h.elongation_1, old_2 = h.elongation_2;
      const double trial_1 = old_1 + b.shift_1[c], trial_2 = old_2 + b.shift_2[c],
                   size = std::sqrt(trial_1 * trial_1 + trial_2 * trial_2);
      const double worn = options.left + (1 - options.left) * options.length / (options.length + h.slipped);
      const double limit = worn * b.friction[c] * (b.normal_end[c] > 0 ? b.normal_end[c] : 0);
      const bool slides = k * size > limit || limit == 0;
      const double factor = slides ? (size > 0 ? limit / (k * size) : 0) : 1;
      h.elongation_1 = factor * trial_1;
      h.elongation_2 = factor * trial_2;
      h.slipped += (1 - factor) * size;
      const double damping = slides && !flags.damp_while_sliding ? 0 : b.damping[c];
      b.elastic_1[c] = -k * h.elongation_1;
      b.elastic_2[c] = -k * h.elongation_2;
      b.viscous_1[c] = -damping * b.velocity_1[c];
      b.viscous_2[c] = -damping * b.velocity_2[c];
      b.stored[c] = 0.5 * k * (h.elongation_1 * h.elongation_1 + h.elongation_2 * h.elongation_2);
      b.work[c] = 0.5 * k * ((old_1 + h.elongation_1) * b.shift_1[c] + (old_2 + h.elongation_2) * b.shift_2[c]);
      b.dissipated[c] = b.work[c] - (b.stored[c] - 0.5 * k * (old_1 * old_1 + old_2 * old_2));
      b.sliding[c] = slides ? 1 : 0;
    }
  }

  static void elongation(const History& h, const dem::laws::ContactSprings&, double out[2]) {
    out[0] = h.elongation_1;
    out[1] = h.elongation_2;
  }
};

}  // namespace outside
