// The contacts of an assembly as the step sees them. Implementations: planar/contacts.hpp for discs and polygons,
// spheres/contacts.hpp for spheres and clusters. Virtual calls are made per step, never per contact.
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

/// Thrown if memory for the next step is missing, before the step is begun. The state of the last step stays usable.
struct NoRoomForStep : std::bad_alloc {
  const char* what() const noexcept override { return "no memory for the contacts of the next step"; }
};

/// Sums of the works of the contacts in one evaluation (J). Their meaning is in measure/ledger.hpp.
struct ContactWork {
  double friction = 0, viscous = 0, circulation = 0, event_loss = 0, absolute = 0;
  /// Boundary work on the assembly by the movement that the deforming cell gives the images.
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

/// Quantities that are read after an evaluation: none but the motion, forces and stress, or also energies of contacts.
enum class Watch : std::uint8_t { motion, forces, energies };

/// Loads on the bodies besides those of the contacts (N, N m). Empty if there are none.
struct BaseLoads {
  std::span<const Vec3> force, torque;
};

/// Memory of laws whose histories have no fixed length.
struct HistoryMemory {
  std::uint64_t contacts = 0, legs = 0;
  std::size_t bytes = 0;     ///< of the histories with their legs; a function of the state, so equal after a resume
  std::size_t reserved = 0;  ///< taken for them, with room for more; no function of the state
  /// Law jaeger-checked: legs of the exact histories, and the largest error of a tangential force so far, over f F_n.
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

  /// Stores the bodies in the order in which the engine works. Needed once fields() has loaded a state; otherwise
  /// find_candidates() does it.
  virtual void arrange(State&) {}
  /// Makes every pair that may touch at the present positions a candidate. Changes no bit of any result. Throws
  /// GeometryError if the positions allow no list.
  virtual void find_candidates(State&) = 0;
  virtual std::uint64_t list_builds() const = 0;

  /// Reserves memory for histories that grow in the next step. Throws NoRoomForStep. A new list of candidates or new
  /// contacts may still need memory in the middle of a step and then throw std::bad_alloc.
  virtual void make_room() {}

  /// Evaluates at State::bodies.position[0], with the velocities in position[1] and the cell of the state. Sets
  /// bodies.force and bodies.torque to the sum of base loads and contacts. Stores the evaluated poses and the evaluated
  /// cell. Returns the work of the movement since the last evaluation; that of the first one is zero.
  virtual ContactWork evaluate(State&, const BaseLoads&) = 0;
  /// On: laws that damp the movement of a step damp the velocities instead. For evaluations to which no step leads.
  virtual void damp_velocities(bool on) = 0;
  /// Stores the velocities before the prediction, if the elongation needs those of the start of the step.
  virtual void note_start_velocities(const State&) {}
  /// Sets which quantities are read after the following evaluations; energies at the start. Others need not be computed
  /// or kept and read as NaN. Changes no bit of any motion.
  virtual void watch(Watch) {}
  virtual bool has_forces() const { return true; }  ///< of the last evaluation
  /// Switches the timing of geometry and forces in the following evaluations on or off. Changes no bit.
  void time_phases(bool on) { timed_ = on; }
  virtual EvaluationTimes times() const = 0;  ///< of the last evaluation, if it was timed
  /// Σ force on i ⊗ branch over the contacts of the last evaluation (J): stress times volume, tension positive.
  virtual Tensor3 virial(const State&) const = 0;

  /// Sets μ of all contacts from now on (empty: that of the materials). It belongs to the stage and is not saved.
  virtual void override_friction(std::optional<double>) = 0;
  /// Sets the tangential history of laws that have this choice (empty: that of the case). A change restarts all
  /// springs; returns the energy that they held (J). Part of the stage: call resume_history() after loading.
  virtual double set_history(std::optional<TangentialHistory>) = 0;
  virtual void resume_history(std::optional<TangentialHistory>) = 0;

  /// A body whose centre came to the other side of a wall in the last evaluation, and that wall.
  virtual std::optional<std::pair<std::size_t, std::size_t>> went_through() const { return std::nullopt; }

  virtual std::size_t size() const = 0;
  virtual std::optional<HistoryMemory> history_memory() const { return std::nullopt; }
  virtual double stored_normal() const = 0;      ///< J
  virtual double stored_tangential() const = 0;  ///< J
  /// True if no law has a circulation: every elastic force acts along the movement that loads it.
  virtual bool has_potential() const = 0;
  /// Writes the contacts in the order of their keys to `out`, whose memory is reused.
  virtual void records(const State&, std::vector<ContactRecord>& out) const = 0;
  /// Writes their loads alone, in the same order and in less time.
  virtual void loads(const State&, std::vector<ContactLoad>& out) const = 0;
  /// Writes their forces alone, in even less time: for a look after every step.
  virtual void forces(const State&, std::vector<ContactForce>& out) const;
  /// Passes the same records in parts, in an order that is a function of the state. For readers that look at each
  /// record once: all records together take more memory than the bodies.
  virtual void visit(const State&, const std::function<void(std::span<const ContactRecord>)>&) const;

  /// The contacts with their histories, for checkpoint and hash. Throws std::runtime_error if loaded ones do not fit.
  virtual void fields(FieldVisitor&) = 0;
  virtual std::size_t archive_bytes() const = 0;  ///< upper bound of what these fields take in a checkpoint

  /// An engine that holds a part of an assembly adds to each number the same sum of all other parts. Call it for sums
  /// over bodies or contacts.
  virtual void add_other_parts(std::span<double>) const {}
  /// The same for a number of each body, such as a count of its contacts. Only owned bodies get their sum.
  virtual void add_other_parts_by_body(std::span<double>) const {}

 protected:
  bool timed_ = false;
};

/// The engine for the shapes of the case.
std::unique_ptr<ContactEngine> make_contact_engine(const Case&, const State&);

/// Throws AssemblyError if two faces of the cell in a periodic direction are nearer than two diameters of the largest
/// body and the skin (m). A body must not meet two images of another.
void check_cell_width(const State&, double skin);

/// Contacts of a body with its own periodic image are not computed. So the cell has to stay wide enough for each body.
class OwnImages {
 public:
  void check(const State&);             ///< throws GeometryError if a body that moves could touch its own image
  bool stay_apart(const State&) const;  ///< false if the cell has become too narrow since then

 private:
  double widest_ = 0;            // bounding diameter of a body (m)
  std::array<Vec3, 3> checked_;  // cell vectors
};

}  // namespace dem
