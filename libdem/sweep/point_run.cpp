#include "libdem/sweep/point_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "libdem/platform/every.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/run/start_from.hpp"
#include "libdem/state/view.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_folder.hpp"

namespace dem {
namespace {

using Clock = std::chrono::steady_clock;

void save(const Simulation& run, const QuantityMeter& meter, KeptSeries& series, const PointRun& how,
          const std::string& owner) {
  series.flush();
  sweep_folder::make_folder_of(how.checkpoint);
  write_checkpoint(how.checkpoint, {this_build().program_version, run.step_count(), run.time()},
                   [&](ArchiveWriter& archive) {
                     archive.put_text("sweep/point", owner);
                     if (series.is_on()) archive.put_text("sweep/rows", fmt::format("{}", series.rows()));
                     run.save(archive);
                     meter.save(archive);
                   });
}

/// Loads a checkpoint. False if it does not fit, because it is of another build or because kept rows are missing.
bool load(Simulation& run, QuantityMeter& meter, KeptSeries& series, const Checkpoint& checkpoint) {
  try {
    run.load(checkpoint);
    meter.load(checkpoint);
    const std::string rows = checkpoint.has("sweep/rows") ? checkpoint.text("sweep/rows") : "0";
    return series.resume(run.step_count(), std::stoull(rows));
  } catch (const FileError&) {
    return false;
  }
}

/// The checkpoint of the point, if there is a good one. Otherwise the point begins again, which costs time only.
std::optional<Checkpoint> checkpoint_of(const PointRun& how, const std::string& owner) {
  if (how.checkpoint.empty() || (!is_there(how.checkpoint) && !is_there(previous_checkpoint(how.checkpoint))))
    return std::nullopt;
  try {
    Checkpoint found = read_checkpoint(how.checkpoint);
    if (found.has("sweep/point") && found.text("sweep/point") == owner) return found;
  } catch (const FileError&) {
  }
  return std::nullopt;
}

void run_to_end(Simulation& run, QuantityMeter& meter, KeptSeries& series, TaskProgress& progress, const PointRun& how,
                const std::string& owner) {
  const std::chrono::duration<double> interval(run.given().output.checkpoint_interval);
  auto last = Clock::now();
  while (!run.finished() && !(Every{256}.at(run.step_count()) && meter.satisfied())) {
    if (!how.checkpoint.empty() && progress.stop_wanted()) {
      save(run, meter, series, how, owner);
      throw TaskStopped(
          fmt::format("stopped at step {}, t = {:.6g} s, with a checkpoint", run.step_count(), run.time()));
    }
    run.step();
    if (meter.after_step(run)) series.add(meter);
    if (!how.checkpoint.empty() && Every{32}.at(run.step_count()) && Clock::now() - last > interval) {
      last = Clock::now();
      try {
        save(run, meter, series, how, owner);
      } catch (const FileError&) {  // an earlier one stays; the next may find room
      }
    }
    if (Every{4096}.at(run.step_count())) progress.done(meter.share(run));
  }
}

std::vector<double> results_of(const SweepSpec& spec, std::size_t point, TaskProgress& progress, const PointRun& how) {
  if (spec.packing) make_packing(spec, point, progress, how.threads);
  Case c;
  try {
    c = parse_case(point_case_text(spec, point), spec.case_file);
  } catch (const CaseErrors& errors) {
    throw std::runtime_error(without_lines(errors, spec.case_file));
  }
  c.threads = how.threads;
  take_step_of_start(c);
  Simulation run(c);
  if (!c.start_from.empty()) start_from_results(run, c);
  QuantityMeter meter(spec.quantities, run, spec.keep_series);
  run.at_stage_end([&] { meter.at_stage_end(run); });
  KeptSeries series(spec, how.series, meter);
  // Of the sweep and the point, as a checkpoint has it.
  const std::string owner = fmt::format("point {}\n{}inputs {}\n", point, how.fingerprint, progress.inputs);
  if (const auto checkpoint = checkpoint_of(how, owner)) {
    if (!load(run, meter, series, *checkpoint)) {  // the point begins again
      remove_checkpoint(how.checkpoint);
      return results_of(spec, point, progress, how);
    }
  } else {
    series.start(meter);
  }
  run_to_end(run, meter, series, progress, how, owner);
  series.finish();
  std::vector<double> values{run.scale().contact_duration, double(run.step_count())};
  const auto measured = meter.results(progress.remark);
  values.insert(values.end(), measured.begin(), measured.end());
  return values;
}

}  // namespace

std::vector<double> run_point(const SweepSpec& spec, std::size_t point, TaskProgress& progress, const PointRun& how) {
  try {
    progress.inputs = inputs_of(spec, point);
  } catch (const std::bad_alloc&) {
    throw;                           // without sums a change of the files would not be seen
  } catch (const std::exception&) {  // shown below
  }
  try {
    return results_of(spec, point, progress, how);
  } catch (const TaskStopped&) {
    throw;
  } catch (const std::runtime_error& error) {
    // A file may be there another time.
    if (lacks_input(progress.inputs)) throw FileError(error.what());
    throw;
  }
}

std::vector<std::size_t> KeptSeries::places_of(const SweepSpec& spec, const std::vector<Column>& columns) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < columns.size() && spec.columns.empty(); ++k) places.push_back(k);
  if (!spec.columns.empty()) places.push_back(column_of(columns, "step"));  // the first column of every series
  for (const std::string& name : spec.columns)
    if (const std::size_t place = column_of(columns, name); std::ranges::find(places, place) == places.end())
      places.push_back(place);
  return places;
}

KeptSeries::KeptSeries(const SweepSpec& spec, std::filesystem::path folder, const QuantityMeter& meter) {
  if (!spec.keep_series || folder.empty()) return;
  folder_ = std::move(folder);
  unfinished_ = folder_.string() + ".unfinished";
  places_ = places_of(spec, meter.columns());
  for (const std::size_t place : places_) columns_.push_back(meter.columns()[place]);
}

void KeptSeries::start(const QuantityMeter& meter) {
  if (!is_on()) return;
  remove_path(unfinished_);
  sweep_folder::make_folder_of(folder_);
  if (!std::filesystem::is_directory(folder_.parent_path()))
    throw FileError(fmt::format("{} cannot be made", folder_.parent_path().string()));
  writer_.emplace(unfinished_, columns_);
  add(meter);
}

bool KeptSeries::resume(std::uint64_t step, std::uint64_t expected) {
  if (!is_on()) return true;
  if (!std::filesystem::is_directory(unfinished_)) return false;
  writer_ = SeriesWriter::resume(unfinished_, columns_, step);
  return rows() == expected;
}

void KeptSeries::finish() {
  if (!is_on()) return;
  flush();
  remove_path(folder_);
  std::error_code error;
  std::filesystem::rename(unfinished_, folder_, error);
  if (error) throw FileError(fmt::format("cannot rename {}: {}", unfinished_.string(), error.message()), error.value());
}

void KeptSeries::add(const QuantityMeter& meter) {
  if (!is_on()) return;
  std::vector<double> row;
  for (const std::size_t place : places_) row.push_back(meter.row()[place]);
  writer_->append(row);
}

void KeptSeries::flush() {
  if (is_on()) writer_->flush();
}

std::uint64_t KeptSeries::rows() const {
  std::uint64_t rows = 0;
  if (is_on())
    for (const SegmentRecord& segment : writer_->segments()) rows += segment.rows;
  return rows;
}

}  // namespace dem
