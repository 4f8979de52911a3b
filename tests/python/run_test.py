"""Runs from Python: the same bits as the program, callbacks, stops, resume."""

import re
import subprocess
import threading

import numpy as np
import pytest

import dem
from conftest import falling_discs

pytest.importorskip("_dem", reason="the module _dem is not built")


def hash_of_program(program, case, folder):
    file = folder / "case.toml"
    case.write(file)
    out = subprocess.run(
        [program, "run", str(file), "--output", str(folder / "by-program")], capture_output=True, text=True, check=True
    )
    return out.stdout.split("State hash ")[1].split()[0]


def test_start_from_begins_with_the_stress_of_the_end(tmp_path):
    """Not with that of the cell as the generator makes it."""
    tables = {
        "dimension": 3,
        "assembly": {"generator": "random", "shape": "sphere", "count": 60, "radius": 0.5, "void_ratio": 2.0},
        "material": {"density": 1.0, "normal_stiffness": 1e4, "tangential_stiffness_ratio": 0.5, "friction": 0.3,
                     "restitution": 0.5},
        "time": {"integrator": "velocity-verlet", "step": 5e-4},
    }
    rates = {"rate_xx": -0.5, "rate_yy": -0.5, "rate_zz": -0.5}
    first = dem.Run(tables | {"stage": [rates | {"void_ratio": 0.5}]}, tmp_path / "first")
    first()
    second = dem.Run(tables | {"start_from": str(tmp_path / "first"), "stage": [rates | {"duration": 0.01}]})
    with first.look() as end, second.look() as start:
        assert end.series["mean_pressure"] > 0 and len(start.contacts) > 100
        for name in ("mean_pressure", "stress_xy", "void_ratio", "cell_xx"):
            assert start.series[name] == end.series[name], name
    with pytest.raises(dem.CaseError, match="the results folder of this run itself"):
        dem.Run(tables | {"start_from": str(tmp_path / "first"), "stage": [rates | {"duration": 0.01}]},
                tmp_path / "first", overwrite=True)
    assert first.servo is None  # all rates are given
    assert first.measured_limit is None or first.step_limit.value <= first.measured_limit.value
    held = {"stress_xx": -50.0, "stress_yy": -50.0, "rate_zz": -0.1, "strain": 0.005, "name": "held"}
    third = dem.Run(tables | {"start_from": str(tmp_path / "first"), "stage": [held]})
    with first.look() as end, third.look() as start:  # a servo must not begin with a stress of 0
        assert start.series["stress_xx"] == end.series["stress_xx"] < 0
    third()
    assert third.servo is not None and 0 < third.servo["mean"] <= third.servo["largest"]


def test_same_hash_as_the_program(program_name, cases, tmp_path):
    for name, case in cases.items():
        folder = tmp_path / name
        folder.mkdir()
        expected = hash_of_program(program_name, case, folder)
        assert dem.Run(case)().hash == expected
        for threads in (1, 3):
            run = dem.Run(case, output=folder / f"threads-{threads}", threads=threads)
            seen = []

            @run.every(steps=7)
            def watch(now):
                seen.append((now.bodies.position.copy(), now.contacts.force.copy(), dict(now.series)))

            assert run().hash == expected, name
            assert len(seen) > 3


def test_interrupted_and_resumed(cases, tmp_path):
    for name, case in cases.items():
        whole = dem.Run(case)()
        run = dem.Run(case, output=tmp_path / name)
        run(until_step=whole.step // 3)
        del run
        again = dem.resume(tmp_path / name)
        assert again.step == whole.step // 3
        again(until_step=whole.step // 2)
        assert again().hash == whole.hash


def test_a_callback_stops_the_run(cases, tmp_path):
    run = dem.Run(cases["discs"], output=tmp_path / "a")

    @run.every(steps=10)
    def watch(now):
        if now.step == 40:
            now.stop("strong enough.")

    result = run()
    assert result.end == "stopped" and result.step == 40
    assert "at step 40" in str(result.verdict) and "strong enough." in str(result.verdict)
    assert "strong enough" in (tmp_path / "a" / "verdict.txt").read_text()
    assert dem.resume(tmp_path / "a")().hash == dem.Run(cases["discs"])().hash


def test_a_callback_that_fails_leaves_a_checkpoint(cases, tmp_path):
    run = dem.Run(cases["discs"], output=tmp_path / "a")

    @run.every(steps=25)
    def divide(now):
        1 / (now.step - 50)

    with pytest.raises(dem.RunError, match=r"step 50 .*divide failed with ZeroDivisionError") as caught:
        run()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.step == 50
    assert dem.resume(tmp_path / "a").step == 50


def test_two_runs_in_two_threads(cases):
    names = ["discs", "spheres"]
    alone = {name: dem.Run(cases[name])().hash for name in names}
    for _ in range(3):
        runs = {name: dem.Run(cases[name]) for name in names}
        found = {}
        threads = [threading.Thread(target=lambda n=n: found.update({n: runs[n]().hash})) for n in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == alone


def test_arrays_end_with_their_look(cases):
    run = dem.Run(cases["discs"])
    kept = []

    @run.every(steps=10)
    def watch(now):
        force = now.contacts.force
        kept.append((now, force, force[:, 0], now.bodies.position))
        with pytest.raises(ValueError, match="read-only"):
            force[0, 0] = 1
        with pytest.raises(ValueError):
            np.add(force, 1, out=force)
        assert np.asarray(force).flags.owndata

    run(until_step=20)
    for now, *arrays in kept:
        for array in arrays:
            with pytest.raises(dem.LookOver, match="which is over"):
                array + 1
            with pytest.raises(dem.LookOver):
                np.linalg.norm(array)
            with pytest.raises(dem.LookOver):
                array.sum()
        with pytest.raises(dem.LookOver):
            now.contacts.normal
        with pytest.raises(dem.LookOver):
            now.series["time"]
    look = run.look()
    position = look.bodies.position
    run(until_step=30)
    with pytest.raises(dem.LookOver):
        position.max()


@pytest.mark.parametrize("rate", [-1.0, 1.0])
def test_every_strain_in_either_direction(rate):
    tables = {key: value for key, value in falling_discs().items() if key not in ("wall", "gravity")}
    run, strains = dem.Run({**tables, "cell": {"periodic": ["x", "y"], "size": [3.0, 3.0]},
                            "stage": [{"duration": 4e-3, "rate_yy": rate}]}), []
    run.every(strain=1e-3)(lambda now: strains.append(now.strain))
    run()
    assert strains == pytest.approx(rate * np.array([1e-3, 2e-3, 3e-3, 4e-3]))


def test_no_callback_begins_in_a_callback(cases):
    run = dem.Run(cases["discs"])
    run.every(steps=10)(lambda now: run.every(steps=5)(lambda again: None))
    with pytest.raises(dem.RunError, match="RuntimeError: every: the run is running; allowed before it runs and after"):
        run()


def test_mistakes_of_every(cases):
    run = dem.Run(cases["discs"])
    infinite = float("inf")
    mistakes = ({}, {"steps": 1, "time": 2.0}, {"steps": 0}, {"steps": 1.5}, {"steps": infinite}, {"time": -1.0},
                {"strain": infinite})
    for wrong in mistakes:
        with pytest.raises(ValueError, match="every: found"):
            run.every(**wrong)
    with pytest.raises(TypeError, match="one argument"):

        @run.every(steps=1)
        def no_argument():
            pass

    with pytest.raises(TypeError, match=r"every: found 100 without a name, needed @run.every\(steps=100\)"):
        run.every(100)
    with pytest.raises(TypeError, match=r"every: found stage_end = 3, allowed True or False"):
        run.every(stage_end=3)
    with pytest.raises(TypeError, match=r"found the function without an interval"):

        @run.every
        def no_interval(_):
            pass


def test_mistakes_of_run(cases, tmp_path):
    for threads in ("two", 0, 1.5, 2000, True):
        with pytest.raises(ValueError, match="threads: found .*, allowed a whole number from 1 to 1024"):
            dem.Run(cases["discs"], threads=threads)
    dem.Run(cases["discs"], tmp_path / "a")
    with pytest.raises(dem.FileError, match=r"overwrite=True"):
        dem.Run(cases["discs"], tmp_path / "a")


def own_functions(run):
    """A floor that shakes and a wind."""

    @run.motion("floor")
    def shake(t):
        return dem.Motion(velocity=(0.0, 0.05 * np.cos(2000 * t)), spin=0.1)

    @run.force("free")
    def wind(t, bodies, force, torque):
        force[:, 0] += 10 * bodies.mass * np.sin(300 * t)
        torque += 0.2 * bodies.moment


def test_motions_and_forces_have_accounts_of_their_own(tmp_path):
    case = dem.Case(falling_discs())
    case["body[1].position[1]"] = 0.5 + 1e-5
    case["body[1].velocity[1]"] = -0.5
    run = dem.Run(case, output=tmp_path / "a")
    own_functions(run)
    result = run()
    ledger = result.ledger
    assert abs(ledger["own_motion_work"]) > 1e-3 and abs(ledger["own_force_work"]) > 1e-3
    assert ledger["boundary_work"] == 0
    assert abs(ledger["energy_residual"]) < 1e-3 * ledger["absolute_work"]
    series = dem.open(tmp_path / "a").series
    assert series["own_motion_work"][-1] == ledger["own_motion_work"]


def test_a_motion_that_begins_at_rest_has_its_work_booked():
    square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]
    held = {"shape": "polygon", "vertices": square, "fixed": ["x", "y", "rotation"]}
    run = dem.Run({
        "material": {"normal_stiffness": 1.0, "tangential_stiffness_ratio": 0.5, "friction": 0.0, "restitution": 1.0},
        "contact": {"normal_force": "area-potential"},
        "time": {"step": 1.0, "override_limit": True},
        "assembly": {"largest_start_overlap": 1.0},
        "body": [{**held, "name": "i", "position": [0, 0]}, {**held, "name": "j", "position": [0.9, 0.1]}],
        "stage": [{"duration": 100.0}],
    })

    @run.motion("j")
    def turn_and_come_closer(t):
        return dem.Motion(velocity=(-5e-4, 2e-4), spin=1e-3)

    ledger = run().ledger
    assert abs(ledger["own_motion_work"]) > 1e-4
    assert abs(ledger["energy_residual"]) < 1e-3 * abs(ledger["own_motion_work"])


def test_a_group_turns_about_a_point_as_a_rigid_body():
    # Two spheres of 2 s about an odd axis through a point that moves, too. Right: Rodrigues' formula.
    velocity, spin, start = np.array([0.1, -0.2, 0.3]), np.array([0.7, -1.1, 1.9]), np.array([0.2, 0.3, -0.4])
    places, duration = np.array([[1.0, 0.0, 0.3], [3.0, 0.5, 0.0]]), 2
    arm = {"shape": "sphere", "radius": 0.1, "group": "arm", "fixed": ["x", "y", "z", "rotation"]}
    held = [{**arm, "position": list(x)} for x in places]
    run = dem.Run({"dimension": 3, "time": {"step": 0.002},
                   "material": {"normal_stiffness": 0.1, "tangential_stiffness": 0, "friction": 0, "restitution": 1},
                   "body": [*held, {"shape": "sphere", "position": [30, 0, 0], "radius": 0.1}],
                   "stage": [{"duration": duration}]})

    @run.motion("arm")
    def swing(t):
        return dem.Motion(velocity=velocity, spin=spin, about=start + velocity * t)

    run()
    angle = np.linalg.norm(spin) * duration
    x, y, z = spin / np.linalg.norm(spin)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    expected = start + velocity * duration + (places - start) @ turn.T
    with run.look() as now:
        # A step along the tangent leads outwards: it was 1 % too far away.
        assert now.bodies.position[:2] == pytest.approx(expected, abs=1e-12)
        assert now.bodies.rotation[0] == pytest.approx(spin * duration, abs=1e-12)


def test_a_plain_run_has_no_such_accounts(cases):
    assert "own_motion_work" not in dem.Run(cases["discs"])().ledger


def test_functions_belong_to_the_results(program_name, tmp_path):
    case = dem.Case(falling_discs())
    whole = dem.Run(case)
    own_functions(whole)
    expected = whole().hash
    run = dem.Run(case, output=tmp_path / "a")
    own_functions(run)
    run(until_step=70)
    assert "def shake(t)" in (tmp_path / "a" / "case.toml").read_text()
    with pytest.raises(dem.CaseError, match="python.source: found no functions"):
        dem.resume(tmp_path / "a")()
    other = dem.resume(tmp_path / "a")

    @other.force("free")
    def wind(t, bodies, force, torque):
        force[:, 1] = 1.0

    with pytest.raises(dem.CaseError, match="another source"):
        other()
    refused = subprocess.run([program_name, "resume", str(tmp_path / "a")], capture_output=True, text=True)
    assert refused.returncode == 2 and "python" in refused.stderr
    again = dem.resume(tmp_path / "a")
    own_functions(again)
    assert again().hash == expected


def test_a_force_is_the_applied_force_of_the_case(tmp_path):
    case = falling_discs()
    pushed = {**case, "body": dem.discs([[0.0, 2.0]], 0.5, force=[3.0, -1.0])}
    run = dem.Run({**case, "body": dem.discs([[0.0, 2.0]], 0.5)})

    @run.force("free")
    def push(t, bodies, force, torque):
        force[:] = (3.0, -1.0, 0.0)

    by_case = dem.Run(pushed)
    by_case()
    run()
    with run.look() as a, by_case.look() as b:
        assert np.allclose(a.bodies.position, b.bodies.position, rtol=0, atol=1e-14)
    assert run.ledger["own_force_work"] == pytest.approx(by_case.ledger["applied_work"], rel=1e-6)


def test_mistakes_of_motions_and_forces(cases):
    for target, message in (("flor", "allowed the name of a wall or body"), ("free", "which is free to move")):
        run = dem.Run(cases["discs"])
        run.motion(target)(lambda t: dem.Motion())
        with pytest.raises(dem.CaseError, match=message):
            run()
    run = dem.Run(cases["discs"])
    with pytest.raises(TypeError, match="four arguments"):
        run.force("free")(lambda t: None)
    run.motion("floor")(lambda t: (1, 2))
    with pytest.raises(dem.RunError, match=r"^step 0 .*allowed dem.Motion"):
        run()
    run = dem.Run(cases["discs"])

    @run.motion("floor")
    def breaks(t):
        return dem.Motion(velocity=(0, 1 / max(0.0, 1e-3 - t)))

    with pytest.raises(dem.RunError, match="step 50 .*breaks failed with ZeroDivisionError"):
        run()
    run = dem.Run(cases["discs"])
    run(until_step=1)
    with pytest.raises(RuntimeError, match="the run has begun"):
        run.force("free")(lambda t, bodies, force, torque: None)


def test_a_force_that_fails_loses_its_step(cases, tmp_path):
    """It is called in the middle of a step. The message named a checkpoint of that step, which was not there."""
    run = dem.Run(cases["discs"], output=tmp_path / "a")
    end = 50 * run.time_step

    @run.force("free")
    def push(t, bodies, force, torque):
        if t > end:
            raise ValueError("too late")

    lost = r"push failed with ValueError: too late; the step is lost, dem.resume goes on from the last checkpoint"
    with pytest.raises(dem.RunError, match=lost):
        run()
    with pytest.raises(RuntimeError, match="the state is unusable; go on with dem.resume"):
        run()
    run = dem.Run(cases["discs"], output=tmp_path / "b")

    @run.every(steps=50)
    def look(now):
        raise ValueError("too late")

    with pytest.raises(dem.RunError, match=r"look failed with ValueError: too late; its checkpoint is in .*b$"):
        run()
    assert dem.resume(tmp_path / "b").step == 50


def test_case_of_a_run(cases, tmp_path):
    for name, case in cases.items():
        run = dem.Run(case, output=tmp_path / name)
        assert run.case == case, "bodies of the case belong to it"
        assert "bodies, " in repr(run)
        run(until_step=10)
        del run
        assert dem.resume(tmp_path / name).case == case


def test_an_edited_case_is_not_resumed(cases, tmp_path):
    dem.Run(cases["discs"], output=tmp_path / "a")(until_step=10)
    file = tmp_path / "a" / "case.toml"
    file.write_text(re.sub(r"\nfriction = [^ \n]+", "\nfriction = 0.123", file.read_text(), count=1))
    with pytest.raises(dem.CaseError, match="material.friction: the run was made with .*, found 0.123"):
        dem.resume(tmp_path / "a")


def test_cell_as_in_a_snapshot(tmp_path):
    tables = {
        "assembly": {"generator": "lattice", "shape": "disc", "columns": 4, "rows": 6, "radius": 0.5, "spacing": 1.02},
        "plates": {"from_rows": True},
        "material": {"density": 1.0, "normal_stiffness": 400.0, "tangential_stiffness_ratio": 0.5, "friction": 0.5,
                     "restitution": 0.8},
        "time": {"step": "auto"},
        "stage": [{"duration": 0.05, "normal": "hold-height"}],
        "output": {"snapshot_interval": 0.05},
    }
    run = dem.Run(dem.Case(tables), output=tmp_path / "a")
    snapshot = run().results.snapshots[-1]
    with run.look() as now:
        assert now.step == snapshot.step
        assert now.cell_periodic.tolist() == [True, False, False]
        for name in ("cell_vectors", "cell_origin", "cell_periodic"):
            np.testing.assert_array_equal(getattr(now, name), getattr(snapshot, name))
    with pytest.raises(dem.LookOver):
        now.cell_vectors


def test_memory_of_histories_and_times_of_phases():
    tables = {
        "dimension": 3,
        "assembly": {"generator": "random", "shape": "sphere", "count": 60, "radius": 0.5, "void_ratio": 2.0},
        "contact": {"law": "jaeger-checked", "merge_error": 0.01},
        "material": {"density": 1.0, "shear_modulus": 1e4, "poisson_ratio": 0.2, "friction": 0.3, "restitution": 0.5},
        "time": {"integrator": "velocity-verlet", "step": 2e-4},
        "stage": [{"rate_xx": -0.5, "rate_yy": -0.5, "rate_zz": -0.3, "duration": 0.4}],
    }
    run, plain = dem.Run(tables), dem.Run(tables)
    assert run.phase_times is None
    run.profile()
    assert run().hash == plain().hash
    plane = dem.Run(falling_discs())
    plane.profile()
    plane()
    for timed in (run, plane):
        assert all(timed.phase_times[name] > 0 for name in ("search", "geometry", "forces", "motion", "measuring"))
        assert timed.phase_times["output"] == 0  # nothing is written here
    memory = run.history_memory
    with run.look() as now:
        assert memory["contacts"] == len(now.contacts) > 20
        assert now.series["history_bytes"] == memory["bytes"] <= memory["reserved"]
        assert now.series["history_legs"] == memory["legs"] / memory["contacts"]
    assert memory["exact_legs"] >= memory["legs"] > memory["contacts"] and 0 < memory["merge_error"] < 0.1
    case = tables | {"contact": {"law": "hertz-history"}}
    assert dem.Run(case).history_memory is None


def test_record():
    """The rows are those that a callback reads, and no bit of the run changes."""
    case = dem.Case(falling_discs())
    run, seen = dem.Run(case), []
    rows = run.record("time", "kinetic_energy", steps=3)

    @run.every(steps=3)
    def watch(now):
        seen.append((now.series["time"], now.series["kinetic_energy"]))

    assert len(rows["time"]) == 0 and list(rows) == ["time", "kinetic_energy"]
    run(until_step=8)
    assert len(rows.rows) == 2
    result = run()
    assert rows.rows.tolist() == [list(row) for row in seen] and "kinetic_energy" in repr(rows)
    assert result.hash == dem.Run(case)().hash
    assert run.plane_jump_rate is None and run.plane_jump_count is None  # no polygons
    for wrong in (lambda: run.record("no_column"), lambda: rows["no_column"]):
        with pytest.raises(KeyError, match="found 'no_column'"):
            wrong()
    with pytest.raises(ValueError, match="found 0 columns"):
        run.record()


def test_outlines():
    """Placed ones are those of the case, turned and moved."""
    triangle = np.array([[0.0, 0.0], [0.9, 0.0], [0.0, 0.6]]) - [0.3, 0.2]
    run = dem.Run({
        "material": {"normal_stiffness": 1e3, "tangential_stiffness_ratio": 0.5, "friction": 0.4, "restitution": 0.5},
        "time": {"step": "auto"}, "stage": [{"duration": 1.0}],
        "body": [{"shape": "polygon", "vertices": triangle.tolist(), "position": [2.0, 3.0], "angle": np.pi / 2}]})
    with run.look() as now:
        assert now.bodies.outlines(placed=False)[0] == pytest.approx(triangle)
        assert now.bodies.outlines()[0] == pytest.approx(triangle[:, ::-1] * [-1, 1] + [2, 3])


def test_a_motion_of_a_plate_leaves_its_height_to_the_stage():
    case = dem.Case({
        "cell": {"periodic": ["x"]}, "plates": {}, "time": {"step": "auto"},
        "assembly": {"generator": "voronoi", "columns": 4, "rows": 5},
        "material": {"normal_stiffness": 400.0, "tangential_stiffness_ratio": 0.5, "friction": 0.5, "restitution": 0.8},
        "stage": [{"normal": "hold-stress", "normal_stress": 0.4, "plate_speed": 0.05, "duration": 1.0}]})

    def heights(motion):
        run = dem.Run(case)
        if motion:
            run.motion("top-plate")(motion)
        run(until_step=400)
        with run.look() as now:
            plate = now.bodies.in_group("top-plate")
            return now.bodies.position[plate], now.bodies.velocity[plate]

    (place, _), (moved, velocity) = heights(None), heights(lambda t: dem.Motion(velocity=(0.01, 0.0)))
    assert moved[:, 1] == pytest.approx(place[:, 1], abs=1e-4) and velocity[:, 0] == pytest.approx(0.01)

    def rises(t):
        return dem.Motion(velocity=(0.0, 0.1 if t > start else 0.0))

    for start, step in ((-1, "0"), (0.05, r"[1-9]\d*")):
        message = f"^step {step} .*the function rises failed with ValueError: motion of body .*, allowed 0: the stage"
        with pytest.raises(dem.RunError, match=message) as caught:
            heights(rises)
        assert isinstance(caught.value.__cause__, ValueError)
