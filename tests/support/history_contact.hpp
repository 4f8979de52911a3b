// One contact of laws hooke-history and hertz-history (direct-shear reference, §1.2), and a sphere that meets a wall.
#pragma once
#include "libdem/laws/hertz_history.hpp"
#include "libdem/laws/hooke_history.hpp"
#include "prelude.hpp"

namespace dem::test::history {

/// F_n = f (k_n δ − γ_n m̄ v_n), F_t = f (−k_t u − γ_t m̄ v_t), f = 1 or √(R̄ δ).
struct Coefficients {
  bool hertz = false;
  double k_n = 0, k_t = 0, gamma_n = 0, gamma_t = 0;  ///< N/m and 1/s, with Hertz Pa and 1/(m s)
  double friction = 0, radius = 0, mass = 0;          ///< R̄, m̄
  /// With Hertz γ m̄ f may be replaced by C = 2√(5/6) |β| √(S m̄), S = dF_n/dδ or K_t. 0 if it is not.
  double restitution = 0;
};

/// The spheres of T3 and T5 (a): 3 mm, a pair.
inline constexpr Coefficients glass{true,   28022978.842650972,    36839196.905507453, 1e6, 5e5, 0.18,
                                    0.0015, 0.00014419910279977148};

/// Of one sphere of 3 mm on a wall.
inline Coefficients on_a_wall(Coefficients k) {
  k.radius = 0.003;
  k.mass = 4 * pi / 3 * 0.003 * 0.003 * 0.003 * 2550;
  return k;
}

struct Contact {
  Coefficients k;
  laws::HertzHistory::Options options;  ///< hertz_variant: Hertz only
  laws::LawChoice law;
  laws::Block b{};
  double history[3] = {0, 0, 0};
  double stored = 0, circulation = 0, friction_work = 0;  ///< of the last step's end; of all steps

  explicit Contact(const Coefficients& given) : k(given), law(given.hertz ? "hertz-history" : "hooke-history") {}

  double factor(double overlap) const { return k.hertz ? std::sqrt(k.radius * std::max(overlap, 0.0)) : 1; }
  double damping(double gamma, double stiffness, double overlap) const {
    if (k.restitution == 0) return factor(overlap) * gamma * k.mass;
    const double l = std::log(k.restitution), beta = -l / std::sqrt(l * l + pi * pi);
    return 2 * std::sqrt(5.0 / 6) * beta * std::sqrt(factor(overlap) * stiffness * k.mass);
  }
  /// `normal_speed`: of j along n. The movement of the step is velocity times dt.
  void step(double overlap, double normal_speed, double v_1, double v_2, double dt) {
    b.count = 1;
    b.normal_end[0] = factor(overlap) * k.k_n * overlap;
    b.normal_viscous[0] = -damping(k.gamma_n, 1.5 * k.k_n, overlap) * normal_speed;
    b.shift_1[0] = v_1 * dt;
    b.shift_2[0] = v_2 * dt;
    b.velocity_1[0] = v_1;
    b.velocity_2[0] = v_2;
    b.stiffness[0] = k.k_t;
    b.damping[0] = damping(k.gamma_t, k.k_t, overlap);
    b.friction[0] = k.friction;
    b.indentation[0] = 0.5 * overlap;
    b.modulus[0] = 2 * k.k_n;  // Ē = (8/3) E*, k_n = (4/3) E*, k_t = 8 G*
    b.ratio[0] = 1.5 * k.k_n / k.k_t;
    b.radius[0] = 2 * k.radius;
    if (k.hertz)
      law.options<laws::HertzHistory>() = options;
    else
      law.options<laws::HookeHistory>() = {options.history, options.friction_limit};
    law->pass(law.data(), {}, b, history);
    circulation += b.work[0] - (b.stored[0] - stored) - b.dissipated[0];
    friction_work += b.dissipated[0];
    stored = b.stored[0];
  }
  void open() {
    std::fill_n(history, 3, 0.0);
    stored = 0;
  }
  double normal() const { return b.normal_end[0] + b.normal_viscous[0]; }
  double on_j_1() const { return b.elastic_1[0] + b.viscous_1[0]; }
  double on_j_2() const { return b.elastic_2[0] + b.viscous_2[0]; }
  double elongation(int direction) const {
    double u[2];
    law->elongation(history, nullptr, {k.k_t, 0, 0, 0}, u);
    return u[direction - 1];
  }
};

struct Rebound {
  double v_x = 0, v_z = 0, spin = 0, impulse_n = 0, impulse_t = 0;
  double kinetic = 0;      ///< after over before
  double circulation = 0;  ///< over the kinetic energy before
};

/// The velocity that forces see: v + a Δt/2, as in the reference, or v + a Δt, as in the program's velocity Verlet.
enum class SeenVelocity { of_mid_step, extrapolated };

/// Solid sphere, 1.37e-6 m above a flat wall, `angle` from the normal (rad), by velocity Verlet (§5, T5).
inline Rebound meets_wall(Contact& contact, double radius, double speed, double angle, bool midpoint, double dt,
                          int steps, double start_spin = 0, SeenVelocity seen = SeenVelocity::of_mid_step) {
  const double m = contact.k.mass, inertia = 0.4 * m * radius * radius;
  double gap = 1.37e-6, v_x = speed * std::sin(angle), v_z = -speed * std::cos(angle), spin = start_spin, f_x = 0,
         f_z = 0, torque = 0;
  const auto kinetic = [&] { return 0.5 * m * (v_x * v_x + v_z * v_z) + 0.5 * inertia * spin * spin; };
  const auto half_kick = [&] {
    v_x += 0.5 * dt * f_x / m;
    v_z += 0.5 * dt * f_z / m;
    spin += 0.5 * dt * torque / inertia;
  };
  const double before = kinetic();
  double impulse_n = 0, impulse_t = 0;
  bool met = false;
  for (int k = 0; k < steps && !(met && gap > 0); ++k) {
    half_kick();
    gap += dt * v_z;
    const double more = seen == SeenVelocity::extrapolated ? 0.5 * dt : 0;
    const double seen_x = v_x + more * f_x / m, seen_z = v_z + more * f_z / m,
                 seen_spin = spin + more * torque / inertia;
    f_x = f_z = torque = 0;
    if (gap < 0) {
      met = true;
      const double lever = radius + (midpoint ? 0.5 * gap : 0);
      contact.step(-gap, seen_z, seen_x - lever * seen_spin, 0, dt);
      f_x = contact.on_j_1();
      f_z = contact.normal();
      torque = -lever * f_x;
      impulse_n += dt * f_z;
      impulse_t -= dt * f_x;
    } else {
      contact.open();
    }
    half_kick();
  }
  return {v_x, v_z, spin, impulse_n, impulse_t, kinetic() / before, contact.circulation / before};
}

}  // namespace dem::test::history
