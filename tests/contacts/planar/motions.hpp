// The prescribed motions of polygon-cases.json, on which the elongation of polygons is tried (reference, §4).
#pragma once
#include <cmath>
#include <functional>

#include "support/driven_pair.hpp"
#include "support/polygon_cases.hpp"

namespace dem::test::pena2008 {

/// Poses of both bodies at s in [0, 1].
struct Motion {
  std::function<Pose(double)> i, j;
};

/// slide_rotate of polygon-cases.json, and slide_rotate_spun with spin 2 and a drift of 0.3 along x.
inline Motion slide_rotate(double spin = 0, Vec2 drift = {}) {
  const Vec2 u{std::cos(0.7), std::sin(0.7)}, w{-std::sin(0.7), std::cos(0.7)};
  return {[=](double s) {
            return Pose{s * drift, spin * s};
          },
          [=](double s) {
            return Pose{s * drift + Turn::by(spin * s)(elongation_start + 0.05 * std::sin(2 * s) * w +
                                                       0.01 * std::sin(3 * s) * u),
                        0.3 + 0.2 * s * s + spin * s};
          }};
}

inline Motion both_move() {
  const Vec2 w{-std::sin(0.7), std::cos(0.7)};
  const auto i = [](double s) { return Pose{{0.1 * s * s, -0.05 * s}, 0.4 * s}; };
  return {
      i, [=](double s) {
        return Pose{i(s).position + Turn::by(0.2 * s)(elongation_start + 0.04 * s * w), 0.3 + 0.35 * s + 0.1 * s * s};
      }};
}

inline Motion rigid() {
  const auto i = [](double s) { return Pose{{0.7 * s, -0.2 * s * s}, 1.3 * s}; };
  return {i, [=](double s) { return Pose{i(s).position + Turn::by(1.3 * s)(elongation_start), 0.3 + 1.3 * s}; }};
}

}  // namespace dem::test::pena2008
