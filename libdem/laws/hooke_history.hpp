// Law `hooke-history`: springs k_n and k_t, displacement history (displacement_history.hpp, with source, limits and
// energy).
#pragma once
#include "libdem/laws/displacement_history.hpp"

namespace dem::laws {

struct HookeHistory {
  static constexpr const char* name = "hooke-history";
  static constexpr const char* description =
      "linear springs with true, pseudo or no displacement history; Coulomb limit of the total force or of the spring "
      "(Fleischmann et al. 2016)";

  static constexpr const char* example =
      "elongation = \"velocity\"\nhistory = \"true\"                  # or \"pseudo\", \"none\"\n";
  static constexpr Traits traits{
      .history_is_one_vector = true, .limits_dashpot = true, .root_damping = true, .takes_characteristic_speed = true};

  struct Options {
    TangentialHistory history = TangentialHistory::whole;
    FrictionLimit friction_limit = FrictionLimit::total;
  };
  static std::vector<Key> keys() { return displacement_keys<Options>(); }
  static void check(const Options& options, const Setting& setting, const Refuse& refuse) {
    check_displacement_history(options, setting, refuse);
  }
  static std::string_view why_spring(const Options& options) { return why_displacement_spring(options); }

  struct History {
    double force_1 = 0, force_2 = 0;  ///< k_t u, along the movement of j against i: on i (N)
  };

  static void pass(const Options& options, const StepFlags& flags, Block& b, History* history) {
    pass_with_displacement_history(options, flags, b, history, [](const Block& of, int c, const History&) {
      return HistorySpring{of.stiffness[c], 1};
    });
  }

  /// `force`: on i (N).
  static void start(History& h, const double force[2], double /*tangent*/) { h = {force[0], force[1]}; }

  static void elongation(const History& h, const ContactSprings& springs, double out[2]) {
    out[0] = springs.stiffness > 0 ? h.force_1 / springs.stiffness : 0;
    out[1] = springs.stiffness > 0 ? h.force_2 / springs.stiffness : 0;
  }
};

}  // namespace dem::laws
