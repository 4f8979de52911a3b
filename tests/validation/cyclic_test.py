"""The study of cyclic loading: closed loops of two bodies, and cycles of a packing."""

import sys
from pathlib import Path

import numpy as np
import pytest

VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "pena2008")]

pytest.importorskip("_dem", reason="the module _dem is not built")
from closed_loops import disc_loop, polygon_loop  # noqa: E402
from cyclic_packings import cyclic_case, run_cycles  # noqa: E402


@pytest.mark.parametrize("seed", (1, 2, 3))
def test_form_g_comes_back_with_nothing_and_makes_no_work(seed):
    loop = disc_loop(lever="conjugate", seed=seed)
    assert loop.amplitude > 0.01 and abs(loop.relative) < 1e-12
    assert abs(loop.work) < 1e-13 * loop.exchanged and loop.couple < 1e-13
    # Forces of another lever are not the derivative of the elongation.
    other = disc_loop(lever="proportional", seed=seed)
    assert abs(other.work) > 1e-5 * other.exchanged
    # Arms a_i + a_j longer than the distance by δ, of which the largest is 0.018 m.
    assert 1e-3 < disc_loop(lever="radius", seed=seed).couple < 0.0181


def test_velocity_leaves_the_same_in_every_loop_and_in_proportion_to_the_overlap():
    loop = disc_loop("velocity", loops=3)
    assert abs(loop.relative) > 1e-3 and loop.left == pytest.approx(loop.left[0] * np.arange(1, 4), rel=1e-11)
    assert disc_loop("velocity", overlap=0.03).left[0] == pytest.approx(3 * loop.left[0], rel=1e-8)
    assert disc_loop("velocity", steps=4000).left[0] == pytest.approx(loop.left[0], rel=1e-8)
    assert disc_loop("velocity", amplitude=2).relative == pytest.approx(loop.relative, rel=1e-8)


def test_polygons_depend_on_the_path_with_either_elongation():
    geometric, velocity = (polygon_loop(e, 4000).left[0] for e in ("geometric", "velocity"))
    assert geometric == pytest.approx(velocity, rel=1e-6) and abs(geometric) > 1e-3


@pytest.mark.parametrize("grains", ("discs", "polygons"))
def test_cycles_of_a_packing(grains):
    text = (VALIDATION / "pena2008" / "slow-shear" / "case.toml").read_text(encoding="utf-8")
    geometric, velocity = (cyclic_case(text, grains, elongation, share, 0.5, 2, 1, 2e-4)
                           for elongation, share in (("geometric", 1), ("velocity", 0.5)))
    same, other = geometric.to_dict(), velocity.to_dict()
    assert same["body"] == other["body"]  # the same packing, to the last bit
    assert other["time"]["step"] == same["time"]["step"] / 2
    found = run_cycles(geometric)
    assert len(found["densification"]) == 2 and abs(found["densification"][0]) < 1e-3
    assert found["coordination"] > 2.5 and found["sliding"] > 0
