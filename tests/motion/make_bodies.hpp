// Bodies for tests: n of them, free in the plane, at rest at the origin, unit mass and moment.
#pragma once
#include "libdem/state/bodies.hpp"

namespace dem::test {

inline Bodies make_bodies(std::size_t n, double mass = 1, double moment = 1) {
  Bodies b;
  for (auto* terms : {&b.position, &b.rotation})
    for (auto& r : *terms) r.assign(n, Vec3{});
  b.mass.assign(n, mass);
  b.moment.assign(n, moment);
  b.freedom.assign(n, free_in_plane);
  for (auto* v : {&b.applied_force, &b.applied_torque}) v->assign(n, Vec3{});
  for (auto* v : {&b.force, &b.torque, &b.evaluated_position, &b.evaluated_rotation, &b.evaluated_position_before,
                  &b.evaluated_rotation_before})
    v->assign(n, Vec3{});
  b.shape.assign(n, 0);
  b.group.assign(n, 0);
  b.name.resize(n);
  return b;
}

}  // namespace dem::test
