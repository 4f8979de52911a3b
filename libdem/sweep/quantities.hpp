// Quantities that a sweep takes from one run. They observe the run after each step.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "libdem/measure/relaxation.hpp"
#include "libdem/run/observer.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

std::string names_of(const std::vector<Column>&);  ///< "time, strain"

/// The place of a column. Throws std::invalid_argument naming all.
std::size_t column_of(const std::vector<Column>&, const std::string& name);

/// Columns of a quantity in the table of results. `series` are the columns of the runs.
std::vector<Column> quantity_columns(const SweepQuantity&, const std::vector<Column>& series);

class QuantityMeter {
 public:
  /// Called at the start of the run. With `all_rows` it makes rows that no quantity needs, too. Throws
  /// std::invalid_argument naming a column or stage that the run does not have.
  QuantityMeter(const std::vector<SweepQuantity>&, const Simulation&, bool all_rows = false);

  /// Columns of the rows.
  const std::vector<Column>& columns() const { return observer_.columns().series; }
  /// The last row, of the start or of a later step.
  const std::vector<double>& row() const { return row_; }
  /// Called after the last step of a stage, before the next one begins (Simulation::at_stage_end): makes the last row
  /// of the stage.
  void at_stage_end(const Simulation&);
  /// True if the step made a row.
  bool after_step(const Simulation&);
  /// True if later steps would change nothing: all quantities are relaxation times, and each energy has decayed or
  /// grown.
  bool satisfied() const;
  /// Share of the run that is done, from its stages or from the decay of its energy.
  double share(const Simulation&) const;
  void save(ArchiveWriter&) const;
  void load(const ArchiveReader&);
  /// One value per column. A NaN has its reason in `remark`.
  std::vector<double> results(std::string& remark) const;

 private:
  struct Gauge {
    SweepQuantity quantity;
    std::size_t column = 0;
    int stage = -1;  // −1 for all
    RelaxationFit fit;
    double first = 0;  // strain or time at which the window begins to count
    double last = 0, sum = 0, sum_of_squares = 0, shift = 0, least = 0, most = 0;
    std::uint64_t rows = 0, without = 0;
    void fields(FieldVisitor&);
    void add(double value);
    double result() const;
  };
  void for_each_part(const std::function<void(const std::string&, const Fields&)>&);
  void begin_stage(const Simulation&, int stage);
  void take_row(const Simulation&);

  std::vector<Gauge> gauges_;
  RunObserver observer_;
  std::vector<double> row_;
  bool rows_ = false, all_rows_;  // rows: a quantity needs them
  Every row_steps_;
  int stage_ = -1;
  double duration_ = 0;  // t_c
};

}  // namespace dem
