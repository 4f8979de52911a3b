"""Rows, snapshots and callbacks at the end of a stage show that stage: the next one has not begun."""

import numpy as np
import pytest

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")

STEPS = 40  # of each stage
DT = 1e-4  # s
RATE = -20.0  # 1/s


def squeezed_spheres():
    """Two stages that squeeze spheres."""
    every = STEPS // 2 * DT
    rates = {"rate_xx": RATE, "rate_yy": RATE, "rate_zz": RATE, "duration": STEPS * DT}
    return {
        "dimension": 3,
        "cell": {"periodic": ["x", "y", "z"]},
        "assembly": {"generator": "random", "shape": "sphere", "count": 40, "radius": 0.5, "void_ratio": 1.0},
        "material": {"density": 1.0, "normal_stiffness": 1e4, "tangential_stiffness_ratio": 0.5, "friction": 0.5,
                     "restitution": 0.5},
        "time": {"integrator": "velocity-verlet", "step": DT},
        "output": {"contacts": True, "series_interval": every, "snapshot_interval": every},
        "stage": [rates, rates],
    }


def test_rows_and_snapshots_show_the_stage_that_ends(tmp_path):
    result = dem.Run(squeezed_spheres(), tmp_path / "run")()
    assert result.end == "finished"
    series, snapshots = dem.open(tmp_path / "run").series, dem.open(tmp_path / "run").snapshots
    assert series["step"].tolist() == [s.step for s in snapshots] == [0, STEPS // 2, STEPS, 3 * STEPS // 2, 2 * STEPS]
    assert series["stage"].tolist() == [1, 1, 1, 2, 2]
    of_stage = np.array([0, 0.5, 1, 0.5, 1]) * STEPS * DT * RATE
    assert series["strain"] == pytest.approx(of_stage)
    assert [s.strain for s in snapshots] == pytest.approx(of_stage)


def test_callbacks_and_records_see_the_stage_that_ends():
    run = dem.Run(squeezed_spheres())
    rows, seen = run.record("stage", "strain", steps=STEPS // 2), []

    @run.every(stage_end=True)
    def ends(now):
        seen.append(("end", now.step, now.stage, now.series["strain"]))

    @run.every(steps=STEPS)
    def steps(now):
        seen.append(("steps", now.step, now.stage, now.series["strain"]))

    @run.every(strain=abs(RATE) * STEPS * DT / 2)
    def strains(now):
        seen.append(("strain", now.step, now.stage, now.series["strain"]))

    run()
    half, full = STEPS // 2 * DT * RATE, STEPS * DT * RATE
    assert [what[:3] for what in seen] == [
        ("strain", STEPS // 2, 1), ("end", STEPS, 1), ("steps", STEPS, 1), ("strain", STEPS, 1),
        ("strain", 3 * STEPS // 2, 2), ("end", 2 * STEPS, 2), ("steps", 2 * STEPS, 2), ("strain", 2 * STEPS, 2)]
    assert [what[3] for what in seen] == pytest.approx([half, full, full, full, half, full, full, full])
    assert rows.rows[-4:].tolist() == [pytest.approx(row) for row in ([1, half], [1, full], [2, half], [2, full])]


def test_a_callback_that_fails_at_the_end_of_a_stage_stops_after_the_step(tmp_path):
    """The next stage has begun in the checkpoint, so a resumed run ends with the same bits."""
    whole = dem.Run(squeezed_spheres())()
    run = dem.Run(squeezed_spheres(), tmp_path / "run")

    @run.every(stage_end=True)
    def fails(now):
        if now.stage == 1:
            raise ValueError("no more")

    with pytest.raises(dem.RunError, match=f"step {STEPS}.*fails.*no more"):
        run()
    assert run.step == STEPS
    resumed = dem.resume(tmp_path / "run")
    assert resumed().hash == whole.hash
    assert [s.step for s in dem.open(tmp_path / "run").snapshots] == [STEPS // 2 * k for k in range(5)]
