#include "libdem/sweep/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <cmath>
#include <map>
#include <stdexcept>

namespace dem {
namespace {

mu::Parser parser_of(const std::string& text) {
  mu::Parser parser;
  parser.DefineNameChars("0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.[]");
  parser.DefineConst("pi", 3.14159265358979323846);
  parser.SetExpr(text);
  return parser;
}

[[noreturn]] void refuse(const std::string& text, const mu::Parser::exception_type& error) {
  std::string why = error.GetMsg();
  while (!why.empty() && (why.back() == '.' || why.back() == '\n')) why.pop_back();
  throw std::invalid_argument(
      fmt::format("\"{}\" ({}), allowed arithmetic as in \"2 * t_c\" or \"sqrt(friction) - 1\"", text, why));
}

}  // namespace

std::vector<std::string> expression_names(const std::string& text) {
  try {
    mu::Parser parser = parser_of(text);
    std::vector<std::string> names;
    for (const auto& [name, place] : parser.GetUsedVar()) names.push_back(name);
    return names;
  } catch (const mu::Parser::exception_type& error) {
    refuse(text, error);
  }
}

double expression_value(const std::string& text,
                        const std::function<std::optional<double>(const std::string&)>& value_of) {
  std::map<std::string, double> values;
  for (const auto& name : expression_names(text)) {
    const auto value = value_of(name);
    if (!value) throw std::invalid_argument(fmt::format("\"{}\", where {} is unknown or no number", text, name));
    values[name] = *value;
  }
  double result = NAN;
  try {
    mu::Parser parser = parser_of(text);
    for (auto& [name, value] : values) parser.DefineVar(name, &value);
    result = parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    refuse(text, error);
  }
  if (!std::isfinite(result))
    throw std::invalid_argument(fmt::format("\"{}\", which is {}, allowed a finite number", text, result));
  return result;
}

}  // namespace dem
