// Real grain outlines: files of WKT polygons, and the steps that turn them into bodies.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/polygon.hpp"

namespace dem::geometry {

struct Grain {
  std::string id, name;        ///< first columns of the line; name may be empty
  Outline outline;             ///< outer ring as given, closing vertex removed
  std::vector<Outline> holes;  ///< inner rings
  int line = 0;                ///< line number in the file
};

/// One POLYGON((x y, …),(hole…)). Throws GeometryError with the expected text.
Grain parse_wkt_polygon(std::string_view text);

/// The text of a file, also of a .gz file. Throws GeometryError naming the file.
std::string read_outline_text(const std::filesystem::path&);

/// Calls visit(line, number) for each line that is neither blank nor a comment ('#' in the first column). Numbers count
/// from 1.
void for_each_outline_line(std::string_view text, const std::function<void(std::string_view, int)>& visit);

/// The columns of a line, without blanks and quotes around them. Tabs separate columns. A line without tabs is
/// separated by semicolons, a line without both by commas. Semicolons and commas within brackets or double quotes do
/// not separate.
std::vector<std::string_view> outline_columns(std::string_view line);

/// True for names of columns instead of a polygon: several columns, none empty, none with a bracket.
bool is_outline_header(const std::vector<std::string_view>& columns);

/// Reads lines `id<TAB>[name<TAB>]POLYGON((…))`. Semicolons or commas may stand for the tabs, and a header may come
/// first. `#` starts a comment line. The file may be .gz. Throws GeometryError with file and line.
std::vector<Grain> read_grains(const std::filesystem::path&);

/// Simplified to the tolerance (same unit as the outline; no vertex of the outline is farther than this from the
/// result), by CGAL polyline simplification; stays simple. 0: unchanged.
Outline simplified(const Outline&, double tolerance);

/// Scaled about its centroid.
Outline scaled_about_centroid(const Outline&, double factor);

}  // namespace dem::geometry
