#include "validation/fleischmann2015/angular-momentum/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/contact_engine.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

BodySpec sphere(double radius, Vec3 position) {
  BodySpec b;
  b.shape = ShapeKind::sphere;
  b.radius = radius;
  b.position = position;
  return b;
}

/// About the origin, which does not matter where the momentum is zero.
Vec3 angular_momentum_of(const State& s) {
  Vec3 sum;
  for (std::size_t b = 0; b < s.bodies.size(); ++b)
    sum +=
        s.bodies.mass[b] * cross(s.bodies.position[0][b], s.velocity(b)) + s.bodies.moment[b] * s.angular_velocity(b);
  return sum;
}

}  // namespace

Turned turn_pair(const PairTurn& turn) {
  Case c;
  c.dimension = 3;
  c.contact.law = "hooke-history";
  c.contact.lever = turn.lever;
  c.material.density = sphere_density;
  c.material.normal_stiffness = turn.k_n;
  c.material.tangential_stiffness = turn.k_t;
  c.material.friction = turn.friction;
  c.material.normal_damping = 0;
  c.time.step = 1;
  c.assembly.bodies = {sphere(turn.radius, {}), sphere(turn.radius, {0, 0, 2 * turn.radius - turn.overlap})};
  State state = build_assembly(c);
  const auto contacts = make_contact_engine(c, state);
  const auto evaluate = [&] {
    contacts->find_candidates(state);
    contacts->evaluate(state, {});
  };
  evaluate();
  const Vec3 start = state.bodies.position[0][1], step = (turn.angle / turn.steps) * turn.axis;
  Turned out;
  std::vector<ContactRecord> records;
  for (int k = 1; k <= turn.steps; ++k) {
    state.bodies.position[0][1] = rotated(quaternion_of(k * step), start);
    for (std::size_t b = 0; b < 2; ++b) state.bodies.rotation[0][b] = k * step;
    evaluate();
    contacts->records(state, records);
    if (records.size() != 1) throw std::runtime_error("a pair of spheres that is turned as one body lost its contact");
    out.angle.push_back(k * turn.angle / turn.steps);
    out.slip.push_back(records[0].elongation);
  }
  out.slides = records[0].regime == Regime::slip;
  out.force = records[0].tangential_force;
  return out;
}

Case collision_case(const Collision& given) {
  Case c;
  c.dimension = 3;
  c.contact.law = given.law;
  c.contact.lever = given.lever;
  *c.contact.law.history() = given.history;
  c.material.density = sphere_density;
  c.material.friction = given.friction;
  c.material.restitution = given.restitution;
  const double r = sphere_radius, mass = 4 * std::numbers::pi / 3 * r * r * r * sphere_density;
  double duration = 0;
  if (c.contact.law == "hertz-history") {
    c.material.shear_modulus = 4e7 / (2 * 1.22) / given.softness;
    c.material.poisson_ratio = 0.22;
    const double young = 4e7 / (2 * (1 - 0.22 * 0.22)) / given.softness;
    duration = 2.87 * std::pow(0.25 * mass * mass / (0.5 * r * young * young), 0.2);
  } else {
    c.material.normal_stiffness = 2000 / given.softness;
    c.material.tangential_stiffness = 1600 / given.softness;
    duration = std::numbers::pi * std::sqrt(0.5 * mass / c.material.normal_stiffness);
  }
  // Off-centre by 0.7 of the sum of the radii; they meet at once.
  const double reach = 2 * r * (1 + 1e-9), off = 0.7 * reach, along = std::sqrt(reach * reach - off * off);
  BodySpec a = sphere(r, {-0.5 * along, -0.5 * off, 0}), b = sphere(r, {0.5 * along, 0.5 * off, 0});
  a.velocity = {0.5, 0, 0};
  b.velocity = {-0.5, 0, 0};
  a.angular_velocity = {40, 60, -80};
  b.angular_velocity = {30, -20, 50};
  c.assembly.bodies = {a, b};
  c.time.integrator = given.integrator;
  c.time.step = duration / given.steps;
  c.time.override_limit = true;  // softer than the limit before the run counts on
  return c;
}

Collided collide(const Collision& given) {
  const Case c = collision_case(given);
  Simulation run(c);
  const auto kinetic = [&] { return run.ledger().kinetic; };
  const Vec3 before = angular_momentum_of(run.state());
  const double energy = kinetic();
  Collided out;
  bool met = false;
  Vec3 couple;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    if (double(run.step_count()) > 20 * given.steps) throw std::runtime_error("two spheres that collide do not part");
    if (run.contact_count() > 0) {
      met = true;
      const ContactRecord r = run.contacts()[0];
      out.overlap = std::max(out.overlap, r.overlap / sphere_radius);
      couple += (c.time.step * r.overlap) * cross(r.normal, r.force);  // the force on i
    }
    out.time.push_back(double(run.step_count()) / given.steps);
    out.change.push_back(norm(angular_momentum_of(run.state()) - before) / norm(before));
  }
  out.momentum = out.change.back();
  out.by_lever = norm(couple) / norm(before);
  out.energy = kinetic() / energy;
  return out;
}

}  // namespace dem::validation::fleischmann2015
