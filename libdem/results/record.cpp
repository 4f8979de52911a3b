#include "libdem/results/record.hpp"

#include <fmt/format.h>

namespace dem {
namespace {

std::string lines_of(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& s : sentences) text += s + '\n';
  return text;
}

std::vector<std::string> sentences_of(const std::string& lines) {
  std::vector<std::string> sentences;
  for (std::size_t at = 0, end; (end = lines.find('\n', at)) != lines.npos; at = end + 1)
    sentences.push_back(lines.substr(at, end - at));
  return sentences;
}

std::string name_of_files(std::size_t kind) {
  std::string name = file_kinds[kind].prefix[0] != '\0' ? file_kinds[kind].prefix : file_kinds[kind].folder;
  if (name.back() == '-') name.pop_back();
  return "files/" + name;
}

}  // namespace

std::string FileKind::name(std::uint64_t step) const { return fmt::format("{}{:012}{}", prefix, step, extension); }

std::optional<std::uint64_t> FileKind::step_of(const std::filesystem::path& file) const {
  const std::string stem = file.stem().string(), start = prefix;
  if (file.extension() != extension || !stem.starts_with(start) || stem.size() != start.size() + 12 ||
      stem.find_first_not_of("0123456789", start.size()) != stem.npos)
    return std::nullopt;
  return std::stoull(stem.substr(start.size()));
}

void WrittenFiles::add(std::uint64_t step, double time) {
  if (!steps.empty() && steps.back() == step) steps.pop_back(), times.pop_back();
  steps.push_back(step);
  times.push_back(time);
}

void FolderRecord::fields(FieldVisitor& f) {
  f.text("case", case_text);
  f("fingerprint", fingerprint);
  f("first_fingerprint", first_fingerprint);
  f.list("file_sums", file_sums);
  const auto sentences = [&f](const char* name, std::vector<std::string>& all) {
    std::string lines = lines_of(all);
    f.text(name, lines);
    if (f.loads()) all = sentences_of(lines);
  };
  sentences("changes", changes);
  sentences("losses", losses);
  sentences("output_changes", output_changes);
  for (std::size_t folder = 0; folder < segments.size(); ++folder) {
    std::vector<SegmentRecord>& all = segments[folder];
    std::vector<std::uint64_t> numbers;
    for (const SegmentRecord& s : all) numbers.insert(numbers.end(), {s.number, s.rows, s.first_step, s.last_step});
    f.list(segment_folders[folder], numbers);
    if (!f.loads()) continue;
    all.clear();
    for (std::size_t k = 0; k + 4 <= numbers.size(); k += 4)
      all.push_back({numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
  }
  for (std::size_t k = 0; k < files.size(); ++k) {
    f.list(name_of_files(k) + "/steps", files[k].steps);
    f.list(name_of_files(k) + "/times", files[k].times);
    if (files[k].steps.size() != files[k].times.size())
      throw FileError("the checkpoint does not fit: it lists files without their times");
  }
}

void FolderRecord::save(ArchiveWriter& archive) const {
  // Saving changes nothing.
  save_fields(archive, "folder", [this](FieldVisitor& f) { const_cast<FolderRecord*>(this)->fields(f); });
}

FolderRecord FolderRecord::of(const Checkpoint& archive) {
  if (!archive.has("folder"))
    throw FileError(fmt::format("{} was not written into a results folder", archive.file().string()));
  FolderRecord record;
  load_fields(archive, "folder", [&record](FieldVisitor& f) { record.fields(f); });
  return record;
}

}  // namespace dem
