"""Dense packings of discs or polygons in a rigid box, in equilibrium.

N bodies start on a jittered square lattice (random sites, random angles) in a loose square box. Discs have radii
uniform in 0.5 m ± 10 %. Polygons have 5 to 8 vertices on a circle, at regular angles ± 30 % of their spacing, and the
area of such a disc. Two of the four walls are pushed in by PRESSURE, without friction, and the enthalpy is minimised
(FIRE: Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201). Bodies that carry no force are taken out. The box is held
while the rest settles until no body has more than QUIET of the mean contact force unbalanced. Then friction and damping
are switched on. The equilibrium stays, since springs begin unstrained."""

import math
from typing import NamedTuple

import numpy as np

import dem
from driver.mt64 import uniform
from step_map import RESTITUTION, contact_duration, damping

STIFFNESS = 4e8  # N/m
PRESSURE = 1e-3  # k_n per mean diameter: the mean overlap in diameters
QUIET = 1e-11
NOTHING = 1e-4  # of the mean contact force: a body with less carries no force
MOST_STEPS = 400_000
SPACING = 1.5  # m, the largest polygon spans 1.4
T_C = contact_duration(STIFFNESS)  # of two discs of radius 0.5 m (s)
DAMPING = damping(RESTITUTION, STIFFNESS)  # γ_n of every contact, so that τ = γ/k is one number (kg/s)
MATERIAL = {"density": 1.0, "normal_stiffness": STIFFNESS, "tangential_stiffness": STIFFNESS / 3, "friction": 500.0,
            "normal_damping": DAMPING, "tangential_damping": DAMPING / 3}
FRICTIONLESS = MATERIAL | dict.fromkeys(
    ("tangential_stiffness", "friction", "normal_damping", "tangential_damping"), 0.0)


class Packing(NamedTuple):
    """Bodies at rest in equilibrium."""

    tables: dict  # of the case
    smallest_depth: float  # of the lightest contact: overlap, or area over chord (m)


def body_of(shape, draw):
    radius = 0.5 * (0.9 + 0.2 * next(draw))
    if shape == "disc":
        return {"shape": "disc", "radius": radius}
    sides = 5 + int(4 * next(draw))
    angles = [2 * math.pi / sides * (k + 0.6 * (next(draw) - 0.5)) for k in range(sides)]
    x, y = [math.cos(a) for a in angles], [math.sin(a) for a in angles]
    area = 0.5 * sum((x[k] - x[0]) * (y[k + 1] - y[0]) - (y[k] - y[0]) * (x[k + 1] - x[0]) for k in range(1, sides - 1))
    scale = radius * math.sqrt(math.pi / area)
    return {"shape": "polygon", "vertices": [[scale * a, scale * b] for a, b in zip(x, y)],
            "angle": 2 * math.pi * next(draw)}


def walls(width):
    corners = [(0, width), (0, 0), (width, 0), (width, width), (0, width)]
    return [{"name": name, "from": start, "to": end}
            for name, start, end in zip(("left", "bottom", "right", "top"), corners, corners[1:])]


def loose_bodies(shape, particles, seed):
    """Bodies, and the width of their box."""
    draw = uniform(seed * 1000003 + particles)
    columns = math.ceil(math.sqrt(particles))
    site = list(range(columns**2))
    for k in range(len(site) - 1, 0, -1):
        other = int((k + 1) * next(draw))
        site[k], site[other] = site[other], site[k]
    bodies = []
    for row, column in (divmod(s, columns) for s in site[:particles]):
        bodies.append(body_of(shape, draw))
        bodies[-1]["position"] = [SPACING * (k + 0.5) + 0.4 * (next(draw) - 0.5) for k in (column, row)]
    bodies.sort(key=lambda b: (math.floor(b["position"][1] / SPACING), b["position"][0]))
    return bodies, SPACING * columns


def tables_of(title, bodies, width):
    normal_force = "overlap" if bodies[0]["shape"] == "disc" else "area-over-length"
    return {"title": title, "material": MATERIAL,
            "contact": {"normal_force": normal_force, "elongation": "geometric"},
            "time": {"step": 0.02 * T_C}, "assembly": {"largest_start_overlap": 1.0}, "body": bodies,
            "wall": walls(width), "stage": [{"name": "relax", "duration": 1000 * T_C}]}


def in_order(terms):
    """Their sum from the first to the last: a packing depends on the last bit of its way."""
    return np.cumsum(terms)[-1]


class Relaxation:
    """Minimises U + p L² over the bodies and the width L of the box; with p = 0 the box is held. The last coordinate is
    the width. Work and norms are in mass-scaled coordinates, so that rotations and the box weigh like translations."""

    def __init__(self, tables, width, pressure):
        self.placed = dem.PlacedBodies(dem.Case(tables | {"material": FRICTIONLESS}))
        self.poses, self.width, self.pressure = self.placed.poses.copy(), width, pressure
        n = self.placed.free
        self.inertia = np.append(np.column_stack([self.placed.mass, self.placed.mass, self.placed.moment]).ravel(),
                                 0.25 * in_order(self.placed.mass))
        self.velocity = np.zeros(3 * n + 1)
        self.evaluate()
        self.weigh()

    def evaluate(self):
        forces = self.placed.place(self.poses)
        n = self.placed.free
        held = self.pressure and forces[n + 2, 0] + forces[n + 3, 1] - 2 * self.pressure * self.width
        self.force = np.append(forces[:n].ravel(), held)

    def weigh(self):
        """Notes the mean contact force, and the largest one on each body."""
        c, n = self.placed.contacts, self.placed.free
        self.load = np.zeros(n)
        np.maximum.at(self.load, c.i, c.normal_force)
        inner = c.j < n
        np.maximum.at(self.load, c.j[inner], c.normal_force[inner])
        self.mean_force = float(c.normal_force.mean()) if len(c.i) else 0.0

    def carrying(self):
        return self.load > NOTHING * self.mean_force

    def unbalanced(self):
        """Largest force on a body that carries any, in units of the mean contact force; torques over the radius."""
        box = abs(self.force[-1]) / (4 * self.pressure * self.width) if self.pressure else 0.0
        f = self.force[:-1].reshape(-1, 3)[self.carrying()]
        torques = abs(f[:, 2]) / self.placed.equivalent_radius[self.carrying()]
        return max(box, max(np.hypot(f[:, 0], f[:, 1]).max(initial=0), torques.max(initial=0)) / self.mean_force)

    def run(self, tolerance):
        """Until no body has more than `tolerance` unbalanced. Bodies that carry nothing are not asked."""
        longest = 0.2 * T_C
        dt, mixing, downhill = 0.5 * longest, 0.1, 0
        for step in range(MOST_STEPS):
            if step % 20 == 0:
                self.weigh()
                if self.mean_force > 0 and self.unbalanced() < tolerance:
                    return self
            if in_order(self.force * self.velocity) > 0:
                energy = in_order(self.inertia * self.velocity * self.velocity)
                along = mixing * math.sqrt(energy / in_order(self.force * self.force / self.inertia))
                self.velocity = (1 - mixing) * self.velocity + along * self.force / self.inertia
                downhill += 1
                if downhill > 5:
                    dt, mixing = min(1.1 * dt, longest), 0.99 * mixing
            else:
                self.velocity[:] = 0
                dt, mixing, downhill = max(0.5 * dt, 0.02 * longest), 0.1, 0
            self.move(dt)
            self.evaluate()
        raise ArithmeticError(f"packing: no equilibrium after {MOST_STEPS} steps, unbalanced {self.unbalanced():.2g}")

    def move(self, dt):
        self.velocity += dt * self.force / self.inertia
        n = self.placed.free
        self.poses[:n] += dt * self.velocity[:-1].reshape(-1, 3)
        if self.pressure:
            self.width += dt * self.velocity[-1]
            self.poses[n + 2, 0] = self.poses[n + 3, 1] = self.width  # right and top

    def take_places(self, bodies):
        """Of the bodies that carry a force."""
        kept = [body | {"position": pose[:2].tolist(), "angle": float(pose[2])}
                for body, pose, carries in zip(bodies, self.poses, self.carrying()) if carries]
        if len(kept) < 2:
            raise ArithmeticError("packing: fewer than two bodies carry a force")
        return kept


def make_packing(shape, particles, seed):
    title = f"{particles} {shape}s, seed {seed}, in a rigid box"
    bodies, width = loose_bodies(shape, particles, seed)
    press = Relaxation(tables_of(title, bodies, width), width, PRESSURE * STIFFNESS).run(1e-4)
    width, before, bodies = press.width, 0, press.take_places(bodies)
    while len(bodies) != before:
        settle = Relaxation(tables_of(title, bodies, width), width, 0.0).run(QUIET)
        before, bodies = len(bodies), settle.take_places(bodies)
    c = settle.placed.contacts
    return Packing(tables_of(title, bodies, width), float((c.overlap * STIFFNESS / c.normal_stiffness).min()))
