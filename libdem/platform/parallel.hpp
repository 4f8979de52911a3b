// Loops on several threads. Results must not depend on the distribution of indices: every index writes its own data.
//
// A thread gets the same contiguous share of a loop in every step. So the data of its indices stay in the caches of its
// core.
#pragma once
#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "libdem/platform/hand_over.hpp"
#include "libdem/platform/team.hpp"

namespace dem {

/// The first index of each share, from 0 upwards. Without any, each thread has an equal share.
using ShareBegins = std::span<const std::size_t>;

/// The first index of share t of n indices. Share t ends where share t + 1 begins.
constexpr std::size_t share_begin(std::size_t n, int shares, int t, ShareBegins begins = {}) {
  if (t == shares) return n;
  return begins.empty() ? n * std::size_t(t) / std::size_t(shares) : begins[std::size_t(t)];
}

/// Shares of about equal cost, none of them empty. There are as many as threads, but not more than indices.
inline std::vector<std::size_t> shares_of_cost(int threads, std::span<const std::size_t> costs) {
  const std::size_t n = costs.size(), shares = std::min(std::size_t(std::max(threads, 1)), n);
  const std::size_t all = std::reduce(costs.begin(), costs.end());
  std::vector<std::size_t> begins;
  std::size_t k = 0, before = 0;  // cost of the indices before k
  for (std::size_t t = 0; t < shares; ++t) {
    const double wanted = double(all) * double(t) / double(shares);
    // An index goes to the share that holds more of it. Each later share needs an index, too.
    const std::size_t least = begins.empty() ? 0 : begins.back() + 1, most = n - (shares - t);
    while (k < most && (k < least || double(before) + 0.5 * double(costs[k]) < wanted)) before += costs[k++];
    begins.push_back(k);
  }
  return begins;
}

/// f(first, last) for one contiguous share of 0 … n − 1 per thread, or f(first, last, thread). A single thread calls it
/// directly, because a team costs as much as the step of two discs. After the loop, rethrows the first exception of f.
template <class F>
void parallel_shares(int threads, std::size_t n, F&& f, ShareBegins begins = {}) {
  const auto call = [](auto& work, std::size_t first, std::size_t last, [[maybe_unused]] int thread) {
    if constexpr (std::is_invocable_v<decltype(work), std::size_t, std::size_t, int>)
      work(first, last, thread);
    else
      work(first, last);
  };
  if (threads <= 1 || n <= 1 || begins.size() == 1) {
    call(f, 0, n, 0);
    return;
  }
  struct Loop {
    std::remove_reference_t<F>& f;
    std::size_t n;
    int shares;
    ShareBegins begins;
    std::exception_ptr failure{};  // an exception that leaves a thread would end the program
    std::mutex failing{};
  } loop{f, n, int(begins.empty() ? std::min(std::size_t(threads), n) : begins.size()), begins};
  run_in_team(loop.shares, {[](void* what, int t) {
                              auto& l = *static_cast<Loop*>(what);
                              try {
                                const auto begin = [&l](int share) {
                                  return share_begin(l.n, l.shares, share, l.begins);
                                };
                                decltype(call){}(l.f, begin(t), begin(t + 1), t);
                                finish_hand_over();
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
void parallel_for(int threads, std::size_t n, F&& f, ShareBegins begins = {}) {
  parallel_shares(
      threads, n,
      [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k) f(k);
      },
      begins);
}

/// Bodies of a part: a share of bodies is made of whole parts.
inline constexpr std::size_t bodies_per_part = 256;

/// f(first, last) on contiguous shares of 0 … n − 1 made of whole parts. Few indices are one share. `begins` has the
/// first part of each share.
template <class F>
void parallel_parts(int threads, std::size_t n, F&& f, ShareBegins begins = {}) {
  parallel_shares(
      threads, (n + bodies_per_part - 1) / bodies_per_part,
      [&](std::size_t first, std::size_t last) { f(first * bodies_per_part, std::min(n, last * bodies_per_part)); },
      begins);
}

/// f(first, last) for one contiguous share of 0 … n − 1 per thread, one share after another. So a sum has the bits of
/// the plain loop, and each thread reads data that lie in the caches of its core.
template <class F>
void shares_in_turn(int threads, std::size_t n, F&& f, ShareBegins begins = {}) {
  Turns turns(threads);
  parallel_shares(
      threads, n,
      [&](std::size_t first, std::size_t last, int thread) {
        const Turns::Turn turn(turns, thread);
        turn.begin();
        f(first, last);
      },
      begins);
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
