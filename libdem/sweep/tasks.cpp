#include "libdem/sweep/tasks.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <numeric>
#include <ranges>

#include "libdem/sweep/task_crew.hpp"
#include "libdem/sweep/task_display.hpp"
#include "libdem/sweep/task_journal.hpp"

namespace dem {

std::size_t available_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) == 0 && CPU_COUNT(&cores) > 0) return std::size_t(CPU_COUNT(&cores));
  return std::size_t(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

std::vector<TaskResult> run_tasks(std::size_t count, const Task& task, const TaskChoice& choice) {
  if (!choice.cost.empty() && choice.cost.size() != count)
    throw std::logic_error(fmt::format("{} costs for {} tasks", choice.cost.size(), count));
  std::vector<TaskResult> results(count);
  std::unique_ptr<TaskJournal> journal;
  std::vector<bool> kept(count, false);
  if (!choice.journal.empty()) {
    journal = std::make_unique<TaskJournal>(choice.journal, choice.fingerprint, count);
    results = journal->content().results;
    kept = journal->content().kept;
  }
  const auto cost = [&](std::size_t k) { return choice.cost.empty() ? 1.0 : std::max(0.0, choice.cost[k]); };

  std::vector<std::size_t> order = choice.order;
  if (order.empty()) {
    order.resize(count);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::greater{}, cost);
  }
  std::vector<std::size_t> waiting;  // the next one last
  double total_cost = 0, done_cost = 0;
  std::size_t done = 0, failed = 0, lost = 0, stopped = 0, without = 0;
  std::string reason;  // why a task stopped without a checkpoint
  for (auto next = order.rbegin(); next != order.rend(); ++next) {
    const std::size_t k = *next;
    if (kept[k]) {
      ++done;
      failed += !results[k].done;
    } else {
      waiting.push_back(k);
      total_cost += cost(k);
    }
  }
  const std::size_t most = choice.workers > 0 ? std::size_t(choice.workers) : available_cores();

  TaskDisplay display(choice.title, count, done);
  StopWatch watch;
  Crew crew(task, count, choice.tasks_stop_by_themselves ? Stops::by_itself : Stops::at_once);
  const auto take = [&](Crew::Ended& ended) {
    // With a stop, what failed has no checkpoint, and is no result.
    const bool gave_up = choice.tasks_stop_by_themselves && StopWatch::is_stopped() && !ended.result.done;
    if (ended.end == Crew::End::stopped || gave_up) {
      ++(ended.end == Crew::End::stopped ? stopped : without);
      if (ended.end != Crew::End::stopped) reason = ended.result.message;
      return;
    }
    if (journal && ended.end == Crew::End::by_itself) {
      journal->append(ended.index, ended.result);
      if (choice.when_kept) choice.when_kept(ended.index);
    } else if (journal) {
      journal->append_lost(ended.index, ended.result.message);
      ended.result.message += "; it is repeated next time";
      ++lost;
    }
    ++done;
    failed += !ended.result.done;
    done_cost += cost(ended.index);
    results[ended.index] = std::move(ended.result);
  };
  while (!waiting.empty() || crew.size() > 0) {
    while (!StopWatch::is_stopped() && !waiting.empty() && crew.size() < most) {
      if (!crew.start(waiting.back())) {
        if (crew.size() > 0) break;  // again when a process has ended
        throw std::runtime_error(fmt::format("no process for a task could be started: {}", std::strerror(errno)));
      }
      waiting.pop_back();
    }
    if (StopWatch::is_stopped()) {
      crew.ask_to_stop();
      while (choice.tasks_stop_by_themselves && crew.size() > 0 && !StopWatch::is_impatient())
        if (auto ended = crew.wait(100)) take(*ended);
      while (auto ended = crew.wait(20)) take(*ended);  // finished tasks are not lost
      if (!journal)
        throw TasksInterrupted(fmt::format("interrupted: {} of {} were done, nothing is kept", done, count));
      std::string more = stopped > 0 ? fmt::format(", {} stopped with a checkpoint", stopped) : "";
      if (without > 0) more += fmt::format(", {} stopped without a checkpoint ({})", without, reason);
      throw TasksInterrupted(fmt::format("interrupted: {} of {} are done and kept{}; the same command goes on there",
                                         done - lost, count, more));
    }
    if (auto ended = crew.wait(100)) take(*ended);
    double share = done_cost;
    for (const Worker& worker : crew.workers()) share += cost(worker.index) * crew.share(worker.index);
    display.show(total_cost > 0 ? share / total_cost : 1, done, crew.size(), failed);
  }
  display.finish(failed);
  return results;
}

}  // namespace dem
