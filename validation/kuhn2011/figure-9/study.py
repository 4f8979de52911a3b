"""Fig. 9: tractions over the contact area at three stages of oblique loading and unloading (U2), and after nine steps
(U3): the digits of the reference and the limit of friction at every point. Source: jaeger-contact reference, §10 and
§16."""

import numpy as np

import dem
from driver.digits import csv_rows
from driver.study import curve, panel
from jaeger import drive, limit, radius, table

STAGES = {"U2-B": ("after loading (B)", "U2", 3), "U2-between": ("halfway back", "U2", 4),
          "U2-D": ("after unloading (D)", "U2", 5), "U3": ("after nine steps (U3)", "U3", 9)}


def radii(rings, in_a_ring):
    """ρ from 0 to a, dense at the edges of the rings."""
    share = 0.5 * (1 - np.cos(np.pi * np.arange(in_a_ring) / in_a_ring))
    inner = np.concatenate([[0], rings[:-1]])
    return np.append((inner[:, None] + (rings - inner)[:, None] * share).ravel(), rings[-1])


def at_stage(stage, printed):
    """Values of a stage, and its panel. Printed are contact radius and radii of the fronts (m), without a shear, and
    ρ/a with τ (Pa)."""
    title, name, steps = STAGES[stage]
    m, moves, _ = table(name)
    states = drive(m, moves[:steps], legs_after=[steps])
    legs = states.legs[steps]
    rings = np.sqrt(radius(m) * legs[:, 0])
    fronts = np.array([float(row["radius"]) for row in printed if not row["shear"]])
    at, printed_shear = np.transpose([(float(row["radius"]), float(row["shear"])) for row in printed if row["shear"]])
    shear = dem.tractions(m, legs, at * fronts[-1])[1][:, 0]
    known = rings if len(fronts) > 1 else rings[-1:]
    rho = radii(rings, 2000)
    pressure, tau = dem.tractions(m, legs, rho)
    scale = m["friction"] * pressure[0]
    # The sums of σ over the legs round; the ring that slipped last is at the limit.
    holds = pressure > 0
    share = np.abs(tau[holds, 0]) / (m["friction"] * pressure[holds])
    slipped = rho[holds] > rings[-2]
    values = {
        "a": fronts[-1], "count": len(at), "first": printed_shear[0], "last": printed_shear[-1],
        "digits": np.abs(shear - printed_shear).max() / scale,
        "fronts": np.abs(known / fronts - 1).max() if len(known) == len(fronts) else np.inf, "rings": len(rings),
        "points": len(share), "beyond": max(share.max() - 1, 0), "slipped": np.abs(share[slipped] - 1).max(),
        "inside": share[~slipped].min(),
    }
    x, limits = rho[::10] / rings[-1], pressure[::10] / pressure[0]
    curves = [curve("τ", x, tau[::10, 0] / scale, "line"), curve("reference", at, printed_shear / scale, "points"),
              curve("f σ", x, limits, "prediction"), curve("−f σ", x, -limits, "prediction")]
    force = states.tangential[-1, 0] / limit(m, states)[-1]
    return values, panel(f"{title}: F_t = {force:.3f} f F_n", "ρ/a", "τ/(f σ(0))", curves)


def study(run):
    rows = csv_rows(run.folder / "tractions.csv")
    found = {stage: at_stage(stage, [row for row in rows if row["stage"] == stage]) for stage in STAGES}
    run.figure("Tangential tractions over the contact area",
               "Oblique loading to F_t = 0.9 f F_n, halfway back, and back to −0.9 f F_n (chords of Fig. 8), and the "
               "nine steps of Fig. 4. Tractions over f σ(0) of the stage, distances over its contact radius; dashed: "
               "the limit of friction ±f σ. Points: values of the reference from 16 printed digits. Kinks are the ends "
               "of the legs of the stored history.", [shown for _, shown in found.values()])
    return {stage.replace("-", "_"): values for stage, (values, _) in found.items()}
