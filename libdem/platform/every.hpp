// When something is due that is not done in every step.
#pragma once
#include <cstdint>

namespace dem {

/// Every so many steps, counted from step 0: a pure function of the step, so that a resumed run acts at the same ones.
struct Every {
  std::uint64_t steps = 1;
  constexpr bool at(std::uint64_t step) const { return step % steps == 0; }
  /// How many there are after step `first` until `last`.
  constexpr std::uint64_t count(std::uint64_t last, std::uint64_t first) const { return last / steps - first / steps; }
};

}  // namespace dem
