#include "libdem/sweep/time_step_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "libdem/case/plan.hpp"
#include "libdem/drivers/plates.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/measure/relaxation.hpp"
#include "libdem/platform/number_text.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/run/observer.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/sweep/case_document.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/quantities.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem {
namespace {

constexpr double longest_rest = 20000;     // contact times that a relaxation may take
constexpr double stability_steps = 20000;  // at the a-priori limit
constexpr double hot = 5;                  // times the mean kinetic energy of a stable run
const std::vector<double> tolerances{0.05, 0.02, 0.01};

/// The case as the study runs it.
struct Subject {
  std::filesystem::path file;
  CaseDocument document;
  Case given;
  double contact_duration = 0, apriori_limit = 0, last_length = 0;
  bool last_by_strain = false;
  std::string last_stage;

  Case at(double step, std::optional<double> last_duration = std::nullopt) const {
    CaseDocument d = document;
    d.set("time.step", step);
    raise_intervals(d);
    d.set("time.override_limit", true);
    if (last_duration) d.set(fmt::format("stage[{}].duration", given.stages.size()), *last_duration);
    Case c = parse_case(d.text(), file);
    c.threads = 1;
    return c;
  }
};

Subject subject_of(const std::filesystem::path& file, double shorten) {
  const Case given = read_case(file);
  Subject s{file, CaseDocument(read_case_text(file), file.string()), given, 0, 0, 0, false, ""};
  if (given.stages.empty())
    throw CaseErrors(
        {fmt::format("{}: stage: found none, allowed at least one: nothing happens in this case", file.string())});
  const std::size_t n = given.stages.size();
  if (!given.start_from.empty())
    throw std::invalid_argument(
        "start_from: found this key in a case whose time step is swept, allowed none: those results have a time step "
        "of "
        "their own");
  const std::string last = fmt::format("stage[{}]", n);
  const Stage& stage = given.stages.back();
  s.last_by_strain = stage.strain.has_value();
  s.last_length = stage.strain ? *stage.strain : stage.duration.value_or(0);
  if (shorten != 1) {
    if (s.last_length == 0)
      throw std::invalid_argument("--shorten: the last stage has neither strain nor duration to shorten");
    if (stage.strain) s.document.set(last + ".strain", s.last_length * shorten);
    if (stage.duration) s.document.set(last + ".duration", *stage.duration * shorten);
    s.last_length *= shorten;
  }
  s.last_stage = stage.name.empty() ? "last" : stage.name;
  s.document.set(last + ".name", s.last_stage);
  const Simulation run(given.time.step > 0 ? s.at(given.time.step) : parse_case(s.document.text(), file));
  s.given.time.step = run.given().time.step;
  s.contact_duration = run.scale().contact_duration;
  s.apriori_limit = run.apriori_limit().dt;
  return s;
}

bool may_come_to_rest(const Case& c) {
  return c.stages.size() == 1 && !c.driver_options<PlatesSpec>() && c.stages[0].shear_rate == 0 && c.stages[0].duration;
}

/// True if the kinetic energy decays as the reference demands of a relaxation time.
bool comes_to_rest(const Subject& s) {
  if (!may_come_to_rest(s.given)) return false;
  try {
    Simulation run(s.at(std::min(s.given.time.step, s.apriori_limit / 4), longest_rest * s.contact_duration));
    RelaxationFit fit;
    while (!run.finished()) {
      run.step();
      fit.add(run.time(), kinetic_energy(run.state()));
      if (Every{64}.at(run.step_count()) && (fit.decayed() || fit.grown())) break;
    }
    return fit.decayed() && fit.fit().usable();
  } catch (const BlowUp&) {
    return false;
  }
}

/// Returns {1 after a blow-up else 0, mean kinetic energy, mean kinetic energy of the second half}.
std::vector<double> energy_of(const Subject& s, double step, double time, bool prolong, TaskProgress& progress) {
  try {
    Simulation run(s.at(step, prolong ? std::optional(time) : std::nullopt));
    double all = 0, late = 0, n = 0, n_late = 0;
    while (!run.finished() && run.time() < time) {
      run.step();
      if (!Every{4}.at(run.step_count())) continue;
      const double energy = kinetic_energy(run.state());
      all += energy;
      n += 1;
      if (run.time() > time / 2) late += energy, n_late += 1;
      if (Every{1024}.at(run.step_count())) progress.done(run.time() / time);
    }
    const double mean = n > 0 ? all / n : 0;
    return {0, mean, n_late > 0 ? late / n_late : mean};
  } catch (const BlowUp&) {
    return {1, NAN, NAN};
  }
}

/// Runs one round at several steps and returns which steps are stable. `reference` is the energy of a stable run, set
/// in the first round.
std::vector<bool> stability_round(const Subject& s, const std::vector<double>& steps, double time, bool prolong,
                                  int round, const TimeStepChoice& how, double& reference) {
  TaskChoice choice;
  choice.workers = how.workers;
  if (how.show_progress) choice.title = fmt::format("stability, round {}", round);
  if (!how.folder.empty()) choice.journal = how.folder / fmt::format("stability-{}.journal", round);
  choice.fingerprint =
      fmt::format("{}{}inputs {}\ntime {}\n", program_line(), s.document.text(), inputs_of(s.document, s.file), time);
  for (const double step : steps) {
    choice.fingerprint += fmt::format("step {}\n", step);
    choice.cost.push_back(1 / step);
  }
  const auto results = run_tasks(
      steps.size(),
      [&](std::size_t k, TaskProgress& progress) { return energy_of(s, steps[k], time, prolong, progress); }, choice);
  if (round == 1 && results.back().done) reference = std::max(results.back().numbers[1], results.back().numbers[2]);
  std::vector<bool> stable;
  for (const TaskResult& result : results) {
    if (!result.done) throw std::runtime_error("a run of the search for the stability limit failed: " + result.message);
    stable.push_back(result.numbers[0] == 0 && !(result.numbers[2] > hot * reference) &&
                     std::isfinite(result.numbers[2]));
  }
  return stable;
}

/// Brackets the step above which the case is unstable. The first round has nine steps a factor √2 apart. Each of two
/// further rounds has four steps in between.
void find_stability(const Subject& s, const TimeStepChoice& how, TimeStepStudy& study) {
  const bool prolong = may_come_to_rest(s.given);
  study.stability_time = stability_steps * s.apriori_limit;
  const bool known =
      std::ranges::all_of(s.given.stages, [](const Stage& stage) { return std::isfinite(planned_time(stage)); });
  if (!prolong && known) study.stability_time = std::min(study.stability_time, planned_time(s.given));
  std::vector<double> steps;
  for (int k = 6; k >= -2; --k) steps.push_back(s.apriori_limit * std::pow(2, 0.5 * k));
  steps.push_back(s.apriori_limit / 4);
  double reference = 0;
  for (int round = 1; round <= 3; ++round) {
    const auto stable = stability_round(s, steps, study.stability_time, prolong, round, how, reference);
    for (std::size_t k = steps.size(); k-- > 0;) {  // from the smallest on
      if (!stable[k]) {
        study.unstable = steps[k];
        break;
      }
      study.stable = steps[k];
    }
    if (study.stable == 0 || study.unstable == 0) return;
    steps.clear();
    const double ratio = std::pow(study.unstable / study.stable, 0.2);
    for (int k = 4; k >= 1; --k) steps.push_back(study.stable * std::pow(ratio, k));
  }
}

SweepQuantity window_of(const Subject& s, const std::string& column, bool at_end) {
  SweepQuantity q;
  q.column = column;
  q.name = column;
  q.stage = s.last_stage;
  q.kind = at_end || s.last_length == 0 ? QuantityKind::final : QuantityKind::mean;
  if (q.kind == QuantityKind::final) return q;
  q.window_is_strain = s.last_by_strain;
  q.from = s.last_length / 2;
  q.to = s.last_length;
  return q;
}

std::string seed_key_of(const Case& c) {
  const auto* lattice = c.assembly.made_by<LatticeSpec>();
  const bool seeded = c.assembly.made_by<geometry::VoronoiInput>() || (lattice && lattice->random_angle > 0);
  return seeded ? "assembly.seed" : "";
}

void recommend(TimeStepStudy& study) {
  using Kind = StepConvergence::Kind;
  const StepConvergence& c = study.convergence;
  double step = study.apriori_limit;
  std::string why = "the a-priori limit";
  if (study.stable > 0 && study.stable / 2 < step) step = study.stable / 2, why = "half the stability limit";
  const std::string name = study.relaxation ? "the relaxation time" : "the result";
  std::string more;
  const auto& two_percent = c.thresholds[1];
  if (c.kind == Kind::ordered || c.kind == Kind::independent) {
    if (two_percent.step && *two_percent.step < step) {
      step = *two_percent.step;
      why = fmt::format("the largest step at which {} is within 2 % of its limit at small steps", name);
      if (study.stable > 0)
        more = fmt::format("; stability alone would allow {:.0f} times as much", study.stable / step);
    } else {
      more = fmt::format("; {} is then within {} of its limit at small steps", name,
                         c.kind == Kind::independent && c.spread < 0.005
                             ? fmt::format("{:.2g} %", 100 * std::max(c.spread, 1e-5))
                             : "2 %");
    }
  } else {
    // The largest step whose mean agrees with the smaller ones within the scatter.
    std::size_t k = study.results.size();
    const auto agrees = [&](const StepResult& r) {
      return std::abs(r.value - c.limit) <=
             2 * std::hypot(std::max(r.error, c.scatter * std::abs(c.limit)), c.limit_error);
    };
    while (k > 0 && std::isfinite(study.results[k - 1].value) && agrees(study.results[k - 1])) --k;
    if (k == study.results.size()) {
      study.recommendation =
          "No step can be recommended: even the smallest disagree; go on with --from and more --halvings.";
      return;
    }
    if (study.results[k].step < step)
      step = study.results[k].step, why = "the largest step of which the result agrees with those of smaller steps";
    more = fmt::format(
        "; from there down the results agree within their scatter of {:.1f} %, and smaller deviations cannot be seen{}",
        100 * c.scatter, study.replicates > 1 ? "" : " without --replicates");
  }
  study.recommended = rounded_down(step);
  study.recommendation = fmt::format("Use time.step = {:g} s ({:.3g} t_c), {}{}.", study.recommended,
                                     study.recommended / study.contact_duration, why, more);
}

}  // namespace

TimeStepStudy study_time_step(const std::filesystem::path& file, const TimeStepChoice& given) {
  TimeStepChoice how = given;
  const Subject s = subject_of(file, how.shorten);
  TimeStepStudy study;
  study.contact_duration = s.contact_duration;
  study.apriori_limit = s.apriori_limit;
  study.given_step = s.given.time.step;
  if (!how.folder.empty()) {
    create_folder(how.folder);
    if (!std::filesystem::is_empty(how.folder) && !std::filesystem::exists(how.folder / "stability-1.journal"))
      throw FileError(fmt::format("{} holds something else; choose another folder with --output", how.folder.string()));
    if (how.overwrite)
      for (int round = 1; round <= 3; ++round)
        std::filesystem::remove(how.folder / fmt::format("stability-{}.journal", round));
  }

  SweepSpec spec;
  spec.title = "time steps";
  spec.case_file = file;
  CaseDocument document = s.document;
  document.set("time.override_limit", true);
  SweepQuantity quantity;
  if (how.quantity.empty() ? comes_to_rest(s) : how.quantity == "relaxation") {
    quantity = {QuantityKind::relaxation, "t_R", "", "", 0, 0, false};
    study.relaxation = true;
    study.quantity = "relaxation time of the kinetic energy";
    if (how.quantity.empty()) study.quantity += ", because the case is one stage that comes to rest";
    if (s.given.stages.size() != 1)
      throw std::invalid_argument("--quantity relaxation: the case has more than one stage");
    // This is the longest time: a run ends when the energy has decayed.
    document.set("stage[1].duration", longest_rest * s.contact_duration);
  } else {
    const std::string column = !how.quantity.empty()                  ? how.quantity
                               : s.given.driver_options<PlatesSpec>() ? "shear_ratio"
                                                                      : "kinetic_energy";
    quantity = window_of(s, column, how.at_end);
    const bool strain = quantity.window_is_strain;
    study.quantity =
        quantity.kind == QuantityKind::mean
            ? fmt::format("mean of {} over the second half of stage {}, {} {:g} to {:g}{}", column, s.last_stage,
                          strain ? "strain" : "time", quantity.from, quantity.to, strain ? "" : " s")
            : "value at the end of " + column;
    if (how.quantity.empty()) study.quantity += ", because the case does not simply come to rest";
    const Simulation run(s.at(s.given.time.step));
    const auto columns = RunObserver(run).columns().series;
    const auto at = std::ranges::find(columns, column, &Column::name);
    if (at == columns.end())
      throw std::invalid_argument(
          fmt::format("--quantity: found \"{}\", allowed relaxation, {}", column, names_of(columns)));
    study.unit = at->unit;
  }
  if (study.relaxation) study.unit = "s";
  spec.case_text = document.text();
  spec.quantities = {quantity};
  spec.seed_key = seed_key_of(s.given);
  if (how.replicates > 1 && spec.seed_key.empty())
    throw std::invalid_argument(
        "--replicates: the case has no assembly.seed, so that all replicates would be the same");
  spec.replicates = study.replicates = how.replicates > 0                                               ? how.replicates
                                       : s.given.driver_options<PlatesSpec>() && !spec.seed_key.empty() ? 3
                                                                                                        : 1;
  if (spec.replicates == 1) spec.seed_key.clear();
  const Assembly& assembly = s.given.assembly;
  if (const auto* voronoi = assembly.made_by<geometry::VoronoiInput>()) spec.first_seed = voronoi->seed;
  if (const auto* lattice = assembly.made_by<LatticeSpec>()) spec.first_seed = lattice->seed;

  try {
    find_stability(s, how, study);
  } catch (const OtherTasks& error) {
    throw FileError(fmt::format("{}; --overwrite replaces them", error.what()));
  }
  const double from = how.from > 0 ? how.from : 0.8 * (study.stable > 0 ? study.stable : study.apriori_limit);
  const int halvings = how.halvings > 0 ? how.halvings : study.relaxation ? 10 : 4;
  if (halvings < 2)
    throw std::invalid_argument("--halvings: found fewer than 2, allowed 2 and more: an order needs three steps");
  SweepAxis axis{{"time.step"}, {"time.step"}, {}};
  std::vector<double> steps;
  for (int k = 0; k <= halvings; ++k) {
    steps.push_back(from * std::pow(0.5, k));
    axis.values.emplace_back(1, steps.back());
  }
  spec.axes = {axis};
  study.table = run_sweep(
      spec, {how.workers, how.folder.empty() ? how.folder : how.folder / "steps", how.show_progress, how.overwrite});

  const std::size_t column = column_of(study.table.results, quantity.name);
  std::vector<std::vector<double>> values(steps.size());
  for (std::size_t row = 0; row < study.table.rows(); ++row)
    values[row / std::size_t(spec.replicates)].push_back(study.table.result[row][column]);
  study.results = step_means(steps, values);
  study.convergence = step_convergence(study.results, tolerances, study.relaxation);
  recommend(study);
  if (!how.folder.empty()) write_file(how.folder / "report.txt", time_step_report(study));
  return study;
}

std::string time_step_report(const TimeStepStudy& study) {
  using Kind = StepConvergence::Kind;
  const StepConvergence& c = study.convergence;
  const double t_c = study.contact_duration;
  const auto both = [&](double step) { return fmt::format("{:.4g} s = {:.3g} t_c", step, step / t_c); };
  std::string text =
      fmt::format("Quantity: {}.\nt_c = {:.6g} s; time step of the case {:g} s = {:.3g} t_c, a-priori limit {}\n",
                  study.quantity, t_c, study.given_step, study.given_step / t_c, both(study.apriori_limit));
  if (study.stable > 0 && study.unstable > 0)
    text += fmt::format("Stability limit by runs of {:.3g} s: {} (stable there, unstable at {:.4g} s)\n",
                        study.stability_time, both(study.stable), study.unstable);
  else if (study.stable > 0)
    text += fmt::format("Stability limit: above {}, the largest step that was tried\n", both(study.stable));
  else
    text += fmt::format("Stability limit: below {}, the smallest step that was tried\n", both(study.unstable));
  text += fmt::format("\n{:>14} {:>12} {:>16} {:>12} {:>12}\n", "time.step (s)", "time.step/t_c",
                      study.relaxation ? "t_R/t_c" : "value", study.replicates > 1 ? "std. error" : "", "deviation");
  for (const StepResult& r : study.results)
    text += fmt::format("{:>14.6g} {:>12.4g} {:>16.8g} {:>12} {:>12}\n", r.step, r.step / t_c,
                        study.relaxation ? r.value / t_c : r.value,
                        study.replicates > 1 ? fmt::format("{:.2g}", r.error) : "",
                        std::isfinite(r.value) ? fmt::format("{:+.3f} %", 100 * (r.value / c.limit - 1)) : "no value");
  const std::string limit =
      study.relaxation
          ? fmt::format("t_R/t_c = {:.6g} ± {:.1g}", c.limit / t_c, c.limit_error / t_c)
          : fmt::format("{:.6g} ± {:.1g}{}", c.limit, c.limit_error, study.unit == "1" ? "" : " " + study.unit);
  text += '\n';
  if (c.kind == Kind::ordered)
    text += fmt::format("Order of convergence {:.2f}; limit at small steps {}\n", c.order, limit);
  else if (c.kind == Kind::independent)
    text += fmt::format(
        "No dependence on the time step: all values within {:.2g} % of {}; their differences do not fall with the "
        "step, so that they are round-off or the accuracy of the measurement, and there is no order to state\n",
        100 * c.spread, limit);
  else
    text += fmt::format(
        "No order: the differences do not fall with the step, as in a chaotic case; mean over the smaller steps {}, "
        "scatter {:.2g} %\n",
        limit, 100 * c.scatter);
  for (const auto& t : c.thresholds) {
    std::string step = "hidden by the scatter";
    if (t.step)
      step = t.at_least       ? fmt::format("at least {} (all steps that were run)", both(*t.step))
             : t.extrapolated ? fmt::format("{} (extrapolated)", both(*t.step))
                              : both(*t.step);
    else if (c.kind != Kind::scattered)
      step = "below all steps that were run";
    text += fmt::format("Threshold at {:.0f} %: {}\n", 100 * t.tolerance, step);
  }
  return text + "\n" + study.recommendation + "\n";
}

}  // namespace dem
