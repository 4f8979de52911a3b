// One Jäger contact: the exact Cattaneo–Mindlin–Deresiewicz force of two elastic spheres of one material. It is exact
// for any history of overlap and tangential movement along a line. Source: M. R. Kuhn, Implementation of the Jäger
// contact model for discrete element simulations, Int. J. Numer. Meth. Engng 88 (2011) 66, in the form without
// tolerances of the jaeger-contact reference (§4–§9, §11).
//
//   history  a function p(z), 0 ≤ z ≤ ζ, constant on legs: the slope dF_t/dF_n of growth between two half-overlaps.
//   stick    Δζ > 0 and |Δξ| < κ f Δζ: one more leg.
//   slip     all other steps. Legs are taken back to a front ζ*; above it stands one leg with |p| = f.
//   slide    the front is at zero: nothing else is left.
//   retrace  the movement runs back along the last leg, which gets shorter, or on along a slip leg, which gets longer.
//
// Halves. ζ is half of the overlap, ξ half of the tangential movement. Callers use full ones only (laws/jaeger.hpp).
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "libdem/laws/block.hpp"
#include "libdem/laws/normal/hertz.hpp"

namespace dem::laws {

/// Coefficients that stay the same for a contact's life.
struct JaegerCoefficients : Hertz {
  double friction = 0;         ///< f
  double merge_slope = 0;      ///< Δp_max of the merging of legs, 0 for exact
  bool merge_plainly = false;  ///< merge_slope: the mean of both slopes counts each once, not by its force (merge())
  /// η: merging of legs keeps the force, moved along a line, within η f F_n of the exact one (extend()). 0 for exact.
  double merge_error = 0;
  /// Sliding in a changing direction: along the pursuit curve (§8.6) instead of by radial return.
  bool pursuit = false;
};

/// The last leg lies here, those below in the pool. All zero: no contact. Sums over legs (thousands) are kept.
template <class Pool>
struct JaegerHistory {
  double force_1 = 0, force_2 = 0;  ///< F_t, along the movement of q against p: on p (N)
  double stored = 0;                ///< U_t of both bodies (J)
  double z = 0, normal_force = 0;   ///< end of the last leg: ζ (m) and F_n (N) now
  double p_1 = 0, p_2 = 0;          ///< its slope
  double held_1 = 0, held_2 = 0;  ///< ξ_e = κ ∫ p dz (S2): half of the tangential movement that the contact holds (m)
  /// With merge_error: centre and radius of the slopes that the last leg may take. Radius 0 if none is known.
  double run_1 = 0, run_2 = 0, run_room = 0;
  typename Pool::Stack below;

  std::size_t legs() const { return below.count + (z > 0 ? 1 : 0); }
};

/// A contact at work: its coefficients, its history and the pool of its legs.
template <class Pool>
class JaegerContact {
 public:
  using History = JaegerHistory<Pool>;
  using Vector = laws::Vector;
  JaegerContact(const JaegerCoefficients& coefficients, History& history, Pool& pool)
      : c_(coefficients), h_(history), pool_(pool) {}

  /// One straight step of any size to half-overlap z (m), with half the tangential movement Δξ of q against p (m).
  StepRegime step(double z, Vector shift) {
    merged_ = 0;
    if (!(z > 0)) {  // also NaN
      clear();
      return StepRegime::separated;
    }
    const double dz = z - h_.z, limit = c_.friction * c_.ratio * dz;
    if (dz == 0 && shift.x == 0 && shift.y == 0) return StepRegime::unchanged;
    const double force = c_.normal_force(z);
    if (dz > 0 && shift.size() < limit) {
      const Piece leg{z, force, {shift.x / (c_.ratio * dz), shift.y / (c_.ratio * dz)}};
      if (c_.merge_error > 0) {
        extend(leg, run(+1), +1);
      } else {
        push(leg);
        merge();
      }
      return StepRegime::stick;
    }
    return slip(z, force, (1 / c_.ratio) * shift);
  }

  /// Ends the contact and gives its legs back to the pool.
  void clear() {
    pool_.clear(h_.below);
    h_ = {};
  }

  Vector force() const { return {h_.force_1, h_.force_2}; }
  /// U_t that the last step() lost by merging legs (J).
  double merged() const { return merged_; }

  /// ξ_e, F_t (Σ p ΔF, S1) and U_t from the legs; step() keeps them from leg to leg.
  static Vector elongation(const History& h, const Pool& pool, double ratio) {
    Vector sum;
    Leg leg{h.z, h.p_1, h.p_2};
    const auto add = [&](const Leg& below) {
      sum = sum + (leg.z - below.z) * Vector{leg.p_1, leg.p_2};
      leg = below;
    };
    pool.walk(h.below, add);
    add({});
    return ratio * sum;
  }
  Vector force_of_legs() const {
    Vector sum;
    for_each([&](const Piece& leg, const Piece& below) { sum = sum + (leg.force - below.force) * leg.p; });
    return sum;
  }
  double stored_of_legs() const {
    double sum = 0;
    Vector force = force_of_legs();
    for_each([&](const Piece& leg, const Piece& below) {  // from the top down
      force = force - (leg.force - below.force) * leg.p;
      sum += stored_by(leg, below, force);
    });
    return sum;
  }

  /// A leg for computations: F* follows from ζ*.
  struct Piece {
    double z = 0, force = 0;
    Vector p;
  };
  /// Calls f(leg, the one below it) from the top down.
  template <class F>
  void for_each(F&& f) const {
    if (!(h_.z > 0)) return;
    Piece leg = last();
    pool_.walk(h_.below, [&](const Leg& next) {
      const Piece below{next.z, c_.normal_force(next.z), {next.p_1, next.p_2}};
      f(leg, below);
      leg = below;
    });
    f(leg, Piece{});
  }

 private:
  Piece last() const { return {h_.z, h_.normal_force, {h_.p_1, h_.p_2}}; }
  Piece second() const {
    if (h_.below.count == 0) return {};
    const Leg& leg = pool_.top(h_.below);
    return {leg.z, c_.normal_force(leg.z), {leg.p_1, leg.p_2}};
  }
  /// U_t that a leg on top adds; `force` is that of the legs below it (§11, taken apart leg by leg).
  double stored_by(const Piece& leg, const Piece& below, Vector force) const {
    const double dz = leg.z - below.z;
    return 2 * c_.ratio *
           (dot(force, leg.p) * dz +
            dot(leg.p, leg.p) * (0.4 * (leg.force * leg.z - below.force * below.z) - below.force * dz));
  }
  void set_force(Vector f) {
    h_.force_1 = f.x;
    h_.force_2 = f.y;
  }
  void hold(double share, Vector p) {
    h_.held_1 += share * p.x;
    h_.held_2 += share * p.y;
  }
  void set_last(const Piece& leg) {
    h_.z = leg.z;
    h_.normal_force = leg.force;
    h_.p_1 = leg.p.x;
    h_.p_2 = leg.p.y;
  }
  /// Puts a leg above the last one.
  void push(const Piece& leg) {
    const Piece below = last();
    if (below.z > 0) pool_.push(h_.below, {below.z, below.p.x, below.p.y});
    put(leg, below);
  }
  /// Makes this the last leg, standing on `below`. Force and energy are without it on entry.
  void put(const Piece& leg, const Piece& below) {
    hold(c_.ratio * (leg.z - below.z), leg.p);
    h_.stored += stored_by(leg, below, force());
    set_force(force() + (leg.force - below.force) * leg.p);
    set_last(leg);
  }
  /// Takes the last leg, which stands on `below`, out of force and energy. The leg stays where it is.
  void lift(const Piece& below) {
    const Piece leg = last();
    hold(-c_.ratio * (leg.z - below.z), leg.p);
    set_force(force() - (leg.force - below.force) * leg.p);
    h_.stored -= stored_by(leg, below, force());
  }
  /// Makes the leg below the last one, after lift().
  void drop(const Piece& below) {
    set_last(below);
    if (h_.below.count > 0) pool_.pop(h_.below);
  }

  /// Reference, §6: `movement` is Δξ/κ, X of Eq. M above the last leg.
  StepRegime slip(double z, double force, Vector movement) {
    const Vector given = movement;
    const double f = c_.friction, z_old = h_.z;
    Disc slopes = run(-1);
    h_.run_room = 0;
    while (h_.z > 0) {
      const Piece leg = last(), below = second();
      const Vector at_foot = movement + (leg.z - below.z) * leg.p;
      const double room = f * (z - below.z);
      if (room <= 0 || dot(at_foot, at_foot) >= room * room) {  // the front lies at or below the foot of this leg
        lift(below);
        drop(below);
        movement = at_foot;
        slopes = {};
        continue;
      }
      const Vector e = movement - (z - leg.z) * leg.p;
      const double square = dot(e, e);
      double front = z;
      if (square > 0) {
        const double a = dot(e, leg.p), b = std::max(0.0, f * f - dot(leg.p, leg.p)),
                     root = std::sqrt(a * a + b * square);
        const double length =
            a > 0 ? (a + root) / b : square / (root - a);  // infinite where b is zero: the front is at the foot
        front = std::clamp(z - length, below.z, leg.z);
      }
      lift(below);
      if (square == 0 || front >= z) {
        put({z, force, leg.p}, below);
        return StepRegime::retrace;
      }
      movement = movement + (leg.z - front) * leg.p;
      if (front > below.z) {
        const Piece left{front, c_.normal_force(front), leg.p};
        put(left, below);
      } else {
        drop(below);
        slopes = {};
      }
      const Piece slipped{z, force, along(movement)};
      if (c_.merge_error > 0)
        extend(slipped, dot(slipped.p, leg.p) > 0 ? slopes : Disc{}, -1);
      else
        push(slipped);
      return StepRegime::slip;
    }
    // Gross sliding; rounding errors of the force are forgotten.
    h_ = {};
    put({z, force, c_.pursuit ? pursued(z_old, z, given, movement) : along(movement)}, {});
    return StepRegime::slide;
  }
  Vector along(Vector x) const {
    const double size = x.size();
    return size > 0 ? (c_.friction / size) * x : Vector{};
  }

  /// Merges legs that differ little into one. Slopes are weighted by the force of their legs, so F_t stays as it is
  /// (§9). The paper prints no weights ("an average slope"). With merge_plainly each slope counts once, and F_t jumps.
  void merge() {
    while (c_.merge_slope > 0 && h_.below.count > 0) {
      const Piece leg = last(), below = second();
      const double f2 = c_.friction * c_.friction;
      const Vector difference = leg.p - below.p;
      if (!(dot(below.p, below.p) < f2 * (1 - slip_tolerance)) || !(difference.size() <= c_.merge_slope)) return;
      const double before = h_.stored;
      lift(below);
      drop(below);
      const Piece foot = second();
      lift(foot);
      const double upper = leg.force - below.force, lower = below.force - foot.force;
      const double both = c_.merge_plainly ? 2 : leg.force - foot.force;
      const Vector sum = c_.merge_plainly ? leg.p + below.p : upper * leg.p + lower * below.p;
      put({leg.z, leg.force, both > 0 ? Vector{sum.x / both, sum.y / both} : leg.p}, foot);
      merged_ += before - h_.stored;
    }
  }

  struct Disc {
    Vector centre;
    double radius = 0;
  };
  /// The largest disc inside of two that meet.
  static Disc inside_both(const Disc& a, const Disc& b) {
    const Vector between = b.centre - a.centre;
    const double apart = between.size();
    if (apart <= std::abs(a.radius - b.radius)) return a.radius < b.radius ? a : b;
    return {a.centre + (0.5 * (apart + a.radius - b.radius) / apart) * between, 0.5 * (a.radius + b.radius - apart)};
  }

  /// Puts a leg on top, with `merge_error`. Legs that stuck since the last slip become one chord if all sums W(z) = ∫ p
  /// dz stay within 2 η f z of it. The chord ends where the legs end, so nothing changes below them: neither ξ_e nor
  /// when sliding begins. The allowed slopes are an intersection of discs, one per leg; a disc in it is kept.
  ///
  /// Movement along a line. With Y(c) = ∫_c^ζ p dz, F_t = ∫ Y F″ dc. A step of any kind turns Y below the old ζ into Y
  /// + Δξ/κ, cut to ± f (ζ − c) for each c (Eq. M). This brings two histories under the same movement nowhere further
  /// apart; above the old ζ both get the same leg. So the force never is further from the exact one than ∫ 2 η f c F″
  /// dc = η f F_n, whatever follows. Where the force turns there is no such bound, and none can be linear in η (tests).
  /// From η = 0.01 on nothing was found beyond it, at 1e-3 twice, at 1e-4 six times as much.
  ///
  /// A force that turns while the contact slips leaves a fan of legs with |p| = f, nearly all of long histories. Each
  /// leg stands on the rest of the one before. Such legs become one in the same way, within a tenth of that, since
  /// their fronts are themselves off. Along a line there are none, since a slip in the old direction removes that leg.
  void extend(const Piece& leg, const Disc& run, int kind) {
    const Piece top = last(), foot = second();
    const double length = top.z - foot.z, share = kind > 0 ? 1 : slip_share;
    if (run.radius > 0) {
      const double all = leg.z - foot.z;
      const Vector chord = (length / all) * top.p + ((leg.z - top.z) / all) * leg.p;
      const Disc slopes = inside_both(run, {top.p, share * 2 * c_.merge_error * c_.friction * top.z / length});
      if ((chord - slopes.centre).size() <= slopes.radius) {
        const double energy = h_.stored + stored_by(leg, top, force());
        lift(foot);
        put({leg.z, leg.force, chord}, foot);
        merged_ += energy - h_.stored;
        set_run(slopes, kind);
        return;
      }
    }
    push(leg);
    set_run({{}, std::numeric_limits<double>::infinity()}, kind);
  }
  /// Slopes known of the last leg, if it is a run of this kind: of legs that stuck (+1), that slipped (−1).
  Disc run(int kind) const { return h_.run_room * kind > 0 ? Disc{{h_.run_1, h_.run_2}, h_.run_room * kind} : Disc{}; }
  void set_run(const Disc& slopes, int kind) {
    h_.run_1 = slopes.centre.x;
    h_.run_2 = slopes.centre.y;
    h_.run_room = kind * slopes.radius;
  }

  /// Direction of a contact that slides while it turns (§8.6). At the onset it follows from the legs, from then on the
  /// pursuit curve `tan(φ/2) ~ ζ^(−|Δξ|/(κ f Δζ))`, φ between force and movement. `given` is Δξ/κ, `total` is X(0).
  Vector pursued(double z_old, double z, Vector given, Vector total) const {
    const double f = c_.friction, dz = z - z_old, move = given.size();
    if (!(move > 0) || f == 0) return along(total);
    const Vector held = total - given;
    // Onset: the smallest α in [0, 1] with |held + α given| = f (z_old + α dz). At 0 the difference of squares is ≤ 0.
    const double a = move * move - f * f * dz * dz, b = dot(held, given) - f * f * z_old * dz,
                 gap = std::min(0.0, dot(held, held) - f * f * z_old * z_old);
    double onset = 0;
    if (gap < 0 || b < 0) {
      const double root = std::sqrt(std::max(0.0, b * b - a * gap));
      onset = b > 0 ? -gap / (b + root) : a > 0 ? (root - b) / a : 1;
      onset = std::clamp(onset, 0.0, 1.0);
    }
    const Vector start = held + onset * given;
    const double z_on = z_old + onset * dz, size = start.size();
    if (!(z_on > 0) || !(size > 0)) return along(total);
    const double growth = std::max(-1.0, dz / z_on * (1 - onset));
    const double decay =
        move * (1 - onset) / (f * z_on) * (std::abs(growth) > 1e-8 ? std::log1p(growth) / growth : 1 - 0.5 * growth);
    const Vector u = (1 / move) * given, v{-u.y, u.x};
    const double cosine = dot(start, u) / size, sine = dot(start, v) / size;
    if (move * cosine < f * dz) return along(total);  // it would stop sliding
    if (cosine < 0) {                                 // by the cotangent, in which nothing cancels near straight back
      const double cotangent = std::exp(std::min(decay, 600.0)) * sine / (1 - cosine), square = cotangent * cotangent;
      const double scale = f / (1 + square);
      return std::isfinite(square) ? scale * ((square - 1) * u + (2 * cotangent) * v) : f * u;
    }
    const double tangent = std::exp(-decay) * sine / (1 + cosine), square = tangent * tangent;
    const double scale = f / (1 + square);
    return scale * ((1 - square) * u + (2 * tangent) * v);
  }

  static constexpr double slip_share = 0.1;  // of 2 η f z, for legs that slipped while the force turned
  // Share of f² by which f² − |p|² of a slip leg may be below zero, by rounding.
  static constexpr double slip_tolerance = 1e-10;

  const JaegerCoefficients& c_;
  History& h_;
  Pool& pool_;
  double merged_ = 0;
};

}  // namespace dem::laws
