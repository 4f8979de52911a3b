#include "libdem/sweep/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <cmath>
#include <map>
#include <stdexcept>

namespace dem {

/// The result of f for a parser with the expression.
template <class F>
static auto with_parser(const std::string& text, F f) {
  try {
    mu::Parser parser;
    parser.DefineNameChars("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.[]");
    parser.DefineConst("pi", 3.14159265358979323846);
    parser.SetExpr(text);
    return f(parser);
  } catch (const mu::Parser::exception_type& error) {
    throw std::invalid_argument(
        fmt::format("\"{}\" ({}), allowed arithmetic as in \"2 * t_c\" or \"sqrt(friction) - 1\"", text,
                    boost::trim_right_copy_if(std::string(error.GetMsg()), boost::is_any_of(".\n"))));
  }
}

std::vector<std::string> expression_names(const std::string& text) {
  return with_parser(text, [](mu::Parser& parser) {
    std::vector<std::string> names;
    for (const auto& [name, place] : parser.GetUsedVar()) names.push_back(name);
    return names;
  });
}

double expression_value(const std::string& text,
                        const std::function<std::optional<double>(const std::string&)>& value_of) {
  std::map<std::string, double> values;
  for (const auto& name : expression_names(text)) {
    const auto value = value_of(name);
    if (!value) throw std::invalid_argument(fmt::format("\"{}\", where {} is unknown or no number", text, name));
    values[name] = *value;
  }
  const double result = with_parser(text, [&](mu::Parser& parser) {
    for (auto& [name, value] : values) parser.DefineVar(name, &value);
    return parser.Eval();
  });
  if (!std::isfinite(result))
    throw std::invalid_argument(fmt::format("\"{}\", which is {}, allowed a finite number", text, result));
  return result;
}

}  // namespace dem
