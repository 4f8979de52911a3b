"""Contacts of the laws hooke-history and hertz-history with the user's coefficients, and spheres that meet a flat wall
(direct-shear reference, §1.2 and §5). Any number at once: a coefficient may be an array."""

import math
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import dem
from driver.digits import csv_rows

HISTORIES = ("true", "pseudo", "none")
RADIUS, DENSITY = 3e-3, 2550  # of a sphere that meets a wall (m, kg/m³)
MASS = 4 * math.pi / 3 * RADIUS * RADIUS * RADIUS * DENSITY


@dataclass(frozen=True)
class Coefficients:
    """F_n = f (k_n δ − γ_n m̄ v_n), F_t = f (−k_t u − γ_t m̄ v_t), f = 1 or √(R̄ δ)."""

    hertz: bool
    k_n: float  # N/m; Hertz: Pa
    k_t: float
    gamma_n: float = 0.0  # 1/s; Hertz: 1/(m s)
    gamma_t: float = 0.0
    friction: float = 0.0
    radius: float = RADIUS  # R̄ and m̄; these of one sphere on a wall
    mass: float = MASS
    # With Hertz γ m̄ f may be replaced by C = 2√(5/6) |β| √(S m̄), S = dF_n/dδ or K_t. 0 if it is not.
    restitution: float = 0.0


GLASS = Coefficients(True, 28022978.842650972, 36839196.905507453, 1e6, 5e5, 0.18)  # T5 (a)
PAIR = {"radius": 0.0015, "mass": 0.00014419910279977148}  # of two such spheres: T3
SOFT = Coefficients(False, 2000, 1600, 400, 200, 0.18)  # T5 (c)


class Contacts:
    """Contacts of the same law, advanced together. Options are keys of the law."""

    def __init__(self, k, count=1, **options):
        self.k, self.block = k, dem.LawBlock("hertz-history" if k.hertz else "hooke-history", count, **options)
        # Ē = (8/3) E*, k_n = (4/3) E*, k_t = 8 G*
        self.block.set(stiffness=k.k_t, friction=k.friction, modulus=2 * k.k_n, ratio=1.5 * k.k_n / k.k_t,
                       radius=2 * k.radius)
        by_restitution = np.greater(k.restitution, 0)
        l = np.log(np.where(by_restitution, k.restitution, 1))
        self.beta = -l / np.sqrt(l * l + math.pi * math.pi) if np.any(by_restitution) else None
        self.by_rate = ~by_restitution
        self.stored = self.circulation = self.friction_work = np.zeros(count)

    def factor(self, overlap):
        return np.sqrt(self.k.radius * np.maximum(overlap, 0.0)) if self.k.hertz else 1.0

    def damping(self, gamma, stiffness, factor):
        by_rate = factor * gamma * self.k.mass
        if self.beta is None:
            return by_rate
        return np.where(self.by_rate, by_rate,
                        2 * math.sqrt(5 / 6) * self.beta * np.sqrt(factor * stiffness * self.k.mass))

    def step(self, overlap, normal_speed, v_1, dt, v_2=0.0):
        """The speeds are those of j; the movement of the step is speed times dt."""
        k, f = self.k, self.factor(overlap)
        elastic, viscous = f * k.k_n * overlap, -self.damping(k.gamma_n, 1.5 * k.k_n, f) * normal_speed
        r = self.block.step(normal_end=elastic, normal_viscous=viscous, shift_1=v_1 * dt, shift_2=v_2 * dt,
                            velocity_1=v_1, velocity_2=v_2, damping=self.damping(k.gamma_t, k.k_t, f),
                            indentation=0.5 * overlap)
        self.normal = elastic + viscous
        self.on_j = r.elastic_1 + r.viscous_1, r.elastic_2 + r.viscous_2
        self.circulation = self.circulation + r.work - (r.stored - self.stored) - r.dissipated
        self.friction_work = self.friction_work + r.dissipated
        self.stored = r.stored

    @property
    def elongation(self):
        """Of the springs, in both directions: a history begins with their force on i."""
        stiffness = self.block.history[:, 2] if self.k.hertz else self.k.k_t
        return self.block.history[:, 0] / stiffness, self.block.history[:, 1] / stiffness


def meets_wall(contacts, angle, dt, steps, *, speed=1.0, spin=0.0, midpoint=True, extrapolated=False, skip=False):
    """Spheres 1.37e-6 m above a wall, `angle` from the normal (rad): velocity Verlet. Forces see the velocities of
    mid-step, v + a Δt/2, as in the reference (§5, T5), or with `extrapolated` v + a Δt, as in the program.

    `skip`: begin just before the contact. Kinetic energy, circulation and friction are over the energy before."""
    m, inertia = contacts.k.mass, 0.4 * contacts.k.mass * RADIUS * RADIUS
    zero = np.zeros(len(contacts.block.history))
    v_x, v_z, spin, gap = speed * np.sin(angle) + zero, -speed * np.cos(angle) + zero, spin + zero, 1.37e-6 + zero
    f_x = f_z = torque = impulse_n = impulse_t = zero
    if skip:
        gap = gap + dt * v_z * (np.ceil(gap / (-v_z * dt)) - 2)

    def kinetic():
        return 0.5 * m * (v_x * v_x + v_z * v_z) + 0.5 * inertia * spin * spin

    before, met = kinetic(), zero > 0
    for _ in range(int(steps)):
        v_x, v_z, spin = v_x + 0.5 * dt * f_x / m, v_z + 0.5 * dt * f_z / m, spin + 0.5 * dt * torque / inertia
        gap = gap + dt * v_z
        more = 0.5 * dt if extrapolated else 0.0
        lever = RADIUS + (0.5 * np.minimum(gap, 0.0) if midpoint else 0.0)
        touches = gap < 0
        met |= touches
        old = contacts.stored, contacts.circulation, contacts.friction_work
        contacts.step(np.maximum(-gap, 0.0), v_z + more * f_z / m,
                      v_x + more * f_x / m - lever * (spin + more * torque / inertia), dt)
        if not touches.all():
            contacts.block.history[~touches] = 0
            contacts.stored = np.where(touches, contacts.stored, 0.0)
            contacts.circulation, contacts.friction_work = (
                np.where(touches, now, then) for now, then in ((contacts.circulation, old[1]),
                                                               (contacts.friction_work, old[2])))
        f_x, f_z = np.where(touches, contacts.on_j[0], 0.0), np.where(touches, contacts.normal, 0.0)
        torque = -lever * f_x
        impulse_n, impulse_t = impulse_n + dt * f_z, impulse_t - dt * f_x
        v_x, v_z, spin = v_x + 0.5 * dt * f_x / m, v_z + 0.5 * dt * f_z / m, spin + 0.5 * dt * torque / inertia
        if not touches.any() and met.all():
            break
    return SimpleNamespace(v_x=v_x, v_z=v_z, spin=spin, impulse_n=impulse_n, impulse_t=impulse_t,
                           kinetic=kinetic() / before, circulation=contacts.circulation / before,
                           friction=contacts.friction_work / before)


@dataclass(frozen=True)
class ImpactRow:
    """A row of T5: what came of an oblique impact on a flat wall at 1 m/s."""

    name: str
    coefficients: Coefficients
    midpoint: bool  # lever
    options: dict
    degrees: float
    v_x: float
    v_z: float
    spin: float
    e_n: float  # NaN: not given
    impulses: float  # J_t/J_n

    @property
    def angle(self):
        return math.radians(self.degrees)

    def alone(self, dt=1e-6, steps=3000, coefficients=None, **how):
        """The law alone on a flat wall, by the integrator of the reference."""
        found = meets_wall(Contacts(coefficients or self.coefficients, **self.options), self.angle, dt, steps,
                           midpoint=self.midpoint, **how)
        return SimpleNamespace(**{name: float(value[0]) for name, value in vars(found).items()})

    def apart(self, other):
        return apart(self, other)


def apart(one, other):
    """Largest difference of velocities and R ω (m/s), which is over the speed of 1 m/s."""
    return max(abs(one.v_x - other.v_x), abs(one.v_z - other.v_z), RADIUS * abs(one.spin - other.spin))


def impact_rows():
    kinds = {"hertz": GLASS, "material": replace(GLASS, restitution=0.87), "hooke": SOFT}
    return [ImpactRow(row["name"], kinds[row["coefficients"]], row["lever"] == "midpoint",
                      {"history": row["history"], "friction_limit": row["limit"]},
                      *(float(row[key] or "nan") for key in ("degrees", "v_x", "v_z", "spin", "e_n", "impulses")))
            for row in csv_rows(Path(__file__).with_name("impacts.csv"))]
