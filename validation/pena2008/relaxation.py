"""Relaxation times of a sweep as curves over one of its parameters."""

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


def points(table, x, **fixed):
    """The rows of a sweep with one relaxation quantity whose other parameters have the given values, by rising x."""
    rows = [k for k in range(len(table)) if all(table[name][k] == value for name, value in fixed.items())]
    names = (x, "t_R_over_t_c", "t_R_r_squared", "t_R_maxima")
    return sorted((Point(*(float(table[name][k]) for name in names)) for k in rows), key=lambda p: p.x)


def values(found):
    """x and t_R of the usable points."""
    found = [p for p in found if p.usable]
    return np.array([p.x for p in found]), np.array([p.time for p in found])


def drawn(label, found, style="points"):
    return curve(label, *values(found), style)


def value_at(found, x):
    return next(p.time for p in found if p.usable and abs(p.x - x) <= 1e-9 * abs(x))


def straight_line(x, y):
    """Slope, R² and largest residual of the least-squares line."""
    slope, start = np.polyfit(x, y, 1)
    rest = y - start - slope * x
    return {"slope": slope, "r_squared": 1 - (rest**2).sum() / ((y - y.mean()) ** 2).sum(), "residual": abs(rest).max()}
