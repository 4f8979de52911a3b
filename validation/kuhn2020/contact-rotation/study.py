"""Carrying the force of one contact along: pure rotation without relative movement. Source: linear-frictional-contact
reference, §3 and §12."""

import math

import numpy as np

import dem
from driver.digits import agrees_with_print, csv_rows
from driver.pair import quaternion, rotated, rows, unit
from driver.study import curve, panel

COUNTS = (100, 1000, 10000)
TRANSPORTS = {"none": "none", "projection": "projection", "projection-twirl": "projection and Eq. 23",
              "swing-twist": "swing and twist, standard", "exact": "swing and twist, exact"}
FREE = {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "friction": 1e3}  # never slides


def carry(transport, axis, steps):
    """§12: n0 = (1,0,0), f0 = (0, 0.6, 0.8), both particles turn by 90° in equal steps, no relative movement. Returns
    the error of the force at the end."""
    n0, f0, quarter = np.array([1.0, 0, 0]), np.array([0, 0.6, 0.8]), 0.5 * math.pi * np.asarray(axis, dtype=float)
    normals = rotated(quaternion(np.arange(1, steps + 1)[:, None] / steps * quarter), n0)
    turn = quarter / steps
    path = rows(normals, 1.0, np.zeros(3), turn, turn)
    states = dem.contact("linear-refined", {**FREE, "transport": transport}, path, start_overlap=1.0, start_force=f0,
                         start_normal=n0)
    return np.linalg.norm(states.tangential[-1] - rotated(quaternion(quarter), f0))


def as_printed(printed, value):
    return agrees_with_print(printed, value) if printed else value < 1e-12


def study(run):
    """The table of §12 for six axes: its text, and whether it agrees, by transport."""
    text, holds, errors, panels = {}, {}, {}, []
    for row in csv_rows(run.folder / "carrying.csv"):
        axis = unit([float(x) for x in row["axis"].split()])
        curves = []
        for transport, name in TRANSPORTS.items():
            found = [carry(transport, axis, n) for n in COUNTS]
            errors.setdefault(transport, []).append(found[1])
            shown = found[1:2] if transport in ("none", "projection") else found
            printed = [row[transport]] if transport in ("none", "projection") else row[transport].split("/")
            text.setdefault(transport, []).append(f"{row['name']}: " + " / ".join(f"{e:.2e}" for e in shown))
            agree = all(as_printed(p, e) for p, e in zip(printed, shown, strict=True))
            holds[transport] = holds.get(transport, True) and agree
            curves.append(curve(name, COUNTS, np.maximum(found, 1e-16)))
        panels.append(panel(f"axis {row['name']}", "increments", "relative error", curves, "xy"))
    run.figure("Error of the carried force after a turn by 90°",
               "One contact, no relative movement. Relative to the length of the force. A line at 1e-16 and above is "
               "round-off.", panels, "carrying")
    return {name.replace("-", "_"): {"text": "; ".join(text[name]), "holds": holds[name], "most": max(errors[name])}
            for name in TRANSPORTS}
