"""Slow shear with the usual elongation against the number of polygons: the practical side of the conjecture that the
limit of the time step falls as 1/N. The case is that of slow-shear."""

import math

import numpy as np

from driver.seeds import SeedMean
from driver.study import curve, panel
from shear_cell import CONTACT_TIME, Record, shear

BEGIN, END = 0.2, 0.5  # γ
SIDES = {4: 64, 8: 48, 16: 16, 32: 6}  # seeds by the free polygons along a side
STEPS = (("geometric", 0.05), ("velocity", 0.05), ("velocity", 0.02))  # elongation and Δt/t_c
QUANTITIES = {"σ_xy/σ_yy": Record.ratio, "E_k": lambda r: r.mean("kinetic"),
              "sliding fraction": lambda r: r.mean("sliding_fraction")}
SHARE = 0.05  # a change by which a quantity has left its limit


def runs(run, text, side, elongation, step, seeds, end=END):
    keys = [["contact.elongation", elongation], ["time.step", step * CONTACT_TIME], ["assembly.columns", side],
            ["assembly.rows", side + 2], ["stage.compress.plate_speed", 0.05],
            ["stage.preshear.shear_rate", 1e-3 / CONTACT_TIME]]
    points = [(text, 3e-4, 1.0, "area-gradient", seed, end, BEGIN, keys, "stress", BEGIN)
              for seed in range(1, seeds + 1)]
    found = [Record(f) for f in run.map(f"{side}-{elongation}-{step}", shear, points)]
    for record in found:
        record.window = slice(int(np.searchsorted(record["strain"], BEGIN)), None)
    return {name: [value(record) for record in found] for name, value in QUANTITIES.items()}


class Change:
    """Ratio of two means less one, with the interval of 95 % (logarithms, Welch). Runs of one seed have nothing in
    common after a while: shear is chaotic."""

    def __init__(self, values, reference):
        mean, half = self.logarithm(values, reference)
        self.value, self.low, self.high = (math.expm1(mean + k * half) for k in (0, -1, 1))

    @staticmethod
    def logarithm(values, reference):
        change = SeedMean.difference(*(np.divide(v, np.mean(v)) for v in (values, reference)))
        return math.log(np.mean(values) / np.mean(reference)), change.half_width()

    def text(self):
        return f"{100 * self.value:+.0f} % [{100 * self.low:+.0f}, {100 * self.high:+.0f}]"

    def left(self):
        """True: beyond SHARE; False: within it; None: the interval does not tell."""
        if self.low > SHARE or self.high < -SHARE:
            return True
        return False if -SHARE < self.low and self.high < SHARE else None


def study(run):
    text = (run.folder.parent / "slow-shear" / "case.toml").read_text(encoding="utf-8")
    if run.quick:
        few = {which: runs(run, text, 4, *which, 2, 0.25) for which in STEPS[:2]}
        return {"few": {which[0]: float(np.mean(found["σ_xy/σ_yy"])) for which, found in few.items()}}
    found = {side: {which: runs(run, text, side, *which, seeds) for which in STEPS} for side, seeds in SIDES.items()}
    changes = {side: {which: {name: Change(values[name], of[STEPS[0]][name]) for name in QUANTITIES}
                      for which, values in of.items() if which != STEPS[0]} for side, of in found.items()}
    run.figure("Slow shear with the usual elongation against the number of polygons",
               "Change of `velocity` against `geometric` at Δt/t_c = 0.05, with the intervals of 95 %; held stress, "
               "γ̇t_c = 3e-4, γ from 0.2 to 0.5.",
               [panel(name, "free polygons N", f"change of {name}",
                      [curve(f"Δt/t_c = {step:g}", [side**2 for side in SIDES], [c.value for c in of],
                             low=[c.low for c in of], high=[c.high for c in of])
                       for elongation, step in STEPS[1:]
                       for of in ([changes[side][elongation, step][name] for side in SIDES],)], "x")
                for name in QUANTITIES], name="number", case=text)

    def told(step):
        return "; ".join(f"N = {side**2} ({SIDES[side]} seeds): " + ", ".join(
            f"{name} {change.text()}" for name, change in changes[side]["velocity", step].items()) for side in SIDES)

    def left(step):
        return {side: [change.left() for change in changes[side]["velocity", step].values()] for side in SIDES}

    usual = left(0.05)
    return {"usual": told(0.05), "small": told(0.02), "usual_left": [True in usual[side] for side in SIDES],
            "usual_within": [all(v is False for v in usual[side]) for side in SIDES],
            "ratio": "; ".join(f"N = {side**2}: {SeedMean(found[side][STEPS[0]]['σ_xy/σ_yy']).text()}"
                               for side in SIDES),
            "largest": changes[max(SIDES)]["velocity", 0.05]["σ_xy/σ_yy"].text()}
