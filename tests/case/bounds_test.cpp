// Numbers beyond all reason: every key has bounds, and what numbers make together has too.
#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "case/error_checks.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/run/simulation.hpp"

using namespace dem::test;

namespace {

const std::string material = R"([material]
normal_stiffness = 1e5
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 1e-5
)";
const std::string spheres = "format = 1\ndimension = 3\n" + material + R"([[body]]
shape = "sphere"
radius = 0.1
position = [0, 0, 1]
velocity = [0, 0, -1]
[[body]]
shape = "sphere"
radius = 0.2
position = [1, 0, 1]
[[wall]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
velocity = [0, 0, 0.5]
[[stage]]
duration = 0.01
wall_velocities = [["floor", [0, 0, 0.25]]]
)";
const std::string random_discs = "format = 1\n" + material + R"([assembly]
generator = "random"
shape = "disc"
count = 10
void_ratio = 3
[[stage]]
rate_xx = -0.5
duration = 0.01
)";

std::string generator(const std::string& lines, int dimension = 2) {
  return fmt::format("format = 1\ndimension = {}\n{}[assembly]\n{}\n[[stage]]\nduration = 0.01\n", dimension, material,
                     lines);
}

/// What building the simulation says, beginning with the key.
std::string start_of(const std::string& text) {
  try {
    dem::Simulation run(dem::parse_case(text, "case.toml"));
    return "";
  } catch (const dem::AssemblyError& error) {
    return error.what();
  }
}

void check_start(const std::string& text, const std::string& start, const std::string& part) {
  const std::string found = start_of(text);
  BOOST_TEST(found.starts_with(start), found << ", expected " << start);
  BOOST_TEST(found.find(part) != std::string::npos, found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_number_has_bounds) {
  int numbers = 0;
  for (const dem::CaseKey& key : dem::case_keys()) {
    const bool expected = key.type.find("number") != std::string::npos || key.type.find('[') != std::string::npos;
    if (key.path == "body.orientation") continue;  // of unit length
    BOOST_TEST(key.bounds.has_value() == expected, key.path << " (" << key.type << ")");
    if (!key.bounds) continue;
    ++numbers;
    BOOST_TEST((std::isfinite(key.bounds->first) && std::isfinite(key.bounds->second) &&
                key.bounds->first <= key.bounds->second),
               key.path << ": from " << key.bounds->first << " to " << key.bounds->second);
    BOOST_TEST(key.allowed.find("inf") == std::string::npos, key.path << ": " << key.allowed);
  }
  BOOST_TEST(numbers > 150);
}

BOOST_AUTO_TEST_CASE(absurd_numbers_of_one_key) {
  BOOST_TEST(errors_of(spheres).empty(), errors_of(spheres).front());
  check_one(with(spheres, "step = 1e-5", "step = 1e-300"), "time.step", "1e-300", "a number > 0, from 1e-18 to 1e+15");
  check_one(with(spheres, "duration = 0.01", "duration = 1e308"), "stage[1].duration", "1e+308", "from 1e-18 to 1e+15");
  check_one(with(spheres, "ratio = 0.5", "ratio = 1e308"), "material.tangential_stiffness_ratio", "1e+308",
            "a number >= 0: 0, or from 1e-09 to 1000");
  check_one(with(spheres, "radius = 0.1", "radius = 1e155"), "body[1].radius", "1e+155", "from 1e-12 to 1e+09");
  check_one(with(spheres, "[0, 0, -1]", "[0, 0, -1e9]"), "body[1].velocity", "[0, 0, ",
            "each a number from -3e+08 to 3e+08");
  check_one(with(spheres, "[0, 0, 0.25]", "[0, 0, 1e9]"), "stage[1].wall_velocities", "[[\"floor\"",
            "each a number from -3e+08 to 3e+08");
  check_one(with(spheres, "friction = 0.5", "friction = 1e308"), "material.friction", "1e+308",
            "a number >= 0, at most 1e+06");
  check_one(with(spheres, "normal = [0, 0, 1]", "normal = [0, 0, 1e-200]"), "wall[1].normal", "[0.0, 0.0, 1e-200]",
            "a vector of length 1e-12 at least");
  check_one(generator("generator = \"rain\"\ncolumns = 3\nrows = 3\nlayers = 2\nradius = 1e155", 3), "assembly.radius",
            "1e+155", "from 1e-12 to 1e+09");
  check_one(generator("generator = \"random\"\nshape = \"cluster\"\ncount = 3\nspheres = [[0, 0, 0, 1e-300]]", 3),
            "assembly.spheres", "[", "each with a radius r > 0, from 1e-12 to 1e+09");
}

BOOST_AUTO_TEST_CASE(numbers_that_are_absurd_together) {
  check_one(with(spheres, "tangential_stiffness_ratio = 0.5", "tangential_stiffness = 1e18"),
            "material.tangential_stiffness", "1e+18, which makes k_t/k_n = 1e+13", "from 1e-09 to 1000");
  check_one(with(with(spheres, "stiffness = 1e5", "stiffness = 1e17"), "ratio = 0.5", "ratio = 1000"),
            "material.tangential_stiffness_ratio", "1000.0, which makes k_t = 1e+20", "from 1e-12 to 1e+18");
  check_one(with(spheres, "restitution = 0.9", "normal_damping_rate = 1e-300\ntangential_damping_rate = 1.0"),
            "material.tangential_damping_rate", "1.0, which makes γ_t/γ_n = 1e+300", "at most 1e+06");
  check_one(with(spheres, "[time]", "[[other_material]]\nname = \"b\"\ntangential_stiffness = 1e18\n[time]"),
            "other_material[1].tangential_stiffness", "1e+18, which makes k_t/k_n = 1e+13", "from 1e-09 to 1000");
  check_one(generator("generator = \"voronoi\"\nrows = 100000"), "assembly.rows", "100000",
            "columns times rows of at most 1e+06 polygons, for the memory of a computer: they make 1.6e+06");
  check_one(generator("generator = \"lattice\"\nshape = \"polygon\"\nsides = 1000\nrows = 1000\ncolumns = 1000"),
            "assembly.sides", "1000", "of at most 1e+08 vertices");
  check_one(generator("generator = \"lattice\"\nrows = 100000\ncolumns = 100000"), "assembly.rows", "100000",
            "of at most 1e+08 discs");
  check_one(generator("generator = \"random\"\nshape = \"sphere\"\ncount = 1000000000", 3), "assembly.count",
            "1000000000", "of at most 1e+08 bodies");
  check_one(generator("generator = \"random\"\nshape = \"polygon\"\ncount = 2000000"), "assembly.count", "2000000",
            "of at most 1e+06 polygons");
  check_one(generator("generator = \"rain\"\ncolumns = 100000\nrows = 100000\nlayers = 1000000", 3), "assembly.layers",
            "1000000", "of at most 1e+08 spheres");
  check_one(
      generator("generator = \"random\"\nshape = \"disc\"\ncount = 10\ndistribution = \"log-normal\"\nspread = 50"),
      "assembly.spread", "50.0", "a number in [0, 5]");
}

BOOST_AUTO_TEST_CASE(steps_and_intervals) {
  check_one(with(spheres, "duration = 0.01", "duration = 1e9"), "stage[1].duration", "what takes 1e+09 s",
            "at most 1e+07 s, 1e+12 steps of 1e-05 s");
  check_one(with(random_discs, "rate_xx = -0.5\nduration = 0.01", "rate_xx = -1e-12\nstrain = 0.1"), "stage[1].strain",
            "what takes 1e+11 s", "1e+12 steps of 1e-05 s");
  BOOST_TEST(errors_of(with(spheres, "duration = 0.01", "duration = 1e6")).empty());
  for (const char* key : {"series_interval", "snapshot_interval", "frame_interval"}) {
    const auto output = [&](const char* value) { return spheres + "[output]\n" + key + " = " + value + "\n"; };
    check_one(output("1e-9"), std::string("output.") + key, "1e-09", "0 or at least time.step, 1e-05");
    for (const char* good : {"0", "1e-5", "0.5"}) BOOST_TEST(errors_of(output(good)).empty());
  }
  check_one(with(spheres, "step = 1e-5", "step = 1e-5\nlimit_check_interval = 1e-7"), "time.limit_check_interval",
            "1e-07", "0 or at least time.step");
  // An interval beyond any run is none of so many steps that they cannot be counted.
  BOOST_TEST(dem::interval_steps(1e15, 1, 20, 1e-18) == 1000000000000000000u);
}

/// What passes the smallest body in a step would never meet it.
BOOST_AUTO_TEST_CASE(too_fast_for_the_step) {
  BOOST_TEST(start_of(spheres) == "");
  BOOST_TEST(start_of(random_discs) == "");
  const std::string bound =
      "allowed at most 2e+04 m/s: a step of 1e-05 s then passes the diameter of the smallest body, 0.2 m";
  check_start(with(spheres, "velocity = [0, 0, -1]", "velocity = [0, 0, -3e4]"), "body[1].velocity: found 30000 m/s",
              bound);
  check_start(with(spheres, "velocity = [0, 0, 0.5]", "velocity = [3e4, 0, 0]"), "wall[1].velocity: found 30000 m/s",
              bound);
  check_start(with(spheres, "[0, 0, 0.25]", "[0, 3e4, 0]"), "stage[1].wall_velocities: found 30000 m/s", bound);
  check_start(with(spheres, "velocity = [0, 0, -1]", "angular_velocity = [0, 4e5, 0]"),
              "body[1].angular_velocity: found 400000 rad/s", "a step of 1e-05 s then is half a turn");
  check_start(with(random_discs, "rate_xx = -0.5", "rate_xx = -1e5"), "stage[1].rate_xx: found -100000 1/s",
              "allowed at most 1e+04 1/s: a step of 1e-05 s then strains the cell by 0.1");
  const std::string plates = generator("generator = \"voronoi\"\nrows = 5\ncolumns = 5\n[plates]");
  BOOST_TEST(start_of(plates) == "");
  check_start(with(plates, "duration = 0.01", "duration = 0.01\nshear_rate = 1e5"), "stage[1].shear_rate: found",
              "passes the diameter of the smallest body");
  check_start(with(plates, "duration = 0.01",
                   "duration = 0.01\nnormal = \"hold-stress\"\nnormal_stress = 1.0\nplate_speed = 1e7"),
              "stage[1].plate_speed: found 1e+07 m/s", "passes the diameter of the smallest body");
}

/// Each number is in range; the body that they make is not.
BOOST_AUTO_TEST_CASE(bodies_beyond_all_reason) {
  const std::string huge =
      generator("generator = \"random\"\nshape = \"cluster\"\ncount = 1\nradius = 1e9\nspheres = [[0, 0, 0, 1e9]]", 3);
  check_start(huge, "body 0 (group free): found a radius of 1e+18 m", "check the sizes and the scale");
  const std::string far =
      with(spheres, "[[body]]",
           "[[body]]\nname = \"x\"\nshape = \"sphere\"\nradius = 1e-12\nposition = [7, 0, 1]\n[[body]]");
  BOOST_TEST(errors_of(far).empty());
}

BOOST_AUTO_TEST_CASE(plates_of_too_many_parts) {
  const std::string fine =
      generator("generator = \"lattice\"\nrows = 3\ncolumns = 3\n[plates]\nfrom_rows = false\nparticle_size = 1e-9");
  check_start(fine, "plates.particle_size: found 1e-09 m", "has at most 1e+06 particles");
}

BOOST_AUTO_TEST_CASE(names_that_a_file_has_already) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "dem-names-of-grains.tsv";
  std::ofstream(file) << "7\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))\n";
  const std::string grains =
      generator("generator = \"grains\"\nfile = \"" + file.string() +
                "\"\n[[body]]\nname = \"8\"\nshape = \"rectangle\"\nwidth = 1\nheight = 1\nposition = [5, 0]");
  BOOST_TEST(start_of(grains) == "");
  check_start(with(grains, "\"8\"", "\"7\""), "body[1].name: found \"7\", which a body of the generator has too",
              "a name of its own");
  std::filesystem::remove(file);
}
