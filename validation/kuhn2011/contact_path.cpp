#include "validation/kuhn2011/contact_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace dem::validation::kuhn2011 {

laws::JaegerCoefficients coefficients(double shear_modulus, double poisson_ratio, double friction, double radius) {
  laws::JaegerCoefficients c;
  c.modulus = laws::Hertz::modulus_of(shear_modulus, poisson_ratio);
  c.ratio = laws::Hertz::ratio_of(poisson_ratio);
  c.radius = radius;
  c.friction = friction;
  return c;
}

double indentation(const laws::Hertz& c, double normal_force) {
  const double quotient = normal_force / c.modulus;
  return std::cbrt(quotient * quotient / c.radius);
}

laws::StepRegime JaegerPath::step(const Move& m) {
  const double before_1 = h.force_1, before_2 = h.force_2;
  laws::JaegerContact contact(c, h, pool);
  const laws::StepRegime regime = contact.step(m.z, {m.shift_1, m.shift_2});
  work += (before_1 + h.force_1) * m.shift_1 + (before_2 + h.force_2) * m.shift_2;  // half of the sum, twice the shift
  return regime;
}

std::vector<laws::Leg> JaegerPath::legs() const {
  std::vector<laws::Leg> all;
  if (!(h.z > 0)) return all;
  all.push_back({h.z, h.p_1, h.p_2});
  pool.walk(h.below, [&](const laws::Leg& leg) { all.push_back(leg); });
  std::reverse(all.begin(), all.end());
  return all;
}

laws::StepRegime MindlinPath::step(const Move& m) {
  laws::Block b{};
  b.count = 1;
  b.legs = &pool;
  b.made[0] = 0;
  b.lost[0] = 1;
  b.shift_1[0] = 2 * m.shift_1;
  b.shift_2[0] = 2 * m.shift_2;
  b.modulus[0] = c.modulus;
  b.ratio[0] = c.ratio;
  b.radius[0] = c.radius;
  b.friction[0] = c.friction;
  b.indentation[0] = m.z;
  laws::HertzMindlin::pass({memory}, {}, b, &h);
  return b.regime[0];
}

Proportional::Proportional(const laws::JaegerCoefficients& c, double start_z, double slope, double share)
    : c_(c),
      slope_(slope),
      start_(c.normal_force(start_z)),
      turn_(slope * start_ / (slope - share * c.friction)),
      end_(slope * start_ / (slope + share * c.friction)),
      cone_(turn_ - force(turn_) / c.friction) {}

double Proportional::shift(double normal, bool back) const {
  const double t = force(normal), f = c_.friction, scale = c_.ratio * f;
  if (!back) return scale * (z_of(normal) - z_of(normal - t / f));
  const double met = (t + f * (normal + cone_)) / (2 * f);
  if (met > cone_) return scale * (2 * z_of(met) - z_of(normal) - z_of(cone_));
  return -scale * (z_of(normal) - z_of(normal + t / f));  // the cone of loading is forgotten
}

std::vector<Move> Proportional::moves(int parts) const {
  const std::array<double, 5> stations{start_, 0.5 * (start_ + turn_), turn_, 0.5 * (turn_ + end_), end_};
  std::vector<Move> all;
  double at = 0;
  for (std::size_t chord = 0; chord < 4; ++chord) {
    for (int k = 1; k <= parts; ++k) {
      const double normal =
          k == parts ? stations[chord + 1] : stations[chord] + (stations[chord + 1] - stations[chord]) * k / parts;
      const double to = shift(normal, chord >= 2);
      all.push_back({z_of(normal), to - at});
      at = to;
    }
  }
  return all;
}

}  // namespace dem::validation::kuhn2011
