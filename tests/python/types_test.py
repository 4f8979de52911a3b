"""The package is typed throughout."""

import pathlib
import re
import subprocess

import pytest

pytest.importorskip("mypy", reason="mypy is not installed")
SOURCE = pathlib.Path(__file__).resolve().parents[2] / "apps" / "python"


def test_mypy_is_clean(tmp_path):
    found = subprocess.run(
        ["/usr/bin/python3", "-m", "mypy", "--strict", "--config-file", SOURCE / "mypy.ini", "--cache-dir", tmp_path]
        + [SOURCE / "dem"],
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout


def test_the_stub_names_what_there_is():
    engine = pytest.importorskip("_dem", reason="the module _dem is not built")
    stub = (SOURCE / "_dem.pyi").read_text()
    names = re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE)
    there = {name for name in vars(engine) if not name.startswith("_")}
    assert set(names) == there - {"version", "law_version"}
    for cls in ("Case", "Run", "OwnCode", "StateView"):
        part = re.search(rf"^class {cls}:\n((?: .*\n|\n(?= ))*)", stub, re.MULTILINE)[1]
        in_stub = re.findall(r"^    (?:def )?(\w+)[:(]", part, re.MULTILINE)
        own = {name for name in vars(getattr(engine, cls)) if not name.startswith("_")}
        assert {name for name in in_stub if name != "__init__"} == own, cls
