"""Relaxation and rest of two polygons without rotation (polygon-dem reference, §7; Figs. 6a, 8 to 10)."""

import sys
from pathlib import Path

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "pena2008")]

from polygon_pairs import VELOCITY, PairEnd, area_and_centroid, cases, is_convex, pair_end, random_pair  # noqa: E402

EDGE_MEAN = {"contact.contact_plane": "edge-mean"}


@pytest.mark.parametrize("pair", range(3))
@pytest.mark.parametrize("plane, keys", [("area_gradient", {}), ("edge_mean", EDGE_MEAN)])
def test_relaxation_and_rest(pair, plane, keys):
    """The numbers of the reference are at Δt/t_c = 0.001. Only the first overlapping step depends on it."""
    found, printed = PairEnd(*pair_end(pair, 0.01, 0, keys)), cases()["pair"][pair][plane]
    assert found.usable and not found.lost
    assert found[:2] == pytest.approx(printed[:2], abs=1e-4)
    assert found.alpha == pytest.approx(printed[2], abs=1e-2)
    assert found.ratio == pytest.approx(printed[3], abs=2e-3)
    assert found.time == pytest.approx(printed[4], rel=0.01)


@pytest.mark.parametrize("pair, coarse, fine", [(0, 79.9, 80.1), (1, 79.2, 80.1), (2, 77.9, 78.1)])
def test_velocity_elongation(pair, coarse, fine):
    for dt, printed in ((0.1, coarse), (0.01, fine)):
        assert PairEnd(*pair_end(pair, dt, 0, VELOCITY)).time == pytest.approx(printed, rel=0.015)


@pytest.mark.parametrize("degrees", [0, 20, 40, 60, 80])
def test_turned_frames(degrees):
    """area-gradient does not depend on the frame, Eq. 13 does."""
    assert PairEnd(*pair_end(2, 0.02, degrees)).ratio == pytest.approx(0.80156, rel=0.002)
    edge = 1.658 if degrees == 0 else 0.779
    assert PairEnd(*pair_end(2, 0.02, degrees, EDGE_MEAN)).ratio == pytest.approx(edge, rel=0.005)


def test_random_pairs():
    """Convex, about their centroids, of the published size, branch at 45°, touching within 1e-9 m."""
    for seed in (4, 5, 6):
        shapes = random_pair(seed)
        for outline in (shapes["i"], shapes["j"]):
            area, centroid = area_and_centroid(outline)
            assert len(outline) == 6 and is_convex(outline)
            assert np.hypot(*centroid) < 1e-12 and area == pytest.approx(0.65, abs=0.12)
        x, y = shapes["start"]
        assert x == pytest.approx(y)
        for shift, touches in ((-1e-9, True), (1e-9, False)):
            assert (dem.overlap(shapes["i"], shapes["j"] + [x + shift, y + shift]).area > 0) == touches
