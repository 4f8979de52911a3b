"""Runs of two discs, or of a pair of polygons, with the three summations of the elongation (polygon-dem reference, §3
and §4): trajectories, the cost of a step, and contacts that slide or have no friction."""

import math
import time

import numpy as np

import dem
from polygon_pairs import pair_case, shapes_of
from step_map import MASS
from two_discs import PUSH, two_discs

STIFFNESS = 4e8
SUMMATIONS = {"predicted": "Cundall (predicted velocity)", "trapezoid": "trapezoid", "geometric": "geometric"}
SPAN = 20  # t_c of a trajectory
BARE = {"material.friction": 0.0}
# Disc j is turned ten times faster than its vibration moves the contact: amplitude 2 F/k_n, frequency √(k_n/2m).
SLIDING = {"material.friction": 0.3, "body.pushed.fixed": ["y", "rotation"],
           "body.pushed.spin": 10 * 2 * PUSH * math.sqrt(STIFFNESS / (2 * MASS)) / 0.5}


def case_of(body, elongation, per_tc, duration=SPAN):
    """Two discs, or a pair of polygons by its number, with so many steps in a contact time. The elongation `bare` is
    none: without friction, and the pushed polygon moves along x only, so that the contact stays."""
    bare = elongation == "bare"
    if body == "discs":
        return two_discs("guided", 1 / per_tc, "geometric" if bare else elongation, BARE if bare else (),
                         duration=duration)
    keys = {} if elongation == "geometric" else BARE | {"body.pushed.fixed": ["y", "rotation"]} if bare else {
        "contact.elongation": "velocity", "contact.velocity_source": elongation}
    return pair_case(shapes_of(body), 1 / per_tc, keys=keys, duration=duration)


def trajectory(body, elongation, per_tc):
    """x, y and a θ of body j (a = 0.5 m) at 1, 2 … 20 t_c."""
    run, places = dem.Run(case_of(body, elongation, per_tc, SPAN + 1)), []
    for k in range(1, SPAN + 1):
        run(until_step=k * per_tc)
        with run.look() as now:
            places.append([*map(float, now.bodies.position[1, :2]), 0.5 * float(now.bodies.angle[1])])
    return places


def sliding_share(elongation, dt):
    """Share of the steps over 20 t_c in which the contact is at the Coulomb limit."""
    run, slips = dem.Run(two_discs("guided", dt, elongation, SLIDING, duration=SPAN)), []
    run.every(steps=1)(lambda now: slips.extend(now.contacts.regime == 1))
    run()
    return float(np.mean(slips))


def energy_ratio(undamped):
    """Largest kinetic energy of the last hundredth of 2000 t_c over that of the first, without friction."""
    keys, found = BARE | ({"material.restitution": 1.0} if undamped else {}), []
    run = dem.Run(two_discs("guided", 0.05, keys=keys, duration=2000))
    run.every(steps=1)(lambda now: found.append(now.series["kinetic_energy"]))
    run()
    part = len(found) // 100
    return float(max(found[-part:]) / max(found[:part]))


def step_costs(rounds, steps=20000):
    """Median CPU time of a step (s) for each summation, of discs and of polygons. The runs take turns, so that the
    speed of the machine cancels in ratios."""
    cases = [case_of(body, elongation, 100, (rounds + 2) * steps / 100) for body in ("discs", 0)
             for elongation in SUMMATIONS]
    runs, times = [dem.Run(case) for case in cases], []
    for _ in range(rounds + 1):
        starts = []
        for run in runs:
            start = time.process_time()
            run(until_step=run.step + steps)
            starts.append((time.process_time() - start) / steps)
        times.append(starts)
    return [float(v) for v in np.median(times[1:], axis=0)]
