#include "libdem/run_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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

}  // namespace dem
