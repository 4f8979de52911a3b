// How contacts in the plane moved since the last evaluation, and the lines along which their forces act. One contact is
// computed with N = double, four side by side with N = lanes::Four, by the same operations. Only for law_pass.cpp.
#pragma once
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "libdem/contacts/planar/contacts.hpp"
#include "libdem/platform/lanes.hpp"

namespace dem {

using lanes::Four;

/// One contact or four.
template <class N>
inline constexpr int contacts_of = sizeof(N) / sizeof(double);
/// All bits or none; of one contact a truth value.
template <class N>
using MaskOf = std::conditional_t<contacts_of<N> == 1, bool, lanes::FourBits>;

/// A function of one number for each of the contacts.
template <class N, class F>
LIBDEM_INLINE N each(F&& f, const N& x) {
  if constexpr (contacts_of<N> == 1) {
    return f(x);
  } else {
    N out;
    for (int lane = 0; lane < contacts_of<N>; ++lane) out[lane] = f(x[lane]);
    return out;
  }
}
LIBDEM_INLINE double absolute(double x) { return std::abs(x); }
using lanes::absolute;

/// A vector of each contact.
template <class N>
struct Points {
  N x, y;
  LIBDEM_INLINE friend Points operator+(const Points& a, const Points& b) { return {a.x + b.x, a.y + b.y}; }
  LIBDEM_INLINE friend Points operator-(const Points& a, const Points& b) { return {a.x - b.x, a.y - b.y}; }
  LIBDEM_INLINE friend Points operator*(const N& s, const Points& a) { return {s * a.x, s * a.y}; }
  LIBDEM_INLINE friend N dot(const Points& a, const Points& b) { return a.x * b.x + a.y * b.y; }
  LIBDEM_INLINE friend N cross(const Points& a, const Points& b) { return a.x * b.y - a.y * b.x; }
  LIBDEM_INLINE friend Points turned_left(const Points& a) { return {-a.y, a.x}; }
  LIBDEM_INLINE friend N norm(const Points& a) {
    return each([](double square) { return std::sqrt(square); }, dot(a, a));
  }
};

/// LineOfAction of each contact.
template <class N>
struct Lines {
  Points<N> direction;
  N scale, arm_i, arm_j;

  LIBDEM_INLINE N work(const Points<N>& moved, const N& turned_i, const N& turned_j) const {
    return scale * dot(direction, moved) + arm_i * turned_i + arm_j * turned_j;
  }
};
template <class N>
LIBDEM_INLINE Lines<N> through_points(const Points<N>& direction, const Points<N>& p_i, const Points<N>& p_j) {
  return {direction, N{} + 1, -cross(p_i, direction), cross(p_j, direction)};
}

/// Four numbers of each record, which follow each other from a byte on.
template <class N>
struct Columns {
  N a, b, c, d;
};
typedef double FourAnywhere __attribute__((vector_size(32), aligned(8), may_alias));
template <class Record>
LIBDEM_INLINE Four four_of(const Record& record, std::size_t byte) {
  return Four(*reinterpret_cast<const FourAnywhere*>(reinterpret_cast<const char*>(&record) + byte));
}
template <class N, class Row>
LIBDEM_INLINE Columns<N> columns_of(Row&& row) {
  if constexpr (contacts_of<N> == 1) {
    const Four only = row(0);
    return {only[0], only[1], only[2], only[3]};
  } else {
    const auto [a, b, c, d] = lanes::transposed({row(0), row(1), row(2), row(3)});
    return {a, b, c, d};
  }
}
template <class N, class Record>
LIBDEM_INLINE Columns<N> columns(Record* const (&records)[contacts_of<N>], std::size_t byte) {
  return columns_of<N>([&](int k) __attribute__((always_inline)) { return four_of(*records[k], byte); });
}
template <class N, class Record>
LIBDEM_INLINE void write_columns(Record* const (&records)[contacts_of<N>], std::size_t byte, const Columns<N>& of) {
  const auto write = [&](int k, const Four& four) __attribute__((always_inline)) {
    *reinterpret_cast<FourAnywhere*>(reinterpret_cast<char*>(records[k]) + byte) = four;
  };
  if constexpr (contacts_of<N> == 1) {
    write(0, Four{of.a, of.b, of.c, of.d});
  } else {
    const auto [a, b, c, d] = lanes::transposed({of.a, of.b, of.c, of.d});
    write(0, a);
    write(1, b);
    write(2, c);
    write(3, d);
  }
}

#define LIBDEM_AT(member) offsetof(PlanarContact, member)
// Members that are read and written together follow each other.
static_assert(LIBDEM_AT(normal) == LIBDEM_AT(point) + 16 && LIBDEM_AT(point_in_j) == LIBDEM_AT(point_in_i) + 16);
static_assert(sizeof(LineOfAction) == 40 && LIBDEM_AT(viscous_line) == LIBDEM_AT(elastic_line) + 40 &&
              LIBDEM_AT(tangential_line) == LIBDEM_AT(viscous_line) + 40 &&
              LIBDEM_AT(normal_elastic) == LIBDEM_AT(tangential_line) + 40);
static_assert(LIBDEM_AT(normal_viscous) == LIBDEM_AT(normal_elastic) + 8 &&
              LIBDEM_AT(couple) == LIBDEM_AT(normal_viscous) + 24 &&
              LIBDEM_AT(tangential_damping) == LIBDEM_AT(stored_normal) + 24);

/// Angle from a to b, both unit vectors.
template <class N>
LIBDEM_INLINE N angles_between(const Points<N>& a, const Points<N>& b) {
  const N sine = cross(a, b), cosine = dot(a, b);
  if constexpr (contacts_of<N> == 1) {
    return std::atan2(sine, cosine);
  } else {
    N angle;
    for (int lane = 0; lane < contacts_of<N>; ++lane) angle[lane] = std::atan2(sine[lane], cosine[lane]);
    return angle;
  }
}

/// (Δψ/2)/sin(Δψ/2): length of the arc over its chord.
inline double arc_over_chord(double angle) {
  const double half = 0.5 * angle;
  return std::abs(half) < 1e-4 ? 1 + half * half / 6 : half / std::sin(half);
}
/// x and y, then −0: a sum with it changes no bit.
LIBDEM_INLINE Four image_shift_of(Vec2 shift) { return Four{shift.x, shift.y, -0.0, -0.0}; }

/// How contacts moved since the last evaluation, and the lines along which their forces act.
template <class N>
struct PlanarContacts::Movement {
  static constexpr int count = contacts_of<N>;
  /// Contacts now and before the step, and the frames of their bodies.
  struct Rows {
    PlanarContact* now[count];
    const PlanarContact* before[count];
    const BodyFrame *i[count], *j[count];
    const Four* image_shift[count];
  };
  /// Movement and velocity that the cell gives the images of the bodies j.
  struct Images {
    Points<N> moved, velocity;
  };
  static_assert(sizeof(BodyFrame) == 128 && offsetof(BodyFrame, velocity) == 16 && offsetof(BodyFrame, moved) == 32 &&
                offsetof(BodyFrame, elongation_velocity) == 48 && offsetof(BodyFrame, turn) == 64 &&
                offsetof(BodyFrame, mid_turn) == 80 && offsetof(BodyFrame, spin) == 96 &&
                offsetof(BodyFrame, turned) == 104 && offsetof(BodyFrame, elongation_spin) == 112 &&
                offsetof(BodyFrame, radius) == 120);
  static constexpr std::size_t at_position = 0, at_movement = 32, at_turns = 64, at_rotation = 96;

  const PlanarContacts& of;
  const Rows& rows;
  const MaskOf<N> wall;  // j is one
  const Images& images;
  Points<N> point, normal, branch, velocity, moved;
  N spin_i, spin_j, turned_i, turned_j;

  LIBDEM_INLINE Movement(const PlanarContacts& engine, const Rows& four, const MaskOf<N>& is_wall, const Images& cell)
      : of(engine), rows(four), wall(is_wall), images(cell) {
    const Columns<N> place = columns<N>(rows.now, LIBDEM_AT(point));
    point = {place.a, place.b};
    normal = {place.c, place.d};
    const Columns<N> apart = columns_of<N>([&](int k) __attribute__((always_inline)) {
      return (four_of(*rows.j[k], at_position) + *rows.image_shift[k]) - four_of(*rows.i[k], at_position);
    });
    branch = {apart.a, apart.b};
    velocity = {apart.c, apart.d};
    const Columns<N> moves = movements();
    moved = {moves.a, moves.b};
    if (of.cell_moves_) {
      moved = moved + images.moved;
      velocity = velocity + images.velocity;
    }
    const Columns<N> turns_i = columns<N>(rows.i, at_rotation), turns_j = columns<N>(rows.j, at_rotation);
    spin_i = turns_i.a, spin_j = turns_j.a;
    turned_i = turns_i.b, turned_j = turns_j.b;
  }
  /// Movement, and the velocity of elongation = "velocity", of j relative to i without what the cell adds.
  LIBDEM_INLINE Columns<N> movements() const {
    return columns_of<N>([&](int k) __attribute__((always_inline)) {
      return four_of(*rows.j[k], at_movement) - four_of(*rows.i[k], at_movement);
    });
  }

  LIBDEM_INLINE N along(const Lines<N>& line) const { return line.work(moved, turned_i, turned_j); }
  LIBDEM_INLINE N rate_along(const Lines<N>& line) const { return line.work(velocity, spin_i, spin_j); }

  LIBDEM_INLINE Lines<N> elastic_line() const {
    const Columns<N> numbers = columns<N>(rows.now, LIBDEM_AT(elastic_line) + 8);  // the direction is the normal
    return {normal, numbers.b, numbers.c, numbers.d};
  }
  LIBDEM_INLINE Lines<N> viscous_line() const { return through_points(normal, point, point - branch); }
  LIBDEM_INLINE Lines<N> tangential_line() const {
    const Points<N> tangent = turned_left(normal);
    if (of.lever_ == Lever::contact_point) return through_points(tangent, point, point - branch);
    const N radius_i = radii(rows.i), radius_j = radii(rows.j), reach = radius_i + radius_j, one = N{} + 1;
    if (of.lever_ == Lever::conjugate)  // ∂ξ/∂R and ∂ξ/∂θ of form (G)
      return {tangent, wall ? one : reach / norm(branch), -radius_i, wall ? radius_i - dot(branch, normal) : -radius_j};
    if (of.lever_ == Lever::radius) return {tangent, one, -radius_i, -radius_j};
    const N share = wall ? one : norm(branch) / reach;  // Lever::proportional
    return {tangent, one, -share * radius_i, -share * radius_j};
  }

  /// Tangential movement by elongation = "velocity" (m).
  LIBDEM_INLINE N velocity_shift(const Lines<N>& tangential) const {
    const Columns<N> moves = movements();
    Points<N> past{moves.c, moves.d};
    if (of.cell_moves_) past = past + images.velocity;  // the rate of the cell is constant during the step
    const N spin_past_i = columns<N>(rows.i, at_rotation).c, spin_past_j = columns<N>(rows.j, at_rotation).c;
    return of.elongation_dt_ * tangential.work(past, spin_past_i, spin_past_j);
  }

  LIBDEM_INLINE N disc_shift() const {
    const Points<N> tangent = turned_left(normal);
    const N radius_i = radii(rows.i), radius_j = radii(rows.j);
    if (of.choice_.geometric_form == GeometricForm::eq10_11_literal) {
      // Eqs. 10 and 11 word by word, with absolute angles. Reference §3 shows what is wrong with them.
      const N share = wall ? N{} + 1 : radius_i / (radius_i + radius_j);
      return share * dot(moved, tangent) - radius_i * turned_i - radius_j * turned_j;
    }
    // (G): Δξ = a_i(Δφ − Δθ_i) + a_j(Δφ − Δθ_j). A wall is a disc of infinite radius, Δφ = Δθ_j. Its term is the
    // movement along its face: the change of l·t, where t turns with the wall.
    const Columns<N> old = columns<N>(rows.before, LIBDEM_AT(point));
    const Points<N> old_normal{old.c, old.d}, branch_before = branch - moved;
    const N along_wall =
        dot(moved, tangent) + dot(branch_before, tangent - turned_left(old_normal)) + radius_i * (turned_j - turned_i);
    const N turn = angles_between(old_normal, normal);
    return wall ? along_wall : radius_i * (turn - turned_i) + radius_j * (turn - turned_j);
  }

  /// Writes the contact points in the frames of the bodies, and returns the movement by geometry.
  LIBDEM_INLINE N follow_points() const {
    const Columns<N> turns_i = columns<N>(rows.i, at_turns), turns_j = columns<N>(rows.j, at_turns);
    const Points<N> in_i = turned_back({turns_i.a, turns_i.b}, point),
                    in_j = turned_back({turns_j.a, turns_j.b}, point - branch);
    const Columns<N> old_in = columns<N>(rows.before, LIBDEM_AT(point_in_i));
    write_columns<N>(rows.now, LIBDEM_AT(point_in_i), {in_i.x, in_i.y, in_j.x, in_j.y});
    if (of.choice_.elongation != Elongation::geometric) return N{};
    const Points<N> tangent = turned_left(normal);
    const Columns<N> old = columns<N>(rows.before, LIBDEM_AT(point));
    if (of.choice_.geometric_form == GeometricForm::centroid_displacement) {
      // "Displacement of the overlap centroid" word by word: not zero in a rigid motion (reference §4).
      const Columns<N> place = columns<N>(rows.i, at_position), way = columns<N>(rows.i, at_movement);
      const Points<N> position{place.a, place.b}, centre_before = position - Points<N>{way.a, way.b};
      return dot((position + point) - (centre_before + Points<N>{old.a, old.b}), tangent);
    }
    // (P): `Δξ = [Q(θ̄_i) Δc_i − Q(θ̄_j) Δc_j] · t(ᾱ)`. Unit vectors half way have the directions of the mean angles.
    const Points<N> old_normal{old.c, old.d}, sum = tangent + turned_left(old_normal);
    const N length = norm(sum);
    const Points<N> direction = (1 / length) * sum,
                    middle{length > 0 ? direction.x : tangent.x, length > 0 ? direction.y : tangent.y};
    Points<N> over_i = turned_by({turns_i.c, turns_i.d}, in_i - Points<N>{old_in.a, old_in.b}),
              over_j = turned_by({turns_j.c, turns_j.d}, in_j - Points<N>{old_in.c, old_in.d});
    if (of.choice_.arc_correction) {
      const N turn = angles_between(old_normal, normal);
      over_i = each(arc_over_chord, turn - turned_i) * over_i;
      over_j = each(arc_over_chord, turn - turned_j) * over_j;
    }
    return dot(over_i - over_j, middle);
  }

  LIBDEM_INLINE static N radii(const BodyFrame* const (&frames)[count]) { return columns<N>(frames, at_rotation).d; }
  LIBDEM_INLINE static Points<N> turned_by(const Points<N>& turn, const Points<N>& a) {
    return {turn.x * a.x - turn.y * a.y, turn.y * a.x + turn.x * a.y};
  }
  LIBDEM_INLINE static Points<N> turned_back(const Points<N>& turn, const Points<N>& a) {
    return {turn.x * a.x + turn.y * a.y, -turn.y * a.x + turn.x * a.y};
  }
};

}  // namespace dem
