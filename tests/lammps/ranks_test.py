"""dem-lammps against dem run: every law on 1, 2 and 4 ranks, and runs that go on.

Positions may differ by 100 times what a shift of all positions by one rounding error grows to in the same steps. The
shift of a generated assembly is that of its first length.
"""
import copy
import re
import shutil
import subprocess

import h5py
import numpy as np
import pytest
from on_ranks import (ALL, BALLS, DEM, DRIVEN_DISCS, RANKS, ROW_OF_DISCS, case_table, on_ranks, positions, run,
    write)


def shifted(case):
    case = copy.deepcopy(case)
    for body in case.get("body", []):
        body["position"] = [float(np.nextafter(x, 2 * x + 1)) for x in body["position"]]
    if "generator" in case.get("assembly", {}):
        length = "radius" if case["assembly"]["generator"] == "random" else "spacing"
        case["assembly"][length] = float(np.nextafter(case["assembly"].get(length, 1.0), 2.0))
    return case


SPHERES = [name for name in ALL if ".sphere." in name and name.split(".")[2] in ("free", "walls", "cell")]
# In the plane each law meets each driver once. Shape, integrator and elongation change from one to the next.
PRODUCT = [name for name in ALL if ".disc." in name or ".polygon." in name]
PLANE = [PRODUCT[4 * k + (k + k // 5) % 4] for k in range(len(PRODUCT) // 4)]
MORE = [name for name in ALL if name.startswith(("contact-plane.", "normal-force.", "generator.lattice",
    "refinements.onset-direction.plane", "stage.cycles", "stage.height", "stage.history.plane", "stage.until-target",
    "stage.quiet", "stage.unbalanced", "stage.coordination", "materials.plane", "fixed-mass.infinite", "held-mover",
    "arc-correction", "form.", "clip-tension"))]
for name in MORE:
    ALL[name].get("output", {}).pop("plane_jumps", None)


# Each case on four ranks and in turn on one or two: starting the ranks takes most of the time.
@pytest.mark.parametrize("name, few", [(name, 1 + k % 2) for k, name in enumerate(SPHERES + PLANE + MORE)])
def test_ranks_agree_with_one_process(tmp_path, name, few):
    case = ALL[name]
    file, other = write(tmp_path, case), tmp_path / "other"
    other.mkdir()
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    run([DEM, "run", write(other, shifted(case)), "-o", tmp_path / "shifted", "-q"])
    one = positions(tmp_path / "one")
    growth = max(np.abs(positions(tmp_path / "shifted") - one).max(), np.finfo(float).eps)
    for n in (few, 4):
        on_ranks(n, file, "-o", tmp_path / f"ranks{n}")
        found = positions(tmp_path / f"ranks{n}")
        assert found.shape == one.shape
        assert np.abs(found - one).max() <= 100 * growth
    # The ledger of all ranks is that of one process.
    assert (tmp_path / "ranks4" / "verdict.txt").read_text().splitlines()[-1] == \
        (tmp_path / "one" / "verdict.txt").read_text().splitlines()[-1]


def last_row(folder):
    names, *_, last = run([DEM, "info", "--csv", folder]).stdout.splitlines()
    return dict(zip(names.split(","), map(float, last.split(","))))


@pytest.fixture
def cell_case():
    return ALL["jaeger.sphere.cell.velocity-verlet.velocity"]


@pytest.mark.parametrize("name", ("jaeger.sphere.cell.velocity-verlet.velocity",
    "linear.polygon.plates.gear5.geometric", "hooke-true.polygon.cell.gear5.geometric",
    "linear-refined.disc.walls.gear5.velocity"))
def test_a_run_goes_on_with_other_ranks_and_in_one_process(tmp_path, name):
    file = write(tmp_path, ALL[name])
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(2, file, "-o", tmp_path / "a", "--until-step", 40)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    on_ranks(4, "--resume", tmp_path / "a")
    run([DEM, "resume", tmp_path / "b", "-q"])
    for folder in ("a", "b"):
        assert np.abs(positions(tmp_path / folder) - positions(tmp_path / "one")).max() < 1e-12
    assert "Verdict" in run([DEM, "info", tmp_path / "a"]).stdout


def test_mass_damping_is_booked_alike_where_the_list_is_made_anew_and_after_a_stop(tmp_path):
    """In the first stage, too, the first step with other bodies on a rank goes on from the loads of the step before."""
    free = dict(dimension=3, material=dict(BALLS["material"], mass_damping=5.0), stage=[dict(duration=0.2)],
        time=dict(step=1e-3, override_limit=True),
        body=[dict(shape="sphere", radius=0.1, position=[k, 0.0, 0.0], velocity=[3.0, 0.0, 0.0]) for k in range(3)])
    file = write(tmp_path, free)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    for n in (1, 2):
        on_ranks(n, file, "-o", tmp_path / f"ranks{n}")
    on_ranks(2, file, "-o", tmp_path / "parts", "--until-step", 30)
    on_ranks(1, "--resume", tmp_path / "parts")
    lost = last_row(tmp_path / "one")["viscous_loss"]
    for folder in ("ranks1", "ranks2", "parts"):
        assert last_row(tmp_path / folder)["viscous_loss"] == pytest.approx(lost, rel=1e-12)


@pytest.mark.parametrize("integrator", ("gear5", "velocity-verlet"))
def test_rotational_damping_is_booked_in_second_order(tmp_path, integrator):
    """As in one process, also with a new list and where a contact opens. Three spheres touch, turn and part."""
    place = zip((0.0, 0.98, 1.99), (3.0, 3.5, 2.0), (2.0, 0.0, -2.0))
    case = dict(dimension=3, time=dict(step=4e-4, integrator=integrator), stage=[dict(duration=0.2)],
        material=dict(density=1.0, normal_stiffness=1e3, tangential_stiffness_ratio=0.6, friction=0.0, restitution=1.0,
            rotational_damping=0.02),
        body=[dict(shape="sphere", radius=0.5, position=[x, 0.0, 0.0], velocity=[v, 0.0, 0.0],
            angular_velocity=[0.0, w, 3.0 * w]) for x, v, w in place])
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    one = last_row(tmp_path / "one")
    assert one["viscous_loss"] > 0.02 and one["contacts"] == 0
    for n in (1, 2):
        on_ranks(n, file, "-o", tmp_path / f"ranks{n}")
        # The couple at the end of each step alone leaves 1e-2 of it.
        assert last_row(tmp_path / f"ranks{n}")["viscous_loss"] == pytest.approx(one["viscous_loss"], rel=1e-5)


def test_a_run_starts_from_the_end_of_another(tmp_path):
    case = ALL["linear.polygon.plates.gear5.geometric"]
    first, (press, shear) = write(tmp_path, dict(case, stage=case["stage"][:1])), case["stage"]
    on_ranks(2, first, "-o", tmp_path / "first")
    (tmp_path / "next").mkdir()
    for program, ranks in ((DEM, 0), (RANKS, 2)):
        file = write(tmp_path / "next", dict(case, start_from=str(tmp_path / "first"), stage=[shear]))
        out = tmp_path / f"out{ranks}"
        on_ranks(2, file, "-o", out) if ranks else run([program, "run", file, "-o", out, "-q"])
    assert np.abs(positions(tmp_path / "out2") - positions(tmp_path / "out0")).max() < 1e-12
    own = on_ranks(2, file, "-o", tmp_path / "first", "--overwrite", allowed=(2,)).stderr
    assert "the results folder of this run itself" in own


@pytest.mark.parametrize("keys", (dict(), dict(seed=5, columns=31, rows=2), dict(disorder=0.0, rows=9),
    dict(disorder=0.99, columns=40, rows=30), dict(disorder=0.4, elongation=2.5)))
def test_voronoi_cells_without_cgal_have_the_same_bits(tmp_path, keys):
    case = case_table.changed(ALL["linear.polygon.plates.gear5.geometric"], assembly=keys, time=dict(step=0.001))
    if case["assembly"]["rows"] == 2:
        del case["plates"]
        case["stage"] = [dict(duration=0.1)]
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q", "--until-step", 1])
    on_ranks(1, file, "-o", tmp_path / "ranks", "--until-step", 1)
    outlines = []
    for folder in ("one", "ranks"):
        with h5py.File(sorted((tmp_path / folder / "snapshots").glob("*.h5"))[0]) as snapshot:
            outlines.append([snapshot["shapes/offsets"][()], snapshot["shapes/vertices"][()]])
    assert all(np.array_equal(a, b) for a, b in zip(*outlines))


def test_a_wall_that_rises_meets_spheres_at_rest(tmp_path):
    case = dict(BALLS, stage=[dict(duration=0.6, wall_velocities=[["floor", [0.0, 0.0, 0.5]]])])
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    one = positions(tmp_path / "one")
    assert (one[:3, 2] > 0.5).all()  # the floor, at 0.3 at the end, has thrown them up
    for n in (1, 2):
        on_ranks(n, file, "-o", tmp_path / f"ranks{n}")
        assert np.abs(positions(tmp_path / f"ranks{n}") - one).max() < 1e-12


def test_a_few_bodies_far_from_the_origin_on_more_ranks(tmp_path):
    file = write(tmp_path, ROW_OF_DISCS)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(5, file, "-o", tmp_path / "five")
    assert np.abs(positions(tmp_path / "five") - positions(tmp_path / "one")).max() < 1e-12


def test_branches_in_a_driven_cell(tmp_path):
    file = write(tmp_path, case_table.changed(DRIVEN_DISCS, output=dict(contacts=True)))
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(2, file, "-o", tmp_path / "two")
    branches = []
    for folder in ("one", "two"):
        with h5py.File(sorted((tmp_path / folder / "snapshots").glob("*.h5"))[-1]) as snapshot:
            branches.append(snapshot["contacts/branch"][()])
    assert np.linalg.norm(branches[0], axis=1).max() < 1.0
    assert np.abs(branches[1] - branches[0]).max() < 1e-9


def test_grains_with_outlines_as_they_are(tmp_path):
    squares = [[(x, 0), (x + 1, 0), (x + 1, 1), (x, 1), (x, 0)] for x in (0, 1.5, 3, 4.5)]
    (tmp_path / "grains.wkt").write_text("".join(
        f"{k}\tPOLYGON(({','.join(f'{a} {b}' for a, b in square)}))\n" for k, square in enumerate(squares)))
    case = dict(ROW_OF_DISCS, gravity=[0.0, -1.0], assembly=dict(generator="grains", file=str(tmp_path / "grains.wkt")),
        wall=[{"from": [-5.0, -0.1], "to": [9.0, -0.1]}], time=dict(step="auto"), stage=[dict(duration=0.6)])
    del case["body"]
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(2, file, "-o", tmp_path / "two")
    assert np.abs(positions(tmp_path / "two") - positions(tmp_path / "one")).max() < 1e-9


def test_the_snapshot_of_an_inner_stage_end_shows_that_stage_with_the_energies_of_contacts(tmp_path):
    case = case_table.changed(ALL["linear.sphere.cell.velocity-verlet.velocity"],
        output=dict(contacts=True, ledger=False, series_interval=1e3, snapshot_interval=1e3))
    duration = 10 * case["time"]["step"]
    case["stage"] = [dict(case["stage"][0], name=name, duration=duration) for name in ("first", "last")]
    on_ranks(2, write(tmp_path, case), "-o", tmp_path / "a")
    strains = []
    for file in sorted((tmp_path / "a" / "snapshots").glob("*.h5")):
        with h5py.File(file) as snapshot:
            energies = snapshot["contacts/stored_tangential"][()]
            assert len(energies) and np.isfinite(energies).all()
            strains.append(abs(snapshot["header"].attrs["strain"]))
    assert sorted(strains) == pytest.approx([0.0, strains[-1], strains[-1]]) and max(strains) > 0


def test_the_program_holds_no_cgal():
    names = subprocess.run(["nm", "-C", RANKS], capture_output=True, text=True, check=True).stdout
    assert "dem::Part::step" in names and "CGAL" not in names


def test_a_cell_that_leans_far_is_as_wide_as_its_lattice(tmp_path):
    case = dict(cell=dict(periodic=["x", "y", "z"]), dimension=3,
        assembly=dict(generator="random", shape="sphere", count=60, radius=1e-3, void_ratio=1.5, seed=3),
        material=dict(density=2650.0, normal_stiffness=2e3, tangential_stiffness_ratio=0.8, friction=0.5,
            restitution=0.8, tangential_damping_ratio=0.1),
        time=dict(step="auto"), stage=[dict(rate_xy=4000.0, duration=1.25e-3)], output=dict(ledger=False))
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(2, file, "-o", tmp_path / "two")
    assert np.abs(positions(tmp_path / "two") - positions(tmp_path / "one")).max() < 1e-9


def test_a_column_that_falls_to_a_layer_keeps_its_grains(tmp_path):
    case = dict(wall=[{"name": "floor", "from": [-5.0, 0.0], "to": [5.0, 0.0]}], time=dict(step="auto"),
        material=dict(density=1.0, normal_stiffness=1e5, tangential_stiffness_ratio=0.5, friction=0.0,
            restitution=0.3, tangential_damping_ratio=0.1), stage=[dict(duration=0.04)],
        body=[dict(shape="disc", radius=0.1, position=[0.21 * k, 0.1 + k + (0.001 if k == 0 else 0.0)],
            velocity=[0.0, -50.0 * k if k else -1.0]) for k in range(4)])
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(4, file, "-o", tmp_path / "four")
    assert np.abs(positions(tmp_path / "four") - positions(tmp_path / "one")).max() < 1e-9


def test_a_run_begins_with_its_size_and_its_files(tmp_path):
    file = write(tmp_path, ALL["linear-refined.disc.walls.gear5.velocity"])
    told = run(["mpirun", "-n", 2, RANKS, file, "--output", tmp_path / "out", "--set", "title='another title'"]).stdout
    assert told.startswith("another title: ") and " bodies, t_c = " in told.splitlines()[0]
    assert told.splitlines()[1].startswith("Writes ") and str(tmp_path / "out") in told.splitlines()[1]


def test_messages_of_a_step_have_only_what_contacts_need(tmp_path):
    case = case_table.changed(DRIVEN_DISCS, assembly=dict(columns=20, rows=16), stage=dict(duration=0.2))
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    done = on_ranks(4, file, "-o", tmp_path / "four", "--traffic")
    assert np.abs(positions(tmp_path / "four") - positions(tmp_path / "one")).max() < 1e-9
    counted = done.stdout.split("per rank and step")[1]
    copies, motion, loads, ghosts, _, lists = map(float, re.findall(r"[\d.]+", counted)[:6])
    assert (motion, loads) == (48, 24)
    assert lists > 3
    assert 0 < copies < 0.7 * ghosts
