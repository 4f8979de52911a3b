// What the user tells each law: for `dem contact`, its messages and `dem help contact`. Adding a law with other parameters adds its
// rows in parameters.cpp.
#pragma once
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dem::laws {

struct Parameter {
  enum class Kind { number, truth, word, words };  ///< words: a list, each once
  std::string_view name, unit, meaning;
  std::string_view default_text = "required";
  Kind kind = Kind::number;
  double low = 0;                ///< numbers
  bool low_open = false;         ///< the bound itself is not allowed
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string_view> choices = {};
  std::string range() const;     ///< of a number, in words: "a number >= 0"
  bool required() const { return default_text == "required"; }
};

/// Parameters of the law of this name; empty when there is none.
std::span<const Parameter> parameters(std::string_view law);

}  // namespace dem::laws
