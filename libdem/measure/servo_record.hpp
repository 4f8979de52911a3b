// How well a servo held its stresses.
#pragma once
#include <algorithm>
#include <cmath>

namespace dem {

/// Of the largest relative deviation of a component. In a stage that moves the cell at a given rate, all steps count
/// from the moment on when it had been within its tolerance for 100 steps in a row; a servo that never was is judged by
/// all its steps. A stage without a given rate is on its way to its stresses: there the last steps count, each the more
/// the later it is (by a factor e in 100 steps).
struct ServoRecord {
  double squares = 0, steps = 0, largest = 0;
  double tolerance = 1e-3;
  double row = 0;  ///< steps in a row within the tolerance, until it held
  bool held = false;
  double stage = 0;                                                          ///< number of the stage, from 1
  double mean() const { return std::sqrt(squares / std::max(1.0, steps)); }  ///< root mean square
  /// Root mean square over the tolerance; infinite for a servo that never held.
  double share() const { return held ? mean() / tolerance : INFINITY; }
};

}  // namespace dem
