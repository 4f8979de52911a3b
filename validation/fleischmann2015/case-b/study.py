"""Fig. 3, case B of the reference: 5000 glass beads of two moduli under four normal stresses; what the stiffness does
to strength."""

import csv

import numpy as np

import dem
from box import degrees, drawn, loaded, over_load, over_plane, shear_boxes, spread
from driver.study import curve, panel


def codes(run):
    """What codes found, each with one packing: kPa, degrees, diameters. `travel` is that of their run (mm)."""
    with open(run.folder / "codes.csv", encoding="utf-8") as file:
        return {row["name"]: {key: value if key in ("name", "history") else float(value) for key, value in row.items()}
                for row in csv.DictReader(file)}


def servo_gain(stress):
    """The contacts under the plate grow stiffer as the cube root of the stress; this keeps gain times stiffness times
    step below 0.2."""
    return 3e-3 * np.cbrt(3100 / stress)


def measure(test, travel):
    """Shear stresses (kPa), plane angles (degrees), travel at half strength (mm), and T and N of both states (kPa)."""
    shown = test.travel <= travel
    shear, plane = (1e-3 * test.column(name) / test.area for name in ("shear", "plane"))
    peak = np.argmax(shear[shown])
    late = [1e-3 * test.mean(name, 0.6 * travel, travel) / test.area for name in ("shear", "plane")]
    return {"largest": shear[peak], "residual": late[0], "angle_largest": degrees((shear / plane)[shown].max()),
            "angle_residual": degrees(late[0] / late[1]),
            "half": 1e3 * test.travel[np.argmax(shear >= 0.5 * shear[peak])],
            "points": {"largest": (plane[peak], shear[peak]), "residual": (late[1], late[0])}}


def texts(row, test, found):
    travel, e = 1e-3 * row["travel"], test.porosity / (1 - test.porosity)
    rise = test.mean("rise", travel - 2e-4, travel) / test.diameter
    return {"stress": f"{found['largest']:.2f} kPa, {found['residual']:.2f} kPa",
            "angle": f"{found['angle_largest']:.1f}°, {found['angle_residual']:.1f}°",
            "state": f"{e:.3f}, {rise:+.2f} d",
            "off_stress": max(abs(found[key] / row[key] - 1) for key in ("largest", "residual")),
            "off_angle": max(abs(found[key] - row[key]) for key in ("angle_largest", "angle_residual"))}


def fits(run, rows, found):
    """Peak and residual shear stress against the normal stress on the shear plane, with their lines."""
    panels, told = [], {}
    for state in ("largest", "residual"):
        curves, parts = [], []
        for young in (4e7, 4e6):
            chosen = [name for name, row in rows.items() if row["young"] == young and row["history"] == "true"]
            x, y = np.transpose([found[name]["points"][state] for name in chosen])
            (slope, start), (as_loaded, at_zero) = (
                np.polyfit(stress, y, 1) for stress in (x, [1e-3 * rows[name]["stress"] for name in chosen]))
            parts.append(f"E = {young:g} Pa: {degrees(slope):.1f}° with intercept {start:+.2f} kPa on the plane, "
                         f"{degrees(as_loaded):.1f}° with {at_zero:+.2f} kPa against the plate's stress")
            curves += [curve(f"E = {young:g} Pa", x, y, "points"),
                       curve(f"{degrees(slope):.1f}°, intercept {start:+.2f} kPa", [0, x[-1]],
                             [start, start + slope * x[-1]], "prediction")]
        told[state] = "; ".join(parts)
        panels.append(panel(state, "N/W² (kPa)", "T/W² (kPa)", curves))
    run.figure("Shear stress against the normal stress on the shear plane, four normal stresses",
               "T/W² against N/W², at the largest T and as mean over the last two fifths; straight lines by least "
               "squares.",
               panels, "angles")
    return told


def draw(run, rows, tests):
    def over_area(test):
        return 1e-3 * test.column("shear") / test.area

    run.figure("Direct shear of 5000 glass beads of two moduli under four normal stresses",
               "Means over 0.1 mm, one rain for all. Above all of it lies the weight of the beads: 982 Pa over the "
               "plan.",
               [panel(f"E = {young:g} Pa", "displacement (mm)", label,
                      [drawn(f"{row['stress'] / 1000:g} kPa" + (", none" if row["history"] == "none" else ""),
                             [tests[name]], value, 1e-3) for name, row in rows.items() if row["young"] == young])
                for label, value in (("T/W² (kPa)", over_area), ("T/N", over_plane)) for young in (4e7, 4e6)],
               case=run.case_text())


def quarter(run, given):
    """A quarter of the plan, as a case of its own: its walls carry twice as much for the area."""
    case = given.changed({"assembly.columns": 5, "assembly.rows": 5, "assembly.centre": [0.03, 0.03],
                          "shear_box.length": 0.06, "shear_box.servo_gain": 0.012,  # a quarter of the contacts
                          "stage.compact.duration": 0.3, "stage.rest.duration": 0.05,
                          "stage.shear.shear_velocity": 0.02, "stage.shear.shear_displacement": 3e-3})
    _, (test,) = shear_boxes(run, [case], [(0, case)])
    run.figure("Direct shear of 1250 glass beads on a quarter of the plan", "",
               [panel("3.1 kPa", "displacement (mm)", "ratio", [drawn("T/(σA)", [test], over_load, 1e-3),
                                                                drawn("T/N", [test], over_plane, 1e-3)])])
    return {"angle": test.angle(2e-3, 3e-3), "ratio": test.ratio(2e-3, 3e-3)}


def study(run):
    given, rows = dem.Case.read(run.folder / "case.toml"), codes(run)
    if run.quick:
        return quarter(run, given)
    modulus = given["material.shear_modulus"]
    tests = [(0, given.changed(loaded(row["stress"]) | {
        "shear_box.servo_gain": servo_gain(row["stress"]), "contact.history": row["history"],
        "material.shear_modulus": modulus * (row["young"] / 4e7),
        "other_material.walls.shear_modulus": modulus * (row["young"] / 4e7)})) for row in rows.values()]
    _, curves = shear_boxes(run, [given], tests)
    tests = dict(zip(rows, curves))
    found = {name: measure(tests[name], 1e-3 * row["travel"]) for name, row in rows.items()}
    draw(run, rows, tests)
    stiff, soft = ([found[f"{kind}-{stress:g}"] for stress in (3.1, 6.4, 12.5, 24.2)] for kind in ("stiff", "soft"))
    of_none = rows["stiff-3.1-none"]["travel"]
    return {
        "fits": fits(run, rows, found),
        "row": {name: texts(row, tests[name], found[name]) for name, row in rows.items()},
        "stiff": spread([f["angle_residual"] for f in stiff], 1), "soft": [soft[k]["angle_residual"] for k in (0, -1)],
        "below": 100 * (1 - soft[-1]["largest"] / stiff[-1]["largest"]),
        "stiff_half": spread([f["half"] for f in stiff], 2), "soft_half": spread([f["half"] for f in soft], 2),
        "factor": (measure(tests["stiff-3.1"], 1e-3 * of_none)["residual"] / found["stiff-3.1-none"]["residual"]),
        "peak": max(f["largest"] / f["residual"] for f in stiff), "cost": spread([1e9 * c.cost for c in curves], 0)}
