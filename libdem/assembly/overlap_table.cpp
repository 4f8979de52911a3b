#include "libdem/assembly/overlap_table.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

#include "geometry/contact_plane.hpp"
#include "geometry/outlines.hpp"
#include "geometry/printable.hpp"
#include "libdem/platform/file_error.hpp"

namespace dem {
namespace {

using namespace geometry;

/// A polygon ready for the overlap: given coordinates, counter-clockwise.
struct Body {
  Outline outline;
  Box box;
  Vec2 centroid;
  PlacedPolygon placed() const { return {.vertices = outline, .box = box, .convex = false}; }
};

void require(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    throw FileError(fmt::format("{}: {}", file.string(), error ? error.message() : "the file does not exist"));
  if (!std::filesystem::is_regular_file(file, error)) throw FileError(fmt::format("{}: is not a file", file.string()));
  if (!std::ifstream(file)) throw FileError(fmt::format("{}: {}", file.string(), std::strerror(errno)));
}

Body body(Outline outline, std::size_t holes, bool fill_holes) {
  if (holes > 0 && !fill_holes)
    throw GeometryError(
        fmt::format("has {} hole{}; take outer rings only with --fill-holes", holes, holes > 1 ? "s" : ""));
  Body b;
  b.outline = counter_clockwise(std::move(outline));
  b.box = bounding_box(b.outline);
  b.centroid = area_properties(b.outline).centroid;
  return b;
}

std::string number(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.17g}", value + 0.0); }

void write_header(std::FILE* out) {
  fmt::print(out, "id\tcomponent\tarea\tcentroid_x\tcentroid_y\tperimeter");
  for (const ContactPlaneEntry& entry : contact_planes) fmt::print(out, "\t{}", entry.name);
  fmt::print(out, "\n");
}

void write_rows(const std::string& id, const Overlap& overlap, Vec2 branch, std::FILE* out) {
  for (std::size_t k = 0; k < overlap.components.size(); ++k) {
    const OverlapComponent& c = overlap.components[k];
    fmt::print(out, "{}\t{}\t{}\t{}\t{}\t{}", id, k + 1, number(c.area), number(c.centroid.x), number(c.centroid.y),
               number(c.perimeter));
    for (const ContactPlaneEntry& entry : contact_planes)
      fmt::print(out, "\t{}", number(contact_plane_angle(entry.plane, overlap, c, branch)));
    fmt::print(out, "\n");
  }
}

}  // namespace

void write_overlaps_of_pairs(const std::filesystem::path& file, const OverlapTableOptions& options, std::FILE* out) {
  struct Pair {
    std::string id;
    Body i, j;
  };
  std::vector<Pair> pairs;
  bool first = true;
  require(file);
  for_each_outline_line(read_outline_text(file), [&](std::string_view line, int number) {
    const std::string where = fmt::format("{}:{}", file.string(), number);
    const auto columns = outline_columns(line);
    if (std::exchange(first, false) && is_outline_header(columns)) return;
    if (columns.size() != 3 || columns[0].empty())
      throw GeometryError(
          fmt::format("{}: expected a pair, id<TAB>POLYGON((x y, ...))<TAB>POLYGON((x y, ...)) (or with commas or "
                      "semicolons), found {} column{}",
                      where, columns.size(), columns.size() == 1 ? "" : "s"));
    Pair pair{.id = std::string(columns[0]), .i = {}, .j = {}};
    const auto read = [&](int which, std::string_view text) {
      try {
        Grain polygon = parse_wkt_polygon(text);
        return body(std::move(polygon.outline), polygon.holes.size(), options.fill_holes);
      } catch (const GeometryError& error) {
        throw GeometryError(
            fmt::format("{}: polygon {} of pair '{}': {}", where, which, printable(pair.id), error.what()));
      }
    };
    pair.i = read(1, columns[1]);
    pair.j = read(2, columns[2]);
    pairs.push_back(std::move(pair));
  });
  if (pairs.empty()) throw GeometryError(fmt::format("{}: holds no pair", file.string()));
  write_header(out);
  Overlap overlap;
  for (const Pair& pair : pairs) {
    options.overlap(pair.i.placed(), pair.j.placed(), overlap);
    write_rows(pair.id, overlap, pair.j.centroid - pair.i.centroid, out);
    if (!overlap.components.empty()) continue;
    fmt::print(out, "{}\t0\t0", pair.id);
    for (std::size_t k = 0; k < 3 + contact_planes.size(); ++k) fmt::print(out, "\tnan");
    fmt::print(out, "\n");
  }
}

void write_overlaps_of_all_pairs(const std::filesystem::path& file, const OverlapTableOptions& options,
                                 std::FILE* out) {
  std::vector<Body> bodies;
  std::vector<Box> boxes;
  std::vector<std::string> ids;
  std::map<std::string, int> lines;
  require(file);
  for (Grain& grain : read_grains(file)) {
    if (const auto [first, is_new] = lines.emplace(grain.id, grain.line); !is_new)
      throw GeometryError(fmt::format("{}:{}: id '{}' is that of line {} already; ids name the pairs and must differ",
                                      file.string(), grain.line, printable(grain.id), first->second));
    try {
      bodies.push_back(body(std::move(grain.outline), grain.holes.size(), options.fill_holes));
      boxes.push_back(bodies.back().box);
    } catch (const GeometryError& error) {
      throw GeometryError(
          fmt::format("{}:{}: outline '{}': {}", file.string(), grain.line, printable(grain.id), error.what()));
    }
    ids.push_back(std::move(grain.id));
  }
  write_header(out);
  Overlap overlap;
  for (const auto& [i, j] : meeting_boxes(boxes)) {
    options.overlap(bodies[i].placed(), bodies[j].placed(), overlap);
    write_rows(fmt::format("{}-{}", ids[i], ids[j]), overlap, bodies[j].centroid - bodies[i].centroid, out);
  }
}

}  // namespace dem
