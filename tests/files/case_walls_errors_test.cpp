// What a bad case of walls, of a shear box or of its stages is told.
#include <boost/test/unit_test.hpp>

#include "files/case_error_checks.hpp"

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
std::string walls(const std::string& line, const std::string& instead) { return with(good_walls, line, instead); }

}  // namespace

BOOST_AUTO_TEST_CASE(good_walls_and_boxes_are_good) {
  for (const auto& text : {good_box, good_walls, box("height = 0.2", "height = 0.2\nplate = \"servo\"\nservo_gain = 0.1"), box("height = 0.2", "height = 0.2\nplate_length = 0.03\nplate_width = 0.02")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}

BOOST_AUTO_TEST_CASE(shear_boxes) {
  check_one(box("height = 0.2", "height = 0.2\nplate_length = 0.031"), "shear_box.plate_length", "0.031", "at most the length of the box, 0.03");
  check_one(box("height = 0.2", "height = 0.2\nplate_width = 0.04"), "shear_box.plate_width", "0.04", "at most the width of the box, 0.03");
  check_one(box("height = 0.2", "height = 0.2\nplate = \"servo\""), "shear_box.servo_gain", "nothing", "required");
  check_one(box("height = 0.2", "height = -0.2"), "shear_box.height", "-0.2", "a number > 0");
  check_one(box("gap = 2.5e-3", "gap = -1e-3"), "shear_box.gap", "-0.001", "a number >= 0");
  check_one(box("gravity = [0, 0, -9.81]", "gravity = [0, 0, 0]"), "shear_box.plate_mass", "0 without gravity along z", "a mass > 0");
  check_one(box("[shear_box]", "[cell]\nperiodic = [\"x\"]\nsize = [1, 1, 1]\n[shear_box]"), "cell.periodic", "[\"x\"]", "no periodic direction with [shear_box]");
  check_one(box("[shear_box]", "[[wall]]\nname = \"plate\"\nshape = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\n[shear_box]"), "wall[1].name", "\"plate\"", "another name");
  check_one(box("height = 0.2", "height = 0.2\nhieght = 1.0"), "shear_box.hieght", "an unknown key", "height");
}

BOOST_AUTO_TEST_CASE(stages_of_a_shear_box) {
  check_one(box("plate_stress = 1000.0\nduration", "plate_stress = -1000.0\nduration"), "stage[2].plate_stress", "-1000.0", "compression positive");
  check_one(box("[[stage]]\nduration = 1.0\n", "[[stage]]\nduration = 1.0\nshear_velocity = 0.1\n"), "stage[1].shear_velocity", "0.1", "only after a stage with plate_stress");
  check_one(box("[[stage]]\nplate_stress = 1000.0\nduration = 1.0\n", ""), "stage[2].shear_velocity", "0.01", "only after a stage with plate_stress");
  check_one(box("shear_velocity = 0.01\n", ""), "stage[3].shear_displacement", "0.005", "a stage with shear_velocity other than 0");
  check_one(box("shear_displacement = 0.005", ""), "stage[3]", "no end", "shear_displacement");
  check_one(box("shear_displacement = 0.005", "shear_displacement = 0.0"), "stage[3].shear_displacement", "0.0", "a number > 0");
  check_one(box("[shear_box]\nlength = 0.03\ndepth = 0.015\ngap = 2.5e-3\nheight = 0.2\n", ""), "stage[2].plate_stress", "it without a shear box", "only with a [shear_box] table");
  check_one(box("[[stage]]\nduration = 1.0\n", "[[stage]]\nduration = 1.0\nhistory = \"ture\"\n"), "stage[1].history", "\"ture\"", "\"true\"");
}

BOOST_AUTO_TEST_CASE(walls_in_space) {
  check_one(walls("shape = \"rectangle\"", "shape = \"circle\""), "wall[1].shape", "\"circle\"", "\"rectangle\"");
  check_one(walls("edge_2 = [0, 2, 0]", "edge_2 = [1, 2, 0]"), "wall[1].edge_2", "[1, 2, 0]", "an edge perpendicular to edge_1");
  check_one(walls("normal = [-1, 0, 1]", "normal = [0, 0, 0]"), "wall[2].normal", "[0, 0, 0]", "a vector other than zero");
  check_one(walls("normal = [-1, 0, 1]\n", ""), "wall[2].normal", "nothing", "required");
}

BOOST_AUTO_TEST_CASE(velocities_of_walls) {
  const std::string key = "stage[1].wall_velocities";
  check_one(walls("[[\"floor\", [0", "[[\"flor\", [0"), key, "\"flor\"", "the name of a [[wall]]: \"floor\", \"slope\"");
  check_one(walls("[\"slope\", [1, 0, 0]]", "[\"floor\", [1, 0, 0]]"), key, "\"floor\"", "every wall once");
  check_one(walls("[\"slope\", [1, 0, 0]]", "[\"slope\"]"), key, "[", "pair");
  check_one(walls("[\"slope\", [1, 0, 0]]", "[\"slope\", [\"x\", 0, 0]]"), key, "[", "pair");
  check_one(box("[[stage]]\nduration = 1.0\n", "[[stage]]\nduration = 1.0\nwall_velocities = [[\"lower\", [1, 0, 0]]]\n"), "stage[1].wall_velocities", "\"lower\"", "only with a [[wall]]");
}
