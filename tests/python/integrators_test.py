"""Gear's steps on one coordinate and stability limits (polygon-dem reference, §2)."""

import math

import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")


def test_steps_are_of_fifth_order():
    """x″ = −x − 0.2 x′ from x = 1, x′ = 0 to t = 10."""
    derivatives = [1.0, 0.0]
    for _ in range(4):
        derivatives.append(-derivatives[-2] - 0.2 * derivatives[-1])
    for steps, error in ((100, 1.25756e-6), (200, 3.94108e-8)):
        dt = 10 / steps
        start = [d * dt**k / math.factorial(k) for k, d in enumerate(derivatives)]
        found = dem.gear_steps(start, dt, steps, lambda x, v: -x - 0.2 * v)[0]
        assert abs(found + 0.3368516805904133628) == pytest.approx(error, rel=1e-3)


def test_limits():
    for ratio, limits in ((0.05, (0.627, 0.65)), (0.3, (0.246, 0.248))):
        for name, limit in zip(("velocity-dependent", "position-only"), limits):
            found = dem.stability_limit(ratio, 1e-9, coefficients=name)
            assert found == pytest.approx(limit, rel=0.02)
            assert dem.spectral_radius(ratio, 0.98 * found, coefficients=name) < 1
            assert dem.spectral_radius(ratio, 1.02 * found, coefficients=name) > 1
    assert dem.stability_limit(0.05, integrator="velocity-verlet") == pytest.approx(1.81, rel=0.02)


def test_arguments():
    start = [1.0, 0, 0, 0, 0, 0]
    for wrong, message in (
        (lambda: dem.stability_limit(0.1, integrator="rk4"), "found 'rk4', allowed gear5 or velocity-verlet"),
        (lambda: dem.stability_limit(-0.1), "stability_limit: found damping_ratio = -0.1"),
        (lambda: dem.spectral_radius(0.1, 0), "spectral_radius: found .*omega_dt = 0"),
        (lambda: dem.gear_steps([1, 0], 0.1, 1, min), "start: found an array of shape .2,., allowed 6 numbers"),
        (lambda: dem.gear_steps([*start[:5], math.nan], 0.1, 1, min), r"start\[5\]: found nan"),
        (lambda: dem.gear_steps(start, math.nan, 1, min), "found time_step = nan, allowed a number > 0"),
        (lambda: dem.gear_steps(start, 0.1, -1, min), "gear_steps: steps: found -1"),
        (lambda: dem.gear_steps(start, 0.1, 1, lambda x, v: "a"), "could not convert string to float"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
