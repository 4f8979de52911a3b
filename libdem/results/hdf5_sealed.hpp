// HDF5 files that prove themselves: 512 bytes of text before the HDF5 part (an HDF5 "user block", which every reader of
// HDF5 skips) say what the file is and hold a checksum of all of it. `head -n 8 FILE` shows them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "libdem/results/hdf5.hpp"

namespace dem::hdf5 {

inline constexpr int file_format = 1;  ///< of everything the program writes; another is refused

struct Seal {
  std::string kind;  ///< "checkpoint", "snapshot", "series"
  std::string program_version;
  std::uint64_t layout = 0;  ///< checkpoints: hash of the state's layout; else 0
};

/// Sealed, written aside, renamed.
void write_sealed(const std::filesystem::path&, const Seal&, const File&, bool durable = true);

struct SealedFile {
  Seal seal;
  File file;
};
/// Reads and verifies before HDF5 sees a byte. FileError: not ours, of another kind (`kind` empty: any), of another
/// format, truncated, damaged.
SealedFile read_sealed(const std::filesystem::path&, std::string_view kind);
/// The same checks without the HDF5 part being opened: a third of the memory.
Seal verify_sealed(const std::filesystem::path&, std::string_view kind);

}  // namespace dem::hdf5
