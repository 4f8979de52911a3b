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


def pure(exponent, lower, count, seed):
    """Sizes of a power law."""
    return lower * (1 - np.random.default_rng(seed).random(count)) ** (-1 / (exponent - 1))


def exponential(mean, lower, count, seed):
    return lower - mean * np.log(1 - np.random.default_rng(seed).random(count))


@pytest.mark.parametrize("exponent", [1.6, 2.0, 3.0])
def test_the_exponent_of_a_power_law_lies_within_its_interval(exponent):
    fits = [dem.power_law(pure(exponent, 0.01, 400, seed), lower=0.01, samples=100) for seed in range(40)]
    for fit in fits:
        assert fit.count == 400 and fit.standard_error == pytest.approx((fit.exponent - 1) / 20)
        assert fit.scale == math.inf
    # Expected 38 of 40; fewer than 33 has a chance below 1 %.
    assert sum(fit.low <= exponent <= fit.high for fit in fits) >= 33
    assert sum(fit.goodness >= 0.1 for fit in fits) >= 30
    favoured = sum(fit.against_exponential > 0 and fit.exponential_chance < 0.05 for fit in fits)
    assert favoured >= (40 if exponent <= 2 else 30)  # the steeper, the more alike


def test_the_lower_end_of_a_power_law_is_found():
    """Uniform below 1, power law above."""
    inside = 0
    for seed in range(10):
        below = np.random.default_rng(seed + 100).uniform(0.05, 1, 800)
        fit = dem.power_law(np.concatenate([pure(2.2, 1, 800, seed), below]))
        assert 0.8 < fit.lower < 2.5
        inside += fit.low <= 2.2 <= fit.high
    assert inside >= 8


def test_an_exponential_is_told_from_a_power_law():
    fit = dem.power_law(exponential(1, 1, 500, 7), lower=1)
    assert fit.against_exponential < 0 and fit.exponential_chance < 0.01 and fit.goodness < 0.1


def test_samples_that_are_no_power_law():
    with pytest.raises(ValueError, match="a power law needs positive sizes, found -1"):
        dem.power_law([1, -1])
    # Equal sizes: sums of logarithms with and without round-off.
    for sizes in ([1, 2, 3], pure(2, 1, 49, 1), *([size] * 100 for size in (1.0, 7.0, 1e-3, 2.5))):
        with pytest.raises(ValueError, match="needs 50 sizes above its cutoff that are not all equal"):
            dem.power_law(sizes)


def cut_off(count, seed):
    """x^-1.5 e^(-x/0.2) from 0.01 on, by rejection from the pure power law."""
    draw, found = np.random.default_rng(seed), np.array([])
    while len(found) < count:
        x = 0.01 * (1 - draw.random(4 * count)) ** -2
        found = np.append(found, x[draw.random(4 * count) < np.exp(-(x - 0.01) / 0.2)])
    return found[:count]


def test_a_power_law_with_a_cutoff():
    fits = [dem.power_law(cut_off(500, seed), cutoff=True, lower=0.01, samples=60) for seed in range(20)]
    assert sum(abs(fit.exponent - 1.5) < 1.96 * fit.standard_error for fit in fits) >= 16  # 19 are expected
    assert sum(0.1 < fit.scale < 0.4 for fit in fits) >= 18 and sum(fit.goodness >= 0.1 for fit in fits) >= 15
    assert all(fit.exponential_chance < 0.01 and math.isnan(fit.against_exponential) for fit in fits)
    # An exponential is one: the exponent is 0 within its error.
    plain = dem.power_law(exponential(0.2, 0.01, 800, 3), cutoff=True, lower=0.01, samples=60)
    assert abs(plain.exponent) < 2.6 * plain.standard_error and plain.exponential_chance > 0.01
    assert plain.scale == pytest.approx(0.2, rel=0.2)
    # The lower end is found: uniform sizes below it.
    draw = np.random.default_rng(6)
    found = dem.power_law([*cut_off(800, 5), *draw.uniform(0, 0.01, 300)], cutoff=True, samples=60)
    assert found.lower > 0.005 and found.low < 1.5 < found.high
    twins = np.concatenate([0.02 * draw.uniform(1, 1.1, 200), draw.uniform(1, 1.1, 200)])
    assert dem.power_law(twins, cutoff=True, lower=0.01, samples=60).goodness < 0.05


@pytest.mark.parametrize("scale", [0.1, 1.0, 4.0])
def test_a_cutoff_near_the_lower_end(scale):
    """At the largest likelihood the means of x and ln x are those of the sample. Here by a fine sum over the law."""
    sizes = exponential(scale, 10, 2000, 3)
    fit = dem.power_law(sizes, cutoff=True, lower=10, samples=1)
    x = fit.lower + (np.arange(300000) + 0.5) * 1e-4 * scale
    weights = np.exp(-fit.exponent * np.log(x / fit.lower) - (x - fit.lower) / fit.scale)
    # The fit sums over 400 cells, whose error is below 1e-3 of the means. With the former grid it was far larger.
    for of in (lambda x: x - fit.lower, lambda x: np.log(x / fit.lower)):
        assert np.average(of(x), weights=weights) == pytest.approx(of(sizes).mean(), rel=1e-3)


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


def test_aftershocks_are_counted_until_the_next_main_event():
    """Main events at 2 and 10. The first one is followed for 8, the second for 10."""
    times = [1.0, 2.0, 3.0, 10.0, 11.0, 18.0]
    found = dem.aftershocks([0.5, 2, 4, 16], [dem.EventsOfRun(times, times, [1.0, 9, 1, 9, 1, 1], 0.0, 20.0)], 5.0)
    assert found.mains == 2 and found.background == 4 / 20 and found.decay is None  # too few
    assert found.count.tolist() == [2, 0, 1] and found.exposure.tolist() == [3, 4, 4 + 6]


@pytest.mark.parametrize("p", [0.0, 0.7, 1.3])
def test_the_decay_of_aftershocks_lies_within_its_interval(p):
    """Six events on average after each main one with rate t^-p between 0.1 and 100, one main event every 1000."""
    inside, low, high = 0, *np.array([0.1, 100]) ** (1 - p)
    for seed in range(20):
        draw, times, sizes = np.random.default_rng(seed), [], []
        for main in range(40):
            after = np.sort((low + draw.random(draw.poisson(6)) * (high - low)) ** (1 / (1 - p)))
            times += [1000.0 * main, *(1000.0 * main + after)]
            sizes += [10.0] + [1.0] * len(after)
        run = dem.EventsOfRun(times, times, sizes, 0.0, 40000.0)
        decay = dem.aftershocks(0.1 * 10 ** (np.arange(13) / 4), [run], 5.0).decay
        inside += decay.low <= p <= decay.high
    assert inside >= 16  # of 20, 19 expected


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
