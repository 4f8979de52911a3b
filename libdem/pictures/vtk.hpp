// ParaView files: VTK XML PolyData (.vtp) with appended raw data, and collections (.pvd) that give each file its time.
#pragma once
#include <string>
#include <vector>

#include "libdem/state/view.hpp"

namespace dem {

/// Returns the bytes of a file: binary, little-endian, 64-bit headers. In the plane one cell per body, in the order of
/// the bodies. Polygons are not wrapped into the periodic cell; discs are 32-gons and half-planes lines. Cell data: id,
/// group, mass, speed, velocity, spin, angle, coordination, stress (3×3, tension positive, N/m), force (N). In space
/// one point per component sphere (ParaView: Glyph, sphere, scale by `radius`, factor 2). Point data: radius, and for
/// its body the body (number), group, mass, speed, velocity, angular_velocity, orientation (quaternion, scalar part
/// first), coordination, stress (Pa), mean_pressure, force.
std::string vtp_particles(const AssemblyView&);

/// One line per contact, from centre to centre (R_i to R_i + branch) through the contact point. Cell data: i, j,
/// feature, force on i (N), normal (i to j), normal_force (compression positive, N), tangential_force (N), overlap (m),
/// elongation (m), plane_angle (rad), regime (0 stick, 1 slip).
std::string vtp_contacts(const AssemblyView&);

/// Walls in space in their present place, one polygon per facet. An unbounded facet is a square about the bodies. Cell
/// data: wall (number of its body), velocity, force of the contacts on the whole wall (N). Empty without walls.
std::string vtp_walls(const AssemblyView&);

struct CollectionEntry {
  double time = 0;
  std::string file;  ///< relative to the .pvd
};
std::string pvd_collection(const std::vector<CollectionEntry>&);

}  // namespace dem
