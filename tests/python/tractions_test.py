"""Tractions of a Jäger contact (jaeger-contact reference, §10): tables of §16, their sums, the limit of friction."""

import sys
from pathlib import Path

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

VALIDATION = Path(__file__).resolve().parents[2] / "validation"
sys.path[:0] = [str(VALIDATION), str(VALIDATION / "kuhn2011")]

from driver.digits import csv_rows  # noqa: E402
from jaeger import drive, material, normal_force, radius, ratio, table  # noqa: E402

EPS = np.finfo(float).eps


def after(name, steps):
    """The material of a table, the legs after some of its steps, and the forces."""
    m, moves, _ = table(name)
    states = drive(m, moves[:steps], legs_after=[steps])
    return m, states.legs[steps], states.normal_force[-1], states.tangential[-1]


@pytest.mark.parametrize("stage, name, steps", [("U2-B", "U2", 3), ("U2-between", "U2", 4), ("U2-D", "U2", 5),
                                                ("U3", "U3", 9)])
def test_tables_of_tractions(stage, name, steps):
    """Radii of the rings, the last of them a, of U3 a alone; values at shares of a."""
    rows = [row for row in csv_rows(VALIDATION / "kuhn2011/figure-9/tractions.csv") if row["stage"] == stage]
    rings = np.array([float(row["radius"]) for row in rows if not row["shear"]])
    share, printed = np.transpose([(float(row["radius"]), float(row["shear"])) for row in rows if row["shear"]])
    m, legs, _, _ = after(name, steps)
    found = np.sqrt(radius(m) * legs[:, 0])
    assert (found if len(rings) > 1 else found[-1:]) == pytest.approx(rings, rel=4 * EPS, abs=0)
    shear = dem.tractions(m, legs, share * rings[-1])[1]
    largest = m["friction"] * dem.tractions(m, legs, [0.0])[0][0]
    assert abs(shear[:, 0] - printed).max() <= 8 * EPS * largest and not shear[:, 1].any()


@pytest.mark.parametrize("name, steps", [("U2", 3), ("U2", 4), ("U2", 5), ("U3", 9), ("U4", 4), ("U4", 9), ("U4", 11)])
def test_tractions_add_up_to_the_forces(name, steps):
    """By Gauss's rule on rings: ρ = r + (r' - r) sin θ takes away the root at the edge of each. U4: two directions."""
    m, legs, normal, tangential = after(name, steps)
    x, weight = np.polynomial.legendre.leggauss(60)
    angle, total = np.pi / 4 * (x + 1), np.zeros(3)
    inner = 0.0
    for outer in np.sqrt(radius(m) * legs[:, 0]):
        rho = inner + (outer - inner) * np.sin(angle)
        pressure, shear = dem.tractions(m, legs, rho)
        ring = np.pi / 4 * weight * (outer - inner) * np.cos(angle) * 2 * np.pi * rho
        total += ring @ np.column_stack([pressure, shear])
        inner = outer
    assert total[0] == pytest.approx(normal, rel=1e-12)
    assert total[1:] == pytest.approx(tangential, abs=1e-12 * m["friction"] * normal)


def test_friction_is_the_limit_at_every_point():
    """|τ| <= f σ everywhere, and = in the ring that slipped last; a sum over n legs rounds n times."""
    m, draw, count = material(1.0, 0.3, 0.6, 0.02), np.random.default_rng(21), 1000
    far = ratio(m) * m["friction"] * 1e-4 * draw.uniform(0, 0.4, count)
    angle = draw.uniform(-np.pi, np.pi, count)
    moves = np.column_stack([1e-4 * draw.uniform(0.5, 1.5, count), far * np.cos(angle), far * np.sin(angle)])
    histories = drive(m, moves, legs_after=range(1, count + 1)).legs
    slipped = stuck = 0
    for legs in histories.values():
        rings, rounding = np.sqrt(radius(m) * legs[:, 0]), (len(legs) + 4) * EPS
        slips = np.hypot(*legs[-1, 1:]) >= m["friction"] * (1 - 4 * EPS)
        rho = draw.uniform(0, 1.1, 40) * rings[-1]
        pressure, shear = dem.tractions(m, legs, rho)
        size, limit, outside = np.hypot(*shear.T), m["friction"] * pressure, rho > (rings[-2] if len(legs) > 1 else 0)
        assert (size <= limit * (1 + rounding)).all()
        assert not slips or (size >= limit * (1 - rounding))[outside].all()
        slipped += slips * (outside & (limit > 0)).sum()
        stuck += (~outside & (size < 0.99 * limit)).sum()
    assert slipped > 5000 and stuck > 5000


def test_no_contact_bears_nothing():
    m, z = material(1.0, 0.3, 0.6, 0.02), 1e-4
    for values in dem.tractions(m, np.zeros((0, 3)), [0.0]):
        assert not values.any()
    edge = np.sqrt(radius(m) * z)
    pressure, shear = dem.tractions(m, [[z, 0.3, -0.4]], [0.0, 1.001 * edge])
    assert pressure[1] == 0 and not shear[1].any()
    assert pressure[0] == pytest.approx(1.5 * normal_force(m, z) / (np.pi * edge**2), rel=4 * EPS)
