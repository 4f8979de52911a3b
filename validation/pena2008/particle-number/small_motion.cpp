#include "validation/pena2008/particle-number/small_motion.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/random.hpp"
#include "libdem/run/simulation.hpp"

namespace dem::validation::pena2008::packed {

namespace {

constexpr int start_steps = 50;  // in which kinetic and stored energy are shared out

Case moving_case(const Disturbed& d) {
  Case c = d.packing;
  c.contact.elongation = d.elongation;
  c.contact.velocity_source = VelocitySource::predicted;
  c.time.step = d.dt;
  c.time.override_limit = true;
  c.time.limit_check_interval = 1e9 * d.dt;  // what is stable is the question here
  Stage stage;
  stage.duration = 1e9 * d.dt;
  c.stages = {stage};
  for (std::size_t b = 0; b < c.assembly.bodies.size(); ++b) {
    BodySpec& body = c.assembly.bodies[b];
    const auto v = d.velocity.segment<3>(Eigen::Index(3 * b));
    body.velocity = {v(0), v(1)};
    body.spin = v(2);
  }
  return c;
}

Decay result(const RelaxationFit::Result& fit, bool same_contacts) {
  return {1 / fit.time, fit.r_squared, fit.maxima, same_contacts};
}

}  // namespace

Decay decay_of_mode(const Disturbed& d, double duration) {
  Simulation run(moving_case(d));
  const std::size_t contacts = run.contact_count();
  RelaxationFit fit;
  const auto steps = std::uint64_t(std::ceil(duration / d.dt));
  for (std::uint64_t k = 0; k < steps; ++k) {
    run.step();
    fit.add(run.time(), kinetic_energy(run.state()));
  }
  return result(fit.fit(2, 0), run.contact_count() == contacts);
}

Decay late_decay(const Disturbed& d, double longest) {
  Simulation run(moving_case(d));
  const std::size_t contacts = run.contact_count();
  RelaxationFit fit;
  while (run.time() < longest && !(run.step_count() % 1024 == 0 && fit.decayed(1e-12))) {
    run.step();
    fit.add(run.time(), kinetic_energy(run.state()));
  }
  return result(fit.fit(1e-6, 1e-12), run.contact_count() == contacts);
}

bool grows(const Disturbed& d, int steps) {
  try {
    Simulation run(moving_case(d));
    const std::size_t contacts = run.contact_count();
    double start = 0, third = 0, last = 0;
    for (int k = 0; k < steps; ++k) {
      run.step();
      const double energy = kinetic_energy(run.state());
      if (k < start_steps)
        start = std::max(start, energy);
      else if (energy > 10 * start)
        return true;
      if (2 * k >= steps) (4 * k < 3 * steps ? third : last) += energy;
    }
    return run.contact_count() != contacts || !(last < third);  // contacts open when it has grown long ago
  } catch (const BlowUp&) {
    return true;
  }
}

double largest_stable_step(Disturbed d, double stable, double unstable, int steps) {
  const auto grows_at = [&](double dt) {
    d.dt = dt;
    return grows(d, steps);
  };
  while (grows_at(stable)) unstable = stable, stable *= 0.9;
  while (!grows_at(unstable)) stable = unstable, unstable *= 1.1;
  while (unstable - stable > 0.005 * unstable) {
    const double middle = 0.5 * (stable + unstable);
    (grows_at(middle) ? unstable : stable) = middle;
  }
  return 0.5 * (stable + unstable);
}

Eigen::VectorXd velocity_along(const Case& packing, const Eigen::VectorXd& shape, double omega, double largest) {
  double size = 0;
  for (std::size_t b = 0; b < packing.assembly.bodies.size(); ++b) {
    const BodySpec& body = packing.assembly.bodies[b];
    double reach = body.radius;
    for (Vec2 v : body.outline) reach = std::max(reach, norm(v));
    const auto u = shape.segment<3>(Eigen::Index(3 * b));
    size = std::max(size, std::hypot(u(0), u(1)) + reach * std::abs(u(2)));
  }
  return (largest * omega / size) * shape;
}

Eigen::VectorXd random_velocity(const Case& packing, double omega, double largest, std::uint64_t seed) {
  geometry::Random random(seed);
  Eigen::VectorXd shape(Eigen::Index(3 * packing.assembly.bodies.size()));
  for (double& x : shape) x = random.uniform() - 0.5;
  return velocity_along(packing, shape, omega, largest);
}

}  // namespace dem::validation::pena2008::packed
