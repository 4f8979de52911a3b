"""One contact driven along a path, or along each of some paths."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

from . import toml
from .case import _by_key
from .checks import numbers, table
from .errors import CaseError
from .own_law import law_errors

__all__ = ["ContactPath", "contact", "laws", "tractions"]

_frames = {3: "contact", 13: "global"}  # by the columns of a path
_regimes = np.array(_dem.contact_regimes())


@dataclass(frozen=True)
class ContactPath:
    """States of a driven contact: row 0 is the start, then one for each row of the path.

    With m paths every array has m as its first dimension.

    Attributes
    ----------
    normal_force : (n + 1,) array
        Elastic and dashpot, compression positive (N).
    tangential : (n + 1, 2) or (n + 1, 3) array
        Tangential force on i, elastic and dashpot (N), in the frame of the path.
    regime : (n + 1,) array of str
        Of the row. "separated": no contact at its end. "unchanged": no movement. "stick": no sliding. "slip": sliding
        began; in Hertz laws a part of the contact slides. "slide": all of it slides. "retrace" (laws jaeger): the
        movement goes back along the last leg, or on along a leg of slip.
    stored_normal, stored_tangential : (n + 1,) array
        Elastic energy (J).
    work : (n + 1,) array
        Taken up by the elastic tangential force during the row (J).
    dissipated : (n + 1,) array
        By friction during the row (J).
    leg_count : (n + 1,) array of int
        Legs of the stored history; laws jaeger and jaeger-checked.
    legs : dict
        The history after each of the rows `legs_after`: an array (legs, 3) of the half-overlap at the end of a leg (m)
        and its two slopes, from the bottom up. With m paths a list of m arrays.
    """

    normal_force: NDArray[np.float64]
    tangential: NDArray[np.float64]
    regime: NDArray[np.str_]
    stored_normal: NDArray[np.float64]
    stored_tangential: NDArray[np.float64]
    work: NDArray[np.float64]
    dissipated: NDArray[np.float64]
    leg_count: NDArray[np.intc]
    legs: dict[int, Any]

    def __len__(self) -> int:
        return len(self.normal_force)


def contact(
    law: str,
    parameters: Mapping[str, Any],
    path: ArrayLike,
    *,
    time_step: float | None = None,
    start_overlap: float | None = None,
    start_force: ArrayLike | None = None,
    start_normal: ArrayLike | None = None,
    legs_after: Sequence[int] = (),
) -> ContactPath:
    """Drives one contact along a path, as `dem contact` does, or along each of m paths from the same start.

    Parameters
    ----------
    law : str
        One of `dem.laws()`.
    parameters : mapping
        Those of the contact and the law; `dem.help(law)` lists them. A law of one's own may have a parameter with the
        name of one of the contact, like friction. Then one value is given for both; `dem.LawBlock` keeps them apart.
    path : (n, 3) or (n, 13) array; (m, n, 3) or (m, n, 13) array for m paths
        One row a step. Three columns: overlap at the end of the row, and the tangential movement of j relative to i in
        two directions (m). Thirteen: overlap, normal (3), movement (3), rotation vectors of i and j (3 and 3, rad), in
        space axes.
    time_step : float, optional
        Duration of a row (s). Without it dashpots are off.
    start_overlap : float, optional
        Overlap at the start (m). Default: 0.
    start_force : (2,) or (3,) array, optional
        Tangential force on i at the start (N).
    start_normal : (3,) array
        Unit normal from i to j at the start; only and always with thirteen columns.
    legs_after : sequence of int, optional
        States whose stored history is wanted: 0 is the start, k is after row k. Laws jaeger and jaeger-checked.

    Raises
    ------
    CaseError
        With every problem of law, parameters and path.
    ValueError, TypeError
        The path has another shape, or a number that is not finite. An argument is of another form.
    LawFailed
        A law of one's own failed. The cause is its error.
    """
    rows = numbers("path", path)
    if rows.ndim not in (2, 3) or rows.shape[-1] not in _frames or 0 in rows.shape:
        allowed = "(n, 3), (n, 13), (m, n, 3) or (m, n, 13)"
        raise ValueError(f"path: found an array of shape {rows.shape}, allowed {allowed}")
    count, columns = rows.shape[-2:]
    for row in legs_after:
        if not isinstance(row, Integral) or not 0 <= row <= count:
            raise ValueError(f"legs_after: found {row!r}, allowed 0 to {count}, the number of rows")
    movement: dict[str, Any] = {"frame": _frames[columns]}
    for key, given in (
        ("time_step", time_step),
        ("start_overlap", start_overlap),
        ("start_force", start_force),
        ("start_normal", start_normal),
    ):
        if given is not None:
            movement[key] = numbers(key, given).tolist()
    drive = _drive(law, parameters, movement)
    try:
        with law_errors():
            found = _dem.contact(drive, "contact", rows, count, list(legs_after))
    except CaseError as error:
        raise _by_key(error, "contact") from None
    found["regime"] = _regimes[found["regime"]]
    legs = found.pop("legs")
    if rows.ndim == 2:
        found = {name: array[0] for name, array in found.items()}
    of_row = {row: [path[k] for path in legs] for k, row in enumerate(legs_after)}
    return ContactPath(**found, legs={row: all if rows.ndim == 3 else all[0] for row, all in of_row.items()})


def tractions(
    parameters: Mapping[str, Any], legs: ArrayLike, radii: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the tractions over the contact circle of a contact of law jaeger (Kuhn, Int. J. Numer. Meth. Engng 88
    (2011) 66, Eq. 21).

    Parameters
    ----------
    parameters : mapping
        Those of the contact, as for `contact`.
    legs : (k, 3) array
        The stored history, as in `ContactPath.legs`.
    radii : (n,) array
        Distances from the centre of the contact (m).

    Returns
    -------
    pressure : (n,) array
        Compression positive (Pa).
    shear : (n, 2) array
        On i (Pa).

    Raises
    ------
    CaseError
        With every problem of the parameters.
    ValueError
        An array has another shape, or a number that is not finite.
    TypeError
        The parameters are no dictionary.
    """
    stored, at = table("tractions: legs", legs, 3), numbers("tractions: radii", radii)
    if at.ndim != 1:
        raise ValueError(f"tractions: radii: found an array of shape {at.shape}, allowed (n,)")
    drive = _drive("jaeger", parameters, {"frame": "contact"})
    try:
        return _dem.tractions(drive, "contact", stored, at)
    except CaseError as error:
        raise _by_key(error, "contact") from None


def _drive(law: str, parameters: Mapping[str, Any], movement: Mapping[str, Any]) -> str:
    if not isinstance(parameters, Mapping):
        raise TypeError(f"parameters: found {parameters!r}, allowed a dictionary")
    return toml.document({"law": law, "parameters": dict(parameters), "path": movement})


def laws() -> list[str]:
    """Returns the names of the contact laws."""
    return _dem.law_names()
