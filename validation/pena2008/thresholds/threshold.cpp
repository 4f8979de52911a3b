#include "validation/pena2008/thresholds/threshold.hpp"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "libdem/assembly/assembly.hpp"
#include "libdem/contacts/pair_table.hpp"
#include "validation/pena2008/two_discs.hpp"

namespace dem::validation::pena2008 {

namespace {

constexpr double step_of_limit =
    1e-3;  // Δt/t_c at which geometric elongation stands for Δt → 0: 1e-6 from it by the spectrum

Case with_step(Case c, double dt_over_tc) {
  c.time.step = dt_over_tc * contact_duration_of(c);
  return c;
}

Case with_geometric_elongation(Case c) {
  c.contact.elongation = Elongation::geometric;
  return c;
}

}  // namespace

std::vector<SlowMode> slow_modes(const Case& c) {
  const State state = build_assembly(c);
  const PairTable pair(c, state);
  const double k_n = pair[0].normal_stiffness, gamma_n = pair.normal_damping(0, 1);
  const bool slides = pair[0].friction == 0;
  const double k_t = slides ? 0 : pair[0].tangential_stiffness, gamma_t = slides ? 0 : pair.tangential_damping(gamma_n);
  const double mass = state.bodies.mass[1], s = std::sqrt(0.5);
  const BodySpec& j = c.assembly.bodies[1];
  // Movement of the contact along n and t for a unit of each free coordinate x, y, aθ.
  std::vector<Eigen::Vector2d> movement;
  std::vector<double> masses;
  if (!j.fix_x) movement.push_back({s, -s}), masses.push_back(mass);
  if (!j.fix_y) movement.push_back({s, s}), masses.push_back(mass);
  if (!j.fix_rotation && !slides) movement.push_back({0, -1}), masses.push_back(mass / 2);
  const auto n = Eigen::Index(movement.size());
  Eigen::MatrixXd to_contact(2, n);
  for (Eigen::Index q = 0; q < n; ++q) to_contact.col(q) = movement[std::size_t(q)];
  const auto matrix = [&](double normal, double tangential) -> Eigen::MatrixXd {
    return to_contact.transpose() * Eigen::Vector2d(normal, tangential).asDiagonal() * to_contact;
  };
  // A trace of the damping at a small step, so that among vibrations of equal frequency (free, k_t = k_n) those come
  // out that decay by themselves.
  const double t_c = contact_duration_of(c), trace = 1e-6 * k_n / (gamma_n + gamma_t);
  const Eigen::MatrixXd stiffness = matrix(k_n, k_t) + trace * matrix(gamma_n, gamma_t + 0.5e-4 * k_t * t_c);
  const Eigen::MatrixXd m = Eigen::Map<const Eigen::VectorXd>(masses.data(), n).asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness, m);  // mass-normalised: φᵀMφ = 1

  std::vector<SlowMode> found;
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Vector2d at = to_contact * modes.eigenvectors().col(k);
    const double normal = at.x() * at.x(), tangential = at.y() * at.y();
    const double strain = k_n * normal + k_t * tangential, loss = gamma_n * normal + gamma_t * tangential;
    if (modes.eigenvalues()(k) < 1e-12 * k_n / mass || loss <= 0) continue;  // a movement without a spring
    // Amplitude ~ exp(−loss t/2), energy ~ exp(−loss t).
    found.push_back({k_t * tangential / strain, loss / strain / t_c, 1 / loss / t_c});
  }
  std::ranges::sort(found, std::greater<>(), &SlowMode::relaxation);
  if (found.empty()) throw std::invalid_argument("the two discs have no damped vibration");
  return found;
}

double predicted_threshold(const Case& c, double tolerance) {
  const SlowMode mode = slow_modes(c).front();
  return mode.tangential_share < 1e-9 ? no_threshold : 2 * tolerance * mode.damping_time / mode.tangential_share;
}

double predicted_threshold_of_all_modes(const Case& c, double tolerance) {
  const auto modes = slow_modes(c);
  double largest = 0;
  for (const SlowMode& mode : modes) {
    const double excess = mode.relaxation / (modes.front().relaxation * (1 - tolerance)) - 1;
    if (excess <= 0) break;
    if (mode.tangential_share < 1e-9) return no_threshold;
    largest = std::max(largest, 2 * mode.damping_time / mode.tangential_share * excess);
  }
  return largest;
}

double exact_threshold(const Case& c, double tolerance) {
  const double limit = slowest_mode(with_geometric_elongation(with_step(c, step_of_limit))).relaxation;
  // Damping is only added, so that t_R falls with Δt, and 1/t_R nearly linearly: a secant method takes a few
  // evaluations.
  const auto excess = [&](double dt) {
    return limit / slowest_mode(with_step(c, dt)).relaxation - 1 / (1 - tolerance);
  };
  double low = 1e-6, high = largest_studied_step, at_high = excess(high);
  if (at_high < 0) return no_threshold;
  double at_low = excess(low);
  if (at_low > 0) throw std::runtime_error("the threshold lies below a millionth of the contact time");
  for (double guess : {0.9 * predicted_threshold(c, tolerance), 1.2 * predicted_threshold(c, tolerance)})
    if (guess > low && guess < high) {
      const double at_guess = excess(guess);
      (at_guess < 0 ? low : high) = guess;
      (at_guess < 0 ? at_low : at_high) = at_guess;
    }
  std::uintmax_t evaluations = 60;
  const auto bracket = boost::math::tools::toms748_solve(
      excess, low, high, at_low, at_high, [](double a, double b) { return std::abs(b - a) < 1e-6 * b; }, evaluations);
  return 0.5 * (bracket.first + bracket.second);
}

double MeasuredThreshold::at(double tolerance) const {
  if (!(slope > 0)) return no_threshold;
  const double step = tolerance / (1 - tolerance) / (limit * slope);
  return step > largest_studied_step ? no_threshold : step;
}

MeasuredThreshold measure_threshold(const Case& c, std::span<const double> steps,
                                    const std::function<void(double)>& progress) {
  constexpr double step_of_measured_limit = 0.01;  // geometric: 1e-5 from the limit, and cheap
  MeasuredThreshold result;
  result.usable = true;
  const auto run = [&](const Case& given) {
    const auto fit = relax(given);
    result.usable = result.usable && fit.usable();
    result.r_squared = std::min(result.r_squared, fit.r_squared);
    return fit.time;
  };
  result.limit = run(with_geometric_elongation(with_step(c, step_of_measured_limit)));
  std::vector<double> slopes;
  for (double dt : steps) {
    slopes.push_back((1 / run(with_step(c, dt)) - 1 / result.limit) / dt);
    result.slope += slopes.back() / double(steps.size());
    if (progress) progress(double(slopes.size()) / double(steps.size()));
  }
  for (double slope : slopes) result.scatter = std::max(result.scatter, std::abs(slope / result.slope - 1));
  return result;
}

}  // namespace dem::validation::pena2008
