// dem check and the verdict tell of bodies that nothing can stop; rain fits between the walls.
#include <fmt/format.h>

#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

namespace {

const std::string head = R"(format = 1
dimension = 3
gravity = [0.0, 0.0, -9.81]
time.step = "auto"
output = {snapshot_interval = 100.0, frame_interval = 100.0}
material = {density = 2500, normal_stiffness = 1e3, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.5}
)";
const std::string stage = "[[stage]]\nduration = 0.5\n";

std::string ball(double x, double z) {
  return fmt::format("[[body]]\nshape = \"sphere\"\nradius = 0.005\nposition = [{}, 0.0, {}]\n", x, z);
}
const std::string table =
    "[[wall]]\nname = \"table\"\nshape = \"rectangle\"\ncorner = [-0.02, -0.02, 0.0]\nedge_1 = [0.04, 0.0, "
    "0.0]\nedge_2 = [0.0, 0.04, 0.0]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(grains_beside_a_table_are_lost) {
  const Folder folder("some.toml", head + ball(0, 0.006) + ball(0.01, 0.02) + ball(0.1, 0.006) + table + stage);
  folder.gives(0, "check some.toml",
               {"  warning        1 body starts where nothing can stop it: body 2 (group free) at (0.1, 0, 0.006) m"});
  folder.dem("check --json some.toml").prints({"\"warnings\": [\n    \"1 body starts where nothing can stop it: "});
  folder.gives(0, "run some.toml -o some",
               {"attention  1 of 3 bodies is lost, the first since t = ", "Verdict: attention"},
               {"Warning: 1 body starts where nothing can stop it"});
  // The same verdict where it was interrupted.
  folder.gives(0, "run some.toml -o parts --until-step 500");
  const auto rest = folder.dem("resume parts");
  BOOST_TEST(folder.text("some/verdict.txt") == folder.text("parts/verdict.txt"));
  // Most of them beside it: the case is not what was meant.
  folder.write("most.toml", head + ball(0, 0.006) + ball(0.2, 0.006) + ball(0.1, 0.006) + table + stage);
  folder.gives(1, "run most.toml -o most", {"bad        2 of 3 bodies are lost"});
}

BOOST_AUTO_TEST_CASE(rain_fits_between_the_walls) {
  const auto box = [](double half) {
    std::string text;
    const auto side = [&](double x, double y, double ex, double ey) {
      text += fmt::format(
          "[[wall]]\nname = \"box\"\nshape = \"rectangle\"\ncorner = [{}, {}, 0.0]\nedge_1 = [{}, {}, 0.0]\nedge_2 = "
          "[0.0, 0.0, 0.1]\n",
          x, y, ex, ey);
    };
    side(-half, -half, 2 * half, 0.0);
    side(-half, half, 2 * half, 0.0);
    side(-half, -half, 0.0, 2 * half);
    side(half, -half, 0.0, 2 * half);
    return text + fmt::format(
                      "[[wall]]\nname = \"box\"\nshape = \"rectangle\"\ncorner = [{0}, {0}, 0.0]\nedge_1 = [{1}, 0.0, "
                      "0.0]\nedge_2 = [0.0, {1}, 0.0]\n",
                      -half, 2 * half);
  };
  const std::string rain =
      "[assembly]\ngenerator = \"rain\"\nradius = 2.5e-3\ncolumns = 5\nrows = 5\nlayers = 3\nlowest = 0.01\n";
  const Folder folder("narrow.toml", head + rain + box(0.02) + stage);
  const auto refused =
      folder.refuses(2, "check narrow.toml", {"the space between the walls, about assembly.centre, has 0.04 m"});
  refused.warns(
      {"assembly.columns: found 5, allowed fewer: with a pitch of 0.01 m, four radii of the largest sphere, and the "
       "jitter they take 0.04995 m along x"});
  folder.write("wide.toml", head + rain + box(0.03) + stage);
  const auto fits = folder.gives(0, "check wide.toml");
  BOOST_TEST(!has(fits.out, "warning"), fits.out);
}
