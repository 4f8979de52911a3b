#include "validation/kuhn2011/oblique-impact/impact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libdem/contacts/pair_table.hpp"
#include "libdem/run/simulation.hpp"

namespace dem::validation::kuhn2011::impacts {

namespace {

constexpr double plate_radius = 10, start_gap = 1e-10;  // m

ElasticPair elastic_pair_of(const Impact& impact) { return elastic_pair(impact_case(impact), 0, 1); }

}  // namespace

Case impact_case(const Impact& impact) {
  Case c;
  c.title = fmt::format("sphere on a plate, {:g}° from the normal", impact.angle * 180 / std::numbers::pi);
  c.dimension = 3;
  c.contact.law = impact.law;
  if (c.contact.law == "hertz-mindlin") c.contact.law.options<laws::HertzMindlin>().memory = impact.memory;
  c.contact.dissimilar_materials = DissimilarMaterials::equivalent;
  c.contact.fixed_mass = FixedMass::infinite;
  c.material.density = impact.sphere.density;
  c.material.shear_modulus = impact.sphere.shear();
  c.material.poisson_ratio = impact.sphere.poisson;
  c.material.friction = impact.friction;
  if (impact.dashpots == Dashpots::none)
    c.material.normal_damping = 0;
  else
    c.material.restitution = impact.restitution;
  if (impact.dashpots != Dashpots::both) c.material.tangential_damping = 0;
  NamedMaterial plate;
  plate.name = "plate";
  plate.density = impact.plate.density;
  plate.friction = impact.friction;
  plate.shear_modulus = impact.plate.shear();
  plate.poisson_ratio = impact.plate.poisson;
  c.materials = {plate};
  BodySpec below, ball;
  below.shape = ball.shape = ShapeKind::sphere;
  below.radius = plate_radius;
  below.material = "plate";
  below.fix_x = below.fix_y = below.fix_z = below.fix_rotation = true;
  ball.radius = impact.radius;
  ball.position = {0, 0, plate_radius + impact.radius + start_gap};
  ball.velocity = {impact.speed * std::sin(impact.angle), 0, -impact.speed * std::cos(impact.angle)};
  c.assembly.bodies = {below, ball};
  c.time.step = 1e-9;
  c.time.override_limit = true;  // the limit before the run counts on an overlap of 1 % of the diameter
  c.output.ledger = true;
  return c;
}

double ratio_of(const Impact& impact) { return elastic_pair_of(impact).ratio; }

/// 2.943275 δ_max/v, δ_max = (15 m v²/(16 E* √R))^(2/5).
double duration_of(const Impact& impact) {
  const double r = impact.radius, v = impact.speed * std::cos(impact.angle);
  const double mass = 4 * std::numbers::pi / 3 * r * r * r * impact.sphere.density,
               young = 0.375 * elastic_pair_of(impact).modulus;
  return 2.943275 * std::pow(15 * mass * v * v / (16 * young * std::sqrt(r)), 0.4) / v;
}

Rebound rebound_of(const Impact& impact) {
  Case c = impact_case(impact);
  c.time.step = duration_of(impact) / impact.steps;
  Simulation run(c);
  const auto kinetic = [&] { return run.ledger().kinetic; };
  const double before = kinetic();
  bool met = false;
  Rebound out;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    if (double(run.step_count()) > 3 * impact.steps)
      throw std::runtime_error("the sphere of an oblique impact does not leave the plate");
    if (run.contact_count() == 0) continue;
    met = true;
    out.overlap = std::max(out.overlap, run.contacts()[0].overlap);
  }
  const Vec3 v = run.state().velocity(1), start = c.assembly.bodies[1].velocity;
  out.e_n = -v.z / start.z;
  out.e_t = v.x / start.x;
  out.spin = run.state().angular_velocity(1).y;
  const double unit = ratio_of(impact) * impact.friction * -start.z;
  out.psi_1 = start.x / unit;
  out.psi_2 = (v.x - impact.radius * out.spin) / unit;
  out.residual = std::abs(run.ledger().residual()) / before;
  return out;
}

double sliding_restitution(double friction, double e_n, double angle) {
  return 1 - friction * (1 + e_n) / std::tan(angle);
}

double sliding_spin(double friction, double e_n, double speed, double angle, double radius) {
  return 2.5 * friction * (1 + e_n) * speed * std::cos(angle) / radius;
}

double spring_restitution(double ratio, double friction, double angle, int steps) {
  // Mass, Hertz's constant and speed of approach are 1: N = z^(3/2), and the contact lasts 2.943275 (5/4)^(2/5).
  const double dt = 2.943275 * std::pow(1.25, 0.4) / steps;
  double z = 0, normal = -1, tangential = std::tan(angle), shift = 0;
  const double start = tangential;
  while (true) {  // leapfrog
    z -= normal * dt;
    if (!(z > 0)) break;
    const double force = std::pow(z, 1.5), stiffness = 1.5 * std::sqrt(z) / ratio;
    shift += tangential * dt;
    double t = stiffness * shift;
    if (std::abs(t) > friction * force) {
      t = std::copysign(friction * force, t);
      shift = t / stiffness;
    }
    normal += force * dt;
    tangential -= 3.5 * t * dt;
  }
  return 1 - (start - tangential) / (3.5 * start);
}

double spin_of_restitution(double e_t, double speed, double angle, double radius) {
  return 2.5 * speed * std::sin(angle) * (1 - e_t) / radius;
}

double psi_2_of_restitution(double psi_1, double e_t) { return psi_1 * (1 - 3.5 * (1 - e_t)); }

}  // namespace dem::validation::kuhn2011::impacts
