// Profiles over the height y: mean velocity (or displacement), shear and rotation in horizontal bins.
#pragma once
#include <span>
#include <vector>

#include "libdem/measure/body_set.hpp"

namespace dem {

/// One entry per bin, of means weighted by area; NaN without bodies. Units of velocities are m/s and 1/s, of
/// displacements m, 1 and rad.
struct Profile {
  std::vector<double> u_x;
  /// du_x/dy: central difference of neighbouring bins, one-sided at the ends and beside empty bins
  std::vector<double> shear;
  std::vector<double> rotation;  ///< spin, or rotation; counter-clockwise positive
};

struct ProfileBins {
  double low = 0, high = 1;  ///< m; a body belongs to the bin with its centroid, or to none if it lies outside
  std::size_t count = 1;
};

/// Profile of velocities. Δt in s.
Profile velocity_profile(const Bodies&, std::span<const Shape>, double dt, ProfileBins, BodySet = {});

/// Profile of displacements since a reference pose; bins by the present position.
Profile displacement_profile(const Bodies&, std::span<const Shape>, std::span<const Vec3> reference_position,
                             std::span<const Vec3> reference_rotation, ProfileBins, BodySet = {});

}  // namespace dem
