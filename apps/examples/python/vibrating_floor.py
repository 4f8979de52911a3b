#!/usr/bin/env python3
"""How strongly must a floor shake until grains take off?

Discs lie on a floor that a function moves as A (1 - cos(2 pi f t)). Γ is its largest acceleration over gravity. Below
Γ = 1 the grains follow the floor. Above, they leave it while it accelerates downwards faster than gravity.

    PYTHONPATH=build/release/python python3 apps/examples/python/vibrating_floor.py [--short] [--picture FILE]

Picture: for two values of Γ the heights of the floor and of the centre of mass, and the force on the floor, over time.
"""
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import dem

GRAVITY, FREQUENCY, REST = 9.81, 10.0, 0.5  # m/s^2, Hz, s before the floor moves
RADIUS, WIDTH = 0.005, 0.08  # m


def bed(layers, periods):
    """Returns a case of discs in rows, slightly apart, above a floor that the run moves."""
    x = np.arange(RADIUS, WIDTH - RADIUS / 2, 2.02 * RADIUS)
    place = [(x0 + 0.3 * RADIUS * (k % 2), RADIUS * (1.05 + 2.02 * k)) for k in range(layers) for x0 in x[:-1]]
    ends = {"floor": ([-1, 0], [1, 0]), "left": ([0, 1], [0, -1]), "right": ([WIDTH, -1], [WIDTH, 1])}
    return dem.Case({
        "material": {"density": 2000.0, "normal_stiffness": 1e5, "tangential_stiffness_ratio": 0.5, "friction": 0.5,
                     "restitution": 0.3},
        "gravity": [0.0, -GRAVITY], "time": {"step": "auto"}, "body": dem.discs(place, RADIUS),
        "wall": [{"name": name, "from": start, "to": end} for name, (start, end) in ends.items()],
        "stage": [{"duration": REST + periods / FREQUENCY}]})


def shake(case, gamma):
    """Runs the case and returns time, height of the floor, height of the centre of mass, and force over weight."""
    run, rows, pulse = dem.Run(case), [], 2 * np.pi * FREQUENCY

    @run.motion("floor")
    def floor(t):
        return dem.Motion(velocity=(0.0, gamma * GRAVITY / pulse * np.sin(pulse * (t - REST)) if t > REST else 0.0))

    @run.every(time=1e-3)
    def collect(now):
        bodies, at_floor = now.bodies, now.bodies.names.index("floor")
        grains = bodies.in_group("free")
        mass, y = bodies.mass[grains], bodies.position[:, 1]
        rows.append((now.time - REST, y[at_floor], np.average(y[grains], weights=mass),
                     -bodies.force[at_floor, 1] / (mass.sum() * GRAVITY)))

    run()
    return np.array(rows).T


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="fewer discs and periods")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)
    case, found = bed(3, periods=4) if given.short else bed(8, periods=10), {}
    figure, panels = plt.subplots(2, 2, sharex=True, sharey="row", figsize=(9, 5.5), layout="constrained")
    for (above, below), gamma in zip(panels.T, (0.8, 2.0)):
        time, floor, centre, force = shake(case, gamma)
        above.plot(time, 1e3 * floor, color="#707882", label="floor")
        above.plot(time, 1e3 * (centre - centre[time < 0][-1]), color="#0072b2", label="centre of mass")
        below.plot(time, force, color="#d55e00", linewidth=0.8)
        above.set_title(f"Γ = {gamma:g}", fontsize="medium")
        below.set(xlabel="time (s)", xlim=(-0.05, time[-1]))
        found[gamma] = {"flying": (force[time > 1 / FREQUENCY] < 0.05).mean(), "at_rest": force[time < 0][-1]}
    panels[0, 0].set_ylabel("height above rest (mm)")
    panels[1, 0].set_ylabel("force on the floor over weight")
    panels[0, 0].legend(frameon=False)
    figure.savefig(given.picture)
    return found


if __name__ == "__main__":
    for gamma, values in main().items():
        print(f"Γ = {gamma:g}: under 5 % of the weight on the floor for {100 * values['flying']:.0f} % of the time")
