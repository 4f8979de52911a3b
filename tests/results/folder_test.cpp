// The results folder: series in segments, and a run that stops and goes on.
#include "libdem/results/folder.hpp"

#include "libdem/platform/text_file.hpp"
#include "results/results_test_assembly.hpp"
#include "results/results_test_tools.hpp"

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using Values = std::vector<double>;
const std::vector<Column> columns{
    {"step", "1", "step number"}, {"time", "s", "time"}, {"stress_yy", "N/m", "tension positive"}};

Values row(std::uint64_t step) {
  const auto s = static_cast<double>(step);
  return {s, 0.1 * s, std::sin(s)};
}
RunDescription description() {
  RunDescription run = this_build();
  run.title = "Test";
  run.seed = 77;
  run.program_version = "0.1.0";
  run.case_text = "format = 1\ntitle = \"Prüfung\"\n";
  return run;
}
/// Rows `first` … count − 1.
void append_rows(SeriesWriter& writer, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t k = first; k < count; ++k) writer.append(row(k));
}
/// Rows 0 … count − 1, ten in a segment, flushed every four.
void write_rows(const fs::path& folder, std::uint64_t count) {
  SeriesWriter writer(folder, columns, 10, 4);
  append_rows(writer, 0, count);
  writer.flush();
}
SeriesWriter resumed(const fs::path& folder, std::uint64_t last) {
  return SeriesWriter::resume(folder, columns, last, 10, 4);
}
/// The series holds the rows 0 … count − 1, bit by bit.
bool holds_rows(const Series& series, std::uint64_t count) {
  Values expected;
  for (std::uint64_t k = 0; k < count; ++k)
    for (const double x : row(k)) expected.push_back(x);
  return same_bits(series.values, expected);
}
/// The files that a ParaView collection names.
Names files_listed(const fs::path& pvd) {
  Names files;
  const std::string text = read_file(pvd), key = "file=\"";
  for (std::size_t at = 0; (at = text.find(key, at)) != text.npos;) {
    at += key.size();
    files.push_back(text.substr(at, text.find('"', at) - at));
  }
  return files;
}
void spoil(const fs::path& file, bool truncate) {
  std::string bytes = read_file(file);
  if (truncate)
    bytes.resize(bytes.size() / 2);
  else
    bytes[bytes.size() - 5] ^= 1;
  write_file(file, bytes);
}
void check_has(const std::string& text, const Names& parts) {
  for (const std::string& part : parts) BOOST_TEST(text.find(part) != text.npos, part << " is not in:\n" << text);
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(segments_merge_into_the_rows_written, InTemporaryFolder) {
  write_rows(folder.path, 37);
  BOOST_TEST(files_in(folder.path) == (Names{"000001.h5", "000002.h5", "000003.h5", "000004.h5"}), tt::per_element());
  for (const char* name : {"backup.h5", "0000011.h5", "00001.h5", "-00001.h5", "000001.hdf5"})  // not of the series
    fs::copy_file(folder.path / "000001.h5", folder.path / name);
  const Series s = read_series(folder.path);
  BOOST_TEST(s.rows() == 37u);
  BOOST_TEST(holds_rows(s, 37));
  BOOST_TEST(s.problems.empty());
  BOOST_TEST(s.columns[2].name == "stress_yy");
  BOOST_TEST(s.columns[2].unit == "N/m");
  BOOST_TEST(s.columns[2].description == "tension positive");
  BOOST_TEST(s.column("time").at(36) == 0.1 * 36);
  BOOST_CHECK_EXCEPTION(s.column("stress"), FileError, says("it has step, time, stress_yy"));
  // A segment holds columns of equal length and nothing else.
  const hdf5::SealedFile f = hdf5::read_sealed(folder.path / "000004.h5", "series");
  const hdf5::Group root = f.file.root();
  BOOST_TEST(root.names() == (Names{"step", "stress_yy", "time"}), tt::per_element());
  for (const std::string& name : root.names()) BOOST_TEST((root.dimensions(name) == std::vector<std::size_t>{7}));
  BOOST_TEST(root.texts("order") == (Names{"step", "time", "stress_yy"}), tt::per_element());
}

BOOST_FIXTURE_TEST_CASE(segments_of_earlier_versions_are_read, InTemporaryFolder) {
  hdf5::File file = hdf5::File::create("old");
  for (const char* name : {"time", "step"}) file.root().write<double>(name, Values{0, 1}, {"1", "a column"});
  file.root().write_texts("order", Names{"step", "time"}, {"", "the columns in their order"});
  hdf5::write_sealed(folder.path / "000001.h5", {"series", "0.1.0"}, file);
  const Series s = read_series(folder.path);
  BOOST_TEST(s.rows() == 2u);
  BOOST_TEST(s.columns[1].name == "time");
}

BOOST_AUTO_TEST_CASE(csv_has_all_digits) {
  Series s;
  s.columns = columns;
  s.values = {0, 0.1, -std::numeric_limits<double>::quiet_NaN(), 1, 1 / 3.0, -std::numeric_limits<double>::infinity()};
  BOOST_TEST(csv_text(s) == "step,time,stress_yy\n0,0.10000000000000001,nan\n1,0.33333333333333331,-inf\n");
}

BOOST_AUTO_TEST_CASE(a_damaged_segment_takes_no_other_with_it) {
  for (const bool truncate : {true, false}) {
    const TemporaryFolder folder;
    write_rows(folder.path, 37);
    spoil(folder.path / "000004.h5", truncate);
    const Series s = read_series(folder.path);
    BOOST_TEST(holds_rows(s, 30));
    BOOST_TEST(s.problems.size() == 1u);
    check_has(s.problems.at(0), {truncate ? "truncated" : "damaged"});
    // Resuming goes on behind the rows that are left, and reports the problem.
    SeriesWriter writer = resumed(folder.path, 1000);
    BOOST_TEST(writer.problems().size() == 1u);
    append_rows(writer, 30, 45);
    writer.flush();
    BOOST_TEST(holds_rows(read_series(folder.path), 45));
  }
}

BOOST_AUTO_TEST_CASE(rows_after_a_step_are_dropped) {
  const TemporaryFolder straight;
  write_rows(straight.path, 50);
  for (const std::uint64_t last : {0, 5, 9, 10, 19, 25, 36, 100}) BOOST_TEST_CONTEXT("last step " << last) {
      const TemporaryFolder folder;
      write_rows(folder.path, 37);
      SeriesWriter writer = resumed(folder.path, last);
      const std::uint64_t left = std::min<std::uint64_t>(last + 1, 37);
      BOOST_TEST(holds_rows(read_series(folder.path), left));
      append_rows(writer, left, 50);
      writer.flush();
      BOOST_TEST(holds_rows(read_series(folder.path), 50));
      // The same segments as if the run had never stopped.
      BOOST_TEST(files_in(folder.path) == files_in(straight.path), tt::per_element());
      for (const std::string& name : files_in(straight.path))
        BOOST_TEST(fs::file_size(folder.path / name) == fs::file_size(straight.path / name));
    }
}

BOOST_FIXTURE_TEST_CASE(resuming_with_other_columns_is_refused_and_changes_nothing, InTemporaryFolder) {
  write_rows(folder.path, 37);
  std::vector<Column> others = columns;
  others[2].name = "stress_xx";
  BOOST_CHECK_EXCEPTION(SeriesWriter::resume(folder.path, others, 3), FileError, says("other columns"));
  BOOST_TEST(holds_rows(read_series(folder.path), 37));
  for (const std::vector<Column>& bad : {std::vector{columns[1]}, {columns[0], columns[1], columns[1]}})
    BOOST_CHECK_THROW(SeriesWriter(folder.path, bad), std::invalid_argument);
  SeriesWriter writer(folder.path / "new", columns);
  BOOST_CHECK_THROW(writer.append(Values{1, 2}), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(a_full_disk_is_an_error_and_spares_the_rows_of_a_series, InTemporaryFolder) {
  write_rows(folder.path, 17);
  SeriesWriter writer = resumed(folder.path, 1000);
  {
    const FileSizeLimit limit(1000);
    writer.append(row(17));
    BOOST_CHECK_EXCEPTION(writer.flush(), FileError, says("cannot write"));
  }
  BOOST_TEST(holds_rows(read_series(folder.path), 17));
  writer.flush();  // room again
  BOOST_TEST(holds_rows(read_series(folder.path), 18));
}

BOOST_FIXTURE_TEST_CASE(profiles_have_bins, InTemporaryFolder) {
  const std::vector<Column> profiles{
      columns[0], {"velocity_x", "m/s", "mean", {0.5, 1.5, 2.5}}, {"shear", "1", "mean", {1, 2}, "d"}};
  {
    SeriesWriter writer(folder.path, profiles, 2, 1);
    for (double s : {0.0, 1.0, 2.0}) writer.append(Values{s, s + 0.1, s + 0.2, s + 0.3, -s, -2 * s});
  }
  const Series s = read_series(folder.path);
  BOOST_TEST(s.rows() == 3u);
  BOOST_TEST(s.columns[1].bins == (Values{0.5, 1.5, 2.5}), tt::per_element());
  BOOST_TEST(s.columns[2].bin_unit == "d");
  BOOST_TEST(s.column("shear") == (Values{0, 0, -1, -2, -2, -4}), tt::per_element());
  BOOST_TEST(s.column("velocity_x").at(5) == 1.3);
}

BOOST_AUTO_TEST_CASE(a_run_a_stop_and_a_resumption) {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "new" / "run";
  MadeUpAssembly a = made_up_polygons(6, 5, 9);
  const std::vector<Column> profiles{columns[0], {"velocity_x", "m/s", "mean velocity", {0.5, 1.5}}};
  const auto observe = [&](ResultsFolder& folder, std::uint64_t step) {
    a.step = step;
    a.time = 0.1 * static_cast<double>(step);
    folder.append(row(step));
    folder.append(Values{double(step), 1, 2}, profile_rows);
    if (step % 10 == 0)
      folder.write_snapshot(a.view()), folder.write_frame(a.view(), "", "rotation"), folder.write_paraview(a.view());
  };
  {
    ResultsFolder folder = ResultsFolder::create(path, description());
    folder.start_series({columns, profiles});
    for (std::uint64_t k = 0; k <= 40; ++k) {
      observe(folder, k);
      if (k == 25)
        folder.write_checkpoint({"0.1.0", k, a.time},
                                [&](ArchiveWriter& w) { w.put("mass", a.bodies.mass.by_number()); });
    }
    folder.flush();
    folder.write_verdict("Stopped.\n", "{}\n");
  }
  write_file(path / "snapshots" / "000000000050.h5.part", "left by a killed writer");

  ResultsFolder folder = ResultsFolder::open(path);
  BOOST_TEST(folder.case_text() == description().case_text);
  const Checkpoint checkpoint = folder.read_checkpoint();
  BOOST_TEST(checkpoint.header().step == 25u);
  BOOST_TEST(same_bits(checkpoint.doubles("mass"), a.bodies.mass.by_number()));
  folder.set_description(description());
  folder.resume_series({columns, profiles}, 25);
  BOOST_TEST(folder.problems().empty());
  BOOST_TEST(holds_rows(folder.read_series(), 26));
  BOOST_TEST(folder.read_profiles().value().rows() == 26u);
  BOOST_TEST(folder.snapshots().size() == 3u);
  BOOST_TEST(folder.frames().size() == 3u);
  BOOST_TEST(files_in(path / "snapshots").size() == 3u);
  BOOST_TEST(files_in(path / "paraview").size() == 8u);
  BOOST_TEST(files_listed(path / "paraview/contacts.pvd").size() == 3u);
  BOOST_TEST(!fs::exists(path / "verdict.txt"));
  for (std::uint64_t k = 26; k <= 60; ++k) observe(folder, k);
  folder.flush();
  BOOST_TEST(holds_rows(folder.read_series(), 61));
  BOOST_TEST(folder.snapshots().size() == 7u);
  const auto collection = files_listed(path / "paraview/particles.pvd");
  BOOST_TEST(collection.size() == 7u);
  for (const std::string& file : collection) BOOST_TEST(fs::exists(path / "paraview" / file));
  check_has(read_file(path / "paraview/particles.pvd"), {"timestep=\"6\""});

  check_has(describe_results(path), {"series: 61 rows, steps 0 to 60", "stress_yy (N/m)", "velocity_x (m/s; 2 bins)",
                                     "snapshots: 7", "checkpoint: step 25"});
  check_has(describe_results(folder.snapshots()[0]), {"30 bodies"});
  check_has(describe_results(folder.checkpoint_file()), {"step 25"});
  check_has(describe_results(path / "series/000001.h5"), {"61 rows"});
  spoil(path / "series/000001.h5", true);
  check_has(describe_results(path), {"problem: "});
  BOOST_CHECK_THROW(describe_results(path / "case.toml"), FileError);
  BOOST_CHECK_THROW(describe_results(path / "none"), FileError);
}

BOOST_FIXTURE_TEST_CASE(a_run_killed_at_its_first_file_or_at_its_verdict, InTemporaryFolder) {
  const fs::path path = folder.path / "out";
  create_folder(path);
  write_file(path / "README.txt.part", "resul");
  ResultsFolder::create(path, description(), false);
  BOOST_TEST(is_results_folder(path));
  BOOST_TEST(!fs::exists(path / "README.txt.part"));
  write_file(path / "README.txt.part", "resul");
  fs::remove(path / "README.txt");  // beside files of a run it is no empty folder
  BOOST_CHECK_EXCEPTION(ResultsFolder::create(path, description(), true), FileError,
                        says("holds no results of this program"));
  // The text of the verdict comes last. Resume takes it as the sign that a run is over.
  ResultsFolder results = ResultsFolder::create(folder.path / "other", description(), false);
  create_folder(folder.path / "other/verdict.json");  // cannot be written
  BOOST_CHECK_THROW(results.write_verdict("text", "{}"), FileError);
  BOOST_TEST(!fs::exists(folder.path / "other/verdict.txt"));
}

BOOST_AUTO_TEST_CASE(only_our_own_folders_are_overwritten) {
  const TemporaryFolder temporary;
  const fs::path mine = temporary.path / "mine", ours = temporary.path / "ours";
  const auto refused = [](const fs::path& path, bool overwrite, const char* part) {
    BOOST_CHECK_EXCEPTION(ResultsFolder::create(path, description(), overwrite), FileError, says(part));
  };
  create_folder(mine);
  ResultsFolder::create(mine, description());  // an empty folder will do
  fs::remove_all(mine);
  create_folder(mine / "series");
  write_file(mine / "case.toml", "precious");
  for (const bool overwrite : {false, true}) refused(mine, overwrite, "holds no results of this program");
  BOOST_TEST(read_file(mine / "case.toml") == "precious");
  BOOST_CHECK_EXCEPTION(ResultsFolder::open(mine), FileError, says("holds no results"));
  BOOST_CHECK_EXCEPTION(ResultsFolder::open(temporary.path / "nothing"), FileError, says("there is no folder"));
  {
    ResultsFolder folder = ResultsFolder::create(ours, description());
    folder.start_series({columns});
    folder.append(row(0));
    folder.flush();
    folder.write_checkpoint({"0.1.0", 0, 0}, [](ArchiveWriter&) {});
  }
  write_file(ours / "my-notes.txt", "notes");
  refused(ours, false, "holds the results of a run");
  BOOST_TEST(ResultsFolder::open(ours).read_series().rows() == 1u);
  ResultsFolder::create(ours, description(), true);
  BOOST_TEST(files_in(ours) == (Names{"README.txt", "case.toml", "my-notes.txt"}), tt::per_element());

  std::string readme = read_file(ours / "README.txt");
  readme.replace(readme.find("format = 1"), 10, "format = 9");
  write_file(ours / "README.txt", readme);
  BOOST_CHECK_EXCEPTION(ResultsFolder::open(ours), FileError, says("has format 9; this program reads format 1"));

  write_file(temporary.path / "file", "x");
  refused(temporary.path / "file", true, "is not a folder");
  refused(temporary.path / "file" / "run", false, "cannot create folder");
}
