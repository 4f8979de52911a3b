"""Cases for the tests of the Python module, and the program."""

import os

import pytest

import dem

_base = {"material": {"normal_stiffness": 1e6, "tangential_stiffness": 5e5, "friction": 0.4, "normal_damping": 20.0}}


def falling_discs():
    case = {
        **_base,
        "dimension": 2,
        "gravity": [0, -9.81],
        "time": {"step": 2e-5},
        "contact": {"law": "linear"},
        "wall": [{"name": "floor", "from": [-5, 0], "to": [5, 0]}],
        "body": dem.discs([[0.0, 0.51], [1.0, 0.52], [0.45, 1.42]], 0.5, velocity=[0.1, 0.0]),
        "stage": [{"name": "fall", "duration": 2e-3}, {"name": "rest", "duration": 1e-3}],
    }
    return case


def pressed_spheres():
    corners = [[x, y, z] for x in (0.0, 0.97) for y in (0.0, 0.98) for z in (0.0, 0.99)]
    return {
        **_base,
        "dimension": 3,
        "time": {"step": 1e-5},
        "contact": {"law": "hertz-mindlin"},
        "material": {"shear_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.4, "restitution": 0.7},
        "body": dem.spheres(corners, 0.5, velocity=[[0.1 * k, -0.1, 0.05] for k in range(8)]),
        "stage": [{"duration": 2e-3}],
    }


@pytest.fixture(scope="session")
def program():
    name = os.environ.get("DEM_PROGRAM")
    if not name:
        pytest.skip("DEM_PROGRAM does not name the program dem")
    return name


@pytest.fixture
def cases():
    return {"discs": dem.Case(falling_discs()), "spheres": dem.Case(pressed_spheres())}
