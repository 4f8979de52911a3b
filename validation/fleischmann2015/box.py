"""Direct shear tests (direct-shear reference, §2): packings, shear tests from them, and their curves.

A packing is a case up to its stage `compact`. A shear test starts from a packing and has the stages after it.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

import dem
from driver.study import curve

SPHERES = Path(__file__).with_name("spheres.toml")
EVERY = 10  # steps between samples
ROW = 1e-4  # m of travel: a row of a curve is a mean over it
COLUMNS = {"displacement": "shear_displacement", "shear": "shear_force", "plate": "plate_load",
           "plane": "plane_normal_force", "above": "weight_above", "drag": "wall_drag", "rise": "plate_height"}
LOAD = ("stage.compact.plate_stress", "material.shear_modulus")
# Of a quick set with spheres.toml.
QUICK_PACKING = {"time.step": 4e-5, "shear_box.servo_gain": 0.07, "stage.compact.duration": 0.2,
                 "stage.rest.duration": 0.05}
QUICK_TEST = {"stage.shear.shear_velocity": 0.02, "stage.shear.shear_displacement": 0.004}


@dataclass(frozen=True)
class Sheared:
    """A shear test. Its rows (SI) have the travel since the shear began, and the rise of the plate since then."""

    rows: dict
    area: float
    load: float  # σA, of the plate (N)
    diameter: float  # twice the gap of the box
    porosity: float  # before the shear
    viscous: float  # loss of the dashpots in the shear, of a run with a ledger (J)

    @cached_property
    def travel(self):
        return np.array(self.rows["displacement"])

    def column(self, name):
        return np.array(self.rows[name])

    @cached_property
    def peak(self):
        """Number of the row with the largest T."""
        return int(np.argmax(self.rows["shear"]))

    def mean(self, name, start=0.0, end=math.inf):
        """Of the rows between these displacements (m)."""
        return self.column(name)[(self.travel >= start) & (self.travel <= end)].mean()

    def ratio(self, start=0.0, end=math.inf):
        """T/(σA), as published."""
        return self.mean("shear", start, end) / self.load

    def angle(self, start, end=math.inf):
        """Of T/N on the shear plane (degrees)."""
        return degrees(self.mean("shear", start, end) / self.mean("plane", start, end))

    @property
    def end(self):
        return self.travel[-1]

    @property
    def peak_ratio(self):
        return self.column("shear")[self.peak] / self.load

    @property
    def peak_angle(self):
        return degrees(self.column("shear")[self.peak] / self.column("plane")[self.peak])

    @property
    def rise(self):
        """At the end, in diameters."""
        return self.column("rise")[-1] / self.diameter


def degrees(tangent):
    return math.degrees(math.atan(tangent))


def loaded(stress):
    """Changes of a case: the stress of the plate (Pa)."""
    return {f"stage.{name}.plate_stress": stress for name in ("compact", "rest", "shear")}


def of_stages(case, names, **more):
    tables = case.to_dict()
    return dem.Case(tables | {"stage": [stage for stage in tables["stage"] if stage["name"] in names]} | more)


def shear_boxes(run, packings, tests):
    """Reports of packings and results of tests (number of the packing, case), all given as whole cases."""
    folders = [str(run.results.absolute() / f"packing-{k + 1}") for k in range(len(packings))]
    cases = [of_stages(case, ("rain", "compact")).to_toml() for case in packings]
    made = run.map("packings", make_packing, list(zip(cases, folders)))
    points = []
    for number, case in tests:
        # A packing is compacted again under another load or with another stiffness.
        same = all(case[key] == packings[number][key] for key in LOAD)
        names = ("rest", "shear") if same else ("compact", "rest", "shear")
        points.append((of_stages(case, names, start_from=folders[number]).to_toml(),))
    return made, [Sheared(**result) for result in run.map("tests", shear, points)]


def make_packing(text, folder):
    """Runs the case of a packing. Its last state stays in the folder."""
    case, loads = dem.Case.parse(text), []
    run = dem.Run(case, output=folder, overwrite=True)

    @run.every(steps=EVERY)
    def watch(now):
        if now.stage == 2:
            loads.append(now.series["plate_load"])

    run()
    load = case["stage.compact.plate_stress"] * case["shear_box.length"] ** 2
    with run.look() as now:
        return {"porosity": now.series["porosity"], "largest_load": max(loads) / load, "folder": folder}


def shear(text):
    """Runs a shear test. Its rows are means over ROW of travel, from samples every EVERY steps."""
    case = dem.Case.parse(text)
    run = dem.Run(case)
    last_stage, start, samples = len(case.to_dict()["stage"]), {}, []

    def sample(now):
        return [now.series[name] for name in COLUMNS.values()]

    @run.every(steps=EVERY)
    def watch(now):
        if start:
            samples.append(sample(now))

    @run.every(stage_end=True)
    def begin(now):
        if now.stage == last_stage:
            start.update(zip(COLUMNS, sample(now)), porosity=now.series["porosity"], step=now.step,
                         viscous=run.ledger.get("viscous_loss", 0.0))

    run()
    of_row = round(ROW / (case["stage.shear.shear_velocity"] * run.time_step))  # steps
    ends = np.arange(of_row, run.step - start["step"] + 1, of_row) // EVERY
    rows = [row.mean(axis=0) for row in np.split(np.array(samples), ends)[:-1]]
    columns = dict(zip(COLUMNS, np.transpose(rows)))
    for name in ("displacement", "rise"):
        columns[name] -= start[name]
    area = case["shear_box.length"] ** 2
    return {"rows": {name: column.tolist() for name, column in columns.items()}, "area": area,
            "load": area * case["stage.shear.plate_stress"], "diameter": 2 * case["shear_box.gap"],
            "porosity": start["porosity"],
            "viscous": run.ledger.get("viscous_loss", 0.0) - start["viscous"]}


def spread(values, digits):
    """Lowest and highest of values, with their text, and their mean."""
    low, high = min(values), max(values)
    a, b = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return {"low": low, "high": high, "mean": sum(values) / len(values), "text": a if a == b else f"{a} to {b}"}


def drawn(label, tests, value, unit):
    """The mean of value(test) over tests against displacement over unit; of several with the lowest and highest."""
    columns = np.array([value(test) for test in tests])
    band = (columns.min(axis=0), columns.max(axis=0)) if len(tests) > 1 else ((), ())
    return curve(label, tests[0].travel / unit, columns.mean(axis=0), "line", *band)


def over_load(test):
    return test.column("shear") / test.load


def over_plane(test):
    return test.column("shear") / test.column("plane")


def rise(test):
    return test.column("rise") / test.diameter


def by_weight(case):
    """The case with a plate that falls as a weight instead of the servo."""
    tables = case.to_dict()
    tables["shear_box"] = {"plate": "weight"} | {
        key: value for key, value in tables["shear_box"].items() if key not in ("plate", "servo_gain")}
    return dem.Case(tables)
