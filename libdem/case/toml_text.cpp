#include "libdem/case/toml_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "geometry/printable.hpp"
#include "libdem/case/case_file.hpp"
#include "libdem/case/value.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

[[noreturn]] void refuse_size(const std::string& name) {
  throw CaseErrors(
      {fmt::format("{}:1: found more than {} MB of text, allowed at most so much: bodies by the thousand belong in a "
                   "file of their own (assembly.generator = \"import\" or \"grains\")",
                   name, largest_toml_file >> 20)});
}

/// Checks the depth of keys and brackets before the parser, which calls itself for each level. Respects quotes and
/// comments.
class Depth {
 public:
  Depth(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_text(c);
        continue;
      }
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      if (c == '\n') {
        ++line_;
        parts_ = 1;
      } else if (c == '.') {
        if (++parts_ > most_key_parts)
          refuse(fmt::format("a key of more than {} parts", most_key_parts), "fewer: keys are at most three deep");
      } else if (c == '[' || c == '{') {
        parts_ = 1;
        if (++depth_ > deepest_toml_nesting)
          refuse(fmt::format("brackets within brackets, more than {} deep", deepest_toml_nesting),
                 "fewer: lists are at most three deep");
      } else if (c == ']' || c == '}') {
        parts_ = 1;
        depth_ = std::max(0, depth_ - 1);
      } else if (c == ',' || c == '=') {
        parts_ = 1;
      }
      ++at_;
    }
  }

 private:
  /// Skips a text with its quotes. A text of one line that is not closed ends with its line; the parser reports it.
  void skip_text(char quote) {
    const std::string three(3, quote);
    const bool of_lines = text_.substr(at_, 3) == three;
    at_ += of_lines ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!of_lines) return;
        ++line_;
      } else if (c == '\\' && quote == '"') {
        if (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      } else if (of_lines && text_.substr(at_, 3) == three) {
        at_ += 3;
        while (at_ < text_.size() && text_[at_] == quote) ++at_;  // up to two quotes may end the text itself
        return;
      } else if (!of_lines && c == quote) {
        ++at_;
        return;
      }
    }
  }
  [[noreturn]] void refuse(const std::string& found, std::string_view allowed) const {
    throw CaseErrors({fmt::format("{}:{}: found {}, allowed {}", name_, line_, found, allowed)});
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1, depth_ = 0, parts_ = 1;
};

void append(const toml::node& node, std::string& out) {
  if (out.size() > 4 * longest_shown) return;  // the rest is cut
  if (const auto* text = node.as_string()) {
    out += case_file::encode(text->get().substr(0, 2 * longest_shown));
  } else if (const auto* number = node.as_floating_point()) {
    out += case_file::encode(number->get());
  } else if (const auto* list = node.as_array()) {
    out += '[';
    for (std::size_t k = 0; k < list->size() && out.size() <= 4 * longest_shown; ++k) {
      if (k > 0) out += ", ";
      append((*list)[k], out);
    }
    out += ']';
  } else if (node.is_table()) {
    out += "a table";
  } else {
    std::ostringstream plain;
    node.visit([&](const auto& value) { plain << value; });
    out += plain.str();
  }
}

/// A hint at the usual cause. Empty for rare errors.
std::string_view hint_for(std::string_view error) {
  struct Hint {
    std::string_view error, hint;
  };
  static constexpr Hint hints[]{
      {"expected decimal digit", "; a number has digits on both sides of its point: 0.5, 1.0e5"},
      {"expected a comment or whitespace",
       "; a number has a decimal point, as 0.5, and no unit; a comment begins with #"},
      {"expected 'true'", "; a text stands in quotes; true and false are in small letters"},
      {"expected 'false'", "; a text stands in quotes; true and false are in small letters"},
      {"could not determine value type", "; a text stands in quotes; yes and no are written true and false"},
      {"cannot redefine existing table",
       "; each table is given once; tables of a list have double brackets, as [[stage]]"},
      {"cannot redefine", "; each key is given once"},
  };
  for (const Hint& row : hints)
    if (error.find(row.error) != error.npos) return row.hint;
  return {};
}

}  // namespace

std::string read_toml_file(const std::filesystem::path& file) {
  std::string text = read_file(file, largest_toml_file + 1);
  if (text.size() > largest_toml_file) refuse_size(file.string());
  return text;
}

const std::string& read_standard_input() {
  static std::string text;
  static bool done = false;
  for (char block[1 << 16]; !done;) {
    const ssize_t n = ::read(STDIN_FILENO, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw FileError(fmt::format("cannot read standard input: {}", std::strerror(errno)));
    text.append(block, static_cast<std::size_t>(n));
    if (text.size() > largest_toml_file) refuse_size(standard_input_name);
    done = n == 0;
  }
  return text;
}

toml::table parse_toml(std::string_view text, const std::string& name) {
  Depth(text, name).check();
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw CaseErrors(
        {fmt::format("{}:{}:{}: not TOML: {}{}", name, error.source().begin.line, error.source().begin.column,
                     printable(error.description(), 5 * longest_shown), hint_for(error.description()))});
  }
}

int line_of(const toml::node& node) { return int(node.source().begin.line); }

std::string shown(const toml::node& node) {
  std::string text;
  append(node, text);
  return printable(text);
}

}  // namespace dem
