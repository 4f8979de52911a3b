// Law `linear-refined`: linear spring with Coulomb limit, exact within the step for proportional overlap and movement.
// Source: M. R. Kuhn, K. Suzuki, A. Daouadji, Linear-frictional contact model for 3D DEM simulations (2020), in the
// corrected form of the linear-frictional-contact reference (§4 force, §5 work, §7 pseudo-code, §8 degenerate inputs).
//
//   part of the step  a contact made or lost within the step moves only (lost − made) of the step's movement d.
//   pull-back         a force beyond the limit of the start (μ was lowered) is shortened; the difference is dissipated.
//   sticking          trial f0 + k_t d within the limit at the *end* of the step: then it was within it throughout.
//   onset             otherwise it slides from α_s on, the root of |f0 + α k_t d| = μ f_n(α), without any tolerance.
//   sliding           the force has the size μ f_n and turns towards the movement: tan(θ1/2) = e^(−E) tan(θ_s/2).
//   work              the integral of f·dξ along that path; friction takes what is not stored.
//
// With part_of_step, onset and direction off it is the conventional model (law `linear`). `onset` alone changes the
// work, not the force. `direction` without `onset` lets |f| go evenly from |f0| to μ f_n over the step.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "libdem/laws/row.hpp"

namespace dem {

enum class SlidingWork : std::uint8_t { exact, trapezoid };  ///< work while sliding

}  // namespace dem
namespace dem::laws {

struct LinearRefined {
  static constexpr const char* name = "linear-refined";
  static constexpr const char* description =
      "linear spring with Coulomb limit, exact within the step: contact made or lost, onset of sliding, turning of the "
      "sliding force (Kuhn, Suzuki, Daouadji 2020)";

  static constexpr const char* example =
      "refinements = [\"part-of-step\", \"onset\", \"direction\"]  # the default: all\n";
  static constexpr Traits traits{.history_is_one_vector = true, .sees_lost_contacts = true, .clips_tension = true};

  /// Each refinement by itself (linear-frictional reference, §4 and §5). How the force follows is a transport.
  struct Options {
    bool part_of_step = true;  ///< honour Block::made and Block::lost
    bool onset = true;         ///< sliding begins at α_s within the step
    bool direction = true;     ///< the sliding force turns along the closed form
    SlidingWork sliding_work = SlidingWork::exact;
  };
  static std::vector<Key> keys() {
    return {key<Options>("refinements",
                         {{&Options::part_of_step, "part-of-step",
                           "a contact made or lost within a step moves only during its part of it"},
                          {&Options::onset, "onset", "sliding begins within the step"},
                          {&Options::direction, "direction",
                           "the sliding force turns along its closed form, not by radial return"}},
                         "Refinements that are on. An empty list is the conventional model.")
                .named_everywhere(),
            key("sliding_work", &Options::sliding_work,
                {{SlidingWork::exact, "exact", "integral along the sliding path in closed form"},
                 {SlidingWork::trapezoid, "trapezoid",
                  "mean of the force at both ends of the sliding part times the movement"}},
                "Work of the tangential force while sliding.")
                .named_everywhere()};
  }

  /// The force itself, not an elongation: k_t (f/k_t) would leave the limit by rounding.
  struct History {
    double force_1 = 0, force_2 = 0;  ///< elastic tangential force on i (N)
  };

  static void pass(const Options& options, const StepFlags& flags, Block& b, History* history) {
    for (int c = 0; c < b.count; ++c) {
      const double k = b.stiffness[c], divisor = k > 0 ? k : 1;  // without a spring there is no force
      const double part = options.part_of_step ? b.lost[c] - b.made[c] : 1;
      // An infinite μ, for probes without sliding, may meet a force of zero: 0·∞ is no limit.
      const double mu = std::min(b.friction[c], 1e30);
      const double start = b.normal_start[c] > 0 ? b.normal_start[c] : 0,
                   end = b.normal_end[c] > 0 ? b.normal_end[c] : 0;
      const double limit_start = mu * start, limit_end = mu * end;
      const double d_1 = part * b.shift_1[c], d_2 = part * b.shift_2[c];
      double f_1 = history[c].force_1, f_2 = history[c].force_2;
      const double before = 0.5 * (f_1 * f_1 + f_2 * f_2) / divisor;  // stored energy, before any pull-back
      double pulled_back = 0;
      if (const double size = norm(f_1, f_2); size > limit_start) {
        f_1 *= limit_start / size;
        f_2 *= limit_start / size;
        pulled_back = before - 0.5 * (f_1 * f_1 + f_2 * f_2) / divisor;
      }
      double end_1 = f_1 + k * d_1, end_2 = f_2 + k * d_2, work, slid = 0;
      const bool sticks = norm(end_1, end_2) <= limit_end;
      if (sticks) {
        work = 0.5 * (d_1 * (f_1 + end_1) + d_2 * (f_2 + end_2));
      } else {
        work = slide(options, {f_1, f_2, d_1, d_2, k, mu, start, end}, end_1, end_2, slid);
      }
      const double stored = 0.5 * (end_1 * end_1 + end_2 * end_2) / divisor;
      history[c] = {end_1, end_2};
      b.elastic_1[c] = -end_1;
      b.elastic_2[c] = -end_2;
      // Without a limit the contact is at it even before it has moved.
      if (limit_end == 0) slid = std::max(slid, limit_start == 0 ? 1 : std::numeric_limits<double>::min());
      const double damping = slid > 0 && !flags.damp_while_sliding ? 0 : b.damping[c];
      b.viscous_1[c] = -damping * b.velocity_1[c];
      b.viscous_2[c] = -damping * b.velocity_2[c];
      b.stored[c] = stored;
      b.work[c] = work;
      b.dissipated[c] = sticks ? pulled_back : work - (stored - before);
      b.sliding[c] = slid;
    }
  }

  static void start(History& h, const double force[2], double /*tangent*/) { h = {force[0], force[1]}; }

  static void elongation(const History& h, const ContactSprings& springs, double out[2]) {
    out[0] = springs.stiffness > 0 ? h.force_1 / springs.stiffness : 0;
    out[1] = springs.stiffness > 0 ? h.force_2 / springs.stiffness : 0;
  }

  /// α_s (§4.3), the share of the movement d before sliding. The force f is within the limit at the start, its trial
  /// outside at the end. These are the paper's A, B, C with the opposite sign; c = 0 and a = 0 are no special cases.
  static double onset(double f_1, double f_2, double g_1, double g_2, double mu, double start, double end) {
    const double change = mu * (end - start), limit = mu * start;
    const double a = g_1 * g_1 + g_2 * g_2 - change * change, b = f_1 * g_1 + f_2 * g_2 - limit * change;
    double c = f_1 * f_1 + f_2 * f_2 - limit * limit;
    if (c > -4e-16 * limit * limit) c = 0;  // on the limit, to the rounding of these lines
    const double root = std::sqrt(std::max(0.0, b * b - a * c));
    double alpha;
    if (b >= 0)
      alpha = c == 0 ? 0 : -c / (b + root);
    else
      alpha = a > 0 ? (root - b) / a : 1;  // first back inside; a > 0 but for rounding, as the trial ends outside
    return std::clamp(alpha, 0.0, 1.0);
  }

 private:
  static double norm(double a, double b) { return std::sqrt(a * a + b * b); }

  struct Movement {
    double f_1, f_2;  // force at the start, within its limit
    double d_1, d_2;  // movement (m)
    double k, mu, start, end;
  };

  /// A step that ends sliding. end_1, end_2: trial on entry, force on return. `slid`: share of d that slides.
  static double slide(const Options& options, const Movement& s, double& end_1, double& end_2, double& slid) {
    const double limit_end = s.mu * s.end, length = norm(s.d_1, s.d_2);
    const double alpha = options.onset ? onset(s.f_1, s.f_2, s.k * s.d_1, s.k * s.d_2, s.mu, s.start, s.end) : 0;
    slid = std::max(1 - alpha, std::numeric_limits<double>::min());
    const double from_1 = s.f_1 + alpha * s.k * s.d_1, from_2 = s.f_2 + alpha * s.k * s.d_2,
                 from = norm(from_1, from_2);
    const double rest = 1 - alpha, sliding_length = rest * length;
    const double sticking = alpha > 0 ? 0.5 * alpha * (s.d_1 * (s.f_1 + from_1) + s.d_2 * (s.f_2 + from_2)) : 0;
    const double limit_from = options.onset ? s.mu * (s.start + alpha * (s.end - s.start)) : from;
    const auto end_along = [&](double x, double y) {
      const double size = norm(x, y), factor = size > 0 ? limit_end / size : 0;
      end_1 = factor * x;
      end_2 = factor * y;
    };
    const auto trapezoid = [&] { return 0.5 * rest * (s.d_1 * (from_1 + end_1) + s.d_2 * (from_2 + end_2)); };

    if (!options.direction) {  // radial return of the trial
      end_along(end_1, end_2);
      return sticking + trapezoid();
    }
    if (!(sliding_length > 0)) {  // the limit shrinks through the force
      end_along(from_1, from_2);
      return sticking;
    }
    const double e_1 = s.d_1 / length, e_2 = s.d_2 / length;
    const double y = limit_from > 0 ? (limit_end - limit_from) / limit_from : std::numeric_limits<double>::infinity();
    if (!(y < 1e100) || !(from > 0)) {  // from first touch on: the force follows the movement
      end_along(e_1, e_2);
      return sticking + 0.5 * sliding_length * limit_end;
    }
    const double m_1 = from_1 / from, m_2 = from_2 / from;
    const double sum_1 = m_1 + e_1, sum_2 = m_2 + e_2, difference_1 = m_1 - e_1, difference_2 = m_2 - e_2;
    // 1 + cos θ and 1 − cos θ, each accurate where it is small.
    const double u = 0.5 * (sum_1 * sum_1 + sum_2 * sum_2),
                 v = 0.5 * (difference_1 * difference_1 + difference_2 * difference_2);
    const double rate = s.k * sliding_length / limit_from,
                 span = y == 0 ? 1 : std::log1p(y) / y;  // E = rate · span; ∞ where the limit ends at 0
    if (u == 0) {  // straight against the movement, and back faster than it is pulled forward
      end_along(-e_1, -e_2);
    } else {
      const double p = std::exp(-rate * span), q = p * p * v, cosine = 0.5 * (u - v);
      end_along((u - q) * e_1 + 2 * p * (m_1 - cosine * e_1), (u - q) * e_2 + 2 * p * (m_2 - cosine * e_2));
    }
    if (options.sliding_work == SlidingWork::trapezoid) return sticking + trapezoid();
    const double aligned = 0.5 * sliding_length * (limit_from + limit_end);
    return sticking + (u == 0   ? -aligned
                       : v == 0 ? aligned
                                : aligned - sliding_length * limit_from * misaligned(u, v, rate, y, span));
  }

  /// `∫ (F/F_s)(1 − cos θ) ds` over the sliding part of the step, the work that is missing to an aligned force, over L
  /// F_s. With z = ln(1 + s y)/y both the limit e^(y z) and the turn e^(−rate z) are smooth. The integral is `∫_0^span
  /// e^(2yz) 2 v q/(u + v q) dz`, q = e^(−2 rate z). Its poles are π/2 off the real axis of rate·z. So n Gauss-Legendre
  /// points on an interval of `h = max(rate, |y|) Δz` converge like (2π/h)^(−2n): here below 1e-12.
  static double misaligned(double u, double v, double rate, double y, double span) {
    struct Rule {
      int points;
      double node[4], weight[4];
    };  // the upper half; the lower is its mirror image
    static constexpr Rule two{2, {0.57735026918962576}, {1}};
    static constexpr Rule four{
        4, {0.33998104358485626, 0.86113631159405258}, {0.65214515486254614, 0.34785484513745386}};
    static constexpr Rule eight{8,
                                {0.18343464249564980, 0.52553240991632899, 0.79666647741362674, 0.96028985649753623},
                                {0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626}};
    // Beyond e^(−41) nothing is left of a limit that falls, or of an angle that has closed.
    double reach = span;
    if (y < 0) reach = std::min(reach, 20.7 / -y);
    if (const double fall = rate - std::max(y, 0.0); fall > 0)
      reach = std::min(reach, (20.7 + 0.5 * std::max(0.0, std::log(v / u))) / fall);
    const double h = std::max(rate, std::abs(y)) * reach;
    const Rule& rule = h < 5e-3 ? two : h < 0.15 ? four : eight;
    const int intervals = std::max(1, int(std::ceil(h)));
    const double half = 0.5 * reach / intervals;
    const auto integrand = [&](double z) {
      const double q = v * std::exp(-2 * rate * z);
      return std::exp(2 * y * z) * 2 * q / (u + q);
    };
    double sum = 0;
    for (int n = 0; n < intervals; ++n) {
      const double middle = (2 * n + 1) * half;
      for (int p = 0; p < rule.points / 2; ++p)
        sum += rule.weight[p] * (integrand(middle - rule.node[p] * half) + integrand(middle + rule.node[p] * half));
    }
    return half * sum;
  }
};

}  // namespace dem::laws
