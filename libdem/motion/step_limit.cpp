#include "libdem/motion/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "libdem/motion/rigid_rotation.hpp"

namespace dem {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Time step of a mode with ω² and damping rate 2ζω (1/s).
double step_of_mode(Scheme scheme, double omega2, double rate, double& zeta, double& omega_dt) {
  const double omega = std::sqrt(omega2);
  if (!(omega > 0) && !(rate > 0)) return infinite;
  if (!(omega > 0)) {  // a dashpot alone: x″ = −c x′ is the limit ζ → ∞, of which ζ = 1e3 is as good (0.1 %)
    zeta = infinite;
    return 2e3 * stability_limit(scheme, 1e3) / rate;
  }
  zeta = rate / (2 * omega);
  omega_dt = stability_limit(scheme, zeta);
  return omega_dt / omega;
}

}  // namespace

AprioriLimit apriori_step_limit(const StiffestContact& c, Scheme scheme) {
  const double z = c.coordination;
  AprioriLimit translation, rotation;
  translation.contact = rotation.contact = c;
  rotation.mode = AprioriLimit::Mode::rotation;
  const auto set = [scheme](AprioriLimit& limit, double omega2, double rate) {
    limit.omega = std::sqrt(omega2);
    limit.dt = step_of_mode(scheme, omega2, rate, limit.damping_ratio, limit.omega_dt);
  };
  const double l2 = c.lever * c.lever, s2 = c.offset * c.offset, alpha = c.mass_damping;
  if (c.dimension == 3) {
    const double share = 2 * z / 3;
    set(translation, share * (c.normal_stiffness + 2 * c.tangential_stiffness) / c.mass,
        share * (c.normal_damping + 2 * c.tangential_damping) / c.mass + alpha);
    set(rotation, share * (2 * c.tangential_stiffness * l2 + c.normal_stiffness * s2) / c.moment,
        share * (2 * c.tangential_damping * l2 + c.normal_damping * s2 + 3 * c.rotational_damping) / c.moment + alpha);
    return rotation.dt < translation.dt ? rotation : translation;
  }
  set(translation, z * (c.normal_stiffness + c.tangential_stiffness) / c.mass,
      z * (c.normal_damping + c.tangential_damping) / c.mass + alpha);
  set(rotation, 2 * z * (c.tangential_stiffness * l2 + c.normal_stiffness * s2) / c.moment,
      2 * z * (c.tangential_damping * l2 + c.normal_damping * s2 + c.rotational_damping) / c.moment + alpha);
  return rotation.dt < translation.dt ? rotation : translation;
}

std::string AprioriLimit::describe() const { return fmt::format("largest stable time step {:.4g} s: {}", dt, cause()); }

std::string AprioriLimit::cause() const {
  return fmt::format(
      "{} of the lightest body (mass {:.4g} kg, moment {:.4g} kg m²) among {} contacts with "
      "k_n = {:.4g} N/m, k_t = {:.4g} N/m, lever {:.3g} m; ω = {:.4g} 1/s, damping ratio {:.3g}, limit ωΔt = {:.3g}",
      mode == Mode::translation ? "translation" : "rotation", contact.mass, contact.moment, contact.coordination,
      contact.normal_stiffness, contact.tangential_stiffness, contact.lever, omega, damping_ratio, omega_dt);
}

std::string MeasuredLimit::describe() const {
  if (std::isinf(dt)) return "no contact limits the time step";
  return fmt::format("largest stable time step {:.4g} s: {}; stiffest there: the contact of bodies {} and {}", dt, cause(), contact.i,
                     contact.j);
}

std::string MeasuredLimit::cause() const {
  return fmt::format("highest frequency of the contact network ω = {:.4g} 1/s, damping ratio {:.3g}, limit ωΔt = {:.3g}", omega,
                     damping_ratio, omega_dt);
}

void StepLimitMeter::add_planar(const Bodies& bodies, std::span<const ContactRecord> contacts, const Options& options) {
  const std::size_t each = options.rotational_damping > 0 ? 3 : 2;  // a dense packing has about 2.5 contacts a body
  planar_.begin(bodies.size(), each * contacts.size(), each * std::max(2 * contacts.size(), 4 * bodies.size()));
  // 1/√inertia of the free coordinates, 0 for the others.
  const auto scales = [&bodies](std::uint32_t b, double* s) {
    s[0] = bodies.freedom[b] & free_x ? 1 / std::sqrt(bodies.mass[b]) : 0;
    s[1] = bodies.freedom[b] & free_y ? 1 / std::sqrt(bodies.mass[b]) : 0;
    s[2] = bodies.freedom[b] & free_rz ? 1 / std::sqrt(bodies.moment[b]) : 0;
  };
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const ContactRecord& c = contacts[k];
    double s_i[3], s_j[3];
    scales(c.key.i, s_i);
    scales(c.key.j, s_j);
    const Vec2 n = planar(c.normal), arm_i = planar(c.point - bodies.position[0][c.key.i]), arm_j = arm_i - planar(c.branch);
    const auto add = [&](Vec2 d, double stiffness, double damping) {
      if (stiffness == 0 && damping == 0) return;
      planar_.add({c.key.i, c.key.j, k, stiffness, damping,
                   {-d.x * s_i[0], -d.y * s_i[1], -cross(arm_i, d) * s_i[2]},
                   {d.x * s_j[0], d.y * s_j[1], cross(arm_j, d) * s_j[2]}});
    };
    if (options.rotational_damping > 0)
      planar_.add({c.key.i, c.key.j, k, 0, options.rotational_damping, {0, 0, -s_i[2]}, {0, 0, s_j[2]}});
    const bool slips = c.regime == Regime::slip;
    add(n, c.normal_stiffness, c.normal_damping);
    add(turned_left(n), slips ? 0.0 : c.tangential_stiffness, slips && !options.damp_while_sliding ? 0.0 : c.tangential_damping);
  }
}

void StepLimitMeter::add_spatial(const Bodies& bodies, std::span<const ContactRecord> contacts, const Options& options) {
  const std::size_t springs = (options.rotational_damping > 0 ? 6 : 3) * contacts.size();
  spatial_.begin(bodies.size(), springs, springs);
  // What a force d through a point at `arm` from the centroid does to the mass-scaled coordinates; rotations about the principal axes.
  const auto project = [&bodies](std::uint32_t b, Vec3 force, Vec3 couple, double sign, double* out) {
    const unsigned freedom = bodies.freedom[b];
    const double by_mass = sign / std::sqrt(bodies.mass[b]);
    Vec3 moments{bodies.moment[b], bodies.moment[b], bodies.moment[b]};
    if (bodies.has_orientations()) couple = rotated_back(bodies.orientation[0][b], couple), moments = bodies.principal_moments[b];
    out[0] = freedom & free_x ? by_mass * force.x : 0;
    out[1] = freedom & free_y ? by_mass * force.y : 0;
    out[2] = freedom & free_z ? by_mass * force.z : 0;
    out[3] = freedom & free_rx ? sign * couple.x / std::sqrt(moments.x) : 0;
    out[4] = freedom & free_ry ? sign * couple.y / std::sqrt(moments.y) : 0;
    out[5] = freedom & free_rz ? sign * couple.z / std::sqrt(moments.z) : 0;
  };
  for (std::uint32_t k = 0; k < contacts.size(); ++k) {
    const ContactRecord& c = contacts[k];
    const Vec3 n = c.normal, arm_i = c.point - bodies.position[0][c.key.i], arm_j = arm_i - c.branch;
    const auto add = [&](Vec3 force, Vec3 couple_i, Vec3 couple_j, double stiffness, double damping) {
      if (stiffness == 0 && damping == 0) return;
      NetworkModes<6>::Spring s{c.key.i, c.key.j, k, stiffness, damping, {}, {}};
      project(c.key.i, force, couple_i, -1, s.b_i);
      project(c.key.j, force, couple_j, 1, s.b_j);
      spatial_.add(s);
    };
    const bool slips = c.regime == Regime::slip;
    const double k_t = slips ? 0.0 : c.tangential_stiffness, damping_t = slips && !options.damp_while_sliding ? 0.0 : c.tangential_damping;
    // Any two directions across the normal: the tangential stiffness is the same in all of them.
    const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, across = axis - dot(axis, n) * n;
    const Vec3 t1 = (1 / norm(across)) * across, t2 = cross(n, t1);
    add(n, cross(arm_i, n), cross(arm_j, n), c.normal_stiffness, c.normal_damping);
    for (const Vec3 t : {t1, t2}) add(t, cross(arm_i, t), cross(arm_j, t), k_t, damping_t);
    if (options.rotational_damping > 0)
      for (const Vec3 e : {n, t1, t2}) add({}, e, e, 0, options.rotational_damping);
  }
}

MeasuredLimit StepLimitMeter::measure(const Bodies& bodies, std::span<const ContactRecord> contacts, Scheme scheme, const Options& options) {
  MeasuredLimit m;
  const auto from = [&](auto stiff, auto damped) {
    m.omega = std::sqrt(std::max(stiff.value, 0.0));  // below zero only with negative tangents
    m.damping_rate = damped.value + options.mass_damping;
    m.iterations = stiff.iterations + damped.iterations;
    m.converged = stiff.converged && damped.converged;
    m.dt = infinite;
    std::uint32_t named = stiff.contact;
    if (m.omega > 0) {
      m.damping_ratio = (stiff.vector_damping + options.mass_damping) / (2 * m.omega);
      m.dt = limit(scheme, m.damping_ratio) / m.omega;
      // The most damped mode need not be the stiffest: taken at the highest frequency, which it does not exceed.
      const double strong = limit(scheme, std::max(m.damping_ratio, m.damping_rate / (2 * m.omega))) / m.omega;
      if (strong < m.dt) m.dt = strong, named = damped.contact;
      m.omega_dt = m.omega * m.dt;
    } else if (m.damping_rate > 0) {  // dashpots alone
      m.dt = 2e3 * limit(scheme, 1e3) / m.damping_rate;
      m.damping_ratio = infinite;
      named = damped.contact;
    }
    if (named < contacts.size()) m.contact = contacts[named].key;
  };
  if (options.dimension == 3) {
    add_spatial(bodies, contacts, options);
    const auto stiff = spatial_.largest_eigenvalue(&NetworkModes<6>::Spring::stiffness);
    from(stiff, spatial_.largest_eigenvalue(&NetworkModes<6>::Spring::damping));
    spatial_ = {};  // more than all else that is kept of a sphere; measured too seldom to keep it
  } else {
    add_planar(bodies, contacts, options);
    const auto stiff = planar_.largest_eigenvalue(&NetworkModes<3>::Spring::stiffness);
    from(stiff, planar_.largest_eigenvalue(&NetworkModes<3>::Spring::damping));
  }
  return m;
}

double StepLimitMeter::limit(Scheme scheme, double damping_ratio) {
  const double rounded = damping_ratio > 1e-12 ? std::exp(std::round(500 * std::log(damping_ratio)) / 500) : 0;
  for (const Known& k : known_)
    if (k.scheme == scheme && k.damping_ratio == rounded) return k.limit;
  Known& k = known_[replace_];
  replace_ = (replace_ + 1) % int(std::size(known_));
  return (k = {scheme, rounded, stability_limit(scheme, rounded)}).limit;
}

}  // namespace dem
