#include "libdem/results/hdf5_sealed.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <charconv>
#include <optional>

#include "libdem/platform/text_file.hpp"

namespace dem::hdf5 {
namespace {

constexpr std::size_t seal_size = 512;  // the smallest user block HDF5 allows
constexpr std::string_view first_words = "libdem ";
constexpr std::string_view no_sum = "00000000";
// A checkpoint has the layouts of its parts inside (state/fields.hpp).
constexpr std::string_view no_layout = "0000000000000000";

/// The value of `key = value` in the seal's text.
std::optional<std::string_view> value_of(std::string_view text, std::string_view key) {
  const std::string start = fmt::format("\n{} = ", key);
  const auto at = text.find(start);
  if (at == text.npos) return std::nullopt;
  const auto begin = at + start.size(), end = text.find('\n', begin);
  if (end == text.npos) return std::nullopt;
  return text.substr(begin, end - begin);
}

std::optional<std::uint64_t> number_in(std::optional<std::string_view> text, int base) {
  std::uint64_t n = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), n, base);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return n;
}

/// Sum over the whole file, with the `digits` of the sum itself taken as zeros. Eight digits: CRC-32. Sixteen: FNV-1a.
/// Files had that sum before. It takes five times as long.
std::uint64_t checksum(std::string_view bytes, std::string_view digits) {
  const std::string zeros(digits.size(), '0');
  const std::size_t at = std::size_t(digits.data() - bytes.data());
  const std::array parts{bytes.substr(0, at), std::string_view(zeros), bytes.substr(at + digits.size())};
  const bool is_fnv = digits.size() == 16;
  std::uint64_t sum = is_fnv ? fnv1a("") : 0;
  for (const std::string_view part : parts)
    sum = is_fnv ? fnv1a(part, sum) : crc32_z(sum, reinterpret_cast<const Bytef*>(part.data()), part.size());
  return sum;
}

/// Verifies without HDF5.
Seal seal_of(const std::string& bytes, const std::string& name, std::string_view kind) {
  if (bytes.empty()) throw FileError(fmt::format("{} is empty", name));
  if (!bytes.starts_with(first_words))
    throw FileError(fmt::format("{} is not a file of this program, or its first line is damaged", name));
  const std::string_view text = std::string_view(bytes).substr(0, seal_size);
  const auto format = value_of(text, "format");
  if (!format || *format != std::to_string(file_format))
    throw FileError(
        fmt::format("{} has format {}; this program reads format {}", name, format.value_or("(none)"), file_format));
  const auto size = number_in(value_of(text, "bytes"), 10);
  const auto sum_text = value_of(text, "checksum"), program = value_of(text, "program");
  const auto sum = number_in(sum_text, 16);
  if (!size || !number_in(value_of(text, "layout"), 16) || !sum || !program ||
      (sum_text->size() != 8 && sum_text->size() != 16))
    throw FileError(fmt::format("{} is damaged: its first lines are not complete", name));
  if (*size != bytes.size())
    throw FileError(fmt::format("{} is {}: it has {} bytes and should have {}", name,
                                bytes.size() < *size ? "truncated" : "damaged", bytes.size(), *size));
  if (checksum(bytes, *sum_text) != *sum)
    throw FileError(fmt::format("{} is damaged: its checksum does not fit its content", name));
  const std::string found(text.substr(first_words.size(), text.find('\n') - first_words.size()));
  if (!kind.empty() && found != kind)
    throw FileError(fmt::format("{} is a {} file; expected a {} file", name, found, kind));
  return {found, std::string(*program)};
}

}  // namespace

void write_sealed(const std::filesystem::path& path, const Seal& seal, const File& file) {
  std::string bytes = file.bytes(seal_size);  // only one copy: memory may be short when a checkpoint is written
  std::string head =
      fmt::format("{}{}\nformat = {}\nprogram = {}\nlayout = {}\nbytes = {}\nchecksum = {}\n", first_words, seal.kind,
                  file_format, seal.program_version.substr(0, 100), no_layout, bytes.size(), no_sum);
  const std::size_t digits_at = head.size() - no_sum.size() - 1;
  head += "(an HDF5 file follows; every HDF5 reader skips these lines)\n";
  head.resize(seal_size - 1, ' ');
  head += '\n';
  bytes.replace(0, seal_size, head);
  const std::string_view digits = std::string_view(bytes).substr(digits_at, no_sum.size());
  bytes.replace(digits_at, digits.size(), fmt::format("{:08x}", checksum(bytes, digits)));
  write_file(path, bytes);
}

Seal verify_sealed(const std::filesystem::path& path, std::string_view kind) {
  return seal_of(read_file(path), path.string(), kind);
}

SealedFile read_sealed(const std::filesystem::path& path, std::string_view kind) {
  const std::string bytes = read_file(path), name = path.string();
  Seal seal = seal_of(bytes, name, kind);
  return {std::move(seal), File::from_bytes(name, std::string_view(bytes).substr(seal_size))};
}

}  // namespace dem::hdf5
