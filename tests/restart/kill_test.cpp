// The program is killed, or stopped by Ctrl-C, and goes on: the end is that of a run that was never interrupted.
#include <random>

#include "apps/cli_tools.hpp"
#include "libdem/results/folder.hpp"
#include "program_cases.hpp"
#include "results/results_test_tools.hpp"

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int steps = 4000;

/// Rows of the series, bit by bit.
bool same_rows(const dem::Series& a, const dem::Series& b) {
  return a.problems.empty() && b.problems.empty() && a.row_width() == b.row_width() &&
         dem::test::same_bits(a.values, b.values);
}

/// A moment within a share of a duration.
std::chrono::duration<double> part_of(double seconds, std::mt19937_64& random) {
  return std::chrono::duration<double>(seconds * double(random() >> 11) * 0x1p-53);
}

/// The run without interruption.
struct Undisturbed {
  cli::Folder folder;
  std::string hash;
  double seconds;
  dem::Series series, profiles;
  Undisturbed() {
    folder.write("shear.toml", cli::polygon_shear(steps, 0.02));
    const auto begin = Clock::now();
    const auto result = folder.dem("run shear.toml -o whole");
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    BOOST_TEST_REQUIRE(result.code == 0, result.out << result.err);
    hash = cli::hash_line(result.out);
    series = dem::read_series(folder.path() / "whole/series");
    profiles = dem::read_series(folder.path() / "whole/profiles");
    BOOST_TEST(series.rows() == std::size_t(steps / 10 + 1));
  }
  void check(const fs::path& results, const std::string& out) const {
    BOOST_TEST(cli::hash_line(out) == hash);
    BOOST_TEST(same_rows(dem::read_series(results / "series"), series));
    BOOST_TEST(same_rows(dem::read_series(results / "profiles"), profiles));
    BOOST_TEST(cli::text_of(results / "verdict.json") == cli::text_of(folder.path() / "whole/verdict.json"));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(killed_at_twenty_random_moments) {
  const Undisturbed whole;
  const cli::Folder& folder = whole.folder;
  const fs::path results = folder.path() / "out";
  std::mt19937_64 random(20);
  int kills = 0, ends = 0, resumed = 0, before_first_checkpoint = 0, starts = 0;
  bool exists = false;
  while (kills < 20 || exists || ends == 0) {
    BOOST_TEST_REQUIRE(++starts < 200);
    // Any number of threads may go on.
    std::vector<std::string> arguments =
        exists ? std::vector<std::string>{"resume", "out", "--threads", std::to_string(1 + starts % 3)}
               : std::vector<std::string>{"run", "shear.toml", "-o", "out", "--overwrite"};
    const pid_t child = start(folder, arguments);
    const auto delay = part_of(0.7 * whole.seconds, random);
    bool killed = false;
    if (kills < 20) {
      std::this_thread::sleep_for(delay);
      killed = kill(child, SIGKILL) == 0;
    }
    const int status = cli::end_of(child);
    if (killed && WIFSIGNALED(status)) {
      ++kills;
      resumed += exists;
      exists = fs::exists(results / "checkpoint.h5") || fs::exists(results / "checkpoint.previous.h5");
      before_first_checkpoint += !exists;
      continue;
    }
    const std::string out = cli::text_of(folder.path() / "stdout.txt");
    BOOST_TEST_REQUIRE(WIFEXITED(status));
    BOOST_TEST_REQUIRE(WEXITSTATUS(status) == 0, out << cli::text_of(folder.path() / "stderr.txt"));
    whole.check(results, out);
    ++ends;
    exists = false;
  }
  BOOST_TEST_MESSAGE(
      fmt::format("{} kills, {} of them of resumed runs, {} before the first checkpoint; {} runs came to their end; "
                  "one takes {:.2f} s",
                  kills, resumed, before_first_checkpoint, ends, whole.seconds));
  BOOST_TEST(ends >= 1);
  BOOST_TEST(resumed >= 5);
  BOOST_TEST(kills - before_first_checkpoint >= 10);
}

BOOST_AUTO_TEST_CASE(killed_while_it_overwrites) {
  // Results of a finished run are being removed for a new one: whatever is left with a checkpoint is whole.
  const Undisturbed whole;
  const cli::Folder& folder = whole.folder;
  const fs::path results = folder.path() / "out";
  std::mt19937_64 random(21);
  int kept = 0, emptied = 0;
  for (int k = 0; k < 60; ++k) {
    fs::remove_all(results);
    fs::copy(folder.path() / "whole", results, fs::copy_options::recursive);
    const pid_t child = start(folder, {"run", "shear.toml", "-o", "out", "--overwrite"});
    // Around the moment at which the removal begins: each second time waits for that of the last checkpoint.
    if (k % 2 == 0)
      while (fs::exists(results / "series/000001.h5") && waitpid(child, nullptr, WNOHANG) == 0) {
      }
    else
      std::this_thread::sleep_for(part_of(0.1 * whole.seconds, random));
    cli::end_of(child, SIGKILL);
    if (!fs::exists(results / "checkpoint.h5")) {
      ++emptied;
      continue;
    }
    ++kept;
    const auto resumed = folder.dem("resume out");
    BOOST_TEST_REQUIRE(resumed.code == 0, resumed.err);
    whole.check(results, resumed.out);
  }
  BOOST_TEST_MESSAGE(fmt::format("{} kills left a run to go on with, {} none", kept, emptied));
  BOOST_TEST(emptied > 0);
}
