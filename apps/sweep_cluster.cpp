#include "apps/sweep_cluster.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "apps/command_line.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/sweep/parts.hpp"
#include "libdem/sweep/slurm.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_listed = 10;  // of each list

template <class Read>
CLI::Validator readable(Read read) {
  return CLI::Validator(
      [read](std::string& text) {
        try {
          read(text);
          return std::string();
        } catch (const std::invalid_argument& error) {
          return std::string(error.what());
        }
      },
      "");
}

std::size_t count(const std::vector<PointStatus>& all, PointState state) {
  return std::size_t(std::ranges::count(all, state, &PointStatus::state));
}

void list(const std::vector<std::string>& lines) {
  for (std::size_t k = 0; k < std::min(most_listed, lines.size()); ++k) say("  {}\n", lines[k]);
  if (lines.size() > most_listed) say("  … and {} more\n", lines.size() - most_listed);
}

/// Lines about the points of a state that have something to say.
std::vector<std::string> lines_of(const SweepSpec& spec, const std::vector<PointStatus>& all, PointState state) {
  std::vector<std::string> lines;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].state == state && !all[k].text.empty())
      lines.push_back(fmt::format("{}: {}", point_name(spec, k), all[k].text));
  return lines;
}

void print_counts(const SweepSpec& spec, const fs::path& folder, const std::vector<PointStatus>& all) {
  if (const auto holder = FileLock::holder(folder / FolderLock::name))
    say("In use by {}; the points that it runs count as waiting\n", *holder);
  const auto with_checkpoint = std::size_t(std::ranges::count_if(
      all, [](const PointStatus& p) { return p.state == PointState::waiting && p.has_checkpoint; }));
  say("done     {:>7}\n", count(all, PointState::done));
  say("running  {:>7}\n", count(all, PointState::running));
  list(lines_of(spec, all, PointState::running));
  say("waiting  {:>7}{}\n", count(all, PointState::waiting),
      with_checkpoint > 0 ? fmt::format(", {} of them with a checkpoint", with_checkpoint) : "");
  list(lines_of(spec, all, PointState::waiting));
  say("failed   {:>7}\n", count(all, PointState::failed));
  list(lines_of(spec, all, PointState::failed));
}

int collect(const SweepSpec& spec, const fs::path& folder, const std::function<void(const SweepTable&)>& draw) {
  const std::vector<PointStatus> all = sweep_status(spec, folder);
  const SweepTable table = collect_sweep(spec, folder);
  draw(table);
  const std::size_t missing = table.rows() - count(all, PointState::done) - count(all, PointState::failed);
  if (missing > 0 || count(all, PointState::failed) > 0) print_counts(spec, folder, all);
  say("{} of {} points are in {}/table.csv and table.h5\n", table.rows() - table.failed(), table.rows(),
      folder.string());
  if (missing > 0)
    complain(fmt::format("{} of {} points are missing: run the sweep or its parts again", missing, table.rows()));
  return missing > 0 || table.failed() == table.rows() ? exit_failed : exit_good;
}

int run_part(const SweepSpec& spec, const ClusterOptions& options, const fs::path& folder) {
  SweepPart part = part_of_text(options.part);
  part.folder = folder;
  part.threads = options.cores;
  const PartReport report = run_sweep_part(spec, part);
  say("part {}/{}: {}, {} finished earlier, {} now{}\n", part.k, part.of, counted(report.points, "point"),
      report.earlier, report.ran, report.failed > 0 ? fmt::format("; {} of them failed", report.failed) : "");
  if (report.left.empty()) return exit_good;
  say("{} not finished:\n", report.left.size());
  list(report.left);
  return exit_failed;
}

/// Hands the script to sbatch; returns the exit code.
int submit(const fs::path& script) {
  std::fflush(stdout);
  const int status = std::system(fmt::format("sbatch {}", shell_word(script.string())).c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  if (code == 0) return exit_good;
  complain(code == 127
               ? "--submit: found no program sbatch, needed Slurm on this machine; submit the script where it is"
               : "--submit: sbatch refused the script, for the reason above; the script stays");
  return exit_failed;
}

int to_slurm(const SweepSpec& spec, const ClusterOptions& options, const fs::path& sweep_file, const fs::path& folder) {
  SlurmChoice choice;
  std::error_code ignored;
  choice.program = fs::read_symlink("/proc/self/exe", ignored);
  choice.sweep_file = sweep_file;
  choice.folder = folder;
  choice.tasks = options.tasks;
  choice.minutes = minutes_of_text(options.time);
  choice.cores = options.cores;
  const fs::path script = write_slurm_script(spec, choice);
  const std::vector<PointStatus> all = sweep_status(spec, folder);
  const std::size_t left = count(all, PointState::waiting) + count(all, PointState::running);
  say("Script in {}: {} of {} points are left\n", script.string(), left, all.size());
  if (left == 0) {
    say("There is nothing to submit. The table: dem sweep {} --output {} --collect\n", shell_word(sweep_file.string()),
        shell_word(folder.string()));
    return exit_good;
  }
  if (options.submit) return submit(script);
  say("To start it, and to go on after an interruption: sbatch {}\n", shell_word(script.string()));
  return exit_good;
}

}  // namespace

void add_cluster_options(CLI::App& command, ClusterOptions& options) {
  auto* part = command
                   .add_option("--part", options.part,
                               "k/T: run only part k of T, from 1/T to T/T. Parts may run at the same time on machines "
                               "that share the folder")
                   ->check(readable(part_of_text));
  auto* slurm = command.add_flag("--slurm", options.slurm, "Write a script that runs all parts as one array of Slurm");
  command.add_option("--tasks", options.tasks, "With --slurm: tasks of the array at most; default: 200")
      ->check(CLI::Range(1, most_slurm_tasks))
      ->needs(slurm);
  command.add_option("--time", options.time, "With --slurm: limit of a task, as 90min, 4h, 1d12h; default: 4h")
      ->check(readable(minutes_of_text))
      ->needs(slurm);
  command.add_option("--cores", options.cores, "With --slurm or --part: cores of a task; default: 1")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--submit", options.submit, "With --slurm: hand the script to sbatch")->needs(slurm);
  auto* collect = command.add_flag("--collect", options.collect, "Write the table of what the parts have finished");
  auto* status = command.add_flag("--status", options.status, "Say what is done, running, waiting and failed");
  const std::array<CLI::Option*, 4> ways{part, slurm, collect, status};
  for (std::size_t a = 0; a < ways.size(); ++a) {
    for (std::size_t b = a + 1; b < ways.size(); ++b) ways[a]->excludes(ways[b]);
    for (const char* other : {"--workers", "--overwrite"}) ways[a]->excludes(command.get_option(other));
  }
}

int sweep_on_cluster(const ClusterOptions& options, const fs::path& sweep_file, const fs::path& folder,
                     const std::function<void(const SweepTable&)>& draw) {
  const SweepSpec spec = read_sweep(sweep_file);
  const auto title = [&] {
    say("{}: {}\n", spec.title.empty() ? folder.filename().string() : spec.title, counted(spec.points(), "point"));
  };
  try {
    if (!options.part.empty()) return run_part(spec, options, folder);
    title();
    if (options.slurm) return to_slurm(spec, options, sweep_file, folder);
    if (options.collect) return collect(spec, folder, draw);
    print_counts(spec, folder, sweep_status(spec, folder));
    return exit_good;
  } catch (const std::invalid_argument& error) {
    complain(error.what());
    return exit_bad_input;
  }
}

}  // namespace dem
