// Checkpoints: the whole state as named arrays in a sealed HDF5 file, with the previous one kept.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/state/archive.hpp"

namespace dem {

struct CheckpointHeader {
  std::string program_version;
  std::uint64_t step = 0;
  double time = 0;  ///< s
};

/// `save` fills the archive; entry names are unique and may contain '/'. The file is written aside and synced to the
/// disk. Then the checkpoint at `file` becomes the previous one, and the new file takes its name. So read_checkpoint
/// finds a good checkpoint at any moment. FileError leaves earlier checkpoints unchanged.
void write_checkpoint(const std::filesystem::path& file, const CheckpointHeader&,
                      const std::function<void(ArchiveWriter&)>& save);

/// True if the file can be read.
bool is_good_checkpoint(const std::filesystem::path&);
/// checkpoint.h5 → checkpoint.previous.h5
std::filesystem::path previous_checkpoint(const std::filesystem::path& file);

/// Removes the checkpoint and the previous one, also those that a kill left half-written.
void remove_checkpoint(const std::filesystem::path& file);

class Checkpoint : public ArchiveReader {
 public:
  /// Reads one file and verifies its checksum. Throws FileError if it is missing, damaged or of another format.
  explicit Checkpoint(const std::filesystem::path& file);

  std::vector<double> doubles(std::string_view name) const override;
  std::vector<std::uint64_t> integers(std::string_view name) const override;
  std::string text(std::string_view name) const override;
  bool has(std::string_view name) const override;
  std::string origin() const override;

  const CheckpointHeader& header() const { return header_; }
  const std::filesystem::path& file() const { return file_; }
  /// Sentence for the user if the previous checkpoint replaced an unusable newest one; else empty.
  std::string message;

 private:
  Checkpoint(const std::filesystem::path&, hdf5::SealedFile);
  std::filesystem::path file_;
  CheckpointHeader header_;
  hdf5::File data_;
  hdf5::Group state_;
};

/// Reads the checkpoint at `file`. Reads the previous one, with a message, if `file` is missing, damaged or of another
/// format. Throws FileError if neither can be used.
Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace dem
