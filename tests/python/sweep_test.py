"""Sweeps and driven contacts: the keys that a sweep passes on, and the sentences of their errors."""

import numpy as np
import pytest

import dem
import dem.results


def test_defaults_follow_the_axis(cases):
    # The lever of discs is "conjugate" by default, which elongation = "velocity" does not allow.
    assert cases["discs"]["contact.lever"] == "conjugate"
    axes = {"contact.elongation": ["velocity", "geometric"]}
    table = dem.sweep(cases["discs"], axes, "final kinetic_energy", workers=1)
    assert table.messages == ["", ""]
    assert np.all(table["kinetic_energy"] > 0)


def test_file_names_are_those_of_the_case(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "discs.txt").write_text("0 0 0.5\n1 0 0.5\n")
    monkeypatch.chdir(tmp_path)
    tables = {
        "material": {"density": 1.0, "normal_stiffness": 1e5, "tangential_stiffness_ratio": 0.5, "friction": 0.5,
                     "restitution": 0.5},
        "assembly": {"generator": "import", "file": "discs.txt"},
        "cell": {"periodic": []},
        "time": {"step": "auto"},
        "stage": [{"duration": 1e-3}],
    }
    case = dem.Case(tables, folder="data")
    table = dem.sweep(case, {"material.friction": [0.1, 0.2]}, "final kinetic_energy", workers=1)
    assert table.messages == ["", ""]


def test_errors_name_keys_and_no_temporary_files(cases):
    with pytest.raises(dem.CaseError, match=r"^axis\[1\]\.key: found .frictio.*nearest known key: material.friction"):
        dem.sweep(cases["discs"], {"frictio": [0.1]}, "final kinetic_energy")
    for values in (0.1, np.array(0.1), {0.1}, {0.1: 1}, "0.1"):
        with pytest.raises(TypeError, match=r"^axes: found material.friction = .*0.1.*, allowed a list of values"):
            dem.sweep(cases["discs"], {"material.friction": values}, "final kinetic_energy")
    with pytest.raises(dem.CaseError, match=r"^law: found .liner.*nearest known value: linear"):
        dem.contact("liner", {}, np.zeros((1, 3)))
    with pytest.raises(ValueError, match=r"^path\[1, 2\]: found nan, allowed a finite number"):
        dem.contact("linear", {}, [[0, 0, 0], [0, 0, np.nan]])
    for read in (lambda key: cases["discs"][key], lambda key: cases["discs"].changed({key: 1})):
        with pytest.raises(KeyError, match="found .*material.frictio.*nearest known key: material.friction"):
            read("material.frictio")


def test_a_wrong_path_is_named_by_its_rows():
    hertz = {"shear_modulus": 1.0, "poisson_ratio": 0.3, "friction": 0.5, "radius_i": 1.0, "radius_j": 1.0}
    with pytest.raises(dem.CaseError) as caught:
        dem.contact("jaeger", hertz | {"friction": -1}, [[0.1, 0, 0], [3, 0, 2e4]], start_overlap=-2e4)
    assert [p.message.partition(": found")[0] for p in caught.value.problems] == [
        "parameters.friction", "path.start_overlap", "path[1]: overlap", "path[1]: shift_2"]
    with pytest.raises(dem.CaseError, match=r"^path\[1, 0\]: overlap: found 3 m, allowed from .* the centres meet"):
        dem.contact("jaeger", hertz, [[[0.1, 0, 0]], [[3, 0, 0]]])
    with pytest.raises(dem.CaseError, match=r"^path\[0\]: normal_x.*the opposite of the normal before"):
        spring = {"normal_stiffness": 1.0, "tangential_stiffness": 1.0, "friction": 0.5}
        dem.contact("linear", spring, [[0.1, 0, 0, -1] + 9 * [0]], start_normal=[0, 0, 1])
    for shape in ((3,), (2, 4), (0, 3), (1, 2, 2, 3)):
        with pytest.raises(ValueError, match="path: found an array of shape"):
            dem.contact("linear", spring, np.zeros(shape))
    with pytest.raises(ValueError, match="legs_after: found 2, allowed 0 to 1"):
        dem.contact("jaeger", hertz, [[0.1, 0, 0]], legs_after=[2])


def test_paths_of_a_contact_are_those_of_single_calls():
    """And the program prints the same digits; the histories are those behind its forces."""
    hertz = {"shear_modulus": 1.0, "poisson_ratio": 0.3, "friction": 0.5, "radius_i": 1.0, "radius_j": 1.0}
    paths = np.random.default_rng(1).uniform(-0.01, 0.02, (4, 30, 3))
    together = dem.contact("jaeger", hertz, paths, legs_after=[0, 30, 7])
    assert together.normal_force.shape == together.regime.shape == (4, 31) and together.tangential.shape == (4, 31, 2)
    for k, path in enumerate(paths):
        alone = dem.contact("jaeger", hertz, path, legs_after=[7])
        for name in ("normal_force", "tangential", "regime", "stored_tangential", "work", "dissipated", "leg_count"):
            assert np.array_equal(getattr(alone, name), getattr(together, name)[k]), name
        assert np.array_equal(alone.legs[7], together.legs[7][k]) and len(alone.legs[7]) == alone.leg_count[7]
        legs = np.vstack([[0, 0, 0], together.legs[30][k]])
        force = 4 / 3 * 2 / (1 - 0.3) * legs[:, 0] ** 1.5  # of equal spheres of radius 1 m, G = 1 Pa
        assert np.allclose(alone.tangential[30], np.diff(force) @ legs[1:, 1:])


def test_tractions_refuse_what_is_no_contact():
    hertz = {"shear_modulus": 1.0, "poisson_ratio": 0.3, "friction": 0.5, "radius_i": 1.0, "radius_j": 1.0}
    states = dem.contact("jaeger", hertz, [[0.02, 0, 0], [0.024, 0.001, 0.0005], [0.022, -0.001, 0]], legs_after=[3])
    with pytest.raises(ValueError, match="tractions: legs: found an array of shape"):
        dem.tractions(hertz, [[0.1, 0]], [0.0])
    with pytest.raises(dem.CaseError, match="^parameters.friction"):
        dem.tractions(hertz | {"friction": -1}, states.legs[3], [0.0])
    with pytest.raises(TypeError, match="parameters: found None, allowed a dictionary"):
        dem.tractions(None, states.legs[3], [0.0])


def test_a_sweep_file(cases, tmp_path):
    cases["discs"].write(tmp_path / "case.toml")
    quantity = '[[quantity]]\nkind = "final"\ncolumn = "kinetic_energy"\n'
    axis = '[[axis]]\nkey = "material.friction"\nvalues = [0.1, 0.4]\n'
    (tmp_path / "sweep.toml").write_text('format = 1\ncase = "case.toml"\n' + axis + quantity)
    table = dem.sweep_file(tmp_path / "sweep.toml", workers=1, output=tmp_path / "results")
    same = dem.sweep(cases["discs"], {"material.friction": [0.1, 0.4]}, "final kinetic_energy", workers=1)
    assert list(table["kinetic_energy"]) == list(same["kinetic_energy"])
    assert (tmp_path / "results" / "table.csv").exists()
    with pytest.raises(dem.FileError, match="nowhere.toml"):
        dem.sweep_file(tmp_path / "nowhere.toml")


def test_parts_make_the_table_of_one_machine(cases, tmp_path):
    def sweep(**how):
        return dem.sweep(cases["discs"], {"material.friction": [0.1, 0.2, 0.3]}, "final kinetic_energy", **how)

    first = sweep(output=tmp_path / "out", part="1/2")
    assert first.messages == ["", "not run yet", ""]
    assert sweep(output=tmp_path / "out", part="2/2").messages == ["", "", ""]
    whole, alone = sweep(output=tmp_path / "out", workers=1), sweep(workers=1)
    assert whole["kinetic_energy"].tobytes() == alone["kinetic_energy"].tobytes()
    with pytest.raises(ValueError, match="found 3/2, allowed k/T"):
        sweep(output=tmp_path / "out", part="3/2")
    with pytest.raises(ValueError, match="part: found '1/2' without output"):
        sweep(part="1/2")


def sheared(tmp_path, **more):
    """Two seeds of a packing of polygons, sheared with two values of friction."""
    both = {
        "assembly": {"generator": "voronoi", "columns": 4, "rows": 5, "seed": 1, "solid_fraction": 0.9},
        "plates": {"from_rows": True},
        "material": {"normal_stiffness": 400.0, "tangential_stiffness_ratio": 1 / 3, "friction": 0.5,
                     "restitution": 0.9},
        "time": {"step": 0.002},
        "output": {"series_interval": 0.02},
    }
    press = {"name": "press", "normal": "move-to-height", "height": 3.9, "plate_speed": 0.2, "until_target": True}
    shear = {"name": "shear", "shear_rate": 0.05, "strain": 0.02}
    axes = {"material.friction": [0.2, 0.5], "seed": [1, 2]}
    return dem.sweep(both | {"stage": [shear]}, axes, more.pop("quantity", "final height"), workers=2,
                     output=tmp_path / "out", keep="series", start_from=both | {"stage": [press]}, by="seed", **more)


def test_points_start_from_the_packing_of_their_seed_and_keep_their_rows(tmp_path):
    table = sheared(tmp_path)
    assert table.messages == [""] * 4
    for point in range(4):
        series = table.series(point)
        assert series["height"][-1] == table["height"][point]
        packings = tmp_path / "out" / "packings"
        packing = dem.results.Series(packings / f"assembly.seed-{table['seed'][point]:.0f}" / "series")
        assert series["time"][0] == packing["time"][-1] and series["height"][0] == packing["height"][-1]
    assert np.array_equal(table.series(-1)["strain"], table.series(3)["strain"])
    with pytest.raises(IndexError, match="found point 4, allowed -4 to 3"):
        table.series(4)


def test_columns_of_kept_series(tmp_path):
    table = sheared(tmp_path, columns=["height"], quantity=[])
    assert list(table.series(0)) == ["step", "height"]
    assert table.columns == ["material.friction", "assembly.seed", "t_c", "steps"]
    with pytest.raises(dem.results.ResultsError, match=r"a folder of rows, .* table.series\(k\)"):
        dem.open(tmp_path / "out" / "series" / "point-1")


def test_mistakes_of_kept_series_and_packings(cases, tmp_path):
    def sweep(**how):
        return dem.sweep(cases["discs"], {"material.friction": [0.1]}, "final kinetic_energy", workers=1, **how)

    with pytest.raises(ValueError, match="^output: found nothing, needed a folder with keep or start_from"):
        sweep(keep="series")
    with pytest.raises(ValueError, match="^by: found 'seed' without start_from"):
        sweep(by="seed")
    with pytest.raises(ValueError, match="^by: found 'seed', allowed an axis: material.friction"):
        sweep(by="seed", start_from=cases["discs"], output=tmp_path / "out")
    with pytest.raises(dem.CaseError, match="^keep: found .rows., allowed one of .table., .series."):
        sweep(keep="rows", output=tmp_path / "out")
    with pytest.raises(dem.CaseError, match="^columns: found .tiem., allowed a column .*nearest known: time"):
        sweep(keep="series", columns="tiem", output=tmp_path / "out")
    with pytest.raises(dem.results.ResultsError, match="point 0.*no series: the sweep keeps no series"):
        sweep().series(0)
    for wrong in (dict(keep=None), dict(columns=3, keep="series"), dict(start_from="packing.toml"), dict(by=0)):
        with pytest.raises(TypeError, match=f"^{next(iter(wrong))}: found "):
            sweep(output=tmp_path / "out", **wrong)
