#include "libdem/files/results_record.hpp"

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
  for (std::size_t at = 0, end; (end = lines.find('\n', at)) != lines.npos; at = end + 1) sentences.push_back(lines.substr(at, end - at));
  return sentences;
}

/// Calls f(name, list) for the lists of segments.
template <class Record, class F>
void for_each_series(Record& record, F f) {
  f("folder/series", record.series);
  f("folder/profiles", record.profiles);
  f("folder/plane_jumps", record.jumps);
}
template <class Record, class F>
void for_each_text(Record& record, F f) {
  f("folder/changes", record.changes);
  f("folder/losses", record.losses);
  f("folder/output_changes", record.output_changes);
}

std::string name_of_files(std::size_t kind) {
  std::string name = file_kinds[kind].prefix[0] != '\0' ? file_kinds[kind].prefix : file_kinds[kind].folder;
  if (name.back() == '-') name.pop_back();
  return "folder/files/" + name;
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

void FolderRecord::save(ArchiveWriter& archive) const {
  archive.put_text("folder/case", case_text);
  const std::uint64_t prints[] = {fingerprint, first_fingerprint};
  archive.put("folder/fingerprints", std::span<const std::uint64_t>(prints));
  archive.put("folder/file_sums", std::span<const std::uint64_t>(file_sums));
  for_each_text(*this, [&](const char* name, const std::vector<std::string>& sentences) { archive.put_text(name, lines_of(sentences)); });
  for_each_series(*this, [&](const char* name, const std::vector<SegmentRecord>& segments) {
    std::vector<std::uint64_t> numbers;
    for (const SegmentRecord& s : segments) numbers.insert(numbers.end(), {s.number, s.rows, s.first_step, s.last_step});
    archive.put(name, std::span<const std::uint64_t>(numbers));
  });
  for (std::size_t k = 0; k < files.size(); ++k) {
    archive.put(name_of_files(k) + "/steps", std::span<const std::uint64_t>(files[k].steps));
    archive.put(name_of_files(k) + "/times", std::span<const double>(files[k].times));
  }
}

FolderRecord FolderRecord::of(const Checkpoint& archive) {
  if (!archive.has("folder")) throw FileError(fmt::format("{} was not written into a results folder", archive.file().string()));
  const auto fits = [&](bool fitting) {
    if (!fitting) throw FileError(fmt::format("{} does not fit this version of the program", archive.file().string()));
  };
  FolderRecord record;
  record.case_text = archive.text("folder/case");
  const auto prints = archive.integers("folder/fingerprints");
  fits(prints.size() == 2);
  record.fingerprint = prints[0], record.first_fingerprint = prints[1];
  record.file_sums = archive.integers("folder/file_sums");
  for_each_text(record, [&](const char* name, std::vector<std::string>& sentences) { sentences = sentences_of(archive.text(name)); });
  for_each_series(record, [&](const char* name, std::vector<SegmentRecord>& segments) {
    const auto numbers = archive.integers(name);
    fits(numbers.size() % 4 == 0);
    for (std::size_t k = 0; k < numbers.size(); k += 4) segments.push_back({numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]});
  });
  for (std::size_t k = 0; k < record.files.size(); ++k) {
    record.files[k] = {archive.integers(name_of_files(k) + "/steps"), archive.doubles(name_of_files(k) + "/times")};
    fits(record.files[k].steps.size() == record.files[k].times.size());
  }
  return record;
}

}  // namespace dem
