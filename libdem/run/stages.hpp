// Which stage a run is in, since when, and how far its ends are.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "libdem/drivers/stage_ends.hpp"

namespace dem {

class StageClock {
 public:
  StageClock();

  std::size_t index() const { return std::size_t(index_); }  ///< as many as there are stages: the run is over
  bool is_over(const Case& c) const { return index() >= c.stages.size(); }
  double start_time() const { return start_time_; }  ///< of the present stage (s)
  /// Stages that their `duration` ended before anything else they name as an end.
  std::span<const std::uint64_t> cut_short() const { return cut_short_; }

  /// Begins the present stage: drivers, friction and history of the contacts follow it.
  /// Returns the energy of contact springs that start anew (J).
  double begin(const World&, const Drivers&);
  /// The same for a run that goes on from a checkpoint.
  void resume(const World&, const Drivers&);
  /// The first stage begins next, at the state of another run.
  void rewind() { index_ = 0; }
  /// After a step. True: the stage is over, and the next one is to begin.
  bool advance(const World&, const Drivers&);

  /// Whether the next step may end the stage; yes when in doubt.
  bool may_end(const World&, const Drivers&) const;
  /// Share of the present stage that is done, in [0, 1], by the end that is nearest.
  double progress(const World&, const Drivers&) const;

  /// With the clock of the state between its own, in the order of the state hash.
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
  std::vector<std::uint8_t> named_;  // those of them that the present stage names
  double no_end_before_ = 0;         // time until which none of these can come (s): steps before it need not look
  std::vector<std::uint64_t> cut_short_;
};

}  // namespace dem
