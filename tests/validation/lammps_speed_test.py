"""tests/lammps/speed.py measures no run that failed."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("_dem", reason="the module _dem is not built")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lammps"))

import speed  # noqa: E402


OURS = ["echo", "fastest 200 steps in a row: 0.25 ms each"]
BLOCKS = "\n".join(f"Loop time of {t} on 1 procs for 200 steps with 10 atoms" for t in (0.1, 0.4, 0.3))


def test_times_of_ours_and_of_lammps(tmp_path):
    # The first block of LAMMPS has its set-up.
    assert speed.step_times([OURS, ["echo", BLOCKS]], tmp_path) == pytest.approx([0.25e-3, 0.3 / 200])


def test_a_run_that_fails_ends_the_measurement(tmp_path):
    for bad in (["sh", "-c", "exit 3"], ["echo", "fastest nothing"]):
        with pytest.raises(SystemExit, match=f"exit code . of: {bad[0]}"):
            speed.step_times([OURS, bad], tmp_path)
