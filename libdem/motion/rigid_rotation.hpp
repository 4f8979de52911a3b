// Rotation of bodies that have an orientation (assemblies with clusters). q is the quaternion from principal axes to
// space. Euler's equations, with Hamilton's product and ω in principal axes:
//     I ω̇ = T − ω × I ω,   q̇ = ½ q ω,   q̈ = q (½ ω̇ − ¼ ω²)
//
// gear5 keeps all six terms of q, (Δt^k/k!) d^k q/dt^k, and advances them like positions. The scheme keeps |q| = 1 and
// q·q̇ = 0 to its own order. Prediction and correction remove the remaining error.
//
// velocity-verlet is a symmetric splitting of a rigid rotor (Touma, Wisdom, Astron. J. 107 (1994) 1189; Dullweber,
// Leimkuhler, McLachlan, J. Chem. Phys. 107 (1997) 5840). A step is half a kick of the angular momentum L, the turn of
// a free body, and half a kick. A free body turns like a sphere of the middle moment I_m, by L Δt/I_m about L. Besides
// it turns about the axes of the two other moments I, by l (1/I − 1/I_m) Δt. The turn about the first axis goes in
// halves, before and after that about the last one. The turn of the sphere may come at any time. Every turn is exact.
// So |q| and L of a free body are kept to round-off, and its energy does not drift. Bodies with two equal moments turn
// exactly. No number depends on which axis is called x.
//
// Bodies::rotation[0] adds up the rotation vectors of all movements, predicted and corrected. Term [1] is ω Δt in space
// axes, also predicted and corrected, because contacts read it. Term [2] is ½ Δt² T with velocity-verlet and zero with
// gear5. Terms [3] … [5] are zero. A body whose rotation is not free keeps its ω, and its quaternion has no higher
// terms. Spheres among clusters have an orientation too.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "libdem/motion/gear5.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {

inline constexpr std::uint8_t free_rotation = free_rx | free_ry | free_rz;

/// R(q) diag(moments) R(q)ᵀ ω: angular momentum from ω, or angular momentum times Δt from ω Δt.
inline Vec3 angular_momentum_of(Quaternion q, Vec3 moments, Vec3 omega) {
  const Vec3 w = rotated_back(q, omega);
  return rotated(q, {moments.x * w.x, moments.y * w.y, moments.z * w.z});
}
/// Inverse of angular_momentum_of.
inline Vec3 angular_velocity_of(Quaternion q, Vec3 moments, Vec3 momentum) {
  const Vec3 l = rotated_back(q, momentum);
  return rotated(q, {l.x / moments.x, l.y / moments.y, l.z / moments.z});
}

void gear_predict_orientations(Bodies&, std::size_t first, std::size_t last);
void gear_correct_orientations(Bodies&, double dt, const GearCoefficientSet&, std::size_t first, std::size_t last);
void verlet_predict_orientations(Bodies&, std::size_t first, std::size_t last);
void verlet_correct_orientations(Bodies&, double dt, std::size_t first, std::size_t last);

/// Rotations during gear_start: trial steps in (q, angular momentum), then the derivatives of q from q̈ on these steps.
class OrientationTrial {
 public:
  explicit OrientationTrial(Bodies& bodies) : bodies_(bodies) {}
  void begin(double dt);
  /// Moves bodies to (q + h q̇, L + h T) of the given stage of a Runge–Kutta step.
  void place(double dt, double h, std::size_t stage);
  void slope(double dt, std::size_t stage);
  void advance(double dt, double h);
  /// Stores the accelerations after `step` trial steps, from the present torques and state.
  void note(double dt, std::size_t step);
  /// Restores the start and sets orientation[1 … 5]. Raises `largest` and `rough` as gear_start does.
  void finish(double dt, double& largest, double& rough);

 private:
  void set(std::size_t body, Quaternion q, Vec3 momentum, double dt);
  bool is_free(std::size_t b) const { return (bodies_.freedom[b] & free_rotation) != 0; }

  Bodies& bodies_;
  ByBody<Quaternion> start_q_;
  std::vector<Quaternion> q_;
  ByBody<Vec3> start_rotation_, start_step_;
  std::vector<Vec3> momentum_;
  std::array<std::vector<Quaternion>, 4> k_q_;
  std::array<std::vector<Vec3>, 4> k_l_;
  std::array<std::vector<Quaternion>, 5> a_;  // q̈
  std::array<std::vector<Vec3>, 5> angular_;  // ω̇, space axes
};

/// Orientation terms for motion that is not smooth, with torques constant in space. velocity-verlet: rotation[2] only.
void start_orientations(Bodies&, double dt);

}  // namespace dem
