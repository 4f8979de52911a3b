"""Slow shear with the usual elongation against the number of polygons: the practical side of the conjecture that the
limit of the time step falls as 1/N. The case is that of slow-shear."""

import math

import numpy as np

from driver.seeds import SeedMean
from driver.study import curve, panel
from shear_cell import Record, other_cells

SIDES = {4: 64, 8: 48, 16: 16, 32: 6}  # seeds by the free polygons along a side
REFERENCE, *OTHERS = ("geometric", 0.05), ("velocity", 0.05), ("velocity", 0.02)  # elongation and Δt/t_c
QUANTITIES = {"σ_xy/σ_yy": Record.ratio, "E_k": lambda r: r.mean("kinetic"),
              "sliding fraction": lambda r: r.mean("sliding_fraction")}
SHARE = 0.05  # a change by which a quantity has left its limit


def quantities(run, side, elongation, step, *seeds_and_end):
    records = other_cells(run, f"{side}-{elongation}-{step}", side, elongation, step, *seeds_and_end)
    return {name: [value(r) for r in records] for name, value in QUANTITIES.items()}


class Change:
    """Ratio of two means less one, with the interval of 95 % (logarithms, Welch). Runs of one seed have nothing in
    common after a while: shear is chaotic."""

    def __init__(self, values, reference):
        mean = math.log(np.mean(values) / np.mean(reference))
        half = SeedMean.difference(*(np.divide(v, np.mean(v)) for v in (values, reference))).half_width()
        self.value, self.low, self.high = (math.expm1(mean + k * half) for k in (0, -1, 1))

    def text(self):
        return f"{100 * self.value:+.0f} % [{100 * self.low:+.0f}, {100 * self.high:+.0f}]"

    def left(self):
        """True: beyond SHARE; False: within it; None: the interval does not tell."""
        if self.low > SHARE or self.high < -SHARE:
            return True
        return False if -SHARE < self.low and self.high < SHARE else None


def study(run):
    if run.quick:
        return {"few": {which[0]: float(np.mean(quantities(run, 4, *which, 2, 0.25)["σ_xy/σ_yy"]))
                        for which in (REFERENCE, OTHERS[0])}}
    found = {side: {which: quantities(run, side, *which, seeds) for which in (REFERENCE, *OTHERS)}
             for side, seeds in SIDES.items()}
    changes = {step: {name: [Change(of[elongation, step][name], of[REFERENCE][name]) for of in found.values()]
                      for name in QUANTITIES} for elongation, step in OTHERS}
    numbers = [side**2 for side in SIDES]
    run.figure("Slow shear with the usual elongation against the number of polygons",
               "Change of `velocity` against `geometric` at Δt/t_c = 0.05, with the intervals of 95 %; held stress, "
               "γ̇t_c = 3e-4, γ from 0.2 to 0.5.",
               [panel(name, "free polygons N", f"change of {name}",
                      [curve(f"Δt/t_c = {step:g}", numbers, [c.value for c in of[name]],
                             low=[c.low for c in of[name]], high=[c.high for c in of[name]])
                       for step, of in changes.items()], "x")
                for name in QUANTITIES], name="number", case=run.case_text("../slow-shear/case.toml"))

    def told(step):
        return "; ".join(f"N = {number} ({seeds} seeds): "
                         + ", ".join(f"{name} {of[k].text()}" for name, of in changes[step].items())
                         for k, (number, seeds) in enumerate(zip(numbers, SIDES.values())))

    left = [[change.left() for change in of] for of in zip(*changes[0.05].values())]  # by N
    return {"usual": told(0.05), "small": told(0.02), "usual_left": [True in of for of in left],
            "usual_within": [all(v is False for v in of) for of in left],
            "ratio": "; ".join(f"N = {side**2}: {SeedMean(of[REFERENCE]['σ_xy/σ_yy']).text()}"
                               for side, of in found.items()),
            "largest": changes[0.05]["σ_xy/σ_yy"][-1].text()}
