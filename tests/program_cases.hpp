// A case file for tests that run the program, and what they read from its output.
#pragma once
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <string>

namespace cli {

/// Voronoi polygons between plates, pressed and then sheared, in `steps` steps of 0.003 s. The shear begins at step
/// 400. There is a row each ten steps and few pictures. `checkpoint_interval` is in s of wall-clock time.
inline std::string polygon_shear(int steps, double checkpoint_interval = 60) {
  return fmt::format(
      "format = 1\ntitle = \"shear\"\n"
      "[assembly]\ngenerator = \"voronoi\"\ncolumns = 6\nrows = 7\nsolid_fraction = 0.97\nseed = 3\n"
      "[plates]\nfrom_rows = true\n"
      "[material]\nnormal_stiffness = 400.0\ntangential_stiffness_ratio = 0.3333333333333333\nfriction = "
      "0.5\nrestitution = 0.9\n"
      "[time]\nstep = 0.003\n"
      "[[stage]]\nname = \"press\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = 0.2\nduration = 1.2\n"
      "[[stage]]\nname = \"shear\"\nnormal = \"hold-stress\"\nnormal_stress = 4.0\nplate_speed = 1.0\nshear_rate = "
      "0.05\nduration = {}\n"
      "[output]\nseries_interval = 0.03\nsnapshot_interval = 1e4\nframe_interval = 1e4\ncheckpoint_interval = {}\n",
      0.003 * (steps - 400), checkpoint_interval);
}

/// The last line that begins with "State hash".
inline std::string hash_line(const std::string& out) {
  const auto at = out.rfind("State hash ");
  BOOST_TEST_REQUIRE(at != std::string::npos, out);
  return out.substr(at, out.find('\n', at) - at);
}

}  // namespace cli
