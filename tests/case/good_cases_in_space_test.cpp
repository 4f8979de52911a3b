// Good cases of spheres, of a driven cell and of several materials are accepted. Bad ones are files: tests/bad-cases.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

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
/// A good case of spheres; tests add to it or replace a line.
const std::string good = "format = 1\ndimension = 3\n" + material + R"([cell]
periodic = ["x", "y", "z"]
size = [10, 10, 10]
[[body]]
shape = "sphere"
radius = 0.5
position = [0, 0, 0]
[[body]]
shape = "cluster"
spheres = [[0, 0, 0, 1], [1, 0, 0, 0.5]]
position = [5, 5, 5]
[[stage]]
duration = 1.0
)";
const std::string good_discs = "format = 1\n" + material + R"([cell]
periodic = ["x", "y"]
size = [10, 10]
[[body]]
shape = "disc"
radius = 0.5
position = [0, 0]
[[stage]]
duration = 1.0
)";
const std::string good_random = "format = 1\ndimension = 3\n" + material + R"([assembly]
generator = "random"
shape = "sphere"
count = 10
[[stage]]
duration = 1.0
)";

std::string stage(const std::string& lines, const std::string& base = good) {
  return with(base, "duration = 1.0", "duration = 1.0\n" + lines);
}

}  // namespace

BOOST_AUTO_TEST_CASE(good_cases_in_space_are_good) {
  for (const auto& text :
       {good, good_discs, good_random, stage("rate_zz = -0.1\nmean_pressure = 3"),
        stage("stress_xx = -2\nstress_yz = 1"),
        stage("rate_xy = 1\nlargest_rate = 2\nservo_tolerance = 0.01\nfriction = 0\nmass_damping = 2", good_discs),
        stage("turn_angle = 1\nturn_steps = 10")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}

BOOST_AUTO_TEST_CASE(hertzian_laws) {
  const std::string elastic = with(with(good, "normal_stiffness = 400.0\ntangential_stiffness_ratio = 0.5",
                                        "shear_modulus = 1e6\npoisson_ratio = 0.25"),
                                   "[time]", "[contact]\nlaw = \"jaeger\"\n[time]");
  const auto stages = [&](const std::string& first, const std::string& second) {
    return with(elastic, "duration = 1.0\n", "duration = 1.0\n" + first + "[[stage]]\nduration = 1.0\n" + second);
  };
  const auto other = [&](const std::string& lines) {
    return with(elastic, "[[stage]]", "[[other_material]]\nname = \"b\"\n" + lines + "[[stage]]");
  };
  for (const auto& text :
       {elastic, with(elastic, "jaeger", "hertz-mindlin"), stages("friction = 0\n", ""),
        stages("friction = 0.2\n", "friction = 0.2\n"), other("friction = 0.1\nshear_modulus = 1e6\n"),
        with(elastic, "\"jaeger\"", "\"jaeger\"\nmerge_slope = 1.0"),
        with(elastic, "\"jaeger\"", "\"hertz-mindlin\"\nmemory = \"turning-points\""),
        with(other("shear_modulus = 2e6\n"), "\"jaeger\"", "\"jaeger\"\ndissimilar_materials = \"equivalent\"")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}

BOOST_AUTO_TEST_CASE(laws_with_displacement_history) {
  const auto law = [](const std::string& lines) {
    return with(good, "[[stage]]", "[contact]\nlaw = \"hooke-history\"\n" + lines + "[[stage]]");
  };
  const auto hertz = [&](const std::string& lines) {
    return with(with(law(lines), "normal_stiffness = 400.0\ntangential_stiffness_ratio = 0.5",
                     "shear_modulus = 1e6\npoisson_ratio = 0.25"),
                "hooke", "hertz");
  };
  const std::string discs =
      with(good_discs, "[time]", "[contact]\nlaw = \"hooke-history\"\nfriction_limit = \"spring\"\n[time]");
  for (const auto& text :
       {law(""), hertz(""), law("history = \"true\"\nfriction_limit = \"spring\"\n"), law("history = \"pseudo\"\n"),
        hertz("history = \"none\"\n"), hertz("hertz_variant = \"rescaled\"\ntransport = \"projection\"\n"),
        law("transport = \"none\"\n"), discs,
        with(law("history = \"none\"\n"), "tangential_stiffness_ratio = 0.5",
             "tangential_stiffness = 0.0\ntangential_damping = 1.0")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}

/// Stiffnesses and dampings by other keys: user coefficients of the Hertz form, rates, springs of a characteristic
/// speed.
BOOST_AUTO_TEST_CASE(coefficients_of_displacement_history) {
  const std::string springs = "normal_stiffness = 400.0\ntangential_stiffness_ratio = 0.5",
                    damping = "restitution = 0.9";
  const auto law = [&](const char* name, const std::string& stiffness, const std::string& damped = "restitution = 0.9",
                       const std::string& lines = "") {
    return with(with(with(good, "[[stage]]", "[contact]\nlaw = \"" + std::string(name) + "\"\n" + lines + "[[stage]]"),
                     springs, stiffness),
                damping, damped);
  };
  const std::string own = "hertz_normal_stiffness = 1e7\nhertz_tangential_stiffness = 8e6",
                    elastic = "shear_modulus = 1e6\npoisson_ratio = 0.25",
                    speed = elastic + "\ncharacteristic_speed = 0.05",
                    rates = "normal_damping_rate = 40.0\ntangential_damping_rate = 20.0";
  const auto other = [](const std::string& text, const std::string& lines) {
    return with(text, "[[stage]]", "[[other_material]]\nname = \"b\"\n" + lines + "[[stage]]");
  };
  for (const auto& text :
       {law("hertz-history", own), law("hertz-history", own, rates), law("hertz-history", elastic, rates),
        law("hooke-history", springs, rates), law("linear", springs, rates),
        law("jaeger", elastic, "normal_damping_rate = 40.0"), law("hooke-history", speed),
        law("hooke-history", speed + "\ntangential_stiffness_ratio = 0.25", rates),
        law("hertz-history", "hertz_normal_stiffness = 1e7\nhertz_tangential_stiffness = 0.0", damping,
            "history = \"none\"\n"),
        law("hooke-history", speed, "normal_damping = 1.0"), other(law("hertz-history", own), "friction = 0.1\n"),
        other(with(law("hooke-history", speed), "law = ", "dissimilar_materials = \"equivalent\"\nlaw = "),
              "shear_modulus = 2e6\n"),
        law("linear", springs, damping, "lever = \"radius\"\n"),
        law("hertz-history", elastic, damping, "transport = \"projection-rescaled\"\nclip_tension = true\n")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}

BOOST_AUTO_TEST_CASE(driven_cells) {
  BOOST_TEST(errors_of(stage("strain = 0.1\nuntil_target = true\nstress_tolerance = 0.01\nstress_xx = -1")).empty());
}

BOOST_AUTO_TEST_CASE(grading_curves_and_rain) {
  const auto sand = [](const std::string& lines) {
    return with(good_random, "count = 10", "count = 10\ndistribution = \"log-normal-by-mass\"\n" + lines);
  };
  const std::string good_rain = with(good_random, "generator = \"random\"\nshape = \"sphere\"\ncount = 10",
                                     "generator = \"rain\"\ncolumns = 6\nrows = 6\nlayers = 50");
  const auto rain = [&](const std::string& line, const std::string& instead) { return with(good_rain, line, instead); };
  for (const auto& text :
       {sand("median_diameter = 0.35e-3\nuniformity = 1.7"), sand("median_diameter = 1\nuniformity = 1\ncut = 2"),
        good_rain, rain("layers = 50", "count = 1800\nradius = 2.5e-3\nlowest = -0.02\nwidth = [0.06, 0.06]"),
        rain("layers = 50", "count = 100\ndistribution = \"log-normal-by-mass\"\nmedian_diameter = 1\nuniformity = 2")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}

BOOST_AUTO_TEST_CASE(materials) {
  const std::string two =
      with(good, "[time]",
           "[[other_material]]\nname = \"glass\"\n[[other_material]]\nname = \"steel\"\ndensity = 7\n[time]");
  BOOST_TEST(errors_of(with(two, "radius = 0.5", "radius = 0.5\nmaterial = \"steel\"")).empty());
}
