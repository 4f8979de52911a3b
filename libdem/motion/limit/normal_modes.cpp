#include "libdem/motion/limit/normal_modes.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libdem/state/quaternion.hpp"

namespace dem {
namespace {

constexpr double least_share = 1e-10;  // of the largest ω²: what is below it is round-off

/// A coordinate of a body that can move.
struct Coordinate {
  std::size_t body, number;  // x, y, z and three turns
  Vec3 axis;
  double mass;  // kg, or moment of inertia (kg m²)
  bool turns() const { return number >= 3; }
};

std::vector<Coordinate> coordinates_of(const Bodies& bodies) {
  constexpr std::array axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  std::vector<Coordinate> all;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t c = 0; c < 6; ++c) {
      if (!(bodies.freedom[b] >> c & 1)) continue;
      Coordinate& own = all.emplace_back(Coordinate{b, c, axes[c % 3], bodies.mass[b]});
      if (c < 3) continue;
      own.mass = bodies.moment[b];
      if (!bodies.has_orientations()) continue;
      const Vec3 moments = bodies.principal_moments[b];
      own.mass = std::array{moments.x, moments.y, moments.z}[c - 3];
      own.axis = rotated(bodies.orientation[0][b], own.axis);
    }
  return all;
}

}  // namespace

std::size_t mode_coordinates(const Bodies& bodies) { return coordinates_of(bodies).size(); }

std::vector<NormalMode> normal_modes(const Bodies& bodies, std::span<const ContactRecord> contacts,
                                     const ModeOptions& options) {
  const std::vector<Coordinate> own = coordinates_of(bodies);
  const auto n = Eigen::Index(own.size());
  if (own.size() > most_mode_coordinates)
    throw std::invalid_argument(
        fmt::format("found {} coordinates that can move, allowed at most {}", own.size(), most_mode_coordinates));
  if (n == 0) return {};
  std::vector<std::vector<Eigen::Index>> of_body(bodies.size());
  for (Eigen::Index k = 0; k < n; ++k) of_body[own[std::size_t(k)].body].push_back(k);

  // Divided by the roots of the masses on both sides.
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n), tangential = stiffness, damping = stiffness;
  struct Part {
    Eigen::Index at;
    Vec3 moved, turned;  // of j's contact point relative to i's, and of j relative to i, per unit of the coordinate
  };
  std::vector<Part> parts;
  for (const ContactRecord& c : contacts) {
    const Vec3 arm_i = c.point - bodies.position[0][c.key.i], arm_j = arm_i - c.branch;
    parts.clear();
    for (const auto& [body, arm, sign] : {std::tuple(c.key.i, arm_i, -1.0), std::tuple(c.key.j, arm_j, 1.0)})
      for (const Eigen::Index k : of_body[body]) {
        const Coordinate& a = own[std::size_t(k)];
        const double scale = sign / std::sqrt(a.mass);
        parts.push_back({k, scale * (a.turns() ? cross(a.axis, arm) : a.axis), a.turns() ? scale * a.axis : Vec3{}});
      }
    const bool slips = c.regime == Regime::slip;
    const double k_t = slips ? 0 : c.tangential_stiffness;
    const double c_t = slips && !options.damp_while_sliding ? 0 : c.tangential_damping;
    for (const Part& a : parts)
      for (const Part& b : parts) {
        const double along = dot(a.moved, c.normal) * dot(b.moved, c.normal), across = dot(a.moved, b.moved) - along;
        stiffness(a.at, b.at) +=
            c.normal_stiffness * along + k_t * across + c.rocking_stiffness * dot(a.turned, b.turned);
        tangential(a.at, b.at) += k_t * across;
        damping(a.at, b.at) +=
            c.normal_damping * along + c_t * across + options.rotational_damping * dot(a.turned, b.turned);
      }
  }

  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(stiffness);
  const double largest = solver.eigenvalues()[n - 1];
  std::vector<NormalMode> modes(own.size());
  for (Eigen::Index m = 0; m < n; ++m) {
    NormalMode& mode = modes[std::size_t(m)];
    const Eigen::VectorXd x = solver.eigenvectors().col(m);
    mode.shape.resize(bodies.size());
    for (Eigen::Index k = 0; k < n; ++k) {
      const Coordinate& a = own[std::size_t(k)];
      const double by = x[k] / std::sqrt(a.mass);
      const std::size_t first = a.turns() ? 3 : 0;
      mode.shape[a.body][first] += by * a.axis.x;
      mode.shape[a.body][first + 1] += by * a.axis.y;
      mode.shape[a.body][first + 2] += by * a.axis.z;
      if (a.turns()) mode.rotation_share += x[k] * x[k];
    }
    const double square = solver.eigenvalues()[m];
    if (!(square > least_share * largest)) continue;
    mode.frequency = std::sqrt(square);
    mode.damping_ratio = (x.dot(damping * x) + options.mass_damping) / (2 * mode.frequency);
    mode.tangential_share = x.dot(tangential * x) / square;
  }
  return modes;
}

}  // namespace dem
