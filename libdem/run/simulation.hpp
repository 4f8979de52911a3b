// The step and the run: one case from its first configuration to the end of its last stage.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/drivers/driver.hpp"
#include "libdem/motion/motion.hpp"
#include "libdem/platform/phase_times.hpp"
#include "libdem/run/energy_books.hpp"
#include "libdem/run/health.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "libdem/run/stages.hpp"
#include "libdem/state/state.hpp"
#include "libdem/state/view.hpp"

namespace dem {

/// Automatic time step over its a-priori limit. The measured limit of a dense packing is about twice the a-priori one.
/// But clusters may have more contacts than that limit counts, so half of it is kept as a margin.
inline constexpr double automatic_step_share = 0.5;

class Simulation {
 public:
  /// Builds the assembly, checks it and the time step (0: chooses it), evaluates the contacts once. Throws
  /// AssemblyError, GeometryError, StepTooLarge.
  explicit Simulation(const Case&);

  /// Makes one time step. StepTooLarge and BlowUp leave the state of the failed step, so go back to the last
  /// checkpoint. After `std::bad_alloc` the state is unusable too. `NoRoomForStep` is thrown before the step starts and
  /// leaves the state intact. `watched` is false if forces, stress and tangential energy of contacts are not read after
  /// this step. Spheres and clusters without ledger then skip them, which saves time and memory, and they read as NaN.
  /// Except: forces and stress for a servo or the end of a stage, and energies in what may be the last step. No bit of
  /// any motion depends on `watched`.
  void step(bool watched = true);
  /// `look` is called after the last step of each stage, before the next one begins or the run is over. stage(),
  /// strain() and all drivers are then still those of the stage that ends.
  void at_stage_end(std::function<void()> look) { at_stage_end_ = std::move(look); }
  /// Calls `look` of at_stage_end(), for a run whose steps are made elsewhere.
  void show_stage_end();
  /// Checks health as a step does, for a state that was loaded. `new_stage`: a stage began since the last check. Throws
  /// StepTooLarge and BlowUp.
  void check_health(bool new_stage) {
    if (new_stage) health_.begin_stage(case_, state_.step);
    health_.check(*this);
  }
  /// Times the phases of the following steps. No bit of the run depends on it.
  void profile();
  /// Null without profile(). Callers add the times of their own work between steps.
  PhaseTimes* phase_times() const { return times_.get(); }
  /// True if the next step ends the stage or may end it.
  bool may_end_stage() const { return stages_.may_end(world(), drivers_); }
  /// True if all stages are done.
  bool finished() const { return stages_.is_over(case_); }

  /// The case without listed unnamed bodies (the state has them), and with the chosen time step if it leaves that open.
  const Case& given() const { return case_; }
  const State& state() const { return state_; }
  std::uint64_t step_count() const { return state_.step; }
  double time() const { return state_.time; }
  /// Plates: shear strain of all stages. Cell: strain of the present stage. 0 without either.
  double strain() const { return imposed_strain(drivers_).strain; }
  double strain_rate() const { return imposed_strain(drivers_).rate; }  ///< that the present stage gives it (1/s)
  std::size_t stage() const { return stages_.index(); }
  /// Stages that ended by their `duration` before any other end that they name.
  std::span<const std::uint64_t> stages_cut_short() const { return stages_.cut_short(); }
  /// Done share of the present stage, in [0, 1], by its nearest end; for progress displays.
  double stage_progress() const { return stages_.progress(world(), drivers_); }
  double stage_time() const { return state_.time - stages_.start_time(); }  ///< since the current stage began (s)
  std::span<const std::unique_ptr<Driver>> drivers() const { return drivers_; }
  /// The driver of this type, up to date for observers; null without one. An unwatched step makes the cell's stress
  /// NaN.
  template <class D>
  const D* driver() const {
    const D* const found = find_driver<D>(drivers_);
    if (found) found->update(world());
    return found;
  }
  /// Contacts of the last evaluation, in the order of their keys. Valid until the next step.
  std::span<const ContactRecord> contacts() const;
  std::span<const ContactLoad> loads() const;  ///< of these contacts, in less time
  /// For pictures and snapshots. Valid until the next step.
  AssemblyView view() const { return {state_, contacts(), strain()}; }
  std::size_t contact_count() const { return contacts_->size(); }
  const ContactEngine& contact_engine() const { return *contacts_; }
  /// The watch over contact planes: counts, and with output.plane_jumps the jumps of the last step. Null in space.
  const PlanarContacts* plane_watch() const { return dynamic_cast<const PlanarContacts*>(contacts_.get()); }
  EnergyLedger ledger() const { return books_.ledger(state_, *contacts_); }
  /// True if works are booked: always in the plane, in space with output.ledger. Otherwise ledger() lacks them.
  bool has_own_accounts() const { return books_.has_own(); }
  bool keeps_ledger() const { return state_.dimension == 2 || case_.output.ledger; }
  const AprioriLimit& apriori_limit() const { return health_.apriori(); }
  const std::optional<MeasuredLimit>& measured_limit() const { return health_.measured(); }  ///< last measurement
  const ReferenceScale& scale() const { return scale_; }
  bool law_has_potential() const { return contacts_->has_potential(); }
  std::uint64_t list_builds() const { return contacts_->list_builds(); }

  /// Hash of bodies by id (all terms), contacts in order with histories, drivers, step. Equal for equal bits.
  std::uint64_t hash() const;
  void save(ArchiveWriter&) const;
  /// Continues from a checkpoint of the same case. Throws std::runtime_error if it does not fit.
  void load(const ArchiveReader&);
  /// Starts with the last state of another run of the same assembly, walls and time step. Its stages may differ. The
  /// first stage begins; step and time go on. Contacts keep their histories if `keep_histories`; else they start anew.
  /// Unless `same_forces`, forces, accelerations and energies become those of this case. `history` is that of the
  /// law at the end of the other run: another one of the first stage restarts the springs, as between stages.
  void take_over(const ArchiveReader&, bool keep_histories, bool same_forces = true,
                 std::optional<TangentialHistory> history = {});
  /// After load() of a checkpoint of a case with other springs, masses or damping: forces, accelerations and energies
  /// become those of this case. The residual of the ledger stays: the other energy is an event loss.
  void change_forces(double residual);
  /// Stage that was running when the archive was saved. The number of stages if the run was over.
  static std::size_t saved_stage(const ArchiveReader& archive) { return StageClock::saved_index(archive); }
  /// approximate size of save()
  std::size_t checkpoint_bytes() const { return fixed_bytes_ + contacts_->archive_bytes(); }

 private:
  /// The common view of the run: drivers act on it, observers read it.
  World world() const { return {case_, const_cast<State&>(state_), *contacts_, keeps_ledger()}; }
  void choose_step();
  void start();
  Watch needs() const;
  void drive();
  void predict();
  void find_contacts();
  ContactWork evaluate_forces();
  void evaluate_at_once();
  void evaluate_anew();
  void rest_cell();
  void begin_stage();
  void tidy_memory(bool had_forces);
  void count_fixed_bytes();
  void check_packing(const ArchiveReader&) const;
  void fields_of_run(FieldVisitor&);
  void for_each_part(const std::function<void(const std::string&, const Fields&)>&);
  void for_each_driver_part(const std::function<void(const std::string&, const Fields&)>&);

  Case case_;
  State state_;
  std::unique_ptr<ContactEngine> contacts_;
  Drivers drivers_;
  Health health_;
  Motion motion_;
  EnergyBooks books_;
  StageClock stages_;
  std::function<void()> at_stage_end_;
  ReferenceScale scale_;
  std::unique_ptr<PhaseTimes> times_;
  std::size_t fixed_bytes_ = 0;                         // of a checkpoint, without its contacts
  std::uint64_t next_tidying_ = 0, tidied_builds_ = 0;  // a step; list_builds() at the last time
  template <class T>
  struct Seen {  ///< a list that was asked for
    std::vector<T> list;
    bool is_current = false;
    void forget();
  };
  mutable Seen<ContactRecord> records_;
  mutable Seen<ContactLoad> loads_;
};

}  // namespace dem
