"""Intermittent series: drops and bursts, the law of their sizes, and their rate after large ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

from .checks import numbers, whole

__all__ = ["Aftershocks", "Decay", "Event", "EventsOfRun", "PowerLaw", "aftershocks", "bursts", "drops", "power_law"]


class Event(NamedTuple):
    """A change of a series from the extreme in row `first` to the one in row `last`. Its `size` is positive."""

    first: int
    last: int
    size: float


def drops(series: ArrayLike, threshold: float) -> list[Event]:
    """Returns the falls from a maximum to the next minimum by at least `threshold` > 0, in order.

    A smaller rise does not end a fall. A fall that the series cuts off at its start or end is left out, because its
    size is unknown.

    Raises ValueError if the threshold is not positive, or a value is no finite number."""
    if not threshold > 0:
        raise ValueError(f"drops: found threshold = {threshold}, allowed a number > 0")
    return [Event(*e) for e in _dem.drops(_numbers("drops", series), threshold)]


def bursts(series: ArrayLike, factor: float, threshold: float) -> list[Event]:
    """Returns the rises of a positive series from a minimum to the next maximum by at least `factor` > 1 and
    `threshold` >= 0 (unit of the series).

    Falls by less than the factor do not end a rise. A rise that the series cuts off at its start or end is left out.

    Raises ValueError if the factor or the threshold is not allowed, or a value is not positive or not finite."""
    values = _numbers("bursts", series)
    if not factor > 1 or min(values, default=1) <= 0:
        raise ValueError(f"bursts: found the factor {factor} and values from {min(values, default=1)} on, allowed a "
                         "factor > 1 and values > 0")
    if not threshold >= 0:
        raise ValueError(f"bursts: found threshold = {threshold}, allowed a number >= 0")
    return [Event(*e) for e in _dem.bursts(values, factor, threshold)]


@dataclass(frozen=True)
class PowerLaw:
    """A fit of the density x^-exponent e^(-x/scale) to the sizes x >= lower, by maximum likelihood.

    Attributes
    ----------
    exponent : float
    low, high : float
        The 95 % interval of the exponent, by resampling with a new lower end each time, unless it was given.
    standard_error : float
        Of the exponent, at this lower end.
    lower : float
        The smallest size that the fit takes.
    scale : float
        inf for a law without cutoff.
    count : int
        Sizes >= lower.
    distance : float
        Largest distance of the distributions of sizes and law (Kolmogorov-Smirnov).
    goodness : float
        Share of synthetic samples of the law that lie farther from their own fit. The law is unlikely below 0.1.
    against_exponential : float
        Without cutoff: log-likelihood ratio to the exponential over its standard deviation (Vuong); positive favours
        the power law. With cutoff nan.
    exponential_chance : float
        Probability of a ratio as large as found: without cutoff if the exponential were as good, with cutoff if it were
        true (exponent 0, Wilks).
    """

    exponent: float
    low: float
    high: float
    lower: float
    count: int
    distance: float
    goodness: float
    standard_error: float
    exponential_chance: float
    scale: float = math.inf
    against_exponential: float = math.nan


def power_law(
    sizes: ArrayLike,
    *,
    cutoff: bool = False,
    lower: float | None = None,
    smallest_tail: int = 50,
    samples: int = 200,
    seed: int = 1,
) -> PowerLaw:
    """Fits a power law to sizes (Clauset, Shalizi, Newman, SIAM Review 51 (2009) 661).

    Parameters
    ----------
    sizes : array
        All > 0.
    cutoff : bool
        With the exponential cutoff that a finite system makes. The lower end is then at most the median, so that the
        fit belongs to the bulk.
    lower : float, optional
        The lower end. Without it, the one of least Kolmogorov-Smirnov distance.
    smallest_tail : int
        Least number of sizes above the lower end.
    samples : int
        Number of random samples for interval and goodness, >= 1.
    seed : int
        Of the samples, >= 0.

    Raises
    ------
    ValueError
        Too few different sizes, a size that is not positive, no cutoff of maximum likelihood, or a number that is not
        allowed.
    """
    if lower is not None and not 0 < lower < math.inf:
        raise ValueError(f"power_law: found lower = {lower}, allowed a number > 0")
    tail, count = whole("power_law: smallest_tail", smallest_tail, 0), whole("power_law: samples", samples, 1)
    all_sizes, first = _numbers("power_law: sizes", sizes), whole("power_law: seed", seed, 0)
    return PowerLaw(**_dem.power_law(all_sizes, cutoff, lower, tail, count, first))


class EventsOfRun(NamedTuple):
    """Starts, ends and sizes of the events of a run in the order of time, and begin and end of its observation.

    Times have any one unit (s), which is then that of the edges."""

    starts: Sequence[float]
    ends: Sequence[float]
    sizes: Sequence[float]
    begin: float
    end: float


class Decay(NamedTuple):
    """A fit of Omori's law, rate ~ t^-exponent, with the 95 % interval of the exponent by the likelihood ratio, cut at
    -1 and 3."""

    exponent: float
    low: float
    high: float


@dataclass(frozen=True)
class Aftershocks:
    """Events after the end of a main event, until the next main event.

    Attributes
    ----------
    edges : (n + 1,) array
        Bins of the time since the main event.
    count : (n,) array
        Events in each bin.
    exposure : (n,) array
        Time observed in each bin, over all main events.
    mains : int
    background : float
        Rate of all events that are not main events.
    decay : Decay or None
        By maximum likelihood over all bins. None with fewer than ten events, or if the first edge is not above 0.
    """

    edges: NDArray[np.float64]
    count: NDArray[np.float64]
    exposure: NDArray[np.float64]
    mains: int
    background: float
    decay: Decay | None

    @property
    def rate(self) -> NDArray[np.float64]:
        """Events per time in each bin; nan where no time was observed."""
        observed = np.where(self.exposure > 0, self.exposure, np.nan)
        return np.asarray(self.count / observed, dtype=np.float64)


def aftershocks(edges: ArrayLike, runs: Sequence[EventsOfRun], main_size: float) -> Aftershocks:
    """Counts the events of some runs by the time since the last main event. Main events have sizes >= main_size.

    Raises ValueError if the edges do not grow from 0 or more, there is no run, `main_size` is nan, or the events of a
    run are not allowed."""
    bins = _numbers("aftershocks: edges", edges)
    if len(bins) < 2 or not bins[0] >= 0 or not all(a < b for a, b in zip(bins, bins[1:])):
        raise ValueError("aftershocks: found edges that do not grow from 0 or more, or fewer than two")
    if not runs:
        raise ValueError("aftershocks: found no runs, allowed one or more")
    if math.isnan(main_size):
        raise ValueError("aftershocks: found main_size = nan, allowed a number")
    given = []
    for run in runs:
        starts, ends, sizes = (numbers(f"aftershocks: {name}", x) for name, x in zip(run._fields, run[:3]))
        if not len(starts) == len(ends) == len(sizes):
            raise ValueError("aftershocks: found starts, ends and sizes of different length")
        if not run.begin <= run.end or (starts > ends).any() or (np.diff(starts) < 0).any():
            raise ValueError("aftershocks: found a run or an event that ends before it begins, or events out of order")
        given.append((starts.tolist(), ends.tolist(), sizes.tolist(), run.begin, run.end))
    found = _dem.aftershocks(bins, given, main_size)
    decay = Decay(*found["decay"]) if found["decay"] and bins[0] > 0 else None  # a fit in the logarithm of time
    return Aftershocks(np.array(bins), np.array(found["count"]), np.array(found["exposure"]), found["mains"],
                       found["background"], decay)


def _numbers(place: str, values: ArrayLike) -> list[float]:
    found: list[float] = numbers(place, values).ravel().tolist()
    return found
