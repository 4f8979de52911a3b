// A key is one option of a law or a driver: name, unit, range, text and place. The case file, `dem contact`, dem help
// and sweeps learn it from here.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "libdem/laws/tangential_history.hpp"

namespace dem::laws {

struct NumberRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;  ///< the bound itself is not allowed
  bool zero = false;                         ///< 0 is allowed as well
  bool contains(double x) const {
    return (zero && x == 0) ||
           (std::isfinite(x) && (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high));
  }
  /// Least and largest allowed number.
  std::pair<double, double> bounds() const { return {zero ? std::min(0.0, low) : low, high}; }
  friend bool operator==(const NumberRange&, const NumberRange&) = default;
};
/// 0 has a meaning of its own: none, or "work it out". Numbers between 0 and the smallest value are refused.
constexpr NumberRange or_zero(NumberRange range) {
  range.zero = true;
  return range;
}

/// Form of a key: its type, range and text.
struct KeyForm {
  /// whole: a whole number. words: a list, each once. text: any. vector: three numbers.
  enum class Kind { truth, number, whole, word, words, text, vector };
  std::string name, unit, text;  ///< text: one sentence or two, for dem help
  Kind kind = Kind::number;
  NumberRange range = {};                                    ///< of a number
  bool required = false;                                     ///< the table of a driver needs it
  std::vector<std::pair<std::string, std::string>> words{};  ///< of a word, or of a list of words: name and meaning
  friend bool operator==(const KeyForm&, const KeyForm&) = default;
};

struct Key : KeyForm {
  using Value = std::variant<bool, double, int, std::string, std::vector<std::string>, std::array<double, 3>>;
  std::function<Value(const void* options)> get;
  std::function<void(void* options, const Value&)> set;
  /// Resolved cases in space name it at its default with any other law, as those of format 1 always did.
  bool everywhere = false;
  bool shapes_state = false;  ///< stored histories depend on it: a resumed run cannot change it
  // Of drivers.
  std::vector<std::string> only_for = {};  ///< words of the selector (DriverEntry) with which the key exists
  std::string default_text = {};           ///< of a default that depends on other keys
  bool unusual = false;  ///< a resolved case in the plane has the key only if its value is not the default

  Key require() && {
    required = true;
    return std::move(*this);
  }
  Key named_everywhere() && {
    everywhere = true;
    return std::move(*this);
  }
  Key only(std::vector<std::string> words_of_selector) && {
    only_for = std::move(words_of_selector);
    return std::move(*this);
  }
  Key by_default(std::string words_for_it) && {
    default_text = std::move(words_for_it);
    return std::move(*this);
  }
  Key if_unusual() && {
    unusual = true;
    return std::move(*this);
  }
  Key of_the_state() && {
    shapes_state = true;
    return std::move(*this);
  }
};

/// Letters, digits and _: a name that a case file can have without quotes.
bool is_plain(std::string_view name);
/// Throws std::invalid_argument for a key without a plain name, or one that is there twice. `owner`: "law 'worn'".
void check_names(const std::string& owner, const std::vector<Key>&);

/// A word that is in the list when the member is true.
template <class Options>
struct Switch {
  bool Options::*member;
  const char *name, *meaning;
};

/// The key of a member that holds a value of a key.
template <class Options, class T>
Key key_of(T Options::*member, KeyForm form) {
  return {std::move(form), [member](const void* o) -> Key::Value { return static_cast<const Options*>(o)->*member; },
          [member](void* o, const Key::Value& v) { static_cast<Options*>(o)->*member = std::get<T>(v); }};
}

/// A number.
template <class Options>
Key key(std::string name, double Options::*member, std::string unit, NumberRange range, std::string text) {
  return key_of(member, {std::move(name), std::move(unit), std::move(text), KeyForm::Kind::number, range});
}
/// A whole number.
template <class Options>
Key key(std::string name, int Options::*member, NumberRange range, std::string text) {
  return key_of(member, {std::move(name), {}, std::move(text), KeyForm::Kind::whole, range});
}
/// Any text, such as a name. For drivers only: the options of a law are copied as bytes.
template <class Options>
Key key(std::string name, std::string Options::*member, std::string text) {
  return key_of(member, {std::move(name), {}, std::move(text), KeyForm::Kind::text});
}
/// Three numbers, each within the range; in the plane two.
template <class Options>
Key key(std::string name, std::array<double, 3> Options::*member, std::string unit, NumberRange range,
        std::string text) {
  return key_of(member, {std::move(name), std::move(unit), std::move(text), KeyForm::Kind::vector, range});
}
/// True or false.
template <class Options>
Key key(std::string name, bool Options::*member, std::string text) {
  return key_of(member, {std::move(name), {}, std::move(text), KeyForm::Kind::truth});
}
/// One of some words.
template <class Options, class E>
Key key(std::string name, E Options::*member, std::vector<Word<E>> words, std::string text) {
  KeyForm form{std::move(name), {}, std::move(text), KeyForm::Kind::word};
  for (const Word<E>& word : words) form.words.emplace_back(word.name, word.meaning);
  return {
      std::move(form),
      [member, words](const void* o) -> Key::Value {
        return std::string(std::ranges::find(words, static_cast<const Options*>(o)->*member, &Word<E>::value)->name);
      },
      [member, words](void* o, const Key::Value& v) {
        for (const Word<E>& word : words)
          if (word.name == std::get<std::string>(v)) static_cast<Options*>(o)->*member = word.value;
      }};
}
/// A list of those switches that are on.
template <class Options>
Key key(std::string name, std::vector<Switch<Options>> switches, std::string text) {
  KeyForm form{std::move(name), {}, std::move(text), KeyForm::Kind::words};
  for (const Switch<Options>& word : switches) form.words.emplace_back(word.name, word.meaning);
  return {std::move(form),
          [switches](const void* o) -> Key::Value {
            std::vector<std::string> on;
            for (const Switch<Options>& word : switches)
              if (static_cast<const Options*>(o)->*word.member) on.emplace_back(word.name);
            return on;
          },
          [switches](void* o, const Key::Value& v) {
            const auto& on = std::get<std::vector<std::string>>(v);
            for (const Switch<Options>& word : switches)
              static_cast<Options*>(o)->*word.member = std::ranges::find(on, word.name) != on.end();
          }};
}

}  // namespace dem::laws
