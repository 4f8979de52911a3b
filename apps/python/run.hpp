// A run that Python holds: the simulation, its observer and its results folder, with triggers for callbacks.
#pragma once
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/python/own_code.hpp"
#include "libdem/measure/relaxation.hpp"
#include "libdem/run/run_case.hpp"

namespace dem::python {

/// Takes the kinetic energy of every step. It has decayed when ten maxima in a row are below `end_at` of the largest.
/// It has grown when the last is above `growth` times the first.
struct EnergyWatch {
  double end_at, growth;
  RelaxationFit fit{};
};

/// Calls Python after a step, when a quantity of the run has passed a multiple of its interval.
struct Trigger {
  enum class Of { steps, time, strain, stage_end };
  Of of;
  double interval;  ///< steps, s or 1; not used for the end of a stage
  py::object call;  ///< without arguments
};

/// Columns of the series, kept in memory: a row every so many steps.
struct Recording {
  std::vector<const RowColumn*> columns;
  Every interval;
  std::vector<double> values;
  std::size_t rows() const { return values.size() / columns.size(); }
};

class Run {
 public:
  /// Without a folder nothing is written. `code` may be null.
  Run(const Case&, const std::optional<std::filesystem::path>& folder, bool overwrite,
      const std::shared_ptr<OwnCode>& code);
  /// Goes on from the last checkpoint of the folder. `threads`: 0 for those of the case. Throws CaseErrors if the run
  /// began with functions of another source.
  static std::unique_ptr<Run> resume(const std::filesystem::path& folder, int threads,
                                     const std::shared_ptr<OwnCode>& code);
  Run(const Run&) = delete;

  void add_trigger(Trigger trigger);
  /// Returns its number. Throws py::key_error for a name that is no column.
  std::size_t add_recording(const std::vector<std::string>& names, std::uint64_t interval);
  const Recording& recording(std::size_t number) const { return recordings_.at(number); }
  /// Runs to the end of the case, to a step (0: no step), or to a stop. The interpreter lock is free in between.
  /// Rethrows what a callback threw, after a checkpoint. With a watch it also stops once the energy has decayed or
  /// grown.
  RunResult go(std::uint64_t until_step, EnergyWatch* = nullptr);
  /// Ends the run after this step, with a verdict that has the sentence.
  void stop(std::string reason) { reason_ = std::move(reason); }

  /// Times the phases of the following steps.
  void profile() { run_.profile(); }

  const Simulation& simulation() const { return run_; }
  bool running() const { return running_; }
  bool broken() const { return broken_; }  ///< a step ended in the middle, without a checkpoint
  std::optional<std::filesystem::path> folder() const;
  /// The resolved case, with the step that the run uses. The simulation itself keeps no bodies of the case.
  const std::string& case_text() const { return case_text_; }
  const RowColumns& columns() const { return columns_; }
  const RunObserver& observer() const { return observer_; }
  BodySet free() const { return free_; }
  /// Keys and forces of all contacts, in the order of their keys, until the next step.
  const std::vector<ContactForce>& contact_forces() const;

 private:
  Run(Case&&, ResultsFolder&&, const Checkpoint&);
  bool is_due(const Trigger&, bool at_stage_end) const;
  bool may_be_due_next(const Trigger&) const;
  void call_triggers(bool at_stage_end);
  void record();
  void look_at_signals();
  void note_place();
  void take_folder();
  void ask_motions();

  Simulation run_;
  RunObserver observer_;
  std::optional<ResultsFolder> folder_;
  std::string case_text_;
  bool fresh_ = true;  // the series has no row yet
  RowColumns columns_;
  std::vector<std::uint8_t> free_;  // for coordination and fabric, as in the observer
  mutable std::vector<ContactForce> forces_;
  mutable std::optional<std::uint64_t> step_of_forces_;
  std::vector<Trigger> triggers_;
  std::vector<Recording> recordings_;
  std::optional<std::string> reason_;
  std::exception_ptr thrown_;
  bool running_ = false, broken_ = false;  // broken: a step ended in the middle
  std::chrono::steady_clock::time_point last_look_;
  // Of the step before. The strain of a cell counts anew in each stage.
  double time_ = 0, strain_ = 0;
  bool looked_ = false;  // at this step already, which ended a stage
};

/// Names the arrays of bodies and contacts, with their units.
void bind_arrays(py::module_&, py::class_<Run>&);

}  // namespace dem::python
