// Named arrays for checkpoints: what the state writes to and is restored from, without knowing the file format.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dem {

class ArchiveWriter {
 public:
  virtual ~ArchiveWriter() = default;
  virtual void put(std::string_view name, std::span<const double>) = 0;
  virtual void put(std::string_view name, std::span<const std::uint64_t>) = 0;
  virtual void put_text(std::string_view name, std::string_view) = 0;
};

class ArchiveReader {
 public:
  virtual ~ArchiveReader() = default;
  /// Throw (files: FileError naming file and entry) when the entry is missing or of another type.
  virtual std::vector<double> doubles(std::string_view name) const = 0;
  virtual std::vector<std::uint64_t> integers(std::string_view name) const = 0;
  virtual std::string text(std::string_view name) const = 0;
  virtual bool has(std::string_view name) const = 0;
  /// Names the archive in messages, with the version that wrote it.
  virtual std::string origin() const { return "the checkpoint"; }
};

}  // namespace dem
