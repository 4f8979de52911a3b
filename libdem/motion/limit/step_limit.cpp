#include "libdem/motion/limit/step_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace dem {
namespace {

constexpr double hardly_damped = 0.005;  // damping ratio; the limit of Gear rises up to about 0.01 (stability.hpp)
constexpr double infinite = std::numeric_limits<double>::infinity();

// Time step of a mode with ω² and damping rate 2ζω (1/s).
double step_of_mode(Scheme scheme, double omega2, double rate, double& zeta, double& omega_dt) {
  const double omega = std::sqrt(omega2);
  if (!(omega > 0) && !(rate > 0)) return infinite;
  if (!(omega > 0)) {  // a dashpot alone, x″ = −c x′, is the limit ζ → ∞; ζ = 1e3 is close enough (0.1 %)
    zeta = infinite;
    return 2e3 * stability_limit(scheme, 1e3) / rate;
  }
  zeta = rate / (2 * omega);
  omega_dt = stability_limit(scheme, zeta);
  return omega_dt / omega;
}

}  // namespace

void SmallestLimit::add_modes(const StiffestContact& c) {
  const double z = c.coordination;
  const double l2 = c.lever * c.lever, s2 = c.offset * c.offset, alpha = c.mass_damping;
  if (c.dimension == 3) {
    const double share = 2 * z / 3;
    add(c, AprioriLimit::Mode::translation, share * (c.normal_stiffness + 2 * c.tangential_stiffness) / c.mass,
        share * (c.normal_damping + 2 * c.tangential_damping) / c.mass + alpha);
    add(c, AprioriLimit::Mode::rotation, share * (2 * c.tangential_stiffness * l2 + c.normal_stiffness * s2) / c.moment,
        share * (2 * c.tangential_damping * l2 + c.normal_damping * s2 + 3 * c.rotational_damping) / c.moment + alpha);
    return;
  }
  add(c, AprioriLimit::Mode::translation, z * (c.normal_stiffness + c.tangential_stiffness) / c.mass,
      z * (c.normal_damping + c.tangential_damping) / c.mass + alpha);
  add(c, AprioriLimit::Mode::rotation, 2 * z * (c.tangential_stiffness * l2 + c.normal_stiffness * s2) / c.moment,
      2 * z * (c.tangential_damping * l2 + c.normal_damping * s2 + c.rotational_damping) / c.moment + alpha);
}

void SmallestLimit::add(const StiffestContact& c) {
  add_modes(c);
  // Gear allows less to a mode without damping than to one of small damping (stability.hpp). So springs of hardly any
  // damping may limit more, if a mode moves them alone. Rotational damping misses bodies that turn alike.
  StiffestContact part = c;
  part.rotational_damping = 0;
  if (c.rotational_damping > 0) add_modes(part);
  if (c.normal_damping == 0 && c.tangential_damping == 0) return;
  part.normal_stiffness = part.normal_damping = 0;
  add_modes(part);
  part = c;
  part.rotational_damping = part.tangential_stiffness = part.tangential_damping = 0;
  add_modes(part);
}

void SmallestLimit::add(const StiffestContact& c, AprioriLimit::Mode mode, double omega2, double rate) {
  // A limit costs a bisection over eigenvalues, and an assembly has many bodies. A softer mode with the same damping
  // ratio (usual with restitution) has a larger limit. So has a less damped one of large ratio (stability.hpp).
  const double ratio = rate / (2 * std::sqrt(omega2));
  for (const Known& k : known_)
    if (omega2 <= k.omega2 && (ratio > 0.01 ? rate <= k.rate : std::abs(ratio - k.ratio) <= 1e-9 * k.ratio)) return;
  AprioriLimit limit;
  limit.contact = c;
  limit.mode = mode;
  limit.omega = std::sqrt(omega2);
  limit.dt = step_of_mode(scheme_, omega2, rate, limit.damping_ratio, limit.omega_dt);
  if (omega2 > 0 && known_.size() < most_known) known_.push_back({omega2, rate, ratio});
  if (is_first_ || limit.dt < smallest_.dt) smallest_ = limit;
  is_first_ = false;
}

std::string AprioriLimit::describe() const {
  if (std::isinf(dt)) return "no body can move, so that nothing limits the time step";
  return fmt::format("largest stable time step {:.4g} s: {}", dt, cause());
}

std::string AprioriLimit::cause() const {
  return fmt::format(
      "{} of the lightest body (mass {:.4g} kg, moment {:.4g} kg m²) among {} contacts with "
      "k_n = {:.4g} N/m, k_t = {:.4g} N/m{}, lever {:.3g} m; ω = {:.4g} 1/s, damping ratio {:.3g}, limit ωΔt = {:.3g}",
      mode == Mode::translation ? "translation" : "rotation", contact.mass, contact.moment, contact.coordination,
      contact.normal_stiffness, contact.tangential_stiffness,
      contact.normal_stiffness == 0 ? " (normal springs are left out)" : "", contact.lever, omega, damping_ratio,
      omega_dt);
}

std::string MeasuredLimit::describe() const {
  if (std::isinf(dt)) return "no contact limits the time step";
  return fmt::format("largest stable time step {:.4g} s: {}; stiffest there: the contact of bodies {} and {}", dt,
                     cause(), contact.i, contact.j);
}

std::string MeasuredLimit::cause() const {
  if (undamped_omega > 0)
    return fmt::format(
        "frequency of the springs with hardly any dashpot ω = {:.4g} 1/s, damping ratio {:.3g}, limit ωΔt = {:.3g}",
        undamped_omega, damping_ratio, omega_dt);
  return fmt::format(
      "highest frequency of the contact network ω = {:.4g} 1/s, damping ratio {:.3g}, limit ωΔt = {:.3g}", omega,
      damping_ratio, omega_dt);
}

void StepLimitMeter::begin(const Bodies& bodies, std::size_t contacts, const Options& options) {
  options_ = options;
  modes_.begin(bodies, options.rotational_damping, contacts,
               options.dimension == 3 ? contacts : std::max(2 * contacts, 4 * bodies.size()));
  bodies_ = &bodies;
}

void StepLimitMeter::add(std::span<const ContactRecord> contacts) {
  for (const ContactRecord& c : contacts) {
    const Vec3 arm_i = c.point - bodies_->position[0][c.key.i];
    const bool slips = c.regime == Regime::slip;
    const double spring = slips ? 0.0 : c.tangential_stiffness;
    modes_.add({c.key, c.normal, arm_i, arm_i - c.branch, c.normal_stiffness, options_.spring_time ? 0.0 : spring,
                c.normal_damping,
                (slips && !options_.damp_while_sliding ? 0.0 : c.tangential_damping) +
                    spring * options_.spring_time.value_or(0),
                c.rocking_stiffness});
  }
}

MeasuredLimit StepLimitMeter::finish(Scheme scheme) {
  using Form = NetworkModes::Form;
  MeasuredLimit m;
  NetworkModes::Largest stiff = modes_.largest(Form::stiffness);
  modes_.find_mode(Form::stiffness, stiff);
  NetworkModes::Largest damped = modes_.largest(Form::damping);
  m.omega = std::sqrt(std::max(stiff.value, 0.0));  // negative only with negative tangents
  m.damping_rate = damped.value + options_.mass_damping;
  m.iterations = stiff.iterations + damped.iterations;
  m.converged = stiff.converged && damped.converged;
  m.dt = infinite;
  std::uint32_t named = stiff.joint;
  const auto name_damped = [&] {
    modes_.find_mode(Form::damping, damped);
    named = damped.joint;
  };
  if (m.omega > 0) {
    m.damping_ratio = (stiff.vector_damping + options_.mass_damping) / (2 * m.omega);
    m.dt = limit(scheme, m.damping_ratio) / m.omega;
    // The most damped mode need not be the stiffest. Its limit is taken at the highest frequency, which that mode does
    // not exceed. If it limits by much, it is another mode, and its contact is named.
    const double strong = limit(scheme, std::max(m.damping_ratio, m.damping_rate / (2 * m.omega))) / m.omega;
    if (strong < 0.9 * m.dt) name_damped();
    m.dt = std::min(m.dt, strong);
    // Gear allows the most to a mode of small damping, and less to one without any (stability.hpp). So a softer mode
    // limits if dashpots miss it. It moves springs that have hardly any dashpot.
    modes_.set_smallest_damping(2 * hardly_damped / m.omega);
    const auto damps = [&](const NetworkModes::Joint& joint) {
      return modes_.is_damped(joint.c_n, joint.k_n) || modes_.is_damped(joint.c_t, joint.k_t);
    };
    if (m.dt * m.omega > limit(scheme, 0) && std::ranges::any_of(modes_.joints(), damps)) {
      NetworkModes::Largest soft = modes_.largest(Form::undamped);
      modes_.find_mode(Form::undamped, soft);
      m.iterations += soft.iterations;
      const double omega = std::sqrt(std::max(soft.value, 0.0));
      const double ratio = omega > 0 ? (soft.vector_damping + options_.mass_damping) / (2 * omega) : 0;
      if (omega > 0 && limit(scheme, ratio) / omega < m.dt) {
        m.dt = limit(scheme, ratio) / omega;
        m.undamped_omega = omega;
        m.damping_ratio = ratio;
        m.converged &= soft.converged;
        named = soft.joint;
      }
    }
    m.omega_dt = (m.undamped_omega > 0 ? m.undamped_omega : m.omega) * m.dt;
  } else if (m.damping_rate > 0) {  // dashpots alone
    m.dt = 2e3 * limit(scheme, 1e3) / m.damping_rate;
    m.damping_ratio = infinite;
    name_damped();
  }
  if (named < modes_.joints().size()) m.contact = modes_.joints()[named].key;
  if (options_.dimension == 3) modes_.release();
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
