// Shapes of rigid clusters of overlapping spheres, with the mass properties of the union.
#pragma once
#include <span>
#include <vector>

#include "libdem/state/bodies.hpp"

namespace dem {

/// Makes the shapes of clusters. Scaled and shifted copies of one template (to 1e-12) share its integration over the
/// union, so that ten thousand copies cost no more than one.
class ClusterShapes {
 public:
  struct Made {
    Shape shape;
    Vec3 centroid;    ///< in the frame of the given spheres (m)
    Quaternion axes;  ///< from the principal axes to the frame of the given spheres
  };
  /// Numbers and signs principal axes so that they are nearest to those of the frame. Equal moments leave the frame's
  /// own axes. Throws GeometryError (see geometry::sphere_union).
  Made make(std::span<const ClusterSphere>);
  std::size_t templates() const { return templates_.size(); }

 private:
  struct Template {  // scaled by 1/scale, relative to the first sphere
    std::vector<ClusterSphere> spheres;
    double volume = 0;
    Vec3 centroid, principal_moments;
    Quaternion axes;
  };
  const Template& find_template(std::span<const ClusterSphere>, double scale);
  std::vector<Template> templates_;
};

}  // namespace dem
