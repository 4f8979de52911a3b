// dem check --objectivity: what it says of examples, and of a case whose contact plane depends on the frame.
#include "apps/cli_tools.hpp"

using cli::Folder;
using cli::has;

namespace {

/// Two polygons that collide off centre.
std::string two_polygons(const std::string& plane, double duration = 2) {
  return "format = 1\ntitle = \"two\"\ngravity = [0.4, -1.0]\n[material]\nnormal_stiffness = "
         "400.0\ntangential_stiffness_ratio = 0.3\nfriction = 0.5\nrestitution = 0.9\n"
         "[contact]\ncontact_plane = \"" +
         plane +
         "\"\n[time]\nstep = 0.001\n[[body]]\nshape = \"polygon\"\nvertices = [[0.5, 1.6], [1.4, 1.7], [1.5, 2.4], "
         "[0.6, 2.3]]\nvelocity = [0.5, 0.1]\n"
         "[[body]]\nshape = \"polygon\"\nvertices = [[1.6, 2.1], [2.4, 1.9], [2.5, 2.8]]\nvelocity = [-0.5, "
         "0.0]\n[[stage]]\nduration = " +
         std::to_string(duration) + "\n";
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(objectivity_of_examples, cli::InFolder) {
  const auto discs = folder.gives(
      0, "check --objectivity apps/examples/two-discs.toml",
      {"1000 steps of 2 bodies", "1e-16 shift grows to ", "threads     2 instead of 1: the same bits.",
       "turned      by 90°: differs by ", "No general turn: body 'pushed' is held along an axis of its own.",
       "shifted     by (", "mirrored    x → −x: differs by ", "renumbered  in another order: differs by ", "Round-off.",
       "Only round-off differs: the results depend neither on the frame"});
  BOOST_TEST(!has(discs.out, "More than round-off"), discs.out);
  BOOST_TEST(discs.err.empty(), discs.err);
  folder.gives(0, "check --objectivity --steps 50 apps/examples/cyclic-shear.toml",
               {"turned      not done: the plates are level", "Nothing touched in these steps"});
  folder.gives(0, "check --objectivity --steps 100 apps/examples/shear-box.toml", {"not done: shifted"});
  BOOST_TEST(!folder.holds("results"));
}

BOOST_AUTO_TEST_CASE(objectivity_and_the_contact_plane) {
  const Folder folder("smooth.toml", two_polygons("area-gradient"));
  folder.write("published.toml", two_polygons("edge-mean"));
  const auto smooth = folder.gives(0, "check --objectivity smooth.toml", {"turned      by 20°: differs by "});
  BOOST_TEST(!has(smooth.out, "More than round-off"), smooth.out);
  const auto published = folder.gives(0, "check --objectivity published.toml",
                                      {"More than round-off from step ", "With contact_plane = \"area-gradient\": by ",
                                       "contact_plane = \"edge-mean\" depends on the frame: the case turned"});
  BOOST_TEST(!has(published.out, "Not objective"), published.out);
}

BOOST_AUTO_TEST_CASE(objectivity_of_short_bad_and_stopped_cases) {
  const Folder folder("short.toml", two_polygons("area-gradient", 0.3));
  folder.gives(0, "check --objectivity short.toml", {"The case ends after 300 steps."});
  folder.write("bad.toml", cli::two_discs("1.0"));  // above the limit of the time step: as in dem check
  BOOST_TEST(folder.dem("check --objectivity bad.toml").err == folder.dem("check bad.toml").err);
  BOOST_TEST(folder.dem("check --objectivity bad.toml").code == 2);
  for (const char* arguments : {"check --steps 5 short.toml", "check --objectivity --resolved short.toml",
                                "check --objectivity --steps 0 short.toml"})
    BOOST_TEST(folder.dem(arguments).code == 2, arguments);
  // Stopped by the user.
  folder.write("long.toml", two_polygons("area-gradient", 1e6));
  const auto stopped =
      folder.dem("check --objectivity --steps 100000000 long.toml", "timeout --preserve-status -s INT 1");
  BOOST_TEST(stopped.code == 4, stopped.err);
  stopped.warns({"Stopped. The results so far are valid"});
}
