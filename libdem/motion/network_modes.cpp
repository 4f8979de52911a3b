#include "libdem/motion/network_modes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace dem {
namespace {

constexpr int largest_dimension = 96;  // of the Krylov space
constexpr double tolerance = 1e-3;     // of the residual, relative to the eigenvalue

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

template <int N>
void NetworkModes<N>::apply(double Spring::* weight, const std::vector<double>& q, std::vector<double>& result) const {
  std::fill(result.begin(), result.end(), 0.0);
  for (const Spring& s : springs_) {
    const double *q_i = &q[N * s.i], *q_j = &q[N * s.j];
    double u = s.b_i[0] * q_i[0];
    for (int c = 1; c < N; ++c) u += s.b_i[c] * q_i[c];
    for (int c = 0; c < N; ++c) u += s.b_j[c] * q_j[c];
    const double f = s.*weight * u;
    for (std::size_t c = 0; c < N; ++c) result[N * s.i + c] += f * s.b_i[c];
    for (std::size_t c = 0; c < N; ++c) result[N * s.j + c] += f * s.b_j[c];
  }
}

template <int N>
typename NetworkModes<N>::Largest NetworkModes<N>::largest_eigenvalue(double Spring::* weight) {
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
    for (std::size_t c = 0; c < N; ++c) u += s.b_i[c] * ritz_[N * s.i + c] + s.b_j[c] * ritz_[N * s.j + c];
    found.vector_damping += s.damping * u * u / norm2;
    if (s.contact != contact) of_contact = 0, contact = s.contact;
    of_contact += s.*weight * u * u;
    if (of_contact > largest) largest = of_contact, found.contact = s.contact;
  }
  return found;
}

template class NetworkModes<3>;
template class NetworkModes<6>;

}  // namespace dem
