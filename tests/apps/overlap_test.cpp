// dem overlap, run as a user does.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace dem {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int code = -1;
  std::string out, err;
};

struct Folder {
  fs::path path = fs::temp_directory_path() / ("libdem-overlap-test-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  Ran run(const std::string& arguments) const {
    const std::string err = (path / "stderr").string();
    const std::string command = std::string("\"") + LIBDEM_PROGRAM + "\" overlap " + arguments + " 2>\"" + err + "\"";
    Ran result;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    BOOST_TEST_REQUIRE(pipe != nullptr);
    std::array<char, 4096> chunk;
    for (std::size_t n = 0; (n = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;)
      result.out.append(chunk.data(), n);
    const int status = ::pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::stringstream text;
    text << std::ifstream(err).rdbuf();
    result.err = text.str();
    return result;
  }
};

using Row = std::vector<std::string>;
std::vector<Row> table(const std::string& text) {
  std::vector<Row> rows;
  std::stringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Row row;
    std::stringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
    rows.push_back(row);
  }
  return rows;
}

const std::string header =
    "id\tcomponent\tarea\tcentroid_x\tcentroid_y\tperimeter\tarea-gradient\tchord\tedge-mean\tedge-mean-unsigned\t"
    "edge-mean-branch\tedge-axial\n";
const std::string square = "POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))";
const std::string clockwise = "POLYGON((0.9 0.6, 0.9 1.6, 1.9 1.6, 1.9 0.6, 0.9 0.6))";  // U1, the other way round
const std::string apart = "POLYGON((5 5, 6 5, 6 6, 5 5))";
const std::string holed = "POLYGON((-1 -1, 2 -1, 2 2, -1 2, -1 -1),(0.2 0.2, 0.4 0.2, 0.4 0.4, 0.2 0.2))";

BOOST_AUTO_TEST_SUITE(overlap_program)

BOOST_AUTO_TEST_CASE(a_table_of_pairs) {
  const Folder folder;
  const std::string file = folder.write(
      "pairs.tsv", "# comment\n\nU1\t" + square + "\t" + clockwise + "\nfar\t" + square + "\t" + apart + "\n");
  for (const std::string method : {"", " --geometry fast", " --geometry exact"}) {
    const Ran ran = folder.run(file + method);
    BOOST_TEST(ran.code == 0);
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
}

BOOST_AUTO_TEST_CASE(seventeen_digits_give_the_double_back) {
  const Folder folder;
  const auto rows = table(
      folder.run(folder.write("p.tsv", "a\t" + square + "\tPOLYGON((0.3 0.3, 0.7 0.3, 0.3 0.9, 0.3 0.3))\n")).out);
  BOOST_TEST_REQUIRE(rows.size() == 2U);
  BOOST_TEST(rows[1][5].size() >= 18U);  // the perimeter is irrational
  std::array<char, 40> again;
  std::snprintf(again.data(), again.size(), "%.17g", std::stod(rows[1][5]));
  BOOST_TEST(again.data() == rows[1][5]);
}

BOOST_AUTO_TEST_CASE(all_pairs_prints_only_overlapping_ones) {
  const Folder folder;
  const std::string file = folder.write(
      "grains.tsv", "a\tquartz\t" + square + "\nb\t" + apart + "\nc\t" + clockwise + "\nd\t" + holed + "\n");
  const Ran refused = folder.run("--all-pairs " + file);
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(refused.out.empty());
  BOOST_TEST(refused.err == file + ":4: outline 'd': has 1 hole; take outer rings only with --fill-holes\n");
  for (const std::string method : {"fast", "exact"}) {
    const Ran ran = folder.run("--all-pairs " + file + " --fill-holes --geometry " + method);
    BOOST_TEST(ran.code == 0);
    const auto rows = table(ran.out);
    BOOST_TEST_REQUIRE(rows.size() == 4U);
    BOOST_TEST(rows[1][0] == "a-c");
    BOOST_TEST(rows[2][0] == "a-d");
    BOOST_TEST(rows[3][0] == "c-d");
    BOOST_TEST(std::abs(std::stod(rows[2][2]) - 1) < 1e-14);
    BOOST_TEST(rows[2][6] == "nan");  // a lies inside d
  }
}

BOOST_AUTO_TEST_CASE(all_pairs_needs_different_ids) {
  const Folder folder;
  const std::string file =
      folder.write("twice.tsv", "a\t" + square + "\n# b\nb\t" + apart + "\na\t" + clockwise + "\n");
  const Ran refused = folder.run("--all-pairs " + file);
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(refused.out.empty());
  BOOST_TEST(refused.err == file + ":4: id 'a' is that of line 1 already; ids name the pairs and must differ\n");
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused_with_file_and_line) {
  const Folder folder;
  const auto message = [&](const std::string& text) {
    const Ran ran = folder.run(folder.write("bad.tsv", text));
    BOOST_TEST(ran.code == 2);
    BOOST_TEST(ran.out.empty());
    return ran.err;
  };
  const std::string at = (folder.path / "bad.tsv").string();
  BOOST_TEST(message("# one\nx\t" + square + "\n") ==
             at + ":2: expected a pair, id<TAB>POLYGON((x y, ...))<TAB>POLYGON((x y, ...)) (or with commas or "
                  "semicolons), found 2 columns\n");
  // Blanks where tabs belong.
  BOOST_TEST(message("x " + square + " " + square + "\n") ==
             at + ":1: expected a pair, id<TAB>POLYGON((x y, ...))<TAB>POLYGON((x y, ...)) (or with commas or "
                  "semicolons), found 1 column\n");
  // The first vertex must be there again at the end.
  const std::string open = "POLYGON((0 0, 1 0, 1 1))";
  const std::string not_closed = "the outer ring is not closed: its last vertex (1, 1) must repeat the first (0, 0)\n";
  BOOST_TEST(message("x\t" + open + "\t" + square + "\n") == at + ":1: polygon 1 of pair 'x': " + not_closed);
  BOOST_TEST(message("x\t" + square + "\t" + open + "\n") == at + ":1: polygon 2 of pair 'x': " + not_closed);
  BOOST_TEST(message("# nothing\n") == at + ": holds no pair\n");
  BOOST_TEST(message("x\t" + square + "\tPOLYGON((0 0, 2 2, 2 0, 0 2, 0 0))\n") ==
             at + ":1: polygon 2 of pair 'x': the edge from vertex 1 to 2 crosses the edge from vertex 3 to 4\n");
  BOOST_TEST(message("x\tPOLYGON((0 0, 1 0, 1 0, 0 1, 0 0))\t" + square + "\n") ==
             at + ":1: polygon 1 of pair 'x': vertex 3 repeats vertex 2 at (1, 0)\n");
  BOOST_TEST(message("x\t" + square + "\t" + holed + "\n") ==
             at + ":1: polygon 2 of pair 'x': has 1 hole; take outer rings only with --fill-holes\n");
  BOOST_TEST(message("x\tPOLYGON((0 0, one 0, 1 1, 0 0))\t" + square + "\n").find(at + ":1: polygon 1 of pair 'x': ") ==
             0U);
  BOOST_TEST(message("x\t" + square + "\tPOLYGON((0 0, 1 0))\n").find(at + ":1: ") == 0U);

  const Ran missing = folder.run("no-such-file.tsv");
  BOOST_TEST(missing.code == 3);
  BOOST_TEST(missing.err == "no-such-file.tsv: the file does not exist\n");
  BOOST_TEST(folder.run("").code == 2);
  BOOST_TEST(folder.run(at + " --all-pairs " + at).code == 2);
  BOOST_TEST(folder.run(at + " --geometry guessed").code == 2);
}

BOOST_AUTO_TEST_CASE(the_example_of_the_help_works) {
  const Folder folder;
  const std::string help = folder.run("--help").out;
  const std::string line = "dem overlap apps/examples/polygon-pairs.tsv";
  BOOST_TEST(help.find(line) != std::string::npos);
  const Ran ran = folder.run(std::string(LIBDEM_SOURCE_DIR) + "/apps/examples/polygon-pairs.tsv");
  BOOST_TEST(ran.code == 0);
  BOOST_TEST(table(ran.out).size() == 8U);
}

// Counts and sums of data/grains/README.md (exact arithmetic). The fast method decides exactly too, and finds all of
// them.
BOOST_AUTO_TEST_CASE(real_grains) {
  const fs::path grains = fs::path(LIBDEM_SHARED_DIR) / "data" / "grains";
  if (!fs::exists(grains)) {
    BOOST_TEST_MESSAGE("skipped: the grain outlines are not here (" << grains << ")");
    return;
  }
  struct Expected {
    std::string file;
    std::size_t pairs, components;
    double sum;
  };
  const Folder folder;
  for (const Expected& e : {Expected{"beach_pebbles.tsv.gz", 178, 457, 990.9655788886173},
                            Expected{"rock_thin_section.tsv.gz", 28, 28, 0.017171287762557077}})
    for (const std::string method : {"fast", "exact"}) {
      BOOST_TEST_INFO(e.file << ", " << method);
      const auto rows =
          table(folder.run("--fill-holes --all-pairs " + (grains / e.file).string() + " --geometry " + method).out);
      BOOST_TEST_REQUIRE(rows.size() == e.components + 1);
      std::set<std::string> pairs;
      double sum = 0;
      for (std::size_t k = 1; k < rows.size(); ++k) {
        pairs.insert(rows[k][0]);
        sum += std::stod(rows[k][2]);
      }
      BOOST_TEST(pairs.size() == e.pairs);
      BOOST_TEST(std::abs(sum / e.sum - 1) < 1e-13);
    }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace dem
