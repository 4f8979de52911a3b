// Vectors of a case: three numbers in space, two in the plane, and nothing filled in silently.
#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>

#include "case/error_checks.hpp"

using namespace dem::test;

namespace {

const std::string material = R"([material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
)";

/// Every vector that a case in space can have.
const std::string space = "format = 1\ndimension = 3\ngravity = [0, 0, -9.81]\n" + material + R"([cell]
periodic = ["x", "y", "z"]
origin = [1, 1, 1]
size = [10, 10, 10]
tilt = [0, 2, 0]
[[body]]
shape = "sphere"
radius = 0.5
position = [5, 5, 5]
velocity = [0, 0, -1]
angular_velocity = [0, 0, 3]
force = [0, 0, 4]
couple = [0, 0, 6]
[[wall]]
name = "floor"
shape = "plane"
point = [0, 0, 8]
normal = [0, 0, 9]
velocity = [0, 0, 11]
[[wall]]
name = "side"
shape = "rectangle"
corner = [12, 12, 12]
edge_1 = [13, 0, 0]
edge_2 = [0, 0, 14]
[[stage]]
duration = 1.0
wall_velocities = [["floor", [15, 0, 0]]]
[[stage]]
turn_angle = 1.0
turn_steps = 10
turn_axis = [0, 0, 16]
)";

const std::string plane = "format = 1\ngravity = [0, -9.81]\n" + material + R"([cell]
periodic = ["x"]
origin = [1, 1]
size = [10, 10]
[[body]]
shape = "disc"
radius = 0.5
position = [5, 5]
velocity = [0, -1]
force = [0, 4]
[[wall]]
name = "floor"
from = [0, 0]
to = [1, 0]
velocity = [11, 0]
[[stage]]
duration = 1.0
wall_velocities = [["floor", [15, 0]]]
)";

struct Vector {
  std::string key, written, short_of_one;  ///< key as in messages; its vector, and with two numbers
};
const std::vector<Vector> vectors{
    {"gravity", "[0, 0, -9.81]", "[0, -9.81]"},          {"cell.origin", "[1, 1, 1]", "[1, 1]"},
    {"cell.size", "[10, 10, 10]", "[10, 10]"},           {"cell.tilt", "[0, 2, 0]", "[0, 2]"},
    {"body[1].position", "[5, 5, 5]", "[5, 5]"},         {"body[1].velocity", "[0, 0, -1]", "[0, -1]"},
    {"body[1].angular_velocity", "[0, 0, 3]", "[0, 3]"}, {"body[1].force", "[0, 0, 4]", "[0, 4]"},
    {"body[1].couple", "[0, 0, 6]", "[0, 6]"},           {"wall[1].point", "[0, 0, 8]", "[0, 8]"},
    {"wall[1].normal", "[0, 0, 9]", "[0, 9]"},           {"wall[1].velocity", "[0, 0, 11]", "[0, 11]"},
    {"wall[2].corner", "[12, 12, 12]", "[12, 12]"},      {"wall[2].edge_1", "[13, 0, 0]", "[13, 0]"},
    {"wall[2].edge_2", "[0, 0, 14]", "[0, 14]"},         {"stage[1].wall_velocities", "[15, 0, 0]", "[15, 0]"},
    {"stage[2].turn_axis", "[0, 0, 16]", "[0, 16]"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(two_numbers_in_space_are_refused) {
  BOOST_TEST(errors_of(space).empty(), errors_of(space).front());
  std::set<std::string> seen;
  for (const Vector& v : vectors) {
    const bool named = v.key.ends_with("wall_velocities");
    check_one(with(space, v.written, v.short_of_one), v.key, named ? "[[\"floor\"" : "[",
              v.key == "cell.tilt" ? "three numbers [xy, xz, yz]"
              : named              ? "three numbers with dimension = 3"
                                   : "three numbers [x, y, z]");
    std::string key = v.key;
    if (const auto bracket = key.find('['); bracket != std::string::npos) key.erase(bracket, 3);
    seen.insert(key);
  }
  check_one(with(space, "gravity = [0, 0, -9.81]", "gravity = [0, -9.81]"), "gravity", "[0, -9.81]",
            "three numbers [x, y, z]");
  // The list above is complete.
  for (const dem::CaseKey& key : dem::case_keys())
    if (key.type.find("[x, y, z]") != std::string::npos || key.type == "[xy, xz, yz]")
      BOOST_TEST(seen.contains(key.path), key.path);
}

BOOST_AUTO_TEST_CASE(vectors_of_the_plane_have_no_z) {
  BOOST_TEST(errors_of(plane).empty(), errors_of(plane).front());
  for (const auto& [key, vector] :
       std::vector<std::pair<std::string, std::string>>{{"gravity", "[0, -9.81"},
                                                        {"cell.origin", "[1, 1"},
                                                        {"cell.size", "[10, 10"},
                                                        {"body[1].position", "[5, 5"},
                                                        {"body[1].velocity", "[0, -1"},
                                                        {"body[1].force", "[0, 4"},
                                                        {"wall[1].velocity", "[11, 0"},
                                                        {"stage[1].wall_velocities", "[15, 0"}}) {
    const auto third = [&](const char* z) { return errors_of(with(plane, vector + "]", vector + ", " + z + "]")); };
    BOOST_TEST(third("0").empty(), key);
    const auto errors = third("0.5");
    BOOST_TEST_REQUIRE(errors.size() == 1, key);
    BOOST_TEST(errors[0].find(": " + key + ": found") != std::string::npos, errors[0]);
  }
}

BOOST_AUTO_TEST_CASE(resolved_vectors_have_as_many_numbers_as_the_case) {
  const auto resolved = [](const std::string& text) { return dem::resolved_case(dem::parse_case(text, "case.toml")); };
  const std::string flat =
      with(with(space, "gravity = [0, 0, -9.81]", "gravity = [0, -9.81, 0]"), "[15, 0, 0]", "[15, 2, 0]");
  const std::string text = resolved(flat), in_plane = resolved(plane);
  BOOST_TEST(text.find("gravity = [0.0, -9.81, 0.0]") != std::string::npos, text);
  BOOST_TEST(text.find("wall_velocities = [[\"floor\", [15.0, 2.0, 0.0]]]") != std::string::npos, text);
  BOOST_TEST(in_plane.find("gravity = [0.0, -9.81]") != std::string::npos, in_plane);
  BOOST_TEST(in_plane.find("wall_velocities = [[\"floor\", [15.0, 0.0]]]") != std::string::npos, in_plane);
  BOOST_TEST(resolved(text) == text);
  BOOST_TEST(resolved(in_plane) == in_plane);
}
