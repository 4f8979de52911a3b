
#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <optional>
#include <sstream>
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
  constexpr std::size_t longest = 100;
  std::string name;
  for (const unsigned char c : text)
    name += std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == '+' ? std::string(1, char(c))
                                                                            : fmt::format("%{:02x}", c);
  return name.size() > longest ? fmt::format("{}-{:016x}", name.substr(0, longest), fnv1a(text)) : name;
}

/// One packing of the sweep: its folder, and beside it the file that says how far it is.
class Packing {
 public:
  Packing(const SweepSpec& spec, std::size_t point)
      : spec_(spec),
        document_(packing_document(spec, point)),
        folder_(packing_folder(spec, point)),
        checkpoint_(folder_ / "checkpoint.h5") {
    case_ = fmt::format("{:016x}", fnv1a(program_line() + document_.text()));
    inputs_ = inputs_of(document_, spec.packing->case_file);
  }

  const fs::path& folder() const { return folder_; }
  fs::path lock_file() const { return folder_.string() + ".lock"; }

  /// True if its last state can be used. A damaged packing, or one of another case or other input files, is made again.
  /// Throws std::runtime_error if it cannot be made.
  bool is_made() const {
    const std::optional<Status> now = status();
    if (now && now->word == "failed")
      throw std::runtime_error(
          fmt::format("start_from: packings/{} cannot be made: {}", folder_.filename().string(), now->reason));
    return now && now->word == "done" && is_good_checkpoint(checkpoint_);
  }

  /// Makes it, or goes on with it. The caller holds its lock.
  void make(TaskProgress& progress, int threads) const {
    if (lacks_input(inputs_))  // a packing that has begun must not be lost because a file is away
      throw FileError(fmt::format("start_from: packings/{} reads a file that cannot be read: {}",
                                  folder_.filename().string(), inputs_));
    const std::optional<Status> now = status();
    const bool goes_on = now && now->word == "begun" &&
                         (is_good_checkpoint(checkpoint_) || is_good_checkpoint(previous_checkpoint(checkpoint_)));
    bool has_begun = false;
    RunHooks hooks;
    hooks.stop = [&](const Simulation&) {
      has_begun = true;
      return progress.stop_wanted();
    };
    if (goes_on) {
      try {
        return conclude(resume_case(folder_, hooks));
      } catch (const FileError& error) {
        // A full disk must not cost the packing. Otherwise something in its folder is damaged.
        if (has_begun || (error.error_number != 0 && error.error_number != ENOENT)) throw;
      } catch (const std::runtime_error&) {
        if (has_begun) throw;
      }
    }
    remove_path(folder_);
    write("begun", "");
    try {
      Case c = parse_case(document_.text(), spec_.packing->case_file);
      c.threads = threads;
      conclude(run_case(c, folder_, hooks));
    } catch (const CaseErrors& errors) {
      write("failed", without_lines(errors, spec_.packing->case_file));
    } catch (const TaskStopped&) {
      throw;
    } catch (const FileError&) {  // there may be room another time
      throw;
    } catch (const std::runtime_error& error) {
      write("failed", error.what());
    }
  }

 private:
  struct Status {
    std::string word, reason;
  };

  fs::path status_file() const { return folder_.string() + ".status"; }

  /// The file has one line each for the word (begun, done or failed), the case and the input files. The reason of a
  /// failure follows. Returns nothing if the packing has not begun, or is another one.
  std::optional<Status> status() const {
    if (!is_there(status_file())) return std::nullopt;
    std::istringstream text(read_file(status_file()));
    std::string word, of_case, of_inputs;
    std::getline(std::getline(std::getline(text, word), of_case), of_inputs);
    if (of_case != case_ || !changed_input(of_inputs, inputs_).empty()) return std::nullopt;
    return Status{word, {std::istreambuf_iterator(text), {}}};
  }

  void write(const std::string& word, const std::string& reason) const {
    write_file(status_file(), fmt::format("{}\n{}\n{}\n{}", word, case_, inputs_, reason));
  }

  void conclude(const RunResult& result) const {
    if (result.end == RunEnd::stopped)
      throw TaskStopped(fmt::format("stopped at step {} of its packing, with a checkpoint", result.step));
    const bool good = result.end == RunEnd::finished;
    write(good ? "done" : "failed", result.failure);
  }

  const SweepSpec& spec_;
  CaseDocument document_;
  fs::path folder_, checkpoint_;
  std::string case_, inputs_;
};

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
  const Packing packing(spec, point);
  sweep_folder::make_folder_of(packing.folder());
  while (!packing.is_made()) {
    const FileLock lock(packing.lock_file(), "dem sweep", 1);
    sweep_folder::require_locks(lock, packing.folder(), "a packing from being made");
    if (lock.is_held()) {
      if (!packing.is_made()) packing.make(progress, threads);
    } else {
      if (progress.stop_wanted()) throw TaskStopped("stopped while it waited for its packing");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
}

}  // namespace dem
