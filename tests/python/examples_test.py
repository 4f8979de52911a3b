"""The scripts of apps/examples/python in their short form: each writes its picture and finds the numbers it should."""

import doctest
import importlib.util
import pathlib

import numpy as np
import pytest

pytest.importorskip("matplotlib")
SCRIPTS = pathlib.Path(__file__).parents[2] / "apps/examples/python"


@pytest.fixture
def result_of(tmp_path):
    """Runs a script in its short form and returns the findings of its `main`."""

    def run(name, *more):
        import matplotlib.pyplot

        spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        picture = tmp_path / f"{name}.svg"
        try:
            found = script.main([*map(str, more), "--short", "--picture", str(picture)])
        finally:
            matplotlib.pyplot.close("all")
        assert "</svg>" in picture.read_text(encoding="utf-8")[-100:]
        return found

    return run


def test_every_script_has_its_test_and_its_picture():
    names = {script.stem for script in SCRIPTS.glob("*.py")}
    assert {test.removeprefix("test_") for test in globals()} >= names
    page = (SCRIPTS / "README.md").read_text(encoding="utf-8")
    for name in names:
        assert (SCRIPTS / f"{name}.svg").stat().st_size < 300_000
        assert f"({name}.py)" in page and f"({name}.svg)" in page


def test_slow_shear_live(result_of):
    found = result_of("slow_shear_live")
    assert found["strain"] == pytest.approx(0.02, abs=1e-5)
    assert found["rows"] == 20
    assert 0.2 < found["peak"] < 0.6
    assert "the shear strain 0.02 is reached" in found["verdict"]


def test_time_step_sweep(result_of):
    found = result_of("time_step_sweep")
    # Values of apps/examples/two-discs.md
    assert found["geometric"] == pytest.approx(238.5, rel=1e-3)
    assert found["velocity"][[0, 2, 4]] == pytest.approx([227.3, 160.0, 40.4], rel=2e-3)


def test_contact_planes(result_of):
    found = result_of("contact_planes")
    assert found["components"] == 1
    planes = found["planes"]
    assert planes["area-gradient"] == pytest.approx(planes["chord"])  # equal where the boundaries cross twice
    assert abs(planes["edge-mean"] - planes["area-gradient"]) > 0.1


def test_biaxial_discs(result_of):
    found = result_of("biaxial_discs")
    assert all(values["axial"] == pytest.approx(0.005, rel=0.05) for values in found.values())
    assert 0 < found[0.1]["q/p"] < found[0.5]["q/p"] < 0.6


def test_force_chains(result_of):
    found = result_of("force_chains")
    assert found["contacts"] > 100
    assert 0.3 < found["share_above_mean"] < 0.5
    assert found["along_y_over_x"] > 1.2


def test_vibrating_floor(result_of):
    found = result_of("vibrating_floor")
    # The side walls may carry a part of the weight.
    assert all(0.8 < values["at_rest"] < 1.1 for values in found.values())
    assert found[0.8]["flying"] == 0
    assert found[2.0]["flying"] > 0.2


def test_contact_loop(result_of):
    found = result_of("contact_loop")
    exact, linear = found["jaeger (exact)"], found["linear"]
    # Hertz: F = 4/3 E* sqrt(R*) overlap^1.5 with E* = G / (1 - nu) and R* = R/2
    assert exact["normal_force"] == pytest.approx(4 / 3 * 2.9e10 / 0.8 / 1 * np.sqrt(0.5e-3) * 1e-9, rel=1e-9)
    assert linear["normal_force"] == pytest.approx(exact["normal_force"], rel=1e-9)
    assert linear["largest"] == pytest.approx(0.5 * linear["normal_force"])
    assert exact["largest"] < linear["largest"]
    assert found["hertz-mindlin, all turning points"]["dissipated"] == pytest.approx(exact["dissipated"], rel=0.1)


def test_own_law(result_of):
    found = result_of("own_law")
    assert found["linear"]["largest"] == pytest.approx(5.0)
    assert found["linear"]["last"] == pytest.approx(5.0)
    assert found["worn"]["last"] == pytest.approx(2.972, abs=0.02)
    assert found["worn"]["dissipated"] < found["linear"]["dissipated"]


def test_read_results(result_of):
    pytest.importorskip("dem.results")
    pytest.importorskip("h5py")
    found = result_of("read_results")
    assert (found["bodies"], found["unit"]) == (80, "1")
    assert found["rows"] > 50 and found["snapshots"] >= 3
    assert 0.1 < found["last"] < 0.5
    assert found["largest_force"] > 0


def test_tutorial(tmp_path, monkeypatch):
    """Every command of the tutorial gives the output that stands there."""
    pytest.importorskip("dem.results")
    pytest.importorskip("h5py")
    text = (SCRIPTS.parents[1] / "python/README.md").read_text(encoding="utf-8")
    (tmp_path / "apps").symlink_to(SCRIPTS.parents[1])
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, "README.md", "README.md", 0)
    assert len(session.examples) > 40
    assert doctest.DocTestRunner().run(session).failed == 0
