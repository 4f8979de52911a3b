"""Case D of the direct-shear reference: a few spheres on real walls of the program.

Those on inclines and in stacks have R 2.5 mm and 2500 kg/m³, and the law hooke-history with k_n 2000 N/m, k_t 2/7 of
it, γ_n 400 and γ_t 200 1/s. Those of impacts and of the loop of shear have the coefficients of T5."""

import math
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

import dem
from one_contact import DENSITY, MASS, RADIUS, Contacts

BALL, STIFFNESS, G = 2.5e-3, 2000.0, 9.81  # m, N/m, m/s²
BALL_MASS = 4 * math.pi / 3 * BALL**3 * 2500


def ground(**more):
    """The plane z = 0."""
    return {"name": "ground", "shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], **more}


def tables(material, contact, bodies, step, stages=(), **more):
    """A case in space. The limit of the step before a run counts on twelve contacts and on other overlaps."""
    return {"dimension": 3, "material": material, "contact": contact, "body": bodies,
            "time": {"integrator": "velocity-verlet", "step": step, "override_limit": True},
            "stage": list(stages) or [{"duration": 1e3}], **more}


def ball_case(history, bodies, step, friction=0.5, stiffness=STIFFNESS, contact=(), **more):
    return tables({"density": 2500.0, "normal_stiffness": stiffness, "tangential_stiffness": stiffness * 2 / 7,
                   "normal_damping_rate": 400.0, "tangential_damping_ratio": 0.5, "friction": friction},
                  {"law": "hooke-history", "history": history, "elongation": "velocity", **dict(contact)}, bodies,
                  step, **more)


def on_slope(history, until, step=1e-5, locked=True, lever="contact-point"):
    """D1: a sphere on the ground, gravity tilted by 15° towards +x, pressed as at rest. Speed and elongation at the
    end; time, path and speed every 0.1 ms."""
    angle = math.radians(15)
    bodies = dem.spheres([[0, 0, BALL - BALL_MASS * G * math.cos(angle) / STIFFNESS]], BALL)
    if locked:
        bodies[0]["fixed"] = ["rotation"]
    run = dem.Run(dem.Case(ball_case(history, bodies, step, contact={"lever": lever}, wall=[ground()],
                                     gravity=[G * math.sin(angle), 0, -G * math.cos(angle)])))
    rows = []

    @run.every(steps=round(1e-4 / step))
    def watch(now):
        rows.append((now.time, now.bodies["position"][0, 0], now.bodies["velocity"][0, 0]))

    run(until_step=round(until / step))
    with run.look() as now:
        return SimpleNamespace(speed=float(now.bodies["velocity"][0, 0]), rows=np.array(rows),
                               elongation=float(now.contacts["elongation"][0]))


def rolling(history):
    """D7: a sphere that slides on the ground at 0.5 m/s until it rolls: its speed after 0.05 s over that, and when a
    thousandth of the slip is left (s)."""
    overlap, v = BALL_MASS * G / STIFFNESS, 0.5
    run = dem.Run(dem.Case(ball_case(history, dem.spheres([[0, 0, BALL - overlap]], BALL, velocity=[v, 0, 0]), 2e-6,
                                     wall=[ground()], gravity=[0, 0, -G])))
    rolls = []

    @run.every(steps=1)
    def watch(now):
        if not rolls and (now.bodies["velocity"][0, 0] - (BALL - 0.5 * overlap) * now.bodies["angular_velocity"][0, 1]
                          < 1e-3 * v):
            rolls.append(now.time)

    run(until_step=25000)
    with run.look() as now:
        return SimpleNamespace(speed=float(now.bodies["velocity"][0, 0]) / v, rolls_at=rolls[0],
                               arm=1 - 0.5 * overlap / BALL)


def largest_step(stiffer, heavier):
    """The largest stable step of a ball that rests on the ground without damping, to 0.1 % by bisection (s). The ball
    starts a hundredth of its overlap above its place of rest; with too large a step it is thrown up."""
    weight = BALL_MASS * heavier * G
    overlap = weight / (STIFFNESS * stiffer)

    def is_stable(step):
        case = dem.Case(ball_case("none", dem.spheres([[0, 0, BALL - 0.99 * overlap]], BALL), step,
                                  stiffness=STIFFNESS * stiffer, wall=[ground()], gravity=[0, 0, -G]))
        case["material.density"] = 2500.0 * heavier
        case["material.normal_damping_rate"] = 0.0
        run = dem.Run(case)
        run(until_step=4000)
        with run.look() as now:
            return abs(float(now.bodies["position"][0, 2]) - BALL + overlap) < overlap

    low, high = (factor * math.sqrt(BALL_MASS * heavier / (STIFFNESS * stiffer)) for factor in (0.1, 10))
    while high > 1.001 * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if is_stable(middle) else (low, middle)
    return low


@dataclass(frozen=True)
class Stack:
    """D2: spheres that touch each other on the ground, one on top: a pyramid of 3 + 1, or a wedge of 2 + 1 kept in a
    plane. Released without any compression."""

    wedge: bool = False
    history: str = "true"
    friction: float = 0.5
    ground_friction: float = 0.5
    step: float = 2e-5
    slowly: float = 0.0  # this long (s) under mass damping, so that weight comes on without inertia
    stiffer: float = 1.0  # factor of k_n and k_t; Δt goes with 1/√ of it

    @property
    def dt(self):
        return self.step / math.sqrt(self.stiffer)

    def case(self):
        below = 2 if self.wedge else 3
        from_axis = BALL / math.sin(math.pi / below)
        places = [[from_axis * math.cos(2 * math.pi * k / below),
                   0 if self.wedge else from_axis * math.sin(2 * math.pi * k / below), BALL] for k in range(below)]
        bodies = dem.spheres(places + [[0, 0, BALL + math.sqrt(4 * BALL * BALL - from_axis * from_axis)]], BALL)
        if self.wedge:
            for body in bodies:
                body["fixed"] = ["y"]
        stages = [{"name": "load", "duration": self.slowly, "mass_damping": 1000.0}] if self.slowly else []
        k_n, friction = STIFFNESS * self.stiffer, self.ground_friction
        return dem.Case(ball_case(
            self.history, bodies, self.dt, self.friction, k_n, wall=[ground(material="ground")],
            gravity=[0, 0, -G], stages=[*stages, {"name": "rest", "duration": 1e3}],
            other_material=[{"name": "ground", "density": 2500.0, "normal_stiffness": k_n,
                             "tangential_stiffness": k_n * 2 / 7, "friction": friction}],
            material_pair=[{"first": "ground", "friction": friction}]))

    def least_friction(self):
        """Of statics: under the top sphere, and of the ground. The line of centres is θ from the vertical. By moments
        of a lower sphere about its centre both forces of friction are the same, so that the resultant under the top
        sphere is along the bisector, θ/2 from that line. The ground bears weight and its share of the top's."""
        tangent = math.tan(0.5 * math.asin(0.5 if self.wedge else 1 / math.sqrt(3)))
        return tangent, tangent / (3 if self.wedge else 4)

    def fate(self, until=2.0):
        """Height of the top sphere over the diameter, at the end and every millisecond; when it was below half of its
        first height (s; 0: never); F_t/F_n under it and on the ground, means at the end."""
        run, every = dem.Run(self.case()), round(1e-3 / self.dt)
        with run.look() as now:
            top = int(np.argmax(now.bodies["radius"] > 0)) + (2 if self.wedge else 3)
            start = now.bodies["position"][top, 2].item()
        rows, fell = [], []

        @run.every(steps=every)
        def watch(now):
            height = now.bodies["position"][top, 2].item()
            rows.append((now.time, height / (2 * BALL)))
            if height < 0.5 * start:
                fell.append(now.step)
            if fell and now.step > fell[0] + 100 * every:
                now.stop("the stack has fallen")

        run(until_step=round((until + self.slowly) / self.dt))
        with run.look() as now:
            contacts = now.contacts
            ratio, lower, upper = (np.array(contacts[name]) for name in ("tangential_force", "i", "j"))
            ratio = ratio / np.array(contacts["normal_force"])
            of_top, of_ground = (upper == top) & (lower < top), (upper > top) | (lower > top)
            return SimpleNamespace(
                height=float(now.bodies["position"][top, 2]) / (2 * BALL), rows=np.array(rows),
                fell_at=self.moment(fell[0] - every, top, start) if fell else 0.0,
                contact_ratio=ratio[of_top].mean() if of_top.any() else 0.0,
                ground_ratio=ratio[of_ground].mean() if of_ground.any() else 0.0)

    def moment(self, before, top, start):
        """The first step after `before` in which the top sphere is below half of its first height (s)."""
        run = dem.Run(self.case())
        run(until_step=before)
        while True:
            run(until_step=run.step + 1)
            with run.look() as now:
                if now.bodies["position"][top, 2] < 0.5 * start:
                    return run.time


def glass_case(k, bodies, step, contact=(), **more):
    """The user's coefficients as a material; dampings by the reduced mass of each pair."""
    prefix = "hertz_" if k.hertz else ""
    material = {"density": float(DENSITY), "friction": k.friction, f"{prefix}normal_stiffness": k.k_n,
                f"{prefix}tangential_stiffness": k.k_t}
    material |= {"restitution": k.restitution} if k.restitution > 0 else {
        "normal_damping_rate": k.gamma_n, "tangential_damping_ratio": k.gamma_t / k.gamma_n if k.gamma_n > 0 else 0.0}
    law = "hertz-history" if k.hertz else "hooke-history"
    return tables(material, {"law": law, "elongation": "velocity", **dict(contact)}, bodies, step, **more)


@dataclass(frozen=True)
class Loop:
    """D3: a sphere pressed on a floor by a constant force. The floor moves forth, back and forth."""

    k: object
    overlap: float = 2e-5
    speed: float = 0.01
    step: float = 1e-6
    travel: float = 1.2e-5  # of the first leg (m)

    @property
    def legs(self):
        return round(self.travel / (self.speed * self.step))  # steps of the first

    @property
    def normal(self):
        return float(Contacts(self.k).factor(self.overlap) * self.k.k_n * self.overlap)

    @property
    def stiffness(self):
        return float(Contacts(self.k).factor(self.overlap) * self.k.k_t)

    @property
    def damping(self):
        return float(Contacts(self.k).factor(self.overlap) * self.k.gamma_t * self.k.mass)

    def trace(self):
        """Movement of the floor (m) and the force of the sphere on it along x (N) after each step."""
        bodies = dem.spheres([[0, 0, RADIUS - self.overlap]], RADIUS, force=[0, 0, -self.normal])
        bodies[0]["fixed"] = ["x", "y", "rotation"]
        stages = [{"wall_velocities": [["ground", [sign * self.speed, 0, 0]]], "duration": legs * self.legs * self.step}
                  for sign, legs in ((1, 1), (-1, 2), (1, 2))]
        run = dem.Run(dem.Case(glass_case(self.k, bodies, self.step, wall=[ground()], stages=stages)))
        forces = []

        @run.every(steps=1)
        def watch(now):
            forces.append(now.series["ground_force_x"])

        run()
        signs = np.repeat([1, -1, 1], [self.legs, 2 * self.legs, 2 * self.legs])
        return np.cumsum(signs) * self.speed * self.step, -np.array(forces)


def rebound(k, degrees, *, midpoint=True, step=1e-6, **contact):
    """D4: T5 on a real wall. `contact` has keys of the case. Impulses are those of the velocities."""
    angle = math.radians(degrees)
    v = [math.sin(angle), 0, -math.cos(angle)]
    lever = "contact-point" if midpoint else "radius"
    run = dem.Run(dem.Case(glass_case(k, dem.spheres([[0, 0, RADIUS + 1.37e-6]], RADIUS, velocity=v), step,
                                      {"lever": lever, **contact}, wall=[ground()])))
    (after,), (spin,) = until_parted(run, step, 1)
    return SimpleNamespace(v_x=after[0], v_z=after[2], spin=spin, impulse_n=MASS * (after[2] - v[2]),
                           impulse_t=MASS * (v[0] - after[0]))


def collide_spinning(k, speed, spins):
    """Two equal spheres of 3 mm that meet head-on along z, each at `speed`, with spins about y."""
    half = RADIUS + 0.5 * 1.37e-6
    bodies = dem.spheres([[0, 0, -half], [0, 0, half]], RADIUS, velocity=[[0, 0, speed], [0, 0, -speed]],
                         angular_velocity=[[0, spin, 0] for spin in spins])
    case = dem.Case(glass_case(k, bodies, 1e-6, {"lever": "radius", "clip_tension": True}))
    return until_parted(dem.Run(case), 1e-6, 2)


def until_parted(run, step, count):
    """Velocities and spins about y once bodies that meet have parted: nothing changes them later."""
    @run.every(steps=max(1, round(5e-5 / step)))
    def watch(now):
        if not len(now.contacts) and now.bodies["velocity"][count - 1, 2] > 0:
            now.stop("the bodies have parted")

    if run(until_step=round(0.1 / step)).end != "stopped" or run.time > 0.0999:
        raise RuntimeError("the sphere of an impact does not leave the wall")
    with run.look() as now:
        return now.bodies["velocity"][:count].tolist(), now.bodies["angular_velocity"][:count, 1].tolist()
