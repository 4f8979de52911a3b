// Names that cannot be mixed up are accepted. Others are files: tests/bad-cases.
#include <boost/test/unit_test.hpp>

#include "case/error_checks.hpp"

using namespace dem::test;

namespace {

const std::string head = R"([material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
)";

/// Two bodies, two walls, two materials and two stages with these names.
std::string planar(const std::string& body, const std::string& other_body, const std::string& wall = "floor",
                   const std::string& other_wall = "side", const std::string& stage = "fall",
                   const std::string& other_stage = "rest") {
  return "format = 1\n" + head + "[[body]]\nname = \"" + body +
         "\"\nshape = \"disc\"\nradius = 0.5\nposition = [0, 1]\n[[body]]\nname = \"" + other_body +
         "\"\nshape = \"disc\"\nradius = 0.5\nposition = [2, 1]\n[[wall]]\nname = \"" + wall +
         "\"\nfrom = [0, 0]\nto = [1, 0]\n[[wall]]\nname = \"" + other_wall +
         "\"\nfrom = [9, 0]\nto = [9, 1]\n[[stage]]\nname = \"" + stage + "\"\nduration = 1.0\n[[stage]]\nname = \"" +
         other_stage + "\"\nduration = 1.0\n";
}

const std::string space = "format = 1\ndimension = 3\n" + head + R"([[body]]
name = "a"
shape = "sphere"
radius = 0.5
position = [0, 0, 1]
[[wall]]
name = "dish"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
name = "dish"
shape = "plane"
point = [5, 0, 0]
normal = [-1, 0, 0]
[[stage]]
duration = 1.0
)";

}  // namespace

BOOST_AUTO_TEST_CASE(names_of_their_own_are_good) {
  BOOST_TEST(errors_of(planar("a", "b")).empty());
  BOOST_TEST(errors_of(planar("", "", "", "", "", "")).empty());
  BOOST_TEST(errors_of(planar("fall", "rest")).empty());  // a stage has no columns
  BOOST_TEST(errors_of(space).empty());                   // walls of one name are one part
}

/// Parts of a shear box have names as well.
BOOST_AUTO_TEST_CASE(names_of_a_shear_box) {
  const std::string box = with(with(space, "dimension = 3", "dimension = 3\ngravity = [0, 0, -9.81]"), "[[stage]]",
                               "[shear_box]\nlength = 4\ndepth = 1\nheight = 4\n[[stage]]");
  BOOST_TEST(errors_of(box).empty());
}
