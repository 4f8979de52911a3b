// Good cases of walls and of a shear box are accepted. Bad ones are files: tests/bad-cases.
#include <boost/test/unit_test.hpp>

#include "case/error_checks.hpp"

using namespace dem::test;

namespace {

const std::string head = R"(format = 1
dimension = 3
gravity = [0, 0, -9.81]
[material]
normal_stiffness = 400.0
tangential_stiffness = 300.0
friction = 0.5
restitution = 0.9
[contact]
law = "hooke-history"
elongation = "velocity"
[time]
step = 0.001
)";
const std::string good_box = head + R"([assembly]
generator = "rain"
radius = 2.5e-3
columns = 3
rows = 3
count = 90
[shear_box]
length = 0.03
depth = 0.015
gap = 2.5e-3
height = 0.2
[[stage]]
duration = 1.0
[[stage]]
plate_stress = 1000.0
duration = 1.0
[[stage]]
plate_stress = 1000.0
shear_velocity = 0.01
shear_displacement = 0.005
)";
const std::string good_walls = head + R"([[body]]
shape = "sphere"
radius = 0.5
position = [0, 0, 1]
[[wall]]
name = "floor"
shape = "rectangle"
corner = [-1, -1, 0]
edge_1 = [2, 0, 0]
edge_2 = [0, 2, 0]
[[wall]]
name = "slope"
shape = "plane"
point = [5, 0, 0]
normal = [-1, 0, 1]
[[stage]]
duration = 1.0
wall_velocities = [["floor", [0, 0, 0.1]], ["slope", [1, 0, 0]]]
)";

std::string box(const std::string& line, const std::string& instead) { return with(good_box, line, instead); }

}  // namespace

BOOST_AUTO_TEST_CASE(good_walls_and_boxes_are_good) {
  for (const auto& text :
       {good_box, good_walls, box("height = 0.2", "height = 0.2\nplate = \"servo\"\nservo_gain = 0.1"),
        box("height = 0.2", "height = 0.2\nplate_length = 0.03\nplate_width = 0.02")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}
