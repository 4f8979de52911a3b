// dem sweep and dem sweep time-step as a user meets them.
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

struct Prepared {
  const cli::Folder folder{"two.toml", cli::two_discs()};
  Prepared() { folder.write("sweep.toml", sweep); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_sweep_leaves_table_plot_and_journal_and_goes_on, Prepared) {
  const auto run = folder.gives(0, "sweep sweep.toml", {"friction: 6 points", "results/sweep/table.csv"});
  for (const char* file : {"table.csv", "table.h5", "journal", "sweep.toml", "case.toml"})
    BOOST_TEST(cli::fs::exists(folder.path() / "results/sweep" / file), file);
  BOOST_TEST((has(run.out, "No plot") != folder.holds("results/sweep/plot.svg")));
  folder.gives(0, "sweep sweep.toml --workers 1", {}, {"6 done, all earlier"});
  folder.write("sweep.toml", sweep + "stage = \"\"\nname = \"x\"\n");
  folder.refuses(3, "sweep sweep.toml", {"--overwrite replaces them"});
  folder.gives(0, "sweep sweep.toml --overwrite");
  // A missing Python only costs the plot.
  folder.gives(0, "sweep sweep.toml -o out",
               {"No plot: it needs Python with matplotlib and h5py. Later: dem plot out\n"}, {}, "PATH=/nowhere");
  BOOST_TEST(folder.holds("out/table.csv"));
}

BOOST_FIXTURE_TEST_CASE(bad_sweeps_end_with_codes_and_sentences, Prepared) {
  folder.write("bad.toml",
               "format = 1\ncase = \"two.toml\"\n[[axis]]\nkey = \"material.fricton\"\nvalues = "
               "[0.1]\n[[quantity]]\nkind = \"final\"\n");
  folder.refuses(2, "sweep bad.toml",
                 {"bad.toml:4: axis[1].key: found \"material.fricton\", allowed a key of the case (dem help); nearest "
                  "known key: material.friction",
                  "bad.toml:6: quantity[1].column: found nothing"});
  BOOST_TEST(!folder.holds("results"));
  folder.gives(3, "sweep nowhere.toml");
  folder.gives(2, "sweep");
  folder.write("fail.toml", R"(format = 1
case = "two.toml"
axis = [{key = "time.step", values = [1.0, 2.0]}]
quantity = [{kind = "final", column = "b_x"}]
)");
  folder.gives(1, "sweep fail.toml", {"2 of 2 points could not be run"});
  folder.shows("results/fail/table.csv", {"time.step: found 1 s, allowed at most"});
}

BOOST_AUTO_TEST_CASE(ctrl_c_keeps_what_is_done) {
  const cli::Folder folder("two.toml", cli::two_discs("1e-7", "1.0"));
  folder.write("sweep.toml", sweep);
  // timeout signals the sweep and at once the whole group: one request. The sweep ends its workers.
  // 124 is the code of timeout, which says that it had to.
  folder.gives(
      124, "sweep sweep.toml", {},
      {"interrupted: 0 of 6 are done and kept, ", " stopped with a checkpoint; the same command goes on there"},
      "timeout --signal=INT 1");
  BOOST_TEST(!folder.holds("results/sweep/table.csv"));
  folder.dem("sweep sweep.toml & pid=$!; sleep 1; kill -TERM $pid; wait $pid; echo \"code $?\"; true")
      .prints({"code 4"});
}

BOOST_FIXTURE_TEST_CASE(the_examples_of_the_help_work, cli::InFolder) {
  const auto help = folder.dem("sweep --help"), shortcut = folder.dem("sweep time-step --help");
  BOOST_TEST(cli::example_of(help.out) == "sweep apps/examples/time-step-sweep.toml --output results/time-step-sweep");
  folder.gives(0, "check apps/examples/two-discs.toml");
  const std::string example = cli::example_of(shortcut.out);
  BOOST_TEST(has(example, "sweep time-step apps/examples/two-discs.toml"));
  folder.gives(0, example + " --from 1e-5",
               {"No dependence on the time step", "Stability limit by runs", "Use time.step = "});
  folder.shows("results/two-discs-time-step/report.txt", {"Use time.step = "});
  folder.write("two.toml", cli::two_discs());
  folder.refuses(3, "sweep time-step two.toml -o results/two-discs-time-step", {"--overwrite replaces them"});
  folder.gives(3, "sweep time-step two.toml -o .");  // a folder of something else
  folder.gives(2, "sweep time-step apps/examples/two-discs.toml --quantity nonsense -o n");
  folder.gives(2, "sweep time-step apps/examples/two-discs.toml --replicates 3 -o n");
}
