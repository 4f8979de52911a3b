// Rows of the schema: where the bodies come from.
#include "libdem/case/ranges.hpp"
#include "libdem/case/schema.hpp"

namespace dem::case_file {
namespace {
// These reach into the part of an AssemblyDraft that one generator uses.
template <class V>
auto of_voronoi(V geometry::VoronoiInput::*member) {
  return [member](auto& draft) -> auto& { return draft.voronoi.*member; };
}
template <class V>
auto of_grains(V GrainsSpec::*member) {
  return [member](auto& draft) -> auto& { return draft.grains.*member; };
}
template <class V>
auto of_lattice(V LatticeSpec::*member) {
  return [member](auto& draft) -> auto& { return draft.lattice.*member; };
}
template <class V>
auto of_random(V RandomSpec::*member) {
  return [member](auto& draft) -> auto& { return draft.random.*member; };
}
template <class V>
auto of_rain(V RainSpec::*member) {
  return [member](auto& draft) -> auto& { return draft.rain.*member; };
}
/// Sizes of the chosen generator.
template <class V>
auto of_sizes(V SizeDistribution::*member) {
  return [member](auto& draft) -> auto& {
    return draft.generator == Generator::rain ? draft.rain.*member : draft.random.*member;
  };
}
template <class V>
auto of_import(V ImportSpec::*member) {
  return [member](auto& draft) -> auto& { return draft.import.*member; };
}
const std::vector<std::string> voronoi{"voronoi"}, grains{"grains"}, lattice{"lattice"}, random{"random"}, rain{"rain"},
    import{"import"}, sized{"random", "rain"};
}  // namespace

const Section<AssemblyDraft>& assembly_section() {
  using T = AssemblyDraft;
  using V = geometry::VoronoiInput;
  using G = GrainsSpec;
  using L = LatticeSpec;
  using R = RandomSpec;
  using N = RainSpec;
  using S = SizeDistribution;
  static const Section<T> section{
      "assembly",
      "Source of the bodies: a generator, and the bodies listed as [[body]].",
      {
          field<T>("generator", &T::generator, "", {}, "Generator of the bodies."),
          field<T>("largest_start_overlap", &T::largest_start_overlap, "", Range{0, 1},
                   "Largest overlap allowed at the start, as a fraction of the smaller body's equivalent diameter."),

          field<T>("columns", of_voronoi(&V::columns), "", Range{3, 1e5}, "Sites along x.").only(voronoi),
          field<T>("rows", of_voronoi(&V::rows), "", Range{1, 1e5},
                   "Sites along y; with plates the first and the last row are the plates.")
              .only(voronoi),
          field<T>("spacing", of_voronoi(&V::spacing), "m", within::length, "Distance of the lattice sites.")
              .only(voronoi),
          field<T>("disorder", of_voronoi(&V::disorder), "", Range{0, 1, false, true},
                   "Each site is displaced uniformly within ± disorder/2 of the spacing in x and y.")
              .only(voronoi),
          field<T>(
              "elongation", of_voronoi(&V::elongation), "", Range{0.1, 10},
              "Cells are stretched along x by the square root of this and along y by its inverse: their areas stay.")
              .only(voronoi),
          field<T>("solid_fraction", of_voronoi(&V::solid_fraction), "", Range{0, 1, true, false},
                   "Each cell is scaled about its centroid by the square root of this.")
              .only(voronoi),
          field<T>("seed", of_voronoi(&V::seed), "", within::seed, "Seed of the displacements.").only(voronoi),

          field<T>("file", of_grains(&G::file), "", {},
                   "Outlines, one per line: id, name, POLYGON((x y, …)). The file may be .gz.")
              .only(grains)
              .require(),
          field<T>("scale", of_grains(&G::scale), "m", within::length, "Metres per unit of the file.").only(grains),
          field<T>("simplify", of_grains(&G::simplify), "", or_zero(within::length),
                   "Outlines are simplified within this tolerance, in the file's unit. 0: as they are.")
              .only(grains),
          field<T>("shrink", of_grains(&G::shrink), "", Range{0, 1, true, false},
                   "Factor of each outline about its centroid.")
              .only(grains),
          field<T>("shrink_until_free", of_grains(&G::shrink_until_free), "", {},
                   "Shrink all outlines by 1 % at a time until no overlap exceeds largest_start_overlap.")
              .only(grains),
          field<T>("fill_holes", of_grains(&G::fill_holes), "", {},
                   "Fill holes of outlines; otherwise they are refused by name.")
              .only(grains),
          field<T>("flip_y", of_grains(&G::flip_y), "", {}, "Mirror y: files in pixels count y downwards.")
              .only(grains),

          field<T>("shape", of_lattice(&L::shape), "", std::vector<std::string_view>{"disc", "polygon"},
                   "Discs or regular polygons.")
              .only(lattice),
          field<T>("columns", of_lattice(&L::columns), "", Range{1, 1e5}, "Bodies along x.").only(lattice).require(),
          field<T>("rows", of_lattice(&L::rows), "", Range{1, 1e5}, "Bodies along y.").only(lattice).require(),
          field<T>("sides", of_lattice(&L::sides), "", Range{3, 1000}, "Sides of a polygon.").only(lattice),
          field<T>("radius", of_lattice(&L::radius), "m", within::length,
                   "Radius of a disc, or of the circle of a polygon's area.")
              .only(lattice),
          field<T>("elongation", of_lattice(&L::elongation), "", within::stretch,
                   "Stretch of a polygon along its x axis; its y axis shrinks by as much.")
              .only(lattice),
          field<T>("spacing", of_lattice(&L::spacing), "m", within::length, "Distance of neighbouring centres.")
              .only(lattice),
          field<T>("hexagonal", of_lattice(&L::hexagonal), "", {}, "Hexagonal lattice; false: square.").only(lattice),
          field<T>("angle", of_lattice(&L::angle), "rad", within::angle, "Angle of every body.").only(lattice),
          field<T>("random_angle", of_lattice(&L::random_angle), "rad", Range{0, 1e3},
                   "A random angle, uniform within ± this, is added to each.")
              .only(lattice),
          field<T>("seed", of_lattice(&L::seed), "", within::seed, "Seed of the random angles.").only(lattice),

          field<T>("shape", of_random(&R::shape), "", {},
                   "Discs or regular polygons; with dimension = 3 spheres or clusters.")
              .only(random)
              .require(),
          field<T>("count", of_random(&R::count), "", Range{1, 1e9},
                   "Number of bodies. More than 20 000 are numbered by place.")
              .only(random)
              .require(),
          field<T>("distribution", of_sizes(&S::distribution), "",
                   std::vector<std::string_view>{"uniform", "log-normal", "log-normal-by-mass", "power-law", "grades"},
                   "Distribution of the radius. uniform: within radius ± spread. log-normal: median radius and "
                   "standard deviation `spread` of ln r. log-normal-by-mass: a grading curve with median_diameter and "
                   "uniformity. power-law: density ~ r^−exponent. grades: shares by number of listed radii.")
              .only(sized),
          field<T>("radius", of_sizes(&S::radius), "m", within::length,
                   "Mean or median radius: for a polygon of the circle of its area, for a cluster the factor of its "
                   "`spheres`.")
              .only(sized),
          field<T>("spread", of_sizes(&S::spread), "", Range{0, 1e9},
                   "Half width (uniform, m) or standard deviation of ln r (log-normal).")
              .only(sized),
          field<T>("smallest", of_sizes(&S::smallest), "m", or_zero(within::length),
                   "Smallest radius of log-normal and power-law.")
              .only(sized),
          field<T>("largest", of_sizes(&S::largest), "m", or_zero(within::length),
                   "Largest radius of log-normal and power-law. 0: no bound (log-normal).")
              .only(sized),
          field<T>("exponent", of_sizes(&S::exponent), "", Range{-20, 20}, "Exponent of the power law.").only(sized),
          field<T>("grade_radii", of_sizes(&S::grade_radii), "m", within::length, "Radii of the grades.").only(sized),
          field<T>("grade_shares", of_sizes(&S::grade_shares), "", within::ratio,
                   "Share of each grade, by number of bodies; they need not add up to 1.")
              .only(sized),
          field<T>("median_diameter", of_sizes(&S::median_diameter), "m", within::length,
                   "D50 of log-normal-by-mass: half the mass is in smaller bodies.")
              .only(sized)
              .by_default("required for log-normal-by-mass")
              .if_unusual(),
          field<T>("uniformity", of_sizes(&S::uniformity), "", Range{1, 1e3},
                   "C_u = D60/D10 of log-normal-by-mass. 1: equal bodies.")
              .only(sized)
              .by_default("required for log-normal-by-mass")
              .if_unusual(),
          field<T>("cut", of_sizes(&S::cut), "", Range{0.01, 100},
                   "log-normal-by-mass: no diameter beyond D50 e^(± cut s), s the standard deviation of ln D; a cut at "
                   "3 lowers C_u by below 1 %.")
              .only(sized)
              .if_unusual(),
          field<T>("sides", of_random(&R::sides), "", Range{3, 1000}, "Sides of a polygon.").only(random).in_plane(),
          field<T>("elongation", of_random(&R::elongation), "", within::stretch,
                   "Stretch of a polygon along its x axis, before a random turn; its y axis shrinks by as much.")
              .only(random)
              .in_plane(),
          field<T>("spheres", of_random(&R::cluster), "", within::coordinate,
                   "Spheres of a cluster of scaling radius 1.")
              .only(random)
              .in_space()
              .if_unusual(),
          field<T>("void_ratio", of_random(&R::void_ratio), "", Range{1e-3, 1e6},
                   "Void ratio at the start; the cell takes the size that gives it, unless cell.size is given.")
              .only(random),
          field<T>("seed", of_random(&R::seed), "", within::seed, "Seed of sizes, places and turns.").only(random),

          field<T>("columns", of_rain(&N::columns), "", Range{1, 1e5}, "Spheres of a layer along x.")
              .only(rain)
              .require(),
          field<T>("rows", of_rain(&N::rows), "", Range{1, 1e5}, "Spheres of a layer along y.").only(rain).require(),
          field<T>("layers", of_rain(&N::layers), "", Range{0, 1e6},
                   "Layers, one above the other along z. 0: as many as count needs.")
              .only(rain),
          field<T>("count", of_rain(&N::count), "", Range{0, 1e9},
                   "Number of spheres; the last layer may be incomplete. 0: full layers.")
              .only(rain),
          field<T>("pitch", of_rain(&N::pitch), "m", or_zero(within::length),
                   "Distance of neighbouring places of a layer. 0: four times the largest radius.")
              .only(rain),
          field<T>("layer_spacing", of_rain(&N::layer_spacing), "m", or_zero(within::length),
                   "Distance of layers. 0: 2.04 times the largest radius.")
              .only(rain),
          field<T>("jitter", of_rain(&N::jitter), "", Range{0, 1e3},
                   "Each sphere is moved off its place along x and along y, evenly within ± this share of the largest "
                   "radius.")
              .only(rain),
          field<T>("centre", of_rain(&N::centre), "m", within::coordinate, "Centre of the layers in plan.").only(rain),
          field<T>("lowest", of_rain(&N::lowest), "m", within::coordinate,
                   "Height z of the centres of the lowest layer.")
              .only(rain),
          field<T>("width", of_rain(&N::width), "m", or_zero(within::length),
                   "Plan area about `centre`, along x and y, into which all spheres must fit. 0: that of the cell "
                   "where it is periodic, of the shear box, or of the upright walls around the lowest layer; else any.")
              .only(rain),
          field<T>("seed", of_rain(&N::seed), "", within::seed, "Seed of sizes and places.").only(rain),

          field<T>("file", of_import(&ImportSpec::file), "", {},
                   "Start file of DEMPLA (discs, spheres, sphere clusters), or a table of `x y z r` (in the plane `x y "
                   "r`). The file may be .gz.")
              .only(import)
              .require(),
          field<T>("scale", of_import(&ImportSpec::scale), "m", within::length, "Metres per unit of the file.")
              .only(import),
      },
      "generator"};
  return section;
}

}  // namespace dem::case_file
