"""The two-disc test of Fig. 2 as the program runs it: its case and its decays (polygon-dem reference, §5)."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dem
from relaxation import Point
from step_map import RESTITUTION, contact_duration, damping

PUSH = 1e-6  # F/(k_n · 1 m): unit of all displacements (m)
FIXED = {"guided": ["y"], "guided no rotation": ["y", "rotation"], "free no rotation": ["rotation"],
         "free": []}  # of the pushed disc; `free` is the set-up as printed, without an equilibrium
WORDS = {"guided": "with rotation, guided", "guided no rotation": "no rotation, guided",
         "free no rotation": "no rotation, free"}


def steps_from(smallest):
    """Δt/t_c up to 0.1, two a decade, with the 15 digits that a sweep gives its steps."""
    count = 1 + round(2 * math.log10(0.1 / smallest))
    return [float(f"{step:.15g}") for step in np.geomspace(smallest, 0.1, count)]


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


class Decay(NamedTuple):
    time: float  # t_R/t_c; negative where the energy grows
    r_squared: float
    maxima: int
    lost: bool = False  # the contact, at the end

    @property
    def usable(self):
        """As one exponential, over enough maxima."""
        return self.maxima >= 20 and self.r_squared > 0.999

    def at(self, x):
        """As a point of a curve over x."""
        return Point(x, self.time if self.usable else math.nan, self.r_squared, self.maxima)


def decay(reading, dt_over_tc, elongation="geometric", keys=(), stiffness=4e8, duration=8000):
    """A Decay as a list of numbers, for StudyRun.map."""
    run = dem.Run(two_discs(reading, dt_over_tc, elongation, keys, stiffness, duration))
    fit = run.relaxation()
    with run.look() as now:
        return [fit.time / contact_duration(stiffness), fit.r_squared, fit.maxima, len(now.contacts) == 0]


def decays(run, name, points):
    """The decays of these arguments of decay()."""
    return [Decay(*found) for found in run.map(name, decay, points)]


def curves_of(run, name, curves):
    """Curves of decays as lists of points. `curves` has the arguments of decay(), by the curve and by x."""
    found = iter(decays(run, name, [arguments for row in curves.values() for arguments in row.values()]))
    return {key: [next(found).at(x) for x in row] for key, row in curves.items()}
