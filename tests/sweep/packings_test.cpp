// Rows that a sweep keeps of its points, and packings that points start from. tests/bad-sweeps has mistakes of both.
#include "libdem/platform/text_file.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/results/series.hpp"
#include "libdem/run/run_case.hpp"
#include "libdem/sweep/parts.hpp"
#include "libdem/sweep/point_run.hpp"
#include "libdem/sweep/points.hpp"
#include "libdem/sweep/sweep_folder.hpp"
#include "tests/sweep/sweep_cases.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

namespace fs = std::filesystem;

// Packings of seeds 1 and 2; each is sheared with two values of friction.
struct Files : TemporaryFolder {
  SweepSpec spec;
  explicit Files(const std::string& root = "", const std::string& more = "") {
    std::string cell = small_cell();
    cell.replace(cell.find("0.003"), 5, "0.002");  // the polygons of seed 2 need it
    const std::string stages = "stage = [", shear = "{name = \"shear\"";
    const auto from = cell.find(stages) + stages.size(), to = cell.find(shear);
    write("packing.toml", cell.substr(0, to) + "]\n");
    write("shear.toml", cell.substr(0, from) + cell.substr(to));
    write("sweep.toml", "format = 1\ncase = \"shear.toml\"\nkeep = \"series\"\n" + root +
                            "axis = [{key = \"material.friction\", values = [0.2, 0.5]}]\n"
                            "replicates = {count = 2, key = \"assembly.seed\"}\n"
                            "quantity = [{kind = \"final\", column = \"shear_ratio\"}]\n" +
                            more);
    spec = read_sweep(path / "sweep.toml");
  }
};

const std::string by_seed = "start_from = {case = \"packing.toml\", by = \"seed\"}\n";

struct BySeed {
  Files files{by_seed};
};

/// A point by the library alone.
std::vector<double> run(const SweepSpec& spec, std::size_t point, double stop = 0) {
  volatile double share = 0, wanted = stop;
  TaskProgress progress(&share, &wanted);
  fs::create_directories(spec.folder / "parts");
  return run_point(
      spec, point, progress,
      {1, sweep_folder::file_of(spec.folder, point, "h5"), sweep_folder::series_of(spec.folder, point), "this"});
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(points_start_from_the_packing_of_their_seed_and_keep_their_rows, BySeed) {
  const SweepTable table = run_sweep(files.spec, {2, files.path / "out", false, false});
  for (const std::string& message : table.message) BOOST_TEST(message == "");
  for (const std::size_t point : {0, 1, 2, 3}) {
    // The same by hand: the packing, then the case of the point.
    CaseDocument packing(read_file(files.path / "packing.toml"), "packing.toml");
    packing.set("assembly.seed", double(point % 2 + 1));
    const fs::path by_hand = files.path / "by-hand";
    BOOST_TEST(run_case(packing.read(), by_hand / "packing", {}, true).hash != 0u);
    const fs::path made = files.path / "out/packings" / (point % 2 == 0 ? "seed-1" : "seed-2");
    BOOST_TEST(csv_text(read_series(made / "series")) == csv_text(read_series(by_hand / "packing/series")));
    CaseDocument shear(read_file(files.path / "shear.toml"), "shear.toml");
    shear.set("assembly.seed", double(point % 2 + 1));
    shear.set("material.friction", point < 2 ? 0.2 : 0.5);
    shear.set("start_from", (by_hand / "packing").string());
    run_case(shear.read(), by_hand / "shear", {}, true);
    const Series rows = read_series(files.path / "out/series" / ("point-" + std::to_string(point + 1)));
    const Series expected = read_series(by_hand / "shear/series");
    BOOST_TEST(csv_text(rows) == csv_text(expected));
    BOOST_TEST(number(table, point, "shear_ratio") == expected.column("shear_ratio").back());
  }
}

BOOST_AUTO_TEST_CASE(rows_of_a_resumed_point_are_those_of_an_unbroken_one) {
  const Files files;
  SweepSpec spec = files.spec;
  CaseDocument document(spec.case_text, "shear.toml");
  document.set("output.checkpoint_interval", 1e-3);
  spec.case_text = document.text();
  spec = sweep_folder::placed(spec, files.path / "out");
  const std::vector<double> numbers = run(spec, 0);
  const fs::path folder = sweep_folder::series_of(spec.folder, 0), unfinished = folder.string() + ".unfinished",
                 checkpoint = sweep_folder::file_of(spec.folder, 0, "h5");
  const std::string rows = csv_text(read_series(folder));
  BOOST_TEST_REQUIRE(read_checkpoint(checkpoint).header().step > 0u);
  // From the last checkpoint. The later rows of the folder are dropped.
  fs::rename(folder, unfinished);
  BOOST_TEST(run(spec, 0) == numbers, tt::per_element());
  BOOST_TEST(csv_text(read_series(folder)) == rows);
  // Without the rows before the checkpoint the point begins again. A stop leaves the point unfinished.
  fs::remove_all(folder);
  BOOST_CHECK_THROW(run(spec, 0, 1), TaskStopped);
  BOOST_TEST(!fs::exists(folder));
  BOOST_TEST(run(spec, 0) == numbers, tt::per_element());
  BOOST_TEST(csv_text(read_series(folder)) == rows);
}

BOOST_FIXTURE_TEST_CASE(a_stopped_packing_goes_on, BySeed) {
  const SweepSpec spec = sweep_folder::placed(files.spec, files.path / "out");
  BOOST_CHECK_THROW(run(spec, 1, 1), TaskStopped);
  const fs::path made = packing_folder(spec, 1);
  BOOST_TEST(made.filename() == "seed-2");
  BOOST_TEST(fs::exists(made / "checkpoint.h5"));
  BOOST_TEST(!fs::exists(made / "verdict.json"));
  const SweepTable whole = run_sweep(files.spec, {1, files.path / "other", false, false});
  const double unbroken = number(whole, 1, "shear_ratio");
  BOOST_TEST(run(spec, 1).at(2) == unbroken);
}

BOOST_FIXTURE_TEST_CASE(a_damaged_packing_is_made_again, BySeed) {
  const SweepSpec spec = sweep_folder::placed(files.spec, files.path / "out");
  const std::vector<double> numbers = run(spec, 1);
  const fs::path made = packing_folder(spec, 1);
  for (const bool finished : {true, false}) {
    const fs::path status = made.string() + ".status";
    if (!finished) write_file(status, "begun" + read_file(status).substr(4));
    for (const char* file : {"checkpoint.h5", "checkpoint.previous.h5"})
      if (fs::exists(made / file)) fs::resize_file(made / file, 1000);
    BOOST_TEST(run(spec, 1) == numbers, tt::per_element());
  }
}

BOOST_FIXTURE_TEST_CASE(the_first_point_of_each_packing_starts_first, BySeed) {
  const std::vector<std::size_t> by_place{0, 1, 2, 3}, by_friction{0, 2, 1, 3};
  BOOST_TEST(starting_order(files.spec, expected_costs(files.spec)) == by_place, tt::per_element());
  files.spec.packing->by = files.spec.packing->key = "material.friction";
  BOOST_TEST(starting_order(files.spec, expected_costs(files.spec)) == by_friction, tt::per_element());
}

BOOST_AUTO_TEST_CASE(a_packing_that_fails_is_tried_once_and_says_why) {
  Files files(by_seed, "set.\"time.step\" = \"0.002\"\n");
  std::string packing = read_file(files.path / "packing.toml");
  files.write("packing.toml", packing.replace(packing.find("0.002"), 5, "0.2"));
  const SweepTable table = run_sweep(read_sweep(files.path / "sweep.toml"), {1, files.path / "out", false, false});
  for (std::size_t point = 0; point < 4; ++point)
    BOOST_TEST(has(table.message[point], "start_from: packings/seed-" + std::string(point % 2 == 0 ? "1" : "2") +
                                             " cannot be made: time.step: found 0."));
  BOOST_TEST(has(read_file(files.path / "out/packings/seed-2.status"), "failed\n"));
}

// 3 × 3 discs from a file, pressed into a cell of the width of their lattice.
BOOST_AUTO_TEST_CASE(a_packing_of_another_input_file_is_made_again) {
  const TemporaryFolder files;
  const auto write_discs = [&](double first) {
    std::string rows;
    for (int k = 0; k < 9; ++k) rows += fmt::format("{} {} 0.5\n", k % 3 + (k == 0 ? first : 0.0), k / 3);
    files.write("discs.txt", rows);
  };
  const std::string both =
      "format = 1\nassembly = {generator = \"import\", file = \"discs.txt\", largest_start_overlap = 0.2}\n"
      "cell = {periodic = [\"x\", \"y\"], size = [3.0, 3.0]}\ntime.step = 5e-4\n"
      "material = {density = 1.0, normal_stiffness = 1e3, tangential_stiffness_ratio = 0.5, friction = 0.5, "
      "restitution = 0.5}\n";
  files.write("packing.toml", both + "stage = [{duration = 0.05}]\n");
  files.write("shear.toml", both + "stage = [{rate_xy = 0.1, duration = 0.05}]\n");
  files.write("sweep.toml",
              "format = 1\ncase = \"shear.toml\"\nstart_from = {case = \"packing.toml\"}\n"
              "axis = [{key = \"material.friction\", values = [0.2, 0.5]}]\n"
              "quantity = [{kind = \"maximum\", column = \"kinetic_energy\"}]\n");
  write_discs(0.0);
  const SweepSpec spec = sweep_folder::placed(read_sweep(files.path / "sweep.toml"), files.path / "out");
  const std::vector<double> first = run(spec, 0);
  BOOST_TEST(run(spec, 0) == first, tt::per_element());
  write_discs(0.1);
  const std::vector<double> other = run(spec, 0);
  BOOST_TEST(other.at(2) != first.at(2));
  write_discs(0.0);
  BOOST_TEST(run(spec, 0) == first, tt::per_element());
  // A file that is away for a moment costs no packing.
  fs::rename(files.path / "discs.txt", files.path / "away.txt");
  BOOST_CHECK_THROW(run(spec, 1), FileError);
  BOOST_TEST(fs::exists(packing_folder(spec, 0) / "checkpoint.h5"));
  fs::rename(files.path / "away.txt", files.path / "discs.txt");
  // A packing belongs to its case, whatever the journal says.
  SweepSpec longer = spec;
  longer.packing->case_text.replace(longer.packing->case_text.find("0.05}"), 5, "0.1} ");
  const auto steps = [&] { return read_checkpoint(packing_folder(spec, 0) / "checkpoint.h5").header().step; };
  const std::uint64_t before = steps();
  run(longer, 0);
  BOOST_TEST(steps() == 2 * before);
}

BOOST_FIXTURE_TEST_CASE(a_point_without_its_series_is_run_again_and_overwrite_removes_all, BySeed) {
  const SweepRun how{1, files.path / "out", false, false};
  const std::string before = table_csv(run_sweep(files.spec, how));
  const fs::path series = files.path / "out/series/point-2";
  const std::string rows = csv_text(read_series(series));
  fs::remove_all(series);
  run_sweep(files.spec, how);
  BOOST_TEST(csv_text(read_series(series)) == rows);
  // Another packing is another sweep.
  files.write("packing.toml", read_file(files.path / "packing.toml") + "title = \"another\"\n");
  BOOST_CHECK_THROW(run_sweep(read_sweep(files.path / "sweep.toml"), how), FileError);
  BOOST_CHECK_THROW(run_sweep(files.spec, {}), std::invalid_argument);  // it needs a folder
}

BOOST_FIXTURE_TEST_CASE(parts_share_packings, BySeed) {
  const fs::path one = files.path / "one", parts = files.path / "parts";
  run_sweep(files.spec, {1, one, false, false});
  for (const int k : {1, 2}) BOOST_TEST(run_sweep_part(files.spec, {k, 2, parts, 1, false}).failed == 0u);
  const SweepTable table = collect_sweep(files.spec, parts);
  BOOST_TEST(table.failed() == 0u);
  for (const char* point : {"series/point-1", "series/point-2", "series/point-3", "series/point-4"})
    BOOST_TEST(csv_text(read_series(parts / point)) == csv_text(read_series(one / point)));
}
