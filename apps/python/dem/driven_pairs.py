"""Two bodies on prescribed paths."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

from .case import Case, case_of
from .checks import table
from .own_law import law_errors

__all__ = ["DrivenPair", "driven_pair"]


@dataclass(frozen=True)
class DrivenPair:
    """The contact of two driven bodies, a row for each pose.

    Attributes
    ----------
    elongation : (n,) array
        Tangential elongation (m).
    normal_force : (n,) array
        N, pressing positive.
    normal : (n, 2) array
        From i to j.
    point : (n, 2) array
        Where the forces act (m).
    force : (n, 2) array
        On j (N); on i acts its negative.
    torque : (n, 2) array
        On i and on j, about their centroids (N m).
    """

    elongation: NDArray[np.float64]
    normal_force: NDArray[np.float64]
    normal: NDArray[np.float64]
    point: NDArray[np.float64]
    force: NDArray[np.float64]
    torque: NDArray[np.float64]


def driven_pair(
    case: Case | Mapping[str, Any] | str | PathLike[str], poses: ArrayLike, rates: ArrayLike
) -> DrivenPair:
    """Moves the two bodies of a plane case along a path and returns their contact: the contact pass alone.

    Parameters
    ----------
    case : Case, mapping or path
        With two bodies. A path names a case file. Its stages, gravity and integrator are not used.
    poses : (n, 6) array
        x, y (m) and angle (rad) of body i, then of body j. The contact begins in the first row, without elongation.
    rates : (n, 6) array
        Their derivatives at the same moments (m/s, rad/s). The first row is not used.

    Raises
    ------
    CaseError, GeometryError
        The case, or a body of it, is not allowed.
    ValueError
        The case does not have two bodies in the plane, an array has another shape or a number that is not finite, or
        the bodies do not have one contact in every row.
    LawFailed
        A law of one's own failed. The cause is its error.
    """
    engine = case_of(case)._engine
    placed, moving = table("driven_pair: poses", poses, 6), table("driven_pair: rates", rates, 6)
    if placed.shape != moving.shape:
        raise ValueError(f"driven_pair: found {len(placed)} poses and {len(moving)} rates, allowed as many of both")
    with law_errors():
        rows = _dem.driven_pair(engine.text(), engine.name, placed, moving)
    return DrivenPair(rows[:, 0], rows[:, 1], rows[:, 2:4], rows[:, 4:6], rows[:, 6:8], rows[:, 8:10])
