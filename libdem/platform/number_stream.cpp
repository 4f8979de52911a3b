#include "libdem/platform/number_stream.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "geometry/printable.hpp"
#include "libdem/platform/file_error.hpp"
#include "libdem/platform/number_text.hpp"

namespace dem {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
bool is_separator(char c) { return c == ',' || c == ';'; }
bool ends_word(char c) { return is_blank(c) || is_separator(c) || c == '#'; }

std::optional<double> number_in(std::string_view word) {
  std::string digits(word);
  for (char& c : digits)
    if (c == 'D' || c == 'd') c = 'e';  // Fortran
  return finite_number(digits);
}

}  // namespace

NumberStream::NumberStream(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);  // byte order mark of UTF-8
}

void NumberStream::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    if (text_[at_] == '#')
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    if (at_ == text_.size() || !is_blank(text_[at_])) return;
    if (text_[at_] == '\n') ++line_;
  }
}

bool NumberStream::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

void NumberStream::refuse(std::string_view found, std::string_view wanted, int line) const {
  throw ContentError(fmt::format("{}:{}: found {}, wanted {}", name_, line, found, wanted));
}

std::string_view NumberStream::word(std::string_view wanted) {
  if (at_end()) refuse("the end of the file", wanted);
  std::size_t end = at_;
  while (end < text_.size() && !ends_word(text_[end])) ++end;
  const std::string_view found = text_.substr(at_, end - at_);
  if (found.empty()) refuse(fmt::format("'{}' and no number before it", text_[at_]), wanted);
  // One separator after the word belongs to it, unless it ends the line.
  while (end < text_.size() && is_blank(text_[end]) && text_[end] != '\n') ++end;
  if (end < text_.size() && is_separator(text_[end])) ++end;
  at_ = end;
  return found;
}

double NumberStream::number(std::string_view wanted) {
  const std::string_view found = word(wanted);
  const auto value = number_in(found);
  if (!value) refuse(fmt::format("'{}'", printable(found)), wanted);
  return *value;
}

double NumberStream::positive(std::string_view wanted) {
  const double value = number(wanted);
  if (!(value > 0)) refuse(fmt::format("{}", value), fmt::format("{} > 0", wanted));
  return value;
}

long NumberStream::whole(std::string_view wanted, long low, long high) {
  const double value = number(wanted);
  if (value != std::floor(value) || value < double(low) || value > double(high))
    refuse(fmt::format("{}", value), fmt::format("{}, a whole number from {} to {}", wanted, low, high));
  return long(value);
}

std::vector<std::string_view> NumberStream::words_of_line() const {
  std::vector<std::string_view> words;
  std::size_t start = at_;
  for (std::size_t k = at_;; ++k) {
    const bool over = k == text_.size() || text_[k] == '\n' || text_[k] == '#';
    if (!over && !ends_word(text_[k])) continue;
    if (k > start) words.push_back(text_.substr(start, k - start));
    if (over) return words;
    start = k + 1;
  }
}

int NumberStream::numbers_in_line() { return at_end() ? 0 : int(words_of_line().size()); }

std::vector<std::string> NumberStream::header() {
  if (at_end()) return {};
  const auto words = words_of_line();
  if (words.empty() || std::ranges::any_of(words, [](std::string_view word) { return number_in(word).has_value(); }))
    return {};
  std::vector<std::string> names;
  for (std::string_view word : words) {
    if (word.size() > 1 && word.front() == '"' && word.back() == '"') word = word.substr(1, word.size() - 2);
    names.emplace_back(word);
  }
  at_ = std::min(text_.find('\n', at_), text_.size());
  return names;
}

}  // namespace dem
