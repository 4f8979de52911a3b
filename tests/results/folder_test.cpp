#include "libdem/results/folder.hpp"

#include <sys/wait.h>

#include <boost/test/unit_test.hpp>
#include <limits>

#include "libdem/platform/text_file.hpp"
#include "results/results_test_assembly.hpp"
#include "results/results_test_tools.hpp"

using namespace dem;
using namespace dem::test;

namespace {

namespace fs = std::filesystem;
const std::vector<Column> columns{
    {"step", "1", "step number"}, {"time", "s", "time"}, {"stress_yy", "N/m", "tension positive"}};

std::vector<double> row(std::uint64_t step) {
  const auto s = static_cast<double>(step);
  return {s, 0.1 * s, std::sin(s)};
}
std::vector<double> rows(std::uint64_t count) {
  std::vector<double> out;
  for (std::uint64_t k = 0; k < count; ++k)
    for (const double x : row(k)) out.push_back(x);
  return out;
}
RunDescription description() {
  RunDescription run = this_build();
  run.title = "Test";
  run.program_version = "0.1.0";
  run.seed = 77;
  run.case_text = "format = 1\ntitle = \"Prüfung\"\n";
  return run;
}
/// Rows 0 … count − 1, ten in a segment, flushed every four.
void write_rows(const fs::path& folder, std::uint64_t count) {
  SeriesWriter writer(folder, scalar_columns(columns), 10, 4);
  for (std::uint64_t k = 0; k < count; ++k) writer.append(row(k));
  writer.flush();
}
/// The files that a ParaView collection names.
std::vector<std::string> files_listed(const fs::path& pvd) {
  std::vector<std::string> files;
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

}  // namespace

BOOST_AUTO_TEST_SUITE(series)

BOOST_AUTO_TEST_CASE(segments_merge_into_what_was_written) {
  const TemporaryFolder folder;
  write_rows(folder.path, 37);
  BOOST_TEST(files_in(folder.path) == (std::vector<std::string>{"000001.h5", "000002.h5", "000003.h5", "000004.h5"}),
             boost::test_tools::per_element());
  const Series s = read_series(folder.path);
  BOOST_TEST(s.rows() == 37u);
  BOOST_TEST(same_bits(s.values, rows(37)));
  BOOST_TEST(s.problems.empty());
  BOOST_TEST(s.columns[2].column.name == "stress_yy");
  BOOST_TEST(s.columns[2].column.unit == "N/m");
  BOOST_TEST(s.columns[2].column.description == "tension positive");
  BOOST_TEST(s.column("time").at(36) == 0.1 * 36);
  BOOST_TEST(s.has("time"));
  BOOST_CHECK_EXCEPTION(s.column("stress"), FileError, says("it has step, time, stress_yy"));
}

BOOST_AUTO_TEST_CASE(a_segment_holds_columns_of_equal_length_and_nothing_else) {
  const TemporaryFolder folder;
  write_rows(folder.path, 7);
  const hdf5::SealedFile f = hdf5::read_sealed(folder.path / "000001.h5", "series");
  const hdf5::Group root = f.file.root();
  BOOST_TEST(root.names() == (std::vector<std::string>{"step", "stress_yy", "time"}), boost::test_tools::per_element());
  for (const std::string& name : root.names())
    BOOST_TEST(root.dimensions(name) == (std::vector<std::size_t>{7}), boost::test_tools::per_element());
  BOOST_TEST(root.texts("order") == (std::vector<std::string>{"step", "time", "stress_yy"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(segments_of_earlier_versions_are_read) {
  const TemporaryFolder folder;
  hdf5::File file = hdf5::File::create("old");
  for (const char* name : {"time", "step"})
    file.root().write<double>(name, std::vector<double>{0, 1}, {"1", "a column"});
  file.root().write_texts("order", std::vector<std::string>{"step", "time"}, {"", "the columns in their order"});
  hdf5::write_sealed(folder.path / "000001.h5", {"series", "0.1.0", 0}, file);
  const Series s = read_series(folder.path);
  BOOST_TEST(s.rows() == 2u);
  BOOST_TEST(s.columns[1].column.name == "time");
}

BOOST_AUTO_TEST_CASE(only_six_digits_name_a_segment) {
  const TemporaryFolder folder;
  write_rows(folder.path, 27);
  for (const char* name : {"backup.h5", "000001 (copy).h5", "0000011.h5", "00001.h5", "-00001.h5", "000001.hdf5",
                           "000001.h5.bak", "+00002.h5"})
    fs::copy_file(folder.path / "000001.h5", folder.path / name);
  const Series s = read_series(folder.path);
  BOOST_TEST(same_bits(s.values, rows(27)));
  BOOST_TEST(s.problems.empty());
  SeriesWriter writer = SeriesWriter::resume(folder.path, scalar_columns(columns), 15, 10, 4);
  BOOST_TEST(same_bits(read_series(folder.path).values, rows(16)));
  BOOST_TEST(files_in(folder.path).size() == 10u);
  fs::remove(folder.path / "000001.h5");
  BOOST_TEST(read_series(folder.path).problems.at(0).ends_with("000001.h5 is missing"));
}

BOOST_AUTO_TEST_CASE(csv_has_all_digits) {
  Series s;
  s.columns = scalar_columns(columns);
  s.values = {0, 0.1, -std::numeric_limits<double>::quiet_NaN(), 1, 1 / 3.0, -std::numeric_limits<double>::infinity()};
  BOOST_TEST(csv_text(s) == "step,time,stress_yy\n0,0.10000000000000001,nan\n1,0.33333333333333331,-inf\n");
}

BOOST_AUTO_TEST_CASE(a_damaged_segment_takes_no_other_with_it) {
  for (const bool truncate : {true, false}) {
    const TemporaryFolder folder;
    write_rows(folder.path, 37);
    spoil(folder.path / "000004.h5", truncate);
    const Series s = read_series(folder.path);
    BOOST_TEST(same_bits(s.values, rows(30)));
    BOOST_TEST(s.problems.size() == 1u);
    BOOST_TEST(s.problems.at(0).find(truncate ? "truncated" : "damaged") != std::string::npos);
    // Resuming goes on behind the rows that are left, and says so.
    SeriesWriter writer = SeriesWriter::resume(folder.path, scalar_columns(columns), 1000, 10, 4);
    BOOST_TEST(writer.problems().size() == 1u);
    for (std::uint64_t k = 30; k < 45; ++k) writer.append(row(k));
    writer.flush();
    BOOST_TEST(same_bits(read_series(folder.path).values, rows(45)));
  }
}

BOOST_AUTO_TEST_CASE(a_killed_writer_leaves_every_flushed_row) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    SeriesWriter writer(folder.path, scalar_columns(columns), 10, 4);
    for (std::uint64_t k = 0; k < 27; ++k) writer.append(row(k));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  BOOST_TEST(WIFSIGNALED(status));
  const Series s = read_series(folder.path);
  BOOST_TEST(s.problems.empty());
  BOOST_TEST(s.rows() == 24u);  // flushed at 4, 8, 10; 14, 18, 20; 24
  BOOST_TEST(same_bits(s.values, rows(24)));
}

BOOST_AUTO_TEST_CASE(rows_after_a_step_are_dropped) {
  for (const std::uint64_t last : {0, 5, 9, 10, 19, 25, 36, 100}) {
    const TemporaryFolder folder;
    write_rows(folder.path, 37);
    SeriesWriter writer = SeriesWriter::resume(folder.path, scalar_columns(columns), last, 10, 4);
    const std::uint64_t left = std::min<std::uint64_t>(last + 1, 37);
    BOOST_TEST(same_bits(read_series(folder.path).values, rows(left)));
    for (std::uint64_t k = left; k < 50; ++k) writer.append(row(k));
    writer.flush();
    BOOST_TEST(same_bits(read_series(folder.path).values, rows(50)));
    // The same segments as if the run had never stopped.
    const TemporaryFolder straight;
    write_rows(straight.path, 50);
    BOOST_TEST(files_in(folder.path) == files_in(straight.path), boost::test_tools::per_element());
    for (const std::string& name : files_in(straight.path))
      BOOST_TEST((read_file(folder.path / name).size() == read_file(straight.path / name).size()));
  }
}

BOOST_AUTO_TEST_CASE(resuming_with_other_columns_is_refused_and_changes_nothing) {
  const TemporaryFolder folder;
  write_rows(folder.path, 37);
  std::vector<Column> others = columns;
  others[2].name = "stress_xx";
  BOOST_CHECK_EXCEPTION(SeriesWriter::resume(folder.path, scalar_columns(others), 3), FileError, says("other columns"));
  BOOST_TEST(same_bits(read_series(folder.path).values, rows(37)));
  std::vector<Column> no_step{columns[1]};
  BOOST_CHECK_THROW(SeriesWriter(folder.path, scalar_columns(no_step)), std::invalid_argument);
  BOOST_CHECK_THROW(SeriesWriter(folder.path, scalar_columns(std::vector{columns[0], columns[1], columns[1]})),
                    std::invalid_argument);
  SeriesWriter writer(folder.path / "new", scalar_columns(columns));
  BOOST_CHECK_THROW(writer.append(std::vector<double>{1, 2}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_an_error_and_spares_the_rows_there) {
  const TemporaryFolder folder;
  write_rows(folder.path, 17);
  SeriesWriter writer = SeriesWriter::resume(folder.path, scalar_columns(columns), 1000, 10, 4);
  {
    const FileSizeLimit limit(1000);
    writer.append(row(17));
    BOOST_CHECK_EXCEPTION(writer.flush(), FileError, says("cannot write"));
  }
  BOOST_TEST(same_bits(read_series(folder.path).values, rows(17)));
  writer.flush();  // room again
  BOOST_TEST(same_bits(read_series(folder.path).values, rows(18)));
}

BOOST_AUTO_TEST_CASE(profiles_have_bins) {
  const TemporaryFolder folder;
  const std::vector<SeriesColumn> profiles{{columns[0], {}, ""},
                                           {{"velocity_x", "m/s", "mean"}, {0.5, 1.5, 2.5}, "m"},
                                           {{"shear", "1", "mean"}, {1, 2}, "d"}};
  {
    SeriesWriter writer(folder.path, profiles, 2, 1);
    for (double s : {0.0, 1.0, 2.0}) writer.append(std::vector<double>{s, s + 0.1, s + 0.2, s + 0.3, -s, -2 * s});
  }
  const Series s = read_series(folder.path);
  BOOST_TEST(s.rows() == 3u);
  BOOST_TEST(s.columns[1].bins == (std::vector<double>{0.5, 1.5, 2.5}), boost::test_tools::per_element());
  BOOST_TEST(s.columns[2].bin_unit == "d");
  BOOST_TEST(s.column("shear") == (std::vector<double>{0, 0, -1, -2, -2, -4}), boost::test_tools::per_element());
  BOOST_TEST(s.column("velocity_x").at(5) == 1.3);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(results_folder)

BOOST_AUTO_TEST_CASE(snapshots_come_back_bit_by_bit) {
  const TemporaryFolder folder;
  for (const MadeUpAssembly& a : {made_up_polygons(6, 5, 9), made_up_discs(), MadeUpAssembly{}}) {
    const auto path = folder.path / "s.h5";
    write_snapshot(path, a.view(), description());
    const Snapshot s = read_snapshot(path);
    BOOST_TEST(s.run.title == "Test");
    BOOST_TEST(s.run.seed == 77u);
    BOOST_TEST(s.run.case_text == description().case_text);
    BOOST_TEST(s.run.compiler == description().compiler);
    BOOST_TEST(s.step == a.step);
    BOOST_TEST(s.time == a.time);
    BOOST_TEST(s.strain == a.strain);
    BOOST_TEST((s.cell.vectors == a.cell.vectors));
    BOOST_TEST((s.cell.periodic == a.cell.periodic));
    BOOST_TEST((s.cell_origin == Vec3{0, -1, 0}));
    BOOST_TEST((s.position == a.bodies.position[0]));
    BOOST_TEST((s.force == a.bodies.force));
    BOOST_TEST(same_bits(s.mass, a.bodies.mass));
    BOOST_TEST(same_bits(s.moment, a.bodies.moment));
    for (std::size_t b = 0; b < a.bodies.size(); ++b) BOOST_TEST(s.radius.at(b) == a.shapes[b].equivalent_radius());
    BOOST_TEST((s.shape == a.bodies.shape));
    BOOST_TEST((s.group == a.bodies.group));
    BOOST_TEST((s.name == a.bodies.name));
    BOOST_TEST((s.groups == a.groups));
    BOOST_TEST((s.freedom == a.bodies.freedom));
    for (std::size_t b = 0; b < a.bodies.size(); ++b) {
      BOOST_TEST((s.velocity[b] == velocity(a.view(), b)));
      BOOST_TEST(s.spin[b] == spin(a.view(), b));
      BOOST_TEST(s.angle[b] == a.bodies.rotation[0][b].z);
      BOOST_TEST(s.torque[b] == a.bodies.torque[b].z);
      BOOST_TEST(s.shape_radius[b] == a.shapes[b].radius());
      const auto outline =
          a.shapes[b].polygon().empty() ? std::span<const Vec2>() : a.shapes[b].polygon()[0].vertices();
      BOOST_TEST((std::equal(s.outlines[b].begin(), s.outlines[b].end(), outline.begin(), outline.end())));
    }
    BOOST_TEST(s.contacts.size() == a.contacts.size());
    for (std::size_t k = 0; k < a.contacts.size(); ++k) {
      const ContactRecord &p = s.contacts[k], &q = a.contacts[k];
      BOOST_TEST(
          (p.key == q.key && p.point == q.point && p.normal == q.normal && p.force == q.force && p.branch == q.branch));
      BOOST_TEST(
          (p.overlap == q.overlap && p.area == q.area && p.plane_angle == q.plane_angle && p.regime == q.regime));
      BOOST_TEST((p.normal_force == q.normal_force && p.tangential_force == q.tangential_force &&
                  p.elongation == q.elongation));
      BOOST_TEST((p.normal_stiffness == q.normal_stiffness && p.tangential_stiffness == q.tangential_stiffness));
      BOOST_TEST((p.normal_damping == q.normal_damping && p.tangential_damping == q.tangential_damping));
      BOOST_TEST((p.stored_normal == q.stored_normal && p.stored_tangential == q.stored_tangential));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_dataset_of_a_snapshot_describes_itself) {
  const TemporaryFolder folder;
  const MadeUpAssembly a = made_up_polygons(6, 5, 9);
  write_snapshot(folder.path / "s.h5", a.view(), description());
  const hdf5::SealedFile f = hdf5::read_sealed(folder.path / "s.h5", "snapshot");
  for (const char* group : {"bodies", "contacts", "shapes"}) {
    const hdf5::Group g = f.file.root().open(group);
    for (const std::string& name : g.names()) BOOST_TEST_CONTEXT(name) BOOST_TEST(!g.text("description", name).empty());
  }
  const hdf5::Group header = f.file.root().open("header");
  BOOST_TEST(header.integer("format") == 1u);
  BOOST_TEST(header.text("conventions").find("acts on i") != std::string::npos);
  BOOST_TEST(f.file.root().open("contacts").text("unit", "force") == "N");
}

BOOST_AUTO_TEST_CASE(a_run_a_stop_and_a_resumption) {
  const TemporaryFolder temporary;
  const fs::path path = temporary.path / "new" / "run";
  MadeUpAssembly a = made_up_polygons(6, 5, 9);
  FrameChoice frame;
  frame.colour = body_scalar(a.view(), "rotation");
  const std::vector<SeriesColumn> profiles{{{"velocity_x", "m/s", "mean velocity"}, {0.5, 1.5}, "m"}};
  const auto observe = [&](ResultsFolder& folder, std::uint64_t step) {
    a.step = step;
    a.time = 0.1 * static_cast<double>(step);
    folder.append(row(step));
    folder.append_profiles(step, a.time, 0, std::vector<double>{1, 2});
    if (step % 10 == 0)
      folder.write_snapshot(a.view()), folder.write_frame(a.view(), frame), folder.write_paraview(a.view());
  };
  {
    ResultsFolder folder = ResultsFolder::create(path, description());
    folder.start_series(columns, profiles);
    for (std::uint64_t k = 0; k <= 40; ++k) {
      observe(folder, k);
      if (k == 25)
        folder.write_checkpoint({"0.1.0", k, a.time}, [&](ArchiveWriter& w) { w.put("mass", a.bodies.mass); });
    }
    folder.flush();
    folder.write_verdict("Stopped.\n", "{}\n");
  }
  write_file(path / "snapshots" / "000000000050.h5.part", "left by a killed writer");

  ResultsFolder folder = ResultsFolder::open(path);
  BOOST_TEST(folder.case_text() == description().case_text);
  const Checkpoint checkpoint = folder.read_checkpoint();
  BOOST_TEST(checkpoint.header().step == 25u);
  BOOST_TEST(same_bits(checkpoint.doubles("mass"), a.bodies.mass));
  folder.set_description(description());
  folder.resume_series(columns, profiles, 25);
  BOOST_TEST(folder.problems().empty());
  BOOST_TEST(same_bits(folder.read_series().values, rows(26)));
  BOOST_TEST(folder.read_profiles().value().rows() == 26u);
  BOOST_TEST(folder.snapshots().size() == 3u);
  BOOST_TEST(folder.frames().size() == 3u);
  BOOST_TEST(files_in(path / "snapshots").size() == 3u);
  BOOST_TEST(files_in(path / "paraview").size() == 8u);
  BOOST_TEST(files_listed(path / "paraview/contacts.pvd").size() == 3u);
  BOOST_TEST(!fs::exists(path / "verdict.txt"));
  for (std::uint64_t k = 26; k <= 60; ++k) observe(folder, k);
  folder.flush();
  BOOST_TEST(same_bits(folder.read_series().values, rows(61)));
  BOOST_TEST(folder.snapshots().size() == 7u);
  const auto collection = files_listed(path / "paraview/particles.pvd");
  BOOST_TEST(collection.size() == 7u);
  for (const std::string& file : collection) BOOST_TEST(fs::exists(path / "paraview" / file));
  BOOST_TEST(read_file(path / "paraview/particles.pvd").find("timestep=\"6\"") != std::string::npos);

  const std::string info = describe_results(path);
  for (const char* words : {"series: 61 rows, steps 0 to 60", "stress_yy (N/m)", "velocity_x (m/s; 2 bins)",
                            "snapshots: 7", "checkpoint: step 25"})
    BOOST_TEST_CONTEXT(info) BOOST_TEST(info.find(words) != std::string::npos);
  BOOST_TEST(describe_results(folder.snapshots()[0]).find("30 bodies") != std::string::npos);
  BOOST_TEST(describe_results(folder.checkpoint_file()).find("step 25") != std::string::npos);
  BOOST_TEST(describe_results(path / "series/000001.h5").find("61 rows") != std::string::npos);
  spoil(path / "series/000001.h5", true);
  BOOST_TEST(describe_results(path).find("problem: ") != std::string::npos);
  BOOST_CHECK_THROW(describe_results(path / "case.toml"), FileError);
  BOOST_CHECK_THROW(describe_results(path / "none"), FileError);
}

BOOST_AUTO_TEST_CASE(a_run_killed_at_its_first_file_leaves_an_empty_folder) {
  const TemporaryFolder folder;
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
}

BOOST_AUTO_TEST_CASE(the_text_of_the_verdict_comes_last) {
  // Resume takes it as the sign that a run is over.
  const TemporaryFolder folder;
  ResultsFolder results = ResultsFolder::create(folder.path / "out", description(), false);
  create_folder(folder.path / "out/verdict.json");  // cannot be written
  BOOST_CHECK_THROW(results.write_verdict("text", "{}"), FileError);
  BOOST_TEST(!fs::exists(folder.path / "out/verdict.txt"));
}

BOOST_AUTO_TEST_CASE(only_our_own_folders_are_overwritten) {
  const TemporaryFolder temporary;
  const fs::path mine = temporary.path / "mine", ours = temporary.path / "ours";
  create_folder(mine);
  ResultsFolder::create(mine, description());  // an empty folder will do
  fs::remove_all(mine);
  create_folder(mine / "series");
  write_file(mine / "case.toml", "precious");
  for (const bool overwrite : {false, true})
    BOOST_CHECK_EXCEPTION(ResultsFolder::create(mine, description(), overwrite), FileError,
                          says("holds no results of this program"));
  BOOST_TEST(read_file(mine / "case.toml") == "precious");
  BOOST_CHECK_EXCEPTION(ResultsFolder::open(mine), FileError, says("holds no results"));
  BOOST_CHECK_EXCEPTION(ResultsFolder::open(temporary.path / "nothing"), FileError, says("there is no folder"));

  {
    ResultsFolder folder = ResultsFolder::create(ours, description());
    folder.start_series(columns);
    folder.append(row(0));
    folder.flush();
    folder.write_checkpoint({"0.1.0", 0, 0}, [](ArchiveWriter&) {});
  }
  write_file(ours / "my-notes.txt", "notes");
  BOOST_CHECK_EXCEPTION(ResultsFolder::create(ours, description()), FileError, says("holds the results of a run"));
  BOOST_TEST(ResultsFolder::open(ours).read_series().rows() == 1u);
  ResultsFolder::create(ours, description(), true);
  BOOST_TEST(files_in(ours) == (std::vector<std::string>{"README.txt", "case.toml", "my-notes.txt"}),
             boost::test_tools::per_element());

  std::string readme = read_file(ours / "README.txt");
  readme.replace(readme.find("format = 1"), 10, "format = 9");
  write_file(ours / "README.txt", readme);
  BOOST_CHECK_EXCEPTION(ResultsFolder::open(ours), FileError, says("has format 9; this program reads format 1"));

  write_file(temporary.path / "file", "x");
  BOOST_CHECK_EXCEPTION(ResultsFolder::create(temporary.path / "file", description(), true), FileError,
                        says("is not a folder"));
  BOOST_CHECK_EXCEPTION(ResultsFolder::create(temporary.path / "file" / "run", description()), FileError,
                        says("cannot create folder"));
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_nothing_half_written) {
  const TemporaryFolder temporary;
  const MadeUpAssembly a = made_up_polygons(6, 5, 9);
  ResultsFolder folder = ResultsFolder::create(temporary.path / "run", description());
  {
    const FileSizeLimit limit(600);
    BOOST_CHECK_EXCEPTION(folder.write_snapshot(a.view()), FileError, says("cannot write"));
    BOOST_CHECK_EXCEPTION(folder.write_frame(a.view(), {}), FileError, says("cannot write"));
    BOOST_CHECK_EXCEPTION(folder.write_paraview(a.view()), FileError, says("cannot write"));
    BOOST_CHECK_EXCEPTION(folder.write_verdict(std::string(1000, 'x'), ""), FileError, says("cannot write"));
  }
  for (const char* part : {"snapshots", "frames", "paraview"}) BOOST_TEST(files_in(folder.path() / part).empty());
  BOOST_TEST(!fs::exists(folder.path() / "verdict.txt"));
}

BOOST_AUTO_TEST_SUITE_END()
