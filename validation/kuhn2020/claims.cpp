#include "validation/kuhn2020/claims.hpp"

#include <cmath>
#include <cstdlib>

namespace dem::validation::kuhn2020 {

double half_unit(std::string_view printed) {
  const std::size_t e = printed.find_first_of("eE");
  const std::string_view digits = printed.substr(0, e);
  const int exponent = e == std::string_view::npos ? 0 : std::atoi(std::string(printed.substr(e + 1)).c_str());
  const std::size_t point = digits.find('.');
  const int decimals = point == std::string_view::npos ? 0 : int(digits.size() - point - 1);
  return 0.5 * std::pow(10.0, exponent - decimals);
}

bool agrees_with_print(std::string_view printed, double value) {
  // A little room: a value half way between two prints may be rounded to either.
  return std::abs(value - std::strtod(std::string(printed).c_str(), nullptr)) <= half_unit(printed) * (1 + 1e-6);
}

double log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double a = std::log(x[k]), b = std::log(y[k]);
    n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace dem::validation::kuhn2020
