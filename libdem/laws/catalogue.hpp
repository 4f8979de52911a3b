// Name → law. Adding a law: one header beside this file, one row in catalogue.cpp, one closed-form test, one line in NOTATION.md.
#pragma once
#include <cmath>
#include <span>
#include <string_view>

#include "libdem/laws/block.hpp"

namespace dem::laws {

struct LawEntry {
  std::string_view name;
  std::string_view description;
  int history_size;  ///< doubles a contact
  /// Updates at least `count` histories and at most Block::lanes (contiguous, history_size doubles each) and fills the reply columns. One indirect call a block.
  void (*pass)(const LawOptions&, Block&, double* history);
  /// Elongation ξ (m) in directions 1 and 2, for observers. `legs`: of a law with legs, else null.
  void (*elongation)(const double* history, const LegPool* legs, const ContactSprings&, double out[2]);
  /// Maps the stored tangential vector by the 2×2 matrix m (row by row): what a transport other than the frame's own turn does. Null
  /// where the history is more than one vector; such a law follows its frame only.
  void (*transform)(double* history, const double m[4]);
  bool sees_lost_contacts;  ///< is shown contacts in the step in which they end, and books what becomes of their energy
  /// Sets the history to that of a tangential force on i (N) at the start of a path; `stiffness`: k_t (N/m). Null where one force does
  /// not define the history.
  void (*start)(double* history, const double force_on_i[2], double stiffness);
  /// The normal force is that of Hertz and the law wants to know of what it is made; else a spring k_n ζ, or what polygons have.
  bool hertzian;
  /// Part of its history lies in Block::legs. Where in its doubles the Stacks of its legs lie; −1: it has none, or no second ones (those of
  /// the exact history beside the merged one).
  int legs, exact_legs;
  /// f(stack) for each Stack of a history.
  template <class F>
  void for_each_stack(double* history, F&& f) const {
    for (const int at : {legs, exact_legs})
      if (at >= 0) f(reinterpret_cast<LegPool::Stack&>(history[at]));
  }
  bool tells_regime;  ///< writes Block::regime
  bool has_potential;  ///< what is neither stored nor dissipated is zero to round-off
  bool has_displacement_history;  ///< reads LawOptions::history and friction_limit
  /// γ_t/γ_n by default, of contacts with this k_t/k_n. Laws with displacement history damp both ways as much as their stiffness asks for,
  /// γ ~ √k (direct-shear reference, §1.3).
  double damping_ratio(double stiffness_ratio) const { return has_displacement_history ? std::sqrt(stiffness_ratio) : stiffness_ratio; }
};

std::span<const LawEntry> catalogue();
/// Null when there is no such law.
const LawEntry* find(std::string_view name);

}  // namespace dem::laws
