#include "validation/pena2008/relaxation_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace dem::validation::pena2008 {

RelaxationCurve relaxation_curve(const SweepTable& table, std::string_view x,
                                 const std::vector<std::pair<std::string, SweepValue>>& fixed) {
  std::vector<std::size_t> columns;
  for (const auto& [name, value] : fixed) columns.push_back(table.parameter_column(name));
  RelaxationCurve curve;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    bool here = true;
    for (std::size_t k = 0; k < fixed.size(); ++k) here = here && table.parameter[row][columns[k]] == fixed[k].second;
    if (!here) continue;
    curve.push_back({table.number(row, x), table.number(row, "t_R_over_t_c"), table.number(row, "t_R_r_squared"),
                     table.number(row, "t_R_maxima"), table.message[row]});
  }
  std::ranges::sort(curve, {}, &RelaxationPoint::x);
  return curve;
}

std::vector<double> values_of(const SweepTable& table, std::string_view parameter) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows(); ++row) values.push_back(table.number(row, parameter));
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Curve drawn(const RelaxationCurve& curve, std::string label, Curve::Style style, double scale) {
  Curve result;
  result.label = std::move(label);
  result.style = style;
  for (const RelaxationPoint& point : curve)
    if (point.usable()) result.x.push_back(point.x), result.y.push_back(scale * point.relaxation);
  return result;
}

Curve predicted(std::string label, double from, double to, const std::function<double(double)>& f, int per_decade) {
  Curve result;
  result.label = std::move(label);
  result.style = Curve::Style::prediction;
  const int steps = int(std::ceil(std::log10(to / from) * per_decade));
  for (int k = 0; k <= steps; ++k) {
    const double x = from * std::pow(to / from, double(k) / steps);
    result.x.push_back(x);
    result.y.push_back(f(x));
  }
  return result;
}

double value_at(const RelaxationCurve& curve, double x) {
  for (const RelaxationPoint& point : curve)
    if (point.usable() && std::abs(point.x - x) <= 1e-9 * std::abs(x)) return point.relaxation;
  throw std::out_of_range(fmt::format("no usable relaxation time at {:g}", x));
}

double threshold_of(const RelaxationCurve& curve, double limit, double tolerance) {
  const double bound = 1 / (limit * (1 - tolerance));  // of 1/t_R
  double x = 0, rate = 1 / limit;
  for (const RelaxationPoint& point : curve) {
    if (!point.usable()) continue;
    if (1 / point.relaxation > bound) return x + (point.x - x) * (bound - rate) / (1 / point.relaxation - rate);
    x = point.x;
    rate = 1 / point.relaxation;
  }
  return std::numeric_limits<double>::infinity();
}

bool falls(const RelaxationCurve& curve) {
  double last = std::numeric_limits<double>::infinity();
  for (const RelaxationPoint& point : curve) {
    if (!point.usable()) continue;
    if (!(point.relaxation < last)) return false;
    last = point.relaxation;
  }
  return std::isfinite(last);
}

double largest_deviation(const RelaxationCurve& curve, const std::function<double(double)>& f) {
  double largest = 0;
  for (const RelaxationPoint& point : curve)
    if (point.usable()) largest = std::max(largest, std::abs(point.relaxation / f(point.x) - 1));
  return largest;
}

std::string usable_share(std::span<const RelaxationCurve> curves) {
  std::size_t usable = 0, all = 0;
  for (const RelaxationCurve& curve : curves) {
    all += curve.size();
    usable += std::size_t(std::ranges::count_if(curve, &RelaxationPoint::usable));
  }
  return fmt::format("{} of {}", usable, all);
}

StraightLine straight_line(std::span<const double> x, std::span<const double> y) {
  const double n = double(x.size());
  double sx = 0, sy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += y[k];
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double dx = x[k] - sx / n, dy = y[k] - sy / n;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  StraightLine line;
  line.b = xy / xx;
  line.a = (sy - line.b * sx) / n;
  line.r_squared = yy > 0 ? xy * xy / (xx * yy) : 1;
  for (std::size_t k = 0; k < x.size(); ++k)
    line.largest_residual = std::max(line.largest_residual, std::abs(y[k] - line.a - line.b * x[k]));
  return line;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(fmt::format("{} cannot be read", path.string()));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace dem::validation::pena2008
