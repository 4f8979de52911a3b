// Vectors of a case have three numbers in space and two in the plane.
// tests/bad-cases has vectors with a number too few, and with a z in the plane.
#include "case/error_checks.hpp"

using namespace std::string_literals;

const std::string plane = with(with(with(good_disc, "[material]", R"(gravity = [0, -9.81]
cell = {periodic = ["x"], origin = [1, 1], size = [10, 10]}
wall = [{name = "floor", from = [0, 0], to = [1, 0], velocity = [11, 0]}]
[material])"),
                                    "[[body]]", "[[body]]\nvelocity = [0, -1]\nforce = [0, 4]"),
                               "duration = 1.0", "duration = 1.0\nwall_velocities = [[\"floor\", [15, 0]]]");
const std::string space = R"(format = 1
dimension = 3
gravity = [0, -9.81, 0]
time.step = 0.001
material = {normal_stiffness = 400.0, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.9}
body = [{shape = "sphere", radius = 0.5, position = [5, 5, 5]}]
wall = [{name = "floor", shape = "plane", point = [0, 0, 8], normal = [0, 0, 9]}]
stage = [{duration = 1.0, wall_velocities = [["floor", [15, 2, 0]]]}]
)";

BOOST_AUTO_TEST_CASE(a_z_of_0_is_accepted_in_the_plane_and_resolved_vectors_fit_the_case) {
  for (const std::string vector : {"[0, -9.81", "[1, 1", "[10, 10", "[0.0, 0.0", "[0, -1", "[0, 4", "[11, 0", "[15, 0"})
    BOOST_TEST(errors_of(with(plane, vector + "]", vector + ", 0]")).empty(), vector);
  for (const auto& [text, gravity, velocity] : {std::array{space, "[0.0, -9.81, 0.0]"s, "[15.0, 2.0, 0.0]"s},
                                                std::array{plane, "[0.0, -9.81]"s, "[15.0, 0.0]"s}}) {
    const std::string resolved = resolved_case(parse_case(text, "case.toml"));
    BOOST_TEST(resolved.find("gravity = " + gravity) != std::string::npos, resolved);
    BOOST_TEST(resolved.find("wall_velocities = [[\"floor\", " + velocity + "]]") != std::string::npos, resolved);
    BOOST_TEST(resolved_case(parse_case(resolved, "case.toml")) == resolved);
  }
}
