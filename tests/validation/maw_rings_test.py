"""Coulomb's law on the rings of a contact: along a line it is the solution of Cattaneo and Mindlin."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "validation" / "kuhn2011"))

import maw_rings  # noqa: E402


@pytest.mark.parametrize("angle", [0.0, 1.0])
def test_rings_along_a_line(angle):
    """First loading is 1 − (1 − x)^(3/2) of the limit; the error falls at least with 1/n."""
    way, x = np.array([np.cos(angle), np.sin(angle)]), np.array([0.1, 0.4, 0.8, 1.5])
    exact = np.outer(1 - np.maximum(1 - x, 0) ** 1.5, way)
    coarse, fine = (abs(maw_rings.turning(np.outer(x, way), n, 1) - exact).max() for n in (10, 40))
    assert fine < 1e-3 and coarse > 4 * fine
