#include "libdem/case/key_values.hpp"

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

template <class V>
bool decode_as(const Value& value, const Limits& limits, Key::Value& out) {
  V read{};
  if (!decode(value, limits, read)) return false;
  out = std::move(read);
  return true;
}

}  // namespace

std::string encode_key(const Key::Value& value, int dimension) {
  if (const auto* v = std::get_if<std::array<double, 3>>(&value))
    return encode(Vec3{(*v)[0], (*v)[1], (*v)[2]}, dimension);
  return std::visit(
      [](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::array<double, 3>>)
          return {};
        else
          return encode(v);
      },
      value);
}

bool decode_key(const KeyForm& form, const Value& value, Key::Value& out) {
  const Limits limits = limits_of(form);
  switch (form.kind) {
    case KeyForm::Kind::truth:
      return decode_as<bool>(value, limits, out);
    case KeyForm::Kind::number:
      return decode_as<double>(value, limits, out);
    case KeyForm::Kind::whole:
      return decode_as<int>(value, limits, out);
    case KeyForm::Kind::word:
      return decode_as<std::string>(value, limits, out);
    case KeyForm::Kind::words:
      return decode_as<std::vector<std::string>>(value, limits, out);
    case KeyForm::Kind::text:
      return decode_as<std::string>(value, limits, out);
    case KeyForm::Kind::vector: {
      Vec3 v;
      if (!decode(value, limits, v)) return false;
      out = std::array{v.x, v.y, v.z};
      return true;
    }
  }
  return false;
}

Description describe_key(const KeyForm& form) {
  const Limits limits = limits_of(form);
  Description words;
  switch (form.kind) {
    case KeyForm::Kind::truth:
      return describe(bool{}, limits);
    case KeyForm::Kind::number:
      return describe(double{}, limits);
    case KeyForm::Kind::whole:
      return describe(int{}, limits);
    case KeyForm::Kind::text:
      return describe(std::string{}, limits);
    case KeyForm::Kind::vector:
      return describe(Vec3{}, limits);
    case KeyForm::Kind::word:
      words = describe(std::string{}, limits);
      break;
    case KeyForm::Kind::words:
      words = describe(std::vector<std::string>{}, limits);
      break;
  }
  words.meanings = form.words;
  return words;
}

}  // namespace dem::case_file
