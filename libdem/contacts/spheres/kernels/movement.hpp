// How the contacts of a tile moved: Hertzian springs, turns of the frames, movements in them. For kernels.cpp.
#pragma once
#include <cmath>

#include "libdem/contacts/contact_frame.hpp"
#include "libdem/contacts/spheres/kernels/gather.hpp"
#include "libdem/laws/normal/hertz.hpp"
#include "libdem/laws/normal/spring.hpp"

namespace dem::sphere_loops {

using namespace lanes;

/// tan(x)/x of x² by the series of tan_over_argument() with one term less: the next one is 62/2835 x⁸ < 3e-18.
constexpr double series_limit = 1e-4;
LIBDEM_INLINE double tan_series(double x) { return 1 + x * (1.0 / 3 + x * (2.0 / 15 + x * (17.0 / 315))); }

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

}  // namespace dem::sphere_loops
