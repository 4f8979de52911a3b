// Cost of a run in words, before it begins (`dem check`, `dem run`), and messages about slow preparations.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/platform/phase_times.hpp"
#include "libdem/run/cost.hpp"

namespace dem {

/// Reports on stderr a task with many bodies and its duration; silent with few bodies.
class LongTask {
 public:
  LongTask(std::size_t bodies, const std::string& what);
  ~LongTask();
  LongTask(const LongTask&) = delete;
  LongTask& operator=(const LongTask&) = delete;

 private:
  bool said_;
  Lap lap_{true};
};
/// Call before the bodies of a case are made.
LongTask making_bodies(const Case&);

/// "Writes 331 rows, 7 snapshots without contacts, 7 pictures: about 34 MB into results/x".
std::string what_is_written(const OutputChoice&, const RunCost&, const std::filesystem::path& folder);
/// One sentence per resource that will not suffice, with a remedy.
std::vector<std::string> cost_attentions(const RunCost&, const std::filesystem::path& folder);

struct CostChapter {
  std::string text;
  std::string failure;  ///< failure of the trial; empty if there was none
};
/// The chapter "Cost" of `dem check`. Makes trial steps, so the state is useless afterwards.
CostChapter cost_chapter(Simulation&, const std::filesystem::path& folder);
/// Message that the case file has no errors but the trial of its first steps failed.
std::string trial_failed(std::string_view failure);
/// The lines at the start of `dem run`.
std::string cost_at_start(const Simulation&, const RunObserver&, const std::filesystem::path& folder);

}  // namespace dem
