"""Elongation of polygons along a prescribed motion, without any motion of their own (polygon-dem reference, §4): errors
and orders of both elongations."""

import math

import numpy as np

import dem
from driven_pair import driven_pair
from driver.digits import csv_rows, half_unit
from driver.study import curve, panel
from polygon_pairs import cases, turned

STEPS = (10, 40, 160, 320)
U, W = np.array([math.cos(0.7), math.sin(0.7)]), np.array([-math.sin(0.7), math.cos(0.7)])


def pose(x, y, angle):
    return np.stack(np.broadcast_arrays(x, y, angle), axis=-1)


def slide_rotate(s):
    """Poses of i and of j (x, y, θ in a row) at s in [0, 1]."""
    x, y = (np.array(cases()["elongation"]["start"])[:, None] + 0.05 * np.sin(2 * s) * W[:, None]
            + 0.01 * np.sin(3 * s) * U[:, None])
    return pose(0 * s, 0 * s, 0 * s), pose(x, y, 0.3 + 0.2 * s**2)


def by_geometry(steps):
    """Elongation after the motion, as the program has it."""
    run = driven_pair(cases()["elongation"], np.hstack(slide_rotate(np.linspace(0, 1, steps + 1))))
    run()
    with run.look() as now:
        return float(now.contacts.elongation[0])


def contact_at(i, j):
    """Contact point and tangent of both bodies in their places."""
    shapes = cases()["elongation"]
    (contact,) = dem.overlap(*(turned(shapes[name], p[2]) + p[:2] for name, p in (("i", i), ("j", j))))
    n = contact.normals["area-gradient"]
    return contact.centroid, np.array([-n[1], n[0]])


def tangential_velocity(s):
    """Of j relative to i at the contact point, by s. The derivative of the paths by five points is exact to 1e-12."""
    h, values = 1e-3, []
    i, j = slide_rotate(s + h * np.arange(-2, 3))
    rates = [(p[0] - 8 * p[1] + 8 * p[3] - p[4]) / (12 * h) for p in (i, j)]
    point, tangent = contact_at(i[2], j[2])
    for p, rate in zip((i[2], j[2]), rates):
        arm = point - p[:2]
        values.append(rate[:2] + rate[2] * np.array([-arm[1], arm[0]]))
    return float((values[1] - values[0]) @ tangent)


def by_velocity(steps):
    """v_t Δt with the velocity at the end of each step."""
    return sum(tangential_velocity((k + 1) / steps) for k in range(steps)) / steps


def quadrature(intervals):
    """∫ v_t ds by Gauss–Legendre with two points an interval: the limit of every elongation."""
    return sum(tangential_velocity((k + 0.5 * (1 + side / math.sqrt(3))) / intervals)
               for k in range(intervals) for side in (-1, 1)) / (2 * intervals)


def study(run):
    exact, printed = quadrature(4000 if run.quick else 20000), csv_rows(run.folder / "errors.csv")
    fine = [10, 20, 40, 80, 160, 320] + ([] if run.quick else [640, 1280, 2560])
    out, curves = {}, []
    for name, way, label, power in (("P", by_geometry, "geometric, (P)", 2), ("velocity", by_velocity, "v_t Δt", 1)):
        off = {n: abs(way(n) - exact) for n in fine}
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
