#include "libdem/case/key_values.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace dem::case_file {

using laws::Key;
using laws::KeyForm;

namespace {

Limits limits_of(const KeyForm& form) {
  if (form.kind == KeyForm::Kind::text) return {};
  if (form.kind == KeyForm::Kind::number || form.kind == KeyForm::Kind::whole || form.kind == KeyForm::Kind::vector)
    return Range{form.low, form.high, form.low_open, false, form.zero};
  std::vector<std::string_view> words;
  for (const auto& [word, meaning] : form.words) words.push_back(word);
  return words;
}

/// Calls f with an empty value of the key's type.
template <class F>
auto with_type(KeyForm::Kind kind, F f) {
  switch (kind) {
    case KeyForm::Kind::truth:
      return f(false);
    case KeyForm::Kind::number:
      return f(0.0);
    case KeyForm::Kind::whole:
      return f(0);
    case KeyForm::Kind::words:
      return f(std::vector<std::string>{});
    case KeyForm::Kind::vector:
      return f(Vec3{});
    default:
      return f(std::string{});
  }
}

/// A text may have lines, as the source of functions has.
bool decode_lines(const Value& value, Key::Value& out) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return false;
  Value joined = value;
  std::string line = *text;
  std::ranges::replace(line, '\n', ' ');
  joined.data = line;
  if (!decode(joined, {}, line)) return false;
  out = *text;
  return true;
}

}  // namespace

std::string encode_key(const Key::Value& value, int dimension) {
  return std::visit(
      [&](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::array<double, 3>>)
          return encode(Vec3{v[0], v[1], v[2]}, dimension);
        else
          return encode(v);
      },
      value);
}

bool decode_key(const KeyForm& form, const Value& value, Key::Value& out) {
  if (const auto* truth = std::get_if<bool>(&value.data); truth && form.kind == KeyForm::Kind::word) {
    Value word = value;  // history = true means "true"
    word.data = std::string(*truth ? "true" : "false");
    return decode_key(form, word, out);
  }
  if (form.kind == KeyForm::Kind::text) return decode_lines(value, out);
  return with_type(form.kind, [&](auto read) {
    if (!decode(value, limits_of(form), read)) return false;
    if constexpr (std::is_same_v<decltype(read), Vec3>)
      out = std::array{read.x, read.y, read.z};
    else
      out = std::move(read);
    return true;
  });
}

Description describe_key(const KeyForm& form) {
  Description words = with_type(form.kind, [&](const auto& value) { return describe(value, limits_of(form)); });
  if (form.kind == KeyForm::Kind::text)
    words.allowed = "text in quotes, which may have lines, without other control characters";
  if (form.kind == KeyForm::Kind::word || form.kind == KeyForm::Kind::words) words.meanings = form.words;
  return words;
}

}  // namespace dem::case_file
