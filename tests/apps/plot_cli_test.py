"""dem plot with a short run of each driver. The printed lines name the panels and their axes.

Labels are read in SVG pictures."""
import os

from conftest import dem, gives, has, plotting, polygon_shear, refuses, text, two_discs, write


def cell(*stages):
    """Discs that are pressed and then loaded; 700 steps to each 0.5 s."""
    return f"""format = 1
title = "cell"
cell.periodic = ["x", "y"]
time.step = 7e-4
output.series_interval = 0.02
stage = [{{name = "compress", stress_xx = -1.0, stress_yy = -1.0, largest_rate = 0.05, duration = 4.0}},
         {", ".join(f"{{{stage}}}" for stage in stages)}]
[assembly]
generator = "random"
shape = "disc"
count = 30
radius = 0.5
spread = 0.15
void_ratio = 0.35
seed = 4
[material]
normal_stiffness = 1000.0
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.6
tangential_damping_ratio = 0.1
"""


def rain(assembly, more):
    return f"""format = 1
dimension = 3
title = "spheres"
gravity = [0.0, 0.0, -9.81]
assembly = {{generator = "rain", radius = 2.5e-3, columns = 3, rows = 3, count = 27, seed = 1, {assembly}}}
contact = {{law = "hertz-history", elongation = "velocity", velocity_source = "trapezoid"}}
time = {{integrator = "velocity-verlet", step = 1e-5}}
output.series_interval = 1e-3
{more}[material]
density = 2500.0
shear_modulus = 1.23e7
poisson_ratio = 0.3
friction = 0.5
restitution = 0.6
"""


def drawn(case, *parts):
    """Checks the output of dem plot for a run of the case. SVG, whose texts can be read."""
    write("case.toml", case)
    dem("run case.toml --output run")
    ran = gives(0, "plot run --format svg", *parts)
    assert os.path.exists("run/verdict.txt") and "Traceback" not in ran.err
    return ran


@plotting
def test_plates_are_drawn_as_shear_ratio_over_shear_strain():
    drawn(polygon_shear(1000),
          "run: plates, over strain from the start of stage shear; over time in stages: press\n",
          "run/figures/overview.svg: shear_ratio, kinetic_energy, coordination, sliding_fraction; over strain\n",
          "figures/profiles.svg: velocity_x, ", "figures/ledger.svg: boundary_work, kinetic_energy")
    has(text("run/figures/overview.svg"), "shear strain $\\gamma$")


@plotting
def test_a_triaxial_cell_is_drawn_as_stress_ratio_and_volume_over_the_axial_strain_of_the_loading():
    plot = drawn(cell('name = "shear", stress_xx = -1.0, rate_yy = -1e-2, duration = 1.0'),
                 "run: triaxial cell, over strain_yy from the start of stage shear; over time in stages: compress\n",
                 "figures/overview.svg: stress_ratio, volumetric_strain (strain_xx, strain_yy), void_ratio, "
                 "coordination; over strain_yy\n",
                 "figures/stages.svg: stresses (mean_pressure, deviator_stress), void_ratio, coordination, ")
    assert "profiles" not in plot.out
    has(text("run/figures/overview.svg"), "axial strain $-\\varepsilon_{yy}$")
    assert "shear strain" not in text("run/figures/overview.svg")


@plotting
def test_a_cell_in_simple_shear_is_drawn_without_the_stages_between():
    pressed = "stress_xx = -1.0, stress_yy = -1.0"
    drawn(cell(f'name = "there", {pressed}, rate_xy = 1e-2, duration = 0.5',
               f'name = "hold", {pressed}, duration = 0.2',
               f'name = "back", {pressed}, rate_xy = -1e-2, duration = 0.5'),
          "run: cell in simple shear, over strain_xy from the start of stage there, back; over time in stages: "
          "compress, hold; a circle",
          "figures/shear_ratio.svg: shear_ratio (stress_xy, stress_yy); over strain_xy\n",
          "figures/overview.svg: shear_ratio (stress_xy, stress_yy), volumetric_strain (strain_xx, strain_yy), "
          "void_ratio, coordination; over")
    has(text("run/figures/overview.svg"), "shear strain $\\gamma_{xy}$")


@plotting
def test_a_shear_box_is_drawn_as_the_ratios_and_the_plate_over_the_displacement():
    drawn(rain("centre = [0.016, 0.016], lowest = -0.0074", """stage = [
    {name = "rain", duration = 0.06}, {name = "press", plate_stress = 1000.0, duration = 0.02},
    {name = "shear", plate_stress = 1000.0, shear_velocity = 0.02, shear_displacement = 4e-4}]
shear_box = {length = 0.032, depth = 0.01, gap = 2.5e-3, height = 0.05, ledge = 0.01, plate = "weight"}
"""), "run: shear box, over shear_displacement from the start of stage shear; over time in stages: rain, press\n",
          "figures/shear_ratio.svg: shear_ratio (plane_shear_ratio, nominal_shear_ratio); over shear_displacement\n",
          "figures/dilation.svg: dilation (plate_height); over shear_displacement\n")
    has(text("run/figures/overview.svg"), "shear displacement $u$ (mm)", "rise of the plate $\\Delta h$ (mm)",
        "$T/N$ on the shear plane")


@plotting
def test_walls_are_drawn_as_energies_and_forces_on_walls_over_time():
    drawn(rain("lowest = 2.6e-3", """stage = [{name = "fall", duration = 0.05}]
wall = [{name = "floor", shape = "plane", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0]}]
"""), "run: free bodies and walls, over time\n",
          "figures/overview.svg: kinetic_energy, coordination, wall_forces (floor_force_z), unbalanced_force; over "
          "time\n", "figures/ledger.svg: gravity_work, kinetic_energy, ")
    has(text("run/figures/wall_forces.svg"), "force on walls along $-z$ (N)")

    # Beside a run of another driver: refused, but for what both have over time.
    write("two.toml", cell())
    assert dem("run two.toml --output two").code < 2
    refuses(2, "plot run two",
            "these runs have different axes and cannot be laid over each other:\n  run: free bodies and walls",
            "--against time")
    gives(0, "plot run two --against time --output both",
          "both/overview.png: kinetic_energy, coordination, sliding_fraction, unbalanced_force; over time\n")


@plotting
def test_a_sweep_is_drawn_by_its_table(two):
    sweep = """format = 1
case = "two.toml"
axis = [{key = "material.friction", values = [0.1, 0.2]}]
"""
    write("sweep.toml", sweep + 'quantity = [{kind = "final", column = "b_x"}]\n')
    gives(0, "sweep sweep.toml")
    os.remove("results/sweep/plot.svg")
    gives(0, "plot results/sweep", "results/sweep/plot.svg: b_x; over material.friction\n")
    gives(0, "plot results/sweep --format pdf", "results/sweep/plot.pdf: b_x; over")
    refuses(2, "plot results/sweep --against time", "--against chooses the axis of results folders")
    for seconds in (0.2, 0.6, 1.0):  # while a Python is looked for, and while its modules are loaded
        stopped = dem("plot results/sweep", f"timeout --preserve-status -s INT {seconds}")
        assert stopped.code in (4, 0) and stopped.err == ""
    refuses(2, "plot results/sweep --output pictures --y nothing", "--y: found nothing, allowed ")
    write("rows.toml", 'keep = "series"\n' + sweep)
    gives(0, "sweep rows.toml", "Rows of point K in results/rows/series/point-K")
    refuses(3, "plot results/rows",
            "is a sweep without a quantity; the rows of its points are in results/rows/series")
    os.remove("results/sweep/table.h5")
    refuses(3, "plot results/sweep", "is a sweep without a table")


def test_without_a_python_dem_plot_says_what_to_install():
    os.makedirs("run/series")
    refuses(1, "plot run", "dem plot: no Python 3.11 or newer with matplotlib and h5py among:",
            "apt-get install python3-matplotlib python3-h5py", before="export PYTHONHOME=/nowhere;")  # none starts


@plotting
def test_names_with_marks_of_formulas_and_legends():
    write("case.toml", two_discs(duration="1e-4"))
    for folder in ("_first", "$x^$"):
        dem(f"run case.toml -o '{folder}'")
    gives(0, "plot _first '$x^$' --format svg -o pictures")
    has(text("pictures/overview.svg"), "<!-- $\\_$first -->", "<!-- $x^$ -->")
    gives(0, "plot _first '$x^$' --format svg -o pictures --labels '$\\frac$' _b")
    has(text("pictures/kinetic_energy.svg"), "<!-- $\\_$b -->")
    write("sweep.toml", """format = 1
case = "case.toml"
title = "$x^$"
axis = [{key = "title", values = ["_a", "$b^$"]}]
quantity = [{kind = "final", column = "b_x"}]
""")
    gives(0, "sweep sweep.toml -o sweep", "Plot in sweep/plot.svg")


@plotting
def test_a_full_disk_names_the_picture_and_leaves_none():
    write("case.toml", two_discs(duration="1e-4"))
    dem("run case.toml -o run")
    ran = refuses(3, "plot run --format svg", "dem plot: run/figures/kinetic_energy.svg cannot be read or written: ",
                  before="trap '' XFSZ; ulimit -f 2;")
    assert "Traceback" not in ran.err and os.listdir("run/figures") == []
