"""One contact of two equal bodies along a path, in the halves of the jaeger-contact reference: ζ is half of the overlap
and ξ half of the tangential movement. The forces are those of `dem.contact`."""

import math
from functools import cache
from pathlib import Path

import numpy as np

import dem
from driver.digits import csv_rows


def material(shear_modulus, poisson_ratio, friction, radius_p=1.0, radius_q=None, **more):
    """Parameters of law jaeger or hertz-mindlin."""
    return {"shear_modulus": shear_modulus, "poisson_ratio": poisson_ratio, "friction": friction, "radius_i": radius_p,
            "radius_j": radius_p if radius_q is None else radius_q, **more}


def ratio(m):
    """κ: normal over tangential stiffness."""
    return (2 - m["poisson_ratio"]) / (2 * (1 - m["poisson_ratio"]))


def radius(m):
    """R = 2 r_i r_j/(r_i + r_j) (m)."""
    return 2 * m["radius_i"] * m["radius_j"] / (m["radius_i"] + m["radius_j"])


def normal_force(m, z):
    modulus = 8 * m["shear_modulus"] / (3 * (1 - m["poisson_ratio"]))
    return modulus * z * np.sqrt(radius(m) * z)


def indentation(m, force):
    """ζ at a normal force (m)."""
    quotient = force * 3 * (1 - m["poisson_ratio"]) / (8 * m["shear_modulus"])
    return np.cbrt(quotient * quotient / radius(m))


def reach(m, z):
    """ξ at which a contact at constant ζ slides (m)."""
    return ratio(m) * m["friction"] * z


def drive(m, moves, law="jaeger", **more):
    """Drives the contact along moves: rows of ζ at the end, Δξ_1 and Δξ_2 (m), also for many paths at once."""
    return dem.contact(law, m, 2 * np.asarray(moves, dtype=float), **more)


def along(moves):
    """Moves along one direction: rows of ζ and Δξ."""
    return np.column_stack([np.asarray(moves, dtype=float), np.zeros(len(moves))])


def in_parts(moves, parts, start=0.0):
    """Each move in equal parts, from ζ = start."""
    moves = np.asarray(moves, dtype=float)
    before = np.concatenate([[start], moves[:-1, 0]])
    z = before[:, None] + (moves[:, 0] - before)[:, None] * np.arange(1, parts + 1) / parts
    z[:, -1] = moves[:, 0]
    shifts = np.repeat(moves[:, 1:] / parts, parts, axis=0)
    return np.column_stack([z.ravel(), shifts])


def limit(m, states):
    return m["friction"] * states.normal_force


def lost(moves, states):
    """Energy lost up to each state (J), with the work by the trapezoid over each move. It falls with their square."""
    f = states.tangential
    work = ((f[:-1] + f[1:]) * np.asarray(moves)[:, 1:]).sum(axis=1)  # half of the sum, twice Δξ
    return np.concatenate([[0], np.cumsum(work)]) - states.stored_tangential


@cache
def table(name):
    """The material, the moves and the rows of a table of the reference, §16: U1 to U7."""
    rows = [row for row in csv_rows(Path(__file__).with_name("tables.csv")) if row["table"] == name]
    number = {key: float(rows[0][key]) for key in rows[0] if key not in ("table", "regime")}
    merge = {"merge_slope": number["merge_slope"]} if number["merge_slope"] else {}
    keys = ("shear_modulus", "poisson_ratio", "friction", "radius_p", "radius_q")
    m = material(*(number[key] for key in keys), **merge)
    return m, np.array([[float(row[key]) for key in ("z", "shift_1", "shift_2")] for row in rows]), rows


def match(name):
    """Largest differences from the table. What the reference asks for: 1e-12 of the forces (§7), 1e-11 of U_t (§16)."""
    m, moves, rows = table(name)
    states = drive(m, moves)
    columns = ("normal", "stored", "force_1", "force_2")
    normal, stored, *force = np.array([[float(row[key]) for row in rows] for key in columns])
    off = states.tangential[1:].T - force
    found = {
        "normal": np.abs(states.normal_force[1:] / normal - 1).max(),
        "force": np.hypot(*off).max() / (m["friction"] * normal.max()),
        "stored": (np.abs(states.stored_tangential[1:] - stored) / (stored + 1e-4 * stored.max())).max(),
        "regimes": sum(states.regime[1:] != [row["regime"] for row in rows]),
    }
    holds = found["normal"] <= 1e-12 and found["force"] <= 1e-12 and found["stored"] <= 1e-11 and not found["regimes"]
    return found | {"holds": holds}


def oblique(m, z, slope, share):
    """Oblique loading and unloading of a contact pressed to ζ: F_t = slope (F_n − F_0) from 0 to B, where F_t = share
    f F_n, and back to D, where F_t = −share f F_n; slope > f. Closed forms of Mindlin and Deresiewicz (reference, §16,
    U2): F_0, F_n at B and at D, F_t and ξ as functions of F_n, and the moves in `parts` for each of four chords."""
    f, scale = m["friction"], ratio(m) * m["friction"]
    start = normal_force(m, z)
    turn, end = slope * start / (slope - share * f), slope * start / (slope + share * f)

    def force(normal):
        return slope * (normal - start)

    cone = turn - force(turn) / f

    def shift(normal, back):
        t, z_of = force(normal), lambda n: indentation(m, n)
        if not back:
            return scale * (z_of(normal) - z_of(normal - t / f))
        met = (t + f * (normal + cone)) / (2 * f)
        forgotten = -scale * (z_of(normal) - z_of(normal + t / f))  # the cone of loading
        return np.where(met > cone, scale * (2 * z_of(met) - z_of(normal) - z_of(cone)), forgotten)

    def moves(parts):
        stations = [start, 0.5 * (start + turn), turn, 0.5 * (turn + end), end]
        normal, to = [], []
        for chord in range(4):
            n = stations[chord] + (stations[chord + 1] - stations[chord]) * np.arange(1, parts + 1) / parts
            n[-1] = stations[chord + 1]
            normal.append(n)
            to.append(shift(n, chord >= 2))
        return along(np.column_stack([indentation(m, np.concatenate(normal)),
                                      np.diff(np.concatenate(to), prepend=0.0)]))

    return {"start": start, "turn": turn, "end": end, "force": force, "shift": shift, "moves": moves}


def loading(s):
    """ξ/(κ f ζ) of first loading at constant normal force to the share s = F_t/(f F_n)."""
    return 1 - np.cbrt((1 - s) * (1 - s))


def share_of(x):
    return 1 - math.pow(1 - x, 1.5)
