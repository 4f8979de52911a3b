// Data that one thread writes and another one reads, step after step.
#pragma once
#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace dem {

/// Sets `to` past the caches: the writer need not take its lines back from the core that read them in the step before.
/// That pays between cores without a common cache. Other threads may read it after finish_hand_over(), which each
/// thread of a loop of parallel.hpp calls at its end.
template <class T>
inline void hand_over(T& to, const T& from) {
#if defined(__x86_64__)
  static_assert(sizeof(T) % sizeof(long long) == 0);
  auto* const at = reinterpret_cast<long long*>(&to);
  for (std::size_t k = 0; k < sizeof(T) / sizeof(long long); ++k) {
    long long word = 0;
    std::memcpy(&word, reinterpret_cast<const char*>(&from) + k * sizeof word, sizeof word);
    _mm_stream_si64(at + k, word);
  }
#else
  to = from;
#endif
}

inline void finish_hand_over() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace dem
