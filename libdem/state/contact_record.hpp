// A contact as observers and files see it, for all kinds of shapes.
#pragma once
#include <array>
#include <compare>
#include <cstdint>

#include "geometry/vector.hpp"

namespace dem {

struct ContactKey {
  std::uint32_t i = 0, j = 0;                  ///< i < j
  std::array<std::int16_t, 3> image{0, 0, 0};  ///< j's periodic image (see geometry::Cell)
  /// Polygons: number of the overlap component. Clusters and walls in space: which spheres and which contact.
  std::uint16_t feature = 0;
  friend constexpr auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

/// `slip`: at the friction limit during some part of the step. `dem contact` calls this slide (linear-refined: slide or
/// slip). Everything else is `stick`, also where a part of a Hertzian contact slips (slip, retrace).
enum class Regime : std::uint8_t { stick, slip };

struct ContactRecord {
  ContactKey key;
  Vec3 point;                   ///< where the force acts (m): overlap centroid or mid-overlap point, near i
  Vec3 normal;                  ///< unit, from i to j
  Vec3 force;                   ///< on i (N); −force acts on j
  Vec3 branch;                  ///< R_j + image − R_i, or point − R_i for a wall in space (m)
  double overlap = 0;           ///< ζ (m): A/l_c for polygons, δ for discs
  double area = 0;              ///< overlap area (m²), polygons
  double plane_angle = 0;       ///< of the contact plane, (−π/2, π/2], rad
  double normal_force = 0;      ///< elastic + viscous, compression positive (N)
  double tangential_force = 0;  ///< along t = ẑ×n, on j (N)
  double elongation = 0;        ///< ξ (m), sign of the displacement of j relative to i along t
  double normal_stiffness = 0, tangential_stiffness = 0;  ///< N/m, tangents at this state (for the time-step limit)
  double normal_damping = 0, tangential_damping = 0;      ///< kg/s
  double stored_normal = 0, stored_tangential = 0;        ///< J
  double mobilised = -1;  ///< elastic |f_t|/(μ f_n), 0 … 1. Negative: not known, or μ f_n = 0
  Regime regime = Regime::stick;
};

/// A contact for readers that look at forces only.
struct ContactForce {
  ContactKey key;
  Vec3 force;  ///< on i (N)
};

}  // namespace dem
