"""tests/lammps/speed.py measures no run that failed."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("_dem", reason="the module _dem is not built")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lammps"))

import speed  # noqa: E402


def test_a_run_that_fails_ends_the_measurement(tmp_path):
    assert speed.wall_seconds([["true"], ["true"]], tmp_path) > 0
    with pytest.raises(SystemExit, match="exit code 3 of: sh -c exit 3"):
        speed.wall_seconds([["true"], ["sh", "-c", "exit 3"]], tmp_path)
