#include "validation/pena2008/two_discs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libdem/contacts/pair_table.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/run/simulation_setup.hpp"

namespace dem::validation::pena2008 {

namespace {
constexpr double reduced_mass = std::numbers::pi / 8;  // kg, of two discs of radius 0.5 m and density 1 kg/m²
constexpr double radius = 0.5;
}  // namespace

double reference_duration(double k_n) {
  return contact_duration(damping_of_restitution(reference_restitution, k_n, reduced_mass), k_n, reduced_mass);
}

Case two_disc_case(Reading reading, double dt_over_tc, double k_n) {
  Case c;
  c.title = "Two discs";
  c.material.normal_stiffness = k_n;
  c.material.tangential_stiffness = k_n / 3;
  c.material.friction = 500;
  c.material.restitution = reference_restitution;
  c.contact.normal_force = NormalForce::overlap;
  c.time.step = dt_over_tc * reference_duration(k_n);
  c.time.override_limit = true;
  BodySpec i;
  i.shape = ShapeKind::disc;
  i.radius = radius;
  BodySpec j = i;
  i.fix_x = i.fix_y = i.fix_rotation = true;
  // Touching by 1e-13 m (1e-7 of the displacements): the contact exists from the start, so that its elongation holds
  // the first step too. From a gap of round-off size the spring would miss that step, and every final state with it (by
  // 1e-3 at Δt/t_c = 0.05).
  j.position = {std::sqrt(0.5) * (1 - 1e-13), std::sqrt(0.5) * (1 - 1e-13)};
  j.force = {-push * k_n, 0};
  j.fix_y = reading != Reading::free_no_rotation;
  j.fix_rotation = reading != Reading::guided;
  c.assembly.bodies = {i, j};
  return c;
}

Case with_velocity_elongation(Case c, VelocitySource source) {
  c.contact.elongation = Elongation::velocity;
  c.contact.velocity_source = source;
  return c;
}

Case with_ratios(Case c, double stiffness_ratio, double restitution_ratio) {
  c.material.tangential_stiffness = stiffness_ratio * c.material.normal_stiffness;
  c.material.tangential_damping = damping_of_restitution(restitution_ratio * c.material.restitution.value(),
                                                         c.material.tangential_stiffness, reduced_mass);
  return c;
}

double contact_duration_of(const Case& c) {
  const double gamma = c.material.normal_damping ? *c.material.normal_damping
                                                 : damping_of_restitution(c.material.restitution.value_or(1),
                                                                          c.material.normal_stiffness, reduced_mass);
  return contact_duration(gamma, c.material.normal_stiffness, reduced_mass);
}

RelaxationFit::Result relax(const Case& c, const RelaxationRun& choice) {
  const double t_c = contact_duration_of(c), limit = choice.limit_in_tc * t_c;
  const double most = choice.energy_limit * push * push * c.material.normal_stiffness;
  Simulation run(c);
  RelaxationFit fit;
  while (run.time() < limit) {
    run.step();
    const double energy = kinetic_energy(run.state());
    fit.add(run.time(), energy);
    if (run.step_count() % 64 == 0 && (fit.decayed() || energy > most)) break;
    if (choice.progress && run.step_count() % 1000000 == 0) choice.progress(run.time() / limit);
  }
  RelaxationFit::Result result = fit.fit();
  result.time /= t_c;
  return result;
}

Case beside_equilibrium(Case c) {
  c.assembly.bodies[1].position.x -= 2 * push * (1 - 1e-4);  // the equilibrium with ξ = 0 lies at Δx = −2 F/k_n
  return c;
}

FinalState settle(const Case& c, double duration_in_tc) {
  const double end = duration_in_tc * contact_duration_of(c);
  Simulation run(c);
  while (run.time() < end) run.step();
  if (run.contacts().size() != 1) throw std::runtime_error("the two discs have no contact at the end");
  const auto& bodies = run.state().bodies;
  const ContactRecord& k = run.contacts()[0];
  return {(bodies.position[0][1].x - std::sqrt(0.5)) / push, (bodies.position[0][1].y - std::sqrt(0.5)) / push,
          radius * bodies.rotation[0][1].z / push, k.elongation / push, std::abs(k.tangential_force / k.normal_force)};
}

}  // namespace dem::validation::pena2008
