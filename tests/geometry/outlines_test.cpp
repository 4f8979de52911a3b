// Files of outlines: what is read and what is refused. Simplification stays within its tolerance.
#include "geometry/outlines.hpp"

#include <zlib.h>

#include "geometry/random.hpp"
#include "refusals.hpp"
#include "results/results_test_tools.hpp"

using namespace dem::geometry;
using testing::check_refused, testing::refusal;

namespace {

/// A file in a folder of its own.
struct TemporaryFile : TemporaryFolder {
  std::filesystem::path file;
  explicit TemporaryFile(const std::string& name, const std::string& text = {}) : file(write(name, text)) {}
};

void write_compressed(const std::filesystem::path& path, const std::string& text) {
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), unsigned(text.size()));
  gzclose(file);
}

/// Largest distance of a vertex of one outline from the other.
double farthest_vertex(const Outline& from, const Outline& to) {
  double worst = 0;
  for (const Vec2 p : from) {
    double nearest = INFINITY;
    for (std::size_t k = 0; k < to.size(); ++k) {
      const Vec2 a = to[k], d = to[(k + 1) % to.size()] - a;
      nearest = std::min(nearest, norm(p - (a + std::clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0) * d)));
    }
    worst = std::max(worst, nearest);
  }
  return worst;
}

const char* const example =
    "# two grains\n"
    "7\tquartz\tPOLYGON((0 0,4 0,4 3,0 3,0 0),(1 1,1 2,2 2,1 1))\n"
    "\n"
    "8\tPOLYGON ((0.5 -1e1, 1.5 -10 , 1 -9,0.5 -10) )\r\n";

void check_example(const std::vector<Grain>& grains) {
  BOOST_REQUIRE(grains.size() == 2u);
  BOOST_TEST(grains[0].id == "7");
  BOOST_TEST(grains[0].name == "quartz");
  BOOST_TEST(grains[0].line == 2);
  BOOST_TEST((grains[0].outline == Outline{{0, 0}, {4, 0}, {4, 3}, {0, 3}}));
  BOOST_REQUIRE(grains[0].holes.size() == 1u);
  BOOST_TEST((grains[0].holes[0] == Outline{{1, 1}, {1, 2}, {2, 2}}));
  BOOST_TEST(grains[1].id == "8");
  BOOST_TEST(grains[1].name == "");
  BOOST_TEST(grains[1].line == 4);
  BOOST_TEST((grains[1].outline == Outline{{0.5, -10}, {1.5, -10}, {1, -9}}));
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_plain_and_compressed_files) {
  check_example(read_grains(TemporaryFile("grains.tsv", example).file));
  const TemporaryFile compressed("grains.tsv.gz");
  write_compressed(compressed.file, example);
  check_example(read_grains(compressed.file));
}

/// Empty columns belong to the name; a first line that lost its brackets is an error and no header.
BOOST_AUTO_TEST_CASE(names_with_empty_columns_and_lines_without_brackets) {
  const auto read = [](const std::string& text) { return read_grains(TemporaryFile("columns.tsv", text).file); };
  BOOST_TEST(read("1\tquartz\t\tPOLYGON((0 0,1 0,0 1,0 0))\n")[0].name == "quartz\t");
  BOOST_TEST(read("1\t\tquartz\tPOLYGON((0 0,1 0,0 1,0 0))\n")[0].name == "\tquartz");
  BOOST_TEST(read("id,name,outline\n1,a,POLYGON((0 0,1 0,0 1,0 0))\n").size() == 1u);
  for (const char* line : {"1\tPOLYGON 0 0,1 0,0 1,0 0\n", "grain\tpolygon 0 0,1 0,0 1\n", "17;quartz\n"})
    BOOST_CHECK_THROW(read(line + std::string("2\tPOLYGON((0 0,1 0,0 1,0 0))\n")), GeometryError);
}

BOOST_AUTO_TEST_CASE(numbers_are_read_to_the_last_bit) {
  const Grain g = parse_wkt_polygon("polygon((0.1 +2.5e-3,1.4757320538067253 -0,3 1e2,0.1 0.0025))");
  BOOST_TEST((g.outline == Outline{{0.1, 0.0025}, {1.4757320538067253, -0.0}, {3, 100}}));
}

BOOST_AUTO_TEST_CASE(refused_text_of_outlines) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "expected POLYGON((x y, ...)) at character 1, found the end of the text"},
      {"MULTIPOLYGON(((0 0,1 0,0 1,0 0)))", "expected POLYGON((x y, ...)) at character 1, found 'MULTIPOLYGON"},
      {"POLYGON EMPTY", "expected '(' after POLYGON at character 9, found 'EMPTY'"},
      {"POLYGON 0 0,1 0,0 1,0 0", "expected '(' after POLYGON"},
      {"POLYGON(0 0,1 0,0 1,0 0)", "expected '(' before the vertices of the outer ring at character 9"},
      {"POLYGON((0 0,1 0,0 1,0 0)", "or ')' at the end of the polygon at character 26, found the end of the text"},
      {"POLYGON((0 0,1 0,0 1,0 0", "expected ',' or ')' after the two coordinates of vertex 4 of the outer ring"},
      {"POLYGON((0 0,1 0,0 1,0 0)) x", "expected the end of the polygon at character 28, found 'x'"},
      {"POLYGON((0 0,1,0 1,0 0))", "a finite number as the y coordinate of vertex 2 of the outer ring at character 15"},
      {"POLYGON((0 0 0,1 0 0,0 1 0,0 0 0))", "after the two coordinates of vertex 1 of the outer ring"},
      {"POLYGON((0 0,1 0,0 1,0))", "y coordinate of vertex 4 of the outer ring"},
      {"POLYGON((0 0,1 a,0 1,0 0))", "y coordinate of vertex 2 of the outer ring at character 16, found 'a,0 1"},
      {"POLYGON((0 0,1 0.5.1,0 1,0 0))", "a blank, ',' or ')' after the y coordinate of vertex 2"},
      {"POLYGON((0 0,nan 0,0 1,0 0))", "a finite number as the x coordinate of vertex 2"},
      {"POLYGON((0 0,1e999 0,0 1,0 0))", "a finite number as the x coordinate of vertex 2"},
      {"POLYGON((0 0,1 0,0 1,0 0.1))", "ring is not closed: its last vertex (0, 0.1) must repeat the first (0, 0)"},
      {"POLYGON((0 0))", "the outer ring is not closed"},
      {"POLYGON((0 0,1 0,0 0))", "the outer ring has 2 different vertices; at least 3 are needed"},
      {"POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 1))", "hole 1 has 2 different vertices"},
      {"POLYGON((0 0,9 0,0 9,0 0),(1 1,2 1,1 2,1 1),(1 1,2 b))", "y coordinate of vertex 2 of hole 2"},
  };
  for (const auto& [text, expected] : cases) check_refused(expected, [text = text] { parse_wkt_polygon(text); });
}

BOOST_AUTO_TEST_CASE(refused_files_name_file_and_line) {
  const auto refused = [](const std::filesystem::path& path, const std::string& message) {
    check_refused(message, [&] { read_grains(path); });
  };
  const std::tuple<const char*, const char*, const char*> rows[] = {
      {"bad.tsv", "# comment\n1\tPOLYGON((0 0,1 0,0 1,0 0))\n2\tPOLYGON((0 0,1 0,0 1))\n",
       "bad.tsv:3: the outer ring is not closed"},
      {"bare.tsv", "POLYGON((0 0,1 0,0 1,0 0))\n", "bare.tsv:1: expected id<TAB>[name<TAB>]POLYGON"},
      {"empty.tsv", "", "empty.tsv: holds no outline"},
      {"comments.tsv", "# nothing\n\n", "holds no outline"}};
  for (const auto& [name, text, message] : rows) refused(TemporaryFile(name, text).file, message);
  const TemporaryFile cut("cut.tsv.gz");
  refused(cut.path / "missing.tsv", "missing.tsv: the file does not exist");
  refused(cut.path, "is not a file");
  std::string long_text;
  Random random(1);
  for (int k = 0; k < 500; ++k)
    long_text += std::to_string(k) + "\tPOLYGON((0 0," + std::to_string(random.uniform()) + " 0,0 1,0 0))\n";
  write_compressed(cut.file, long_text);
  BOOST_TEST(read_grains(cut.file).size() == 500u);
  std::filesystem::resize_file(cut.file, std::filesystem::file_size(cut.file) / 2);
  refused(cut.file, "cut.tsv.gz: the compressed file is damaged or incomplete");
}

BOOST_AUTO_TEST_CASE(scaling_about_the_centroid) {
  const Outline o{{10, 10}, {14, 10}, {14, 13}, {10, 13}};
  BOOST_TEST((scaled_about_centroid(o, 0.5) == Outline{{11, 10.75}, {13, 10.75}, {13, 12.25}, {11, 12.25}}));
  check_refused("must be positive", [&] { scaled_about_centroid(o, 0); });
}

BOOST_AUTO_TEST_CASE(simplification_keeps_tolerance_and_simplicity) {
  // Blobs with steps of pixels, and combs whose teeth are thinner than the tolerance.
  Random random(5);
  std::size_t before = 0, after = 0;
  for (int round = 0; round < 60; ++round) {
    Outline outline;
    if (round % 3 == 2) {
      const double gap = 0.05 + random.uniform(), depth = 20 * random.uniform() + 1;
      for (int k = 0; k < 10; ++k) {
        const double x = 2 * gap * k;
        outline.insert(outline.end(), {{x, 0}, {x, depth}, {x + gap, depth}, {x + gap, 0}});
      }
      outline.insert(outline.end(), {{outline.back().x, -1}, {0, -1}});
    } else {
      const int n = 200;
      const double wave = 3 * random.uniform(), phase = 7 * random.uniform();
      for (int k = 0; k < n; ++k) {
        const double a = 2 * pi * k / n, r = 30 + wave * std::sin(7 * a + phase) + 0.7 * random.uniform();
        const Vec2 v{std::round(2 * r * std::cos(a)) / 2, std::round(2 * r * std::sin(a)) / 2};
        if (outline.empty() || (outline.back() != v && outline.front() != v)) outline.push_back(v);
      }
    }
    if (refusal([&] { check_simple(outline); }) != "accepted") continue;  // rounding made it touch itself
    const double tolerance = 2 * random.uniform();
    const Outline result = simplified(outline, tolerance);
    BOOST_CHECK_NO_THROW(check_simple(result));
    BOOST_TEST(farthest_vertex(outline, result) <= tolerance * (1 + 1e-12));
    for (const Vec2 v : result) BOOST_TEST((std::find(outline.begin(), outline.end(), v) != outline.end()));
    before += outline.size();
    after += result.size();
  }
  BOOST_TEST(before > 4000u);
  BOOST_TEST(after * 4 < before);  // and something was taken away
}

BOOST_AUTO_TEST_CASE(simplification_of_plain_shapes) {
  const Outline square{{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 2}, {0, 2}};  // two vertices too many
  const Outline result = simplified(square, 1e-9);
  BOOST_TEST(result.size() == 4u);
  BOOST_TEST(area_properties(result).area == 4);
  BOOST_TEST((simplified(square, 0) == square));
  BOOST_TEST(simplified({{0, 0}, {1, 0}, {0, 1}}, 10).size() == 3u);
  BOOST_TEST(simplified(square, 100).size() >= 3u);
  check_refused("at least 0", [&] { simplified(square, -1); });
  check_refused("crosses", [] { simplified({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, 0.1); });
}
