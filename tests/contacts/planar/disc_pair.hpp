// Two discs, or a disc and a wall, moved along prescribed paths (see driven_pair.hpp).
#pragma once
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numbers>

#include "support/driven_pair.hpp"

namespace dem::test {

inline const auto closely = boost::test_tools::tolerance(1e-12);
inline constexpr double r_i = 0.5, r_j = 0.3;  // m
inline constexpr double k_t = 1.0 / 3;         // N/m, of driven_pair_case
inline const geometry::Outline square{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};

inline Case disc_pair_case() {
  Case c = driven_pair_case({}, {}, {0.7, 0});
  c.contact.normal_force = NormalForce::overlap;
  c.assembly.bodies[0].shape = c.assembly.bodies[1].shape = ShapeKind::disc;
  c.assembly.bodies[0].radius = r_i;
  c.assembly.bodies[1].radius = r_j;
  return c;
}

/// The first body of the case above a wall along x. The wall has its outward normal as x axis: angle π/2.
inline Case with_wall(Case c) {
  c.assembly.bodies.resize(1);
  c.assembly.walls = {{.from = {-1, 0}, .to = {1, 0}}};
  return c;
}
inline constexpr Pose wall_pose{{0, 0}, std::numbers::pi / 2};

inline ContactRecord record_of(const DrivenPair& pair) {
  BOOST_REQUIRE_EQUAL(pair.records().size(), 1u);
  return pair.records()[0];
}

}  // namespace dem::test
