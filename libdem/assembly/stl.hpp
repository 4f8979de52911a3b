// Surfaces of triangles from STL files, ASCII and binary.
#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/vector.hpp"

namespace dem {

using Triangle = std::array<Vec3, 3>;  ///< counter-clockwise, seen from the side of the normal

/// Reads either kind; `scale` is m per unit of the file. The content decides which kind it is, not the first word.
/// Vertices closer than 1e-9 of the surface's size become bitwise equal to the first. Throws FileError with the line
/// (ASCII) or the number of the facet, from 1. Errors are a truncated file, a wrong word or number, a facet without
/// area, and a normal that points to the other side. So are an edge without exactly two facets, and two facets that
/// pass an edge in the same sense.
std::vector<Triangle> read_stl(const std::filesystem::path&, double scale = 1);

/// Reads the bytes of a file. `name` is the name of the file in messages.
std::vector<Triangle> parse_stl(std::string_view bytes, const std::string& name, double scale = 1);

}  // namespace dem
