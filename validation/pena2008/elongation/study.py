"""Elongation of polygons along prescribed motions, without any motion of their own (polygon-dem reference, §4): errors
and orders, rigid motion, superposed spin, the reading of the published recipe, reduction to discs."""

import math

import numpy as np

import dem
from driven_pair import driven_pair
from driver.digits import csv_rows, half_unit
from driver.study import curve, panel
from polygon_pairs import cases, turned

STEPS = (10, 40, 160, 320)
LITERAL = {"contact.geometric_form": "centroid-displacement"}
U, W = np.array([math.cos(0.7), math.sin(0.7)]), np.array([-math.sin(0.7), math.cos(0.7)])


def pose(x, y, angle):
    return np.stack(np.broadcast_arrays(x, y, angle), axis=-1)


def carried(s, body, turn, local):
    """Places of points that turn with a body."""
    c, n = np.cos(turn), np.sin(turn)
    return body[..., 0] + c * local[0] - n * local[1], body[..., 1] + n * local[0] + c * local[1]


# Motions: poses of i and of j (x, y, θ in a row) at s in [0, 1].
def slide_rotate(s, spin=0.0, drift=0.0):
    x, y = (np.array(cases()["elongation"]["start"])[:, None] + 0.05 * np.sin(2 * s) * W[:, None]
            + 0.01 * np.sin(3 * s) * U[:, None])
    i = pose(drift * s, 0 * s, spin * s)
    return i, pose(*carried(s, i, spin * s, (x, y)), 0.3 + 0.2 * s**2 + spin * s)


def spun(s):
    return slide_rotate(s, 2.0, 0.3)


def both_move(s):
    i = pose(0.1 * s**2, -0.05 * s, 0.4 * s)
    x, y = np.array(cases()["elongation"]["start"])[:, None] + 0.04 * s * W[:, None]
    return i, pose(*carried(s, i, 0.2 * s, (x, y)), 0.3 + 0.35 * s + 0.1 * s**2)


def rigid(s):
    i = pose(0.7 * s, -0.2 * s**2, 1.3 * s)
    return i, pose(*carried(s, i, 1.3 * s, cases()["elongation"]["start"]), 0.3 + 1.3 * s)


def by_geometry(motion, steps, keys=()):
    """Elongation after each step, as the program has it."""
    found = []
    run = driven_pair(cases()["elongation"], np.hstack(motion(np.linspace(0, 1, steps + 1))), keys)
    run.every(steps=1)(lambda now: found.append(float(now.contacts.elongation[0])))
    run()
    return found


def contact_at(i, j):
    """Contact point and tangent of both bodies in their places."""
    shapes = cases()["elongation"]
    (contact,) = dem.overlap(*(turned(shapes[name], p[2]) + p[:2] for name, p in (("i", i), ("j", j))))
    n = contact.normals["area-gradient"]
    return contact.centroid, np.array([-n[1], n[0]])


def tangential_velocity(motion, s):
    """Of j relative to i at the contact point, by s. The derivative of the paths by five points is exact to 1e-12."""
    h, values = 1e-3, []
    i, j = motion(s + h * np.arange(-2, 3))
    rates = [(p[0] - 8 * p[1] + 8 * p[3] - p[4]) / (12 * h) for p in (i, j)]
    point, tangent = contact_at(i[2], j[2])
    for p, rate in zip((i[2], j[2]), rates):
        arm = point - p[:2]
        values.append(rate[:2] + rate[2] * np.array([-arm[1], arm[0]]))
    return float((values[1] - values[0]) @ tangent)


def by_velocity(motion, steps):
    """v_t Δt with the velocity at the end of each step."""
    return sum(tangential_velocity(motion, (k + 1) / steps) for k in range(steps)) / steps


def by_forward_points(motion, steps):
    """The material points of both bodies under the contact at the start of a step, moved to its end, as (x_j −
    x_i)·t_end."""
    i, j = motion(np.linspace(0, 1, steps + 1))
    contacts, total = [contact_at(a, b) for a, b in zip(i, j)], 0.0
    for k in range(steps):
        ends = [p[k + 1, :2] + turned(contacts[k][0] - p[k, :2], p[k + 1, 2] - p[k, 2]) for p in (i, j)]
        total += (ends[1] - ends[0]) @ contacts[k + 1][1]
    return float(total)


def quadrature(motion, intervals):
    """∫ v_t ds by Gauss–Legendre with two points an interval: the limit of every elongation."""
    return sum(tangential_velocity(motion, (k + 0.5 * (1 + side / math.sqrt(3))) / intervals)
               for k in range(intervals) for side in (-1, 1)) / (2 * intervals)


def errors(run, exact):
    """By elongation: errors at STEPS, the printed ones, and whether they agree to the last digit."""
    ways = {"P": lambda n: by_geometry(slide_rotate, n)[-1], "forward": lambda n: by_forward_points(slide_rotate, n),
            "velocity": lambda n: by_velocity(slide_rotate, n)}
    fine = [10, 20, 40, 80, 160, 320] + ([] if run.quick else [640, 1280, 2560])
    printed = csv_rows(run.folder / "errors.csv")
    out, curves = {}, []
    for (name, way), label in zip(ways.items(), ("geometric, (P)", "forward points, new tangent", "v_t Δt")):
        off = {n: abs(way(n) - exact) for n in fine}
        texts = {int(row["steps"]): row[name] for row in printed}
        found = [off[n] for n in STEPS]
        out[name] = {"text": ", ".join(f"{e:.3g}" for e in found), "last_order": math.log2(found[2] / found[3]),
                     "order": math.log(found[0] / found[3]) / math.log(32),
                     "printed": all(abs(off[n] - float(text)) <= half_unit(text) for n, text in texts.items())}
        curves += [curve(label, fine, list(off.values())),
                   curve("published", list(texts), [float(text) for text in texts.values()], "prediction")]
        power = {"P": 2, "forward": 1, "velocity": 1}[name]
        curves.append(curve(f"order {power}", fine, [1.5 * off[10] * (10 / n)**power for n in fine], "prediction"))
    run.figure("Elongation along a prescribed smooth motion",
               "Error of the elongation after the motion against the number of steps; lines of order 1 and 2 and the "
               "published numbers dashed.",
               [panel("Error against the quadrature of v_t", "steps", "|ξ − ∫ v_t dt| (m)", curves, log="xy")],
               name="errors")
    return out


def rigid_motion(run):
    found = {n: by_geometry(rigid, n)[-1] for n in (10, 320)}
    recipe = {n: by_geometry(rigid, n, LITERAL)[-1] for n in (10, 320)}
    angle = 1.3 * np.arange(1, 65) / 64
    run.figure("Elongation that a rigid motion of the pair leaves",
               "The pair turns through 1.3 rad as one body. (P) stays at round-off; the displacement of the overlap "
               f"centroid, read word by word, grows to {recipe[320]:.2f} m; v_t Δt at the contact point leaves "
               f"{abs(by_velocity(rigid, 10)):.0e} m in 10 steps and {abs(by_velocity(rigid, 320)):.0e} m in 320.",
               [panel("", "turn of the pair (rad)", "ξ (m)", [
                   curve("(P)", angle, by_geometry(rigid, 64), "line"),
                   curve("centroid displacement", angle, by_geometry(rigid, 64, LITERAL), "line")])],
               name="rigid-motion")
    return {"few": abs(found[10]), "many": abs(found[320]), "recipe": recipe[320], "coarse": recipe[10]}


def one_step(shapes, keys=()):
    """Elongation and distances to the contact after one large step of two bodies that roll and slide. The branch turns
    by 0.6 rad, i by 0.2 and j by −0.5."""
    distance = 1.48
    run = driven_pair(shapes, [[0, 0, 0, distance, 0, 0],
                               [0, 0, 0.2, distance * math.cos(0.6), distance * math.sin(0.6), -0.5]], keys)
    run()
    with run.look() as now:
        reach = float(np.hypot(*now.contacts.point[0, :2]))
        return float(now.contacts.elongation[0]), reach, distance - reach


def discs(run):
    found, *_ = one_step({"i": 1.0, "j": 0.5}, {"contact.normal_force": "overlap"})
    sides, off = [50, 100, 200, 400, 800] + ([] if run.quick else [1600, 3200]), {True: [], False: []}
    for n in sides:
        turn = 2 * math.pi / n
        angles = turn * (np.arange(n) - 0.5) - math.pi / 2
        # Polygons of the area of the discs that stand on an edge.
        outline = math.sqrt(turn / math.sin(turn)) * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        for arc in off:
            xi, l_i, l_j = one_step({"i": outline, "j": 0.5 * outline}, {"contact.arc_correction": arc})
            # The overlap centroid lies δ/2 inside, so (G) holds with the distances to the contact.
            off[arc].append(abs(xi - (l_i * 0.4 + l_j * 1.1)))
    chords = sum(length * (turn - 2 * math.sin(turn / 2)) for length, turn in ((l_i, 0.4), (l_j, 1.1)))
    run.figure("From polygons to discs",
               "Deviation of one large step of (P) from (G) for regular polygons of equal area: with the arc "
               "correction it vanishes with the facets, without it the chords remain (dashed: their closed form).",
               [panel("", "sides of either polygon", "|ξ − (G)| (m)", [
                   curve("with arc correction", sides, off[True]), curve("without", sides, off[False]),
                   curve("chord instead of arc", [sides[0], sides[-1]], [chords] * 2, "prediction")], log="xy")],
               name="discs")
    return {"found": found, "off": abs(found - (0.4 + 0.5 * 1.1)), "sides": sides[-1], "with": off[True][-1],
            "without": off[False][-1], "chords": chords, "facet": math.pi / sides[-1]}


def study(run):
    intervals = 4000 if run.quick else 20000
    exact = quadrature(slide_rotate, intervals)
    printed = [(int(row["steps"]), float(row["slide_rotate"]), float(row["both_move"]))
               for row in csv_rows(run.folder / "digits.csv")]
    slides = {n: by_geometry(slide_rotate, n)[-1] for n, *_ in printed}
    return {
        "exact": exact, "exact_off": max(1e-12, abs(exact - quadrature(slide_rotate, intervals // 2))),
        "e": errors(run, exact),
        "digits": max(max(abs(slides[n] - slide), abs(by_geometry(both_move, n)[-1] - both))
                      for n, slide, both in printed),
        "spun": max(abs(by_geometry(spun, n)[-1] - slides[n]) for n in slides),
        "rigid": rigid_motion(run), "discs": discs(run),
    }
