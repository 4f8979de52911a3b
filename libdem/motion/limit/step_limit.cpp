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
double step_of_mode(Scheme scheme, double omega2, double rate, double share, double& zeta, double& omega_dt) {
  const double omega = std::sqrt(omega2);
  if (!(omega > 0) && !(rate > 0)) return infinite;
  if (!(omega > 0)) {  // a dashpot alone, x″ = −c x′, is the limit ζ → ∞; ζ = 1e3 is close enough (0.1 %)
    zeta = infinite;
    return 2e3 * stability_limit(scheme, 1e3) / rate;
  }
  zeta = rate / (2 * omega);
  omega_dt = stability_limit(scheme, zeta, share);
  return omega_dt / omega;
}

// Tangential shares hardly differ between like modes, and are rounded so that limits can be used again. A whole part
// of 1/128 changes a limit by 0.3 % or less.
double rounded_share(Scheme scheme, double share) { return scheme.elongation ? std::round(128 * share) / 128 : 0; }

}  // namespace

void SmallestLimit::add_modes(const StiffestContact& c) {
  const double z = c.coordination;
  const double l2 = c.lever * c.lever, s2 = c.offset * c.offset, alpha = c.mass_damping;
  const double tangents = c.dimension - 1;  // of a contact
  const double shift_n = c.normal_stiffness, shift_t = tangents * c.tangential_stiffness,
               turn_n = c.normal_stiffness * s2, turn_t = tangents * c.tangential_stiffness * l2;
  const double to_shift = c.dimension == 3 ? 2 * z / 3 : z, to_turn = c.dimension == 3 ? 2 * z / 3 : 2 * z;
  const auto share = [](double tangential, double sum) { return sum > 0 ? tangential / sum : 0; };
  add(c, AprioriLimit::Mode::translation, to_shift * (shift_n + shift_t) / c.mass,
      to_shift * (c.normal_damping + tangents * c.tangential_damping) / c.mass + alpha,
      share(shift_t, shift_n + shift_t));
  add(c, AprioriLimit::Mode::rotation, to_turn * (turn_t + turn_n) / c.moment,
      to_turn *
              (tangents * c.tangential_damping * l2 + c.normal_damping * s2 +
               (c.dimension == 3 ? 3 : 1) * c.rotational_damping) /
              c.moment +
          alpha,
      share(turn_t, turn_t + turn_n));
}

void SmallestLimit::add(const StiffestContact& c) {
  add_modes(c);
  // Gear allows less to a mode without damping than to one of small damping (stability.hpp). So springs of hardly any
  // damping may limit more, if a mode moves them alone. Rotational damping misses bodies that turn alike.
  StiffestContact part = c;
  part.rotational_damping = 0;
  if (c.rotational_damping > 0) add_modes(part);
  if (c.normal_damping == 0 && c.tangential_damping == 0 && !scheme_.elongation) return;
  part.normal_stiffness = part.normal_damping = 0;
  add_modes(part);
  part = c;
  part.rotational_damping = part.tangential_stiffness = part.tangential_damping = 0;
  add_modes(part);
}

void SmallestLimit::add(const StiffestContact& c, AprioriLimit::Mode mode, double omega2, double rate,
                        double tangential_share) {
  // A limit costs a bisection over eigenvalues, and an assembly has many bodies. A softer mode with the same damping
  // ratio (usual with restitution) has a larger limit. So has a less damped one of large ratio (stability.hpp), unless
  // damping has to make up for what the velocity source takes away.
  const double ratio = rate / (2 * std::sqrt(omega2)), share = rounded_share(scheme_, tangential_share);
  const bool by_rate =
      ratio > 0.01 && scheme_.elongation.value_or(VelocitySource::predicted) == VelocitySource::predicted;
  for (const Known& k : known_)
    if (share == k.share && omega2 <= k.omega2 &&
        (by_rate ? rate <= k.rate : std::abs(ratio - k.ratio) <= 1e-9 * k.ratio))
      return;
  AprioriLimit limit;
  limit.contact = c;
  limit.mode = mode;
  limit.omega = std::sqrt(omega2);
  limit.dt = step_of_mode(scheme_, omega2, rate, share, limit.damping_ratio, limit.omega_dt);
  if (omega2 > 0 && known_.size() < most_known) known_.push_back({omega2, rate, ratio, share});
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
  if (soft_omega > 0)
    return fmt::format("frequency of the {} ω = {:.4g} 1/s, damping ratio {:.3g}, limit ωΔt = {:.3g}", soft_springs,
                       soft_omega, damping_ratio, omega_dt);
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
    m.tangential_share = stiff.tangential_share;
    m.dt = limit(scheme, m.damping_ratio, m.tangential_share) / m.omega;
    // The most damped mode need not be the stiffest. Its limit is taken at the highest frequency, which that mode does
    // not exceed. If it limits by much, it is another mode, and its contact is named.
    const double largest_ratio = std::max(m.damping_ratio, m.damping_rate / (2 * m.omega)),
                 strong = limit(scheme, largest_ratio, m.tangential_share) / m.omega;
    if (strong < 0.9 * m.dt) name_damped();
    m.dt = std::min(m.dt, strong);
    const auto look_at_soft = [&](Form form, std::string_view springs) {
      NetworkModes::Largest soft = modes_.largest(form);
      modes_.find_mode(form, soft);
      m.iterations += soft.iterations;
      const double omega = std::sqrt(std::max(soft.value, 0.0));
      if (!(omega > 0)) return;
      const double ratio = (soft.vector_damping + options_.mass_damping) / (2 * omega),
                   dt = limit(scheme, ratio, soft.tangential_share) / omega;
      if (!(dt < m.dt)) return;
      m.dt = dt;
      m.soft_omega = omega;
      m.soft_springs = springs;
      m.damping_ratio = ratio;
      m.tangential_share = soft.tangential_share;
      m.converged &= soft.converged;
      named = soft.joint;
    };
    modes_.set_smallest_damping(2 * hardly_damped / m.omega);
    using Joint = NetworkModes::Joint;
    // With elongations by velocity, tangential springs have another limit than normal ones. A softer mode may move one
    // kind alone. It is looked at only if it could limit by more than 2 %, because that takes as long as all the rest.
    const auto may_limit = [&](double share, double Joint::*k, double Joint::*c) {
      if (scheme.elongation == VelocitySource::corrected) return true;
      const auto lacks_dashpot = [&](const Joint& joint) {
        return joint.*k > 0 && !modes_.is_damped(joint.*c, joint.*k);
      };
      double lowest = limit(scheme, largest_ratio, share);
      if (std::ranges::any_of(modes_.joints(), lacks_dashpot)) lowest = std::min(lowest, limit(scheme, 0, share));
      return lowest < 0.98 * m.dt * m.omega;
    };
    if (scheme.elongation) {
      if (may_limit(0, &Joint::k_n, &Joint::c_n)) look_at_soft(Form::normal_springs, "normal springs alone");
      if (may_limit(1, &Joint::k_t, &Joint::c_t)) look_at_soft(Form::tangential_springs, "tangential springs alone");
    }
    // Gear allows the most to a mode of small damping, and less to one without any (stability.hpp). So a softer mode
    // limits if dashpots miss it. It moves springs that have hardly any dashpot.
    const auto damps = [&](const Joint& joint) {
      return modes_.is_damped(joint.c_n, joint.k_n) || modes_.is_damped(joint.c_t, joint.k_t);
    };
    if (m.dt * m.omega > std::min(limit(scheme, 0, 0), limit(scheme, 0, 1)) &&
        std::ranges::any_of(modes_.joints(), damps))
      look_at_soft(Form::undamped, "springs with hardly any dashpot");
    m.omega_dt = (m.soft_omega > 0 ? m.soft_omega : m.omega) * m.dt;
  } else if (m.damping_rate > 0) {  // dashpots alone
    m.dt = 2e3 * limit(scheme, 1e3, 0) / m.damping_rate;
    m.damping_ratio = infinite;
    name_damped();
  }
  if (named < modes_.joints().size()) m.contact = modes_.joints()[named].key;
  if (options_.dimension == 3) modes_.release();
  return m;
}

double StepLimitMeter::limit(Scheme scheme, double damping_ratio, double tangential_share) {
  const double rounded = damping_ratio > 1e-12 ? std::exp(std::round(500 * std::log(damping_ratio)) / 500) : 0;
  const double share = rounded_share(scheme, tangential_share);
  for (const Known& k : known_)
    if (k.scheme == scheme && k.damping_ratio == rounded && k.share == share) return k.limit;
  Known& k = known_[replace_];
  replace_ = (replace_ + 1) % int(std::size(known_));
  return (k = {scheme, rounded, share, stability_limit(scheme, rounded, share)}).limit;
}

}  // namespace dem
