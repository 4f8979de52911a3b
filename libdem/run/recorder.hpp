// The recorder writes the results of a run on its schedule: rows, profiles, snapshots, pictures, checkpoints.
#pragma once
#include <cstdint>

#include "libdem/case/plan.hpp"
#include "libdem/pictures/svg.hpp"
#include "libdem/platform/memory_reserve.hpp"
#include "libdem/results/folder.hpp"
#include "libdem/run/observer.hpp"

namespace dem {

/// The run as pictures and snapshots see it. Valid until the next step.
AssemblyView view_of(const Simulation&);
/// How its pictures look.
FrameChoice frame_of(const AssemblyView&, const Case&);

/// Writes what the plan says, and the end of every stage.
class Recorder {
 public:
  Recorder(const Simulation&, RunObserver&, ResultsFolder&);

  /// Whether something is, or may be, written after the next step.
  bool looks_at_next(const Simulation&) const;
  void after_step(const Simulation&);

  void checkpoint(const Simulation&);
  std::size_t checkpoint_bytes(const Simulation& run) const { return run.checkpoint_bytes() + folder_.record_bytes(); }

 private:
  void write_snapshot(const Simulation&);
  void write_frame(const Simulation&);

  RunObserver& observer_;
  ResultsFolder& folder_;
  OutputPlan plan_;
  std::size_t stage_;
};

/// Memory held back for writing the next checkpoint: three times what it holds (the contacts as they are written, the
/// file in HDF5, the bytes of the file), and what a step may need beyond the step before.
class CheckpointRoom {
 public:
  CheckpointRoom(const Simulation& run, Recorder& recorder) : run_(run), recorder_(recorder) {}

  void checkpoint();
  bool is_given_up() const { return reserve_.held() == 0; }
  /// Where there is no room, the run ends here while its state is whole: writes a checkpoint and throws NoRoomForStep.
  void hold_or_end();
  [[noreturn]] void end();

 private:
  const Simulation& run_;
  Recorder& recorder_;
  MemoryReserve reserve_;
};

}  // namespace dem
