"""Two polygons on prescribed paths, without any motion of their own: the contact pass alone."""

import math

import numpy as np

import dem
from polygon_pairs import cases


def driven_pair(shapes, poses, keys=(), dt=1.0):
    """A run whose bodies i and j are at poses[k] after step k: rows x, y, θ of i, then of j. k_n is 1 N/m, k_t/k_n is
    1/3, μ is 500, and nothing is damped. The run is not begun."""
    poses = np.asarray(poses, dtype=float)
    bodies = [{"name": name, "shape": "polygon", "vertices": np.asarray(shapes[name]).tolist(),
               "position": poses[0, 3 * k:3 * k + 2].tolist(), "angle": float(poses[0, 3 * k + 2]),
               "fixed": ["x", "y", "rotation"]} for k, name in enumerate("ij")]
    case = dem.Case({
        "material": {"normal_stiffness": 1.0, "tangential_stiffness_ratio": 1 / 3, "friction": 500.0,
                     "restitution": 1.0},
        "time": {"step": dt, "override_limit": True}, "assembly": {"largest_start_overlap": 1.0},
        "body": bodies, "stage": [{"duration": (len(poses) - 1) * dt}]})
    run, velocity = dem.Run(case.changed(dict(keys))), np.diff(poses, axis=0) / dt

    def at(t):  # the middle of a step, and once the end of the last
        return velocity[min(int(t / dt), len(velocity) - 1)]

    @run.motion("i")
    def move_i(t):
        return dem.Motion(velocity=at(t)[:2], spin=at(t)[2])

    @run.motion("j")
    def move_j(t):
        return dem.Motion(velocity=at(t)[3:5], spin=at(t)[5])

    return run


def loop_work(law, steps):
    """∮ F·dx + ∮ τ dθ over the closed path of the energy loop (§6) by the mid-point rule (J), and the sum of absolute
    works."""
    shapes = cases()["loop"]

    def pose(k):
        s = 2 * math.pi / steps * k
        return np.stack([shapes["start"][0] + 0.04 * np.cos(s), shapes["start"][1] + 0.03 * np.sin(s),
                         0.3 + 0.1 * np.sin(s + 1)], axis=-1)

    middles, loads = pose(np.arange(-0.5, steps)), []
    run = driven_pair(shapes, np.hstack([np.zeros_like(middles), middles]),
                      {"material.friction": 0.0, "contact.normal_force": law})

    @run.every(steps=1)
    def watch(now):
        loads.append((*now.bodies.force[1, :2], now.bodies.torque[1]))

    run()
    works = (np.array(loads) * np.diff(pose(np.arange(steps + 1.0)), axis=0)).sum(axis=1)
    return float(works.sum()), float(abs(works).sum())
