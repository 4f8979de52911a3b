#include "validation/fcc_packing.hpp"

#include <numbers>
#include <vector>

namespace dem::validation {

Case fcc_packing(bool cubic, double spacing) {
  Case c;
  c.dimension = 3;
  c.periodic = {true, true, true};
  const double cube = std::numbers::sqrt2 * spacing;
  const int nx = cubic ? 3 : 4, ny = nx, nz = 3;
  const Vec3 unit = cubic ? Vec3{cube, cube, cube} : Vec3{spacing, spacing, cube};
  const std::vector<Vec3> basis = cubic ? std::vector<Vec3>{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}
                                        : std::vector<Vec3>{{0, 0, 0}, {0.5, 0.5, 0.5}};
  c.cell_size = {nx * unit.x, ny * unit.y, nz * unit.z};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        for (const Vec3 b : basis) {
          BodySpec body;
          body.shape = ShapeKind::sphere;
          body.radius = 0.5;
          body.position = {(i + b.x + 0.25) * unit.x, (j + b.y + 0.25) * unit.y, (k + b.z + 0.25) * unit.z};
          c.assembly.bodies.push_back(body);
        }
  c.material.density = 6 / std::numbers::pi;
  return c;
}

}  // namespace dem::validation
