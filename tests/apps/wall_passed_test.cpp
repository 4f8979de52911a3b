// A body that goes through a wall ends the run with a sentence, whether the wall has a name or not.
#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

namespace {

std::string soft_ball(const std::string& name) {
  return "format = 1\ndimension = 3\n[material]\ndensity = 1000.0\nnormal_stiffness = "
         "100.0\ntangential_stiffness_ratio = 0.3\nfriction = 0.5\nrestitution = 0.9\n"
         "[time]\nstep = 1e-3\n[[body]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0.0, 0.0, 0.11]\nvelocity = "
         "[0.0, 0.0, -5.0]\n"
         "[[wall]]\nshape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n" +
         name + "[[stage]]\nduration = 1.0\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ball_through_a_wall_without_a_name) {
  const Folder folder;
  folder.write("ball.toml", soft_ball(""));
  const auto run = folder.dem("run ball.toml -o out");
  BOOST_TEST(run.code == 5, run.err);
  BOOST_TEST(has(run.err, "the centre of body 0 (group free) has gone through wall 1, at (0, 0, "), run.err);
  BOOST_TEST(has(run.out, "Verdict: bad"), run.out);
  // The last checkpoint is of before, and leads to the same end.
  const auto resumed = folder.dem("resume out");
  BOOST_TEST(resumed.code == 5, resumed.err);
  BOOST_TEST(has(resumed.err, "has gone through wall 1"), resumed.err);
  folder.write("named.toml", soft_ball("name = \"floor\"\n"));
  const auto named = folder.dem("run named.toml -o named");
  BOOST_TEST(named.code == 5, named.err);
  BOOST_TEST(has(named.err, "has gone through the wall 'floor'"), named.err);
}
