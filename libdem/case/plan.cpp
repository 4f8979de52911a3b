#include "libdem/case/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "libdem/bounds.hpp"
#include "libdem/drivers/stage_ends.hpp"

namespace dem {
namespace {

struct TimedEnd {
  std::string_view key;
  double time;  // s
};

/// The first end of the stage whose time is known.
TimedEnd first_end(const Stage& stage) {
  TimedEnd first{"", INFINITY};
  for (const StageEnd& end : stage_ends())
    if (end.time && end.given(stage))
      if (const double time = end.time(stage); time < first.time) first = {end.key, time};
  return first;
}

}  // namespace

double planned_time(const Stage& stage) { return first_end(stage).time; }

std::vector<ShortInterval> too_short(const OutputChoice& output, const TimeChoice& time, double step) {
  std::vector<ShortInterval> found;
  for (const ShortInterval& interval : {ShortInterval{"output.series_interval", output.series_interval},
                                        {"output.snapshot_interval", output.snapshot_interval},
                                        {"output.frame_interval", output.frame_interval},
                                        {"time.limit_check_interval", time.limit_check_interval}})
    if (interval.length > 0 && interval.length < step * (1 - 1e-9)) found.push_back(interval);
  return found;
}

std::optional<MisfitEnd> too_long(const Stage& stage, double step) {
  const auto [key, time] = first_end(stage);
  if (!std::isfinite(time) || time / step <= bounds::most_steps) return {};
  return MisfitEnd{key, fmt::format("a time of {:g} s", time),
                   fmt::format("at most {:g} s, {:g} steps of {:g} s: such a run does not end",
                               bounds::most_steps * step, bounds::most_steps, step)};
}

double planned_time(const Case& c, std::size_t first) {
  double total = 0;
  for (std::size_t k = first; k < c.stages.size(); ++k)
    if (const double time = planned_time(c.stages[k]); std::isfinite(time)) total += time;
  return total;
}

std::string stage_label(const Case& c, std::size_t stage) {
  const std::string& name = c.stages.at(stage).name;
  return fmt::format("stage {}{}", stage + 1, name.empty() ? "" : fmt::format(" '{}'", name));
}

std::string goals_of(const Stage& stage) {
  std::vector<std::string> goals;
  for (const StageEnd& end : stage_ends())
    if (end.given(stage) && end.key != duration_end)
      goals.push_back(end.target ? fmt::format("{} = {:g}", end.key, end.target(stage)) : std::string(end.key));
  return fmt::format("{}", fmt::join(goals, ", "));
}

std::uint64_t interval_steps(double interval, double planned, double parts, double dt) {
  if (interval <= 0) interval = planned > 0 ? planned / parts : 1000 * dt;
  return std::max<std::uint64_t>(1, std::uint64_t(std::llround(std::min(interval / dt, 1e18))));
}

std::uint64_t row_steps(const Case& c, double dt) {
  const std::uint64_t steps = interval_steps(c.output.series_interval, planned_time(c), 1000, dt);
  return c.dimension == 3 && c.output.series_interval == 0 ? std::max<std::uint64_t>(100, steps) : steps;
}

OutputPlan::OutputPlan(const Case& c, double dt, std::uint64_t first_step)
    : first_(first_step),
      row_{row_steps(c, dt)},
      snapshot_(schedule(c, c.output.snapshot_interval, dt)),
      frame_(schedule(c, c.output.frame_interval, dt)),
      draws_(c.dimension == 2 || c.output.frame_interval > 0) {}

OutputPlan::Schedule OutputPlan::schedule(const Case& c, double interval, double dt) {
  const std::uint64_t parts = c.dimension == 2 ? 5 : 2;
  return {interval_steps(interval, planned_time(c), double(parts), dt), interval <= 0 ? parts : 0};
}

bool OutputPlan::Schedule::at(std::uint64_t step, std::uint64_t first) const {
  if (few == 0) return step == first || Every{interval}.at(step);
  const std::uint64_t since = step - first, times = since / interval;
  if (since % interval != 0) return false;
  return times < few || (times % (2 * few) == 0 && std::has_single_bit(times / few));
}

std::uint64_t OutputPlan::Schedule::count(std::uint64_t last, std::uint64_t first) const {
  if (few == 0) return Every{interval}.count(last, first);
  const std::uint64_t times = (last - first) / interval;
  return std::min<std::uint64_t>(times, few - 1) + (times < 2 * few ? 0 : std::bit_width(times / few) - 1);
}

}  // namespace dem
