// What is stored of the bodies: structure of arrays. Everything is 3D; a 2D case is the plane z = 0 with rotation about
// z.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/case.hpp"
#include "libdem/state/shape.hpp"

namespace dem {

inline constexpr int gear_terms = 6;  ///< r_0 … r_5

enum Freedom : std::uint8_t { free_x = 1, free_y = 2, free_z = 4, free_rx = 8, free_ry = 16, free_rz = 32 };
inline constexpr std::uint8_t free_in_plane = free_x | free_y | free_rz;
inline constexpr std::uint8_t free_in_space = free_x | free_y | free_z | free_rx | free_ry | free_rz;

struct Bodies {
  /// position[k]: r_k = (Δt^k/k!) d^k x/dt^k (m), k = 0 position, k = 1 velocity · Δt, …; velocity-verlet uses k ≤ 2.
  std::array<std::vector<Vec3>, gear_terms> position;
  /// Same for the rotation (rad); 2D: the angle is rotation[0].z and is never reduced modulo 2π.
  std::array<std::vector<Vec3>, gear_terms> rotation;
  std::vector<double> mass;  ///< kg (per unit thickness)
  std::vector<double>
      moment;  ///< polar moment of inertia about the centroid, kg m²; clusters: the smallest principal one
  // Clusters only (empty in other assemblies). rotation[0] is for every body the sum of the rotation vectors of its
  // steps, rotation[1] the angular velocity times Δt, both in space axes; where a cluster is turned to is its
  // quaternion.
  std::vector<Vec3> principal_moments;  ///< kg m²
  /// orientation[k]: (Δt^k/k!) d^k q/dt^k, from principal axes to space; orientation[0] has unit length.
  /// velocity-verlet: k = 0 only.
  std::array<std::vector<Quaternion>, gear_terms> orientation;
  std::vector<Quaternion> evaluated_orientation, evaluated_orientation_before;
  std::vector<std::uint8_t>
      freedom;  ///< bits of Freedom that the integrator moves; the others follow their prescribed velocity
  std::vector<Vec3> applied_force;      ///< constant external force (N), without gravity; empty: none on any body
  std::vector<Vec3> applied_torque;     ///< N m; empty: none on any body
  std::vector<std::uint32_t> shape;     ///< index into State::shapes
  std::vector<std::uint16_t> group;     ///< index into State::groups
  std::vector<std::uint16_t> material;  ///< 0: Case::material, m: Case::materials[m − 1]
  std::vector<std::string> name;        ///< empty unless the case names the body; no elements: it names none
  // Sum of forces and torques at the last evaluation (contacts + applied + gravity): what the integrator used.
  std::vector<Vec3> force, torque;
  // Pose at which the contacts were last evaluated (the predicted one), and at the evaluation before. Rotations: no
  // elements where nobody compares them (spheres in space with elongation by velocity and nothing that holds, turns or
  // damps them).
  std::vector<Vec3> evaluated_position, evaluated_rotation, evaluated_position_before, evaluated_rotation_before;

  std::size_t size() const { return mass.size(); }
  Vec3 applied_force_on(std::size_t b) const { return applied_force.empty() ? Vec3{} : applied_force[b]; }
  Vec3 applied_torque_on(std::size_t b) const { return applied_torque.empty() ? Vec3{} : applied_torque[b]; }
  bool has_orientations() const { return !orientation[0].empty(); }
};

}  // namespace dem
