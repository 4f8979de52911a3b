#include "libdem/run/time_to_go.hpp"

#include <algorithm>
#include <cmath>

#include "libdem/case/plan.hpp"
#include "libdem/drivers/plates.hpp"

namespace dem {
namespace {

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

}  // namespace

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

}  // namespace dem
