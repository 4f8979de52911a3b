// Numbers that are in range one by one and out of it together: values that follow from them, numbers of bodies, times.
#include <fmt/format.h>

#include <algorithm>

#include "libdem/bounds.hpp"
#include "libdem/case/draft.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/case/ranges.hpp"

namespace dem::case_file {
namespace {

/// Springs and dashpots that follow from ratios.
void check_resolved_material(const CaseDraft& draft, const Case& c, Problems& problems) {
  for (const char* key : {"normal_stiffness", "tangential_stiffness", "tangential_stiffness_ratio"})
    if (problems.has(fmt::format("material.{}", key))) return;
  const auto check = [&](const std::string& key, double given, std::string_view what, double follows,
                         const Range& range) {
    if (!range.contains(follows))
      problems.add(key, fmt::format("{}, which makes {} = {:g}", encode(given), what, follows),
                   fmt::format("what makes it {}", range_text("number", range)));
  };
  const auto check_springs = [&](const std::string& key, double given, double normal, double tangential) {
    check(key, given, "k_t", tangential, or_zero(within::stiffness));
    check(key, given, "k_t/k_n", tangential / normal, or_zero(within::stiffness_ratio));
  };
  if (!c.material.stiffness_of_pair() && c.material.normal_stiffness > 0) {
    const bool ratio = draft.own_stiffness_ratio.has_value();
    check_springs(ratio ? "material.tangential_stiffness_ratio" : "material.tangential_stiffness",
                  ratio ? *draft.own_stiffness_ratio : draft.own_tangential_stiffness.value_or(0),
                  c.material.normal_stiffness, c.material.tangential_stiffness);
    for (std::size_t k = 0; k < c.materials.size(); ++k) {
      const bool own = draft.own_materials[k].tangential_stiffness.has_value();
      check_springs(fmt::format("other_material[{}].{}", k + 1, own ? "tangential_stiffness" : "normal_stiffness"),
                    own ? c.materials[k].tangential_stiffness : c.materials[k].normal_stiffness,
                    c.materials[k].normal_stiffness, c.materials[k].tangential_stiffness);
    }
  }
  const double normal = draft.material.normal_damping_rate.value_or(0);
  if (const auto rate = draft.own_tangential_damping_rate; rate && normal > 0)
    check("material.tangential_damping_rate", *rate, "γ_t/γ_n", *rate / normal, within::damping_ratio);
}

/// Bodies of a generator, and the parts they are made of.
void check_number_of_bodies(const CaseDraft& draft, Problems& problems) {
  const Assembly& a = draft.assembly;
  const auto refuse = [&](const char* key, double found, double number, double most, std::string_view of,
                          std::string_view what) {
    if (number > most && !problems.has(key))
      problems.add(
          key, encode(std::uint64_t(found)),
          fmt::format("{} of at most {:g} {}, for the memory of a computer: they make {:g}", of, most, what, number));
  };
  const auto refuse_grid = [&](double columns, double rows, double most, std::string_view what) {
    refuse(rows >= columns ? "assembly.rows" : "assembly.columns", std::max(rows, columns), rows * columns, most,
           "columns times rows", what);
  };
  const auto refuse_sides = [&](double sides, double number, std::string_view of) {
    refuse("assembly.sides", sides, number * sides, bounds::most_parts, of, "vertices");
  };
  if (const auto* voronoi = a.made_by<geometry::VoronoiInput>())
    refuse_grid(voronoi->columns, voronoi->rows, bounds::most_polygons, "polygons");
  if (const auto* lattice = a.made_by<LatticeSpec>()) {
    const bool polygons = lattice->shape == ShapeKind::polygon;
    refuse_grid(lattice->columns, lattice->rows, polygons ? bounds::most_polygons : bounds::most_bodies,
                polygons ? "polygons" : "discs");
    if (polygons)
      refuse_sides(lattice->sides, double(lattice->columns) * lattice->rows, "columns times rows times sides");
  }
  if (const auto* random = a.made_by<RandomSpec>()) {
    const double number = double(random->count);
    const bool polygons = random->shape == ShapeKind::polygon;
    refuse("assembly.count", number, number, polygons ? bounds::most_polygons : bounds::most_bodies, "a number",
           polygons ? "polygons" : "bodies");
    if (polygons) refuse_sides(random->sides, number, "count times sides");
    if (random->shape == ShapeKind::cluster)
      refuse("assembly.count", number, number * double(random->cluster.size()), bounds::most_parts,
             "count times the spheres of a cluster", "spheres");
  }
  if (const auto* rain = a.made_by<RainSpec>(); rain && rain->count > 0)
    refuse("assembly.count", double(rain->count), double(rain->count), bounds::most_bodies, "a number", "spheres");
  else if (rain)
    refuse("assembly.layers", rain->layers, double(rain->columns) * rain->rows * rain->layers, bounds::most_bodies,
           "columns times rows times layers", "spheres");
}

void check_times(const CaseDraft& draft, const Case& c, Problems& problems) {
  const double step = draft.time.step;
  if (problems.has("time.step") || !(step > 0)) return;
  for (const ShortInterval& interval : too_short(draft.output, draft.time, step))
    problems.add(interval.key, encode(interval.length),
                 fmt::format("0 or at least time.step, {}: a shorter one means every step all the same", encode(step)));
  for_each_entry(c.stages, "stage", [&](const Stage& stage, const std::string& path) {
    if (const auto end = too_long(stage, step))
      problems.add(fmt::format("{}.{}", path, end->key), end->found, end->allowed);
  });
}

}  // namespace

void check_bounds(const CaseDraft& draft, const Case& c, Problems& problems) {
  check_resolved_material(draft, c, problems);
  check_number_of_bodies(draft, problems);
  const SizeDistribution* sizes = draft.sizes();
  if (sizes && sizes->distribution == "log-normal" && sizes->spread > 5)
    problems.add("assembly.spread", encode(sizes->spread),
                 "a number in [0, 5], the standard deviation of ln r: with 5 one body in twenty is more than 10 000 "
                 "times the median");
  check_times(draft, c, problems);
  for_each_entry(draft.assembly.walls, "wall", [&](const WallSpec& wall, const std::string& path) {
    if (problems.is_given(path + ".normal") && !(norm(wall.normal) >= bounds::smallest_length))
      problems.add(path + ".normal", encode(wall.normal),
                   fmt::format("a vector of length {:g} at least", bounds::smallest_length));
  });
}

}  // namespace dem::case_file
