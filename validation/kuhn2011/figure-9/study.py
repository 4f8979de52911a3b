"""Fig. 9: tractions over the contact area at three stages of oblique loading and unloading (U2), and after nine steps
(U3): the digits of the reference, the limit of friction at every point, and their integrals. Source: jaeger-contact
reference, §10 and §16."""

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
    """Material, limit, forces and stored legs at a stage, and the radii of its rings."""
    _, name, steps = STAGES[stage]
    m, moves, _ = table(name)
    states = drive(m, moves[:steps], legs_after=[steps])
    legs = states.legs[steps]
    rings = np.sqrt(radius(m) * legs[:, 0])
    return m, limit(m, states)[-1], states.normal_force[-1], states.tangential[-1, 0], legs, rings


def integral(m, legs, rings, intervals):
    """∫ (σ, τ) 2πρ dρ by Simpson's rule between the radii of the legs. ρ = r + (r' − r) sin θ takes away the root at
    the edge of a ring."""
    angle = 0.5 * np.pi * np.arange(intervals + 1) / intervals
    weight = np.where(np.arange(intervals + 1) % 2, 4.0, 2.0) * 0.5 * np.pi / intervals / 3
    weight[[0, -1]] /= 2
    total = np.zeros(2)
    for inner, outer in zip([0, *rings[:-1]], rings):
        rho = inner + (outer - inner) * np.sin(angle)
        pressure, shear = dem.tractions(m, legs, rho)
        area = weight * (outer - inner) * np.cos(angle) * 2 * np.pi * rho
        total += (area * pressure).sum(), (area * shear[:, 0]).sum()
    return total


def radii(rings, in_a_ring):
    """ρ from 0 to a, dense at the edges of the rings."""
    share = 0.5 * (1 - np.cos(np.pi * np.arange(in_a_ring) / in_a_ring))
    inner = np.concatenate([[0], rings[:-1]])
    return np.append((inner[:, None] + (rings - inner)[:, None] * share).ravel(), rings[-1])


def judged(stage, file):
    m, most, normal, tangential, legs, rings = at_stage(stage)
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
    coarse, fine = (integral(m, legs, rings, n) for n in (2000, 4000))
    return {
        "a": fronts[-1], "count": len(at), "first": printed_shear[0], "last": printed_shear[-1],
        "digits": np.abs(shear - printed_shear).max() / (m["friction"] * pressure_0),
        "fronts": np.abs(known / fronts - 1).max() if len(known) == len(fronts) else np.inf, "rings": len(rings),
        "points": len(share), "beyond": max(share.max() - 1, 0), "slipped": np.abs(share[slipped] - 1).max(),
        "inside": share[~slipped].min(), "shear_off": abs(fine[1] - tangential) / most,
        "normal_off": abs(fine[0] / normal - 1), "quadrature": abs(fine[1] - coarse[1]) / most,
    }


def draw(run, file):
    panels = []
    for stage, (name, *_) in STAGES.items():
        m, most, _, tangential, legs, rings = at_stage(stage)
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
