"""Table 1: lengths of histories over pressure, exact and merged. The paper prints neither pressure nor stiffness."""

import math

import numpy as np

import dem
from driver.study import curve, panel
from spheres import EXACT, FIFTH, LAWS, PRESSURE, SHEAR_MODULUS, STEP, STRAIN_A_STEP, TENTH, make_packing, tables_of

SHOWN = dict(zip((EXACT, TENTH, FIFTH), (260, 171, 107)))  # legs of the paper
# The paper prints no weights of the slopes that it averages.
PLAIN = {f"{law}, plain mean": {"law": "jaeger", "merge_slope_plain": LAWS[law]["merge_slope"]}
         for law in list(SHOWN)[1:]}


def longest(packing, law, pressure, strain, damping):
    """Largest mean length of a history in biaxial compression at the pressure (Pa). Damping is the share of its
    momentum that a body loses in a step."""
    held = {"stress_xx": -pressure, "stress_yy": -pressure, "stress_zz": -pressure, "friction": 0.0}
    tables = tables_of(packing)
    tables["material"] |= {"mass_damping": damping / STEP}
    run = dem.Run(dem.Case(tables | {
        "title": f"{law} at {pressure:g} Pa", "contact": (LAWS | PLAIN)[law], "output": {"ledger": False},
        "stage": [held | {"name": "press", "largest_rate": 1e-5 / STEP, "mass_damping": 0.01 / STEP,
                          "unbalanced": 1e-3, "duration": 20000 * STEP},
                  {"name": "compress", "stress_xx": -pressure, "rate_zz": -STRAIN_A_STEP / STEP, "strain": strain}]}),
        threads=1)
    most = 0.0

    @run.every(steps=50)
    def watch(now):
        nonlocal most
        if now.stage == 2:
            memory = run.history_memory
            most = max(most, memory["legs"] / memory["contacts"])

    run()
    return most


def study(run):
    count, strain = (100, 0.001) if run.quick else (1000, 0.008)
    scan = [PRESSURE * factor for factor in ((1, 4) if run.quick else (1, 2, 4, 8, 16))]
    ratios, laws = [p / SHEAR_MODULUS for p in scan], [*SHOWN, *PLAIN]
    packing, = run.map("packing", make_packing, [(count, 1)])
    points = [(law, p, strain, 0.0) for law in laws for p in scan] + [(law, PRESSURE, strain, 0.05) for law in SHOWN]
    *found, damped, damped_tenth, damped_fifth = run.map("longest", longest, [(packing, *point) for point in points])
    legs = dict(zip(laws, np.reshape(found, (len(laws), len(scan)))))
    curves = [curve(law, ratios, of) for law, of in legs.items()]
    curves += [curve(f"paper, {law}", ratios, len(scan) * [of], "prediction") for law, of in SHOWN.items()]
    run.figure("Lengths of histories over the pressure",
               f"Biaxial compression to {100 * strain:g} %, {STRAIN_A_STEP:g} a step: largest mean length of a run.",
               [panel("longest", "p/G", "legs", curves, "xy")])
    # Where the exact histories have the length of the paper, on straight lines in logarithms.
    x, y, wanted = np.log(ratios), np.log(legs[EXACT]), math.log(SHOWN[EXACT])
    known = bool(y.min() <= wanted <= y.max() and (np.diff(y) > 0).all())
    there = np.interp(wanted, y, x) if known else math.nan
    at = np.exp([np.interp(there, x, np.log(of)) for of in legs.values()])

    def shortened(tenth, fifth):
        return "; ".join(f"{b:.2f} and {c:.2f}" for b, c in zip(legs[tenth] / legs[EXACT], legs[fifth] / legs[EXACT]))

    return {"count": count, "known": known, "at": at, "slope": np.polyfit(x, y, 1)[0],
            "there": f"260, {at[1]:.0f}, {at[2]:.0f} at p/G = {math.exp(there):.2g}, between runs" if known
                     else "260 at no p/G of the scan",
            "ratios": at[1:3] / at[0], "plain": at[3:] / at[0],
            "scanned": "; ".join(f"p/G = {ratio:.2g}: " + ", ".join(f"{legs[law][k]:.0f}" for law in SHOWN)
                                 for k, ratio in enumerate(ratios)),
            "shortened": shortened(*laws[1:3]), "shortened_plain": shortened(*laws[3:]),
            "damped": [damped, damped_tenth, damped_fifth], "undamped": legs[EXACT][0]}
