#include "libdem/run_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "libdem/bounds.hpp"

namespace dem {

namespace {

/// The end that is known to come first.
LongEnd first_end(const Stage& stage) {
  LongEnd first{"", INFINITY};
  const auto note = [&](const char* key, double time) {
    if (time < first.time) first = {key, time};
  };
  if (stage.duration) note("duration", *stage.duration);
  double rate = std::abs(stage.shear_rate);
  if (stage.cell)
    for (const CellComponent& component : stage.cell->component)
      if (component.mode == CellComponent::Mode::rate) rate = std::max(rate, std::abs(component.rate));
  if (stage.strain) note("strain", *stage.strain / rate);
  if (stage.shear_displacement) note("shear_displacement", *stage.shear_displacement / std::abs(stage.shear_velocity));
  if (stage.cycles && stage.strain_amplitude) note("cycles", 4 * *stage.cycles * *stage.strain_amplitude / std::abs(stage.shear_rate));
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

std::optional<LongEnd> too_long(const Stage& stage, double step) {
  const LongEnd end = first_end(stage);
  return std::isfinite(end.time) && end.time / step > bounds::most_steps ? std::optional(end) : std::nullopt;
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
  const auto add = [&](const char* key, const auto& value) {
    if (value) goals.push_back(fmt::format("{} = {:g}", key, double(*value)));
  };
  add("strain", stage.strain);
  add("cycles", stage.cycles);
  if (stage.until_target) goals.push_back("until_target");
  add("quiet", stage.quiet);
  add("unbalanced", stage.unbalanced);
  add("stress_ratio", stage.stress_ratio);
  add("void_ratio", stage.void_ratio);
  if (stage.cell && stage.cell->turns()) goals.push_back("the turn of the cell");
  return fmt::format("{}", fmt::join(goals, ", "));
}

std::uint64_t interval_steps(double interval, double planned, double parts, double dt) {
  if (interval <= 0) interval = planned > 0 ? planned / parts : 1000 * dt;
  return std::max<std::uint64_t>(1, std::uint64_t(std::llround(std::min(interval / dt, 1e18))));
}

std::uint64_t row_steps(const Case& c, double dt) {
  const std::uint64_t steps = interval_steps(c.output.series_interval, planned_time(c), 1000, dt);
  return c.dimension == 3 && c.output.series_interval == 0 ? std::max<std::uint64_t>(10, steps) : steps;
}

OutputPlan::OutputPlan(const Case& c, double dt, std::uint64_t first_step)
    : first_(first_step),
      row_(row_steps(c, dt)),
      snapshot_(schedule(c.output.snapshot_interval, planned_time(c), dt)),
      frame_(schedule(c.output.frame_interval, planned_time(c), dt)) {}

OutputPlan::Schedule OutputPlan::schedule(double interval, double planned, double dt) {
  return {interval_steps(interval, planned, 5, dt), interval <= 0};
}

bool OutputPlan::Schedule::at(std::uint64_t step, std::uint64_t first) const {
  if (!few) return step == first || step % interval == 0;
  const std::uint64_t since = step - first, times = since / interval;
  if (since % interval != 0) return false;
  return times < 5 || (times % 10 == 0 && std::has_single_bit(times / 5));
}

std::uint64_t OutputPlan::Schedule::count(std::uint64_t last, std::uint64_t first) const {
  if (!few) return last / interval - first / interval;
  const std::uint64_t times = (last - first) / interval;
  return std::min<std::uint64_t>(times, 4) + (times < 10 ? 0 : std::bit_width(times / 5) - 1);
}

}  // namespace dem
