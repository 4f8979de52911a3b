#include "libdem/motion/limit/stability.hpp"

#include <Eigen/Eigenvalues>

#include "libdem/motion/gear5.hpp"

namespace dem {
namespace {

// One step is (1 + c dᵀ) P. P predicts. dᵀ r^p = D = a Δt²/2 − r_2^p with a Δt²/2 = −(ωΔt)² r_0^p/2 − ζ ωΔt r_1^p. c
// corrects.
template <int N>
double radius(const Eigen::Matrix<double, N, 1>& c, double zeta, double w) {
  Eigen::Matrix<double, N, N> predict = Eigen::Matrix<double, N, N>::Zero();
  for (int k = 0; k < N; ++k) {
    predict(k, k) = 1;
    for (int l = k + 1; l < N; ++l) predict(k, l) = predict(k, l - 1) * l / (l - k);  // binomial(l, k)
  }
  Eigen::Matrix<double, 1, N> d = Eigen::Matrix<double, 1, N>::Zero();
  d(0) = -0.5 * w * w;
  d(1) = -zeta * w;
  d(2) = -1;
  const Eigen::Matrix<double, 1, N> correction = d * predict;
  const Eigen::Matrix<double, N, N> step = predict + c * correction;
  return Eigen::EigenSolver<Eigen::Matrix<double, N, N>>(step, false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace

double spectral_radius(Scheme scheme, double damping_ratio, double omega_dt) {
  if (scheme.integrator == Integrator::velocity_verlet) return radius<3>({0, 1, 1}, damping_ratio, omega_dt);
  const auto c = gear_coefficients(scheme.coefficients);
  return radius<6>(Eigen::Matrix<double, 6, 1>(c.data()), damping_ratio, omega_dt);
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
