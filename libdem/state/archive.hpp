// Named arrays for checkpoints. The state writes to them and is restored from them, without a file format.
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
  /// These throw when the entry is missing or of another type (files: FileError naming file and entry).
  virtual std::vector<double> doubles(std::string_view name) const = 0;
  virtual std::vector<std::uint64_t> integers(std::string_view name) const = 0;
  virtual std::string text(std::string_view name) const = 0;
  virtual bool has(std::string_view name) const = 0;
  /// Names the archive in messages, with the version that wrote it.
  virtual std::string origin() const { return "the checkpoint"; }
};

}  // namespace dem
