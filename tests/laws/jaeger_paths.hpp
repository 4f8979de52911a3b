// Random histories of one Jäger contact, of fixed seeds, and what deviations are held against. Each leg put or taken
// away rounds the kept F_t by f F_n ε at most, with the largest F_n, until the contact slides. So deviations are held
// against 1e-14 f F_n per thousand steps (§4). U_t is a sum of products of the size 2κ f² F_n ζ that nearly cancel
// where legs are thin. Its deviations are held against that size, at the same rate.
#pragma once
#include "geometry/random.hpp"
#include "libdem/laws/jaeger_contact.hpp"
#include "prelude.hpp"

namespace dem::laws::jaeger_paths {

inline constexpr double eps = std::numeric_limits<double>::epsilon(), nan = std::numeric_limits<double>::quiet_NaN();

struct Draw {
  dem::geometry::Random random{20110104};
  double between(double a, double b) { return a + (b - a) * random.uniform(); }
  double log_between(double a, double b) { return a * std::exp(random.uniform() * std::log(b / a)); }
  int one_of(int n) { return int(n * random.uniform()); }
  std::uint64_t seed() { return std::uint64_t(0x1p53 * random.uniform()); }
};

/// One step: half-overlap at its end (m), half of the tangential movement (m).
struct Move {
  double z = 0, x = 0, y = 0;
  double size() const { return std::sqrt(x * x + y * y); }
};

enum class Overlap { constant, rising, falling, wandering, parting };
inline constexpr std::array overlaps{Overlap::constant, Overlap::rising, Overlap::falling, Overlap::wandering,
                                     Overlap::parting};

/// A random history: any size of step, repeats, ways back, steps at the limit of sticking.
class Path {
 public:
  /// `usual`: the largest common movement over κ f ζ, the most that the contact holds. `rare`: the share of huge ones.
  Path(std::uint64_t seed, const JaegerCoefficients& c, Overlap overlap, bool plane, double usual = 3,
       double rare = 0.02)
      : draw_{dem::geometry::Random(seed)},
        c_(c),
        overlap_(overlap),
        plane_(plane),
        usual_(usual),
        rare_(rare),
        top_(0.01 * c.radius) {}

  Move next() {
    const Move m = drawn();
    before_ = z_;
    last_ = m;
    z_ = m.z > 0 ? m.z : 0;
    return m;
  }
  void restart() { z_ = 0; }

 private:
  double overlap() {
    if (overlap_ == Overlap::constant) return z_ > 0 ? z_ : top_ * draw_.between(0.3, 1);
    if (overlap_ == Overlap::rising)
      return z_ > top_ ? -z_ : z_ > 0 ? z_ * (1 + draw_.log_between(1e-9, 0.05)) : top_ * draw_.log_between(1e-4, 0.5);
    if (overlap_ == Overlap::falling)
      return z_ > 1e-8 * top_ ? z_ * (1 - draw_.log_between(1e-9, 0.3)) : top_ * draw_.between(0.5, 1);
    if (overlap_ == Overlap::parting && draw_.one_of(40) == 0)
      return std::array{0.0, -top_, nan, 1e-100}[std::size_t(draw_.one_of(4))];
    const double z = z_ * std::exp(draw_.between(-0.2, 0.2));
    return z > 1e-4 * top_ && z < top_ ? z : top_ * draw_.between(0.1, 0.5);
  }
  Move to(double z, double size) {
    const double angle = plane_ ? pi * draw_.one_of(2) : draw_.between(-pi, pi);
    return {z, size * std::cos(angle), plane_ ? 0 : size * std::sin(angle)};
  }
  Move drawn() {
    const bool constant = overlap_ == Overlap::constant;
    const double holds = c_.ratio * std::max(c_.friction, 0.01) * (z_ > 0 ? z_ : top_);
    const double next = overlap();  // drawn first: compilers differ in the order of arguments
    if (draw_.random.uniform() < rare_) return to(next, holds * draw_.log_between(10, 1e6));
    if (z_ > 0) {
      const double again = z_ + (z_ - before_), back = before_ > 0 ? before_ : z_;
      const int kind = draw_.one_of(24);
      if (kind == 0) return {z_, 0, 0};
      if (kind == 1) return {again > 0 ? again : z_, last_.x, last_.y};
      if (kind == 2) return {back, -last_.x, -last_.y};
      if (kind == 3) return {back, -2 * last_.x, -2 * last_.y};
      if (kind == 4) return {next, 0, 0};
      if (kind == 5)
        return to(constant ? z_ : std::nextafter(z_, next > z_ ? 2 * z_ : 0), holds * draw_.log_between(1e-18, 1e-8));
      if (kind == 6) return to(next, c_.friction * c_.ratio * std::abs(next - z_));
      if (kind <= 10) return to(next, draw_.random.uniform() * c_.friction * c_.ratio * std::abs(next - z_));
    }
    return to(next, holds * (draw_.one_of(8) ? draw_.log_between(1e-4, usual_) : draw_.log_between(1e-15, 1e-4)));
  }

  Draw draw_;
  JaegerCoefficients c_;
  Overlap overlap_;
  bool plane_;
  double usual_, rare_, top_;
  double z_ = 0, before_ = 0;
  Move last_;
};

inline JaegerCoefficients coefficients(Draw& draw, double friction) {
  const double ratio = draw.between(1, 1.5), r_p = draw.log_between(1e-4, 1), r_q = draw.log_between(1e-4, 1);
  return {{draw.log_between(1, 1e10), ratio, 2 * r_p * r_q / (r_p + r_q)}, friction};
}

inline JaegerCoefficients of_material(double shear_modulus, double poisson_ratio, double friction, double radius_p = 1,
                                      double radius_q = 1) {
  return {{Hertz::modulus_of(shear_modulus, poisson_ratio), Hertz::ratio_of(poisson_ratio),
           Hertz::radius_of(radius_p, radius_q)},
          friction};
}

template <class Pool = LegPool>
struct Single {
  JaegerCoefficients c;
  Pool pool{};
  JaegerHistory<Pool> h{};
  double merged = 0;

  JaegerContact<Pool> contact() { return {c, h, pool}; }
  StepRegime step(double z, double x, double y = 0) {
    auto now = contact();
    const StepRegime regime = now.step(z, {x, y});
    merged = now.merged();
    return regime;
  }
  StepRegime step(Move m) { return step(m.z, m.x, m.y); }
  void clear() { contact().clear(); }
  /// Legs from the bottom up, after the sentinel.
  auto legs() {
    std::vector<typename JaegerContact<Pool>::Piece> all;
    contact().for_each([&](const auto& leg, const auto&) { all.push_back(leg); });
    all.emplace_back();
    std::reverse(all.begin(), all.end());
    return all;
  }
};

template <class History, class Other>
double distance(const History& a, const Other& b) {
  return std::hypot(a.force_1 - b.force_1, a.force_2 - b.force_2);
}

struct Largest {
  double value = 0;
  long at = 0;
  void see(double v, long step) {
    if (!(v <= value) && value == value) value = v, at = step;  // what is no number stays
  }
};
inline void within(const Largest& l, double bound, const char* what) {
  BOOST_TEST_CONTEXT(what << ", step " << l.at) BOOST_TEST(l.value <= bound);
}

/// Sizes that deviations are held against, and how these grow with steps.
struct Scale {
  double force = 0, stored = 0, steps = 0;
  void see(const JaegerCoefficients& c, double z, double count = 1) {
    if (!(z > 0)) {
      *this = {};
      return;
    }
    steps += count;
    force = std::max(force, c.friction * c.normal_force(z));
    stored = std::max(stored, 2 * c.ratio * c.friction * c.friction * c.normal_force(z) * z);
  }
  double growth() const { return 1 + steps / 1000; }
};
inline double share(double deviation, double of) { return deviation == 0 ? 0 : deviation / of; }

/// The step in equal parts; W is the trapezoid of force over movement (J).
template <class Pool>
bool in_parts(Single<Pool>& s, Move m, int parts, double* work = nullptr) {
  const double z = s.h.z;
  bool slid = false;
  for (int j = 1; j <= parts; ++j) {
    const double x = s.h.force_1, y = s.h.force_2;
    slid |= s.step({j < parts ? z + (m.z - z) * j / parts : m.z, m.x / parts, m.y / parts}) == StepRegime::slide;
    if (work) *work += ((x + s.h.force_1) * m.x + (y + s.h.force_2) * m.y) / parts;
  }
  return slid;
}

}  // namespace dem::laws::jaeger_paths
