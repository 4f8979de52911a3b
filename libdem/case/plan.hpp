// Duration of a run and the steps of its output, as far as they follow from the case.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/platform/every.hpp"

namespace dem {

/// Time that a stage is known to take (s): the first of duration, strain and cycles. Infinite for a stage that ends
/// only by a target or by rest.
double planned_time(const Stage&);
/// An end that does not fit the time step, for a message.
struct MisfitEnd {
  std::string_view key;
  std::string found, allowed;
};
/// The end of the stage comes beyond bounds::most_steps steps of this size (s).
std::optional<MisfitEnd> too_long(const Stage&, double step);
/// Key and length (s) of an interval of the case that is shorter than a step (s). It means every step.
struct ShortInterval {
  const char* key;
  double length;
};
std::vector<ShortInterval> too_short(const OutputChoice&, const TimeChoice&, double step);
/// Sum over the stages from `first` on. Unknown times count as 0.
double planned_time(const Case&, std::size_t first = 0);

/// "stage 2 'shear'" for the second stage of the case.
std::string stage_label(const Case&, std::size_t stage);
/// The keys of the ends of a stage other than its duration. May be empty.
std::string goals_of(const Stage&);

/// Steps between two rows of a series or similar output. It is a pure function of the case, so that a resumed run
/// writes at the same steps. `interval` is in s; 0 means `parts` over the planned time, or every 1000 steps.
std::uint64_t interval_steps(double interval, double planned, double parts, double dt);

/// Steps between rows of the series. In space the default is at least 100, because a row looks at every contact and
/// costs as much as two to three steps.
std::uint64_t row_steps(const Case&, double dt);

/// Steps at which a run writes. They are a pure function of the case, its time step and its first step, so that a
/// resumed run writes at the same steps. Snapshots and pictures at the end of every stage, and the last row, are extra;
/// their steps are not known before.
class OutputPlan {
 public:
  OutputPlan(const Case&, double dt, std::uint64_t first_step);

  bool row_at(std::uint64_t step) const { return step == first_ || row_.at(step); }
  bool snapshot_at(std::uint64_t step) const { return snapshot_.at(step, first_); }
  bool frame_at(std::uint64_t step) const { return draws_ && frame_.at(step, first_); }
  /// False: no pictures, not even at the end of a stage. In space they are made on request.
  bool draws() const { return draws_; }

  /// Numbers of outputs after the start until `last`.
  std::uint64_t rows(std::uint64_t last) const { return row_.count(last, first_); }
  std::uint64_t snapshots(std::uint64_t last) const { return snapshot_.count(last, first_); }
  std::uint64_t frames(std::uint64_t last) const { return draws_ ? frame_.count(last, first_) : 0; }

 private:
  struct Schedule {
    std::uint64_t interval = 1;
    /// Not 0: every interval before this one, then at 2, 4, 8 … times this one.
    std::uint64_t few = 0;
    bool at(std::uint64_t step, std::uint64_t first) const;
    std::uint64_t count(std::uint64_t last, std::uint64_t first) const;
  };
  static Schedule schedule(const Case&, double interval, double dt);

  std::uint64_t first_;
  Every row_;
  Schedule snapshot_, frame_;
  bool draws_;
};

}  // namespace dem
