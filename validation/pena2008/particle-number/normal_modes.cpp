#include "validation/pena2008/particle-number/normal_modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "geometry/random.hpp"
#include "libdem/motion/gear5.hpp"
#include "validation/pena2008/particle-number/contact_forces.hpp"

namespace dem::validation::pena2008::packed {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours neighbours_of(const ContactForces& forces) {
  Neighbours near(forces.moving());
  for (const ContactRecord& c : forces.contacts()) {
    if (c.key.j >= forces.moving()) continue;
    near[c.key.i].push_back(c.key.j);
    near[c.key.j].push_back(c.key.i);
  }
  return near;
}

/// Groups of bodies of which no two act on one body, themselves included.
std::vector<std::vector<std::size_t>> independent_groups(const Neighbours& near) {
  std::vector<int> colour(near.size(), -1);
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t b = 0; b < near.size(); ++b) {
    std::vector<char> taken(groups.size() + 1, 0);
    const auto take = [&](std::size_t other) {
      if (colour[other] >= 0) taken[std::size_t(colour[other])] = 1;
    };
    for (std::size_t n : near[b]) {
      take(n);
      for (std::size_t nn : near[n]) take(nn);
    }
    colour[b] = int(std::find(taken.begin(), taken.end(), 0) - taken.begin());
    if (std::size_t(colour[b]) == groups.size()) groups.emplace_back();
    groups[std::size_t(colour[b])].push_back(b);
  }
  return groups;
}

double force_on(const Bodies& b, std::size_t body, int coordinate) {
  return coordinate == 0 ? b.force[body].x : coordinate == 1 ? b.force[body].y : b.torque[body].z;
}

/// −∂(force)/∂(term of the bodies): term 0 positions, 1 velocities.
Sparse response(ContactForces& forces, std::size_t term, double step) {
  const ContactForces::Memory start = forces.remember();
  const Neighbours near = neighbours_of(forces);
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& group : independent_groups(near))
    for (int c = 0; c < 3; ++c) {
      const auto length = [&](std::size_t b) {
        return c == 2 ? step / forces.state().shape_of(b).equivalent_radius() : step;
      };
      const auto moved = [&](double sign) {
        forces.go_back(start);
        Bodies& bodies = forces.state().bodies;
        for (std::size_t b : group)
          (c == 0   ? bodies.position[term][b].x
           : c == 1 ? bodies.position[term][b].y
                    : bodies.rotation[term][b].z) += sign * length(b);
        forces.evaluate();
        return forces.state().bodies;
      };
      const Bodies up = moved(1), down = moved(-1);
      for (std::size_t b : group) {
        const auto add = [&](std::size_t row) {
          for (int r = 0; r < 3; ++r)
            entries.emplace_back(int(3 * row) + r, int(3 * b) + c,
                                 (force_on(down, row, r) - force_on(up, row, r)) / (2 * length(b)));
        };
        add(b);
        std::vector<std::size_t> rows = near[b];  // once, however many contacts there are
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        for (std::size_t row : rows) add(row);
      }
    }
  forces.go_back(start);
  Sparse matrix(int(3 * forces.moving()), int(3 * forces.moving()));
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

ContactForces at_rest(Case c) {
  c.time.step = 1;  // velocity = position[1]
  ContactForces forces(c);
  forces.evaluate();
  return forces;
}

/// M^(−1/2) K M^(−1/2), symmetrised.
Sparse scaled_stiffness(const LinearSystem& system) {
  const Eigen::VectorXd s = system.inertia.cwiseSqrt().cwiseInverse();
  const Sparse transposed = system.stiffness.transpose();
  return s.asDiagonal() * (0.5 * (system.stiffness + transposed)) * s.asDiagonal();
}

Mode make_mode(const LinearSystem& system, double omega2, const Eigen::VectorXd& scaled_shape) {
  if (!(omega2 > 0)) throw std::runtime_error("the packing is not stable: a mode has no positive stiffness");
  Mode mode;
  mode.omega = std::sqrt(omega2);
  mode.shape = scaled_shape.cwiseQuotient(system.inertia.cwiseSqrt());
  mode.rate = mode.shape.dot(system.damping * mode.shape);
  mode.tangential = mode.shape.dot(system.tangential * mode.shape);
  return mode;
}

struct Pairs {
  Eigen::VectorXd values;  // ascending
  Eigen::MatrixXd vectors;
};

/// Ritz pairs of a symmetric operator after `steps` steps of Lanczos with full reorthogonalisation.
Pairs lanczos(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& apply, int n, int steps) {
  steps = std::min(steps, n);
  Eigen::MatrixXd basis(n, steps);
  Eigen::MatrixXd t = Eigen::MatrixXd::Zero(steps, steps);
  geometry::Random random(1);
  Eigen::VectorXd v(n);
  for (double& x : v) x = random.uniform() - 0.5;
  v.normalize();
  for (int k = 0; k < steps; ++k) {
    basis.col(k) = v;
    Eigen::VectorXd w = apply(v);
    t(k, k) = v.dot(w);
    for (int twice = 0; twice < 2; ++twice) w -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * w);
    const double length = w.norm();
    if (k + 1 == steps) break;
    t(k, k + 1) = t(k + 1, k) = length;
    v = w / length;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(t);
  return {solver.eigenvalues(), basis * solver.eigenvectors()};
}

}  // namespace

LinearSystem linearise(const Case& given, double step) {
  LinearSystem system;
  Case c = given;
  c.contact.elongation = Elongation::geometric;
  ContactForces forces = at_rest(c);
  const Bodies& bodies = forces.state().bodies;
  system.inertia.resize(Eigen::Index(3 * forces.moving()));
  for (std::size_t b = 0; b < forces.moving(); ++b)
    system.inertia.segment<3>(Eigen::Index(3 * b)) << bodies.mass[b], bodies.mass[b], bodies.moment[b];
  system.stiffness = response(forces, 0, step);
  // Forces are linear in the velocity, so that any step will do: one that makes the dashpots as strong as the springs.
  system.damping = response(forces, 1, given.material.normal_stiffness / given.material.normal_damping.value());
  c.contact.elongation = Elongation::velocity;
  c.material.normal_damping = 0;
  c.material.tangential_stiffness = 0;                              // else velocities would move the springs
  c.material.tangential_damping = given.material.normal_stiffness;  // forces of the size of those at rest
  ContactForces dashpots = at_rest(c);
  system.tangential = response(dashpots, 1, 1) / given.material.normal_stiffness;
  return system;
}

std::vector<Mode> all_modes(const LinearSystem& system) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(scaled_stiffness(system))};
  std::vector<Mode> modes;
  for (Eigen::Index k = 0; k < system.inertia.size(); ++k)
    modes.push_back(make_mode(system, solver.eigenvalues()(k), solver.eigenvectors().col(k)));
  return modes;
}

std::vector<Mode> lowest_modes(const LinearSystem& system, int count) {
  const Eigen::SimplicialLDLT<Sparse> factor(scaled_stiffness(system));
  if (factor.info() != Eigen::Success || factor.vectorD().minCoeff() <= 0)
    throw std::runtime_error("the packing is not stable: its stiffness is not positive");
  const int n = int(system.inertia.size());
  const Pairs pairs =
      lanczos([&](const Eigen::VectorXd& v) { return Eigen::VectorXd(factor.solve(v)); }, n, 4 * count + 40);
  std::vector<Mode> modes;
  for (int k = 0; k < count; ++k) {
    const Eigen::Index column = pairs.values.size() - 1 - k;
    modes.push_back(make_mode(system, 1 / pairs.values(column), pairs.vectors.col(column)));
  }
  return modes;
}

std::vector<Mode> highest_modes(const LinearSystem& system, int count) {
  const Sparse k = scaled_stiffness(system);
  const Pairs pairs =
      lanczos([&](const Eigen::VectorXd& v) { return Eigen::VectorXd(k * v); }, int(k.rows()), 8 * count + 100);
  std::vector<Mode> modes;
  for (Eigen::Index column = pairs.values.size() - count; column < pairs.values.size(); ++column)
    modes.push_back(make_mode(system, pairs.values(column), pairs.vectors.col(column)));
  return modes;
}

Prediction predict(const Mode& mode, double tangential_stiffness) {
  return {0.5 * tangential_stiffness * mode.tangential,
          tangential_stiffness * mode.tangential / (mode.omega * mode.omega)};
}

double modal_spectral_radius(double damping_ratio, double tangential_share, double w) {
  // State: r_0 … r_5 of the mode, and the elongation ξ of its tangential part. With P the prediction,
  // ξ ← ξ + r_1^p, aΔt²/2 = −(w²/2)((1 − f) r_0^p + f ξ) − ζ w r_1^p, r ← r^p + c (aΔt²/2 − r_2^p).
  using Matrix = Eigen::Matrix<double, 7, 7>;
  Matrix predict = Matrix::Identity();
  for (int k = 0; k < 6; ++k)
    for (int l = k + 1; l < 6; ++l) predict(k, l) = predict(k, l - 1) * l / (l - k);  // binomial(l, k)
  predict.row(6) = predict.row(1);
  predict(6, 6) = 1;
  Eigen::Matrix<double, 1, 7> d = Eigen::Matrix<double, 1, 7>::Zero();
  d(0) = -0.5 * w * w * (1 - tangential_share);
  d(1) = -damping_ratio * w;
  d(2) = -1;
  d(6) = -0.5 * w * w * tangential_share;
  const auto c = gear_coefficients(GearCoefficients::velocity_dependent);
  Eigen::Matrix<double, 7, 1> correct = Eigen::Matrix<double, 7, 1>::Zero();
  for (int k = 0; k < 6; ++k) correct(k) = c[std::size_t(k)];
  const Matrix step = predict + correct * (d * predict);
  auto values = Eigen::EigenSolver<Matrix>(step, false).eigenvalues().cwiseAbs().eval();
  std::sort(values.begin(), values.end());
  // One eigenvalue is 1 exactly: ξ − r_0 is kept, a shift of the equilibrium.
  const auto neutral = std::min_element(values.begin(), values.end(),
                                        [](double a, double b) { return std::abs(a - 1) < std::abs(b - 1); });
  return neutral == values.end() - 1 ? values(5) : values(6);
}

double modal_stability_limit(double damping_ratio, double tangential_share) {
  double stable = 0.01, unstable = 4;
  while (unstable - stable > 1e-5 * unstable) {
    const double w = 0.5 * (stable + unstable);
    (modal_spectral_radius(damping_ratio, tangential_share, w) <= 1 ? stable : unstable) = w;
  }
  return stable;
}

}  // namespace dem::validation::pena2008::packed
