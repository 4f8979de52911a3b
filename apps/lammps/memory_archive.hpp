// An archive in memory, in which the state of a distributed run is put together.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <variant>

#include "libdem/state/archive.hpp"

namespace dem {

class MemoryArchive final : public ArchiveWriter, public ArchiveReader {
 public:
  using Entry = std::variant<std::vector<double>, std::vector<std::uint64_t>, std::string>;

  void put(std::string_view name, std::span<const double> v) override {
    entries[std::string(name)] = std::vector<double>(v.begin(), v.end());
  }
  void put(std::string_view name, std::span<const std::uint64_t> v) override {
    entries[std::string(name)] = std::vector<std::uint64_t>(v.begin(), v.end());
  }
  void put_text(std::string_view name, std::string_view text) override {
    entries[std::string(name)] = std::string(text);
  }
  std::vector<double> doubles(std::string_view name) const override { return get<std::vector<double>>(name); }
  std::vector<std::uint64_t> integers(std::string_view name) const override {
    return get<std::vector<std::uint64_t>>(name);
  }
  std::string text(std::string_view name) const override { return get<std::string>(name); }
  bool has(std::string_view name) const override { return entries.contains(std::string(name)); }
  std::string origin() const override { return "the state of the ranks"; }

  /// A counter or flag.
  void put_word(std::string_view name, std::uint64_t value) { put(name, std::span<const std::uint64_t>(&value, 1)); }

  /// The numbers of an entry, to be changed. Throws std::out_of_range without it.
  std::vector<double>& numbers(const std::string& name) { return std::get<std::vector<double>>(entries.at(name)); }

  std::map<std::string, Entry> entries;

 private:
  template <class T>
  const T& get(std::string_view name) const {
    return std::get<T>(entries.at(std::string(name)));
  }
};

}  // namespace dem
