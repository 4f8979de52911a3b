// Schedule of actions that are not due in every step.
#pragma once
#include <cstdint>

namespace dem {

/// Every so many steps from step 0. A pure function of the step, so a resumed run acts at the same steps.
struct Every {
  std::uint64_t steps = 1;
  constexpr bool at(std::uint64_t step) const { return step % steps == 0; }
  /// Number of due steps after `first` up to `last`.
  constexpr std::uint64_t count(std::uint64_t last, std::uint64_t first) const { return last / steps - first / steps; }
};

}  // namespace dem
