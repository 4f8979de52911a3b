// dem overlap, run as a user does.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>

#include "apps/cli_tools.hpp"
#include "support/csv.hpp"

using cli::Folder;
namespace fs = std::filesystem;

namespace {

using Row = dem::test::Cells;
std::vector<Row> table(const std::string& text) {
  std::istringstream in(text);
  return dem::test::lines_of(in, '\t');
}

const std::string header =
    "id\tcomponent\tarea\tcentroid_x\tcentroid_y\tperimeter\tarea-gradient\tchord\tedge-mean\tedge-mean-unsigned\tedge-"
    "mean-branch\tedge-axial\n";
const std::string square = "POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))";
const std::string clockwise = "POLYGON((0.9 0.6, 0.9 1.6, 1.9 1.6, 1.9 0.6, 0.9 0.6))";  // U1, the other way round
const std::string apart = "POLYGON((5 5, 6 5, 6 6, 5 5))";
const std::string holed = "POLYGON((-1 -1, 2 -1, 2 2, -1 2, -1 -1),(0.2 0.2, 0.4 0.2, 0.4 0.4, 0.2 0.2))";

}  // namespace

BOOST_AUTO_TEST_CASE(a_table_of_pairs_with_seventeen_digits) {
  const Folder folder("pairs.tsv",
                      "# comment\n\nU1\t" + square + "\t" + clockwise + "\nfar\t" + square + "\t" + apart + "\n");
  for (const std::string method : {"", " --geometry fast", " --geometry exact"}) {
    const auto ran = folder.gives(0, "overlap pairs.tsv" + method);
    BOOST_TEST(ran.err.empty());
    BOOST_TEST(ran.out.starts_with(header));
    const auto rows = table(ran.out);
    BOOST_TEST_REQUIRE(rows.size() == 3U);
    const std::vector<double> expected{1,   0.04, 0.95, 0.8, 1, -75.963756532073521, -75.963756532073521,
                                       -18, -18,  -72,  90};
    BOOST_TEST(rows[1][0] == "U1");
    for (std::size_t k = 0; k < expected.size(); ++k)
      BOOST_TEST(std::abs(std::stod(rows[1][k + 1]) - (k < 5 ? expected[k] : expected[k] * std::numbers::pi / 180)) <
                 1e-12);
    BOOST_TEST((rows[2] == Row{"far", "0", "0", "nan", "nan", "nan", "nan", "nan", "nan", "nan", "nan", "nan"}));
  }
  // Seventeen digits give the double back.
  folder.write("p.tsv", "a\t" + square + "\tPOLYGON((0.3 0.3, 0.7 0.3, 0.3 0.9, 0.3 0.3))\n");
  const auto rows = table(folder.dem("overlap p.tsv").out);
  BOOST_TEST_REQUIRE(rows.size() == 2U);
  BOOST_TEST(rows[1][5].size() >= 18U);  // the perimeter is irrational
  BOOST_TEST(fmt::format("{:.17g}", std::stod(rows[1][5])) == rows[1][5]);
}

BOOST_AUTO_TEST_CASE(all_pairs_prints_only_overlapping_ones_of_different_ids) {
  const Folder folder("grains.tsv",
                      "a\tquartz\t" + square + "\nb\t" + apart + "\nc\t" + clockwise + "\nd\t" + holed + "\n");
  const auto refused = folder.gives(2, "overlap --all-pairs grains.tsv");
  BOOST_TEST(refused.out.empty());
  BOOST_TEST(refused.err == "grains.tsv:4: outline 'd': has 1 hole; take outer rings only with --fill-holes\n");
  for (const std::string method : {"fast", "exact"}) {
    const auto rows = table(folder.gives(0, "overlap --all-pairs grains.tsv --fill-holes --geometry " + method).out);
    BOOST_TEST_REQUIRE(rows.size() == 4U);
    BOOST_TEST(rows[1][0] == "a-c");
    BOOST_TEST(rows[2][0] == "a-d");
    BOOST_TEST(rows[3][0] == "c-d");
    BOOST_TEST(std::abs(std::stod(rows[2][2]) - 1) < 1e-14);
    BOOST_TEST(rows[2][6] == "nan");  // a lies inside d
  }
  folder.write("twice.tsv", "a\t" + square + "\n# b\nb\t" + apart + "\na\t" + clockwise + "\n");
  const auto twice = folder.gives(2, "overlap --all-pairs twice.tsv");
  BOOST_TEST(twice.out.empty());
  BOOST_TEST(twice.err == "twice.tsv:4: id 'a' is that of line 1 already; ids name the pairs and must differ\n");
}

BOOST_FIXTURE_TEST_CASE(bad_input_is_refused_with_file_and_line, cli::InFolder) {
  const auto message = [&](const std::string& text) {
    folder.write("bad.tsv", text);
    const auto ran = folder.gives(2, "overlap bad.tsv");
    BOOST_TEST(ran.out.empty());
    return ran.err;
  };
  const std::string
      columns =
          "expected a pair, id<TAB>POLYGON((x y, ...))<TAB>POLYGON((x y, ...)) (or with commas or semicolons), found ",
      open = "POLYGON((0 0, 1 0, 1 1))", of_1 = "1: polygon 1 of pair 'x': ", of_2 = "1: polygon 2 of pair 'x': ",
      not_closed = "the outer ring is not closed: its last vertex (1, 1) must repeat the first (0, 0)";
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"# one\nx\t" + square, "2: " + columns + "2 columns"},
           {"x " + square + " " + square, "1: " + columns + "1 column"},  // blanks where tabs belong
           {"x\t" + open + "\t" + square, of_1 + not_closed},
           {"x\t" + square + "\t" + open, of_2 + not_closed},
           {"# nothing", " holds no pair"},
           {"x\tPOLYGON((0 0, 1 0, 1 0, 0 1, 0 0))\t" + square, of_1 + "vertex 3 repeats vertex 2 at (1, 0)"},
           {"x\t" + square + "\t" + holed, of_2 + "has 1 hole; take outer rings only with --fill-holes"}})
    BOOST_TEST(message(text + "\n") == "bad.tsv:" + expected + "\n");
  BOOST_TEST(folder.gives(3, "overlap no-such-file.tsv").err == "no-such-file.tsv: the file does not exist\n");
  for (const char* words : {"overlap", "overlap bad.tsv --all-pairs bad.tsv", "overlap bad.tsv --geometry guessed"})
    BOOST_TEST(folder.dem(words).code == 2, words);
}

// Counts and sums of data/grains/README.md (exact arithmetic). The fast method decides exactly too.
BOOST_AUTO_TEST_CASE(real_grains) {
  const fs::path grains = fs::path(LIBDEM_SHARED_DIR) / "data" / "grains";
  if (!fs::exists(grains)) {
    BOOST_TEST_MESSAGE("skipped: the grain outlines are not here (" << grains << ")");
    return;
  }
  const Folder folder;
  for (const auto& [file, count, components, area] : {std::tuple{"beach_pebbles.tsv.gz", 178u, 457u, 990.9655788886173},
                                                      {"rock_thin_section.tsv.gz", 28u, 28u, 0.017171287762557077}})
    for (const std::string method : {"fast", "exact"}) {
      BOOST_TEST_INFO(file << ", " << method);
      const auto rows = table(
          folder.dem("overlap --fill-holes --all-pairs '" + (grains / file).string() + "' --geometry " + method).out);
      BOOST_TEST_REQUIRE(rows.size() == components + 1);
      std::set<std::string> pairs;
      double sum = 0;
      for (std::size_t k = 1; k < rows.size(); ++k) {
        pairs.insert(rows[k][0]);
        sum += std::stod(rows[k][2]);
      }
      BOOST_TEST(pairs.size() == count);
      BOOST_TEST(std::abs(sum / area - 1) < 1e-13);
    }
}
