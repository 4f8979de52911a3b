#include "geometry/printable.hpp"

#include <fmt/format.h>

namespace dem {
namespace {

/// Bytes of the UTF-8 character at the start of the text. 0 for a control character or none.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t size = first >= 0xc2 && first < 0xe0   ? 2
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xf0 && first < 0xf5 ? 4
                                                           : 0;
  for (std::size_t k = 1; k < size; ++k)
    if ((byte(k) & 0xc0u) != 0x80) return 0;
  return first == 0xc2 && byte(1) < 0xa0 ? 0 : size;  // U+0080 to U+009F are control characters
}

std::string shown(std::string_view text, std::size_t most, bool lines) {
  constexpr std::string_view cut = "...";
  std::string out;
  std::size_t count = 0, room = 0;  // characters written; bytes of `out` up to which the cut fits
  while (!text.empty()) {
    std::size_t size = character(text);
    std::string next(text.substr(0, size));
    if (size == 0) {
      const char c = text.front();
      size = 1;
      next = c == '\n'   ? (lines ? "\n" : "\\n")
             : c == '\t' ? "\\t"
                         : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    const std::size_t width = size > 1 ? 1 : next.size();
    if (count + width > most) return out.substr(0, room) + std::string(cut);
    out += next;
    count += width;
    if (count + cut.size() <= most) room = out.size();
    text.remove_prefix(size);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) { return shown(text, most, false); }
std::string printable_message(std::string_view text) { return shown(text, std::string_view::npos, true); }

}  // namespace dem
