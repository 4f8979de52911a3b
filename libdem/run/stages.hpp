// The present stage of a run, its start, and the progress of its ends.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "libdem/drivers/stage_ends.hpp"

namespace dem {

class StageClock {
 public:
  StageClock();

  std::size_t index() const { return std::size_t(index_); }  ///< equal to the number of stages when the run is over
  bool is_over(const Case& c) const { return index() >= c.stages.size(); }
  double start_time() const { return start_time_; }  ///< of the present stage (s)
  /// Stages that ended by their `duration` before any other end that they name.
  std::span<const std::uint64_t> cut_short() const { return cut_short_; }

  /// Begins the present stage: drivers, friction, history. Returns the energy of springs that start anew (J).
  double begin(const World&, const Drivers&);
  /// Same for a run that continues from a checkpoint.
  void resume(const World&, const Drivers&);
  /// Makes the first stage begin next, at the state of another run.
  void rewind() { index_ = 0; }
  /// False if no end of the present stage can come yet, so that a step need not ask comes_to_end().
  bool near_end(double time) const { return time >= no_end_before_; }
  /// Called after a step. True if an end of the present stage has come. Then go_on() and begin() follow.
  bool comes_to_end(const World&, const Drivers&);
  void go_on() { ++index_; }  ///< the next stage is the present one

  /// True if the next step ends the stage or may end it.
  bool may_end(const World&, const Drivers&) const;
  /// Done share of the present stage, in [0, 1], by its nearest end.
  double progress(const World&, const Drivers&) const;

  /// Own fields with the clock of the state between them, in the order of the state hash.
  void fields(FieldVisitor&, const Case&, State&);
  /// The stage that was running when the archive was saved.
  static std::size_t saved_index(const ArchiveReader&);

 private:
  EndInput look(const World& world, const Drivers& drivers) const {
    return {world.given.stages[index()], world, drivers, start_time_, start_strain_};
  }
  void note_named(const Stage&, double dt);

  std::uint64_t index_ = 0;
  double start_time_ = 0, start_strain_ = 0;
  std::vector<EndMemory> memory_;    // one for each of stage_ends()
  std::vector<std::uint8_t> named_;  // true for ends that the present stage names
  double no_end_before_ = 0;         // time (s) until which none of these ends can come
  std::vector<std::uint64_t> cut_short_;
};

}  // namespace dem
