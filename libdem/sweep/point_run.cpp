#include "libdem/sweep/point_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "libdem/platform/every.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/run/start_from.hpp"
#include "libdem/state/view.hpp"
#include "libdem/sweep/kept_series.hpp"
#include "libdem/sweep/packings.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/quantities.hpp"

namespace dem {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the sweep and the point, as a checkpoint has it.
std::string owner_of(const PointRun& how, std::size_t point, const std::string& inputs) {
  return fmt::format("point {}\n{}inputs {}\n", point, how.fingerprint, inputs);
}

bool is_of(const Checkpoint& checkpoint, const std::string& owner) {
  return checkpoint.has("sweep/point") && checkpoint.text("sweep/point") == owner;
}

void save(const Simulation& run, const QuantityMeter& meter, KeptSeries& series, const PointRun& how,
          const std::string& owner) {
  series.flush();
  std::error_code ignored;
  // One level only: the folder of a sweep that was removed is not made again.
  std::filesystem::create_directory(how.checkpoint.parent_path(), ignored);
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
    if (is_of(found, owner)) return found;
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
  KeptSeries series(spec, how.series, meter);
  const std::string owner = owner_of(how, point, progress.inputs());
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
  std::string remark;
  std::vector<double> values{run.contact_duration(), double(run.step_count())};
  const auto measured = meter.results(run, remark);
  values.insert(values.end(), measured.begin(), measured.end());
  progress.remark(remark);
  return values;
}

}  // namespace

std::vector<double> run_point(const SweepSpec& spec, std::size_t point, TaskProgress& progress, const PointRun& how) {
  try {
    progress.set_inputs(inputs_of(spec, point));
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
    if (lacks_input(progress.inputs())) throw FileError(error.what());
    throw;
  }
}

}  // namespace dem
