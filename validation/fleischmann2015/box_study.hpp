// What the studies of the shear box share: packings, tests from them, claims with bands, curves.
#pragma once
#include <cmath>
#include <functional>

#include "validation/fleischmann2015/box_test.hpp"
#include "validation/study.hpp"

namespace dem::validation::fleischmann2015 {

inline constexpr const char* band_of_codes =
    "acceptance band of the reference, drawn around runs of established codes: agreement between codes";

/// Lowest and highest of several numbers.
struct Spread {
  double low = INFINITY, high = -INFINITY;
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
  bool within(double a, double b) const { return low >= a && high <= b; }
  std::string text(int digits) const;
};
template <class F>
Spread over(const std::vector<BoxCurve>& curves, F f) {
  Spread s;
  for (const BoxCurve& c : curves) s.add(f(c));
  return s;
}

inline ClaimVerdict verdict(bool holds) { return holds ? ClaimVerdict::agrees : ClaimVerdict::differs; }

/// A shear test and the packing it starts from.
struct BoxRun {
  std::size_t packing = 0;  ///< number of its BoxSetup
  ShearTest test;
};
struct BoxResults {
  std::vector<PackingReport> packings;
  std::vector<BoxCurve> curves;  ///< one for each run
};
/// Makes the packings, then shears them, on all workers; resumed like every task. Throws std::runtime_error: a run that
/// stopped, with its reason.
BoxResults run_boxes(StudyRun&, const std::vector<BoxSetup>& packings, const std::vector<BoxRun>& runs);

/// Where run_boxes keeps packing k.
std::filesystem::path packing_file(const StudyRun&, std::size_t k);

/// Nanoseconds a sphere and step took, over all curves.
Spread cost_of(const BoxResults&);

/// Curve of value(box, row) against displacement over x_unit (m).
Curve box_curve(std::string label, const BoxCurve&, double x_unit,
                const std::function<double(const BoxCurve&, const BoxRow&)>& value);
/// Mean of several with the lowest and highest at each displacement as its band.
Curve mean_curve(std::string label, const std::vector<BoxCurve>&, double x_unit,
                 const std::function<double(const BoxCurve&, const BoxRow&)>& value);

// Values of a row.
inline double published_ratio(const BoxCurve& c, const BoxRow& row) { return c.published(row); }
inline double plane_ratio(const BoxCurve&, const BoxRow& row) { return row.shear / row.plane; }
inline double rise_in_diameters(const BoxCurve& c, const BoxRow& row) { return row.rise / c.diameter; }

}  // namespace dem::validation::fleischmann2015
