"""Errors of the Jäger contact against the closed forms of Mindlin and Deresiewicz, for contacts of any material: a
cycle at constant normal force, oblique loading and unloading. Source: jaeger-contact reference, §16 (U1, U2)."""

import math

import numpy as np

from driver import mt64
from jaeger import along, drive, in_parts, limit, loading, material, oblique, radius, reach


class Draw:
    def __init__(self, seed):
        self.numbers = mt64.uniform(seed)

    def between(self, low, high):
        return mt64.between(self.numbers, low, high)

    def material(self):
        """Any material and size, and a half-overlap of 0.01 % to 3 % of the radius."""
        size, friction, poisson = 10 ** self.between(-5, 0), self.between(0.05, 1.2), self.between(0, 0.5)
        return material(10 ** self.between(0, 11), poisson, friction, size)

    def half_overlap(self, m):
        return 10 ** self.between(-4, -1.5) * radius(m)


def stations(top, first, back, again):
    """Shares F_t/(f F_n) of a cycle with turns at ±top, and ξ/(κ f ζ) there."""
    first, back, again = np.array(first), np.array(back), np.array(again)
    x = (loading(first), loading(top) - 2 * loading((top - back) / 2), 2 * loading((again + top) / 2) - loading(top))
    return np.concatenate([first, back, again]), np.concatenate(x)


def cycle_errors(cycle, m, z, angle=0.0):
    """|F_t − closed form|/(f F_n) at the stations of a cycle, one step from station to station."""
    shares, x = stations(*cycle)
    way = np.array([math.cos(angle), math.sin(angle)])
    moves = np.zeros((len(x) + 1, 3))
    moves[:, 0] = z
    moves[1:, 1:] = np.diff(reach(m, z) * x, prepend=0.0)[:, None] * way
    states = drive(m, moves)
    most = limit(m, states)[2:]
    off = states.tangential[2:] - (shares * most)[:, None] * way
    return np.hypot(*off.T) / most


def any_cycle(count):
    draw, worst = Draw(20110101), 0.0
    n = np.arange(1, 9) / 8
    for _ in range(count):
        top = draw.between(0.05, 0.99)
        m = draw.material()
        angle, z = draw.between(0, 2 * math.pi), draw.half_overlap(m)
        worst = max(worst, cycle_errors((top, top * n, top * (1 - 2 * n), -top * (1 - 2 * n)), m, z, angle).max())
    return worst


def oblique_errors(m, z, slope, share, parts):
    """Largest |F_t − closed form|/(f F_B) at the ends of the four chords: in four steps, along the curved path, and
    with each chord cut into parts; last all along the curved path."""
    form = oblique(m, z, slope, share)
    press, errors = along([(z, 0)]), []
    for moves in (form["moves"](1), form["moves"](parts), in_parts(form["moves"](1), parts, z)):
        states = drive(m, np.vstack([press, moves]))
        error = np.abs(states.tangential[2:, 0] - form["force"](states.normal_force[2:]))
        errors.append(error / (m["friction"] * form["turn"]))
    return *(error[len(error) // 4 - 1:: len(error) // 4].max() for error in errors), errors[1].max()


def any_oblique(count):
    draw, worst = Draw(20110103), np.zeros(3)
    for _ in range(count):
        m = draw.material()
        z, slope, share = draw.half_overlap(m), m["friction"] * draw.between(1.2, 12), draw.between(0.1, 0.95)
        four, curved, chords, all_along = oblique_errors(m, z, slope, share, 100)
        worst = np.maximum(worst, [four, max(curved, all_along), chords])
    return worst
