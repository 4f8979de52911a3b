#pragma once
#include <fmt/format.h>

#include <string>

namespace dem {

/// The shortest text that reads back to the same bits. It has a point or an exponent, as a number in TOML.
inline std::string number_text(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

}  // namespace dem
