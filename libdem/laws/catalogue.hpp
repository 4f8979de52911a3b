// Catalogue of laws by name. A law is one header beside this file and one row in catalogue.cpp. Outside the library it
// is added with add(row<MyLaw>()) (row.hpp).
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <list>
#include <span>
#include <string_view>
#include <vector>

#include "libdem/laws/block.hpp"
#include "libdem/laws/key.hpp"
#include "libdem/laws/law_choice.hpp"

namespace dem::laws {

/// Properties of a law besides its pass. A law states only what differs from here.
struct Traits {
  /// The normal force is that of Hertz, and the law reads its constants. Otherwise a spring k_n ζ, or that of polygons.
  bool hertzian = false;
  /// A history begins with one vector, and any transport may map it. Otherwise it follows its frame only.
  bool history_is_one_vector = false;
  /// Gets contacts in the step in which they end, and books their energy.
  bool sees_lost_contacts = false;
  bool tells_regime = false;      ///< writes Block::regime
  bool has_potential = true;      ///< work that is neither stored nor dissipated is zero to round-off
  bool tangential_spring = true;  ///< reads Block::stiffness, so [material] needs k_t; not Hertzian laws
  /// Limits spring and dashpot by an option of its own, not by contact.damp_while_sliding.
  bool limits_dashpot = false;
  /// Default of γ_t/γ_n is the root of k_t/k_n, not k_t/k_n itself (direct-shear reference, §1.3).
  bool root_damping = false;
  bool clips_tension = false;  ///< contact.clip_tension is true by default
  /// A history begins with a JaegerHistory, which shows where on the contact area the force acts.
  bool keeps_jaeger_history = false;
  bool takes_hertz_stiffness = false;  ///< [material] may have hertz_normal_stiffness and hertz_tangential_stiffness
  bool takes_characteristic_speed = false;  ///< [material] may have characteristic_speed
  /// Part of a history lies in Block::legs: where its Stacks are among its doubles, −1 if it has none. The second is
  /// that of the exact history beside the merged one.
  int legs = -1, exact_legs = -1;
};

/// Data besides its options by which a law may judge them.
struct Setting {
  double friction = 0;  ///< μ
  bool damp_while_sliding = false;
  double time_step = 1;    ///< s; 0 in dem contact without a time
  std::string_view table;  ///< "contact.", or empty: prefix of a key in a message
};
/// Refuses the value of a key; `allowed` is a text of allowed ones.
using Refuse = std::function<void(std::string_view key, std::string_view allowed)>;

/// A block and where its histories lie.
struct BlockPass {
  Block* block;
  double* history;
};

struct LawEntry : Traits {
  std::string_view name, description;
  std::string_view example;  ///< keys for the example of dem help: whole lines of TOML
  std::vector<Key> keys;
  std::array<std::byte, LawChoice::most_bytes> defaults;  ///< the options, as LawChoice holds them
  const void* options_mark;                               ///< mark_of their type
  int history_size;                                       ///< doubles per contact
  // `options`: LawChoice::data() of this law.
  /// Updates at least `count` and at most Block::lanes histories (contiguous, history_size doubles each) and fills the
  /// reply columns. One indirect call per block.
  void (*pass)(const void* options, const StepFlags&, Block&, double* history);
  /// The same for many blocks in one call. Null except for laws whose calls are slow, such as those of Python. The
  /// engine of spheres then passes all contacts of 512 bodies at once.
  void (*pass_many)(const void* options, const StepFlags&, std::span<const BlockPass>);
  /// Elongation ξ (m) in directions 1 and 2, for observers. `legs` is null unless the law has legs.
  void (*elongation)(const double* history, const LegPool* legs, const ContactSprings&, double out[2]);
  /// Largest tangential stiffness, of a contact that does not slip (N/m), for limits of the time step and for servos.
  double (*tangent)(const void* options, const ContactSprings&);
  /// Force along the normal (N) of what transport `none` leaves there, `held` in the unit of the history: tangent times
  /// elongation. Null if the history is no vector, and for Hertzian laws.
  double (*along_normal)(const void* options, double held, const ContactSprings&);
  /// Maps the stored tangential vector by the 2×2 matrix m (row by row), for transports other than the frame's own
  /// turn. Null without Traits::history_is_one_vector.
  void (*transform)(double* history, const double m[4]);
  /// Sets the history to that of a tangential force on i (N) at the start of a path. `tangent` is that of the law
  /// (N/m). Null if one force does not define the history.
  void (*start)(double* history, const double force_on_i[2], double tangent);
  /// Refuses options that do not fit together, or do not fit this setting.
  void (*check)(const void* options, const Setting&, const Refuse&);
  /// Reason why a tangential stiffness of 0 is refused; empty if it is allowed.
  std::string_view (*why_spring)(const void* options);
  /// The option `history`. Null if there is none.
  TangentialHistory* (*history)(void* options);

  /// Calls f(stack) for each Stack of a history.
  template <class F>
  void for_each_stack(double* of, F&& f) const {
    for (const int at : {legs, exact_legs})
      if (at >= 0) f(reinterpret_cast<LegPool::Stack&>(of[at]));
  }
  /// Default γ_t/γ_n of contacts with this k_t/k_n.
  double damping_ratio(double stiffness_ratio) const {
    return root_damping ? std::sqrt(stiffness_ratio) : stiffness_ratio;
  }
  /// Null if the law has no such key.
  const Key* find_key(std::string_view key) const;
};

const std::list<LawEntry>& catalogue();
/// Another number whenever the catalogue has changed.
unsigned catalogue_version();
/// Null if there is no such law.
const LawEntry* find(std::string_view name);

/// Throws std::invalid_argument as check_names does, and for a key of the same name and another form than that of
/// another law.
void check_keys(const LawEntry&);
/// Adds a law; its keys become keys of [contact] and of dem contact. Throws std::invalid_argument if a law has this
/// name, and as check_keys does. No thread may read a case meanwhile.
void add(LawEntry);
/// Takes a law out of the catalogue, so that another one may have its name. Cases that have the law keep it.
void hide(std::string_view name);

}  // namespace dem::laws
