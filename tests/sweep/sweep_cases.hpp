// Small cases for tests of sweeps.
#pragma once
#include "prelude.hpp"

namespace dem::test {

/// Two discs, one held, the other pushed along x and guided; relaxes within some hundred contact times.
inline std::string two_discs(const std::string& more = "") {
  return R"(format = 1
title = "two"
time.step = 1e-3
body = [{name = "held", shape = "disc", radius = 0.5, position = [0.0, 0.0], fixed = ["x", "y", "rotation"]},
        {name = "pushed", shape = "disc", radius = 0.5, fixed = ["y"], force = [-4e-4, 0.0], position = [
         0.7071067811864768, 0.7071067811864768]}]
stage = [{name = "rest", duration = 1.0}]
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.3333333333333333
friction = 500.0
restitution = 0.9
)" + more;
}

/// 12 polygons between plates under shear.
inline std::string small_cell() {
  return R"(format = 1
assembly = {generator = "voronoi", columns = 4, rows = 5, seed = 1, solid_fraction = 0.9}
plates.from_rows = true
material = {normal_stiffness = 400, tangential_stiffness_ratio = 0.3333333333333333, friction = 0.5, restitution = 0.9}
time.step = 0.003
stage = [{name = "compress", normal = "move-to-height", height = 3.9, plate_speed = 0.2, until_target = true},
         {name = "shear", shear_rate = 0.05, strain = 0.05}]
output.series_interval = 0.02
)";
}

}  // namespace dem::test
