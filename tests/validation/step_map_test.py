"""The vibrations of the two-disc step against the table of the polygon-dem reference, §5."""

import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "validation" / "pena2008"))

from step_map import TwoDiscs, contact_duration, relaxation_times, slowest  # noqa: E402

STEPS = (1e-1, 0.0316227766, 1e-2, 1e-3, 1e-4, 1e-5)


@pytest.mark.parametrize("reading, elongation, tolerance, printed", [
    ("guided", "predicted", 2e-4, (40.43, 93.51, 160.02, 227.35, 237.33, 238.38)),
    ("guided", "corrected", 2e-3, (-5.82, -21.8, -168.7, 250.80, 239.67, 238.61)),
    ("guided", "trapezoid", 2e-4, (238.65, 238.51, 238.50, 238.50, 238.50, 238.50)),
    ("guided", "geometric", 2e-4, (238.46, 238.50, 238.50, 238.50, 238.50, 238.50)),
    ("guided no rotation", "predicted", 4e-4, (20.22, 46.75, 80.01, 113.67, 118.67, 119.19)),
    ("guided no rotation", "geometric", 2e-4, (119.19, 119.25, 119.25, 119.25, 119.25, 119.25)),
])
def test_table(reading, elongation, tolerance, printed):
    for step, value in zip(STEPS, printed):
        assert slowest(TwoDiscs(reading, step, elongation)) == pytest.approx(value, rel=tolerance)


def test_other_modes():
    assert relaxation_times(TwoDiscs("free no rotation", 1e-3)) == pytest.approx([238.50, 79.50], rel=2e-4)
    assert slowest(reading="guided no rotation", friction=0, dt_over_tc=1e-4) == pytest.approx(159.0, rel=2e-4)
    assert contact_duration() == pytest.approx(9.84359e-5, rel=1e-6)


def test_a_step_of_the_map_has_this_eigenvalue():
    """The determinant of the step as a matrix is zero at λ, at a step where doubles are enough for it."""
    import numpy as np

    from step_map import GEAR, MASS, damping

    case = TwoDiscs("guided no rotation", 0.1)
    dt = case.dt_over_tc * contact_duration()
    k = 0.5 * case.stiffness * (1 + case.stiffness_ratio)
    gamma = 0.5 * damping(0.9875, case.stiffness) * (1 + case.stiffness_ratio)
    pascal = np.array([[math.comb(m, n) for m in range(6)] for n in range(6)], dtype=float)
    pull = np.array([-k * dt**2 / (2 * MASS), -gamma * dt / (2 * MASS), -1, 0, 0, 0])
    step = pascal + np.outer(GEAR, pull @ pascal)
    size = max(abs(v) for v in np.linalg.eigvals(step) if abs(v - 1) > 1e-3)
    assert -0.1 / (2 * math.log(size)) == pytest.approx(slowest(case), rel=1e-9)
