"""Packings of the study on the number of particles, their normal modes, and small motion about them."""

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("_dem", reason="the module _dem is not built")
PAPER = Path(__file__).resolve().parents[2] / "validation" / "pena2008"
sys.path[:0] = [str(PAPER), str(PAPER.parent)]

import dem  # noqa: E402
from packed import DAMPING, FRICTIONLESS, STIFFNESS, T_C, make_packing  # noqa: E402
from packed_motion import (SMALL, amplification, decay, grows, largest_stable_step, moving, run_of,  # noqa: E402
                           stability_limits, velocity_along)


def study():
    spec = importlib.util.spec_from_file_location("particle_number", PAPER / "particle-number" / "study.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def modes_of(packing):
    return dem.small_motion(packing.tables, min(1e-7, 0.1 * packing.smallest_depth)).modes()


@pytest.mark.parametrize("shape", ["disc", "polygon"])
def test_packings_are_in_equilibrium_and_made_by_their_seed(shape):
    packing = make_packing(shape, 16, 2)
    assert packing.tables == make_packing(shape, 16, 2).tables != make_packing(shape, 16, 3).tables
    assert 8 < len(packing.tables["body"]) <= 16
    # With friction and damping switched on nothing changes: springs begin unstrained.
    for material in (packing.tables["material"], FRICTIONLESS):
        placed = dem.PlacedBodies(dem.Case(packing.tables | {"material": material}))
        force, contacts = placed.place(placed.poses)[:placed.free], placed.contacts
        assert np.hypot(force[:, 0], force[:, 1]).max() < 2e-11 * contacts.normal_force.mean()
        assert abs(force[:, 2]).max() / 0.5 < 2e-11 * contacts.normal_force.mean()
        assert np.bincount(np.append(contacts.i, contacts.j))[:placed.free].min() >= 2
        assert (1 + (contacts.j < placed.free)).sum() > 3 * placed.free  # frictionless and stable
        assert 5e-4 < contacts.overlap.mean() < 2e-3


@pytest.mark.parametrize("shape", ["disc", "polygon"])
@pytest.mark.parametrize("particles", [2, 4, 16, 64])
def test_every_mode_obeys_the_floor(shape, particles):
    """The relaxation threshold of a mode is not below 2τ tol/(1 − tol), here at 5 % (reference §5)."""
    modes = modes_of(make_packing(shape, particles, 2))
    threshold = 0.05 / 0.95 * modes.rate / modes.rate_by_step
    assert threshold.min() >= 0.99 * 2 * 0.05 / 0.95 * DAMPING / STIFFNESS


def test_amplification_of_a_mode():
    for zeta in (0.004, 0.05):
        for w in (0.05, 0.3, 0.7):
            assert amplification(zeta, 0.0, w) == pytest.approx(dem.spectral_radius(zeta, w), rel=1e-9)
        assert stability_limits(np.array([zeta]), 0.0)[0] == pytest.approx(dem.stability_limit(zeta), rel=1e-3)
    # Two discs, guided with rotation (reference §5): f_t = 1/4, ω² = k_n/(3m), t_R = 238.50 t_c and 160.02 t_c at
    # Δt/t_c = 0.01.
    omega, dt = math.pi / math.sqrt(6), 0.01
    zeta = 1 / 238.50 / (2 * omega)
    for share, time, error in ((0.25, 160.02, 5e-3), (0.0, 238.50, 1e-4)):
        assert -dt / (2 * math.log(amplification(zeta, share, omega * dt))) == pytest.approx(time, rel=error)


@pytest.mark.parametrize("shape", ["disc", "polygon"])
def test_small_motion_does_what_the_modes_say(shape):
    packing = make_packing(shape, 4, 2)
    modes, depth = modes_of(packing), SMALL * packing.smallest_depth
    omega, step = modes.omega[0], 0.02
    case = moving(packing, velocity_along(packing, modes.shape[0], omega, depth))
    for elongation, b in (("geometric", 0), ("velocity", modes.rate_by_step[0])):
        fit, same = decay(run_of(case, elongation, step, 12 * 2 * math.pi / omega), 2, 0)
        assert fit.usable and same and 1 / fit.time == pytest.approx(modes.rate[0] + b * step * T_C, rel=0.01)
    # Stability: the mode of the highest frequency.
    case = moving(packing, velocity_along(packing, modes.shape[-1], modes.omega[-1], depth))
    limit = stability_limits(modes.damping_ratio[-1:], 0.0)[0] / modes.omega[-1] / T_C
    found = largest_stable_step(lambda at: grows(case, "geometric", at), 0.5 * limit, 0.8 * limit)
    assert found == pytest.approx(limit, rel=0.01)


def test_exponent_of_a_power_law():
    power_law = study().power_law
    assert power_law([2, 4, 8, 16], [8, 4, 2, 1])[0] == pytest.approx(-1, rel=1e-12)
    # ln y = −ln n + (1, −1, −1, 1)/10. The residuals do not change the slope. t(2, 97.5 %) = 4.302653.
    e = math.exp(0.1)
    exponent, half = power_law([1, 2, 4, 8], [e, 0.5 / e, 0.25 / e, 0.125 * e])
    assert exponent == pytest.approx(-1, rel=1e-12)
    assert half == pytest.approx(4.302653 * math.sqrt(0.04 / 2 / (5 * math.log(2) ** 2)), rel=1e-6)
