// dem contact: one contact driven along a prescribed path.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "apps/command_line.hpp"
#include "apps/draw.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/case/contact_drive_file.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {

void add_contact(CLI::App& app, int& exit_code) {
  struct Options {
    std::string drive;
    bool plot = false;
    std::vector<std::size_t> tractions;
  };
  auto options = std::make_shared<Options>();
  auto* command =
      app.add_subcommand("contact", "Drive one contact along a prescribed path and print its force and energy");
  command->add_option("DRIVE.toml", options->drive, "Law, its parameters and the path (a CSV file)")
      ->check(named)
      ->required();
  command->add_flag("--plot", options->plot, "Draw it: DRIVE.svg in the present folder");
  command
      ->add_option("--tractions", options->tractions,
                   "Rows (0: the start) whose tractions over the contact area are written to DRIVE-tractions.csv in "
                   "the present folder, and drawn with --plot; law jaeger")
      ->delimiter(',')
      ->check(whole_number());
  command->footer(
      "The drive:\n"
      "  law = \"linear-refined\"\n"
      "  [parameters]                # those of the law: dem help contact\n"
      "  normal_stiffness = 1e5\n"
      "  tangential_stiffness = 1e5\n"
      "  friction = 0.5\n"
      "  [path]\n"
      "  file = \"path.csv\"           # relative to the drive\n"
      "  frame = \"contact\"           # columns overlap, shift_1, shift_2\n"
      "      # \"global\": overlap, normal_x .. z, shift_x .. z, rotation_i_x .. z, rotation_j_x .. z\n"
      "  time_step = 1e-6            # optional, s per row; without it dashpots are off\n"
      "  start_overlap = 1e-3        # optional, m; default 0\n"
      "  start_force = [20.0, 10.0]  # optional, N: tangential force on i; global: three components\n"
      "  start_normal = [1, 0, 0]    # global only, required\n\n"
      "Overlap (m, negative: gap) and normal (unit, from i to j) are those at the end of the row. Shift (m) is the\n"
      "tangential movement of j relative to i during the row (global: in the plane at its end). Rotations (rad) are\n"
      "the rotation vectors of the row. A start_force outside the friction limit is allowed: linear-refined\n"
      "dissipates the difference in the first row.\n\n"
      "Output is CSV with 17 digits; row 0 is the start. Columns are force on i (N; normal compression positive),\n"
      "regime, stored energy, work taken up by the elastic tangential force and energy dissipated by friction in\n"
      "the row (J; without dashpots). Regimes are stick, slip (sliding began within the row), slide (during the\n"
      "whole row; law linear has only this), retrace (laws that remember turning points), separated (no contact\n"
      "at the end) and unchanged (contact, but nothing moved).\n\n"
      "Example:\n  dem contact apps/examples/contact-loop.toml");
  command->callback([options, &exit_code] {
    const ContactDrive drive = read_contact_drive(options->drive);
    const std::vector<DriveState> states = drive_contact(drive, options->tractions);
    const std::string table = contact_drive_table(drive, states),
                      stem = std::filesystem::path(options->drive).stem().string();
    std::string tractions;
    if (!options->tractions.empty()) tractions = traction_table(drive, states, options->tractions);
    say_text(table);
    std::fflush(stdout);
    if (drive.time_step == 0 && (drive.normal_damping > 0 || drive.tangential_damping > 0))
      complain(
          "The path has no time_step: the dashpots are off, normal_damping and tangential_damping have no effect.");
    if (drive.law->exact_legs >= 0)
      complain(fmt::format("Merging changed the tangential force by at most {:.3g} f F_n.",
                           std::ranges::max_element(states, {}, &DriveState::merge_error)->merge_error));
    if (!tractions.empty()) write_file(stem + "-tractions.csv", tractions);
    if (!options->plot) return;
    exit_code = draw_contact(table, stem + ".svg");
    if (!tractions.empty() && exit_code == exit_good) exit_code = draw_contact(tractions, stem + "-tractions.svg");
  });
}

}  // namespace dem
