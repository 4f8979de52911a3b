"""Oblique impact by rings: closed form of an impact that slides, order, mirror image."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "validation" / "kuhn2011"))

import maw_rings  # noqa: E402


@pytest.mark.parametrize("ratio", [1.0, 1.2143, 1.5])
@pytest.mark.parametrize("inertia", [3.5, 3.0])  # solid sphere, disc
def test_rings_that_slide(ratio, inertia):
    """The error falls with the square of 1/n."""
    psi = maw_rings.sliding_from(ratio, inertia) + 0.3
    exact = maw_rings.sliding(psi, ratio, inertia)
    coarse, fine = (maw_rings.rebound(psi, ratio, n, inertia) - exact for n in (20, 40))
    assert abs(fine) < 0.01 and coarse / fine == pytest.approx(4, rel=0.15)


def test_rings_are_odd():
    """A sphere that comes in straight leaves straight, and the other side is the mirror image."""
    assert abs(maw_rings.rebound(0.0, 1.2, 20)) < 1e-14
    for psi in (0.5, 2.0, 4.0):
        assert maw_rings.rebound(-psi, 1.2, 20) == pytest.approx(-maw_rings.rebound(psi, 1.2, 20), rel=1e-9)
