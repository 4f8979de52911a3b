// Law `jaeger` for blocks of contacts: the exact Cattaneo–Mindlin–Deresiewicz force for any history
// (jaeger_contact.hpp). Source: M. R. Kuhn, Int. J. Numer. Meth. Engng 88 (2011) 66; jaeger-contact reference.
//
// Energy: U_t of §11. Stick and retrace store all the work that they take up. Where a contact slips, the work is the
// trapezoid of force over movement, and friction takes what is not stored. Block::forgotten has changes by merging.
//
// Law `jaeger-checked` is the same, with the exact histories beside the merged ones under the same movement. So the
// error of the force by merging is known in every step of every contact.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "libdem/laws/jaeger_contact.hpp"
#include "libdem/laws/row.hpp"

namespace dem {

/// Rule by which the force of a sliding contact turns within a step.
enum class SlidingDirection : std::uint8_t { radial_return, closed_form };

}  // namespace dem
namespace dem::laws {

struct Jaeger {
  static constexpr const char* name = "jaeger";
  static constexpr const char* description =
      "Hertz contact with the exact Cattaneo-Mindlin-Deresiewicz tangential force for any history (Jaeger; Kuhn 2011)";

  static constexpr const char* example =
      "merge_error = 0.01                # short histories, within 1 % of the largest tangential force\n";

  using History = JaegerHistory<LegPool>;
  static constexpr Traits traits{.hertzian = true,
                                 .sees_lost_contacts = true,
                                 .tells_regime = true,
                                 .keeps_jaeger_history = true,
                                 .legs = int(offsetof(History, below) / sizeof(double))};

  struct Options {
    double merge_slope = 0;        ///< Δp_max of the merging of legs (reference, §9), 0 for exact
    double merge_slope_plain = 0;  ///< the same with a mean of slopes that has no weights (JaegerContact::merge)
    double merge_error = 0;  ///< error of the tangential force by merging, over f F_n (jaeger_contact.hpp), 0 for exact
    /// closed_form: along the pursuit curve (reference, §8.6).
    SlidingDirection sliding_direction = SlidingDirection::radial_return;
  };
  static std::vector<Key> keys() {
    return {key("merge_slope", &Options::merge_slope, "", {0, 2e6},
                "Legs of a history whose slopes differ by no more become one, which saves memory (Kuhn 2011, Δp_max); "
                "at most 2 μ, 0: exact.")
                .named_everywhere(),
            key("merge_slope_plain", &Options::merge_slope_plain, "", {0, 2e6},
                "merge_slope with the plain mean of two slopes, by which the tangential force jumps. For comparison: "
                "the paper prints no weights; at most 2 μ, 0: exact."),
            key("merge_error", &Options::merge_error, "", {0, 1},
                "Legs become one as long as the tangential force stays within this share of f F_n of the exact one "
                "(proved for movement along a line). Saves memory; 0: exact.")
                .named_everywhere(),
            key("sliding_direction", &Options::sliding_direction,
                {{SlidingDirection::radial_return, "radial-return",
                  "by the movement of the step and the movement that the contact held: of first order in the step"},
                 {SlidingDirection::closed_form, "closed-form", "along the pursuit curve that small steps tend to"}},
                "How the force of a sliding contact turns within a step.")
                .named_everywhere()};
  }
  static void check(const Options& options, const Setting& setting, const Refuse& refuse) {
    const std::array slopes{std::pair{"merge_slope", options.merge_slope},
                            std::pair{"merge_slope_plain", options.merge_slope_plain}};
    const auto [name, slope] = slopes[options.merge_slope > 0 ? 0 : 1];
    if (options.merge_slope > 0 && options.merge_slope_plain > 0)
      refuse("merge_slope_plain", fmt::format("0 beside {}merge_slope: legs are merged by one rule", setting.table));
    else if (slope > 0 && options.merge_error > 0)
      refuse("merge_error", fmt::format("0 beside {}{}: legs are merged by one rule", setting.table, name));
    else if (slope > 2 * setting.friction)
      refuse(name, fmt::format("a number in [0, {}], twice the friction: slopes cannot differ by more",
                               2 * setting.friction));
  }

  static void pass(const Options& options, const StepFlags& flags, Block& b, History* history) {
    pass_with(
        options, flags, b, [history](int c) -> History& { return history[c]; }, [](auto&&...) {});
  }

  /// history_of(c) is the history of contact c. after(c, coefficients, contact, ζ, Δξ) is called in every step.
  template <class HistoryOf, class After>
  static void pass_with(const Options& options, const StepFlags& flags, Block& b, HistoryOf history_of, After after) {
    JaegerCoefficients k;
    k.merge_plainly = options.merge_slope_plain > 0;
    k.merge_slope = k.merge_plainly ? options.merge_slope_plain : options.merge_slope;
    k.merge_error = options.merge_error;
    k.pursuit = options.sliding_direction == SlidingDirection::closed_form;
    for (int c = 0; c < std::min(ahead, b.count); ++c) b.legs->ask_for(history_of(c).below);
    for (int c = 0; c < b.count; ++c) {
      if (c + ahead < b.count) b.legs->ask_for(history_of(c + ahead).below);
      k.modulus = b.modulus[c];
      k.ratio = b.ratio[c];
      k.radius = b.radius[c];
      k.friction = b.friction[c];
      History history = history_of(c);  // a copy, which no store to the legs can change
      JaegerContact contact(k, history, *b.legs);
      const auto before = contact.force();
      const double stored = history.stored, half = 0.5 * (b.lost[c] - b.made[c]);
      const double x = half * b.shift_1[c], y = half * b.shift_2[c];
      const StepRegime regime = contact.step(b.indentation[c], {x, y});
      const auto force = contact.force();
      history_of(c) = history;
      b.regime[c] = regime;
      b.elastic_1[c] = -force.x;
      b.elastic_2[c] = -force.y;
      const bool slides = regime == StepRegime::slide;
      const double damping = slides && !flags.damp_while_sliding ? 0 : b.damping[c];
      b.viscous_1[c] = -damping * b.velocity_1[c];
      b.viscous_2[c] = -damping * b.velocity_2[c];
      b.sliding[c] = slides ? 1 : 0;
      after(c, k, contact, b.indentation[c], Vector{x, y});
      if (!flags.energies) continue;
      const double forgotten = contact.merged(), change = history.stored + forgotten - stored;
      const bool slips = regime == StepRegime::slip || slides || regime == StepRegime::separated;
      b.stored[c] = history.stored;
      b.forgotten[c] = forgotten;
      b.work[c] = slips ? (before.x + force.x) * x + (before.y + force.y) * y : change;
      b.dissipated[c] = b.work[c] - change;
    }
  }

  static constexpr int ahead = 4;  ///< legs are prefetched so many contacts earlier

  static void elongation(const History& h, const LegPool&, const ContactSprings&, double out[2]) {
    out[0] = 2 * h.held_1;
    out[1] = 2 * h.held_2;
  }
};

struct JaegerChecked : Jaeger {
  static constexpr const char* name = "jaeger-checked";
  static constexpr const char* description =
      "jaeger with the exact histories beside the merged ones, to measure the error by merging";

  struct History {
    JaegerHistory<LegPool> merged, exact;
  };
  static constexpr Traits traits = [] {
    Traits t = Jaeger::traits;  // `merged` comes first
    t.exact_legs = int((offsetof(History, exact) + offsetof(JaegerHistory<LegPool>, below)) / sizeof(double));
    return t;
  }();

  static void pass(const Options& options, const StepFlags& flags, Block& b, History* history) {
    b.merge_error = 0;
    const auto compare = [&](int c, JaegerCoefficients k, const auto& contact, double z, auto shift) {
      k.merge_slope = k.merge_error = 0;
      JaegerContact exact(k, history[c].exact, *b.legs);
      exact.step(z, shift);
      const double limit = k.friction * k.normal_force(z);
      if (const double error = (contact.force() - exact.force()).size() / limit; limit > 0 && !(error <= b.merge_error))
        b.merge_error = error;  // also NaN
    };
    pass_with(
        options, flags, b, [history](int c) -> JaegerHistory<LegPool>& { return history[c].merged; }, compare);
  }

  static void elongation(const History& h, const LegPool& pool, const ContactSprings& springs, double out[2]) {
    Jaeger::elongation(h.merged, pool, springs, out);
  }
};

}  // namespace dem::laws
