"""The integrators of the engine on one coordinate.

gear5 is Gear's predictor-corrector of fifth order (Allen and Tildesley, Computer Simulation of Liquids, 1987, App. E).
Its first coefficient c_0 is 3/16 ("velocity-dependent") or 3/20 ("position-only")."""

from __future__ import annotations

import math
from typing import Callable, Literal, Sequence

import _dem

from .checks import numbers, whole

__all__ = ["gear_steps", "spectral_radius", "stability_limit"]

Coefficients = Literal["velocity-dependent", "position-only"]
Integrator = Literal["gear5", "velocity-verlet"]


def gear_steps(
    start: Sequence[float],
    time_step: float,
    steps: int,
    force: Callable[[float, float], float],
    coefficients: Coefficients = "velocity-dependent",
) -> list[float]:
    """Returns the terms of a coordinate of unit mass after some steps of the integrator gear5.

    Parameters
    ----------
    start : six numbers
        r_k = (Δt^k/k!) d^k x/dt^k, k = 0 … 5.
    time_step : float
        Δt (s).
    steps : int
        Number of steps, >= 0.
    force : function
        f(x, v) at the predicted state, once a step (N).
    coefficients : str
        As `time.gear_coefficients` of a case.

    Raises
    ------
    ValueError
        There are not six finite numbers at the start, `time_step` is not above 0, `steps` is no whole number >= 0, or
        there are no such coefficients.
    """
    terms = numbers("gear_steps: start", start)
    if terms.shape != (6,):
        raise ValueError(f"gear_steps: start: found an array of shape {terms.shape}, allowed 6 numbers")
    if not 0 < time_step < math.inf:
        raise ValueError(f"gear_steps: found time_step = {time_step}, allowed a number > 0")
    count, position_only = whole("gear_steps: steps", steps, 0), _chosen(coefficients, Coefficients) == 1
    return _dem.gear_steps(terms.tolist(), time_step, count, lambda x, v: float(force(x, v)), position_only)


def spectral_radius(
    damping_ratio: float,
    omega_dt: float,
    integrator: Integrator = "gear5",
    coefficients: Coefficients = "velocity-dependent",
) -> float:
    """Returns the largest modulus of the eigenvalues of one step on x'' = -ω² x - 2 ζ ω x'. Above 1 amplitudes grow.

    `damping_ratio` is ζ >= 0, `omega_dt` is ωΔt > 0. `coefficients` are those of gear5.

    Raises ValueError if there is no such integrator or coefficients, or a number is not allowed."""
    if not (damping_ratio >= 0 and omega_dt > 0):
        raise ValueError(f"spectral_radius: found damping_ratio = {damping_ratio}, omega_dt = {omega_dt}, allowed >= 0 "
                         "and > 0")
    return _dem.spectral_radius(*_scheme(integrator, coefficients), damping_ratio, omega_dt)


def stability_limit(
    damping_ratio: float,
    growth: float = 1e-6,
    integrator: Integrator = "gear5",
    coefficients: Coefficients = "velocity-dependent",
) -> float:
    """Returns the largest ωΔt at which amplitudes grow by at most `growth` >= 0 per step (see `spectral_radius`).

    Raises ValueError if there is no such integrator or coefficients, or a number is not allowed."""
    if not (damping_ratio >= 0 and growth >= 0):
        raise ValueError(f"stability_limit: found damping_ratio = {damping_ratio}, growth = {growth}, allowed >= 0")
    return _dem.stability_limit(*_scheme(integrator, coefficients), damping_ratio, growth)


def _chosen(name: str, allowed: object) -> int:
    names = allowed.__args__  # type: ignore[attr-defined]
    if name not in names:
        raise ValueError(f"found {name!r}, allowed {' or '.join(names)}")
    return int(names.index(name))


def _scheme(integrator: Integrator, coefficients: Coefficients) -> tuple[bool, bool]:
    return _chosen(integrator, Integrator) == 1, _chosen(coefficients, Coefficients) == 1
