// One value of a case file: how it is read, written and described, for each type a key can have.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "geometry/polygon.hpp"
#include "libdem/case/words.hpp"

namespace dem::case_file {

/// A value as the file gives it, free of the TOML library.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<Value>> data;  ///< monostate: other
  std::string found;  ///< as written, for messages
  int dimension = 2;  ///< of the case: how many numbers a vector has
};

struct Range {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
  bool zero = false;  ///< 0 belongs to it as well
  bool contains(double x) const {
    return (zero && x == 0) ||
           (std::isfinite(x) && (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high));
  }
};
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range any_number{};

/// What a value may be beyond its type: numbers (also each of a pair) in a range; texts and choices among words.
struct Limits {
  Range range;
  std::vector<std::string_view> words;  ///< empty: any text, all choices
  bool has(std::string_view word) const {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  }
  Limits() = default;
  Limits(Range r) : range(r) {}
  Limits(std::vector<std::string_view> w) : words(std::move(w)) {}
};

// decode: false when the value is of another type or outside the limits; then the target keeps its value.
bool decode(const Value&, const Limits&, bool&);
bool decode(const Value&, const Limits&, int&);
bool decode(const Value&, const Limits&, std::uint64_t&);
bool decode(const Value&, const Limits&, double&);
bool decode(const Value&, const Limits&, Vec2&);
bool decode(const Value&, const Limits&, Vec3&);  ///< in the plane two numbers, or three; in space three
bool decode(const Value&, const Limits&, std::string&);
bool decode(const Value&, const Limits&, std::filesystem::path&);
bool decode(const Value&, const Limits&, std::vector<std::string>&);  ///< a set of words
bool decode(const Value&, const Limits&, geometry::Outline&);
bool decode(const Value&, const Limits&, std::vector<double>&);
bool decode(const Value&, const Limits&, Quaternion&);  ///< of unit length to 1e-6; then made so
bool decode(const Value&, const Limits&, std::vector<ClusterSphere>&);
bool decode(const Value&, const Limits&, std::vector<WallVelocity>&);

// encode: TOML text that decodes to the same value.
std::string encode(bool);
std::string encode(int);
std::string encode(std::uint64_t);
std::string encode(double);
std::string encode(Vec2);
std::string encode(Vec3);  ///< three numbers
std::string encode(const std::string&);
std::string encode(const std::filesystem::path&);
std::string encode(const std::vector<std::string>&);
std::string encode(const geometry::Outline&);
std::string encode(const std::vector<double>&);
std::string encode(const Quaternion&);
std::string encode(const std::vector<ClusterSphere>&);  ///< empty: not given
std::string encode(const std::vector<WallVelocity>&);   ///< the same
/// As a case of this dimension has it: in the plane a vector with z = 0 is two numbers.
std::string encode(Vec3, int dimension);
std::string encode(const std::vector<WallVelocity>&, int dimension);

// describe: {type, what is allowed} for messages and help. The value only selects the type.
struct Description {
  std::string type, allowed;
  std::vector<std::pair<std::string, std::string>> meanings{};  ///< of a choice: value and what it means
  std::string allowed_in_plane{}, allowed_in_space{};           ///< where the dimension of the case matters; else empty
};
Description describe(bool, const Limits&);
Description describe(int, const Limits&);
Description describe(std::uint64_t, const Limits&);
Description describe(double, const Limits&);
Description describe(Vec2, const Limits&);
Description describe(Vec3, const Limits&);
Description describe(const std::string&, const Limits&);
Description describe(const std::filesystem::path&, const Limits&);
Description describe(const std::vector<std::string>&, const Limits&);
Description describe(const geometry::Outline&, const Limits&);
Description describe(const std::vector<double>&, const Limits&);
Description describe(const Quaternion&, const Limits&);
Description describe(const std::vector<ClusterSphere>&, const Limits&);
Description describe(const std::vector<WallVelocity>&, const Limits&);
/// "a number > 0, from 1e-12 to 1e+09"; noun: "number".
std::string range_text(std::string_view noun, const Range&);
std::string quoted_list(const std::vector<std::string_view>&);

// Choices by name: any enumeration that has words (case_words.hpp).
template <class E>
requires std::is_enum_v<E>
bool decode(const Value& value, const Limits& limits, E& out) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text || !limits.has(*text)) return false;
  for (const auto& word : words_of(E{}))
    if (word.name == *text) return out = word.value, true;
  return false;
}
template <class E>
requires std::is_enum_v<E> std::string encode(E choice) { return encode(std::string(word_of(choice))); }
template <class E>
requires std::is_enum_v<E> Description describe(E, const Limits& limits) {
  std::vector<std::string_view> words;
  std::vector<std::pair<std::string, std::string>> meanings;
  for (const auto& entry : words_of(E{}))
    if (limits.has(entry.name)) words.push_back(entry.name), meanings.emplace_back(entry.name, entry.meaning);
  return {"choice", "one of " + quoted_list(words), std::move(meanings)};
}

// A key that may be left out.
template <class V>
bool decode(const Value& value, const Limits& limits, std::optional<V>& out) {
  V read{};
  if (!decode(value, limits, read)) return false;
  out = std::move(read);
  return true;
}
template <class V>
std::string encode(const std::optional<V>& value) {
  return value ? encode(*value) : std::string{};
}
template <class V>
Description describe(const std::optional<V>&, const Limits& limits) {
  return describe(V{}, limits);
}

// Of what is not a vector the dimension changes nothing.
template <class V>
std::string encode(const V& value, int) {
  return encode(value);
}
template <class V>
std::string encode(const std::optional<V>& value, int dimension) {
  return value ? encode(*value, dimension) : std::string{};
}

}  // namespace dem::case_file
