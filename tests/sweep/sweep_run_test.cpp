// Sweeps as they run: numbers, messages, tables, resume, and folders that are refused.
#include "libdem/platform/text_file.hpp"
#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/sweep/points.hpp"
#include "support/message_of.hpp"
#include "tests/sweep/sweep_cases.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

SweepRun quietly(const std::filesystem::path& folder = {}) { return {2, folder, false, false}; }

SweepTable table_of(const std::string& case_text, const std::string& sweep, std::size_t rows) {
  const TemporaryFolder folder;
  const SweepTable table = run_sweep(spec_of(folder, case_text, sweep), quietly());
  BOOST_TEST_REQUIRE(table.rows() == rows);
  return table;
}

const std::string two_masses = "axis = [{key = \"body.pushed.density\", values = [1.0, 2.0]}]\n";
const std::string final_x = "quantity = [{kind = \"final\", column = \"pushed_x\"}]\n";

}  // namespace

// The decay of the two discs: t_R/t_c = 238.50 with the geometric elongation. With the predicted velocity it is 160.02
// at Δt/t_c = 0.01 and 40.43 at 0.1 (polygon-dem reference, §5, table).
BOOST_AUTO_TEST_CASE(relaxation_times_of_the_reference) {
  const SweepTable table = table_of(two_discs(), R"(
axis = [{key = "contact.elongation", values = ["geometric", "velocity"]}, {name = "ratio", values = [0.1, 0.01]}]
set = {"material.restitution" = "0.9875", "time.step" = "ratio * t_c", "stage.rest.duration" = "8000 * t_c"}
quantity = [{kind = "relaxation"}]
)",
                                    4);
  const double expected[] = {238.46, 238.50, 40.43, 160.02};
  for (std::size_t row = 0; row < 4; ++row) {
    BOOST_TEST(table.message[row] == "");
    BOOST_TEST(number(table, row, "t_R_over_t_c") == expected[row], tolerance(1e-3));
    BOOST_TEST(number(table, row, "t_R_r_squared") > 0.999);
    BOOST_TEST(number(table, row, "t_R_maxima") >= 20);
    // It stops when the energy has decayed, not at the end of the stage.
    BOOST_TEST(number(table, row, "steps") * std::get<double>(table.parameter[row][1]) < 7000);
  }
  BOOST_TEST(std::get<std::string>(table.parameter[2][0]) == "velocity");
}

BOOST_AUTO_TEST_CASE(too_few_maxima_are_no_number) {
  const std::string sweep = "set.\"stage.rest.duration\" = \"10 * t_c\"\nquantity = [{kind = \"relaxation\"}]\n";
  const SweepTable table = table_of(two_discs(), two_masses + sweep, 2);
  for (std::size_t row = 0; row < 2; ++row) {
    BOOST_TEST(std::isnan(number(table, row, "t_R")));
    BOOST_TEST(std::isnan(number(table, row, "t_R_over_t_c")));
    BOOST_TEST(number(table, row, "t_R_maxima") < 20);
    BOOST_TEST(has(table.message[row], "maxima of the kinetic energy, at least 20 are needed"));
  }
  BOOST_TEST(table.failed() == 0u);
  BOOST_TEST(has(table_csv(table), ",nan,"));
}

// Free fall of a ball above a floor: velocity_y = −10 t, rows at 0, 0.01, … 0.2 s.
BOOST_AUTO_TEST_CASE(windows_stages_and_statistics) {
  const SweepTable table = table_of(R"(format = 1
gravity = [0.0, -10.0]
material = {normal_stiffness = 1e4, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.8}
time.step = 1e-3
wall = [{name = "floor", from = [-5.0, 0.0], to = [5.0, 0.0]}]
body = [{name = "ball", shape = "disc", radius = 0.5, position = [0.0, 3.0]}]
stage = [{name = "up", duration = 0.1}, {name = "down", duration = 0.1}]
output.series_interval = 0.01
)",
                                    R"(
axis = [{key = "gravity[1]", values = [-10.0, -20.0]}]
quantity = [{kind = "final", column = "ball_velocity_y"},
            {kind = "final", column = "ball_velocity_y", name = "up", stage = "up"},
            {kind = "mean", column = "ball_velocity_y"},
            {kind = "mean", column = "ball_velocity_y", name = "down", stage = "down", time_window = [0.05, 0.1]},
            {kind = "minimum", column = "ball_velocity_y"},
            {kind = "maximum", column = "ball_velocity_y"},
            {kind = "deviation", column = "ball_velocity_y"}]
)",
                                    2);
  for (std::size_t row = 0; row < 2; ++row) {
    BOOST_TEST(table.message[row] == "");
    BOOST_TEST(std::abs(number(table, row, "ball_velocity_y_maximum")) < 1e-12);
    for (const auto& [name, time] : {std::pair{"ball_velocity_y", 0.2},
                                     {"up", 0.1},
                                     {"ball_velocity_y_mean", 0.1},
                                     {"down", 0.175},
                                     {"ball_velocity_y_minimum", 0.2},
                                     {"ball_velocity_y_deviation", -0.01 * std::sqrt(38.5)}})  // of 0 … 20
      BOOST_TEST(number(table, row, name) == (row == 0 ? -10 : -20) * time, tolerance(1e-9));
  }
}

// A cell counts its strain anew in each stage. The last row of a stage is made before the next stage begins. So its
// strain is the one that ended the stage, and the servo has the target of the stage. A window takes rows within half a
// step of its ends, here 5e-7.
BOOST_AUTO_TEST_CASE(stages_of_a_cell_end_with_their_own_strain_and_windows_keep_their_ends) {
  const SweepTable table = table_of(R"(format = 1
cell = {periodic = ["x", "y"], size = [4.0, 4.0]}
material = {normal_stiffness = 1e3, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.8}
time.step = 1e-3
body = [{shape = "disc", radius = 0.5, position = [0.5, 0.5]}, {shape = "disc", radius = 0.5, position = [2.5, 2.5]}]
stage = [{name = "press", rate_xx = -0.02, rate_yy = -0.01, strain = 0.002},
         {name = "shear", rate_xy = 1e-3, strain = 5e-4},
         {name = "hold", stress_xx = -1.0, largest_rate = 1e-3, duration = 0.1}, {name = "rest", duration = 0.05}]
output.series_interval = 0.01
)",
                                    R"(
axis = [{key = "material.friction", values = [0.5]}]
quantity = [{kind = "final", column = "strain", name = "press", stage = "press"},
            {kind = "final", column = "strain", name = "shear", stage = "shear"},
            {kind = "maximum", column = "stage", name = "number", stage = "shear"},
            {kind = "final", column = "servo_error", name = "error", stage = "hold"},
            {kind = "minimum", column = "strain", name = "from", stage = "shear", strain_window = [1e-4, 2e-4]},
            {kind = "maximum", column = "strain", name = "to", stage = "shear", strain_window = [1e-4, 2e-4]}]
)",
                                    1);
  BOOST_TEST(table.message[0] == "");
  BOOST_TEST(number(table, 0, "press") == -0.002, tolerance(1e-9));
  BOOST_TEST(number(table, 0, "shear") == 5e-4, tolerance(1e-9));
  BOOST_TEST(number(table, 0, "number") == 2);
  BOOST_TEST(number(table, 0, "error") == 1, tolerance(1e-9));  // nothing touches: σ = 0, target −1 N/m
  BOOST_TEST(number(table, 0, "from") == 1e-4, tolerance(1e-9));
  BOOST_TEST(number(table, 0, "to") == 2e-4, tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_point_that_cannot_be_run_has_its_message_and_the_others_their_numbers) {
  const SweepTable table = table_of(two_discs(), final_x + R"toml(
axis = [{key = "time.step", values = [1e-3, 0.5]}, {key = "time.override_limit", values = [false, true]},
        {key = "body.pushed.position[0]", values = [0.7071067811864768, 0.5]}]
[set]
"body.pushed.velocity[0]" = "-1.0"
"stage.rest.duration" = "0.1 + 3000 * (override_limit * (step > 0.1))"
)toml",
                                    8);
  BOOST_TEST(!std::isnan(number(table, 0, "pushed_x")));
  BOOST_TEST(has(table.message[1], "overlap"));                 // at the start more than the case allows
  BOOST_TEST(has(table.message[4], "time.step: found 0.5 s"));  // above the limit
  BOOST_TEST(has(table.message[6], "step "));                   // blows up when forced
  for (const std::size_t row : {1, 4, 6}) BOOST_TEST(std::isnan(number(table, row, "pushed_x")));
  BOOST_TEST(table.failed() >= 3u);
  for (const auto& message : table.message) BOOST_TEST(!has(message, "case.toml:"));  // no line of an unknown text
}

BOOST_FIXTURE_TEST_CASE(a_folder_is_gone_on_with_but_never_mixed, InTemporaryFolder) {
  const auto spec = spec_of(folder, two_discs(), two_masses + final_x);
  const auto out = folder.path / "out";
  const SweepTable first = run_sweep(spec, quietly(out));
  const std::string csv = read_file(out / "table.csv");
  BOOST_TEST(csv.starts_with("body.pushed.density,t_c,steps,pushed_x,cpu_seconds,message\n1,"));
  BOOST_TEST(read_file(out / "case.toml") == two_discs());
  BOOST_TEST(read_file(out / "sweep.toml") == spec.text);
  const SweepTable again = run_sweep(spec, quietly(out));
  BOOST_TEST(read_file(out / "table.csv") == csv);  // CPU seconds too: nothing was run
  for (std::size_t row = 0; row < 2; ++row) BOOST_TEST(first.result[row] == again.result[row], tt::per_element());

  const auto refused = [&](const SweepSpec& other, const std::string& part) {
    const std::string found = message_of<FileError>([&] { run_sweep(other, quietly(out)); });
    for (const std::string& expected : {part, std::string("--overwrite")}) BOOST_TEST(has(found, expected), found);
    BOOST_TEST(read_file(out / "table.csv") == csv);
    BOOST_TEST(read_file(out / "sweep.toml") == spec.text);
  };
  SweepSpec other = spec;
  other.axes[0].values[1][0] = 3.0;
  refused(other, "there 'axis body.pushed.density = 2', here 'axis body.pushed.density = 3'");
  other = spec;
  other.case_text.replace(other.case_text.find("friction = 500.0"), 16, "friction = 400.0");
  refused(other, "there 'friction = 500.0', here 'friction = 400.0'");
  other = spec;
  other.quantities[0].column = "pushed_y";
  refused(other, "column pushed_x");
  run_sweep(other, {2, out, false, true});
  BOOST_TEST(read_file(out / "table.csv") != csv);

  // A folder of something else is left alone, --overwrite or not.
  folder.write("precious.txt", "x");
  const std::string found = message_of<FileError>([&] { run_sweep(spec, {1, folder.path, false, true}); });
  BOOST_TEST((has(found, "holds") && has(found, "no sweep")), found);
  BOOST_TEST(std::filesystem::exists(folder.path / "case.toml"));
}

BOOST_FIXTURE_TEST_CASE(results_of_files_that_have_changed_are_refused, InTemporaryFolder) {
  const std::string grains = R"(format = 1
time.step = 1e-3
assembly = {generator = "grains", file = "a.wkt"}
material = {normal_stiffness = 400, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.9}
stage = [{duration = 0.1}]
)";
  const std::string square = "1\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))\n";
  for (const char* name : {"a.wkt", "b.wkt"}) folder.write(name, square);
  const SweepSpec spec = spec_of(folder, grains,
                                 "axis = [{key = \"assembly.file\", values = [\"a.wkt\", \"b.wkt\"]}]\n"
                                 "quantity = [{kind = \"final\", column = \"kinetic_energy\"}]\n");
  const auto out = folder.path / "out";
  // A file that is not there is no result. The point runs once the file is there.
  std::filesystem::rename(folder.path / "b.wkt", folder.path / "away");
  const SweepTable table = run_sweep(spec, quietly(out));
  BOOST_TEST(has(table.message[1], "; it is repeated next time"), table.message[1]);
  std::filesystem::rename(folder.path / "away", folder.path / "b.wkt");
  BOOST_TEST(run_sweep(spec, quietly(out)).failed() == 0u);

  // A file that no case can use is a failure, until it is mended.
  const auto other = folder.path / "other";
  folder.write("b.wkt", "1\tPOLYGON((0 0))\n");
  for (int again = 0; again < 2; ++again) BOOST_TEST(run_sweep(spec, quietly(other)).failed() == 1u);
  folder.write("b.wkt", square);
  BOOST_TEST(run_sweep(spec, quietly(other)).failed() == 0u);

  folder.write("b.wkt", square + "\n");
  const std::string found = message_of<FileError>([&] { run_sweep(spec, quietly(out)); });
  for (const char* part : {"found point 2 (assembly.file = b.wkt) with results of another content of assembly.file",
                           "put it back", "--overwrite"})
    BOOST_TEST(has(found, part), found);
  folder.write("b.wkt", square);
  run_sweep(spec, quietly(out));
  std::filesystem::remove(folder.path / "b.wkt");  // nothing is to be run
  BOOST_TEST(run_sweep(spec, quietly(out)).failed() == 0u);
  folder.write("b.wkt", square);

  // The same files by another path are the same.
  std::filesystem::create_directory_symlink(folder.path, folder.path / "link");
  BOOST_TEST(run_sweep(read_sweep(folder.path / "link" / "sweep.toml"), quietly(out)).failed() == 0u);
}

BOOST_FIXTURE_TEST_CASE(inputs_are_the_files_of_a_case_with_the_state_that_it_starts_from, InTemporaryFolder) {
  const auto inputs = [&](const std::string& text) {
    return inputs_of(CaseDocument(text, "case.toml"), folder.path / "case.toml");
  };
  BOOST_TEST(inputs("dimension = 3\n") == "");
  const std::string text =
      "start_from = \"start\"\nwall = [{shape = \"plane\"}, {shape = \"mesh\", file = 'm.stl'}]\nassembly.file = "
      "\"a\"\n";
  BOOST_TEST(inputs(text) == "start_from -; assembly.file -; wall[2].file -");
  BOOST_TEST(lacks_input(inputs(text)));
  create_folder(folder.path / "start");
  for (const char* name : {"start/checkpoint.h5", "a", "m.stl"}) folder.write(name, name);
  const std::string before = inputs(text);
  BOOST_TEST(!lacks_input(before));
  for (const auto& [name, key] :
       {std::pair{"start/checkpoint.h5", "start_from"}, {"a", "assembly.file"}, {"m.stl", "wall[2].file"}}) {
    folder.write(name, "other");
    BOOST_TEST(changed_input(before, inputs(text)) == key);
    std::filesystem::remove(folder.path / name);
    BOOST_TEST(changed_input(before, inputs(text)) == "");
    folder.write(name, name);
  }
}

BOOST_FIXTURE_TEST_CASE(the_hdf5_table_holds_columns_with_units_and_meanings, InTemporaryFolder) {
  const auto spec = spec_of(folder, two_discs(), final_x + R"(
title = "masses"
axis = [{key = "contact.elongation", values = ["geometric", "velocity"]},
        {key = "body.pushed.density", values = [1.0, 2.0]}]
)");
  const SweepTable table = run_sweep(spec, quietly(folder.path / "out"));
  const auto file = hdf5::read_sealed(folder.path / "out/table.h5", "sweep");
  const auto root = file.file.root();
  BOOST_TEST(root.text("title") == "masses");
  BOOST_TEST(root.text("case") == spec.case_text);
  const auto results = root.open("results"), parameters = root.open("parameters");
  const auto x = results.read<double>("pushed_x");
  for (std::size_t row = 0; row < 4; ++row) BOOST_TEST(x[row] == number(table, row, "pushed_x"));
  BOOST_TEST(results.text("unit", "pushed_x") == "m");
  BOOST_TEST(has(results.text("description", "pushed_x"), "x of the centroid of body 'pushed'"));
  BOOST_TEST(parameters.text("unit", "body.pushed.density") == "kg/m²");
  BOOST_TEST(parameters.read_texts("contact.elongation")[2] == "velocity");
  BOOST_TEST(root.read_texts("result_order").size() == 3u);
}
