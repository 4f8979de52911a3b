// How a bad case is told: first what was spelt wrongly, not what follows from it; values as they were written; only
// what can be shown.
#include "case/error_checks.hpp"

using namespace dem::test;

namespace {

const std::string good = R"(format = 1
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
[[body]]
shape = "disc"
radius = 0.5
position = [0.0, 0.0]
[[stage]]
duration = 1.0
)";

const std::string in_space = R"(format = 1
dimension = 3
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 0.001
[[body]]
shape = "sphere"
radius = 0.5
position = [0, 0, 1]
[[stage]]
duration = 1.0
)";

}  // namespace

BOOST_AUTO_TEST_CASE(what_follows_from_a_typo_is_not_told) {
  const auto only = [](const std::string& line, const std::string& instead, const std::string& key,
                       const std::string& hint) { check_one(with(good, line, instead), key, "an unknown", hint); };
  only("friction =", "frictoin =", "material.frictoin", "nearest known key: material.friction");
  only("restitution =", "restituton =", "material.restituton", "nearest known key: material.restitution");
  only("tangential_stiffness_ratio =", "tangential_stifness_ratio =", "material.tangential_stifness_ratio",
       "nearest known key: material.tangential_stiffness_ratio");
  only("step =", "stpe =", "time.stpe", "nearest known key: time.step");
  only("position =", "positon =", "body[1].positon", "nearest known key: body.position");
  only("shape =", "shap =", "body[1].shap", "nearest known key: body.shape");
  only("format =", "fromat =", "fromat", "nearest known key: format");
  only("[material]", "[materal]", "materal", "nearest known table: material");
  only("[time]", "[tme]", "tme", "nearest known table: time");
}

BOOST_AUTO_TEST_CASE(a_typo_is_told_before_errors_elsewhere) {
  const auto errors =
      errors_of(with(with(good, "normal_stiffness = 400.0", "normal_stiffness = -1"), "duration =", "durations ="));
  BOOST_TEST_REQUIRE(errors.size() >= 2);
  BOOST_TEST(errors[0].starts_with("case.toml:14: stage[1].durations: found an unknown key"), errors[0]);
  BOOST_TEST(errors[1].starts_with("case.toml:3: material.normal_stiffness: found -1"), errors[1]);
  // The key that was meant is there as well: what is wrong with it is told.
  const auto both = errors_of(with(good, "friction = 0.5", "friction = -0.5\nfrictoin = 0.5"));
  BOOST_TEST_REQUIRE(both.size() == 2);
  BOOST_TEST(both[1].find("material.friction: found -0.5") != std::string::npos, both[1]);
}

BOOST_AUTO_TEST_CASE(a_key_in_the_wrong_table_is_told_its_table) {
  check_one(with(good, "friction = 0.5\n", "") + "[contact]\nfriction = 0.5\n", "contact.friction", "an unknown key",
            "friction belongs to [material], [[other_material]], [[material_pair]] or [[stage]]");
  check_one("friction = 0.5\n" + with(good, "friction = 0.5\n", ""), "friction", "an unknown key",
            "friction belongs to [material]");
  check_one(with(good, "[time]", "gravity = [0, -9.81]\n[time]"), "material.gravity", "an unknown key",
            "gravity belongs to the top, before the first table");
  check_one(with(good, "step = 0.001", "step = 0.001\nduration = 1.0"), "time.duration", "an unknown key",
            "duration belongs to [[stage]]");
  check_one(with(with(good, "step = 0.001\n", ""), "format = 1", "format = 1\nstep = 0.001"), "step", "an unknown key",
            "step belongs to [time]");
}

BOOST_AUTO_TEST_CASE(what_is_allowed_does_not_contain_what_was_found) {
  const std::string random = with(good, "[[body]]\nshape = \"disc\"\nradius = 0.5\nposition = [0.0, 0.0]\n",
                                  "[assembly]\ngenerator = \"random\"\nshape = \"disc\"\ncount = 0\n");
  check_one(random, "assembly.count", "0,", "a whole number in [1, 1e+09]");
  check_one(with(in_space, "dimension = 3", "dimension = 3\nspatial_order_interval = 0"), "spatial_order_interval",
            "0,", "a whole number in [1, 1e+12]");
  check_one(with(good, "shape = \"disc\"", "shape = \"disc\"\nname = \"a\\u0007b\""), "body[1].name", "\"a\\u0007b\"",
            "text in quotes, without control characters");
}

BOOST_AUTO_TEST_CASE(values_are_shown_as_they_were_written) {
  check_one(with(good, "friction = 0.5", "friction = -0.3"), "material.friction", "-0.3,", ">= 0");
  check_one(with(good, "restitution = 0.9", "restitution = 1.1"), "material.restitution", "1.1,", "(0, 1]");
  check_one("gravity = [0, 0.3, -0.1]\n" + good, "gravity", "[0, 0.3, -0.1],", "two numbers");
  check_one("title = [0.1, [0.7, \"x\\u0001\"], true]\n" + good, "title", "[0.1, [0.7, \"x\\u0001\"], true],", "text");
}

BOOST_AUTO_TEST_CASE(a_wall_in_space_needs_a_shape_and_nothing_else_is_asked) {
  for (const char* keys : {"", "from = [0, 0]\nto = [1, 0]\n", "point = [0, 0, 0]\n"})
    check_one(in_space + "[[wall]]\nname = \"floor\"\n" + keys, "wall[1].shape", "nothing",
              "one of \"plane\", \"rectangle\", \"mesh\" (required)");
  check_one(in_space + "[[wall]]\nshape = \"line\"\n", "wall[1].shape", "\"line\"",
            "one of \"plane\", \"rectangle\", \"mesh\"");
}

BOOST_AUTO_TEST_CASE(long_keys_and_values_are_cut) {
  const std::string megabyte(1000000, 'k');
  for (const std::string& text :
       {with(good, "friction =", megabyte + " = 1\nfriction ="), "[" + megabyte + "]\n",
        good + "[contact]\nlaw = \"" + megabyte + "\"\n", with(good, "step = 0.001", "step = \"" + megabyte + "\""),
        with(good, "step = 0.001", "step = [" + megabyte.substr(0, 10) + "]"), "a = 1\n[a." + megabyte + "]\n",
        good + "[assembly]\ngenerator = \"import\"\nfile = \"" + megabyte + "\"\n"}) {
    const auto errors = errors_of(text);
    BOOST_TEST_REQUIRE(!errors.empty());
    for (const auto& error : errors) BOOST_TEST(error.size() < 600, error.substr(0, 600));
  }
}
