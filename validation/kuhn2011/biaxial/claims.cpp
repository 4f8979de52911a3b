#include "validation/kuhn2020/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/kuhn2011/biaxial/results.hpp"

namespace dem::validation::kuhn2011 {

namespace {

using kuhn2020::verdict;

constexpr const char* table_1 = "Kuhn 2011, Table 1 (jaeger-contact reference §15)";
/// A few hundred bodies over a small strain show that everything runs, not what a material does or what a run costs.
ClaimVerdict judged(const StudyRun& run, bool holds) {
  return run.quick() ? ClaimVerdict::not_comparable : verdict(holds);
}

constexpr double paper_contacts = 8600, paper_force = 2.4, paper_total = 1.5, paper_entry = 36;

std::string shown(const Quartiles& q) {
  return fmt::format("{:.2f} (half of the blocks {:.2f} to {:.2f})", q.middle, q.low, q.high);
}

void claim_cost(StudyRun& run, const BiaxialResults& all) {
  const Quartiles force = all.cost.force_ratio(0, 1), total = all.cost.total_ratio(0, 1);
  double seconds = 0, contacts = 0, forces = 0;
  for (const CostBlock& b : all.cost.blocks) seconds += b.seconds[0], contacts += b.contacts;
  for (const CostParts& p : all.cost.parts)
    forces += p.cost[0].force / (p.cost[0].force + p.cost[0].search + p.cost[0].motion);
  run.claim(
      {"table-1-force", table_1,
       "force calculation of the Jäger contact takes 2.4 times that of the modified Mindlin contact (8.2 and 3.4 min)",
       fmt::format("{} against `single-reversal`; {} against `none`", shown(force), shown(all.cost.force_ratio(0, 2))),
       "20 %: another code and machine", judged(run, std::abs(force.middle / paper_force - 1) <= 0.2),
       fmt::format("Evaluation of all contacts (geometry, movement, both forces, sums), {:.0f} % of a step without "
                   "servo; copies of the runs "
                   "advance in turns.",
                   100 * forces / double(all.cost.parts.size()))});
  run.claim({"table-1-total", table_1, "a whole run takes 1.5 times as long (26.2 and 17.6 min)",
             fmt::format("{} against `single-reversal`, {:.2f} by the sums; {} against `none`", shown(total),
                         all.cost.summed_ratio(0, 1), shown(all.cost.total_ratio(0, 2))),
             "20 %: another code and machine", judged(run, std::abs(total.middle / paper_total - 1) <= 0.2),
             fmt::format("CPU time of blocks that take turns over the whole compression, servo included, without "
                         "ledger and energies; `jaeger`: {:.3f} µs "
                         "a contact and step.",
                         1e6 * seconds / contacts)});
  run.claim({"goal", "Demand on this law",
             "a run with the exact law takes at most 1.25 times as long as with the usual approximation",
             fmt::format("{}", shown(total)), "1.25", judged(run, total.middle <= 1.25),
             "`jaeger` over `hertz-mindlin` with `single-reversal`."});
  std::string times;
  const auto laws = law_variants();
  for (std::size_t k = 0; k < laws.size(); ++k)
    times += fmt::format("{}{}: {:.1f} s of CPU time ({:.1f} s of wall time)", k ? "; " : "", laws[k].name,
                         all.laws[k].cpu, all.laws[k].wall);
  run.claim({"times", table_1, "17.6 and 26.2 min on a Pentium 4 of 2.66 GHz", times, "", ClaimVerdict::not_comparable,
             "Each law in a task of its own with the ledger kept, two tasks at a time on a machine that others use as "
             "well: the ratios above are "
             "what to compare."});
}

void claim_memory(StudyRun& run, const BiaxialResults& all) {
  const auto laws = law_variants();
  const std::size_t named[] = {variant_named(exact_law), variant_named("jaeger, merged 0.10 f"),
                               variant_named("jaeger, merged 0.20 f")};
  double peak[3]{}, later[3]{}, at_peak[3]{};
  bool close = true;
  for (int k = 0; k < 3; ++k) {
    const Compression& c = all.laws[named[k]];
    double n = 0;
    for (const CompressionRow& r : c.rows) {
      peak[k] = std::max(peak[k], r.legs);
      later[k] += r.legs, n += 1;
    }
    later[k] /= n;
    at_peak[k] = c.at(memory_peak).legs;
    close = close && std::abs(peak[k] / paper_legs[k] - 1) <= 0.2;
  }
  run.claim({"table-1-lengths", table_1,
             "mean length of the histories: 260 exact, 171 with Δp_max = 0.10 f, 107 with 0.20 f",
             fmt::format("largest of the run {:.0f}, {:.0f}, {:.0f}; at {:.1f} % of strain {:.0f}, {:.0f}, {:.0f}; "
                         "mean over the run {:.0f}, {:.0f}, "
                         "{:.0f}; exact with half the strain a step: largest {:.0f}",
                         peak[0], peak[1], peak[2], 100 * std::min(memory_peak, all.strain), at_peak[0], at_peak[1],
                         at_peak[2], later[0], later[1], later[2],
                         std::ranges::max_element(all.slow.rows, {}, &CompressionRow::legs)->legs),
             "20 %: another packing", judged(run, close),
             "The paper does not say at which strain; the largest is what is compared. Every contact starts with one "
             "leg here, and a length is a "
             "number of steps that stick: it depends on their size and on what was done before."});
  run.claim(
      {"merging-shortens", table_1, "merging shortens histories to 0.66 and 0.41",
       fmt::format("to {:.2f} and {:.2f} of the exact ones (means over the run)", later[1] / later[0],
                   later[2] / later[0]),
       "0.1",
       judged(run,
              std::abs(later[1] / later[0] - 171.0 / 260) <= 0.1 && std::abs(later[2] / later[0] - 107.0 / 260) <= 0.1),
       "A leg is compared with the mean of those merged before it, and merged ones are merged again (reference §9)."});
  const Compression& exact = all.exact();
  const CompressionRow& most =
      *std::ranges::max_element(exact.rows, {}, [](const CompressionRow& r) { return r.bytes; });
  const double entry = most.bytes / (most.legs * most.contacts);
  run.claim(
      {"bytes", table_1, "36 bytes an entry; 83 MB of histories of 8700 contacts at the most, at a strain of 0.5 %",
       fmt::format("{:.1f} bytes a leg with all there is beside it, {:.1f} MB of histories of {:.0f} contacts at the "
                   "most, at {:.2f} %; "
                   "merged: {:.1f} and {:.1f} MB; `single-reversal`: {:.2f} MB",
                   entry, most.bytes / 1e6, most.contacts, 100 * most.strain, all.laws[named[1]].peak_bytes() / 1e6,
                   all.laws[named[2]].peak_bytes() / 1e6, all.laws[variant_named(usual_law)].peak_bytes() / 1e6),
       "36 bytes a leg at the most", judged(run, entry <= paper_entry),
       "Record of the contact, last leg, links and room kept for more included."});
  // Beyond the paper.
  const Compression& bounded = all.laws[variant_named(bounded_law)];
  double legs = 0, full = 0, longest = 0, longest_exact = 0;
  for (const CompressionRow& r : all.checked.rows) {
    legs += r.legs, full += r.exact_legs;
    longest = std::max(longest, r.legs), longest_exact = std::max(longest_exact, r.exact_legs);
  }
  const double error = all.checked.rows.back().merge_error;
  run.claim(
      {"bounded-error", "Demand on this law, beyond the paper",
       "histories merged so that no tangential force is further from the exact one than the user says",
       fmt::format(
           "asked for {:g} f F_n: {:.2g} f F_n at the most, of all contacts in all steps ({:.1e}); largest mean length "
           "{:.1f} legs instead of {:.0f}, mean "
           "over the run {:.1f} instead of {:.0f}; {:.2f} MB at the most instead of {:.1f} (exact law); total time {} "
           "of that of the exact law; q/p differs "
           "from the exact law by {:.1e} up to a strain of {:.1f} %, by {:.4f} on average (shifted start: {:.4f})",
           bound, error, all.checked.contact_steps, longest, longest_exact, legs / double(all.checked.rows.size()),
           full / double(all.checked.rows.size()), bounded.peak_bytes() / 1e6, exact.peak_bytes() / 1e6,
           shown(all.cost.total_ratio(3, 0)), all.largest_off(bounded, early), 100 * early, all.mean_off(bounded),
           all.mean_off(all.shifted)),
       fmt::format("{:g}: what was asked for", bound), verdict(error > 0 && error <= bound),
       "Exact histories beside the merged ones, under the same movement (law `jaeger-checked`). Proved for movement "
       "along a line, where the bound is sharp; where "
       "the force turns no bound can be linear in what is asked for, and this is what was seen."});
  double steps = 0;
  for (const auto& c : all.laws) steps += c.contact_steps;
  const CompressionRow& then = exact.at(memory_peak);
  const double mean_contacts = exact.contact_steps / exact.steps;
  run.claim(
      {"contacts", table_1, "about 8600 contacts, 8700 at a strain of 0.5 %",
       fmt::format("{:.0f} on average, {:.0f} at {:.2f} %, {:.0f} at the start; {:.1e} steps of contacts with all laws "
                   "without a failure",
                   mean_contacts, then.contacts, 100 * then.strain, exact.rows.front().contacts, steps),
       "10 %: another packing",
       judged(run, std::abs(mean_contacts / paper_contacts - 1) <= 0.1 && std::abs(then.contacts / 8700 - 1) <= 0.1),
       "The paper had 5e10 calls without a failure."});
}

void claim_laws(StudyRun& run, const BiaxialResults& all) {
  const auto laws = law_variants();
  const auto named = [](const char* name) { return variant_named(name); };
  const double end = 0.75 * all.strain, shifted_early = all.largest_off(all.shifted, early);
  std::string strengths, offs;
  for (std::size_t k = 0; k < laws.size(); ++k) {
    const Compression& c = all.laws[k];
    strengths += fmt::format("{}{}: {:.3f} and {:.3f}", k ? "; " : "", laws[k].name, c.peak_ratio(),
                             c.mean_ratio(end, all.strain));
    if (laws[k].name != std::string_view(exact_law))
      offs += fmt::format("{}: {:.1e}, {:.1e}; ", laws[k].name, all.largest_off(c, early), all.mean_off(c));
  }
  const double tenth = all.mean_off(all.laws[named("jaeger, merged 0.10 f")]),
               fifth = all.mean_off(all.laws[named("jaeger, merged 0.20 f")]), chance = all.mean_off(all.shifted);
  run.claim(
      {"merging-error", "jaeger-contact reference §16, item 13", "merging changes forces little",
       fmt::format("q/p differs from the exact law by {:.1e} (0.10 f) and {:.1e} (0.20 f) at most up to a strain of "
                   "{:.1f} %, by {:.1e} and "
                   "{:.1e} on average over the run; from a shifted start by {:.1e} and {:.1e}",
                   all.largest_off(all.laws[named("jaeger, merged 0.10 f")], early),
                   all.largest_off(all.laws[named("jaeger, merged 0.20 f")], early), 100 * early, tenth, fifth,
                   shifted_early, chance),
       "0.03 at small strain (the paper's error of one force with 0.10 f); over the run twice the difference by chance",
       judged(run, all.largest_off(all.laws[named("jaeger, merged 0.20 f")], early) <= 0.03 &&
                       std::max(tenth, fifth) <= 2 * chance),
       "The shifted start has the exact law: what it differs by is chance."});
  const double strength_off = [&] {
    double largest = 0;
    for (const Compression& c : all.laws)
      largest = std::max(largest, std::abs(c.peak_ratio() / all.exact().peak_ratio() - 1));
    return largest;
  }();
  run.claim(
      {"strength", "Common practice in DEM: simplified Mindlin forces",
       "the tangential law hardly changes the strength",
       fmt::format("peak q/p and mean over the last quarter of the strain: {}; shifted start: {:.3f} and {:.3f}; peaks "
                   "within {:.1f} %",
                   strengths, all.shifted.peak_ratio(), all.shifted.mean_ratio(end, all.strain), 100 * strength_off),
       "2 % of the peak", judged(run, strength_off <= 0.02), "One packing, one run of each law."});
  run.claim({"early", "This study", "the laws differ where the strain is small and nothing is left to chance",
             fmt::format("largest difference of q/p from `jaeger` up to a strain of {:.1f} %, then mean over the run: "
                         "{}shifted start: {:.1e}, "
                         "{:.1e}",
                         100 * early, offs, shifted_early, chance),
             "above twice the difference of the shifted start, for `none`",
             judged(run, all.largest_off(all.laws[named("hertz-mindlin, no memory")], early) > 2 * shifted_early),
             "q/p of the exact law there: see the figure."});
}

void claim_soundness(StudyRun& run, const BiaxialResults& all) {
  double residual = 0, servo = 0, inertial = 0, unbalanced = 0, margin = 0, n = 0;
  for (const Compression& c : all.laws) {
    residual = std::max(residual, c.residual);
    margin = std::max(margin, c.margin);
    for (const CompressionRow& r : c.rows) {
      if (!(r.strain > 0)) continue;
      servo += r.servo * r.servo, inertial = std::max(inertial, r.inertial), unbalanced += r.unbalanced, n += 1;
    }
  }
  const double peak = all.slow.peak_ratio() / all.exact().peak_ratio() - 1;
  run.claim({"quasi-static", "da Cruz et al., Phys. Rev. E 72 (2005) 021309",
             "slow enough that the rate does not matter",
             fmt::format("inertial number {:.1e} at most, mean unbalanced force {:.1e}; at half the rate the peak of "
                         "q/p is {:+.1f} % off, q/p "
                         "differs by {:.1e} on average (shifted start: {:.1e})",
                         inertial, unbalanced / n, 100 * peak, all.mean_off(all.slow), all.mean_off(all.shifted)),
             "2e-3; peak within 2 %", judged(run, inertial <= 2e-3 && std::abs(peak) <= 0.02),
             "With 1e-6 of strain a step and a step near its limit the inertial number follows from p/G alone; density "
             "is that of quartz."});
  run.claim({"servo", "Demand on the servo of the cell", "held stress within 0.5 %",
             fmt::format("root mean square {:.1e}", std::sqrt(servo / n)), "5e-3",
             judged(run, std::sqrt(servo / n) <= 5e-3), "All laws, rows of the path."});
  run.claim({"ledger", "DESIGN, promise 2",
             "initial and boundary energy = kinetic + stored + friction + viscous + event loss",
             fmt::format("residual {:.1e} of the absolute work at most, all laws", residual), "1e-3",
             verdict(residual <= 1e-3), "What merging of legs drops is in the event loss."});
  run.claim({"step", "DESIGN, promise 4", "time step below the limit of the stiffest contacts",
             fmt::format("{:g} s, {:.2f} of the limit measured from the contacts at the most", time_step, margin),
             "0.95", verdict(margin <= 0.95), "The limit counts the dashpots (restitution 0.8)."});
}

void claim_movement(StudyRun& run, const BiaxialResults& all) {
  const Movement& m = all.movement;
  std::vector<double> reversals, corners, normal;
  StepKinds kinds;
  double several = 0;
  for (const auto& s : m.survivors) {
    reversals.push_back(s[4]), corners.push_back(s[5]), normal.push_back(s[6]);
    several += s[4] >= 2;
  }
  for (const auto& r : m.rows)
    kinds.stick += r.kinds.stick, kinds.slip += r.kinds.slip, kinds.slide += r.kinds.slide,
        kinds.retrace += r.kinds.retrace;
  const double share = several / double(m.survivors.size()), sum = kinds.sum();
  const auto text = [](const Quartiles& q) {
    return fmt::format("{:.0f} ({:.0f} to {:.0f})", q.middle, q.low, q.high);
  };
  run.claim({"figure-1", "Kuhn 2011, Fig. 1", "a contact moves irregularly, with many changes of direction",
             fmt::format("of {} contacts that lived through {:.0f} steps (of {:.0f}): tangential reversals {}, turns "
                         "of more than 45° {}, normal "
                         "reversals {}; {:.0f} % reversed twice or more often",
                         m.survivors.size(), m.steps, m.contacts_at_start, text(quartiles(reversals)),
                         text(quartiles(corners)), text(quartiles(normal)), 100 * share),
             "two reversals or more, which no memory of one can follow, in nine contacts of ten",
             judged(run, share >= 0.9),
             "Medians and between which half of the contacts lie; a reversal: the movement of a step has a component "
             "against that of the step "
             "before."});
  run.claim({"kinds", "jaeger-contact reference §5 and §8", "stick steps lengthen histories, slip steps shorten them",
             fmt::format("of all steps of contacts {:.1f} % stick, {:.1f} % slip in an annulus, {:.1f} % slide, {:.2f} "
                         "% retrace or rest; legs at the end: "
                         "{}",
                         100 * kinds.stick / sum, 100 * kinds.slip / sum, 100 * kinds.slide / sum,
                         100 * kinds.retrace / sum, text(quartiles(m.legs))),
             "", ClaimVerdict::not_comparable,
             "Counted with the exact law, driven once more by the movement of each contact."});
  run.claim({"replay", "jaeger-contact reference §12", "the force follows from the movement of the two bodies alone",
             fmt::format("elastic elongation of the contacts that lived through the run, worked out beside it, differs "
                         "by {:.1e} κ f ζ at most",
                         m.difference),
             "1e-6: round-off over the run", verdict(m.difference <= 1e-6),
             "Same closed forms, other code for contacts and histories."});
}

}  // namespace

void claim_biaxial(StudyRun& run, const BiaxialResults& all) {
  claim_cost(run, all);
  claim_memory(run, all);
  claim_laws(run, all);
  claim_soundness(run, all);
  claim_movement(run, all);
}

}  // namespace dem::validation::kuhn2011
