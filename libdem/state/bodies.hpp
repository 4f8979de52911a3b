// The bodies as a structure of arrays. Everything is 3D; a 2D case is the plane z = 0 with rotation about z.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/vector.hpp"
#include "libdem/case.hpp"
#include "libdem/state/by_body.hpp"
#include "libdem/state/shape.hpp"

namespace dem {

inline constexpr int gear_terms = 6;  ///< r_0 … r_5

enum Freedom : std::uint8_t { free_x = 1, free_y = 2, free_z = 4, free_rx = 8, free_ry = 16, free_rz = 32 };
inline constexpr std::uint8_t free_in_plane = free_x | free_y | free_rz;
inline constexpr std::uint8_t free_in_space = free_x | free_y | free_z | free_rx | free_ry | free_rz;

struct Bodies {
  /// position[k] is r_k = (Δt^k/k!) d^k x/dt^k (m), so position[1] is velocity · Δt. velocity-verlet uses k ≤ 2.
  std::array<ByBody<Vec3>, gear_terms> position;
  /// The same for the rotation (rad). In 2D the angle is rotation[0].z and is never reduced modulo 2π.
  std::array<ByBody<Vec3>, gear_terms> rotation;
  ByBody<double> mass;  ///< kg (per unit thickness)
  /// Polar moment of inertia about the centroid (kg m²). For clusters the smallest principal moment.
  ByBody<double> moment;
  // rotation[0] of a body is the sum of the rotation vectors of its steps. rotation[1] is the angular velocity times
  // Δt. Both are in space axes. The orientation of a cluster is its quaternion. The next members are empty without
  // clusters.
  ByBody<Vec3> principal_moments;  ///< kg m²
  /// orientation[k] is (Δt^k/k!) d^k q/dt^k, from principal axes to space. orientation[0] has unit length.
  /// velocity-verlet uses k = 0 only.
  std::array<ByBody<Quaternion>, gear_terms> orientation;
  ByBody<Quaternion> evaluated_orientation, evaluated_orientation_before;
  /// Bits of Freedom that the integrator moves. The others follow their prescribed velocity.
  ByBody<std::uint8_t> freedom;
  std::vector<Vec3> applied_force;      ///< constant external force (N), without gravity (may be empty)
  std::vector<Vec3> applied_torque;     ///< N m (may be empty)
  std::vector<std::uint32_t> shape;     ///< index into State::shapes
  std::vector<std::uint16_t> group;     ///< index into State::groups
  std::vector<std::uint16_t> material;  ///< 0: Case::material, else index + 1 in Case::materials
  std::vector<std::string> name;        ///< empty names where the case gives none (may have no elements)
  // Sum of forces and torques at the last evaluation (contacts + applied + gravity), as the integrator used it.
  ByBody<Vec3> force, torque;
  // Pose at the last evaluation of the contacts (the predicted one), and at the evaluation before. The rotations have
  // no elements where they are never compared: spheres in space with elongation by velocity that nothing holds, turns
  // or damps.
  ByBody<Vec3> evaluated_position, evaluated_rotation, evaluated_position_before, evaluated_rotation_before;

  std::size_t size() const { return mass.size(); }
  /// Stores the numbers of all bodies in this order of places. Nothing that is read by number changes.
  void rearrange(const Places& places) {
    places_ = places;
    const auto all = [&](auto&... arrays) { (arrays.rearrange(places), ...); };
    for (std::size_t k = 0; k < std::size_t(gear_terms); ++k) all(position[k], rotation[k], orientation[k]);
    all(mass, moment, principal_moments, freedom, force, torque);
    all(evaluated_position, evaluated_rotation, evaluated_orientation);
    all(evaluated_position_before, evaluated_rotation_before, evaluated_orientation_before);
  }
  const Places& places() const { return places_; }
  /// First part of each thread's share (parallel_parts), so that threads have equal work with contacts. May be empty.
  std::vector<std::size_t> share_begins;
  /// Places of copies of bodies that another process moves: first_copy to last_copy − 1. Only dem-lammps has copies.
  std::size_t first_copy = 0, last_copy = 0;
  /// Calls f for the places from first to last − 1 that have no copies.
  template <class F>
  void without_copies(std::size_t first, std::size_t last, F&& f) const {
    if (first < first_copy) f(first, std::min(last, first_copy));
    if (last > last_copy) f(std::max(first, last_copy), last);
  }
  Vec3 applied_force_on(std::size_t b) const { return applied_force.empty() ? Vec3{} : applied_force[b]; }
  Vec3 applied_torque_on(std::size_t b) const { return applied_torque.empty() ? Vec3{} : applied_torque[b]; }
  bool has_orientations() const { return !orientation[0].empty(); }

 private:
  Places places_;
};

}  // namespace dem
