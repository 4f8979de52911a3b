#include "libdem/contacts/spheres/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "libdem/laws/normal/spring.hpp"
#include "libdem/platform/lanes.hpp"

namespace dem {
namespace {

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

/// tan(x)/x of x² by the series of tan_over_argument() with one term less: the next one is 62/2835 x⁸ < 3e-18.
constexpr double series_limit = 1e-4;
LIBDEM_INLINE double tan_series(double x) { return 1 + x * (1.0 / 3 + x * (2.0 / 15 + x * (17.0 / 315))); }

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

/// laws::Hertz in columns. A lost contact ends in a gap, without force.
template <int lanes, bool walls>
LIBDEM_INLINE void hertz_with(const SphereTile& of, SphereColumns& __restrict c, laws::Block& __restrict b) {
  const int n = vectors_of<lanes>(c.count);
  const SphereTile tile = of;
  const double* const damping = c.damping;
  const bool by_radius = c.damping_by_radius;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const double reach = c.normal.more[k], longer = c.moved.more[k], modulus = b.modulus[k];
    const double radius = walls ? 2 * reach : (reach - longer) * (reach + longer) / (2 * reach);
    const double start = 0.5 * tile.overlap[k], end = 0.5 * c.overlap[k], z0 = start > 0 ? start : 0,
                 z1 = end > 0 ? end : 0;
    const double contact_radius = std::sqrt(radius * z1), root = modulus * contact_radius;
    c.elastic_start[k] = laws::Hertz{modulus, 0, radius}.normal_force(z0);
    c.elastic_end[k] = root * z1;
    b.indentation[k] = end;
    b.radius[k] = radius;
    const double by_stiffness = std::sqrt(0.75 * root);
    c.hertz_damping[k] = damping[k] * (by_radius ? contact_radius : by_stiffness);
  }
  if (c.damping_by_stiffness || by_radius) c.damping = c.hertz_damping;
}

template <int lanes>
LIBDEM_INLINE void hertz_body(const SphereTile& tile, SphereColumns& c, laws::Block& b) {
  if (c.walls)
    hertz_with<lanes, true>(tile, c, b);
  else
    hertz_with<lanes, false>(tile, c, b);
}

/// Contacts whose normal turned over, and those whose twist is beyond the series.
struct Exceptions {
  std::uint64_t over = 0, large = 0;
};

/// Source of tan(φ/2) of the twists: the series of either form (twist_half_tangent()), or a column that is given.
enum class TwistBy { mean_spin, exact, given };

/// Turns the frames by the swing (reference §3) and the twist, as carried_direction(), in an order of few waits. The
/// length is mended before the turn, not after it. The swing leaves no part along the new normal, whatever rounding had
/// made of the old direction. A loop of its own, so that several contacts wait at a time.
template <int lanes, TwistBy by>
LIBDEM_INLINE Exceptions turn_columns(const SphereTile& of, SphereColumns& __restrict c) {
  const int n = vectors_of<lanes>(c.count);
  const SphereTile tile = of;  // a copy that no store can change
  std::uint64_t over = 0, large = 0;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const Vec3 n1 = c.normal[k], n0{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]};
    const Vec3 old{tile.direction_x[k], tile.direction_y[k], tile.direction_z[k]};
    const double share = 1 + dot(n0, n1);
    over += share >= 1e-6 ? 0 : 1;
    c.swing[k] = dot(old, n1) / share;
    double t = 0;
    if constexpr (by == TwistBy::given) {
      t = c.half_tangent[k];
    } else {
      const Vec3 w = c.turn_p[k] + c.turn_q[k];  // twice the mean: halves are exact
      const double half = 0.25 * dot(w, n1), argument = by == TwistBy::exact ? 0.0625 * dot(w, w) : half * half;
      large += argument < series_limit ? 0 : 1;
      t = half * tan_series(argument);
      c.half_tangent[k] = t;
    }
    const double square = t * t, to_unit = 1.5 - 0.5 * dot(old, old), scale = to_unit / (1 + square);
    c.twist_cosine[k] = (1 - square) * scale;
    c.twist_sine[k] = (t + t) * scale;
  }
  return {over, large};
}

template <int lanes, bool geometric, bool own_velocity, bool hertzian>
LIBDEM_INLINE void move_columns(const SphereChoices& choices, const SphereTile& of, SphereColumns& __restrict c,
                                laws::Block& __restrict b) {
  const int n = vectors_of<lanes>(c.count);
  const SphereTile tile = of;
  const double* const damping = c.damping;
  const bool clip = choices.clip_tension;
  const double arm_overlap = choices.arm_overlap, per_dt = choices.per_dt;
  const double tangential_share = c.tangential_share, more_tangential = c.more_tangential;
#pragma GCC ivdep
  for (int k = 0; k < n; ++k) {
    const double overlap = c.overlap[k];
    const Vec3 n1 = c.normal[k], n0{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]};
    const Vec3 old{tile.direction_x[k], tile.direction_y[k], tile.direction_z[k]};
    const Vec3 turn_p = c.turn_p[k], turn_q = c.turn_q[k], moved = c.moved[k];
    const Vec3 sum = n0 + n1, v = old - c.swing[k] * sum, u = cross(n1, v);
    const double cosine_1 = c.twist_cosine[k], sine_1 = c.twist_sine[k];
    const Vec3 e1 = cosine_1 * v + sine_1 * u;
    // Components of a vector along e1 and e2 = n1 × e1, which do not wait for e1.
    const auto components = [&](Vec3 of_vector) {
      const double along_v = dot(of_vector, v), along_u = dot(of_vector, u);
      return Vec2{cosine_1 * along_v + sine_1 * along_u, cosine_1 * along_u - sine_1 * along_v};
    };
    c.direction_x[k] = e1.x;
    c.direction_y[k] = e1.y;
    c.direction_z[k] = e1.z;

    const double reach = c.normal.more[k], longer = c.moved.more[k], shorter = arm_overlap * overlap;
    const double arm_p = 0.5 * (reach - longer) - shorter, arm_q = 0.5 * (reach + longer) - shorter;
    c.arm_p[k] = arm_p;
    c.arm_q[k] = arm_q;
    Vec3 speed;  // relative velocity at the contact point, times Δt
    if constexpr (geometric) {
      const double closer = arm_overlap * (overlap - tile.overlap[k]);
      const Vec3 at_p = 0.5 * ((arm_p + closer) * n0 + arm_p * n1), at_q = -0.5 * ((arm_q + closer) * n0 + arm_q * n1);
      const Vec3 movement = moved + c.turn_q.more[k] * cross(turn_q, at_q) - c.turn_p.more[k] * cross(turn_p, at_p);
      // Components in the frame of mid-step.
      const Vec3 middle = (1 / std::sqrt(dot(sum, sum))) * sum;
      const double t = c.half_tangent[k], cosine = 1 / std::sqrt(1 + t * t), sine = t * cosine;
      const Vec3 untwisted = cosine * e1 - sine * cross(n1, e1);
      const Vec3 m1 = untwisted - (dot(untwisted, middle) / (1 + dot(n1, middle))) * (n1 + middle),
                 m2 = cross(middle, m1);
      speed = movement;
      b.shift_1[k] = dot(movement, m1);
      b.shift_2[k] = dot(movement, m2);
    } else {
      speed = moved - cross(arm_p * turn_p + arm_q * turn_q, n1);
      const Vec2 shift = components(speed);
      b.shift_1[k] = shift.x;
      b.shift_2[k] = shift.y;
    }
    if constexpr (own_velocity) {
      speed = c.speed[k] - cross(arm_p * c.spin_p[k] + arm_q * c.spin_q[k], n1);
    }
    double viscous = 0;
    if constexpr (own_velocity || !geometric) {
      const Vec2 velocity = components(speed);
      b.velocity_1[k] = per_dt * velocity.x;
      b.velocity_2[k] = per_dt * velocity.y;
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
      const laws::Spring spring{c.stiffness[k]};
      elastic = spring.force(overlap);
      b.normal_start[k] = spring.force(before > 0 ? before : 0);
    }
    b.normal_end[k] = elastic;
    b.normal_viscous[k] = clip && viscous < -elastic ? -elastic : viscous;
    b.damping[k] = tangential_share * damping[k] + more_tangential;
  }
}

template <int lanes, bool hertzian>
LIBDEM_INLINE void move_as_chosen(const SphereChoices& choices, const SphereTile& tile, SphereColumns& c,
                                  laws::Block& b) {
  if (choices.geometric) {
    if (choices.own_velocity)
      move_columns<lanes, true, true, hertzian>(choices, tile, c, b);
    else
      move_columns<lanes, true, false, hertzian>(choices, tile, c, b);
  } else {
    if (choices.own_velocity)
      move_columns<lanes, false, true, hertzian>(choices, tile, c, b);
    else
      move_columns<lanes, false, false, hertzian>(choices, tile, c, b);
  }
}

template <int lanes>
LIBDEM_INLINE void move_body(const SphereChoices& choices, const SphereTile& tile, SphereColumns& c, laws::Block& b) {
  b.count = c.count;
  b.lanes = vectors_of<lanes>(c.count);
  const Exceptions found = choices.exact_twist ? turn_columns<lanes, TwistBy::exact>(tile, c)
                                               : turn_columns<lanes, TwistBy::mean_spin>(tile, c);
  if (found.large != 0) {  // the library's tangent
    for (int k = 0; k < b.lanes; ++k)
      c.half_tangent[k] = twist_half_tangent(0.5 * (c.turn_p[k] + c.turn_q[k]), c.normal[k], choices.exact_twist);
    turn_columns<lanes, TwistBy::given>(tile, c);
  }
  if (c.hertzian)
    move_as_chosen<lanes, true>(choices, tile, c, b);
  else
    move_as_chosen<lanes, false>(choices, tile, c, b);
  if (found.over == 0) return;
  for (int k = 0; k < c.count; ++k) {
    const Vec3 n1 = c.normal[k], n0{tile.normal_x[k], tile.normal_y[k], tile.normal_z[k]};
    if (!turned_over(n0, n1)) continue;
    const Vec3 e1 = any_direction(n1);
    c.direction_x[k] = e1.x;
    c.direction_y[k] = e1.y;
    c.direction_z[k] = e1.z;
    b.shift_1[k] = b.shift_2[k] = b.velocity_1[k] = b.velocity_2[k] = 0;
  }
}

/// Four contacts at a time, so that their forces go from registers to the loads.
template <int lanes, bool seen>
LIBDEM_INLINE void force_with(const laws::Block& __restrict b, const SphereTile& of, SphereColumns& __restrict c,
                              SphereLoad* __restrict loads) {
  const SphereTile tile = of;
  for (int k = 0; k < c.count; k += 4) {
    const Four n_x = four(c.normal.x + k), n_y = four(c.normal.y + k), n_z = four(c.normal.z + k);
    const Four e1_x = four(c.direction_x + k), e1_y = four(c.direction_y + k), e1_z = four(c.direction_z + k);
    const Four e2_x = n_y * e1_z - n_z * e1_y, e2_y = n_z * e1_x - n_x * e1_z, e2_z = n_x * e1_y - n_y * e1_x;
    const Four normal = four(b.normal_end + k) + four(b.normal_viscous + k);
    const Four f1 = four(b.elastic_1 + k) + four(b.viscous_1 + k), f2 = four(b.elastic_2 + k) + four(b.viscous_2 + k);
    four(tile.normal_x + k) = n_x;
    four(tile.normal_y + k) = n_y;
    four(tile.normal_z + k) = n_z;
    four(tile.direction_x + k) = e1_x;
    four(tile.direction_y + k) = e1_y;
    four(tile.direction_z + k) = e1_z;
    four(tile.overlap + k) = four(c.overlap + k);
    if constexpr (seen) {
      four(tile.force_n + k) = normal;
      four(tile.force_1 + k) = f1;
      four(tile.force_2 + k) = f2;
      four(tile.stored + k) = four(b.stored + k);
    }
    const FourRows forces = transposed({normal * n_x + (f1 * e1_x + f2 * e2_x), normal * n_y + (f1 * e1_y + f2 * e2_y),
                                        normal * n_z + (f1 * e1_z + f2 * e2_z), Four{}});
    // n × e1 = e2, n × e2 = −e1
    const FourRows couples = transposed({f1 * e2_x - f2 * e1_x, f1 * e2_y - f2 * e1_y, f1 * e2_z - f2 * e1_z, Four{}});
    const auto add = [&](int lane, const Four& force, const Four& couple) {
      if (lane >= c.count) return;
      SphereLoad &p = loads[c.ends[lane].p], &q = loads[c.ends[lane].q];
      four(&p.fx) -= force;
      four(&p.tx) -= c.arm_p[lane] * couple;
      four(&q.fx) += force;
      four(&q.tx) -= c.arm_q[lane] * couple;
    };
    add(k, forces.a, couples.a);
    add(k + 1, forces.b, couples.b);
    add(k + 2, forces.c, couples.c);
    add(k + 3, forces.d, couples.d);
  }
}

template <int lanes>
LIBDEM_INLINE void force_body(const laws::Block& b, const SphereTile& tile, SphereColumns& c, SphereLoad* loads) {
  if (tile.force_n)
    force_with<lanes, true>(b, tile, c, loads);
  else
    force_with<lanes, false>(b, tile, c, loads);
}

template <int lanes>
LIBDEM_INLINE void book_body(const laws::Block& b, const SphereTile& of, const SphereColumns& c, WorkLanes& sums) {
  constexpr int wide = std::max(lanes, 4);
  using Wide = Numbers<wide>;
  const SphereTile tile = of;
  const double share = c.hertzian ? laws::Hertz::stored_share : laws::Spring::stored_share;  // stored share of F_n ζ
  Four friction = four(sums.friction), viscous = four(sums.viscous), circulation = four(sums.circulation),
       event_loss = four(sums.event_loss), absolutes = four(sums.absolute);
  for (int k = 0; k < c.count; k += wide) {
    const auto at = [k](const double* column) -> const Wide& { return numbers<wide>(column + k); };
    const auto keep = [k](double* column, const Wide& v) { *reinterpret_cast<Wide*>(column + k) = v; };
    const Wide before = at(tile.overlap), end = at(c.overlap);
    const Wide viscous_n = at(b.normal_viscous), viscous_1 = at(b.viscous_1), viscous_2 = at(b.viscous_2);
    const Wide damping_n = 0.5 * (at(tile.viscous_n) + viscous_n) * (before - end);
    const Wide damping_t =
        0.5 * ((at(tile.viscous_1) + viscous_1) * at(b.shift_1) + (at(tile.viscous_2) + viscous_2) * at(b.shift_2));
    const Wide work = at(b.work), dissipated = at(b.dissipated), forgotten = at(b.forgotten);
    // The limited force of a sliding contact counts as a whole, however spring and dashpot share it.
    const Wide tangential = at(b.sliding) != 0 ? absolute(work - damping_t) : absolute(damping_t) + absolute(work);
    const Wide elastic =
        absolute(share * (at(b.normal_end) * end - at(b.normal_start) * (before > 0 ? before : Wide{})));
    keep(tile.viscous_n, viscous_n);
    keep(tile.viscous_1, viscous_1);
    keep(tile.viscous_2, viscous_2);
    // Four lanes after another, so that the sums of all instruction sets are the same.
    const auto add = [left = c.count - k](Four& sum, const Wide& v) {
      const Wide kept = first_lanes(v, left);
      for (int half = 0; half < wide; half += 4) sum += four(reinterpret_cast<const double*>(&kept) + half);
    };
    add(friction, dissipated);
    add(viscous, -(damping_n + damping_t));
    add(circulation, work - (at(b.stored) - at(tile.stored)) - dissipated - forgotten);
    add(event_loss, forgotten);
    add(absolutes, elastic + absolute(damping_n) + tangential);
  }
  const auto put = [n = c.count % 4](double* sum, const Four& v) { four(sum) = rotated_lanes(v, n); };
  put(sums.friction, friction);
  put(sums.viscous, viscous);
  put(sums.circulation, circulation);
  put(sums.event_loss, event_loss);
  put(sums.absolute, absolutes);
  sums.next = (sums.next + unsigned(c.count)) % 4;
}

#if defined(__x86_64__) && defined(__GNUC__)
#define LIBDEM_SETS 1
#endif

// One set of functions per instruction set. The bodies above are inlined into each.
#define LIBDEM_KERNEL_SET(set, lanes, attributes)                                                                    \
  attributes std::uint64_t find_##set(const SphereInput& in, const TileHead& t, SphereColumns& c) {                  \
    return find_body<lanes>(in, t, c);                                                                               \
  }                                                                                                                  \
  attributes void gather_##set(const SphereInput& in, const TileHead& t, const SphereChoices& h, SphereColumns& c) { \
    gather_body<lanes>(in, t, h, c);                                                                                 \
  }                                                                                                                  \
  attributes std::uint64_t bits_##set(const double* values, int count) { return bits_body<lanes>(values, count); }   \
  attributes void move_##set(const SphereChoices& h, const SphereTile& t, SphereColumns& c, laws::Block& b) {        \
    move_body<lanes>(h, t, c, b);                                                                                    \
  }                                                                                                                  \
  attributes void normals_##set(SphereColumns& c) { normals_body<lanes>(c); }                                        \
  attributes void hertz_##set(const SphereTile& t, SphereColumns& c, laws::Block& b) { hertz_body<lanes>(t, c, b); } \
  attributes bool follow_##set(const SphereInput& in, const TileHead& t, const SphereChoices& h, SphereColumns& c) { \
    return follow_body<lanes>(in, t, h, c);                                                                          \
  }                                                                                                                  \
  attributes void force_##set(const laws::Block& b, const SphereTile& t, SphereColumns& c, SphereLoad* l) {          \
    force_body<lanes>(b, t, c, l);                                                                                   \
  }                                                                                                                  \
  attributes void book_##set(const laws::Block& b, const SphereTile& t, const SphereColumns& c, WorkLanes& s) {      \
    book_body<lanes>(b, t, c, s);                                                                                    \
  }                                                                                                                  \
  constexpr SphereKernels set{#set,        follow_##set, find_##set,  gather_##set, normals_##set,                   \
                              hertz_##set, move_##set,   force_##set, book_##set,   bits_##set};

LIBDEM_KERNEL_SET(generic, 2, )
#ifdef LIBDEM_SETS
LIBDEM_KERNEL_SET(avx2, 4, [[gnu::target("avx2")]])
LIBDEM_KERNEL_SET(avx512, 8, [[gnu::target("avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512")]])
#endif

}  // namespace

const SphereKernels* sphere_kernels(geometry::Instructions set) {
  if (!geometry::is_available(set)) return nullptr;
#ifdef LIBDEM_SETS
  if (set == geometry::Instructions::avx512) return &avx512;
  if (set == geometry::Instructions::avx2) return &avx2;
#endif
  return &generic;
}

}  // namespace dem
