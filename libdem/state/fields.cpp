#include "libdem/state/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "libdem/state/state_hash.hpp"
#include "libdem/state/view.hpp"

namespace dem {
namespace {

/// Sends values of all kinds to Own::all(name, values, hashed, type).
template <class Own>
class OneFunction : public FieldVisitor {
 public:
  void numbers(const std::string& name, std::span<double> v, Hashed h) override { own().all(name, v, h, 1); }
  void words(const std::string& name, std::span<std::uint64_t> v, Hashed h) override { own().all(name, v, h, 2); }
  void list(const std::string& name, std::vector<double>& v, Hashed h) override { own().all(name, std::span(v), h, 3); }
  void list(const std::string& name, std::vector<std::uint64_t>& v, Hashed h) override {
    own().all(name, std::span(v), h, 4);
  }
  void text(const std::string&, std::string&) override {}

 private:
  Own& own() { return static_cast<Own&>(*this); }
};

class Saver final : public OneFunction<Saver> {
 public:
  Saver(ArchiveWriter& archive, const std::string& part) : archive_(archive), part_(part + "/") {}
  template <class T>
  void all(const std::string& name, std::span<T> values, Hashed, int) {
    archive_.put(part_ + name, std::span<const T>(values));
  }
  void text(const std::string& name, std::string& value) override { archive_.put_text(part_ + name, value); }

 private:
  ArchiveWriter& archive_;
  std::string part_;
};

class Loader final : public FieldVisitor {
 public:
  Loader(const ArchiveReader& archive, const std::string& part) : archive_(archive), part_(part + "/") {}
  bool loads() const override { return true; }
  bool reads() const override { return false; }
  void numbers(const std::string& name, std::span<double> values, Hashed) override {
    take(name, archive_.doubles(part_ + name), values);
  }
  void words(const std::string& name, std::span<std::uint64_t> values, Hashed) override {
    take(name, archive_.integers(part_ + name), values);
  }
  void list(const std::string& name, std::vector<double>& values, Hashed) override {
    values = archive_.doubles(part_ + name);
  }
  void list(const std::string& name, std::vector<std::uint64_t>& values, Hashed) override {
    values = archive_.integers(part_ + name);
  }
  void text(const std::string& name, std::string& value) override { value = archive_.text(part_ + name); }

 private:
  template <class T>
  void take(const std::string& name, const std::vector<T>& saved, std::span<T> values) const {
    if (saved.size() != values.size())
      throw std::runtime_error(fmt::format("the checkpoint does not fit the case: {}{} has {} numbers, expected {}",
                                           part_, name, saved.size(), values.size()));
    std::ranges::copy(saved, values.begin());
  }
  const ArchiveReader& archive_;
  std::string part_;
};

class Hasher final : public OneFunction<Hasher> {
 public:
  explicit Hasher(StateHash& hash) : hash_(hash) {}
  template <class T>
  void all(const std::string&, std::span<T> values, Hashed hashed, int) {
    if (hashed == Hashed::yes) hash_.add(std::span<const T>(values));
  }

 private:
  StateHash& hash_;
};

/// Hash of names and types. The type does not contain a count that follows from the case; a loader checks such counts.
class Layout final : public OneFunction<Layout> {
 public:
  bool reads() const override { return false; }
  std::uint64_t value() const { return hash_.value(); }
  template <class T>
  void all(const std::string& name, std::span<T>, Hashed, std::uint64_t type) {
    for (const char c : name) hash_.add(std::uint64_t(static_cast<unsigned char>(c)));
    hash_.add(256 + type);
  }
  void text(const std::string& name, std::string&) override { all(name, std::span<char>(), Hashed::no, 5); }

 private:
  StateHash hash_;
};

class Bytes final : public OneFunction<Bytes> {
 public:
  std::size_t sum = 0;
  template <class T>
  void all(const std::string&, std::span<T> values, Hashed, int) {
    sum += values.size_bytes();
  }
  void text(const std::string&, std::string& value) override { sum += value.size(); }
};

std::uint64_t layout_of(const Fields& fields) {
  Layout layout;
  fields(layout);
  return layout.value();
}

}  // namespace

void save_fields(ArchiveWriter& archive, const std::string& part, const Fields& fields) {
  const std::uint64_t layout = layout_of(fields);
  archive.put(part + "/layout", std::span<const std::uint64_t>(&layout, 1));
  Saver saver(archive, part);
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
  Loader loader(archive, part);
  fields(loader);
}

void hash_fields(StateHash& hash, const Fields& fields) {
  Hasher hasher(hash);
  fields(hasher);
}

std::size_t bytes_of_fields(const Fields& fields) {
  Bytes bytes;
  fields(bytes);
  return bytes.sum;
}

}  // namespace dem
