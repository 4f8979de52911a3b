"""Two bodies on prescribed paths."""

import pkgutil

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")


def test_a_disc_rolls_past_another():
    """ξ of (G) is the movement along the tangent, and the forces balance."""
    case = dem.Case({
        "material": {"normal_stiffness": 1.0, "tangential_stiffness_ratio": 0.5, "friction": 1e6, "restitution": 1.0},
        "contact": {"normal_force": "overlap", "lever": "conjugate"}, "time": {"step": 1.0, "override_limit": True},
        "body": dem.discs([[0, 0], [0.99, 0]], 0.5), "stage": [{"duration": 1.0}]})
    angle = np.linspace(0, 0.1, 11)
    poses = np.zeros((11, 6))
    poses[:, 3], poses[:, 5] = 0.99, angle
    rates = np.zeros((11, 6))
    rates[:, 5] = 0.01
    found = dem.driven_pair(case.to_dict(), poses, rates)
    assert found.normal_force == pytest.approx(np.full(11, 0.01)) and found.normal[:, 0] == pytest.approx(np.ones(11))
    assert abs(found.elongation) == pytest.approx(0.5 * angle)
    assert abs(found.force[:, 1]) == pytest.approx(0.25 * angle / 0.99)  # f_t (a_i + a_j)/|R|
    assert found.torque.sum(axis=1) + 0.99 * found.force[:, 1] == pytest.approx(np.zeros(11), abs=1e-15)
    poses[5:, 3] = 1.1
    with pytest.raises(ValueError, match="found 0 contacts in row 5, allowed one"):
        dem.driven_pair(case, poses, rates)
    for wrong, message in (((poses[:, :3], rates), r"poses: found an array of shape \(11, 3\), allowed \(n, 6\)"),
                           ((poses, np.full((11, 6), np.nan)), r"rates\[0, 0\]: found nan, allowed a finite number"),
                           ((poses, rates[:5]), "found 11 poses and 5 rates, allowed as many of both")):
        with pytest.raises(ValueError, match=f"driven_pair: {message}"):
            dem.driven_pair(case, *wrong)


def test_no_name_is_that_of_a_module():
    # The import of a module binds its name, which would then hide a function of that name.
    assert not set(dem.__all__) & {module.name for module in pkgutil.iter_modules(dem.__path__)}
