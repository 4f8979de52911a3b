// Tables of TOML files as rows, one row per key. Parser, help and the written file use the rows.
#pragma once
#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "libdem/case/case_file.hpp"
#include "libdem/case/value.hpp"

namespace dem::case_file {

/// A row: key, type, unit, default, allowed values, description, and its place in T.
template <class T>
struct Field {
  CaseKey key;  ///< path: the key without its table
  bool required = false;
  int dimension = 0;                               ///< of the cases in which the key exists, 0 for both
  bool sparse = false;                             ///< a resolved case in the plane omits it at its default
  std::function<bool(const T&)> is_needed;         ///< a sparse row that is named at its default as well
  std::string allowed_in_plane, allowed_in_space;  ///< if it depends on the dimension, else empty
  std::string fresh;                               ///< the default as TOML text, in the plane
  /// For other values of the selector. True for a value that is accepted there, which is the default. Null: none is.
  std::function<bool(const Value&)> is_idle;
  std::string allowed_elsewhere;   ///< allowed values there, with is_idle
  bool named_elsewhere = false;    ///< a resolved case has it there as well, at `fresh`
  std::vector<std::string> words;  ///< of a choice: a value near one of them is a slip
  std::function<bool(const Value&, T&)> read;
  std::function<std::string(const T&, int dimension)> write;  ///< TOML text, empty if not given

  /// Allowed values in a case of this dimension, in words.
  const std::string& allowed(int of_case) const {
    const std::string& own = of_case == 3 ? allowed_in_space : allowed_in_plane;
    return own.empty() ? key.allowed : own;
  }

  Field require() && {
    required = true;
    return std::move(*this).by_default("required");
  }
  /// Words for a default that depends on other keys.
  Field by_default(std::string text) && { return key.default_text = std::move(text), std::move(*this); }
  Field in_space() && {
    dimension = 3;
    key.allowed = allowed(3);
    if (const auto plane_too = key.type.find("; 3D "); plane_too != std::string::npos) key.type.erase(0, plane_too + 5);
    return std::move(*this);
  }
  Field in_plane() && { return dimension = 2, std::move(*this); }
  Field if_unusual() && { return sparse = true, std::move(*this); }
  Field unless(std::function<bool(const T&)> needed) && { return is_needed = std::move(needed), std::move(*this); }
  Field unit_of_space(std::string unit) && { return key.unit_in_space = std::move(unit), std::move(*this); }
  /// Words for the allowed values if the type alone is not clear.
  Field allow(std::string type, std::string text) && {
    key.type = std::move(type);
    key.allowed = std::move(text);
    allowed_in_plane.clear();
    allowed_in_space.clear();
    return std::move(*this);
  }
  Field only(std::vector<std::string> selected) && { return key.only_for = std::move(selected), std::move(*this); }
};

/// A row without read and write.
template <class T>
Field<T> described_row(std::string name, std::string unit, const Description& words, std::string by_default,
                       std::string description) {
  Field<T> row;
  row.key = {
      std::move(name), "", words.type, std::move(unit), std::move(by_default), words.allowed, std::move(description),
      words.meanings};
  row.allowed_in_plane = words.allowed_in_plane;
  row.allowed_in_space = words.allowed_in_space;
  for (const auto& [word, meaning] : words.meanings) row.words.push_back(word);
  return row;
}
/// The same for a key of a law or a driver (laws/key.hpp). `fresh` is its default as TOML text.
template <class T>
Field<T> key_row(const laws::Key& key, const std::string& fresh) {
  Field<T> row = described_row<T>(key.name, key.unit, describe_key(key),
                                  key.default_text.empty() ? fresh : key.default_text, key.text);
  row.fresh = fresh;
  using Kind = laws::KeyForm::Kind;
  if (key.kind == Kind::number || key.kind == Kind::whole || key.kind == Kind::vector)
    row.key.bounds = key.range.bounds();
  return row;
}

/// True for values made of numbers that Limits bound. (A Quaternion has unit length instead.)
template <class V>
inline constexpr bool has_numbers =
    (std::is_arithmetic_v<V> && !std::is_same_v<V, bool>) || std::is_same_v<V, Vec2> || std::is_same_v<V, Vec3> ||
    std::is_same_v<V, geometry::Outline> || std::is_same_v<V, std::vector<double>> ||
    std::is_same_v<V, std::vector<ClusterSphere>> || std::is_same_v<V, std::vector<WallVelocity>>;
template <class V>
inline constexpr bool has_numbers<std::optional<V>> = has_numbers<V>;

/// `access` reaches the value in a T by std::invoke: a pointer to member or a generic lambda.
template <class T, class Access>
Field<T> field(std::string name, Access access, std::string unit, Limits limits, std::string description) {
  using V = std::remove_cvref_t<std::invoke_result_t<Access, T&>>;
  const T start{};
  const std::string fresh = encode(std::invoke(access, start), 2);
  const bool is_zero_vector = std::is_same_v<V, Vec3> && fresh == encode(Vec2{});
  Field<T> row = described_row<T>(std::move(name), std::move(unit), describe(V{}, limits),
                                  is_zero_vector ? "0 in every direction" : fresh, std::move(description));
  row.fresh = fresh;
  if (std::is_same_v<V, std::string>) row.words.assign(limits.words.begin(), limits.words.end());
  if (has_numbers<V>) row.key.bounds = limits.range.bounds();
  row.read = [access, limits](const Value& value, T& out) { return decode(value, limits, std::invoke(access, out)); };
  row.write = [access](const T& in, int dimension) { return encode(std::invoke(access, in), dimension); };
  return row;
}

/// A row of a table that dem help does not show.
template <class T, class Access>
Field<T> field(std::string name, Access access, Limits limits = {}) {
  return field<T>(std::move(name), access, "", std::move(limits), "");
}

/// Makes rows of the members of a part of T, which `part` reaches by std::invoke.
template <class T, class Access>
auto rows_in(Access part) {
  return [part](std::string name, auto member, std::string unit, Limits limits, std::string description) {
    const auto access = [ part, member ](auto& table) -> auto& { return std::invoke(part, table).*member; };
    return field<T>(std::move(name), access, std::move(unit), std::move(limits), std::move(description));
  };
}

/// The same for a row that reads values in its own way.
template <class T>
Field<T> own_field(std::string name, std::string allowed, std::function<bool(const Value&, T&)> read) {
  CaseKey key;
  key.path = std::move(name);
  key.allowed = std::move(allowed);
  Field<T> row;
  row.key = std::move(key);
  row.read = std::move(read);
  return row;
}

/// A table of the case file: [name], or [[name]] for a list.
template <class T>
struct Section {
  std::string name;  ///< empty for the keys before the first table
  std::string description;
  std::vector<Field<T>> fields;
  std::string selector = {};  ///< key whose value decides which other keys exist; may be empty

  const Field<T>* find(std::string_view key) const {
    const auto at = std::ranges::find_if(fields, [&](const auto& row) { return row.key.path == key; });
    return at == fields.end() ? nullptr : &*at;
  }
  std::string selected(const T& draft) const {
    std::string text = selector.empty() ? "" : find(selector)->write(draft, 2);
    return text.size() < 2 ? text : text.substr(1, text.size() - 2);  // without quotes
  }
  static bool exists(const Field<T>& row, int dimension) { return row.dimension == 0 || row.dimension == dimension; }
  static bool selects(const Field<T>& row, const std::string& selected_word) {
    const auto& words = row.key.only_for;
    return words.empty() || std::ranges::find(words, selected_word) != words.end();
  }
  /// Text of the row in a resolved case. None if the key does not exist.
  static std::optional<std::string> text(const Field<T>& row, const T& draft, const std::string& selected_word,
                                         int dimension) {
    if (!exists(row, dimension)) return std::nullopt;
    if (selects(row, selected_word)) return row.write(draft, dimension);
    return row.named_elsewhere ? std::optional(row.fresh) : std::nullopt;
  }
};

/// True for the tables [[name]].
template <class Part>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
inline std::string heading(const std::string& name, bool list) {
  return (list ? "[[" : "[") + name + (list ? "]]" : "]");
}

/// Calls f(table, name) for the tables of a part of a draft, which is one table, an optional one or a list. Names in
/// messages are "material" or "stage[2]".
template <class T, class Part, class F>
void for_each_table(const Section<T>& section, const Part& part, F f) {
  if constexpr (std::is_same_v<Part, T>) {
    f(part, section.name);
  } else if constexpr (is_list<Part>) {
    for_each_entry(part, section.name, f);
  } else if (part) {
    f(*part, section.name);
  }
}

}  // namespace dem::case_file
