"""Events of series and the fits to them, on series and samples of which the answer is known."""

import math

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")


def test_drops_and_bursts():
    series = [0, 1.0, 0.8, 1.2, 0.9, 1.0, 0.5, 0.4, 2, 1.8, 1.5, 1.9, 0]
    assert dem.drops(series, 0.3) == [(3, 7, pytest.approx(0.8)), (8, 10, pytest.approx(0.5))]
    # A smaller threshold splits what a larger one takes together. A fall that has not ended is none.
    assert len(dem.drops(series, 0.05)) == 4 and dem.drops(series, 0.9) == dem.drops([3, 2, 1, 0], 1) == []
    # A fall at the start may have begun before, even with a smaller rise in it.
    assert dem.drops([1, 0.5, 0, 1], 0.3) == dem.drops([1, 1.2, 0.5, 1], 0.3) == []
    assert dem.drops([0, 1, 0, 1], 0.3) == [(1, 2, 1.0)] and dem.drops([1, 0, 1, 0.5, 1], 0.3) == [(2, 3, 0.5)]
    assert dem.drops([], 1) == [] and dem.bursts([], 2, 1) == []
    energy = np.array([1e-6, 1e-3, 8e-4, 9e-4, 4e-4, 9e-4, 2e-4, 1e-6, 3e-6, 1e-6, 1e-7])
    assert [e[:2] for e in dem.bursts(energy, 2, 1e-5)] == [(4, 5)]
    assert [e[:2] for e in dem.bursts([1e-2, *energy], 2, 1e-5)] == [(1, 2), (5, 6)]
    assert len(dem.bursts(energy, 2, 1e-7)) == 2
    for wrong in (lambda: dem.drops(series, 0), lambda: dem.bursts(series, 2, 1), lambda: dem.bursts(energy, 1, 1)):
        with pytest.raises(ValueError, match="found"):
            wrong()


def test_power_laws():
    u = 1 - np.random.default_rng(3).random(2000)
    pure = dem.power_law(u**-1.25, lower=1.0, samples=50)  # exponent 1.8
    assert pure.low < 1.8 < pure.high and pure.count == 2000 and pure.goodness > 0.1
    assert pure.scale == math.inf and pure.against_exponential > 0 and pure.exponential_chance < 1e-4
    scaled = dem.power_law(1 - 3 * np.log(u), cutoff=True, lower=1.0, samples=50)  # an exponential
    assert scaled.low < 0 < scaled.high and scaled.scale == pytest.approx(3, rel=0.2)
    assert math.isnan(scaled.against_exponential)
    with pytest.raises(ValueError, match="needs 50 sizes above its cutoff that are not all equal"):
        dem.power_law([1, 2, 3])


def test_rate_after_main_events():
    """Ten main events, each with an event after 1, 2, 4 … 64."""
    runs = [dem.EventsOfRun([0.0, *2.0**np.arange(7)], [0.0, *2.0**np.arange(7)], [9.0, *7 * [1.0]], 0.0, 128.0)] * 10
    found = dem.aftershocks(0.9 * 2.0**np.arange(8), runs, 5.0)
    assert found.mains == 10 and found.background == pytest.approx(7 / 128)
    assert found.count.tolist() == 7 * [10] and found.rate * found.edges[:-1] == pytest.approx(7 * [1])
    assert found.decay.low < 1 < found.decay.high and found.decay.exponent == pytest.approx(1, abs=0.01)
    assert dem.aftershocks([1, 2], runs, 1e3).decay is None
    with pytest.raises(ValueError, match="different length"):
        dem.aftershocks([1, 2], [runs[0]._replace(ends=[0.0])], 5.0)


def test_values_that_are_refused():
    run = dem.EventsOfRun([0.0, *range(1, 13)], [0.0, *range(1, 13)], [9.0, *12 * [1.0]], 0.0, 20.0)
    assert dem.aftershocks([0, 1, 20], [run], 5.0).decay is None  # no logarithm of 0
    assert dem.aftershocks([0.5, 1.5, 20], [run], 5.0).decay is not None
    for wrong, message in (
        (lambda: dem.drops([1, math.nan, 0], 0.1), "drops.1.: found nan, allowed a finite number"),
        (lambda: dem.drops([1, 0], 0), "drops: found threshold = 0, allowed a number > 0"),
        (lambda: dem.bursts([1, 2], 2, -0.1), "bursts: found threshold = -0.1, allowed a number >= 0"),
        (lambda: dem.aftershocks([1, 2], [run], math.nan), "aftershocks: found main_size = nan, allowed a number"),
        (lambda: dem.bursts([1, math.inf], 2, 0.1), "bursts.1.: found inf, allowed a finite number"),
        (lambda: dem.power_law([1.0, 2.0], lower=math.nan), "power_law: found lower = nan, allowed a number > 0"),
        (lambda: dem.power_law([1.0, 2.0], samples=0), "power_law: samples: found 0, allowed a whole number >= 1"),
        (lambda: dem.power_law([1.0, 2.0], seed=0.5), "power_law: seed: found 0.5, allowed a whole number >= 0"),
        (lambda: dem.aftershocks([1, 1], [run], 5.0), "edges that do not grow"),
        (lambda: dem.aftershocks([-1, 1], [run], 5.0), "edges that do not grow from 0 or more"),
        (lambda: dem.aftershocks([0, 1], [run._replace(begin=30.0)], 5.0), "a run or an event that ends before"),
        (lambda: dem.aftershocks([0, 1], [run._replace(ends=[-1.0] * 13)], 5.0), "a run or an event that ends before"),
        (lambda: dem.aftershocks([0, 1], [run._replace(sizes=[math.nan] * 13)], 5.0), "sizes.0.: found nan"),
        (lambda: dem.aftershocks([1, 2], [], 5.0), "found no runs"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
