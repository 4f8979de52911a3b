"""Analysis of stress probes: axes, stiffness, circle of elastoplasticity, difference of moduli."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("_dem", reason="the module _dem is not built")
VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "kuhn2020")]

from rendulic_plane import circle, modulus_difference, principal, rendulic  # noqa: E402
from stress_probes import group, responses, schedule, stiffness  # noqa: E402


def circle_points(diameter, direction, count):
    """Evenly spread directions; the opposite lobe has no radius."""
    angles = 2 * math.pi * np.arange(count) / count
    return angles, np.maximum(diameter * np.cos(angles - direction), 0)


def test_rendulic_axes_are_orthonormal():
    r = rendulic(3, -1, 2)
    assert np.linalg.norm(r) == pytest.approx(math.sqrt(14))
    assert principal(r) == pytest.approx((3, -1, 2))
    # σ_v = √3 p, σ_d = √(2/3) q for σ22 = σ33.
    assert rendulic(5, 2, 2) == pytest.approx([math.sqrt(3) * 3, math.sqrt(2 / 3) * 3, 0])


def test_stiffness_and_irreversible_strain_are_recovered():
    k = np.array([[5, 1, 0], [1, 3, 0.5], [0, 0.5, 2]])
    without = group("refined", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, -1, 0.3)], 1, 0, size=1.0)
    without["stress"] = [k @ e for e in without["strain"]]
    one = group("refined", [(0.0, 0.0, 0.0)], 1, 0, size=1.0)
    stress = np.array([0.3, 0.4, 0])
    one["strain"], one["stress"] = [np.linalg.solve(k, stress) + [0, 0.1, 0]], [stress]
    groups = {"one": one, ("no slip", *schedule(one), 1.0): without}
    found, misfit = stiffness(groups, one)
    assert found == pytest.approx(k) and misfit < 1e-14
    directions, radii = responses(groups, "one")
    assert directions[0] == pytest.approx(math.atan2(0.4, 0.3)) and radii[0] == pytest.approx(0.1 / 0.5)


def test_circle_is_fitted_exactly():
    found = circle(circle_points(2, 2.1, 72))
    assert found["diameter"] == pytest.approx(2) and found["direction"] == pytest.approx(2.1)
    assert found["misfit"] < 1e-12 and "opposite lobe 0.0 %" in found["text"]
    assert circle(circle_points(1, 0, 2))["points"] < 3


def test_difference_of_moduli_has_sign_and_error():
    value, error = modulus_difference(circle_points(2, 2, 36), circle_points(1.6, 2, 36))
    assert value == pytest.approx(0.25) and error < 1e-12  # a smaller circle is a larger modulus
    assert math.isnan(modulus_difference(circle_points(1, 0, 4), circle_points(1, 0, 4))[0])
