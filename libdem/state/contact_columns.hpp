// Names, units and sentences of what a contact record has: for snapshots and for Python.
#pragma once
#include "libdem/state/contact_record.hpp"

namespace dem {

/// A number of a contact.
struct ContactNumber {
  const char *name, *unit, *description;
  double ContactRecord::*member;
};
inline constexpr ContactNumber contact_numbers[] = {
    {"overlap", "m", "positive when touching; polygons: area over characteristic length", &ContactRecord::overlap},
    {"area", "m2", "overlap area of polygons", &ContactRecord::area},
    {"plane_angle", "rad", "of the contact plane, in (-pi/2, pi/2]", &ContactRecord::plane_angle},
    {"normal_force", "N", "elastic and viscous, compression positive", &ContactRecord::normal_force},
    {"tangential_force", "N", "along t = z x n, on j", &ContactRecord::tangential_force},
    {"elongation", "m", "tangential elongation, sign of the displacement of j relative to i along t",
     &ContactRecord::elongation},
    {"normal_stiffness", "N/m", "tangent at this state", &ContactRecord::normal_stiffness},
    {"tangential_stiffness", "N/m", "tangent at this state", &ContactRecord::tangential_stiffness},
    {"normal_damping", "kg/s", "coefficient", &ContactRecord::normal_damping},
    {"tangential_damping", "kg/s", "coefficient", &ContactRecord::tangential_damping},
    {"stored_normal", "J", "elastic energy of the normal force, as the law states it", &ContactRecord::stored_normal},
    {"stored_tangential", "J", "elastic energy of the tangential force, as the law states it",
     &ContactRecord::stored_tangential},
};
/// A vector of a contact, in space axes.
struct ContactVector {
  const char *name, *unit, *description;
  Vec3 ContactRecord::*member;
};
inline constexpr ContactVector contact_vectors[] = {
    {"point", "m", "where the force acts, near i: overlap centroid or mid-overlap point", &ContactRecord::point},
    {"normal", "1", "unit vector from i to j", &ContactRecord::normal},
    {"force", "N", "on i; on j acts the negative (in the plane per metre of thickness)", &ContactRecord::force},
    {"branch", "m", "from the centre of i to that of j's image", &ContactRecord::branch},
};

}  // namespace dem
