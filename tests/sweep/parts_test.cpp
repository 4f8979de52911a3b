// A sweep in parts: which points a part has, the same table as one machine, checkpoints, locks, scripts for Slurm.
#include "libdem/sweep/parts.hpp"

#include "libdem/platform/folder_lock.hpp"
#include "libdem/platform/text_file.hpp"
#include "libdem/results/checkpoint.hpp"
#include "libdem/sweep/point_run.hpp"
#include "libdem/sweep/slurm.hpp"
#include "libdem/sweep/sweep_folder.hpp"
#include "libdem/sweep/task_journal.hpp"
#include "libdem/sweep/tasks.hpp"
#include "tests/sweep/sweep_cases.hpp"
#include "tests/sweep/sweep_tools.hpp"

namespace {

const std::string grid = R"(
axis = [{key = "body.pushed.density", values = [1.0, 2.0, 3.0]}, {name = "length", values = [2.0, 8.0, 4.0]}]
set = {"stage.rest.duration" = "length"}
quantity = [{kind = "mean", column = "kinetic_energy"}, {kind = "final", column = "pushed_x"},
            {kind = "deviation", column = "pushed_x"}, {kind = "relaxation"}]
)";

/// A test with the sweep over the grid, and a folder for its parts.
struct OnGrid {
  const TemporaryFolder folder;
  const SweepSpec spec = spec_of(folder, two_discs(), grid);
  const std::filesystem::path out = folder.path / "out";
};

SweepPart part_in(const std::filesystem::path& folder, int k, int of) { return {k, of, folder, 1, false}; }

/// The text of the table without CPU times, which are never the same.
std::string without_times(SweepTable table) {
  table.seconds.assign(table.rows(), 0);
  return table_csv(table);
}

std::string on_one_machine(const SweepSpec& spec) { return without_times(run_sweep(spec, {2, {}, false, false})); }

}  // namespace

BOOST_FIXTURE_TEST_CASE(parts_have_every_point_once_the_longest_first, OnGrid) {
  for (const int of : {1, 2, 4, 9, 20}) {
    std::multiset<std::size_t> all;
    for (int k = 1; k <= of; ++k)
      for (const std::size_t point : points_of_part(spec, k, of)) all.insert(point);
    BOOST_TEST(all.size() == 9u);
    for (std::size_t point = 0; point < 9; ++point) BOOST_TEST(all.count(point) == 1u);
  }
  // Lengths by point are 2, 8, 4 s and again. Points 1, 4, 7 are the longest.
  const std::vector<std::size_t> first{1, 7, 5, 0, 6}, second{4, 2, 8, 3};
  BOOST_TEST(points_of_part(spec, 1, 2) == first, tt::per_element());
  BOOST_TEST(points_of_part(spec, 2, 2) == second, tt::per_element());
}

BOOST_AUTO_TEST_CASE(parts_are_written_as_k_of_t_and_times_of_a_queue_with_a_unit) {
  BOOST_TEST(part_of_text("3/8").k == 3);
  BOOST_TEST(part_of_text("8/8").of == 8);
  for (const char* bad : {"0/8", "9/8", "-1/8", "1", "1/", "/8", "1/8x", "1.5/8", "1/2/3", "", "1/99999999999"})
    BOOST_CHECK_THROW(part_of_text(bad), std::invalid_argument);
  for (const auto& [text, minutes] :
       {std::pair{"4h", 240}, {"90min", 90}, {"90m", 90}, {"1.5h", 90}, {"1d12h", 36 * 60}})
    BOOST_TEST(minutes_of_text(text) == minutes);
  for (const char* bad :
       {"", "4", "h", "4x", "-1h", "0h", "30s", "0.5min", "400d", "4 h", "1e9h", "nan", "4hh", "1..5h"})
    BOOST_CHECK_THROW(minutes_of_text(bad), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(another_sweep_is_refused_and_leaves_no_trace, OnGrid) {
  for (const int k : {1, 2}) run_sweep_part(spec, part_in(out, k, 2));
  const SweepSpec other = spec_of(folder, two_discs(), with(grid, "[1.0, 2.0, 3.0]", "[1.0, 2.0]"));
  BOOST_CHECK_THROW(run_sweep_part(other, part_in(out, 1, 3)), OtherTasks);
  BOOST_CHECK_THROW(run_sweep(other, {1, out, false, false}), FileError);
  BOOST_CHECK_THROW(write_slurm_script(other, {"/usr/bin/dem", folder.path / "sweep.toml", out, 4, 90, 2}), OtherTasks);
  const SweepSpec slippery = spec_of(folder, with(two_discs(), "friction = 500", "friction = 400"), grid);
  BOOST_CHECK_THROW(run_sweep_part(slippery, part_in(out, 2, 9)), FileError);
  BOOST_CHECK_THROW(collect_sweep(slippery, out), FileError);
  BOOST_CHECK_THROW(sweep_status(slippery, folder.path / "nowhere"), FileError);
  BOOST_CHECK_THROW(run_sweep_part(slippery, part_in(folder.path, 1, 1)), FileError);
  BOOST_TEST(!std::filesystem::exists(out / "parts" / "log"));
  BOOST_TEST(without_times(collect_sweep(spec, out)) == on_one_machine(spec));
  BOOST_TEST(run_sweep_part(spec, part_in(out, 1, 2)).ran == 0u);
}

BOOST_AUTO_TEST_CASE(a_stopped_point_goes_on_from_its_checkpoint_to_the_same_bits) {
  for (const auto& [cell, in_parts] : {std::pair{false, true}, {true, true}, {true, false}}) {
    const TemporaryFolder folder;
    const std::string quantities = R"(
quantity = [{kind = "mean", column = "kinetic_energy"},
            {kind = "deviation", column = "coordination", stage = "shear", strain_window = [0.01, 0.04]}]
)";
    const std::string seeds = "axis = [{key = \"assembly.seed\", values = [1]}]\n";
    const std::string longer = with(grid, "[2.0, 8.0, 4.0]", "[10000.0]");
    const SweepSpec spec =
        cell ? spec_of(folder, with(small_cell(), "strain = 0.05", "strain = 10.0"), seeds + quantities)
             : spec_of(folder, two_discs(), longer);
    const auto out = folder.path / "out";
    int stops = 0;
    for (bool more = true; more && stops < 100;) {
      struct sigaction ignore {
      }, before{};
      ignore.sa_handler = [](int) {};
      sigaction(SIGTERM, &ignore, &before);
      // Signals come while a point runs. The first one is later each time, so that every run gets on. One alone may
      // come before the sweep listens.
      const pid_t parent = getpid(), child = fork();
      if (child == 0) {
        usleep(unsigned(5'000 + 40'000 * stops));
        for (; getppid() == parent; usleep(5'000)) kill(parent, SIGTERM);
        _exit(0);
      }
      try {
        if (in_parts)
          run_sweep_part(spec, part_in(out, 1, 1));
        else
          run_sweep(spec, {1, out, false, false});
        more = false;
      } catch (const TasksInterrupted& stop) {
        ++stops;
        BOOST_TEST(has(stop.what(), "the same command goes on there"));
      }
      end_of(child, SIGKILL);
      sigaction(SIGTERM, &before, nullptr);
    }
    BOOST_TEST(stops > 0);
    BOOST_TEST(std::filesystem::exists(out / "parts") == in_parts);
    BOOST_TEST(without_times(collect_sweep(spec, out)) == on_one_machine(spec));
  }
}

BOOST_FIXTURE_TEST_CASE(a_point_stopped_after_its_last_step_takes_no_more, InTemporaryFolder) {
  // Held discs make the steps slow. So each 32 steps have a checkpoint, and the last one is that of the last step.
  std::string discs;
  for (int k = 0; k < 3000; ++k)
    discs += fmt::format(
        "{{shape = \"disc\", radius = 0.5, position = [{}, 0.0], fixed = [\"x\", \"y\", \"rotation\"]}}, ", 10 + 2 * k);
  std::string text = with(two_discs("[output]\ncheckpoint_interval = 1e-3\n"), "body = [", "body = [" + discs);
  text = with(text, "restitution = 0.9", "restitution = 0.3");
  const SweepSpec spec = spec_of(folder, text, R"(
axis = [{key = "stage.rest.duration", values = [100.0]}]
quantity = [{kind = "relaxation"}]
)");
  TaskProgress progress;
  const PointRun how{1, folder.path / "parts/point-1.h5", {}, "a test"};
  const std::vector<double> whole = run_point(spec, 0, progress, how), resumed = run_point(spec, 0, progress, how);
  // Otherwise this test would not see the last step.
  BOOST_TEST(double(read_checkpoint(how.checkpoint).header().step) == whole[1]);
  BOOST_TEST(whole[1] < 1e5);  // steps: the energy has decayed before the time is over
  BOOST_TEST(whole[1] == resumed[1]);
}

BOOST_FIXTURE_TEST_CASE(tables_are_collected_by_several_at_once, OnGrid) {
  for (const int k : {1, 2}) run_sweep_part(spec, part_in(out, k, 2));
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k)
    if (children.push_back(fork()); children.back() == 0) {
      try {
        for (int n = 0; n < 5; ++n) collect_sweep(spec, out);
        _exit(0);
      } catch (...) {
        _exit(1);
      }
    }
  for (const pid_t child : children) BOOST_TEST(end_of(child) == 0);
  BOOST_TEST(without_times(collect_sweep(spec, out)) == on_one_machine(spec));
}

BOOST_FIXTURE_TEST_CASE(a_locked_point_is_left_to_its_process, OnGrid) {
  create_folder(out / "parts");
  {
    const FileLock lock(out / "parts/point-2.lock", "a test");
    const PartReport report = run_sweep_part(spec, part_in(out, 1, 1));
    BOOST_TEST(report.ran == 8u);
    BOOST_TEST_REQUIRE(report.left.size() == 1u);
    BOOST_TEST(has(report.left[0], "point 2 (body.pushed.density = 1, length = 8) is run by process"));
    const auto all = sweep_status(spec, out);
    BOOST_TEST(bool(all[1].state == PointState::running));
    BOOST_TEST(has(all[1].text, "(a test, since"));
    BOOST_CHECK_THROW(run_sweep(spec, {1, out, false, true}), FileError);  // nothing is taken from a running part
  }
  {
    const FileLock lock(out / "parts/1-of-1.lock", "another test");
    BOOST_CHECK_THROW(run_sweep_part(spec, part_in(out, 1, 1)), FileError);
  }
  // A lock file that no process holds is left from a killed one.
  std::ofstream(out / "parts/point-2.lock") << "process 1 (dem sweep --part 1/1 on here, since then)\n";
  const auto all = sweep_status(spec, out);
  BOOST_TEST(bool(all[1].state == PointState::waiting));
  BOOST_TEST(all[1].text == "process 1 (dem sweep --part 1/1 on here, since then) was killed");
  BOOST_TEST(run_sweep_part(spec, part_in(out, 1, 1)).ran == 1u);
}

BOOST_FIXTURE_TEST_CASE(points_that_cannot_run_are_failed_with_their_reason, InTemporaryFolder) {
  const SweepSpec spec = spec_of(folder, two_discs(), R"(
axis = [{key = "time.step", values = [1e-3, 10.0]}]
quantity = [{kind = "final", column = "pushed_x"}]
)");
  const auto out = folder.path / "out";
  BOOST_TEST(run_sweep_part(spec, part_in(out, 1, 1)).failed == 1u);
  const auto all = sweep_status(spec, out);
  BOOST_TEST(bool(all[1].state == PointState::failed));
  BOOST_TEST(has(all[1].text, "time.step: found 10 s"));
  BOOST_TEST(without_times(collect_sweep(spec, out)) == on_one_machine(spec));
}

BOOST_FIXTURE_TEST_CASE(a_script_has_one_array_and_the_name_of_its_folder, OnGrid) {
  const auto script = [&](const std::string& to, int tasks) {
    return slurm_script(spec, {"/usr/bin/dem", folder.path / "sweep.toml", to, tasks, 90, 2});
  };
  const std::string text = script("/data/my 5% sweep", 4);
  for (const char* line :
       {"\n#SBATCH --array=1-4\n", "\n#SBATCH --time=1:30:00\n", "\n#SBATCH --cpus-per-task=2\n",
        "\n#SBATCH --signal=B:TERM@120\n", "\nexport OMP_NUM_THREADS=2\n",
        "\n#SBATCH --output=\"/data/my 5%% sweep/parts/log/%A_%a.txt\"\n", "\n#SBATCH --job-name=dem-my-5--sweep-",
        "--output '/data/my 5% sweep' --part \"$SLURM_ARRAY_TASK_ID\"/4 --cores 2\n"})
    BOOST_TEST(has(text, line), text << line);
  BOOST_TEST(has(script("/data/a", 200), "\n#SBATCH --array=1-9\n"));  // no more tasks than points
  const auto name = [](const std::string& of) {
    const auto at = of.find("#SBATCH --job-name=");
    return of.substr(at, of.find('\n', at) - at);
  };
  BOOST_TEST(name(script("/data/a", 4)) == name(script("/data/b/../a/", 4)));
  BOOST_TEST(name(script("/data/a", 4)) != name(script("/data/b/a", 4)));
  BOOST_CHECK_THROW(script("/data/a\"b", 4), std::invalid_argument);
}

BOOST_FIXTURE_TEST_CASE(lines_of_the_user_stay_in_a_script_that_is_written_again, OnGrid) {
  SlurmChoice how{"/usr/bin/dem", folder.path / "sweep.toml", folder.path / "out", 4, 90, 2};
  const auto script = write_slurm_script(spec, how);
  const std::string first = read_file(script), mine = "#SBATCH --account=soil\nmodule load gcc\n";
  const std::string with_mine = with(first, "# End of your lines.", mine + "# End of your lines.");
  write_file(script, with_mine);
  for (int k = 0; k < 2; ++k) {
    write_slurm_script(spec, how);
    BOOST_TEST(read_file(script) == with_mine);
  }
  how.minutes = 30;
  write_slurm_script(spec, how);
  BOOST_TEST(has(read_file(script), "#SBATCH --time=0:30:00\n"));
  BOOST_TEST(!has(read_file(script), "--time=1:30:00"));
  BOOST_TEST(has(read_file(script), mine));
  // It stays when the sweep is replaced.
  run_sweep(spec, {1, folder.path / "out", false, true});
  BOOST_TEST(has(read_file(script), mine));
  // A script without a place for them is not replaced.
  write_file(script, "my own\n");
  BOOST_CHECK_THROW(write_slurm_script(spec, how), FileError);
  BOOST_TEST(read_file(script) == "my own\n");
}

BOOST_FIXTURE_TEST_CASE(tables_are_written_in_turn_and_a_removed_folder_ends_a_part, InTemporaryFolder) {
  const auto out = folder.path / "out";
  TaskJournal journal(out / "parts/1-of-9.journal", "fingerprint", 9);
  std::filesystem::remove_all(out);
  BOOST_CHECK_EXCEPTION(journal.append(0, {}), FileError, says("found it removed"));
  {
    const FileLock lock(folder.path / ".files.lock", "a test");
    BOOST_CHECK_EXCEPTION(sweep_folder::TablesLock(folder.path, 2), FileError, says("is written by process"));
  }
  const sweep_folder::TablesLock turn(folder.path, 2);
}
