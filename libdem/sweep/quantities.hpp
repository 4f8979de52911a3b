// Quantities that a sweep takes from one run. They look at the run after each step.
#pragma once
#include <string>
#include <vector>

#include "libdem/measure/relaxation.hpp"
#include "libdem/run/observer.hpp"
#include "libdem/run/simulation.hpp"
#include "libdem/sweep/sweep.hpp"

namespace dem {

/// Columns that a quantity makes in the table of results. `series`: columns of the runs.
std::vector<Column> quantity_columns(const SweepQuantity&, const std::vector<Column>& series);

class QuantityMeter {
 public:
  /// At the start of the run. Throws std::invalid_argument naming a column or stage that the run does not have.
  QuantityMeter(const std::vector<SweepQuantity>&, const Simulation&);

  void after_step(const Simulation&);
  /// Later steps would change nothing: all that is asked for are relaxation times, and each energy has decayed or
  /// grown.
  bool satisfied() const;
  /// Share of the run that is done, by its stages or by the decay of its energy.
  double share(const Simulation&) const;
  /// One value a column; NaN with a reason in `remark`.
  std::vector<double> results(const Simulation&, std::string& remark) const;

 private:
  struct Gauge {
    SweepQuantity quantity;
    std::size_t column = 0;
    int stage = -1;  // −1: all
    RelaxationFit fit;
    double first = 0;  // strain or time where the window begins to count
    double last = 0, sum = 0, sum_of_squares = 0, shift = 0, least = 0, most = 0;
    std::size_t rows = 0, without = 0;
    void add(double value);
    double result() const;
  };
  void begin_stage(const Simulation&, int stage);
  void take_row(const Simulation&, int stage);

  std::vector<Gauge> gauges_;
  RunObserver observer_;
  bool rows_ = false;
  Every row_steps_;
  int stage_ = -1;
  double duration_ = 0;  // t_c
};

}  // namespace dem
