#include "validation/pena2008/gear/oscillator.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/motion/gear5.hpp"

namespace dem::validation::pena2008 {

namespace {

/// A body of unit mass, free in the plane, that moves along x.
class Coordinate {
 public:
  explicit Coordinate(double dt, GearCoefficients set = GearCoefficients::velocity_dependent)
      : dt_(dt), set_(gear_coefficients(set)) {
    for (auto* terms : {&body_.position, &body_.rotation})
      for (auto& r : *terms) r.assign(1, Vec3{});
    body_.mass = body_.moment = {1};
    body_.freedom = {free_in_plane};
    body_.force = body_.torque = {Vec3{}};
  }
  double& term(std::size_t k) { return body_.position[k][0].x; }
  double x() const { return body_.position[0][0].x; }
  double v() const { return body_.position[1][0].x / dt_; }
  template <class Force>
  void step(Force force) {
    gear_predict(body_);
    body_.force[0].x = force(x(), v());
    gear_correct(body_, dt_, set_);
  }
  /// x, v and derivatives of the linear oscillator to order `last`.
  void start(double x, double v, const Oscillator& o, std::size_t last) {
    double derivative[gear_terms] = {x, v}, scale = 1;
    for (std::size_t k = 0; k < gear_terms; ++k) {
      if (k > 0) scale *= dt_ / double(k);
      if (k > 1) derivative[k] = -o.omega * o.omega * derivative[k - 2] - 2 * o.ratio * o.omega * derivative[k - 1];
      term(k) = k <= last ? scale * derivative[k] : 0;
    }
  }

 private:
  Bodies body_;
  double dt_;
  GearCoefficientSet set_;
};

State1 closed_form(const Oscillator& o, double t) {
  const double w = o.omega * std::sqrt(1 - o.ratio * o.ratio), decay = std::exp(-o.ratio * o.omega * t),
               slope = o.ratio * o.omega / w;
  return {decay * (std::cos(w * t) + slope * std::sin(w * t)),
          -decay * std::sin(w * t) * (w + slope * o.ratio * o.omega)};
}

}  // namespace

State1 error_after(const Oscillator& o, GearCoefficients set, bool exact_start, double end, int steps) {
  Coordinate c(end / steps, set);
  c.start(1, 0, o, exact_start ? gear_terms - 1 : 2);
  for (int k = 0; k < steps; ++k)
    c.step([&](double x, double v) { return -o.omega * o.omega * x - 2 * o.ratio * o.omega * v; });
  const State1 exact = closed_form(o, end);
  return {c.x() - exact.x, c.v() - exact.v};
}

double error_with_event(Event event, int steps, int phases) {
  constexpr double end = event_span;
  const double dt = end / steps;
  double squares = 0;
  for (int phase = 0; phase < phases; ++phase) {
    const double shift = dt * (phase + 0.5) / phases;  // how long before the start the motion began
    Coordinate c(dt);
    double exact = 0;
    if (event == Event::closing) {
      // Free flight with v = −1 from x = 1, contact x″ = −x below 0: there x = −sin(t − 1). Open again after t = 1 + π,
      // which is not reached.
      c.start(1 - shift, -1, {0, 0}, gear_terms - 1);
      for (int k = 0; k < steps; ++k) c.step([](double x, double) { return x < 0 ? -x : 0; });
      exact = -std::sin(end + shift - 1);
    } else if (event == Event::slip) {
      // x = sin t; the spring holds 1/2 at most from t = π/6 on: then x″ = −1/2. It would reverse where x′ = 0, after
      // the end of this part.
      c.start(std::sin(shift), std::cos(shift), {1, 0}, gear_terms - 1);
      const double onset = std::asin(0.5), speed = std::cos(onset), part = 1.5;
      const int count = int(std::lround(part / dt));
      double slipped = 0;
      for (int k = 0; k < count; ++k)
        c.step([&](double x, double) {
          slipped = std::max(slipped, x - slipped > 0.5 ? x - 0.5 : slipped);
          return -(x - slipped);
        });
      const double t = count * dt + shift - onset;
      exact = 0.5 + speed * t - 0.25 * t * t;
    } else {
      // x = sin t up to 1/2, from there on the force is weaker by 0.1: x″ = −x + 0.1.
      c.start(std::sin(shift), std::cos(shift), {1, 0}, gear_terms - 1);
      const double onset = std::asin(0.5), part = 1.2;
      const int count = int(std::lround(part / dt));
      for (int k = 0; k < count; ++k) c.step([](double x, double) { return x > 0.5 ? -x + 0.1 : -x; });
      const double t = count * dt + shift - onset;
      exact = 0.1 + 0.4 * std::cos(t) + std::cos(onset) * std::sin(t);
    }
    squares += (c.x() - exact) * (c.x() - exact);
  }
  return std::sqrt(squares / phases);
}

double grown(GearCoefficients set, double damping_ratio, double omega_dt) {
  Coordinate c(omega_dt, set);
  c.start(1, 0, {1, damping_ratio}, gear_terms - 1);
  const auto amplitude = [&] { return std::hypot(c.x(), c.v()); };
  const double first = amplitude();
  for (int k = 0; k < 20000 && amplitude() < 1e100; ++k)
    c.step([&](double x, double v) { return -x - 2 * damping_ratio * v; });
  return amplitude() / first;
}

}  // namespace dem::validation::pena2008
