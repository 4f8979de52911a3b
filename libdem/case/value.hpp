// Reads, writes and describes one value of a case file, for each type of key.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "geometry/polygon.hpp"
#include "libdem/case/problems.hpp"
#include "libdem/case/words.hpp"
#include "libdem/laws/key.hpp"

namespace dem::case_file {

/// A value of a file, independent of the TOML library.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<Value>> data;  ///< monostate: other
  std::string found;  ///< as written, for messages
  int dimension = 2;  ///< of the case, for the length of vectors
};

using Range = laws::NumberRange;
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr Range any_number{};

/// Limits of a value beyond its type. Numbers (also each number of a pair) lie in a range. Texts and choices are among
/// words.
struct Limits {
  Range range;
  std::vector<std::string_view> words;  ///< empty for any text and all choices
  bool has(std::string_view word) const {
    return words.empty() || std::find(words.begin(), words.end(), word) != words.end();
  }
  Limits() = default;
  Limits(Range r) : range(r) {}
  Limits(std::vector<std::string_view> w) : words(std::move(w)) {}
};

// decode returns false for a value of another type or outside the limits. Then the target keeps its value.
bool decode(const Value&, const Limits&, bool&);
bool decode(const Value&, const Limits&, int&);
bool decode(const Value&, const Limits&, std::uint64_t&);
bool decode(const Value&, const Limits&, double&);
bool decode(const Value&, const Limits&, Vec2&);
bool decode(const Value&, const Limits&, Vec3&);  ///< two or three numbers in the plane, three in space
bool decode(const Value&, const Limits&, std::string&);
bool decode(const Value&, const Limits&, std::filesystem::path&);
bool decode(const Value&, const Limits&, Quaternion&);  ///< of unit length to 1e-6, then normalised
bool decode(const Value&, const Limits&, ClusterSphere&);
bool decode(const Value&, const Limits&, WallVelocity&);

// encode: TOML text that decodes to the same value.
std::string encode(bool);
std::string encode(int);
std::string encode(std::uint64_t);
std::string encode(double);
std::string encode(Vec2);
std::string encode(Vec3, int dimension = 3);  ///< three numbers; in the plane two where z = 0
std::string encode(const std::string&);
std::string encode(const std::filesystem::path&);
std::string encode(const Quaternion&);
std::string encode(const ClusterSphere&);
std::string encode(const WallVelocity&, int dimension = 3);

/// Text like "a number > 0, from 1e-12 to 1e+09" for the noun "number".
std::string range_text(std::string_view noun, const Range&);

// describe returns type and allowed values for messages and help. The value only selects the type.
struct Description {
  std::string type, allowed;
  std::vector<std::pair<std::string, std::string>> meanings{};  ///< of a choice: value and meaning
  std::string allowed_in_plane{}, allowed_in_space{};           ///< if the dimension matters, else empty
};
Description describe(bool, const Limits&);
Description describe(std::integral auto, const Limits& limits) {
  return {"whole number", range_text("whole number", limits.range)};
}
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
// Choices by name: any enumeration that has words (words.hpp).
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
  return {"choice", "one of " + listed(words), std::move(meanings)};
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
Description describe(const std::optional<V>&, const Limits& limits) {
  return describe(V{}, limits);
}

// The dimension only matters for vectors.
template <class V>
std::string encode(const V& value, int) {
  return encode(value);
}

// Lists of values. Words are listed once each.
template <class T>
inline constexpr std::size_t fewest_entries = std::is_same_v<T, Vec2>                                               ? 3
                                              : std::is_same_v<T, ClusterSphere> || std::is_same_v<T, WallVelocity> ? 1
                                                                                                                    : 0;
template <class T>
bool decode(const Value& value, const Limits& limits, std::vector<T>& out) {
  const auto* list = std::get_if<std::vector<Value>>(&value.data);
  if (!list || list->size() < fewest_entries<T>) return false;
  std::vector<T> read(list->size());
  for (std::size_t k = 0; k < read.size(); ++k)
    if (!decode((*list)[k], limits, read[k])) return false;
  if constexpr (std::is_same_v<T, std::string>)
    if (std::set(read.begin(), read.end()).size() < read.size()) return false;
  out = std::move(read);
  return true;
}
/// Empty for a list without entries that has to have some: it is not given.
template <class T>
std::string encode(const std::vector<T>& entries, int dimension = 3) {
  if (entries.empty() && fewest_entries < T >> 0) return {};
  std::string list;
  for (const T& entry : entries) list += (list.empty() ? "" : ", ") + encode(entry, dimension);
  return "[" + list + "]";
}

template <class V>
std::string encode(const std::optional<V>& value, int dimension = 3) {
  return value ? encode(*value, dimension) : std::string{};
}

// Keys that laws and drivers own (laws/key.hpp).
/// TOML text. A vector has two numbers in the plane.
std::string encode_key(const laws::Key::Value&, int dimension = 3);
/// False for a value that the key does not allow.
bool decode_key(const laws::KeyForm&, const Value&, laws::Key::Value& out);
/// Type, allowed values and meanings in words.
Description describe_key(const laws::KeyForm&);

}  // namespace dem::case_file
