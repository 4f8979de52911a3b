// Arithmetic in sweep files: `-1e-6 * k_n`, `0.01 * t_c`, `sqrt(2) * friction`.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dem {

/// The names that an expression uses. Throws std::invalid_argument, a sentence, when it is none.
std::vector<std::string> expression_names(const std::string& text);

/// Its value; `value_of` a name is nothing where there is no such name. Names may hold dots and entries:
/// `body.left.force[0]`. Throws std::invalid_argument.
double expression_value(const std::string& text,
                        const std::function<std::optional<double>(const std::string&)>& value_of);

}  // namespace dem
