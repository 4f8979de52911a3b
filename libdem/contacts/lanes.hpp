// What the loops over contacts share: four or eight numbers at a time, rows turned into columns and back, bits of lanes.
#pragma once
#include <array>
#include <cstdint>

namespace dem::lanes {

#define LIBDEM_INLINE [[gnu::always_inline]] inline

// Four numbers at a time; what the instruction set cannot do at once the compiler splits.
typedef double Four __attribute__((vector_size(32), may_alias));
typedef long long FourBits __attribute__((vector_size(32)));
typedef double Eight __attribute__((vector_size(64), may_alias));
typedef long long EightBits __attribute__((vector_size(64)));
LIBDEM_INLINE const Eight& eight(const double* p) { return *reinterpret_cast<const Eight*>(p); }
LIBDEM_INLINE const Four& four(const double* p) { return *reinterpret_cast<const Four*>(p); }
LIBDEM_INLINE Four& four(double* p) { return *reinterpret_cast<Four*>(p); }
template <class Record>
LIBDEM_INLINE const Four& four(const Record& r) {
  static_assert(sizeof(Record) == 32 && alignof(Record) == 32);
  return reinterpret_cast<const Four&>(r);
}

/// Rows (x, y, z, 0) of four lanes from their columns; the compiler by itself would store the numbers one by one.
LIBDEM_INLINE void store_rows(double (*rows)[4], const double* x, const double* y, const double* z) {
  const Four a = reinterpret_cast<const Four&>(*x), b = reinterpret_cast<const Four&>(*y), c = reinterpret_cast<const Four&>(*z), zero = {};
  const Four low = __builtin_shufflevector(a, b, 0, 4, 2, 6), high = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Four low_z = __builtin_shufflevector(c, zero, 0, 4, 2, 6), high_z = __builtin_shufflevector(c, zero, 1, 5, 3, 7);
  four(rows[0]) = __builtin_shufflevector(low, low_z, 0, 1, 4, 5);
  four(rows[1]) = __builtin_shufflevector(high, high_z, 0, 1, 4, 5);
  four(rows[2]) = __builtin_shufflevector(low, low_z, 2, 3, 6, 7);
  four(rows[3]) = __builtin_shufflevector(high, high_z, 2, 3, 6, 7);
}

struct EightRows {
  Eight x, y, z, more;
};
/// Columns of eight rows. `wide`: where an instruction may pick any eight numbers of sixteen.
template <bool wide>
LIBDEM_INLINE EightRows columns_of(const double (*rows)[4]) {
  if constexpr (wide) {
    const Eight a = eight(rows[0]), b = eight(rows[2]), c = eight(rows[4]), d = eight(rows[6]);
    const Eight xz = __builtin_shufflevector(a, b, 0, 4, 8, 12, 2, 6, 10, 14), more_xz = __builtin_shufflevector(c, d, 0, 4, 8, 12, 2, 6, 10, 14);
    const Eight yw = __builtin_shufflevector(a, b, 1, 5, 9, 13, 3, 7, 11, 15), more_yw = __builtin_shufflevector(c, d, 1, 5, 9, 13, 3, 7, 11, 15);
    EightRows out;
    out.x = __builtin_shufflevector(xz, more_xz, 0, 1, 2, 3, 8, 9, 10, 11);
    out.y = __builtin_shufflevector(yw, more_yw, 0, 1, 2, 3, 8, 9, 10, 11);
    out.z = __builtin_shufflevector(xz, more_xz, 4, 5, 6, 7, 12, 13, 14, 15);
    out.more = __builtin_shufflevector(yw, more_yw, 4, 5, 6, 7, 12, 13, 14, 15);
    return out;
  } else {
    Four half[2][4];
    for (int h = 0; h < 2; ++h) {
      const Four a = four(rows[4 * h]), b = four(rows[4 * h + 1]), c = four(rows[4 * h + 2]), d = four(rows[4 * h + 3]);
      const Four xz = __builtin_shufflevector(a, b, 0, 4, 2, 6), yw = __builtin_shufflevector(a, b, 1, 5, 3, 7);
      const Four more_xz = __builtin_shufflevector(c, d, 0, 4, 2, 6), more_yw = __builtin_shufflevector(c, d, 1, 5, 3, 7);
      half[h][0] = __builtin_shufflevector(xz, more_xz, 0, 1, 4, 5);
      half[h][1] = __builtin_shufflevector(yw, more_yw, 0, 1, 4, 5);
      half[h][2] = __builtin_shufflevector(xz, more_xz, 2, 3, 6, 7);
      half[h][3] = __builtin_shufflevector(yw, more_yw, 2, 3, 6, 7);
    }
    EightRows out;
    out.x = __builtin_shufflevector(half[0][0], half[1][0], 0, 1, 2, 3, 4, 5, 6, 7);
    out.y = __builtin_shufflevector(half[0][1], half[1][1], 0, 1, 2, 3, 4, 5, 6, 7);
    out.z = __builtin_shufflevector(half[0][2], half[1][2], 0, 1, 2, 3, 4, 5, 6, 7);
    out.more = __builtin_shufflevector(half[0][3], half[1][3], 0, 1, 2, 3, 4, 5, 6, 7);
    return out;
  }
}

/// Bits of eight lanes after eight lanes, all at once in the end.
struct LaneBits {
  EightBits bits = {}, next = {1, 2, 4, 8, 16, 32, 64, 128};
  LIBDEM_INLINE void add(const EightBits& set) {  // all bits or none, as comparisons say it
    bits |= set & next;
    next <<= 8;
  }
  LIBDEM_INLINE std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (int lane = 0; lane < 8; ++lane) sum |= std::uint64_t(bits[lane]);
    return sum;
  }
};

/// For eight bits: which of them are set, a byte each, in their order.
inline constexpr std::array<std::uint64_t, 256> bits_set = [] {
  std::array<std::uint64_t, 256> all{};
  for (unsigned bits = 0; bits < 256; ++bits)
    for (unsigned bit = 0, at = 0; bit < 8; ++bit)
      if (bits >> bit & 1u) all[bits] |= std::uint64_t(bit) << (8 * at++);
  return all;
}();

}  // namespace dem::lanes
