"""Two bodies on closed loops of their coordinates, without motion of their own (polygon-dem reference, §3, §4, §6):
what is left in the spring, and the work."""

import math
from dataclasses import dataclass

import numpy as np

import dem
from driver.mt64 import uniform
from polygon_pairs import cases

CIRCLE = 2 * math.pi
RADIUS = 0.5  # m, of the discs


@dataclass
class Loop:
    left: list  # ξ after each loop (m)
    amplitude: float  # half the range of ξ in the first loop (m)
    work: float  # net work of the tangential force in the last loop (J)
    exchanged: float  # sum of its absolute work in that loop (J)
    couple: float  # largest couple that the contact forces make from nothing, over the largest |f_t| (m)

    @property
    def relative(self):
        return self.left[0] / self.amplitude


def wave(draw):
    """A random function of period 2π with three harmonics and largest absolute value 1, and its derivative."""
    cosines, sines = (np.array([2 * next(draw) - 1 for _ in range(3)]) for _ in range(2))
    m = np.arange(1, 4)

    def value(s):
        return np.cos(np.outer(s, m)) @ cosines + np.sin(np.outer(s, m)) @ sines

    def slope(s):
        return np.cos(np.outer(s, m)) @ (m * sines) - np.sin(np.outer(s, m)) @ (m * cosines)

    largest = abs(value(CIRCLE * np.arange(720) / 720)).max()
    cosines, sines = cosines / largest, sines / largest
    return value, slope


def go_round(shapes, normal_force, path, elongation, lever, steps, loops):
    """`path(s)` has the poses and their derivatives by s, rows x, y, θ of i, then of j."""
    h = CIRCLE / steps
    s = np.tile(h * (np.arange(1, steps + 1) % steps), loops)  # back to the same bits
    poses, rates = path(np.insert(s, 0, 0.0))
    case = dem.Case({
        # No sliding at the smallest overlap either.
        "material": {"normal_stiffness": 1.0, "tangential_stiffness_ratio": 1 / 3, "friction": 1e6,
                     "restitution": 1.0},
        "contact": {"elongation": elongation, "lever": lever, "normal_force": normal_force},
        "time": {"step": 1.0, "override_limit": True}, "assembly": {"largest_start_overlap": 1.0},
        "body": [shape | {"position": poses[0, k:k + 2].tolist(), "angle": float(poses[0, k + 2])}
                 for shape, k in zip(shapes, (0, 3))], "stage": [{"duration": 1.0}]})
    contact = dem.driven_pair(case, poses, h * rates)

    def cross(a, b):
        return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]

    # The tangential force alone: what is left without the normal force, which acts at the contact point.
    at_i, at_j, n, pressing = poses[:, :2], poses[:, 3:5], contact.normal, contact.normal_force
    force = contact.force - pressing[:, None] * n
    torque_i = contact.torque[:, 0] + pressing * cross(contact.point - at_i, n)
    torque_j = contact.torque[:, 1] - pressing * cross(contact.point - at_j, n)
    # The rectangle rule is exact to all orders on a closed loop.
    works = h * ((force * (rates[:, 3:5] - rates[:, :2])).sum(axis=1) + torque_i * rates[:, 2] + torque_j * rates[:, 5])
    couple, largest = abs(torque_i + torque_j + cross(at_j - at_i, force))[1:].max(), np.hypot(*force.T).max()
    first = contact.elongation[:steps + 1]
    return Loop(contact.elongation[steps::steps].tolist(), float(max(first.max(), 0) - min(first.min(), 0)) / 2,
                float(works[-steps:].sum()), float(abs(works[-steps:]).sum()), float(couple / largest))


def disc_loop(elongation="geometric", lever="contact-point", steps=1000, loops=1, seed=1, overlap=0.01, amplitude=1.0):
    """Discs, the first at the origin. Along s = 0 … 2π: R_j = 2a (1 − d)(cos φ, sin φ), d = overlap·(1 + 0.8 w_1(s)),
    and φ, θ_i, θ_j are 0.05·amplitude·w_k(s) rad. The w_k are random waves."""
    draw = uniform(seed)
    waves, angle = [wave(draw) for _ in range(4)], 0.05 * amplitude

    def path(s):
        (d, phi, turn_i, turn_j), (dd, dphi, dturn_i, dturn_j) = ([w[k](s) for w in waves] for k in (0, 1))
        distance, rate = 2 * RADIUS * (1 - overlap * (1 + 0.8 * d)), -2 * RADIUS * overlap * 0.8 * dd
        c, sine, zero = np.cos(angle * phi), np.sin(angle * phi), np.zeros(len(s))
        swing = distance * angle * dphi
        return (np.stack([zero, zero, angle * turn_i, distance * c, distance * sine, angle * turn_j], axis=1),
                np.stack([zero, zero, angle * dturn_i, rate * c - swing * sine, rate * sine + swing * c,
                          angle * dturn_j], axis=1))

    disc = {"shape": "disc", "radius": RADIUS}
    return go_round((disc, disc), "overlap", path, elongation, lever, steps, loops)


def polygon_loop(elongation="geometric", steps=1000, loops=1, amplitude=1.0):
    """The energy loop of §6 with λ = amplitude: R_j = R0 + λ(0.04 cos s, 0.03 sin s), θ_j = 0.3 + 0.1 λ sin(s + 1)."""
    shapes = cases()["loop"]
    x, y = shapes["start"]

    def path(s):
        zero = np.zeros(len(s))
        return (np.stack([zero, zero, zero, x + amplitude * 0.04 * np.cos(s), y + amplitude * 0.03 * np.sin(s),
                          0.3 + 0.1 * amplitude * np.sin(s + 1)], axis=1),
                np.stack([zero, zero, zero, -amplitude * 0.04 * np.sin(s), amplitude * 0.03 * np.cos(s),
                          0.1 * amplitude * np.cos(s + 1)], axis=1))

    return go_round([{"shape": "polygon", "vertices": np.asarray(shapes[k]).tolist()} for k in "ij"],
                    "area-over-length", path, elongation, "contact-point", steps, loops)
