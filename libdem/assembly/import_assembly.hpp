// Assemblies from files of other programs: DEMPLA's start files, and tables of centres and radii.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/assembly/generators.hpp"

namespace dem {

/// An assembly in the unit of its file.
struct ImportedAssembly {
  struct Particle {
    double radius = 0;       ///< of a disc or a sphere, or the factor of `unit_spheres`
    Vec3 position;           ///< may lie outside the cell
    Quaternion orientation;  ///< clusters
    int line = 0;            ///< of a table; 0 for DEMPLA, whose numbers may stand in any line
  };
  ShapeKind shape = ShapeKind::sphere;      ///< disc, sphere or cluster
  std::vector<ClusterSphere> unit_spheres;  ///< spheres of a cluster with scaling radius 1
  std::vector<Particle> particles;
  std::optional<std::array<Vec3, 3>> cell;  ///< columns, upper triangular; none where the file has no cell
  int dimension() const { return shape == ShapeKind::disc ? 2 : 3; }
};

/// Reads either format, plain or .gz. A file that begins with a line of one number is DEMPLA's, any other a table.
/// Throws FileError with file, line, what was found and what is expected.
ImportedAssembly read_assembly_file(const std::filesystem::path&);

/// Start file ("D-file") of DEMPLA (M. R. Kuhn), a stream of numbers. Shapes are 1 discs, 4 spheres and 7 sphere
/// clusters. Other shapes are refused by name. `name` is the name of the file in messages. Throws FileError.
ImportedAssembly parse_dempla(std::string_view text, const std::string& name);

/// One line per sphere, `x y z r`, or per disc, `x y r`. Blanks, commas, semicolons or tabs separate the numbers. A
/// header line of these letters (r: also radius) may give another order. The first line of numbers may be the edges of
/// the periodic cell: it then has one number less than the other lines. Throws FileError.
ImportedAssembly parse_assembly_table(std::string_view text, const std::string& name);

/// Adds the bodies as a case lists them (m), and sets the cell if the file has one. `scale`: metres per unit of the
/// file.
void add_bodies(const ImportedAssembly&, double scale, GeneratedBodies& out);

}  // namespace dem
