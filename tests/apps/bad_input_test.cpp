// Bad input as a new user meets it: a sentence, an exit code, and nothing left behind that looks like results.
#include <algorithm>
#include <regex>

#include "apps/cli_tools.hpp"
#include "libdem/results/folder.hpp"

using cli::Folder;
using cli::has;
using cli::with;
namespace fs = std::filesystem;

namespace {

const std::string voronoi =
    "format = 1\n[assembly]\ngenerator = \"voronoi\"\ncolumns = 5\nrows = 6\n[plates]\n[material]\n"
    "normal_stiffness = 400.0\ntangential_stiffness_ratio = 0.3\nfriction = 0.5\nrestitution = 0.8\n[time]\n"
    "step = 0.001\n[[stage]]\nshear_rate = 0.1\nstrain = 0.01\n";

struct WithVoronoi {
  const Folder folder{"case.toml", voronoi};
};

std::string of_grains(const std::string& file, const std::string& more = "") {
  return with(with(with(voronoi, "generator = \"voronoi\"\ncolumns = 5\nrows = 6",
                        "generator = \"grains\"\nfile = \"" + file + "\"" + more),
                   "[plates]\n", ""),
              "shear_rate = 0.1\nstrain = 0.01", "duration = 0.01");
}

/// Names in the working folder besides the case, the shell's two files and those that the test put there.
std::vector<std::string> left_behind(const Folder& folder, const std::vector<std::string>& own) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (name != "apps" && name != "case.toml" && name != "stdout.txt" && name != "stderr.txt" &&
        std::find(own.begin(), own.end(), name) == own.end())
      found.push_back(name);
  }
  return found;
}

/// `dem check` and `dem run` refuse the case with one line that holds all the parts, and leave nothing.
void refused(const Folder& folder, const std::string& text, const std::vector<std::string>& parts,
             std::vector<std::string> own = {}) {
  folder.write("case.toml", text);
  for (const char* command : {"check case.toml", "run case.toml", "run case.toml -o out"}) {
    const auto result = folder.refuses(2, command, parts);
    BOOST_TEST(result.out.empty(), result.out);
    BOOST_TEST(std::count(result.err.begin(), result.err.end(), '\n') == 1, result.err);
    BOOST_TEST(left_behind(folder, own).empty(), command);
  }
}

/// Nothing in the folder is half-written: no temporary names, and every file of its kind can be read.
void everything_is_whole(const fs::path& results) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(results)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string text = cli::text_of(entry.path()), kind = entry.path().extension().string();
    BOOST_TEST_CONTEXT(entry.path()) {
      BOOST_TEST((kind == ".h5" || kind == ".svg" || kind == ".vtp" || kind == ".pvd" || kind == ".toml" ||
                  kind == ".txt" || kind == ".json"));
      if (kind == ".svg") BOOST_TEST(has(text, "</svg>"));
      if (kind == ".vtp" || kind == ".pvd") BOOST_TEST(has(text, "</VTKFile>"));
    }
  }
  BOOST_TEST(files > 0);
  const auto folder = dem::ResultsFolder::open(results);
  if (!fs::is_empty(results / "series")) BOOST_CHECK_NO_THROW(folder.read_series());
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_case_of_these_tests_is_good, WithVoronoi) {
  const auto result = folder.dem("run case.toml -o out");
  BOOST_TEST(result.code <= 1, result.err);  // 1: so short a run may be judged bad
  BOOST_TEST(result.err.empty(), result.err);
  everything_is_whole(folder.path() / "out");
}

/// tests/bad-cases has the messages of keys and values.
BOOST_FIXTURE_TEST_CASE(keys_values_and_a_time_step_above_the_limit_of_polygons, cli::InFolder) {
  refused(folder, with(voronoi, "friction = 0.5\n", "friction = 0.5\nrotational_dampin = 1\n"),
          {"case.toml:11: material.rotational_dampin: found an unknown key",
           "nearest known key: material.rotational_damping"});
  refused(folder, with(voronoi, "step = 0.001", "step = 0.001 s"), {"case.toml:13:", "not TOML"});
  refused(
      folder, with(voronoi, "step = 0.001", "step = 0.1"),
      {"case.toml:13: time.step: found 0.1 s, allowed at most ", "k_n = ", "contacts", "time.override_limit = true"});
}

BOOST_FIXTURE_TEST_CASE(bodies_that_start_in_each_other, cli::InFolder) {
  const std::string spike =
      "[[body]]\nname = \"spike\"\nshape = \"polygon\"\nvertices = [[0, 0], [0.2, 0], [0.2, 3], [0, 3]]\nposition = ";
  refused(folder, voronoi + spike + "[2.5, -0.2]\n",  // right through the bottom plate
          {"case.toml", "(group bottom-plate) and body ", " 'spike' (group free) overlap by",
           "largest_start_overlap allows 0.05"});
  refused(folder, voronoi + spike + "[2.5, 2.2]\n", {"'spike'", "(group free)", "largest_start_overlap"});
  // Through a wall: behind it from the start.
  const std::string walls =
      with(of_grains("two.tsv"), "[[stage]]", "[[wall]]\nname = \"floor\"\nfrom = [0, 0]\nto = [1, 0]\n[[stage]]");
  folder.write("two.tsv",
               "a\tPOLYGON((0 1, 1 1, 1 2, 0 2, 0 1))\nb\tPOLYGON((3 -0.5, 4 -0.5, 4 0.5, 3 0.5, 3 -0.5))\n");
  refused(folder, walls, {" 'b' (group free) and body ", " 'floor' (group wall)", "largest_start_overlap"},
          {"two.tsv"});
}

BOOST_FIXTURE_TEST_CASE(grain_files, cli::InFolder) {
  const std::string good = "good\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))\n";
  const std::pair<std::string, cli::Parts> rows[]{
      {"# a file of grains without any\n", {"g.tsv", "no outline"}},
      {good + "bow\tPOLYGON((4 0, 5 1, 5 0, 4 1, 4 0))\n",
       {"g.tsv:2: grain 'bow': the edge from vertex 1 to 2 crosses"}},
      {good + "typo\tPOLYGN((4 0, 5 1, 5 0, 4 0))\n", {"g.tsv:2: expected POLYGON"}},
      {good + "ring\tPOLYGON((4 0, 9 0, 9 5, 4 5, 4 0),(5 1, 6 1, 6 2, 5 1))\n",
       {"g.tsv:2: grain 'ring' has 1 hole(s)", "fill_holes"}},
      {good + "line\tPOLYGON((4 0, 5 0, 6 0, 4 0))\n", {"g.tsv:2: grain 'line'"}}};
  for (const auto& [text, parts] : rows) {
    folder.write("g.tsv", text);
    refused(folder, of_grains("g.tsv"), parts, {"g.tsv"});
  }
}

BOOST_FIXTURE_TEST_CASE(results_that_exist_stay_as_they_are, WithVoronoi) {
  BOOST_TEST(folder.dem("run case.toml -o out --until-step 20").code == 0);
  const std::string before = folder.text("out/checkpoint.h5");
  const auto again = folder.refuses(3, "run case.toml -o out", {"out", "--overwrite"});
  BOOST_TEST(again.out.empty(), again.err + again.out);
  BOOST_TEST(folder.text("out/checkpoint.h5") == before);
  // A bad case does not cost the results that are there either.
  folder.write("case.toml", with(voronoi, "step = 0.001", "step = 0.1"));
  BOOST_TEST(folder.dem("run case.toml -o out --overwrite").code == 2);
  BOOST_TEST(folder.text("out/checkpoint.h5") == before);
  // Nor does --overwrite take a folder that holds no results.
  folder.write("case.toml", voronoi);
  fs::create_directories(folder.path() / "mine");
  folder.write("mine/thesis.tex", "years of work");
  BOOST_TEST(folder.dem("run case.toml -o mine --overwrite").code == 3);
  BOOST_TEST(folder.holds("mine/thesis.tex"));
  BOOST_TEST(folder.dem("run case.toml -o out --overwrite --until-step 20").code == 0);
}

BOOST_FIXTURE_TEST_CASE(places_that_cannot_be_written, WithVoronoi) {
  for (const char* place : {"case.toml", "case.toml/below", "/dev/full", "/dev/full/below", "/proc/nowhere"}) {
    const auto result = folder.refuses(3, std::string("run case.toml -o ") + place, {place});
    BOOST_TEST_CONTEXT(place << ": " << result.err) {
      BOOST_TEST(std::count(result.err.begin(), result.err.end(), '\n') == 1);
      BOOST_TEST(left_behind(folder, {}).empty());
    }
  }
  BOOST_TEST(folder.text("case.toml") == voronoi);
}

BOOST_AUTO_TEST_CASE(a_disk_that_fills_up_leaves_whole_files) {
  // A limit on the size of files stands for the full disk. It is met at the first file or in the middle.
  for (const int kilobytes : {1, 8, 24, 32}) {
    const Folder folder("case.toml", with(voronoi, "strain = 0.01", "strain = 0.05"));
    BOOST_TEST_CONTEXT(kilobytes << " kB") {
      folder.refuses(3, "run case.toml -o out", {"out"}, "trap '' XFSZ; ulimit -f " + std::to_string(kilobytes) + ";");
      BOOST_TEST(!folder.holds("out/verdict.txt"));  // nothing says that this run is done
      if (folder.holds("out/README.txt") && folder.holds("out/series")) everything_is_whole(folder.path() / "out");
    }
    if (!folder.holds("out/checkpoint.h5")) continue;
    const auto resumed = folder.dem("resume out");  // with room again, the run goes on from its checkpoint
    BOOST_TEST(resumed.code <= 1, resumed.err);
    resumed.prints({"State hash"});
  }
}

BOOST_FIXTURE_TEST_CASE(folders_that_cannot_be_resumed, cli::InFolder) {
  fs::create_directories(folder.path() / "empty");
  folder.refuses(3, "resume empty", {"holds no results"});
  folder.write("case.toml", voronoi);
  BOOST_TEST(folder.dem("run case.toml -o out --until-step 20").code == 0);
  const std::string kept = folder.text("out/case.toml");
  folder.write("out/case.toml", with(kept, "format = 1", "format = 7"));
  folder.refuses(2, "resume out", {"format: found 7, allowed 1"});
  folder.write("out/case.toml", kept);
  // A bit that flipped, and a checkpoint cut short: the other one is used if it is whole.
  const fs::path newest = folder.path() / "out/checkpoint.h5", previous = folder.path() / "out/checkpoint.previous.h5";
  fs::remove(previous);
  std::string bytes = cli::text_of(newest);
  bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 1);
  folder.write("out/checkpoint.h5", bytes);
  folder.refuses(3, "resume out", {"checkpoint.h5"});
  folder.write("out/checkpoint.h5", bytes.substr(0, bytes.size() / 3));
  folder.refuses(3, "resume out", {"truncated"});
}

BOOST_AUTO_TEST_CASE(a_run_that_blows_up_names_step_contact_and_cause) {
  const Folder folder("case.toml", with(with(voronoi, "step = 0.001", "step = 0.03\noverride_limit = true"),
                                        "strain = 0.01", "strain = 5.0"));
  const auto result = folder.gives(5, "run case.toml -o out", {"Verdict: bad"}, {"Likely cause: ", "out"});
  for (const char* words : {"step [0-9]+ \\(t = [0-9.e+-]+ s\\)",
                            "body [0-9]+ \\(group [a-z-]+\\) with body [0-9]+ \\(group [a-z-]+\\), overlap"})
    BOOST_TEST(std::regex_search(result.err, std::regex(words)), result.err);
  everything_is_whole(folder.path() / "out");
  folder.shows("out/verdict.txt", {"The run blew up at step "});
}
