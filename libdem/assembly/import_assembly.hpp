// Assemblies from files of other programs: DEMPLA's start files (import_dempla.hpp) and tables of centres and radii
// (import_table.hpp).
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/case.hpp"
#include "libdem/measure/packing.hpp"

namespace dem {

/// Everything in the unit of the file.
struct ImportedAssembly {
  struct Particle {
    double radius = 0;       ///< of a disc or a sphere; clusters: the factor of `unit_spheres`
    Vec3 position;           ///< may lie outside the cell
    Quaternion orientation;  ///< clusters
    int line = 0;            ///< of a table; 0: DEMPLA's numbers may stand in any line
  };
  ShapeKind shape = ShapeKind::sphere;      ///< disc, sphere or cluster
  std::vector<ClusterSphere> unit_spheres;  ///< clusters: of a particle of scaling radius 1
  std::vector<Particle> particles;
  std::optional<std::array<Vec3, 3>> cell;  ///< columns; upper triangular. None: the file says nothing of a cell
  int dimension() const { return shape == ShapeKind::disc ? 2 : 3; }
};

/// Reads either format, plain or .gz. A file that begins with a line of one number is DEMPLA's, any other a table.
/// Throws FileError: file, line, what was found and what is wanted.
ImportedAssembly read_assembly_file(const std::filesystem::path&);

/// Start file ("D-file") of DEMPLA (M. R. Kuhn): a stream of numbers. Shapes: 1 discs, 4 spheres, 7 sphere clusters;
/// the others are refused by name. `name` of the file in messages. Throws FileError.
ImportedAssembly parse_dempla(std::string_view text, const std::string& name);

/// A line a sphere, `x y z r`, or a disc, `x y r`, with blanks, commas, semicolons or tabs between the numbers. A
/// header line of these letters (r: also radius) may tell another order. The first line of numbers may be the edges of
/// the periodic cell instead: one number less than the lines after it. Throws FileError.
ImportedAssembly parse_assembly_table(std::string_view text, const std::string& name);

/// The bodies as a case lists them, in metres, and the cell where the file has one: size and tilt (xy, xz, yz).
/// `scale`: metres per unit.
struct ImportedBodies {
  std::vector<BodySpec> bodies;
  std::optional<Vec3> cell_size;
  Vec3 cell_tilt;
};
ImportedBodies bodies_of(const ImportedAssembly&, double scale);

/// What measure/packing.hpp needs, in the unit of the file. Without a cell in the file: nothing is periodic.
PackingInput packing_of(const ImportedAssembly&);

}  // namespace dem
