"""T9 of the direct-shear reference: a pair of spheres that turns as one rigid body about an axis through the first."""

import math
from types import SimpleNamespace

import numpy as np

import dem

RADIUS, DENSITY, OVERLAP = 3e-3, 2550.0, 2e-5  # m, kg/m³
STEP = 1e-3  # s, of no meaning
STIFFNESS = {"normal_stiffness": 2000.0, "tangential_stiffness": 1600.0}  # N/m


def turn_pair(lever="contact-point", friction=0.9, steps=1000, axis=(0, 1, 0)):
    """By a right angle: angle (rad) and elongation of the spring (m) after each step; tangential
    force (N) and whether the contact slides at the end."""
    step, axis, start = 0.5 * math.pi / steps, np.array(axis), np.array([0, 0, 2 * RADIUS - OVERLAP])
    bodies = dem.spheres([[0, 0, 0], start, [0.1, 0, 0]], RADIUS)
    for name, body in zip(("middle", "turned"), bodies):
        body |= {"name": name, "fixed": ["x", "y", "z", "rotation"]}
    # The third one only has energy: a lever of the whole radius makes some, which a run takes for a blow-up.
    bodies[2]["angular_velocity"] = [0, 0, 1000.0]
    run = dem.Run(dem.Case({
        "dimension": 3, "body": bodies, "time": {"step": STEP, "integrator": "velocity-verlet", "override_limit": True},
        "material": STIFFNESS | {"density": DENSITY, "friction": friction, "normal_damping": 0.0},
        "contact": {"law": "hooke-history", "lever": lever}, "stage": [{"duration": steps * STEP}]}))

    def place(k):
        return start * math.cos(k * step) + np.cross(axis, start) * math.sin(k * step)

    @run.motion("middle")
    def turn(t):
        return dem.Motion(spin=step / STEP * axis)

    @run.motion("turned")
    def carry(t):
        before = math.floor(t / STEP)  # t is the middle of the step
        return dem.Motion(velocity=(place(before + 1) - place(before)) / STEP, spin=step / STEP * axis)

    found = SimpleNamespace(angle=[], slip=[])

    @run.every(steps=1)
    def watch(now):
        (slip,), (force,), (regime,) = (now.contacts[name] for name in ("elongation", "tangential_force", "regime"))
        found.angle.append(now.step * step)
        found.slip.append(float(slip))
        found.force, found.slides = float(force), regime == 1

    if run().end != "finished":
        raise RuntimeError("the turn of a pair has stopped")
    return found
