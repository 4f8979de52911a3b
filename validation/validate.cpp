#include "validation/validate.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "libdem/platform/file_error.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/state/view.hpp"

namespace dem::validation {

namespace fs = std::filesystem;

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

std::string list_as_json(std::span<const Study> all) {
  auto list = nlohmann::ordered_json::array();
  for (const Study& s : all)
    list.push_back(
        {{"name", s.name}, {"title", s.title}, {"full_minutes", s.full_minutes}, {"quick_seconds", s.quick_seconds}});
  return list.dump(1) + "\n";
}

StudyResult run_study(const Study& study, const StudyChoice& choice) {
  const fs::path folder = study_folder(choice.output, study.name, choice.quick);
  create_folder(folder);
  StudyRun run(std::string(study.name), choice.quick, choice.workers, folder, choice.sources / study.name);
  StudyResult result;
  result.study = study.name;
  result.title = study.title;
  result.quick = choice.quick;
  result.version = this_build().program_version;
  const auto start = std::chrono::steady_clock::now();
  try {
    study.run(run);
  } catch (const TasksInterrupted&) {
    throw;
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
  return result;
}

}  // namespace dem::validation
