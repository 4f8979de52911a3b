// The places in μ, k_t/k_n and ε_t/ε_n at which thresholds are worked out, in three readings.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "validation/pena2008/thresholds/threshold.hpp"
#include "validation/pena2008/two_discs.hpp"
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

inline constexpr std::array threshold_tolerances{0.05, 0.02, 0.01};
inline constexpr double reference_stiffness_ratio = 1.0 / 3, reference_restitution_ratio = 1.0053,
                        shown_tolerance = 0.05;
struct ThresholdReading {
  Reading reading;
  const char* name;
};
inline constexpr std::array threshold_readings{ThresholdReading{Reading::guided, "with rotation, guided"},
                                               ThresholdReading{Reading::guided_no_rotation, "no rotation, guided"},
                                               ThresholdReading{Reading::free_no_rotation, "no rotation, free"}};

/// A threshold at one place of the three parameters, by all that is known of it.
struct ThresholdPlace {
  std::size_t reading = 0;
  double friction = 500, stiffness_ratio = reference_stiffness_ratio, restitution_ratio = reference_restitution_ratio;
  bool decay = false;  ///< measured from decays as well
  // Found:
  std::array<double, 3> exact{}, predicted{};  // at each tolerance
  double tangential_share = 0, damping_time = 0, tangential_time = 0;
  MeasuredThreshold measured;
  std::string message;
  bool done = false;

  Case given() const;
};

struct ThresholdGrid {
  std::vector<double> friction, stiffness, restitution;
};
ThresholdGrid threshold_grid(bool quick);

/// Each axis through the reference place with decays, and the map over both ratios from the spectrum.
std::vector<ThresholdPlace> work_out_places(StudyRun&);
/// Throws std::out_of_range.
const ThresholdPlace& reference_place(const std::vector<ThresholdPlace>&, std::size_t reading, double friction = 500);

}  // namespace dem::validation::pena2008
