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


def printed(file, stage):
    """Values of the reference: contact radius and radii of the fronts (m), then ρ/a and τ (Pa)."""
    rows = [row for row in csv_rows(file) if row["stage"] == stage]
    fronts = np.array([float(row["radius"]) for row in rows if not row["shear"]])
    return fronts, *np.array([(float(row["radius"]), float(row["shear"])) for row in rows if row["shear"]]).T


def at_stage(stage):
    """Material, limit, tangential force and stored legs at a stage, and the radii of its rings."""
    _, name, steps = STAGES[stage]
    m, moves, _ = table(name)
    states = drive(m, moves[:steps], legs_after=[steps])
    legs = states.legs[steps]
    rings = np.sqrt(radius(m) * legs[:, 0])
    return m, limit(m, states)[-1], states.tangential[-1, 0], legs, rings


def radii(rings, in_a_ring):
    """ρ from 0 to a, dense at the edges of the rings."""
    share = 0.5 * (1 - np.cos(np.pi * np.arange(in_a_ring) / in_a_ring))
    inner = np.concatenate([[0], rings[:-1]])
    return np.append((inner[:, None] + (rings - inner)[:, None] * share).ravel(), rings[-1])


def judged(stage, file):
    m, _, _, legs, rings = at_stage(stage)
    fronts, at, printed_shear = printed(file, stage)
    pressure_0 = dem.tractions(m, legs, [0.0])[0][0]
    shear = dem.tractions(m, legs, at * fronts[-1])[1][:, 0]
    known = rings if len(fronts) > 1 else rings[-1:]
    # The sums of σ over the legs round; the ring that slipped last is at the limit.
    rho = radii(rings, 2000)
    pressure, tau = dem.tractions(m, legs, rho)
    holds = pressure > 0
    share = np.abs(tau[holds, 0]) / (m["friction"] * pressure[holds])
    slipped = rho[holds] > rings[-2]
    return {
        "a": fronts[-1], "count": len(at), "first": printed_shear[0], "last": printed_shear[-1],
        "digits": np.abs(shear - printed_shear).max() / (m["friction"] * pressure_0),
        "fronts": np.abs(known / fronts - 1).max() if len(known) == len(fronts) else np.inf, "rings": len(rings),
        "points": len(share), "beyond": max(share.max() - 1, 0), "slipped": np.abs(share[slipped] - 1).max(),
        "inside": share[~slipped].min(),
    }


def draw(run, file):
    panels = []
    for stage, (name, *_) in STAGES.items():
        m, most, tangential, legs, rings = at_stage(stage)
        _, at, printed_shear = printed(file, stage)
        rho = radii(rings, 120)
        pressure, shear = dem.tractions(m, legs, rho)
        scale, x = m["friction"] * pressure[0], rho / rings[-1]
        panels.append(panel(f"{name}: F_t = {tangential / most:.3f} f F_n", "ρ/a", "τ/(f σ(0))", [
            curve("τ", x, shear[:, 0] / scale, "line"), curve("reference", at, printed_shear / scale, "points"),
            curve("f σ", x, pressure / pressure[0], "prediction"),
            curve("−f σ", x, -pressure / pressure[0], "prediction")]))
    run.figure("Tangential tractions over the contact area",
               "Oblique loading to F_t = 0.9 f F_n, halfway back, and back to −0.9 f F_n (chords of Fig. 8), and the "
               "nine steps of Fig. 4. Tractions over f σ(0) of the stage, distances over its contact radius; dashed: "
               "the limit of friction ±f σ. Points: values of the reference from 16 printed digits. Kinks are the ends "
               "of the legs of the stored history.", panels)


def study(run):
    file = run.folder / "tractions.csv"
    draw(run, file)
    return {stage.replace("-", "_"): judged(stage, file) for stage in STAGES}
