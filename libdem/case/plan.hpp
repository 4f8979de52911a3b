// How long a run will take and when it is looked at, as far as its case tells.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/platform/every.hpp"

namespace dem {

/// Time that a stage is known to take (s): by duration, strain or cycles, the first of them; infinite where it ends by
/// a target or by rest alone.
double planned_time(const Stage&);
/// The end of a stage that takes it beyond bounds::most_steps of this size (s): its key, and the time it takes (s).
struct LongEnd {
  std::string_view key;
  double time;
};
std::optional<LongEnd> too_long(const Stage&, double step);
/// An interval of the case that is below a step of this size (s): it means every step. Key and length (s).
struct ShortInterval {
  const char* key;
  double length;
};
std::vector<ShortInterval> too_short(const OutputChoice&, const TimeChoice&, double step);
/// Of the stages from `first` on; those of which nobody knows count as 0.
double planned_time(const Case&, std::size_t first = 0);

/// "stage 2 'shear'", the second of the case.
std::string stage_label(const Case&, std::size_t stage);
/// The ends that a stage names beside its duration, by their keys; empty: none.
std::string goals_of(const Stage&);

/// Steps between two rows of a series or the like: a pure function of the case, so that a resumed run writes at the
/// same steps. `interval`: s; 0: `parts` over the planned time, or every 1000 steps.
std::uint64_t interval_steps(double interval, double planned, double parts, double dt);

/// Steps between rows of the series. In space by default ten at least: a row looks at every contact, and costs as much
/// as a step.
std::uint64_t row_steps(const Case&, double dt);

/// At which steps a run writes: a pure function of the case, its time step and the step it began with, so that a
/// resumed run writes at the same ones. Snapshots and pictures at the end of every stage and the row at the end of the
/// run come beside them; nobody knows their steps before.
class OutputPlan {
 public:
  OutputPlan(const Case&, double dt, std::uint64_t first_step);

  bool row_at(std::uint64_t step) const { return step == first_ || row_.at(step); }
  bool snapshot_at(std::uint64_t step) const { return snapshot_.at(step, first_); }
  bool frame_at(std::uint64_t step) const { return frame_.at(step, first_); }

  /// How many there are after the start until `last`.
  std::uint64_t rows(std::uint64_t last) const { return row_.count(last, first_); }
  std::uint64_t snapshots(std::uint64_t last) const { return snapshot_.count(last, first_); }
  std::uint64_t frames(std::uint64_t last) const { return frame_.count(last, first_); }

 private:
  struct Schedule {
    std::uint64_t interval = 1;
    bool few = false;  ///< 4 times an interval, then each time that the run has become twice as long as 5 intervals
    bool at(std::uint64_t step, std::uint64_t first) const;
    std::uint64_t count(std::uint64_t last, std::uint64_t first) const;
  };
  static Schedule schedule(double interval, double planned, double dt);

  std::uint64_t first_;
  Every row_;
  Schedule snapshot_, frame_;
};

}  // namespace dem
