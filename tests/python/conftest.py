"""Results folders of small cases, made once by the program that the environment variable DEM_PROGRAM names."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "apps" / "python"))

import dem  # noqa: E402
EXAMPLES = ROOT / "apps" / "examples"
try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    pass

PLATES = ["assembly.columns=5", "assembly.rows=6", "stage.compress.normal_stress=0.04", "stage.shear.strain=0.02",
          "output.csv=true", "output.plane_jumps=true", "output.snapshot_interval=5"]

# Two clusters beside a sphere in space. The first cluster is turned by 90 degrees about z, the second has a name.
CLUSTERS = """
format = 1
dimension = 3
title = "clusters & spheres"
[material]
density = 2500.0
normal_stiffness = 1e4
tangential_stiffness_ratio = 0.5
friction = 0.3
restitution = 0.9
[time]
step = 1e-3
[[body]]
shape = "cluster"
spheres = [[0.0, 0.0, 0.0, 0.5], [0.6, 0.0, 0.0, 0.5]]
position = [0.0, 0.0, 0.0]
orientation = [0.7071067811865476, 0.0, 0.0, 0.7071067811865476]
velocity = [0.1, 0.0, 0.0]
[[body]]
name = "second"
shape = "cluster"
spheres = [[0.0, 0.0, 0.0, 0.4], [0.0, 0.0, 0.5, 0.3]]
position = [3.0, 0.0, 0.0]
[[body]]
shape = "sphere"
radius = 0.25
position = [0.0, 0.0, 3.0]
velocity = [0.0, 0.2, 0.0]
[[stage]]
duration = 0.01
[output]
contacts = true
"""


def program(*words, codes=(0, 4)):
    """Runs the program and returns what it prints. Exit code 4 is that of a run stopped on purpose."""
    name = os.environ.get("DEM_PROGRAM")
    if not name:
        pytest.skip("the environment variable DEM_PROGRAM names no program")
    done = subprocess.run([name, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def settings(keys):
    return [word for key in keys for word in ("--set", key)]


@pytest.fixture(scope="session")
def room(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="session")
def plates(room):
    """A finished run in the plane with plates, profiles, plane jumps, contacts and a table."""
    program("run", EXAMPLES / "slow-shear.toml", *settings(PLATES), "--output", room / "plates")
    return room / "plates"


@pytest.fixture(scope="session")
def discs(room):
    """A run in the plane that was stopped and resumed, and is not finished."""
    keys = ["output.csv=true", "output.snapshot_interval=1e-3"]
    program("run", EXAMPLES / "two-discs.toml", *settings(keys), "--until-step", 1500, "--output", room / "discs")
    program("resume", room / "discs", "--until-step", 7000)
    return room / "discs"


@pytest.fixture(scope="session")
def incline(room):
    """A block on a wall in the plane."""
    program("run", EXAMPLES / "block-on-incline.toml", "--until-step", 100, "--output", room / "incline")
    return room / "incline"


@pytest.fixture(scope="session")
def spheres(room):
    """A run in space, periodic, with contacts."""
    keys = ["assembly.count=40", "output.contacts=true", "output.snapshot_interval=1e-3", "assembly.void_ratio=0.9"]
    program("run", EXAMPLES / "spheres-jaeger.toml", *settings(keys), "--until-step", 11000, "--output",
            room / "spheres")
    return room / "spheres"


@pytest.fixture(scope="session")
def box(room):
    """A run in space with walls, without contacts in its snapshots, before its first snapshot after the start."""
    program("run", EXAMPLES / "shear-box.toml", "--set", "assembly.count=20", "--until-step", 200, "--output",
            room / "box")
    return room / "box"


@pytest.fixture(scope="session")
def clusters(room):
    (room / "clusters.toml").write_text(CLUSTERS, encoding="utf-8")
    program("run", room / "clusters.toml", "--output", room / "clusters")
    return room / "clusters"


@pytest.fixture
def copy_of(tmp_path):
    """Copies a results folder, so that a test can damage it."""
    return lambda folder: pathlib.Path(shutil.copytree(folder, tmp_path / folder.name))


# ---- cases for runs from Python; they need the compiled module ----

_base = {"material": {"normal_stiffness": 1e6, "tangential_stiffness": 5e5, "friction": 0.4, "normal_damping": 20.0}}


def falling_discs():
    return {
        **_base,
        "dimension": 2,
        "gravity": [0, -9.81],
        "time": {"step": 2e-5},
        "contact": {"law": "linear"},
        "wall": [{"name": "floor", "from": [-5, 0], "to": [5, 0]}],
        "body": dem.discs([[0.0, 0.51], [1.0, 0.52], [0.45, 1.42]], 0.5, velocity=[0.1, 0.0]),
        "stage": [{"name": "fall", "duration": 2e-3}, {"name": "rest", "duration": 1e-3}],
    }


def pressed_spheres():
    corners = [[x, y, z] for x in (0.0, 0.97) for y in (0.0, 0.98) for z in (0.0, 0.99)]
    return {
        **_base,
        "dimension": 3,
        "time": {"step": 1e-5},
        "contact": {"law": "hertz-mindlin"},
        "material": {"shear_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.4, "restitution": 0.7},
        "body": dem.spheres(corners, 0.5, velocity=[[0.1 * k, -0.1, 0.05] for k in range(8)]),
        "stage": [{"duration": 2e-3}],
    }


@pytest.fixture
def cases():
    pytest.importorskip("_dem", reason="the module _dem is not built")
    return {"discs": dem.Case(falling_discs()), "spheres": dem.Case(pressed_spheres())}


@pytest.fixture(scope="session")
def program_name():
    name = os.environ.get("DEM_PROGRAM")
    if not name:
        pytest.skip("the environment variable DEM_PROGRAM names no program")
    return name
