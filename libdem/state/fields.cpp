#include "libdem/state/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "libdem/state/state_hash.hpp"

namespace dem {
namespace {

class Saver final : public FieldVisitor {
 public:
  Saver(ArchiveWriter& archive, const std::string& part) : archive_(archive), part_(part + "/") {}
  void numbers(const std::string& name, std::span<double> values, Hashed) override {
    archive_.put(part_ + name, std::span<const double>(values));
  }
  void words(const std::string& name, std::span<std::uint64_t> values, Hashed) override {
    archive_.put(part_ + name, std::span<const std::uint64_t>(values));
  }
  void list(const std::string& name, std::vector<double>& values, Hashed) override {
    archive_.put(part_ + name, std::span<const double>(values));
  }
  void list(const std::string& name, std::vector<std::uint64_t>& values, Hashed) override {
    archive_.put(part_ + name, std::span<const std::uint64_t>(values));
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

class Hasher final : public FieldVisitor {
 public:
  explicit Hasher(StateHash& hash) : hash_(hash) {}
  void numbers(const std::string&, std::span<double> values, Hashed hashed) override { add(values, hashed); }
  void words(const std::string&, std::span<std::uint64_t> values, Hashed hashed) override { add(values, hashed); }
  void list(const std::string&, std::vector<double>& values, Hashed hashed) override { add(std::span(values), hashed); }
  void list(const std::string&, std::vector<std::uint64_t>& values, Hashed hashed) override {
    add(std::span(values), hashed);
  }
  void text(const std::string&, std::string&) override {}

 private:
  template <class T>
  void add(std::span<T> values, Hashed hashed) {
    if (hashed == Hashed::yes) hash_.add(std::span<const T>(values));
  }
  StateHash& hash_;
};

/// Hash of names and types. The type does not contain a count that follows from the case; a loader checks such counts.
class Layout final : public FieldVisitor {
 public:
  bool reads() const override { return false; }
  std::uint64_t value() const { return hash_.value(); }
  void numbers(const std::string& name, std::span<double>, Hashed) override { add(name, 1); }
  void words(const std::string& name, std::span<std::uint64_t>, Hashed) override { add(name, 2); }
  void list(const std::string& name, std::vector<double>&, Hashed) override { add(name, 3); }
  void list(const std::string& name, std::vector<std::uint64_t>&, Hashed) override { add(name, 4); }
  void text(const std::string& name, std::string&) override { add(name, 5); }

 private:
  void add(const std::string& name, std::uint64_t type) {
    for (const char c : name) hash_.add(std::uint64_t(static_cast<unsigned char>(c)));
    hash_.add(256 + type);
  }
  StateHash hash_;
};

class Bytes final : public FieldVisitor {
 public:
  std::size_t sum = 0;
  void numbers(const std::string&, std::span<double> values, Hashed) override { sum += values.size_bytes(); }
  void words(const std::string&, std::span<std::uint64_t> values, Hashed) override { sum += values.size_bytes(); }
  void list(const std::string&, std::vector<double>& values, Hashed) override { sum += 8 * values.size(); }
  void list(const std::string&, std::vector<std::uint64_t>& values, Hashed) override { sum += 8 * values.size(); }
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
      "{} holds other fields of \"{}\" than this version of the program reads; go on with the version that wrote it",
      archive.origin(), part));
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
