// The program contains LAMMPS, which is under GPL-2 only, so it must not contain CGAL, which is under GPL-3. These are
// the functions of geometry/cgal. The linker takes them from here and leaves that room out.
#include "geometry/error.hpp"
#include "geometry/outlines.hpp"
#include "geometry/overlap.hpp"
#include "geometry/predicates.hpp"
#include "geometry/tessellation.hpp"

namespace dem::geometry {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw GeometryError(std::string(what) + " is not in dem-lammps: prepare the assembly with dem, or use dem run");
}

}  // namespace

double orientation_exact(Vec2, Vec2, Vec2) { refuse("exact orientation"); }
Outline simplified(const Outline&, double) { refuse("simplification of outlines"); }
void overlap_exact(const PlacedPolygon&, const PlacedPolygon&, Overlap&) { refuse("exact overlap"); }
double boolean_area_exact(const PlacedPolygon&, const PlacedPolygon&) { refuse("exact overlap"); }
Vec2 voronoi_size(const VoronoiInput&) { refuse("the generator of Voronoi cells"); }
std::vector<VoronoiCell> periodic_voronoi(const VoronoiInput&) { refuse("the generator of Voronoi cells"); }

}  // namespace dem::geometry
