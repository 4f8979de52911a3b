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

// One step is (1 + c dᵀ) P. P predicts. dᵀ r^p = D = a Δt²/2 − r_2^p with a Δt²/2 = −(ωΔt)² f^p/2 − ζ ωΔt r_1^p. c
// corrects. The springs see f = (1 − s) r_0 + s e, where e is the elongation and s the tangential share. It takes the
// place of r_0, which nothing else sees. A step adds the velocity of the source times Δt to e, and corrects r_0 alone.
double radius(std::span<const double> c, Scheme scheme, double zeta, double w, double share) {
  const auto size = static_cast<Eigen::Index>(c.size());
  Square predict = Square::Zero(size, size);
  for (Eigen::Index k = 0; k < size; ++k) {
    predict(k, k) = 1;
    for (Eigen::Index l = k + 1; l < size; ++l) {  // binomial(l, k)
      predict(k, l) = predict(k, l - 1) * static_cast<double>(l) / static_cast<double>(l - k);
    }
  }
  if (!scheme.elongation) share = 0;
  for (Eigen::Index l = 1; l < size; ++l) {
    const double start = l == 1 ? 1 : 0, end = predict(1, l);
    const double source = scheme.elongation == VelocitySource::corrected   ? start
                          : scheme.elongation == VelocitySource::trapezoid ? 0.5 * (start + end)
                                                                           : end;
    predict(0, l) = (1 - share) * predict(0, l) + share * source;
  }
  Square step = predict;
  for (Eigen::Index l = 0; l < size; ++l) {
    const double correction = -0.5 * w * w * predict(0, l) - zeta * w * predict(1, l) - predict(2, l);
    for (Eigen::Index k = 0; k < size; ++k)
      step(k, l) += (k == 0 ? 1 - share : 1) * c[static_cast<std::size_t>(k)] * correction;
  }
  return largest_modulus(step);
}

}  // namespace

double spectral_radius(Scheme scheme, double damping_ratio, double omega_dt, double tangential_share) {
  constexpr std::array<double, 3> verlet = {0, 1, 1};
  if (scheme.integrator == Integrator::velocity_verlet)
    return radius(verlet, scheme, damping_ratio, omega_dt, tangential_share);
  return radius(gear_coefficients(scheme.coefficients), scheme, damping_ratio, omega_dt, tangential_share);
}

double stability_limit(Scheme scheme, double damping_ratio, double tangential_share, double growth) {
  // Growth exceeds the tolerance above one ωΔt < 4 for every scheme (tested on a fine grid). Bisection finds it.
  double stable = 0, unstable = 4;
  while (unstable - stable > 1e-5 * unstable) {
    // Geometric until a lower end is known, so that strong damping (limit ≈ 0.08/ζ) costs no more.
    const double w = stable > 0 ? 0.5 * (stable + unstable) : 0.25 * unstable;
    (spectral_radius(scheme, damping_ratio, w, tangential_share) - 1 <= growth ? stable : unstable) = w;
  }
  return stable;
}

}  // namespace dem
