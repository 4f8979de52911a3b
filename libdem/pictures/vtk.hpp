// ParaView files: VTK XML PolyData (.vtp) with appended raw data, and collections (.pvd) that give each file its time.
#pragma once
#include <string>
#include <vector>

#include "libdem/state/view.hpp"

namespace dem {

/// A cell a body, in the order of the bodies: polygons as they stand (not wrapped into the periodic cell), discs as
/// 32-gons, half planes as a line. Cell data: id, group, mass, speed, velocity, spin, angle, coordination, stress (3×3,
/// tension positive, N/m), force (N). The bytes of the file; binary, little-endian, 64-bit headers.
/// In space: a point a component sphere (ParaView: Glyph, sphere, scale by `radius`, factor 2). Point data: radius, and
/// of its body: body (number), group, mass, speed, velocity and angular_velocity, orientation (quaternion, scalar part
/// first), coordination, stress (Pa), mean_pressure, force.
std::string vtp_particles(const AssemblyView&);

/// A line a contact, from centre to centre (R_i to R_i + branch) through the contact point. Cell data: i, j, feature,
/// force on i (N), normal (i to j), normal_force (compression positive, N), tangential_force (N), overlap (m),
/// elongation (m), plane_angle (rad), regime (0 stick, 1 slip).
std::string vtp_contacts(const AssemblyView&);

/// The walls in space as they stand: a polygon a facet; one without end is drawn as a square about the bodies. Cell
/// data: wall (number of its body), velocity, force of the contacts on the whole wall (N). Empty where there are none.
std::string vtp_walls(const AssemblyView&);

struct CollectionEntry {
  double time = 0;
  std::string file;  ///< relative to the .pvd
};
std::string pvd_collection(const std::vector<CollectionEntry>&);

}  // namespace dem
