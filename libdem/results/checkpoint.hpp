// Checkpoints: the whole state as named arrays in a sealed HDF5 file, with the previous one kept.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/state/archive.hpp"

namespace dem {

struct CheckpointHeader {
  std::string program_version;
  std::uint64_t step = 0;
  double time = 0;  ///< s
};

/// `save` fills the archive; entry names are unique and may contain '/'. The file is written aside and put on the disk,
/// the checkpoint that stood at `file` becomes the previous one, then the new one takes its name: at any moment at
/// least one good checkpoint has a name that read_checkpoint tries. FileError leaves the old ones as they were.
void write_checkpoint(const std::filesystem::path& file, const CheckpointHeader&,
                      const std::function<void(ArchiveWriter&)>& save);

/// checkpoint.h5 → checkpoint.previous.h5
std::filesystem::path previous_checkpoint(const std::filesystem::path& file);

class Checkpoint : public ArchiveReader {
 public:
  /// One file, verified (checksum over all bytes). Throws FileError: missing, truncated, damaged, another format.
  explicit Checkpoint(const std::filesystem::path& file);

  std::vector<double> doubles(std::string_view name) const override;
  std::vector<std::uint64_t> integers(std::string_view name) const override;
  std::string text(std::string_view name) const override;
  bool has(std::string_view name) const override;
  std::string origin() const override;

  const CheckpointHeader& header() const { return header_; }
  const std::filesystem::path& file() const { return file_; }
  /// Not empty when the newest checkpoint could not be used and the previous one was: a sentence for the user.
  std::string message;

 private:
  Checkpoint(const std::filesystem::path&, hdf5::SealedFile);
  std::filesystem::path file_;
  CheckpointHeader header_;
  hdf5::File data_;
  hdf5::Group state_;
};

/// The checkpoint at `file`, or the previous one when that is missing, damaged or of another format (then with a
/// message). FileError when neither can be used.
Checkpoint read_checkpoint(const std::filesystem::path& file);

}  // namespace dem
