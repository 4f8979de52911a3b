// STL surfaces: both kinds give the same triangles, and messages name the place in a bad file.
#include "libdem/assembly/stl.hpp"

#include "libdem/platform/file_error.hpp"
#include "results/results_test_tools.hpp"
#include "support/message_of.hpp"
#include "support/text.hpp"

namespace {

/// A tetrahedron with its corners at the origin and at 1 on the axes, outward.
const std::vector<Triangle> tetrahedron{{Vec3{0, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 0, 0}},
                                        {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}},
                                        {Vec3{0, 0, 0}, Vec3{0, 0, 1}, Vec3{0, 1, 0}},
                                        {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}};

Vec3 normal_of(const Triangle& t) {
  const Vec3 area = cross(t[1] - t[0], t[2] - t[0]);
  return norm(area) > 0 ? (1 / norm(area)) * area : area;
}

std::string ascii(const std::vector<Triangle>& triangles) {
  std::string out = "solid a name of several words\n";
  for (const Triangle& t : triangles) {
    const Vec3 n = normal_of(t);
    out += fmt::format("  facet normal {} {} {}\n    outer loop\n", n.x, n.y, n.z);
    for (const Vec3 v : t) out += fmt::format("      vertex {} {} {}\n", v.x, v.y, v.z);
    out += "    endloop\n  endfacet\n";
  }
  return out + "endsolid a name of several words\n";
}

std::string binary(const std::vector<Triangle>& triangles, const std::string& start = "") {
  std::string out = start;
  out.resize(80, ' ');
  const auto word = [&out](std::uint32_t w) {
    for (int k = 0; k < 4; ++k) out += char(w >> (8 * k) & 255u);
  };
  const auto vector = [&](Vec3 v) {
    for (const double x : {v.x, v.y, v.z}) word(std::bit_cast<std::uint32_t>(float(x)));
  };
  word(std::uint32_t(triangles.size()));
  for (const Triangle& t : triangles) {
    vector(normal_of(t));
    for (const Vec3 v : t) vector(v);
    out += std::string(2, '\0');
  }
  return out;
}

void check_refused(const std::string& bytes, const std::string& start, const std::string& part = "") {
  const std::string text = message_of<FileError>([&] { parse_stl(bytes, "f.stl"); });
  BOOST_TEST((text.starts_with(start) && text.find(part) != text.npos), text << " instead of " << start);
}

double volume(const std::vector<Triangle>& triangles) {
  double sum = 0;
  for (const Triangle& t : triangles) sum += dot(t[0], cross(t[1], t[2])) / 6;
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_kinds_of_stl_are_read) {
  BOOST_TEST((parse_stl(ascii(tetrahedron), "f") == tetrahedron));
  BOOST_TEST((parse_stl(binary(tetrahedron), "f") == tetrahedron));
  BOOST_TEST((parse_stl(binary(tetrahedron, "solid made by some program"), "f") == tetrahedron));
  const auto scaled = parse_stl(ascii(tetrahedron), "f", 1e-3);
  BOOST_TEST(scaled[1][1].x == 1e-3);
  BOOST_TEST(std::abs(volume(scaled) / (1e-9 / 6) - 1) < 1e-14);

  // Other ways to write the same: capitals, signs, line ends, several solids, normals of zero.
  std::string other = with(ascii(tetrahedron), "facet normal 0 0 -1", "FACET NORMAL 0 0 0");
  other = with(other, "vertex 0 1 0", "VERTEX +0.0 1E0 -0.0");
  std::string crlf;
  for (const char c : other) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  BOOST_TEST((parse_stl(crlf, "f") == tetrahedron));
  std::vector<Triangle> second = tetrahedron;
  for (Triangle& t : second)
    for (Vec3& v : t) v.x += 5;
  BOOST_TEST(parse_stl(other + ascii(second), "f").size() == 8u);
}

BOOST_AUTO_TEST_CASE(stl_files) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.write("f.stl", binary(tetrahedron));
  BOOST_TEST((read_stl(file) == tetrahedron));
  std::filesystem::remove(file);
  BOOST_CHECK_EXCEPTION(read_stl(file), FileError, says(file.string()));
}

BOOST_AUTO_TEST_CASE(vertices_that_are_close_become_one) {
  auto loose = tetrahedron;
  loose[1][1] = {1 + 5e-10, 2e-10, -0.0};
  loose[3][2] = {-0.0, 0, 1 - 9e-10};
  const auto read = parse_stl(ascii(loose), "f");
  const auto bits = [](Vec3 a) { return std::bit_cast<std::array<std::uint64_t, 3>>(a); };
  BOOST_TEST((bits(read[1][1]) == bits(read[0][2]) && bits(read[3][2]) == bits(read[1][2])));
  loose[1][1] = {1 + 5e-9, 0, 0};  // too far: another vertex, so that edges have one facet
  check_refused(ascii(loose), "f.stl: ", "not closed");
}

BOOST_AUTO_TEST_CASE(truncated_stl_files) {
  const std::string text = ascii(tetrahedron);
  const std::string bytes = binary(tetrahedron), solid = binary(tetrahedron, "solid");
  const std::string size = "f.stl: a binary STL file of 4 facets has 284 bytes, but this one has ";
  const std::pair<std::string, std::string> rows[] = {
      {text.substr(0, text.find("endsolid")), "f.stl:30: the file ends where 'facet' or 'endsolid' should be"},
      {text.substr(0, text.find("endloop")), "f.stl:7: the file ends where 'endloop' of facet 1 should be"},
      {text.substr(0, text.find("vertex 1 0 0") + 8),
       "f.stl:6: the file ends where y of vertex 3 of facet 1 should be"},
      {bytes.substr(0, bytes.size() - 1), size + "283"},
      {bytes + "x", size + "285"},
      {solid.substr(0, 234), size + "234"},
      {std::string(40, '\0'), "f.stl: 40 bytes, which is no STL file"},
      {"", "f.stl: 0 bytes"},
      {binary({}), "f.stl: the surface has no facet"},
      {"solid empty\nendsolid\n", "f.stl: the surface has no facet"}};
  for (const auto& [file, message] : rows) check_refused(file, message);
}

BOOST_AUTO_TEST_CASE(bad_words_and_numbers_of_stl) {
  const char* const rows[][3] = {
      {"vertex 1 0 0", "vertex 1 0,5 0", "f.stl:6: found '0,5', wanted a number, y of vertex 3 of facet 1"},
      {"vertex 1 0 0", "vertex nan 0 0", "f.stl:6: found 'nan', wanted a number, x of vertex 3 of facet 1"},
      {"vertex 1 0 0", "vertex 1e999 0 0", "f.stl:6: found '1e999'"},
      {"outer loop", "outer ring", "f.stl:3: found 'ring', wanted 'loop' of facet 1"},
      {"    endloop", "      vertex 0 0 0\n    endloop", "f.stl:7: found 'vertex', wanted 'endloop' of facet 1"},
      {"normal 0 0 -1", "normal 0 0 1", "f.stl: facet 1 (line 2) states a normal (0, 0, 1) against the order"}};
  for (const auto& [from, to, message] : rows) check_refused(with(ascii(tetrahedron), from, to), message);
  check_refused("v 0 0 0\n", "f.stl:1: found 'v', wanted 'solid'");
  std::string bytes = binary(tetrahedron);
  const std::uint32_t nan = std::bit_cast<std::uint32_t>(NAN);
  for (std::size_t k = 0; k < 4; ++k) bytes[84 + 50 + 16 + k] = char(nan >> (8 * k) & 255u);
  check_refused(bytes, "f.stl: facet 2, byte 150: found nan, wanted a finite number");
}

BOOST_AUTO_TEST_CASE(refused_surfaces_of_stl) {
  auto bad = tetrahedron;
  bad[2] = {Vec3{0, 0, 0}, Vec3{0, 0, 0.5}, Vec3{0, 0, 1}};
  check_refused(ascii(bad), "f.stl: facet 3 (line 16) has no area", "(0, 0, 0.5)");
  check_refused(binary(bad), "f.stl: facet 3 has no area");
  bad[2] = {Vec3{0, 0, 0}, Vec3{0, 0, 1}, Vec3{5e-10, 0, 0}};  // two vertices become one
  check_refused(ascii(bad), "f.stl: facet 3 (line 16) has no area");
  check_refused(ascii({{Vec3{1, 1, 1}, Vec3{1, 1, 1}, Vec3{1, 1, 1}}}), "f.stl: all vertices lie at (1, 1, 1)");

  bad = tetrahedron;
  bad.erase(bad.begin() + 2);
  check_refused(
      ascii(bad),
      "f.stl: the edge from (0, 0, 0) to (0, 1, 0) of facet 1 (line 2) belongs to 1 facet: the surface is not closed",
      "in all 3 edges of one facet");

  bad = tetrahedron;
  bad.push_back({Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, -1, 0}});  // a fin
  check_refused(ascii(bad), "f.stl: the edge from (0, 0, 0) to (1, 0, 0) of facet 1 (line 2) belongs to 3 facets",
                "no more than two");
  bad.back() = tetrahedron[0];  // the same facet twice
  check_refused(ascii(bad), "f.stl: the edge from (0, 0, 0) to (0, 1, 0) of facet 1 (line 2) belongs to 3 facets");

  bad = tetrahedron;
  std::swap(bad[3][0], bad[3][1]);
  check_refused(binary(bad),
                "f.stl: the edge from (0, 1, 0) to (1, 0, 0) of facet 1 is passed in the same sense by both its facets",
                "3 of two facets");
}

BOOST_AUTO_TEST_CASE(a_closed_surface_of_many_facets) {
  std::vector<Triangle> sphere;  // of latitudes and longitudes
  constexpr int n = 24;
  const auto point = [](int i, int j) {
    const double theta = M_PI * i / n, phi = 2 * M_PI * (j % (2 * n)) / (2 * n);
    return Vec3{i % n == 0 ? 0 : std::sin(theta) * std::cos(phi), i % n == 0 ? 0 : std::sin(theta) * std::sin(phi),
                std::cos(theta)};
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      if (i > 0) sphere.push_back({point(i, j), point(i + 1, j), point(i, j + 1)});
      if (i + 1 < n) sphere.push_back({point(i, j + 1), point(i + 1, j), point(i + 1, j + 1)});
    }
  for (const std::string& bytes : {ascii(sphere), binary(sphere)}) {
    const auto read = parse_stl(bytes, "f");
    BOOST_TEST(read.size() == std::size_t(4 * n * (n - 1)));
    BOOST_TEST(std::abs(volume(read) / (4 * M_PI / 3) - 1) < 0.02);
  }
}
