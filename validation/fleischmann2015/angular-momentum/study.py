"""Where the tangential force acts (direct-shear reference, §1.1).

With the middle of the overlap as contact point forces and couples leave the angular momentum as it is. With levers of
the whole radius the two couples are too large by δ n × F_t together."""

import itertools
import math

import numpy as np

import dem

RADIUS, DENSITY = 3e-3, 2550.0  # m, kg/m³
STIFFNESS = {"normal_stiffness": 2000.0, "tangential_stiffness": 1600.0}  # N/m
MASS = 4 * math.pi / 3 * RADIUS**3 * DENSITY


def collision(lever, law, history, friction, restitution, steps):
    """Two free spheres meet off-centre, by 0.7 of the sum of the radii, with spins in all directions; `steps` of a
    contact."""
    if law == "hertz-history":
        material = {"shear_modulus": 4e7 / (2 * 1.22), "poisson_ratio": 0.22}
        young = 4e7 / (2 * (1 - 0.22 * 0.22))
        duration = 2.87 * (0.25 * MASS * MASS / (0.5 * RADIUS * young * young)) ** 0.2
    else:
        material = STIFFNESS
        duration = math.pi * math.sqrt(0.5 * MASS / material["normal_stiffness"])
    reach = 2 * RADIUS * (1 + 1e-9)  # they meet at once
    off = 0.7 * reach
    along = math.sqrt(reach * reach - off * off)
    bodies = dem.spheres([[-0.5 * along, -0.5 * off, 0], [0.5 * along, 0.5 * off, 0]], RADIUS,
                         velocity=[[0.5, 0, 0], [-0.5, 0, 0]], angular_velocity=[[40, 60, -80], [30, -20, 50]])
    step = duration / steps
    return dem.Case({
        "dimension": 3, "body": bodies, "stage": [{"duration": 20 * duration}],
        "material": material | {"density": DENSITY, "friction": friction, "restitution": restitution},
        "contact": {"law": law, "lever": lever, "history": history},
        # Softer than the limit before the run counts on.
        "time": {"step": step, "integrator": "velocity-verlet", "override_limit": True}})


def angular_momentum(bodies):
    """About the origin, which does not matter where the momentum is zero."""
    mass = bodies["mass"][:, None]
    turning = 0.4 * mass * RADIUS**2 * bodies["angular_velocity"]
    return (mass * np.cross(bodies["position"], bodies["velocity"]) + turning).sum(axis=0)


def collide(lever, *given):
    """Changes of the angular momentum over that before: after the collision, and that of ∫ δ n × F_t dt."""
    run = dem.Run(collision(lever, *given))
    with run.look() as now:
        before = angular_momentum(now.bodies)
    couple, met = np.zeros(3), False

    @run.every(steps=1)
    def watch(now):
        nonlocal couple, met
        if len(now.contacts):
            (depth,), (normal,), (force,) = (now.contacts[name] for name in ("overlap", "normal", "force"))
            met, couple = True, couple + run.time_step * depth * np.cross(normal, force)
        elif met:
            now.stop("the spheres have parted")

    if run().end != "stopped":
        raise RuntimeError("two spheres that collide do not part")
    with run.look() as now:
        change = angular_momentum(now.bodies) - before
    return np.linalg.norm(change) / np.linalg.norm(before), np.linalg.norm(couple) / np.linalg.norm(before)


def study(run):
    steps = 200 if run.quick else 1000
    middle, radius, off = [], [], []
    for given in itertools.product(("hooke-history", "hertz-history"), ("true", "pseudo", "none"), (0.1, 0.5, 10.0),
                                   (1.0, 0.7)):
        middle.append(collide("contact-point", *given, steps)[0])
        change, by_lever = collide("radius", *given, steps)
        if by_lever > 1e-9:  # else no tangential force: no history and no dashpot
            radius.append(change)
            off.append(abs(change / by_lever - 1))
    return {"worst": max(middle), "least": min(radius), "most": max(radius), "count": len(radius),
            "couple_off": max(off)}
