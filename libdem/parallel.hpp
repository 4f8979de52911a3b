// Loops on several threads. What a loop computes may not depend on which thread does which index: every index writes its own data.
#pragma once
#include <cstddef>

namespace dem {

/// f(k) for k = 0 … n − 1, indices handed out one by one. A single thread runs a plain loop: opening a team of one costs as much
/// as the step of two discs.
template <class F>
void parallel_for(int threads, std::size_t n, F&& f) {
  const auto end = static_cast<std::ptrdiff_t>(n);
  if (threads <= 1 || n <= 1) {
    for (std::ptrdiff_t k = 0; k < end; ++k) f(static_cast<std::size_t>(k));
    return;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::ptrdiff_t k = 0; k < end; ++k) f(static_cast<std::size_t>(k));
}

}  // namespace dem
