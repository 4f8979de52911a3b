#include "libdem/state/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geometry/sphere_union.hpp"

namespace dem {

Shape Shape::disc(double radius) { return {ShapeKind::disc, radius}; }

Shape Shape::polygon(geometry::Polygon outline) {
  auto d = std::make_shared<Details>();
  d->content = outline.area();
  d->moments.z = outline.polar_moment();
  d->bounding_radius = outline.bounding_radius();
  d->equivalent_radius = std::sqrt(d->content / std::numbers::pi);
  d->polygon.push_back(std::move(outline));
  return {ShapeKind::polygon, 0, std::move(d)};
}

Shape Shape::half_plane() {
  Shape s(ShapeKind::disc, 0);
  s.half_plane_ = true;
  return s;
}

Shape Shape::wall(geometry::FacetSurface surface) {
  auto d = std::make_shared<Details>();
  d->bounding_radius = std::numeric_limits<double>::infinity();
  d->facets.push_back(std::move(surface));
  return {ShapeKind::cluster, 0, std::move(d)};
}

Shape Shape::sphere(double radius) {
  const geometry::Sphere one[] = {{{}, radius}};
  geometry::sphere_union(one);  // refuses an invalid radius
  return {ShapeKind::sphere, radius};
}

Shape Shape::cluster(std::vector<ClusterSphere> spheres, double volume, Vec3 principal_moments) {
  auto d = std::make_shared<Details>();
  d->content = volume;
  d->moments = principal_moments;
  d->equivalent_radius = std::cbrt(3 * volume / (4 * std::numbers::pi));
  for (const ClusterSphere& s : spheres) d->bounding_radius = std::max(d->bounding_radius, norm(s.position) + s.radius);
  d->spheres = std::move(spheres);
  return {ShapeKind::cluster, 0, std::move(d)};
}

double Shape::bounding_radius() const {
  return half_plane_ ? std::numeric_limits<double>::infinity() : details_ ? details_->bounding_radius : radius_;
}

double Shape::equivalent_radius() const { return details_ ? details_->equivalent_radius : radius_; }

double Shape::area() const {
  if (in_space()) return 0;
  return details_ ? details_->content : std::numbers::pi * radius_ * radius_;
}

double Shape::polar_moment() const {
  if (in_space()) return 0;
  return details_ ? details_->moments.z : 0.5 * area() * radius_ * radius_;
}

double Shape::volume() const {
  if (!in_space()) return 0;
  return details_ ? details_->content : 4 * std::numbers::pi / 3 * radius_ * radius_ * radius_;
}

Vec3 Shape::principal_moments() const {
  if (!in_space()) return {};
  if (details_) return details_->moments;
  const double moment = 0.4 * volume() * radius_ * radius_;
  return {moment, moment, moment};
}

std::span<const geometry::Polygon> Shape::polygon() const {
  return details_ ? std::span<const geometry::Polygon>(details_->polygon) : std::span<const geometry::Polygon>();
}

ShapeSpheres Shape::spheres() const {
  if (kind_ == ShapeKind::sphere) return ShapeSpheres(radius_);
  return ShapeSpheres(details_ ? std::span<const ClusterSphere>(details_->spheres) : std::span<const ClusterSphere>());
}

}  // namespace dem
