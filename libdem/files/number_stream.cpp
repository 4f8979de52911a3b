#include "libdem/files/number_stream.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "libdem/files/file_error.hpp"

namespace dem {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

}  // namespace

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

void NumberStream::refuse(std::string_view found, std::string_view wanted) const {
  throw FileError(fmt::format("{}:{}: found {}, wanted {}", name_, line_, found, wanted));
}

std::string_view NumberStream::word(std::string_view wanted) {
  if (at_end()) refuse("the end of the file", wanted);
  std::size_t end = at_;
  while (end < text_.size() && !is_blank(text_[end]) && text_[end] != '#') ++end;
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end;
  return found;
}

double NumberStream::number(std::string_view wanted) {
  const std::string_view found = word(wanted);
  std::string digits(found.substr(found.starts_with('+') ? 1 : 0));
  for (char& c : digits)
    if (c == 'D' || c == 'd') c = 'e';  // Fortran
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
    refuse(fmt::format("'{}'", found.substr(0, 40)), wanted);
  return value;
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

int NumberStream::numbers_in_line() {
  if (at_end()) return 0;
  int count = 0;
  bool in_word = false;
  for (std::size_t k = at_; k < text_.size() && text_[k] != '\n' && text_[k] != '#'; ++k) {
    count += !is_blank(text_[k]) && !in_word;
    in_word = !is_blank(text_[k]);
  }
  return count;
}

}  // namespace dem
