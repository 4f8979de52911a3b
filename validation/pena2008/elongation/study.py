"""Elongation of polygons along a prescribed motion, without any motion of their own (polygon-dem reference, §4): errors
and orders of both elongations."""

import math

import numpy as np

from driver.digits import csv_rows, half_unit
from driver.study import curve, panel
from polygon_pairs import cases, driven

STEPS = (10, 40, 160, 320)
U, W = np.array([math.cos(0.7), math.sin(0.7)]), np.array([-math.sin(0.7), math.cos(0.7)])


def slide_rotate(s):
    """Poses of i and j (x, y, θ of both in a row) at s in [0, 1], and their derivatives."""
    rest, start = np.zeros((len(s), 3)), np.array(cases()["elongation"]["start"])
    place = start + 0.05 * np.outer(np.sin(2 * s), W) + 0.01 * np.outer(np.sin(3 * s), U)
    velocity = 0.1 * np.outer(np.cos(2 * s), W) + 0.03 * np.outer(np.cos(3 * s), U)
    return np.column_stack([rest, place, 0.3 + 0.2 * s**2]), np.column_stack([rest, velocity, 0.4 * s])


def elongation(form, s):
    """After the motion, as the program has it. The places s are those of equal steps."""
    poses, rates = slide_rotate(np.insert(s, 0, 0.0))
    return driven(cases()["elongation"], poses, rates / len(s), {"elongation": form}).elongation[-1]


def quadrature(intervals):
    """∫ v_t ds by Gauss–Legendre with two points an interval: the limit of every elongation."""
    points = np.add.outer(np.arange(intervals), 0.5 + np.array([-0.5, 0.5]) / math.sqrt(3))
    return elongation("velocity", points.ravel() / intervals)


def study(run):
    exact, printed = quadrature(4000 if run.quick else 20000), csv_rows(run.folder / "errors.csv")
    fine = [10, 20, 40, 80, 160, 320] + ([] if run.quick else [640, 1280, 2560])
    out, curves = {}, []
    for name, form, label, power in (("P", "geometric", "geometric, (P)", 2), ("velocity", "velocity", "v_t Δt", 1)):
        off = {n: abs(elongation(form, np.arange(1, n + 1) / n) - exact) for n in fine}
        texts = {int(row["steps"]): row[name] for row in printed}
        found = [off[n] for n in STEPS]
        out[name] = {"text": ", ".join(f"{e:.3g}" for e in found), "last_order": math.log2(found[2] / found[3]),
                     "order": math.log(found[0] / found[3]) / math.log(32),
                     "printed": all(abs(off[n] - float(text)) <= half_unit(text) for n, text in texts.items())}
        curves += [curve(label, fine, list(off.values())),
                   curve("published", list(texts), [float(text) for text in texts.values()], "prediction"),
                   curve(f"order {power}", fine, [1.5 * off[10] * (10 / n)**power for n in fine], "prediction")]
    run.figure("Elongation along a prescribed smooth motion",
               "Error of the elongation after the motion against the number of steps; lines of order 1 and 2 and the "
               "published numbers dashed.",
               [panel("Error against the quadrature of v_t", "steps", "|ξ − ∫ v_t dt| (m)", curves, log="xy")],
               name="errors")
    return {"e": out}
