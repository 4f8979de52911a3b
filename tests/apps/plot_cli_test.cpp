// dem plot with a short run of each driver. The printed lines name the panels and their axes.
// Labels are read in SVG pictures.
#include "cli_tools.hpp"
#include "tests/program_cases.hpp"

namespace {

using cli::can_plot;
using cli::has;

/// Discs that are pressed and then loaded as `stages` says; 700 steps to each 0.5 s.
std::string cell(const std::string& stages) {
  return "format = 1\ntitle = \"cell\"\n[cell]\nperiodic = [\"x\", \"y\"]\n"
         "[assembly]\ngenerator = \"random\"\nshape = \"disc\"\ncount = 30\nradius = 0.5\nspread = 0.15\nvoid_ratio = "
         "0.35\nseed = 4\n"
         "[material]\nnormal_stiffness = 1000.0\ntangential_stiffness_ratio = 0.5\nfriction = 0.5\nrestitution = 0.6\n"
         "tangential_damping_ratio = 0.1\n[time]\nstep = 7e-4\n"
         "[[stage]]\nname = \"compress\"\nstress_xx = -1.0\nstress_yy = -1.0\nlargest_rate = 0.05\nduration = 4.0\n" +
         stages + "[output]\nseries_interval = 0.02\n";
}

const std::string spheres =
    "format = 1\ndimension = 3\ntitle = \"spheres\"\ngravity = [0.0, 0.0, -9.81]\n"
    "[assembly]\ngenerator = \"rain\"\nradius = 2.5e-3\ncolumns = 3\nrows = 3\ncount = 27\n";
const std::string grains =
    "[material]\ndensity = 2500.0\nshear_modulus = 1.23e7\npoisson_ratio = 0.3\nfriction = 0.5\nrestitution = 0.6\n"
    "[contact]\nlaw = \"hertz-history\"\nelongation = \"velocity\"\nvelocity_source = \"trapezoid\"\n"
    "[time]\nintegrator = \"velocity-verlet\"\nstep = 1e-5\n";

/// The output of dem plot for a run of the case. SVG, whose texts can be read.
cli::Result drawn(const cli::Folder& folder, const std::string& text) {
  folder.write("case.toml", text);
  const auto run = folder.dem("run case.toml --output run");
  BOOST_TEST_REQUIRE(folder.holds("run/verdict.txt"), run.out + run.err);
  const auto plot = folder.gives(0, "plot run --format svg");
  BOOST_TEST(!has(plot.err, "Traceback"), plot.err);
  return plot;
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(plot_of_plates_is_shear_ratio_over_shear_strain, cli::InFolder) {
  if (!can_plot()) return;
  const auto plot = drawn(folder, cli::polygon_shear(1000));
  plot.prints({"run: plates, over strain from the start of stage shear; over time in stages: press\n",
               "run/figures/overview.svg: shear_ratio, kinetic_energy, coordination, sliding_fraction; over strain\n",
               "figures/profiles.svg: velocity_x, ", "figures/ledger.svg: boundary_work, kinetic_energy"});
  folder.shows("run/figures/overview.svg", {"shear strain $\\gamma$"});
}

BOOST_FIXTURE_TEST_CASE(plot_of_a_triaxial_cell_is_stress_ratio_and_volume_over_the_axial_strain_of_the_loading,
                        cli::InFolder) {
  if (!can_plot()) return;
  const auto plot =
      drawn(folder, cell("[[stage]]\nname = \"shear\"\nstress_xx = -1.0\nrate_yy = -1e-2\nduration = 1.0\n"));
  plot.prints({"run: triaxial cell, over strain_yy from the start of stage shear; over time in stages: compress\n",
               "figures/overview.svg: stress_ratio, volumetric_strain (strain_xx, strain_yy), void_ratio, "
               "coordination; over strain_yy\n",
               "figures/stages.svg: stresses (mean_pressure, deviator_stress), void_ratio, coordination, "});
  BOOST_TEST(!has(plot.out, "profiles"), plot.out);
  const std::string picture = folder.text("run/figures/overview.svg");
  BOOST_TEST(has(picture, "axial strain $-\\varepsilon_{yy}$"));
  BOOST_TEST(!has(picture, "shear strain"));
}

BOOST_FIXTURE_TEST_CASE(plot_of_a_cell_in_simple_shear_leaves_out_the_stages_between, cli::InFolder) {
  if (!can_plot()) return;
  const std::string pressed = "stress_xx = -1.0\nstress_yy = -1.0\n";
  const auto plot = drawn(
      folder,
      cell("[[stage]]\nname = \"there\"\n" + pressed + "rate_xy = 1e-2\nduration = 0.5\n[[stage]]\nname = \"hold\"\n" +
           pressed + "duration = 0.2\n[[stage]]\nname = \"back\"\n" + pressed + "rate_xy = -1e-2\nduration = 0.5\n"));
  plot.prints(
      {"run: cell in simple shear, over strain_xy from the start of stage there, back; over time in stages: compress, "
       "hold; a circle",
       "figures/shear_ratio.svg: shear_ratio (stress_xy, stress_yy); over strain_xy\n",
       "figures/overview.svg: shear_ratio (stress_xy, stress_yy), volumetric_strain (strain_xx, strain_yy), "
       "void_ratio, coordination; over"});
  folder.shows("run/figures/overview.svg", {"shear strain $\\gamma_{xy}$"});
}

BOOST_FIXTURE_TEST_CASE(plot_of_a_shear_box_is_the_ratios_and_the_plate_over_the_displacement, cli::InFolder) {
  if (!can_plot()) return;
  const auto plot = drawn(
      folder,
      spheres + "centre = [0.016, 0.016]\nlowest = -0.0074\nseed = 1\n" + grains +
          "[shear_box]\nlength = 0.032\ndepth = 0.01\ngap = 2.5e-3\nheight = 0.05\nledge = 0.01\nplate = \"weight\"\n"
          "[[stage]]\nname = \"rain\"\nduration = 0.06\n[[stage]]\nname = \"press\"\nplate_stress = 1000.0\nduration = "
          "0.02\n"
          "[[stage]]\nname = \"shear\"\nplate_stress = 1000.0\nshear_velocity = 0.02\nshear_displacement = "
          "4e-4\n[output]\nseries_interval = 1e-3\n");
  plot.prints(
      {"run: shear box, over shear_displacement from the start of stage shear; over time in stages: rain, press\n",
       "figures/shear_ratio.svg: shear_ratio (plane_shear_ratio, nominal_shear_ratio); over shear_displacement\n",
       "figures/dilation.svg: dilation (plate_height); over shear_displacement\n"});
  const std::string picture = folder.text("run/figures/overview.svg");
  for (const char* label :
       {"shear displacement $u$ (mm)", "rise of the plate $\\Delta h$ (mm)", "$T/N$ on the shear plane"})
    BOOST_TEST(has(picture, label), label);
}

BOOST_FIXTURE_TEST_CASE(plot_of_walls_is_energies_and_forces_on_walls_over_time, cli::InFolder) {
  if (!can_plot()) return;
  const auto plot = drawn(
      folder, spheres + "lowest = 2.6e-3\nseed = 1\n" + grains +
                  "[[wall]]\nname = \"floor\"\nshape = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n"
                  "[[stage]]\nname = \"fall\"\nduration = 0.05\n[output]\nseries_interval = 1e-3\n");
  plot.prints(
      {"run: free bodies and walls, over time\n",
       "figures/overview.svg: kinetic_energy, coordination, wall_forces (floor_force_z), unbalanced_force; over time\n",
       "figures/ledger.svg: gravity_work, kinetic_energy, "});
  folder.shows("run/figures/wall_forces.svg", {"force on walls along $-z$ (N)"});

  // Beside a run of another driver: refused, but for what both have over time.
  folder.write("two.toml", cell(""));
  BOOST_TEST_REQUIRE(folder.dem("run two.toml --output two").code < 2);
  folder.refuses(2, "plot run two",
                 {"these runs have different axes and cannot be laid over each other:\n  run: free bodies and walls",
                  "--against time"});
  folder.gives(0, "plot run two --against time --output both",
               {"both/overview.png: kinetic_energy, coordination, sliding_fraction, unbalanced_force; over time\n"});
}

BOOST_FIXTURE_TEST_CASE(plot_of_a_sweep_is_that_of_its_table, cli::WithTwoDiscs) {
  if (!can_plot()) return;
  folder.write("sweep.toml",
               "format = 1\ncase = \"two.toml\"\n[[axis]]\nkey = \"material.friction\"\nvalues = [0.1, 0.2]\n"
               "[[quantity]]\nkind = \"final\"\ncolumn = \"b_x\"\n");
  BOOST_TEST_REQUIRE(folder.dem("sweep sweep.toml").code == 0);
  cli::fs::remove(folder.path() / "results/sweep/plot.svg");
  folder.gives(0, "plot results/sweep", {"results/sweep/plot.svg: b_x; over material.friction\n"});
  folder.dem("plot results/sweep --format pdf").prints({"results/sweep/plot.pdf: b_x; over"});
  folder.refuses(2, "plot results/sweep --against time", {"--against chooses the axis of results folders"});
  for (const char* seconds : {"0.2", "0.6", "1.0"}) {  // while a Python is looked for, and while its modules are loaded
    const auto stopped = folder.dem("plot results/sweep", std::string("timeout --preserve-status -s INT ") + seconds);
    BOOST_TEST((stopped.code == 4 || stopped.code == 0), stopped.code);
    BOOST_TEST(stopped.err.empty(), stopped.err);
  }
  folder.refuses(2, "plot results/sweep --output pictures --y nothing", {"--y: found nothing, allowed "});
  folder.write("rows.toml",
               "format = 1\ncase = \"two.toml\"\nkeep = \"series\"\n[[axis]]\nkey = "
               "\"material.friction\"\nvalues = [0.1, 0.2]\n");
  folder.gives(0, "sweep rows.toml", {"Rows of point K in results/rows/series/point-K"});
  folder.refuses(3, "plot results/rows",
                 {"is a sweep without a quantity; the rows of its points are in results/rows/series"});
  cli::fs::remove(folder.path() / "results/sweep/table.h5");
  folder.refuses(3, "plot results/sweep", {"is a sweep without a table"});
}

BOOST_FIXTURE_TEST_CASE(plot_without_python_says_what_to_install, cli::InFolder) {
  cli::fs::create_directories(folder.path() / "run/series");
  const auto plot = folder.dem("plot run", "export PYTHONHOME=/nowhere;");  // no Python starts
  BOOST_TEST(plot.code == 1);
  plot.warns({"dem plot: no Python 3.11 or newer with matplotlib and h5py among:",
              "apt-get install python3-matplotlib python3-h5py"});
}
