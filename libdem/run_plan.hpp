// How long a run will take and when it is looked at, as far as its case tells.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "libdem/case.hpp"

namespace dem {

/// Time that a stage is known to take (s): by duration, strain or cycles, the first of them; infinite where it ends by
/// a target or by rest alone.
double planned_time(const Stage&);
/// The end of a stage that takes it beyond bounds::most_steps of this size (s): its key, and the time it takes (s).
struct LongEnd {
  const char* key;
  double time;
};
std::optional<LongEnd> too_long(const Stage&, double step);
/// Of the stages from `first` on; those of which nobody knows count as 0.
double planned_time(const Case&, std::size_t first = 0);

/// "stage 2 'shear'", the second of the case.
std::string stage_label(const Case&, std::size_t stage);
/// The ends that a stage names beside its duration, by their keys; empty: none.
std::string goals_of(const Stage&);

/// Steps between two rows of a series or the like: a pure function of the case, so that a resumed run writes at the
/// same steps. `interval`: s; 0: `parts` over the planned time, or every 1000 steps.
std::uint64_t interval_steps(double interval, double planned, double parts, double dt);

}  // namespace dem
