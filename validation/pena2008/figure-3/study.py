"""Fig. 3: the relaxation time of two discs against the time step, for stiffnesses and friction, with rotation (a, b)
and without (c, d)."""

import math
from dataclasses import dataclass

import numpy as np

import dem
from driver.study import curve, panel
from relaxation import drawn, falls, predicted, threshold_of, value_at
from step_map import contact_duration, slowest
from two_discs import WORDS, curves_of, steps_from, two_discs

STIFFNESSES = {"guided": (1.0, 50.0, 200.0, 1e4, 1e8), "guided no rotation": (1.0, 50.0, 200.0, 1e4, 1e8),
               "free no rotation": (1.0, 200.0, 1e8)}
FRICTIONS = {"free no rotation": (0.5, 1.0, 1.2, 2.0, 10.0, 500.0),  # the disc can rest above 1
             "guided no rotation": (0.0, 0.01, 0.1, 0.5, 1.0, 500.0)}
QUICK_FRICTIONS = {"free no rotation": (0.5, 1.2, 500.0), "guided no rotation": (0.0, 500.0)}


@dataclass(frozen=True)
class Series:
    reading: str
    curves: dict  # by stiffness
    limit: float  # t_R/t_c for Δt → 0

    @property
    def name(self):
        return WORDS[self.reading]

    @property
    def last(self):
        return list(self.curves.values())[-1]

    def spectrum(self, step):
        return slowest(reading=self.reading, elongation="predicted", dt_over_tc=step)

    def spread(self):
        """Largest relative difference between two stiffnesses at the same Δt/t_c."""
        rows = [[p.time for p in row if p.usable] for row in zip(*self.curves.values())]
        return max(max(row) / min(row) - 1 for row in rows if row)

    def thresholds(self):
        steps = [threshold_of(self.last, self.limit, tolerance) for tolerance in (0.05, 0.02, 0.01)]
        shown = [f"{s:.2e}" if math.isfinite(s) else "none up to the largest step" for s in steps]
        text = (f"{self.name}: {shown[0]} at 5 %, {shown[1]} at 2 %, {shown[2]} at 1 % of the limit {self.limit:.2f}; "
                f"smallest step {self.last[0].x:.0e}")
        return {"at_5": steps[0], "text": text, "decades": math.log10(steps[0])}


def read_series(run, reading):
    stiffnesses = (1.0, 1e8) if run.quick else STIFFNESSES[reading]
    steps = steps_from(1e-3 if run.quick else 1e-5)
    curves = curves_of(run, reading.replace(" ", "-"), {
        k: {step: (reading, step, "predicted", (), k) for step in steps} for k in stiffnesses})
    return Series(reading, curves, slowest(reading=reading, dt_over_tc=1e-3))


def by_friction(run, reading):
    steps, frictions = steps_from(1e-2 if run.quick else 1e-4), QUICK_FRICTIONS if run.quick else FRICTIONS
    return curves_of(run, "friction-" + reading.replace(" ", "-"), {
        mu: {step: (reading, step, "predicted", {"material.friction": mu}) for step in steps}
        for mu in frictions[reading]})


def as_printed():
    """The set-up with rotation: mean kinetic energy over 45 to 55 t_c and 95 to 105 t_c. Ten contact times are longer
    than the vibrations that ride on the energy of rolling."""
    run, rows = dem.Run(two_discs("free", 1e-2, "predicted", duration=105)), []
    run.every(steps=1)(lambda now: rows.append((now.time / contact_duration(), now.series["kinetic_energy"])))
    run()
    t, energy = np.array(rows).T
    return [float(energy[(t > start) & (t < start + 10.005)].mean()) for start in (45, 95)]


def draw(run, series, guided, free):
    step, time = "Δt/t_c", "t_R/t_c"
    steps = [p.x for p in series[0].last]
    scaled = []
    for k, found in series[0].curves.items():
        t_c, used = contact_duration(k), [p for p in found if p.usable]
        scaled.append(curve(f"k_n = {k:g} N/m", [t_c * p.x for p in used], [t_c * p.time for p in used]))
    panels = [panel("before scaling: with rotation, guided", "Δt (s)", "t_R (s)", scaled, log="xy")]
    for s, title in zip(series, ("a, b: with rotation, guided", "c: no rotation, guided", "c: no rotation, free")):
        curves = [drawn(f"k_n = {k:g} N/m", found) for k, found in s.curves.items()]
        curves.append(predicted("spectrum of the step", s.last[0].x, s.last[-1].x, s.spectrum))
        if s.reading == "guided":
            curves.append(predicted("no friction (guided)", steps[0], steps[-1], lambda dt: slowest(
                elongation="predicted", dt_over_tc=dt, friction=0), 1))
        panels.append(panel(title, step, time, curves, log="x"))
    for table, s in ((free, series[2]), (guided, series[1])):
        curves = [drawn(f"μ = {mu:g}", found, "line-and-points") for mu, found in table.items()]
        ends = table[500.0]
        panels.append(panel(f"d: friction, {s.name}", step, time, curves + [
            predicted("spectrum, sticking", ends[0].x, ends[-1].x, s.spectrum)], log="x"))
    run.figure("Relaxation time against the time step",
               "Conventional (velocity) elongation with the predicted velocity. Points: decay of the kinetic energy; "
               "dashed: exact spectrum of the step. The printed set-up has no equilibrium with rotation, so two "
               "well-posed readings stand for it: guided (the disc moves along the force) and free (it moves in x and "
               "y and does not rotate). The first panel is that of a, b before scaling.",
               panels, case=run.case_text())


def study(run):
    series = [read_series(run, reading) for reading in WORDS]
    rotation, held, _ = series
    friction_free, friction_guided = (by_friction(run, reading) for reading in FRICTIONS)
    (early, late), = run.map("as-printed", as_printed, [()])
    draw(run, series, friction_guided, friction_free)

    smallest, largest = rotation.last[0].x, rotation.last[-1].x
    at_smallest = value_at(rotation.last, smallest)
    halves = [b.time / a.time for a, b in zip(rotation.last, held.last) if a.usable and b.usable]
    bare = friction_guided[0.0]
    usable = {mu: sum(p.usable for p in found) for mu, found in friction_free.items()}
    counts = {side: ", ".join(f"{mu:g}: {usable[mu]} of {len(found)}" for mu, found in friction_free.items()
                              if (mu <= 1) == side) for side in (True, False)}
    thresholds = [s.thresholds() for s in series]
    return {
        "spread": max(s.spread() for s in series),
        "spreads": "; ".join(f"{s.name}: {len(s.curves)} stiffnesses differ by at most {100 * s.spread():.2g} %"
                             for s in series),
        "ends": [value_at(rotation.last, largest), largest, at_smallest, smallest],
        "below": 100 * (1 - at_smallest / rotation.limit), "limits": [s.limit for s in series],
        "falls": falls(rotation.last), "how": "falls" if falls(rotation.last) else "does not fall",
        "t": thresholds, "ratio": thresholds[0]["at_5"] / thresholds[2]["at_5"],
        "halves": [min(halves), max(halves), len(halves)],
        "growth": late / early, "exponent": math.log2(late / early),
        "bare": [bare[0].time, bare[0].x, 100 * max(abs(p.time / 159.0 - 1) for p in bare), len(bare)],
        "below_one": counts[True], "above_one": counts[False],
        "slides": not any(n for mu, n in usable.items() if mu <= 1) and all(n for mu, n in usable.items() if mu >= 10),
    }
