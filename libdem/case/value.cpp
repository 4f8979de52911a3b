#include "libdem/case/value.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <utility>

#include "libdem/bounds.hpp"
#include "libdem/platform/number_text.hpp"

namespace dem::case_file {

using laws::Key;
using laws::KeyForm;

namespace {

/// Whole numbers are allowed where a number is expected.
std::optional<double> number_in(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.data)) return double(*whole);
  if (const auto* real = std::get_if<double>(&value.data)) return *real;
  return {};
}

template <class I>
bool decode_whole(const Value& value, const Limits& limits, I& out) {
  const auto* whole = std::get_if<std::int64_t>(&value.data);
  if (!whole || !limits.range.contains(double(*whole))) return false;
  if (*whole < 0 && std::is_unsigned_v<I>) return false;
  if (std::is_same_v<I, int> && std::abs(double(*whole)) > std::numeric_limits<int>::max()) return false;
  out = I(*whole);
  return true;
}

/// Control characters could reach terminals, and line ends the files of results.
bool has_control(std::string_view text, std::string_view allowed) {
  return std::ranges::any_of(text, [&](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 || code == 0x7f) && allowed.find(c) == allowed.npos;
  });
}

/// ", each …" for the numbers of a list.
std::string each_number(const Limits& limits) {
  const bool bounded = limits.range.low > -infinity || limits.range.high < infinity;
  return bounded ? ", each " + range_text("number", limits.range) : "";
}

Limits limits_of(const KeyForm& form) {
  if (form.kind == KeyForm::Kind::text) return {};
  if (form.kind == KeyForm::Kind::number || form.kind == KeyForm::Kind::whole || form.kind == KeyForm::Kind::vector)
    return form.range;
  Limits limits;
  for (const auto& [word, meaning] : form.words) limits.words.push_back(word);
  return limits;
}

/// Calls f with an empty value of the key's type.
template <class F>
auto with_type(KeyForm::Kind kind, F f) {
  using Kind = KeyForm::Kind;
  if (kind == Kind::truth) return f(false);
  if (kind == Kind::number) return f(0.0);
  if (kind == Kind::whole) return f(0);
  if (kind == Kind::words) return f(std::vector<std::string>{});
  if (kind == Kind::vector) return f(Vec3{});
  return f(std::string{});
}

/// A text may have lines, as the source of functions has.
bool decode_lines(const Value& value, Key::Value& out) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text) return false;
  Value joined = value;
  std::string line = *text;
  std::ranges::replace(line, '\n', ' ');
  joined.data = line;
  if (!decode(joined, {}, line)) return false;
  out = *text;
  return true;
}

}  // namespace

std::string range_text(std::string_view noun, const Range& r) {
  const bool low = r.low > -infinity, high = r.high < infinity;
  const auto text = [](double x) { return std::abs(x) < 1e6 ? fmt::format("{}", x) : fmt::format("{:g}", x); };
  const auto from_to = [&] { return fmt::format("from {} to {}", text(r.low), text(r.high)); };
  if (low && r.low == r.high) return text(r.low);
  if (low && high && r.zero) return fmt::format("a {} >= 0: 0, or {}", noun, from_to());
  // A bound that only excludes absurd numbers comes after the bound that matters.
  if (low && high && r.high > 1e5 && r.low < 1) {
    if (r.low < 0) return fmt::format("a {} {}", noun, from_to());
    if (r.low == 0) return fmt::format("a {} {} 0, at most {}", noun, r.low_open ? ">" : ">=", text(r.high));
    return fmt::format("a {} > 0, {}", noun, from_to());
  }
  if (low && high)
    return fmt::format("a {} in {}{}, {}{}", noun, r.low_open ? '(' : '[', text(r.low), text(r.high),
                       r.high_open ? ')' : ']');
  if (low) return fmt::format("a {} {} {}", noun, r.low_open ? ">" : ">=", text(r.low));
  if (high) return fmt::format("a {} {} {}", noun, r.high_open ? "<" : "<=", text(r.high));
  return fmt::format("a {}", noun);
}

bool decode(const Value& value, const Limits&, bool& out) {
  const auto* truth = std::get_if<bool>(&value.data);
  if (truth) out = *truth;
  return truth != nullptr;
}
bool decode(const Value& value, const Limits& limits, int& out) { return decode_whole(value, limits, out); }
bool decode(const Value& value, const Limits& limits, std::uint64_t& out) { return decode_whole(value, limits, out); }
bool decode(const Value& value, const Limits& limits, double& out) {
  const auto number = number_in(value);
  if (!number || !limits.range.contains(*number)) return false;
  out = *number;
  return true;
}
bool decode(const Value& value, const Limits& limits, Vec2& out) {
  std::vector<double> parts;
  if (!decode(value, limits, parts) || parts.size() != 2) return false;
  out = {parts[0], parts[1]};
  return true;
}
bool decode(const Value& value, const Limits& limits, Vec3& out) {
  std::vector<double> parts;
  if (!decode(value, limits, parts) || parts.size() > 3 || parts.size() < (value.dimension == 3 ? 3 : 2)) return false;
  out = {parts[0], parts[1], parts.size() == 3 ? parts[2] : 0};
  return true;
}
bool decode(const Value& value, const Limits& limits, std::string& out) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text || !limits.has(*text) || has_control(*text, "\t")) return false;
  out = *text;
  return true;
}
bool decode(const Value& value, const Limits&, std::filesystem::path& out) {
  const auto* text = std::get_if<std::string>(&value.data);
  if (!text || text->empty() || has_control(*text, "\t\n")) return false;  // a folder may have such a name
  out = *text;
  return true;
}
bool decode(const Value& value, const Limits&, Quaternion& out) {
  std::vector<double> q;
  if (!decode(value, any_number, q) || q.size() != 4) return false;
  const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  if (!(std::abs(std::sqrt(square) - 1) <= 1e-6)) return false;
  // A length of one to rounding is kept, so that a written quaternion reads back to the same bits.
  const double scale = std::abs(square - 1) > 1e-15 ? 1 / std::sqrt(square) : 1;
  out = {scale * q[0], scale * q[1], scale * q[2], scale * q[3]};
  return true;
}
bool decode(const Value& value, const Limits& limits, ClusterSphere& out) {
  std::vector<double> s;
  if (!decode(value, limits, s) || s.size() != 4 || !(s[3] >= bounds::smallest_length)) return false;
  out = {{s[0], s[1], s[2]}, s[3]};
  return true;
}
bool decode(const Value& value, const Limits& limits, WallVelocity& out) {
  const auto* parts = std::get_if<std::vector<Value>>(&value.data);
  return parts && parts->size() == 2 && decode((*parts)[0], {}, out.wall) && decode((*parts)[1], limits, out.velocity);
}

std::string encode(bool truth) { return truth ? "true" : "false"; }
std::string encode(int whole) { return fmt::format("{}", whole); }
std::string encode(std::uint64_t whole) { return fmt::format("{}", whole); }
std::string encode(double x) { return number_text(x); }
std::string encode(Vec2 pair) { return fmt::format("[{}, {}]", encode(pair.x), encode(pair.y)); }
std::string encode(Vec3 v, int dimension) {
  return dimension == 2 && v.z == 0 ? encode(planar(v)) : encode(std::vector{v.x, v.y, v.z});
}
std::string encode(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}
std::string encode(const std::filesystem::path& path) { return path.empty() ? "" : encode(path.string()); }
std::string encode(const Quaternion& q) { return encode(std::vector{q.w, q.x, q.y, q.z}); }
std::string encode(const ClusterSphere& s) {
  return encode(std::vector{s.position.x, s.position.y, s.position.z, s.radius});
}
std::string encode(const WallVelocity& w, int dimension) {
  return fmt::format("[{}, {}]", encode(w.wall), encode(w.velocity, dimension));
}

Description describe(bool, const Limits&) { return {"true or false", "true or false"}; }
Description describe(double, const Limits& limits) { return {"number", range_text("number", limits.range)}; }
Description describe(Vec2, const Limits& limits) { return {"[x, y]", "two numbers [x, y]" + each_number(limits)}; }
Description describe(Vec3, const Limits& limits) {
  const std::string each = each_number(limits);
  return {"[x, y]; 3D [x, y, z]",
          fmt::format("two numbers [x, y], with dimension = 3 three numbers [x, y, z]{}", each),
          {},
          fmt::format("two numbers [x, y]{}", each),
          fmt::format("three numbers [x, y, z] with dimension = 3{}", each)};
}
Description describe(const std::string&, const Limits& limits) {
  if (limits.words.empty()) return {"text", "text in quotes, on one line, without control characters"};
  return {"choice", "one of " + listed(limits.words)};
}
Description describe(const std::filesystem::path&, const Limits&) {
  return {"file name", "the name of a file, relative to the case file, not empty"};
}
Description describe(const std::vector<std::string>&, const Limits& limits) {
  return {"list of words", "a list, empty or of " + listed(limits.words) + ", each once"};
}
Description describe(const geometry::Outline&, const Limits& limits) {
  return {"list of [x, y]", "at least three vertices [[x, y], [x, y], …]" + each_number(limits)};
}
Description describe(const std::vector<double>&, const Limits& limits) {
  return {"list of numbers", fmt::format("a list, each {}", range_text("number", limits.range))};
}
Description describe(const Quaternion&, const Limits&) {
  return {"[w, x, y, z]", "four numbers [w, x, y, z], a quaternion of unit length (to 1e-6)"};
}
Description describe(const std::vector<ClusterSphere>&, const Limits& limits) {
  return {"list of [x, y, z, r]",
          fmt::format("at least one sphere [[x, y, z, r], …], each with a radius r > 0, from {:g} to {:g}, and "
                      "coordinates from {:g} to {:g}",
                      bounds::smallest_length, limits.range.high, limits.range.low, limits.range.high)};
}
Description describe(const std::vector<WallVelocity>&, const Limits& limits) {
  const auto pairs = [&](const char* vector) {
    return fmt::format("at least one pair [[\"name\", {}], …] of a wall and its velocity{}", vector,
                       each_number(limits));
  };
  return {"list of [name, [x, y]]; 3D [name, [x, y, z]]",
          pairs("[x, y]") + "; with dimension = 3 three numbers [x, y, z]",
          {},
          pairs("[x, y]"),
          pairs("[x, y, z]") + ", three numbers with dimension = 3"};
}

std::string encode_key(const Key::Value& value, int dimension) {
  return std::visit(
      [&](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(v)>, std::array<double, 3>>)
          return encode(Vec3{v[0], v[1], v[2]}, dimension);
        else
          return encode(v);
      },
      value);
}

bool decode_key(const KeyForm& form, const Value& value, Key::Value& out) {
  if (const auto* truth = std::get_if<bool>(&value.data); truth && form.kind == KeyForm::Kind::word) {
    Value word = value;  // history = true means "true"
    word.data = std::string(*truth ? "true" : "false");
    return decode_key(form, word, out);
  }
  if (form.kind == KeyForm::Kind::text) return decode_lines(value, out);
  return with_type(form.kind, [&](auto read) {
    if (!decode(value, limits_of(form), read)) return false;
    if constexpr (std::is_same_v<decltype(read), Vec3>)
      out = std::array{read.x, read.y, read.z};
    else
      out = std::move(read);
    return true;
  });
}

Description describe_key(const KeyForm& form) {
  Description words = with_type(form.kind, [&](const auto& value) { return describe(value, limits_of(form)); });
  if (form.kind == KeyForm::Kind::text)
    words.allowed = "text in quotes, which may have lines, without other control characters";
  if (form.kind == KeyForm::Kind::word || form.kind == KeyForm::Kind::words) words.meanings = form.words;
  return words;
}

}  // namespace dem::case_file
