"""Closed forms of Mindlin and Deresiewicz beside the Jäger contact: a cycle at constant normal force with what it loses
(U1), oblique loading and unloading in large and small steps (U2). Source: jaeger-contact reference, §8, §11 and §16."""

import math

import numpy as np

from closed_form_errors import Draw, any_cycle, any_oblique, cycle_errors, oblique_errors, stations
from driver.study import curve, panel
from jaeger import (along, drive, in_parts, limit, loading, lost, match, material, normal_force, radius, ratio, reach,
                    table)
from maw_rings import turning

Z = 0.01  # of U1 and U2 (m)
U1 = (0.85, (0.3, 0.6, 0.85), (0.4, 0, -0.5, -0.85), (-0.2, 0.3, 0.85))


def loss(m, s):
    """Energy lost in first loading to s and in the cycle between ±s f F_n that follows, extrapolated."""
    far, found = reach(m, Z) * loading(s), []
    for n in (1000, 2000):
        moves = np.vstack([along([(Z, 0)]), in_parts(along([(Z, far), (Z, -2 * far), (Z, 2 * far)]), n, Z)])
        energy = lost(moves, drive(m, moves))
        found.append(np.array([energy[1 + n], energy[-1] - energy[1 + n]]))
    return found[1] + (found[1] - found[0]) / 3


def closed_loss(m, s):
    """§11, of a cycle (J)."""
    most = m["friction"] * normal_force(m, Z)
    return (9 * (2 - m["poisson_ratio"]) * most * most / (5 * math.sqrt(radius(m) * Z) * m["shear_modulus"])
            * (1 - (1 - s) ** (5 / 3) - 5 * s / 6 * (1 + (1 - s) ** (2 / 3))))


def turned_paths(count):
    """Random paths in the contact plane, and the same turned by any angle: difference of the turned forces, over f
    times the largest F_n."""
    draw, worst = Draw(20110104), 0.0
    for _ in range(count):
        m = draw.material()
        z, angle = draw.half_overlap(m), draw.between(0, 2 * math.pi)
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        moves = np.array([[z * draw.between(0.7, 1.3), *(reach(m, z) * draw.between(-0.6, 0.6) for _ in range(2))]
                          for _ in range(20)])
        forces = drive(m, moves).tangential @ turn
        moves[:, 1:] = moves[:, 1:] @ turn
        states = drive(m, moves)
        worst = max(worst, np.abs(states.tangential - forces).max() / limit(m, states).max())
    return worst


def around_a_corner(rings, parts):
    """Forces over f F_n of §8.5, of a contact at constant F_n that is moved along x and then along y: of the law, and
    with Coulomb's law on every ring; the second first along x alone."""
    m = material(1.0, 0.25, 0.5)
    path = np.array([[0.003, 0], [0.003, 0.0003], [0.003, 0.0015], [0.003, 0.0045]])
    moves = np.column_stack([np.full(5, Z), np.vstack([[0, 0], np.diff(path, axis=0, prepend=[[0, 0]])])])
    states = drive(m, moves)
    return states.tangential[2:] / limit(m, states)[2:, None], turning(path / reach(m, Z), rings, parts)


def draw(run, m, amplitudes, closed, losses):
    shares, x = stations(*U1)
    moves = along([(Z, 0)] + [(Z, dx) for dx in np.diff(reach(m, Z) * x, prepend=0.0)])
    states = drive(m, moves)
    s, top = U1[0] * np.arange(101) / 100, loading(U1[0])
    found = states.tangential[2:, 0] / limit(m, states)[2:]
    cycle = [curve("Jäger contact, 10 steps", [0, *x], [0, *found], "points"),
             curve("first loading", loading(s), s, "prediction")]
    cycle += [curve(name, sign * (top - 2 * loading(s)), sign * (U1[0] - 2 * s), "prediction")
              for name, sign in (("unloading", 1), ("reloading", -1))]
    scale = 2 * ratio(m) * m["friction"] ** 2 * normal_force(m, Z) * Z
    energy = []
    for name, loss_of, form in (("cycle", losses[:, 1], closed), ("first loading", losses[:, 0], closed / 4)):
        energy += [curve(f"{name}, Jäger contact", amplitudes, loss_of / scale, "points"),
                   curve(f"{name}, closed form", amplitudes, form / scale, "prediction")]
    run.figure("The Jäger contact and the closed forms of Mindlin and Deresiewicz",
               "Left: cycle at constant normal force in ten large steps (points) and the closed forms (dashed). Right: "
               "energy lost in a cycle between ±s f F_n and in first loading to s, over 2κ f² F_n ζ.",
               [panel("cycle at constant normal force", "ξ/(κ f ζ)", "F_t/(f F_n)", cycle),
                panel("energy lost", "amplitude s", "ΔW/(2κ f² F_n ζ)", energy, "xy")])


def study(run):
    m, counts = table("U1")[0], (200, 100, 100) if run.quick else (5000, 2000, 1000)
    amplitudes = [0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0]
    losses = np.array([loss(m, s) for s in amplitudes])
    closed = np.array([closed_loss(m, s) for s in amplitudes])
    *ways, all_along = oblique_errors(table("U2")[0], Z, 4, 0.9, 1000)
    draw(run, m, amplitudes, closed, losses)
    model, ringwise = around_a_corner(*((16, 8) if run.quick else (40, 20)))
    return {
        "u4": match("U4"), "turned": turned_paths(counts[1]), "model": model, "ringwise": ringwise,
        "line_off": abs(model[0] - ringwise[0]).max(), "corner_off": abs(model - ringwise).max(),
        "counts": counts, "stations": cycle_errors(U1, m, Z).max(), "any_cycle": any_cycle(counts[0]),
        "loss_off": abs(losses / closed[:, None] * [4, 1] - 1).max(),
        "ways": ways, "all_along": all_along, "any_oblique": any_oblique(counts[2]),
    }
