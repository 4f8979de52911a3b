// Walks the paths of all sets, in tasks of a few paths each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/pena2008/continuity/continuity.hpp"

namespace dem::validation::pena2008::continuity_study {
namespace {

constexpr int paths_a_task = 20, frames_a_path = 20;
constexpr double PlaneTotals::*plane_sums[] = {&PlaneTotals::jumps,
                                               &PlaneTotals::paths,
                                               &PlaneTotals::size,
                                               &PlaneTotals::size_squares,
                                               &PlaneTotals::above_10,
                                               &PlaneTotals::above_44,
                                               &PlaneTotals::above_80,
                                               &PlaneTotals::undefined,
                                               &PlaneTotals::merging,
                                               &PlaneTotals::frame_sum,
                                               &PlaneTotals::frame_above,
                                               &PlaneTotals::frame_mean,
                                               &PlaneTotals::frame_mean_squares,
                                               &PlaneTotals::frame_share,
                                               &PlaneTotals::frame_share_squares};
constexpr double SetTotals::*set_sums[] = {&SetTotals::paths,      &SetTotals::states, &SetTotals::many_crossings,
                                           &SetTotals::several,    &SetTotals::split,  &SetTotals::frame_states,
                                           &SetTotals::frame_paths};

void add_path(SetTotals& t, int number, int steps) {
  const MovingPair pair = random_pair(t.set, std::uint64_t(number));
  const PathWalk w = walk(pair, steps);
  t.paths += 1;
  t.states += double(w.states);
  t.many_crossings += double(w.many_crossings);
  t.several += double(w.several);
  t.split += double(w.split);
  t.two_crossings_split = std::max(t.two_crossings_split, w.two_crossings_split);
  if (w.largest_split > t.largest_split) t.largest_split = w.largest_split, t.split_path = number;
  std::array<bool, plane_count> jumped{};
  for (const JumpEvent& e : w.jumps) {
    PlaneTotals& p = t.planes[e.plane];
    if (e.turn.merged_or_split) {
      p.merging += 1;
      continue;
    }
    jumped[e.plane] = true;
    const double size = e.turn.size * degrees;
    p.jumps += 1;
    p.size += e.turn.size;
    p.size_squares += e.turn.size * e.turn.size;
    p.largest = std::max(p.largest, e.turn.size);
    p.above_10 += size > 10, p.above_44 += size > 44, p.above_80 += size > 80;
  }
  for (std::size_t k = 0; k < plane_count; ++k) {
    t.planes[k].paths += jumped[k];
    t.planes[k].undefined += double(w.planes[k].undefined);
  }
  const auto errors = frame_errors(pair, frames_a_path, std::uint64_t(number));
  if (errors.empty()) return;
  t.frame_states += double(errors.size());
  t.frame_paths += 1;
  for (std::size_t k = 0; k < plane_count; ++k) {
    double sum = 0, above = 0, count = 0;
    for (const auto& error : errors)
      if (!std::isnan(error[k])) sum += error[k], above += error[k] > 1e-6, count += 1;
    PlaneTotals& p = t.planes[k];
    p.frame_sum += sum;
    p.frame_above += above;
    if (count == 0) continue;
    p.frame_mean += sum / count, p.frame_mean_squares += sum / count * sum / count;
    p.frame_share += above / count, p.frame_share_squares += above / count * above / count;
  }
}

std::vector<double> numbers_of(const SetTotals& t) {
  std::vector<double> out;
  for (const auto sum : set_sums) out.push_back(t.*sum);
  out.insert(out.end(), {t.two_crossings_split, t.largest_split, t.split_path});
  for (const PlaneTotals& p : t.planes) {
    for (const auto sum : plane_sums) out.push_back(p.*sum);
    out.push_back(p.largest);
  }
  return out;
}

void add_numbers(SetTotals& t, std::span<const double> n) {
  std::size_t k = 0;
  for (const auto sum : set_sums) t.*sum += n[k++];
  t.two_crossings_split = std::max(t.two_crossings_split, n[k++]);
  if (n[k] > t.largest_split) t.largest_split = n[k], t.split_path = n[k + 1];
  k += 2;
  for (PlaneTotals& p : t.planes) {
    for (const auto sum : plane_sums) p.*sum += n[k++];
    p.largest = std::max(p.largest, n[k++]);
  }
}

}  // namespace

std::pair<double, double> share_interval(double count, double of) {
  if (!(of > 0)) return {0, 1};
  constexpr double z = 1.959964;
  const double p = count / of, middle = (p + z * z / (2 * of)) / (1 + z * z / of);
  const double half = z / (1 + z * z / of) * std::sqrt(p * (1 - p) / of + z * z / (4 * of * of));
  return {count == 0 ? 0 : middle - half, count == of ? 1 : middle + half};
}

std::vector<PathSet> path_sets() {
  std::vector<PathSet> sets;
  for (const bool convex : {true, false})
    for (const bool straight : {true, false})
      for (const auto& [low, high] : {std::pair{0.002, 0.01}, {0.02, 0.1}, {0.1, 0.4}})
        sets.push_back({convex, straight, low, high, sets.size() + 1});
  return sets;
}

std::vector<SetTotals> count_jumps(StudyRun& run, int paths, int steps) {
  const auto sets = path_sets();
  const int tasks_a_set = (paths + paths_a_task - 1) / paths_a_task;
  const auto work = [&](std::size_t index, TaskProgress& progress) {
    SetTotals t;
    t.set = sets[index / std::size_t(tasks_a_set)];
    const int first = int(index % std::size_t(tasks_a_set)) * paths_a_task, end = std::min(paths, first + paths_a_task);
    for (int k = first; k < end; ++k) {
      add_path(t, k, steps);
      progress.done(double(k + 1 - first) / (end - first));
    }
    return numbers_of(t);
  };
  const auto results = run.tasks("paths", sets.size() * std::size_t(tasks_a_set), work,
                                 fmt::format("generator 1b, {} paths of {} steps, {} a task, {} frames", paths, steps,
                                             paths_a_task, frames_a_path));
  std::vector<SetTotals> totals(sets.size());
  for (std::size_t s = 0; s < sets.size(); ++s) totals[s].set = sets[s];
  for (std::size_t k = 0; k < results.size(); ++k) {
    SetTotals& t = totals[k / std::size_t(tasks_a_set)];
    if (results[k].done)
      add_numbers(t, results[k].numbers);
    else
      t.failed += paths_a_task;
  }
  return totals;
}

std::vector<Refinement> refine(StudyRun& run, int paths, int halvings) {
  const std::vector<PathSet> sets{path_sets()[1], path_sets()[2]};  // convex, straight
  std::vector<int> steps;
  for (int k = 0; k <= halvings; ++k) steps.push_back(250 << k);
  const int tasks_a_set = (paths + paths_a_task - 1) / paths_a_task;
  const auto work = [&](std::size_t index, TaskProgress& progress) {
    const PathSet& set = sets[index / std::size_t(tasks_a_set)];
    const int first = int(index % std::size_t(tasks_a_set)) * paths_a_task, end = std::min(paths, first + paths_a_task);
    std::vector<double> out;
    for (int k = first; k < end; ++k) {
      const MovingPair pair = random_pair(set, std::uint64_t(k));
      for (const int n : steps) {
        const PathWalk w = walk(pair, n, false);
        for (const auto& plane : w.planes) out.push_back(plane.largest_turn);
      }
      progress.done(double(k + 1 - first) / (end - first));
    }
    return out;
  };
  const auto results = run.tasks(
      "refinement", sets.size() * std::size_t(tasks_a_set), work,
      fmt::format("generator 1b, {} paths, {} halvings of 250 steps, {} a task", paths, halvings, paths_a_task));
  std::vector<Refinement> all;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    Refinement& r = all.emplace_back();
    r.set = sets[s];
    r.steps = steps;
    r.median.assign(plane_count, std::vector<double>(steps.size(), NAN));
    r.largest = r.median;
    std::vector<double> values;
    for (std::size_t p = 0; p < plane_count; ++p)
      for (std::size_t n = 0; n < steps.size(); ++n) {
        values.clear();
        for (std::size_t k = s * std::size_t(tasks_a_set); k < (s + 1) * std::size_t(tasks_a_set); ++k)
          for (std::size_t at = n * plane_count + p; at < results[k].numbers.size(); at += steps.size() * plane_count)
            values.push_back(results[k].numbers[at]);
        if (values.empty()) continue;
        r.paths = int(values.size());
        std::ranges::sort(values);
        r.median[p][n] = values[values.size() / 2];
        r.largest[p][n] = values.back();
      }
  }
  return all;
}

FoundJump find_jump(const PathSet& set, int paths, int steps,
                    const std::function<bool(const PathWalk&, const JumpEvent&)>& wanted) {
  for (int k = 0; k < paths; ++k) {
    const MovingPair pair = random_pair(set, std::uint64_t(k));
    const PathWalk w = walk(pair, steps);
    for (const JumpEvent& e : w.jumps)
      if (wanted(w, e)) return {k, pair, e};
  }
  return {};
}

}  // namespace dem::validation::pena2008::continuity_study
