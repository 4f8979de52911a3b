#include "libdem/measure/profiles.hpp"

#include <limits>
#include <utility>

namespace dem {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

// Movement of a body: movement(b) = {u_x, rotation}.
template <class Movement>
Profile profile(const Bodies& bodies, std::span<const Shape> shapes, ProfileBins bins, ProfileWeight weighting,
                BodySet set, Movement movement) {
  const std::size_t n = bins.count;
  const double width = (bins.high - bins.low) / double(n);
  Profile p;
  p.y.resize(n);
  for (std::size_t k = 0; k < n; ++k) p.y[k] = bins.low + (double(k) + 0.5) * width;
  for (auto* column : {&p.weight, &p.u_x, &p.rotation}) column->assign(n, 0.0);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double at = (bodies.position[0][b].y - bins.low) / width;
    if (!contains(set, b) || !(at >= 0 && at < double(n))) continue;
    const auto k = std::size_t(at);
    const double w = weighting == ProfileWeight::mass ? bodies.mass[b] : shapes[bodies.shape[b]].area();
    const auto [u_x, rotation] = movement(b);
    p.weight[k] += w;
    p.u_x[k] += w * u_x, p.rotation[k] += w * rotation;
  }
  for (auto* column : {&p.u_x, &p.rotation})
    for (std::size_t k = 0; k < n; ++k) (*column)[k] = p.weight[k] > 0 ? (*column)[k] / p.weight[k] : undefined;
  p.shear.assign(n, undefined);
  for (std::size_t k = 0; k < n; ++k) {
    if (!(p.weight[k] > 0)) continue;
    const std::size_t below = k > 0 && p.weight[k - 1] > 0 ? k - 1 : k;
    const std::size_t above = k + 1 < n && p.weight[k + 1] > 0 ? k + 1 : k;
    if (below == above) continue;
    p.shear[k] = (p.u_x[above] - p.u_x[below]) / (p.y[above] - p.y[below]);
  }
  return p;
}

}  // namespace

Profile velocity_profile(const Bodies& bodies, std::span<const Shape> shapes, double dt, ProfileBins bins,
                         ProfileWeight weighting, BodySet set) {
  return profile(bodies, shapes, bins, weighting, set,
                 [&](std::size_t b) { return std::pair(bodies.position[1][b].x / dt, bodies.rotation[1][b].z / dt); });
}

Profile displacement_profile(const Bodies& bodies, std::span<const Shape> shapes,
                             std::span<const Vec3> reference_position, std::span<const Vec3> reference_rotation,
                             ProfileBins bins, ProfileWeight weighting, BodySet set) {
  return profile(bodies, shapes, bins, weighting, set, [&](std::size_t b) {
    return std::pair(bodies.position[0][b].x - reference_position[b].x,
                     bodies.rotation[0][b].z - reference_rotation[b].z);
  });
}

}  // namespace dem
