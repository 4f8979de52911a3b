// HDF5 files with a checksum. 512 bytes of text before the HDF5 part describe the file and hold a checksum of all of
// it. Every reader of HDF5 skips this "user block"; `head -n 8 FILE` shows it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "libdem/results/hdf5.hpp"

namespace dem::hdf5 {

inline constexpr int file_format = 1;  ///< of all files of the program; another format is refused

struct Seal {
  std::string kind;  ///< "checkpoint", "snapshot", "series"
  std::string program_version;
};

/// Writes a sealed file aside, then renames it.
void write_sealed(const std::filesystem::path&, const Seal&, const File&);

struct SealedFile {
  Seal seal;
  File file;
};
/// Reads and verifies before HDF5 sees a byte. Throws FileError if the file is not ours, of another kind (`kind` empty:
/// any) or format, truncated or damaged.
SealedFile read_sealed(const std::filesystem::path&, std::string_view kind);
/// Same checks without opening the HDF5 part, with a third of the memory.
Seal verify_sealed(const std::filesystem::path&, std::string_view kind);

}  // namespace dem::hdf5
