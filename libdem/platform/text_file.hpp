// Whole files to and from memory. A half-written file never has a final name.
#pragma once
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "libdem/platform/file_error.hpp"

namespace dem {

/// Writes NAME.part in the same folder, then renames it. `durable`: on the disk (fsync of file and folder) on return.
/// On any error the part is removed, an earlier file stays untouched, and FileError gives the reason.
void write_file(const std::filesystem::path&, std::string_view bytes, bool durable = true);

/// Makes a rename in the folder survive a power cut, where the file system supports that.
void sync_folder(const std::filesystem::path&);

/// Reads the whole file, or at most its first `most` bytes. Throws FileError with the file and the reason. Also refuses
/// anything but regular files: a device may never end, and a pipe without a writer never begins.
std::string read_file(const std::filesystem::path&, std::size_t most = std::numeric_limits<std::size_t>::max());

/// Reads a whole file of facets or of a path. Throws FileError above 2 GB, because longer files are probably mistakes.
std::string read_data_file(const std::filesystem::path&);

/// Creates the folder and those above it. Throws FileError.
void create_folder(const std::filesystem::path&);

/// True if there is a file or folder of this name that this process may see.
bool is_there(const std::filesystem::path&);

/// Removes a file, or a folder with its content. Without one it does nothing. Throws FileError.
void remove_path(const std::filesystem::path&);

/// FNV-1a, 64 bits (Fowler, Noll, Vo); `start` continues an earlier sum.
std::uint64_t fnv1a(std::string_view bytes, std::uint64_t start = 0xcbf29ce484222325u);

}  // namespace dem
