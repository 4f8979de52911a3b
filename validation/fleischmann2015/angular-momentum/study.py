"""Where the tangential force acts (direct-shear reference, §1.1).

With the middle of the overlap as contact point forces and couples leave the angular momentum as it is. With levers of
the whole radius the two couples are too large by δ n × F_t together."""

import itertools
import math
from types import SimpleNamespace

import numpy as np

import dem
from driver.study import curve, panel

RADIUS, DENSITY = 3e-3, 2550.0  # m, kg/m³
STIFFNESS = {"normal_stiffness": 2000.0, "tangential_stiffness": 1600.0}  # N/m
LEVERS = {"contact-point": "contact-point (default)", "radius": "radius"}
MASS = 4 * math.pi / 3 * RADIUS**3 * DENSITY


def collision(lever="contact-point", law="hooke-history", history="true", integrator="velocity-verlet", friction=0.5,
              restitution=1.0, steps=500):
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
        "time": {"step": step, "integrator": integrator, "override_limit": True}})


def angular_momentum(bodies):
    """About the origin, which does not matter where the momentum is zero."""
    mass = bodies["mass"][:, None]
    turning = 0.4 * mass * RADIUS**2 * bodies["angular_velocity"]
    return (mass * np.cross(bodies["position"], bodies["velocity"]) + turning).sum(axis=0)


def collide(steps, **given):
    """Changes of the angular momentum over that before: after the collision, by time, and that of ∫ δ n × F_t dt."""
    run = dem.Run(collision(steps=steps, **given))
    with run.look() as now:
        before = angular_momentum(now.bodies)
    couple, met, times, changes = np.zeros(3), False, [], []

    @run.every(steps=1)
    def watch(now):
        nonlocal couple, met
        if len(now.contacts):
            (depth,), (normal,), (force,) = (now.contacts[name] for name in ("overlap", "normal", "force"))
            met, couple = True, couple + run.time_step * depth * np.cross(normal, force)
        times.append(now.step / steps)
        changes.append(np.linalg.norm(angular_momentum(now.bodies) - before) / np.linalg.norm(before))
        if met and not len(now.contacts):
            now.stop("the spheres have parted")

    if run().end != "stopped":
        raise RuntimeError("two spheres that collide do not part")
    return SimpleNamespace(momentum=changes[-1], by_lever=np.linalg.norm(couple) / np.linalg.norm(before),
                           time=times, change=changes)


def collisions(steps):
    """Over laws, histories, friction and restitution; Gear's scheme apart."""
    middle, radius, off = [], [], []
    for law, history, friction, restitution in itertools.product(
            ("hooke-history", "hertz-history"), ("true", "pseudo", "none"), (0.1, 0.5, 10.0), (1.0, 0.7)):
        given = {"law": law, "history": history, "friction": friction, "restitution": restitution}
        middle.append(collide(steps, **given).momentum)
        found = collide(steps, lever="radius", **given)
        if found.by_lever > 1e-9:  # else no tangential force: no history and no dashpot
            radius.append(found.momentum)
            off.append(abs(found.momentum / found.by_lever - 1))
    gear, gear_radius = (max(collide(steps, lever=lever, law=law, integrator="gear5").momentum
                             for law in ("hooke-history", "hertz-history")) for lever in LEVERS)
    return {"worst": max(middle), "least": min(radius), "most": max(radius), "count": len(radius),
            "couple_off": max(off), "gear": gear, "gear_radius": gear_radius, "steps": steps}


def draw(run, steps):
    during = []
    for lever, label in LEVERS.items():
        hit = collide(steps, lever=lever)
        shown = np.array(hit.time) <= 1.05
        during.append(curve(label, np.array(hit.time)[shown], np.maximum(hit.change, 1e-17)[shown], "line"))
    run.figure("Where the tangential force acts",
               "Angular momentum during an off-centre collision of spinning spheres (law hooke-history, μ = 0.5, "
               "e = 1).", [panel("during a collision", "time over contact duration", "|ΔL|/L₀", during, log="y")],
               case=collision(lever="radius", steps=steps).to_toml())


def study(run):
    steps = 200 if run.quick else 1000
    draw(run, steps)
    return collisions(steps)
