// Heap of spheres on a square dish: a tube stands on it, is filled and lifted; what flows over the rim falls off.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "libdem/run/simulation.hpp"
#include "libdem/sweep/tasks.hpp"

namespace dem::validation::fleischmann2015 {

/// Spheres of the material of case A in a tube; SI.
struct HeapSetup {
  std::optional<SizeDistribution> sizes;   ///< none: equal ones of `diameter`
  double diameter = 5e-3, largest = 5e-3;  ///< lengths are compared with the first (m)
  double jitter = 0.99;
  int per_layer = 5, layers = 72;
  TangentialHistory history = TangentialHistory::whole;
  double tube = 0.05, dish = 0.1, rim = 5e-3;  ///< m: inner widths, height
  double fill = 0.5, lift = 3.5, rest = 0.8;   ///< s
  double speed =
      0.02;  ///< of the tube (m/s): at five times as much the spheres rush out, and the slope is half as steep
  double step = 2e-5;
  std::uint64_t seed = 1;
};
Case heap_case(const HeapSetup&);

/// Height of the surface over the middle of the dish in the four directions towards its sides.
struct HeapReport {
  std::vector<double> distance;  ///< from the middle (m)
  std::vector<double> height;    ///< above the floor of the dish, mean of the four faces (m)
  std::vector<double> angles;    ///< of repose, of each face: straight line from 1.5 d to 2 d within the rim (degrees)
  double creep = 0;              ///< change of the mean angle in the last quarter of the rest (degrees)
  double spheres = 0;            ///< left on the dish
  double angle() const;
  std::vector<double> pack() const;
  static HeapReport unpack(const std::vector<double>&);
};
HeapReport pour_heap(const HeapSetup&, TaskProgress&);

}  // namespace dem::validation::fleischmann2015
