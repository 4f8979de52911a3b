// The step and the run: one case from its first configuration to the end of its last stage.
#pragma once
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/contacts/planar_contacts.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/drivers/mass_damping.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/measure/ledger.hpp"
#include "libdem/motion/gear5.hpp"
#include "libdem/motion/step_limit.hpp"
#include "libdem/simulation_setup.hpp"
#include "libdem/state/state.hpp"

namespace dem {

/// The time step is above its limit, before the run (a priori) or during it (measured). The message gives limit, contact and key.
struct StepTooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// The numbers blew up: the message names step, contact or body, and the likely cause.
struct BlowUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where the goals of a stage stood at its start, or at their farthest since.
struct StageGoals {
  double height = 0, stress = 0, void_ratio = 0, stress_ratio = 0;  ///< at the start; stress: of the plates
  double kinetic_energy = 0, servo_error = 0, unbalanced = 0;       ///< largest so far
  double unbalanced_now = 0;                                        ///< at the last look
};

/// Share of its a-priori limit that an automatic time step is: half. The measured limit of a dense packing is about twice the a-priori one, but
/// clusters may meet with more contacts than that counts, so half of it is kept in hand.
inline constexpr double automatic_step_share = 0.5;

class Simulation {
 public:
  /// Builds the assembly, checks it and the time step (0: chooses it), evaluates the contacts once. Throws AssemblyError, GeometryError, StepTooLarge.
  explicit Simulation(const Case&);

  /// One time step. Throws StepTooLarge, BlowUp; the state is then that of the failed step (go back to the last checkpoint). So it is after a
  /// std::bad_alloc, unless that is NoRoomForStep: then the step was not begun.
  /// `watched` = false: nobody will look at forces, stress or tangential energy of contacts after this step. Spheres and clusters without
  /// ledger then leave them out, which saves time and memory; they read as NaN, unless the step needed them for itself: forces and stress for a
  /// servo or where a stage may end, energies in what may be the last step of the run. No bit of any motion depends on it.
  void step(bool watched = true);
  /// Whether the next step may end the stage; yes when in doubt.
  bool may_end_stage() const;
  /// All stages are done.
  bool finished() const { return stage_ >= case_.stages.size(); }

  /// Without the listed bodies that have no name (they are in the state), and with the time step that was chosen where the case leaves it open.
  const Case& given() const { return case_; }
  const State& state() const { return state_; }
  std::uint64_t step_count() const { return state_.step; }
  double time() const { return state_.time; }
  /// Plates: shear strain of all stages. Cell: CellDriver::stage_strain, of the present stage.
  double strain() const { return plates_ ? plates_->strain() : cell_ ? cell_->stage_strain() : 0; }
  std::size_t stage() const { return stage_; }
  /// Stages that their `duration` ended before anything else they name as an end.
  std::span<const std::uint64_t> stages_cut_short() const { return cut_short_; }
  /// Share of the current stage that is done, in [0, 1], by the end that is nearest; for progress displays. Ends by a target or by rest are
  /// guessed from the way made so far: linear towards heights, void ratios and stresses, by the logarithm towards rest and balance.
  double stage_progress() const;
  double stage_time() const { return state_.time - stage_start_time_; }  ///< since the current stage began (s)
  const Plates* plates() const { return plates_ ? &*plates_ : nullptr; }
  /// Null when no stage drives the cell. Its stress is that of the last step, NaN if nobody watched it; ask again after the next.
  const CellDriver* cell() const {
    if (!cell_) return nullptr;
    cell_->update_stress(state_, *contacts_);
    return &*cell_;
  }
  const ShearBox* shear_box() const { return shear_box_ ? &*shear_box_ : nullptr; }
  /// Contacts of the last evaluation, in the order of their keys. Valid until the next step.
  std::span<const ContactRecord> contacts() const;
  std::size_t contact_count() const { return contacts_->size(); }
  const ContactEngine& contact_engine() const { return *contacts_; }
  /// The watch over contact planes: counts so far, and with output.plane_jumps the jumps of the last step.
  /// Only in the plane: null for spheres and clusters.
  const PlanarContacts* plane_watch() const { return dynamic_cast<const PlanarContacts*>(contacts_.get()); }
  EnergyLedger ledger() const;
  /// Whether the works of the ledger are booked. In the plane always; without output.ledger they are not, and ledger() means little.
  bool keeps_ledger() const { return state_.dimension == 2 || case_.output.ledger; }
  const AprioriLimit& apriori_limit() const { return apriori_; }
  const std::optional<MeasuredLimit>& measured_limit() const { return measured_; }  ///< last measurement
  /// t_c of the reference: π/√(k_n/m_r − η²) of two mean free bodies (s).
  double contact_duration() const { return scale_.contact_duration; }
  double mean_mass() const { return scale_.mean_mass; }           ///< of free bodies (kg)
  std::pair<double, double> mean_damping() const { return {scale_.normal_damping, scale_.tangential_damping}; }  ///< γ_n, γ_t of two mean bodies (kg/s)
  double mean_diameter() const { return scale_.mean_diameter; }  ///< equivalent diameter of free bodies (m)
  bool law_has_potential() const { return contacts_->has_potential(); }
  std::uint64_t list_builds() const { return contacts_->list_builds(); }

  /// Hash of bodies by id (all terms), contacts in order with histories, drivers, step. The same for the same bits.
  std::uint64_t hash() const;
  void save(ArchiveWriter&) const;
  /// Continues from a checkpoint of the same case. Throws std::runtime_error when it does not fit.
  void load(const ArchiveReader&);
  /// Starts with the last state of another run of the same assembly, walls and time step, whatever its stages were: the first stage begins,
  /// step and time go on. Contacts keep their histories if `same_law`, else they start anew, as they lie.
  void take_over(const ArchiveReader&, bool same_law);
  /// Stage that was running when the archive was saved; as many as there are: the run was over.
  static std::size_t saved_stage(const ArchiveReader&);
  std::size_t checkpoint_bytes() const;  ///< that save() writes, about
  /// Changes when a checkpoint of another version no longer fits.
  static std::uint64_t layout();

 private:
  void choose_step();
  void start();
  void drive();
  void predict();
  void find_contacts();
  ContactWork evaluate_forces();
  void correct();
  void account(const ContactWork&);
  void advance_stage();
  Watch needs() const;
  bool cell_stage_over(const Stage&);
  void check_health();
  void tidy_memory();
  void measure_step_limit();
  double limit_without_tangential_damping() const;
  StepLimitMeter::Options limit_options() const;
  std::uint64_t steps_to_next_check() const;
  void begin_stage();
  void set_mass_damping();
  Vec3 base_force(std::size_t b) const { return base_force_.empty() ? Vec3{} : base_force_[b]; }
  Vec3 base_torque(std::size_t b) const { return base_torque_.empty() ? Vec3{} : base_torque_[b]; }

  Case case_;
  State state_;
  std::unique_ptr<ContactEngine> contacts_;
  std::optional<Plates> plates_;
  std::optional<CellDriver> cell_;
  std::optional<ShearBox> shear_box_;
  std::optional<MassDamping> damping_;

  std::vector<Vec3> base_force_, base_torque_;  // gravity and applied forces; empty where there are none
  std::vector<std::size_t> loaded_;             // bodies that any of them does work on
  std::vector<Vec3> start_position_, start_rotation_;  // for their work; empty as well
  std::vector<double> loaded_work_;             // scratch of several threads
  std::vector<std::size_t> held_;               // bodies with a coordinate that follows a prescribed motion
  std::vector<Vec3> held_force_, held_torque_;  // contact forces on them at the last evaluation
  EnergyLedger ledger_;                         // its accumulated entries

  std::size_t stage_ = 0;
  std::vector<std::uint64_t> cut_short_;
  double stage_start_time_ = 0, stage_start_strain_ = 0;
  bool kinematic_ = false;                      // this step turns everything rigidly: no time integration, no work
  StageGoals goals_;                            // for stage_progress() alone
  bool was_loud_ = false;                       // the stage has had more kinetic energy than its `quiet`
  bool started_above_ = false;                  // the void ratio at the start of the stage is above its target
  std::uint64_t balanced_checks_ = 0;           // checks in a row that found the stage's `unbalanced` met
  std::uint64_t next_limit_check_ = 0, next_health_check_ = 0, next_tidying_ = 0;
  std::uint64_t tidied_builds_ = 0;             // list_builds() when memory was tidied up
  AprioriLimit apriori_;
  std::optional<MeasuredLimit> measured_;
  StepLimitMeter limit_meter_;
  ReferenceScale scale_;
  mutable std::vector<ContactRecord> records_;
  mutable bool records_are_current_ = false;
};

}  // namespace dem
