// dem plot: pictures of results and sweeps.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "apps/draw.hpp"
#include "apps/subcommands.hpp"

namespace dem {

void add_plot(CLI::App& app, int& exit_code) {
  struct Options {
    std::vector<std::string> folders, labels, y;
    std::string output, against, format, x;
  };
  auto options = std::make_shared<Options>();
  auto* command = app.add_subcommand("plot", "Draw results and sweeps; needs Python with matplotlib and h5py");
  command->add_option("DIR", options->folders, "Results folders, laid over each other, and folders of sweeps")
      ->check(named)
      ->required();
  command
      ->add_option("--output,-o", options->output,
                   "Folder of the pictures; default: DIR/figures, with several results figures beside the first; a "
                   "sweep: DIR/plot.svg")
      ->check(named);
  command->add_option("--labels", options->labels, "Name of each run in the legends; default: the folders' names")
      ->check([](const std::string& text) {
        return text.empty() ? "found an empty name, allowed a word for the legends" : "";
      });
  command
      ->add_option("--against", options->against,
                   "strain or time on x; default: the strain or displacement of the loading, time without one")
      ->check(CLI::IsMember({"strain", "time"}));
  command->add_option("--format", options->format, "png, svg or pdf; default: png, of a sweep svg")
      ->check(CLI::IsMember({"png", "svg", "pdf"}));
  command->add_option("--x", options->x, "Sweep: column of the table on x");
  command->add_option("--y", options->y, "Sweep: columns of the table to draw");
  command->footer(
      "Axes and panels follow from the loading:\n"
      "  plates           shear ratio, kinetic energy, coordination, sliding fraction over shear strain; profiles\n"
      "  triaxial cell    q/p, volumetric strain, void ratio, coordination over the axial strain of the loading\n"
      "  cell in shear    shear over normal stress, the same beside it, over the shear strain of the loading\n"
      "  shear box        T/N and T/(load), rise of the plate, void ratio, forces over the displacement in mm\n"
      "  otherwise        kinetic energy, coordination, forces on walls, unbalanced force over time\n"
      "overview has the panels together, stages the whole run over time, ledger the energies. A line per picture\n"
      "names its columns of the series. The strain of a cell counts from the start of its first stage with that\n"
      "rate; stages without it are in stages, over time. Runs of different drivers need --against time.\n"
      "LIBDEM_PYTHON names a Python to use.\n\n"
      "Example:\n  dem plot results/two-discs\n"
      "  dem plot results/slow-shear results/slow-shear-edge-mean --output results/figures");
  command->callback([options, &exit_code] {
    std::vector<std::string> words;
    const auto pass = [&](const char* option, const std::vector<std::string>& values) {
      if (values.empty()) return;
      words.push_back(option);
      words.insert(words.end(), values.begin(), values.end());
    };
    const auto pass_one = [&](const char* option, const std::string& value) {
      if (!value.empty()) pass(option, {value});
    };
    pass_one("--output", options->output);
    pass("--labels", options->labels);
    pass_one("--against", options->against);
    pass_one("--format", options->format);
    pass_one("--x", options->x);
    pass("--y", options->y);
    words.push_back("--");
    words.insert(words.end(), options->folders.begin(), options->folders.end());
    exit_code = draw_folders(words);
  });
}

}  // namespace dem
