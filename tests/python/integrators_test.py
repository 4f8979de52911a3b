"""Gear's steps on one coordinate and stability limits (polygon-dem reference, §2)."""

import csv
import math
from pathlib import Path

import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")


ROOT = Path(__file__).resolve().parents[2]
EXACT = -0.3368516805904133628, 0.18534570698460589892  # x and x' of the reference
TABLE = list(csv.DictReader((ROOT / "tests/support/tables/gear-errors.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["steps"])
def test_table_of_errors(row):
    """x″ = −x − 0.2 x′ from x = 1, x′ = 0 to t = 10; also from zero derivatives of higher order, which leave the order
    two."""
    derivatives = [1.0, 0.0]
    for _ in range(4):
        derivatives.append(-derivatives[-2] - 0.2 * derivatives[-1])
    steps = int(row["steps"])
    dt = 10 / steps
    start = [d * dt**k / math.factorial(k) for k, d in enumerate(derivatives)]

    def errors(terms, coefficients="velocity-dependent"):
        found = dem.gear_steps(terms, dt, steps, lambda x, v: -x - 0.2 * v, coefficients)
        return abs(found[0] - EXACT[0]), abs(found[1] / dt - EXACT[1])

    plain = errors(start)
    for column, error in (("position-3-16", plain[0]), ("velocity-3-16", plain[1]),
                          ("position-3-20", errors(start, "position-only")[0]),
                          ("start-at-zero", errors([*start[:3], 0.0, 0.0, 0.0])[0])):
        # Within what the steps may gather in round-off.
        assert error == pytest.approx(float(row[column]), rel=1e-3, abs=5e-15), column


# The undamped limit of 3/20 is printed as 0.10 (the map gives 0.105).
@pytest.mark.parametrize("ratio, limits", [(0.0, (0.31, 0.105)), (0.004, (0.69, 0.70)), (0.05, (0.627, 0.65)),
                                           (0.3, (0.246, 0.248))])
def test_limits_of_the_reference(ratio, limits):
    for name, limit in zip(("velocity-dependent", "position-only"), limits):
        found = dem.stability_limit(ratio, 1e-9, coefficients=name)
        assert found == pytest.approx(limit, rel=0.02)
        assert dem.spectral_radius(ratio, 0.98 * found, coefficients=name) < 1 + 1e-9
        assert dem.spectral_radius(ratio, 1.02 * found, coefficients=name) > 1 + 1e-9


def test_what_the_check_of_the_time_step_tolerates():
    assert dem.stability_limit(0) == pytest.approx(0.326, abs=0.002)
    assert dem.stability_limit(0, coefficients="position-only") == pytest.approx(0.248, abs=0.002)
    assert dem.stability_limit(0.004) == pytest.approx(dem.stability_limit(0.004, 1e-9), rel=1e-3)
    # Why there is no floor on the damping ratio: undamped at the limit of 0.004, an amplitude grows by e in 400 steps.
    assert dem.spectral_radius(0, 0.69) - 1 > 1 / 400
    # Strong damping limits the rate.
    ten, most = (ratio * dem.stability_limit(ratio) for ratio in (10.0, 1e4))
    assert ten == pytest.approx(0.08, abs=0.002) and most == pytest.approx(ten, rel=0.01)
    assert dem.stability_limit(0, integrator="velocity-verlet") == pytest.approx(2, abs=1e-3)
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
