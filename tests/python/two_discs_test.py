"""Relaxation and final states of two discs: closed forms and numbers of the polygon-dem reference, §5."""

import math
import sys
from pathlib import Path

import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "pena2008")]

from step_map import contact_duration  # noqa: E402
from two_discs import Decay, Rest, beside_rest, decay, rest, two_discs  # noqa: E402


@pytest.mark.parametrize("dt, predicted, corrected, trapezoid, geometric", [
    (0.1, 40.43, -5.82, 238.65, 238.46),
    (0.0316227766, 93.51, -21.8, 238.51, 238.50),
    (0.01, 160.02, -168.7, 238.50, 238.50),
])
def test_guided_with_rotation(dt, predicted, corrected, trapezoid, geometric):
    for elongation, value in (("geometric", geometric), ("predicted", predicted), ("trapezoid", trapezoid)):
        found = Decay(*decay("guided", dt, elongation))
        assert found.usable and found.time == pytest.approx(value, rel=0.005)
    # This velocity gains energy at these steps.
    found = Decay(*decay("guided", dt, "corrected", beside_rest(), most=0.01))
    assert found.time == pytest.approx(corrected, rel=0.005)


@pytest.mark.parametrize("reading, dt, elongation, stiffness, printed", [
    ("guided no rotation", 0.1, "predicted", 4e8, 20.22),
    ("guided no rotation", 0.1, "geometric", 4e8, 119.19),
    ("guided no rotation", 0.01, "predicted", 4e8, 80.01),
    ("guided no rotation", 0.01, "geometric", 4e8, 119.25),
    ("free no rotation", 0.01, "geometric", 4e8, 238.50),
    ("guided", 0.03, "geometric", 1.0, 238.50),  # does not depend on the stiffness
    ("guided", 0.03, "geometric", 200.0, 238.50),
])
def test_other_readings(reading, dt, elongation, stiffness, printed):
    assert Decay(*decay(reading, dt, elongation, stiffness=stiffness)).time == pytest.approx(printed, rel=0.005)


@pytest.mark.parametrize("reading, elongation, expected", [
    ("guided", "geometric", {"dx": -2, "turn": math.sqrt(2), "elongation": 0}),
    ("guided no rotation", "geometric", {"dx": -1.5, "elongation": 1.0606602, "force_ratio": 1 / 3}),
    ("free no rotation", "geometric", {"dx": -2, "dy": 1, "elongation": 3 / math.sqrt(2), "force_ratio": 1}),
    ("guided no rotation", "literal", {"dx": -12 / 7, "elongation": 0.6060915}),
    ("free no rotation", "literal", {"dx": -3.5, "dy": 2.5}),
    ("guided", "literal", {"turn": math.sqrt(0.5)}),
])
def test_final_states(reading, elongation, expected):
    found = Rest(*rest(reading, 0.05, elongation))
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(value, abs=2e-5 if elongation == "literal" else 1e-5)


def test_a_relaxation_stops_the_run_and_can_be_stopped():
    case = two_discs("guided", 0.1)
    run = dem.Run(case)
    fit = run.relaxation()
    assert not run.finished and fit.usable
    assert fit.time / contact_duration() == pytest.approx(238.46, rel=1e-4)
    run = dem.Run(case)

    @run.every(steps=1000)
    def watch(now):
        now.stop("that is enough")

    assert not run.relaxation().usable and run.step == 1000
