#include "libdem/results/checkpoint.hpp"

#include <fmt/format.h>

#include <system_error>

#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

namespace fs = std::filesystem;

class Writer : public ArchiveWriter {
 public:
  explicit Writer(hdf5::Group group) : group_(std::move(group)) {}
  void put(std::string_view name, std::span<const double> values) override { group_.write(name, values); }
  void put(std::string_view name, std::span<const std::uint64_t> values) override { group_.write(name, values); }
  void put_text(std::string_view name, std::string_view text) override {
    // As bytes, because a text may hold zeros, and HDF5 strings end at a zero.
    group_.write(name, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  }

 private:
  hdf5::Group group_;
};

/// Makes a second link, so that the file keeps its name meanwhile. Renames if the file system has no links.
void keep_as_previous(const fs::path& file, std::error_code& error) {
  const fs::path previous = previous_checkpoint(file), part = previous.string() + ".part";
  fs::remove(part, error);
  fs::create_hard_link(file, part, error);
  if (error) {
    fs::rename(file, previous, error);
    return;
  }
  fs::rename(part, previous, error);
  std::error_code ignored;
  fs::remove(part, ignored);  // the part remains if it and the previous file were already the same file
}

}  // namespace

bool is_good_checkpoint(const fs::path& file) {
  try {
    hdf5::verify_sealed(file, "checkpoint");
    return true;
  } catch (const FileError&) {
    return false;
  }
}

fs::path previous_checkpoint(const fs::path& file) {
  return file.parent_path() / (file.stem().string() + ".previous" + file.extension().string());
}

void remove_checkpoint(const fs::path& file) {
  std::error_code ignored;
  const std::string name = file.string(), previous = previous_checkpoint(file).string();
  for (const std::string& one : {name, name + ".new", name + ".new.part", previous, previous + ".part"})
    fs::remove(one, ignored);
}

void write_checkpoint(const fs::path& file, const CheckpointHeader& header,
                      const std::function<void(ArchiveWriter&)>& save) {
  fs::path fresh = file;
  fresh += ".new";
  {  // the memory of the new file is free before the old one is read
    const hdf5::File data = hdf5::File::create(file.string());
    hdf5::Group root = data.root();
    root.set("step", header.step);
    root.set("time", header.time);
    Writer writer(root.group("state"));
    save(writer);
    hdf5::write_sealed(fresh, {"checkpoint", header.program_version}, data);
  }
  std::error_code error;
  if (is_good_checkpoint(file)) keep_as_previous(file, error);  // a damaged file must not replace a good one
  if (!error) fs::rename(fresh, file, error);
  if (error) throw FileError(fmt::format("cannot write {}: {}", file.string(), error.message()), error.value());
  sync_folder(file.parent_path());
}

Checkpoint::Checkpoint(const fs::path& file) : Checkpoint(file, hdf5::read_sealed(file, "checkpoint")) {}

Checkpoint::Checkpoint(const fs::path& file, hdf5::SealedFile sealed)
    : file_(file), data_(std::move(sealed.file)), state_(data_.root().open("state")) {
  header_ = {sealed.seal.program_version, data_.root().integer("step"), data_.root().number("time")};
}

std::vector<double> Checkpoint::doubles(std::string_view name) const { return state_.read<double>(name); }
std::vector<std::uint64_t> Checkpoint::integers(std::string_view name) const {
  return state_.read<std::uint64_t>(name);
}
std::string Checkpoint::text(std::string_view name) const {
  const auto bytes = state_.read<std::uint8_t>(name);
  return {bytes.begin(), bytes.end()};
}
bool Checkpoint::has(std::string_view name) const { return state_.has(name); }
std::string Checkpoint::origin() const {
  return fmt::format("{} was written by version {} and", file_.string(), header_.program_version);
}

Checkpoint read_checkpoint(const fs::path& file) {
  std::string newest;
  try {
    return Checkpoint(file);
  } catch (const FileError& e) {
    newest = e.what();
  }
  const fs::path previous = previous_checkpoint(file);
  if (!fs::exists(previous)) throw FileError(fmt::format("{}; there is no previous checkpoint", newest));
  try {
    Checkpoint checkpoint(previous);
    checkpoint.message = fmt::format("{}; using the previous checkpoint, step {}", newest, checkpoint.header().step);
    return checkpoint;
  } catch (const FileError& e) {
    throw FileError(fmt::format("{}; nor can the previous one be used: {}", newest, e.what()));
  }
}

}  // namespace dem
