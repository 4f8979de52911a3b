#include "apps/run_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/run/cost.hpp"
#include "libdem/sweep/task_display.hpp"

namespace dem {
namespace {

std::string progress_text(const TimeToGo& togo, const Simulation& run, double rate) {
  if (!(rate > 0)) return "";
  const std::string time = duration_text(togo.time / run.state().dt / rate);
  if (togo.unknown.empty()) return fmt::format(", about {} to go", time);
  std::string stages;
  for (const std::size_t k : togo.unknown) stages += (stages.empty() ? "" : " and ") + stage_label(run.given(), k);
  const std::string unknown = fmt::format("the end of {} is not in sight yet", stages);
  return togo.time > 0 ? fmt::format(", at least {} to go: {}", time, unknown) : ", " + unknown;
}

}  // namespace

Progress::Progress(const Simulation& run) : terminal_(isatty(fileno(stdout)) != 0), stage_(run.stage()) {}

void Progress::show(const Simulation& run) {
  if (run.finished()) return;
  const auto now = Clock::now();
  if (!warm_) {  // the first steps of many bodies take far longer than later ones
    warm_ = true;
    last_ = now;
    last_step_ = run.step_count();
    return;
  }
  const double since = std::chrono::duration<double>(now - last_).count();
  const bool new_stage = run.stage() != stage_;
  // The first line comes early and shows the expected time.
  if (since < (terminal_ ? 0.2 : rate_ > 0 ? 30 : 2) && !new_stage) return;
  const double recent = since > 0 ? double(run.step_count() - last_step_) / since : 0;
  rate_ = rate_ > 0 ? 0.7 * rate_ + 0.3 * recent : recent;
  last_ = now;
  last_step_ = run.step_count();
  stage_ = run.stage();
  const Stage& stage = run.given().stages[stage_];
  const std::string name = stage.name.empty() ? "" : stage.name + " ";
  std::string text = fmt::format("stage {}{}/{}", name, stage_ + 1, run.given().stages.size());
  text += fmt::format(" {:5.1f} %", 100 * run.stage_progress());
  text += fmt::format(", step {}, t = {:.6g} s", run.step_count(), run.time());
  if (run.driver<Plates>())
    text += fmt::format(", strain {:.4f}, stress {:.4g} N/m", run.strain(), run.driver<Plates>()->stress().normal());
  text += fmt::format(", {:.0f} steps/s{}", rate_, progress_text(time_to_go(run), run, rate_));
  if (terminal_)
    say("\r{}\x1b[K", text);
  else
    say("{}\n", text);
  std::fflush(stdout);
  open_ = terminal_;
}

void Progress::end() {
  if (open_) say("\n");
  open_ = false;
}

}  // namespace dem
