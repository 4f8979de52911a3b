// Profiles over the height y: mean velocity (or displacement), shear and rotation in horizontal bins.
#pragma once
#include <span>
#include <vector>

#include "libdem/measure/body_set.hpp"

namespace dem {

enum class ProfileWeight { area, mass };

/// One entry a bin. From velocities: m/s and 1/s; from displacements: m, 1 and rad. NaN in bins without bodies.
struct Profile {
  std::vector<double> y;         ///< middle of the bin (m)
  std::vector<double> weight;    ///< sum of areas (m²) or masses (kg) in the bin
  std::vector<double> u_x, u_y;  ///< weighted mean
  std::vector<double>
      shear;  ///< du_x/dy: central difference of neighbouring bins, one-sided at the ends and beside empty bins
  std::vector<double> rotation;  ///< weighted mean spin, counter-clockwise positive
  std::vector<double>
      nonaffine_rotation;  ///< rotation + shear/2: beyond that of the mean motion, whose spin is −shear/2
};

struct ProfileBins {
  double low = 0, high = 1;  ///< m; a body belongs to the bin in which its centroid lies, outside to none
  std::size_t count = 1;
};

/// From velocities. Δt in s.
Profile velocity_profile(const Bodies&, std::span<const Shape>, double dt, ProfileBins, ProfileWeight, BodySet = {});

/// From displacements since a reference pose; bins by the present position.
Profile displacement_profile(const Bodies&, std::span<const Shape>, std::span<const Vec3> reference_position,
                             std::span<const Vec3> reference_rotation, ProfileBins, ProfileWeight, BodySet = {});

}  // namespace dem
