// The program `dem`.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <new>
#include <string>
#include <vector>

#include "apps/subcommands.hpp"
#include "geometry/error.hpp"
#include "geometry/printable.hpp"
#include "libdem/files/case_file.hpp"
#include "libdem/files/case_problems.hpp"
#include "libdem/files/results_view.hpp"
#include "libdem/sweep/tasks.hpp"

namespace {

/// A message on standard error. What it repeats of files and of the command line cannot reach the terminal as control characters.
void say(std::string_view message) { fmt::print(stderr, "{}\n", dem::printable_message(message)); }

/// The word nearest to `given`; empty when none is near.
std::string nearest(const std::string& given, const std::vector<std::string>& words) {
  std::string best;
  int least = dem::case_file::near_enough(given);
  for (const auto& word : words)
    if (const int d = dem::case_file::edit_distance(given, word); d <= least) least = d - 1, best = word;
  return best;
}

std::string guess(const std::string& given, const std::vector<std::string>& words) {
  const std::string best = nearest(given, words);
  return best.empty() ? "" : "; did you mean " + best + "?";
}

/// Options of a subcommand and of its option groups.
void collect_options(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options())
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  for (const CLI::App* group : app.get_subcommands([](const CLI::App* part) { return part->get_name().empty(); }))
    collect_options(*group, names);
}

/// "dem sweep time-step".
std::string called(const CLI::App* command, const CLI::App& app) {
  return !command || command == &app ? "dem" : called(command->get_parent(), app) + " " + command->get_name();
}

/// What a command line that was refused says wrongly, where that is a misspelt command or option; else empty.
std::string misspelt(const CLI::App& app, int argc, char** argv) {
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const CLI::App* command = nullptr;
  for (const std::string& word : words) {
    if (word == "--") break;
    const CLI::App& of = command ? *command : app;
    if (word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[word[1] == '-' ? 2 : 1]))) {
      const std::string name = word[1] == '-' ? word.substr(0, word.find('=')) : word.substr(0, 2);
      std::vector<std::string> options;
      collect_options(of, options);
      if (!of.get_option_no_throw(name))
        return fmt::format("unknown option {} of {}{}", dem::printable(name), called(command, app), guess(name, options));
    } else if (command) {
      for (const CLI::App* part : command->get_subcommands([](const CLI::App*) { return true; }))
        if (part->get_name() == word) command = part;
    } else {
      std::vector<std::string> names;
      for (const CLI::App* known : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(known->get_name());
        if (known->get_name() == word) command = known;
      }
      if (command) continue;
      return fmt::format("unknown command '{}'{}", dem::printable(word), guess(word, names));
    }
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace dem;
  CLI::App app{"Discrete element method for granular mechanics: slow deformation of polygons and discs, spheres and clusters of spheres.", "dem"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "dem " + this_build().program_version);
  app.footer(
      "Exit codes:\n"
      "  0  good\n"
      "  1  the run failed, or its verdict is bad\n"
      "  2  bad input: command line, case file, shapes\n"
      "  3  file problem: missing, unwritable, disk full, truncated\n"
      "  4  stopped by Ctrl-C; what was done is kept, and the run or sweep can go on\n"
      "  5  the numbers blew up, or the time step exceeded its limit\n\n"
      "Example:\n  dem run apps/examples/two-discs.toml");
  int exit_code = exit_good;
  for (auto add : {add_run, add_resume, add_check, add_info, add_contact, add_import, add_overlap, add_plot, add_sweep, add_help}) add(app, exit_code);
#ifndef LIBDEM_WITHOUT_VALIDATION
  add_validate(app, exit_code);
#endif

  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    const std::string mistake = error.get_exit_code() == 0 ? "" : misspelt(app, argc, argv);
    if (!mistake.empty()) {
      say(fmt::format("dem: {}\nRun with --help for more information.", mistake));
      return exit_bad_input;
    }
    return app.exit(error) == 0 ? exit_good : exit_bad_input;
  } catch (const CaseErrors& errors) {
    for (const auto& message : errors.messages) say(message);
    return exit_bad_input;
  } catch (const geometry::GeometryError& error) {
    say(error.what());
    return exit_bad_input;
  } catch (const ContentError& error) {
    say(error.what());
    return exit_bad_input;
  } catch (const FileError& error) {
    say(error.what());
    return exit_file;
  } catch (const TasksInterrupted& interrupted) {
    say(std::string("\n") + interrupted.what());
    return exit_stopped;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "dem: out of memory\n");
    return exit_failed;
  } catch (const std::exception& error) {
    say(std::string("dem: ") + error.what());
    return exit_failed;
  }
}
