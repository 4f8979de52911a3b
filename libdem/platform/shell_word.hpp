// Words of a shell command.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace dem {

/// Quotes the text for a shell if necessary.
inline std::string shell_word(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_./-+:,@%=").find(char(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace dem
