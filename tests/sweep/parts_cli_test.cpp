// dem sweep --part, --slurm, --collect and --status as a user meets them. tests/slurm has a real queue.
#include "libdem/platform/folder_lock.hpp"
#include "tests/apps/cli_tools.hpp"

namespace {

using cli::has;

void prepare(const cli::Folder& folder, const std::string& duration = "0.005") {
  folder.write("two.toml", cli::two_discs("1e-6", duration, "[output]\ncheckpoint_interval = 0.05\n"));
  folder.write("sweep.toml", R"(format = 1
title = "friction"
case = "two.toml"
axis = [{key = "material.friction", values = [0.1, 0.2, 0.4]},
        {key = "contact.elongation", values = ["geometric", "velocity"]}]
quantity = [{kind = "final", column = "b_x"}, {kind = "mean", column = "kinetic_energy"}]
)");
}

struct Prepared : cli::InFolder {
  Prepared() { prepare(folder); }
};

/// The table without its last columns, which are CPU times and messages.
std::string columns_of(const std::string& csv) {
  std::string text, line;
  for (std::istringstream in(csv); std::getline(in, line);)
    text += line.substr(0, line.rfind(',', line.rfind(',') - 1)) + "\n";
  return text;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(parts_run_at_once_one_is_killed_and_the_table_is_that_of_one_machine, cli::InFolder) {
  prepare(folder, "3");  // a point takes about ten intervals of its checkpoint
  folder.gives(0, "sweep sweep.toml -o one");
  const pid_t first = cli::start(folder, {"sweep", "sweep.toml", "--part", "1/2"});
  const pid_t second = cli::start(folder, {"sweep", "sweep.toml", "--part", "2/2"});
  const auto parts = folder.path() / "results/sweep/parts";
  BOOST_TEST_REQUIRE(cli::comes({parts / "point-1.h5", parts / "point-3.h5", parts / "point-5.h5"}));
  kill(first, SIGSTOP);  // it holds its part and its point as long as the test looks
  folder.gives(0, "sweep sweep.toml --status", {"friction: 6 points", "(dem sweep --part 1/2 on "});
  folder.refuses(3, "sweep sweep.toml --part 1/2", {"results/sweep: part 1/2 is run by process", "wait for it"});
  folder.refuses(3, "sweep sweep.toml", {"results/sweep is in use by process"});
  BOOST_TEST(WEXITSTATUS(cli::end_of(second)) == 0);
  BOOST_TEST(WIFSIGNALED(cli::end_of(first, SIGKILL)));
  const auto found = folder.gives(0, "sweep sweep.toml --status", {"running        0", " was killed"});
  const int done = std::atoi(cli::line_with(found.out, "done").substr(4).c_str());
  BOOST_TEST(done >= 3);
  BOOST_TEST_REQUIRE(done < 6);  // the first part was held in the middle
  folder.gives(1, "sweep sweep.toml --collect", {std::to_string(done) + " of 6 points are in"},
               {std::to_string(6 - done) + " of 6 points are missing"});
  folder.gives(0, "sweep sweep.toml --part 1/2", {"3 points, " + std::to_string(done - 3) + " finished earlier"});
  {
    const dem::FolderLock lock(folder.path() / "results/sweep", "a test");
    folder.gives(0, "sweep sweep.toml --status", {"In use by process", "(a test, since"});
  }
  folder.gives(0, "sweep sweep.toml --collect", {"6 of 6 points are in results/sweep/table.csv"});
  BOOST_TEST(columns_of(folder.text("results/sweep/table.csv")) == columns_of(folder.text("one/table.csv")));
  for (const auto& entry : cli::fs::directory_iterator(parts))
    BOOST_TEST(entry.path().extension() == ".journal", entry.path());
}

BOOST_FIXTURE_TEST_CASE(ctrl_c_leaves_a_checkpoint, cli::InFolder) {
  prepare(folder, "10.0");
  for (const int signal : {SIGINT, SIGTERM}) {
    const pid_t part = cli::start(folder, {"sweep", "sweep.toml", "-o", "out", "--part", "1/1"});
    BOOST_TEST_REQUIRE(cli::comes({folder.path() / "out/parts/point-1.lock"}));
    BOOST_TEST(WEXITSTATUS(cli::end_of(part, signal)) == 4);
    folder.shows("stderr.txt", {"part 1/1 interrupted: 0 of 6 points are finished, point 1 (material.friction = 0.1, "
                                "contact.elongation = geometric) is stopped at step ",
                                "with a checkpoint; the same command goes on there"});
    BOOST_TEST(!folder.holds("out/parts/point-1.lock"));
  }
}

BOOST_FIXTURE_TEST_CASE(bad_options_have_sentences, Prepared) {
  folder.refuses(2, "sweep sweep.toml --part 0/3", {"--part: found 0/3, allowed k/T with whole numbers k from 1 to T"});
  folder.refuses(2, "sweep sweep.toml --part 4/3", {"--part: found 4/3"});
  folder.refuses(2, "sweep sweep.toml --part 1/3 --collect", {"excludes"});
  folder.refuses(2, "sweep sweep.toml --part 1/3 --overwrite", {"excludes"});
  folder.refuses(2, "sweep sweep.toml --tasks 5", {"--tasks requires --slurm"});
  folder.refuses(2, "sweep sweep.toml --cores 2", {"--cores requires --slurm or --part"});
  folder.refuses(2, "sweep sweep.toml --slurm --time 4x", {"--time: found 4x, allowed a time of 1min to 365d"});
  folder.refuses(2, "sweep sweep.toml --slurm --tasks 1000",
                 {"dem sweep: --tasks: found 1000, allowed a whole number in [1, 999]"});
  folder.refuses(3, "sweep nowhere.toml --status", {"nowhere.toml"});
  folder.refuses(3, "sweep sweep.toml --status", {"results/sweep: found no sweep there"});
  folder.refuses(3, "sweep sweep.toml --collect", {"results/sweep: found no sweep there"});
  folder.refuses(3, "sweep sweep.toml --part 1/2 -o .", {"holds ", " but no sweep"});
  folder.refuses(3, "sweep sweep.toml --part 1/2 -o two.toml", {"cannot create folder two.toml"});
  BOOST_TEST(!folder.holds("results"));
}

BOOST_FIXTURE_TEST_CASE(a_full_disk_stops_a_part_and_keeps_what_is_finished, Prepared) {
  folder.gives(0, "sweep sweep.toml -o out --part 1/6");
  folder.refuses(3, "sweep sweep.toml -o out --part 2/6", {"cannot write out/parts/2-of-6.journal"},
                 "ulimit -f 1; trap '' XFSZ;");
  folder.gives(0, "sweep sweep.toml -o out --part 2/6", {"1 points, 0 finished earlier, 1 now"});
}

BOOST_FIXTURE_TEST_CASE(a_script_for_slurm_is_written_and_handed_over, Prepared) {
  folder.gives(0, "sweep sweep.toml --slurm --tasks 4 --time 90min",
               {"Script in results/sweep/sweep.slurm: 6 of 6 points are left", "sbatch results/sweep/sweep.slurm"});
  folder.shows("results/sweep/sweep.slurm", {"--array=1-4\n", "--time=1:30:00\n", "export OMP_NUM_THREADS=1\n"});
  folder.refuses(1, "sweep sweep.toml --slurm --submit", {"--submit: found no program sbatch"}, "PATH=/nowhere");
  // A program in place of the queue runs the tasks of the array.
  folder.write("sbatch", "for k in 1 2 3 4; do SLURM_ARRAY_TASK_ID=$k bash \"$1\" >/dev/null 2>&1; done\n");
  cli::fs::permissions(folder.path() / "sbatch", cli::fs::perms::owner_all);
  const std::string queue = "PATH=$PWD:$PATH";
  folder.gives(0, "sweep sweep.toml --slurm --tasks 4 --submit", {}, {}, queue);
  folder.gives(0, "sweep sweep.toml --status", {"done           6"});
  folder.gives(0, "sweep sweep.toml --slurm --submit", {"There is nothing to submit."}, {}, queue);
  folder.gives(0, "sweep sweep.toml --collect", {"6 of 6 points are in"});
}
