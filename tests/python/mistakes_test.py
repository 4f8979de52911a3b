"""Mistakes of a user: each gives a sentence at once, and nothing is accepted without effect."""

import copy
import functools
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import falling_discs

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")


def run_with(kind, target, function, **how):
    run = dem.Run(falling_discs(), **how)
    getattr(run, kind)(target)(function)
    return run


def source(function, kind="motion", target="floor"):
    return run_with(kind, target, function).case["python.source"]


def test_half_a_character_is_refused_with_the_text():
    with pytest.raises(TypeError, match=r"found the text 'a\\ud800', allowed Unicode characters"):
        dem.Case(falling_discs()).changed({"title": "a\ud800"})


# ---- functions of a run ----


def test_a_function_that_fails_at_the_start_names_the_step(tmp_path):
    run = run_with("force", "free", lambda t, bodies, force, torque: 1 / 0, output=tmp_path / "a")
    for use in (run, lambda: run.step):
        with pytest.raises(dem.RunError, match=r"^step 0 \(t = 0 s\): the function <lambda> failed") as caught:
            use()
        assert isinstance(caught.value.__cause__, ZeroDivisionError) and caught.value.step == 0


def test_the_source_is_that_without_decorators(tmp_path):
    run = dem.Run(falling_discs(), output=tmp_path / "a")

    @run.force("free")
    def wind(t, bodies, force, torque):
        force[:, 0] += bodies.mass

    run(until_step=5)
    again = dem.resume(tmp_path / "a")

    @again.force("free")
    def wind(t, bodies, force, torque):
        force[:, 0] += bodies.mass

    assert again.step == 5
    assert again.case["python.source"].startswith("# force of free\ndef wind(t, bodies, force, torque):\n    force")


def test_two_lambdas_of_a_line_differ():
    slow, fast = (lambda t: dem.Motion(velocity=(0, 0.1))), (lambda t: dem.Motion(velocity=(0, 0.2)))
    assert source(slow) == "# motion of floor\nlambda t: dem.Motion(velocity=(0, 0.1))\n"
    assert source(fast) == "# motion of floor\nlambda t: dem.Motion(velocity=(0, 0.2))\n"
    inner = (lambda: lambda t: dem.Motion())()
    assert source(inner) == "# motion of floor\nlambda t: dem.Motion()\n"


HEIGHTS, TALL = np.array([0.1, 0.2]), 1.5


def test_simple_values_from_outside_belong_to_the_source(tmp_path):
    def pushing(strength):
        calls = 0

        def push(t, bodies, force, torque):
            nonlocal calls
            calls += 1  # a state, which is no source
            force[:, 0] += strength * TALL * HEIGHTS[0]

        return push

    text = source(pushing(2.0), "force", "free")
    assert "# TALL = 1.5\n" in text and "# strength = 2.0\n" in text and "# calls" not in text
    assert "# HEIGHTS = array of float64, shape (2,), SHA-256 " in text
    run_with("force", "free", pushing(2.0), output=tmp_path / "a")(until_step=5)
    again = dem.resume(tmp_path / "a")
    again.force("free")(pushing(3.0))
    with pytest.raises(dem.CaseError, match="another source"):
        again.step


class Lift:
    def __init__(self, speed):
        self.speed = speed

    def __call__(self, t):
        return dem.Motion(velocity=(0, self.speed))


def test_functions_of_other_forms():
    assert "def __call__(self, t):" in source(Lift(0.2)) and "# self.speed = 0.2\n" in source(Lift(0.2))
    with_speed = functools.partial(lambda speed, t: dem.Motion(velocity=(0, speed)), 0.3)
    assert source(with_speed).endswith("# argument 1 = 0.3\n")
    seen = []
    run = dem.Run(falling_discs())
    run.every(steps=3)(functools.partial(lambda where, now: where.append(now.step), seen))
    run(until_step=6)
    assert seen == [3, 6]
    for wrong in (3, abs):
        with pytest.raises(TypeError, match="allowed a function"):
            run_with("motion", "floor", wrong)
    with pytest.raises(TypeError, match="motion: found 0, allowed the name"):
        run_with("motion", 0, Lift(1.0))


def test_numbers_of_a_motion():
    for spin in (np.int64(0), np.array(0.1), np.float32(0.1), [0, 0, 0.2], 1):
        assert run_with("motion", "floor", lambda t: dem.Motion(spin=spin))(until_step=2).step == 2
    for wrong, message in (
        (dict(velocity=3), r"velocity = 3, allowed 2 numbers \(in the plane\) or 3"),
        (dict(velocity=("a", "b")), "allowed 2 numbers"),
        (dict(velocity=(0, 1, 2, 3)), "allowed 2 numbers"),
        (dict(velocity=(0, np.nan)), "allowed finite numbers"),
        (dict(spin="x"), "spin = 'x', allowed a number or 3 numbers"),
        (dict(velocity=(0, 0, 5.0)), "allowed in the plane a velocity along x and y"),
        (dict(spin=(1, 0, 0)), "allowed in the plane .* a spin about z"),
    ):
        with pytest.raises(dem.RunError, match=message):
            run_with("motion", "floor", lambda t: dem.Motion(**wrong))()


def test_functions_without_effect_are_refused():
    with pytest.raises(dem.RunError, match="found a returned ndarray, allowed none; fill the arrays in place"):
        run_with("force", "free", lambda t, bodies, force, torque: np.ones((3, 3)))()

    def not_finite(t, bodies, force, torque):
        force[0, 0] = np.inf

    with pytest.raises(dem.RunError, match="found inf in force or torque, allowed finite numbers"):
        run_with("force", "free", not_finite)()
    with pytest.raises(dem.CaseError, match="found a force on floor, which is held"):
        run_with("force", "floor", lambda t, bodies, force, torque: None)()
    with pytest.raises(ValueError, match="found a second motion of 'floor'"):
        run_with("motion", "floor", lambda t: dem.Motion()).motion("floor")(lambda t: dem.Motion())
    run = run_with("motion", "floor", lambda t: dem.Motion())
    run.motion("wall")(lambda t: dem.Motion())  # the group of the floor
    with pytest.raises(dem.CaseError, match="found motions of floor and wall, which share a body"):
        run()
    with pytest.raises(ValueError, match="found strain in a case without strain"):
        dem.Run(falling_discs()).every(strain=1e-3)(lambda now: None)


def test_bodies_of_a_force():
    seen = []

    def look(t, bodies, force, torque):
        seen.append((len(bodies), bodies.names, bodies.id.tolist()))
        with pytest.raises(AttributeError, match="outlines"):
            bodies.outlines()
        with pytest.raises(AttributeError, match="found an assignment"):
            bodies.force = 1

    run_with("force", "free", look)(until_step=1)
    assert seen[-1] == (3, ["", "", ""], [0, 1, 2])


# ---- the run ----


def test_until_step(tmp_path):
    result = dem.Run(falling_discs())(0)
    assert (result.end, result.step, result.verdict) == ("stopped", 0, None)
    run = dem.Run(falling_discs(), output=tmp_path / "a")
    run(0)
    assert not list((tmp_path / "a").glob("checkpoint*"))
    run(np.int64(3))
    reached = run(3)
    assert run(0).step == run.step == reached.step == 3 and reached.end == "stopped"
    assert dem.resume(tmp_path / "a").step == 3
    for wrong in (-3, 3.5, "3", True):
        with pytest.raises(ValueError, match="run: until_step: found .*, allowed a whole number >= 0"):
            run(wrong)


@pytest.mark.parametrize("kind", ["motion", "force"])
def test_a_decorator_without_a_name_is_refused(kind):
    decorate = getattr(dem.Run(falling_discs()), kind)
    with pytest.raises(TypeError, match=f"^{kind}: found the function without a name, allowed the name of a wall"):
        decorate(lambda t: dem.Motion())
    with pytest.raises(TypeError, match=f"^{kind}: found 3, allowed the name of a wall"):
        decorate(3)


def test_a_run_is_not_copied():
    run = dem.Run(falling_discs())
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="^dem.Run: a run cannot be copied or pickled"):
            make(run)


def test_attributes_of_a_case_are_no_keys():
    with pytest.raises(AttributeError, match="friction"):
        dem.Case(falling_discs()).friction = 0.4


def test_arguments_of_another_type():
    with pytest.raises(TypeError, match="^dem.Case.parse: found int, allowed a text"):
        dem.Case.parse(3)
    for number in (2**63, -(2**63) - 1, 10**400):
        with pytest.raises(TypeError, match="found .*, allowed whole numbers from"):
            dem.Case({**falling_discs(), "threads": number})
    with pytest.raises(ValueError, match=r"^position: found array\(.*, allowed numbers"):
        dem.discs(np.array([[0, 1j]]), 0.5)
    with pytest.raises(ValueError, match="^spheres: found 1, allowed a list of arrays"):
        dem.clusters([[0, 0, 0]], 1)
    with pytest.raises(ValueError, match="^outlines: found 3, allowed a list of arrays"):
        dem.polygons(3)
    with pytest.raises(TypeError, match="^axes: found .*, allowed a dictionary"):
        dem.sweep(falling_discs(), [0.1], "final kinetic_energy")
    with pytest.raises(TypeError, match="^law.compile: found 3, allowed a function"):
        dem.law.compile(3)


def test_forms_of_callbacks_and_records():
    run = dem.Run(falling_discs())
    with pytest.raises(TypeError, match="every: found '10', allowed a number"):
        run.every(steps="10")
    for wrong in (2.5, "2", 0):
        with pytest.raises(ValueError, match="record: steps: found .*, allowed a whole number >= 1"):
            run.record("time", steps=wrong)
    with pytest.raises(ValueError, match="record: found 1 columns"):
        run.record(3)


def test_reasons_of_a_stop():
    run = dem.Run(falling_discs())

    @run.every(steps=4)
    def first(now):
        with pytest.raises(TypeError, match="stop: found None, allowed a sentence"):
            now.stop(None)
        now.stop("one line\nVerdict: good.")
        now.stop("one line Verdict: good")

    @run.every(steps=2)
    def second(now):
        if now.step == 4:
            now.stop("another")

    with run.look() as now, pytest.raises(RuntimeError, match="stop: found a run that is not running"):
        now.stop("too early")
    verdict = run().verdict
    assert verdict[0].sentence.endswith("one line Verdict: good; another.")
    assert sum(line.startswith("Verdict:") for line in str(verdict).splitlines()) == 1


def test_numbers_of_a_relaxation():
    for wrong in (dict(low=1.0), dict(low=-1e-3), dict(end_at=-1), dict(growth=1)):
        with pytest.raises(ValueError, match="relaxation: found .*, allowed 0 <= low < high"):
            dem.Run(falling_discs()).relaxation(**wrong)


# ---- looks ----


def test_nothing_of_a_look_stays():
    run = dem.Run(falling_discs())
    with run.look() as now:
        for name in ("flat", "data", "ctypes", "base", "setflags", "getfield"):
            with pytest.raises(AttributeError, match=rf"allowed on a copy: array.copy\(\).{name}"):
                getattr(now.bodies.position, name)
        bodies, contacts = now.bodies, now.contacts
    for use in (bodies.outlines, lambda: bodies.names, lambda: bodies.group_names, lambda: len(bodies),
                lambda: len(contacts), lambda: bodies.in_group("free")):
        with pytest.raises(dem.LookOver):
            use()


def test_nothing_can_be_assigned_to_a_look():
    with dem.Run(falling_discs()).look() as now:
        for place, name in ((now.bodies, "velocity"), (now.bodies.position, "shape"), (now, "step"), (now, "x"),
                            (now.series, "time"), (now.contacts, "force")):
            with pytest.raises(AttributeError, match=f"^{name}: found an assignment, allowed none"):
                setattr(place, name, 5)
        assert now.bodies.position.shape == (4, 3)


def test_names_of_looks_and_snapshots_in_space(tmp_path):
    pytest.importorskip("h5py")
    spheres = dem.spheres([[0, 0, 0], [1, 0, 0]], [0.1, 0.2]) + dem.clusters(
        [[0, 1, 0]], [[[0.1, 0, 0, 0.2], [-0.1, 0, 0, 0.2]]])
    run = dem.Run({
        "dimension": 3, "time": {"step": "auto"}, "body": spheres, "stage": [{"duration": 1e-3}],
        "material": {"normal_stiffness": 1e6, "tangential_stiffness_ratio": 0.5, "friction": 0.4, "restitution": 0.5},
    }, output=tmp_path / "a")
    there = run().results.snapshots[-1].bodies
    with run.look() as now:
        assert set(there) - {"group_names"} == set(now.bodies)
        for name in now.bodies:
            assert np.array_equal(there[name], now.bodies[name])
        small, large, cluster = now.bodies.principal_moments
        assert large / small == pytest.approx(32) and cluster[0] < cluster[1] == pytest.approx(cluster[2])


def test_names_of_looks_and_snapshots(tmp_path):
    pytest.importorskip("h5py")
    case = {**falling_discs(), "output": {"contacts": True}}
    run = dem.Run(case, output=tmp_path / "a")
    snapshot = run().results.snapshots[-1]
    with run.look() as now:
        for there, here in ((snapshot.bodies, now.bodies), (snapshot.contacts, now.contacts)):
            assert set(there) - {"group_names"} == set(here) == set(here.keys()) == {*here._ipython_key_completions_()}
            for name in here:
                assert np.array_equal(there[name], here[name]) and there.units[name] == here.units[name]
        assert list(snapshot.bodies) == snapshot.bodies.keys()
        assert now.series._ipython_key_completions_() == list(now.series)
        assert now.bodies.id.tolist() == [0, 1, 2, 3] and now.bodies.names == ["", "", "", "floor"]
    # There are as many groups as bodies, and yet the names of the groups are no column.
    assert len(snapshot.bodies.group_names) == len(snapshot.bodies) == 4
    pytest.importorskip("pandas")
    columns = set(snapshot.bodies.to_pandas())
    assert {"group", "position_x"} <= columns and "group_names" not in columns
    old = run.case and dem.open(tmp_path / "a")
    with pytest.raises(dem.ResultsError, match="there is no stage 7; expected a number from 1 to 2"):
        old.plot("kinetic_energy", stage=7)


def test_modules_that_are_missing(tmp_path, monkeypatch):
    case = dem.Case(falling_discs())
    dem.Run(case, output=tmp_path / "a")(until_step=5)
    table = dem.sweep(case, {"friction": [0.1]}, "final kinetic_energy", workers=1)
    for name in ("pandas", "h5py"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(dem.MissingModule, match="the Python module pandas is not installed"):
        table.to_pandas()
    with pytest.raises(dem.MissingModule, match="the Python module h5py is not installed"):
        dem.open(tmp_path / "a").series


def test_a_python_without_numpy():
    code = """
import sys
sys.modules["numpy"] = None
import dem
try:
    dem.discs
except ImportError as error:
    print(error)
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith(f"dem.discs needs numpy, which the Python {sys.executable} does not have; install it")


# ---- cases and sweeps ----


def test_lists_that_are_one_value_of_a_body():
    places = [[0.0, 0.6], [1.1, 0.6], [2.2, 0.6]]
    for fixed in (["x", "y", "rotation"], ["x"], []):
        assert [body["fixed"] for body in dem.discs(places, 0.5, fixed=fixed)] == [fixed] * 3
    assert [body["fixed"] for body in dem.discs(places, 0.5, fixed=[[], ["x"], ["y"]])] == [[], ["x"], ["y"]]
    assert [body["name"] for body in dem.discs(places, 0.5, name=["a", "b", "c"])] == ["a", "b", "c"]
    space = [[0, 0, 0], [2, 0, 0], [4, 0, 0]]
    assert [body["couple"] for body in dem.spheres(space, 0.5, couple=(1, 2, 3))] == [(1, 2, 3)] * 3
    with pytest.raises(ValueError, match="fixed: found 2 entries, allowed one, or one for each of 3 bodies"):
        dem.discs(places, 0.5, fixed=[["x"], []])


def test_empty_lists_of_tables():
    bare = falling_discs()
    del bare["wall"]
    assert dem.Case({**bare, "wall": [], "other_material": []}) == dem.Case(bare)
    with pytest.raises(dem.CaseError, match="^stage: found none, allowed at least one"):
        dem.Case({**bare, "stage": []})
    with pytest.raises(dem.CaseError, match=r"^wall: found \[3\], allowed tables, each under its own"):
        dem.Case({**bare, "wall": [3]})


def test_places_of_a_text_and_files_that_cannot_be_written(tmp_path):
    with pytest.raises(dem.CaseError, match="^text:2:.*not TOML") as caught:
        dem.Case.parse("format = 1\ntitle =")
    assert [(problem.file, problem.line) for problem in caught.value.problems] == [("", 2)]
    assert [problem.place for problem in caught.value.problems] == ["text:2"]
    path = tmp_path / "case.toml"
    path.write_text(dem.Case(falling_discs()).to_toml().replace("friction = 0.4", "friction = -0.4"))
    with pytest.raises(dem.CaseError) as caught:
        dem.Case.read(path)
    (problem,) = caught.value.problems
    assert problem.message == f"{problem.place}: found {problem.found}, allowed {problem.allowed}"
    assert problem.place == f"{path}:{problem.line}: material.friction" and problem.line > 1
    with pytest.raises(dem.CaseError) as caught:
        dem.Case({**falling_discs(), "stage": []})
    assert [problem.place for problem in caught.value.problems] == ["stage"]
    with pytest.raises(dem.FileError, match="^cannot write .*case.toml: No such file or directory"):
        dem.Case(falling_discs()).write(tmp_path / "nowhere" / "case.toml")


def test_outlines_of_another_shape():
    with pytest.raises(ValueError, match=r"polygon_b: found an array of shape \(2, 2\), allowed \(n, 2\) with n >= 3"):
        dem.overlap([[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 0]])


def test_a_case_can_be_copied_and_pickled(tmp_path):
    (tmp_path / "discs.txt").write_text("0 0 0.5\n")
    tables = {**falling_discs(), "assembly": {"generator": "import", "file": "discs.txt"}, "cell": {"periodic": []}}
    tables["material"] |= {"density": 1.0}
    del tables["body"]
    case = dem.Case(tables, folder=tmp_path)
    for same in (pickle.loads(pickle.dumps(case)), copy.deepcopy(case), copy.copy(case)):
        assert same == case and same is not case
        same["material.friction"] = 0.1
        assert case["material.friction"] == 0.4


def test_keys_that_are_none(tmp_path, monkeypatch):
    case = dem.Case(falling_discs())
    for wrong in (lambda: case[3], lambda: case.changed({3: 1}), lambda: dem.Case({1: 2}), lambda: dem.sweep(
            case, {3: [1]}, "final kinetic_energy")):
        with pytest.raises(TypeError, match="^found the key [123], allowed a text"):
            wrong()
    with pytest.raises(TypeError, match='^found 3, allowed a word, as "friction"'):
        dem.help(3)
    with pytest.raises(KeyError, match="nearest known key: material.friction"):
        dem.help("fricton")
    with pytest.raises(TypeError, match="^found 'friction', allowed a dictionary of keys"):
        case.changed("friction")
    for table, inside in (("stage[1]", "stage[1].name"), ("material", "material.density")):
        with pytest.raises(KeyError) as caught:
            case[table]
        assert caught.value.args == (f'found the table "{table}", allowed a key, as {inside}',)
    folder = tmp_path / "friction"
    folder.mkdir()
    monkeypatch.chdir(folder)  # the name of the key is a part of the path
    with pytest.raises(dem.CaseError, match="^friction: found an unknown key"):
        dem.Case({**falling_discs(), "friction": 1})


def test_a_sweep_over_seeds(cases):
    from conftest import EXAMPLES

    case = dem.Case.read(EXAMPLES / "slow-shear.toml").changed({
        "assembly.columns": 4, "assembly.rows": 5, "stage[1].until_target": False, "stage[1].duration": 1.0,
        "stage.shear.strain": 1e-4})
    table = dem.sweep(case, {"material.friction": [.1, .3], "seed": range(2)}, quantity="mean shear_ratio", workers=2)
    assert table.columns[:2] == ["material.friction", "assembly.seed"]
    assert table["seed"].tolist() == [0, 1, 0, 1] and table["friction"].tolist() == [0.1, 0.1, 0.3, 0.3]
    with pytest.raises(dem.CaseError, match=r"assembly.seed: found this key with generator = .bodies"):
        dem.sweep(cases["discs"], {"seed": [1]}, "final kinetic_energy")


def test_arguments_of_a_sweep(cases, tmp_path):
    def sweep(**how):
        return dem.sweep(cases["discs"], {"friction": [0.1]}, **({"quantity": "final kinetic_energy"} | how))

    for workers in (-1, 1025, 2.5, "2", True):
        with pytest.raises(ValueError, match="workers: found .*, allowed a whole number from 0 to 1024"):
            sweep(workers=workers)
    for part in (1, "x", "3/2"):
        with pytest.raises(ValueError, match="^part: found .*, allowed"):
            sweep(part=part, output=tmp_path / "a")
    with pytest.raises(TypeError, match="quantity: found 3, allowed a text"):
        sweep(quantity=3)


def test_types_of_results_have_public_names():
    for name in ("LawFailed", "SweepTable", "StepLimit", "Overlap", "ContactPath", "MissingModule", "Snapshot",
                 "Verdict"):
        assert getattr(dem, name).__name__ == name and name in dem.__all__
    assert isinstance(dem.Run(falling_discs()).step_limit, dem.StepLimit)
