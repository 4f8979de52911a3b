// Quality of the stresses that a servo held.
#pragma once
#include <algorithm>
#include <cmath>

namespace dem {

/// Sums the largest relative deviation of a component. In a stage with a given rate of the cell, steps count once 100
/// steps in a row were within the tolerance. If that never happened, all steps count. A stage without a given rate
/// approaches its stresses, so late steps weigh more (by a factor e in 100 steps).
struct ServoRecord {
  double squares = 0, steps = 0, largest = 0;
  double tolerance = 1e-3;
  double row = 0;  ///< steps in a row within the tolerance, until the servo held
  bool held = false;
  double stage = 0;                                                          ///< number of the stage, from 1
  double mean() const { return std::sqrt(squares / std::max(1.0, steps)); }  ///< root mean square
  /// Root mean square over the tolerance; infinite for a servo that never held.
  double share() const { return held ? mean() / tolerance : INFINITY; }
};

}  // namespace dem
