"""Variants of case A: stress, friction of the walls and of the spheres, speed. One packing each."""

import numpy as np

import dem
from box import QUICK_PACKING, QUICK_TEST, SPHERES, degrees, drawn, loaded, shear_boxes
from driver.study import panel

SMOOTH = {"other_material.walls.friction": 0.0}
# The plate meets the spheres at gain times load. With a tenth of the gain the relative error is the same at ten times
# the load.
HEAVY = loaded(1e4) | {"shear_box.servo_gain": 0.014}
PACKINGS = {"rough-1": {}, "rough-10": HEAVY, "smooth-1": SMOOTH, "smooth-10": HEAVY | SMOOTH}
NONE = {"contact.history": "none"}
VARIANTS = {  # what, packing, changes
    "rough-1": ("1 kPa, rough walls", "rough-1", {}),
    "rough-10": ("10 kPa, rough walls", "rough-10", {}),
    "none-10": ("10 kPa, rough walls, none", "rough-10", NONE),
    "none-1": ("1 kPa, rough walls, none", "rough-1", NONE),
    "smooth-1": ("1 kPa, smooth walls", "smooth-1", {}),
    "smooth-10": ("10 kPa, smooth walls", "smooth-10", {}),
    "speed-2": ("2 mm/s", "rough-1", {"stage.shear.shear_velocity": 0.002}),
    "speed-20": ("20 mm/s", "rough-1", {"stage.shear.shear_velocity": 0.02}),
    "frictionless": ("μ = 0 everywhere, none", "rough-1", NONE | SMOOTH | {"material.friction": 0.0}),
}
STRESSES = ("rough-1", "smooth-1", "rough-10", "smooth-10", "none-1", "none-10")
PANELS = (
    ("stress and walls, as published", "T/(σA)", "over_load", STRESSES),
    ("stress and walls, on the shear plane", "T/N", "over_plane", STRESSES),
    ("friction", "T/N", "over_plane", ("rough-1", "none-1", "frictionless")),
    ("speed", "T/(σA)", "over_load", ("rough-1", "speed-2", "speed-20")))


def measure(test):
    late = 0.6 * test.end
    return {"peak": test.peak_ratio, "place": 1e3 * test.travel[test.peak], "residual": test.ratio(late),
            "mean": test.ratio(), "plane_peak": test.rows["plane"][test.peak] / test.load,
            "plane_residual": test.mean("plane", late) / test.load, "angle_peak": test.peak_angle,
            "angle_residual": test.angle(late), "lift": test.lift[-1]}


def balance(free, start, end):
    """Angle of friction and that of dilatancy, of a straight line, between two displacements (degrees)."""
    used = (free.travel >= start) & (free.travel <= end)
    return {"phi": free.angle(start, end),
            "psi": degrees(float(np.polyfit(free.travel[used], free.rows["rise"][used], 1)[0]))}


def study(run):
    names = ("rough-1", "rough-10", "none-10") if run.quick else tuple(VARIANTS)
    given = dem.Case.read(SPHERES)
    cases = {name: given.changed(changes) for name, changes in PACKINGS.items()}
    cases["rough-1"] = cases["rough-1"].changed({"output.ledger": not run.quick})  # for the run without friction
    if run.quick:
        cases = {name: cases[name].changed(
            QUICK_PACKING | QUICK_TEST | {"shear_box.servo_gain": 0.5 * cases[name]["shear_box.servo_gain"]})
            for name in ("rough-1", "rough-10")}
    packings = list(cases)
    _, curves = shear_boxes(run, list(cases.values()),
                            [(packings.index(packing), cases[packing].changed(changes))
                             for _, packing, changes in (VARIANTS[name] for name in names)])
    tests = dict(zip(names, curves))
    run.figure("Direct shear of 1800 spheres: stress and walls, friction, speed",
               "Means over 0.1 mm; one packing for each stress and friction of the walls.",
               [panel(title, "displacement/d", label,
                      [drawn(VARIANTS[name][0], [tests[name]], value, tests[name].diameter)
                       for name in of_panel if name in tests])
                for title, label, value, of_panel in PANELS[:2 if run.quick else 4]],
               case=SPHERES.read_text(encoding="utf-8"))
    if run.quick:  # four millimetres end before the residual: only what the stress does to the ratios
        return {"peaks": [test.peak_ratio for test in curves]}
    free = tests["frictionless"]
    work = (free.rows["shear"] * np.gradient(free.travel)).sum()
    return {"early": balance(free, 0.1 * free.end, 0.3 * free.end), "late": balance(free, 0.6 * free.end, free.end),
            "v": {name: measure(test) for name, test in tests.items()}, "viscous": 100 * free.viscous / work}
