// Thin layer over the HDF5 C library: handles that close themselves, and errors as FileError with file, object and
// HDF5's reason. Files are built and read in memory; only write_file and read_file touch the disk. So a full disk or a
// damaged file never reaches HDF5, whose own recovery from either is poor.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libdem/platform/file_error.hpp"

namespace dem::hdf5 {

/// An HDF5 identifier (hid_t) with the function that closes it. The last copy closes it.
class Handle {
 public:
  Handle() = default;
  Handle(std::int64_t id, int (*close)(std::int64_t));
  std::int64_t id() const { return id_ ? *id_ : -1; }

 private:
  std::shared_ptr<std::int64_t> id_;
};

/// Meaning of a dataset, stored as its attributes `unit` and `description`.
struct Meaning {
  std::string_view unit, description;
};

/// A group with its datasets and attributes. T is double or an integer type of DEM_NUMBERS (hdf5.cpp). Every function
/// throws FileError with the file and the object, or std::bad_alloc if HDF5 finds no memory.
class Group {
 public:
  Group group(std::string_view name);  ///< creates it (and those above it)
  Group open(std::string_view name) const;
  bool has(std::string_view name) const;   ///< a direct member of this group
  std::vector<std::string> names() const;  ///< of the members, sorted

  /// Contiguous and uncompressed. `columns` > 0 makes it two-dimensional, [values.size() / columns][columns].
  template <class T>
  void write(std::string_view name, std::span<const T> values, Meaning = {}, std::size_t columns = 0);
  void write_texts(std::string_view name, std::span<const std::string>, Meaning = {});
  /// Reads flat values; the type must be exactly the stored one.
  template <class T>
  std::vector<T> read(std::string_view name) const;
  std::vector<std::string> read_texts(std::string_view name) const;
  std::vector<std::size_t> dimensions(std::string_view name) const;

  // Attributes of the group itself, or of its dataset `of`.
  void set(std::string_view attribute, std::string_view);
  void set(std::string_view attribute, double);
  void set(std::string_view attribute, std::uint64_t);
  void set_texts(std::string_view attribute, std::span<const std::string>);
  bool has_attribute(std::string_view attribute) const;
  std::string text(std::string_view attribute, std::string_view of = ".") const;
  std::vector<std::string> texts(std::string_view attribute) const;
  double number(std::string_view attribute, std::string_view of = ".") const;
  std::uint64_t integer(std::string_view attribute, std::string_view of = ".") const;

 private:
  friend class File;
  Group(Handle file, Handle group, std::string name)
      : file_(std::move(file)), group_(std::move(group)), name_(std::move(name)) {}
  void write_raw(std::string_view, const void*, std::int64_t type, std::size_t size, Meaning, std::size_t columns);
  /// `count` 0 writes one value, not a list.
  void set_raw(std::int64_t object, std::string_view attribute, std::int64_t type, const void*, std::size_t count = 0);
  std::string where(std::string_view object) const;

  Handle file_, group_;
  std::string name_;  ///< file, for messages
};

/// A file in memory.
class File {
 public:
  /// Makes an empty file; `name` is for messages. Without time stamps, the same content gives the same bytes.
  static File create(std::string name);
  static File from_bytes(std::string name, std::string_view bytes);
  Group root() const { return root_; }
  std::string bytes(std::size_t before = 0) const;  ///< with `before` free bytes in front

 private:
  File(Handle file, Group root) : file_(std::move(file)), root_(std::move(root)) {}
  Handle file_;
  Group root_;
};

}  // namespace dem::hdf5
