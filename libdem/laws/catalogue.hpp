// Name → law. A law is one header beside this file and one row in catalogue.cpp, or, outside the library,
// add(row<MyLaw>()) (row.hpp).
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <functional>
#include <string_view>
#include <vector>

#include "libdem/laws/block.hpp"
#include "libdem/laws/key.hpp"
#include "libdem/laws/law_choice.hpp"

namespace dem::laws {

/// What a law is beside its pass. A law states only what differs from here.
struct Traits {
  /// The normal force is that of Hertz and the law reads of what it is made; else it is a spring k_n ζ, or what
  /// polygons have.
  bool hertzian = false;
  /// A history begins with one vector, and any transport may map it; else it follows its frame only.
  bool history_is_one_vector = false;
  bool sees_lost_contacts =
      false;  ///< is shown contacts in the step in which they end, and books what becomes of their energy
  bool tells_regime = false;      ///< writes Block::regime
  bool has_potential = true;      ///< what is neither stored nor dissipated is zero to round-off
  bool tangential_spring = true;  ///< reads Block::stiffness: [material] has to say k_t. Hertzian laws do not read it
  bool limits_dashpot =
      false;  ///< limits spring and dashpot by an option of its own, not by contact.damp_while_sliding
  bool root_damping =
      false;  ///< γ_t/γ_n is by default the root of k_t/k_n, not k_t/k_n itself (direct-shear reference, §1.3)
  bool clips_tension = false;  ///< contact.clip_tension is true by default
  bool keeps_jaeger_history =
      false;  ///< a history begins with a JaegerHistory, which says where on the contact area the force acts
  bool takes_hertz_stiffness = false;  ///< [material] may say hertz_normal_stiffness and hertz_tangential_stiffness
  bool takes_characteristic_speed = false;  ///< [material] may say characteristic_speed
  /// Part of a history lies in Block::legs. Where in its doubles the Stacks of its legs lie; −1: it has none, or no
  /// second ones (those of the exact history beside the merged one).
  int legs = -1, exact_legs = -1;
};

/// What a law may look at beside its options to judge them.
struct Setting {
  double friction = 0;  ///< μ
  bool damp_while_sliding = false;
  double time_step = 1;    ///< s; 0: dem contact without a time
  std::string_view table;  ///< "contact.", or empty: what stands before a key in a message
};
/// Refuses the value of a key; `allowed` says what it may be instead.
using Refuse = std::function<void(std::string_view key, std::string_view allowed)>;

struct LawEntry : Traits {
  std::string_view name, description;
  std::string_view example;  ///< keys for the example of dem help: whole lines of TOML
  std::vector<Key> keys;
  std::array<std::byte, LawChoice::most_bytes> defaults;  ///< the options, as LawChoice holds them
  const void* options_mark;                               ///< mark_of their type
  int history_size;                                       ///< doubles per contact
  // `options`: LawChoice::data() of this law.
  /// Updates at least `count` histories and at most Block::lanes (contiguous, history_size doubles each) and fills the
  /// reply columns. One indirect call a block.
  void (*pass)(const void* options, const StepFlags&, Block&, double* history);
  /// Elongation ξ (m) in directions 1 and 2, for observers. `legs`: of a law with legs, else null.
  void (*elongation)(const double* history, const LegPool* legs, const ContactSprings&, double out[2]);
  /// Tangential stiffness of a contact that does not slip, the largest that it can have (N/m): for the limit of the
  /// time step and for servos.
  double (*tangent)(const void* options, const ContactSprings&);
  /// Force along the normal (N) of what transport `none` leaves there; `held`: in the unit of the history. Null where
  /// the law knows none.
  double (*along_normal)(double held, const ContactSprings&);
  /// Maps the stored tangential vector by the 2×2 matrix m (row by row): what a transport other than the frame's own
  /// turn does. Null without Traits::history_is_one_vector.
  void (*transform)(double* history, const double m[4]);
  /// Sets the history to that of a tangential force on i (N) at the start of a path; `stiffness`: k_t (N/m). Null where
  /// one force does not define the history.
  void (*start)(double* history, const double force_on_i[2], double stiffness);
  /// Refuses options that make no sense together, or in this setting.
  void (*check)(const void* options, const Setting&, const Refuse&);
  /// Why a tangential stiffness of 0 makes no sense; empty where it does.
  std::string_view (*why_spring)(const void* options);
  /// The option `history`. Null where there is none.
  TangentialHistory* (*history)(void* options);

  /// f(stack) for each Stack of a history.
  template <class F>
  void for_each_stack(double* of, F&& f) const {
    for (const int at : {legs, exact_legs})
      if (at >= 0) f(reinterpret_cast<LegPool::Stack&>(of[at]));
  }
  /// γ_t/γ_n by default, of contacts with this k_t/k_n.
  double damping_ratio(double stiffness_ratio) const {
    return root_damping ? std::sqrt(stiffness_ratio) : stiffness_ratio;
  }
  /// Null when the law has no such key.
  const Key* find_key(std::string_view key) const;
};

const std::deque<LawEntry>& catalogue();
/// Null when there is no such law.
const LawEntry* find(std::string_view name);

/// Makes a law known; its keys are then keys of [contact] and of dem contact. Throws std::invalid_argument where a law
/// of this name is there already, or another law has a key of the same name and another form; std::logic_error once the
/// catalogue is closed.
void add(LawEntry);
/// The schema of the case file has been made from the laws: none can come any more.
void close_catalogue();

}  // namespace dem::laws
