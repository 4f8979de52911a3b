"""Movements of contacts that are worked out from the bodies are those of the run, while contacts end and begin."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("_dem", reason="the module _dem is not built")
VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "kuhn2011")]

import dem  # noqa: E402
from contact_movement import MovementWatch  # noqa: E402
from spheres import RADIUS, STEP, stone  # noqa: E402


def lattice():
    """27 spheres on a lattice that touch, every second one larger, with some disorder; sheared without a servo. No
    contact slides, so that its spring is as long as it has moved."""
    places = 2 * RADIUS * (np.array([(k % 3, k // 3 % 3, k // 9) for k in range(27)]) + 0.5)
    radii = [(1.0004 if k % 2 else 1.0002) * RADIUS for k in range(27)]
    bodies = dem.spheres(places.tolist(), radii)
    bodies[4]["velocity"] = [0.02, 0.01, 0.0]
    case = stone(0.8) | {"body": bodies, "cell": {"periodic": ["x", "y", "z"], "size": 3 * [6 * RADIUS]},
                         "contact": {"law": "linear"},
                         "material": {"density": 2650.0, "normal_stiffness": 3e4, "tangential_stiffness": 3e4,
                                      "friction": 1e6, "restitution": 0.8}}
    return radii, case | {"stage": [{"rate_zz": -1e-6 / STEP, "rate_xx": 0.4e-6 / STEP, "rate_xy": 0.7e-6 / STEP,
                                     "strain": 2e-3}]}


def test_movement_is_that_of_the_springs():
    radii, case = lattice()
    run = dem.Run(case, threads=1)
    with run.look() as now:
        watch = MovementWatch(now, radii)
    at_start, others = len(watch.keys), []

    @run.every(steps=1)
    def follow(now):
        watch.observe(now)
        assert len(watch.keys) == len(now.contacts)
        others.append(len(now.contacts) != at_start)

    run()
    with run.look() as now:
        length = np.abs(now.contacts.elongation)[watch.from_start]
    assert np.hypot(*watch.shift[watch.from_start].T) == pytest.approx(length, rel=1e-9)
    assert any(others) and watch.from_start.any() and length.max() > 1e-4 * RADIUS
    assert np.all(watch.corners >= watch.reversals) and watch.reversals.max() > 0
