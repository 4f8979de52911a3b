// What a bad case of spheres, of a driven cell or of several materials is told.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include "files/case_error_checks.hpp"

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
  for (const auto& text : {good, good_discs, good_random, stage("rate_zz = -0.1\nmean_pressure = 3"), stage("stress_xx = -2\nstress_yz = 1"),
                           stage("rate_xy = 1\nlargest_rate = 2\nservo_tolerance = 0.01\nfriction = 0\nmass_damping = 2", good_discs),
                           stage("turn_angle = 1\nturn_steps = 10")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
}

BOOST_AUTO_TEST_CASE(hertzian_laws) {
  const std::string elastic = with(with(good, "normal_stiffness = 400.0\ntangential_stiffness_ratio = 0.5", "shear_modulus = 1e6\npoisson_ratio = 0.25"), "[time]",
                                   "[contact]\nlaw = \"jaeger\"\n[time]");
  const auto stages = [&](const std::string& first, const std::string& second) {
    return with(elastic, "duration = 1.0\n", "duration = 1.0\n" + first + "[[stage]]\nduration = 1.0\n" + second);
  };
  const auto other = [&](const std::string& lines) { return with(elastic, "[[stage]]", "[[other_material]]\nname = \"b\"\n" + lines + "[[stage]]"); };
  for (const auto& text : {elastic, with(elastic, "jaeger", "hertz-mindlin"), stages("friction = 0\n", ""), stages("friction = 0.2\n", "friction = 0.2\n"),
                           other("friction = 0.1\nshear_modulus = 1e6\n"), with(elastic, "\"jaeger\"", "\"jaeger\"\nmerge_slope = 1.0"),
                           with(elastic, "\"jaeger\"", "\"hertz-mindlin\"\nmemory = \"turning-points\""),
                           with(other("shear_modulus = 2e6\n"), "\"jaeger\"", "\"jaeger\"\ndissimilar_materials = \"equivalent\"")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());

  check_one(with(elastic, "poisson_ratio = 0.25", "poisson_ratio = 0.75"), "material.poisson_ratio", "0.75", "a number in (-1, 0.5]");
  check_one(with(elastic, "poisson_ratio = 0.25", "poisson_ratio = -1"), "material.poisson_ratio", "-1", "a number in (-1, 0.5]");
  check_one(with(elastic, "poisson_ratio = 0.25\n", ""), "material.poisson_ratio", "nothing", "required with law = \"jaeger\"");
  check_one(with(elastic, "shear_modulus = 1e6\n", ""), "material.shear_modulus", "nothing", "required with law = \"jaeger\"");
  check_one(with(elastic, "shear_modulus", "normal_stiffness = 1\nshear_modulus"), "material.normal_stiffness", "it", "the stiffness follows from shear_modulus");
  check_one(with(elastic, "shear_modulus", "tangential_stiffness_ratio = 1\nshear_modulus"), "material.tangential_stiffness_ratio", "it", "none with law");
  check_one(with(good, "normal_stiffness", "shear_modulus = 1\nnormal_stiffness"), "material.shear_modulus", "it", "none with law = \"linear\"");
  check_one(with(good, "normal_stiffness = 400.0\n", ""), "material.normal_stiffness", "nothing", "(required)");
  check_one(with(elastic, "friction = 0.5", "friction = inf"), "material.friction", "inf", "a number >= 0");
  check_one(other("shear_modulus = 2e6\n"), "other_material[1].shear_modulus", "2", "contact.dissimilar_materials = \"equivalent\"");
  check_one(other("poisson_ratio = 0.3\n"), "other_material[1].poisson_ratio", "0.3", "one elastic material");
  check_one(other("normal_stiffness = 3\n"), "other_material[1].normal_stiffness", "it", "none with law");
  check_one(stages("", "friction = 0.1\n"), "stage[2].friction", "friction 0.1 after 0.5", "bounded by the friction they were made with");
  check_one(stages("friction = 0.1\n", ""), "stage[2]", "friction 0.5 after 0.1", "the friction of the stage before, unless that is 0");
  check_one(with(elastic, "\"jaeger\"", "\"jaeger\"\nmerge_slope = 1.5"), "contact.merge_slope", "1.5", "a number in [0, 1.0]");
  check_one(with(elastic, "\"jaeger\"", "\"jaeger\"\nmerge_slope = -1"), "contact.merge_slope", "-1", "a number >= 0");
  check_one(with(elastic, "\"jaeger\"", "\"hertz-mindlin\"\nmerge_slope = 0.1"), "contact.merge_slope", "0.1", "only laws \"jaeger\" and \"jaeger-checked\" have legs to merge");
  check_one(with(elastic, "\"jaeger\"", "\"Jaeger\""), "contact.law", "\"Jaeger\"", "one of \"linear\"");
  check_one(with(elastic, "\"jaeger\"", "\"jaeger\"\nmerge_error = 1.5"), "contact.merge_error", "1.5", "a number in [0, 1]");
  check_one(with(elastic, "\"jaeger\"", "\"hertz-mindlin\"\nmerge_error = 0.1"), "contact.merge_error", "0.1", "only laws \"jaeger\" and \"jaeger-checked\" have legs to merge");
  check_one(with(elastic, "\"jaeger\"", "\"jaeger\"\nmerge_slope = 0.1\nmerge_error = 0.1"), "contact.merge_error", "0.1", "0 beside contact.merge_slope");
  check_one(with(elastic, "\"jaeger\"", "\"jaeger\"\nmemory = \"none\""), "contact.memory", "\"none\"", "only law = \"hertz-mindlin\"");
  check_one(with(elastic, "\"jaeger\"", "\"jaeger\"\ntransport = \"projection\""), "contact.transport", "\"projection\"", "\"swing-twist\"");
  check_one(with(good, "[[stage]]", "[contact]\ndissimilar_materials = \"equivalent\"\n[[stage]]"), "contact.dissimilar_materials", "\"equivalent\"", "Hertzian");
  check_one(with(good_discs, "[time]", "[contact]\nlaw = \"jaeger\"\n[time]"), "contact.law", "\"jaeger\"", "Hertz contacts are for spheres and clusters");
}

BOOST_AUTO_TEST_CASE(laws_with_displacement_history) {
  const auto law = [](const std::string& lines) { return with(good, "[[stage]]", "[contact]\nlaw = \"hooke-history\"\n" + lines + "[[stage]]"); };
  const auto hertz = [&](const std::string& lines) {
    return with(with(law(lines), "normal_stiffness = 400.0\ntangential_stiffness_ratio = 0.5", "shear_modulus = 1e6\npoisson_ratio = 0.25"), "hooke", "hertz");
  };
  const std::string discs = with(good_discs, "[time]", "[contact]\nlaw = \"hooke-history\"\nfriction_limit = \"spring\"\n[time]");
  for (const auto& text : {law(""), hertz(""), law("history = \"true\"\nfriction_limit = \"spring\"\n"), law("history = \"pseudo\"\n"), hertz("history = \"none\"\n"),
                           hertz("hertz_variant = \"rescaled\"\ntransport = \"projection\"\n"), law("transport = \"none\"\n"), discs,
                           with(law("history = \"none\"\n"), "tangential_stiffness_ratio = 0.5", "tangential_stiffness = 0.0\ntangential_damping = 1.0")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
  check_one(law("history = \"all\"\n"), "contact.history", "\"all\"", "\"true\", \"pseudo\", \"none\"");
  check_one(law("history = \"pseudo\"\nfriction_limit = \"spring\"\n"), "contact.friction_limit", "\"spring\"", "without a history");
  check_one(law("damp_while_sliding = true\n"), "contact.damp_while_sliding", "true", "contact.friction_limit says");
  check_one(law("hertz_variant = \"rescaled\"\n"), "contact.hertz_variant", "\"rescaled\"", "only law = \"hertz-history\"");
  check_one(hertz("history = \"none\"\nhertz_variant = \"rescaled\"\n"), "contact.hertz_variant", "\"rescaled\"", "without a history");
  check_one(hertz("transport = \"none\"\n"), "contact.transport", "\"none\"", "another one with law = \"hertz-history\"");
  check_one(with(law(""), "tangential_stiffness_ratio = 0.5", "tangential_stiffness_ratio = 0.0"), "material.tangential_stiffness_ratio", "0", "its history is that of the spring");
  const auto linear = [&](const std::string& line) { return with(law(line), "hooke-history", "linear"); };
  check_one(linear("history = \"none\"\n"), "contact.history", "\"none\"", "only laws \"hooke-history\" and \"hertz-history\"");
  check_one(linear("friction_limit = \"spring\"\n"), "contact.friction_limit", "\"spring\"", "only laws \"hooke-history\" and \"hertz-history\"");
  check_one(with(good_discs, "[time]", "[contact]\nlaw = \"hertz-history\"\n[time]"), "contact.law", "\"hertz-history\"", "for spheres and clusters");
}

/// Stiffnesses and dampings by other keys: user coefficients of the Hertz form, rates, springs of a characteristic speed.
BOOST_AUTO_TEST_CASE(coefficients_of_displacement_history) {
  const std::string springs = "normal_stiffness = 400.0\ntangential_stiffness_ratio = 0.5", damping = "restitution = 0.9";
  const auto law = [&](const char* name, const std::string& stiffness, const std::string& damped = "restitution = 0.9", const std::string& lines = "") {
    return with(with(with(good, "[[stage]]", "[contact]\nlaw = \"" + std::string(name) + "\"\n" + lines + "[[stage]]"), springs, stiffness), damping, damped);
  };
  const std::string own = "hertz_normal_stiffness = 1e7\nhertz_tangential_stiffness = 8e6", elastic = "shear_modulus = 1e6\npoisson_ratio = 0.25",
                    speed = elastic + "\ncharacteristic_speed = 0.05", rates = "normal_damping_rate = 40.0\ntangential_damping_rate = 20.0";
  const auto other = [](const std::string& text, const std::string& lines) { return with(text, "[[stage]]", "[[other_material]]\nname = \"b\"\n" + lines + "[[stage]]"); };
  for (const auto& text :
       {law("hertz-history", own), law("hertz-history", own, rates), law("hertz-history", elastic, rates), law("hooke-history", springs, rates), law("linear", springs, rates),
        law("jaeger", elastic, "normal_damping_rate = 40.0"), law("hooke-history", speed), law("hooke-history", speed + "\ntangential_stiffness_ratio = 0.25", rates),
        law("hertz-history", "hertz_normal_stiffness = 1e7\nhertz_tangential_stiffness = 0.0", damping, "history = \"none\"\n"),
        law("hooke-history", speed, "normal_damping = 1.0"), other(law("hertz-history", own), "friction = 0.1\n"),
        other(with(law("hooke-history", speed), "law = ", "dissimilar_materials = \"equivalent\"\nlaw = "), "shear_modulus = 2e6\n"),
        law("linear", springs, damping, "lever = \"radius\"\n"), law("hertz-history", elastic, damping, "transport = \"projection-rescaled\"\nclip_tension = true\n")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());

  check_one(law("hertz-history", "hertz_normal_stiffness = 1e7"), "material.hertz_tangential_stiffness", "nothing", "required: both");
  check_one(law("hertz-history", "hertz_tangential_stiffness = 1e7"), "material.hertz_normal_stiffness", "nothing", "required: both");
  check_one(law("hertz-history", own + "\nshear_modulus = 1.0"), "material.shear_modulus", "it", "hold for all contacts");
  check_one(law("hertz-history", own + "\nnormal_stiffness = 1.0"), "material.normal_stiffness", "it", "follows from hertz_normal_stiffness");
  check_one(law("hertz-history", "hertz_normal_stiffness = 1e7\nhertz_tangential_stiffness = 0.0"), "material.hertz_tangential_stiffness", "0", "the history is that of the spring");
  check_one(law("hertz-history", "hertz_normal_stiffness = 0\nhertz_tangential_stiffness = 1.0"), "material.hertz_normal_stiffness", "0", "a number > 0");
  check_one(other(law("hertz-history", own), "shear_modulus = 1.0\n"), "other_material[1].shear_modulus", "it", "hold for all contacts");
  check_one(law("hooke-history", springs + "\nhertz_normal_stiffness = 1.0"), "material.hertz_normal_stiffness", "it", "only law = \"hertz-history\"");
  check_one(law("jaeger", elastic + "\nhertz_normal_stiffness = 1.0"), "material.hertz_normal_stiffness", "it", "only law = \"hertz-history\"");
  check_one(with(good_discs, "restitution", "hertz_normal_stiffness = 1.0\nrestitution"), "material.hertz_normal_stiffness", "it with dimension = 2", "only with dimension = 3");

  check_one(law("hooke-history", "characteristic_speed = 0.05\npoisson_ratio = 0.25"), "material.shear_modulus", "nothing", "required with characteristic_speed");
  check_one(law("hooke-history", speed + "\nnormal_stiffness = 1.0"), "material.normal_stiffness", "it", "none with characteristic_speed");
  check_one(law("hooke-history", speed + "\ntangential_stiffness_ratio = 0.0"), "material.tangential_stiffness_ratio", "0", "the history is that of the spring");
  check_one(law("hooke-history", elastic + "\ncharacteristic_speed = 0.0"), "material.characteristic_speed", "0", "a number > 0");
  check_one(other(law("hooke-history", speed), "shear_modulus = 2e6\n"), "other_material[1].shear_modulus", "2", "characteristic_speed holds for contacts of one elastic material");
  check_one(law("linear", speed), "material.characteristic_speed", "it", "only law = \"hooke-history\"");
  check_one(with(good_discs, "restitution", "characteristic_speed = 1.0\nrestitution"), "material.characteristic_speed", "it with dimension = 2", "only with dimension = 3");

  check_one(law("hooke-history", springs, "normal_damping_rate = 40.0\nrestitution = 0.9"), "material.normal_damping_rate", "it beside restitution", "one of restitution and normal_damping_rate");
  check_one(law("hooke-history", springs, "normal_damping = 1.0\nnormal_damping_rate = 40.0"), "material.normal_damping_rate", "it beside normal_damping", "one of");
  check_one(law("hooke-history", springs, "normal_damping = 1.0\ntangential_damping_rate = 4.0"), "material.tangential_damping_rate", "4", "normal_damping_rate > 0");
  check_one(law("hooke-history", springs, "normal_damping_rate = 0.0\ntangential_damping_rate = 4.0"), "material.tangential_damping_rate", "4", "normal_damping_rate > 0");
  check_one(law("hooke-history", springs, rates + "\ntangential_damping_ratio = 0.5"), "material.tangential_damping_rate", "it beside tangential_damping_ratio", "one of the two");
  check_one(law("hertz-history", elastic, "normal_damping = 1.0\ntangential_damping = 1.0\ntangential_damping_ratio = 0.5"), "material.tangential_damping_ratio", "it beside tangential_damping",
            "one of the two");
  for (const char* lever : {"conjugate", "proportional"})
    check_one(law("linear", springs, damping, "lever = \"" + std::string(lever) + "\"\n"), "contact.lever", std::string("\"") + lever + "\"", "\"contact-point\", \"radius\" for spheres");
}

BOOST_AUTO_TEST_CASE(shapes_and_dimension) {
  check_one(with(good, "dimension = 3", "dimension = 4"), "dimension", "4", "2 (discs and polygons) or 3");
  check_one(with(good, "shape = \"sphere\"", "shape = \"disc\""), "body[1].shape", "\"disc\"", "\"sphere\", \"cluster\" with dimension = 3");
  check_one(with(good_discs, "shape = \"disc\"", "shape = \"sphere\""), "body[1].shape", "\"sphere\"", "spheres and clusters need dimension = 3");
  check_one(with(good_random, "shape = \"sphere\"", "shape = \"polygon\""), "assembly.shape", "\"polygon\"", "\"sphere\"");
  check_one(with(good_random, "generator = \"random\"\nshape = \"sphere\"\ncount = 10", "generator = \"voronoi\""), "assembly.generator", "\"voronoi\"",
            "the others make bodies in the plane");
  check_one(with(good, "spheres = [[0, 0, 0, 1], [1, 0, 0, 0.5]]", "spheres = []"), "body[2].spheres", "[]", "at least one sphere");
  check_one(with(good, "[1, 0, 0, 0.5]", "[1, 0, 0, -0.5]"), "body[2].spheres", "", "each with a radius r > 0");
  check_one(with(good, "[1, 0, 0, 0.5]", "[1, 0, 0]"), "body[2].spheres", "", "[[x, y, z, r], …]");
  check_one(with(good, "position = [5, 5, 5]", "position = [5, 5, 5]\norientation = [1, 0.1, 0, 0]"), "body[2].orientation", "", "of unit length (to 1e-6)");
  check_one(with(good, "position = [5, 5, 5]", "position = [5, 5, 5]\norientation = [1, 0, 0]"), "body[2].orientation", "", "four numbers");
  check_one(with(good, "position = [0, 0, 0]", ""), "body[1].position", "nothing", "three numbers");
  check_one(with(good_random, "count = 10", "count = 10\nspheres = [[0, 0, 0, 1]]"), "assembly.spheres", "a list", "none");
  check_one(with(good_random, "shape = \"sphere\"", "shape = \"cluster\""), "assembly.spheres", "nothing", "at least one sphere");
}

BOOST_AUTO_TEST_CASE(keys_of_the_other_dimension) {
  check_one(with(good, "[[stage]]", "[contact]\ncontact_plane = \"chord\"\n[[stage]]"), "contact.contact_plane", "it with dimension = 3",
            "only with dimension = 2");
  for (const char* line : {"arc_correction = true", "geometric_form = \"exact\"", "normal_force = \"overlap\""})
    check_one(with(good, "[[stage]]", "[contact]\n" + std::string(line) + "\n[[stage]]"),
              fmt::format("contact.{}", std::string_view(line).substr(0, std::string_view(line).find(' '))), "it with dimension = 3", "only with dimension = 2");
  check_one(with(good_discs, "[[stage]]", "[contact]\ntransport = \"none\"\n[[stage]]"), "contact.transport", "it with dimension = 2",
            "only with dimension = 3 (spheres and clusters)");
  check_one("spatial_order_interval = 5\n" + good_discs, "spatial_order_interval", "it with dimension = 2", "only with dimension = 3");
  check_one(stage("rate_zz = 1", good_discs), "stage[1].rate_zz", "it with dimension = 2", "only with dimension = 3");
  check_one(stage("shear_rate = 1"), "stage[1].shear_rate", "it with dimension = 3", "only with dimension = 2");
  check_one(with(good, "[[stage]]", "[[wall]]\nfrom = [0, 0]\nto = [1, 0]\n[[stage]]"), "wall[1].shape", "nothing", "one of \"plane\", \"rectangle\", \"mesh\" (required)");
  check_one(with(good, "[[stage]]", "[plates]\n[[stage]]"), "plates", "plates", "none with dimension = 3");
  check_one(with(good_discs, "size = [10, 10]", "size = [10, 10]\ntilt = [1, 1, 0]"), "cell.tilt", "", "[xy, 0, 0]");
  check_one(with(good_discs, "radius = 0.5", "radius = 0.5\nfixed = [\"z\"]"), "body[1].fixed", "[\"z\"]", "with dimension = 2");
  check_one(with(good_discs, "[[stage]]", "[output]\nplane_jumps = true\n[[stage]]"), "output.plane_jumps", "true", "false for discs");
  check_one(with(good, "[[stage]]", "[output]\nplane_jumps = true\n[[stage]]"), "output.plane_jumps", "it with dimension = 3", "only with dimension = 2");
  check_one(with(good, "[[stage]]", "[contact]\nrefinements = [\"onset\"]\n[[stage]]"), "contact.refinements", "[\"onset\"]", "linear-refined");
}

BOOST_AUTO_TEST_CASE(driven_cells) {
  check_one(stage("rate_xx = 1\nstress_xx = -1"), "stage[1].stress_xx", "it beside rate_xx", "none left for the servo");
  check_one(stage("stress_xx = 1"), "stage[1].stress_xx", "1", "compression only");
  check_one(stage("mean_pressure = -1"), "stage[1].mean_pressure", "-1", "a number > 0");
  check_one(stage("mean_pressure = 0"), "stage[1].mean_pressure", "0", "compression positive");
  check_one(stage("mean_pressure = 1\nrate_xx = 1\nrate_yy = 1\nstress_zz = -1"), "stage[1].mean_pressure", "1", "it holds the pressure");
  check_one(with(stage("rate_zz = 1"), "[\"x\", \"y\", \"z\"]", "[\"x\", \"y\"]"), "stage[1].rate_zz", "it without a fully periodic cell",
            "[\"x\", \"y\", \"z\"]");
  check_one(with(stage("mean_pressure = 1", good_discs), "[\"x\", \"y\"]", "[\"x\"]"), "stage[1].mean_pressure", "it without", "[\"x\", \"y\"]");
  check_one(with(stage("void_ratio = 1", good_discs), "[\"x\", \"y\"]", "[]"), "stage[1].void_ratio", "it without a fully periodic cell", "a mean over the cell");
  check_one(stage("turn_angle = 1"), "stage[1].turn_steps", "nothing", "a number of steps");
  check_one(stage("turn_angle = 1\nturn_steps = 10\nturn_axis = [0, 0, 0]"), "stage[1].turn_axis", "", "not all 0");
  check_one(stage("turn_angle = 1\nturn_steps = 10\nturn_axis = [1, 0, 0]", good_discs), "stage[1].turn_axis", "", "in the plane [0, 0, 1]");
  check_one(stage("turn_angle = 1\nturn_steps = 10\nrate_xx = 1"), "stage[1].turn_angle", "a turn beside rates", "one of the two");
  check_one(stage("until_target = true"), "stage[1].until_target", "true", "a servo of the cell holds a stress");
  check_one(stage("strain = 0.1"), "stage[1].strain", "0.1", "one that drives the cell");
  BOOST_TEST(errors_of(stage("strain = 0.1\nuntil_target = true\nstress_tolerance = 0.01\nstress_xx = -1")).empty());
  check_one(stage("rate_xy = 1\nrate_yx = 1"), "stage[1].rate_yx", "an unknown key", "nearest known key: stage.rate_xx");
  check_one(with(good, "duration = 1.0", "rate_xx = 1"), "stage[1]", "no end", "unbalanced, stress_ratio, void_ratio");
}

BOOST_AUTO_TEST_CASE(cells) {
  check_one(with(good, "size = [10, 10, 10]", "size = [10, 10]"), "cell.size", "[10, 10]", "three numbers [x, y, z]");
  check_one(with(good, "size = [10, 10, 10]", "size = [10, 10, 0]"), "cell.size", "[10, 10, 0]", "in each periodic direction");
  check_one(with(good_random, "[assembly]", "[cell]\nsize = [10, 10, 0]\n[assembly]"), "cell.size", "[10, 10, 0]", "every direction");
  check_one(with(good, "size = [10, 10, 10]", "size = [10, 10, 10]\ntilt = [1, 0, 0, 1]"), "cell.tilt", "", "three numbers [xy, xz, yz]");
  check_one(with(with(good, "size = [10, 10, 10]", "size = [10, 10, 10]\ntilt = [0, 1, 0]"), "\"y\", \"z\"]", "\"y\"]"), "cell.tilt", "[0, 1, 0]",
            "not of a periodic direction");
}

BOOST_AUTO_TEST_CASE(grading_curves_and_rain) {
  const auto sand = [](const std::string& lines) { return with(good_random, "count = 10", "count = 10\ndistribution = \"log-normal-by-mass\"\n" + lines); };
  const std::string good_rain = with(good_random, "generator = \"random\"\nshape = \"sphere\"\ncount = 10", "generator = \"rain\"\ncolumns = 6\nrows = 6\nlayers = 50");
  const auto rain = [&](const std::string& line, const std::string& instead) { return with(good_rain, line, instead); };
  for (const auto& text : {sand("median_diameter = 0.35e-3\nuniformity = 1.7"), sand("median_diameter = 1\nuniformity = 1\ncut = 2"), good_rain,
                           rain("layers = 50", "count = 1800\nradius = 2.5e-3\nlowest = -0.02\nwidth = [0.06, 0.06]"),
                           rain("layers = 50", "count = 100\ndistribution = \"log-normal-by-mass\"\nmedian_diameter = 1\nuniformity = 2")})
    BOOST_TEST(errors_of(text).empty(), errors_of(text).front());
  check_one(sand("uniformity = 1.7"), "assembly.median_diameter", "nothing", "required with distribution");
  check_one(sand("median_diameter = 1"), "assembly.uniformity", "nothing", "required with distribution");
  check_one(sand("median_diameter = 1\nuniformity = 0.9"), "assembly.uniformity", "0.9", "a number in [1, 1000]");
  check_one(sand("median_diameter = 0\nuniformity = 2"), "assembly.median_diameter", "0", "a number > 0");
  check_one(sand("median_diameter = 1\nuniformity = 2\ncut = 0"), "assembly.cut", "0", "a number in [0.01, 100]");
  check_one(sand("median_diameter = 1\nuniformity = 2\nradius = 2"), "assembly.radius", "2", "its own radii");
  check_one(sand("median_diameter = 1\nuniformity = 2\nlargest = 2"), "assembly.largest", "2", "its bounds");
  check_one(with(good_random, "count = 10", "count = 10\nuniformity = 2"), "assembly.uniformity", "2", "only distribution = \"log-normal-by-mass\"");
  check_one(rain("columns = 6\n", ""), "assembly.columns", "nothing", "required");
  check_one(rain("rows = 6", "rows = 0"), "assembly.rows", "0", "");
  check_one(rain("layers = 50\n", ""), "assembly.layers", "neither layers nor count", "at least one");
  check_one(rain("layers = 50", "layers = 2\ncount = 73"), "assembly.count", "73", "at most 72");
  check_one(rain("layers = 50", "layers = 50\nradius = 0"), "assembly.radius", "0", "a number > 0");
  check_one(rain("layers = 50", "layers = 50\npitch = -1"), "assembly.pitch", "-1", "a number >= 0");
  check_one(rain("layers = 50", "layers = 50\nvoid_ratio = 1"), "assembly.void_ratio", "it with generator = \"rain\"", "\"random\"");
  check_one("format = 1\n" + material + "[assembly]\ngenerator = \"rain\"\ncolumns = 6\nrows = 6\nlayers = 50\n[[stage]]\nduration = 1.0\n", "assembly.generator",
            "\"rain\"", "another one with dimension = 2");
}

BOOST_AUTO_TEST_CASE(random_and_import) {
  check_one(with(good_random, "count = 10", "count = 10\nspread = 0.5"), "assembly.spread", "0.5", "less than radius");
  check_one(with(good_random, "count = 10", "count = 10\nexponent = 2"), "assembly.exponent", "2", "power-law");
  check_one(with(good_random, "count = 10", "count = 10\ndistribution = \"power-law\""), "assembly.smallest", "0 to 0", "0 < smallest < largest");
  check_one(with(good_random, "count = 10", "count = 10\ndistribution = \"grades\"\ngrade_radii = [1]"), "assembly.grade_radii", "1 radii and 0 shares",
            "as many");
  check_one(with(good_random, "count = 10", "count = 10\ndistribution = \"fuller\""), "assembly.distribution", "\"fuller\"", "\"power-law\"");
  check_one(with(good_random, "count = 10\n", ""), "assembly.count", "nothing", "required");
  check_one(with(good_random, "generator = \"random\"\nshape = \"sphere\"\ncount = 10", "generator = \"import\"\nfile = \"no/such.txt\""), "assembly.file",
            "\"no/such.txt\", which is not there", "an existing file");
}

BOOST_AUTO_TEST_CASE(materials) {
  const std::string two = with(good, "[time]", "[[other_material]]\nname = \"glass\"\n[[other_material]]\nname = \"steel\"\ndensity = 7\n[time]");
  BOOST_TEST(errors_of(with(two, "radius = 0.5", "radius = 0.5\nmaterial = \"steel\"")).empty());
  check_one(with(two, "radius = 0.5", "radius = 0.5\nmaterial = \"stee\""), "body[1].material", "\"stee\"", "\"glass\", \"steel\"");
  check_one(with(two, "\"steel\"", "\"glass\""), "other_material[2].name", "\"glass\", which is that of other_material[1].name (line 9) too", "a name of its own");
  check_one(with(two, "\"steel\"", "\"\""), "other_material[2].name", "\"\"", "a name");
  check_one(with(two, "[time]", "[[material_pair]]\nfirst = \"gold\"\nsecond = \"glass\"\n[time]"), "material_pair[1].first", "\"gold\"", "one of");
  check_one(with(two, "[time]", "[[material_pair]]\nfirst = \"steel\"\nsecond = \"glass\"\n[[material_pair]]\nfirst = \"glass\"\nsecond = \"steel\"\n[time]"),
            "material_pair[2]", "a pair that was listed before, as material_pair[1] (line", "each pair once");
}
