"""Checks of a law of one's own before a run: the properties that the tests ask of each law, on one contact."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from .one_contact import ContactPath, contact
from .own_law import Law, LawRefused

__all__ = ["check_law"]

ROUNDING = 1e-9  # of the work or force on the path; a law works in doubles
SPLITTING = 1e-6


def check_law(law: Law, parameters: Mapping[str, Any]) -> None:
    """Drives a law along test paths of random steps with a fixed seed.

    Parameters
    ----------
    law : Law
    parameters : mapping
        Those of `dem.contact` for this law: stiffnesses, friction and the law's own.

    Raises
    ------
    LawRefused
        With the measured violation: friction makes energy; work is neither stored nor dissipated; a turned or mirrored
        path does not give turned or mirrored forces; two half steps end at another force than the whole one.
    """
    random = np.random.default_rng(1)
    overlap = 1e-3
    slip = parameters["friction"] * parameters["normal_stiffness"] * overlap / parameters["tangential_stiffness"]
    shifts = 0.4 * (slip or overlap) * random.standard_normal((200, 2))
    path = np.column_stack([np.full(200, overlap), shifts])
    path[0, 1:] = 0  # the contact begins

    def drive(rows: NDArray[np.float64]) -> ContactPath:
        return contact(law.name, parameters, rows)

    def refuse(what: str, found: float, allowed: float, unit: str) -> None:
        raise LawRefused(
            f"law {law.name!r}: {what}: found {found:.3g}, allowed {allowed:.3g} of the {unit} on the test path; mend "
            "the law, or define it with checked=False"
        )

    plain = drive(path)
    forces = plain.tangential
    if not np.isfinite(forces).all():
        raise LawRefused(f"law {law.name!r}: found a force that is not a number on the test path")
    work = float(np.abs(plain.work).sum()) or 1.0
    force = float(np.abs(forces).max()) or 1.0

    made = float(-plain.dissipated.min()) / work
    if made > ROUNDING:
        refuse("friction makes energy in a step", made, ROUNDING, "work")
    lost = float(np.abs(plain.work[1:] - np.diff(plain.stored_tangential) - plain.dissipated[1:]).max()) / work
    if lost > ROUNDING:
        refuse("work differs from the change of stored plus dissipated in a step", lost, ROUNDING, "work")

    def turned(vectors: NDArray[np.float64], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        return vectors @ matrix.T

    c, s = np.cos(0.7), np.sin(0.7)
    for what, matrix in (
        ("a turned path gives other forces (objectivity)", np.array([[c, -s], [s, c]])),
        ("a mirrored path gives other forces (objectivity)", np.array([[1.0, 0.0], [0.0, -1.0]])),
    ):
        other = drive(np.column_stack([path[:, 0], turned(path[:, 1:], matrix)])).tangential
        error = float(np.abs(other - turned(forces, matrix)).max()) / force
        if error > ROUNDING:
            refuse(what, error, ROUNDING, "force")

    # Along a line, where the direction of slip is the same in each part of a step.
    line = np.column_stack([path[:, 0], path[:, 1:2] * np.array([c, s])])
    halves = np.repeat(line, 2, axis=0)
    halves[:, 1:] /= 2
    error = float(np.abs(drive(halves).tangential[2::2] - drive(line).tangential[1:]).max()) / force
    if error > SPLITTING:
        refuse("two half steps end at another force than the whole step", error, SPLITTING, "force")
