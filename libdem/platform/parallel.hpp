// Loops on several threads. Results must not depend on the distribution of indices: every index writes its own data.
//
// A thread gets the same contiguous share of a loop in every step. So the data of its indices stay in the caches of its
// core.
#pragma once
#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <type_traits>
#include <vector>

#include "libdem/platform/team.hpp"

namespace dem {

/// The first index of share t, if n indices are divided into equal shares. Share t ends where share t + 1 begins.
constexpr std::size_t share_begin(std::size_t n, int shares, int t) { return n * std::size_t(t) / std::size_t(shares); }

/// f(first, last) for one contiguous share of 0 … n − 1 per thread. A single thread calls it directly, because a team
/// costs as much as the step of two discs. After the loop, rethrows the first exception of f.
template <class F>
void parallel_shares(int threads, std::size_t n, F&& f) {
  if (threads <= 1 || n <= 1) {
    f(std::size_t{0}, n);
    return;
  }
  struct Loop {
    std::remove_reference_t<F>& f;
    std::size_t n;
    int shares;
    std::exception_ptr failure{};  // an exception that leaves a thread would end the program
    std::mutex failing{};
  } loop{f, n, int(std::min(std::size_t(threads), n))};
  run_in_team(loop.shares, {[](void* what, int t) {
                              auto& l = *static_cast<Loop*>(what);
                              try {
                                l.f(share_begin(l.n, l.shares, t), share_begin(l.n, l.shares, t + 1));
                              } catch (...) {
                                const std::lock_guard lock(l.failing);
                                if (!l.failure) l.failure = std::current_exception();
                              }
                            },
                            &loop});
  if (loop.failure) std::rethrow_exception(loop.failure);
}

/// f(k) for k = 0 … n − 1. With several threads an exception of one index leaves the others undone that follow it in
/// its share.
template <class F>
void parallel_for(int threads, std::size_t n, F&& f) {
  parallel_shares(threads, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) f(k);
  });
}

/// Bodies of a part: a share of bodies is made of whole parts.
inline constexpr std::size_t bodies_per_part = 512;

/// f(first, last) on contiguous shares of 0 … n − 1 made of whole parts. Few indices are one share.
template <class F>
void parallel_parts(int threads, std::size_t n, F&& f) {
  parallel_shares(threads, (n + bodies_per_part - 1) / bodies_per_part, [&](std::size_t first, std::size_t last) {
    f(first * bodies_per_part, std::min(n, last * bodies_per_part));
  });
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
