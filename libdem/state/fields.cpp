#include "libdem/state/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "libdem/state/state_hash.hpp"
#include "libdem/state/view.hpp"

namespace dem {
namespace {

using Use = FieldVisitor::Use;
using Values = FieldVisitor::Values;

/// Calls of_numbers(span) for numbers and counters, of_text(text) for a text.
template <class OfNumbers, class OfText>
void look_at(const Values& values, const OfNumbers& of_numbers, const OfText& of_text) {
  const auto look = [&](auto v) {
    if constexpr (std::same_as<decltype(v), std::string*>)
      of_text(*v);
    else if constexpr (std::is_pointer_v<decltype(v)>)
      of_numbers(std::span(std::as_const(*v)));
    else
      of_numbers(std::span<const typename decltype(v)::element_type>(v));
  };
  std::visit(look, values);
}

/// Hash of names and types. The type does not contain a count that follows from the case; a loader checks such counts.
std::uint64_t layout_of(const Fields& fields) {
  StateHash hash;
  FieldVisitor layout(Use::names, [&](const std::string& name, const Values& values, Hashed) {
    for (const char c : name) hash.add(std::uint64_t(static_cast<unsigned char>(c)));
    hash.add(std::uint64_t(257 + values.index()));
  });
  fields(layout);
  return hash.value();
}

/// Sets the values of a field from its entry in the archive.
class Loader {
 public:
  Loader(const ArchiveReader& archive, const std::string& entry) : archive_(archive), entry_(entry) {}
  void operator()(std::span<double> values) const { take(archive_.doubles(entry_), values); }
  void operator()(std::span<std::uint64_t> values) const { take(archive_.integers(entry_), values); }
  void operator()(std::vector<double>* values) const { *values = archive_.doubles(entry_); }
  void operator()(std::vector<std::uint64_t>* values) const { *values = archive_.integers(entry_); }
  void operator()(std::string* value) const { *value = archive_.text(entry_); }

 private:
  template <class T>
  void take(const std::vector<T>& saved, std::span<T> values) const {
    if (saved.size() != values.size())
      throw std::runtime_error(fmt::format("the checkpoint does not fit the case: {} has {} numbers, expected {}",
                                           entry_, saved.size(), values.size()));
    std::ranges::copy(saved, values.begin());
  }
  const ArchiveReader& archive_;
  const std::string& entry_;
};

}  // namespace

void save_fields(ArchiveWriter& archive, const std::string& part, const Fields& fields) {
  const std::uint64_t layout = layout_of(fields);
  archive.put(part + "/layout", std::span<const std::uint64_t>(&layout, 1));
  FieldVisitor saver(Use::reads, [&](const std::string& name, const Values& values, Hashed) {
    const std::string entry = part + "/" + name;
    look_at(
        values, [&](auto numbers) { archive.put(entry, numbers); },
        [&](const std::string& text) { archive.put_text(entry, text); });
  });
  fields(saver);
}

LayoutError other_layout(const ArchiveReader& archive, const std::string& part) {
  return LayoutError(fmt::format(
      "{} holds other fields of \"{}\" than this build of version {} reads; go on with the build that wrote it",
      archive.origin(), part, this_build().program_version));
}

void load_fields(const ArchiveReader& archive, const std::string& part, const Fields& fields) {
  const std::string name = part + "/layout";
  const std::vector<std::uint64_t> saved = archive.has(name) ? archive.integers(name) : std::vector<std::uint64_t>{};
  if (saved.size() != 1 || saved.front() != layout_of(fields)) throw other_layout(archive, part);
  FieldVisitor loader(Use::sets, [&](const std::string& field, const Values& values, Hashed) {
    std::visit(Loader(archive, part + "/" + field), values);
  });
  fields(loader);
}

void hash_fields(StateHash& hash, const Fields& fields) {
  FieldVisitor hasher(Use::reads, [&](const std::string&, const Values& values, Hashed hashed) {
    if (hashed == Hashed::yes)
      look_at(
          values, [&](auto numbers) { hash.add(numbers); }, [](const std::string&) {});
  });
  fields(hasher);
}

std::size_t bytes_of_fields(const Fields& fields) {
  std::size_t sum = 0;
  FieldVisitor bytes(Use::reads, [&](const std::string&, const Values& values, Hashed) {
    look_at(
        values, [&](auto numbers) { sum += numbers.size_bytes(); },
        [&](const std::string& text) { sum += text.size(); });
  });
  fields(bytes);
  return sum;
}

}  // namespace dem
