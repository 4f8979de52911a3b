"""Fig. 3, case B of the reference: 5000 glass beads of two moduli under four normal stresses; what the stiffness does
to strength. Three packings."""

import tomllib

import numpy as np

import dem
from box import SPHERES, degrees, drawn, loaded, shear_boxes, spread
from driver.digits import csv_rows
from driver.seeds import SeedMean
from driver.study import curve, panel

SEEDS = (1, 2, 3)  # of the rain
SLOW = ("stiff-3.1", "soft-24.2")  # once more at the speed of the paper
TEXTS = ("name", "history")


def beads():
    """Case B, by what it has other than case A. E = 40 MPa. The plate comes down at gain times load, 0.13 m/s."""
    tables = tomllib.loads(SPHERES.read_text(encoding="utf-8"))
    glass = {"density": 2550.0, "shear_modulus": 16393442.62295082, "poisson_ratio": 0.22}
    tables |= {"title": "5000 glass beads, direct shear", "material": glass | {"friction": 0.18, "restitution": 0.87},
               "other_material": [glass | {"name": "walls", "friction": 0.13}]}
    tables["assembly"] |= {"radius": 3e-3, "columns": 10, "rows": 10, "pitch": 0.012, "centre": [0.06, 0.06],
                           "layer_spacing": 0.0061200000000000004, "lowest": -0.02194}
    tables["shear_box"] |= {"length": 0.12, "gap": 3e-3, "height": 0.29300000000000004, "ledge": 0.016,
                            "servo_gain": 3e-3}
    del tables["stage"][1]["friction"]
    return dem.Case(tables).changed(
        loaded(3100.0) | {"stage.rain.duration": 0.35, "stage.compact.duration": 0.6})


def codes(run):
    """What codes found, each with one packing: kPa, degrees, diameters. `travel` is that of their run (mm)."""
    return {row["name"]: {key: value if key in TEXTS else float(value) for key, value in row.items()}
            for row in csv_rows(run.folder / "codes.csv")}


def changes(row, modulus):
    """Of the case, for a row of the table. The contacts under the plate grow stiffer as the cube root of the stress;
    the gain keeps gain times stiffness times step below 0.2."""
    stress, modulus = 1e3 * row["kPa"], modulus * (row["young"] / 4e7)
    return loaded(stress) | {
        "shear_box.servo_gain": 3e-3 * np.cbrt(3100 / stress), "material.shear_modulus": modulus,
        "other_material.walls.shear_modulus": modulus, "contact.history": "none" if row["history"] == "no" else "true"}


def measure(test, travel):
    """Shear stresses (kPa), plane angles (degrees), and N of both states (kPa)."""
    shown = test.travel <= travel
    shear, plane = (1e-3 * test.rows[name] / test.area for name in ("shear", "plane"))
    peak = np.argmax(shear[shown])
    late = [1e-3 * test.mean(name, 0.6 * travel, travel) / test.area for name in ("shear", "plane")]
    return {"largest": shear[peak], "residual": late[0], "angle_largest": degrees((shear / plane)[shown].max()),
            "angle_residual": degrees(late[0] / late[1]), "plane_largest": plane[peak], "plane_residual": late[1]}


def fits(run, rows, found):
    """Peak and residual shear stress against the normal stress on the shear plane, with their lines."""
    panels, told = [], {}
    for state in ("largest", "residual"):
        curves, parts = [], []
        for young in (4e7, 4e6):
            chosen = [name for name, row in rows.items() if row["young"] == young and row["history"] == "true"]
            x, y = ([found[name][key].mean for name in chosen] for key in (f"plane_{state}", state))
            (slope, start), (as_loaded, at_zero) = (
                np.polyfit(stress, y, 1) for stress in (x, [rows[name]["kPa"] for name in chosen]))
            parts.append(f"E = {young:g} Pa: {degrees(slope):.1f}° with intercept {start:+.2f} kPa on the plane, "
                         f"{degrees(as_loaded):.1f}° with {at_zero:+.2f} kPa against the plate's stress")
            curves += [curve(f"E = {young:g} Pa", x, y, "points"),
                       curve(f"{degrees(slope):.1f}°, intercept {start:+.2f} kPa", [0, x[-1]],
                             [start, start + slope * x[-1]], "prediction")]
        told[state] = "; ".join(parts)
        panels.append(panel(state, "N/W² (kPa)", "T/W² (kPa)", curves))
    run.figure("Shear stress against the normal stress on the shear plane, four normal stresses",
               "T/W² against N/W², at the largest T and as mean over the last two fifths, means over three packings; "
               "straight lines by least squares.",
               panels, "angles")
    return told


def draw(run, given, rows, tests):
    run.figure("Direct shear of 5000 glass beads of two moduli under four normal stresses",
               "Means over 0.1 mm and over three packings, bands from the lowest to the highest of them. Above all of "
               "it lies the weight of the beads: 982 Pa over the plan.",
               [panel(f"E = {young:g} Pa", "displacement (mm)", label,
                      [drawn(f"{row['kPa']:g} kPa" + (", no history" if row["history"] == "no" else ""),
                             tests[name], value, 1e-3) for name, row in rows.items() if row["young"] == young])
                for label, value in (("T/W² (kPa)", "stress"), ("T/N", "over_plane")) for young in (4e7, 4e6)],
               case=given.to_toml())


def quarter(run, given):
    """A quarter of the plan, as a case of its own: its walls carry twice as much for the area."""
    case = given.changed({"assembly.columns": 5, "assembly.rows": 5, "assembly.centre": [0.03, 0.03],
                          "shear_box.length": 0.06, "shear_box.servo_gain": 0.012,  # a quarter of the contacts
                          "stage.compact.duration": 0.3, "stage.rest.duration": 0.05,
                          "stage.shear.shear_velocity": 0.02, "stage.shear.shear_displacement": 3e-3})
    _, (test,) = shear_boxes(run, [case], [(0, case)])
    return {"angle": test.angle(2e-3, 3e-3), "ratio": test.ratio(2e-3, 3e-3)}


def study(run):
    given, rows = beads(), codes(run)
    if run.quick:
        return quarter(run, given)
    packings = [given.changed({"assembly.seed": seed}) for seed in SEEDS]
    modulus = given["material.shear_modulus"]
    tests = [(k, case.changed(changes(row, modulus))) for row in rows.values() for k, case in enumerate(packings)]
    tests += [(0, packings[0].changed(changes(rows[name], modulus) | {"stage.shear.shear_velocity": 1e-3}))
              for name in SLOW]
    curves = iter(shear_boxes(run, packings, tests)[1])
    tests = {name: [next(curves) for _ in SEEDS] for name in rows}
    each = {name: [measure(test, 1e-3 * row["travel"]) for test in tests[name]] for name, row in rows.items()}
    found = {name: {key: SeedMean([m[key] for m in of_row]) for key in of_row[0]} for name, of_row in each.items()}
    draw(run, given, rows, tests)
    at_none = 1e-3 * rows["stiff-3.1-none"]["travel"]
    slowed = {name: [measure(test, 1e-3 * rows[name]["travel"])[key] / each[name][0][key]
                     for key in ("largest", "residual")] for name, test in zip(SLOW, curves)}
    return {
        "fits": fits(run, rows, found), "row": found,
        "stiff": spread([found[f"stiff-{stress:g}"]["angle_residual"].mean for stress in (3.1, 6.4, 12.5, 24.2)], 1),
        "below": 100 * (1 - found["soft-24.2"]["largest"].mean / found["stiff-24.2"]["largest"].mean),
        "factor": SeedMean([measure(true, at_none)["residual"] / none["residual"]
                            for true, none in zip(tests["stiff-3.1"], each["stiff-3.1-none"])]),
        "scatter": 100 * max(f[key].error * len(SEEDS) ** 0.5 / f[key].mean for f in found.values()
                             for key in ("largest", "residual")),
        "slow": ", ".join(f"{name}: {a:.3f} and {b:.3f}" for name, (a, b) in slowed.items()),
        "slow_off": max(abs(ratio - 1) for pair in slowed.values() for ratio in pair)}
