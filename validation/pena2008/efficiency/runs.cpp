#include "validation/pena2008/efficiency/runs.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>

#include "libdem/run/simulation.hpp"
#include "libdem/run/simulation_setup.hpp"
#include "validation/pena2008/two_discs.hpp"

namespace dem::validation::pena2008 {

const char* name_of(Summation s) {
  switch (s) {
    case Summation::cundall:
      return "Cundall (predicted velocity)";
    case Summation::trapezoid:
      return "trapezoid";
    case Summation::geometric:
      return "geometric";
  }
  return "";
}

Case with(Case c, Summation s) {
  c.contact.elongation = s == Summation::geometric ? Elongation::geometric : Elongation::velocity;
  c.contact.velocity_source = s == Summation::trapezoid ? VelocitySource::trapezoid : VelocitySource::predicted;
  return c;
}

Case sliding_case(double dt_over_tc, Summation s) {
  Case c = with(two_disc_case(Reading::guided, dt_over_tc), s);
  c.title = "A disc that slides on another one while it vibrates";
  c.material.friction = 0.3;
  BodySpec& j = c.assembly.bodies[1];
  j.fix_rotation = true;
  // The vibration: amplitude 2 F/k_n, frequency √(k_n/2m) of the normal spring at 45°, m = π/4 kg.
  const double speed = 2 * push * std::sqrt(reference_stiffness / (2 * std::acos(-1.0) / 4));
  j.spin = 10 * speed / j.radius;
  return c;
}

Case frictionless_case(double dt_over_tc, Summation s, bool undamped) {
  Case c = with(two_disc_case(Reading::guided, dt_over_tc), s);
  c.material.friction = 0;
  if (undamped) c.material.restitution = 1;
  return c;
}

double sliding_share(const Case& c) {
  Simulation run(c);
  const double end = 20 * reference_duration();
  double slipping = 0, all = 0;
  while (run.time() < end) {
    run.step();
    for (const ContactRecord& k : run.contacts()) slipping += k.regime == Regime::slip, ++all;
  }
  return all > 0 ? slipping / all : 0;
}

double energy_ratio(const Case& c, double duration_in_tc) {
  Simulation run(c);
  const double end = duration_in_tc * reference_duration();
  double first = 0, last = 0;
  while (run.time() < end) {
    run.step();
    const double energy = kinetic_energy(run.state());
    if (run.time() < 0.01 * end) first = std::max(first, energy);
    if (run.time() > 0.99 * end) last = std::max(last, energy);
  }
  return last / first;
}

std::vector<double> trajectory(const Case& given, double t_c, int steps_per_tc) {
  Case c = given;
  c.time.step = t_c / steps_per_tc;
  c.time.override_limit = true;
  std::vector<double> out;
  Simulation run(c);
  for (int k = 0; k < trajectory_tc; ++k) {
    for (int step = 0; step < steps_per_tc; ++step) run.step();
    const Bodies& bodies = run.state().bodies;
    for (double v : {bodies.position[0][1].x, bodies.position[0][1].y, 0.5 * bodies.rotation[0][1].z}) out.push_back(v);
  }
  return out;
}

double trajectory_error(const std::vector<double>& found, const std::vector<double>& reference) {
  const auto distance = [](const double* a, const double* b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  double largest = 0, error = 0;
  for (std::size_t k = 0; k < reference.size(); k += 3) {
    for (std::size_t m = 0; m < k; m += 3) largest = std::max(largest, distance(&reference[k], &reference[m]));
    const double e = distance(&found[k], &reference[k]);
    if (!(e <= error)) error = e;  // also when it is not a number
  }
  return error / largest;
}

std::vector<double> step_costs(const std::vector<Case>& cases, int rounds, int steps) {
  std::vector<std::unique_ptr<Simulation>> runs;
  for (const Case& c : cases) {
    runs.push_back(std::make_unique<Simulation>(c));
    for (int k = 0; k < steps; ++k) runs.back()->step();
  }
  std::vector<std::vector<double>> times(cases.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < runs.size(); ++k) {
      const std::clock_t start = std::clock();
      for (int step = 0; step < steps; ++step) runs[k]->step();
      times[k].push_back(double(std::clock() - start) / CLOCKS_PER_SEC / steps);
    }
  std::vector<double> medians;
  for (auto& t : times) {
    std::nth_element(t.begin(), t.begin() + rounds / 2, t.end());
    medians.push_back(t[std::size_t(rounds) / 2]);
  }
  return medians;
}

Admissible admissible_step(const std::vector<double>& step, const std::vector<double>& error, double tolerance) {
  std::size_t k = step.size();  // the first of the steps from which on all are within the tolerance
  while (k > 0 && error[k - 1] <= tolerance) --k;
  if (k == step.size()) return {std::numeric_limits<double>::quiet_NaN(), false};
  if (k == 0) return {step[0], true};
  if (!std::isfinite(error[k - 1]) || !(error[k] > 0)) return {step[k], false};
  const double power = std::log(tolerance / error[k]) / std::log(error[k - 1] / error[k]);
  return {step[k] * std::pow(step[k - 1] / step[k], power), false};
}

}  // namespace dem::validation::pena2008
