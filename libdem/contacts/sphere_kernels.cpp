#include "libdem/contacts/sphere_kernels.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/contacts/lanes.hpp"

namespace dem {

namespace {

using namespace lanes;

LIBDEM_INLINE std::uint64_t bits_body(const double* values, int count) {
  LaneBits set;
  for (int k = 0; k < count; k += 8) set.add(eight(values + k) != Eight{});
  return count < 64 ? set.all() & ((std::uint64_t(1) << count) - 1) : set.all();
}

/// Centre of q − centre of p, and the sum of the radii: the last number of a place is the radius, whose sign is turned before the difference.
LIBDEM_INLINE void branch_of(const SphereInput& in, const SpherePair& pair, double* row) {
  constexpr FourBits sign_of_last = {0, 0, 0, std::numeric_limits<long long>::min()};
  const Four p = reinterpret_cast<Four>(reinterpret_cast<FourBits>(four(in.rows[pair.p].place)) ^ sign_of_last);
  four(row) = (four(in.rows[pair.q].place) - p) + four(in.images[pair.image].shift);
}

/// Which of the first n rows of pair_branch touch.
template <bool wide>
LIBDEM_INLINE std::uint64_t touching_rows(SphereColumns& c, int n) {
  for (int k = n; k < whole_lanes(n); ++k) four(c.pair_branch[k]) = Four{};  // touch nothing
  LaneBits touch;
  for (int first = 0; first < n; first += 8) {
    const auto [x, y, z, reach] = columns_of<wide>(c.pair_branch + first);
    touch.add(x * x + y * y + z * z < reach * reach);
  }
  return touch.all();
}

/// Their numbers within the tile; the last again for lanes behind them.
LIBDEM_INLINE void list_lanes(std::uint64_t touching, SphereColumns& c) {
  int n = 0;
  for (unsigned first = 0; first < 64; first += 8) {
    const unsigned bits = unsigned(touching >> first) & 255u;
    for (int k = 0; k < 8; ++k) c.lane[n + k] = std::uint8_t((bits_set[bits] >> (8 * k)) + first);
    n += __builtin_popcount(bits);
  }
  c.count = n;
  for (int k = n; n > 0 && k < whole_lanes(n); ++k) c.lane[k] = c.lane[n - 1];
}

template <bool wide>
LIBDEM_INLINE std::uint64_t find_body(const SphereInput& in, const TileHead& tile, SphereColumns& __restrict c) {
  const int pairs = int(tile.pairs);
  c.pairs = in.pairs + tile.first_pair;
  for (int k = 0; k < pairs; ++k) branch_of(in, c.pairs[k], c.pair_branch[k]);
  const std::uint64_t touching = touching_rows<wide>(c, pairs);
  list_lanes(touching, c);
  return touching;
}

LIBDEM_INLINE void gather_body(const SphereInput& in, const TileHead& tile, const SphereChoices& choices, SphereColumns& __restrict c) {
  const int lanes = whole_lanes(c.count);
  const SpherePair* const pairs = in.pairs + tile.first_pair;
  c.pairs = pairs;
  for (int k = 0; k < lanes; ++k) {
    const SpherePair& pair = pairs[c.lane[k]];
    const SphereRow &p = in.rows[pair.p], &q = in.rows[pair.q];
    c.ends[k] = pair;
    branch_of(in, pair, c.branch[k]);
    four(c.moved[k]) = (four(q.moved) - four(p.moved)) + four(in.images[pair.image].moved);
    four(c.turn_p[k]) = four(p.turned);
    four(c.turn_q[k]) = four(q.turned);
  }
  if (!choices.own_velocity) return;
  for (int k = 0; k < lanes; ++k) {
    const SpherePair& pair = pairs[c.lane[k]];
    const SphereVelocity &p = in.velocities[pair.p], &q = in.velocities[pair.q];
    four(c.speed[k]) = (four(q.speed) - four(p.speed)) + four(in.images[pair.image].speed);
    four(c.spin_p[k]) = four(p.spin);
    four(c.spin_q[k]) = four(q.spin);
  }
}

/// tan(x)/x of x² by the series of tan_over_argument().
LIBDEM_INLINE double tan_series(double x) {
  return 1 + x * (1.0 / 3 + x * (2.0 / 15 + x * (17.0 / 315 + x * (62.0 / 2835))));
}

/// By itself, so that the rest of many contacts need not wait for roots and quotients. Loops here read whole rows: where one reads the last
/// number of a row alone, the compiler leaves its last vector of contacts to scalar code.
/// Whether all of them touch comes back.
LIBDEM_INLINE bool normals_body(SphereColumns& __restrict c) {
  const int n = whole_lanes(c.count);
  std::uint64_t apart = 0;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const double x = c.branch[k][0], y = c.branch[k][1], z = c.branch[k][2];
    const double square = x * x + y * y + z * z, length = std::sqrt(square), inverse = 1 / length, reach = c.branch[k][3];
    apart += square < reach * reach ? 0 : 1;  // as find_body() decides
    c.overlap[k] = reach - length;
    c.reach[k] = reach;
    c.normal_x[k] = inverse * x;
    c.normal_y[k] = inverse * y;
    c.normal_z[k] = inverse * z;
  }
  return apart == 0;
}

template <bool wide>
LIBDEM_INLINE bool follow_body(const SphereInput& in, const TileHead& tile, const SphereChoices& choices, SphereColumns& c) {
  list_lanes(tile.touching, c);
  gather_body(in, tile, choices, c);
  if (!normals_body(c)) return false;
  int n = 0;
  const std::uint64_t all = tile.pairs < 64 ? (std::uint64_t(1) << tile.pairs) - 1 : ~std::uint64_t(0);
  for (std::uint64_t left = all & ~tile.touching; left != 0; left &= left - 1)
    branch_of(in, c.pairs[__builtin_ctzll(left)], c.pair_branch[n++]);
  return touching_rows<wide>(c, n) == 0;
}

/// laws::Hertz in columns. Of a contact that is lost the end is a gap: no force.
template <bool walls>
LIBDEM_INLINE void hertz_with(const SphereTile& of, SphereColumns& __restrict c, laws::Block& __restrict b) {
  const int n = whole_lanes(c.count);
  const SphereTile tile = of;
  const double* const damping = c.damping;
  const bool by_radius = c.damping_by_radius;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const double reach = c.reach[k], longer = c.moved[k][3], modulus = b.modulus[k];
    const double radius = walls ? 2 * reach : (reach - longer) * (reach + longer) / (2 * reach);
    const double start = 0.5 * tile.overlap[k], end = 0.5 * c.overlap[k], z0 = start > 0 ? start : 0, z1 = end > 0 ? end : 0;
    const double contact_radius = std::sqrt(radius * z1), root = modulus * contact_radius;
    c.elastic_start[k] = modulus * std::sqrt(radius * z0) * z0;
    c.elastic_end[k] = root * z1;
    b.indentation[k] = end;
    b.radius[k] = radius;
    const double by_stiffness = std::sqrt(0.75 * root);
    c.hertz_damping[k] = damping[k] * (by_radius ? contact_radius : by_stiffness);
  }
  if (c.damping_by_stiffness || by_radius) c.damping = c.hertz_damping;
}

LIBDEM_INLINE void hertz_body(const SphereTile& tile, SphereColumns& c, laws::Block& b) {
  if (c.walls) hertz_with<true>(tile, c, b);
  else hertz_with<false>(tile, c, b);
}

/// Contacts whose normal turned over, and those whose twist is beyond the series.
struct Exceptions {
  std::uint64_t over = 0, large = 0;
};

/// `half_tangent`: tan(φ/2) of the twists; null: by the series.
template <bool geometric, bool own_velocity, bool given_twist, bool hertzian>
LIBDEM_INLINE Exceptions move_columns(const SphereChoices& choices, const SphereTile& of, SphereColumns& __restrict c,
                                      laws::Block& __restrict b, const double* __restrict half_tangent) {
  const int n = whole_lanes(c.count);
  const SphereTile tile = of;  // a copy that no store can change
  const double* const damping = c.damping;
  const bool clip = choices.clip_tension;
  const double arm_overlap = choices.arm_overlap;
  // Of twice the mean turn: halves are exact.
  const double per_dt = choices.per_dt, of_length = choices.exact_twist ? 0.0625 : 0, of_half = choices.exact_twist ? 0 : 1;
  const double tangential_share = c.tangential_share, more_tangential = c.more_tangential;
  std::uint64_t over = 0, large = 0;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const double overlap = c.overlap[k];
    const Vec3 n1{c.normal_x[k], c.normal_y[k], c.normal_z[k]}, n0{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]};
    const Vec3 old{tile.direction_x[k], tile.direction_y[k], tile.direction_z[k]};
    // Frame: swing (reference §3); what rounding left of v·n1 and |v| − 1 is taken out (contact_frame.hpp); twist. The swing does not wait for
    // the tangent of the twist.
    const Vec3 sum = n0 + n1;
    const double share = 1 + dot(n0, n1), swing = 1 / share;
    over += share >= 1e-6 ? 0 : 1;
    Vec3 v = old - (dot(old, n1) * swing) * sum;
    v -= dot(v, n1) * n1;
    const double to_unit = 1.5 - 0.5 * dot(v, v);
    const Vec3 w{c.turn_p[k][0] + c.turn_q[k][0], c.turn_p[k][1] + c.turn_q[k][1], c.turn_p[k][2] + c.turn_q[k][2]};
    const double half = 0.25 * dot(w, n1), argument = of_length * dot(w, w) + of_half * (half * half);
    large += argument < 1e-3 ? 0 : 1;
    const double t = given_twist ? half_tangent[k] : half * tan_series(argument), square = t * t;
    const double scale = to_unit * (1 / (1 + square));
    const Vec3 e1 = ((1 - square) * scale) * v + ((t + t) * scale) * cross(n1, v), e2 = cross(n1, e1);
    c.direction_x[k] = e1.x;
    c.direction_y[k] = e1.y;
    c.direction_z[k] = e1.z;

    const double reach = c.reach[k], longer = c.moved[k][3], shorter = arm_overlap * overlap;
    const double arm_p = 0.5 * (reach - longer) - shorter, arm_q = 0.5 * (reach + longer) - shorter;
    c.arm_p[k] = arm_p;
    c.arm_q[k] = arm_q;
    const Vec3 turn_p{c.turn_p[k][0], c.turn_p[k][1], c.turn_p[k][2]}, turn_q{c.turn_q[k][0], c.turn_q[k][1], c.turn_q[k][2]};
    const Vec3 moved{c.moved[k][0], c.moved[k][1], c.moved[k][2]};
    Vec3 speed;  // relative velocity at the contact point, times Δt
    if constexpr (geometric) {
      const double closer = arm_overlap * (overlap - tile.overlap[k]);
      const Vec3 at_p = 0.5 * ((arm_p + closer) * n0 + arm_p * n1), at_q = -0.5 * ((arm_q + closer) * n0 + arm_q * n1);
      const Vec3 movement = moved + c.turn_q[k][3] * cross(turn_q, at_q) - c.turn_p[k][3] * cross(turn_p, at_p);
      // Components in the frame of mid-step.
      const Vec3 middle = (1 / std::sqrt(dot(sum, sum))) * sum;
      const double cosine = 1 / std::sqrt(1 + t * t), sine = t * cosine;
      const Vec3 untwisted = cosine * e1 - sine * e2;
      const Vec3 m1 = untwisted - (dot(untwisted, middle) / (1 + dot(n1, middle))) * (n1 + middle), m2 = cross(middle, m1);
      speed = movement;
      b.shift_1[k] = dot(movement, m1);
      b.shift_2[k] = dot(movement, m2);
    } else {
      speed = moved - cross(arm_p * turn_p + arm_q * turn_q, n1);
      b.shift_1[k] = dot(speed, e1);
      b.shift_2[k] = dot(speed, e2);
    }
    if constexpr (own_velocity) {
      const Vec3 spin_p{c.spin_p[k][0], c.spin_p[k][1], c.spin_p[k][2]}, spin_q{c.spin_q[k][0], c.spin_q[k][1], c.spin_q[k][2]};
      speed = Vec3{c.speed[k][0], c.speed[k][1], c.speed[k][2]} - cross(arm_p * spin_p + arm_q * spin_q, n1);
    }
    double viscous = 0;
    if constexpr (own_velocity || !geometric) {
      b.velocity_1[k] = per_dt * dot(speed, e1);
      b.velocity_2[k] = per_dt * dot(speed, e2);
      viscous = -damping[k] * (per_dt * dot(speed, n1));
    } else {
      b.velocity_1[k] = per_dt * b.shift_1[k];
      b.velocity_2[k] = per_dt * b.shift_2[k];
      viscous = -damping[k] * (per_dt * (0.5 * dot(speed, sum)));
    }
    const double before = tile.overlap[k];
    double elastic = 0;
    if constexpr (hertzian) {
      elastic = c.elastic_end[k];
      b.normal_start[k] = c.elastic_start[k];
    } else {
      elastic = c.stiffness[k] * overlap;
      b.normal_start[k] = c.stiffness[k] * (before > 0 ? before : 0);
    }
    b.normal_end[k] = elastic;
    b.normal_viscous[k] = clip && viscous < -elastic ? -elastic : viscous;
    c.damped_n[k] = before - overlap;
    b.damping[k] = tangential_share * damping[k] + more_tangential;
  }
  return {over, large};
}

template <bool geometric, bool own_velocity, bool hertzian>
LIBDEM_INLINE void move_with(const SphereChoices& choices, const SphereTile& tile, SphereColumns& c, laws::Block& b) {
  auto [over, large] = move_columns<geometric, own_velocity, false, hertzian>(choices, tile, c, b, nullptr);
  if (large != 0) {  // the library's tangent
    alignas(64) double half_tangent[tile_size];
    for (int k = 0; k < c.count; ++k)
      half_tangent[k] = twist_half_tangent(0.5 * (c.vector(c.turn_p, k) + c.vector(c.turn_q, k)), {c.normal_x[k], c.normal_y[k], c.normal_z[k]},
                                           choices.exact_twist);
    over = move_columns<geometric, own_velocity, true, hertzian>(choices, tile, c, b, half_tangent).over;
  }
  if (over == 0) return;
  for (int k = 0; k < c.count; ++k) {
    const Vec3 n1{c.normal_x[k], c.normal_y[k], c.normal_z[k]}, n0{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]};
    if (!turned_over(n0, n1)) continue;
    const Vec3 e1 = any_direction(n1);
    c.direction_x[k] = e1.x;
    c.direction_y[k] = e1.y;
    c.direction_z[k] = e1.z;
    b.shift_1[k] = b.shift_2[k] = b.velocity_1[k] = b.velocity_2[k] = 0;
  }
}

template <bool hertzian>
LIBDEM_INLINE void move_as_chosen(const SphereChoices& choices, const SphereTile& tile, SphereColumns& c, laws::Block& b) {
  if (choices.geometric) {
    if (choices.own_velocity) move_with<true, true, hertzian>(choices, tile, c, b);
    else move_with<true, false, hertzian>(choices, tile, c, b);
  } else {
    if (choices.own_velocity) move_with<false, true, hertzian>(choices, tile, c, b);
    else move_with<false, false, hertzian>(choices, tile, c, b);
  }
}

LIBDEM_INLINE void move_body(const SphereChoices& choices, const SphereTile& tile, SphereColumns& c, laws::Block& b) {
  b.count = c.count;
  b.lanes = whole_lanes(c.count);
  if (c.hertzian) move_as_chosen<true>(choices, tile, c, b);
  else move_as_chosen<false>(choices, tile, c, b);
}

template <bool seen>
LIBDEM_INLINE void force_with(const laws::Block& __restrict b, const SphereTile& of, SphereColumns& __restrict c) {
  const int n = whole_lanes(c.count);
  const SphereTile tile = of;
  alignas(64) SphereColumns::Column force_x, force_y, force_z, couple_x, couple_y, couple_z;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const Vec3 n1{c.normal_x[k], c.normal_y[k], c.normal_z[k]}, e1{c.direction_x[k], c.direction_y[k], c.direction_z[k]};
    const Vec3 e2 = cross(n1, e1);
    const double normal = b.normal_end[k] + b.normal_viscous[k], f1 = b.elastic_1[k] + b.viscous_1[k], f2 = b.elastic_2[k] + b.viscous_2[k];
    tile.normal_x[k] = n1.x;
    tile.normal_y[k] = n1.y;
    tile.normal_z[k] = n1.z;
    tile.direction_x[k] = e1.x;
    tile.direction_y[k] = e1.y;
    tile.direction_z[k] = e1.z;
    tile.overlap[k] = c.overlap[k];
    if constexpr (seen) {
      tile.force_n[k] = normal;
      tile.force_1[k] = f1;
      tile.force_2[k] = f2;
      tile.stored[k] = b.stored[k];
    }
    force_x[k] = normal * n1.x + (f1 * e1.x + f2 * e2.x);
    force_y[k] = normal * n1.y + (f1 * e1.y + f2 * e2.y);
    force_z[k] = normal * n1.z + (f1 * e1.z + f2 * e2.z);
    couple_x[k] = f1 * e2.x - f2 * e1.x;  // n × e1 = e2, n × e2 = −e1
    couple_y[k] = f1 * e2.y - f2 * e1.y;
    couple_z[k] = f1 * e2.z - f2 * e1.z;
  }
  for (int k = 0; k < n; k += 4) {
    store_rows(c.force + k, force_x + k, force_y + k, force_z + k);
    store_rows(c.couple + k, couple_x + k, couple_y + k, couple_z + k);
  }
}

LIBDEM_INLINE void force_body(const laws::Block& b, const SphereTile& tile, SphereColumns& c) {
  if (tile.force_n) force_with<true>(b, tile, c);
  else force_with<false>(b, tile, c);
}

LIBDEM_INLINE void book_body(const laws::Block& __restrict b, const SphereTile& of, SphereColumns& __restrict c) {
  const int n = whole_lanes(c.count);
  const SphereTile tile = of;
  const double share = c.hertzian ? 0.4 : 0.5;  // of F_n ζ that is stored
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const double before = tile.overlap[k], start = before > 0 ? before : 0, end = c.overlap[k];
    const double damping_n = 0.5 * (tile.viscous_n[k] + b.normal_viscous[k]) * c.damped_n[k];
    const double damping_t = 0.5 * ((tile.viscous_1[k] + b.viscous_1[k]) * b.shift_1[k] + (tile.viscous_2[k] + b.viscous_2[k]) * b.shift_2[k]);
    c.damped[k] = damping_n + damping_t;
    c.circulation[k] = b.work[k] - (b.stored[k] - tile.stored[k]) - b.dissipated[k] - b.forgotten[k];
    // A contact that slides exchanges what its limited force does, however that is shared between spring and dashpot.
    const double tangential = b.sliding[k] != 0 ? std::abs(b.work[k] - damping_t) : std::abs(damping_t) + std::abs(b.work[k]);
    c.absolute[k] = std::abs(share * (b.normal_end[k] * end - b.normal_start[k] * start)) + std::abs(damping_n) + tangential;
    tile.viscous_n[k] = b.normal_viscous[k];
    tile.viscous_1[k] = b.viscous_1[k];
    tile.viscous_2[k] = b.viscous_2[k];
  }
}

LIBDEM_INLINE void scatter_body(const SphereColumns& c, SphereLoad* loads) {
  for (int k = 0; k < c.count; ++k) {
    const SphereEnds ends = c.ends[k];
    SphereLoad &p = loads[ends.p], &q = loads[ends.q];
    const Four force = reinterpret_cast<const Four&>(c.force[k]), couple = reinterpret_cast<const Four&>(c.couple[k]);
    four(&p.fx) -= force;
    four(&p.tx) -= c.arm_p[k] * couple;
    four(&q.fx) += force;
    four(&q.tx) -= c.arm_q[k] * couple;
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
#define LIBDEM_SETS 1
#endif

// One set of functions an instruction set; the bodies above are inlined into each.
#define LIBDEM_KERNEL_SET(set, wide, attributes)                                                                                          \
  attributes std::uint64_t find_##set(const SphereInput& in, const TileHead& t, SphereColumns& c) { return find_body<wide>(in, t, c); }   \
  attributes void gather_##set(const SphereInput& in, const TileHead& t, const SphereChoices& h, SphereColumns& c) { gather_body(in, t, h, c); } \
  attributes std::uint64_t bits_##set(const double* values, int count) { return bits_body(values, count); }                         \
  attributes void move_##set(const SphereChoices& h, const SphereTile& t, SphereColumns& c, laws::Block& b) { move_body(h, t, c, b); } \
  attributes void normals_##set(SphereColumns& c) { normals_body(c); }                                                               \
  attributes void hertz_##set(const SphereTile& t, SphereColumns& c, laws::Block& b) { hertz_body(t, c, b); }                        \
  attributes bool follow_##set(const SphereInput& in, const TileHead& t, const SphereChoices& h, SphereColumns& c) { return follow_body<wide>(in, t, h, c); } \
  attributes void force_##set(const laws::Block& b, const SphereTile& t, SphereColumns& c) { force_body(b, t, c); }                       \
  attributes void book_##set(const laws::Block& b, const SphereTile& t, SphereColumns& c) { book_body(b, t, c); }                         \
  attributes void scatter_##set(const SphereColumns& c, SphereLoad* l) { scatter_body(c, l); }                                      \
  constexpr SphereKernels set{#set, follow_##set, find_##set, gather_##set, normals_##set, hertz_##set, move_##set, force_##set, book_##set, bits_##set, scatter_##set};

LIBDEM_KERNEL_SET(generic, false, )
#ifdef LIBDEM_SETS
LIBDEM_KERNEL_SET(avx2, false, [[gnu::target("avx2")]])
LIBDEM_KERNEL_SET(avx512, true, [[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")]])
#endif

}  // namespace

const SphereKernels* sphere_kernels(const char* name) {
  const auto asked = [name](const char* set) { return !name || std::strcmp(name, set) == 0; };
#ifdef LIBDEM_SETS
  if (asked("avx512") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw"))
    return &avx512;
  if (asked("avx2") && __builtin_cpu_supports("avx2")) return &avx2;
#endif
  return asked("generic") ? &generic : nullptr;
}

}  // namespace dem
