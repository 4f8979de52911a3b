// The recorder writes the results of a run on its schedule: rows, profiles, snapshots, pictures, checkpoints.
#pragma once

#include "libdem/case/plan.hpp"
#include "libdem/pictures/svg.hpp"
#include "libdem/platform/memory_reserve.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/observer.hpp"

namespace dem {

/// The run as an AssemblyView for pictures and snapshots. Valid until the next step.
AssemblyView view_of(const Simulation&);
/// Choices of the case for pictures.
FrameChoice frame_of(const AssemblyView&, const Case&);

/// Writes by the plan, and at the end of every stage. Without a folder it writes nothing, but the observer still gets
/// its rows for the verdict.
class Recorder {
 public:
  Recorder(const Simulation&, RunObserver&, ResultsFolder*);

  /// True if the next step is or may be written.
  bool looks_at_next(const Simulation&) const;
  void after_step(const Simulation&);

  void checkpoint(const Simulation&);
  /// approximate size of a checkpoint; 0 without a folder
  std::size_t checkpoint_bytes(const Simulation& run) const {
    return folder_ ? run.checkpoint_bytes() + folder_->record_bytes() : 0;
  }

 private:
  void write_snapshot(const Simulation&);
  void write_frame(const Simulation&);

  RunObserver& observer_;
  ResultsFolder* folder_;  // may be null
  OutputPlan plan_;
  std::size_t stage_;
};

/// Memory held back for the next checkpoint and for growth in a step. It is three times the checkpoint (contacts as
/// written, the file in HDF5, the bytes of the file), plus the growth of a step.
class CheckpointRoom {
 public:
  CheckpointRoom(const Simulation& run, Recorder& recorder) : run_(run), recorder_(recorder) {}

  void checkpoint();
  bool is_given_up() const { return reserve_.held() == 0; }
  /// Without enough memory, ends the run while its state is whole: writes a checkpoint and throws NoRoomForStep.
  void hold_or_end();
  [[noreturn]] void end();

 private:
  const Simulation& run_;
  Recorder& recorder_;
  MemoryReserve reserve_;
};

}  // namespace dem
