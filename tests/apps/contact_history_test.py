"""dem contact with laws hooke-history and hertz-history: start force, dashpots, tension."""
import math

import pytest
from contact_test import HEADER, drive, near, run, usual

ELASTIC = "shear_modulus = 1e9\npoisson_ratio = 0.25\nradius_i = 2e-3\nradius_j = 2e-3\nfriction = 0.5\n"


def stiffness(overlap):
    """K_t = 8 G* √(R̄ δ), G* = G/(2(2 − ν))."""
    return 4 * 1e9 / (2 - 0.25) * math.sqrt(0.5 * 2e-3 * overlap)


def test_a_start_force():
    before, row, parted = run(drive("hertz-history", ELASTIC, "start_overlap = 4e-6\nstart_force = [0.03, -0.01]\n"),
                              HEADER + "4e-6,1e-9,0\n-1e-6,0,0\n")
    assert before["tangential_1"] == 0.03
    near(before["stored_tangential"], 0.5 * 0.001 / stiffness(4e-6), 1e-18)
    near(row["tangential_1"], 0.03 + stiffness(4e-6) * 1e-9, 1e-14)
    near(row["tangential_2"], -0.01, 1e-14)
    assert parted["regime"] == "separated"
    stored = row["stored_tangential"]  # goes with the contact
    near(parted["dissipated"], stored, 1e-12 * stored)


def test_coefficients_of_the_user():
    """The user's coefficients of the Hertz form, with dampings by the reduced mass (direct-shear reference, T2).

    F_n and F_t are those of one evaluation."""
    own = ("hertz_normal_stiffness = 5.86e6\nhertz_tangential_stiffness = 5.79e6\nradius_i = 2.5e-3\n"
           "radius_j = 2.5e-3\nfriction = 0.5\n")
    v_n, dt, overlap, mass = 0.6 * 0.02 + 0.8 * -0.01, 1e-5, 1e-5, 8.18e-5
    f = math.sqrt(0.00125 * overlap)

    def row(law, parameters):
        # The overlap before the row is that of the movement along n.
        start = f"time_step = 1e-5\nstart_overlap = {overlap + v_n * dt!r}\n"
        return run(drive(law, f"{parameters}reduced_mass = {mass}\n", start), HEADER + "1e-5,2e-7,-3e-7\n")[1]

    hertz = row("hertz-history", own + "normal_damping_rate = 1e6\ntangential_damping_rate = 5e5\n")
    near(hertz["normal_force"], 0.006515097101962488, 1e-12 * 0.0065)
    # Without tangential_damping_rate it is γ_n/√κ; a spring's is γ_n √(k_t/k_n).
    ratio = row("hertz-history", own + "normal_damping_rate = 1e6\n")
    hooke = row("hooke-history", "normal_stiffness = 2000\ntangential_stiffness = 1600\nfriction = 0.5\n"
                "normal_damping_rate = 400\ntangential_damping_rate = 200\n")
    near(hooke["normal_force"], 0.01986912, 1e-12 * 0.0199)
    for found, per_shift, second in ((hertz, f * (5.79e6 + 5e5 * mass / dt), True),
                                     (ratio, f * (5.79e6 + math.sqrt(5.79 / (1.5 * 5.86)) * 1e6 * mass / dt), False),
                                     (hooke, 1600 + 200 * mass / dt, True)):
        near(found["tangential_1"], per_shift * 2e-7, 1e-12 * per_shift * 2e-7)
        if second:
            near(found["tangential_2"], per_shift * -3e-7, 1e-12 * per_shift * 3e-7)


@pytest.mark.parametrize("law, parameters", [("hooke-history", usual), ("hertz-history", ELASTIC)])
def test_tension_at_the_end(law, parameters):
    """The end of a damped contact is attractive as published, or clipped. The limit is μ|F_n| of the force that is
    left."""
    open_, clipped = [run(drive(law, f"{parameters}normal_damping = 1e3\ntangential_damping = 0\n{clip}",
                                "start_overlap = 2e-6\ntime_step = 1e-6\n"), HEADER + "1e-6,1e-6,0\n")[1]
                      for clip in ("", "clip_tension = true\n")]
    assert open_["normal_force"] < -100 and open_["tangential_1"] > 0
    assert clipped["normal_force"] == clipped["tangential_1"] == 0
