#include "validation/fleischmann2015/case-a/history_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "libdem/contacts/spheres/layout.hpp"
#include "libdem/laws/catalogue.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/run/simulation.hpp"

namespace dem::validation::fleischmann2015 {

namespace {

constexpr int steps_of_round = 100;  // in which the packing hardly changes, whatever the history

/// Seconds of so many steps from the packing on, the first ones not counted.
double time_steps(const Case& c, const Checkpoint& packing) {
  Simulation run(c);
  run.take_over(packing, true);
  for (int k = 0; k < 20; ++k) run.step(false);
  const auto start = std::chrono::steady_clock::now();
  for (int k = 0; k < steps_of_round; ++k) run.step(false);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t contacts_of(const Case& c, const Checkpoint& packing) {
  Simulation run(c);
  run.take_over(packing, true);
  run.step();
  return run.contacts().size();
}

/// Seconds of a round with each history, in the order of the choices; the fastest rounds of each stand for it, since
/// others have shared the core.
double fastest(std::vector<double> times) {
  std::ranges::sort(times);
  const std::size_t n = std::max<std::size_t>(1, times.size() / 4);
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += times[k];
  return sum / double(n);
}

}  // namespace

void claim_history_cost(StudyRun& study, const BoxSetup& setup, const std::filesystem::path& packing, int rounds) {
  constexpr TangentialHistory choices[] = {TangentialHistory::whole, TangentialHistory::pseudo,
                                           TangentialHistory::none};
  const Checkpoint at_rest = read_checkpoint(packing);
  std::vector<Case> cases;
  std::vector<std::vector<double>> times(std::size(choices));
  for (const TangentialHistory history : choices) {
    ShearTest test;
    test.history = history;
    cases.push_back(shear_case(setup, test));
  }
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < cases.size(); ++k) times[k].push_back(time_steps(cases[k], at_rest));
  double ns[std::size(choices)];
  for (std::size_t k = 0; k < std::size(choices); ++k)
    ns[k] = 1e9 * fastest(times[k]) / (steps_of_round * double(setup.count()));

  const laws::LawEntry& law = *laws::find("hertz-history");
  TileFormat format;
  format.history = std::size_t(law.history_size);
  constexpr std::size_t frame = 3 * sizeof(double);  // direction that turns with the contact and carries the history
  const std::size_t spring = format.history * sizeof(double), all = format.stride() * sizeof(double),
                    contacts = contacts_of(cases.front(), at_rest);
  study.claim(
      {"history-cost", "direct-shear reference §6, 7",
       "pseudo-history saves the storage of the contacts' displacements (paper, no number)",
       fmt::format("{} of {} bytes a contact ({} of the spring, {} of the direction that carries it), {:.1f} kB for {} "
                   "contacts of {} spheres; a step {:.0f} ns a sphere with true, {:.0f} pseudo, {:.0f} none: "
                   "history is {:.0f} % of the step",
                   spring + frame, all, spring, frame, 1e-3 * double((spring + frame) * contacts), contacts,
                   setup.count(), ns[0], ns[1], ns[2], 100 * (1 - ns[2] / ns[0])),
       "none", ClaimVerdict::not_comparable,
       "packing at rest under its load, 100 steps with each in turn, fastest quarter of the rounds; bytes are what a "
       "run without history would save: contacts of one law are kept alike"});
}

}  // namespace dem::validation::fleischmann2015
