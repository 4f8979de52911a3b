// Rows of the schema: where the bodies come from.
#include <boost/mp11/algorithm.hpp>

#include "libdem/case/ranges.hpp"
#include "libdem/case/schema.hpp"

namespace dem::case_file {
namespace {
using T = CaseDraft;
using Rows = std::vector<Field<T>>;

/// The generator of a draft; in a constant draft of another one the defaults.
template <class G>
G& generator_of(T& draft) {
  return std::get<G>(draft.assembly.generator);
}
template <class G>
const G& generator_of(const T& draft) {
  static const G fresh;
  const G* own = draft.assembly.made_by<G>();
  return own ? *own : fresh;
}
/// Makes rows of keys of that generator.
template <class G>
auto rows_of() {
  return rows_in<T>([](auto& draft) -> auto& { return generator_of<G>(draft); });
}
/// Makes rows of sizes of the chosen generator.
template <class V>
Field<T> size_row(std::string name, V SizeDistribution::*member, std::string unit, Limits limits,
                  std::string description) {
  const auto access = [member](auto& draft) -> auto& {
    return draft.generator == Generator::rain ? generator_of<RainSpec>(draft).*member
                                              : generator_of<RandomSpec>(draft).*member;
  };
  return field<T>(std::move(name), access, std::move(unit), std::move(limits), std::move(description));
}
Field<T> generator_row() {
  Field<T> row = field<T>("generator", &T::generator, "", {}, "Generator of the bodies.");
  row.read = [read = row.read](const Value& value, T& out) {
    if (!read(value, out)) return false;
    auto& made = out.assembly.generator;
    if (made.index() == std::size_t(out.generator)) return true;  // its keys may have been read already
    boost::mp11::mp_with_index<std::variant_size_v<std::remove_cvref_t<decltype(made)>>>(
        std::size_t(out.generator), [&](auto number) { made.emplace<number>(); });
    return true;
  };
  return row;
}

bool by_mass(const T& draft) { return draft.sizes()->distribution == "log-normal-by-mass"; }

/// Adds rows that exist only with these generators.
void add(Rows& all, const std::vector<std::string>& generators, Rows rows) {
  for (Field<T>& row : rows) all.push_back(std::move(row).only(generators));
}
}  // namespace

const Section<CaseDraft>& assembly_section() {
  using V = geometry::VoronoiInput;
  using G = GrainsSpec;
  using L = LatticeSpec;
  using R = RandomSpec;
  using N = RainSpec;
  using S = SizeDistribution;
  static const Section<T> section = [] {
    const auto assembly = rows_in<T>(&T::assembly);
    const auto voronoi = rows_of<V>();
    const auto grains = rows_of<G>();
    const auto lattice = rows_of<L>();
    const auto random = rows_of<R>();
    const auto rain = rows_of<N>();
    const auto import = rows_of<ImportSpec>();
    Rows rows{
        generator_row(),
        assembly("largest_start_overlap", &Assembly::largest_start_overlap, "", Range{0, 1},
                 "Largest overlap allowed at the start, as a fraction of the smaller body's equivalent diameter.")};
    add(rows, {"voronoi"},
        {voronoi("columns", &V::columns, "", Range{3, 1e5}, "Sites along x."),
         voronoi("rows", &V::rows, "", Range{1, 1e5},
                 "Sites along y; with plates the first and the last row are the plates."),
         voronoi("spacing", &V::spacing, "m", within::length, "Distance of the lattice sites."),
         voronoi("disorder", &V::disorder, "", Range{0, 1, false, true},
                 "Each site is displaced uniformly within ± disorder/2 of the spacing in x and y."),
         voronoi(
             "elongation", &V::elongation, "", Range{0.1, 10},
             "Cells are stretched along x by the square root of this and along y by its inverse: their areas stay."),
         voronoi("solid_fraction", &V::solid_fraction, "", Range{0, 1, true, false},
                 "Each cell is scaled about its centroid by the square root of this."),
         voronoi("seed", &V::seed, "", within::seed, "Seed of the displacements.")});
    add(rows, {"grains"},
        {grains("file", &G::file, "", {}, "Outlines, one per line: id, name, POLYGON((x y, …)). The file may be .gz.")
             .require(),
         grains("scale", &G::scale, "m", within::length, "Metres per unit of the file."),
         grains("simplify", &G::simplify, "", or_zero(within::length),
                "Outlines are simplified within this tolerance, in the file's unit. 0: as they are."),
         grains("shrink", &G::shrink, "", Range{0, 1, true, false}, "Factor of each outline about its centroid."),
         grains("shrink_until_free", &G::shrink_until_free, "", {},
                "Shrink all outlines by 1 % at a time until no overlap exceeds largest_start_overlap."),
         grains("fill_holes", &G::fill_holes, "", {}, "Fill holes of outlines; otherwise they are refused by name."),
         grains("flip_y", &G::flip_y, "", {}, "Mirror y: files in pixels count y downwards.")});
    add(rows, {"lattice"},
        {lattice("shape", &L::shape, "", std::vector<std::string_view>{"disc", "polygon"},
                 "Discs or regular polygons."),
         lattice("columns", &L::columns, "", Range{1, 1e5}, "Bodies along x.").require(),
         lattice("rows", &L::rows, "", Range{1, 1e5}, "Bodies along y.").require(),
         lattice("sides", &L::sides, "", Range{3, 1000}, "Sides of a polygon."),
         lattice("radius", &L::radius, "m", within::length, "Radius of a disc, or of the circle of a polygon's area."),
         lattice("elongation", &L::elongation, "", within::stretch,
                 "Stretch of a polygon along its x axis; its y axis shrinks by as much."),
         lattice("spacing", &L::spacing, "m", within::length, "Distance of neighbouring centres."),
         lattice("hexagonal", &L::hexagonal, "", {}, "Hexagonal lattice; false: square."),
         lattice("angle", &L::angle, "rad", within::angle, "Angle of every body."),
         lattice("random_angle", &L::random_angle, "rad", Range{0, 1e3},
                 "A random angle, uniform within ± this, is added to each."),
         lattice("seed", &L::seed, "", within::seed, "Seed of the random angles.")});
    add(rows, {"random"},
        {random("shape", &R::shape, "", {}, "Discs or regular polygons; with dimension = 3 spheres or clusters.")
             .require(),
         random("count", &R::count, "", Range{1, 1e9}, "Number of bodies. More than 20 000 are numbered by place.")
             .require()});
    add(rows, {"random", "rain"},
        {size_row("distribution", &S::distribution, "",
                  std::vector<std::string_view>{"uniform", "log-normal", "log-normal-by-mass", "power-law", "grades"},
                  "Distribution of the radius. uniform: within radius ± spread. log-normal: median radius and "
                  "standard deviation `spread` of ln r. log-normal-by-mass: a grading curve with median_diameter and "
                  "uniformity. power-law: density ~ r^−exponent. grades: shares by number of listed radii."),
         size_row("radius", &S::radius, "m", within::length,
                  "Mean or median radius: for a polygon of the circle of its area, for a cluster the factor of its "
                  "`spheres`."),
         size_row("spread", &S::spread, "", Range{0, 1e9},
                  "Half width (uniform, m) or standard deviation of ln r (log-normal)."),
         size_row("smallest", &S::smallest, "m", or_zero(within::length),
                  "Smallest radius of log-normal and power-law."),
         size_row("largest", &S::largest, "m", or_zero(within::length),
                  "Largest radius of log-normal and power-law. 0: no bound (log-normal)."),
         size_row("exponent", &S::exponent, "", Range{-20, 20}, "Exponent of the power law."),
         size_row("grade_radii", &S::grade_radii, "m", within::length, "Radii of the grades."),
         size_row("grade_shares", &S::grade_shares, "", within::ratio,
                  "Share of each grade, by number of bodies; they need not add up to 1."),
         size_row("median_diameter", &S::median_diameter, "m", within::length,
                  "D50 of log-normal-by-mass: half the mass is in smaller bodies.")
             .by_default("required for log-normal-by-mass")
             .if_unusual()
             .unless(by_mass),
         size_row("uniformity", &S::uniformity, "", Range{1, 1e3},
                  "C_u = D60/D10 of log-normal-by-mass. 1: equal bodies.")
             .by_default("required for log-normal-by-mass")
             .if_unusual()
             .unless(by_mass),
         size_row("cut", &S::cut, "", Range{0.01, 100},
                  "log-normal-by-mass: no diameter beyond D50 e^(± cut s), s the standard deviation of ln D; a cut at "
                  "3 lowers C_u by below 1 %.")
             .if_unusual()});
    add(rows, {"random"},
        {random("sides", &R::sides, "", Range{3, 1000}, "Sides of a polygon.").in_plane(),
         random("elongation", &R::elongation, "", within::stretch,
                "Stretch of a polygon along its x axis, before a random turn; its y axis shrinks by as much.")
             .in_plane(),
         random("spheres", &R::cluster, "", within::coordinate, "Spheres of a cluster of scaling radius 1.")
             .in_space()
             .if_unusual(),
         random("void_ratio", &R::void_ratio, "", Range{1e-3, 1e6},
                "Void ratio at the start; the cell takes the size that gives it, unless cell.size is given."),
         random("seed", &R::seed, "", within::seed, "Seed of sizes, places and turns.")});
    add(rows, {"rain"},
        {rain("columns", &N::columns, "", Range{1, 1e5}, "Spheres of a layer along x.").require(),
         rain("rows", &N::rows, "", Range{1, 1e5}, "Spheres of a layer along y.").require(),
         rain("layers", &N::layers, "", Range{0, 1e6},
              "Layers, one above the other along z. 0: as many as count needs."),
         rain("count", &N::count, "", Range{0, 1e9},
              "Number of spheres; the last layer may be incomplete. 0: full layers."),
         rain("pitch", &N::pitch, "m", or_zero(within::length),
              "Distance of neighbouring places of a layer. 0: four times the largest radius."),
         rain("layer_spacing", &N::layer_spacing, "m", or_zero(within::length),
              "Distance of layers. 0: 2.04 times the largest radius."),
         rain("jitter", &N::jitter, "", Range{0, 1e3},
              "Each sphere is moved off its place along x and along y, evenly within ± this share of the largest "
              "radius."),
         rain("centre", &N::centre, "m", within::coordinate, "Centre of the layers in plan."),
         rain("lowest", &N::lowest, "m", within::coordinate, "Height z of the centres of the lowest layer."),
         rain("width", &N::width, "m", or_zero(within::length),
              "Plan area about `centre`, along x and y, into which all spheres must fit. 0: that of the cell "
              "where it is periodic, of the shear box, or of the upright walls around the lowest layer; else any."),
         rain("seed", &N::seed, "", within::seed, "Seed of sizes and places.")});
    add(rows, {"import"},
        {import("file", &ImportSpec::file, "", {},
                "Start file of DEMPLA (discs, spheres, sphere clusters), or a table of `x y z r` (in the plane `x y "
                "r`). The file may be .gz.")
             .require(),
         import("scale", &ImportSpec::scale, "m", within::length, "Metres per unit of the file.")});
    return Section<T>{"assembly", "Source of the bodies: a generator, and the bodies listed as [[body]].",
                      std::move(rows), "generator"};
  }();
  return section;
}

}  // namespace dem::case_file
