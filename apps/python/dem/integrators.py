"""The integrators of the engine on one coordinate."""

from __future__ import annotations

from typing import Callable, Literal, Sequence

import _dem

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
    force : function
        f(x, v) at the predicted state, once a step (N).
    coefficients : str
        As `time.gear_coefficients` of a case.

    Raises
    ------
    ValueError
        There are no such coefficients.
    """
    return _dem.gear_steps(list(start), time_step, steps, force, _chosen(coefficients, Coefficients) == 1)


def spectral_radius(
    damping_ratio: float,
    omega_dt: float,
    integrator: Integrator = "gear5",
    coefficients: Coefficients = "velocity-dependent",
) -> float:
    """Returns the largest modulus of the eigenvalues of one step on x'' = -ω² x - 2 ζ ω x'. Above 1 amplitudes grow.

    Raises ValueError if there is no such integrator or coefficients."""
    return _dem.spectral_radius(*_scheme(integrator, coefficients), damping_ratio, omega_dt)


def stability_limit(
    damping_ratio: float,
    growth: float = 1e-6,
    integrator: Integrator = "gear5",
    coefficients: Coefficients = "velocity-dependent",
) -> float:
    """Returns the largest ωΔt at which amplitudes grow by at most `growth` per step.

    Raises ValueError if there is no such integrator or coefficients."""
    return _dem.stability_limit(*_scheme(integrator, coefficients), damping_ratio, growth)


def _chosen(name: str, allowed: object) -> int:
    names = allowed.__args__  # type: ignore[attr-defined]
    if name not in names:
        raise ValueError(f"found {name!r}, allowed {' or '.join(names)}")
    return int(names.index(name))


def _scheme(integrator: Integrator, coefficients: Coefficients) -> tuple[bool, bool]:
    return _chosen(integrator, Integrator) == 1, _chosen(coefficients, Coefficients) == 1
