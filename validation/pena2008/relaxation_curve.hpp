// Relaxation times of a sweep as curves over one of its parameters, and the statements that figures make on them.
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libdem/sweep/sweep.hpp"
#include "validation/study.hpp"

namespace dem::validation::pena2008 {

struct RelaxationPoint {
  double x = 0;
  double relaxation = 0;  ///< t_R/t_c; NaN where the fit is not usable
  double r_squared = 0;
  double maxima = 0;
  std::string message;  ///< why there is no number
  bool usable() const { return relaxation == relaxation; }
};
using RelaxationCurve = std::vector<RelaxationPoint>;  ///< by rising x

/// The rows of a sweep with one quantity `t_R` of kind relaxation whose other parameters have the given values.
RelaxationCurve relaxation_curve(const SweepTable&, std::string_view x,
                                 const std::vector<std::pair<std::string, SweepValue>>& fixed = {});
/// The values that a parameter takes, rising.
std::vector<double> values_of(const SweepTable&, std::string_view parameter);

/// Usable points, times `scale` (t_c for seconds).
Curve drawn(const RelaxationCurve&, std::string label, Curve::Style = Curve::Style::points, double scale = 1);
/// Dashed line of f at logarithmic steps from `from` to `to`.
Curve predicted(std::string label, double from, double to, const std::function<double(double)>& f, int per_decade = 12);

/// The usable value at x. Throws std::out_of_range.
double value_at(const RelaxationCurve&, double x);
/// Largest x (a time step) at which the curve is within `tolerance` of its limit at x = 0: 1/t_R = 1/limit + bx
/// (reference, §5) between the two points that enclose it, or the first point and x = 0. Infinite where all points are
/// within it.
double threshold_of(const RelaxationCurve&, double limit, double tolerance);
/// Does t_R fall from each usable point to the next one of larger x?
bool falls(const RelaxationCurve&);
/// Largest of |a/b − 1| over the usable points, b = f(x).
double largest_deviation(const RelaxationCurve&, const std::function<double(double)>& f);
/// Usable and all points, as "12 of 13".
std::string usable_share(std::span<const RelaxationCurve>);

/// y ≈ a + b x by least squares.
struct StraightLine {
  double a = 0, b = 0, r_squared = 0;
  double largest_residual = 0;  ///< |y − a − b x|
};
StraightLine straight_line(std::span<const double> x, std::span<const double> y);

/// Text of a file of the study, for Figure::case_text.
std::string text_of_file(const std::filesystem::path&);

inline ClaimVerdict verdict(bool holds) { return holds ? ClaimVerdict::agrees : ClaimVerdict::differs; }
inline constexpr std::string_view source_paper = "Peña, Lind, Herrmann";

}  // namespace dem::validation::pena2008
