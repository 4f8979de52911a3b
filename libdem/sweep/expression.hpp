// Arithmetic in sweep files: `-1e-6 * k_n`, `0.01 * t_c`, `sqrt(2) * friction`.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dem {

/// The names that an expression uses. Throws std::invalid_argument with a sentence when the text is no expression.
std::vector<std::string> expression_names(const std::string& text);

/// The value of an expression. `value_of` returns nothing for an unknown name. Names may contain dots and entries:
/// `body.left.force[0]`. Throws std::invalid_argument.
double expression_value(const std::string& text,
                        const std::function<std::optional<double>(const std::string&)>& value_of);

}  // namespace dem
