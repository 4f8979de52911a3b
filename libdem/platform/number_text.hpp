// Numbers as texts.
#pragma once
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dem {

/// The shortest text that reads back to the same bits. It has a point or an exponent, as a number in TOML.
inline std::string number_text(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

/// "1 contact", "3 contacts", "2 bodies".
inline std::string counted(std::size_t count, std::string_view one, std::string_view more = "") {
  return fmt::format("{} {}", count, count != 1 && !more.empty() ? more : one) +
         (count != 1 && more.empty() ? "s" : "");
}

/// The number that a whole text is, or none.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The finite number that a whole text is, or none. It may begin with a plus sign.
inline std::optional<double> finite_number(std::string_view text) {
  const auto number = number_of<double>(text.substr(text.starts_with('+') ? 1 : 0));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// A number > 0, rounded down to two digits, so that it reads well.
inline double rounded_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::stod(fmt::format("{:.1e}", std::floor(x / unit * (1 + 1e-9)) * unit));
}

}  // namespace dem
