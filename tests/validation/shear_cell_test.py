"""The shear cell of pena2008/slow-shear, means over seeds, and the law of avalanches on a group."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "pena2008")]

pytest.importorskip("_dem", reason="the module _dem is not built")
import dem  # noqa: E402
from avalanches import STRESS, Fitted, two_samples  # noqa: E402
from driver.seeds import SeedMean, student  # noqa: E402
from shear_cell import Record, shear_case, sheared  # noqa: E402


def test_student():
    for freedom, tail, value in ((1, 0.025, 12.7062), (2, 0.025, 4.302653), (4, 0.025, 2.776445), (4, 0.005, 4.604095),
                                 (7, 0.025, 2.364624)):
        assert student(freedom, tail) == pytest.approx(value, rel=1e-6)
    mean = SeedMean([1.0, 2.0, 3.0])
    assert mean.text(2) == "2.00 ± 0.58" and mean.half_width() == pytest.approx(4.302653 / 3**0.5)
    assert not mean.significant() and mean.half_width(5) > mean.half_width() and SeedMean([1, 1.01]).significant()
    assert mean.meets(6.9, 9) and not mean.meets(7, 9) and mean.meets(-9, -2.9) and not mean.meets(-9, -3)  # 2 ± 4.97
    change = SeedMean.difference([1.0, 2.0, 3.0], [4.0, 8.0])
    assert change.mean == -4 and change.error == pytest.approx((1 / 3 + 4) ** 0.5)
    assert change.freedom == pytest.approx((1 / 3 + 4) ** 2 / (1 / 18 + 16))
    assert SeedMean([2.0]).text() == "2.000 (one seed)" and not SeedMean([2.0]).significant()


def test_a_small_cell():
    text = (VALIDATION / "pena2008" / "slow-shear" / "case.toml").read_text(encoding="utf-8")
    case = shear_case(text, 1e-4, 2.0, "area-gradient", 1, 0.03, 0.01)
    small = {"assembly.columns": 5, "assembly.rows": 6, "stage.compress.plate_speed": 0.05,
             "stage.compress.stress_tolerance": 0.1, "stage.compress.stress_hold_time": 0.0,
             "stage.preshear.shear_rate": 2e-3, "stage.shear.shear_rate": 1e-3}
    found = sheared(dem.Run(case.changed(small), threads=1), 0.005)
    assert len(found["strain"]) == 50  # 5 s and 20 s
    assert found["strain"][-1] == pytest.approx(0.03, abs=1e-5) and np.mean(found["normal"]) == pytest.approx(0.4, 0.05)
    assert len(found["picture"]) == 30 and sum(p["role"] == "body-j" for p in found["picture"]) == 10
    assert all(-0.6 <= np.mean(p["x"]) <= 7.7 for p in found["picture"])
    shift = np.array(found["shift"])[np.isfinite(found["shift"])]
    assert shift[-1] > 0.1 > -0.1 > shift[0] and found["residual"] < 1e-3 and found["jumps"] == 0
    record = Record(found | {"strain": np.linspace(0, 1, 50)})
    assert record.window.start == 25 and 0.25 < record.localisation() <= 1
    assert record.ratio() == pytest.approx(np.mean(found["bottom"][25:] + found["top"][25:]) /
                                           np.mean(found["normal"][25:]))


def test_a_cell_of_fixed_height():
    text = (VALIDATION / "pena2008" / "slow-shear" / "case.toml").read_text(encoding="utf-8")
    case = shear_case(text, 1e-3, 1.0, "edge-mean", 1, 0.1, keys=[["assembly.columns", 5], ["assembly.rows", 6]],
                      held="height")
    run = dem.Run(case, threads=1)
    with run.look() as now:
        height = now.series["height"]
    found = sheared(run, 0.05)
    with run.look() as now:
        assert now.series["height"] == height
    assert len(found["strain"]) == 19 and 0 < found["inertial"] < 1 and case["contact.contact_plane"] == "edge-mean"
    assert found["inertial"] == pytest.approx(1e-3 / 0.0984359 * 1.1 / np.mean(found["normal"])**0.5, rel=0.1)


def test_drops_of_a_group():
    """A saw tooth: 120 drops of random sizes, each twice as far up as down."""
    sizes, rng = [], np.random.default_rng(1)
    runs = []
    for _ in range(2):
        drops = STRESS * rng.pareto(1.5, 60) / 50 + 0.011 * STRESS
        series = np.cumsum(np.append(0, np.column_stack((drops, -drops))))
        record = Record({name: series for name in ("bottom", "top", "normal", "kinetic", "sliding_fraction",
                                                   "coordination", "shift", "turn")} |
                        {"strain": 0.5 + np.arange(len(series)) * 1e-3})
        runs.append(record)
        sizes += (drops / STRESS).tolist()[:-1]  # the last one does not end
    fit = Fitted(SimpleNamespace(runs=runs, rate=1e-3, word="made up"), "drops")
    assert fit.sizes == pytest.approx(sorted(sizes)) and fit.strain == pytest.approx(0.24)
    assert fit.law and fit.text().startswith("made up: 118 drops in strain 0.24, x^−α")
    assert two_samples(fit.sizes, fit.sizes) == (0, 1)
