// What `dem overlap` reads and prints: polygons as WKT lines, overlaps as a tab-separated table.
#pragma once
#include <cstdio>
#include <filesystem>

#include "geometry/overlap.hpp"

namespace dem {

struct OverlapTableOptions {
  geometry::OverlapFunction overlap = geometry::overlap_fast;
  bool fill_holes = false;  ///< take outer rings only; otherwise a polygon with holes is refused by name
};

/// Lines `id<TAB>POLYGON((…))<TAB>POLYGON((…))`: rows for every pair, one with component 0 for a pair that does not
/// overlap. Columns: id component area centroid_x centroid_y perimeter and the angle (rad, in (−π/2, π/2]) of every
/// contact plane, 17 significant digits, `nan` where undefined. The branch of the edge definitions joins the centroids
/// of the polygons. Throws FileError without the file, GeometryError with file and line for a polygon that cannot be
/// used.
void write_overlaps_of_pairs(const std::filesystem::path& file, const OverlapTableOptions&, std::FILE* out);

/// Lines `id<TAB>[name<TAB>]POLYGON((…))`: rows for the pairs that overlap, in the order of the file, with id
/// `first-second`.
void write_overlaps_of_all_pairs(const std::filesystem::path& file, const OverlapTableOptions&, std::FILE* out);

}  // namespace dem
