// The saved fields of an object. Its function fields() names each field once. This list saves the fields, loads them
// and adds them to the hash. Its names and types are the layout that a checkpoint must have.
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
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
  virtual ~FieldVisitor() = default;
  /// True: the visitor sets the fields. False: it reads them.
  virtual bool loads() const { return false; }
  /// False: values are not used, so an object need not gather its lists.
  virtual bool reads() const { return true; }

  /// A number, a truth value, a counter, a struct of doubles, or a vector of such structs whose length follows from the
  /// case. Counters (std::uint64_t) are kept as integers, all others as doubles.
  template <class T>
  void operator()(const std::string& name, T& value, Hashed hashed = Hashed::yes) {
    if constexpr (std::same_as<T, std::uint64_t>) {
      words(name, {&value, 1}, hashed);
    } else if constexpr (std::integral<T>) {
      number(name, value, hashed);
    } else if constexpr (requires { value.by_number(); }) {  // ByBody
      auto in_order = value.by_number();
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

  /// Numbers whose count follows from the case. Loading another count throws std::runtime_error.
  virtual void numbers(const std::string& name, std::span<double>, Hashed) = 0;
  virtual void words(const std::string& name, std::span<std::uint64_t>, Hashed) = 0;
  /// Lists of any length.
  virtual void list(const std::string& name, std::vector<double>&, Hashed = Hashed::yes) = 0;
  virtual void list(const std::string& name, std::vector<std::uint64_t>&, Hashed = Hashed::yes) = 0;
  virtual void text(const std::string& name, std::string&) = 0;  ///< never hashed

 private:
  template <class T>
  static constexpr void check_is_numbers() {
    static_assert(std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && sizeof(T) % sizeof(double) == 0 &&
                      alignof(T) == alignof(double) && !std::is_pointer_v<T>,
                  "a field is a number or made of doubles only");
  }
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
