// The saved fields of an object. Its function fields() names each field once. This list saves the fields, loads them
// and adds them to the hash. Its names and types are the layout that a checkpoint must have.
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "libdem/platform/file_error.hpp"
#include "libdem/state/archive.hpp"

namespace dem {

class StateHash;

/// The checkpoint comes from a version that saved other fields. The message names that version.
struct LayoutError : FileError {
  using FileError::FileError;
};

enum class Hashed : bool { no, yes };

class FieldVisitor {
 public:
  /// Numbers or counters whose count follows from the case, lists of any length, or a text. Loading another count
  /// throws std::runtime_error. A text is never hashed.
  using Values = std::variant<std::span<double>, std::span<std::uint64_t>, std::vector<double>*,
                              std::vector<std::uint64_t>*, std::string*>;
  using Visit = std::function<void(const std::string& name, const Values&, Hashed)>;
  /// Whether the visitor sets the fields, reads their values, or looks only at names and types.
  enum class Use { sets, reads, names };

  FieldVisitor(Use use, Visit visit) : use_(use), visit_(std::move(visit)) {}
  /// True: the visitor sets the fields. False: it reads them.
  bool loads() const { return use_ == Use::sets; }
  /// False: values are not used, so an object need not gather its lists.
  bool reads() const { return use_ == Use::reads; }

  /// A number, a truth value, a counter, a struct of doubles, or a vector of such structs whose length follows from the
  /// case. Counters (std::uint64_t) are kept as integers, all others as doubles.
  template <class T>
  void operator()(const std::string& name, T& value, Hashed hashed = Hashed::yes) {
    if constexpr (std::same_as<T, std::uint64_t>) {
      words(name, {&value, 1}, hashed);
    } else if constexpr (std::integral<T>) {
      number(name, value, hashed);
    } else if constexpr (requires { value.by_number(); }) {  // ByBody
      auto in_order = use_ == Use::names ? decltype(value.by_number()){} : value.by_number();
      (*this)(name, in_order, hashed);
      if (loads()) value.set_by_number(std::move(in_order));
    } else if constexpr (requires {
                           value.data();
                           value.resize(1);
                         }) {
      using Element = typename T::value_type;
      check_is_numbers<Element>();
      numbers(name, {reinterpret_cast<double*>(value.data()), value.size() * (sizeof(Element) / sizeof(double))},
              hashed);
    } else {
      check_is_numbers<T>();
      numbers(name, {reinterpret_cast<double*>(&value), sizeof(T) / sizeof(double)}, hashed);
    }
  }
  /// A counter or truth value that is kept, and hashed, as a double.
  template <std::integral T>
  void number(const std::string& name, T& value, Hashed hashed = Hashed::yes) {
    double as_double = double(value);
    numbers(name, {&as_double, 1}, hashed);
    if (loads()) value = T(as_double);
  }
  /// A truth value that is kept, and hashed, as an integer.
  void flag(const std::string& name, bool& value, Hashed hashed = Hashed::yes) {
    std::uint64_t word = value;
    words(name, {&word, 1}, hashed);
    if (loads()) value = word != 0;
  }

  void numbers(const std::string& name, std::span<double> values, Hashed hashed) { visit_(name, values, hashed); }
  void words(const std::string& name, std::span<std::uint64_t> values, Hashed hashed) { visit_(name, values, hashed); }
  template <class T>
  void list(const std::string& name, std::vector<T>& values, Hashed hashed = Hashed::yes) {
    visit_(name, &values, hashed);
  }
  void text(const std::string& name, std::string& value) { visit_(name, &value, Hashed::no); }

 private:
  template <class T>
  static constexpr void check_is_numbers() {
    static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && sizeof(T) % sizeof(double) == 0 &&
                      alignof(T) == alignof(double) && !std::is_pointer_v<T>,
                  "a field is a number or made of doubles only");
  }

  Use use_;
  Visit visit_;
};

/// The list of an object's fields. It changes the object only where the visitor loads.
using Fields = std::function<void(FieldVisitor&)>;

/// Saves the fields as PART/NAME and the hash of their names and types as PART/layout.
void save_fields(ArchiveWriter&, const std::string& part, const Fields&);
/// Throws LayoutError where the saved names and types differ, and std::runtime_error where a count does not fit the
/// case.
void load_fields(const ArchiveReader&, const std::string& part, const Fields&);
/// The error for a part that was saved with other fields, or not at all.
LayoutError other_layout(const ArchiveReader&, const std::string& part);
void hash_fields(StateHash&, const Fields&);
/// Bytes of the fields in a checkpoint, without their names.
std::size_t bytes_of_fields(const Fields&);

}  // namespace dem
