// Surfaces of triangles from STL files, ASCII and binary.
#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/vector.hpp"

namespace dem {

using Triangle = std::array<Vec3, 3>;  ///< counter-clockwise, seen from the side to which its normal points

struct StlChoice {
  double scale = 1;         ///< m per unit of the file
  bool allow_open = false;  ///< edges of one facet are allowed: the surface has a rim
};

/// Reads either kind; one is told from the other by what the file holds, not by its first word. Vertices closer than
/// 1e-9 of the surface's size become the same bits, those of the first. Throws FileError, with the line (ASCII) or the
/// number of the facet, from 1: a truncated file, what is no number or not the word that belongs there, a facet without
/// area or whose stated normal points to the other side, an edge that does not belong to two facets, two facets that
/// run along an edge in the same sense.
std::vector<Triangle> read_stl(const std::filesystem::path&, const StlChoice& = {});

/// The same from the bytes of a file; `name` of the file in messages.
std::vector<Triangle> parse_stl(std::string_view bytes, const std::string& name, const StlChoice& = {});

}  // namespace dem
