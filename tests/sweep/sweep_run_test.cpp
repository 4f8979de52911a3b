// Sweeps as they run: numbers, messages, tables, resume, and folders that are refused.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <thread>

#include "libdem/platform/text_file.hpp"
#include "libdem/results/hdf5_sealed.hpp"
#include "libdem/sweep/sweep.hpp"
#include "libdem/sweep/tasks.hpp"
#include "tests/sweep/sweep_cases.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

using namespace dem;
using sweep_test::Folder;
using sweep_test::has;
namespace tt = boost::test_tools;

SweepSpec spec_of(const Folder& folder, const std::string& case_text, const std::string& sweep) {
  folder.write("case.toml", case_text);
  return read_sweep(folder.write("sweep.toml", "format = 1\ncase = \"case.toml\"\n" + sweep));
}

SweepRun quietly(const std::filesystem::path& folder = {}) { return {2, folder, false, false}; }

const std::string two_masses = "[[axis]]\nkey = \"body.pushed.density\"\nvalues = [1.0, 2.0]\n";

}  // namespace

// The decay of the two discs: t_R/t_c = 238.50 with the geometric elongation, 160.02 and 40.43 with the predicted
// velocity at Δt/t_c = 0.01 and 0.1 (polygon-dem reference, §5, table).
BOOST_AUTO_TEST_CASE(relaxation_times_of_the_reference) {
  const Folder folder;
  const auto spec =
      spec_of(folder, sweep_test::two_discs(),
              "[[axis]]\nkey = \"contact.elongation\"\nvalues = [\"geometric\", \"velocity\"]\n"
              "[[axis]]\nname = \"ratio\"\nvalues = [0.1, 0.01]\n[set]\n\"material.restitution\" = \"0.9875\"\n"
              "\"time.step\" = \"ratio * t_c\"\n\"stage.rest.duration\" = \"8000 * t_c\"\n[[quantity]]\nkind = "
              "\"relaxation\"\n");
  const SweepTable table = run_sweep(spec, quietly());
  BOOST_TEST_REQUIRE(table.rows() == 4u);
  const double expected[] = {238.46, 238.50, 40.43, 160.02};
  for (std::size_t row = 0; row < 4; ++row) {
    BOOST_TEST(table.message[row] == "");
    BOOST_TEST(table.number(row, "t_R_over_t_c") == expected[row], tt::tolerance(1e-3));
    BOOST_TEST(table.number(row, "t_R_r_squared") > 0.999);
    BOOST_TEST(table.number(row, "t_R_maxima") >= 20);
    // It stops when the energy has decayed, not at the end of the stage.
    BOOST_TEST(table.number(row, "steps") * table.number(row, "ratio") < 7000);
  }
  BOOST_TEST(table.word(2, "contact.elongation") == "velocity");
  BOOST_CHECK_THROW(table.number(0, "t_Q"), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(too_few_maxima_are_no_number) {
  const Folder folder;
  const auto spec =
      spec_of(folder, sweep_test::two_discs(),
              two_masses + "[[quantity]]\nkind = \"relaxation\"\n[set]\n\"stage.rest.duration\" = \"10 * t_c\"\n");
  const SweepTable table = run_sweep(spec, quietly());
  for (std::size_t row = 0; row < 2; ++row) {
    BOOST_TEST(std::isnan(table.number(row, "t_R")));
    BOOST_TEST(std::isnan(table.number(row, "t_R_over_t_c")));
    BOOST_TEST(table.number(row, "t_R_maxima") < 20);
    BOOST_TEST(has(table.message[row], "maxima of the kinetic energy, at least 20 are needed"));
  }
  BOOST_TEST(table.failed() == 0u);
  BOOST_TEST(has(table_csv(table), ",nan,"));
}

// Free fall: velocity_y = −10 t, rows at 0, 0.01, … 0.2 s.
BOOST_AUTO_TEST_CASE(windows_stages_and_statistics) {
  const Folder folder;
  const std::string v = "column = \"ball_velocity_y\"\n";
  const auto spec =
      spec_of(folder, sweep_test::falling_disc(),
              "[[axis]]\nkey = \"gravity[1]\"\nvalues = [-10.0, -20.0]\n"
              "[[quantity]]\nkind = \"final\"\n" +
                  v + "[[quantity]]\nkind = \"final\"\nstage = \"up\"\nname = \"up\"\n" + v +
                  "[[quantity]]\nkind = \"mean\"\n" + v +
                  "[[quantity]]\nkind = \"mean\"\nname = \"down\"\nstage = \"down\"\ntime_window = [0.05, 0.1]\n" + v +
                  "[[quantity]]\nkind = \"minimum\"\n" + v + "[[quantity]]\nkind = \"maximum\"\n" + v +
                  "[[quantity]]\nkind = \"deviation\"\n" + v);
  const SweepTable table = run_sweep(spec, quietly());
  for (std::size_t row = 0; row < 2; ++row) {
    const double g = row == 0 ? -10 : -20;
    BOOST_TEST(table.message[row] == "");
    BOOST_TEST(table.number(row, "ball_velocity_y") == g * 0.2, tt::tolerance(1e-9));
    BOOST_TEST(table.number(row, "up") == g * 0.1, tt::tolerance(1e-9));
    BOOST_TEST(table.number(row, "ball_velocity_y_mean") == g * 0.1, tt::tolerance(1e-9));
    BOOST_TEST(table.number(row, "down") == g * 0.175, tt::tolerance(1e-9));
    BOOST_TEST(table.number(row, "ball_velocity_y_minimum") == g * 0.2, tt::tolerance(1e-9));
    BOOST_TEST(std::abs(table.number(row, "ball_velocity_y_maximum")) < 1e-12);
    BOOST_TEST(table.number(row, "ball_velocity_y_deviation") == -g * 0.01 * std::sqrt(38.5),
               tt::tolerance(1e-9));  // of 0 … 20
  }
}

BOOST_AUTO_TEST_CASE(a_point_that_cannot_be_run_has_its_message_and_the_others_their_numbers) {
  const Folder folder;
  const auto spec = spec_of(folder, sweep_test::two_discs(),
                            "[[axis]]\nkey = \"time.step\"\nvalues = [1e-3, 0.5]\n[[axis]]\nkey = "
                            "\"time.override_limit\"\nvalues = [false, true]\n"
                            "[[axis]]\nkey = \"body.pushed.position[0]\"\nvalues = [0.7071067811864768, 0.5]\n"
                            "[[quantity]]\nkind = \"final\"\ncolumn = \"pushed_x\"\n[set]\n\"body.pushed.velocity[0]\" "
                            "= \"-1.0\"\n\"stage.rest.duration\" = \"3000\"\n");
  SweepSpec short_runs = spec;
  short_runs.set[1].second = "0.1 + 3000 * (override_limit * (step > 0.1))";
  const SweepTable table = run_sweep(short_runs, quietly());
  BOOST_TEST(!std::isnan(table.number(0, "pushed_x")));
  BOOST_TEST(has(table.message[1], "overlap"));                 // at the start more than the case allows
  BOOST_TEST(has(table.message[4], "time.step: found 0.5 s"));  // above the limit
  BOOST_TEST(has(table.message[6], "step "));                   // blows up when forced
  for (const std::size_t row : {1, 4, 6}) BOOST_TEST(std::isnan(table.number(row, "pushed_x")));
  BOOST_TEST(table.failed() >= 3u);
  for (const auto& message : table.message)
    BOOST_TEST(!has(message, "case.toml:"));  // no line of a text that nobody has
}

BOOST_AUTO_TEST_CASE(replicates_have_their_own_seeds) {
  const Folder folder;
  const auto spec = spec_of(
      folder, sweep_test::small_cell(),
      "[[axis]]\nkey = \"material.friction\"\nvalues = [0.3]\n[replicates]\ncount = 3\nfirst_seed = 5\nkey = "
      "\"assembly.seed\"\n"
      "[[quantity]]\nkind = \"mean\"\ncolumn = \"shear_ratio\"\nstage = \"shear\"\nstrain_window = [0.02, 0.05]\n");
  const SweepTable table = run_sweep(spec, quietly());
  BOOST_TEST_REQUIRE(table.rows() == 3u);
  for (std::size_t row = 0; row < 3; ++row) {
    BOOST_TEST(table.number(row, "replicate") == double(row));
    BOOST_TEST(table.number(row, "seed") == 5.0 + double(row));
    BOOST_TEST(std::isfinite(table.number(row, "shear_ratio_mean")), table.message[row]);
  }
  BOOST_TEST(table.number(0, "shear_ratio_mean") != table.number(1, "shear_ratio_mean"));
  BOOST_TEST(has(point_case_text(spec, 2), "seed = 7"));
}

BOOST_AUTO_TEST_CASE(a_folder_is_gone_on_with_but_never_mixed) {
  const Folder folder;
  const std::string quantity = "[[quantity]]\nkind = \"final\"\ncolumn = \"pushed_x\"\n";
  const auto spec = spec_of(folder, sweep_test::two_discs(), two_masses + quantity);
  const auto out = folder.path() / "out";
  const SweepTable first = run_sweep(spec, quietly(out));
  const std::string csv = read_file(out / "table.csv");
  BOOST_TEST(csv.starts_with("body.pushed.density,t_c,steps,pushed_x,cpu_seconds,message\n1,"));
  BOOST_TEST(read_file(out / "case.toml") == sweep_test::two_discs());
  BOOST_TEST(read_file(out / "sweep.toml") == spec.text);
  const SweepTable again = run_sweep(spec, quietly(out));
  BOOST_TEST(read_file(out / "table.csv") == csv);  // CPU seconds too: nothing was run
  for (std::size_t row = 0; row < 2; ++row) BOOST_TEST(first.result[row] == again.result[row], tt::per_element());

  const auto refused = [&](const SweepSpec& other, const std::string& part) {
    BOOST_CHECK_EXCEPTION(run_sweep(other, quietly(out)), FileError, [&](const FileError& e) {
      BOOST_TEST_INFO(e.what());
      return has(e.what(), part) && has(e.what(), "--overwrite");
    });
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
  SweepRun replace = quietly(out);
  replace.overwrite = true;
  run_sweep(other, replace);
  BOOST_TEST(read_file(out / "table.csv") != csv);

  // A folder of something else is left alone, --overwrite or not.
  folder.write("precious.txt", "x");
  BOOST_CHECK_EXCEPTION(run_sweep(spec, {1, folder.path(), false, true}), FileError,
                        [](const FileError& e) { return has(e.what(), "holds") && has(e.what(), "no sweep"); });
  BOOST_TEST(std::filesystem::exists(folder.path() / "case.toml"));
}

BOOST_AUTO_TEST_CASE(the_hdf5_table_holds_columns_with_units_and_meanings) {
  const Folder folder;
  const auto spec =
      spec_of(folder, sweep_test::two_discs(),
              "title = \"masses\"\n[[axis]]\nkey = \"contact.elongation\"\nvalues = [\"geometric\", \"velocity\"]\n" +
                  two_masses + "[[quantity]]\nkind = \"final\"\ncolumn = \"pushed_x\"\n");
  const SweepTable table = run_sweep(spec, quietly(folder.path() / "out"));
  const auto file = hdf5::read_sealed(folder.path() / "out/table.h5", "sweep");
  const auto root = file.file.root();
  BOOST_TEST(root.text("title") == "masses");
  BOOST_TEST(root.text("case") == spec.case_text);
  const auto results = root.open("results"), parameters = root.open("parameters");
  const auto x = results.read<double>("pushed_x");
  for (std::size_t row = 0; row < 4; ++row) BOOST_TEST(x[row] == table.number(row, "pushed_x"));
  BOOST_TEST(results.text("unit", "pushed_x") == "m");
  BOOST_TEST(has(results.text("description", "pushed_x"), "x of the centroid of body 'pushed'"));
  BOOST_TEST(parameters.text("unit", "body.pushed.density") == "kg/m²");
  BOOST_TEST(parameters.read_texts("contact.elongation")[2] == "velocity");
  BOOST_TEST(root.read_texts("result_order").size() == 3u);
}

// Killed in the middle and started again: the same table as without.
BOOST_AUTO_TEST_CASE(a_killed_sweep_goes_on_and_ends_with_the_same_table) {
  const Folder folder;
  const auto spec =
      spec_of(folder, sweep_test::two_discs(),
              "[[axis]]\nname = \"n\"\nrange = { from = 1, to = 8, count = 8 }\n[set]\n\"time.step\" = \"1e-4\"\n"
              "\"stage.rest.duration\" = \"n * 2\"\n[[quantity]]\nkind = \"final\"\ncolumn = \"pushed_angle\"\n");
  const SweepTable whole = run_sweep(spec, quietly());
  for (const int signal : {SIGKILL, SIGTERM}) {
    const auto out = folder.path() / std::to_string(signal);
    const pid_t pid = fork();
    if (pid == 0) {
      try {
        run_sweep(spec, {1, out, false, false});
      } catch (const TasksInterrupted&) {
        _exit(4);
      } catch (...) {
      }
      _exit(0);
    }
    const auto lines = [&] {
      std::error_code error;
      if (!std::filesystem::exists(out / "journal", error)) return std::ptrdiff_t(0);
      const std::string text = read_file(out / "journal");
      return std::count(text.begin(), text.end(), '\n');
    };
    for (int k = 0; k < 2000 && lines() < 3; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    kill(pid, signal);
    int status = 0;
    waitpid(pid, &status, 0);
    if (signal == SIGTERM) BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 4));
    BOOST_TEST(!std::filesystem::exists(out / "table.csv"));
    const auto before = lines();
    BOOST_TEST((before >= 3 && before < 9));
    const SweepTable table = run_sweep(spec, quietly(out));
    for (std::size_t row = 0; row < 8; ++row) BOOST_TEST(table.result[row] == whole.result[row], tt::per_element());
  }
}
