#include "libdem/motion/rigid_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "libdem/motion/coordinates.hpp"

namespace dem {
namespace {

constexpr Quaternion no_term{0, 0, 0, 0};

// ω Δt in space axes, 2 q̇ q*, from q and q̇ Δt. The part of q̇ along q is not a rotation.
Vec3 step_rotation(Quaternion q, Quaternion q1) { return 2 * vector_part(q1 * conjugate(q)); }

// ω̇ Δt² (principal axes) from ω Δt and T Δt².
Vec3 euler(Vec3 moments, Vec3 w, Vec3 torque) {
  const Vec3 l{moments.x * w.x, moments.y * w.y, moments.z * w.z}, rest = torque - cross(w, l);
  return {rest.x / moments.x, rest.y / moments.y, rest.z / moments.z};
}

// q̈ Δt² from q, and from ω Δt and T in space axes.
Quaternion quaternion_acceleration(Quaternion q, Vec3 moments, Vec3 step, Vec3 torque, double dt) {
  const Vec3 w = rotated_back(q, step);
  return q * with_vector(-0.25 * dot(w, w), 0.5 * euler(moments, w, (dt * dt) * rotated_back(q, torque)));
}

/// The orientations of bodies as they are stored, and what turns them.
struct StoredOrientations {
  explicit StoredOrientations(Bodies& bodies)
      : freedom(std::as_const(bodies).freedom.stored()),
        moments(std::as_const(bodies).principal_moments.stored()),
        torque(std::as_const(bodies).torque.stored()) {
    for (std::size_t k = 0; k < gear_terms; ++k) {
      orientation[k] = bodies.orientation[k].stored();
      rotation[k] = bodies.rotation[k].stored();
    }
  }
  std::span<const std::uint8_t> freedom;
  std::span<const Vec3> moments, torque;
  std::array<std::span<Quaternion>, gear_terms> orientation;
  std::array<std::span<Vec3>, gear_terms> rotation;
};

// Sets the terms of a body with prescribed rotation.
void follow(const StoredOrientations& at, std::size_t b) {
  const Vec3 step = at.rotation[1][b];
  at.rotation[0][b] += step;
  at.orientation[0][b] = normalised(quaternion_of(step) * at.orientation[0][b]);
}

/// The two principal axes of a free body that turn faster or slower than its middle one, from the smaller moment to the
/// larger one. Each goes ahead of the sphere with the middle moment by this turn per angular momentum.
struct TurnsAhead {
  explicit TurnsAhead(Vec3 moments) {
    const double i[] = {moments.x, moments.y, moments.z};
    int order[] = {0, 1, 2};
    std::ranges::sort(order, [&](int a, int b) { return i[a] < i[b]; });
    middle_moment = i[order[1]];
    first = {order[0], 1 / i[order[0]] - 1 / middle_moment};
    last = {order[2], 1 / i[order[2]] - 1 / middle_moment};
  }
  struct Axis {
    int number = 0;
    double per_momentum = 0;
  };
  Axis first, last;
  double middle_moment = 0;
};

/// Turns a body about a principal axis by its part of the angular momentum l, for the given part of the step.
void turn_about(const TurnsAhead::Axis& axis, double part, Quaternion& q, Vec3& l) {
  double Vec3::*const along = axis.number == 0 ? &Vec3::x : axis.number == 1 ? &Vec3::y : &Vec3::z;
  Vec3 angle{};
  angle.*along = part * axis.per_momentum * (l.*along);
  const Quaternion turn = quaternion_of(angle);
  q = q * turn;
  l = rotated_back(turn, l);
}

}  // namespace

void gear_predict_orientations(Bodies& bodies, std::size_t first, std::size_t last) {
  const StoredOrientations at(bodies);
  for (std::size_t b = first; b < last; ++b) {
    if (!(at.freedom[b] & free_rotation)) {
      follow(at, b);
      continue;
    }
    const Quaternion before = at.orientation[0][b];
    Quaternion r[gear_terms];
    for (std::size_t k = 0; k < gear_terms; ++k) r[k] = at.orientation[k][b];
    for (int from = 0; from < gear_terms - 1; ++from)  // Pascal's triangle, as for positions
      for (int k = gear_terms - 2; k >= from; --k) r[k] = r[k] + r[k + 1];
    r[0] = normalised(r[0]);
    for (std::size_t k = 0; k < gear_terms; ++k) at.orientation[k][b] = r[k];
    at.rotation[0][b] += rotation_vector_of(r[0] * conjugate(before));
    at.rotation[1][b] = step_rotation(r[0], r[1]);
  }
}

void gear_correct_orientations(Bodies& bodies, double dt, const GearCoefficientSet& c, std::size_t first,
                               std::size_t last) {
  const StoredOrientations at(bodies);
  for (std::size_t b = first; b < last; ++b) {
    if (!(at.freedom[b] & free_rotation)) continue;
    const Quaternion predicted = at.orientation[0][b];
    const Quaternion acceleration =
        quaternion_acceleration(predicted, at.moments[b], at.rotation[1][b], at.torque[b], dt);
    const Quaternion d = 0.5 * acceleration - at.orientation[2][b];
    Quaternion q = normalised(predicted + c[0] * d), q1 = at.orientation[1][b] + c[1] * d;
    q1 = q1 - dot(q1, q) * q;
    at.orientation[0][b] = q;
    at.orientation[1][b] = q1;
    for (std::size_t k = 2; k < gear_terms; ++k) at.orientation[k][b] = at.orientation[k][b] + c[k] * d;
    at.rotation[0][b] += rotation_vector_of(q * conjugate(predicted));
    at.rotation[1][b] = step_rotation(q, q1);
  }
}

void verlet_predict_orientations(Bodies& bodies, std::size_t first, std::size_t last) {
  const StoredOrientations at(bodies);
  for (std::size_t b = first; b < last; ++b) {
    if (!(at.freedom[b] & free_rotation)) {
      follow(at, b);
      continue;
    }
    const Quaternion before = at.orientation[0][b];
    const Vec3 moments = at.moments[b], kick = at.rotation[2][b];
    const Vec3 at_half = angular_momentum_of(before, moments, at.rotation[1][b]) + kick;  // L Δt
    const TurnsAhead turns(moments);
    Quaternion q = quaternion_of((1 / turns.middle_moment) * at_half) * before;
    Vec3 l = rotated_back(before, at_half);
    turn_about(turns.first, 0.5, q, l);
    turn_about(turns.last, 1.0, q, l);
    turn_about(turns.first, 0.5, q, l);
    q = normalised(q);
    at.orientation[0][b] = q;
    at.rotation[0][b] += rotation_vector_of(q * conjugate(before));
    at.rotation[1][b] = angular_velocity_of(q, moments, at_half + kick);
  }
}

void verlet_correct_orientations(Bodies& bodies, double dt, std::size_t first, std::size_t last) {
  const StoredOrientations at(bodies);
  for (std::size_t b = first; b < last; ++b) {
    if (!(at.freedom[b] & free_rotation)) continue;
    const Quaternion q = at.orientation[0][b];
    const Vec3 moments = at.moments[b], kick = (0.5 * dt * dt) * at.torque[b];
    const Vec3 momentum = angular_momentum_of(q, moments, at.rotation[1][b]) + (kick - at.rotation[2][b]);
    at.rotation[1][b] = angular_velocity_of(q, moments, momentum);
    at.rotation[2][b] = kick;
  }
}

void OrientationTrial::begin(double dt) {
  start_q_ = bodies_.orientation[0];
  q_ = start_q_.by_number();
  start_rotation_ = bodies_.rotation[0];
  start_step_ = bodies_.rotation[1];
  momentum_.resize(q_.size());
  for (std::size_t b = 0; b < q_.size(); ++b)
    momentum_[b] = angular_momentum_of(q_[b], bodies_.principal_moments[b], (1 / dt) * start_step_[b]);
}

void OrientationTrial::set(std::size_t b, Quaternion q, Vec3 momentum, double dt) {
  q = normalised(q);
  bodies_.orientation[0][b] = q;
  bodies_.rotation[0][b] = start_rotation_[b] + rotation_vector_of(q * conjugate(start_q_[b]));
  if (is_free(b)) bodies_.rotation[1][b] = dt * angular_velocity_of(q, bodies_.principal_moments[b], momentum);
}

void OrientationTrial::place(double dt, double h, std::size_t stage) {
  for (std::size_t b = 0; b < q_.size(); ++b) set(b, q_[b] + h * k_q_[stage][b], momentum_[b] + h * k_l_[stage][b], dt);
}

void OrientationTrial::slope(double dt, std::size_t stage) {
  k_l_[stage] = bodies_.torque.by_number();
  k_q_[stage].resize(q_.size());
  for (std::size_t b = 0; b < q_.size(); ++b)
    k_q_[stage][b] = (0.5 / dt) * (with_vector(0, bodies_.rotation[1][b]) * bodies_.orientation[0][b]);
}

void OrientationTrial::advance(double dt, double h) {
  for (std::size_t b = 0; b < q_.size(); ++b) {
    q_[b] = q_[b] + h / 6 * (k_q_[0][b] + 2 * k_q_[1][b] + 2 * k_q_[2][b] + k_q_[3][b]);
    momentum_[b] += h / 6 * (k_l_[0][b] + 2 * k_l_[1][b] + 2 * k_l_[2][b] + k_l_[3][b]);
    set(b, q_[b], momentum_[b], dt);
    q_[b] = bodies_.orientation[0][b];
  }
}

void OrientationTrial::note(double dt, std::size_t step) {
  a_[step].assign(q_.size(), no_term);
  angular_[step].assign(q_.size(), Vec3{});
  for (std::size_t b = 0; b < q_.size(); ++b) {
    if (!is_free(b)) continue;
    const Quaternion q = bodies_.orientation[0][b];
    a_[step][b] = (1 / (dt * dt)) * quaternion_acceleration(q, bodies_.principal_moments[b], bodies_.rotation[1][b],
                                                            bodies_.torque[b], dt);
    angular_[step][b] = 2 * vector_part(a_[step][b] * conjugate(q));
  }
}

void OrientationTrial::finish(double dt, double& largest, double& rough) {
  bodies_.orientation[0] = start_q_;
  bodies_.rotation[0] = start_rotation_;
  bodies_.rotation[1] = start_step_;
  for (std::size_t k = 2; k < gear_terms; ++k) bodies_.rotation[k].fill({});
  const double half = 0.5 * dt * dt;
  for (std::size_t b = 0; b < q_.size(); ++b) {
    for (std::size_t k = 1; k < gear_terms; ++k) bodies_.orientation[k][b] = no_term;
    if (!is_free(b)) continue;
    const Quaternion spin = 0.5 * (with_vector(0, start_step_[b]) * start_q_[b]);
    double r[gear_terms - 1][4] = {{spin.w, spin.x, spin.y, spin.z}};
    for (std::size_t c = 0; c < 4; ++c) {
      const auto part = [&](std::size_t step) {
        const Quaternion& a = a_[step][b];
        return std::array{a.w, a.x, a.y, a.z}[c];
      };
      const StartDifferences d({part(0), part(1), part(2), part(3), part(4)});
      r[1][c] = half * part(0);
      for (int k = 0; k < 3; ++k) r[2 + k][c] = half * d.term(k);
    }
    for (std::size_t k = 1; k < gear_terms; ++k)
      bodies_.orientation[k][b] = {r[k - 1][0], r[k - 1][1], r[k - 1][2], r[k - 1][3]};
    const double length = std::sqrt(bodies_.moment[b] / bodies_.mass[b]);
    for (const auto& each : angular_) largest = std::max(largest, length * norm(each[b]));
    rough = std::max(rough, length * norm(angular_[4][b] - 4 * angular_[3][b] + 6 * angular_[2][b] -
                                          4 * angular_[1][b] + angular_[0][b]));
  }
}

void start_orientations(Bodies& bodies, double dt) {
  if (bodies.orientation[1].empty()) {  // velocity-verlet
    for (std::size_t b = 0; b < bodies.size(); ++b)
      bodies.rotation[2][b] = bodies.freedom[b] & free_rotation ? (0.5 * dt * dt) * bodies.torque[b] : Vec3{};
    return;
  }
  OrientationTrial trial(bodies);
  const double h = dt / 4;
  trial.begin(dt);
  for (std::size_t step = 0; step < 4; ++step) {
    trial.note(dt, step);
    for (std::size_t stage = 0; stage < 4; ++stage) {
      if (stage > 0) trial.place(dt, stage == 3 ? h : h / 2, stage - 1);
      trial.slope(dt, stage);
    }
    trial.advance(dt, h);
  }
  trial.note(dt, 4);
  double largest = 0, rough = 0;
  trial.finish(dt, largest, rough);
}

}  // namespace dem
