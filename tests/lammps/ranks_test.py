"""dem-lammps against dem run: every law on 1, 2 and 4 ranks, resume, what is refused, a rank that is killed.

Positions may differ by 100 times what a shift of all positions by one rounding error grows to in the same steps. The
shift of a generated assembly is that of its first length.
"""
import copy
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import tomllib

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "sameness"))
import case_table

DEM, RANKS = os.environ.get("DEM_PROGRAM", ""), os.environ.get("DEM_LAMMPS_PROGRAM", "")
if not RANKS or not pathlib.Path(RANKS).exists():
    pytest.skip("dem-lammps is not built: cmake -DLIBDEM_LAMMPS=ON, packages in apps/packages-lammps.txt",
        allow_module_level=True)

MPI = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_rmaps_base_oversubscribe="1")
# A bad verdict, as of such short runs, is no failure. mpirun would wait two seconds before it stops the other ranks.
BAD_VERDICT_IS_GOOD = ["sh", "-c", '"$@"; code=$?; [ $code -eq 1 ] || exit $code', "sh"]


def write(folder, case):
    file = folder / "case.toml"
    file.write_text(case_table.text_of(case))
    return file


def run(words, allowed=(0, 1)):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=MPI)
    assert done.returncode in allowed, done.stderr
    return done


def on_ranks(n, *words, allowed=(0,)):
    return run(["mpirun", "-n", n, *BAD_VERDICT_IS_GOOD, RANKS, *words, "-q"], allowed)


def positions(folder):
    with h5py.File(sorted((folder / "snapshots").glob("*.h5"))[-1]) as file:
        return file["bodies/position"][()]


def shifted(case):
    case = copy.deepcopy(case)
    for body in case.get("body", []):
        body["position"] = [float(np.nextafter(x, 2 * x + 1)) for x in body["position"]]
    if "generator" in case.get("assembly", {}):
        length = "radius" if case["assembly"]["generator"] == "random" else "spacing"
        case["assembly"][length] = float(np.nextafter(case["assembly"].get(length, 1.0), 2.0))
    return case


def as_dict(text):
    case = tomllib.loads(text)
    del case["format"]  # text_of() writes it
    return case


ALL = {name: as_dict(text) for name, text in case_table.all_cases().items()}
ALL["stage.coordination"] = case_table.changed(ALL["stage.unbalanced"],
    stage=[dict(rate_xx=-0.5, rate_yy=-0.5, coordination=3.5, duration=1.0)])
SPHERES = [name for name in ALL if ".sphere." in name and name.split(".")[2] in ("free", "walls", "cell")]
ALL["held-mover.space"] = copy.deepcopy(ALL["linear.sphere.walls.gear5.geometric"])
ALL["held-mover.space"]["body"][0].update(fixed=["x", "y", "z", "rotation"], velocity=[0.5, 0.3, 0.0],
    angular_velocity=[0.0, 2.0, 0.0])
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


REFUSED = {
    "stage[2].turn_angle": (ALL["stage.turn.plane"], {}),
    "shear_box": (ALL["linear.sphere.box.gear5.geometric"], {}),
    "contact.geometry": (ALL["geometry.exact"], {}),
    "contact.velocity_source": (ALL["velocity-source.plane.trapezoid"], {}),
    "output.plane_jumps": (ALL["normal-force.area-potential"], dict(output=dict(plane_jumps=True))),
    "assembly: found clusters": (ALL["linear.cluster.free.gear5.velocity"], {}),
}


@pytest.mark.parametrize("key", REFUSED)
def test_what_is_not_carried_is_refused_by_its_key(tmp_path, key):
    case, tables = REFUSED[key]
    done = on_ranks(2, write(tmp_path, case_table.changed(case, **tables)), "-o", tmp_path / "none", allowed=(2,))
    assert f"{key}: found" in done.stderr or f"{key}, dem-lammps carries" in done.stderr
    assert done.stderr.count(key) == 1
    assert not (tmp_path / "none").exists()


def ranks_of(mpirun):
    children = pathlib.Path(f"/proc/{mpirun.pid}/task/{mpirun.pid}/children").read_text().split()
    return [int(child) for child in children]


def test_a_killed_rank_leaves_a_good_checkpoint(tmp_path, cell_case):
    case = case_table.changed(cell_case, output=dict(checkpoint_interval=0.2))
    case["stage"][0]["duration"] = 1000 * case["stage"][0].get("duration", 1.0)
    with subprocess.Popen(["mpirun", "-n", "2", RANKS, str(write(tmp_path, case)), "-o", str(tmp_path / "a"), "-q"],
            env=MPI, stderr=subprocess.PIPE, text=True) as mpirun:
        while not (tmp_path / "a" / "checkpoint.previous.h5").exists():
            assert mpirun.poll() is None
            time.sleep(0.05)
        os.kill(ranks_of(mpirun)[-1], signal.SIGKILL)
        message = mpirun.communicate()[1]
    assert mpirun.returncode != 0 and "signal 9" in message
    with h5py.File(tmp_path / "a" / "checkpoint.h5"):
        pass
    past = on_ranks(4, "--resume", tmp_path / "a", "--until-step", 10, allowed=(2,)).stderr
    assert past.count("is in the past") == 1


BALLS = dict(dimension=3,
    material=dict(density=1000.0, normal_stiffness=1e5, tangential_stiffness_ratio=0.3, friction=0.5, restitution=0.9),
    time=dict(step=1e-4), wall=[dict(shape="plane", point=[0.0, 0.0, 0.0], normal=[0.0, 0.0, 1.0], name="floor")],
    body=[dict(shape="sphere", radius=0.1, position=[0.3 * k, 0.0, 0.15]) for k in range(3)])


def test_a_wall_that_rises_meets_spheres_at_rest(tmp_path):
    case = dict(BALLS, stage=[dict(duration=0.6, wall_velocities=[["floor", [0.0, 0.0, 0.5]]])])
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    one = positions(tmp_path / "one")
    assert (one[:3, 2] > 0.5).all()  # the floor, at 0.3 at the end, has thrown them up
    for n in (1, 2):
        on_ranks(n, file, "-o", tmp_path / f"ranks{n}")
        assert np.abs(positions(tmp_path / f"ranks{n}") - one).max() < 1e-12


# The second one is fast in the prediction of a step whose contact slows it down.
@pytest.mark.parametrize("stiffness, speed, gravity, sentence", (
    (100.0, -5.0, 0.0, "has gone through the wall 'floor'"),
    (1e6, -98.5, -2000.0, "would have moved farther than its own radius")))
def test_a_sphere_that_is_lost_ends_the_run(tmp_path, stiffness, speed, gravity, sentence):
    case = case_table.changed(BALLS, material=dict(normal_stiffness=stiffness), root=dict(gravity=[0.0, 0.0, gravity]),
        time=dict(step=1e-3, override_limit=True), stage=[dict(duration=1.0)])
    for body in case["body"]:
        body["position"][2], body["velocity"] = 0.105, [0.0, 0.0, speed]
    file = write(tmp_path, case)
    for words in ((file, "-o", tmp_path / "a"), ("--resume", tmp_path / "a")):  # the last checkpoint is of before
        assert sentence in on_ranks(2, *words, allowed=(5,)).stderr


def test_bodies_that_nothing_can_stop_are_named_at_the_start(tmp_path):
    case = dict(BALLS, gravity=[0.0, 0.0, -9.81], stage=[dict(duration=0.01)])
    del case["wall"]
    file = write(tmp_path, case)
    one = run([DEM, "run", file, "-o", tmp_path / "one", "-q"]).stderr.splitlines()[0]
    assert one.startswith("Warning: 3 bodies start where nothing can stop them")
    assert one in on_ranks(2, file, "-o", tmp_path / "two").stderr


ROW_OF_DISCS = dict(material=dict(normal_stiffness=1e4, tangential_stiffness_ratio=0.5, friction=0.5, restitution=0.5),
    time=dict(step=4e-5), stage=[dict(duration=0.02)],
    body=[dict(shape="disc", radius=0.1, position=[3.0 + 0.25 * k, 0.5], velocity=[-1.0 * k, 0.0]) for k in range(4)])
DRIVEN_DISCS = dict(cell=dict(periodic=["x", "y"]),
    assembly=dict(generator="lattice", columns=5, rows=4, radius=0.5, spacing=0.999),
    material=dict(normal_stiffness=1000.0, tangential_stiffness_ratio=0.5, friction=0.3, restitution=0.9),
    time=dict(step=7e-4), stage=[dict(duration=0.1, rate_xy=5.0)])


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


def test_a_cell_that_becomes_too_narrow_ends_the_run(tmp_path):
    case = case_table.changed(DRIVEN_DISCS, material=dict(normal_stiffness=200.0), time=dict(step=1e-3),
        stage=dict(duration=0.35, rate_xx=-5.0, rate_xy=0.0))
    file = write(tmp_path, case)
    one = run([DEM, "run", file, "-o", tmp_path / "one", "-q"], allowed=(5,)).stderr.splitlines()[0]
    assert "could touch its own image" in one
    assert on_ranks(2, file, "-o", tmp_path / "two", allowed=(5,)).stderr.startswith(one + "\n")


def test_what_one_rank_cannot_begin_no_rank_begins(tmp_path):
    # Only rank 0 has columns of profiles.
    wide = dict(DRIVEN_DISCS, plates=dict(gap=1e7), stage=[dict(duration=0.1)])
    file = write(tmp_path, {key: table for key, table in wide.items() if key != "cell"})
    assert on_ranks(2, file, "-o", tmp_path / "a", allowed=(2,)).stderr.count("plates.gap: found") == 1
    assert on_ranks(2, "-", "-o", tmp_path / "b", allowed=(2,)).stderr.count("allowed a file name") == 1
    on_ranks(2, "--resume", tmp_path / "none", allowed=(3,))


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


def test_the_snapshot_of_an_inner_stage_end_has_the_energies_of_contacts(tmp_path):
    case = case_table.changed(ALL["linear.sphere.cell.velocity-verlet.velocity"],
        output=dict(contacts=True, ledger=False, series_interval=1e3, snapshot_interval=1e3))
    duration = 10 * case["time"]["step"]
    case["stage"] = [dict(case["stage"][0], name=name, duration=duration) for name in ("first", "last")]
    on_ranks(2, write(tmp_path, case), "-o", tmp_path / "a")
    for file in (tmp_path / "a" / "snapshots").glob("*.h5"):
        with h5py.File(file) as snapshot:
            energies = snapshot["contacts/stored_tangential"][()]
            assert len(energies) and np.isfinite(energies).all()


@pytest.mark.parametrize("to", ("mpirun", "the last rank"))
def test_a_stop_is_made_with_a_checkpoint_after_the_step(tmp_path, cell_case, to):
    case = case_table.changed(cell_case, output=dict(checkpoint_interval=1e3))
    case["stage"][0]["duration"] = 1e6
    with subprocess.Popen(["mpirun", "-n", "2", RANKS, str(write(tmp_path, case)), "-o", str(tmp_path / "a")], env=MPI,
            stdout=subprocess.PIPE, text=True) as mpirun:
        while not (tmp_path / "a" / "checkpoint.h5").exists():
            assert mpirun.poll() is None
            time.sleep(0.05)
        time.sleep(0.2)
        os.kill(mpirun.pid if to == "mpirun" else ranks_of(mpirun)[-1], signal.SIGTERM)
        said = mpirun.communicate()[0]
    assert "with a checkpoint" in said
    with h5py.File(tmp_path / "a" / "checkpoint.h5") as file:
        pass


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


def test_the_limit_of_the_time_step_is_measured_in_each_stage(tmp_path):
    case = dict(cell=dict(periodic=["x", "y", "z"]), dimension=3,
        assembly=dict(generator="random", shape="sphere", count=60, radius=1e-3, void_ratio=1.0, seed=3),
        material=dict(density=2650.0, shear_modulus=1e6, poisson_ratio=0.2, friction=0.5, restitution=0.8,
            tangential_damping_ratio=0.1), contact=dict(law="hertz-mindlin"), time=dict(step=1.8e-5),
        stage=[dict(duration=0.0054), dict(rate_xx=-12.0, rate_yy=-12.0, rate_zz=-12.0, duration=0.0288)])
    file = write(tmp_path, case)
    for done in (run([DEM, "run", file, "-o", tmp_path / "one", "-q"], allowed=(5,)),
            on_ranks(2, file, "-o", tmp_path / "two", allowed=(5,))):
        assert "exceeds the limit" in done.stderr


@pytest.mark.parametrize("damage, code, sentence", (("case", 2, "the run was made with 0.2, found 0.9"),
    ("rows", 3, "rows are lost"), ("checkpoint", 0, "using the previous checkpoint")))
def test_resume_looks_at_the_folder_as_dem_resume_does(tmp_path, damage, code, sentence):
    case = case_table.changed(ALL["linear-refined.disc.walls.gear5.velocity"], material=dict(friction=0.2),
        output=dict(checkpoint_interval=1e3))
    folder = tmp_path / "a"
    on_ranks(2, write(tmp_path, case), "-o", folder, "--until-step", 30)
    on_ranks(2, "--resume", folder, "--until-step", 40)
    if damage == "case":
        text = (folder / "case.toml").read_text()
        assert "friction = 0.2" in text
        (folder / "case.toml").write_text(text.replace("friction = 0.2", "friction = 0.9"))
    elif damage == "rows":
        for file in (folder / "series").iterdir():
            file.unlink()
    else:
        with open(folder / "checkpoint.h5", "r+b") as file:
            file.seek(2000)
            file.write(bytes(4000))
    assert on_ranks(2, "--resume", folder, "--until-step", 50, allowed=(code,)).stderr.count(sentence) == 1


def test_a_run_begins_with_its_size_and_its_files(tmp_path):
    file = write(tmp_path, ALL["linear-refined.disc.walls.gear5.velocity"])
    told = run(["mpirun", "-n", 2, RANKS, file, "--output", tmp_path / "out"]).stdout
    assert " bodies, t_c = " in told.splitlines()[0]
    assert told.splitlines()[1].startswith("Writes ") and str(tmp_path / "out") in told.splitlines()[1]
