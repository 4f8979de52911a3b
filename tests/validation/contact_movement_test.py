"""Histories that are driven by the movement of two bodies are those of the run: while contacts stick, slip, slide, end
and begin."""

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("_dem", reason="the module _dem is not built")
VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "kuhn2011")]

import dem  # noqa: E402
from contact_movement import MovementWatch  # noqa: E402
from spheres import FRICTION, POISSON_RATIO, RADIUS, SHEAR_MODULUS, STEP, stone  # noqa: E402


def lattice():
    """27 spheres on a lattice that touch, every second one larger, with some disorder; sheared without a servo."""
    places = 2 * RADIUS * (np.array([(k % 3, k // 3 % 3, k // 9) for k in range(27)]) + 0.5)
    radii = [(1.0004 if k % 2 else 1.0002) * RADIUS for k in range(27)]
    bodies = dem.spheres(places.tolist(), radii)
    bodies[4]["velocity"] = [0.02, 0.01, 0.0]
    case = stone(0.8) | {"body": bodies, "cell": {"periodic": ["x", "y", "z"], "size": 3 * [6 * RADIUS]}}
    return radii, case | {"stage": [{"rate_zz": -1e-6 / STEP, "rate_xx": 0.4e-6 / STEP, "rate_xy": 0.7e-6 / STEP,
                                     "strain": 2e-3}]}


def test_movement_gives_the_histories():
    radii, case = lattice()
    run = dem.Run(case, threads=1)
    with run.look() as now:
        watch = MovementWatch(now, radii, SHEAR_MODULUS, POISSON_RATIO, FRICTION)
    at_start, others = len(watch.keys), []

    @run.every(steps=1)
    def follow(now):
        watch.observe(now)
        assert len(watch.keys) == len(now.contacts)
        others.append(len(now.contacts) != at_start)

    run()
    with run.look() as now:
        assert watch.largest_difference(now) < 1e-9
    assert any(others) and watch.from_start.any()
    assert np.all(watch.corners >= watch.reversals) and watch.reversals.max() > 0
    # Contacts of the run that began within a step begin a little otherwise here.
    assert watch.legs.sum() == pytest.approx(run.history_memory["legs"], rel=0.05)
    assert np.all(watch.kinds[:3] > 0)
