#include "apps/cost_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

#include "apps/standard_output.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/sweep/task_display.hpp"

namespace dem {
namespace {

constexpr std::size_t many_bodies = 100000;  // making so many bodies takes a second or more
constexpr double trial_seconds = 0.5;

std::string on_threads(const Case& c) { return fmt::format("on {} thread{}", c.threads, c.threads == 1 ? "" : "s"); }

/// "stage 1 'press', stage 3".
std::string stages_text(const Case& c, const std::vector<std::size_t>& stages) {
  std::vector<std::string> names;
  for (const std::size_t k : stages) names.push_back(stage_label(c, k));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string time_text(const Simulation& run, const RunCost& cost, const Trial& trial) {
  const Case& c = run.given();
  if (!trial.failure.empty()) return "unknown: the trial of its first steps failed";
  const std::string from =
      fmt::format("from a trial of {} with {}", counted(trial.steps, "step"), counted(cost.contacts, "contact"));
  const std::string open =
      cost.open_stages.empty() ? "" : fmt::format("the time of {} is unknown", stages_text(c, cost.open_stages));
  if (!(cost.steps > 0))
    return fmt::format("{:.3g} ms per step {} ({}){}{}", 1000 * trial.step, on_threads(c), from,
                       open.empty() ? "" : "; ", open);
  const double now = time_of(cost, trial), later = now * slowdown_later(cost, run.state());
  std::string text = fmt::format("about {}{}", duration_text(now), cost.may_end_early ? " at most" : "");
  if (duration_text(later) != duration_text(now) && later > 1.2 * now)
    text += fmt::format(", or {} with the {} contacts of a dense packing,", duration_text(later), cost.contacts_later);
  text += fmt::format(" for {:.0f} steps {} ({})", cost.steps, on_threads(c), from);
  return text + (open.empty() ? "" : "; " + open);
}

std::string memory_text(const RunCost& cost) {
  std::string text = "about " + bytes_text(double(cost.memory));
  if (double(cost.memory_later) > 1.2 * double(cost.memory))
    text += fmt::format(", or {} with the {} contacts of a dense packing", bytes_text(double(cost.memory_later)),
                        cost.contacts_later);
  return text;
}

}  // namespace

LongTask::LongTask(std::size_t bodies, const std::string& what) : said_(bodies >= many_bodies) {
  if (said_) remark(what + " ...");
}

LongTask::~LongTask() {
  if (said_ && std::uncaught_exceptions() == 0) remark(fmt::format("  done in {:.1f} s", lap_.seconds()));
}

LongTask making_bodies(const Case& c) {
  const std::size_t bodies = bodies_to_make(c);
  double corners = c.assembly.made_by<geometry::VoronoiInput>() ? 6 : 0;
  const auto count_sides = [&](const auto& generator) {
    if constexpr (requires { generator.sides; })
      if (generator.shape == ShapeKind::polygon) corners = generator.sides;
  };
  std::visit(count_sides, c.assembly.generator);
  // Random bodies do not touch at first.
  const double contacts = c.assembly.made_by<RandomSpec>() ? 0 : (c.dimension == 2 ? 2 : 3) * double(bodies);
  const std::uint64_t memory = memory_of(c, double(bodies), corners * double(bodies), contacts);
  const auto free = free_memory();
  return {bodies, fmt::format("Making {}{} bodies and finding their contacts, about {} of memory{}",
                              c.assembly.file() ? "about " : "", bodies, bytes_text(double(memory)),
                              free && memory > *free
                                  ? fmt::format(", more than the {} that are free here", bytes_text(double(*free)))
                                  : "")};
}

std::string what_is_written(const OutputChoice& output, const RunCost& cost, const std::filesystem::path& folder) {
  return fmt::format("{}{}, {}{}{}, {}: about {} into {}",
                     !cost.open_stages.empty() ? "at least "
                     : cost.may_end_early      ? "at most "
                                               : "",
                     counted(cost.rows, "row"), counted(cost.snapshots, "snapshot"),
                     output.contacts ? " with contacts" : " without contacts",
                     output.vtk ? " (for ParaView as well)" : "", counted(cost.frames, "picture"),
                     bytes_text(double(cost.disk)), folder.string());
}

std::vector<std::string> cost_attentions(const RunCost& cost, const std::filesystem::path& folder) {
  std::vector<std::string> out;
  // The estimate includes the present memory of this process.
  if (const auto free = free_memory(); free && cost.memory_later > *free + memory_held())
    out.push_back(fmt::format("memory: about {} are needed, {} can be had here; take fewer bodies or another machine",
                              bytes_text(double(cost.memory_later)), bytes_text(double(*free + memory_held()))));
  if (const auto disk = free_disk(folder); disk && double(cost.disk) > double(*disk))
    out.push_back(fmt::format(
        "disk: about {} are needed, {} are free at {}; take a larger output.snapshot_interval, output.series_interval "
        "or output.frame_interval, output.contacts = false, output.vtk = false, or another --output",
        bytes_text(double(cost.disk)), bytes_text(double(*disk)), folder.string()));
  return out;
}

CostChapter cost_chapter(Simulation& run, const std::filesystem::path& folder) {
  RunObserver observer(run);
  const RunCost cost = cost_of(run, observer);
  std::vector<std::string> attentions = cost_attentions(cost, folder);
  Trial trial;
  {
    const LongTask task(run.state().bodies.size(), "Trying some steps");
    trial = try_steps(run, observer, trial_seconds);
  }
  const auto free = [](const auto& bytes, const char* where) {
    return bytes ? fmt::format(" ({} free {})", bytes_text(double(*bytes)), where) : std::string();
  };
  std::string text =
      fmt::format("\nCost\n  memory         {}{}\n  disk           {}{}\n  time           {}\n", memory_text(cost),
                  free(free_memory(), "here"), what_is_written(run.given().output, cost, folder),
                  free(free_disk(folder), "there"), time_text(run, cost, trial));
  for (const std::string& sentence : attentions) text += fmt::format("  attention      {}\n", sentence);
  return {std::move(text), trial.failure};
}

std::string trial_failed(std::string_view failure) {
  return fmt::format("No errors in the case file; the trial of its first steps failed: {}", failure);
}

std::string cost_at_start(const Simulation& run, const RunObserver& observer, const std::filesystem::path& folder) {
  const RunCost cost = cost_of(run, observer);
  std::string text =
      fmt::format("Writes {}; memory {}\n", what_is_written(run.given().output, cost, folder), memory_text(cost));
  for (const std::string& sentence : cost_attentions(cost, folder)) text += fmt::format("Attention: {}\n", sentence);
  return text;
}

}  // namespace dem
