// Loops on several threads. Results must not depend on the distribution of indices: every index writes its own data.
#pragma once
#include <algorithm>
#include <cstddef>
#include <exception>
#include <vector>

namespace dem {

/// f(k) for k = 0 … n − 1, with indices distributed one by one. A single thread runs a plain loop, because a team of
/// one costs as much as the step of two discs. After the loop, rethrows the first exception of f.
template <class F>
void parallel_for(int threads, std::size_t n, F&& f) {
  const auto end = static_cast<std::ptrdiff_t>(n);
  if (threads <= 1 || n <= 1) {
    for (std::ptrdiff_t k = 0; k < end; ++k) f(static_cast<std::size_t>(k));
    return;
  }
  std::exception_ptr failure;  // an exception that leaves the loop of a thread would end the program
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::ptrdiff_t k = 0; k < end; ++k) {
    try {
      f(static_cast<std::size_t>(k));
    } catch (...) {
#pragma omp critical(dem_parallel_failure)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// f(first, last) on parts of 0 … n − 1 that do not depend on the number of threads. Few indices are one part.
template <class F>
void parallel_parts(int threads, std::size_t n, F&& f) {
  constexpr std::size_t part = 1024;
  if (threads <= 1 || n <= part) {
    f(std::size_t{0}, n);
    return;
  }
  parallel_for(threads, (n + part - 1) / part, [&](std::size_t k) { f(k * part, std::min(n, (k + 1) * part)); });
}

/// sum += f(k) for k = 0 … n − 1 in this order: the bits of the plain loop. Only several threads use `scratch`.
template <class T, class F>
void add_in_order(int threads, std::size_t n, std::vector<T>& scratch, T& sum, F&& f) {
  if (threads <= 1) {
    for (std::size_t k = 0; k < n; ++k) sum += f(k);
    return;
  }
  scratch.resize(n);
  parallel_parts(threads, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) scratch[k] = f(k);
  });
  for (std::size_t k = 0; k < n; ++k) sum += scratch[k];
}

}  // namespace dem
