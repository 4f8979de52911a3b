// A contact of two bodies in the plane: what is kept from one step to the next.
#pragma once
#include <compare>
#include <cstdint>
#include <type_traits>

#include "geometry/broad_phase.hpp"
#include "geometry/vector.hpp"
#include "libdem/state/contact_record.hpp"

namespace dem {

/// Virtual movement of a contact force: unit force along n (or t) on j, its opposite on i. With the relative movement
/// dD = dR_j − dR_i its work is `scale · direction·dD + arm_j dθ_j + arm_i dθ_i`. So arm_k is also the torque on body k
/// per unit of force. Every part of a force is applied so: force, torque, velocity and work are consistent.
struct LineOfAction {
  Vec2 direction;
  double scale = 1;             ///< of the force on the centres
  double arm_i = 0, arm_j = 0;  ///< m

  double work(Vec2 dD, double dtheta_i, double dtheta_j) const {
    return scale * dot(direction, dD) + arm_i * dtheta_i + arm_j * dtheta_j;
  }
};

/// Line of action of a force along `direction` through the point at p_i and p_j, relative to the centroids.
inline LineOfAction through_point(Vec2 direction, Vec2 p_i, Vec2 p_j) {
  return {direction, 1, -cross(p_i, direction), cross(p_j, direction)};
}

struct PlanarContact {
  ContactKey key;
  // Geometry at the last evaluation. Points are relative to the centroid of i, so that nothing depends on the origin.
  Vec2 point;          ///< contact point − R_i (m)
  Vec2 normal;         ///< unit, i to j
  double overlap = 0;  ///< ζ: A/l_c or δ (m)
  double area = 0;     ///< of this component (m²)
  // Movement memory: contact point in the frames of the bodies (m).
  Vec2 point_in_i, point_in_j;
  // Lines of action of the elastic normal, viscous normal and tangential forces.
  LineOfAction elastic_line, viscous_line, tangential_line;
  // Forces on j at the last evaluation (N); couple on j (N m).
  double normal_elastic = 0, normal_viscous = 0, tangential_elastic = 0, tangential_viscous = 0, couple = 0;
  double stored_normal = 0, stored_tangential = 0;  ///< J
  // Coefficients of the pair, constant while the contact lives.
  double normal_damping = 0, tangential_damping = 0;  ///< kg/s
  double tangent_stiffness = 0;  ///< d(normal_elastic)/d(approach), an estimate for the step limit (N/m)
  std::uint64_t sliding = 0;

  // Not "= default": that would clear the whole record byte by byte, for every contact of every step.
  constexpr PlanarContact() noexcept {}
};

/// Force of the contact on body j (N).
inline Vec2 force_on_j(const PlanarContact& c) {
  const double tangential = c.tangential_elastic + c.tangential_viscous;
  return c.normal_elastic * c.elastic_line.direction + c.normal_viscous * c.viscous_line.direction +
         (tangential * c.tangential_line.scale) * c.tangential_line.direction;
}
static_assert(std::is_trivially_copyable_v<PlanarContact>);
static_assert(sizeof(ContactKey) == 16 && sizeof(PlanarContact) % 8 == 0,
              "no padding: the record is hashed and saved as words");

/// Less, equal or greater: the contact (or the other pair) comes before, belongs to or comes after the pair.
template <class Key>
std::strong_ordering order(const Key& key, const geometry::CandidatePair& pair) {
  if (key.i != pair.i) return key.i <=> pair.i;
  if (key.j != pair.j) return key.j <=> pair.j;
  return key.image <=> pair.image;
}

}  // namespace dem
