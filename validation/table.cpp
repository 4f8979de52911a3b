// Claims in columns, for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "validation/report.hpp"

namespace dem::validation {

namespace {

/// Columns that a text takes: code points, but for the marks that stand on the letter before them (γ̇).
std::size_t width_of(std::string_view text) {
  std::size_t n = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    if ((byte & 0xC0) == 0x80) continue;
    const bool mark = (byte == 0xCC || (byte == 0xCD && k + 1 < text.size() &&
                                        static_cast<unsigned char>(text[k + 1]) < 0xB0));  // U+0300–U+036F
    if (!mark) ++n;
  }
  return n;
}

/// The first bytes of a text that take at most `width` columns.
std::size_t bytes_of(std::string_view text, std::size_t width) {
  std::size_t end = text.size();
  while (end > 0 && width_of(text.substr(0, end)) > width) {
    do --end;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
  }
  return std::max<std::size_t>(end, 1);
}

/// Lines of at most `width` columns, broken at spaces; words that are longer are cut, at a hyphen if they have one.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines{""};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) lines.emplace_back();
    while (width_of(word) > width) {
      std::size_t cut = bytes_of(word, width);
      if (const auto hyphen = word.substr(0, cut).rfind('-'); hyphen != std::string_view::npos && hyphen > 0)
        cut = hyphen + 1;
      if (!lines.back().empty()) lines.emplace_back();
      lines.back() = word.substr(0, cut);
      word.remove_prefix(cut);
      lines.emplace_back();
    }
    if (!lines.back().empty() && !word.empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, width_of(text)), ' ');
}

using Row = std::array<std::string, 4>;
void add_row(std::string& out, const Row& row, const std::array<std::size_t, 4>& widths) {
  std::array<std::vector<std::string>, 4> cells;
  std::size_t height = 1;
  for (std::size_t k = 0; k < 4; ++k) height = std::max(height, (cells[k] = wrapped(row[k], widths[k])).size());
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t k = 0; k < 4; ++k)
      text += (k ? "  " : "  ") + padded(line < cells[k].size() ? cells[k][line] : "", widths[k]);
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }
}

}  // namespace

std::string counts_text(std::span<const Claim> claims) {
  std::size_t n[3] = {0, 0, 0};
  for (const Claim& c : claims) ++n[int(c.verdict)];
  return fmt::format("{} agree{}, {} differ{}, {} not comparable", n[0], n[0] == 1 ? "s" : "", n[1],
                     n[1] == 1 ? "s" : "", n[2]);
}

std::string claims_table(const StudyResult& r, std::size_t width) {
  std::string out = fmt::format("{}: {} ({})\n", r.study, r.title, counts_text(r.claims));
  if (!r.error.empty())
    for (const auto& line : wrapped("FAILED: " + r.error, width - 2)) out += "  " + line + "\n";
  if (r.claims.empty()) return out;
  const std::size_t verdict = 14, name = std::clamp<std::size_t>(width / 5, 14, 30),
                    rest = std::max<std::size_t>(width, 60) - verdict - name - 8;
  const std::array<std::size_t, 4> widths{name, rest / 2, rest - rest / 2, verdict};
  add_row(out, {"claim", "published", "measured", "verdict"}, widths);
  out += "  " + std::string(name + rest + verdict + 6, '-') + "\n";
  for (const Claim& c : r.claims) {
    const std::string word = c.id.starts_with(r.study + "/") ? c.id.substr(r.study.size() + 1) : c.id;
    add_row(out, {word, c.published, c.measured, std::string(word_of(c.verdict))}, widths);
    if (c.verdict == ClaimVerdict::agrees || c.note.empty()) continue;
    for (const auto& line : wrapped("why: " + c.note, rest + verdict + 4))
      out += std::string(name + 4, ' ') + line + "\n";
  }
  return out;
}

}  // namespace dem::validation
