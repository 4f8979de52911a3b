#include "validation/pena2008/particle-number/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "geometry/random.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "validation/pena2008/particle-number/contact_forces.hpp"

namespace dem::validation::pena2008::packed {

namespace {

constexpr double reduced_mass = std::numbers::pi / 8;  // kg, two discs of radius 0.5 m
constexpr double stiffness = 4e8;                      // N/m
constexpr double quiet_enough = 1e-11;                 // unbalanced force over mean contact force
constexpr double carries_nothing = 1e-4;               // of the mean contact force: a rattler
constexpr std::uint64_t most_evaluations = 400000;

BodySpec make_body(const PackingInput& input, geometry::Random& random) {
  BodySpec body;
  body.shape = input.shape;
  const double radius = 0.5 * (0.9 + 0.2 * random.uniform());
  if (input.shape == ShapeKind::disc) {
    body.radius = radius;
    return body;
  }
  const int sides = 5 + int(4 * random.uniform());
  for (int k = 0; k < sides; ++k) {
    const double angle = 2 * std::numbers::pi / sides * (k + 0.6 * (random.uniform() - 0.5));
    body.outline.push_back({std::cos(angle), std::sin(angle)});
  }
  const double scale = radius * std::sqrt(std::numbers::pi / geometry::area_properties(body.outline).area);
  for (Vec2& v : body.outline) v = scale * v;
  body.angle = 2 * std::numbers::pi * random.uniform();
  return body;
}

void set_walls(Case& c, double width) {
  c.assembly.walls.clear();
  const auto add = [&](const char* name, Vec2 from, Vec2 to) {
    WallSpec& wall = c.assembly.walls.emplace_back();
    wall.name = name;
    wall.from = from;
    wall.to = to;
  };
  add("left", {0, width}, {0, 0});
  add("bottom", {0, 0}, {width, 0});
  add("right", {width, 0}, {width, width});
  add("top", {width, width}, {0, width});
}

Case loose_case(const PackingInput& input) {
  Case c;
  c.title = fmt::format("{} {}, seed {}, in a rigid box", input.particles,
                        input.shape == ShapeKind::disc ? "discs" : "polygons", input.seed);
  c.material = reference_material();
  c.contact.normal_force = input.shape == ShapeKind::disc ? NormalForce::overlap : NormalForce::area_over_length;
  c.assembly.largest_start_overlap = 1;
  c.time.step = 1;  // velocities are not used
  geometry::Random random(input.seed * 1000003 + std::uint64_t(input.particles));
  const int columns = int(std::ceil(std::sqrt(double(input.particles))));
  std::vector<int> site(std::size_t(columns * columns));
  for (std::size_t k = 0; k < site.size(); ++k) site[k] = int(k);
  for (std::size_t k = site.size() - 1; k > 0; --k)
    std::swap(site[k], site[std::size_t(double(k + 1) * random.uniform())]);
  const double spacing = 1.5;  // the largest polygon spans 1.4
  for (int k = 0; k < input.particles; ++k) {
    BodySpec body = make_body(input, random);
    const int s = site[std::size_t(k)];
    const Vec2 jitter{random.uniform() - 0.5, random.uniform() - 0.5};
    body.position = {spacing * (s % columns + 0.5) + 0.4 * jitter.x, spacing * (s / columns + 0.5) + 0.4 * jitter.y};
    c.assembly.bodies.push_back(body);
  }
  std::sort(c.assembly.bodies.begin(), c.assembly.bodies.end(), [](const BodySpec& a, const BodySpec& b) {
    return std::floor(a.position.y / 1.5) != std::floor(b.position.y / 1.5) ? a.position.y < b.position.y
                                                                            : a.position.x < b.position.x;
  });
  set_walls(c, spacing * columns);
  return c;
}

/// Minimises the enthalpy U + p L² of the bodies and of the box width L (`pressure` 0: L is held) by FIRE.
class Relaxation {
 public:
  Relaxation(const Case& c, double width, double pressure) : forces_(c), width_(width), pressure_(pressure) {
    const Bodies& b = forces_.state().bodies;
    n_ = forces_.moving();
    velocity_.resize(3 * n_ + 1);
    force_.resize(3 * n_ + 1);
    inertia_.resize(3 * n_ + 1);
    double mass = 0;
    for (std::size_t k = 0; k < n_; ++k) {
      inertia_[3 * k] = inertia_[3 * k + 1] = b.mass[k];
      inertia_[3 * k + 2] = b.moment[k];
      mass += b.mass[k];
    }
    inertia_[3 * n_] = 0.25 * mass;
    evaluate();
  }

  /// Until no body has more than `tolerance` of the mean contact force unbalanced. Bodies that carry nothing are not
  /// asked.
  void run(double tolerance) {
    const double longest = 0.2 * reference_duration();
    double dt = 0.5 * longest, mixing = 0.1;
    int downhill = 0;
    for (;; ++evaluations_) {
      if (evaluations_ > most_evaluations)
        throw std::runtime_error(fmt::format("packing: not in equilibrium after {} evaluations, unbalanced {:.2g}",
                                             evaluations_, unbalanced()));
      if (evaluations_ % 20 == 0 && mean_force() > 0 && unbalanced() < tolerance) return;
      // Work and norms in mass-scaled coordinates, so that rotations and the box weigh like translations.
      double power = 0, vv = 0, ff = 0;
      for (std::size_t k = 0; k < force_.size(); ++k) {
        power += force_[k] * velocity_[k];
        vv += inertia_[k] * velocity_[k] * velocity_[k];
        ff += force_[k] * force_[k] / inertia_[k];
      }
      if (power > 0) {
        const double along = ff > 0 ? mixing * std::sqrt(vv / ff) : 0;
        for (std::size_t k = 0; k < force_.size(); ++k)
          velocity_[k] = (1 - mixing) * velocity_[k] + along * force_[k] / inertia_[k];
        if (++downhill > 5) dt = std::min(1.1 * dt, longest), mixing *= 0.99;
      } else {
        std::fill(velocity_.begin(), velocity_.end(), 0.0);
        dt = std::max(0.5 * dt, 0.02 * longest), mixing = 0.1, downhill = 0;
      }
      move(dt);
      evaluate();
    }
  }

  double width() const { return width_; }
  std::uint64_t evaluations() const { return evaluations_; }
  double mean_force() const { return mean_force_; }
  const ContactForces& forces() const { return forces_; }

  /// Largest force on a body that carries any, in units of the mean contact force; torques over the equivalent radius.
  double unbalanced() const {
    double largest = pressure_ > 0 ? std::abs(force_[3 * n_]) / (4 * pressure_ * width_) * mean_force_ : 0;
    for (std::size_t b = 0; b < n_; ++b)
      if (load_[b] > carries_nothing * mean_force_)
        largest = std::max({largest, std::hypot(force_[3 * b], force_[3 * b + 1]),
                            std::abs(force_[3 * b + 2]) / forces_.state().shape_of(b).equivalent_radius()});
    return largest / mean_force_;
  }
  std::vector<std::size_t> rattlers() const {
    std::vector<std::size_t> found;
    for (std::size_t b = 0; b < n_; ++b)
      if (!(load_[b] > carries_nothing * mean_force_)) found.push_back(b);
    return found;
  }

 private:
  void move(double dt) {
    Bodies& b = forces_.state().bodies;
    for (std::size_t k = 0; k < force_.size(); ++k) velocity_[k] += dt * force_[k] / inertia_[k];
    for (std::size_t k = 0; k < n_; ++k) {
      b.position[0][k] += Vec3{dt * velocity_[3 * k], dt * velocity_[3 * k + 1], 0};
      b.rotation[0][k].z += dt * velocity_[3 * k + 2];
    }
    if (pressure_ == 0) return;
    width_ += dt * velocity_[3 * n_];
    b.position[0][n_ + 2].x = width_;  // right and top
    b.position[0][n_ + 3].y = width_;
  }

  void evaluate() {
    forces_.evaluate();
    const Bodies& b = forces_.state().bodies;
    for (std::size_t k = 0; k < n_; ++k) {
      force_[3 * k] = b.force[k].x;
      force_[3 * k + 1] = b.force[k].y;
      force_[3 * k + 2] = b.torque[k].z;
    }
    force_[3 * n_] = pressure_ > 0 ? b.force[n_ + 2].x + b.force[n_ + 3].y - 2 * pressure_ * width_ : 0;
    if (evaluations_ % 20 != 19 && evaluations_ != 0) return;
    load_.assign(n_, 0.0);
    double sum = 0;
    const auto contacts = forces_.contacts();
    for (const ContactRecord& c : contacts) {
      sum += c.normal_force;
      load_[c.key.i] = std::max(load_[c.key.i], c.normal_force);
      if (c.key.j < n_) load_[c.key.j] = std::max(load_[c.key.j], c.normal_force);
    }
    mean_force_ = contacts.empty() ? 0 : sum / double(contacts.size());
  }

  ContactForces forces_;
  std::size_t n_ = 0;
  double width_, pressure_, mean_force_ = 0;
  std::uint64_t evaluations_ = 0;
  std::vector<double> velocity_, force_, inertia_, load_;  // x, y, angle of each body, then the width of the box
};

/// The same case without friction and damping: elastic normal forces alone.
Case frictionless(Case c) {
  c.material.tangential_stiffness = c.material.friction = 0;
  c.material.normal_damping = c.material.tangential_damping = 0;
  return c;
}

void take_positions(Case& c, const Relaxation& from) {
  const Bodies& b = from.forces().state().bodies;
  for (std::size_t k = 0; k < c.assembly.bodies.size(); ++k) {
    c.assembly.bodies[k].position = spatial(planar(b.position[0][k]));
    c.assembly.bodies[k].angle = b.rotation[0][k].z;
  }
  set_walls(c, from.width());
}

}  // namespace

Material reference_material() {
  Material m;
  m.normal_stiffness = stiffness;
  m.tangential_stiffness = stiffness / 3;
  m.friction = 500;
  m.normal_damping = damping_of_restitution(0.9875, stiffness, reduced_mass);
  m.tangential_damping = *m.normal_damping / 3;
  return m;
}

double reference_duration() {
  return contact_duration(damping_of_restitution(0.9875, stiffness, reduced_mass), stiffness, reduced_mass);
}

Packing make_packing(const PackingInput& input) {
  Packing packing;
  Case& c = packing.given;
  c = loose_case(input);
  const double start_width = c.assembly.walls[1].to.x;
  Relaxation press(frictionless(c), start_width, input.pressure * stiffness);
  press.run(1e-4);
  take_positions(c, press);
  packing.evaluations = press.evaluations();
  std::vector<std::size_t> loose = press.rattlers();
  for (;;) {
    for (auto b = loose.rbegin(); b != loose.rend(); ++b)
      c.assembly.bodies.erase(c.assembly.bodies.begin() + std::ptrdiff_t(*b));
    packing.rattlers += int(loose.size());
    if (c.assembly.bodies.size() < 2) throw std::runtime_error("packing: fewer than two bodies carry a force");
    Relaxation settle(frictionless(c), press.width(), 0);
    settle.run(quiet_enough);
    take_positions(c, settle);
    packing.evaluations += settle.evaluations();
    loose = settle.rattlers();
    if (!loose.empty()) continue;

    packing.unbalanced = settle.unbalanced();
    const auto contacts = settle.forces().contacts();
    const double n = double(c.assembly.bodies.size());
    packing.smallest_depth = INFINITY;
    for (const ContactRecord& k : contacts) {
      packing.mean_overlap += k.overlap / double(contacts.size());
      packing.coordination += (k.key.j < c.assembly.bodies.size() ? 2 : 1) / n;
      packing.smallest_depth = std::min(packing.smallest_depth, k.overlap * stiffness / k.normal_stiffness);
    }
    return packing;
  }
}

}  // namespace dem::validation::pena2008::packed
