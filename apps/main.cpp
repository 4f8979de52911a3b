// The program `dem`.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "apps/subcommands.hpp"
#include "geometry/error.hpp"
#include "libdem/files/case_file.hpp"

int main(int argc, char** argv) {
  using namespace dem;
  CLI::App app{"Discrete element method for granular mechanics: slow deformation of polygons and discs.", "dem"};
  app.require_subcommand(1);
  app.footer(
      "Exit codes:\n"
      "  0  good\n"
      "  1  the run failed, or its verdict is bad\n"
      "  2  bad input: command line, case file, shapes\n"
      "  3  file problem: missing, unwritable, disk full, truncated\n"
      "  4  stopped by Ctrl-C; a checkpoint was written\n"
      "  5  the numbers blew up, or the time step exceeded its limit\n\n"
      "Example:\n  dem run apps/examples/two-discs.toml");
  int exit_code = exit_good;
  for (auto add : {add_run, add_resume, add_check, add_info, add_overlap, add_help}) add(app, exit_code);

  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_good : exit_bad_input;
  } catch (const CaseErrors& errors) {
    for (const auto& message : errors.messages) fmt::print(stderr, "{}\n", message);
    return exit_bad_input;
  } catch (const geometry::GeometryError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_bad_input;
  } catch (const FileError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_file;
  } catch (const std::exception& error) {
    fmt::print(stderr, "dem: {}\n", error.what());
    return exit_failed;
  }
}
