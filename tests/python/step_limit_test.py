"""The measured limit of the time step in a lattice in which every contact counts."""

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

START = 1e-6  # rad/s


def lattice(history, integrator, step, source="predicted"):
    """Discs of a triangular lattice that all turn alike, so that every contact slips against its dashpot."""
    d, count = 0.999, 4
    h = d * np.sqrt(3) / 2
    bodies = dem.discs([[d * (i + 0.5 * (j % 2)) + 0.1, h * j + 0.1] for j in range(count) for i in range(count)], 0.5)
    for body in bodies:
        body["spin"] = START
    return dem.Case({
        "material": {"density": 1.0, "normal_stiffness": 1e4, "tangential_stiffness_ratio": 0.8, "friction": 0.5,
                     "restitution": 0.9},
        "cell": {"periodic": ["x", "y"], "size": [count * d, count * h]},
        "contact": {"elongation": "velocity", "velocity_source": source, "history": history},
        "time": {"step": step, "integrator": integrator, "override_limit": True, "limit_check_interval": 40 * step},
        "body": bodies, "stage": [{"duration": 1e3}]})


def spin_and_limit(case, steps):
    run = dem.Run(case)
    run(until_step=steps)
    with run.look() as now:
        return abs(now.bodies.spin[:]).max(), run.measured_limit.value


def test_measured_limit_without_history_has_no_tangential_spring():
    """The largest frequency is that of the normal springs alone."""
    spring, none = (spin_and_limit(lattice(history, "gear5", 2e-4), 81)[1] for history in ("true", "none"))
    assert none > 1.1 * spring


def test_measured_limit_with_pseudo_history_is_that_at_which_spins_grow():
    """In this lattice. It was 1.8 times as large."""
    measured = 1e-3  # a step above it
    for _ in range(6):  # the dashpots grow with the step, so that the limit is a fixed point
        measured = 0.5 * (measured + spin_and_limit(lattice("pseudo", "velocity-verlet", measured), 41)[1])
    assert spin_and_limit(lattice("pseudo", "velocity-verlet", 0.9 * measured), 400)[0] < 1e-3 * START
    assert spin_and_limit(lattice("pseudo", "velocity-verlet", 1.15 * measured), 400)[0] > START


@pytest.mark.parametrize("integrator", ["gear5", "velocity-verlet"])
@pytest.mark.parametrize("source", ["predicted", "trapezoid", "corrected"])
def test_measured_limit_of_elongations_by_velocity_is_that_at_which_spins_grow(integrator, source):
    """It was 1.2 and 1.3 times as large with the source predicted, and 3.6 times with corrected and Verlet."""
    limit = spin_and_limit(lattice("true", integrator, 1e-4, source), 41)[1]
    below, above = (spin_and_limit(lattice("true", integrator, share * limit, source), 3000)[0]
                    for share in (0.97, 1.03))
    assert below < START < above
