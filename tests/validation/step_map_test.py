"""The vibrations of the two-disc step against the table of the polygon-dem reference, §5."""

import itertools
import math
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "validation" / "pena2008"))

sys.path.insert(1, str(Path(__file__).resolve().parents[2] / "validation"))

from relaxation import Point, falls, threshold_of  # noqa: E402
from step_map import (REDUCED, TwoDiscs, contact_duration, modes, predicted_threshold,  # noqa: E402
                      predicted_threshold_of_all, relaxation_times, slowest, threshold)

STEPS = (1e-1, 0.0316227766, 1e-2, 1e-3, 1e-4, 1e-5)


@pytest.mark.parametrize("reading, elongation, tolerance, printed", [
    ("guided", "predicted", 2e-4, (40.43, 93.51, 160.02, 227.35, 237.33, 238.38)),
    ("guided", "corrected", 2e-3, (-5.82, -21.8, -168.7, 250.80, 239.67, 238.61)),
    ("guided", "trapezoid", 2e-4, (238.65, 238.51, 238.50, 238.50, 238.50, 238.50)),
    ("guided", "geometric", 2e-4, (238.46, 238.50, 238.50, 238.50, 238.50, 238.50)),
    ("guided no rotation", "predicted", 4e-4, (20.22, 46.75, 80.01, 113.67, 118.67, 119.19)),
    ("free no rotation, tangential", "predicted", 5e-4, (11.59, 33.11, 80.53, 199.39, 233.91, 238.03)),
    ("free no rotation, tangential", "geometric", 2e-4, (238.46, 238.50, 238.50, 238.50, 238.50, 238.50)),
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


def test_variants():
    # §3 of the reference: t_R does not reveal the literal reading without rotation.
    assert slowest(reading="guided no rotation", elongation="literal") == pytest.approx(119.249, rel=2e-5)
    assert slowest(elongation="literal") == pytest.approx(249.6, rel=1e-4)
    assert slowest(dt_over_tc=0.1, elongation="from corrected") == pytest.approx(slowest(dt_over_tc=0.1), rel=3e-3)
    # §1: half with an infinite mass of the fixed disc.
    assert slowest() / slowest(reduced=2 * REDUCED) == pytest.approx(2, rel=1e-3)


def velocity(reading, k=1 / 3, e=None, friction=500):
    return TwoDiscs(reading, 1e-3, "predicted", k, e, friction)


@pytest.mark.parametrize("reading, time, share", [
    ("guided", 238.50, 0.25), ("guided no rotation", 119.25, 0.25), ("free no rotation", 238.50, 1)])
def test_slow_modes(reading, time, share):
    """t_R = 3m/γ_n with rotation, 3m/(2γ_n) without. τ = γ_n/k_n = 2L/(π² + L²) t_c, L = −ln 0.9875."""
    assert modes(velocity(reading))[0] == pytest.approx((time, share, 0.0025491), rel=1e-4)


def test_equal_frequencies_do_not_mix_normal_and_tangential():
    assert modes(velocity("free no rotation", 1, 1.005))[0].share == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize("reading, tolerance, printed, room", [
    ("guided", 0.05, 1.07e-3, 0.005), ("guided", 0.02, 4.2e-4, 0.012), ("guided", 0.01, 2.1e-4, 0.025),
    ("free no rotation", 0.05, 2.7e-4, 0.0186), ("free no rotation", 0.02, 1.04e-4, 0.005)])
def test_thresholds(reading, tolerance, printed, room):
    case = velocity(reading)
    found = threshold(case, slowest(reading=reading), tolerance)
    assert found == pytest.approx(printed, rel=room)
    # The prediction is of first order in the tolerance.
    assert predicted_threshold(modes(case), tolerance) == pytest.approx(found * (1 - tolerance), rel=1e-3)


def test_no_threshold_where_nothing_is_damped_by_the_step():
    bare = velocity("guided no rotation", friction=0)
    assert threshold(bare, slowest(bare, elongation="geometric"), 0.01) == math.inf
    assert predicted_threshold(modes(bare), 0.01) == math.inf
    assert threshold(TwoDiscs(), slowest(), 0.01) == math.inf  # geometric


def test_a_second_mode_takes_over_within_the_tolerance():
    case = velocity("guided", 0.02, 0.98)
    found, exact = modes(case), threshold(case, slowest(case, elongation="geometric"), 0.05)
    assert found[1].time > 0.95 * found[0].time
    assert exact == pytest.approx(predicted_threshold_of_all(found, 0.05), rel=0.01)
    assert exact > 1.2 * predicted_threshold(found, 0.05)


@pytest.mark.parametrize("reading", ["guided", "guided no rotation", "free no rotation"])
def test_the_prediction_with_every_mode_holds_over_both_ratios(reading):
    for k, e in itertools.product((0.01, 0.1, 1 / 3, 1), (0.98, 0.995, 1.0053, 1.01)):
        case = velocity(reading, k, e)
        found, limit = modes(case), slowest(case, elongation="geometric")
        for tolerance in (0.05, 0.01):
            exact, predicted = threshold(case, limit, tolerance), predicted_threshold_of_all(found, tolerance)
            assert exact == pytest.approx(predicted, rel=0.01) or exact == math.inf and predicted > 0.1


def test_curves():
    """1/t_R = 1/200 + x: within 5 % of 200 up to x = (0.05/0.95)/200, within 20 % up to 1.25e-3."""
    found = [Point(x, 1 / (1 / 200 + x), 1, 100) for x in (1e-3, 3e-3, 1e-2)]
    assert threshold_of(found, 200, 0.05) == pytest.approx(2.6316e-4, rel=1e-4)
    assert threshold_of(found, 200, 0.2) == pytest.approx(1.25e-3)
    assert threshold_of(found, 200, 0.9) == math.inf
    found[1] = found[1].at(math.nan)  # a fit that is not usable is left out
    assert falls(found) and not falls([found[0], found[2].at(1000)])
