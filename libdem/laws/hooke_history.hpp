// Law `hooke-history`: springs k_n and k_t, displacement history (displacement_history.hpp, with source, limits and energy).
#pragma once
#include "libdem/laws/displacement_history.hpp"

namespace dem::laws {

struct HookeHistory {
  static constexpr const char* name = "hooke-history";
  static constexpr const char* description =
      "linear springs with true, pseudo or no displacement history; Coulomb limit of the total force or of the spring (Fleischmann et al. 2016)";

  static constexpr bool history_is_one_vector = true, sees_lost_contacts = false, has_displacement_history = true;

  struct History {
    double force_1 = 0, force_2 = 0;  ///< k_t u, along the movement of j against i: on i (N)
  };

  static void pass(const LawOptions& options, Block& b, History* history) {
    pass_with_displacement_history(options, b, history, [](const Block& of, int c, const History&) { return HistorySpring{of.stiffness[c], 1}; });
  }

  /// `force`: on i (N).
  static void start(History& h, const double force[2], double /*stiffness*/) { h = {force[0], force[1]}; }

  static void elongation(const History& h, double stiffness, double out[2]) {
    out[0] = stiffness > 0 ? h.force_1 / stiffness : 0;
    out[1] = stiffness > 0 ? h.force_2 / stiffness : 0;
  }
};

}  // namespace dem::laws
