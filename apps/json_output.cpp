#include "apps/json_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>

#include "apps/cost_report.hpp"
#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "libdem/assembly/start_check.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/case/words.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/drivers/shear_box.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/run/cost.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

/// Replaces bytes of names that are not UTF-8 by the replacement character, so that the object stays valid.
void print(const Json& object) { say_text(object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

/// The file of a message without found and allowed: `FILE: sentence` or `cannot read FILE: reason`. Empty without one.
std::string file_before(std::string_view message) {
  const std::string_view name = message.substr(0, message.find(": "));
  for (const std::string_view verb : {"cannot read ", "cannot write "})
    if (name.starts_with(verb)) return std::string(name.substr(verb.size()));
  const bool looks_like_one = name.find_first_of("/.") != name.npos;  // not the "dem" of a command line
  return name == standard_input_name || (looks_like_one && is_there(name)) ? std::string(name) : "";
}

Json json_of_error(const std::string& message) {
  const case_file::MessageParts parts = case_file::parts_of(message);
  const std::string file = parts.file.empty() ? file_before(message) : parts.file;
  Json error{{"message", message}};
  if (!file.empty()) error["file"] = file;
  if (parts.line > 0) error["line"] = parts.line;
  const auto command_end = parts.key.rfind(": ");  // of "dem run: --threads"
  const std::string key = command_end == std::string::npos ? parts.key : parts.key.substr(command_end + 2);
  if (!key.empty()) error["key"] = key, error["found"] = parts.found, error["allowed"] = parts.allowed;
  return error;
}

std::string hash_text(const Simulation& run) { return fmt::format("{:016x}", run.hash()); }

Json json_of_verdict(const fs::path& file) {
  Json verdict = Json::parse(read_file(file), nullptr, false);
  if (verdict.is_discarded()) throw FileError(fmt::format("{}: is no JSON", file.string()));
  return verdict;
}

Json json_of_series(const Series& series) {
  Json columns = Json::array();
  for (const Column& c : series.columns) {
    Json column{{"name", c.name}, {"unit", c.unit}, {"description", c.description}};
    if (!c.bins.empty()) column["bins"] = c.bins.size();
    columns.push_back(std::move(column));
  }
  Json out{{"rows", series.rows()}};
  if (series.rows() > 0) {
    const auto steps = series.column("step");
    out["first_step"] = std::uint64_t(steps.front());
    out["last_step"] = std::uint64_t(steps.back());
  }
  out["columns"] = std::move(columns);
  if (!series.problems.empty()) out["problems"] = series.problems;
  return out;
}

Json json_of_checkpoint(const Checkpoint& c) {
  Json out{{"step", c.header().step}, {"time", c.header().time}, {"program_version", c.header().program_version}};
  if (c.has("folder")) {
    const FolderRecord record = FolderRecord::of(c);
    out.update({{"changes", record.changes}, {"losses", record.losses}});
  }
  if (!c.message.empty()) out["problem"] = c.message;
  return out;
}

Json json_of_snapshot(const fs::path& path) {
  const Snapshot s = read_snapshot(path);
  return {{"kind", "snapshot"},
          {"title", s.run.title},
          {"step", s.step},
          {"time", s.time},
          {"strain", s.strain},
          {"time_step", s.time_step},
          {"dimension", s.dimension},
          {"bodies", s.bodies},
          {"shapes", s.shapes},
          {"contacts", s.contacts},
          {"groups", s.groups},
          {"program_version", s.run.program_version},
          {"compiler", s.run.compiler},
          {"flags", s.run.flags},
          {"seed", s.run.seed}};
}

Json json_of_folder(const fs::path& path) {
  ResultsFolder folder = ResultsFolder::open(path);
  Json out{{"kind", "results"}, {"path", path.string()}};
  std::vector<std::string> problems;
  // A damaged part is listed among the problems; the others are still reported.
  const auto part = [&](const char* name, const auto& tell) {
    out[name] = nullptr;
    try {
      out[name] = tell();
    } catch (const FileError& error) {
      problems.push_back(error.what());
    }
  };
  const auto optional_series = [&](const std::optional<Series>& series) {
    if (!series) return Json(nullptr);
    problems.insert(problems.end(), series->problems.begin(), series->problems.end());
    return json_of_series(*series);
  };
  part("series",
       [&] { return optional_series(is_there(path / "series") ? std::optional(folder.read_series()) : std::nullopt); });
  part("profiles", [&] { return optional_series(folder.read_profiles()); });
  part("plane_jumps", [&] { return optional_series(folder.read_jumps()); });
  out["snapshots"] = folder.snapshots().size();
  out["frames"] = folder.frames().size();
  part("checkpoint", [&] {
    if (!is_there(folder.checkpoint_file()) && !is_there(previous_checkpoint(folder.checkpoint_file())))
      return Json(nullptr);
    const Checkpoint checkpoint = folder.read_checkpoint();
    if (!checkpoint.message.empty()) problems.push_back(checkpoint.message);
    std::ranges::move(folder.losses(problems), std::back_inserter(problems));
    return json_of_checkpoint(checkpoint);
  });
  part("verdict",
       [&] { return is_there(path / "verdict.json") ? json_of_verdict(path / "verdict.json") : Json(nullptr); });
  out["problems"] = problems;
  return out;
}

Json json_of_stages(const Simulation& run) {
  const Case& c = run.given();
  Json stages = Json::array();
  for (std::size_t k = 0; k < c.stages.size(); ++k) {
    const double time = planned_time(c, k) - planned_time(c, k + 1);
    Json stage{{"name", c.stages[k].name}, {"planned_time", nullptr}, {"planned_steps", nullptr}};
    if (time > 0)
      stage["planned_time"] = time, stage["planned_steps"] = std::uint64_t(std::llround(time / run.state().dt));
    stages.push_back(std::move(stage));
  }
  return stages;
}

}  // namespace

void print_errors(const std::vector<std::string>& messages) {
  Json errors = Json::array();
  for (const std::string& message : messages) errors.push_back(json_of_error(message));
  print({{"errors", errors}});
}

void with_loudness(const Loudness& loudness, const std::function<Json()>& work) {
  Json report;
  try {
    const SilentOutput silent(loudness.quiet || loudness.json, loudness.quiet);
    report = work();
  } catch (const CaseErrors& errors) {
    if (loudness.json) print_errors(errors.messages);
    throw;
  } catch (const std::bad_alloc&) {
    if (loudness.json) print_errors({"out of memory"});
    throw;
  } catch (const std::exception& error) {
    if (loudness.json) print_errors({error.what()});
    throw;
  }
  if (loudness.json) print(report);
}

Json json_of_check(Simulation& run, const std::string& file, const std::string& picture) {
  const State& state = run.state();
  const Bodies& bodies = state.bodies;
  Json groups = Json::object();
  for (std::size_t g = 0; g < state.groups.size(); ++g) groups[state.groups[g]] = std::ranges::count(bodies.group, g);
  double mass = 0;
  std::size_t moving = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies.freedom[b] != 0) mass += bodies.mass[b], ++moving;
  Json out{{"file", file},
           {"title", run.given().title},
           {"dimension", state.dimension},
           {"bodies", bodies.size()},
           {"moving_bodies", moving},
           {"groups", groups},
           {"moving_mass", mass},
           {"mean_diameter", run.scale().mean_diameter},
           {"contacts", run.contact_count()},
           {"largest_overlap", deepest_start_overlap(state).relative},
           {"step", state.dt},
           {"limit", run.apriori_limit().dt},
           {"limit_reason", run.apriori_limit().describe()},
           {"contact_time", run.scale().contact_duration},
           {"stages", json_of_stages(run)}};
  RunObserver observer(run);
  const RunCost cost = cost_of(run, observer);
  out.update({{"memory", cost.memory},
              {"disk", cost.disk},
              {"rows", cost.rows},
              {"snapshots", cost.snapshots},
              {"frames", cost.frames},
              {"seconds", nullptr}});
  std::vector<std::string> warnings = start_warnings(observer.lost_bodies(), state);
  std::ranges::move(cost_attentions(cost, default_folder(run.given())), std::back_inserter(warnings));
  const Trial trial = try_steps(run, observer, 0.5);
  if (trial.failure.empty() && cost.steps > 0) out["seconds"] = time_of(cost, trial);
  if (!picture.empty()) out["picture"] = picture;
  out["warnings"] = warnings;
  out["errors"] = Json::array();
  if (!trial.failure.empty()) out["errors"].push_back(json_of_error(trial_failed(trial.failure)));
  return out;
}

Json json_of_run(const Simulation& run, const ResultsFolder& folder) {
  // A stopped run has no verdict. An earlier verdict is removed when the run continues.
  const fs::path verdict = folder.path() / "verdict.json";
  return {{"results", folder.path().string()},
          {"finished", run.finished()},
          {"step", run.step_count()},
          {"time", run.time()},
          {"hash", hash_text(run)},
          {"verdict", is_there(verdict) ? json_of_verdict(verdict) : Json(nullptr)}};
}

Json json_of_case(const fs::path& file) {
  const Case c = read_case(file);
  const Assembly& a = c.assembly;
  Json stages = Json::array();
  for (const Stage& stage : c.stages) stages.push_back(stage.name);
  return {{"kind", "case"},
          {"format", case_format},
          {"title", c.title},
          {"dimension", c.dimension},
          {"generator", case_file::word_of(case_file::Generator(a.generator.index()))},
          {"bodies_listed", a.bodies.size()},
          {"walls", a.walls.size()},
          {"plates", c.driver_options<PlatesSpec>() != nullptr},
          {"shear_box", c.driver_options<ShearBoxSpec>() != nullptr},
          {"stages", stages},
          {"step", c.time.step > 0 ? Json(c.time.step) : Json("auto")}};
}

Json json_of_results(const fs::path& path) {
  const auto as_series = [](const Series& series) {
    Json out{{"kind", "series"}};
    out.update(json_of_series(series));
    return out;
  };
  if (is_series_folder(path)) return as_series(read_series(path));
  if (std::error_code ignored; fs::is_directory(path, ignored)) return json_of_folder(path);
  if (path.stem() == "verdict" && (path.extension() == ".json" || path.extension() == ".txt"))
    return {{"kind", "verdict"}, {"verdict", json_of_verdict(path.parent_path() / "verdict.json")}};
  const std::string kind = hdf5::read_sealed(path, "").seal.kind;
  if (kind == "snapshot") return json_of_snapshot(path);
  if (kind != "checkpoint") return as_series(read_series_segment(path));
  Json out{{"kind", "checkpoint"}};
  out.update(json_of_checkpoint(Checkpoint(path)));
  return out;
}

}  // namespace dem
