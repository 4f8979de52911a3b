// Data of the pairs of a tile, from rows to columns: which pairs touch, overlaps, normals. For kernels.cpp.
#pragma once
#include <bit>
#include <cmath>

#include "libdem/contacts/spheres/kernels.hpp"
#include "libdem/platform/lanes.hpp"

namespace dem::sphere_loops {

using namespace lanes;

/// Lanes of the loops: at least four, since rows of four are turned into columns at a time.
template <int lanes>
constexpr int vectors_of(int contacts) {
  return whole_lanes<std::max(lanes, 4)>(contacts);
}

/// The first n bits.
LIBDEM_INLINE std::uint64_t all_of(int n) { return n < 64 ? (std::uint64_t(1) << n) - 1 : ~std::uint64_t(0); }

template <int lanes>
LIBDEM_INLINE std::uint64_t bits_body(const double* values, int count) {
  LaneBits<lanes> set;
  for (int k = 0; k < count; k += lanes) set.add(numbers<lanes>(values + k) != Numbers<lanes>{});
  return set.all() & all_of(count);
}

/// Centre of q − centre of p, and the sum of the radii. The radius, last number of a place, changes its sign first.
LIBDEM_INLINE Four branch_of(const SphereRow& p, const SphereRow& q, const ImageRow& image) {
  constexpr FourBits sign_of_last = {0, 0, 0, std::numeric_limits<long long>::min()};
  return (four(q.place) - reinterpret_cast<Four>(reinterpret_cast<FourBits>(four(p.place)) ^ sign_of_last)) +
         four(image.shift);
}

/// Lists the set bits, eight at a time, and the last one again behind them. Returns how many; `list` has room for 72.
LIBDEM_INLINE int list_bits(std::uint64_t set, std::uint8_t* list) {
  int n = 0;
  for (unsigned first = 0; first < 64; first += 8) {
    const unsigned bits = unsigned(set >> first) & 255u;
    std::uint64_t eight = 0;  // bytes
    std::memcpy(&eight, bits_set[bits].data(), 8);
    eight += 0x0101010101010101 * first;
    std::memcpy(list + n, &eight, 8);
    n += __builtin_popcount(bits);
  }
  if (n > 0) std::memset(list + n, list[n - 1], 8);
  return n;
}

/// Bits of those among the first n pairs in the list that touch.
template <int lanes>
LIBDEM_INLINE std::uint64_t touching_of(const SphereInput& in, const SpherePair* pairs, const std::uint8_t* list,
                                        int n) {
  LaneBits<std::min(lanes, 4)> touch;
  for (int k = 0; k < n; k += 4) {
    const auto branch = [&](int row) {
      const SpherePair& pair = pairs[list[k + row]];
      return branch_of(in.rows[pair.p], in.rows[pair.q], in.images[pair.image]);
    };
    const auto [x, y, z, reach] = transposed({branch(0), branch(1), branch(2), branch(3)});
    touch.add_less(x * x + y * y + z * z, reach * reach);
  }
  return touch.all() & all_of(n);
}

template <int lanes>
LIBDEM_INLINE std::uint64_t find_body(const SphereInput& in, const TileHead& tile, SphereColumns& __restrict c) {
  c.pairs = in.pairs + tile.first_pair;
  list_bits(all_of(int(tile.pairs)), c.lane);
  const std::uint64_t touching = touching_of<lanes>(in, c.pairs, c.lane, int(tile.pairs));
  c.count = list_bits(touching, c.lane);
  return touching;
}

template <int lanes>
LIBDEM_INLINE void gather_body(const SphereInput& in, const TileHead& tile, const SphereChoices& choices,
                               SphereColumns& __restrict c) {
  const int n = vectors_of<lanes>(c.count);
  c.pairs = in.pairs + tile.first_pair;
  // Rows of four contacts are turned into columns while they are in registers.
  const auto gather = [](SphereColumns::Vectors& to, int k, auto&& row, bool whole = true) {
    const auto [x, y, z, more] = transposed({row(0), row(1), row(2), row(3)});
    four(to.x + k) = x;
    four(to.y + k) = y;
    four(to.z + k) = z;
    if (whole) four(to.more + k) = more;
  };
  for (int k = 0; k < n; k += 4) {
    const SphereRow *p[4], *q[4];
    const ImageRow* image[4];
    for (int row = 0; row < 4; ++row) {
      const SpherePair& pair = c.pair(k + row);
      c.ends[k + row] = pair;
      p[row] = in.rows + pair.p;
      q[row] = in.rows + pair.q;
      image[row] = in.images + pair.image;
    }
    gather(c.normal, k, [&](int row) { return branch_of(*p[row], *q[row], *image[row]); });
    gather(c.moved, k, [&](int row) { return (four(q[row]->moved) - four(p[row]->moved)) + four(image[row]->moved); });
    gather(
        c.turn_p, k, [&](int row) { return four(p[row]->turned); }, choices.geometric);
    gather(
        c.turn_q, k, [&](int row) { return four(q[row]->turned); }, choices.geometric);
  }
  if (!choices.own_velocity) return;
  for (int k = 0; k < n; k += 4) {
    const auto pair = [&](int row) -> const SpherePair& { return c.pair(k + row); };
    gather(c.speed, k, [&](int row) {
      return (four(in.velocities[pair(row).q].speed) - four(in.velocities[pair(row).p].speed)) +
             four(in.images[pair(row).image].speed);
    });
    gather(c.spin_p, k, [&](int row) { return four(in.velocities[pair(row).p].spin); });
    gather(c.spin_q, k, [&](int row) { return four(in.velocities[pair(row).q].spin); });
  }
}

/// Writes overlaps and unit normals; true if all touch. A loop of its own: other work need not wait for its roots.
template <int lanes>
LIBDEM_INLINE bool normals_body(SphereColumns& __restrict c) {
  const int n = vectors_of<lanes>(c.count);
  std::uint64_t apart = 0;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const double x = c.normal.x[k], y = c.normal.y[k], z = c.normal.z[k], reach = c.normal.more[k];
    const double square = x * x + y * y + z * z, length = std::sqrt(square), inverse = 1 / length;
    apart += square < reach * reach ? 0 : 1;  // as touching_of() decides
    c.overlap[k] = reach - length;
    c.normal.x[k] = inverse * x;
    c.normal.y[k] = inverse * y;
    c.normal.z[k] = inverse * z;
  }
  return apart == 0;
}

template <int lanes>
LIBDEM_INLINE bool follow_body(const SphereInput& in, const TileHead& tile, const SphereChoices& choices,
                               SphereColumns& c) {
  c.count = list_bits(tile.touching, c.lane);
  gather_body<lanes>(in, tile, choices, c);
  if (!normals_body<lanes>(c)) return false;
  std::uint8_t others[tile_size + 8];
  const int n = list_bits(all_of(int(tile.pairs)) & ~tile.touching, others);
  return touching_of<lanes>(in, c.pairs, others, n) == 0;
}

}  // namespace dem::sphere_loops
