"""The two-disc test of Fig. 2 as the program runs it: its case, its decays and where it comes to rest (polygon-dem
reference, §5)."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dem
from step_map import RESTITUTION, S, contact_duration, damping

PUSH = 1e-6  # F/(k_n · 1 m): unit of all displacements (m)
FIXED = {"guided": ["y"], "guided no rotation": ["y", "rotation"], "free no rotation": ["rotation"],
         "free": []}  # of the pushed disc; `free` is the set-up as printed, without an equilibrium


def two_discs(reading, dt_over_tc, elongation="geometric", keys=(), stiffness=4e8, duration=8000, force=PUSH):
    """Disc i fixed at the origin, disc j above at 45°, just touching, pushed along −x. `elongation` is as in step_map,
    `keys` are changes of the case, `duration` is in t_c, `force` in k_n · 1 m."""
    t_c = contact_duration(stiffness)
    of_elongation = {"geometric": {"contact.elongation": "geometric"},
                     "literal": {"contact.elongation": "geometric", "contact.geometric_form": "eq10-11-literal"}}
    return dem.Case.read(Path(__file__).parent / "figure-3" / "case.toml").changed({
        **of_elongation.get(elongation, {"contact.velocity_source": elongation}),
        "material.normal_stiffness": stiffness, "time.step": dt_over_tc * t_c, "stage.rest.duration": duration * t_c,
        "body.pushed.fixed": FIXED[reading], "body.pushed.force": [-force * stiffness, 0.0], **dict(keys)})


def ratios(stiffness_ratio, restitution_ratio, stiffness=4e8):
    """Keys for k_t/k_n and ε_t/ε_n: γ_t follows from ε_t and k_t as γ_n from ε_n and k_n (Eq. 6)."""
    k_t = stiffness_ratio * stiffness
    return {"material.tangential_stiffness_ratio": stiffness_ratio,
            "material.tangential_damping": damping(restitution_ratio * RESTITUTION, k_t)}


def beside_rest():
    """Keys for a start 1e-4 of the displacement beside the rest of the guided disc, Δx = −2 F/k_n with ξ = 0. So the
    growth of a scheme that gains energy is seen over many decades before the contact opens."""
    return {"body.pushed.position": [S * (1 - 1e-13) - 2 * PUSH * (1 - 1e-4), S * (1 - 1e-13)]}


class Decay(NamedTuple):
    time: float  # t_R/t_c; negative where the energy grows
    r_squared: float
    maxima: int
    lost: bool = False  # the contact, at the end

    @property
    def usable(self):
        """As one exponential, over enough maxima."""
        return self.maxima >= 20 and self.r_squared > 0.999


def decay(reading, dt_over_tc, elongation="geometric", keys=(), stiffness=4e8, duration=8000, most=math.inf):
    """A Decay as a list of numbers, for StudyRun.map. The run also ends once the energy is above `most` (F · 1e-6 m): a
    growing vibration has said enough then."""
    run = dem.Run(two_discs(reading, dt_over_tc, elongation, keys, stiffness, duration))
    if most < math.inf:
        @run.every(steps=64)
        def watch(now):
            if now.series["kinetic_energy"] > most * PUSH**2 * stiffness:
                now.stop("the energy has grown")

    fit = run.relaxation(growth=4 if most == math.inf else math.inf)
    with run.look() as now:
        return [fit.time / contact_duration(stiffness), fit.r_squared, fit.maxima, len(now.contacts) == 0]


def decays(run, name, points):
    """The decays of these arguments of decay()."""
    return [Decay(*found) for found in run.map(name, decay, points)]


class Rest(NamedTuple):
    """Displacements in F/k_n."""
    dx: float
    dy: float
    turn: float  # a Δθ
    elongation: float
    force_ratio: float  # |F_t/F_n|


def rest(reading, dt_over_tc, elongation="geometric", keys=(), duration=9000, force=PUSH):
    """A Rest as a list of numbers, for StudyRun.map."""
    run = dem.Run(two_discs(reading, dt_over_tc, elongation, keys, duration=duration, force=force))
    run()
    with run.look() as now:
        (x, y, _), contacts = now.bodies.position[1], now.contacts
        moved = np.array([x - S, y - S, 0.5 * now.bodies.angle[1], contacts.elongation[0]]) / force
        return [*map(float, moved), abs(float(contacts.tangential_force[0] / contacts.normal_force[0]))]
