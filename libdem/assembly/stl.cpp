#include "libdem/assembly/stl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <unordered_map>

#include "libdem/platform/number_text.hpp"
#include "libdem/platform/text_file.hpp"

namespace dem {
namespace {

constexpr double same_place = 1e-9;              // of the largest extent
constexpr std::size_t header = 84, record = 50;  // bytes of a binary file before the first facet, and per facet

struct Facet {
  Triangle corners;  ///< in the unit of the file
  Vec3 normal;       ///< as in the file; often zero
  int line = 0;      ///< ASCII: first line
};

[[noreturn]] void refuse(const std::string& name, std::string_view what) {
  throw ContentError(fmt::format("{}: {}", name, what));
}

std::string at(Vec3 v) { return fmt::format("({:.9g}, {:.9g}, {:.9g})", v.x, v.y, v.z); }

std::uint32_t little_endian(std::string_view bytes, std::size_t from) {
  std::uint32_t word = 0;
  for (std::size_t k = 0; k < 4; ++k) word |= std::uint32_t(static_cast<unsigned char>(bytes[from + k])) << (8 * k);
  return word;
}

class AsciiReader {
 public:
  AsciiReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::vector<Facet> facets() {
    std::vector<Facet> all;
    do {  // a file may hold several solids
      expect("solid", "");
      skip_line();
      for (std::string_view next = word("'facet' or 'endsolid'"); !is(next, "endsolid");
           next = word("'facet' or 'endsolid'")) {
        const std::string of = fmt::format(" of facet {}", all.size() + 1);
        if (!is(next, "facet")) refuse_word(next, "'facet' or 'endsolid'");
        Facet& f = all.emplace_back();
        f.line = line_;
        expect("normal", of);
        f.normal = vector("its normal" + of);
        expect("outer", of);
        expect("loop", of);
        for (std::size_t k = 0; k < 3; ++k) {
          expect("vertex", of);
          f.corners[k] = vector(fmt::format("vertex {}{}", k + 1, of));
        }
        expect("endloop", of);
        expect("endfacet", of);
      }
      skip_line();  // the name of the solid may be repeated
    } while (!at_end());
    return all;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
  static bool is(std::string_view found, std::string_view wanted) {
    return std::ranges::equal(found, wanted,
                              [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a - 'A' + 'a') : a) == b; });
  }
  bool at_end() {
    for (; at_ < text_.size() && is_blank(text_[at_]); ++at_)
      if (text_[at_] == '\n') ++line_;
    return at_ == text_.size();
  }
  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  std::string_view word(std::string_view wanted) {
    if (at_end())
      dem::refuse(fmt::format("{}:{}", name_, line_),
                  fmt::format("the file ends where {} should be: it is truncated", wanted));
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    return text_.substr(from, at_ - from);
  }
  [[noreturn]] void refuse_word(std::string_view found, std::string_view wanted) const {
    dem::refuse(fmt::format("{}:{}", name_, line_), fmt::format("found '{}', wanted {}", found.substr(0, 40), wanted));
  }
  void expect(std::string_view wanted, std::string_view of) {
    const std::string all = fmt::format("'{}'{}", wanted, of);
    if (const std::string_view found = word(all); !is(found, wanted)) refuse_word(found, all);
  }
  double number(const std::string& wanted) {
    const std::string_view found = word(wanted);
    const auto value = finite_number(found);
    if (!value) refuse_word(found, "a number, " + wanted);
    return *value;
  }
  Vec3 vector(const std::string& of) {
    const double x = number("x of " + of), y = number("y of " + of), z = number("z of " + of);
    return {x, y, z};
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

std::vector<Facet> binary_facets(std::string_view bytes, const std::string& name) {
  std::vector<Facet> all(little_endian(bytes, header - 4));
  for (std::size_t f = 0; f < all.size(); ++f) {
    std::array<double, 12> numbers;
    for (std::size_t k = 0; k < 12; ++k) {
      numbers[k] = double(std::bit_cast<float>(little_endian(bytes, header + f * record + 4 * k)));
      if (!std::isfinite(numbers[k]))
        refuse(name, fmt::format("facet {}, byte {}: found {}, wanted a finite number", f + 1,
                                 header + f * record + 4 * k, numbers[k]));
    }
    const auto vector = [&](std::size_t k) { return Vec3{numbers[k], numbers[k + 1], numbers[k + 2]}; };
    all[f] = {{vector(3), vector(6), vector(9)}, vector(0), 0};
  }
  return all;
}

std::vector<Facet> facets_of(std::string_view bytes, const std::string& name) {
  // Headers of binary files often begin with "solid" as well. Only the length, or bytes that no text has, distinguish
  // the two kinds.
  const bool counted = bytes.size() >= header;
  const std::uint64_t wanted = counted ? header + record * std::uint64_t(little_endian(bytes, header - 4)) : header;
  if (counted && bytes.size() == wanted) return binary_facets(bytes, name);
  const auto is_text = [](char c) { return static_cast<unsigned char>(c) >= 0x20 || (c >= '\t' && c <= '\r'); };
  if (bytes.find_first_not_of(" \t\r\n") != std::string_view::npos && std::ranges::all_of(bytes, is_text))
    return AsciiReader(bytes, name).facets();
  if (!counted)
    refuse(name, fmt::format("{} bytes, which is no STL file: a binary one has a header of {}", bytes.size(), header));
  refuse(name, fmt::format("a binary STL file of {} facets has {} bytes, but this one has {}: it is truncated, or the "
                           "number of facets is wrong",
                           little_endian(bytes, header - 4), wanted, bytes.size()));
}

/// Gives all vertices closer than `tolerance` the place of the first one.
class Welder {
 public:
  Welder(Vec3 low, double tolerance) : low_(low), tolerance_(tolerance) {}

  std::size_t index(Vec3 v) {
    const auto cell = [&](double x, double low) { return std::int64_t(std::floor((x - low) / tolerance_)); };
    const std::array own{cell(v.x, low_.x), cell(v.y, low_.y), cell(v.z, low_.z)};
    for (std::int64_t i = -1; i <= 1; ++i)
      for (std::int64_t j = -1; j <= 1; ++j)
        for (std::int64_t k = -1; k <= 1; ++k)
          if (const auto found = cells_.find({own[0] + i, own[1] + j, own[2] + k}); found != cells_.end())
            for (const std::size_t known : found->second)
              if (norm(places[known] - v) <= tolerance_) return known;
    cells_[own].push_back(places.size());
    places.push_back(v);
    return places.size() - 1;
  }
  std::vector<Vec3> places;

 private:
  struct Hash {
    std::size_t operator()(const std::array<std::int64_t, 3>& c) const {
      std::uint64_t h = 0;
      for (const std::int64_t x : c) h = (h ^ std::uint64_t(x)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
      return h;
    }
  };
  Vec3 low_;
  double tolerance_;
  std::unordered_map<std::array<std::int64_t, 3>, std::vector<std::size_t>, Hash> cells_;
};

}  // namespace

std::vector<Triangle> parse_stl(std::string_view bytes, const std::string& name, double scale) {
  if (!(scale > 0) || !std::isfinite(scale))
    throw std::runtime_error(fmt::format("{}: the scale must be a number > 0, found {}", name, scale));
  const std::vector<Facet> facets = facets_of(bytes, name);
  if (facets.empty()) refuse(name, "the surface has no facet");
  const auto label = [&](std::size_t f) {
    return facets[f].line > 0 ? fmt::format("facet {} (line {})", f + 1, facets[f].line)
                              : fmt::format("facet {}", f + 1);
  };

  Vec3 low = facets[0].corners[0], high = low;
  for (const Facet& f : facets)
    for (const Vec3 v : f.corners) {
      low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
  const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z}), tolerance = same_place * size;
  if (!(size > 0)) refuse(name, fmt::format("all vertices lie at {}", at(low)));

  Welder welder(low, tolerance);
  std::vector<std::array<std::size_t, 3>> corners;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    auto& own = corners.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) own[k] = welder.index(facets[f].corners[k]);
    const Vec3 a = welder.places[own[0]], b = welder.places[own[1]], c = welder.places[own[2]],
               area = cross(b - a, c - a);
    const double longest = std::max({norm(b - a), norm(c - b), norm(a - c)});
    if (!(norm(area) > tolerance * longest))
      refuse(name, fmt::format("{} has no area: its vertices are {}, {}, {}", label(f), at(a), at(b), at(c)));
    if (dot(area, facets[f].normal) < 0)
      refuse(
          name,
          fmt::format("{} states a normal {} against the order of its vertices {}, {}, {}, which give its side as well",
                      label(f), at(facets[f].normal), at(a), at(b), at(c)));
  }

  struct Edge {
    std::size_t facets = 0, first = 0, same_sense = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Edge> edges;
  for (std::size_t f = 0; f < facets.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t from = corners[f][k], to = corners[f][(k + 1) % 3];
      Edge& edge = edges[std::minmax(from, to)];
      if (edge.facets++ == 0) edge.first = f;
      edge.same_sense += from < to;
    }
  // The first bad facet is named, for any order of the edges.
  const Edge* worst = nullptr;
  std::pair<std::size_t, std::size_t> ends;
  std::size_t open = 0, shared = 0, turned = 0;
  for (const auto& [key, edge] : edges) {
    const bool is_open = edge.facets == 1, is_shared = edge.facets > 2,
               is_turned = edge.facets == 2 && edge.same_sense != 1;
    open += is_open, shared += is_shared, turned += is_turned;
    if ((is_open || is_shared || is_turned) && (!worst || edge.first < worst->first)) worst = &edge, ends = key;
  }
  if (worst) {
    const std::string where = fmt::format("the edge from {} to {} of {}", at(welder.places[ends.first]),
                                          at(welder.places[ends.second]), label(worst->first));
    const std::string counts =
        fmt::format("; in all {} edges of one facet, {} of more than two, {} of two facets of opposite orientation",
                    open, shared, turned);
    if (worst->facets == 2)
      refuse(name, fmt::format("{} is passed in the same sense by both its facets: they are oriented inconsistently{}",
                               where, counts));
    refuse(name,
           fmt::format("{} belongs to {} facet{}: {}{}", where, worst->facets, worst->facets == 1 ? "" : "s",
                       worst->facets == 1 ? "the surface is not closed" : "no more than two can meet in a surface",
                       counts));
  }

  std::vector<Triangle> triangles;
  triangles.reserve(facets.size());
  for (const auto& own : corners)
    triangles.push_back({scale * welder.places[own[0]], scale * welder.places[own[1]], scale * welder.places[own[2]]});
  return triangles;
}

std::vector<Triangle> read_stl(const std::filesystem::path& path, double scale) {
  return parse_stl(read_data_file(path), path.string(), scale);
}

}  // namespace dem
