#include "libdem/case/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <utility>

#include "geometry/printable.hpp"

namespace dem::case_file {

constexpr std::size_t longest_found = 1000;  // a sweep reports all errors of a case in one

void Problems::add(const std::string& path, std::string_view found, std::string_view allowed) {
  if (has(path)) return;
  const int line = line_of(path);
  reports_.push_back(
      {true, line, path,
       fmt::format("{}: {}: found {}, allowed {}", line > 0 ? fmt::format("{}:{}", file_, line) : "--set",
                   path.empty() ? "case" : printable(path), printable(found, longest_found), allowed)});
}

void Problems::add_first(const std::string& path, std::string_view found, std::string_view allowed) {
  if (has(path)) return;
  add(path, found, allowed);
  reports_.back().later = false;
}

void Problems::refuse(const std::string& path, std::string_view value, std::string_view allowed) {
  const auto own = given_.find(path);
  add(path, own == given_.end() || own->second.shown.empty() ? value : own->second.shown, allowed);
}

bool Problems::is_meant(const std::string& path) const {
  if (meant_.empty() || given_.contains(path)) return false;
  return meant_.contains(path) || meant_.contains(path.substr(0, path.rfind('.')));
}

bool Problems::has(const std::string& path) const {
  return std::ranges::any_of(reports_, [&](const Report& r) { return r.path == path; });
}

int Problems::line_of(const std::string& path) const {
  if (const auto own = given_.find(path); own != given_.end()) return own->second.line;
  const auto dot = path.rfind('.');
  if (dot != std::string::npos)
    if (const auto table = given_.find(path.substr(0, dot)); table != given_.end()) return table->second.line;
  return 1;
}

std::vector<std::string> Problems::messages() const {
  std::vector<Report> sorted = reports_;
  std::erase_if(sorted, [&](const Report& r) { return is_meant(r.path); });
  std::ranges::stable_sort(sorted, {}, [](const Report& r) { return std::pair(r.later, r.line); });
  std::vector<std::string> texts;
  for (auto& report : sorted) texts.push_back(std::move(report.text));
  return texts;
}

MessageParts parts_of(std::string_view message) {
  MessageParts parts;
  static const std::regex place("^(.*?):([0-9]+)(:[0-9]+)?: ");
  std::cmatch match;
  if (std::regex_search(message.data(), message.data() + std::min(message.find('\n'), message.size()), match, place)) {
    parts.file = match[1];
    parts.line = std::atoi(match[2].str().c_str());
    message.remove_prefix(std::size_t(match.length()));
  } else if (message.starts_with("--set: ")) {
    parts.file = "--set";
    message.remove_prefix(7);
  }
  const auto found = message.find(": found "), allowed = message.find(", allowed ", found);
  if (found == message.npos || allowed == message.npos) return parts;
  std::string_view key = message.substr(0, found);
  const auto file_end = key.rfind(": ");  // without a line; a place in a list, as path[0], is part of the key
  if (parts.file.empty() && file_end != key.npos && key.substr(0, file_end).find_first_of("/.<") != key.npos) {
    parts.file = key.substr(0, file_end);
    key.remove_prefix(file_end + 2);
  }
  parts.key = key;
  parts.found = message.substr(found + 8, allowed - found - 8);
  parts.allowed = message.substr(allowed + 10);
  return parts;
}

int edit_distance(std::string_view a, std::string_view b) {
  if (constexpr std::size_t longest_word = 100; std::max(a.size(), b.size()) > longest_word)
    return int(std::max(a.size(), b.size()));
  // Optimal string alignment. Three rows of the table suffice.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

int near_enough(std::string_view word) { return std::clamp(int(word.size()) / 3, 1, 10); }

std::string listed(const Names& names, bool quoted) {
  std::string text;
  for (const auto name : names) text += fmt::format("{0}{1}{2}{1}", text.empty() ? "" : ", ", quoted ? "\"" : "", name);
  return text;
}

std::string_view nearest(std::string_view word, const Names& known) {
  std::string_view best;
  int least = near_enough(word);
  for (const auto name : known)
    if (const int d = edit_distance(word, name); d <= least) least = d - 1, best = name;
  return best;
}
std::string nearest(std::string_view word, const Names& known, std::string_view what) {
  const std::string_view best = nearest(word, known);
  return best.empty() ? "" : fmt::format("; nearest known {}: {}", what, best);
}

}  // namespace dem::case_file
