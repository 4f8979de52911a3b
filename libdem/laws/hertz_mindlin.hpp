// Law `hertz-mindlin`: incremental tangential stiffness of Mindlin and Deresiewicz with a memory of three lengths
// (jaeger-contact reference, §14). Law `jaeger` is compared with these models. Sources: R. D. Mindlin, H. Deresiewicz,
// J. Appl. Mech. 20 (1953) 327; C. Thornton, C. W. Randall, Micromechanics of Granular Materials (1988) 133; L.
// Vu-Quoc, X. Zhang, Mech. Mater. 31 (1999) 235.
//
//   H0     `4Ga/(2 − ν) = (3/4) Ē √(R ζ)/κ`, stiffness without slip for the full movement δ of j against i (N/m).
//   θ      radius of the part that sticks over the contact radius a.
//   none             dT = H0 dδ with a of the step's end. A falling N leaves T as it is, until f N cuts it. As in most
//                    programs (mindlin without rescale), the new stiffness does not rescale the force.
//   single-reversal  §14, B: one extreme T*. H0 with the mean of the old and the new a.
//   turning-points   §14, A: every turning force, closed loops removed. H0 with the new a.
//
// Along (A, B). A step with Δζ > 0 and |Δδ| < 2κf Δζ sticks: `ΔT = ΔN Δδ/(2κ Δζ)`. In any other, `ΔT = θ H0 Δδ + s f ΔN
// (1 − θ)` with the way s of the branch. On the virgin curve `θ³ = 1 − (sT + f ΔN)/(f N)`. On the branch that begins at
// T_r, `θ³ = 1 − (s(T − T_r) + 2f ΔN)/(2f N)`.
//   turn     where s Δδ < min(0, 2κf Δζ): a relieved contact slips on unless the movement goes back faster than its
//            cone. With that the increment is continuous in Δδ.
//   virgin   there θ ≤ 1: the formula itself would let a falling N make force without movement where T < f|ΔN|.
//   stick    steps that stick on the virgin curve do not raise T*. Otherwise a contact that was pressed before it was
//            sheared would be on a branch from the start.
//   outward  B is virgin at T ≤ −T*, too, but only where it moves outward. Otherwise a contact that comes back from the
//            limit would have no stiffness.
//
// In the contact plane. B works along e = T/|T|, and across with the stiffness `(2/3) H0 q/(1 − (1 − q)^(2/3))`, q =
// |T|/(f N), mean N. A works along a line e, and across with the same stiffness. On the virgin curve e = T/|T|, as in
// B. The first turn fixes e, and the turning forces are numbers along it. The line is free again when the outermost
// loop closes, |T| ≥ T_1 in any direction, or the contact slides: then all turning forces are forgotten. Movement along
// one line is A as stated; turning the frame turns the forces. On random paths along a line A is law `jaeger`, except
// for the steps that stick. In the plane the mean difference is 0.07 f N (B 0.09, none 0.18): a difference of the
// models, not an error of the step length.
//
// All turning forces move with N, but T_r + s_r f N does not, with the way s_r of the branch that begins there. That
// number is remembered: a step costs the same for any memory. Ways alternate from −1 on, so their count gives s.
//
// Energy. None of the three has a potential, but the stated stored energy is a function of the state. For `none` it is
// T²/(2 H0). For A and B it is U_t of the slip history with the same turning forces (reference, §11). The part across
// the line adds T²/(2 H0). The legs have slope ±f and end where the branches meet. U_t is exact along a line while N
// rests or the contact slips on (B: up to its second reversal). After steps that stick under a growing N it is too
// little. Work is the trapezoid of force over movement. A step that sticks dissipates nothing. In one that slips,
// friction takes the part of the work that is not stored. It takes nothing where that part is negative (B that goes
// back on its branch, a relieved spring): friction does not give energy. Separation dissipates the stored energy. The
// caller books the rest, work − change − dissipated, as circulation.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "libdem/laws/row.hpp"

namespace dem {

/// Turning points that are remembered of the path of a contact.
enum class MindlinMemory : std::uint8_t { none, single_reversal, turning_points };

}  // namespace dem
namespace dem::laws {

struct HertzMindlin {
  static constexpr const char* name = "hertz-mindlin";
  static constexpr const char* description =
      "Hertz contact with incremental Mindlin-Deresiewicz stiffness; memory of no, one or all turning points "
      "(Thornton, Randall 1988)";

  static constexpr const char* example = "memory = \"turning-points\"\n";

  struct Options {
    MindlinMemory memory = MindlinMemory::single_reversal;
  };
  static std::vector<Key> keys() {
    return {key("memory", &Options::memory,
                {{MindlinMemory::none, "none", "tangent stiffness without slip, increments of force"},
                 {MindlinMemory::single_reversal, "single-reversal",
                  "one extreme force: in small steps exact up to the second reversal at constant normal force; steps "
                  "that stick while it grows are not remembered (up to 30 % in oblique impacts)"},
                 {MindlinMemory::turning_points, "turning-points",
                  "every turning force, closed loops forgotten; steps that stick are not remembered either"}},
                "Turning points that a contact remembers of its path (Kuhn 2011 compares them).")
                .named_everywhere()
                .of_the_state()};
  }

  /// All zero: no contact.
  struct History {
    double force_1 = 0, force_2 = 0;  ///< T, along the movement of j against i: on i (N)
    double z = 0, normal_force = 0;   ///< half-overlap ζ (m) and N now
    double line_1 = 0, line_2 = 0;    ///< unit vector of the turning forces; zero on the virgin curve
    // The last turning force, or the extreme T*. Earlier ones: turning, foot, foot_energy in the pool as z, p_1, p_2.
    double turning = 0;           ///< T_r + s_r f N (N), which does not change with N
    double foot = 0, foot_z = 0;  ///< normal force (N), half-overlap (m) where the leg begins that the branch cuts
    double foot_energy = 0;       ///< stored in the legs below that leg (J)
    LegPool::Stack below;

    bool turned() const { return line_1 != 0 || line_2 != 0; }
    std::size_t turning_points() const { return turned() ? below.count + 1 : 0; }
  };
  static constexpr Traits traits{.hertzian = true,
                                 .sees_lost_contacts = true,
                                 .tells_regime = true,
                                 .has_potential = false,
                                 .legs = int(offsetof(History, below) / sizeof(double))};

  static void pass(const Options& options, const StepFlags& flags, Block& b, History* history) {
    for (int c = 0; c < b.count; ++c) {
      History& h = history[c];
      const Contact contact{b.modulus[c], b.ratio[c], b.radius[c], b.friction[c], options.memory, h, *b.legs};
      const double part = b.lost[c] - b.made[c], x = part * b.shift_1[c], y = part * b.shift_2[c];
      const double before_1 = h.force_1, before_2 = h.force_2, stored = flags.energies ? contact.stored() : 0;
      const StepRegime regime = contact.step(b.indentation[c], {x, y});
      b.regime[c] = regime;
      b.elastic_1[c] = -h.force_1;
      b.elastic_2[c] = -h.force_2;
      const bool slides = regime == StepRegime::slide;
      const double damping = slides && !flags.damp_while_sliding ? 0 : b.damping[c];
      b.viscous_1[c] = -damping * b.velocity_1[c];
      b.viscous_2[c] = -damping * b.velocity_2[c];
      b.sliding[c] = slides ? 1 : 0;
      if (!flags.energies) continue;
      const bool slips = slides || regime == StepRegime::slip || regime == StepRegime::separated;
      b.stored[c] = contact.stored();
      b.forgotten[c] = 0;
      b.work[c] = 0.5 * ((before_1 + h.force_1) * x + (before_2 + h.force_2) * y);
      b.dissipated[c] = slips ? std::max(0.0, b.work[c] - (b.stored[c] - stored)) : 0;
    }
  }

  /// T/H0, of the spring without slip, full movement (m). With memory `none` slip is not remembered.
  static void elongation(const History& h, const LegPool& /*pool*/, const ContactSprings& springs, double out[2]) {
    const double stiffness = 0.75 * springs.modulus * std::sqrt(springs.radius * std::max(h.z, 0.0)) / springs.ratio;
    out[0] = stiffness > 0 ? h.force_1 / stiffness : 0;
    out[1] = stiffness > 0 ? h.force_2 / stiffness : 0;
  }

 private:
  /// Unit vector along v. Zero for zero. Of any size, also if its square is not a number.
  static Vector unit(Vector v) {
    const double most = std::max(std::abs(v.x), std::abs(v.y));
    if (!(most > 0)) return {};
    v = {v.x / most, v.y / most};
    return (1 / v.size()) * v;
  }

  struct Contact {
    double modulus, ratio, radius, friction;  // as in Block
    MindlinMemory memory;
    History& h;
    LegPool& pool;

    /// Makes one step to half-overlap z (m). `shift` is Δδ, the full movement of j against i (m).
    StepRegime step(double z, Vector shift) const {
      if (!(z > 0)) {  // also NaN
        pool.clear(h.below);
        h = {};
        return StepRegime::separated;
      }
      Step s{h.z, z, h.normal_force, modulus * std::sqrt(radius * z) * z, shift};
      if (s.z == s.z_old && shift.x == 0 && shift.y == 0) return StepRegime::unchanged;
      const StepRegime regime = move(s);
      h.z = s.z;
      h.normal_force = s.normal;
      return regime;
    }
    /// U_t (J).
    double stored() const {
      const double size = force().size();
      if (!(size > 0) && !h.turned()) return 0;
      const double h0 = stiffness(h.z);
      if (memory == MindlinMemory::none) return 0.5 * size * size / h0;
      const Point now{h.normal_force, h.z};
      if (!h.turned()) {
        const double front = std::max(0.0, h.normal_force - size / friction);
        return energy_of_leg({front, normal_to_z(front)}, now, friction, 0);
      }
      const Split top = split();
      const Point foot{h.foot, h.foot_z}, front{top.front, normal_to_z(top.front)};
      const Vector off = force() - dot(force(), line()) * line();
      return h.foot_energy + energy_of_leg(foot, front, -top.way * friction, top.at_foot) +
             energy_of_leg(front, now, top.way * friction, top.at_front) + 0.5 * dot(off, off) / h0;
    }

   private:
    struct Step {
      double z_old, z, normal_old, normal;
      Vector shift;
      double change() const { return normal - normal_old; }  // ΔN
    };

    StepRegime move(const Step& s) const {
      const double limit = friction * s.normal, dz = s.z - s.z_old;
      if (!(limit > least_limit)) {  // no friction, or an overlap of next to nothing
        set_force({});
        forget();
        return StepRegime::slide;
      }
      StepRegime regime = StepRegime::stick;
      if (memory == MindlinMemory::none) {
        set_force(force() + stiffness(s.z) * s.shift);
      } else if (dz > 0 && s.shift.size() < 2 * ratio * friction * dz) {
        set_force(force() + (s.change() / dz / (2 * ratio)) * s.shift);
      } else {
        regime = StepRegime::slip;
        if (memory == MindlinMemory::turning_points)
          slip_with_turning_points(s);
        else
          slip_with_one_extreme(s);
      }
      const double size = force().size();
      const bool slips = regime == StepRegime::slip, may_slide = slips || memory == MindlinMemory::none;
      if (may_slide && size > (slips ? limit * (1 - limit_tolerance) : limit)) {
        set_force(limit * unit(force()));
        forget();
        return StepRegime::slide;
      }
      if (size > limit) set_force(limit * unit(force()));  // rounding of a step that sticks
      if (slips && memory == MindlinMemory::turning_points) close_loops(s.normal);
      return regime;
    }

    /// §14, A, in the form for the contact plane at the head of this file.
    void slip_with_turning_points(const Step& s) const {
      const Vector e = h.turned() ? line() : along_force(s);
      const double along = dot(s.shift, e);
      if (way() * along < turns_below(s)) turn(e);
      const double w = way(), df = friction * s.change();
      const double theta =
          h.turned() ? branch_theta(s, w * (dot(force(), e) - turning_force(s.normal_old))) : virgin_theta(s);
      const double h0 = stiffness(s.z);
      set_force(force() + (theta * h0 * along + w * df * (1 - theta)) * e + across(s, h0) * (s.shift - along * e));
    }

    /// §14, B. In the virgin state T* = |T| and e* = T/|T|; nothing else is remembered.
    void slip_with_one_extreme(const Step& s) const {
      const Vector e = along_force(s);
      const double along = dot(s.shift, e), df = friction * s.change();
      const bool outward = along >= turns_below(s);
      const double h0 = 0.5 * (stiffness(s.z_old) + stiffness(s.z));
      double change;
      if (h.turned() && outward) {
        const double t = dot(force(), line()), extreme = turning_force(s.normal_old);
        if (t >= extreme || t <= -extreme) forget();
      }
      if (!h.turned() && outward) {
        const double theta = virgin_theta(s);
        change = df * (1 - theta) + theta * h0 * along;
      } else {
        if (!h.turned()) turn(e);
        const double theta = branch_theta(s, turning_force(s.normal_old) - dot(force(), line()));
        change = (dot(e, line()) > 0 ? -df : df) * (1 - theta) + theta * h0 * along;
      }
      set_force(force() + change * e + across(s, h0) * (s.shift - along * e));
    }

    /// Direction of the force; without a force that of the movement.
    Vector along_force(const Step& s) const {
      const Vector e = unit(force());
      return e.x != 0 || e.y != 0 ? e : unit(s.shift);
    }
    double turns_below(const Step& s) const { return std::min(0.0, 2 * ratio * friction * (s.z - s.z_old)); }
    double virgin_theta(const Step& s) const { return std::min(1.0, theta(s, force().size(), friction)); }
    /// `gone`: way of the force since the turn, at the old N.
    double branch_theta(const Step& s, double gone) const { return theta(s, gone, 2 * friction); }
    /// The first step of a branch while N falls has θ > 1; where N falls to nothing the quotient has no bound.
    static double theta(const Step& s, double gone, double slope) {
      const double cube = slope * s.normal - (gone + slope * s.change());  // θ³ times the denominator
      if (!(cube > limit_tolerance * slope * std::max(s.normal_old, s.normal))) return 0;
      return std::min(std::cbrt(cube / (slope * s.normal)), 1e10);
    }
    /// Secant stiffness of the virgin curve (§8.5).
    double across(const Step& s, double h0) const {
      const double q = force().size() / (friction * 0.5 * (s.normal_old + s.normal));
      if (q > 1 - limit_tolerance) return (2.0 / 3) * h0;
      return q > 1e-9 ? h0 * (2.0 / 3) * q / -std::expm1((2.0 / 3) * std::log1p(-q)) : h0;
    }

    /// Begins a new branch at T, along e.
    void turn(Vector e) const {
      if (h.turned()) {
        const Split top = split();
        pool.push(h.below, {h.turning, h.foot, h.foot_energy});
        const Point front{top.front, normal_to_z(top.front)};
        h.foot_energy += energy_of_leg({h.foot, h.foot_z}, front, -top.way * friction, top.at_foot);
        h.foot = front.normal;
        h.foot_z = front.z;
      } else {
        h.line_1 = e.x;
        h.line_2 = e.y;
        h.foot = std::max(0.0, h.normal_force - force().size() / friction);
        h.foot_z = normal_to_z(h.foot);
        h.foot_energy = 0;
      }
      h.turning = dot(force(), e) + way() * friction * h.normal_force;
    }
    /// Closes loops that the step has passed. `normal` is its new N.
    void close_loops(double normal) const {
      while (h.turned()) {
        const double t = dot(force(), line()), w = way(), last = turning_force(normal);
        if (h.below.count == 0) {
          if (force().size() < last) return;
          forget();
        } else if (w * (t - (pool.top(h.below).z + w * friction * normal)) >= 0) {
          drop();
          drop();
        } else if (w * (t - last) < 0) {  // the cone of the branch has passed its end
          drop();
        } else {
          return;
        }
      }
    }
    void drop() const {
      if (h.below.count == 0) return forget();
      const Leg leg = pool.top(h.below);
      pool.pop(h.below);
      h.turning = leg.z;
      h.foot = leg.p_1;
      h.foot_z = normal_to_z(h.foot);
      h.foot_energy = leg.p_2;
    }
    /// Returns to the virgin curve.
    void forget() const {
      pool.clear(h.below);
      h.line_1 = h.line_2 = h.turning = h.foot = h.foot_z = h.foot_energy = 0;
    }

    /// The two legs at the top of the history after a turn: against the branch up to `front`, along it above.
    struct Split {
      double way, front, at_foot, at_front;  // forces along the line
    };
    Split split() const {
      const double w = way(), t = dot(force(), line()), gone = w * (t - turning_force(h.normal_force));
      const double front = std::clamp(h.normal_force - gone / (2 * friction), h.foot, std::max(h.foot, h.normal_force));
      const double at_foot = h.turning - w * friction * h.foot;
      return {w, front, at_foot, at_foot - w * friction * (front - h.foot)};
    }
    struct Point {
      double normal, z;
    };
    /// U_t that a leg of slope p adds to those below, which have force t (§11, taken apart leg by leg).
    double energy_of_leg(Point from, Point to, double p, double t) const {
      const double dz = to.z - from.z;
      return 2 * ratio * (p * t * dz + p * p * (0.4 * (to.normal * to.z - from.normal * from.z) - from.normal * dz));
    }
    double normal_to_z(double normal) const {
      const double quotient = normal / modulus;
      return std::cbrt(quotient * quotient / radius);
    }

    double stiffness(double z) const { return 0.75 * modulus * std::sqrt(radius * z) / ratio; }  // H0
    double way() const { return h.turned() && h.below.count % 2 == 0 ? -1 : 1; }
    double turning_force(double normal) const { return h.turning - way() * friction * normal; }  // T_r
    Vector line() const { return {h.line_1, h.line_2}; }
    Vector force() const { return {h.force_1, h.force_2}; }
    void set_force(Vector t) const {
      h.force_1 = t.x;
      h.force_2 = t.y;
    }

    /// Bound of 1 − |T|/(f N): a contact closer to the limit slides. The roots would make 1e-5 of a rounding error.
    static constexpr double limit_tolerance = 1e-12;
    /// Smaller limits (N) count as none: squares of forces have to be numbers.
    static constexpr double least_limit = 1e-140;
  };
};

}  // namespace dem::laws
