// Case D of the direct-shear reference: a few spheres on real walls of the program, as cases. Spheres have R 2.5 mm and
// 2500 kg/m³. Their law is hooke-history with k_n 2000 N/m, k_t 2/7 of it, γ_n 400 and γ_t 200 1/s.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/laws/displacement_history.hpp"
#include "libdem/run/simulation.hpp"
#include "support/history_contact.hpp"

namespace dem::test::history {

inline constexpr double ball_radius = 2.5e-3, ball_stiffness = 2000;  ///< m, N/m
inline constexpr std::array histories{TangentialHistory::whole, TangentialHistory::pseudo, TangentialHistory::none};
inline const char* name_of(TangentialHistory h) {
  return h == TangentialHistory::whole ? "true" : h == TangentialHistory::pseudo ? "pseudo" : "none";
}

/// D1: a sphere that cannot turn on the ground, gravity tilted by 15° towards +x, pressed as at rest.
struct Slope {
  TangentialHistory history = TangentialHistory::whole;
  double dt = 1e-5;
};
struct OnSlope {
  double speed = 0, elongation = 0;  ///< at the end (m/s, m)
};

/// D2: a pyramid of 3 + 1 spheres on the ground, or a wedge of 2 + 1 in a plane, released without any compression.
struct Stack {
  bool wedge = false;
  TangentialHistory history = TangentialHistory::whole;
  double friction = 0.5, ground_friction = 0.5, dt = 2e-5;
  double slowly = 0;  ///< this long (s) under mass damping, so that weight comes on without inertia
};
struct Fate {
  double height = 0;                           ///< of the top sphere's centre over the diameter, at the end
  double fell_at = 0;                          ///< when it was below half of its first height (s). 0 if never
  double contact_ratio = 0, ground_ratio = 0;  ///< F_t/F_n under the top sphere and on the ground, means at the end
};
/// Statics: least friction under the top sphere, and of the ground.
struct LeastFriction {
  double contact = 0, ground = 0;
};

/// D3: a sphere of 3 mm pressed on the floor of a shear box, which moves forth by `travel` (m), back and forth again.
struct Loop {
  Coefficients coefficients;
  double overlap = 2e-5, speed = 0.01, dt = 1e-6, travel = 1.2e-5;
  double normal() const;     ///< F_n (N)
  double stiffness() const;  ///< f k_t (N/m)
};
struct LoopTrace {
  std::vector<double> x, force;  ///< of the floor (m); of the sphere on it along x (N), by step
  std::vector<bool> slides;
};

/// D4: T5 on a real wall, with 3 mm and 2550 kg/m³.
struct WallImpact {
  Coefficients coefficients;
  bool midpoint = true;  ///< lever
  TangentialHistory history = TangentialHistory::whole;
  FrictionLimit limit = FrictionLimit::total;
  double degrees = 40, dt = 1e-6, speed = 1;
  VelocitySource source = VelocitySource::predicted;
  bool clip_tension = false;
};

inline constexpr double pi = std::numbers::pi, g = 9.81, ball_density = 2500, glass_radius = 3e-3, glass_density = 2550;

inline double volume(double radius) { return 4 * pi / 3 * radius * radius * radius; }

/// The user's coefficients as a material; dampings by the reduced mass of each pair.
inline Case glass_case(const Coefficients& k) {
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

inline double ball_mass() { return volume(ball_radius) * ball_density; }

/// No bodies yet; material, law, gravity, velocity Verlet.
inline Case ball_case(TangentialHistory history, double friction = 0.5) {
  Case c;
  c.dimension = 3;
  c.gravity = {0, 0, -g};
  c.contact.law = "hooke-history";
  *c.contact.law.history() = history;
  c.contact.elongation = Elongation::velocity;
  c.contact.lever = Lever::contact_point;
  c.material = {.density = ball_density,
                .normal_stiffness = ball_stiffness,
                .tangential_stiffness = ball_stiffness * 2 / 7,
                .friction = friction,
                .normal_damping_rate = 400,
                .tangential_damping_ratio = 0.5};
  c.time.integrator = Integrator::velocity_verlet;
  c.time.override_limit = true;  // the limit before the run counts on twelve contacts
  return c;
}

inline BodySpec ball_at(Vec3 position, double radius = ball_radius) {
  return {.shape = ShapeKind::sphere, .radius = radius, .position = position};
}

/// The plane z = 0.
inline WallSpec ground(std::string material = {}) {
  return {.name = "ground", .shape = WallShape::plane, .normal = {0, 0, 1}, .material = std::move(material)};
}

inline Case slope_case(const Slope& slope) {
  Case c = ball_case(slope.history);
  const double angle = 15.0 * pi / 180;
  c.gravity = {g * std::sin(angle), 0, -g * std::cos(angle)};
  c.assembly.walls = {ground()};
  c.assembly.bodies = {ball_at({0, 0, ball_radius - ball_mass() * g * std::cos(angle) / ball_stiffness})};
  c.assembly.bodies[0].fix_rotation = true;
  c.time.step = slope.dt;
  return c;
}

inline OnSlope run_slope(const Slope& slope, double until) {
  Simulation run(slope_case(slope));
  OnSlope out;
  for (long k = std::lround(until / slope.dt); k > 0; --k) run.step();
  if (run.contact_count() != 1) throw std::runtime_error("a sphere on an incline left it");
  out.speed = run.state().velocity(0).x;
  out.elongation = run.contacts()[0].elongation;
  return out;
}

inline Case stack_case(const Stack& stack) {
  Case c = ball_case(stack.history, stack.friction);
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
  c.materials = {{.name = "ground",
                  .density = ball_density,
                  .normal_stiffness = c.material.normal_stiffness,
                  .tangential_stiffness = c.material.tangential_stiffness,
                  .friction = stack.ground_friction}};
  c.material_pairs = {{"ground", "", {}, {}, stack.ground_friction}};
  c.assembly.walls = {ground("ground")};
  c.time.step = stack.dt;
  if (stack.slowly > 0) c.stages.push_back({.name = "load", .mass_damping = 1000, .duration = stack.slowly});
  c.stages.push_back({.name = "rest", .duration = 1e3});  // fate_of() ends it
  return c;
}

inline Fate fate_of(const Stack& stack, double until) {
  const Case c = stack_case(stack);
  const std::size_t top = c.assembly.bodies.size() - 1;
  Simulation run(c);
  const auto height = [&] { return run.state().bodies.position[0][top].z; };
  const double start = height();
  Fate fate;
  for (long k = std::lround((until + stack.slowly) / stack.dt); k > 0; --k) {
    run.step();
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

inline LeastFriction least_friction(bool wedge) {
  // The line of centres is θ from the vertical. Both forces of friction are the same, so that the resultant under the
  // top sphere is along the bisector. The ground bears its weight too.
  const double sine = wedge ? 0.5 : 1 / std::sqrt(3.0), tangent = std::tan(0.5 * std::asin(sine));
  return {tangent, tangent / (wedge ? 3 : 4)};
}

inline double Loop::normal() const { return Contact(coefficients).factor(overlap) * coefficients.k_n * overlap; }
inline double Loop::stiffness() const { return Contact(coefficients).factor(overlap) * coefficients.k_t; }
inline Case loop_case(const Loop& loop) {
  Case c = glass_case(loop.coefficients);
  const ShearBoxSpec box{.length = 0.02, .depth = 0.01, .gap = 1e-3, .height = 0.02, .ledge = 5e-3};
  c.use_driver(box);
  BodySpec ball = ball_at({0.01, 0.01, -box.depth + glass_radius - loop.overlap}, glass_radius);
  ball.fix_x = ball.fix_y = ball.fix_rotation = true;
  ball.force = {0, 0, -loop.normal()};
  c.assembly.bodies = {ball};
  c.time.step = loop.dt;
  for (const auto& [velocity, length] :
       {std::pair{loop.speed, loop.travel}, {-loop.speed, 2 * loop.travel}, {loop.speed, 2 * loop.travel}})
    c.stages.push_back(
        {.name = velocity > 0 ? "forth" : "back", .shear_velocity = velocity, .shear_displacement = length});
  return c;
}

inline LoopTrace run_loop(const Loop& loop) {
  Simulation run(loop_case(loop));
  LoopTrace trace;
  while (!run.finished()) {
    run.step();
    const auto contacts = run.contacts();
    if (contacts.size() != 1) throw std::runtime_error("a sphere that is pressed on a floor left it");
    trace.x.push_back(run.driver<ShearBox>()->read(run.state()).displacement);
    trace.force.push_back(run.driver<ShearBox>()->read(run.state()).shear_force);
    trace.slides.push_back(contacts[0].regime == Regime::slip);
  }
  return trace;
}

inline Case impact_case(const WallImpact& impact) {
  Case c = glass_case(impact.coefficients);
  *c.contact.law.history() = impact.history;
  if (impact.coefficients.hertz)
    c.contact.law.options<laws::HertzHistory>().friction_limit = impact.limit;
  else
    c.contact.law.options<laws::HookeHistory>().friction_limit = impact.limit;
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

/// Impulses are those of the velocities. Throws std::runtime_error when the sphere does not leave.
inline Rebound rebound_from_wall(const WallImpact& impact) {
  const Case c = impact_case(impact);
  Simulation run(c);
  bool met = false;
  while (!(met && run.contact_count() == 0)) {
    run.step();
    met |= run.contact_count() > 0;
    if (run.time() > 0.1) throw std::runtime_error("the sphere of an impact does not leave the wall");
  }
  const Vec3 from = c.assembly.bodies[0].velocity, v = run.state().velocity(0);
  return {.v_x = v.x,
          .v_z = v.z,
          .spin = run.state().angular_velocity(0).y,
          .impulse_n = impact.coefficients.mass * (v.z - from.z),
          .impulse_t = impact.coefficients.mass * (from.x - v.x)};
}

}  // namespace dem::test::history
