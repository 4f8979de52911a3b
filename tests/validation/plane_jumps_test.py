"""Jumps of the contact plane in the pairs of Figs. 9 and 10: a plane that turns with its pair does not jump."""

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest

dem = pytest.importorskip("dem", reason="the module dem is not built")
SOURCES = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(SOURCES), str(SOURCES / "pena2008")]
from polygon_pairs import ROUGH, pair_case, shapes_of  # noqa: E402


def study(name):
    spec = importlib.util.spec_from_file_location("study_of_" + name.replace("-", "_"),
                                                  SOURCES / "pena2008" / name / "study.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def largest_turn(number, dt):
    """Of the chord in a step (degrees), while it turns continuously."""
    run, angles = dem.Run(pair_case(shapes_of(number), dt, keys={"contact.contact_plane": "chord"}, duration=100)), []
    run.every(steps=1)(lambda now: angles.append(now.contacts.plane_angle[0] if len(now.contacts) == 1 else math.nan))
    run()
    turn = np.remainder(np.diff(angles) + math.pi / 2, math.pi) - math.pi / 2
    return math.degrees(np.nanmax(abs(turn)))


def test_turning_is_no_jump():
    """The chord of this pair turns by more than half a degree in a step, and by half as much in half a step."""
    assert largest_turn(-7, 0.1) > 0.5
    assert largest_turn(-7, 0.05) == pytest.approx(0.5 * largest_turn(-7, 0.1), rel=0.1)
    assert study("figure-10").chord_jumps(-7, 0.1) == 0
    assert study("plane-jumps").trace(-7)[2].max() == 0
    assert study("figure-9").outcome(-7, 0.1, "chord")[1] != "jumps"


def test_rough_pairs_jump():
    assert study("figure-10").chord_jumps(ROUGH + 3, 0.1) > 0
    assert np.nanmax(study("plane-jumps").trace(ROUGH + 3)[2]) > 0
