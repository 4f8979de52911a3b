#include "validation/kuhn2020/probes/probe_set.hpp"

#include <fmt/format.h>

namespace dem::validation::kuhn2020 {

void Probes::compute(const std::string& set) {
  add_companions();
  std::vector<double> ratios;
  for (const Group& g : groups_)
    if (!starts_.contains(g.ratio) && std::ranges::find(ratios, g.ratio) == ratios.end()) ratios.push_back(g.ratio);
  const auto file = [&](double ratio) {
    return run_.folder() / fmt::format("{}state-{:g}.h5", quick_ ? "quick-" : "", ratio);
  };
  const std::string what =
      fmt::format("probes 3: {}; {:g} s", source_.sentence, cluster_case(source_, quick_).time.step);
  // A state is a file beside the journal: where it is gone, it is made again under another name of the set.
  bool all = true;
  for (const double r : ratios) all = all && (starts_.contains(r) || std::filesystem::exists(file(r)));
  const auto states = run_.tasks((all ? "states-" : "new-states-") + set, ratios.size(),
                                 [&](std::size_t k, TaskProgress& progress) {
                                   Case c = path(ratios[k]);
                                   c.stages.push_back(rest(c.time.step));
                                   Simulation simulation(c);
                                   const auto rows = follow_path(simulation, 1, 200, progress);
                                   store(simulation, file(ratios[k]));
                                   return packed({rows.back()});
                                 },
                                 what);
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    if (!states[k].done) throw std::runtime_error("the state before the probes failed: " + states[k].message);
    starts_[ratios[k]] = unpacked(states[k].numbers).front();
  }

  struct Job {
    std::size_t group, direction;
  };
  std::vector<Job> jobs;
  std::vector<double> cost;
  std::string list;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    if (!group.result.empty()) continue;
    list += fmt::format("\n{} {:g} {} {} {} {:g}", group.name, group.ratio, group.directions, group.steps,
                        group.relaxation, group.size);
    for (std::size_t k = 0; k < group.directions; ++k) {
      jobs.push_back({g, k});
      cost.push_back(double(group.steps * (1 + group.relaxation)));
    }
  }
  const auto results = run_.tasks(
      "probes-" + set, jobs.size(),
      [&](std::size_t k, TaskProgress&) {
        const Group& g = groups_[jobs[k].group];
        return run_probe(path(g.ratio), file(g.ratio),
                         {g.model, g.strain[jobs[k].direction], g.steps, g.relaxation, g.no_slip})
            .pack();
      },
      what + list, cost);
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    if (!results[k].done) throw std::runtime_error("a probe failed: " + results[k].message);
    groups_[jobs[k].group].result.push_back(ProbeResult::unpack(results[k].numbers));
  }
  for (Group& g : groups_) {
    if (!g.stress.empty()) continue;
    const Rendulic still = null_of(g).result.front().stress;
    for (const ProbeResult& r : g.result) g.stress.push_back(g.size == 0 ? r.stress : Rendulic(r.stress - still));
  }
}

}  // namespace dem::validation::kuhn2020
