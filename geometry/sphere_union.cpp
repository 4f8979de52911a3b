#include "geometry/sphere_union.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>
#include <vector>

namespace dem::geometry {
namespace {

constexpr double pi = std::numbers::pi;

// Integrals of x·n times 1, times x, y, z and times xx, yy, zz, xy, xz, yz.
using Moments = std::array<double, 10>;

constexpr int points = 20;
struct Rule {
  std::array<double, points> at, weight;
};

// Gauss–Legendre on [−1, 1], nodes by Newton's method.
const Rule& gauss_legendre() {
  static const Rule rule = [] {
    Rule r{};
    for (int k = 0; k < points; ++k) {
      double x = std::cos(pi * (k + 0.75) / (points + 0.5)), slope = 1;
      for (int iteration = 0; iteration < 8; ++iteration) {
        double p = 1, before = 0;
        for (int n = 1; n <= points; ++n) before = std::exchange(p, ((2 * n - 1) * x * p - (n - 1) * before) / n);
        slope = points * (x * p - before) / (x * x - 1);
        x -= p / slope;
      }
      r.at[std::size_t(k)] = x;
      r.weight[std::size_t(k)] = 2 / ((1 - x * x) * slope * slope);
    }
    return r;
  }();
  return rule;
}

// The part of the unit sphere that another sphere covers: n·axis > cosine.
struct Cap {
  Vec3 axis;
  double cosine, sine;
  double across, azimuth;  // √(axis.x² + axis.y²) and the azimuth of the axis
};

// One sphere of the union.
class Patch {
 public:
  Patch(std::span<const Sphere> spheres, std::size_t index, Vec3 origin)
      : centre_(spheres[index].centre - origin), radius_(spheres[index].radius) {
    for (std::size_t j = 0; j < spheres.size() && !covered_; ++j) {
      if (j == index) continue;
      const Vec3 to = spheres[j].centre - spheres[index].centre;
      const double d = norm(to), other = spheres[j].radius;
      const double cosine = 0.5 * (d / radius_ + (radius_ - other) / d * ((radius_ + other) / radius_));
      if (cosine >= 1) continue;  // apart, or the other lies within
      if (cosine <= -1) covered_ = true;
      const Vec3 u = (1 / d) * to;
      caps_.push_back({u, cosine, std::sqrt((1 - cosine) * (1 + cosine)), std::hypot(u.x, u.y), std::atan2(u.y, u.x)});
    }
  }

  Moments integral() {
    Moments sum{};
    if (covered_) return sum;
    const double reach = norm(centre_) + radius_;
    for (std::size_t m = 0; m < sum.size(); ++m)
      tolerance_[m] = 1e-14 * reach * (m == 0 ? 1 : m < 4 ? reach : reach * reach);
    std::vector<double> ends = break_points();
    for (std::size_t k = 1; k < ends.size(); ++k) {
      low_ = ends[k - 1], width_ = ends[k] - ends[k - 1];
      if (width_ <= 0) continue;
      add(sum, refined(0, pi, rule(0, pi), 0));
    }
    for (double& m : sum) m *= radius_ * radius_;
    return sum;
  }

 private:
  static void add(Moments& sum, const Moments& more) {
    for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += more[m];
  }

  bool hidden(Vec3 n) const {  // with a margin, because an extra break point does no harm
    return std::any_of(caps_.begin(), caps_.end(), [n](const Cap& c) { return dot(n, c.axis) > c.cosine + 1e-9; });
  }

  // Points where the integrand is not smooth, ascending, from −1 to 1.
  std::vector<double> break_points() const {
    std::vector<double> z{-1, 1};
    const auto note = [&](Vec3 n) {
      if (!hidden(n)) z.push_back(std::clamp(n.z, -1.0, 1.0));
    };
    for (std::size_t j = 0; j < caps_.size(); ++j) {
      const Cap& a = caps_[j];
      // Lowest and highest point of the circle: the axis tilted by the cap's half angle.
      for (const double side : {-1.0, 1.0}) {
        const double s = a.across * a.cosine + side * a.axis.z * a.sine;
        note({s * std::cos(a.azimuth), s * std::sin(a.azimuth), a.axis.z * a.cosine - side * a.across * a.sine});
      }
      for (std::size_t k = j + 1; k < caps_.size(); ++k) {
        const Cap& b = caps_[k];
        const double w = dot(a.axis, b.axis);
        const Vec3 normal = cross(a.axis, b.axis);
        const double det = dot(normal, normal);
        if (det < 1e-20) continue;
        const double p = (a.cosine - w * b.cosine) / det, q = (b.cosine - w * a.cosine) / det;
        const double height2 = (1 - p * a.cosine - q * b.cosine) / det;
        if (height2 * det < -1e-12) continue;  // the circles do not meet
        const double height = std::sqrt(std::max(height2, 0.0));
        for (const double side : {-height, height}) note(p * a.axis + q * b.axis + side * normal);
      }
    }
    std::sort(z.begin(), z.end());
    return z;
  }

  // Integral over t in [from, to] of the present interval, with z = low + width (1 − cos t)/2.
  Moments rule(double from, double to) {
    Moments sum{};
    const double half = 0.5 * (to - from);
    for (std::size_t k = 0; k < points; ++k) {
      const double t = from + half * (1 + gauss_legendre().at[k]), s = std::sin(0.5 * t);
      const Moments f = parallel(low_ + width_ * s * s);
      const double weight = half * gauss_legendre().weight[k] * 0.5 * width_ * std::sin(t);
      for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += weight * f[m];
    }
    return sum;
  }

  Moments refined(double from, double to, const Moments& whole, int depth) {
    const double mid = 0.5 * (from + to);
    const Moments left = rule(from, mid), right = rule(mid, to);
    Moments sum = left;
    add(sum, right);
    bool good = true;
    for (std::size_t m = 0; m < sum.size(); ++m) good &= std::abs(sum[m] - whole[m]) <= tolerance_[m];
    if (good || depth >= 40) return sum;
    sum = refined(from, mid, left, depth + 1);
    add(sum, refined(mid, to, right, depth + 1));
    return sum;
  }

  // Integral over the azimuth of the uncovered part of the parallel z = const of the unit sphere.
  Moments parallel(double z) {
    const double s = std::sqrt(std::max(0.0, (1 - z) * (1 + z)));
    hidden_.clear();
    for (const Cap& c : caps_) {
      const double over = c.cosine - z * c.axis.z, along = s * c.across;
      if (over >= along) continue;
      if (over <= -along) return {};
      const double half = std::acos(over / along);
      double from = c.azimuth - half, to = c.azimuth + half;
      if (from < -pi) {
        hidden_.emplace_back(from + 2 * pi, pi);
        from = -pi;
      } else if (to > pi) {
        hidden_.emplace_back(-pi, to - 2 * pi);
        to = pi;
      }
      hidden_.emplace_back(from, to);
    }
    std::sort(hidden_.begin(), hidden_.end());
    // c[k] and q[k] are the integrals of cos kφ and sin kφ over the gaps; c[0] is their length.
    double c[4] = {}, q[4] = {}, reached = -pi;
    const auto gap = [&](double from, double to) {
      if (to <= from) return;
      c[0] += to - from;
      for (int k = 1; k < 4; ++k) {
        c[k] += (std::sin(k * to) - std::sin(k * from)) / k;
        q[k] -= (std::cos(k * to) - std::cos(k * from)) / k;
      }
    };
    if (hidden_.empty()) c[0] = 2 * pi;
    for (const auto& [from, to] : hidden_) {
      gap(reached, from);
      reached = std::max(reached, to);
    }
    if (!hidden_.empty()) gap(reached, pi);

    // C = cos φ, S = sin φ. The point is x = x0 + x1 C, y = y0 + x1 S, z = h. Then x·n = p0 + p1 C + p2 S.
    const double x0 = centre_.x, y0 = centre_.y, x1 = radius_ * s, h = centre_.z + radius_ * z;
    const double p0 = radius_ + centre_.z * z, p1 = centre_.x * s, p2 = centre_.y * s;
    const double cc = 0.5 * (c[0] + c[2]), ss = 0.5 * (c[0] - c[2]), cs = 0.5 * q[2];
    const double ccc = 0.25 * (3 * c[1] + c[3]), sss = 0.25 * (3 * q[1] - q[3]), ccs = 0.25 * (q[1] + q[3]),
                 css = 0.25 * (c[1] - c[3]);
    const double p = p0 * c[0] + p1 * c[1] + p2 * q[1], p_c = p0 * c[1] + p1 * cc + p2 * cs,
                 p_s = p0 * q[1] + p1 * cs + p2 * ss;
    const double p_cc = p0 * cc + p1 * ccc + p2 * ccs, p_ss = p0 * ss + p1 * css + p2 * sss,
                 p_cs = p0 * cs + p1 * ccs + p2 * css;
    const double x = x0 * p + x1 * p_c, y = y0 * p + x1 * p_s;
    return {p,
            x,
            y,
            h * p,
            x0 * (x0 * p + 2 * x1 * p_c) + x1 * x1 * p_cc,
            y0 * (y0 * p + 2 * x1 * p_s) + x1 * x1 * p_ss,
            h * h * p,
            x0 * (y0 * p + x1 * p_s) + x1 * (y0 * p_c + x1 * p_cs),
            h * x,
            h * y};
  }

  Vec3 centre_;
  double radius_;
  bool covered_ = false;
  std::vector<Cap> caps_;
  Moments tolerance_{};
  double low_ = 0, width_ = 0;                     // of the present interval of z
  std::vector<std::pair<double, double>> hidden_;  // azimuth intervals of the present parallel
};

// Removes spheres that lie within another one. They are removed one by one, so that one of several equal spheres stays.
std::vector<Sphere> without_contained(std::span<const Sphere> given) {
  std::vector<Sphere> kept(given.begin(), given.end());
  for (std::size_t i = kept.size(); i-- > 0;) {
    const Sphere s = kept[i];
    for (std::size_t j = 0; j < kept.size(); ++j)
      if (j != i && norm(kept[j].centre - s.centre) + s.radius <= kept[j].radius * (1 + 1e-15)) {
        kept.erase(kept.begin() + std::ptrdiff_t(i));
        break;
      }
  }
  return kept;
}

}  // namespace

SolidProperties sphere_union(std::span<const Sphere> given) {
  if (given.empty()) throw GeometryError("a cluster needs at least one sphere, found none");
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (!std::isfinite(given[k].radius) || !is_finite(given[k].centre))
      throw GeometryError(
          fmt::format("sphere {} of {}: a coordinate or the radius is not a finite number", k + 1, given.size()));
    if (!(given[k].radius > 0))
      throw GeometryError(fmt::format("sphere {} of {}: the radius must be positive, found {:g}", k + 1, given.size(),
                                      given[k].radius));
  }
  const std::vector<Sphere> spheres = without_contained(given);
  // About a local origin, so that a cluster far from the origin loses no digits.
  Vec3 origin;
  double weights = 0;
  for (const Sphere& s : spheres) {
    const double weight = s.radius * s.radius * s.radius;
    origin += weight * (s.centre - spheres.front().centre);
    weights += weight;
  }
  origin = spheres.front().centre + (1 / weights) * origin;

  Moments sum{};
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    const Moments of_sphere = Patch(spheres, k, origin).integral();
    for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += of_sphere[m];
  }
  SolidProperties result;
  result.volume = sum[0] / 3;
  const Vec3 c = (1 / (4 * result.volume)) * Vec3{sum[1], sum[2], sum[3]};
  result.centroid = origin + c;
  // Second moments about the centroid.
  const double v = result.volume, xx = sum[4] / 5 - v * c.x * c.x, yy = sum[5] / 5 - v * c.y * c.y,
               zz = sum[6] / 5 - v * c.z * c.z;
  const double xy = sum[7] / 5 - v * c.x * c.y, xz = sum[8] / 5 - v * c.x * c.z, yz = sum[9] / 5 - v * c.y * c.z;
  result.inertia = {{{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}}};
  return result;
}

}  // namespace dem::geometry
