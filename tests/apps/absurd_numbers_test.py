"""Random extreme numbers in good cases: `dem check` ends soon, with yes or a reason, and shows no number that is none.
"""
import math
import random
import re

import pytest
from conftest import dem, gives, refuses, write
from help_test import reference

SPRINGS = """[material]
density = 2000.0
normal_stiffness = 1e5
tangential_stiffness_ratio = 0.5
friction = 0.5
restitution = 0.9
[time]
step = 1e-5
"""
ELASTIC = """[material]
density = 2600
shear_modulus = 2e9
poisson_ratio = 0.25
friction = 0.5
restitution = 0.9
[time]
step = 1e-7
"""
CASES = [f"""format = 1
dimension = 3
gravity = [0, 0, -9.81]
{SPRINGS}[[body]]
name = "a"
shape = "sphere"
radius = 0.1
position = [0, 0, 0.1]
velocity = [0, 0, -1]
[[body]]
shape = "cluster"
spheres = [[0, 0, 0, 1], [1, 0, 0, 0.5]]
position = [5, 0, 2]
[[wall]]
name = "floor"
shape = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
[[stage]]
duration = 0.01
""", f"""format = 1
{SPRINGS}[assembly]
generator = "random"
shape = "disc"
count = 12
void_ratio = 3
[[stage]]
rate_xx = -0.5
mean_pressure = 10.0
duration = 0.01
""", f"""format = 1
{SPRINGS}[assembly]
generator = "voronoi"
columns = 4
rows = 5
[plates]
[[stage]]
normal = "hold-stress"
normal_stress = 10.0
plate_speed = 0.1
shear_rate = 0.1
strain = 0.01
""", f"""format = 1
dimension = 3
gravity = [0, 0, -9.81]
[contact]
law = "hooke-history"
{SPRINGS}[assembly]
generator = "rain"
columns = 3
rows = 3
layers = 2
radius = 0.01
centre = [0.1, 0.1]
lowest = 0.01
[shear_box]
length = 0.2
depth = 0.1
height = 0.2
[[stage]]
plate_stress = 100.0
duration = 0.01
[[stage]]
plate_stress = 100.0
shear_velocity = 0.01
shear_displacement = 0.001
""", f"""format = 1
dimension = 3
[contact]
law = "jaeger"
{ELASTIC}[assembly]
generator = "random"
shape = "sphere"
count = 12
radius = 0.001
void_ratio = 4
[[stage]]
mean_pressure = 1e5
rate_zz = -0.1
strain = 0.01
""", f"""format = 1
{SPRINGS}[[body]]
shape = "regular-polygon"
radius = 0.1
sides = 6
position = [0, 0.2]
[[wall]]
from = [0, 0]
to = [1, 0]
[[stage]]
duration = 0.01
"""]


def keys_of(case):
    """(key, type, bounds) of the keys of numbers that the tables and choices of the case have."""
    other = "dimension = 2" if "dimension = 3" in case else "dimension = 3"
    for table, key, condition, kind, allowed in reference():
        numbers = [float(x) for x in re.findall(r"(?<![\w.])-?\d[\d.]*(?:e[+-]\d+)?", allowed)]
        known = table in ("", "output", "cell") or f"[{table}]" in case
        choice = re.search("(?:^|, )(?!dimension)[a-z_.]+ = ([^,]*)", condition)
        if (len(numbers) < 2 or not known or other in condition or key in ("threads", "format", "dimension")
                or choice and not re.search(f"\"({choice[1].replace(' or ', '|')})\"", case)):
            continue
        place = f"{table}.{key}".removeprefix(".")
        place = f"{table}[1].{key}" if table in ("body", "wall", "stage") else place
        yield place + "[0]" * kind.startswith("["), kind, (min(numbers), max(numbers))


def extreme(key, kind, bounds):
    low, high = bounds
    if key.rsplit(".")[-1] in ("count", "rows", "columns", "layers", "sides"):  # many bodies take long
        return random.choice([0, 1, 2, 5, 1e12, 9e15])
    least = low if low > 0 else min(1e-12, high)
    between = least * (high / least)**random.random()  # evenly by its order of magnitude
    x = random.choice([low, high, least, *4 * [between], -between, 0.0, 1e-300, 1e300, 2 * high])
    return math.floor(min(abs(x), 9e15)) if kind == "whole number" else x


def test_random_extremes_are_checked_soon_and_without_nan():
    random.seed(20)
    good = refused = 0
    for case in CASES:
        write("case.toml", case)
        gives(0, "check case.toml")
        keys = list(keys_of(case))
        assert len(keys) > 20
        for trial in range(40):
            values = {key[0]: extreme(*key) for key in random.sample(keys, 1 + trial % 2)}
            settings = "".join(f" --set {key}={int(x) if x == int(x) and abs(x) < 1e16 else repr(x)}"
                               for key, x in values.items())
            ran = dem(f"check case.toml{settings}", "ulimit -t 30;")
            assert ran.code in (0, 2) or ran.code == 5 and "the trial of its first steps failed" in ran.err, (
                f"exit code {ran.code}{settings}\n{case}{ran.err}")
            assert not re.search("(^|[^a-zA-Z_])-?(nan|inf)($|[^a-zA-Z_])", ran.out + ran.err), (settings, ran, case)
            good, refused = good + (ran.code == 0), refused + (ran.code != 0)
    assert good > 10 and refused > 100


@pytest.mark.parametrize("good, bad, message", [
    ("duration = 0.01\n", "duration = 0.01\n[output]\nsnapshot_interval = 1e-12\n",
     "case.toml:30: output.snapshot_interval: found 1e-12, allowed 0 or at least the automatic time.step"),
    ("duration = 0.01", "duration = 1e14",
     "case.toml:28: stage[1].duration: found a time of 1e+14 s, allowed at most"),
])
def test_times_of_an_automatic_step(good, bad, message):
    """With an automatic step these are known only when the bodies are there."""
    write("case.toml", CASES[0].replace("step = 1e-5", 'step = "auto"').replace(good, bad))
    refuses(2, "check case.toml", message)
