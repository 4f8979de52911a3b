"""Random extreme numbers in good cases: `dem check` ends soon, with yes or a reason, and shows no number that is none.
"""
import math
import random
import re
import sys

from conftest import ROOT, dem, gives, refuses, two_discs, write
from help_test import reference

sys.path.append(str(ROOT / "tests/sameness"))
import case_table  # noqa: E402

CASES = [case_table.all_cases()[name] for name in (
    "linear.cluster.walls.velocity-verlet.geometric", "generator.random-discs", "linear.polygon.plates.gear5.geometric",
    "generator.rain", "hooke-true.sphere.box.gear5.geometric", "jaeger.sphere.cell.gear5.geometric",
    "linear.polygon.walls.gear5.geometric", "generator.spheres")]


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
        for trial in range(35):
            values = {key[0]: extreme(*key) for key in random.sample(keys, 1 + trial % 2)}
            settings = "".join(f" --set {key}={int(x) if x == int(x) and abs(x) < 1e16 else repr(x)}"
                               for key, x in values.items())
            ran = dem(f"check case.toml{settings}", "ulimit -t 30;")
            assert ran.code in (0, 2) or ran.code == 5 and "the trial of its first steps failed" in ran.err, (
                f"exit code {ran.code}{settings}\n{case}{ran.err}")
            assert not re.search("(^|[^a-zA-Z_])-?(nan|inf)($|[^a-zA-Z_])", ran.out + ran.err), (settings, ran, case)
            good, refused = good + (ran.code == 0), refused + (ran.code != 0)
    assert good > 10 and refused > 100


def test_times_of_an_automatic_step():
    """With an automatic step these are known only when the bodies are there."""
    write("case.toml", two_discs('"auto"', "0.01", "[output]\nsnapshot_interval = 1e-12\n"))
    refuses(2, "check case.toml", "case.toml:25: output.snapshot_interval: found 1e-12, allowed 0 or at least the "
            "automatic time.step")
