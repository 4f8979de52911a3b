#include "libdem/files/overlap_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "geometry/contact_plane.hpp"
#include "geometry/outlines.hpp"
#include "libdem/files/file_error.hpp"

namespace dem {
namespace {

using namespace geometry;

/// A polygon ready for the overlap: coordinates as given, counter-clockwise.
struct Body {
  Outline outline;
  Box box;
  Vec2 centroid;
  PlacedPolygon placed() const { return {.vertices = outline, .box = box, .convex = false}; }
};

std::vector<Grain> read(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) throw FileError(fmt::format("{}: the file does not exist", file.string()));
  return read_grains(file);
}

Body body(Outline outline, std::size_t holes, bool fill_holes) {
  if (holes > 0 && !fill_holes)
    throw GeometryError(fmt::format("has {} hole{}; take outer rings only with --fill-holes", holes, holes > 1 ? "s" : ""));
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

void write_disjoint_row(const std::string& id, std::FILE* out) {
  fmt::print(out, "{}\t0\t0", id);
  for (std::size_t k = 0; k < 3 + contact_planes.size(); ++k) fmt::print(out, "\tnan");
  fmt::print(out, "\n");
}

/// Pairs (first < second) whose boxes meet, in order: a sweep over the boxes in x.
std::vector<std::pair<std::size_t, std::size_t>> candidate_pairs(const std::vector<Body>& bodies) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return bodies[a].box.low.x < bodies[b].box.low.x; });
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::size_t m = k + 1; m < order.size() && bodies[order[m]].box.low.x <= bodies[order[k]].box.high.x; ++m)
      if (bodies[order[k]].box.overlaps(bodies[order[m]].box)) pairs.push_back(std::minmax(order[k], order[m]));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

void write_overlaps_of_pairs(const std::filesystem::path& file, const OverlapTableOptions& options, std::FILE* out) {
  struct Pair {
    std::string id;
    Body i, j;
  };
  std::vector<Pair> pairs;
  // A pair is a line of outlines that has its first polygon in the place of the name.
  for (Grain& line : read(file)) {
    const auto refuse = [&](int which, const GeometryError& error) {
      throw GeometryError(
          fmt::format("{}:{}: polygon {} of pair '{}': {}", file.string(), line.line, which, line.id, error.what()));
    };
    Pair pair{.id = line.id, .i = {}, .j = {}};
    if (line.name.empty())
      throw GeometryError(fmt::format("{}:{}: pair '{}' has one polygon; expected id<TAB>POLYGON((...))<TAB>POLYGON((...))",
                                      file.string(), line.line, line.id));
    try {
      Grain first = parse_wkt_polygon(line.name);
      pair.i = body(std::move(first.outline), first.holes.size(), options.fill_holes);
    } catch (const GeometryError& error) {
      refuse(1, error);
    }
    try {
      pair.j = body(std::move(line.outline), line.holes.size(), options.fill_holes);
    } catch (const GeometryError& error) {
      refuse(2, error);
    }
    pairs.push_back(std::move(pair));
  }
  write_header(out);
  Overlap overlap;
  for (const Pair& pair : pairs) {
    options.overlap(pair.i.placed(), pair.j.placed(), overlap);
    if (overlap.components.empty()) write_disjoint_row(pair.id, out);
    else write_rows(pair.id, overlap, pair.j.centroid - pair.i.centroid, out);
  }
}

void write_overlaps_of_all_pairs(const std::filesystem::path& file, const OverlapTableOptions& options, std::FILE* out) {
  std::vector<Body> bodies;
  std::vector<std::string> ids;
  for (Grain& grain : read(file)) {
    try {
      bodies.push_back(body(std::move(grain.outline), grain.holes.size(), options.fill_holes));
    } catch (const GeometryError& error) {
      throw GeometryError(fmt::format("{}:{}: outline '{}': {}", file.string(), grain.line, grain.id, error.what()));
    }
    ids.push_back(std::move(grain.id));
  }
  write_header(out);
  Overlap overlap;
  for (const auto& [i, j] : candidate_pairs(bodies)) {
    options.overlap(bodies[i].placed(), bodies[j].placed(), overlap);
    if (!overlap.components.empty())
      write_rows(fmt::format("{}-{}", ids[i], ids[j]), overlap, bodies[j].centroid - bodies[i].centroid, out);
  }
}

}  // namespace dem
