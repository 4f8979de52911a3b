// A C++ program runs a case into a results folder.
#include "libdem/run/run_case.hpp"

#include "cases.hpp"
#include "libdem/platform/text_file.hpp"
#include "results/results_test_tools.hpp"

using namespace dem;
using dem::test::InTemporaryFolder;

namespace {

Case two_discs() {
  return test::case_of(R"(time.step = 1e-3
material = {normal_stiffness = 1000, tangential_stiffness = 300, friction = 0.5, restitution = 0.8}
body = [{shape = "disc", radius = 0.5, position = [0, 0]},
        {shape = "disc", radius = 0.5, position = [1.01, 0.2], velocity = [-1, 0]}]
stage = [{duration = 0.5}]
)");
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(run_case_to_the_end_or_stopped_and_resumed, InTemporaryFolder) {
  const Case c = two_discs();
  std::uint64_t steps = 0;
  RunHooks hooks, stop;
  hooks.after_step = [&](const Simulation& run) { steps += run.step_count() > 0; };
  const RunResult whole = run_case(c, folder.path / "whole", hooks);
  BOOST_TEST((whole.end == RunEnd::finished));
  BOOST_TEST(whole.step == 500u);
  BOOST_TEST(steps == 500u);
  BOOST_TEST((whole.verdict.overall == Judgement::good));
  Simulation by_hand(c);
  while (!by_hand.finished()) by_hand.step();
  BOOST_TEST(whole.hash == by_hand.hash());
  BOOST_TEST(std::filesystem::exists(folder.path / "whole/verdict.txt"));
  BOOST_CHECK_THROW(run_case(c, folder.path / "whole"), FileError);  // results are there
  BOOST_TEST(run_case(c, folder.path / "whole", {}, true).hash == whole.hash);

  stop.stop = [](const Simulation& run) { return run.step_count() == 123; };
  const RunResult part = run_case(c, folder.path / "part", stop);
  BOOST_TEST((part.end == RunEnd::stopped));
  BOOST_TEST(part.step == 123u);
  const RunResult rest = resume_case(folder.path / "part");
  BOOST_TEST((rest.end == RunEnd::finished));
  BOOST_TEST(rest.hash == whole.hash);
  BOOST_TEST(ResultsFolder::open(folder.path / "part").read_series().rows() ==
             ResultsFolder::open(folder.path / "whole").read_series().rows());
}

BOOST_FIXTURE_TEST_CASE(a_run_goes_on_with_its_case_and_its_rows, InTemporaryFolder) {
  RunHooks stop;
  stop.stop = [](const Simulation& run) { return run.step_count() == 123; };
  for (const char* name : {"case", "rows"}) run_case(two_discs(), folder.path / name, stop);
  const auto file = folder.path / "case" / "case.toml";
  std::string text = read_file(file);
  const auto at = text.find("\nfriction = ");
  BOOST_REQUIRE(at != text.npos);
  text.replace(at, text.find('\n', at + 1) - at, "\nfriction = 0.123");
  std::ofstream(file) << text;
  BOOST_CHECK_THROW(resume_case(folder.path / "case"), CaseErrors);
  std::filesystem::remove_all(folder.path / "rows" / "series");
  BOOST_CHECK_THROW(resume_case(folder.path / "rows"), FileError);
}

BOOST_FIXTURE_TEST_CASE(a_blow_up_is_in_the_result, InTemporaryFolder) {
  Case c = two_discs();
  c.material.normal_stiffness = 1e9;  // far too stiff for the time step
  c.time.override_limit = true;
  const RunResult result = run_case(c, folder.path / "run");
  BOOST_TEST((result.end == RunEnd::failed));
  BOOST_TEST(!result.failure.empty());
  BOOST_TEST((result.verdict.overall == Judgement::bad));
  BOOST_TEST(result.hash == 0u);
}
