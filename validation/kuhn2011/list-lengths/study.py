"""Table 1: lengths of histories over pressure, exact and merged. The paper prints neither pressure nor stiffness."""

import math

import numpy as np

import dem
from driver.study import curve, panel
from spheres import EXACT, LAWS, PRESSURE, SHEAR_MODULUS, STEP, make_packing, tables_of

SHOWN = dict(zip((EXACT, "jaeger, merged 0.10 f", "jaeger, merged 0.20 f"), (260, 171, 107)))  # legs of the paper
# The paper prints no weights of the slopes that it averages.
PLAIN = {f"{law}, plain mean": {"law": "jaeger", "merge_slope_plain": LAWS[law]["merge_slope"]}
         for law in list(SHOWN)[1:]}
STRAIN_A_STEP = 1e-6  # as in the paper


def lengths(packing, law, pressure, strain, damping):
    """Strain, mean length of a history and share of sliding contacts, in biaxial compression at the pressure (Pa).
    Damping is the share of its momentum that a body loses in a step."""
    held = {"stress_xx": -pressure, "stress_yy": -pressure, "stress_zz": -pressure, "friction": 0.0}
    tables = tables_of(packing)
    tables["material"] |= {"mass_damping": damping / STEP}
    run = dem.Run(dem.Case(tables | {
        "title": f"{law} at {pressure:g} Pa", "contact": (LAWS | PLAIN)[law], "output": {"ledger": False},
        "stage": [held | {"name": "press", "largest_rate": 1e-5 / STEP, "mass_damping": 0.01 / STEP,
                          "unbalanced": 1e-3, "duration": 20000 * STEP},
                  {"name": "compress", "stress_xx": -pressure, "rate_zz": -STRAIN_A_STEP / STEP, "strain": strain}]}),
        threads=1)
    rows = []

    @run.every(steps=50)
    def watch(now):
        if now.stage == 2:
            memory = run.history_memory
            rows.append([now.strain, memory["legs"] / memory["contacts"], now.series["sliding_fraction"]])

    run()
    return rows


def longest(rows):
    return max(row[1] for row in rows)


def pressure_of(length, by_pressure):
    """Pressure at which the exact histories have the length, on a straight line in logarithms; NaN beyond the scan."""
    x, y = np.log(list(by_pressure)), np.log(list(by_pressure.values()))
    inside = y.min() <= math.log(length) <= y.max() and (np.diff(y) > 0).all()
    return math.exp(np.interp(math.log(length), y, x)) if inside else math.nan


def draw(run, found, scan, strain):
    over = [panel(f"p = {p / 1e3:g} kPa", "axial strain (%)", "mean number of legs of a contact", [
        curve(law, [100 * abs(row[0]) for row in found[law, p, 0.0]], [row[1] for row in found[law, p, 0.0]], "line")
        for law in [*SHOWN, *PLAIN]], "y") for p in scan]
    largest = [curve(law, [p / SHEAR_MODULUS for p in scan], [longest(found[law, p, 0.0]) for p in scan])
               for law in [*SHOWN, *PLAIN]]
    paper = [curve(f"paper, {law}", [p / SHEAR_MODULUS for p in scan], [legs] * len(scan), "prediction")
             for law, legs in SHOWN.items()]
    run.figure("Lengths of histories over the pressure",
               f"Biaxial compression to {100 * strain:g} %, {STRAIN_A_STEP:g} a step. Last: largest mean of a run.",
               [*over, panel("longest", "p/G", "legs", largest + paper, "xy")])


def study(run):
    count, strain = (100, 0.001) if run.quick else (1000, 0.008)
    scan = [PRESSURE * factor for factor in ((1, 4) if run.quick else (1, 2, 4, 8, 16))]
    packing, = run.map("packing", make_packing, [(count, 1)])
    points = [(law, p, 0.0) for law in [*SHOWN, *PLAIN] for p in scan] + [(law, PRESSURE, 0.05) for law in SHOWN]
    found = dict(zip(points, run.map("lengths", lengths, [(packing, law, p, strain, d) for law, p, d in points])))
    draw(run, found, scan, strain)
    legs = {law: {p: longest(found[law, p, 0.0]) for p in scan} for law in [*SHOWN, *PLAIN]}
    there = pressure_of(SHOWN[EXACT], legs[EXACT])
    known = math.isfinite(there)
    at = [math.exp(np.interp(math.log(there), np.log(scan), np.log(list(of.values())))) if known else math.nan
          for of in legs.values()]

    def shortened(laws):
        a, b, c = (legs[law] for law in laws)
        return "; ".join(f"{b[p] / a[p]:.2f} and {c[p] / a[p]:.2f}" for p in scan)

    slope = np.polyfit(np.log(scan), np.log(list(legs[EXACT].values())), 1)[0]
    at_there = "260 at no p/G of the scan"
    if known:
        at_there = f"260, {at[1]:.0f}, {at[2]:.0f} at p/G = {there / SHEAR_MODULUS:.2g}, between runs"
    return {"count": count, "known": known, "at": at, "there": at_there, "slope": slope,
            "ratios": [of / at[0] for of in at[1:3]], "plain": [of / at[0] for of in at[3:]],
            "scanned": "; ".join(f"p/G = {p / SHEAR_MODULUS:.2g}: " + ", ".join(f"{legs[law][p]:.0f}" for law in SHOWN)
                                 for p in scan),
            "shortened": shortened(SHOWN), "shortened_plain": shortened([EXACT, *PLAIN]),
            "damped": [longest(found[law, PRESSURE, 0.05]) for law in SHOWN], "undamped": legs[EXACT][PRESSURE]}
