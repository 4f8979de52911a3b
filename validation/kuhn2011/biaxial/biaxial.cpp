// Table 1 and Fig. 1 of the paper: plane-strain biaxial compression of spheres with the exact law, with merged
// histories and with the usual approximations, all from one packing; what the exact law costs and remembers; how
// contacts move.
#include <fmt/format.h>

#include <stdexcept>

#include "libdem/case/case_file.hpp"
#include "validation/kuhn2011/biaxial/results.hpp"
#include "validation/kuhn2011/studies.hpp"

namespace dem::validation::kuhn2011 {

namespace {

BiaxialResults compute(StudyRun& run) {
  const bool quick = run.quick();
  BiaxialResults out;
  const std::size_t count = quick ? 250 : 4096, small = quick ? 120 : 1000;
  CompressionChoice choice{quick ? 0.002 : 0.04, quick ? 20u : 100u};
  out.strain = choice.strain;
  const auto must = [](const TaskResult& r, const char* what) -> const std::vector<double>& {
    if (!r.done) throw std::runtime_error(fmt::format("{} failed: {}", what, r.message));
    return r.numbers;
  };
  const std::vector<Case> packings{packing_case(count, 1), packing_case(small, 2)};
  const std::string start = resolved_case(packings[0]) + resolved_case(packings[1]);
  const auto packed =
      run.tasks("packings", 2, [&](std::size_t k, TaskProgress& p) { return make_packing(packings[k], p).pack(); },
                start, {4, 1});
  out.packing = Packing::unpack(must(packed[0], "the packing"));
  out.small = Packing::unpack(must(packed[1], "the small packing"));
  double digest = 0;  // another packing is another set of runs
  for (const auto& p : packed)
    for (std::size_t k = 0; k < p.numbers.size(); ++k) digest += p.numbers[k] * double(1 + k % 97);

  const auto laws = law_variants();
  Packing shifted = out.packing;
  shift_start(shifted, 3);
  CompressionChoice slow = choice;
  slow.strain_per_step *= 0.5;
  slow.rows_every *= 2;
  std::string what = fmt::format("{}\nruns 2: {:g} {} {:g} {:.17g}", start, choice.strain, choice.rows_every,
                                 choice.strain_per_step, digest);
  for (const LawVariant& law : laws) what += fmt::format("\n{}", resolved_case(compression_case({}, law, choice)));
  const std::size_t n = laws.size();
  std::vector<double> expected(n + 4, 1.0);
  expected[n + 1] = 2, expected[n + 2] = expected[n + 3] = 1.5;
  const auto runs = run.tasks(
      "runs", n + 4,
      [&](std::size_t k, TaskProgress& p) {
        const LawVariant& exact = laws[variant_named(exact_law)];
        if (k == n) return compress(compression_case(shifted, exact, choice), choice, p).pack();
        if (k == n + 1) return compress(compression_case(out.packing, exact, slow), slow, p).pack();
        if (k == n + 3) {
          Case checked = compression_case(out.packing, laws[variant_named(bounded_law)], choice);
          checked.contact.law = "jaeger-checked";
          return compress(checked, choice, p).pack();
        }
        if (k == n + 2)
          return watch_movement(compression_case(out.small, exact, choice), quick ? 40 : 200, quick ? 1e-4 : 4e-4, p)
              .pack();
        return compress(compression_case(out.packing, laws[k], choice), choice, p).pack();
      },
      what, expected);
  for (std::size_t k = 0; k < n; ++k) out.laws.push_back(Compression::unpack(must(runs[k], laws[k].name)));
  out.shifted = Compression::unpack(must(runs[n], "the run from the shifted start"));
  out.slow = Compression::unpack(must(runs[n + 1], "the run at half the rate"));
  out.checked = Compression::unpack(must(runs[n + 3], "the run with exact histories beside"));
  out.movement = Movement::unpack(must(runs[n + 2], "the movement of contacts"));

  // Alone, so that nothing of ours is beside it.
  CostChoice cost;
  if (quick) cost = {100, 500, 50, 2};
  const auto compared = run.tasks(
      "cost", 1,
      [&](std::size_t, TaskProgress& p) {
        std::vector<Case> cases;
        for (const char* name : timed_laws)
          cases.push_back(compression_case(out.packing, laws[variant_named(name)], choice));
        return compare_cost(std::move(cases), cost, p).pack();
      },
      fmt::format("{}\ncost 2: {} {} {} {}", what, cost.block, cost.parts_every, cost.parts_block, cost.parts_rounds));
  out.cost = CostComparison::unpack(must(compared[0], "the comparison of costs"));
  return out;
}

}  // namespace

double BiaxialResults::largest_off(const Compression& c, double to) const {
  double largest = 0;
  for (std::size_t k = 0; k < std::min(c.rows.size(), exact().rows.size()); ++k)
    if (exact().rows[k].strain <= to)
      largest = std::max(largest, std::abs(c.rows[k].ratio() - exact().rows[k].ratio()));
  return largest;
}

double BiaxialResults::mean_off(const Compression& c) const {
  double sum = 0;
  const std::size_t n = std::min(c.rows.size(), exact().rows.size());
  for (std::size_t k = 0; k < n; ++k) sum += std::abs(c.rows[k].ratio() - exact().rows[k].ratio());
  return sum / double(n);
}

void biaxial(StudyRun& run) {
  const BiaxialResults all = compute(run);
  draw_biaxial(run, all);
  claim_biaxial(run, all);
}

}  // namespace dem::validation::kuhn2011
