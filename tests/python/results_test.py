"""Results folders read by Python are compared with h5py, with series.csv and with what the program prints."""
import csv
import json
import os
import re
import subprocess
import sys
import zlib

import h5py
import numpy as np
import pytest
from conftest import ROOT, program

from dem import result_files, results


def h5(path):
    return h5py.File(path, "r")


def same(values, dataset):
    assert values.dtype.kind == dataset.dtype.kind and np.array_equal(values, dataset[()], equal_nan=True)


def test_files_with_the_former_checksum_are_read(discs, copy_of):
    folder = copy_of(discs)
    last = sorted((folder / "series").glob("*.h5"))[-1]
    data = last.read_bytes()
    start, end = re.search(rb"\nchecksum = (\w{8})\n", data).span(1)
    head = (data[:start] + b"0" * 16 + data[end:512]).rstrip(b" \n").ljust(511) + b"\n"
    sum_of = result_files.checksum(head + data[512:], start, start + 16)
    data = head[:start] + b"%016x" % sum_of + head[start + 16:] + data[512:]
    last.write_bytes(data)
    assert results.open(folder).series.rows == results.open(discs).series.rows
    assert f"series: {results.open(discs).series.rows} rows" in program("info", folder)
    last.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.warns(results.ResultsWarning, match="its checksum does not fit"):
        results.open(folder).series  # noqa: B018


def test_published_checksums():
    assert result_files.checksum(b"foobar", 0, 0) == 0x85944171F73967E8  # draft-eastlake-fnv
    assert result_files.checksum(b"00000000", 0, 8) == zlib.crc32(b"00000000")


@pytest.mark.parametrize("name", ["plates", "discs"])
def test_series_is_that_of_the_table(name, request):
    folder = request.getfixturevalue(name)
    series = results.open(folder).series
    with open(folder / "series.csv", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert series.columns == head == list(series)
    assert series.rows == len(rows)
    table = np.array(rows, dtype=np.float64)
    for k, column in enumerate(head):
        assert series[column].dtype == np.float64
        assert np.array_equal(series[column], table[:, k], equal_nan=True), column
    assert not series.problems and not series.gaps


def test_segments_are_merged(discs):
    files = sorted((discs / "series").glob("*.h5"))
    assert len(files) > 1
    steps = np.concatenate([h5(f)["step"][()] for f in files])
    assert np.array_equal(results.open(discs).series["step"], steps)
    assert np.all(np.diff(steps) > 0)


def test_units_and_descriptions_are_those_of_the_file(plates):
    series = results.open(plates).series
    with h5(plates / "series" / "000001.h5") as file:
        for name in series:
            assert series.units[name] == file[name].attrs["unit"]
            assert series.descriptions[name] == file[name].attrs["description"]
    assert series.units["wall_normal_top"] == "N/m"
    bodies = results.open(plates).snapshots[0].bodies
    for texts, wrong, near in ((series.units, "wall_normal", "wall_normal_top"), (series.descriptions, "tim", "time"),
                               (bodies.units, "positio", "position")):
        with pytest.raises(result_files.UnknownColumn, match=f"there is no column '{wrong}'; .*{near}"):
            texts[wrong]


def test_profiles_and_plane_jumps(plates, discs):
    old = results.open(plates)
    with h5(plates / "profiles" / "000001.h5") as file:
        same(old.profiles["velocity_x"], file["velocity_x"])
        same(old.profiles.bins["velocity_x"], file["bins/velocity_x"])
    assert old.profiles["velocity_x"].shape == (old.profiles.rows, len(old.profiles.bins["velocity_x"]))
    assert old.profiles.bin_units["velocity_x"] == "m"
    frame = old.profiles.to_pandas()
    assert np.array_equal(frame["velocity_x_2"], old.profiles["velocity_x"][:, 1])
    with h5(plates / "plane_jumps" / "000001.h5") as file:
        same(old.plane_jumps["jump_deg"], file["jump_deg"])
    assert results.open(discs).profiles is None and results.open(discs).plane_jumps is None


def test_pandas_table(plates):
    series = results.open(plates).series
    frame = series.to_pandas()
    assert list(frame) == series.columns and frame.attrs["units"] == series.units
    frame.loc[0, "height"] = -1.0  # a copy: the series is unchanged
    assert series["height"][0] > 0
    with pytest.raises(ValueError, match="read-only"):
        series["height"][0] = -1


def test_missing_pandas_has_a_clear_error(plates, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(results.MissingModule, match="pandas is not installed.*python3-pandas"):
        results.open(plates).series.to_pandas()


def test_case_title_and_verdict(plates, discs):
    old = results.open(plates)
    assert old.title == "Slow shear of polygons" and old.case["assembly"]["columns"] == 5
    assert old.case_text == (plates / "case.toml").read_text(encoding="utf-8")
    data = json.loads((plates / "verdict.json").read_text(encoding="utf-8"))
    assert old.verdict.overall == data["overall"] and old.verdict.data == data
    assert old.verdict.sentences == [i["sentence"] for i in data["items"]]
    assert old.verdict["energy_residual"].value == next(
        i["value"] for i in data["items"] if i["name"] == "energy_residual")
    assert str(old.verdict) == (plates / "verdict.txt").read_text(encoding="utf-8")
    with pytest.raises(KeyError, match="the nearest name is energy_residual"):
        old.verdict["energy_residuals"]
    assert results.open(discs).verdict is None


def test_end_and_fingerprint(plates, discs):
    old = results.open(plates)
    assert old.end == results.End(True, int(old.series["step"][-1]), old.series["time"][-1], old.series["strain"][-1])
    assert results.open(discs).end.step == 7000
    assert not results.open(discs).end.finished and results.open(discs).end.strain is None
    info = program("info", discs)
    assert old.fingerprint == old.snapshots[0].fingerprint and results.open(discs).fingerprint in info


@pytest.mark.parametrize("name", ["plates", "discs", "spheres", "box", "clusters"])
def test_every_array_of_a_snapshot_is_that_of_the_file(name, request):
    folder = request.getfixturevalue(name)
    for snapshot in (results.open(folder).snapshots[0], results.open(folder).snapshots[-1]):
        with h5(snapshot.path) as file:
            for part in ("bodies", "contacts"):
                if part == "contacts" and name == "box":
                    continue
                quantities = getattr(snapshot, part)
                assert sorted(quantities.keys()) == sorted(file[part])
                for key, dataset in file[part].items():
                    assert dataset.attrs["description"]
                    if dataset.dtype.kind == "O":
                        assert quantities[key].tolist() == [t.decode() for t in dataset[()]]
                        continue
                    same(getattr(quantities, key), dataset)
                    assert quantities.units[key] == dataset.attrs.get("unit", "")
                    assert key in dir(quantities) and key in repr(quantities)
            header = file["header"].attrs
            assert snapshot.time == header["time"] and snapshot.strain == header["strain"]
            assert snapshot.step == header["step"] and snapshot.dimension == header["dimension"]
            assert np.array_equal(snapshot.cell_vectors, file["header/cell_vectors"][()])
            assert snapshot.case_text == file["header/case"][0].decode()


def test_snapshots_are_a_sequence_read_when_asked(plates, copy_of):
    old = results.open(copy_of(plates))
    shots = old.snapshots
    files = sorted((plates / "snapshots").glob("*.h5"))
    assert len(shots) == len(files) and shots.steps.tolist() == [int(f.stem) for f in files]
    assert shots[-1].step == shots[len(shots) - 1].step == int(files[-1].stem)
    assert [s.step for s in shots[::3]] == shots.steps[::3].tolist()
    assert [s.step for s in reversed(shots)] == shots.steps[::-1].tolist()
    (old.path / "snapshots" / files[1].name).write_bytes(b"libdem snapshot\n")
    assert shots[0].bodies.mass.shape == (30,) and "cannot be read" in repr(shots[1])
    with pytest.raises(results.ResultsError, match=files[1].name):
        shots[1].bodies
    with pytest.raises(IndexError, match="there is no snapshot 1000"):
        shots[1000]
    assert shots.at_step(int(files[2].stem)).step == int(files[2].stem)
    with pytest.raises(KeyError, match="there is no snapshot of step 1;"):
        shots.at_step(1)


def test_contacts_balance_the_forces_of_the_bodies(plates):
    """The sums of the contact forces are the forces of the file. It also fixes the sign: on body i, −force on j."""
    shot = results.open(plates).snapshots[-1]
    total = np.zeros((len(shot.bodies), 3))
    np.add.at(total, shot.contacts.i, shot.contacts.force)
    np.add.at(total, shot.contacts.j, -shot.contacts.force)
    free = shot.bodies.in_group("free")
    assert 0 < free.sum() < len(shot.bodies) and np.abs(total[free]).max() > 0
    assert np.allclose(total[free], shot.bodies.force[free], atol=1e-12)
    across = shot.bodies.position[shot.contacts.j] + shot.contacts.image @ shot.cell_vectors
    assert np.allclose(across - shot.bodies.position[shot.contacts.i], shot.contacts.branch, atol=1e-12)


def test_outlines_are_at_their_place(plates):
    bodies = results.open(plates).snapshots[-1].bodies
    area = bodies.shapes["area"][bodies.shape]
    assert np.abs(bodies.angle).max() > 1e-3
    for k, outline in enumerate(bodies.outlines):
        x, y = outline.T
        cross = x * np.roll(y, -1) - np.roll(x, -1) * y
        centre = [((v + np.roll(v, -1)) * cross).sum() / (3 * cross.sum()) for v in (x, y)]
        assert np.isclose(cross.sum() / 2, area[k]) and np.allclose(centre, bodies.position[k, :2])
    points = results.open(plates).snapshots[-1].contacts.point[:, :2]
    first = [bodies.outlines[i] for i in results.open(plates).snapshots[-1].contacts.i]
    for point, outline in zip(points, first):  # a contact point is in both polygons, here in i
        edge = np.roll(outline, -1, axis=0) - outline
        assert np.all(edge[:, 0] * (point - outline)[:, 1] - edge[:, 1] * (point - outline)[:, 0] > -1e-9)
    with pytest.raises(results.ResultsError, match="bodies in the plane have no spheres.*use outlines"):
        bodies.spheres


def test_spheres_of_clusters_are_at_their_place(clusters):
    bodies = results.open(clusters).snapshots[0].bodies
    body, centre, radius = bodies.spheres
    assert body.tolist() == [0, 0, 1, 1, 2]
    expected = {0: [[0, 0, 0, 0.5], [0, 0.6, 0, 0.5]], 1: [[3, 0, 0, 0.4], [3, 0, 0.5, 0.3]], 2: [[0, 0, 3, 0.25]]}
    for k, spheres in expected.items():
        found = np.column_stack([centre, radius])[body == k]
        found = found[np.lexsort(np.round(found.T, 9))]
        wanted = np.array(spheres)[np.lexsort(np.round(np.array(spheres).T, 9))]
        assert np.allclose(found, wanted, atol=1e-9), k
    assert bodies.names.tolist() == ["", "second", ""] and bodies.index("second") == 1
    assert np.allclose(bodies.speed, [0.1, 0, 0.2])
    with pytest.raises(KeyError, match="no body is named 'secnd'.*nearest name is second"):
        bodies.index("secnd")
    with pytest.raises(results.ResultsError, match="bodies in space have no outlines.*use spheres"):
        bodies.outlines


def test_tables_of_quantities(clusters, spheres):
    frame = results.open(clusters).snapshots[0].bodies.to_pandas()
    assert len(frame) == 3 and frame.attrs["units"]["velocity_x"] == "m/s"
    assert frame["velocity_x"].tolist() == [0.1, 0, 0] and "orientation_w" in frame and "group_names" not in frame
    shot = results.open(spheres).snapshots[-1]
    assert len(shot.contacts) > 0 and len(shot.contacts.to_pandas()) == len(shot.contacts)


def test_snapshot_without_contacts_names_the_key(box):
    shot = results.open(box).snapshots[-1]
    assert not shot.has_contacts and not hasattr(shot, "contacts")
    with pytest.raises(results.SnapshotHasNoContacts, match=r"output\.contacts = true") as caught:
        shot.contacts
    assert isinstance(caught.value, AttributeError) and shot.path.name in str(caught.value)


def test_misspelt_names_get_their_nearest(plates):
    old = results.open(plates)
    with pytest.raises(KeyError, match="no column 'shear_ratoi'.*shear_ratio") as caught:
        old.series["shear_ratoi"]
    assert isinstance(caught.value, results.UnknownColumn) and not str(caught.value).startswith("'")
    with pytest.raises(AttributeError, match="the bodies have no 'positon'.*position"):
        old.snapshots[0].bodies.positon
    with pytest.raises(KeyError, match="the contacts have no 'forc'.*force"):
        old.snapshots[0].contacts["forc"]
    with pytest.raises(KeyError, match="no group is named 'top-plat'.*top-plate"):
        old.snapshots[0].bodies.in_group("top-plat")


@pytest.mark.parametrize("damage", ["truncated", "changed", "empty", "foreign"])
def test_damaged_last_segment_is_left_out_with_a_warning(discs, copy_of, damage):
    folder = copy_of(discs)
    last = sorted((folder / "series").glob("*.h5"))[-1]
    data = last.read_bytes()
    middle = len(data) // 2
    last.write_bytes({"truncated": data[:-100], "empty": b"", "foreign": b"hello",
                      "changed": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]}[damage])
    whole = results.open(discs).series
    sentence = {"truncated": "is truncated: it has", "empty": "the file is empty", "foreign": "no file of this program",
                "changed": "its checksum does not fit"}[damage]
    with pytest.warns(results.ResultsWarning, match=f"{last.name}.*{sentence}"):
        series = results.open(folder).series
    assert 0 < series.rows < whole.rows and len(series.problems) == 1
    assert np.array_equal(series["pushed_x"], whole["pushed_x"][:series.rows])
    assert f"series: {series.rows} rows" in program("info", folder, codes=[3])  # the program leaves out the same rows


def test_missing_first_segment(discs, copy_of):
    folder = copy_of(discs)
    (folder / "series" / "000001.h5").unlink()
    with pytest.warns(results.ResultsWarning, match="000001.h5 is missing"):
        series = results.open(folder).series
    assert series.gaps == [0] and 0 < series.rows


def test_no_segment_that_can_be_read(plates, copy_of):
    folder = copy_of(plates)
    (folder / "series" / "000001.h5").write_bytes(b"")
    with pytest.raises(results.ResultsError, match="no segment can be read.*the file is empty"):
        results.open(folder).series


def test_running_case(discs, copy_of):
    """A run that has just begun has no rows. A later look finds those that came meanwhile."""
    folder = copy_of(discs)
    rows = {f.name: f.read_bytes() for f in (folder / "series").glob("*.h5")}
    for name in rows:
        (folder / "series" / name).unlink()
    (folder / "series" / "000001.h5.part").write_bytes(b"half")
    old = results.open(folder)
    assert old.series.rows == 0 and old.end == results.End(False, None, None, None) and "no rows yet" in repr(old)
    with pytest.raises(KeyError, match="no row yet.*reload"):
        old.series["time"]
    for name, data in rows.items():
        (folder / "series" / name).write_bytes(data)
    assert old.reload().series.rows == results.open(discs).series.rows


def test_folders_that_are_none(tmp_path, plates, copy_of):
    with pytest.raises(results.ResultsError, match="there is no such folder; expected the results folder"):
        results.open(tmp_path / "nothing")
    with pytest.raises(results.ResultsError, match="this is a file"):
        results.open(plates / "case.toml")
    with pytest.raises(results.ResultsError, match="holds no results of this program.*README.txt"):
        results.open(tmp_path)
    (tmp_path / ".lock").touch()
    with pytest.raises(results.ResultsError, match="a run begins here"):
        results.open(tmp_path)
    (tmp_path / "journal").touch()
    with pytest.raises(results.ResultsError, match="folder of a sweep.*table.csv"):
        results.open(tmp_path)
    folder = copy_of(plates)
    readme = (folder / "README.txt").read_text(encoding="utf-8")
    (folder / "README.txt").write_text(readme.replace("format = 1", "format = 9", 1), encoding="utf-8")
    with pytest.raises(results.ResultsError, match="the folder has format 9; expected format 1"):
        results.open(folder)


def test_damaged_verdict_and_case(plates, copy_of):
    folder = copy_of(plates)
    (folder / "verdict.json").write_text("{", encoding="utf-8")
    (folder / "case.toml").write_text("a = = 1", encoding="utf-8")
    with pytest.raises(results.ResultsError, match="verdict.json: the file is damaged"):
        results.open(folder).verdict
    with pytest.raises(results.ResultsError, match="case.toml: the file is damaged"):
        results.open(folder).case
    assert "cannot be read" in repr(results.open(folder))


def test_file_of_another_kind(plates, copy_of):
    folder = copy_of(plates)
    (folder / "series" / "000001.h5").write_bytes((folder / "checkpoint.h5").read_bytes())
    with pytest.raises(results.ResultsError, match="this is a checkpoint file; expected a series file"):
        results.open(folder).series


def test_notebook_pictures(plates, box):
    old = results.open(plates)
    assert old.frames[-1].name in {f.name for f in (plates / "frames").iterdir()}
    picture = old._repr_svg_()
    assert picture.startswith("<?xml") and "url(#window)" not in picture and picture.count("</svg>") == 1
    page = old._repr_html_()
    assert "<?xml" not in page and "<svg" in page and "verdict good" in page
    for shown in (old.series, old.snapshots[0].bodies, old.snapshots[0].contacts, old.verdict):
        assert shown._repr_html_().count("<table>") == 1 and repr(shown)
        assert shown._ipython_key_completions_()
    assert "35 snapshots" not in repr(old) and f"{len(old.snapshots)} snapshots" in repr(old)


def test_the_engine_is_not_needed(plates):
    """A fresh interpreter reads results without the compiled module, and without matplotlib or pandas."""
    code = ("import sys; sys.modules.update({'_dem': None, 'dem._dem': None, 'matplotlib': None, 'pandas': None}); "
            "from dem import results; print(results.open(sys.argv[1]).snapshots[-1].contacts.force.shape)")
    done = subprocess.run([sys.executable, "-c", code, str(plates)], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "apps" / "python")})
    assert done.stdout.startswith("(")
