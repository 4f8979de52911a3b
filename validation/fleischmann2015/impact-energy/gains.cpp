#include "validation/fleischmann2015/impact-energy/gains.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libdem/contacts/pair_table.hpp"
#include "libdem/run/simulation.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr double radius = 0.003, density = 2550, speed = 1;
const double mass = 4 * std::numbers::pi / 3 * radius * radius * radius * density;

double angle_of(const Impact& impact) { return impact.degrees * std::numbers::pi / 180; }

/// Of Hooke's form.
double spring_of(const Impact& impact) { return 5e-5 * impact.young; }

/// Of a contact with reduced mass and radius.
double duration_of(const Impact& impact, double reduced, double of_radius) {
  if (impact.form == Form::hooke)
    return contact_duration(damping_of_restitution(impact.restitution, spring_of(impact), reduced), spring_of(impact),
                            reduced);
  const double nu = impact.poisson_ratio, of_pair = impact.young / (2 * (1 - nu * nu)),
               v = speed * std::cos(angle_of(impact));
  return 2.87 * std::pow(reduced * reduced / (of_radius * of_pair * of_pair * v), 0.2);
}

HertzVariant variant_of(Form form) {
  return form == Form::force_increment ? HertzVariant::force_increment
         : form == Form::rescaled      ? HertzVariant::rescaled
                                       : HertzVariant::displacement;
}

}  // namespace

const char* name_of(Form form) {
  constexpr const char* names[] = {"hooke-history", "hertz-history, displacement", "hertz-history, force-increment",
                                   "hertz-history, rescaled"};
  return names[int(form)];
}

ImpactEnergy energy_of(const Impact& impact) {
  const double k_n = spring_of(impact);
  Coefficients k{false, k_n, impact.stiffness_ratio * k_n, 0, 0, impact.friction, radius, mass};
  if (impact.form == Form::hooke) {
    k.gamma_n = damping_of_restitution(impact.restitution, k_n, mass) / mass;
    k.gamma_t = k.gamma_n * std::sqrt(impact.stiffness_ratio);
  } else {
    const double nu = impact.poisson_ratio, of_pair = impact.young / (2 * (1 - nu * nu)),
                 shear = impact.young / (4 * (1 + nu) * (2 - nu));  // E*, G*
    k.hertz = true;
    k.k_n = 4 * of_pair / 3;
    k.k_t = 8 * shear;
    k.restitution = impact.restitution < 1 ? impact.restitution : 0;
  }
  Contact contact(k);
  contact.options.friction_limit = impact.limit;
  contact.options.hertz_variant = variant_of(impact.form);
  const double angle = angle_of(impact), dt = duration_of(impact, mass, radius) / impact.steps;
  const int most = int(20 * impact.steps);
  const Rebound r =
      meets_wall(contact, radius, speed, angle, true, dt, most, impact.spin * speed * std::sin(angle) / radius);
  if (!(r.v_z > 0)) throw std::runtime_error("the sphere of an impact does not leave the wall");
  return {
      r.kinetic - 1, r.circulation,
      contact.friction_work / (0.5 * mass * speed * speed * (1 + 0.4 * std::pow(impact.spin * std::sin(angle), 2)))};
}

double overlap_of(const Impact& impact) {
  const double nu = impact.poisson_ratio, of_pair = impact.young / (2 * (1 - nu * nu));
  return std::pow(15 * mass * speed * speed / (16 * of_pair * std::sqrt(radius)), 0.4) / radius;
}

double sticking_limit(const Impact& impact) {
  const double nu = impact.poisson_ratio,
               ratio = impact.form == Form::hooke ? impact.stiffness_ratio : 3 * (1 - nu) / (2 - nu);
  return impact.friction / ratio;
}

double degrees_of(const Impact& impact, double slip) {
  return std::atan(slip / std::abs(1 - impact.spin)) * 180 / std::numbers::pi;
}

std::vector<double> slips_of(const Impact& impact, int per_decade) {
  std::vector<double> all;
  for (int k = -per_decade; k <= 3 * per_decade / 2; ++k) {
    const double slip = sticking_limit(impact) * std::pow(10, double(k) / per_decade);
    if (degrees_of(impact, slip) <= 89) all.push_back(slip);
  }
  return all;
}

LargestGain largest_gain(Impact impact, int per_decade) {
  LargestGain most;
  for (const double slip : slips_of(impact, per_decade)) {
    impact.degrees = degrees_of(impact, slip);
    if (const double gain = energy_of(impact).gain; gain > most.gain) most = {gain, impact};
  }
  return most;
}

Case case_of(const Impact& impact, Partner partner) {
  Case c;
  c.dimension = 3;
  c.contact.law = impact.form == Form::hooke ? "hooke-history" : "hertz-history";
  set_friction_limit(c.contact.law, impact.limit);
  if (impact.form != Form::hooke) c.contact.law.options<laws::HertzHistory>().hertz_variant = variant_of(impact.form);
  c.contact.fixed_mass = FixedMass::infinite;
  c.material.density = density;
  c.material.friction = impact.friction;
  c.material.restitution = impact.restitution;
  if (impact.form == Form::hooke) {
    c.material.normal_stiffness = spring_of(impact);
    c.material.tangential_stiffness = impact.stiffness_ratio * spring_of(impact);
  } else {
    c.material.shear_modulus = impact.young / (2 * (1 + impact.poisson_ratio));
    c.material.poisson_ratio = impact.poisson_ratio;
  }
  const bool held = partner == Partner::held;
  const double angle = angle_of(impact), other = held ? 10 : radius, gap = 1e-9;
  BodySpec below, ball;
  below.shape = ball.shape = ShapeKind::sphere;
  below.radius = other;
  ball.radius = radius;
  ball.position = {0, 0, other + radius + gap};
  const Vec3 v{speed * std::sin(angle), 0, -speed * std::cos(angle)},
      w{0, impact.spin * speed * std::sin(angle) / radius, 0};
  ball.velocity = held ? v : 0.5 * v;
  ball.angular_velocity = held ? w : 0.5 * w;
  if (held) {
    below.fix_x = below.fix_y = below.fix_z = below.fix_rotation = true;
  } else {
    below.velocity = -ball.velocity;
    below.angular_velocity = ball.angular_velocity;
  }
  c.assembly.bodies = {below, ball};
  const double reduced = held ? mass : 0.5 * mass, of_radius = held ? radius : 0.5 * radius;
  c.time.step = duration_of(impact, reduced, of_radius) / impact.steps;
  c.time.integrator = Integrator::velocity_verlet;
  c.time.override_limit = true;  // the limit before the run counts on an overlap of 1 % of the diameter
  return c;
}

ImpactEnergy energy_of_run(const Impact& impact, Partner partner) {
  Simulation run(case_of(impact, partner));
  const double before = run.ledger().kinetic;
  bool met = false;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    met |= run.contact_count() > 0;
    if (double(run.step_count()) > 20 * impact.steps) throw std::runtime_error("the spheres of an impact do not part");
  }
  const EnergyLedger e = run.ledger();
  return {e.kinetic / before - 1, e.circulation / before, e.friction / before};
}

}  // namespace dem::validation::fleischmann2015
