"""Small motion of an assembly about its equilibrium, and its normal modes."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from os import PathLike
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from .case import Case, case_of
from .placed_bodies import PlacedBodies

__all__ = ["Modes", "SmallMotion", "small_motion"]

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Modes:
    """The normal modes of M and K without damping, by frequency, and what damping does to each to first order.

    Attributes
    ----------
    omega : (k,) array
        Angular frequency (1/s).
    rate : (k,) array
        φᵀCφ = 1/t_R for Δt → 0: the kinetic energy decays as exp(-rate t) (1/s). With history = "pseudo" at the Δt of
        the case.
    tangential_share : (k,) array
        f_t: the share of the strain energy that is in tangential springs.
    shape : (k, n, 3) array
        φ with φᵀMφ = 1: x, y and angle of each body, 0 where the case holds it (`body.fixed`).
    """

    omega: Matrix
    rate: Matrix
    tangential_share: Matrix
    shape: Matrix

    @property
    def damping_ratio(self) -> Matrix:
        """ζ of each mode."""
        return self.rate / (2 * self.omega)

    @property
    def rate_by_step(self) -> Matrix:
        """b of 1/t_R(Δt) = rate + b Δt (1/s²) with elongation = "velocity" and velocity_source = "predicted". Its
        springs run half a step ahead, which adds k_t Δt/2 to the tangential damping."""
        return 0.5 * self.tangential_share * self.omega**2


@dataclass(frozen=True)
class SmallMotion:
    """M q'' + C q' + K q = 0 about an equilibrium, q = x, y, angle of each body that is not a wall.

    Attributes
    ----------
    inertia : (3n,) array
        Diagonal of M (kg, kg, kg m²), infinite where the case holds x, y or the angle (`body.fixed`).
    stiffness : (3n, 3n) array
        K (N/m, N, N m). It is symmetric but for the forces at rest.
    damping : (3n, 3n) array
        C (kg/s, kg m/s, kg m²/s), with the mass damping of the first stage. With history = "pseudo" it has k_t Δt of
        each contact, whose spring has no memory.
    tangential : (3n, 3n) array
        Σ k_t b bᵀ over the contacts (N/m, N, N m), b·q' the tangential velocity that elongation = "velocity"
        integrates. 0 unless history = "true".
    """

    inertia: Matrix
    stiffness: Matrix
    damping: Matrix
    tangential: Matrix

    def modes(self) -> Modes:
        """Returns the normal modes. Raises ValueError if the equilibrium is not stable."""
        moves = np.flatnonzero(np.isfinite(self.inertia))
        scale = np.sqrt(self.inertia[moves])
        stiffness = self.stiffness[np.ix_(moves, moves)]
        squares, vectors = np.linalg.eigh(0.5 * (stiffness + stiffness.T) / np.outer(scale, scale))
        if not all(squares > 0):
            raise ValueError("modes: found a mode without positive stiffness, allowed a stable equilibrium")
        shape = np.zeros((len(moves), len(self.inertia)))
        shape[:, moves] = (vectors / scale[:, None]).T
        rate, tangential = ((shape @ form * shape).sum(axis=1) for form in (self.damping, self.tangential))
        return Modes(np.sqrt(squares), rate, tangential / squares, shape.reshape(len(shape), -1, 3))


def small_motion(case: Case | Mapping[str, Any] | str | PathLike[str], step: float) -> SmallMotion:
    """Returns the small motion of a plane case about its start, from differences of its contact forces.

    Parameters
    ----------
    case : Case, mapping or path
        In equilibrium, its walls at rest. A path names a case file. Any elongation and any time step, but not "auto".
    step : float
        Displacement of the differences (m), far below the least overlap.

    Raises
    ------
    CaseError, GeometryError
        The case, or a body of it, is not allowed.
    ValueError
        The case is in space, its time step is "auto", or `step` is not allowed.
    """
    if not isinstance(step, Real) or not 0 < step < np.inf:
        raise ValueError(f"small_motion: found step = {step}, allowed a number > 0")
    case = case_of(case)
    dt = case["time.step"]
    if not isinstance(dt, float):
        raise ValueError(f"small_motion: found time.step = {dt!r}, allowed a number")
    history = case["stage[1].history"] or case["contact.history"]  # None: the law has no such key
    at_rest = "none" if history == "pseudo" else history  # a movement that is over has left no force
    by_place = PlacedBodies(_with(case, "geometric", dt, at_rest))
    once, twice = (PlacedBodies(_with(case, "velocity", length, history)) for length in (dt, 2 * dt))
    for placed in (by_place, once, twice):
        placed.place(placed.poses)
    least = by_place.contacts.overlap.min(initial=np.inf)
    if step >= least:
        raise ValueError(f"small_motion: found step = {step:g} m, allowed far below the least overlap, {least:.6g} m")
    groups = _independent(_neighbours(by_place))
    # The springs of `velocity` take v Δt of the dashpots' v, at their own levers.
    fed, fed_more = (_response(placed, groups, step, step / dt) for placed in (once, twice))
    damping, tangential = _response(by_place, groups, step, step / dt), (fed_more - fed) / dt
    if history == "pseudo":  # a dashpot k_t Δt in place of the spring
        damping, tangential = damping + dt * tangential, np.zeros_like(tangential)
    inertia = np.column_stack([by_place.mass, by_place.mass, by_place.moment])
    alpha = next((a for a in (case["stage[1].mass_damping"], case["material.mass_damping"]) if a is not None), 0.0)
    return SmallMotion(
        np.where(by_place.moves, inertia, np.inf).ravel(),
        _response(by_place, groups, step, 0),
        damping + np.diag(alpha * np.where(by_place.moves, inertia, 0).ravel()),
        tangential,
    )


def _with(case: Case, elongation: str, dt: float, history: str | None) -> Case:
    memory = {} if history is None else {"contact.history": history}
    return case.changed({"contact.elongation": elongation, "time.step": dt, **memory})


def _neighbours(placed: PlacedBodies) -> list[list[int]]:
    """Each body with those in contact with it."""
    near = [{b} for b in range(placed.free)]
    contacts = placed.contacts
    for i, j in zip(contacts.i.tolist(), contacts.j.tolist()):
        if j < placed.free:
            near[i].add(j)
            near[j].add(i)
    return [sorted(n) for n in near]


def _independent(near: list[list[int]]) -> list[list[tuple[int, list[int]]]]:
    """Groups of bodies of which no two act on one body, each with the bodies that it acts on (Curtis, Powell, Reid,
    J. Inst. Math. Appl. 13 (1974) 117)."""
    colours: dict[int, int] = {}
    groups: list[list[tuple[int, list[int]]]] = []
    for body, beside in enumerate(near):
        taken = {colours[other] for n in beside for other in near[n] if other in colours}
        colour = next(c for c in range(len(groups) + 1) if c not in taken)
        if colour == len(groups):
            groups.append([])
        groups[colour].append((body, beside))
        colours[body] = colour
    return groups


def _response(placed: PlacedBodies, groups: list[list[tuple[int, list[int]]]], step: float, speed: float) -> Matrix:
    """-∂(force)/∂(place), or with a speed (m/s) -∂(force)/∂(velocity), by central differences."""
    matrix = np.zeros((3 * placed.free, 3 * placed.free))
    for group in groups:
        for coordinate in range(3):
            change = np.zeros_like(placed.poses)
            for body, _ in group:
                radius = placed.equivalent_radius[body] if coordinate == 2 else 1
                change[body, coordinate] = (speed or step) / radius
            if speed:
                up, down = (placed.place(placed.poses, sign * change, stay=False) for sign in (1, -1))
            else:
                up, down = (placed.place(placed.poses + sign * change, stay=False) for sign in (1, -1))
            for body, beside in group:
                rows = (3 * np.array(beside)[:, None] + np.arange(3)).ravel()
                matrix[rows, 3 * body + coordinate] = (down - up)[beside].ravel() / (2 * change[body, coordinate])
    return matrix
