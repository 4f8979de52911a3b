// Tools for loops over contacts: several numbers at a time, rows turned into columns and back, bits of lanes. `lanes`
// is the number of doubles per instruction (2, 4, 8). The compiler splits comparisons of longer vectors, which is slow.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

namespace dem::lanes {

#define LIBDEM_INLINE [[gnu::always_inline]] inline

/// `lanes` numbers at a time, and the type of their comparisons.
template <int lanes>
struct LanesOf {
  typedef double Numbers __attribute__((vector_size(8 * lanes), may_alias));
  typedef long long Bits __attribute__((vector_size(8 * lanes), may_alias));
};
template <int lanes>
using Numbers = typename LanesOf<lanes>::Numbers;
template <int lanes>
LIBDEM_INLINE const Numbers<lanes>& numbers(const double* p) {
  return *reinterpret_cast<const Numbers<lanes>*>(p);
}

// Rows of four numbers. The compiler splits them if the instruction set has only shorter vectors.
using Four = Numbers<4>;
using FourBits = LanesOf<4>::Bits;
LIBDEM_INLINE const Four& four(const double* p) { return *reinterpret_cast<const Four*>(p); }
LIBDEM_INLINE Four& four(double* p) { return *reinterpret_cast<Four*>(p); }
template <class Record>
LIBDEM_INLINE const Four& four(const Record& r) {
  static_assert(sizeof(Record) == 32 && alignof(Record) == 32);
  return reinterpret_cast<const Four&>(r);
}

template <class Lanes>
LIBDEM_INLINE Lanes absolute(const Lanes& v) {
  using Bits = typename LanesOf<sizeof(Lanes) / 8>::Bits;
  constexpr long long all_but_sign = std::numeric_limits<long long>::max();
  return reinterpret_cast<Lanes>(reinterpret_cast<Bits>(v) & all_but_sign);
}
LIBDEM_INLINE Four positive_part(const Four& v) { return v > 0 ? v : Four{}; }

/// Rows turned into columns, or back. The compiler by itself would need one move or two instructions per number.
struct FourRows {
  Four a, b, c, d;
};
LIBDEM_INLINE FourRows transposed(const FourRows& m) {
  const Four ab_02 = __builtin_shufflevector(m.a, m.b, 0, 4, 2, 6),
             ab_13 = __builtin_shufflevector(m.a, m.b, 1, 5, 3, 7);
  const Four cd_02 = __builtin_shufflevector(m.c, m.d, 0, 4, 2, 6),
             cd_13 = __builtin_shufflevector(m.c, m.d, 1, 5, 3, 7);
  return {__builtin_shufflevector(ab_02, cd_02, 0, 1, 4, 5), __builtin_shufflevector(ab_13, cd_13, 0, 1, 4, 5),
          __builtin_shufflevector(ab_02, cd_02, 2, 3, 6, 7), __builtin_shufflevector(ab_13, cd_13, 2, 3, 6, 7)};
}

/// Bits of lanes, collected part by part and packed at the end.
template <int lanes>
struct LaneBits {
  using Bits = typename LanesOf<lanes>::Bits;
  Bits bits = {}, next;
  LIBDEM_INLINE LaneBits() {
    for (int lane = 0; lane < lanes; ++lane) next[lane] = 1LL << lane;
  }
  LIBDEM_INLINE void add(const Bits& set) {  // all bits or none, as comparisons give them
    bits |= set & next;
    next <<= lanes;
  }
  LIBDEM_INLINE void add_less(const Four& a, const Four& b) {
    if constexpr (lanes == 4) {
      add(a < b);
    } else {
      add(__builtin_shufflevector(a, a, 0, 1) < __builtin_shufflevector(b, b, 0, 1));
      add(__builtin_shufflevector(a, a, 2, 3) < __builtin_shufflevector(b, b, 2, 3));
    }
  }
  LIBDEM_INLINE std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (int lane = 0; lane < lanes; ++lane) sum |= std::uint64_t(bits[lane]);
    return sum;
  }
};

/// The first n lanes of `v`, at least one; zero in the others.
template <class Lanes>
LIBDEM_INLINE Lanes first_lanes(const Lanes& v, int n) {
  constexpr int lanes = sizeof(Lanes) / 8;
  using Bits = typename LanesOf<lanes>::Bits;
  alignas(64) static constexpr long long masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
  Bits mask;
  std::memcpy(&mask, masks + (8 - std::min(n, lanes)), sizeof mask);
  return reinterpret_cast<Lanes>(reinterpret_cast<Bits>(v) & mask);
}
/// Lane n first, the lanes before it last.
LIBDEM_INLINE Four rotated_lanes(const Four& v, int n) {
  alignas(64) double twice[8];
  four(twice) = four(twice + 4) = v;
  Four out;
  std::memcpy(&out, twice + n, sizeof out);
  return out;
}

/// The set bits of each 8-bit number, in their order.
inline constexpr std::array<std::array<std::uint8_t, 8>, 256> bits_set = [] {
  std::array<std::array<std::uint8_t, 8>, 256> all{};
  for (unsigned bits = 0; bits < 256; ++bits)
    for (unsigned bit = 0, at = 0; bit < 8; ++bit)
      if (bits >> bit & 1u) all[bits][at++] = std::uint8_t(bit);
  return all;
}();

}  // namespace dem::lanes
