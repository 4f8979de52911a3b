// dem overlap: overlap and contact planes of polygons given as WKT.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "apps/subcommands.hpp"
#include "libdem/assembly/overlap_table.hpp"

namespace dem {

void add_overlap(CLI::App& app, int&) {
  struct Options {
    std::string pairs, grains, geometry = "fast";
    bool fill_holes = false;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("overlap", "Overlap area, centroid, perimeter and contact planes of polygons");
  auto* input = command->add_option_group("input");
  input->add_option("FILE", options->pairs, "Pairs, a line each: id<TAB>POLYGON((x y, ...))<TAB>POLYGON((x y, ...))")
      ->check(named);
  input
      ->add_option("--all-pairs", options->grains,
                   "Outlines, a line each: id<TAB>[name<TAB>]POLYGON((x y, ...)); prints the pairs that overlap")
      ->check(named)
      ->type_name("GRAINS");
  input->require_option(1);
  command->add_flag("--fill-holes", options->fill_holes,
                    "Take outer rings only; otherwise polygons with holes are refused");
  command->add_option("--geometry", options->geometry, "fast (doubles, exact decisions) or exact (exact numbers)")
      ->check(CLI::IsMember({"fast", "exact"}))
      ->capture_default_str();
  command->footer(
      "Files may be compressed (.gz). '#' starts a comment line, and a header line of words is skipped. Columns are\n"
      "separated by tabs, or in a line without tabs by semicolons or commas. The table on standard output is\n"
      "tab-separated. Lengths have the unit of the file. Angles of the contact planes are in radians in (-pi/2,\n"
      "pi/2], nan if undefined. Components are numbered by centroid (x, y). A pair that does not overlap has one\n"
      "row with component 0.\n\n"
      "Example:\n  dem overlap apps/examples/polygon-pairs.tsv");
  command->callback([options] {
    const OverlapTableOptions choice{
        .overlap = options->geometry == "exact" ? geometry::overlap_exact : geometry::overlap_fast,
        .fill_holes = options->fill_holes};
    if (options->grains.empty())
      write_overlaps_of_pairs(options->pairs, choice, stdout);
    else
      write_overlaps_of_all_pairs(options->grains, choice, stdout);
  });
}

}  // namespace dem
