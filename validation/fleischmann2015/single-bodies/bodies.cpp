#include "validation/fleischmann2015/single-bodies/bodies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "libdem/drivers/shear_box.hpp"
#include "libdem/run/simulation.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr double pi = std::numbers::pi, g = 9.81, ball_density = 2500, glass_radius = 3e-3, glass_density = 2550;

double volume(double radius) { return 4 * pi / 3 * radius * radius * radius; }

/// The user's coefficients as a material; dampings by the reduced mass of each pair.
Case glass_case(const Coefficients& k) {
  Case c;
  c.dimension = 3;
  c.contact.law = k.hertz ? "hertz-history" : "hooke-history";
  c.contact.elongation = Elongation::velocity;
  c.material.density = glass_density;
  c.material.friction = k.friction;
  if (k.hertz) {
    c.material.hertz_normal_stiffness = k.k_n;
    c.material.hertz_tangential_stiffness = k.k_t;
  } else {
    c.material.normal_stiffness = k.k_n;
    c.material.tangential_stiffness = k.k_t;
  }
  if (k.restitution > 0) {
    c.material.restitution = k.restitution;
  } else {
    c.material.normal_damping_rate = k.gamma_n;
    c.material.tangential_damping_ratio = k.gamma_n > 0 ? k.gamma_t / k.gamma_n : 0;
  }
  c.time.integrator = Integrator::velocity_verlet;
  c.time.override_limit = true;  // the limit before the run counts on more contacts, and other overlaps
  return c;
}

}  // namespace

double ball_mass() { return volume(ball_radius) * ball_density; }

Case ball_case(TangentialHistory history, double friction) {
  Case c;
  c.dimension = 3;
  c.gravity = {0, 0, -g};
  c.contact.law = "hooke-history";
  *c.contact.law.history() = history;
  c.contact.elongation = Elongation::velocity;
  c.material.density = ball_density;
  c.material.normal_stiffness = ball_stiffness;
  c.material.tangential_stiffness = ball_stiffness * 2 / 7;
  c.material.normal_damping_rate = 400;
  c.material.tangential_damping_ratio = 0.5;
  c.material.friction = friction;
  c.time.integrator = Integrator::velocity_verlet;
  c.time.override_limit = true;  // the limit before the run counts on twelve contacts
  return c;
}

BodySpec ball_at(Vec3 position, double radius) {
  BodySpec b;
  b.shape = ShapeKind::sphere;
  b.radius = radius;
  b.position = position;
  return b;
}

WallSpec ground(std::string material) {
  WallSpec w;
  w.name = "ground";
  w.shape = WallShape::plane;
  w.normal = {0, 0, 1};
  w.material = std::move(material);
  return w;
}

Case slope_case(const Slope& slope) {
  Case c = ball_case(slope.history);
  const double angle = slope.degrees * pi / 180;
  c.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
  c.assembly.walls = {ground()};
  c.assembly.bodies = {ball_at({0, 0, ball_radius - ball_mass() * g * std::cos(angle) / ball_stiffness})};
  c.assembly.bodies[0].fix_rotation = slope.locked;
  c.contact.lever = slope.lever;
  c.time.step = slope.dt;
  return c;
}

OnSlope run_slope(const Slope& slope, double until) {
  Simulation run(slope_case(slope));
  OnSlope out;
  const long steps = std::lround(until / slope.dt), every = std::lround(1e-4 / slope.dt);
  for (long k = 1; k <= steps; ++k) {
    run.step();
    if (k % every != 0) continue;
    out.time.push_back(run.time());
    out.path.push_back(run.state().bodies.position[0][0].x);
    out.speeds.push_back(run.state().velocity(0).x);
  }
  if (run.contact_count() != 1) throw std::runtime_error("a sphere on an incline left it");
  out.speed = run.state().velocity(0).x;
  out.elongation = run.contacts()[0].elongation;
  return out;
}

Rolled run_rolling(TangentialHistory history, double until) {
  const double v = 0.5;
  Rolled out;
  out.overlap = ball_mass() * g / ball_stiffness;
  Case c = ball_case(history);
  c.assembly.walls = {ground()};
  c.assembly.bodies = {ball_at({0, 0, ball_radius - out.overlap})};
  c.assembly.bodies[0].velocity = {v, 0, 0};
  c.time.step = 2e-6;
  Simulation run(c);
  while (run.time() < until) {
    run.step();
    const double slip =
        run.state().velocity(0).x - (ball_radius - 0.5 * out.overlap) * run.state().angular_velocity(0).y;
    if (out.rolls_at == 0 && slip < 1e-3 * v) out.rolls_at = run.time();
  }
  out.speed = run.state().velocity(0).x / v;
  return out;
}

namespace {
double step_of(const Stack& stack) { return stack.dt / std::sqrt(stack.stiffer); }
}  // namespace

Case stack_case(const Stack& stack) {
  Case c = ball_case(stack.history, stack.friction);
  c.material.normal_stiffness *= stack.stiffer;
  c.material.tangential_stiffness *= stack.stiffer;
  const int below = stack.wedge ? 2 : 3;
  const double from_axis = ball_radius / std::sin(pi / below),
               rise = std::sqrt(4 * ball_radius * ball_radius - from_axis * from_axis);
  for (int k = 0; k < below; ++k) {
    const double a = 2 * pi * k / below;
    const double across = stack.wedge ? 0 : from_axis * std::sin(a);
    c.assembly.bodies.push_back(ball_at({from_axis * std::cos(a), across, ball_radius}));
  }
  c.assembly.bodies.push_back(ball_at({0, 0, ball_radius + rise}));
  if (stack.wedge)
    for (BodySpec& b : c.assembly.bodies) b.fix_y = true;
  NamedMaterial named;
  named.name = "ground";
  named.density = ball_density;
  named.normal_stiffness = c.material.normal_stiffness;
  named.tangential_stiffness = c.material.tangential_stiffness;
  named.friction = stack.ground_friction;
  c.materials = {named};
  c.material_pairs = {{"ground", "", {}, {}, stack.ground_friction}};
  c.assembly.walls = {ground("ground")};
  c.contact.lever = stack.lever;
  c.time.step = step_of(stack);
  Stage load, rest;
  load.name = "load";
  load.duration = stack.slowly;
  load.mass_damping = 1000;
  rest.name = "rest";
  rest.duration = 1e3;  // fate_of() ends it
  if (stack.slowly > 0) c.stages.push_back(load);
  c.stages.push_back(rest);
  return c;
}

Fate fate_of(const Stack& stack, double until) {
  const Case c = stack_case(stack);
  const std::size_t top = c.assembly.bodies.size() - 1;
  Simulation run(c);
  const auto height = [&] { return run.state().bodies.position[0][top].z; };
  const double start = height();
  Fate fate;
  const long steps = std::lround((until + stack.slowly) / step_of(stack)), every = std::lround(1e-3 / step_of(stack));
  for (long k = 1; k <= steps; ++k) {
    run.step();
    if (k % every == 0) {
      fate.time.push_back(run.time());
      fate.heights.push_back(height() / (2 * ball_radius));
    }
    if (fate.fell_at == 0 && height() < 0.5 * start) fate.fell_at = run.time();
    if (fate.fell_at > 0 && run.time() > fate.fell_at + 0.1) break;
  }
  fate.height = height() / (2 * ball_radius);
  double contacts = 0, on_ground = 0;
  for (const ContactRecord& r : run.contacts()) {
    const double ratio = r.tangential_force / r.normal_force;
    if (r.key.j == top)
      fate.contact_ratio += ratio, ++contacts;
    else if (r.key.j > top)
      fate.ground_ratio += ratio, ++on_ground;
  }
  fate.contact_ratio /= std::max(contacts, 1.0);
  fate.ground_ratio /= std::max(on_ground, 1.0);
  return fate;
}

LeastFriction least_friction(bool wedge) {
  // The line of centres is θ from the vertical. Moments of a lower sphere about its centre: both forces of friction are
  // the same, so the resultant under the top sphere is along the bisector, θ/2 from the line of centres. The ground
  // bears weight and its share of the top's.
  const double sine = wedge ? 0.5 : 1 / std::sqrt(3.0), tangent = std::tan(0.5 * std::asin(sine));
  return {tangent, tangent / (wedge ? 3 : 4)};
}

double Loop::normal() const { return Contact(coefficients).factor(overlap) * coefficients.k_n * overlap; }
double Loop::stiffness() const { return Contact(coefficients).factor(overlap) * coefficients.k_t; }
double Loop::damping() const {
  return Contact(coefficients).factor(overlap) * coefficients.gamma_t * coefficients.mass;
}

Case loop_case(const Loop& loop) {
  Case c = glass_case(loop.coefficients);
  ShearBoxSpec box;
  box.length = 0.02;
  box.depth = 0.01;
  box.gap = 1e-3;
  box.height = 0.02;
  box.ledge = 5e-3;
  c.use_driver(box);
  BodySpec ball = ball_at({0.01, 0.01, -box.depth + glass_radius - loop.overlap}, glass_radius);
  ball.fix_x = ball.fix_y = ball.fix_rotation = true;
  ball.force = {0, 0, -loop.normal()};
  c.assembly.bodies = {ball};
  c.time.step = loop.dt;
  for (const auto& [velocity, length] :
       {std::pair{loop.speed, loop.travel}, {-loop.speed, 2 * loop.travel}, {loop.speed, 2 * loop.travel}}) {
    Stage s;
    s.name = velocity > 0 ? "forth" : "back";
    s.shear_velocity = velocity;
    s.shear_displacement = length;
    c.stages.push_back(s);
  }
  return c;
}

LoopTrace run_loop(const Loop& loop) {
  Simulation run(loop_case(loop));
  LoopTrace trace;
  while (!run.finished()) {
    run.step();
    const auto contacts = run.contacts();
    if (contacts.size() != 1) throw std::runtime_error("a sphere that is pressed on a floor left it");
    trace.x.push_back(run.driver<ShearBox>()->read(run.state()).displacement);
    trace.force.push_back(run.driver<ShearBox>()->read(run.state()).shear_force);
    trace.normal.push_back(contacts[0].normal_force);
    trace.slides.push_back(contacts[0].regime == Regime::slip);
  }
  return trace;
}

Case impact_case(const WallImpact& impact) {
  Case c = glass_case(impact.coefficients);
  *c.contact.law.history() = impact.history;
  set_friction_limit(c.contact.law, impact.limit);
  c.contact.elongation = impact.elongation;
  c.contact.velocity_source = impact.source;
  c.contact.clip_tension = impact.clip_tension;
  c.contact.lever = impact.midpoint ? Lever::contact_point : Lever::radius;
  c.assembly.walls = {ground()};
  c.assembly.bodies = {ball_at({0, 0, glass_radius + 1.37e-6}, glass_radius)};
  const double angle = impact.degrees * pi / 180;
  c.assembly.bodies[0].velocity = impact.speed * Vec3{std::sin(angle), 0, -std::cos(angle)};
  c.time.step = impact.dt;
  return c;
}

Rebound rebound_from_wall(const WallImpact& impact) {
  const Case c = impact_case(impact);
  Simulation run(c);
  const auto kinetic = [&] { return run.ledger().kinetic; };
  const double before = kinetic();
  bool met = false;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    met |= run.contact_count() > 0;
    if (run.time() > 0.1) throw std::runtime_error("the sphere of an impact does not leave the wall");
  }
  const Vec3 from = c.assembly.bodies[0].velocity, v = run.state().velocity(0);
  Rebound r;
  r.v_x = v.x;
  r.v_z = v.z;
  r.spin = run.state().angular_velocity(0).y;
  r.impulse_n = impact.coefficients.mass * (v.z - from.z);
  r.impulse_t = impact.coefficients.mass * (from.x - v.x);
  r.kinetic = kinetic() / before;
  r.circulation = run.ledger().circulation / before;
  return r;
}

SpinRebound collide_spinning(const SpinImpact& impact) {
  Case c = glass_case(impact.coefficients);
  c.contact.lever = Lever::radius;
  c.contact.clip_tension = true;
  const double half = glass_radius + 0.5 * 1.37e-6;
  BodySpec low = ball_at({0, 0, -half}, glass_radius), high = ball_at({0, 0, half}, glass_radius);
  low.velocity = {0, 0, impact.speed};
  high.velocity = {0, 0, -impact.speed};
  low.angular_velocity = {0, impact.spin_1, 0};
  high.angular_velocity = {0, impact.spin_2, 0};
  c.assembly.bodies = {low, high};
  c.time.step = impact.dt;
  Simulation run(c);
  bool met = false;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    met |= run.contact_count() > 0;
    if (run.time() > 0.1) throw std::runtime_error("two spheres that collide do not part");
  }
  SpinRebound out;
  for (std::size_t b = 0; b < 2; ++b) {
    out.velocity[b] = run.state().velocity(b);
    out.spin[b] = run.state().angular_velocity(b).y;
  }
  return out;
}

}  // namespace dem::validation::fleischmann2015
