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
  const Folder folder("ball.toml", soft_ball(""));
  folder.gives(5, "run ball.toml -o out", {"Verdict: bad"},
               {"the centre of body 0 (group free) has gone through wall 1, at (0, 0, "});
  // The last checkpoint is of before, and leads to the same end.
  folder.refuses(5, "resume out", {"has gone through wall 1"});
  folder.write("named.toml", soft_ball("name = \"floor\"\n"));
  folder.refuses(5, "run named.toml -o named", {"has gone through the wall 'floor'"});
}
