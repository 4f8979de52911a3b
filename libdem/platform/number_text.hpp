// Numbers as texts.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace dem {

/// The shortest text that reads back to the same bits. It has a point or an exponent, as a number in TOML.
inline std::string number_text(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

/// A number > 0, rounded down to two digits, so that it reads well.
inline double rounded_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::stod(fmt::format("{:.1e}", std::floor(x / unit * (1 + 1e-9)) * unit));
}

}  // namespace dem
