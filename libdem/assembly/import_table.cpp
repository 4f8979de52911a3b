// Tables of centres and radii.
#include <fmt/format.h>

#include <array>

#include "geometry/printable.hpp"
#include "libdem/assembly/import_assembly.hpp"
#include "libdem/platform/number_stream.hpp"

namespace dem {
namespace {

/// Places in the line of the columns x, y, z, r, as the header gives them. −1 for a missing column.
std::array<int, 4> places_in(const std::vector<std::string>& names, const NumberStream& in) {
  std::array<int, 4> place{-1, -1, -1, -1};
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string name = names[k];
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
    const auto at = name == "radius"   ? 3
                    : name.size() == 1 ? std::string_view("xyzr").find(name)
                                       : std::string_view::npos;
    if (at == std::string_view::npos || place[at] >= 0)
      in.refuse(fmt::format("the column '{}'{}", printable(names[k]), at == std::string_view::npos ? "" : " twice"),
                "a header of the columns x, y, z (of spheres) and r or radius, each once");
    place[at] = int(k);
  }
  if (place[0] < 0 || place[1] < 0 || place[3] < 0)
    in.refuse(fmt::format("a header of the columns {}", printable(fmt::format("{}", fmt::join(names, ", ")))),
              "the columns x, y, z (of spheres) and r or radius");
  return place;
}

/// Three or four numbers with decimal commas would be read as twice as many.
std::string columns_text(int count) {
  return count == 1 ? "a line of one column"
                    : fmt::format("a line of {} columns{}", count,
                                  count == 6 || count == 8 ? " (with decimal commas? numbers have points)" : "");
}

}  // namespace

ImportedAssembly parse_assembly_table(std::string_view text, const std::string& name) {
  constexpr std::string_view rows =
      "lines `x y z r` (spheres) or `x y r` (discs), or DEMPLA's format, which begins with a line of one number";
  NumberStream in(text, name);
  if (in.at_end()) in.refuse("an empty file", rows);
  ImportedAssembly out;
  std::array<int, 4> place{0, 1, 2, 3};
  int width = 0;
  if (const auto names = in.header(); !names.empty()) {
    place = places_in(names, in);
    width = int(names.size());
  }
  // A first line with one number less than the next line has the edges of the cell.
  int count = in.numbers_in_line();
  if (count < 2 || count > 4) in.refuse(in.at_end() ? "a header without a line after it" : columns_text(count), rows);
  double first[4];
  for (int k = 0; k < count; ++k) first[k] = in.number("a number");
  const int first_line = in.line(), next = in.numbers_in_line();
  const bool has_cell = width > 0 ? count == width - 1 : next == count + 1 && next <= 4;
  if (width == 0) width = has_cell ? next : count;
  if (width == 2)
    in.refuse(fmt::format("{} after one of two, the edges of a cell", next == 0 ? "nothing" : columns_text(next)),
              "lines `x y r`");
  if (width == 3 && place[2] == 2) place = {0, 1, -1, 2};
  out.shape = width == 4 ? ShapeKind::sphere : ShapeKind::disc;
  const std::string wanted = width == 4 ? "four, `x y z r`" : "three, `x y r`";
  const auto add = [&](const double* row, int line) {
    ImportedAssembly::Particle& p = out.particles.emplace_back();
    p.position = {row[place[0]], row[place[1]], width == 4 ? row[place[2]] : 0};
    p.radius = row[place[3]];
    p.line = line;
    if (!(p.radius > 0)) in.refuse(fmt::format("the radius {}", p.radius), "a radius > 0", line);
  };
  if (has_cell) {
    for (int k = 0; k < count; ++k)
      if (!(first[k] > 0)) in.refuse(fmt::format("the edge {} of the cell", first[k]), "edges > 0", first_line);
    out.cell = {Vec3{first[0], 0, 0}, Vec3{0, first[1], 0}, Vec3{0, 0, count == 3 ? first[2] : 1}};
  } else if (count == width) {
    add(first, first_line);
  } else {
    in.refuse(columns_text(count), wanted, first_line);
  }
  while (!in.at_end()) {
    count = in.numbers_in_line();
    if (count != width) in.refuse(columns_text(count), wanted);
    double row[4];
    for (int k = 0; k < width; ++k) row[k] = in.number("a number");
    add(row, in.line());
  }
  if (out.particles.empty()) in.refuse("no line of a particle", wanted);
  return out;
}

}  // namespace dem
