// Law `hertz-history`: Hertz contact with displacement history (displacement_history.hpp, with source, limits, energy).
// Its tangential spring is that of the moment, `K_t = 8 G* √(R̄ δ) = K_n/κ` with K_n = dF_n/dδ. With the user's
// coefficients Ē = 2 k_n, κ = 3 k_n/(2 k_t) it is K_t = k_t √(R̄ δ).
//
// Force of a contact at rest whose stiffness goes from K to K_t:
//   displacement     u stays, f grows and falls with K_t, as published.
//   force-increment  f stays.
//   rescaled         f stays where K_t grows, and falls with K_t, as the contact radius does. `mindlin_rescale` of
//                    LAMMPS; C. Thornton, S. J. Cummins, P. W. Cleary, Powder Technology 233 (2013) 30.
// At rest the stored energy f²/(2 K_t) rises with the first where the contact is pressed, with the second where it is
// relieved. With the third it never rises, so only the third cannot make energy on any path. None has a potential.
#pragma once
#include "libdem/laws/displacement_history.hpp"

namespace dem {

/// Rule for the tangential force of a Hertz contact whose stiffness changes.
enum class HertzVariant : std::uint8_t { displacement, force_increment, rescaled };

}  // namespace dem
namespace dem::laws {

struct HertzHistory {
  static constexpr const char* name = "hertz-history";
  static constexpr const char* description =
      "Hertz contact with true, pseudo or no displacement history; Coulomb limit of the total force or of the spring "
      "(Fleischmann et al. 2016)";

  static constexpr const char* example =
      "elongation = \"velocity\"\nhistory = \"true\"                  # or \"pseudo\", \"none\"\n";
  static constexpr Traits traits{.hertzian = true,
                                 .history_is_one_vector = true,
                                 .has_potential = false,
                                 .limits_dashpot = true,
                                 .root_damping = true,
                                 .takes_hertz_stiffness = true};

  struct Options {
    TangentialHistory history = TangentialHistory::whole;
    FrictionLimit friction_limit = FrictionLimit::total;
    HertzVariant hertz_variant = HertzVariant::displacement;
  };
  static std::vector<Key> keys() {
    std::vector<Key> all = displacement_keys<Options>();
    all.push_back(
        key("hertz_variant", &Options::hertz_variant,
            {{HertzVariant::displacement, "displacement",
              "the elongation stays, the force grows and falls with the stiffness, as published; can make energy"},
             {HertzVariant::force_increment, "force-increment",
              "the force stays; can make energy where a sheared contact is relieved"},
             {HertzVariant::rescaled, "rescaled",
              "the force stays where the contact is pressed and falls with the stiffness where it is relieved; makes "
              "no energy"}},
            "Tangential force where the stiffness changes, with history = \"true\".")
            .named_everywhere());
    return all;
  }
  static void check(const Options& options, const Setting& setting, const Refuse& refuse) {
    check_displacement_history(options, setting, refuse);
    if (options.history != TangentialHistory::whole && options.hertz_variant != HertzVariant::displacement)
      refuse("hertz_variant", "\"displacement\" only: without a history nothing is carried from step to step");
  }
  static std::string_view why_spring(const Options& options) { return why_displacement_spring(options); }

  struct History {
    double force_1 = 0, force_2 = 0;  ///< K_t u, along the movement of j against i: on i (N)
    double stiffness = 0;             ///< K_t now (N/m)
  };

  static void pass(const Options& options, const StepFlags& flags, Block& b, History* history) {
    // c = change where `change` is below `bound`, else 1.
    const double bound = options.hertz_variant == HertzVariant::displacement ? INFINITY
                         : options.hertz_variant == HertzVariant::rescaled   ? 1
                                                                             : 0;
    pass_with_displacement_history(options, flags, b, history, [bound](const Block& of, int c, const History& h) {
      const double z = of.indentation[c], before = h.stiffness,
                   root = 0.75 * of.modulus[c] * std::sqrt(of.radius[c] * (z > 0 ? z : 0)) / of.ratio[c];
      const double now = z > 0 ? root : before;  // where the contact is lost the spring relaxes as it was
      const double quotient = now / (before > 0 ? before : 1), change = before > 0 ? quotient : 1;
      return HistorySpring{now, change < bound ? change : 1};
    });
  }

  /// `force`: on i (N). K_t is known from the step that pressed the contact.
  static void start(History& h, const double force[2], double /*tangent*/) {
    h.force_1 = force[0];
    h.force_2 = force[1];
  }

  static void elongation(const History& h, const ContactSprings&, double out[2]) {
    out[0] = h.stiffness > 0 ? h.force_1 / h.stiffness : 0;
    out[1] = h.stiffness > 0 ? h.force_2 / h.stiffness : 0;
  }
};

}  // namespace dem::laws
