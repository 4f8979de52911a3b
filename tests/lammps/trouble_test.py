"""Runs on ranks that are refused, that end early, that stop or are killed; and cases at the edge of what goes well."""
import copy
import os
import pathlib
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from on_ranks import (ALL, BALLS, DEM, DRIVEN_DISCS, MPI, RANKS, ROW_OF_DISCS, case_table, on_ranks, positions, run,
    write)


REFUSED = {
    "stage[2].turn_angle": (ALL["stage.turn.plane"], {}),
    "shear_box": (ALL["linear.sphere.box.gear5.geometric"], {}),
    "contact.geometry": (ALL["geometry.exact"], {}),
    "contact.velocity_source": (ALL["velocity-source.plane.trapezoid"], {}),
    "output.plane_jumps": (ALL["normal-force.area-potential"], dict(output=dict(plane_jumps=True))),
    "assembly: found clusters": (ALL["linear.cluster.free.gear5.velocity"], {}),
}


@pytest.fixture
def cell_case():
    return ALL["jaeger.sphere.cell.velocity-verlet.velocity"]


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


SQUEEZED = dict(cell=dict(periodic=["x", "y", "z"]), dimension=3,
    assembly=dict(generator="random", shape="sphere", count=60, radius=1e-3, void_ratio=1.0, seed=3),
    material=dict(density=2650.0, shear_modulus=1e6, poisson_ratio=0.2, friction=0.5, restitution=0.8,
        tangential_damping_ratio=0.1), contact=dict(law="hertz-mindlin"))


def test_the_limit_of_the_time_step_is_measured_in_each_stage(tmp_path):
    case = dict(SQUEEZED, time=dict(step=1.8e-5),
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


@pytest.mark.parametrize("shape, axes", (("disc", 2), ("sphere", 3)))
def test_a_contact_that_opens_by_more_than_the_skin_at_a_border_of_ranks(tmp_path, shape, axes):
    places, speed = (-1e-5, 0.19998, -2.0, 2.0), (0.0, 5.0, 0.0, 0.0)
    case = dict(ROW_OF_DISCS, dimension=axes, skin=1e-4, time=dict(step=1e-4), stage=[dict(duration=1e-3)],
        body=[dict(shape=shape, radius=0.1, position=[x] + (axes - 1) * [0.0], velocity=[v] + (axes - 1) * [0.0])
            for x, v in zip(places, speed)])
    case["material"] = dict(case["material"], normal_stiffness=1e5, density=1000.0)
    file = write(tmp_path, case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(2, file, "-o", tmp_path / "two")
    assert np.abs(positions(tmp_path / "two") - positions(tmp_path / "one")).max() < 1e-12


def test_a_body_more_images_away_than_a_contact_can_name_is_refused(tmp_path):
    case = dict(ROW_OF_DISCS, cell=dict(periodic=["x", "y"], size=[1.0, 1.0]))
    case["body"] = [dict(body) for body in case["body"]]
    case["body"][3]["position"] = [40000.3, 0.9]
    refused = on_ranks(2, write(tmp_path, case), "-o", tmp_path / "a", allowed=(2,)).stderr
    assert "found body 3 more than 16000 periodic cells away from the cell" in refused


# Ten steps, and more than the 1000 after which the ranks look in any case.
@pytest.mark.parametrize("interval, rate, step", ((1.8e-4, -12.0, 450), (0.0243, -4.0, 2700)))
def test_the_limit_of_the_time_step_is_measured_as_often_as_the_case_says(tmp_path, interval, rate, step):
    case = dict(SQUEEZED, time=dict(step=1.8e-5, limit_check_interval=interval), output=dict(series_interval=1.0),
        stage=[dict(rate_xx=rate, rate_yy=rate, rate_zz=rate, duration=0.0864)])
    file = write(tmp_path, case)
    for done in (run([DEM, "run", file, "-o", tmp_path / "one", "-q"], allowed=(5,)),
            on_ranks(2, file, "-o", tmp_path / "two", allowed=(5,))):
        assert done.stderr.startswith(f"step {step}: ")


def test_a_blow_up_is_no_grain_far_away(tmp_path):
    case = case_table.changed(DRIVEN_DISCS, material=dict(normal_stiffness=1e6), stage=dict(duration=1e8, rate_xy=0.0))
    case["time"] = dict(step=150.0, integrator="velocity-verlet", override_limit=True)
    assert "more than its own radius" in on_ranks(2, write(tmp_path, case), "-o", tmp_path / "a", allowed=(5,)).stderr


def test_a_run_that_starts_from_results_does_not_end_before_its_start(tmp_path):
    first, second = (dict(ROW_OF_DISCS, stage=[dict(duration=0.002 * k)]) for k in (1, 2))
    run([DEM, "run", write(tmp_path, first), "-o", tmp_path / "first", "-q"])
    file = write(tmp_path, dict(second, start_from=str(tmp_path / "first")))
    on_ranks(2, file, "-o", tmp_path / "a")
    rows = (tmp_path / "a" / "verdict.txt").read_text()
    refused = on_ranks(2, file, "-o", tmp_path / "a", "--overwrite", "--until-step", 3, allowed=(2,)).stderr
    assert "--until-step 3 is in the past: the run starts with step 50" in refused
    assert (tmp_path / "a" / "verdict.txt").read_text() == rows  # nothing is lost


def test_the_largest_error_of_merged_histories_is_kept_by_a_resume(tmp_path):
    case = copy.deepcopy(ALL["jaeger.sphere.cell.velocity-verlet.velocity"])
    case["contact"] = dict(law="jaeger-checked", merge_error=0.1, elongation="velocity")
    file = write(tmp_path, case)
    on_ranks(2, file, "-o", tmp_path / "a", "--until-step", 40)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    on_ranks(2, "--resume", tmp_path / "a")
    run([DEM, "resume", tmp_path / "b", "-q"])
    errors = []
    for folder in ("a", "b"):
        with h5py.File(sorted((tmp_path / folder / "series").glob("*.h5"))[-1]) as rows:
            errors.append(rows["history_merge_error"][()])
    assert errors[1].max() > 0 and errors[0] == pytest.approx(errors[1], rel=1e-9)


def test_command_lines_that_are_refused():
    for words, sentence in (([], "found no CASE or --resume FOLDER"), (["a", "b"], "found b, expected no further"),
            (["a", "--resume", "b"], "CASE excludes --resume"),
            (["--resume", "b", "--set", "c=1"], "--resume excludes --set"),
            (["a", "--ouput", "b"], "unknown option --ouput of dem-lammps; did you mean --output?")):
        said = run(["mpirun", "-n", 2, RANKS, *words], (2,)).stderr
        assert said.count(f"dem-lammps: {sentence}") == 1, said  # one rank speaks


def test_a_file_is_named_once():
    for words, sentence in ((["nowhere.toml"], "cannot read nowhere.toml: No such file or directory\n"),
            (["--resume", "nowhere"], "there is no folder nowhere; ")):
        said = run(["mpirun", "-n", 2, RANKS, *words], (3,)).stderr
        assert f"\n{said}".count(f"\n{sentence}") == 1, said
