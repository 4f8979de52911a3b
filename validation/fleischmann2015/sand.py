"""A graded sand in a periodic cell: packed, then sheared at constant normal stress with or without history."""

import math
import tomllib
from dataclasses import dataclass

import numpy as np

import dem
from driver.seeds import SeedMean

STIFFNESS = 1e5  # k_n
ROWS = 250  # per strain of 1


@dataclass(frozen=True)
class Sand:
    cut: float = 3
    count: int = 1500
    seed: int = 1
    stiffness: float = 1e3  # κ = k_n/(σ D50)
    friction: float = 0.2  # while it is compressed: what decides how dense it starts

    @property
    def stress(self):
        return STIFFNESS / self.stiffness

    @property
    def time_step(self):
        """The smallest grain has few contacts and moves alone, so that it bears a larger step over √(m/k_n) than grains
        of which all neighbours are as light."""
        width = math.log(1.7) / (0.25334710313579972 + 1.2815515655446004)  # C_u, z60 − z10
        smallest, middle = (math.sqrt(math.pi / 6 * d * d * d / STIFFNESS) for d in (math.exp(-self.cut * width), 1))
        return min(0.28 * smallest, 0.14 * middle)


def packing_case(given, sand):
    """Compressed at an inertial number of 0.02, then held under its stress. With a friction of 0.2 its solid fraction
    is about 0.63."""
    tables, root = tomllib.loads(given), math.sqrt(sand.stress)
    rate, axes = 0.02 * root, ("xx", "yy", "zz")
    tables["time"]["step"] = sand.time_step
    tables["assembly"] |= {"count": sand.count, "cut": sand.cut, "seed": sand.seed}
    held = {"friction": sand.friction, "largest_rate": rate, "duration": 100 / root} | {
        f"stress_{axis}": -sand.stress for axis in axes}
    case = dem.Case(tables | {"stage": [
        {"name": "compact", "friction": sand.friction, "void_ratio": 0.75} | {f"rate_{axis}": -rate for axis in axes},
        {"name": "confine", "unbalanced": 1e-2} | held,
        {"name": "relax", "unbalanced": 2e-3, "mass_damping": 0.1 * root} | held]})
    # Longer along x: a strain of 1 leans the cell so far that the images of a grain along x come closer.
    with dem.Run(case).look() as now:
        solid = sum(4 * math.pi / 3 * r**3 for r in now.bodies["radius"].tolist())
    side = math.cbrt((1 + case["assembly.void_ratio"]) * solid / 1.4)
    return case.changed({"cell.size": [1.4 * side, side, side]})


def make_packing(text):
    run = dem.Run(dem.Case.parse(text))
    run()
    with run.look() as now:
        return {"radius": now.bodies["radius"].tolist(), "cell": np.diag(now.cell_vectors).tolist(),
                "position": (now.bodies["position"] - now.cell_origin).tolist()}


def packed_case(given, sand, packing, history, title, stages, friction=0.5):
    """The packing as a case with other stages."""
    tables = tomllib.loads(given)
    del tables["assembly"]
    tables["cell"]["size"] = packing["cell"]
    tables["time"]["step"] = sand.time_step
    tables["contact"]["history"] = history
    tables["material"]["friction"] = friction
    return dem.Case(tables | {"title": title, "stage": stages,
                              "body": dem.spheres(packing["position"], packing["radius"])})


def shear_case(given, sand, packing, history, inertial_number, strain, friction=0.5):
    """A rest under the normal stress with the final friction and no displacement, then shear in x–z: xx and yy fixed,
    σ_zz held."""
    root = math.sqrt(sand.stress)
    held = {"stress_zz": -sand.stress, "largest_rate": 0.02 * root}
    return packed_case(given, sand, packing, history, "Graded sand, plane shear", [
        {"name": "rest", "duration": 5 / root} | held,
        {"name": "shear", "rate_xz": inertial_number * root, "servo_tolerance": 0.02, "strain": strain} | held],
        friction)


def sheared(text):
    """Runs the case. The time step, and columns of its last stage from the second step on, compression positive."""
    run = dem.Run(dem.Case.parse(text))
    series = run.record("strain", "void_ratio", *(f"stress_{axes}" for axes in ("xx", "yy", "zz", "xz", "zx")))
    ends = []

    @run.every(stage_end=True)
    def stage_ends(now):
        ends.append(now.step)

    run()
    strain, void_ratio, xx, yy, zz, xz, zx = series.rows[ends[0] + 1:].T
    return run.time_step, {"strain": strain, "xx": -xx, "yy": -yy, "zz": -zz, "xz": 0.5 * (xz + zx),
                           "solid": 1 / (1 + void_ratio)}


def shear(text):
    """Rows over the shear by name: stresses are means over the steps since the row before; the rest is at the end of
    the row. An interval that the end cuts short is left out."""
    time_step, steps = sheared(text)
    reached = steps["strain"] + dem.Case.parse(text)["stage.shear.rate_xz"] * time_step * 1e-9
    ends = np.searchsorted(reached, np.arange(1, round(reached[-1] * ROWS) + 1) / ROWS) + 1
    ends, rows = ends[ends <= len(reached)], {}
    for name, column in steps.items():
        stress = name in ("xx", "yy", "zz", "xz")
        rows[name] = [float(part.mean() if stress else part[-1]) for part in np.split(column, ends)[:-1]]
    return rows


def ratio(rows):
    return rows["xz"] / rows["zz"]


def of_runs(runs, start, end, value):
    """Mean over runs, that of each over value(rows) with strain in (start, end]."""
    def mean(rows):
        return value(rows)[(rows["strain"] > start + 1e-9) & (rows["strain"] <= end + 1e-9)].mean()

    return SeedMean([mean(rows) for rows in runs])
