// A C++ program runs a case into a results folder.
#include "libdem/run/run_case.hpp"

#include <boost/test/unit_test.hpp>

#include "libdem/case/case_file.hpp"
#include "libdem/drivers/plates.hpp"
#include "results/results_test_tools.hpp"

using namespace dem;
using dem::test::TemporaryFolder;

namespace {

constexpr std::string_view two_discs = R"(format = 1
[material]
density = 1
normal_stiffness = 1000
tangential_stiffness = 300
friction = 0.5
restitution = 0.8
[time]
step = 1e-3
[assembly]
generator = "bodies"
[[body]]
shape = "disc"
radius = 0.5
position = [0.0, 0.0]
[[body]]
shape = "disc"
radius = 0.5
position = [1.01, 0.2]
velocity = [-1.0, 0.0]
[[stage]]
duration = 0.5
)";

}  // namespace

BOOST_AUTO_TEST_SUITE(running_a_case)

BOOST_AUTO_TEST_CASE(from_its_start_to_its_end) {
  const TemporaryFolder folder;
  const Case c = parse_case(two_discs, "two-discs.toml");
  std::uint64_t steps = 0;
  RunHooks hooks;
  hooks.after_step = [&](const Simulation& run) { steps += run.step_count() > 0; };
  const RunResult result = run_case(c, folder.path / "run", hooks);
  BOOST_TEST((result.end == RunEnd::finished));
  BOOST_TEST(result.step == 500u);
  BOOST_TEST(steps == 500u);
  BOOST_TEST((result.verdict.overall == Judgement::good));
  Simulation by_hand(c);
  while (!by_hand.finished()) by_hand.step();
  BOOST_TEST(result.hash == by_hand.hash());
  BOOST_TEST(std::filesystem::exists(folder.path / "run/verdict.txt"));
  BOOST_CHECK_THROW(run_case(c, folder.path / "run"), FileError);  // results are there
  BOOST_TEST(run_case(c, folder.path / "run", {}, true).hash == result.hash);
}

BOOST_AUTO_TEST_CASE(stopped_and_resumed) {
  const TemporaryFolder folder;
  const Case c = parse_case(two_discs, "two-discs.toml");
  const std::uint64_t hash = run_case(c, folder.path / "whole").hash;
  RunHooks stop;
  stop.stop = [](const Simulation& run) { return run.step_count() == 123; };
  const RunResult part = run_case(c, folder.path / "part", stop);
  BOOST_TEST((part.end == RunEnd::stopped));
  BOOST_TEST(part.step == 123u);
  const RunResult rest = resume_case(folder.path / "part");
  BOOST_TEST((rest.end == RunEnd::finished));
  BOOST_TEST(rest.hash == hash);
  BOOST_TEST(ResultsFolder::open(folder.path / "part").read_series().rows() ==
             ResultsFolder::open(folder.path / "whole").read_series().rows());
}

BOOST_AUTO_TEST_CASE(a_run_that_blows_up_says_so) {
  const TemporaryFolder folder;
  Case c = parse_case(two_discs, "two-discs.toml");
  c.material.normal_stiffness = 1e9;  // far too stiff for the time step
  c.time.override_limit = true;
  const RunResult result = run_case(c, folder.path / "run");
  BOOST_TEST((result.end == RunEnd::failed));
  BOOST_TEST(!result.failure.empty());
  BOOST_TEST((result.verdict.overall == Judgement::bad));
  BOOST_TEST(result.hash == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
