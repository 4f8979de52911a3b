"""Relaxation and final states of two discs: closed forms and numbers of the polygon-dem reference, §5."""

import math
import sys
from pathlib import Path

import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "pena2008")]

from step_map import S, contact_duration  # noqa: E402
from two_discs import PUSH, Decay, decay, two_discs  # noqa: E402


def growth(dt):
    """t_R/t_c with the corrected velocity, which gains energy at large steps. The disc starts 1e-4 of the displacement
    beside its rest, Δx = −2 F/k_n with ξ = 0. So the growth is seen over many decades before the contact opens."""
    beside_rest = {"body.pushed.position": [S * (1 - 1e-13) - 2 * PUSH * (1 - 1e-4), S * (1 - 1e-13)]}
    run = dem.Run(two_discs("guided", dt, "corrected", beside_rest))

    @run.every(steps=64)
    def watch(now):
        if now.series["kinetic_energy"] > 0.01 * PUSH**2 * 4e8:
            now.stop("the energy has grown")

    return run.relaxation(growth=math.inf).time / contact_duration()


def rest(reading, elongation):
    """Where the pushed disc comes to rest. Displacements are in F/k_n."""
    run = dem.Run(two_discs(reading, 0.05, elongation, duration=9000))
    run()
    with run.look() as now:
        (x, y, _), contacts = now.bodies.position[1], now.contacts
        return {"dx": (x - S) / PUSH, "dy": (y - S) / PUSH, "turn": 0.5 * now.bodies.angle[1] / PUSH,
                "elongation": contacts.elongation[0] / PUSH,
                "force_ratio": abs(contacts.tangential_force[0] / contacts.normal_force[0])}


@pytest.mark.parametrize("dt, predicted, corrected, trapezoid, geometric", [
    (0.1, 40.43, -5.82, 238.65, 238.46),
    (0.0316227766, 93.51, -21.8, 238.51, 238.50),
    (0.01, 160.02, -168.7, 238.50, 238.50),
])
def test_guided_with_rotation(dt, predicted, corrected, trapezoid, geometric):
    for elongation, value in (("geometric", geometric), ("predicted", predicted), ("trapezoid", trapezoid)):
        found = Decay(*decay("guided", dt, elongation))
        assert found.usable and found.time == pytest.approx(value, rel=0.005)
    assert growth(dt) == pytest.approx(corrected, rel=0.005)


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
    found = rest(reading, elongation)
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=2e-5 if elongation == "literal" else 1e-5)


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
