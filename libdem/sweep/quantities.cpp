#include "libdem/sweep/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "libdem/case/plan.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/drivers/cell_drive.hpp"
#include "libdem/measure/motion_sums.hpp"
#include "libdem/sweep/sweep_rows.hpp"

namespace dem {
namespace {

/// Size of the rate of Simulation::strain() in the last step (1/s).
double pace_of_strain(const Simulation& run) {
  if (const double rate = run.strain_rate(); rate != 0) return std::abs(rate);
  const CellDriver* cell = run.driver<CellDriver>();  // without a given rate the strain is that of the volume
  return cell ? std::abs(cell->rate()[0] + cell->rate()[1] + cell->rate()[2]) : 0;
}

}  // namespace

std::string names_of(const std::vector<Column>& columns) {
  std::string all;
  for (const Column& column : columns) all += (all.empty() ? "" : ", ") + column.name;
  return all;
}

std::vector<Column> quantity_columns(const SweepQuantity& q, const std::vector<Column>& series) {
  if (q.kind == QuantityKind::relaxation)
    return {{q.name, "s", "relaxation time of the kinetic energy, E_k ~ exp(-t/t_R); negative: it grows"},
            {q.name + "_r_squared", "1", "coefficient of determination of the fit; more than 0.999 is asked for"},
            {q.name + "_maxima", "1", "maxima of the kinetic energy in the fit; at least 20 are asked for"},
            {q.name + "_over_t_c", "1", "relaxation time in contact times"}};
  std::string unit = "1", what = q.column;
  for (const Column& column : series)
    if (column.name == q.column) unit = column.unit, what = column.description;
  std::string where = q.stage.empty() ? "" : fmt::format(", stage {}", q.stage);
  if (q.from != 0 || q.to != 0)
    where += fmt::format(", {} from {:g} to {}", q.window_is_strain ? "strain" : "time", q.from,
                         q.to == 0 ? "the end" : fmt::format("{:g}", q.to));
  const auto words = words_of(q.kind);
  const auto kind = std::ranges::find(words, q.kind, &laws::Word<QuantityKind>::value);
  return {{q.name, unit, fmt::format("{} {}: {}{}", kind->meaning, q.column, what, where)}};
}

void QuantityMeter::Gauge::add(double value) {
  last = value;
  if (!std::isfinite(value)) {
    ++without;
    return;
  }
  if (rows == 0) least = most = shift = value;
  least = std::min(least, value);
  most = std::max(most, value);
  sum += value - shift;
  sum_of_squares += (value - shift) * (value - shift);
  ++rows;
}

double QuantityMeter::Gauge::result() const {
  const QuantityKind kind = quantity.kind;
  if (kind == QuantityKind::final) return last;
  if (rows == 0) return NAN;
  if (kind == QuantityKind::mean) return shift + sum / double(rows);
  if (kind == QuantityKind::minimum) return least;
  if (kind == QuantityKind::maximum) return most;
  if (kind != QuantityKind::deviation || rows < 2) return NAN;
  return std::sqrt(std::max(0.0, sum_of_squares - sum * sum / double(rows)) / double(rows - 1));
}

std::size_t column_of(const std::vector<Column>& columns, const std::string& name) {
  const auto at = std::ranges::find(columns, name, &Column::name);
  if (at != columns.end()) return std::size_t(at - columns.begin());
  case_file::Names known;
  for (const Column& column : columns) known.emplace_back(column.name);
  const std::string_view nearest = case_file::nearest(name, known);
  throw std::invalid_argument(fmt::format("\"{}\", allowed a column of the series: {}{}{}", name, names_of(columns),
                                          nearest.empty() ? "" : "; nearest known: ", nearest));
}

QuantityMeter::QuantityMeter(const std::vector<SweepQuantity>& quantities, const Simulation& run, bool all_rows)
    : observer_(run), all_rows_(all_rows) {
  for (const SweepQuantity& q : quantities) {
    Gauge gauge;
    gauge.quantity = q;
    gauge.last = NAN;
    if (q.kind != QuantityKind::relaxation) {
      rows_ = all_rows_ = true;
      gauge.column = column_of(columns(), q.column);
    }
    if (!q.stage.empty()) {
      const auto& stages = run.given().stages;
      std::string all;
      for (std::size_t k = 0; k < stages.size(); ++k) {
        if (stages[k].name == q.stage) gauge.stage = int(k);
        if (!stages[k].name.empty()) all += fmt::format("{}\"{}\"", all.empty() ? "" : ", ", stages[k].name);
      }
      if (gauge.stage < 0)
        throw std::invalid_argument(fmt::format("stage \"{}\", allowed {}", q.stage,
                                                all.empty() ? "none: the stages of the case have no names" : all));
    }
    gauges_.push_back(std::move(gauge));
  }
  row_steps_ = {row_steps(run.given(), run.state().dt)};  // as dem run
  duration_ = run.scale().contact_duration;
  begin_stage(run, int(run.stage()));
  if (all_rows_) take_row(run);
}

void QuantityMeter::begin_stage(const Simulation& run, int stage) {
  for (Gauge& gauge : gauges_)
    if (gauge.stage == stage || (gauge.stage < 0 && stage_ < 0))
      gauge.first = gauge.quantity.window_is_strain ? run.strain() : run.time();
  stage_ = stage;
}

void QuantityMeter::take_row(const Simulation& run) {
  row_ = observer_.row(run);
  for (Gauge& gauge : gauges_) {
    const SweepQuantity& q = gauge.quantity;
    if (q.kind == QuantityKind::relaxation || (gauge.stage >= 0 && gauge.stage != stage_)) continue;
    const double x = (q.window_is_strain ? std::abs(run.strain() - gauge.first) : run.time() - gauge.first);
    const double slack = 0.5 * run.state().dt * (q.window_is_strain ? pace_of_strain(run) : 1);
    if (x < q.from - slack || (q.to > 0 && x > q.to + slack)) continue;
    gauge.add(row_[gauge.column]);
  }
}

void QuantityMeter::at_stage_end(const Simulation& run) {
  if (all_rows_) take_row(run);
}

bool QuantityMeter::after_step(const Simulation& run) {
  const auto relaxes = [this](const Gauge& gauge) {
    return gauge.quantity.kind == QuantityKind::relaxation && (gauge.stage < 0 || gauge.stage == stage_);
  };
  if (std::ranges::any_of(gauges_, relaxes)) {
    const double energy = kinetic_energy(run.state());
    for (Gauge& gauge : gauges_)
      if (relaxes(gauge)) gauge.fit.add(run.time(), energy);
  }
  if (all_rows_) observer_.count_step(run);
  const bool stage_over = int(run.stage()) != stage_;
  const bool makes_row = all_rows_ && (stage_over || row_steps_.at(run.step_count()));
  if (makes_row && !stage_over) take_row(run);  // that of the stage's end is made
  if (stage_over) begin_stage(run, int(run.stage()));
  return makes_row;
}

bool QuantityMeter::satisfied() const {
  if (all_rows_) return false;
  return std::ranges::all_of(gauges_, [](const Gauge& gauge) { return gauge.fit.decayed() || gauge.fit.grown(); });
}

double QuantityMeter::share(const Simulation& run) const {
  double share =
      (double(run.stage()) + (run.finished() ? 0 : run.stage_progress())) / double(run.given().stages.size());
  if (!rows_ && gauges_.size() == 1 && gauges_[0].fit.last() > 0)
    share = std::max(share, std::log(gauges_[0].fit.largest() / gauges_[0].fit.last()) / std::log(1e9));
  return share;
}

void QuantityMeter::Gauge::fields(FieldVisitor& f) {
  f("first", first, Hashed::no);
  f("last", last, Hashed::no);
  f("sum", sum, Hashed::no);
  f("sum_of_squares", sum_of_squares, Hashed::no);
  f("shift", shift, Hashed::no);
  f("least", least, Hashed::no);
  f("most", most, Hashed::no);
  f("rows", rows, Hashed::no);
  f("without", without, Hashed::no);
  fit.fields(f);
}

void QuantityMeter::for_each_part(const std::function<void(const std::string&, const Fields&)>& visit) {
  for (std::size_t k = 0; k < gauges_.size(); ++k)
    visit(fmt::format("quantity_{}", k), [this, k](FieldVisitor& f) { gauges_[k].fields(f); });
  visit("quantities", [this](FieldVisitor& f) { f.number("stage", stage_, Hashed::no); });
}

// A visitor that does not load changes nothing.
void QuantityMeter::save(ArchiveWriter& archive) const {
  observer_.save(archive);
  const_cast<QuantityMeter*>(this)->for_each_part(
      [&](const std::string& part, const Fields& fields) { save_fields(archive, part, fields); });
}

void QuantityMeter::load(const ArchiveReader& archive) {
  observer_.load(archive);
  for_each_part([&](const std::string& part, const Fields& fields) { load_fields(archive, part, fields); });
}

std::vector<double> QuantityMeter::results(std::string& remark) const {
  std::vector<double> values;
  const auto say = [&](const std::string& text) { remark += (remark.empty() ? "" : "; ") + text; };
  for (const Gauge& gauge : gauges_) {
    const std::string& name = gauge.quantity.name;
    if (gauge.quantity.kind != QuantityKind::relaxation) {
      values.push_back(gauge.result());
      if (gauge.rows + gauge.without == 0)
        say(fmt::format("{}: no row of the series is in the window", name));
      else if (gauge.without > 0 && gauge.quantity.kind != QuantityKind::final)
        say(fmt::format("{}: {} of {} rows have no {}", name, gauge.without, gauge.rows + gauge.without,
                        gauge.quantity.column));
      continue;
    }
    const RelaxationFit::Result fit = gauge.fit.fit();
    const bool usable = fit.usable();
    values.insert(values.end(),
                  {usable ? fit.time : NAN, fit.r_squared, double(fit.maxima), usable ? fit.time / duration_ : NAN});
    if (usable) continue;
    const std::string why = fit.maxima < 20
                                ? fmt::format("{} maxima of the kinetic energy, at least 20 are needed", fit.maxima)
                                : fmt::format("a fit with R² = {:.5f}, more than 0.999 is needed", fit.r_squared);
    say(fmt::format("{}: no number from {}{}", name, why, fit.time < 0 ? ", the energy grows" : ""));
  }
  return values;
}

}  // namespace dem
