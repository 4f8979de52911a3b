#include "validation/study.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace dem::validation {

SweepTable StudyRun::sweep(std::string_view file) {
  std::filesystem::path source = sources_ / file;
  if (const auto quick = sources_ / fmt::format("quick-{}", file); quick_ && std::filesystem::exists(quick))
    source = quick;
  return run_sweep(read_sweep(source), {workers_, folder_ / source.stem(), true});
}

std::vector<TaskResult> StudyRun::tasks(std::string_view name, std::size_t count, const Task& task,
                                        std::string fingerprint, std::vector<double> cost) {
  TaskChoice choice;
  choice.workers = workers_;
  choice.journal = folder_ / fmt::format("{}{}.journal", quick_ ? "quick-" : "", name);
  choice.fingerprint = std::move(fingerprint);
  choice.title = fmt::format("{} {}", study_, name);
  choice.cost = std::move(cost);
  return run_tasks(count, task, choice);
}

void StudyRun::claim(Claim claim) {
  claim.id = fmt::format("{}/{}", study_, claim.id);
  for (const Claim& other : claims_)
    if (other.id == claim.id) throw std::logic_error(fmt::format("two claims are called {}", claim.id));
  claims_.push_back(std::move(claim));
}

void StudyRun::figure(Figure figure) { figures_.push_back(std::move(figure)); }

}  // namespace dem::validation
