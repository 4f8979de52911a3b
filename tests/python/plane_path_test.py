"""Contact planes along random paths (polygon-dem reference, §6), on other pairs than those of the study."""

import math
import re
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "pena2008")]

from plane_paths import PLANES, SETS, PathSet, random_pair, slide_case  # noqa: E402
from polygon_pairs import area_and_centroid, is_convex  # noqa: E402


@pytest.mark.parametrize("convex, straight", product((True, False), repeat=2))
def test_area_gradient_never_jumps(convex, straight):
    paths, jumps, merging = PathSet(convex, straight, 0.05, 0.4, 20261120), Counter(), 0
    for number in range(60):
        found = random_pair(paths, number).walk(400).jumps
        jumps.update(j.plane for j in found if not j.merged)
        merging += sum(j.merged and j.plane == "area-gradient" for j in found)
    never = {"area-gradient", "edge-axial-unselected"}
    # The others do, so that the zero is not that of a test that sees nothing.
    assert all((jumps[plane] > 0) != (plane in never) for plane in PLANES)
    assert (merging > 0) != convex  # a convex pair has one part


def test_the_largest_turn_falls_with_the_step():
    halved = kept = 0
    for number in range(20):
        pair = random_pair(PathSet(True, True, 0.1, 0.4, 3), number)
        coarse, fine = (pair.walk(n, follow=False).largest_turn for n in (1000, 4000))
        halved += fine["area-gradient"] < 0.5 * coarse["area-gradient"]
        kept += fine["edge-mean"] > 0.5
    assert halved >= 17 and kept >= 5


def test_pairs_are_like_their_description():
    for paths in SETS:
        pair = random_pair(paths, 1)
        assert is_convex(pair.i) == paths.convex
        assert 4 <= len(pair.j) <= 8 if paths.convex else 6 <= len(pair.j) <= 12
        assert np.hypot(*area_and_centroid(pair.j)[1]) < 1e-14
        assert pair.overlap(0.5).area > 0
        pair.offset += paths.high + 1e-9
        assert pair.overlap(0.5).area == 0


def jumps_of(folder):
    """Sizes of the jumps of a run (degrees)."""
    jumps = dem.open(folder).plane_jumps
    return np.array([]) if jumps is None else np.asarray(jumps["jump_deg"])


def test_a_run_counts_the_same_jumps(tmp_path):
    """The run takes the mean spin out before it looks whether a turn exceeds 0.01 rad, so small jumps may differ."""
    total, paths = 0, PathSet(True, True, 0.1, 0.4, 11)
    for number in range(4):
        pair = random_pair(paths, number)
        found = sum(j.plane in dem.contact_planes() and j.size > 0.02 for j in pair.walk(1000).jumps)
        run = dem.Run(slide_case(pair, 1000, "edge-mean"), output=tmp_path / str(number))
        run()
        sizes = jumps_of(tmp_path / str(number))
        assert found == np.sum((sizes > math.degrees(0.02)) & (sizes < 179))
        total += found
    assert total > 2


def test_a_reversed_normal_is_a_jump(tmp_path):
    """A normal that turns round while its plane stays is a jump of 180°."""
    for number in range(60):
        run = dem.Run(slide_case(random_pair(SETS[8], number), 1000, "edge-mean-branch"), output=tmp_path / str(number))
        normals, turns = [], []

        @run.every(steps=1)
        def watch(now):
            normals.append(now.contacts.normal[0].copy() if len(now.contacts) == 1 else None)
            if len(normals) > 1 and normals[-1] is not None and normals[-2] is not None:
                turns.append(float(normals[-1] @ normals[-2]))

        run()
        if (sizes := jumps_of(tmp_path / str(number))).max(initial=0) > 179:
            assert sizes.max() == pytest.approx(180) and min(turns) < -0.99
            return
    raise AssertionError("no pair has a normal that turns round")


def test_arrays_that_are_refused():
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    places = np.linspace([0.9, -0.9], [0.9, 0.9], 5)
    for arrays, message in (
        ((square[:, :1], square, places, np.zeros(5)), "polygon_i: found an array of shape (4, 1), allowed (n, 2)"),
        ((square, square, places[0], np.zeros(5)), "positions: found an array of shape (2,), allowed (n, 2)"),
        ((square, square, places, np.zeros(4)), "angles: found an array of shape (4,), allowed (5,)"),
        ((square, square, places * np.nan, np.zeros(5)), "positions[0, 0]: found nan, allowed a finite number"),
        ((square, square[::-1], places, np.zeros(5)), "polygon_j: found clockwise vertices, allowed counter-clockwise"),
    ):
        with pytest.raises(ValueError, match=re.escape(f"plane_path: {message}")):
            dem.plane_path(arrays[0], 0.0, *arrays[1:])
