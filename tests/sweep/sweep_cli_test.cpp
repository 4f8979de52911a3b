// dem sweep and dem sweep time-step as a user meets them.
#include <boost/test/unit_test.hpp>

#include "tests/apps/cli_tools.hpp"

namespace {

using cli::has;

const std::string sweep = R"(format = 1
title = "friction"
case = "two.toml"
axis = [{key = "material.friction", values = [0.1, 0.2, 0.4]},
        {key = "contact.elongation", values = ["geometric", "velocity"]}]
[[quantity]]
kind = "final"
column = "b_x"
)";

void prepare(const cli::Folder& folder) {
  folder.write("two.toml", cli::two_discs());
  folder.write("sweep.toml", sweep);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_sweep_leaves_table_plot_and_journal_and_goes_on) {
  const cli::Folder folder;
  prepare(folder);
  const auto run = folder.dem("sweep sweep.toml");
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(has(run.out, "friction: 6 points"));
  BOOST_TEST(has(run.out, "results/sweep/table.csv"));
  for (const char* file : {"table.csv", "table.h5", "journal", "sweep.toml", "case.toml"})
    BOOST_TEST(cli::fs::exists(folder.path() / "results/sweep" / file), file);
  BOOST_TEST((has(run.out, "No plot") != cli::fs::exists(folder.path() / "results/sweep/plot.svg")));
  const auto again = folder.dem("sweep sweep.toml --workers 1");
  BOOST_TEST(again.code == 0);
  BOOST_TEST(has(again.err, "6 done, all earlier"));
  folder.write("sweep.toml", sweep + "stage = \"\"\nname = \"x\"\n");
  const auto other = folder.dem("sweep sweep.toml");
  BOOST_TEST(other.code == 3);
  BOOST_TEST(has(other.err, "--overwrite replaces them"));
  BOOST_TEST(folder.dem("sweep sweep.toml --overwrite").code == 0);
}

BOOST_AUTO_TEST_CASE(a_missing_python_only_costs_the_plot) {
  const cli::Folder folder;
  prepare(folder);
  const auto run = folder.dem("sweep sweep.toml -o out", "PATH=/nowhere");
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(has(run.out, "No plot: it needs Python with matplotlib and h5py. Later: dem plot out\n"));
  BOOST_TEST(cli::fs::exists(folder.path() / "out/table.csv"));
}

BOOST_AUTO_TEST_CASE(bad_sweeps_end_with_codes_and_sentences) {
  const cli::Folder folder;
  prepare(folder);
  folder.write("bad.toml",
               "format = 1\ncase = \"two.toml\"\n[[axis]]\nkey = \"material.fricton\"\nvalues = "
               "[0.1]\n[[quantity]]\nkind = \"final\"\n");
  const auto bad = folder.dem("sweep bad.toml");
  BOOST_TEST(bad.code == 2);
  BOOST_TEST(has(bad.err,
                 "bad.toml:4: axis[1].key: found \"material.fricton\", allowed a key of the case (dem help); nearest "
                 "known key: material.friction"));
  BOOST_TEST(has(bad.err, "bad.toml:6: quantity[1].column: found nothing"));
  BOOST_TEST(!cli::fs::exists(folder.path() / "results"));
  BOOST_TEST(folder.dem("sweep nowhere.toml").code == 3);
  BOOST_TEST(folder.dem("sweep").code == 2);
  folder.write("fail.toml", R"(format = 1
case = "two.toml"
axis = [{key = "time.step", values = [1.0, 2.0]}]
quantity = [{kind = "final", column = "b_x"}]
)");
  const auto all_fail = folder.dem("sweep fail.toml");
  BOOST_TEST(all_fail.code == 1);
  BOOST_TEST(has(all_fail.out, "2 of 2 points could not be run"));
  BOOST_TEST(has(cli::text_of(folder.path() / "results/fail/table.csv"), "time.step: found 1 s, allowed at most"));
}

BOOST_AUTO_TEST_CASE(ctrl_c_keeps_what_is_done) {
  const cli::Folder folder;
  folder.write("two.toml", cli::two_discs("1e-7", "1.0"));
  folder.write("sweep.toml", sweep);
  // timeout signals the sweep and at once the whole group: one request. The sweep ends its workers.
  const auto run = folder.dem("sweep sweep.toml", "timeout --signal=INT 1");
  BOOST_TEST(run.code == 124);  // of timeout, which says that it had to
  BOOST_TEST(has(run.err, "interrupted: 0 of 6 are done and kept, "));
  BOOST_TEST(has(run.err, " stopped with a checkpoint; the same command goes on there"));
  BOOST_TEST(!cli::fs::exists(folder.path() / "results/sweep/table.csv"));
  const auto plain =
      folder.dem("sweep sweep.toml & pid=$!; sleep 1; kill -TERM $pid; wait $pid; echo \"code $?\"; true");
  BOOST_TEST(has(plain.out, "code 4"));
}

BOOST_AUTO_TEST_CASE(the_examples_of_the_help_work) {
  const cli::Folder folder;
  const auto help = folder.dem("sweep --help"), shortcut = folder.dem("sweep time-step --help");
  BOOST_TEST(cli::example_of(help.out) == "sweep apps/examples/time-step-sweep.toml --output results/time-step-sweep");
  BOOST_TEST(folder.dem("check apps/examples/two-discs.toml").code == 0);
  const std::string example = cli::example_of(shortcut.out);
  BOOST_TEST(has(example, "sweep time-step apps/examples/two-discs.toml"));
  const auto run = folder.dem(example + " --from 1e-5");
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(has(run.out, "No dependence on the time step"));
  BOOST_TEST(has(run.out, "Stability limit by runs"));
  BOOST_TEST(has(run.out, "Use time.step = "));
  BOOST_TEST(has(cli::text_of(folder.path() / "results/two-discs-time-step/report.txt"), "Use time.step = "));
  folder.write("two.toml", cli::two_discs());
  const auto other = folder.dem("sweep time-step two.toml -o results/two-discs-time-step");
  BOOST_TEST(other.code == 3);
  BOOST_TEST(has(other.err, "--overwrite replaces them"));
  BOOST_TEST(folder.dem("sweep time-step two.toml -o .").code == 3);  // a folder of something else
  BOOST_TEST(folder.dem("sweep time-step apps/examples/two-discs.toml --quantity nonsense -o n").code == 2);
  BOOST_TEST(folder.dem("sweep time-step apps/examples/two-discs.toml --replicates 3 -o n").code == 2);
}
