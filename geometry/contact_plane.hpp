// Angle of the contact plane from the shape of the overlap: the definitions of the polygon-dem reference, §6.
#pragma once
#include <array>
#include <string_view>

#include "geometry/overlap.hpp"

namespace dem::geometry {

enum class ContactPlane { area_gradient, chord, edge_mean, edge_mean_unsigned, edge_mean_branch, edge_axial };

struct ContactPlaneEntry {
  ContactPlane plane;
  std::string_view name;         ///< in files and on the command line
  std::string_view description;  ///< one sentence with its source
  bool frame_free;               ///< turns with the bodies in every frame
};
/// The catalogue. Adding a definition: one row here, one case in contact_plane_angle, one line in NOTATION.md.
extern const std::array<ContactPlaneEntry, 6> contact_planes;

/// Angle of the contact plane (the tangent line) in (−π/2, π/2], from the x axis (rad); NaN where undefined. `branch` =
/// R_j − R_i (m) is used only by the edge definitions, which choose between the mean and its perpendicular.
double contact_plane_angle(ContactPlane, const Overlap&, const OverlapComponent&, Vec2 branch);

/// Unit normal from i to j, perpendicular to the plane. It points to the side on which moving j reduces the overlap
/// (−∇A). Where −∇A has no sign, it points along the branch. {0, 0} where the plane is undefined.
Vec2 contact_normal(ContactPlane, const Overlap&, const OverlapComponent&, Vec2 branch);

/// The angle α + kπ in (−π/2, π/2].
double wrap_line_angle(double angle);

}  // namespace dem::geometry
