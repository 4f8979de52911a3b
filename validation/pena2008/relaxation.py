"""Relaxation times as curves over a parameter."""

import math
from dataclasses import dataclass, replace

import numpy as np

from driver.study import curve


@dataclass(frozen=True)
class Point:
    x: float
    time: float  # t_R/t_c; NaN where the fit is not usable
    r_squared: float
    maxima: float

    @property
    def usable(self):
        return self.time == self.time

    @property
    def decays(self):
        """As one exponential, over enough maxima."""
        return self.maxima >= 20 and self.r_squared > 0.999

    def at(self, time):
        return replace(self, time=time)


def values(found):
    """x and t_R of the usable points."""
    found = [p for p in found if p.usable]
    return np.array([p.x for p in found]), np.array([p.time for p in found])


def drawn(label, found, style="points"):
    return curve(label, *values(found), style)


def value_at(found, x):
    return next(p.time for p in found if p.usable and abs(p.x - x) <= 1e-9 * abs(x))


def falls(found):
    """Does t_R fall from each usable point to the next one of larger x?"""
    times = values(found)[1]
    return len(times) > 0 and bool((np.diff(times) < 0).all())


def threshold_of(found, limit, tolerance):
    """Largest x (a time step) at which the curve is within the tolerance of its limit at x = 0; infinite if all points
    are. Between two points, and below the first, 1/t_R is linear in x (reference, §5)."""
    bound, x, rate = 1 / (limit * (1 - tolerance)), 0.0, 1 / limit
    for p in found:
        if p.usable:
            if 1 / p.time > bound:
                return x + (p.x - x) * (bound - rate) / (1 / p.time - rate)
            x, rate = p.x, 1 / p.time
    return math.inf


def predicted(label, low, high, function, per_decade=12):
    """Dashed line at logarithmic steps."""
    x = np.geomspace(low, high, 1 + math.ceil(round(math.log10(high / low) * per_decade, 6)))
    return curve(label, x, [function(v) for v in x], "prediction")


def straight_line(x, y):
    """Slope, R² and largest residual of the least-squares line."""
    slope, start = np.polyfit(x, y, 1)
    rest = y - start - slope * x
    return {"slope": slope, "r_squared": 1 - (rest**2).sum() / ((y - y.mean()) ** 2).sum(), "residual": abs(rest).max()}
