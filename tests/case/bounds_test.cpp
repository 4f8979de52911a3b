// Numbers beyond all reason: every key has bounds, and so has what numbers make together.
// tests/bad-cases has those that reading the case refuses.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "case/error_checks.hpp"
#include "libdem/assembly/assembly.hpp"
#include "libdem/case/plan.hpp"
#include "libdem/run/simulation.hpp"
#include "support/message_of.hpp"

using namespace dem::test;

namespace {

const std::string material = R"(time.step = 1e-5
material = {normal_stiffness = 1e5, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.9}
)";
const std::string spheres = "format = 1\ndimension = 3\n" + material + R"(
body = [{shape = "sphere", radius = 0.1, position = [0, 0, 1], velocity = [0, 0, -1]},
        {shape = "sphere", radius = 0.2, position = [1, 0, 1]}]
wall = [{name = "floor", shape = "plane", point = [0, 0, 0], normal = [0, 0, 1], velocity = [0, 0, 0.5]}]
stage = [{duration = 0.01, wall_velocities = [["floor", [0, 0, 0.25]]]}]
)";
const std::string random_discs = "format = 1\n" + material + R"(
assembly = {generator = "random", shape = "disc", count = 10, void_ratio = 3}
stage = [{rate_xx = -0.5, duration = 0.01}]
)";

std::string generator(const std::string& lines, int dimension = 2) {
  return fmt::format("format = 1\ndimension = {}\n{}[assembly]\n{}\n[[stage]]\nduration = 0.01\n", dimension, material,
                     lines);
}

/// The message of building the simulation; it begins with the key.
std::string start_of(const std::string& text) {
  return message_of<dem::AssemblyError>([&] { dem::Simulation run(dem::parse_case(text, "case.toml")); });
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
  // An interval beyond any run is none of so many steps that they cannot be counted.
  BOOST_TEST(dem::interval_steps(1e15, 1, 20, 1e-18) == 1000000000000000000u);
}

/// A body that passes the smallest body in a step would never meet it.
BOOST_AUTO_TEST_CASE(too_fast_for_the_step) {
  const std::string plates = generator("generator = \"voronoi\"\nrows = 5\ncolumns = 5\n[plates]");
  for (const std::string& good : {spheres, random_discs, plates}) BOOST_TEST(start_of(good) == "");
  const std::string passes = "passes the diameter of the smallest body",
                    bound = "allowed at most 2e+04 m/s: a step of 1e-05 s then " + passes + ", 0.2 m";
  const std::array<std::string, 5> rows[]{
      {spheres, "velocity = [0, 0, -1]", "velocity = [0, 0, -3e4]", "body[1].velocity: found 30000 m/s", bound},
      {spheres, "velocity = [0, 0, 0.5]", "velocity = [3e4, 0, 0]", "wall[1].velocity: found 30000 m/s", bound},
      {spheres, "[0, 0, 0.25]", "[0, 3e4, 0]", "stage[1].wall_velocities: found 30000 m/s", bound},
      {spheres, "velocity = [0, 0, -1]", "angular_velocity = [0, 4e5, 0]",
       "body[1].angular_velocity: found 400000 rad/s", "a step of 1e-05 s then is half a turn"},
      {random_discs, "rate_xx = -0.5", "rate_xx = -1e5", "stage[1].rate_xx: found -100000 1/s",
       "allowed at most 1e+04 1/s: a step of 1e-05 s then strains the cell by 0.1"},
      {plates, "duration = 0.01", "duration = 0.01\nshear_rate = 1e5", "stage[1].shear_rate: found", passes},
      {plates, "duration = 0.01", "duration = 0.01\nnormal = \"hold-stress\"\nnormal_stress = 1.0\nplate_speed = 1e7",
       "stage[1].plate_speed: found 1e+07 m/s", passes},
  };
  for (const auto& [base, part, instead, start, end] : rows) check_start(with(base, part, instead), start, end);
}

/// Each number is in range; the body that they make is not.
BOOST_AUTO_TEST_CASE(bodies_and_plates_beyond_all_reason) {
  const std::string huge =
      generator("generator = \"random\"\nshape = \"cluster\"\ncount = 1\nradius = 1e9\nspheres = [[0, 0, 0, 1e9]]", 3);
  check_start(huge, "body 0 (group free): found a radius of 1e+18 m", "check the sizes and the scale");
  const std::string far =
      with(spheres, "body = [", "body = [{name = \"x\", shape = \"sphere\", radius = 1e-12, position = [7, 0, 1]}, ");
  BOOST_TEST(errors_of(far).empty());
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
