#include "libdem/state/solid_shapes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/sphere_union.hpp"
#include "libdem/state/quaternion.hpp"

namespace dem {
namespace {

struct PrincipalAxes {
  Vec3 moments;
  Quaternion axes;
};

PrincipalAxes principal_axes(const std::array<std::array<double, 3>, 3>& inertia) {
  Eigen::Matrix3d m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) m(r, c) = inertia[std::size_t(r)][std::size_t(c)];
  // Off-diagonal round-off of a symmetric body would choose axes by chance.
  const double off = std::max({std::abs(m(0, 1)), std::abs(m(0, 2)), std::abs(m(1, 2))});
  if (off <= 1e-12 * m.trace()) return {{m(0, 0), m(1, 1), m(2, 2)}, {}};
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(m);
  // Among the six orders, take the right-handed axes nearest to those of the frame, with directions positive along
  // them.
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  Eigen::Vector3d moments = m.diagonal();
  double nearest = -1;
  int order[] = {0, 1, 2};
  do {
    Eigen::Matrix3d axes;
    for (int c = 0; c < 3; ++c) {
      axes.col(c) = solver.eigenvectors().col(order[c]);
      if (axes(c, c) < 0) axes.col(c) *= -1;
    }
    if (axes.determinant() < 0) {
      int least = 0;
      axes.diagonal().minCoeff(&least);
      axes.col(least) *= -1;
    }
    if (axes.trace() <= nearest + 1e-9) continue;
    nearest = axes.trace();
    best = axes;
    for (int c = 0; c < 3; ++c) moments(c) = solver.eigenvalues()(order[c]);
  } while (std::next_permutation(std::begin(order), std::end(order)));
  const Eigen::Quaterniond q(best);
  return {{moments(0), moments(1), moments(2)}, normalised({q.w(), q.x(), q.y(), q.z()})};
}

std::vector<geometry::Sphere> spheres_of(std::span<const ClusterSphere> given) {
  std::vector<geometry::Sphere> spheres;
  for (const ClusterSphere& s : given) spheres.push_back({s.position, s.radius});
  return spheres;
}

}  // namespace

const ClusterShapes::Template& ClusterShapes::find_template(std::span<const ClusterSphere> given, double scale) {
  std::vector<ClusterSphere> scaled;
  for (const ClusterSphere& s : given)
    scaled.push_back({(1 / scale) * (s.position - given.front().position), s.radius / scale});
  const auto same = [](const ClusterSphere& a, const ClusterSphere& b) {
    return std::abs(a.radius - b.radius) <= 1e-12 && norm(a.position - b.position) <= 1e-12;
  };
  for (const Template& t : templates_)
    if (std::equal(t.spheres.begin(), t.spheres.end(), scaled.begin(), scaled.end(), same)) return t;
  const geometry::SolidProperties solid = geometry::sphere_union(spheres_of(scaled));
  const PrincipalAxes principal = principal_axes(solid.inertia);
  return templates_.emplace_back(
      Template{std::move(scaled), solid.volume, solid.centroid, principal.moments, principal.axes});
}

ClusterShapes::Made ClusterShapes::make(std::span<const ClusterSphere> given) {
  double scale = 0;
  for (const ClusterSphere& s : given) scale = std::max(scale, s.radius);
  if (!(scale > 0) || !std::isfinite(scale) ||
      std::ranges::any_of(given, [](const ClusterSphere& s) { return !(s.radius > 0); }))
    geometry::sphere_union(spheres_of(given));  // throws and names the fault
  const Template& t = find_template(given, scale);
  Made made;
  made.centroid = given.front().position + scale * t.centroid;
  made.axes = t.axes;
  const double volume = scale * scale * scale;
  std::vector<ClusterSphere> spheres;
  for (const ClusterSphere& sphere : given)
    spheres.push_back({rotated_back(t.axes, sphere.position - made.centroid), sphere.radius});
  made.shape = Shape::cluster(std::move(spheres), volume * t.volume, (volume * scale * scale) * t.principal_moments);
  return made;
}

}  // namespace dem
