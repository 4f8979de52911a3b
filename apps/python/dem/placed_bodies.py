"""Bodies that are put into place by hand: their contact forces, without time."""

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

__all__ = ["PlacedBodies", "PlacedContacts"]


@dataclass(frozen=True)
class PlacedContacts:
    """The contacts of placed bodies, a row for each, in the order of their keys.

    Attributes
    ----------
    i, j : (n,) arrays
        Bodies, i < j.
    normal : (n, 2) array
        From i to j.
    point : (n, 2) array
        Where the forces act (m).
    overlap : (n,) array
        Of polygons: overlap area over its length (m).
    normal_force : (n,) array
        N, pressing positive.
    normal_stiffness : (n,) array
        Its derivative by the approach at this state (N/m).
    """

    i: NDArray[np.int64]
    j: NDArray[np.int64]
    normal: NDArray[np.float64]
    point: NDArray[np.float64]
    overlap: NDArray[np.float64]
    normal_force: NDArray[np.float64]
    normal_stiffness: NDArray[np.float64]


class PlacedBodies:
    """Bodies and walls of a plane case, to be put into any place: the contact pass alone.

    Walls are the last bodies. The stages, gravity and integrator of the case are not used.

    Parameters
    ----------
    case : Case, mapping or path
        A path names a case file.

    Attributes
    ----------
    free : int
        Number of bodies that are not walls.
    poses : (n, 3) array
        x, y (m) and angle (rad) where the case puts the bodies.
    mass, moment, equivalent_radius : (free,) arrays
        kg, kg m² and m.
    moves : (free, 3) array of bool
        False where the case holds x, y or the angle (`body.fixed`).

    Raises
    ------
    CaseError, GeometryError
        The case, or a body of it, is not allowed.
    ValueError
        The case is in space.

    Examples
    --------
    >>> placed = dem.PlacedBodies(case)  # doctest: +SKIP
    >>> force = placed.place(placed.poses)  # doctest: +SKIP
    """

    def __init__(self, case: Case | Mapping[str, Any] | str | PathLike[str]) -> None:
        engine = case_of(case)._engine
        self._engine = _dem.PlacedBodies(engine.text(), engine.name)
        self.free: int = self._engine.free
        rows = self._engine.bodies()
        self.poses: NDArray[np.float64] = rows[:, :3].copy()
        self.mass, self.moment, self.equivalent_radius = rows[: self.free, 3:6].T.copy()
        self.moves: NDArray[np.bool_] = rows[: self.free, 6:] > 0
        self._still = np.zeros_like(self.poses)

    def place(self, poses: ArrayLike, rates: ArrayLike | None = None, stay: bool = True) -> NDArray[np.float64]:
        """Puts the bodies into place and returns their forces and torques, (n, 3): F_x, F_y (N), torque (N m).

        Parameters
        ----------
        poses : (n, 3) array
            x, y (m) and angle (rad).
        rates : (n, 3) array, optional
            m/s and rad/s; 0 if not given.
        stay : bool
            Springs move on from where the bodies stayed last. If false, the next placement does not know of this one.

        Raises
        ------
        ValueError
            An array has another shape, or a number that is not finite.
        LawFailed
            A law of one's own failed. The cause is its error.
        """
        placed = table("place: poses", poses, 3)
        moving = self._still if rates is None else table("place: rates", rates, 3)
        if placed.shape != self.poses.shape or moving.shape != self.poses.shape:
            raise ValueError(
                f"place: found arrays of shape {placed.shape} and {moving.shape}, allowed {self.poses.shape}"
            )
        with law_errors():
            return self._engine.place(placed, moving, stay)

    @property
    def contacts(self) -> PlacedContacts:
        """The contacts where the bodies stayed last."""
        rows = self._engine.contacts()
        i, j = rows[:, :2].T.astype(np.int64)
        return PlacedContacts(i, j, rows[:, 2:4], rows[:, 4:6], rows[:, 6], rows[:, 7], rows[:, 8])
