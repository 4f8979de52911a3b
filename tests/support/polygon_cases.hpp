// Outlines and start positions of the polygon-dem reference, §4, §6 and §7.
#pragma once
#include "support/toml_tables.hpp"

namespace dem::test::pena2008 {

/// Centroids are at the origin. Body j starts at `start`, just touching.
struct PolygonPair {
  explicit PolygonPair(const TomlTable& t) : i(t.outline("i")), j(t.outline("j")), start(t.point("start")) {}
  geometry::Outline i, j;
  Vec2 start;
};

inline const TomlTable pairs = TomlTable::of_file("validation/pena2008/polygon_cases.toml");
/// The third pair of §7, those of the elongation test (§4) and of the energy loop (§6).
inline const PolygonPair third_pair{pairs.tables("pair").at(2)}, sliding_pair{{*pairs.table["elongation"].as_table()}},
    loop_pair{{*pairs.table["loop"].as_table()}};

}  // namespace dem::test::pena2008
