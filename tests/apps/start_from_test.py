"""A run that starts with the last state of another one, in dem run, dem check and dem sweep."""
import os
import shutil

import pytest
from conftest import SPHERE_ON_A_FLOOR, column, cut, dem, gives, refuses, replaced, rows_of, text, write

#: The ball settles, then the floor moves below it.
SETTLE = SPHERE_ON_A_FLOOR + '[[stage]]\nname = "settle"\nduration = 0.02\n'


def move(start="packing", speed=0.1):
    return f"""start_from = "{start}"
{SPHERE_ON_A_FLOOR}[[stage]]
name = "move"
wall_velocities = [["floor", [{speed}, 0.0, 0.0]]]
duration = 0.01
"""


@pytest.fixture
def packing(working_folder):
    write("settle.toml", SETTLE)
    write("move.toml", move())
    gives(0, "run settle.toml --output packing")


def test_a_run_from_results_goes_on_where_they_ended(packing):
    refuses(2, "run move.toml --output moved --until-step 777", "in the past: the run starts with step 2000")
    assert not os.path.exists("moved")
    gives(0, "run move.toml --output moved", "starts with step 2000 of ")
    assert column("moved", "step")[0] == 2000
    assert column("moved", "floor_force_z")[0] == pytest.approx(column("packing", "floor_force_z")[-1], rel=1e-9)
    assert abs(column("moved", "floor_force_x")[0]) < 1e-12


LATTICE = """format = 1
material = {normal_stiffness = 400.0, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.7}
time.step = 1e-3
assembly = {generator = "lattice", shape = "polygon", columns = 5, rows = 5}
cell.periodic = ["x"]
plates = {}
stage = [{normal = "hold-stress", normal_stress = 1.0, plate_speed = 0.05, duration = 1.0}]
output.series_interval = 0.1
"""


@pytest.mark.parametrize("first, second", [
    (replaced(SETTLE, "duration = 0.02", 'duration = 0.02\nwall_velocities = [["floor", [0.0, 0.0, 1.0]]]'), move()),
    (LATTICE, f'start_from = "packing"\n{LATTICE}'),
])
def test_a_run_from_results_is_the_same_after_a_stop(first, second):
    """Works and profiles count from the start that the other run gave, also after a stop and without its folder."""
    write("first.toml", first)
    write("second.toml", second)
    gives(0, "run first.toml --output packing")
    dem("run second.toml --output whole")
    steps = column("whole", "step")
    dem(f"run second.toml --output parts --until-step {int(steps[0] + steps[-1]) // 2}")
    shutil.rmtree("packing")
    dem("resume parts")
    assert text("parts/verdict.txt") == text("whole/verdict.txt")
    assert os.path.exists("whole/profiles") == (first == LATTICE)
    for kind in ("series", "profiles"):
        if os.path.exists(f"whole/{kind}"):
            assert dem(f"info --csv parts/{kind}").out == gives(0, f"info --csv whole/{kind}").out


MEETING = """format = 1
material = {{density = 2.0, normal_stiffness = {stiffness}, tangential_stiffness_ratio = 0.5, friction = 10.0, \
restitution = {restitution}}}
time = {{step = 1e-4, integrator = "{integrator}"}}
contact.elongation = "{elongation}"
body = [{{shape = "{shape}", {size}, position = [0.0, 0.0]}}, {{shape = "{shape}", {size}, position = [0.98, 0.1], \
velocity = [-0.5, 0.4]}}]
assembly.largest_start_overlap = 0.1
stage = [{{duration = 0.02}}]
"""


@pytest.mark.parametrize("shape, size", [("disc", "radius = 0.5"), ("rectangle", "width = 1.0, height = 1.0"),
                                         ("sphere", "radius = 0.5")])
@pytest.mark.parametrize("elongation, integrator", [("geometric", "gear5"), ("velocity", "velocity-verlet")])
def test_contacts_take_the_springs_and_dashpots_of_the_new_case(working_folder, shape, size, elongation, integrator):
    def case(stiffness, restitution):
        made = MEETING.format(shape=shape, size=size, elongation=elongation, integrator=integrator,
                              stiffness=stiffness, restitution=restitution)
        if shape == "sphere":
            made = "dimension = 3\n" + made.replace("0.0]}", "0.0, 0.0]}").replace("0.1]", "0.1, 0.0]").replace(
                "0.4]", "0.4, 0.0]")
        return made

    write("first.toml", case(1000.0, 0.5))
    write("second.toml", 'start_from = "first"\n' + case(1500.0, 1.0))
    gives(0, "run first.toml --output first")
    assert column("first", "viscous_loss")[-1] > 0
    gives(0, "run second.toml --output second")
    for part in ("stored_normal", "stored_tangential"):
        assert column("second", part)[0] == pytest.approx(1.5 * column("first", part)[-1], rel=1e-2)
    assert column("second", "viscous_loss")[-1] == 0
    # The work of elongation by velocity is exact to first order in space.
    closes = 5e-3 if (shape, elongation) == ("sphere", "velocity") else 1e-3
    assert abs(column("second", "energy_residual")[-1]) < closes * column("second", "absolute_work")[-1]



SQUEEZED = """format = 1
material = {{normal_stiffness = {stiffness}, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 1.0}}
time.step = 1e-3
assembly = {{generator = "lattice", shape = "disc", columns = 4, rows = 4, spacing = 0.995}}
{driver}
"""
PLATES = 'cell.periodic = ["x"]\nplates = {from_rows = true}\nstage = [{shear_rate = 0.05, duration = 0.1}]'
CELL = 'cell.periodic = ["x", "y"]\nstage = [{rate_yy = -0.05, rate_xy = 0.05, duration = 0.1}]'
SERVO = CELL.replace("rate_yy = -0.05", "mean_pressure = 1.0")


@pytest.mark.parametrize("driver, columns", [(PLATES, ["wall_normal_top", "wall_normal_bottom", "wall_shear_top"]),
                                             (CELL, ["stress_yy", "stress_xy", "mean_pressure"]),
                                             (SERVO, ["stress_yy", "stress_xy", "mean_pressure"])])
def test_the_first_row_has_the_stress_of_the_new_springs(working_folder, driver, columns):
    write("first.toml", SQUEEZED.format(stiffness=400.0, driver=driver))
    write("second.toml", 'start_from = "first"\n' + SQUEEZED.format(stiffness=600.0, driver=driver))
    dem("run first.toml --output first")
    dem("run second.toml --output second")
    for name in columns:
        assert column("second", name)[0] == pytest.approx(1.5 * column("first", name)[-1], rel=1e-6)


FALL = """format = 1
gravity = [0.0, {gravity}]
time = {{step = 1e-4, integrator = "{integrator}"}}
material = {{density = {density}, normal_stiffness = 1000.0, tangential_stiffness_ratio = 0.5, friction = 0.5, \
restitution = 0.9}}
body = [{{shape = "disc", radius = 0.1, position = [0.0, 0.0], force = [0.0, -1.0]}}]
stage = [{{duration = 0.01}}]
"""


@pytest.mark.parametrize("integrator", ["gear5", "velocity-verlet"])
def test_the_first_step_has_the_accelerations_of_the_new_case(working_folder, integrator):
    """Other weights and masses act from the start, not half a step later."""
    area, time = 3.14159265358979 * 0.01, 0.01
    write("first.toml", FALL.format(gravity=0.0, density=1.0, integrator=integrator))
    write("second.toml", 'start_from = "first"\n' + FALL.format(gravity=-10.0, density=4.0, integrator=integrator))
    gives(0, "run first.toml --output first")
    gives(0, "run second.toml --output second")
    speed = time / area + time * (10 + 1 / (4 * area))
    assert column("second", "kinetic_energy")[-1] == pytest.approx(0.5 * 4 * area * speed**2, rel=1e-10)


@pytest.mark.parametrize("first, second", [(20.0, 20.0), (5.0, 20.0)])
def test_mass_damping_is_booked_from_the_velocities_of_the_start(working_folder, first, second):
    """Not from those that the case itself begins with."""
    def case(damping):
        made = FALL.format(gravity=-10.0, density=1.0, integrator="velocity-verlet")
        return replaced(made, "density", f"mass_damping = {damping}, density") + "output.series_interval = 1e-4\n"

    write("first.toml", case(first))
    write("second.toml", 'start_from = "first"\n' + case(second))
    gives(0, "run first.toml --output first")
    gives(0, "run second.toml --output second")
    speed = (2 * column("second", "kinetic_energy")[0] / 0.0314159265358979) ** 0.5
    power = second * 0.0314159265358979 * speed**2
    assert column("second", "viscous_loss")[1] == pytest.approx(power * 1e-4, rel=2e-2)
    assert abs(column("second", "energy_residual")[-1]) < 1e-5 * column("second", "absolute_work")[-1]


SHEARED = """format = 1
material = {normal_stiffness = 1000.0, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.5}
time = {step = 1e-3, integrator = "velocity-verlet"}
assembly = {generator = "lattice", columns = 5, rows = 4, radius = 0.5, spacing = 0.999}
cell.periodic = ["x", "y"]
stage = [{duration = 0.02, rate_xy = 0.3, rate_yy = -0.1}]
output.series_interval = 1e-3
"""


def test_a_cell_that_nothing_drives_any_more_rests_with_its_bodies(working_folder):
    """The mean flow ends with the cell, as in a stage without a rate. It would go on as a jump from image to image."""
    write("first.toml", SHEARED)
    rest = 'start_from = "first"\n' + replaced(SHEARED, "rate_xy = 0.3, rate_yy = -0.1", "REST")
    write("none.toml", rest.replace(", REST", ""))
    write("zero.toml", rest.replace("REST", "rate_xy = 0.0"))
    for name in ("first", "none", "zero"):
        dem(f"run {name}.toml --output {name}")
    for name in ("kinetic_energy", "stored_normal", "stored_tangential"):
        assert column("none", name)[-1] == pytest.approx(column("zero", name)[-1], rel=1e-9)
    assert column("none", "kinetic_energy")[0] < 1e-2 * column("first", "kinetic_energy")[-1]


APPROACH = """format = 1
dimension = {dimension}
gravity = [{gravity}, 0.0{zero}]
time = {{step = 1e-4, integrator = "{integrator}"}}
material = {{{springs}, friction = 0.5, restitution = 0.5}}
contact = {{law = "{law}"}}
stage = [{{duration = 0.004}}]
[[body]]
shape = "{shape}"
radius = 0.5
position = [0.0, 0.0{zero}]
velocity = [0.5, 0.0{zero}]
[[body]]
shape = "{shape}"
radius = 0.5
position = [0.98, 0.0{zero}]
velocity = [-0.5, 0.0{zero}]
[output]
series_interval = 1e-4
"""


@pytest.mark.parametrize("integrator", ["gear5", "velocity-verlet"])
@pytest.mark.parametrize("law", ["linear-refined", "hertz-mindlin", "jaeger"])
def test_dashpots_act_from_the_start_where_they_see_the_movement_of_a_step(working_folder, law, integrator):
    """At the start there is no movement, and the first step went without them: a residual 100 times as large."""
    plane = law == "linear-refined"
    case = dict(law=law, integrator=integrator, dimension=2 if plane else 3, shape="disc" if plane else "sphere",
                zero="" if plane else ", 0.0", springs="normal_stiffness = 1000.0, tangential_stiffness_ratio = 0.7"
                if plane else "shear_modulus = 4000.0, poisson_ratio = 0.25")
    write("first.toml", APPROACH.format(gravity=0.0, **case))
    write("same.toml", 'start_from = "first"\n' + APPROACH.format(gravity=0.0, **case))
    write("other.toml", 'start_from = "first"\n' + APPROACH.format(gravity=-0.3, **case))
    for name in ("first", "same", "other"):
        gives(0, f"run {name}.toml --output {name}")
    assert abs(column("other", "energy_residual")[1]) < 1e-6
    # Gravity moves both alike. The contact goes on as without it, and the energy too, but for that of the fall.
    assert column("other", "stored_normal")[-1] == pytest.approx(column("same", "stored_normal")[-1], rel=1e-5)


def with_history(history, last="", start=""):
    case = start + replaced(SETTLE, "wall = [{", 'wall = [{velocity = [0.1, 0.0, 0.0], ').replace("0.02", "0.002")
    return replaced(case, 'elongation = "velocity"', f'history = "{history}", elongation = "velocity"') + last


@pytest.mark.parametrize("before, after", [("true", "none"), ("none", "true"), ("true", "pseudo"), ("pseudo", "true")])
def test_another_history_restarts_the_springs(working_folder, before, after):
    """As between stages, whether the case or its stage has the history."""
    start = 'start_from = "first"\n'
    write("first.toml", with_history(before))
    write("case.toml", with_history(after, start=start))
    write("stage.toml", with_history(before, f'history = "{after}"\n', start))
    write("last.toml", with_history(after, f'history = "{before}"\n'))
    write("own.toml", with_history(after, start='start_from = "last"\n'))
    for name in ("first", "case", "stage", "last", "own"):
        dem(f"run {name}.toml --output {name}")
    assert column("case", "stored_tangential")[0] == 0
    for name in ("case", "own"):
        assert dem(f"info --csv {name}/series").out == gives(0, "info --csv stage/series").out


PRESSED = """format = 1
dimension = 3
material = {{density = 1e10, shear_modulus = {modulus}, poisson_ratio = {ratio}, friction = {friction}, \
restitution = 1.0}}
contact = {{law = "{law}"}}
time = {{step = 1e-5, integrator = "velocity-verlet"}}
body = [{{shape = "sphere", radius = 0.1, position = [0.0, 0.0, 0.0999], fixed = ["x", "y", "rotation"]}}]
wall = [{{name = "floor", shape = "plane", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], \
velocity = [0.01, 0.0, 1e-4]}}]
stage = [{{duration = 0.001}}]
output.series_interval = 1e-5
"""


@pytest.mark.parametrize("law", ["jaeger", "hertz-mindlin"])
def test_histories_hold_for_their_elastic_constants(working_folder, law):
    """The contact would seem to be pressed by the difference of the normal forces, and its tangential force jumped."""
    def pressed(modulus=1e6, ratio=0.25, friction=0.5, start=""):
        return start + PRESSED.format(law=law, modulus=modulus, ratio=ratio, friction=friction)

    write("first.toml", pressed())
    gives(0, "run first.toml --output first")
    write("stiffer.toml", pressed(modulus=1.5e6, start='start_from = "first"\n'))
    gives(0, "run stiffer.toml --output stiffer", "contacts start anew")
    write("alone.toml", pressed(modulus=1.5e6))
    gives(0, "run alone.toml --output alone")
    force, alone = column("stiffer", "floor_force_x"), column("alone", "floor_force_x")
    assert force[0] == 0
    assert force[-1] == pytest.approx(alone[-1], rel=1e-3)
    for change in (dict(modulus=1.5e6), dict(ratio=0.0), dict(friction=0.3)):
        write("case.toml", pressed())
        gives(0, "run case.toml --output parts --until-step 50 --overwrite")
        write("parts/case.toml", pressed(**change))
        refuses(2, "resume parts --accept-changes", "a run cannot go on with another material.")


def test_another_memory_starts_anew(working_folder):
    write("first.toml", PRESSED.format(law="hertz-mindlin", modulus=1e6, ratio=0.25, friction=0.5))
    write("second.toml", 'start_from = "first"\n' + replaced(text("first.toml"), '"hertz-mindlin"',
                                                            '"hertz-mindlin", memory = "none"'))
    gives(0, "run first.toml --output first")
    gives(0, "run second.toml --output second", "contacts start anew")
    assert column("second", "floor_force_x")[0] == 0


def test_sweeps_start_from_results(packing):
    """Every point of a sweep starts there too.

    It measures what dem run measures, not a ball that still falls."""
    write("moves.toml", """format = 1
case = "move.toml"
axis = [{key = "material.friction", values = [0.5, 0.25]}]
quantity = [{name = "load", kind = "mean", column = "floor_force_z", stage = "move"}]
""")
    gives(0, "sweep moves.toml --output swept")
    weight = 2550 * 4.0 / 3 * 3.14159265358979 * 2.7e-8 * 9.81
    assert [float(row["load"]) for row in rows_of(text("swept/table.csv"))] == pytest.approx(2 * [-weight], rel=1e-6)


def test_states_that_cannot_be_a_start(packing):
    def refused(case, message):
        write("bad.toml", case)
        for command in ("check bad.toml", "run bad.toml --output bad"):
            refuses(2, command, 'bad.toml:1: start_from: found "', message)
        assert not os.path.exists("bad")

    refused(move("nowhere"), "which is no folder")
    refused(replaced(move(), "radius = 3e-3", "radius = 2e-3"), "results of another assembly")
    refused(replaced(move(), "step = 1e-5", "step = 2e-5"),
            "results with time.step = 1e-05, while this case has 2e-05, allowed the same one")
    # A run that was stopped, and a checkpoint that is damaged: never an earlier state instead.
    gives(0, "run settle.toml --output half --until-step 700")
    refused(move("half"),
            "a run that has stopped at step 700 in stage 1 of 1, allowed one that has come to its end: dem resume")
    gives(0, "resume half")
    write("good.toml", move("half"))
    gives(0, "check good.toml")
    cut("half/checkpoint.h5", 0.5)
    refused(move("half"), "checkpoint.h5")
    # Its own results.
    refuses(2, "run move.toml --output packing --overwrite", "the results folder of this run itself")
    assert os.path.exists("packing/verdict.txt")


@pytest.mark.parametrize("law", ["jaeger", "hertz-mindlin", "hooke-history"])
def test_histories_that_friction_bounds_keep_their_friction(law):
    """Legs of law jaeger have slopes up to the friction that made them. A lower one would leave the force above it."""
    def of_law(case, friction):
        case = replaced(case, 'law = "hooke-history"', f'law = "{law}"')
        case = replaced(replaced(case, "step = 1e-5", "step = 5e-6"), "friction = 0.5", f"friction = {friction}")
        springs, elastic = "normal_stiffness = 2000.0\ntangential_stiffness", "shear_modulus = 1e7\npoisson_ratio"
        return case if law == "hooke-history" else replaced(case, f"{springs} = 1600.0", f"{elastic} = 0.25")

    write("settle.toml", of_law(SETTLE, 0.5))
    gives(0, "run settle.toml --output packing")
    write("same.toml", of_law(move(), 0.5))
    gives(0, "check same.toml")
    for friction in (0.3, 0.7):
        write("other.toml", of_law(move(), friction))
        if law == "hooke-history":
            gives(0, "check other.toml")
        else:
            refuses(2, "check other.toml",
                    f"results that end with friction 0.5, while stage[1] has {friction}", law)
    # A stage may say which friction it has.
    write("stage.toml", replaced(of_law(move(), 0.3), 'name = "move"', 'name = "move"\nfriction = 0.5'))
    gives(0, "check stage.toml")
    # Without friction there are no histories.
    write("settle.toml", of_law(SETTLE, 0.0))
    gives(0, "run settle.toml --output packing --overwrite")
    gives(0, "check other.toml")


def test_a_shear_box_with_another_load():
    """The load of the plate may act in another way than in the packing; the walls of the box are those of the packing.
    """
    def box(plate, start=""):
        ball = replaced(SPHERE_ON_A_FLOOR, "[0.0, 0.0, 3e-3]}", "[0.01, 0.01, -7e-3]}").split("\n")
        return "\n".join([start, *(row for row in ball if not row.startswith("wall"))]) + f"""[shear_box]
length = 0.02
depth = 0.01
gap = 1e-3
height = 0.02
{plate}
[[stage]]
name = "press"
plate_stress = 100.0
duration = 0.01
"""

    write("servo.toml", box('plate = "servo"\nservo_gain = 1e-3'))
    gives(0, "run servo.toml --output packing")
    weight = box('plate = "weight"', 'start_from = "packing"')
    write("weight.toml", weight)
    gives(0, "run weight.toml --output pressed", "starts with step 1000 of ")
    write("wider.toml", replaced(weight, "length = 0.02", "length = 0.03"))
    refuses(2, "check wider.toml", "results of another shear box")
