#include "libdem/measure/profiles.hpp"

#include <limits>

namespace dem {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

struct Movement {
  double x, rotation;
};

template <class MovementOf>
Profile profile(const Bodies& bodies, std::span<const Shape> shapes, ProfileBins bins, BodySet set,
                MovementOf movement) {
  const std::size_t n = bins.count;
  const double width = (bins.high - bins.low) / double(n);
  const auto middle = [&](std::size_t k) { return bins.low + (double(k) + 0.5) * width; };
  std::vector<double> weight(n);
  Profile p{std::vector<double>(n), std::vector<double>(n, undefined), std::vector<double>(n)};
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const double at = (bodies.position[0][b].y - bins.low) / width;
    if (!contains(set, b) || !(at >= 0 && at < double(n))) continue;
    const auto k = std::size_t(at);
    const double w = shapes[bodies.shape[b]].area();
    const Movement u = movement(b);
    weight[k] += w;
    p.u_x[k] += w * u.x, p.rotation[k] += w * u.rotation;
  }
  for (auto* column : {&p.u_x, &p.rotation})
    for (std::size_t k = 0; k < n; ++k) (*column)[k] = weight[k] > 0 ? (*column)[k] / weight[k] : undefined;
  for (std::size_t k = 0; k < n; ++k) {
    if (!(weight[k] > 0)) continue;
    const std::size_t below = k > 0 && weight[k - 1] > 0 ? k - 1 : k;
    const std::size_t above = k + 1 < n && weight[k + 1] > 0 ? k + 1 : k;
    if (below != above) p.shear[k] = (p.u_x[above] - p.u_x[below]) / (middle(above) - middle(below));
  }
  return p;
}

}  // namespace

Profile velocity_profile(const Bodies& bodies, std::span<const Shape> shapes, double dt, ProfileBins bins,
                         BodySet set) {
  return profile(bodies, shapes, bins, set, [&](std::size_t b) {
    return Movement{bodies.position[1][b].x / dt, bodies.rotation[1][b].z / dt};
  });
}

Profile displacement_profile(const Bodies& bodies, std::span<const Shape> shapes,
                             std::span<const Vec3> reference_position, std::span<const Vec3> reference_rotation,
                             ProfileBins bins, BodySet set) {
  return profile(bodies, shapes, bins, set, [&](std::size_t b) {
    return Movement{bodies.position[0][b].x - reference_position[b].x,
                    bodies.rotation[0][b].z - reference_rotation[b].z};
  });
}

}  // namespace dem
