#include "libdem/state/cell_deformation.hpp"

#include "prelude.hpp"

BOOST_AUTO_TEST_CASE(a_sheared_and_stretched_cell) {
  const geometry::Cell earlier{.vectors = {Vec3{2, 0, 0}, Vec3{0, 4, 0}, Vec3{0, 0, 8}}},
      now{.vectors = {Vec3{2.5, 0, 0}, Vec3{1, 4, 0}, Vec3{0, 0, 6}}};
  const CellDeformation d = cell_deformation(now, earlier);
  const std::array<Vec3, 3> expected{Vec3{1.25, 0.25, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 0.75}};
  for (std::size_t r = 0; r < 3; ++r) BOOST_TEST((d.rows[r] == expected[r]), "row " << r);
  BOOST_TEST(d.size == 0.25 * std::sqrt(3.0), tolerance(1e-15));
  const geometry::Cell cell{.vectors = {Vec3{2, 0, 0}, Vec3{1, 4, 0}, Vec3{0, 0, 8}}};
  BOOST_TEST(cell_deformation(cell, cell).size == 0);
}
