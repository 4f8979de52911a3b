// time.step = "auto": half of the a-priori limit, a number in everything that a run writes.
#include <fmt/format.h>

#include "apps/cli_tools.hpp"
#include "libdem/case/case_file.hpp"

using cli::Folder;
using cli::has;

namespace {

/// The case with another word for its step.
std::string two_discs(const std::string& step, const std::string& more = "") {
  return cli::two_discs(step, "1e-3", more);
}

/// The line that begins with the word; empty: none does.
std::string line_with(const std::string& text, const std::string& word) {
  const auto at = text.find("\n" + word);
  return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

std::string hash_of(const cli::Result& result) { return line_with(result.out, "State hash"); }

double number_in(const std::string& line) { return std::stod(line.substr(line.find('=') + 1)); }

const std::string ball = R"(format = 1
dimension = 3
gravity = [0.0, 0.0, -9.81]
[material]
density = 2550.0
normal_stiffness = 2000.0
tangential_stiffness = 1600.0
friction = 0.5
restitution = RESTITUTION
[contact]
law = "hooke-history"
elongation = "velocity"
[time]
integrator = "velocity-verlet"
step = STEP
[[body]]
name = "ball"
shape = "sphere"
radius = 3e-3
position = [0.0, 0.0, 3e-3]
velocity = [0.1, 0.0, -0.3]
[[wall]]
name = "floor"
shape = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
[[stage]]
name = "only"
duration = 2e-3
)";
std::string ball_with(const std::string& step, const std::string& restitution = "0.5") {
  std::string text = ball;
  text.replace(text.find("STEP"), 4, step);
  return text.replace(text.find("RESTITUTION"), 11, restitution);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_automatic_step_is_half_of_the_limit) {
  const Folder folder;
  folder.write("auto.toml", two_discs("\"auto\""));
  const auto check = folder.dem("check auto.toml");
  BOOST_TEST(check.code == 0, check.err);
  BOOST_TEST(has(line_with(check.out, "  time step"), "of its limit, chosen because time.step = \"auto\""), check.out);
  const auto resolved = folder.dem("check auto.toml --resolved");
  BOOST_TEST(resolved.code == 0, resolved.err);
  const std::string step = line_with(resolved.out, "step = ");
  BOOST_TEST(!has(step, "auto"), step);
  const std::string limit = check.out.substr(check.out.find("largest stable time step ") + 25);
  const double share = number_in(step) / std::stod(limit);
  BOOST_TEST(share <= 0.5001);
  BOOST_TEST(share > 0.45);
  BOOST_TEST(number_in(step) == std::stod(fmt::format("{:.1e}", number_in(step))));  // two digits
  // The run writes the number, and is the run of that number.
  const auto run = folder.dem("run auto.toml -o out --until-step 50");
  BOOST_TEST(run.code == 0, run.err);
  BOOST_TEST(has(run.out, " s (auto), limit"), run.out);
  const std::string written = cli::text_of(folder.path() / "out/case.toml");
  BOOST_TEST(line_with(written, "step = ") == step);
  const auto resumed = folder.dem("resume out");
  BOOST_TEST(resumed.code == 0, resumed.err);
  folder.write("number.toml", two_discs(step.substr(7, step.find(' ', 7) - 7)));
  const auto number = folder.dem("run number.toml -o number");
  BOOST_TEST(number.code == 0, number.err);
  BOOST_TEST(hash_of(number) == hash_of(resumed));
  BOOST_TEST(has(folder.dem("help time.step").out, "half of the a-priori limit"));
}

BOOST_AUTO_TEST_CASE(velocities_and_spins_keep_their_bits) {
  const Folder folder;
  folder.write("auto.toml", ball_with("\"auto\""));
  const auto whole = folder.dem("run auto.toml -o auto");
  BOOST_TEST(whole.code == 0, whole.err);
  const auto again = folder.dem("run auto/case.toml -o again");
  BOOST_TEST(again.code == 0, again.err);
  BOOST_TEST(hash_of(again) == hash_of(whole));
}

BOOST_AUTO_TEST_CASE(other_words_are_refused) {
  const Folder folder;
  for (const std::string step : {"\"fast\"", "0", "-1.0"}) {
    folder.write("wrong.toml", two_discs(step));
    const auto result = folder.dem("check wrong.toml");
    BOOST_TEST(result.code == 2);
    BOOST_TEST(has(result.err, "time.step: found "), result.err);
    BOOST_TEST(has(result.err, "or \"auto\""), result.err);
  }
  folder.write("fixed.toml",
               "format = 1\n[material]\nnormal_stiffness = 1.0\ntangential_stiffness_ratio = 0.3\nfriction = "
               "0.5\nrestitution = 0.9\n[time]\nstep = \"auto\"\n[[body]]\n"
               "shape = \"disc\"\nradius = 0.5\nposition = [0.0, 0.0]\nfixed = [\"x\", \"y\", "
               "\"rotation\"]\n[[stage]]\nduration = 1.0\n");
  const auto nothing = folder.dem("check fixed.toml");
  BOOST_TEST(nothing.code == 2);
  BOOST_TEST(has(nothing.err, "time.step: found \"auto\", allowed a number > 0 for this assembly: no body can move"),
             nothing.err);
}

BOOST_AUTO_TEST_CASE(a_start_from_results_takes_their_step) {
  const Folder folder;
  folder.write("first.toml", ball_with("1e-5"));
  BOOST_TEST_REQUIRE(folder.dem("run first.toml -o first").code == 0);
  folder.write("next.toml", "start_from = \"first\"\n" + ball_with("\"auto\""));
  const auto next = folder.dem("run next.toml -o next");
  BOOST_TEST(next.code == 0, next.err);
  BOOST_TEST(has(next.out, "time step 1e-05 s (auto)"), next.out);
  const auto resolved = folder.dem("check next.toml --resolved");
  BOOST_TEST(number_in(line_with(resolved.out, "step = ")) == 1e-5);
  // Where that step is too large for the new case, it is said.
  std::string stiff = "start_from = \"first\"\n" + ball_with("\"auto\"");
  stiff.replace(stiff.find("2000.0"), 6, "2.0e9");
  folder.write("stiff.toml", stiff);
  const auto refused = folder.dem("run stiff.toml -o stiff");
  BOOST_TEST(refused.code == 2, refused.err);
  BOOST_TEST(has(refused.err, "\"auto\" is the step of the run that start_from names"), refused.err);
}

BOOST_AUTO_TEST_CASE(sweeps_choose_the_step_of_each_point) {
  const Folder folder;
  folder.write("auto.toml", two_discs("\"auto\""));
  folder.write("sweep.toml",
               "format = 1\ncase = \"auto.toml\"\n[[axis]]\nkey = \"material.normal_stiffness\"\nvalues = [4e8, 1e8]\n"
               "[[quantity]]\nkind = \"final\"\ncolumn = \"kinetic_energy\"\nname = \"e\"\n");
  const auto sweep = folder.dem("sweep sweep.toml -o table");
  BOOST_TEST(sweep.code == 0, sweep.err);
  BOOST_TEST(!has(sweep.out, "could not be run"), sweep.out);
  const auto study = folder.dem("sweep time-step auto.toml --halvings 2 --quantity kinetic_energy -o study");
  BOOST_TEST(study.code == 0, study.err);
  BOOST_TEST(has(study.out, "time step of the case "), study.out);
  // A point that would not end is told, as dem run tells it.
  std::string endless = two_discs("\"auto\"");
  const auto at = endless.find("duration = ");
  endless.replace(at, endless.find('\n', at) - at, "duration = 1e12");
  folder.write("auto.toml", endless);
  const auto refused = folder.dem("sweep sweep.toml -o endless");
  BOOST_TEST(has(refused.out + refused.err, "such a run does not end"), refused.out + refused.err);
}

/// Where tangential damping is what makes the limit small, the refusal names it.
BOOST_AUTO_TEST_CASE(a_step_too_large_for_the_tangential_damping) {
  const Folder folder;
  std::string text = cli::two_discs("1e-3");
  text.replace(text.find("restitution = 0.9"), 17, "restitution = 0.5\ntangential_damping_ratio = 5.0");
  folder.write("damped.toml", text);
  const auto result = folder.dem("check damped.toml");
  BOOST_TEST(result.code == 2);
  BOOST_TEST(
      has(result.err, "a smaller material.tangential_damping_ratio (5 now; without tangential damping the limit is "),
      result.err);
  folder.write("plain.toml", cli::two_discs("1e-3"));
  BOOST_TEST(!has(folder.dem("check plain.toml").err, "tangential_damping"));
}
