#include "libdem/sweep/packings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/run/run_case.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_folder.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

SweepValue value_of(const SweepSpec& spec, std::size_t point) {
  if (spec.packing->by == "seed") return double(seed_of(spec, point));
  const std::vector<SweepValue> values = point_values(spec, point);
  std::size_t k = 0;
  for (const SweepAxis& axis : spec.axes)
    for (const std::string& name : axis.names) {
      if (name == spec.packing->by) return values[k];
      ++k;
    }
  throw std::logic_error("a packing by an axis that the sweep lacks");
}

/// Any text as the name of a file. Different texts have different names.
std::string as_file_name(const std::string& text) {
  std::string name;
  for (const unsigned char c : text)
    name += std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '+' ? std::string(1, char(c))
                                                                            : fmt::format("%{:02x}", c);
  return name;
}

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

bool is_readable(const fs::path& checkpoint) {
  try {
    const Checkpoint good(checkpoint);
    return true;
  } catch (const FileError&) {
    return false;
  }
}

/// A packing that came to its end, well or not, has a verdict. A damaged one is made again.
bool is_finished(const fs::path& folder) {
  return is_there(folder / "verdict.json") && is_readable(folder / "checkpoint.h5");
}

/// Remembers why a packing failed, so that no other point tries again.
fs::path failure_of(const fs::path& folder) { return folder.string() + ".failed"; }

/// Sums of the files that the packing read. With other files it is another packing.
fs::path inputs_file_of(const fs::path& folder) { return folder.string() + ".inputs"; }

bool is_made(const fs::path& folder, const std::string& inputs) {
  return is_there(inputs_file_of(folder)) && read_file(inputs_file_of(folder)) == inputs &&
         (is_finished(folder) || is_there(failure_of(folder)));
}

/// Removes a packing of other input files. The caller holds its lock.
void remove_other(const fs::path& folder, const std::string& inputs) {
  if (is_there(inputs_file_of(folder)) && read_file(inputs_file_of(folder)) == inputs) return;
  fs::remove_all(folder);
  fs::remove(failure_of(folder));
  write_file(inputs_file_of(folder), inputs);
}

void run_packing(const SweepSpec& spec, std::size_t point, const fs::path& folder, TaskProgress& progress,
                 int threads) {
  RunHooks hooks;
  hooks.stop = [&](const Simulation&) { return progress.stop_wanted(); };
  const auto run = [&] {
    const fs::path checkpoint = folder / "checkpoint.h5";
    if (!is_there(folder / "verdict.json") && (is_readable(checkpoint) || is_readable(previous_checkpoint(checkpoint))))
      return resume_case(folder, hooks);
    Case c = parse_case(packing_document(spec, point).text(), spec.packing->case_file);
    c.threads = threads;
    return run_case(c, folder, hooks, is_there(folder));
  };
  std::string failure;
  try {
    const RunResult result = run();
    if (result.end == RunEnd::stopped)
      throw TaskStopped(fmt::format("stopped at step {} of its packing, with a checkpoint", result.step));
    if (result.end == RunEnd::finished) return;
    failure = result.failure;
  } catch (const CaseErrors& errors) {
    failure = without_lines(errors, spec.packing->case_file);
  } catch (const TaskStopped&) {
    throw;
  } catch (const FileError&) {  // there may be room, or the file, another time
    throw;
  } catch (const std::runtime_error& error) {
    failure = error.what();
  }
  write_file(failure_of(folder), failure);
}

}  // namespace

fs::path packing_folder(const SweepSpec& spec, std::size_t point) {
  const std::string& by = spec.packing->by;
  const std::string name = by.empty() ? "packing" : fmt::format("{}-{}", by, text_of(value_of(spec, point)));
  return spec.folder / sweep_folder::packings / as_file_name(name);
}

CaseDocument packing_document(const SweepSpec& spec, std::size_t point) {
  CaseDocument document(spec.packing->case_text, spec.packing->case_file.string());
  if (!spec.packing->by.empty()) document.set(spec.packing->key, value_of(spec, point));
  return document;
}

void make_packing(const SweepSpec& spec, std::size_t point, TaskProgress& progress, int threads) {
  const fs::path folder = packing_folder(spec, point);
  std::error_code ignored;
  // One level only: the folder of a sweep that was removed is not made again.
  fs::create_directory(folder.parent_path(), ignored);
  const std::string inputs = inputs_of(packing_document(spec, point), spec.packing->case_file);
  while (!is_made(folder, inputs)) {
    const FileLock lock(folder.string() + ".lock", "dem sweep", 1);
    if (lock.is_impossible())
      throw FileError(
          fmt::format("{}: found a file system without file locks (flock), which keep a packing from being "
                      "made twice; choose a folder on another file system with --output",
                      folder.string()));
    if (lock.is_held() && !is_made(folder, inputs)) {
      remove_other(folder, inputs);
      run_packing(spec, point, folder, progress, threads);
    } else if (!lock.is_held()) {
      if (progress.stop_wanted()) throw TaskStopped("stopped while it waited for its packing");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  if (is_there(failure_of(folder)))
    throw std::runtime_error(fmt::format("start_from: packings/{} cannot be made: {}", folder.filename().string(),
                                         read_file(failure_of(folder))));
}

}  // namespace dem
