// The threads of a run share the search for pairs of geometry/broad_phase.hpp.
#pragma once
#include "geometry/broad_phase.hpp"
#include "libdem/platform/parallel.hpp"

namespace dem {

inline geometry::WorkSharing work_sharing(int threads) {
  if (threads <= 1) return {};
  return {threads, [threads](std::size_t n, const auto& work) { parallel_shares(threads, n, work); }};
}

}  // namespace dem
