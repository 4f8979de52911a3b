#include "geometry/outlines.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "geometry/printable.hpp"

namespace dem::geometry {
namespace {

/// Reads one WKT polygon from left to right. A GeometryError names the expected text and the character (counted from
/// 1).
class WktReader {
 public:
  explicit WktReader(std::string_view text) : text_(text) {}

  Grain polygon() {
    constexpr std::string_view keyword = "POLYGON";
    skip_blanks();
    for (const char letter : keyword) {
      const char found = at_end() ? '\0' : text_[at_];
      if (found != letter && found != letter - 'A' + 'a') fail("POLYGON((x y, ...))");
      ++at_;
    }
    Grain grain;
    expect('(', "'(' after POLYGON");
    grain.outline = ring("the outer ring");
    while (next_is(',')) {
      ++at_;
      grain.holes.push_back(ring(fmt::format("hole {}", grain.holes.size() + 1)));
    }
    expect(')', "',' and a hole, or ')' at the end of the polygon");
    skip_blanks();
    if (!at_end()) fail("the end of the polygon");
    return grain;
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  void skip_blanks() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  }
  bool next_is(char c) {
    skip_blanks();
    return !at_end() && text_[at_] == c;
  }
  void expect(char c, std::string_view what) {
    if (!next_is(c)) fail(what);
    ++at_;
  }
  [[noreturn]] void fail(std::string_view expected) const {
    const auto found =
        at_end() ? std::string("the end of the text") : fmt::format("'{}'", printable(text_.substr(at_), 16));
    throw GeometryError(fmt::format("expected {} at character {}, found {}", expected, at_ + 1, found));
  }

  Outline ring(const std::string& name) {
    expect('(', "'(' before the vertices of " + name);
    Outline outline;
    do {
      if (!outline.empty()) ++at_;  // the comma
      const std::size_t vertex = outline.size() + 1;
      const double x = coordinate("x", vertex, name);
      outline.push_back({x, coordinate("y", vertex, name)});
    } while (next_is(','));
    expect(')', fmt::format("',' or ')' after the two coordinates of vertex {} of {}", outline.size(), name));
    if (outline.size() < 2 || outline.front() != outline.back())
      throw GeometryError(fmt::format("{} is not closed: its last vertex ({}, {}) must repeat the first ({}, {})", name,
                                      outline.back().x, outline.back().y, outline.front().x, outline.front().y));
    outline.pop_back();
    if (outline.size() < 3)
      throw GeometryError(fmt::format("{} has {} different vertices; at least 3 are needed", name, outline.size()));
    return outline;
  }

  double coordinate(std::string_view axis, std::size_t vertex, const std::string& name) {
    skip_blanks();
    const char* first = text_.data() + at_;
    const char* last = text_.data() + text_.size();
    double value = 0;
    const auto result = std::from_chars(first + (first != last && *first == '+'), last, value);
    if (result.ec != std::errc{} || !std::isfinite(value))
      fail(fmt::format("a finite number as the {} coordinate of vertex {} of {}", axis, vertex, name));
    at_ = std::size_t(result.ptr - text_.data());
    if (!at_end() && std::string_view(" \t\r,)").find(text_[at_]) == std::string_view::npos)
      fail(fmt::format("a blank, ',' or ')' after the {} coordinate of vertex {} of {}", axis, vertex, name));
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Grain parse_wkt_polygon(std::string_view text) { return WktReader(text).polygon(); }

// zlib reads uncompressed files unchanged.
std::string read_outline_text(const std::filesystem::path& path) {
  const auto refuse = [&](std::string_view why) { throw GeometryError(fmt::format("{}: {}", path.string(), why)); };
  std::error_code error;
  if (!std::filesystem::exists(path, error)) refuse(error ? error.message() : "the file does not exist");
  if (!std::filesystem::is_regular_file(path, error)) refuse("is not a file");
  const gzFile file = gzopen(path.c_str(), "rb");
  if (!file) refuse("the file cannot be read");
  // A small compressed file may hold any number of bytes, so the text and each line are limited.
  constexpr std::size_t most = std::size_t{2} << 30, longest_line = std::size_t{64} << 20;
  std::string text, chunk(1 << 16, '\0');
  std::size_t line_start = 0;
  int got = 0;
  while ((got = gzread(file, chunk.data(), unsigned(chunk.size()))) > 0) {
    if (const auto end = chunk.rfind('\n', std::size_t(got) - 1); end != std::string::npos)
      line_start = text.size() + end + 1;
    text.append(chunk, 0, std::size_t(got));
    if (text.size() <= most && text.size() - line_start <= longest_line) continue;
    gzclose_r(file);
    if (text.size() > most) refuse("found more than 2 GB of text, allowed at most so much");
    refuse(fmt::format("found a line {} of more than 64 MB, allowed at most so much",
                       1 + std::count(text.begin(), text.end(), '\n')));
  }
  // A truncated file shows only when it is closed.
  const bool damaged = got < 0;
  if (gzclose_r(file) != Z_OK || damaged) refuse("the compressed file is damaged or incomplete");
  return text;
}

void for_each_outline_line(std::string_view text, const std::function<void(std::string_view, int)>& visit) {
  int number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // the byte-order mark of some programs
  for (std::size_t start = 0, end = 0; start < text.size(); start = end + 1) {
    end = std::min(text.find('\n', start), text.size());
    ++number;
    std::string_view line = text.substr(start, end - start);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos || line.front() == '#') continue;
    visit(line, number);
  }
}

std::vector<std::string_view> outline_columns(std::string_view line) {
  for (const char separator : {'\t', ';', ','}) {
    std::vector<std::string_view> columns;
    int depth = 0;
    bool quoted = false;
    std::size_t start = 0;
    for (std::size_t k = 0; k <= line.size(); ++k) {
      const char c = k < line.size() ? line[k] : separator;
      if (c == '"') quoted = !quoted;
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (k < line.size() && (c != separator || (separator != '\t' && (depth > 0 || quoted)))) continue;
      std::string_view column = line.substr(start, k - start);
      const auto first = column.find_first_not_of(" \t"), last = column.find_last_not_of(" \t");
      column = first == std::string_view::npos
                   ? column.substr(0, 0)
                   : column.substr(
                         first, last - first +
                                    1);  // no null pointer: is_outline_header and read_grains build names from columns
      if (column.size() > 1 && column.front() == '"' && column.back() == '"')
        column = column.substr(1, column.size() - 2);
      columns.push_back(column);
      start = k + 1;
    }
    if (columns.size() > 1 || separator == ',') return columns;
  }
  return {};
}

bool is_outline_header(const std::vector<std::string_view>& columns) {
  if (columns.size() < 2 || columns[0].find_first_not_of("+-.0123456789") == std::string_view::npos)
    return false;  // a number: an outline that lost its brackets
  return std::ranges::none_of(columns, [](std::string_view column) {
    constexpr std::string_view polygon = "polygon ";
    return column.empty() || column.find_first_of("()") != std::string_view::npos ||
           (column.size() > polygon.size() &&
            std::equal(polygon.begin(), polygon.end(), column.begin(),
                       [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); }));
  });
}

std::vector<Grain> read_grains(const std::filesystem::path& path) {
  std::vector<Grain> grains;
  bool first = true;
  for_each_outline_line(read_outline_text(path), [&](std::string_view line, int number) {
    try {
      const auto columns = outline_columns(line);
      if (std::exchange(first, false) && is_outline_header(columns)) return;
      if (columns.size() < 2 || columns[0].empty())
        throw GeometryError(
            "expected id<TAB>[name<TAB>]POLYGON((x y, ...)) in a line, or commas or semicolons for the tabs");
      Grain grain = parse_wkt_polygon(columns.back());
      grain.id = columns[0];
      if (columns.size() > 2) grain.name = std::string(columns[1].begin(), columns[columns.size() - 2].end());
      grain.line = number;
      grains.push_back(std::move(grain));
    } catch (const GeometryError& e) {
      throw GeometryError(fmt::format("{}:{}: {}", path.string(), number, e.what()));
    }
  });
  if (grains.empty()) throw GeometryError(fmt::format("{}: holds no outline", path.string()));
  return grains;
}

Outline scaled_about_centroid(const Outline& outline, double factor) {
  if (!(factor > 0) || !std::isfinite(factor))
    throw GeometryError(fmt::format("the factor that scales an outline must be positive, found {}", factor));
  const Vec2 centroid = area_properties(outline).centroid;
  Outline scaled;
  scaled.reserve(outline.size());
  for (const Vec2 v : outline) scaled.push_back(centroid + factor * (v - centroid));
  return scaled;
}

}  // namespace dem::geometry
