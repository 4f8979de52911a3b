#include "libdem/sweep/slurm.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <cctype>
#include <stdexcept>

#include "libdem/platform/number_text.hpp"
#include "libdem/platform/shell_word.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_folder.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

constexpr const char* log_folder = "log";  // in the folder of the parts

/// The path in a line of options of Slurm, where % begins a code.
std::string in_options(const std::string& path, std::string_view codes) {
  return fmt::format("\"{}{}\"", boost::replace_all_copy(path, "%", "%%"), codes);
}

std::string plain_name(std::string name) {
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '-');
  return name.substr(0, 40);
}

std::string full_path(const fs::path& path) {
  std::string text = fs::weakly_canonical(fs::absolute(path)).string();  // ".." after a link leads elsewhere
  if (text.find_first_of("\"\n\\") != text.npos)
    throw std::invalid_argument(
        fmt::format("--slurm: found the path {}, allowed paths without quotes, backslashes and line breaks", text));
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

constexpr std::string_view own_begin =
    "# Lines between this one and the next comment are yours (account, partition, module load). They stay.\n";
constexpr std::string_view own_end = "# End of your lines.\n";

/// The lines that the user has added to an earlier script.
std::string lines_of_user(const fs::path& script) {
  if (!fs::exists(script)) return "";
  const std::string text = read_file(script);
  const auto begin = text.find(own_begin), end = text.find(own_end);
  if (begin == text.npos || end == text.npos || end < begin)
    throw FileError(
        fmt::format("{}: found no place for your lines, expected the two comments around it; move the file "
                    "away, and copy your lines into the new one",
                    script.string()));
  return text.substr(begin + own_begin.size(), end - begin - own_begin.size());
}

}  // namespace

int minutes_of_text(std::string_view text) {
  const auto refuse = [&] {
    return std::invalid_argument(fmt::format("found {}, allowed a time of 1min to 365d: 4h, 90min, 2d, 1d12h", text));
  };
  double minutes = 0;
  for (std::string_view rest = text; !rest.empty() || minutes == 0;) {
    const auto digits = std::min(rest.find_first_not_of("0123456789."), rest.size());
    const auto unit_end = std::min(rest.find_first_of("0123456789.", digits), rest.size());
    const auto value = number_of<double>(rest.substr(0, digits));
    const std::string_view unit = rest.substr(digits, unit_end - digits);
    const double factor = unit == "d" ? 1440 : unit == "h" ? 60 : unit == "min" || unit == "m" ? 1 : 0;
    if (factor == 0 || !value || !(*value > 0)) throw refuse();
    minutes += *value * factor;
    if (minutes > 365 * 1440.0) throw refuse();
    rest.remove_prefix(unit_end);
  }
  if (minutes < 1) throw refuse();
  return int(minutes);
}

std::string slurm_script(const SweepSpec& spec, const SlurmChoice& how, std::string_view own_lines) {
  const std::string folder = full_path(how.folder), sweep = full_path(how.sweep_file), program = full_path(how.program);
  const int tasks = int(std::min<std::size_t>(std::size_t(how.tasks), spec.points()));
  // Slurm may send the signal a minute earlier than asked for.
  const int seconds_before = std::min(120, how.minutes * 60 / 4);
  const std::string name = fmt::format("dem-{}-{:08x}", plain_name(fs::path(folder).filename().string()),
                                       fnv1a(fmt::format("{}\n{}", getuid(), folder)) & 0xffffffffu);
  return fmt::format(
      R"(#!/bin/bash
# The {points} points of a sweep in {tasks} tasks. Submitted again, the script goes on where it stopped.
#   sbatch {script}
#   dem sweep {sweep} --output {output} --status      (or --collect)
#SBATCH --job-name={name}
#SBATCH --array=1-{tasks}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --time={hours}:{minutes:02}:00
#SBATCH --signal=B:TERM@{before}
#SBATCH --output={log}
#SBATCH --open-mode=append
{own_begin}{own_lines}{own_end}export OMP_NUM_THREADS={cores}
exec {program} sweep {sweep} --output {output} --part "$SLURM_ARRAY_TASK_ID"/{tasks} --cores {cores}
)",
      fmt::arg("points", spec.points()), fmt::arg("tasks", tasks),
      fmt::arg("script", shell_word((fs::path(folder) / sweep_folder::script).string())),
      fmt::arg("sweep", shell_word(sweep)), fmt::arg("output", shell_word(folder)), fmt::arg("name", name),
      fmt::arg("cores", how.cores), fmt::arg("hours", how.minutes / 60), fmt::arg("minutes", how.minutes % 60),
      fmt::arg("before", seconds_before),
      fmt::arg("log", in_options(fmt::format("{}/{}/{}/", folder, sweep_folder::parts, log_folder), "%A_%a.txt")),
      fmt::arg("program", shell_word(program)), fmt::arg("own_begin", own_begin), fmt::arg("own_end", own_end),
      fmt::arg("own_lines", own_lines));
}

fs::path write_slurm_script(const SweepSpec& spec, const SlurmChoice& how) {
  fs::path script = how.folder / sweep_folder::script;
  const std::string text = slurm_script(spec, how, lines_of_user(script));
  create_folder(how.folder);
  sweep_folder::claim(how.folder, false);
  // Refuses results of another sweep before anything waits in a queue.
  sweep_folder::finished(how.folder, spec);
  create_folder(how.folder / sweep_folder::parts / log_folder);
  write_file(script, text);
  return script;
}

}  // namespace dem
