"""The graded sand of fleischmann2015/plane-shear: rows of a shear run, grading, a small packing that is sheared."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

PAPER = Path(__file__).resolve().parents[2] / "validation" / "fleischmann2015"
sys.path[:0] = [str(PAPER.parent), str(PAPER)]

pytest.importorskip("_dem", reason="the module _dem is not built")
import sand  # noqa: E402


def test_rows_and_means():
    rows = {"strain": np.array([0.1, 0.2, 0.3, 0.4]), "xz": np.array([10.0, 20, 30, 40]), "zz": np.full(4, 100.0)}
    path = sand.Path("standard", 0, 2e-3, rows)

    def ratio(of):
        return of["xz"] / of["zz"]

    assert path.mean(0.1, 0.3, ratio) == pytest.approx(0.25)  # rows end where they say: 0.1 is the interval before
    assert path.mean(0.1, 9, ratio) == pytest.approx(0.3)
    assert f"{sand.Mean([1.0, 2.0])}, {sand.Mean([1.0]):.1f}" == "1.500 ± 0.500, 1.0"


def test_grading_by_mass():
    g = sand.grading({"radius": [0.5, 0.5, 0.5, 0.5, 1]})  # 8 of 12 in the last
    assert [g[name] for name in (10, 50, 60, "uniformity", "smallest")] == [1, 2, 2, 2, 1]


def test_a_small_packing_is_sheared():
    given = (PAPER / "plane-shear" / "sand.toml").read_text(encoding="utf-8")
    grains = sand.Sand(count=300, cut=1.5)  # the largest grain must not meet two images of another
    packing = sand.make_packing(sand.packing_case(given, grains).to_toml())
    case = sand.shear_case(given, grains, packing, "true", 2e-3, 0.021)
    assert case["stage.shear.rate_xz"] == pytest.approx(0.02)  # I √(σ/ρ)/D50 with σ = 100
    found = sand.shear(case.to_toml())
    rows = dict(zip(sand.NAMES, np.array(found["rows"])))
    assert len(rows["strain"]) == 5 and rows["strain"][-1] == pytest.approx(0.02, abs=1e-4)
    assert found["margin"] < 1 and found["servo"] < 0.01
    assert np.all(abs(rows["zz"] / 100 - 1) < 0.02) and rows["xz"][-1] / rows["zz"][-1] > 0.15
    assert 0.58 < rows["solid"][0] < 0.66 and math.isfinite(rows["coordination"][-1])
