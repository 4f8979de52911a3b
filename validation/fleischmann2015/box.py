"""Direct shear tests (direct-shear reference, §2): packings, shear tests from them, and their curves.

A packing is a case up to its stage `compact`. A shear test starts from a packing and has the stages after it.
"""

import math
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


class Sheared:
    """A shear test. Its rows (SI) have the travel since the shear began, and the rise of the plate since then."""

    def __init__(self, rows, area, load, diameter, porosity, viscous):
        self.rows = {name: np.array(row) for name, row in rows.items()}
        self.area, self.load = area, load  # A; σA, of the plate (N)
        self.porosity, self.viscous = porosity, viscous  # before the shear; loss of the dashpots in a ledger (J)
        self.travel, shear = self.rows["displacement"], self.rows["shear"]
        self.end = self.travel[-1]
        self.stress, self.over_load, self.over_plane = 1e-3 * shear / area, shear / load, shear / self.rows["plane"]
        self.diameter = diameter  # twice the gap of the box
        self.lift = self.rows["rise"] / diameter
        self.peak = int(np.argmax(shear))  # number of the row with the largest T
        self.peak_ratio, self.peak_angle = self.over_load[self.peak], degrees(self.over_plane[self.peak])

    def mean(self, name, start=0.0, end=math.inf):
        """Of the rows between these displacements (m)."""
        return self.rows[name][(self.travel >= start) & (self.travel <= end)].mean()

    def ratio(self, start=0.0, end=math.inf):
        """T/(σA), as published."""
        return self.mean("shear", start, end) / self.load

    def angle(self, start, end=math.inf):
        """Of T/N on the shear plane (degrees)."""
        return degrees(self.mean("shear", start, end) / self.mean("plane", start, end))


def degrees(tangent):
    return math.degrees(math.atan(tangent))


def loaded(stress):
    """Changes of a case: the stress of the plate (Pa)."""
    return {f"stage.{name}.plate_stress": stress for name in ("compact", "rest", "shear")}


def of_stages(case, names, **more):
    tables = case.to_dict()
    return dem.Case(tables | {"stage": [stage for stage in tables["stage"] if stage["name"] in names]} | more)


def shear_boxes(run, packings, tests):
    """Folders of packings and results of tests (number of the packing, case), all given as whole cases."""
    folders = [str(run.results.absolute() / f"packing-{k + 1}") for k in range(len(packings))]
    cases = [of_stages(case, ("rain", "compact")).to_toml() for case in packings]
    run.map("packings", make_packing, list(zip(cases, folders)))
    points = []
    for number, case in tests:
        # A packing is compacted again under another load or with another stiffness.
        same = all(case[key] == packings[number][key] for key in LOAD)
        names = ("rest", "shear") if same else ("compact", "rest", "shear")
        points.append((of_stages(case, names, start_from=folders[number]).to_toml(),))
    return folders, [Sheared(**result) for result in run.map("tests", shear, points)]


def make_packing(text, folder):
    """Runs the case of a packing. Its last state stays in the folder."""
    dem.Run(dem.Case.parse(text), output=folder, overwrite=True)()


def shear(text):
    """Runs a shear test. Its rows are means over ROW of travel, from samples every EVERY steps."""
    case = dem.Case.parse(text)
    run = dem.Run(case)
    series, ends = run.record(*COLUMNS.values(), steps=EVERY), []

    @run.every(stage_end=True)
    def stage_ends(now):
        ends.append({"step": now.step, "porosity": now.series["porosity"],
                     "viscous": run.ledger.get("viscous_loss", 0.0),
                     **{name: now.series[column] for name, column in COLUMNS.items()}})

    run()
    start = ends[len(case.to_dict()["stage"]) - 2]  # the end of the stage before the shear
    of_row = round(ROW / (case["stage.shear.shear_velocity"] * run.time_step))  # steps
    splits = np.arange(of_row, run.step - start["step"] + 1, of_row) // EVERY
    samples = series.rows[-(run.step // EVERY - start["step"] // EVERY):]
    columns = np.transpose([row.mean(axis=0) for row in np.split(samples, splits)[:-1]])
    rows = {name: column - (start[name] if name in ("displacement", "rise") else 0)
            for name, column in zip(COLUMNS, columns)}
    area = case["shear_box.length"] ** 2
    return {"rows": {name: row.tolist() for name, row in rows.items()}, "area": area,
            "load": area * case["stage.shear.plate_stress"], "diameter": 2 * case["shear_box.gap"],
            "porosity": start["porosity"], "viscous": run.ledger.get("viscous_loss", 0.0) - start["viscous"]}


def spread(values, digits):
    """Lowest and highest of values, with their text, and their mean."""
    low, high = min(values), max(values)
    a, b = f"{low:.{digits}f}", f"{high:.{digits}f}"
    return {"low": low, "high": high, "mean": sum(values) / len(values), "text": a if a == b else f"{a} to {b}"}


def drawn(label, tests, name, unit):
    """The mean of tests against displacement over unit; of several with the lowest and highest."""
    columns = np.array([getattr(test, name) for test in tests])
    band = (columns.min(axis=0), columns.max(axis=0)) if len(tests) > 1 else ((), ())
    return curve(label, tests[0].travel / unit, columns.mean(axis=0), "line", *band)
