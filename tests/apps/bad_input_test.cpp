// Bad input as a new user meets it: a sentence, an exit code, and nothing left behind that looks like results.
#include <algorithm>

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

/// Names in the working folder besides the case and the shell's two files.
std::vector<std::string> left_behind(const Folder& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (name != "apps" && name != "case.toml" && name != "stdout.txt" && name != "stderr.txt") found.push_back(name);
  }
  return found;
}

/// `dem check` and `dem run` refuse the case with one line that holds all the parts, and leave nothing.
void refused(const Folder& folder, const std::string& text, const std::vector<std::string>& parts) {
  folder.write("case.toml", text);
  for (const char* command : {"check case.toml", "run case.toml", "run case.toml -o out"}) {
    const auto result = folder.refuses(2, command, parts);
    BOOST_TEST(result.out.empty(), result.out);
    BOOST_TEST(std::count(result.err.begin(), result.err.end(), '\n') == 1, result.err);
    BOOST_TEST(left_behind(folder).empty(), command);
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
BOOST_FIXTURE_TEST_CASE(keys_and_values, cli::InFolder) {
  refused(folder, with(voronoi, "friction = 0.5\n", "friction = 0.5\nrotational_dampin = 1\n"),
          {"case.toml:11: material.rotational_dampin: found an unknown key",
           "nearest known key: material.rotational_damping"});
  refused(folder, with(voronoi, "step = 0.001", "step = 0.001 s"), {"case.toml:13:", "not TOML"});
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
  folder.write("case.toml", voronoi);
  BOOST_TEST(folder.dem("run case.toml -o out --overwrite --until-step 20").code == 0);
}

BOOST_FIXTURE_TEST_CASE(places_that_cannot_be_written, WithVoronoi) {
  for (const char* place : {"case.toml", "case.toml/below", "/dev/full", "/dev/full/below", "/proc/nowhere"}) {
    const auto result = folder.refuses(3, std::string("run case.toml -o ") + place, {place});
    BOOST_TEST_CONTEXT(place << ": " << result.err) {
      BOOST_TEST(std::count(result.err.begin(), result.err.end(), '\n') == 1);
      BOOST_TEST(left_behind(folder).empty());
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
