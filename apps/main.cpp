// The program `dem`.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "apps/command_line.hpp"
#include "apps/json_output.hpp"
#include "apps/out_of_memory.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "geometry/error.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/state/view.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem {
namespace {

/// Prints help and version, which CLI11 makes, or a message about the command line.
int print_parse_end(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  if (error.get_exit_code() != 0) {
    const std::string message = refusal(app, error, argc, argv);
    if (std::find(argv, argv + argc, std::string_view("--json")) != argv + argc)
      print_errors({message.substr(0, message.find('\n'))});  // without the way to the help
    complain(message);
    return exit_bad_input;
  }
  std::ostringstream out, wrong;
  app.exit(error, out, wrong);
  say_text(out.str());
  return exit_good;
}

int run_program(int argc, char** argv) {
  CLI::App app{
      "Discrete element method for granular mechanics: slow deformation of polygons and discs, spheres and clusters of "
      "spheres.",
      "dem"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "dem " + this_build().program_version);
  app.footer(
      "Exit codes:\n"
      "  0  good\n"
      "  1  the run failed, or its verdict is bad\n"
      "  2  bad input: command line, case file, shapes\n"
      "  3  file problem: missing, unwritable, disk full, truncated\n"
      "  4  stopped by Ctrl-C; earlier work is kept, and the run or sweep can continue\n"
      "  5  the numbers blew up, or the time step exceeded its limit\n\n"
      "Example:\n  dem run apps/examples/two-discs.toml");
  int exit_code = exit_good;
  for (auto add : {add_run, add_resume, add_check, add_info, add_modes, add_contact, add_import, add_overlap, add_plot,
                   add_sweep, add_validate, add_help, add_completion})
    add(app, exit_code);

  const auto fail = [](const std::string& message, int code) {
    complain(message);
    return code;
  };
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return print_parse_end(app, error, argc, argv);
  } catch (const CaseErrors& errors) {
    for (const auto& message : errors.messages) complain(message);
    return exit_bad_input;
  } catch (const geometry::GeometryError& error) {
    return fail(error.what(), exit_bad_input);
  } catch (const ContentError& error) {
    return fail(error.what(), exit_bad_input);
  } catch (const FileError& error) {
    return fail(error.what(), exit_file);
  } catch (const TasksInterrupted& interrupted) {
    return fail(std::string("\n") + interrupted.what(), exit_stopped);
  } catch (const std::bad_alloc&) {
    return fail("dem: out of memory", exit_failed);
  } catch (const std::system_error& error) {
    // Reading a directory allocates memory.
    if (error.code() == std::errc::not_enough_memory) return fail("dem: out of memory", exit_failed);
    if (const auto* of_file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
      const std::string reason = error.code().message();
      return fail(fmt::format("dem: {} cannot be read or written: {}", of_file->path1().string(), reason), exit_file);
    }
    return is_of_output(error) ? exit_good : fail(std::string("dem: ") + error.what(), exit_failed);
  } catch (const std::exception& error) {
    return fail(std::string("dem: ") + error.what(), exit_failed);
  }
}

}  // namespace
}  // namespace dem

int main(int argc, char** argv) {
  dem::hold_standard_streams();
  const int code = dem::end_of_output(dem::run_program(argc, argv));
  dem::note_that_main_returns();
  return code;
}
