#include "libdem/motion/limit/network_modes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "libdem/motion/coordinates.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {
namespace {

constexpr double tolerance = 1e-3;  // of the residual, relative to the eigenvalue

// Component of the start vector (splitmix64). The vector is fixed and has no symmetry, so no mode is orthogonal to it.
double start_component(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

}  // namespace

void NetworkModes::begin(const Bodies& bodies, double rotational_damping, std::size_t joints, std::size_t room) {
  bodies_ = &bodies;
  rotational_damping_ = rotational_damping;
  joints_.clear();
  if (joints_.capacity() < std::max<std::size_t>(joints, 1)) joints_.reserve(room);
  for (auto* v : {&now_, &before_, &force_, &ritz_}) v->resize(bodies.size());
}

// For a body with an orientation, the freedom is that of its principal axes.
NetworkModes::Twist NetworkModes::answer(std::size_t b, Twist force) const {
  const unsigned freedom = bodies_->freedom[b];
  const double by_mass = 1 / bodies_->mass[b];
  const Vec3 shift = free_part(by_mass * force.shift, freedom);
  if (!bodies_->has_orientations()) return {shift, free_part((1 / bodies_->moment[b]) * force.turn, freedom >> 3)};
  const Quaternion q = bodies_->orientation[0][b];
  const Vec3 moments = bodies_->principal_moments[b], couple = rotated_back(q, force.turn);
  return {shift,
          rotated(q, free_part({couple.x / moments.x, couple.y / moments.y, couple.z / moments.z}, freedom >> 3))};
}

double NetworkModes::square(std::size_t b, Twist x) const {
  const double by_shift = bodies_->mass[b] * dot(x.shift, x.shift);
  if (!bodies_->has_orientations()) return by_shift + bodies_->moment[b] * dot(x.turn, x.turn);
  const Vec3 moments = bodies_->principal_moments[b], turn = rotated_back(bodies_->orientation[0][b], x.turn);
  return by_shift + (moments.x * turn.x * turn.x + moments.y * turn.y * turn.y + moments.z * turn.z * turn.z);
}

double NetworkModes::apply(Form form) {
  std::fill(force_.begin(), force_.end(), Twist{});
  double sum = 0;
  for (const Joint& joint : joints_) {
    const auto [normal, tangential, rotational] = coefficients(joint, form);
    const Twist i = now_[joint.key.i], j = now_[joint.key.j];
    const Vec3 u = (j.shift + cross(j.turn, joint.arm_j)) - (i.shift + cross(i.turn, joint.arm_i));
    const Vec3 force = tangential * u + ((normal - tangential) * dot(joint.normal, u)) * joint.normal;
    sum += dot(u, force);
    Vec3 couple_i = cross(joint.arm_i, force), couple_j = cross(joint.arm_j, force);
    if (rotational != 0) {
      const Vec3 turn = j.turn - i.turn, couple = rotational * turn;
      sum += dot(turn, couple);
      couple_i += couple;
      couple_j += couple;
    }
    Twist &on_i = force_[joint.key.i], &on_j = force_[joint.key.j];
    on_i.shift += -force;
    on_i.turn += -couple_i;
    on_j.shift += force;
    on_j.turn += couple_j;
  }
  return sum;
}

double NetworkModes::combine(double of_force, double of_now, double of_before) {
  double sum = 0;
  for (std::size_t b = 0; b < force_.size(); ++b) {
    const Twist a = answer(b, force_[b]), x = now_[b], y = before_[b];
    const Twist next{of_force * a.shift + of_now * x.shift + of_before * y.shift,
                     of_force * a.turn + of_now * x.turn + of_before * y.turn};
    before_[b] = next;
    sum += square(b, next);
  }
  return std::sqrt(sum);
}

void NetworkModes::begin_recurrence(Form form, Recurrence& r) {
  // The first product with the matrix removes parts of the start vector in coordinates that nothing resists.
  for (std::size_t b = 0; b < now_.size(); ++b) {
    double s[6];
    for (std::size_t c = 0; c < 6; ++c) s[c] = start_component(6 * b + c);
    const double by_mass = 1 / std::sqrt(bodies_->mass[b]), by_moment = 1 / std::sqrt(bodies_->moment[b]);
    const unsigned freedom = bodies_->freedom[b];
    now_[b] = {free_part(by_mass * Vec3{s[0], s[1], s[2]}, freedom),
               free_part(by_moment * Vec3{s[3], s[4], s[5]}, freedom >> 3)};
    before_[b] = {};
  }
  apply(form);
  r.scale = 1 / combine(1, 0, 0);
  now_.swap(before_);
  std::fill(before_.begin(), before_.end(), Twist{});
  r.before_scale = 0;
  r.beta = 0;
}

double NetworkModes::advance(Form form, Recurrence& r) {
  const double alpha = r.scale * r.scale * apply(form);
  const double beta = combine(r.scale, -alpha * r.scale, -r.beta * r.before_scale);
  now_.swap(before_);
  r.before_scale = r.scale;
  r.scale = beta > 0 ? 1 / beta : 0;
  r.beta = beta;
  return alpha;
}

NetworkModes::Largest NetworkModes::largest(Form form) {
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, largest_dimension, 1>;
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_dimension, largest_dimension>;
  const auto resists = [&](const Joint& joint) {
    const Coefficients c = coefficients(joint, form);
    return c.normal > 0 || c.tangential > 0 || c.rotational > 0;
  };
  dimension_ = 0;
  if (std::none_of(joints_.begin(), joints_.end(), resists)) return {};
  Recurrence r;
  begin_recurrence(form, r);
  if (!std::isfinite(r.scale)) return {};                    // no free coordinate: the product vanished
  double alpha[largest_dimension], beta[largest_dimension];  // beta[k] couples k and k + 1
  Largest found;
  found.converged = false;
  for (int k = 0; k < largest_dimension && !found.converged; ++k) {
    alpha[k] = advance(form, r);
    beta[k] = r.beta;
    const int n = k + 1;
    const bool exhausted = beta[k] <= 1e-12 * std::abs(alpha[0]);  // the Krylov space is invariant
    if (n % 6 != 0 && n != 3 && !exhausted && n != largest_dimension) continue;
    Eigen::SelfAdjointEigenSolver<Matrix> solver;
    solver.computeFromTridiagonal(Eigen::Map<Eigen::VectorXd>(alpha, n), Eigen::Map<Eigen::VectorXd>(beta, n - 1));
    const Vector weights = solver.eigenvectors().col(n - 1);
    const double residual = beta[k] * std::abs(weights(n - 1)), value = solver.eigenvalues()(n - 1);
    found.converged = exhausted || residual <= tolerance * value;
    found.value = value + (found.converged ? 0.0 : residual);
    found.iterations = n;
    std::copy_n(weights.data(), n, weights_.begin());
    dimension_ = std::size_t(n);
  }
  return found;
}

void NetworkModes::find_mode(Form form, Largest& found) {
  if (dimension_ == 0) return;
  std::fill(ritz_.begin(), ritz_.end(), Twist{});
  Recurrence r;
  begin_recurrence(form, r);
  for (std::size_t k = 0; k < dimension_; ++k) {
    const double scale = weights_[k] * r.scale;
    for (std::size_t b = 0; b < ritz_.size(); ++b) {
      ritz_[b].shift += scale * now_[b].shift;
      ritz_[b].turn += scale * now_[b].turn;
    }
    advance(form, r);
  }
  double norm2 = 0;
  for (std::size_t b = 0; b < ritz_.size(); ++b) norm2 += square(b, ritz_[b]);
  double largest = 0, damped = 0, all = 0, tangential = 0;
  for (std::uint32_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    const Twist i = ritz_[joint.key.i], j = ritz_[joint.key.j];
    const Vec3 u = (j.shift + cross(j.turn, joint.arm_j)) - (i.shift + cross(i.turn, joint.arm_i)),
               turn = j.turn - i.turn;
    const double along = dot(joint.normal, u), across2 = dot(u, u) - along * along, turn2 = dot(turn, turn);
    const auto energy = [&](const Coefficients& c) {
      return c.normal * along * along + c.tangential * across2 + c.rotational * turn2;
    };
    damped += energy(coefficients(joint, Form::damping));
    const Coefficients c = coefficients(joint, form);
    tangential += c.tangential * across2;
    all += energy(c);
    if (const double share = energy(c); share > largest) largest = share, found.joint = k;
  }
  found.vector_damping = damped / norm2;
  found.tangential_share = all > 0 ? tangential / all : 0;
}

}  // namespace dem
