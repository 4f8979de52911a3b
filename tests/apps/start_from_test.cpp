// A run that starts with the last state of another one, in dem run, dem check and dem sweep.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "apps/cli_tools.hpp"
#include "libdem/results/folder.hpp"

using cli::Folder;
using cli::has;
namespace fs = std::filesystem;

namespace {

using cli::sphere_on_a_floor;
/// The ball settles, then the floor moves below it.
const std::string settle = sphere_on_a_floor + "[[stage]]\nname = \"settle\"\nduration = 0.02\n";
std::string move(double speed, const std::string& start = "start_from = \"packing\"\n") {
  return start + sphere_on_a_floor +
         fmt::format("[[stage]]\nname = \"move\"\nwall_velocities = [[\"floor\", [{}, 0.0, 0.0]]]\nduration = 0.01\n",
                     speed);
}
/// The files of both, and the packing in the folder "packing".
struct WithPacking : cli::InFolder {
  WithPacking() {
    folder.write("settle.toml", settle);
    folder.write("move.toml", move(0.1));
    folder.gives(0, "run settle.toml --output packing");
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_run_from_results_goes_on_where_they_ended, WithPacking) {
  folder.refuses(2, "run move.toml --output moved --until-step 777", {"in the past: the run starts with step 2000"});
  BOOST_TEST(!folder.holds("moved"));
  folder.gives(0, "run move.toml --output moved", {"starts with step 2000 of "});
  const dem::Series moved = dem::read_series(folder.path() / "moved/series"),
                    packing = dem::read_series(folder.path() / "packing/series");
  BOOST_TEST(moved.column("step").front() == 2000);
  BOOST_TEST(moved.column("floor_force_z").front() == packing.column("floor_force_z").back(),
             boost::test_tools::tolerance(1e-9));
  BOOST_TEST(std::abs(moved.column("floor_force_x").front()) < 1e-12);
}

/// Works and profiles count from the start that the other run gave, also after a stop and without its folder.
BOOST_AUTO_TEST_CASE(a_run_from_results_is_the_same_after_a_stop) {
  const std::string lattice = R"(format = 1
material = {normal_stiffness = 400.0, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.7}
time.step = 1e-3
assembly = {generator = "lattice", shape = "polygon", columns = 5, rows = 5}
cell.periodic = ["x"]
plates = {}
stage = [{normal = "hold-stress", normal_stress = 1.0, plate_speed = 0.05, duration = 1.0}]
output.series_interval = 0.1
)";
  for (const auto& [first, second] :
       {std::pair(
            cli::with(settle, "duration = 0.02", "duration = 0.02\nwall_velocities = [[\"floor\", [0.0, 0.0, 1.0]]]"),
            move(0.1)),
        std::pair(lattice, "start_from = \"packing\"\n" + lattice)}) {
    const Folder folder;
    folder.write("first.toml", first);
    folder.write("second.toml", second);
    folder.gives(0, "run first.toml --output packing");
    folder.dem("run second.toml --output whole");
    const auto steps = dem::read_series(folder.path() / "whole/series").column("step");
    folder.dem(fmt::format("run second.toml --output parts --until-step {}", (steps.front() + steps.back()) / 2));
    fs::remove_all(folder.path() / "packing");
    folder.dem("resume parts");
    BOOST_TEST(folder.text("parts/verdict.txt") == folder.text("whole/verdict.txt"));
    for (const char* kind : {"series", "profiles"}) {
      if (!folder.holds(std::string("whole/") + kind)) continue;
      const dem::Series whole = dem::read_series(folder.path() / "whole" / kind),
                        parts = dem::read_series(folder.path() / "parts" / kind);
      const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };  // bins without a body have NaN
      BOOST_TEST(std::ranges::equal(parts.values, whole.values, {}, bits, bits), kind);
    }
  }
}

/// Every point of a sweep starts there too: what it measures is what dem run measures, not a ball that still falls.
BOOST_FIXTURE_TEST_CASE(sweeps_start_from_results, WithPacking) {
  folder.write("moves.toml", R"(format = 1
case = "move.toml"
axis = [{key = "material.friction", values = [0.5, 0.25]}]
quantity = [{name = "load", kind = "mean", column = "floor_force_z", stage = "move"}]
)");
  folder.gives(0, "sweep moves.toml --output swept");
  const std::string table = folder.text("swept/table.csv");
  const double weight = 2550 * 4.0 / 3 * 3.14159265358979 * 2.7e-8 * 9.81;
  std::istringstream rows(table);
  std::string row;
  int found = 0;
  while (std::getline(rows, row)) {
    if (row.find("load") != std::string::npos) continue;  // friction, t_c, steps, load, …
    std::size_t at = 0;
    for (int k = 0; k < 3; ++k) at = row.find(',', at) + 1;
    BOOST_TEST(std::stod(row.substr(at)) == -weight, boost::test_tools::tolerance(1e-6));
    ++found;
  }
  BOOST_TEST(found == 2, table);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_a_start, WithPacking) {
  const auto refused = [&](const std::string& text, const std::string& says) {
    folder.write("bad.toml", text);
    for (const char* command : {"check bad.toml", "run bad.toml --output bad"})
      folder.refuses(2, command, {"bad.toml:1: start_from: found \"", says});
    BOOST_TEST(!folder.holds("bad"));
  };
  refused(move(0.1, "start_from = \"nowhere\"\n"), "which is no folder");
  refused(cli::with(move(0.1), "radius = 3e-3", "radius = 2e-3"), "results of another assembly");
  refused(cli::with(move(0.1), "step = 1e-5", "step = 2e-5"),
          "results with time.step = 1e-05, while this case has 2e-05, allowed the same one");
  // A run that was stopped, and a checkpoint that is damaged: never an earlier state instead.
  BOOST_TEST(folder.dem("run settle.toml --output half --until-step 700").code == 0);
  refused(move(0.1, "start_from = \"half\"\n"),
          "a run that has stopped at step 700 in stage 1 of 1, allowed one that has come to its end: dem resume");
  BOOST_TEST(folder.dem("resume half").code == 0);
  folder.write("good.toml", move(0.1, "start_from = \"half\"\n"));
  BOOST_TEST(folder.dem("check good.toml").code == 0);
  fs::resize_file(folder.path() / "half/checkpoint.h5", fs::file_size(folder.path() / "half/checkpoint.h5") / 2);
  refused(move(0.1, "start_from = \"half\"\n"), "checkpoint.h5");
  // Its own results.
  folder.refuses(2, "run move.toml --output packing --overwrite", {"the results folder of this run itself"});
  BOOST_TEST(folder.holds("packing/verdict.txt"));
}

/// Legs of law jaeger have slopes up to the friction that made them. A lower friction would leave the force above it.
BOOST_AUTO_TEST_CASE(histories_that_friction_bounds_keep_their_friction) {
  const auto with_law = [](std::string text, const std::string& law, double friction) {
    text = cli::with(text, "law = \"hooke-history\"", fmt::format("law = \"{}\"", law));
    text = cli::with(text, "friction = 0.5", fmt::format("friction = {}", friction));
    return law == "hooke-history" ? text
                                  : cli::with(text, "normal_stiffness = 2000.0\ntangential_stiffness = 1600.0",
                                              "shear_modulus = 1e7\npoisson_ratio = 0.25");
  };
  for (const char* law : {"jaeger", "hertz-mindlin", "hooke-history"}) {
    const Folder folder;
    const auto at = [&](const std::string& text, double friction) {
      return cli::with(with_law(text, law, friction), "step = 1e-5", "step = 5e-6");
    };
    folder.write("settle.toml", at(settle, 0.5));
    folder.gives(0, "run settle.toml --output packing");
    folder.write("same.toml", at(move(0.1), 0.5));
    folder.gives(0, "check same.toml");
    for (const double friction : {0.3, 0.7}) {
      folder.write("other.toml", at(move(0.1), friction));
      if (law == std::string("hooke-history"))
        folder.gives(0, "check other.toml");
      else
        folder.refuses(2, "check other.toml",
                       {fmt::format("results that end with friction 0.5, while stage[1] has {}", friction), law});
    }
    // A stage may say which friction it has.
    folder.write("stage.toml", cli::with(at(move(0.1), 0.3), "name = \"move\"", "name = \"move\"\nfriction = 0.5"));
    folder.gives(0, "check stage.toml");
    // Without friction there are no histories.
    folder.write("settle.toml", at(settle, 0.0));
    folder.gives(0, "run settle.toml --output packing --overwrite");
    folder.gives(0, "check other.toml");
  }
}

/// The load of the plate may act in another way than in the packing; the walls of the box are those of the packing.
BOOST_FIXTURE_TEST_CASE(a_shear_box_with_another_load, cli::InFolder) {
  const auto box = [](const std::string& plate, const std::string& start) {
    return start +
           cli::with(
               sphere_on_a_floor,
               "wall = [{name = \"floor\", shape = \"plane\", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0]}]\n",
               "") +
           "[shear_box]\nlength = 0.02\ndepth = 0.01\ngap = 1e-3\nheight = 0.02\n" + plate +
           "[[stage]]\nname = \"press\"\nplate_stress = 100.0\nduration = 0.01\n";
  };
  const std::string servo = "plate = \"servo\"\nservo_gain = 1e-3\n", start = "start_from = \"packing\"\n";
  folder.write("servo.toml", cli::with(box(servo, ""), "[0.0, 0.0, 3e-3]", "[0.01, 0.01, -7e-3]"));
  BOOST_TEST_REQUIRE(folder.dem("run servo.toml --output packing").code == 0);
  folder.write("weight.toml", cli::with(box("plate = \"weight\"\n", start), "[0.0, 0.0, 3e-3]", "[0.01, 0.01, -7e-3]"));
  folder.gives(0, "run weight.toml --output pressed", {"starts with step 1000 of "});
  folder.write("wider.toml", cli::with(folder.text("weight.toml"), "length = 0.02", "length = 0.03"));
  folder.refuses(2, "check wider.toml", {"results of another shear box"});
}
