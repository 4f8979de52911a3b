#include "apps/check_objectivity.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <utility>

#include "apps/run_driver.hpp"
#include "apps/standard_output.hpp"
#include "apps/subcommands.hpp"
#include "libdem/platform/phase_times.hpp"
#include "libdem/platform/stop_requests.hpp"
#include "libdem/run/objectivity.hpp"
#include "libdem/sweep/task_display.hpp"

namespace dem {
namespace {

struct Stopped {};

/// One line on a terminal with the present run; nothing elsewhere. Throws Stopped after Ctrl-C.
class NowRunning {
 public:
  explicit NowRunning(std::uint64_t steps) : steps_(steps) {}
  void show(const std::string& run, std::uint64_t step) {
    if (is_stopped()) throw Stopped{};
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    open_ = true;
    std::fputs(fmt::format("\r{}: step {} of {}\x1b[K", run, step, steps_).c_str(), stderr);
  }
  void clear() {
    if (open_) std::fputs("\r\x1b[K", stderr);
    open_ = false;
  }

 private:
  std::uint64_t steps_;
  bool terminal_ = isatty(fileno(stderr)) != 0, open_ = false;
  std::chrono::steady_clock::time_point last_{};
};

std::string text(const Difference& d, bool forces) {
  return fmt::format("{:.2g} diameters, {:.2g} rad{}", d.position, d.rotation,
                     forces ? fmt::format(" and {:.2g} of the mean contact force", d.force) : "");
}

std::string judgement(const FrameResult& found, const Difference& shift) {
  if (!found.failure.empty()) return fmt::format("The run ends early: {}", found.failure);
  if (!found.beyond_from) return "Round-off.";
  return fmt::format("More than round-off from step {} on: a shift of 1e-16 grows to {:.2g} diameters, {:.2g} rad.",
                     *found.beyond_from, shift.position, shift.rotation);
}

void print_line(const std::string& name, const std::string& words) {
  fmt::print("  {:<11} {}\n", name, words);
  std::fflush(stdout);
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k)
    text += (k == 0 ? "" : k + 1 == words.size() ? " and " : ", ") + words[k];
  return text;
}

void print_item(const ObjectivityItem& item, const std::vector<BoundChoice>& bound, bool forces) {
  if (item.how.empty()) return print_line(item.name, fmt::format("not done: {}.", item.why_not));
  std::string words = fmt::format("{}: differs by {}. {}", item.how, text(item.found.at_end, forces),
                                  judgement(item.found, item.shift));
  if (item.without_bound) {
    std::vector<std::string> instead;
    for (const BoundChoice& choice : bound) instead.push_back(fmt::format("{} = \"{}\"", choice.key, choice.instead));
    words += fmt::format(" With {}: by {}. {}", list_of(instead), text(item.without_bound->at_end, forces),
                         judgement(*item.without_bound, item.shift_without_bound));
  }
  if (!item.why_not.empty()) words += fmt::format(" No general turn: {}.", item.why_not);
  print_line(item.name, words);
}

int check_frames(const std::string& file, const Case& c, Simulation run, std::uint64_t steps) {
  const Case listed = with_listed_bodies(c, run.state().dt);
  const std::uint64_t start = run.hash();
  { const Simulation done = std::move(run); }  // frees its memory
  const std::vector<BoundChoice> bound = bound_choices(listed);
  const std::size_t bodies = listed.assembly.bodies.size();

  fmt::print(
      "{}: {}\n\nObjectivity: {} steps of {}, in 8 runs, or more where a difference needs a closer look. Nothing is "
      "written.\n",
      file, c.title.empty() ? "no title" : c.title, steps, bodies == 1 ? "one body" : fmt::format("{} bodies", bodies));
  if (!c.start_from.empty())
    fmt::print(
        "start_from is left aside: stored forces of contacts cannot be turned. The runs begin with the case's own "
        "assembly.\n");
  std::fflush(stdout);
  NowRunning display(steps);
  const auto progress = [&display](const std::string& name, std::uint64_t step) { display.show(name, step); };
  Lap lap(true);
  std::optional<FirstSteps> found;
  try {
    found.emplace(listed, steps, progress);
  } catch (const StepTooLarge& error) {  // the case has no good step
    complain(error.what());
    return exit_blow_up;
  } catch (const BlowUp& error) {
    complain(error.what());
    return exit_blow_up;
  }
  FirstSteps& first = *found;
  const double seconds = lap.seconds();
  if (first.start_hash() != start)
    throw std::logic_error("the case with its bodies listed does not start with the same bits");
  display.clear();
  if (!first.failure().empty())
    fmt::print("The case itself goes no farther than step {}: {}\n", first.steps(), first.failure());
  else if (first.steps() < steps)
    fmt::print("The case ends after {} steps.\n", first.steps());
  if (seconds > 3)
    fmt::print("The first 3 runs took {}; the others take about {}.\n", duration_text(seconds),
               duration_text(5 * seconds / 3));
  const bool forces = first.most_contacts() > 0;
  fmt::print(
      "At most {} contact{} at a time. A difference counts as round-off up to 100 times the growth of a 1e-16 "
      "shift.\n\n",
      first.most_contacts(), first.most_contacts() == 1 ? "" : "s");
  print_line("1e-16 shift", fmt::format("grows to {} in {} steps.", text(first.shift_growth(), forces), first.steps()));

  const int threads = c.threads == 1 ? 2 : 1;
  const std::optional<std::uint64_t> other_bits = first.other_bits(threads);
  display.clear();
  print_line("threads", fmt::format("{} instead of {}: {}.", threads, c.threads,
                                    other_bits ? fmt::format("other bits at step {}", *other_bits) : "the same bits"));
  std::vector<std::string> bad, open, explained;
  if (other_bits) bad.push_back("threads");
  check_objectivity(first, [&](const ObjectivityItem& item) {
    display.clear();
    print_item(item, bound, forces);
    if (!item.is_good()) bad.push_back(item.name);
    if (item.how.empty()) open.push_back(item.name);
    if (item.explained()) explained.push_back(item.name);
  });
  fmt::print("\n");
  if (!forces) fmt::print("Nothing touched in these steps, so contacts were not tested. Take more with --steps.\n");
  for (const BoundChoice& choice : bound)
    fmt::print("{} = \"{}\" depends on the {}{}; \"{}\" does not.\n", choice.key, choice.value, choice.on,
               explained.empty() ? ", though these runs do not show it"
                                 : ": the case " + list_of(explained) + " is another case",
               choice.instead);
  if (!bad.empty()) {
    fmt::print(
        "Not objective: {}. Please report this case: only round-off may differ, and other threads give the same "
        "bits.\n",
        list_of(bad));
    return exit_failed;
  }
  fmt::print(
      "{}{}.\n",
      explained.empty()
          ? "Only round-off differs: the results depend neither on the frame, nor on the numbering, nor on the threads"
          : "All other differences are round-off",
      open.empty() ? "" : "; not done: " + list_of(open));
  return exit_good;
}

}  // namespace

int check_objectivity_of(const std::string& file, const Case& c, Simulation run, std::uint64_t steps) {
  stop_on_signals();  // takes effect between two steps
  try {
    return check_frames(file, c, std::move(run), steps);
  } catch (const Stopped&) {
    complain("\nStopped. The results so far are valid; the rest was not checked.");
    return exit_stopped;
  }
}

}  // namespace dem
