"""Checks of a law of one's own before a run: the properties that the tests ask of each law, on one contact."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Mapping

import numpy as np
from numpy.typing import NDArray

from .law_block import LawBlock
from .own_law import Law, LawRefused

__all__ = ["check_law"]

ROUNDING = 1e-9  # of the work or force on the path; a law works in doubles
SPLITTING = 1e-6
PARTS = 16  # of a step, where the work of a law is compared with that of its force
WORKING = 0.05  # error of a sum over these parts

Path = NDArray[np.float64]


def check_law(law: Law, pair: Mapping[str, float], options: Mapping[str, float]) -> None:
    """Drives a law along test paths of random steps with a fixed seed, under a constant normal force.

    Parameters
    ----------
    law : Law
    pair : mapping
        `normal_stiffness`, `tangential_stiffness` and `friction` of the contact.
    options : mapping
        The law's own parameters.

    Raises
    ------
    LawRefused
        With the measured violation: friction or the dashpot makes energy; the work is not that of the force, or is
        neither stored nor dissipated; a turned or mirrored path does not give turned or mirrored forces; two half
        steps end at another force than the whole one.
    LawFailed
        The law itself failed. The cause is its error.
    """
    random = np.random.default_rng(1)
    overlap, time_step = 1e-3, 1e-4
    normal_force, stiffness = pair["normal_stiffness"] * overlap, pair["tangential_stiffness"]
    scale = 0.4 * (pair["friction"] * normal_force / stiffness or overlap)
    shifts, velocities = scale * random.standard_normal((200, 2)), scale / time_step * random.standard_normal((200, 2))
    shifts[0] = velocities[0] = 0  # the contact begins at rest
    damping = 0.3 * stiffness * time_step

    def drive(shifts: Path, velocities: Path) -> SimpleNamespace:
        """Replies of contacts along paths of shape (steps, contacts, 2)."""
        block = LawBlock(law.name, shifts.shape[1], **options)
        block.set(stiffness=stiffness, friction=pair["friction"], damping=damping, normal_end=normal_force)
        rows = []
        for k, ((x, y), (u, v)) in enumerate(zip(shifts.transpose(0, 2, 1), velocities.transpose(0, 2, 1))):
            start = normal_force if k else 0.0
            told = block.step(normal_start=start, shift_1=x, shift_2=y, velocity_1=u, velocity_2=v)
            rows.append([told.elastic_1, told.elastic_2, told.viscous_1, told.viscous_2, told.stored, told.dissipated,
                         told.work])
        found = np.array(rows).transpose(0, 2, 1)
        return SimpleNamespace(elastic=found[..., :2], viscous=found[..., 2:4], stored=found[..., 4],
                               dissipated=found[..., 5], work=found[..., 6])

    def refuse(what: str, found: float, allowed: float, unit: str) -> None:
        raise LawRefused(
            f"law {law.name!r}: {what}: found {found:.3g}, allowed {allowed:.3g} of the {unit} on the test path; mend "
            "the law, or define it with checked=False"
        )

    def size(x: Path) -> float:
        return float(np.abs(x).max()) or 1.0

    # The path, and the same path turned and mirrored.
    c, s = np.cos(0.7), np.sin(0.7)
    views = np.array([[[1.0, 0.0], [0.0, 1.0]], [[c, -s], [s, c]], [[1.0, 0.0], [0.0, -1.0]]])
    told = drive(np.einsum("mab,nb->nma", views, shifts), np.einsum("mab,nb->nma", views, velocities))
    if not all(np.isfinite(column).all() for column in vars(told).values()):
        raise LawRefused(f"law {law.name!r}: found a reply that is not a number on the test path, allowed numbers")
    stored, dissipated, done = told.stored[:, 0], told.dissipated[:, 0], told.work[:, 0]
    work = float(np.abs(done).sum()) or 1.0

    made = float(-dissipated.min()) / work
    if made > ROUNDING:
        refuse("friction makes energy in a step", made, ROUNDING, "work")
    lost = float(np.abs(done - np.diff(stored, prepend=0) - dissipated).max()) / work
    if lost > ROUNDING:
        refuse("work differs from the change of stored plus dissipated in a step", lost, ROUNDING, "work")
    owed = float(-stored.min()) / work
    if owed > ROUNDING:
        refuse("a contact gives more energy than it took, so that stored is negative", owed, ROUNDING, "work")
    powers = (told.viscous[:, 0] * velocities).sum(axis=1)
    driven = float(powers.max()) / size(powers)
    if driven > ROUNDING:
        refuse("the dashpot makes energy", driven, ROUNDING, "power")
    for view, what in ((1, "a turned path"), (2, "a mirrored path")):
        for force in (told.elastic, told.viscous):
            error = float(np.abs(force[:, view] - force[:, 0] @ views[view].T).max()) / size(force)
            if error > ROUNDING:
                refuse(f"{what} gives other forces (objectivity)", error, ROUNDING, "force")

    # Along a line, where the direction of slip is the same in each part of a step.
    line = shifts[:, None, :1] * np.array([c, s])
    whole, halves = (drive(np.repeat(line, n, axis=0) / n, np.repeat(line / time_step, n, axis=0)) for n in (1, 2))
    error = float(np.abs(halves.elastic[1::2] - whole.elastic).max()) / size(whole.elastic)
    if error > SPLITTING:
        refuse("two half steps end at another force than the whole step", error, SPLITTING, "force")

    # The law's own work is a claim. In small parts the trapezoid of its force is the work that was done.
    parts = np.repeat(shifts[:50], PARTS, axis=0) / PARTS
    fine = drive(parts[:, None], np.repeat(velocities[:50], PARTS, axis=0)[:, None])
    forces, claimed = fine.elastic[:, 0], fine.work[:, 0]
    done = -0.5 * ((forces + np.vstack([np.zeros(2), forces[:-1]])) * parts).sum(axis=1)
    difference = np.abs((done - claimed).reshape(-1, PARTS).sum(axis=1)).sum()
    error = float(difference) / float(max(np.abs(done).sum(), np.abs(claimed).sum(), 1e-300))
    if error > WORKING:
        refuse("work differs from that of the elastic force along the path", error, WORKING, "work")
