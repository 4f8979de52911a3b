#include "libdem/motion/limit/stability.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "libdem/motion/gear5.hpp"

namespace dem {
namespace {

// The size is given at run time, so that Eigen's solver is compiled once for both schemes.
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

// Largest modulus of the eigenvalues, from the diagonal blocks of the Schur form: 1 × 1 for a real one, 2 × 2 for a
// conjugate pair.
double largest_modulus(const Square& matrix) {
  const Eigen::RealSchur<Square> schur(matrix, false);
  const Square& t = schur.matrixT();
  double largest = 0;
  for (Eigen::Index i = 0; i < t.rows(); ++i) {
    if (i + 1 == t.rows() || t(i + 1, i) == 0) {
      largest = std::max(largest, std::abs(t(i, i)));
      continue;
    }
    const double half = 0.5 * (t(i, i) - t(i + 1, i + 1));
    const double imaginary = std::sqrt(std::abs(half * half + t(i + 1, i) * t(i, i + 1)));
    largest = std::max(largest, std::hypot(t(i + 1, i + 1) + half, imaginary));
    ++i;
  }
  return largest;
}

// One step is (1 + c dᵀ) P. P predicts. dᵀ r^p = D = a Δt²/2 − r_2^p with a Δt²/2 = −(ωΔt)² r_0^p/2 − ζ ωΔt r_1^p. c
// corrects.
double radius(std::span<const double> c, double zeta, double w) {
  const auto size = static_cast<Eigen::Index>(c.size());
  Square predict = Square::Zero(size, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    predict(k, k) = 1;
    for (Eigen::Index l = k + 1; l < size; ++l) {  // binomial(l, k)
      predict(k, l) = predict(k, l - 1) * static_cast<double>(l) / static_cast<double>(l - k);
    }
  }
  Square step = predict;
  for (Eigen::Index l = 0; l < size; ++l) {
    const double correction = -0.5 * w * w * predict(0, l) - zeta * w * predict(1, l) - predict(2, l);
    for (Eigen::Index k = 0; k < size; ++k) step(k, l) += c[static_cast<std::size_t>(k)] * correction;
  }
  return largest_modulus(step);
}

}  // namespace

double spectral_radius(Scheme scheme, double damping_ratio, double omega_dt) {
  constexpr std::array<double, 3> verlet = {0, 1, 1};
  if (scheme.integrator == Integrator::velocity_verlet) return radius(verlet, damping_ratio, omega_dt);
  return radius(gear_coefficients(scheme.coefficients), damping_ratio, omega_dt);
}

double stability_limit(Scheme scheme, double damping_ratio, double growth) {
  // Growth exceeds the tolerance above one ωΔt < 4 for every scheme (tested on a fine grid). Bisection finds it.
  double stable = 0, unstable = 4;
  while (unstable - stable > 1e-5 * unstable) {
    // Geometric until a lower end is known, so that strong damping (limit ≈ 0.08/ζ) costs no more.
    const double w = stable > 0 ? 0.5 * (stable + unstable) : 0.25 * unstable;
    (spectral_radius(scheme, damping_ratio, w) - 1 <= growth ? stable : unstable) = w;
  }
  return stable;
}

}  // namespace dem
