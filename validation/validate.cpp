#include "validation/validate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>

#include "libdem/case/problems.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/state/view.hpp"

namespace dem::validation {

namespace fs = std::filesystem;

namespace {

volatile std::sig_atomic_t stopped = 0;
extern "C" void note_stop_of_validation(int) { stopped = 1; }

/// Between tasks, a first Ctrl-C is noted and heeded after the study; a second one ends the program.
class StopNotes {
 public:
  StopNotes() {
    stopped = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      sigaction(signals[k], nullptr, &old_[k]);
      if (old_[k].sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_handler = note_stop_of_validation;
      action.sa_flags = int(SA_RESETHAND);
      sigaction(signals[k], &action, nullptr);
    }
  }
  ~StopNotes() {
    for (std::size_t k = 0; k < 2; ++k) sigaction(signals[k], &old_[k], nullptr);
  }
  StopNotes(const StopNotes&) = delete;
  StopNotes& operator=(const StopNotes&) = delete;

 private:
  static constexpr int signals[2] = {SIGINT, SIGTERM};
  struct sigaction old_[2];
};

/// What tells one build of the program from another: the bytes of its file.
const std::string& build_id() {
  static const std::string id = fmt::format("{:016x}\n", fnv1a(read_file("/proc/self/exe")));
  return id;
}

/// A remark where the folder has results of another build; such results are used all the same, since most changes do
/// not touch them.
std::string note_build(const fs::path& folder) {
  const fs::path file = folder / "build.txt";
  const auto is_kept = [](const fs::directory_entry& e) {
    return e.path().filename() != "build.txt" && e.path().filename() != "result.json";
  };
  if (!fs::exists(file) || std::none_of(fs::directory_iterator(folder), fs::directory_iterator(), is_kept)) {
    write_file(file, build_id());
    return "";
  }
  if (read_file(file) == build_id()) return "";
  return "Parts of this study may have been computed by another build of the program; --fresh computes all of them "
         "again.";
}

std::string list_of(std::span<const Study> all) {
  std::string out;
  for (const Study& s : all) out += fmt::format("\n  {:<28} {}", s.name, s.title);
  return out;
}

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('/') + 1); }

std::string nearest_to(std::string_view given, std::span<const Study> all) {
  std::string best;
  int least = case_file::near_enough(last_part(given)) + 1;
  for (const Study& s : all) {
    const int distance = std::min(case_file::edit_distance(given, s.name),
                                  case_file::edit_distance(last_part(given), last_part(s.name)));
    if (distance < least) least = distance, best = s.name;
  }
  return best;
}

}  // namespace

std::vector<const Study*> find_studies(std::span<const Study> all, std::span<const std::string> names) {
  std::set<const Study*> chosen;
  for (std::string name : names) {
    while (name.ends_with('/')) name.pop_back();
    const std::size_t before = chosen.size();
    std::vector<const Study*> by_last_part;
    bool found = false;
    for (const Study& s : all) {
      if (s.name == name || (s.name.starts_with(name + "/") && !name.empty())) found = true, chosen.insert(&s);
      if (last_part(s.name) == name) by_last_part.push_back(&s);
    }
    if (!found && chosen.size() == before && by_last_part.size() == 1)
      chosen.insert(by_last_part[0]);
    else if (!found) {
      const std::string guess = nearest_to(name, all);
      throw UnknownStudy(fmt::format("unknown study '{}'{}; there are{}", name,
                                     guess.empty() ? "" : ", did you mean " + guess + "?", list_of(all)));
    }
  }
  std::vector<const Study*> out;
  for (const Study& s : all)
    if (names.empty() || chosen.contains(&s)) out.push_back(&s);
  return out;
}

fs::path validation_sources() {
  std::vector<fs::path> places;
  if (const char* named = std::getenv("LIBDEM_VALIDATION"); named && *named) {
    if (!fs::exists(fs::path(named) / "report.py"))
      throw FileError(fmt::format(
          "LIBDEM_VALIDATION: found '{}', which has no report.py; allowed: the folder validation of libdem", named));
    return fs::absolute(named);
  }
  std::error_code error;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
    places.push_back(program.parent_path().parent_path() / LIBDEM_VALIDATION_INSTALLED);
  places.emplace_back(LIBDEM_VALIDATION_SOURCE);
  for (const fs::path& place : places)
    if (fs::exists(place / "report.py")) return place;
  throw FileError(
      fmt::format("the files of the studies are not there: neither {} nor {} has report.py; name their folder in the "
                  "environment variable LIBDEM_VALIDATION",
                  places.front().string(), places.back().string()));
}

double expected_seconds(std::span<const Study* const> studies, bool quick, int workers) {
  double seconds = 0;
  for (const Study* s : studies) seconds += quick ? s->quick_seconds : 60 * s->full_minutes;
  const std::size_t cores = available_cores(), used = std::min(workers > 0 ? std::size_t(workers) : cores, cores);
  return seconds * 2 / double(std::max<std::size_t>(1, used));
}

bool ValidationEnd::failed() const {
  return std::any_of(results.begin(), results.end(), [](const StudyResult& r) { return !r.error.empty(); });
}

ValidationEnd run_studies(std::span<const Study* const> studies, std::span<const Study> all,
                          const ValidationChoice& choice) {
  ValidationEnd end;
  StopNotes notes;
  for (std::size_t k = 0; k < studies.size(); ++k) {
    const Study& study = *studies[k];
    if (choice.before) choice.before(study, k, studies.size());
    const fs::path folder = study_folder(choice.output, study.name, choice.quick);
    if (choice.fresh) {
      std::error_code error;
      fs::remove_all(folder, error);
      if (error) throw FileError(fmt::format("{}: cannot be removed ({})", folder.string(), error.message()));
    }
    create_folder(folder);
    StudyRun run(std::string(study.name), choice.quick, choice.workers, folder, choice.sources / study.name);
    StudyResult result;
    result.study = study.name;
    result.title = study.title;
    result.quick = choice.quick;
    result.remark = note_build(folder);
    result.version = this_build().program_version;
    const auto start = std::chrono::steady_clock::now();
    try {
      study.run(run);
    } catch (const TasksInterrupted&) {
      end.interrupted = true;
      break;
    } catch (const FileError& error) {  // such as results of other parameters, which are not mixed
      const std::string_view said = error.what();
      result.error =
          fmt::format("{}; --fresh forgets what earlier calls left", said.substr(0, said.find("; --overwrite")));
    } catch (const std::exception& error) {
      result.error = error.what();
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.date = fmt::format("{:%Y-%m-%d %H:%M}",
                              fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
    result.claims.assign(run.claims().begin(), run.claims().end());
    result.figures.assign(run.figures().begin(), run.figures().end());
    write_result(choice.output, result);
    merge_results(choice.output, all);
    if (choice.after) choice.after(result);
    end.results.push_back(std::move(result));
    if (stopped && k + 1 < studies.size()) {
      end.interrupted = true;
      break;
    }
  }
  return end;
}

}  // namespace dem::validation
