// Tables of centres and radii.
#include <fmt/core.h>

#include "libdem/files/import_assembly.hpp"
#include "libdem/files/number_stream.hpp"

namespace dem {

ImportedAssembly parse_assembly_table(std::string_view text, const std::string& name) {
  NumberStream in(text, name);
  const int first = in.numbers_in_line();
  if (first < 2 || first > 4)
    in.refuse(in.at_end() ? "an empty file" : fmt::format("a line of {} columns", first),
              "lines `x y z r` (spheres) or `x y r` (discs), or DEMPLA's format, which begins with a line of one number");
  ImportedAssembly out;
  double edges[4];
  for (int k = 0; k < first; ++k) edges[k] = in.number("a number");
  const int columns = in.numbers_in_line();
  const bool has_cell = columns == first + 1 && (columns == 3 || columns == 4);
  if (first == 2 && !has_cell)
    in.refuse(fmt::format("a line of {} columns after one of two, the edges of a cell", columns), "lines `x y r`");
  out.shape = (has_cell ? columns : first) == 4 ? ShapeKind::sphere : ShapeKind::disc;
  const int width = out.shape == ShapeKind::sphere ? 4 : 3;
  const auto add = [&](const double* row) {
    ImportedAssembly::Particle& p = out.particles.emplace_back();
    p.position = {row[0], row[1], width == 4 ? row[2] : 0};
    p.radius = row[width - 1];
    if (!(p.radius > 0)) in.refuse(fmt::format("the radius {}", p.radius), "a radius > 0");
  };
  if (has_cell) {
    for (int k = 0; k < first; ++k)
      if (!(edges[k] > 0)) in.refuse(fmt::format("the edge {} of the cell", edges[k]), "edges > 0");
    out.cell = {Vec3{edges[0], 0, 0}, Vec3{0, edges[1], 0}, Vec3{0, 0, first == 3 ? edges[2] : 1}};
  } else {
    add(edges);
  }
  while (!in.at_end()) {
    const int found = in.numbers_in_line();
    if (found != width) in.refuse(fmt::format("a line of {} columns", found), width == 4 ? "four, `x y z r`" : "three, `x y r`");
    double row[4];
    for (int k = 0; k < width; ++k) row[k] = in.number("a number");
    add(row);
  }
  return out;
}

}  // namespace dem
