#include "validation/pena2008/cyclic/loops.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "geometry/random.hpp"
#include "validation/driven_pair.hpp"
#include "validation/pena2008/polygon_cases.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr double circle = 2 * std::numbers::pi;

/// A smooth function of period 2π with largest absolute value 1.
class Wave {
 public:
  explicit Wave(geometry::Random& random) {
    for (auto& c : cosines_) c = 2 * random.uniform() - 1;
    for (auto& s : sines_) s = 2 * random.uniform() - 1;
    double largest = 0;
    for (int k = 0; k < 720; ++k) largest = std::max(largest, std::abs(value(circle * k / 720)));
    for (auto* part : {&cosines_, &sines_})
      for (double& x : *part) x /= largest;
  }
  double value(double s) const {
    double sum = 0;
    for (std::size_t m = 0; m < 3; ++m)
      sum += cosines_[m] * std::cos(double(m + 1) * s) + sines_[m] * std::sin(double(m + 1) * s);
    return sum;
  }
  double slope(double s) const {
    double sum = 0;
    for (std::size_t m = 0; m < 3; ++m)
      sum += double(m + 1) * (sines_[m] * std::cos(double(m + 1) * s) - cosines_[m] * std::sin(double(m + 1) * s));
    return sum;
  }

 private:
  std::array<double, 3> cosines_, sines_;
};

struct Placed {
  Pose i, j;            // pose
  Pose rate_i, rate_j;  // its derivative by s
};

LoopResult go_round(Case c, const LoopChoice& choice, const std::function<Placed(double)>& path) {
  c.contact.elongation = choice.elongation;
  c.contact.geometric_form = choice.form;
  c.contact.lever = choice.lever;
  c.material.friction = 1e6;  // no sliding at the smallest overlap either
  const Placed start = path(0);
  c.assembly.bodies[0].position = spatial(start.i.position);
  c.assembly.bodies[0].angle = start.i.angle;
  c.assembly.bodies[1].position = spatial(start.j.position);
  c.assembly.bodies[1].angle = start.j.angle;
  DrivenPair pair(c);
  const double h = circle / choice.steps;
  LoopResult result;
  double low = 0, high = 0, largest_force = 0;
  pair.move(start.i, start.j);
  for (int loop = 0; loop < choice.loops; ++loop) {
    result.work = result.exchanged = 0;
    for (int k = 1; k <= choice.steps; ++k) {
      const Placed at = path(h * (k == choice.steps ? 0 : k));  // back to the same bits
      pair.set_velocities(h * at.rate_i.position, h * at.rate_i.angle, h * at.rate_j.position,
                          h * at.rate_j.angle);  // its Δt is 1 s
      pair.move(at.i, at.j);
      const auto records = pair.records();
      if (records.size() != 1) throw std::runtime_error("the loop opens the contact");
      const ContactRecord& r = records[0];
      if (loop == 0) low = std::min(low, r.elongation), high = std::max(high, r.elongation);
      // The tangential force alone: what is left without the normal force, which acts at the contact point.
      const Vec2 n = planar(r.normal), point = planar(r.point), tangential = pair.force_on_j() - r.normal_force * n;
      const double torque_i = pair.torque_on_i() + r.normal_force * cross(point - at.i.position, n);
      const double torque_j = pair.torque_on_j() - r.normal_force * cross(point - at.j.position, n);
      const double dw = h * (dot(tangential, at.rate_j.position - at.rate_i.position) + torque_i * at.rate_i.angle +
                             torque_j * at.rate_j.angle);
      result.work += dw;  // the rectangle rule is exact to all orders on a closed loop
      result.exchanged += std::abs(dw);
      const double couple = torque_i + torque_j + cross(at.j.position - at.i.position, tangential);
      result.couple = std::max(result.couple, std::abs(couple));
      largest_force = std::max(largest_force, norm(tangential));
    }
    result.left.push_back(pair.records()[0].elongation);
  }
  result.amplitude = (high - low) / 2;
  if (largest_force > 0) result.couple /= largest_force;
  return result;
}

}  // namespace

LoopResult disc_loop(const LoopChoice& choice) {
  constexpr double radius = 0.5;
  Case c = driven_pair_case({}, {}, {});
  c.contact.normal_force = NormalForce::overlap;
  for (BodySpec& body : c.assembly.bodies) body.shape = ShapeKind::disc, body.radius = radius;
  geometry::Random random(choice.seed);
  const Wave overlap(random), direction(random), turn_i(random), turn_j(random);
  const double angle = 0.05 * choice.amplitude;
  return go_round(c, choice, [=](double s) {
    const double distance = 2 * radius * (1 - choice.overlap * (1 + 0.8 * overlap.value(s))),
                 distance_rate = -2 * radius * choice.overlap * 0.8 * overlap.slope(s);
    const double phi = angle * direction.value(s), phi_rate = angle * direction.slope(s);
    const Vec2 out{std::cos(phi), std::sin(phi)};
    return Placed{{{0, 0}, angle * turn_i.value(s)},
                  {distance * out, angle * turn_j.value(s)},
                  {{0, 0}, angle * turn_i.slope(s)},
                  {distance_rate * out + distance * phi_rate * turned_left(out), angle * turn_j.slope(s)}};
  });
}

LoopResult polygon_loop(const LoopChoice& choice) {
  const double size = choice.amplitude;
  return go_round(driven_pair_case(loop_i, loop_j, loop_start), choice, [=](double s) {
    return Placed{
        {},
        {loop_start + size * Vec2{0.04 * std::cos(s), 0.03 * std::sin(s)}, 0.3 + 0.1 * size * std::sin(s + 1)},
        {},
        {size * Vec2{-0.04 * std::sin(s), 0.03 * std::cos(s)}, 0.1 * size * std::cos(s + 1)}};
  });
}

}  // namespace dem::validation::pena2008
