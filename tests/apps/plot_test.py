"""dem plot with results folders that were edited: pictures over each other, segments damaged, missing or foreign."""
import io
import os
import re
import shutil
import sys
from pathlib import Path

import h5py
import pytest
from conftest import ROOT, cut, gives, plotting, polygon_shear, replaced, write

sys.path.append(str(ROOT / "apps"))
pytestmark = plotting


@pytest.fixture(scope="module")
def plates(tmp_path_factory):
    """A run between plates. Its series has two segments, since there is a row each step."""
    folder = tmp_path_factory.mktemp("plates")
    write(folder / "case.toml",
          replaced(polygon_shear(1200), "series_interval = 0.03", "series_interval = 0.003"))
    gives(0, f"run {folder}/case.toml -o {folder}/run")
    yield folder / "run"
    shutil.rmtree(folder)


@pytest.fixture
def run(plates, working_folder):
    return Path(shutil.copytree(plates, "run"))


def plots(code, runs, *parts, out="out"):
    """dem plot of the folders `runs`, with pictures in the folder `out`. The parts are in what it prints."""
    ran = gives(code, f"plot {runs} --output {out} 2>&1", *parts)
    assert "Traceback" not in ran.out
    return ran


def is_png(file):
    data = Path(file).read_bytes() if os.path.exists(file) else b""
    return data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) > 5000


def edit(segment, change):
    """Changes the columns of a segment and seals it again."""
    from plots.results import checksum

    head, content = segment.read_bytes()[:512], io.BytesIO(segment.read_bytes()[512:])
    with h5py.File(content, "r+") as file:
        change(file)
    data = re.sub(rb"\nbytes = \w+", b"\nbytes = %d" % (512 + len(content.getvalue())), head.rstrip(b"\0 \n"))
    data = data.ljust(512, b"\n") + content.getvalue()
    start, end = re.search(rb"\nchecksum = (\w+)", data).span(1)
    write(segment, data[:start] + b"%08x" % checksum(data, start, end) + data[end:])


def only(*names):
    """A change of a segment: these columns are left, and their order is a dataset, as in earlier versions."""
    def change(file):
        for name in list(file):
            if name not in names:
                del file[name]
        del file.attrs["order"]
        file["order"] = names

    return change


def test_the_ledger_of_a_run_with_own_motions_shows_their_works(run):
    def add_works(file):
        names = list(file.attrs["order"])
        for name in ("own_motion_work", "own_force_work"):
            file[name] = file["boundary_work"][:]
            names.append(name)
        del file.attrs["order"]
        file.attrs["order"] = names

    for segment in (run / "series").glob("*.h5"):
        edit(segment, add_works)
    drawn = plots(0, "run")
    assert re.search("ledger.png: boundary_work, .*own_motion_work, own_force_work; over", drawn.out)


def test_two_runs_over_each_other(run):
    os.rename(run, "area-gradient")
    gives(0, "run area-gradient/case.toml -o edge-mean --set contact.contact_plane=edge-mean")
    drawn = plots(0, "area-gradient edge-mean",
                  "overview.png: shear_ratio, kinetic_energy, coordination, sliding_fraction; over strain\n")
    for name in ("overview", "shear_ratio", "kinetic_energy", "coordination", "sliding_fraction", "profiles", "ledger"):
        assert is_png(f"out/{name}.png") and f"{name}.png: " in drawn.out


def test_damaged_missing_and_foreign_segments_are_named_and_left_out(run):
    # A segment cut short, files that are no segments, no case: the rest is drawn.
    first = run / "series/000001.h5"
    cut(run / "profiles/000001.h5", 0.5)
    for name in ("000001 (copy).h5", "backup.h5"):
        shutil.copy(first, run / "series" / name)
    os.remove("run/case.toml")
    plots(0, "run", "truncated or damaged", "series/000001 (copy).h5 is no segment", "series/backup.h5 is no segment",
          "case.toml cannot be read: No such file or directory", out="cut")
    assert is_png("cut/shear_ratio.png") and not os.path.exists("cut/profiles.png")

    # One bit of the numbers is turned. Then the segment is gone, then all segments are.
    turned = bytearray(first.read_bytes())
    turned[-4000] ^= 1
    write(first, bytes(turned))
    plots(0, "run", "series/000001.h5 cannot be read and is left out: it is truncated or damaged")
    first.unlink()
    plots(0, "run", "segments 000001 to 000001 are missing")
    os.remove("run/series/000002.h5")
    plots(3, "run", "holds no rows that can be read")


def test_segments_of_earlier_versions_are_drawn_and_missing_columns_skipped_with_a_line(run):
    """Earlier versions kept the order of the columns as a dataset of the segment."""
    for number in (1, 2):
        edit(run / f"series/00000{number}.h5", only("step", "time", "kinetic_energy"))
    plots(0, "run", "has no column coordination", "kinetic_energy.png: kinetic_energy; over time")
    assert is_png("out/kinetic_energy.png") and not os.path.exists("out/coordination.png")


def test_without_a_time_the_steps_are_the_axis(run):
    os.remove("run/series/000002.h5")
    edit(run / "series/000001.h5", only("step", "kinetic_energy"))
    plots(0, "run", "kinetic_energy.png: kinetic_energy; over step")


def test_a_sentence_where_there_is_nothing_to_draw(run):
    plots(3, "none", "there is no folder")
    plots(3, ".", "is no results folder")
    write("log", "")
    plots(3, "run", "log/below cannot be read or written: Not a directory", out="log/below")
