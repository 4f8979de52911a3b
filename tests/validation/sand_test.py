"""The graded sand of fleischmann2015/plane-shear: means of runs, a small packing that is sheared."""

import sys
from pathlib import Path

import numpy as np
import pytest

PAPER = Path(__file__).resolve().parents[2] / "validation" / "fleischmann2015"
sys.path[:0] = [str(PAPER.parent), str(PAPER)]

pytest.importorskip("_dem", reason="the module _dem is not built")
import sand  # noqa: E402


def test_means_of_runs():
    rows = {"strain": np.array([0.1, 0.2, 0.3, 0.4]), "xz": np.array([10.0, 20, 30, 40]), "zz": np.full(4, 100.0)}
    # Rows end where they say: that of 0.1 is the interval before.
    assert f"{sand.of_runs([rows], 0.1, 0.3, sand.ratio):.2f}" == "0.25"
    other = rows | {"xz": 2 * rows["xz"]}
    assert f"{sand.of_runs([rows, other], 0.1, 9, sand.ratio)}" == "0.450 ± 0.150"


def test_a_small_packing_is_sheared():
    given = (PAPER / "plane-shear" / "sand.toml").read_text(encoding="utf-8")
    grains = sand.Sand(count=300, cut=1.5)  # the largest grain must not meet two images of another
    packing = sand.make_packing(sand.packing_case(given, grains).to_toml())
    case = sand.shear_case(given, grains, packing, "true", 2e-3, 0.021)
    assert case["stage.shear.rate_xz"] == pytest.approx(0.02)  # I √(σ/ρ)/D50 with σ = 100
    rows = {name: np.array(row) for name, row in sand.shear(case.to_toml()).items()}
    assert len(rows["strain"]) == 5 and rows["strain"][-1] == pytest.approx(0.02, abs=1e-4)
    assert np.all(abs(rows["zz"] / 100 - 1) < 0.02) and rows["xz"][-1] / rows["zz"][-1] > 0.15
    assert 0.58 < rows["solid"][0] < 0.66
