#include "libdem/run/cost.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <tuple>

#include "libdem/case/plan.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/platform/phase_times.hpp"

namespace dem {
namespace {

// Measured numbers of bytes. tests/apps/cost_test.py compares the sums with real files and real memory.
constexpr double snapshot_head = 40e3;  // names, units and descriptions of all parts
constexpr double frame_head = 10e3;
constexpr double series_head = 830;  // per column of a segment

/// Corners of all polygons, or component spheres of all bodies in space.
double points_of(const State& state) {
  double points = 0;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const Shape& shape = state.shape_of(b);
    points += state.dimension == 3                 ? double(shape.spheres().size())
              : shape.kind() == ShapeKind::polygon ? double(shape.polygon()[0].vertices().size())
                                                   : 0;
  }
  return points;
}

/// A dense packing has about two contacts per disc and three per sphere.
std::size_t contacts_of_packing(const State& state) {
  const auto free = double(std::ranges::count_if(state.bodies.freedom.stored(), [](unsigned f) { return f != 0; })),
             all = double(state.bodies.size());
  return std::size_t(std::min((state.dimension == 2 ? 2 : 3) * free, all * (all - 1) / 2));
}

struct Sizes {
  double bodies, shapes, points, contacts, case_text;
};

/// The resolved case is in every snapshot. Bodies without a generator are listed in it, with all their keys.
double case_text_bytes(const Case& c, std::size_t bodies) {
  const bool listed = c.assembly.made_by<std::monostate>();
  return 2400 + 350 * double(listed ? bodies : c.assembly.bodies.size());
}

double snapshot_bytes(int dimension, const Sizes& s, bool with_contacts) {
  const double body = dimension == 2 ? 155 : 200, point = dimension == 2 ? 16 : 32;
  return snapshot_head + s.case_text + body * s.bodies + 40 * s.shapes + point * s.points +
         (with_contacts ? 209 * s.contacts : 0);
}

double paraview_bytes(int dimension, const Sizes& s, bool with_contacts) {
  const double body = dimension == 2 ? 180 : 0, point = dimension == 2 ? 32 : 260;
  return 10e3 + body * s.bodies + point * (s.points > 0 ? s.points : 32 * s.bodies) +
         (with_contacts ? 205 * s.contacts : 0);
}

double frame_bytes(int dimension, const Sizes& s) {
  if (dimension == 2)
    return frame_head + (s.points > 0 ? 30 * s.bodies + 15 * s.points : 137 * s.bodies) + 85 * s.contacts;
  return frame_head + 62 * std::min(s.points, 4 * std::pow(s.points, 2.0 / 3));  // only what is not hidden
}

/// Estimates the bodies in a file from its size, at `bytes` per body (gzip leaves about 0.4). Returns 0 without a file.
std::size_t bodies_in_file(const std::filesystem::path& file, double bytes) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : std::size_t(double(size) / (file.extension() == ".gz" ? 0.4 * bytes : bytes));
}

constexpr double least_progress = 0.002;  // least progress of a stage from which its end is guessed

/// Time of a later stage; infinite if it is unknown.
double expected_time(const Simulation& run, const Stage& stage) {
  double time = planned_time(stage);
  if (stage.cell && stage.cell->turns()) time = std::min(time, double(stage.cell->turn_steps) * run.state().dt);
  if (stage.until_target && stage.normal == PlateNormal::move_to_height && run.driver<Plates>() &&
      stage.plate_speed > 0)
    time = std::min(time, std::abs(stage.height - run.driver<Plates>()->height()) / stage.plate_speed);
  return time;
}

double rest_of_stage(const Simulation& run) {
  const double done = run.stage_progress(), elapsed = run.stage_time();
  const double planned = std::max(0.0, planned_time(run.given().stages[run.stage()]) - elapsed);
  return done > least_progress && elapsed > 0 ? std::min(planned, elapsed * (1 - done) / done)
                                              : std::min(planned, expected_time(run, run.given().stages[run.stage()]));
}

/// The number after a word of a system file. An empty word stands for the first number.
std::optional<std::uint64_t> number_in(const char* file, std::string_view word) {
  std::ifstream in(file);
  std::uint64_t number = 0;
  for (std::string found; word.empty() || in >> found;) {
    if (!word.empty() && found != word) continue;
    if (in >> number) return number;
    break;
  }
  return std::nullopt;
}

}  // namespace

std::size_t bodies_to_make(const Case& c) {
  const Assembly& a = c.assembly;
  std::size_t made = 0;
  // The count that a generator has, or the places of its rows, columns and layers.
  const auto count = [&](const auto& generator) {
    if constexpr (requires { generator.columns; }) made = std::size_t(generator.columns) * std::size_t(generator.rows);
    if constexpr (requires { generator.layers; }) made *= std::size_t(generator.layers);
    if constexpr (requires { generator.count; }) made = generator.count > 0 ? generator.count : made;
  };
  std::visit(count, a.generator);
  if (const auto* file = a.file()) made = bodies_in_file(*file, a.made_by<GrainsSpec>() ? 400 : 60);
  return made + a.bodies.size();
}

std::uint64_t memory_of(const Case& c, double bodies, double corners, double contacts) {
  if (c.dimension == 2) return std::uint64_t(22e6 + 4500 * bodies + 3500 * contacts + 64 * corners);
  // The start of Gear with elongation from geometry tries parts of a step, with copies of motion and contacts.
  const bool tries = c.time.integrator == Integrator::gear5 && c.contact.elongation == Elongation::geometric;
  return std::uint64_t(25e6 + (tries ? 1950 : 900) * bodies + 900 * contacts + 64 * corners);
}

RunCost cost_of(const Simulation& run, const RunObserver& observer) {
  const Case& c = run.given();
  const State& state = run.state();
  RunCost cost;
  const TimeToGo togo = time_to_go(run);
  cost.open_stages = togo.unknown;
  cost.steps = std::round(togo.time / state.dt);
  for (const Stage& stage : c.stages)
    cost.may_end_early |=
        std::isfinite(planned_time(stage)) &&
        std::ranges::any_of(stage_ends(), [&](const StageEnd& end) { return !end.time && end.given(stage); });
  const OutputPlan plan(c, state.dt, observer.first_step());
  const std::uint64_t last = observer.first_step() + std::uint64_t(std::min(cost.steps, 1e18));
  cost.rows = 1 + plan.rows(last) + !plan.row_at(last);
  cost.snapshots = 1 + plan.snapshots(last);
  cost.frames = plan.draws() ? 1 + plan.frames(last) : 0;
  double end = 0;
  for (const Stage& stage : c.stages) {     // counts ends of stages that the plan does not have already
    end += planned_time(stage) / state.dt;  // infinite after a stage of unknown time
    const std::uint64_t step = observer.first_step() + std::uint64_t(std::llround(std::min(end, 1e18)));
    cost.snapshots += std::isinf(end) || !plan.snapshot_at(step);
    cost.frames += plan.draws() && (std::isinf(end) || !plan.frame_at(step));
  }
  cost.contacts = run.contact_count();
  cost.contacts_later = std::max(cost.contacts, contacts_of_packing(state));

  const Sizes sizes{double(state.bodies.size()), double(state.shapes.size()), points_of(state),
                    double(cost.contacts_later), case_text_bytes(c, state.bodies.size())};
  const OutputChoice& output = c.output;
  double profiles = 3;
  for (const Column& column : observer.columns().profiles) profiles += double(column.bins.size());
  const double width = double(observer.columns().series.size());
  const double row = 8 * width, segments = 1 + double(cost.rows) / 1000;
  double bytes = double(cost.rows) * row + segments * width * series_head;
  bytes += double(cost.snapshots) *
           (snapshot_bytes(state.dimension, sizes, output.contacts) +
            (output.vtk ? paraview_bytes(state.dimension, sizes, output.contacts) : 0) + 8 * profiles);
  bytes += double(cost.frames) * frame_bytes(state.dimension, sizes);
  const double checkpoint =
      double(run.checkpoint_bytes()) + (state.dimension == 2 ? 320 : 144) * (sizes.contacts - double(cost.contacts));
  bytes += 2 * checkpoint;
  cost.disk = std::uint64_t(bytes);
  rusage usage{};
  const std::uint64_t held = getrusage(RUSAGE_SELF, &usage) == 0 ? std::uint64_t(usage.ru_maxrss) * 1024 : 0;
  const double points = sizes.points > sizes.bodies ? sizes.points : 0;  // of polygons and clusters
  const auto with = [&](std::size_t contacts) {
    return std::max(held, memory_of(c, sizes.bodies, points, double(contacts)));
  };
  cost.memory = with(cost.contacts);
  cost.memory_later = with(cost.contacts_later);
  return cost;
}

Trial try_steps(Simulation& run, RunObserver& observer, double seconds) {
  Trial trial;
  double first = 0;
  try {
    const auto timed_step = [&] {
      Lap lap(true);
      run.step(false);
      return lap.seconds();
    };
    // The first step of many bodies takes twenty times as long, due to memory. It counts only if it is the only step.
    if (!run.finished()) first = timed_step();
    for (; trial.step < seconds && trial.steps < 1000 && !run.finished(); ++trial.steps) trial.step += timed_step();
    if (trial.steps == 0) trial.steps = 1, trial.step = first;
    trial.step /= double(trial.steps);
    Lap lap(true);
    observer.row(run);
    trial.row = lap.seconds();
  } catch (const std::runtime_error& error) {
    trial.failure = error.what();
  }
  return trial;
}

double time_of(const RunCost& cost, const Trial& trial) {
  constexpr double bytes_per_second = 60e6;  // assembled, given a checksum and written
  return cost.steps * trial.step + double(cost.rows) * trial.row + double(cost.disk) / bytes_per_second;
}

double slowdown_later(const RunCost& cost, const State& state) {
  const double contact = state.dimension == 2 ? 1 : 0.25;  // relative to the time per body
  const auto work = [&](std::size_t contacts) { return double(state.bodies.size()) + contact * double(contacts); };
  return work(cost.contacts_later) / work(cost.contacts);
}

TimeToGo time_to_go(const Simulation& run) {
  TimeToGo togo;
  const auto& stages = run.given().stages;
  for (std::size_t k = run.stage(); k < stages.size(); ++k) {
    const double time = k == run.stage() ? rest_of_stage(run) : expected_time(run, stages[k]);
    if (std::isfinite(time))
      togo.time += time;
    else
      togo.unknown.push_back(k);
  }
  return togo;
}

std::uint64_t memory_held() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  in >> all >> resident;
  return resident * std::uint64_t(sysconf(_SC_PAGESIZE));
}

std::optional<std::uint64_t> free_memory() {
  std::optional<std::uint64_t> free = number_in("/proc/meminfo", "MemAvailable:");
  if (free) *free *= 1024;
  const auto limit_to = [&](std::uint64_t bytes) { free = std::min(free.value_or(bytes), bytes); };
  // A container or batch job may have less than the machine (control groups 2 and 1). Cached files can be freed.
  for (const auto& [limit, statistics, held] :
       {std::tuple{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.stat", "anon"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.stat", "total_rss"}})
    if (const auto most = number_in(limit, ""), now = number_in(statistics, held); most && now)
      limit_to(*most > *now ? *most - *now : 0);
  rlimit address{};
  if (getrlimit(RLIMIT_AS, &address) == 0 && address.rlim_cur != RLIM_INFINITY)
    limit_to(address.rlim_cur > memory_held() ? address.rlim_cur - memory_held() : 0);
  return free;
}

std::optional<std::uint64_t> free_disk(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::path at = std::filesystem::absolute(folder); !at.empty(); at = at.parent_path()) {
    if (const auto space = std::filesystem::space(at, error); !error) return space.available;
    if (at == at.parent_path()) break;
  }
  return std::nullopt;
}

std::string bytes_text(double bytes) {
  for (const char* unit : {"B", "kB", "MB", "GB"}) {
    if (bytes < 999.5) return fmt::format("{:.{}f} {}", bytes, bytes < 9.95 && *unit != 'B' ? 1 : 0, unit);
    bytes /= 1000;
  }
  return fmt::format("{:.1f} TB", bytes);
}

}  // namespace dem
