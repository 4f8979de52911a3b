#include "libdem/motion/step_limit.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace dem {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int largest_dimension = 96;  // of the Krylov space
constexpr double tolerance = 1e-3;     // of the residual, relative to the eigenvalue

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

// Components of the start vector: fixed, without any symmetry that a mode could be orthogonal to (splitmix64).
double start_component(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double s = 0;
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
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
  set(translation, z * (c.normal_stiffness + c.tangential_stiffness) / c.mass,
      z * (c.normal_damping + c.tangential_damping) / c.mass);
  const double l2 = c.lever * c.lever, s2 = c.offset * c.offset;
  set(rotation, 2 * z * (c.tangential_stiffness * l2 + c.normal_stiffness * s2) / c.moment,
      2 * z * (c.tangential_damping * l2 + c.normal_damping * s2 + c.rotational_damping) / c.moment);
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

MeasuredLimit StepLimitMeter::measure(const Bodies& bodies, std::span<const ContactRecord> contacts, Scheme scheme,
                                      bool damp_while_sliding, double rotational_damping) {
  springs_.clear();
  const std::size_t each = rotational_damping > 0 ? 3 : 2;  // a dense packing has about 2.5 contacts a body
  if (springs_.capacity() < each * contacts.size()) springs_.reserve(each * std::max(2 * contacts.size(), 4 * bodies.size()));
  coordinates_ = 3 * bodies.size();
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
      springs_.push_back({c.key.i, c.key.j, k, stiffness, damping,
                          {-d.x * s_i[0], -d.y * s_i[1], -cross(arm_i, d) * s_i[2]},
                          {d.x * s_j[0], d.y * s_j[1], cross(arm_j, d) * s_j[2]}});
    };
    if (rotational_damping > 0)
      springs_.push_back({c.key.i, c.key.j, k, 0, rotational_damping, {0, 0, -s_i[2]}, {0, 0, s_j[2]}});
    const bool slips = c.regime == Regime::slip;
    add(n, c.normal_stiffness, c.normal_damping);
    add(turned_left(n), slips ? 0.0 : c.tangential_stiffness, slips && !damp_while_sliding ? 0.0 : c.tangential_damping);
  }

  const Largest stiff = largest_eigenvalue(&Spring::stiffness);
  const Largest damped = largest_eigenvalue(&Spring::damping);
  MeasuredLimit m;
  m.omega = std::sqrt(std::max(stiff.value, 0.0));  // below zero only with negative tangents
  m.damping_rate = damped.value;
  m.iterations = stiff.iterations + damped.iterations;
  m.converged = stiff.converged && damped.converged;
  m.dt = infinite;
  std::uint32_t named = stiff.contact;
  if (m.omega > 0) {
    m.damping_ratio = stiff.vector_damping / (2 * m.omega);
    m.dt = limit(scheme, m.damping_ratio) / m.omega;
    // The most damped mode need not be the stiffest: taken at the highest frequency, which it does not exceed.
    const double strong = limit(scheme, std::max(m.damping_ratio, damped.value / (2 * m.omega))) / m.omega;
    if (strong < m.dt) m.dt = strong, named = damped.contact;
    m.omega_dt = m.omega * m.dt;
  } else if (damped.value > 0) {  // dashpots alone
    m.dt = 2e3 * limit(scheme, 1e3) / damped.value;
    m.damping_ratio = infinite;
    named = damped.contact;
  }
  if (named < contacts.size()) m.contact = contacts[named].key;
  return m;
}

// result = Σ w b bᵀ q over the springs, in their order.
void StepLimitMeter::apply(double Spring::* weight, const std::vector<double>& q, std::vector<double>& result) const {
  std::fill(result.begin(), result.end(), 0.0);
  for (const Spring& s : springs_) {
    const double *q_i = &q[3 * s.i], *q_j = &q[3 * s.j];
    const double u = s.b_i[0] * q_i[0] + s.b_i[1] * q_i[1] + s.b_i[2] * q_i[2] + s.b_j[0] * q_j[0] + s.b_j[1] * q_j[1] +
                     s.b_j[2] * q_j[2];
    const double f = s.*weight * u;
    for (std::size_t c = 0; c < 3; ++c) result[3 * s.i + c] += f * s.b_i[c];
    for (std::size_t c = 0; c < 3; ++c) result[3 * s.j + c] += f * s.b_j[c];
  }
}

// Lanczos in two passes: the first finds the largest Ritz value, the second repeats the recurrence (it is deterministic) and adds up
// the Ritz vector, so that the basis need not be stored. Lost orthogonality only repeats converged values.
StepLimitMeter::Largest StepLimitMeter::largest_eigenvalue(double Spring::* weight) {
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, largest_dimension, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_dimension, largest_dimension>;
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  if (std::none_of(springs_.begin(), springs_.end(), [&](const Spring& s) { return s.*weight > 0; }))
    return {0, 0, none, 0, true};
  for (auto* q : {&v_, &previous_, &next_, &ritz_}) q->assign(coordinates_, 0.0);

  double alpha[largest_dimension], beta[largest_dimension];  // beta[k] couples k and k + 1
  const auto begin = [&] {
    // One multiplication by the matrix first: the start has no part in coordinates that nothing resists.
    for (std::size_t i = 0; i < coordinates_; ++i) next_[i] = start_component(i);
    apply(weight, next_, v_);
    const double scale = 1 / std::sqrt(dot(v_, v_));
    for (auto& x : v_) x *= scale;
    std::fill(previous_.begin(), previous_.end(), 0.0);
  };
  const auto advance = [&](int k) {  // from v_k to v_{k+1}
    apply(weight, v_, next_);
    alpha[k] = dot(v_, next_);
    const double b = k > 0 ? beta[k - 1] : 0;
    for (std::size_t i = 0; i < coordinates_; ++i) next_[i] -= alpha[k] * v_[i] + b * previous_[i];
    beta[k] = std::sqrt(dot(next_, next_));
    std::swap(previous_, v_);
    const double scale = beta[k] > 0 ? 1 / beta[k] : 0;
    for (std::size_t i = 0; i < coordinates_; ++i) v_[i] = scale * next_[i];
  };

  Largest found{0, 0, none, 0, false};
  begin();
  if (!std::isfinite(dot(v_, v_))) return {0, 0, none, 0, true};  // no free coordinate: the product vanished
  Vector weights;
  for (int k = 0; k < largest_dimension && !found.converged; ++k) {
    advance(k);
    const int n = k + 1;
    const bool exhausted = beta[k] <= 1e-12 * std::abs(alpha[0]);  // the Krylov space is invariant
    if (n % 6 != 0 && n != 3 && !exhausted && n != largest_dimension) continue;
    Eigen::SelfAdjointEigenSolver<Matrix> solver;
    solver.computeFromTridiagonal(Eigen::Map<Eigen::VectorXd>(alpha, n), Eigen::Map<Eigen::VectorXd>(beta, n - 1));
    weights = solver.eigenvectors().col(n - 1);
    const double residual = beta[k] * std::abs(weights(n - 1)), value = solver.eigenvalues()(n - 1);
    found.converged = exhausted || residual <= tolerance * value;
    found.value = value + (found.converged ? 0.0 : residual);
    found.iterations = n;
  }
  begin();
  for (int k = 0; k < found.iterations; ++k) {
    for (std::size_t i = 0; i < coordinates_; ++i) ritz_[i] += weights(k) * v_[i];
    advance(k);
  }
  // Damping of the mode, and the contact that holds most of the form's energy.
  const double norm2 = dot(ritz_, ritz_);
  double largest = 0, of_contact = 0;
  std::uint32_t contact = none;
  for (const Spring& s : springs_) {
    double u = 0;
    for (std::size_t c = 0; c < 3; ++c) u += s.b_i[c] * ritz_[3 * s.i + c] + s.b_j[c] * ritz_[3 * s.j + c];
    found.vector_damping += s.damping * u * u / norm2;
    if (s.contact != contact) of_contact = 0, contact = s.contact;
    of_contact += s.*weight * u * u;
    if (of_contact > largest) largest = of_contact, found.contact = s.contact;
  }
  return found;
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
