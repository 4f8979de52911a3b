// Whole files to and from memory. Nothing half-written ever stands under a final name.
#pragma once
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "libdem/platform/file_error.hpp"

namespace dem {

/// Written aside (NAME.part in the same folder), then renamed. `durable`: on the disk (fsync of file and folder) when
/// this returns. On any error the part is removed, a file that stood there before is untouched, and FileError says why.
void write_file(const std::filesystem::path&, std::string_view bytes, bool durable = true);

/// Makes a rename in the folder survive a power cut, where the file system supports that.
void sync_folder(const std::filesystem::path&);

/// The whole file, or no more than its first `most` bytes. Throws FileError naming the file and the reason; also for
/// what is no regular file: a device may never end, and a pipe that nobody writes to never begins.
std::string read_file(const std::filesystem::path&, std::size_t most = std::numeric_limits<std::size_t>::max());

/// A whole file of facets or of a path, of at most 2 GB: longer ones are taken for a mistake. Throws FileError.
std::string read_data_file(const std::filesystem::path&);

/// Creates the folder and those above it; FileError when it cannot.
void create_folder(const std::filesystem::path&);

/// FNV-1a, 64 bits (Fowler, Noll, Vo); `start` continues an earlier sum.
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t start = 0xcbf29ce484222325u);

}  // namespace dem
