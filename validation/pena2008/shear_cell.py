"""The shear cell of the polygon-dem reference, §8, with a held normal stress or height: a run, and what it leaves."""

import math
import tomllib

import numpy as np

import dem
from driver.study import curve

CONTACT_TIME = 0.0984359  # t_c of the reference (s), by which published rates are measured
PRESHEAR = 1e-4  # γ̇ t_c: what is discarded need not be sheared slowly
DISCARDED = 0.5  # γ
SMALL_BEGIN, SMALL_END = 0.2, 0.5  # γ of the cells of other sizes
LAYERS = 16
COLUMNS = ("bottom", "top", "normal", "kinetic", "strain", "sliding_fraction", "coordination", "shift", "turn")


def shear_case(text, rate, elongation, plane, seed, strain, preshear=0.0, keys=(), held="stress"):
    """Of case.toml, with changes of keys. Up to the strain `preshear` it is sheared at PRESHEAR. With the height held
    nothing is compressed before."""
    tables = tomllib.loads(text)
    tables["assembly"] |= {"elongation": elongation, "seed": seed}
    tables["contact"]["contact_plane"] = plane
    compress, shear = tables["stage"]
    slow = shear | {"shear_rate": rate / CONTACT_TIME, "strain": strain - preshear}
    fast = shear | {"name": "preshear", "shear_rate": PRESHEAR / CONTACT_TIME, "strain": preshear}
    stages = [compress, fast, slow] if preshear else [compress, slow]
    if held == "height":
        stages = [{name: slow[name] for name in ("name", "shear_rate", "strain")} | {"normal": "hold-height"}]
    return dem.Case(tables | {"stage": stages}).changed(dict(keys))


def shear(text, rate, elongation, plane, seed, strain, preshear=0.0, keys=(), held="stress", discarded=DISCARDED):
    """Runs a case. A row for each interval of the series while the plates shear: stresses and energy are means over it,
    which takes out vibrations of a few contact times; the rest is at its end."""
    case = shear_case(text, rate, elongation, plane, seed, strain, preshear, keys, held)
    step = case["time.step"]
    while True:  # one of many seeds may have a body so small or slender that the step is above its limit
        try:
            return sheared(dem.Run(case, threads=1), discarded)
        except dem.StepTooLarge:
            case = case.changed({"time.step": 0.8 * case["time.step"]})
            if case["time.step"] < 0.5 * step:
                raise


def other_cells(run, name, side, elongation, step, seeds, end=SMALL_END):
    """Records of cells with side × side free polygons, an elongation and a Δt/t_c. They count from SMALL_BEGIN on, at
    γ̇t_c = 3e-4 and the held stress of slow-shear."""
    keys = [["contact.elongation", elongation], ["time.step", step * CONTACT_TIME], ["assembly.columns", side],
            ["assembly.rows", side + 2], ["stage.compress.plate_speed", 0.05],
            ["stage.preshear.shear_rate", 1e-3 / CONTACT_TIME]]
    points = [(run.case_text("../slow-shear/case.toml"), 3e-4, 1.0, "area-gradient", seed, end, SMALL_BEGIN, keys,
               "stress", SMALL_BEGIN) for seed in range(1, seeds + 1)]
    return [Record(found, SMALL_BEGIN) for found in run.map(name, shear, points)]


def sheared(run, discarded=DISCARDED):
    case, reference = run.case, {}
    series = run.record("strain", "wall_shear_bottom", "wall_shear_top", "wall_normal_bottom", "wall_normal_top",
                        "kinetic_energy", "sliding_fraction", "coordination")

    @run.every(strain=discarded)
    def passes(now):
        if not reference:
            reference.update(strain=now.strain, x=now.bodies.position[:, 0].copy(), angle=now.bodies.angle.copy())

    run()
    begin = np.argmax(series["strain"] > 0)  # after the compression
    steps = round(case["output.series_interval"] / run.time_step)  # of a row

    def rows(name):
        column = series[name][begin:]
        return column[:len(column) // steps * steps].reshape(-1, steps)

    means = {"bottom": rows("wall_shear_bottom"), "top": rows("wall_shear_top"),
             "normal": 0.5 * (rows("wall_normal_bottom") + rows("wall_normal_top")),
             "kinetic": rows("kinetic_energy")[:, 9::10]}
    found = {name: values.mean(axis=1).tolist() for name, values in means.items()}
    found |= {name: rows(name)[:, -1].tolist() for name in ("strain", "sliding_fraction", "coordination")}
    with run.look() as now:
        bodies, free = now.bodies, ~(now.bodies.in_group("top-plate") | now.bodies.in_group("bottom-plate"))
        diameter, last = 2 * bodies.radius[free].mean(), case.to_dict()["stage"][-1]
        pressure = last.get("normal_stress") or np.mean(found["normal"])  # held, or found
        return found | layers(now, free, reference) | {
            "time_step": run.time_step, "jumps": 1e6 * run.plane_jump_rate,
            "residual": abs(run.ledger["energy_residual"]) / run.ledger["absolute_work"],
            "stiffness": case["material.normal_stiffness"] / max(found["normal"]),
            "inertial": last["shear_rate"] * diameter * math.sqrt(case["material.density"] / pressure),
            "picture": [drawn(now, *body) for body in zip(bodies.outlines(), bodies.position[:, 0], free.tolist())]}


def layers(now, free, reference):
    """Displacement along x since the reference and rotation, over the strain gained, in layers of equal thickness."""
    low, height = now.bodies.position[now.bodies.in_group("bottom-plate"), 1].mean(), now.series["height"]
    at = ((now.bodies.position[:, 1] - low) / (height / LAYERS)).astype(int)
    inside = free & (now.bodies.position[:, 1] >= low) & (at < LAYERS)
    gained, area = now.strain - reference["strain"], now.bodies.mass[inside]  # of one density

    def mean(values):
        sums = [np.bincount(at[inside], w, LAYERS) for w in (area * values[inside], area)]
        with np.errstate(invalid="ignore"):
            return sums[0] / sums[1]  # nan: no body

    return {"shift": (mean(now.bodies.position[:, 0] - reference["x"]) / (gained * height)).tolist(),
            "turn": (mean(now.bodies.angle - reference["angle"]) / gained).tolist()}


def drawn(now, outline, middle, inside):
    """A body, back in the cell."""
    width = now.cell_vectors[0, 0]
    shift = width * math.floor((middle - now.cell_origin[0]) / width)
    return {"x": (outline[:, 0] - shift).tolist(), "y": outline[:, 1].tolist(), "label": "",
            "role": "body-i" if inside else "body-j"}


class Record(dict):
    """The data that a run leaves, its columns as arrays. `window` are its rows from the strain `begin` on."""

    def __init__(self, found, begin=DISCARDED):
        super().__init__(found | {name: np.array(found[name]) for name in COLUMNS})
        self.window = self.rows(begin)

    def rows(self, low, high=math.inf):
        """Those with γ from low to high."""
        return slice(*np.searchsorted(self["strain"], (low, high)).tolist())

    def mean(self, name, rows=None):
        return float(self[name][self.window if rows is None else rows].mean())

    def ratio(self, rows=None):
        """Mean shear over mean normal stress."""
        return 0.5 * (self.mean("bottom", rows) + self.mean("top", rows)) / self.mean("normal", rows)

    def log_energy(self):
        return math.log(self.mean("kinetic"))

    def drift(self):
        first, end = self.window.start, len(self["strain"])
        return self.ratio(slice((first + end) // 2, end)) - self.ratio(slice(first, (first + end) // 2))

    def localisation(self):
        """Share of the displacement between the plates that the quarter of the layers with most shear carries."""
        steps = np.sort(abs(np.diff(self["shift"])))[::-1]
        steps = steps[np.isfinite(steps)]
        quarter = len(steps) / 4  # not a whole number: the last one counts in part
        return float((steps * np.clip(quarter - np.arange(len(steps)), 0, 1)).sum() / steps.sum())


def over_strain(word, records, width, value):
    """Mean over the records of value(record, rows) in intervals of strain, as a curve."""
    starts = np.arange(0, records[0]["strain"][-1] - width + 1e-9, width)
    means = [np.mean([value(r, r.rows(start, start + width)) for r in records]) for start in starts]
    return curve(word, starts + width / 2, means, "line")
