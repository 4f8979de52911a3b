// time.step = "auto": half of the a-priori limit, a number in everything that a run writes.
#include <fmt/format.h>

#include "apps/cli_tools.hpp"
#include "libdem/case/case_file.hpp"

using cli::Folder;
using cli::has;
using cli::line_with;

namespace {

/// The case with another word for its step.
std::string two_discs(const std::string& step, const std::string& more = "") {
  return cli::two_discs(step, "1e-3", more);
}

std::string hash_of(const cli::Result& result) { return line_with(result.out, "State hash"); }

double number_in(const std::string& line) { return std::stod(line.substr(line.find('=') + 1)); }

/// The sphere on a floor with a velocity.
std::string ball_with(const std::string& step) {
  const std::string text = cli::with(cli::sphere_on_a_floor, "3e-3]}", "3e-3], velocity = [0.1, 0.0, -0.3]}");
  return cli::with(text, "1e-5", step) + "[[stage]]\nname = \"only\"\nduration = 2e-3\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_automatic_step_is_half_of_the_limit) {
  const Folder folder("auto.toml", two_discs("\"auto\""));
  const auto check = folder.gives(0, "check auto.toml");
  BOOST_TEST(has(line_with(check.out, "  time step"), "of its limit, chosen because time.step = \"auto\""), check.out);
  const std::string step = line_with(folder.gives(0, "check auto.toml --resolved").out, "step = ");
  BOOST_TEST(!has(step, "auto"), step);
  const std::string limit = check.out.substr(check.out.find("largest stable time step ") + 25);
  const double share = number_in(step) / std::stod(limit);
  BOOST_TEST(share <= 0.5001);
  BOOST_TEST(share > 0.45);
  BOOST_TEST(number_in(step) == std::stod(fmt::format("{:.1e}", number_in(step))));  // two digits
  // The run writes the number, and is the run of that number.
  folder.gives(0, "run auto.toml -o out --until-step 50", {" s (auto), limit"});
  const std::string written = folder.text("out/case.toml");
  BOOST_TEST(line_with(written, "step = ") == step);
  const auto resumed = folder.gives(0, "resume out");
  folder.write("number.toml", two_discs(step.substr(7, step.find(' ', 7) - 7)));
  BOOST_TEST(hash_of(folder.gives(0, "run number.toml -o number")) == hash_of(resumed));
  folder.dem("help time.step").prints({"half of the a-priori limit"});
}

BOOST_FIXTURE_TEST_CASE(no_step_for_held_bodies_and_steps_that_are_too_large, cli::InFolder) {
  folder.write("fixed.toml",
               "format = 1\n[material]\nnormal_stiffness = 1.0\ntangential_stiffness_ratio = 0.3\nfriction = "
               "0.5\nrestitution = 0.9\n[time]\nstep = \"auto\"\n[[body]]\n"
               "shape = \"disc\"\nradius = 0.5\nposition = [0.0, 0.0]\nfixed = [\"x\", \"y\", "
               "\"rotation\"]\n[[stage]]\nduration = 1.0\n");
  folder.refuses(2, "check fixed.toml",
                 {"time.step: found \"auto\", allowed a number > 0 for this assembly: no body can move"});
  // Where tangential damping is what makes the limit small, the refusal names it.
  folder.write("damped.toml", cli::with(cli::two_discs("1e-3"), "restitution = 0.9",
                                        "restitution = 0.5\ntangential_damping_ratio = 5.0"));
  folder.refuses(2, "check damped.toml",
                 {"a smaller material.tangential_damping_ratio (5 now; without tangential damping the limit is "});
  folder.write("plain.toml", cli::two_discs("1e-3"));
  BOOST_TEST(!has(folder.dem("check plain.toml").err, "tangential_damping"));
}

BOOST_AUTO_TEST_CASE(spheres_keep_their_bits_and_a_start_from_results_takes_its_step) {
  const Folder folder("first.toml", ball_with("1e-5"));
  BOOST_TEST_REQUIRE(folder.dem("run first.toml -o first").code == 0);
  folder.write("next.toml", "start_from = \"first\"\n" + ball_with("\"auto\""));
  folder.gives(0, "run next.toml -o next", {"time step 1e-05 s (auto)"});
  BOOST_TEST(number_in(line_with(folder.dem("check next.toml --resolved").out, "step = ")) == 1e-5);
  // Where that step is too large for the new case, it is said.
  folder.write("stiff.toml", cli::with("start_from = \"first\"\n" + ball_with("\"auto\""), "2000.0", "2.0e9"));
  folder.refuses(2, "run stiff.toml -o stiff", {"\"auto\" is the step of the run that start_from names"});
  // Velocities and spins keep their bits.
  folder.write("auto.toml", ball_with("\"auto\""));
  const auto whole = folder.gives(0, "run auto.toml -o auto");
  BOOST_TEST(hash_of(folder.gives(0, "run auto/case.toml -o again")) == hash_of(whole));
}

BOOST_AUTO_TEST_CASE(sweeps_choose_the_step_of_each_point) {
  const Folder folder("auto.toml", two_discs("\"auto\""));
  folder.write("sweep.toml",
               "format = 1\ncase = \"auto.toml\"\n[[axis]]\nkey = \"material.normal_stiffness\"\nvalues = [4e8, 1e8]\n"
               "[[quantity]]\nkind = \"final\"\ncolumn = \"kinetic_energy\"\nname = \"e\"\n");
  const auto sweep = folder.gives(0, "sweep sweep.toml -o table");
  BOOST_TEST(!has(sweep.out, "could not be run"), sweep.out);
  folder.gives(0, "sweep time-step auto.toml --halvings 2 --quantity kinetic_energy -o study",
               {"time step of the case "});
  // The table has the message of dem run for a point that would not end.
  folder.write("auto.toml", cli::with(two_discs("\"auto\""), "duration = 1e-3", "duration = 1e12"));
  const auto refused = folder.dem("sweep sweep.toml -o endless");
  BOOST_TEST(has(refused.out + refused.err, "such a run does not end"), refused.out + refused.err);
}
