"""One contact driven along a path."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

from . import toml
from .case import _by_key
from .errors import CaseError

__all__ = ["ContactPath", "contact", "laws"]

_columns = {
    3: ("contact", ("overlap", "shift_1", "shift_2")),
    13: (
        "global",
        ("overlap", "normal_x", "normal_y", "normal_z", "shift_x", "shift_y", "shift_z")
        + tuple(f"rotation_{body}_{axis}" for body in "ij" for axis in "xyz"),
    ),
}


@dataclass(frozen=True)
class ContactPath:
    """States of a driven contact: row 0 is the start, then one for each row of the path.

    Attributes
    ----------
    normal_force : (n + 1,) array
        Elastic and dashpot, compression positive (N).
    tangential : (n + 1, 2) or (n + 1, 3) array
        Tangential force on i, elastic and dashpot (N), in the frame of the path.
    regime : list of str
        stick, slip, slide, retrace, separated or unchanged.
    stored_normal, stored_tangential : (n + 1,) array
        Elastic energy (J).
    work : (n + 1,) array
        Taken up by the elastic tangential force during the row (J).
    dissipated : (n + 1,) array
        By friction during the row (J).
    """

    normal_force: NDArray[np.float64]
    tangential: NDArray[np.float64]
    regime: list[str]
    stored_normal: NDArray[np.float64]
    stored_tangential: NDArray[np.float64]
    work: NDArray[np.float64]
    dissipated: NDArray[np.float64]

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
) -> ContactPath:
    """Drives one contact along a path, as `dem contact` does.

    Parameters
    ----------
    law : str
        One of `dem.laws()`.
    parameters : mapping
        Those of the law (`dem.help("contact")`).
    path : (n, 3) or (n, 13) array
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

    Raises
    ------
    CaseError
        With every problem of law, parameters and path.
    """
    rows = np.asarray(path, dtype=float)
    if rows.ndim != 2 or rows.shape[1] not in _columns:
        raise ValueError(f"path: found an array of shape {rows.shape}, allowed (n, 3) or (n, 13)")
    for row, column in np.argwhere(~np.isfinite(rows)):
        raise ValueError(f"path[{row}, {column}]: found {rows[row, column]}, allowed a finite number")
    frame, names = _columns[rows.shape[1]]
    movement: dict[str, Any] = {"file": "path.csv", "frame": frame}
    for key, given in (
        ("time_step", time_step),
        ("start_overlap", start_overlap),
        ("start_force", start_force),
        ("start_normal", start_normal),
    ):
        if given is not None:
            movement[key] = np.asarray(given, dtype=float).tolist()
    # The files of `dem contact` bring its checks and sentences. Numbers are written with all their digits.
    with TemporaryDirectory(prefix="dem-contact-") as folder:
        lines = [",".join(names)] + [",".join(repr(float(x)) for x in row) for row in rows]
        (Path(folder) / "path.csv").write_text("\n".join(lines) + "\n")
        drive = Path(folder) / "contact.toml"
        drive.write_text(toml.document({"law": law, "parameters": dict(parameters), "path": movement}))
        try:
            return ContactPath(**_dem.contact(drive))
        except CaseError as error:
            raise _by_key(error, str(drive)) from None


def laws() -> list[str]:
    """Returns the names of the contact laws."""
    return _dem.law_names()
