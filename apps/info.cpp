// dem info: what a file or a results folder is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "apps/subcommands.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/files/results.hpp"

namespace dem {
namespace {

std::string describe_case(const std::filesystem::path& file) {
  const Case c = read_case(file);
  const auto& a = c.assembly;
  std::string text = fmt::format("case file of format {}: \"{}\"\n", case_format, c.title);
  text += fmt::format("assembly: {}, {} bodies listed, {} walls, {}\n",
                      a.voronoi   ? "voronoi"
                      : a.grains  ? "grains of " + a.grains->file.string()
                      : a.lattice ? "lattice"
                      : a.random  ? fmt::format("{} random bodies", a.random->count)
                      : a.rain    ? "a rain of spheres"
                      : a.import  ? "import of " + a.import->file.string()
                                  : "no generator",
                      a.bodies.size(), a.walls.size(), c.plates ? "plates" : "no plates");
  if (c.dimension == 3) text += "in space (spheres and clusters)\n";
  text += fmt::format("{} stages, time step {:g} s\n", c.stages.size(), c.time.step);
  return text;
}

}  // namespace

void add_info(CLI::App& app, int&) {
  auto file = std::make_shared<std::string>();
  auto* command =
      app.add_subcommand("info", "Say what a results folder, checkpoint, snapshot, series, verdict or case file holds");
  command->add_option("FILE", *file, "A file or a results folder")->required();
  command->footer("Example:\n  dem info apps/examples/slow-shear.toml");
  command->callback([file] {
    const std::filesystem::path path = *file;
    fmt::print("{}", path.extension() == ".toml" ? describe_case(path) : describe_results(path));
  });
}

}  // namespace dem
