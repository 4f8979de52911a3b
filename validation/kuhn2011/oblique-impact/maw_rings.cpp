#include "validation/kuhn2011/oblique-impact/maw_rings.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

namespace dem::validation::kuhn2011::impacts {

namespace {

constexpr double pi = std::numbers::pi;

/// Displacement at r under √(a² − r²), κ and the elastic constants taken out; a² − r²/2 inside, which is the overlap of
/// the sphere less its shape.
double displacement(double a, double r) {
  if (r <= a) return a * a - 0.5 * r * r;
  return ((2 * a * a - r * r) * std::asin(a / r) + a * std::sqrt(r * r - a * a)) / pi;
}

/// Time from first touch to the overlap x = δ/δ_max ≤ 1 at speed 1: ∫ dx/√(1 − x^(5/2)), by Simpson's rule in an angle
/// without singularities.
double time_to(double x) {
  // x = sin^(4/5) φ, and φ = u⁵: dt = 4 u³ (u/sin^(1/5) u⁵) du.
  const double end = std::pow(std::asin(std::pow(std::min(x, 1.0), 1.25)), 0.2);
  const auto f = [](double u) { return u > 0 ? 4 * u * u * u * u / std::pow(std::sin(std::pow(u, 5)), 0.2) : 0.0; };
  constexpr int parts = 200;
  double sum = f(0) + f(end);
  for (int k = 1; k < parts; ++k) sum += (k % 2 ? 4 : 2) * f(end * k / parts);
  return sum * end / (3 * parts);
}

/// a_j: narrow rings at the edge, which make steps of about one length near the largest overlap.
double radius(int j, int n) { return std::sin(0.5 * pi * j / n); }

class Rings {
 public:
  Rings(double velocity, double ratio, int n, double inertia)
      : n_(n),
        w_(velocity),
        mobility_(inertia / (ratio * 8 * pi / 15)),
        q_(Eigen::VectorXd::Zero(n)),
        slips_(std::size_t(n), 0) {
    u_.resize(n, n);
    f_.resize(n, n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        const double a = radius(i + 1, n), r = 0.5 * (radius(k, n) + radius(k + 1, n));
        u_(k, i) = displacement(a, r);
        f_(k, i) = r < a ? std::sqrt(a * a - r * r) : 0;
      }
  }

  /// To the contact radius of `outer` rings.
  void step(int outer, double dt) {
    if (outer == 0) {
      w_ -= 0.5 * dt * mobility_ * force(q_);
      return;
    }
    const double before = force(q_);
    for (int k = outer; k < n_; ++k)
      slips_[std::size_t(k)] = 0;  // a ring that comes into contact sticks, unless it is found not to
    Eigen::VectorXd x;
    // One ring changes its mind at a time once all at once have not settled.
    for (int round = 0; round < 6 * n_ + 20; ++round) {
      x = solve(outer, dt, before);
      if (!revise(x, outer, round > 12)) break;
    }
    q_.setZero();
    q_.head(outer) = x.head(outer);
    w_ -= 0.5 * dt * mobility_ * (before + force(q_));
  }
  double velocity() const { return w_; }

 private:
  double force(const Eigen::VectorXd& q) const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += q(i) * std::pow(radius(i + 1, n_), 3);
    return 2 * pi / 3 * sum;
  }

  /// Unknowns: q of the rings in contact, then the movement of the body in this step.
  Eigen::VectorXd solve(int m, double dt, double before) const {
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(m + 1, m + 1);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(m + 1);
    const Eigen::VectorXd held = u_ * q_;
    for (int k = 0; k < m; ++k) {
      if (const int s = slips_[std::size_t(k)]) {
        a.row(k).head(m) = f_.row(k).head(m);
        b(k) = s * f_(k, m - 1);
      } else {
        a.row(k).head(m) = u_.row(k).head(m);
        a(k, m) = -1;
        b(k) = held(k);
      }
    }
    for (int i = 0; i < m; ++i) a(m, i) = 0.25 * dt * dt * mobility_ * (2 * pi / 3) * std::pow(radius(i + 1, n_), 3);
    a(m, m) = 1;
    b(m) = dt * w_ - 0.25 * dt * dt * mobility_ * before;
    return a.partialPivLu().solve(b);
  }

  /// Rings that stick with more than Coulomb's traction slip, those whose traction would drive the slip stick.
  bool revise(const Eigen::VectorXd& x, int m, bool one) {
    const Eigen::VectorXd moved = u_.leftCols(m) * x.head(m) - u_ * q_;
    int worst = -1;
    double most = 0;
    bool changed = false;
    for (int k = 0; k < m; ++k) {
      int& s = slips_[std::size_t(k)];
      const double traction = f_.row(k).head(m).dot(x.head(m)), limit = f_(k, m - 1);
      const double off = s == 0 ? std::abs(traction) / limit - 1 : -s * (x(m) - moved(k)) * n_;
      if (off <= 1e-12) continue;
      if (off > most) most = off, worst = k;
      if (!one) s = s == 0 ? (traction > 0 ? 1 : -1) : 0;
      changed = true;
    }
    if (one && worst >= 0) {
      int& s = slips_[std::size_t(worst)];
      s = s == 0 ? (f_.row(worst).head(m).dot(x.head(m)) > 0 ? 1 : -1) : 0;
    }
    return changed;
  }

  int n_;
  double w_, mobility_;  // velocity of the body at the contact; its change by a unit of force in a unit of time
  Eigen::VectorXd q_;
  std::vector<int> slips_;  // 0: sticks; else the sign of the traction
  Eigen::MatrixXd u_, f_;   // at the middle of ring k, of the traction that ends with ring i
};

}  // namespace

double maw_rebound(double psi_1, double ratio, int rings, double inertia) {
  Rings contact(psi_1, ratio, rings, inertia);
  std::vector<double> time(std::size_t(rings) + 1);
  for (int j = 0; j <= rings; ++j) time[std::size_t(j)] = time_to(std::pow(radius(j, rings), 2));
  for (int j = 1; j <= rings; ++j) contact.step(j, time[std::size_t(j)] - time[std::size_t(j) - 1]);
  for (int j = rings; j >= 1; --j) contact.step(j - 1, time[std::size_t(j)] - time[std::size_t(j) - 1]);
  return contact.velocity();
}

MawRebound refined_maw_rebound(double psi_1, double ratio, int rings, double inertia) {
  const double coarse = maw_rebound(psi_1, ratio, rings, inertia), fine = maw_rebound(psi_1, ratio, 2 * rings, inertia);
  return {fine, fine - coarse};
}

double maw_sliding(double psi_1, double ratio, double inertia) { return psi_1 - 2 * inertia / ratio; }
double maw_sliding_from(double ratio, double inertia) { return 2 * inertia / ratio - 1; }

}  // namespace dem::validation::kuhn2011::impacts
