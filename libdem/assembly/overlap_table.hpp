// Input and output of `dem overlap`: polygons as WKT lines, overlaps as a tab-separated table.
#pragma once
#include <cstdio>
#include <filesystem>

#include "geometry/overlap.hpp"

namespace dem {

struct OverlapTableOptions {
  geometry::OverlapFunction overlap = geometry::overlap_fast;
  bool fill_holes = false;  ///< take outer rings only; otherwise refuse polygons with holes
};

/// Reads lines `id<TAB>POLYGON((…))<TAB>POLYGON((…))` and writes rows for every pair. A pair without overlap has one
/// row with component 0. Columns are id, component, area, centroid_x, centroid_y, perimeter, and the angle of every
/// contact plane (rad, in (−π/2, π/2]). Numbers have 17 significant digits, `nan` where undefined. The branch of the
/// edge definitions joins the centroids of the polygons. Throws FileError without the file, and GeometryError with file
/// and line for a polygon that cannot be used.
void write_overlaps_of_pairs(const std::filesystem::path& file, const OverlapTableOptions&, std::FILE* out);

/// Reads lines `id<TAB>[name<TAB>]POLYGON((…))` and writes rows for the pairs that overlap, in the order of the file.
/// The id is `first-second`.
void write_overlaps_of_all_pairs(const std::filesystem::path& file, const OverlapTableOptions&, std::FILE* out);

}  // namespace dem
