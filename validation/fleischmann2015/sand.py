"""A graded sand in a periodic cell: packed, then sheared at constant normal stress with or without history."""

import math
import tomllib
from dataclasses import dataclass

import numpy as np

import dem

STIFFNESS = 1e5  # k_n
ROWS = 250  # per strain of 1
NAMES = ("strain", "xx", "yy", "zz", "xz", "solid", "coordination", "sliding")


@dataclass(frozen=True)
class Sand:
    uniformity: float = 1.7  # C_u
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
        width = math.log(self.uniformity) / (0.25334710313579972 + 1.2815515655446004)  # z60 − z10
        smallest, middle = (math.sqrt(math.pi / 6 * d * d * d / STIFFNESS) for d in (math.exp(-self.cut * width), 1))
        return min(0.28 * smallest, 0.14 * middle)


def packing_case(given, sand):
    root = math.sqrt(sand.stress)
    rate = 0.02 * root  # inertial number 0.02
    changes = {"time.step": sand.time_step, "stage.relax.mass_damping": 0.1 * root} | {
        f"assembly.{key}": getattr(sand, key) for key in ("count", "uniformity", "cut", "seed")}
    for stage in ("compact", "confine", "relax"):
        changes[f"stage.{stage}.friction"] = sand.friction
        for axes in ("xx", "yy", "zz"):
            changes[f"stage.{stage}." + (f"rate_{axes}" if stage == "compact" else f"stress_{axes}")] = (
                -rate if stage == "compact" else -sand.stress)
        if stage != "compact":
            changes |= {f"stage.{stage}.largest_rate": rate, f"stage.{stage}.duration": 100 / root}
    case = dem.Case.parse(given).changed(changes)
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


def shear_case(given, sand, packing, history, inertial_number, strain, friction=0.5):
    """A rest under the normal stress with the final friction and no displacement, then shear in x–z: xx and yy fixed,
    σ_zz held."""
    tables, root = tomllib.loads(given), math.sqrt(sand.stress)
    del tables["assembly"]
    tables["cell"]["size"] = packing["cell"]
    tables["time"]["step"] = sand.time_step
    tables["contact"]["history"] = history
    tables["material"]["friction"] = friction
    held = {"stress_zz": -sand.stress, "largest_rate": 0.02 * root}
    return dem.Case(tables | {
        "title": "Graded sand, plane shear", "body": dem.spheres(packing["position"], packing["radius"]),
        "stage": [{"name": "rest", "duration": 5 / root} | held,
                  {"name": "shear", "rate_xz": inertial_number * root, "servo_tolerance": 0.02, "strain": strain}
                  | held]})


def shear(text):
    """Rows over the shear: stresses are means over the steps since the row before, compression positive; the rest is at
    the end of the row. An interval that the end cuts short is left out."""
    case = dem.Case.parse(text)
    run = dem.Run(case)
    ahead, target = case["stage.shear.rate_xz"] * run.time_step * 1e-9, case["stage.rest.stress_zz"]
    stresses, rows, margins, errors = [], [], [0.0], []

    @run.every(steps=1)
    def watch(now):
        if now.step <= begin:
            return
        values = now.series
        xx, yy, zz, xz, zx = (values[f"stress_{axes}"] for axes in ("xx", "yy", "zz", "xz", "zx"))
        stresses.append((-xx, -yy, -zz, 0.5 * (xz + zx)))
        errors.append(zz / target - 1)
        if now.strain + ahead < (len(rows) + 1) / ROWS:
            return
        rows.append((now.strain, *np.mean(stresses, axis=0), 1 / (1 + values["void_ratio"]),
                     values["backbone_coordination_pairs"], values["fraction_at_limit"]))
        stresses.clear()
        if run.measured_limit:
            margins.append(run.time_step / run.measured_limit.value)

    begin = math.inf

    @run.every(stage_end=True)
    def rest_ends(now):
        nonlocal begin
        if now.stage == 2:
            begin = now.step

    run()
    return {"rows": np.transpose(rows).tolist(), "servo": math.sqrt(np.mean(np.square(errors))), "margin": max(margins)}


@dataclass(frozen=True)
class Path:
    """A shear run."""

    kind: str
    sand: int  # number of its packing
    inertial_number: float
    rows: dict

    def mean(self, start, end, value):
        """Of value(rows) over the rows with strain in (start, end]."""
        strain = self.rows["strain"]
        return value(self.rows)[(strain > start + 1e-9) & (strain <= end + 1e-9)].mean()


class Mean:
    """A mean over packings with its standard error; of a single one no error is known."""

    def __init__(self, values):
        self.values, self.value = values, float(np.mean(values))
        self.error = float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan

    def __format__(self, form):
        form = form or ".3f"
        return f"{self.value:{form}}" + ("" if math.isnan(self.error) else f" ± {self.error:{form}}")


def grading(packing):
    """Diameters by mass: D10, D50, D60."""
    d = 2 * np.sort(packing["radius"])
    mass = np.cumsum(d**3)
    found = {share: d[np.searchsorted(mass, share / 100 * mass[-1])] for share in (10, 50, 60)}
    return found | {"uniformity": found[60] / found[10], "smallest": d[0], "largest": d[-1]}
