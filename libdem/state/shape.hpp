// The shape of a body. Discs and spheres store only a radius, so that many different ones take little memory. Copies of
// a polygon or cluster share one record.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "geometry/facets.hpp"
#include "geometry/polygon.hpp"
#include "geometry/vector.hpp"
#include "libdem/case.hpp"

namespace dem {

/// The component spheres of a sphere or cluster, by value: offsets from the centroid in principal axes and radii (m).
class ShapeSpheres {
 public:
  explicit ShapeSpheres(double radius) : one_{{}, radius}, size_(1) {}
  explicit ShapeSpheres(std::span<const ClusterSphere> list) : list_(list.data()), size_(list.size()) {}

  std::size_t size() const { return size_; }
  const ClusterSphere& operator[](std::size_t k) const { return begin()[k]; }
  const ClusterSphere* begin() const { return list_ ? list_ : &one_; }
  const ClusterSphere* end() const { return begin() + size_; }

 private:
  ClusterSphere one_;
  const ClusterSphere* list_ = nullptr;
  std::size_t size_ = 0;
};

/// Immutable. Copies share their data.
class Shape {
 public:
  Shape() = default;                                ///< a disc of radius 0
  static Shape disc(double radius);                 ///< m
  static Shape polygon(geometry::Polygon outline);  ///< about its centroid
  /// Wall for discs: all points behind the line through the position. Its outward normal (towards the discs) is the x
  /// axis of the body frame.
  static Shape half_plane();
  /// Wall for spheres, about its position. The wall does not turn. Its kind is a cluster without spheres.
  static Shape wall(geometry::FacetSurface);
  static Shape sphere(double radius);  ///< m; throws GeometryError where it is no radius
  /// Offsets of the spheres from the centroid are in principal axes (m). Volume (m³) and moments ∫ (r² − x²) dV … about
  /// these axes (m⁵) are those of the union.
  static Shape cluster(std::vector<ClusterSphere> spheres, double volume, Vec3 principal_moments);

  ShapeKind kind() const { return kind_; }  ///< disc for a half plane
  bool is_half_plane() const { return half_plane_; }
  /// Null: no wall in space.
  const geometry::FacetSurface* facets() const {
    return details_ && !details_->facets.empty() ? details_->facets.data() : nullptr;
  }
  bool is_wall() const { return half_plane_ || facets(); }
  double radius() const { return radius_; }  ///< of a disc or sphere (m), otherwise 0
  double bounding_radius() const;            ///< m
  double equivalent_radius() const;          ///< √(area/π), in space (3 volume/4π)^(1/3) (m)
  double area() const;                       ///< m²; 0 in space
  double polar_moment() const;               ///< about the centroid (m⁴); 0 in space
  double volume() const;                     ///< of the union (m³); 0 in the plane
  /// ∫ (r² − x²) dV … about the centroid in principal axes (m⁵); 0 in the plane.
  Vec3 principal_moments() const;
  /// One element for polygons, about its centroid.
  std::span<const geometry::Polygon> polygon() const;
  /// Empty in the plane.
  ShapeSpheres spheres() const;

 private:
  struct Details {
    std::vector<geometry::Polygon> polygon;
    std::vector<ClusterSphere> spheres;
    std::vector<geometry::FacetSurface> facets;                      // at most one
    double content = 0, bounding_radius = 0, equivalent_radius = 0;  // content: area or volume
    Vec3 moments;                                                    // in the plane only z, about the centroid
  };
  Shape(ShapeKind kind, double radius, std::shared_ptr<const Details> details = {})
      : kind_(kind), radius_(radius), details_(std::move(details)) {}
  bool in_space() const { return kind_ == ShapeKind::sphere || kind_ == ShapeKind::cluster; }

  ShapeKind kind_ = ShapeKind::disc;
  bool half_plane_ = false;
  double radius_ = 0;
  std::shared_ptr<const Details> details_;  // polygons, clusters, walls in space
};

}  // namespace dem
