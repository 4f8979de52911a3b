// What the step asks of the contacts of an assembly, whatever the shapes: planar_contacts.hpp for discs and polygons,
// sphere_contacts.hpp for spheres and clusters. A virtual call a step, none a contact.
#pragma once
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "libdem/platform/phase_times.hpp"
#include "libdem/state/contact_record.hpp"
#include "libdem/state/fields.hpp"
#include "libdem/state/state.hpp"
#include "libdem/state/tensor.hpp"

namespace dem {

/// There is no memory for what the next step may need. Nothing of it has been done: the state is that of the last step,
/// to be saved or to go on from.
struct NoRoomForStep : std::bad_alloc {
  const char* what() const noexcept override { return "no memory for the contacts of the next step"; }
};

/// Adds up what the contacts did during one evaluation (J). See measure/ledger.hpp for the meaning of the entries.
struct ContactWork {
  double friction = 0, viscous = 0, circulation = 0, event_loss = 0, absolute = 0;
  /// Of the movement that the deforming cell gives the images, on the assembly: enters the ledger as boundary work.
  double by_cell = 0;
  ContactWork& operator+=(const ContactWork& w) {
    friction += w.friction;
    viscous += w.viscous;
    circulation += w.circulation;
    event_loss += w.event_loss;
    absolute += w.absolute;
    by_cell += w.by_cell;
    return *this;
  }
};

/// What somebody looks at after an evaluation: nothing but the motion; forces and stress; energies of the contacts,
/// too.
enum class Watch : std::uint8_t { motion, forces, energies };

/// Loads on the bodies beside those of the contacts (N, N m); empty: none on any.
struct BaseLoads {
  std::span<const Vec3> force, torque;
};

/// Of laws whose histories have any length.
struct HistoryMemory {
  std::uint64_t contacts = 0, legs = 0;
  std::size_t bytes =
      0;  ///< what the histories hold, their legs included: a function of the state, so the same after a resume
  std::size_t reserved =
      0;  ///< memory that is taken for them, with the room that is kept for more: no function of the state
  /// With law jaeger-checked: the legs of the exact histories, and the largest difference of a tangential force from
  /// theirs so far, over f F_n.
  bool checked = false;
  std::uint64_t exact_legs = 0;
  double merge_error = 0;
  double mean_length() const { return contacts > 0 ? double(legs) / double(contacts) : 0; }
  double exact_length() const { return contacts > 0 ? double(exact_legs) / double(contacts) : 0; }
};

class ContactEngine {
 public:
  virtual ~ContactEngine() = default;
  virtual std::unique_ptr<ContactEngine> clone() const = 0;

  /// Sees to it that every pair that may touch at the present positions is a candidate. Changes no bit of any result.
  /// Throws GeometryError where the positions allow no list.
  virtual void find_candidates(const State&) = 0;
  virtual std::uint64_t list_builds() const = 0;

  /// Memory for what the histories may grow by in the next step, so that its evaluation wants no more for them. Throws
  /// NoRoomForStep. A new list of candidates, or contacts that come, may want memory all the same (std::bad_alloc in
  /// the middle of a step).
  virtual void make_room() {}

  /// Evaluates at State::bodies.position[0] and the velocities that position[1] holds, with the state's cell. Sets
  /// bodies.force and bodies.torque to the sum of base and contacts and moves the evaluated poses and the evaluated
  /// cell on. The work is that of the movement since the last evaluation; the first one has none.
  virtual ContactWork evaluate(State&, const BaseLoads&) = 0;
  /// Before the prediction, where the elongation needs velocities of the start of the step.
  virtual void note_start_velocities(const State&) {}
  /// What is looked at after the following evaluations (at the start: energies). What nobody looks at need not be
  /// worked out or kept, and reads as NaN. Changes no bit of any motion.
  virtual void watch(Watch) {}
  virtual bool has_forces() const { return true; }  ///< of the last evaluation
  /// Whether the following evaluations time their geometry and their forces. Changes no bit.
  void time_phases(bool on) { timed_ = on; }
  virtual EvaluationTimes times() const = 0;  ///< of the last evaluation, if it was timed
  /// Σ over the contacts of the last evaluation of force on i ⊗ branch (J): stress is this over the volume, tension
  /// positive.
  virtual Tensor3 virial(const State&) const = 0;

  /// μ of all contacts from now on; none: that of the materials. Part of the stage, not of the saved state.
  virtual void override_friction(std::optional<double>) = 0;
  /// The tangential history of laws that have the choice, from now on; none: that of the case. Where it changes, all
  /// springs start anew; returns the energy that they held (J). Part of the stage as well: resume_history() after
  /// loading a state of that stage.
  virtual double set_history(std::optional<TangentialHistory>) = 0;
  virtual void resume_history(std::optional<TangentialHistory>) = 0;

  /// A body and the wall whose other side its centre has come to in the last evaluation.
  virtual std::optional<std::pair<std::size_t, std::size_t>> went_through() const { return std::nullopt; }

  virtual std::size_t size() const = 0;
  virtual std::optional<HistoryMemory> history_memory() const { return std::nullopt; }
  virtual double stored_normal() const = 0;      ///< J
  virtual double stored_tangential() const = 0;  ///< J
  /// Neither the normal nor the tangential law has a circulation: every elastic force acts along the movement that
  /// loads it.
  virtual bool has_potential() const = 0;
  /// Contacts in the order of their keys, as observers see them. `out` is reused.
  virtual void records(const State&, std::vector<ContactRecord>& out) const = 0;
  /// The same records in parts, in an order that is a function of the state: for those that look at each once. All
  /// together they are more than what is kept of the bodies.
  virtual void visit(const State&, const std::function<void(std::span<const ContactRecord>)>&) const;

  /// The contacts with their histories, for checkpoint and hash. Throws std::runtime_error where loaded ones do not fit
  /// the case.
  virtual void fields(FieldVisitor&) = 0;
  virtual std::size_t archive_bytes() const = 0;  ///< that these fields take in a checkpoint at the most

 protected:
  bool timed_ = false;
};

/// The engine for the shapes of the case.
std::unique_ptr<ContactEngine> make_contact_engine(const Case&, const State&);

/// Throws AssemblyError when the cell is narrower, between two of its faces, than two diameters of the largest body and
/// the skin (m): a body must not meet two images of another. Periodic directions only.
void check_cell_width(const State&, double skin);

}  // namespace dem
