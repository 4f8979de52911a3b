"""Bad input as a new user meets it: a sentence, an exit code, and nothing left behind that looks like results."""
import os
from pathlib import Path

import h5py
import pytest
from conftest import gives, has, refuses, replaced, runs, text, write

VORONOI = """format = 1
[assembly]
generator = "voronoi"
columns = 5
rows = 6
[plates]
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.3
friction = 0.5
restitution = 0.8
[time]
step = 0.001
[[stage]]
shear_rate = 0.1
strain = 0.01
"""


@pytest.fixture(autouse=True)
def case(working_folder):
    write("case.toml", VORONOI)


def everything_is_whole(results):
    """Nothing in the folder is half-written: no temporary names, and every file of its kind can be read."""
    files = [file for file in Path(results).rglob("*") if file.is_file()]
    assert files
    for file in files:
        assert file.suffix in (".h5", ".svg", ".vtp", ".pvd", ".toml", ".txt", ".json"), file
        if file.suffix == ".h5":
            h5py.File(file).close()
        if file.suffix in (".svg", ".vtp", ".pvd"):
            has(text(file), "</svg>" if file.suffix == ".svg" else "</VTKFile>")
    if any(Path(results, "series").iterdir()):
        gives(0, f"info --csv {results}")


def test_the_case_of_these_tests_is_good():
    assert runs("run case.toml -o out").err == ""
    everything_is_whole("out")


# tests/bad-cases has the messages of keys and values.
@pytest.mark.parametrize("good, bad, parts", [
    ("friction = 0.5\n", "friction = 0.5\nrotational_dampin = 1\n",
     ("case.toml:11: material.rotational_dampin: found an unknown key",
      "nearest known key: material.rotational_damping")),
    ("step = 0.001", "step = 0.001 s", ("case.toml:13:", "not TOML")),
])
def test_keys_and_values(good, bad, parts):
    write("case.toml", replaced(VORONOI, good, bad))
    for command in ("check case.toml", "run case.toml", "run case.toml -o out"):
        ran = refuses(2, command, *parts)
        assert ran.out == "" and ran.err.count("\n") == 1
        assert {*os.listdir()} == {"apps", "case.toml"}


def test_results_that_exist_stay_as_they_are():
    gives(0, "run case.toml -o out --until-step 20")
    before = Path("out/checkpoint.h5").read_bytes()
    assert refuses(3, "run case.toml -o out", "out", "--overwrite").out == ""
    assert Path("out/checkpoint.h5").read_bytes() == before
    # A bad case does not cost the results that are there either.
    write("case.toml", replaced(VORONOI, "step = 0.001", "step = 0.1"))
    gives(2, "run case.toml -o out --overwrite")
    assert Path("out/checkpoint.h5").read_bytes() == before
    write("case.toml", VORONOI)
    gives(0, "run case.toml -o out --overwrite --until-step 20")


@pytest.mark.parametrize("place", ["case.toml", "case.toml/below", "/dev/full", "/dev/full/below", "/proc/nowhere"])
def test_places_that_cannot_be_written(place):
    assert refuses(3, f"run case.toml -o {place}", place).err.count("\n") == 1
    assert {*os.listdir()} == {"apps", "case.toml"} and text("case.toml") == VORONOI


@pytest.mark.parametrize("kilobytes", [1, 8, 24, 32])
def test_a_disk_that_fills_up_leaves_whole_files(kilobytes):
    """A limit on the size of files stands for the full disk. It is met at the first file or in the middle."""
    write("case.toml", replaced(VORONOI, "strain = 0.01", "strain = 0.05"))
    refuses(3, "run case.toml -o out", "out", before=f"trap '' XFSZ; ulimit -f {kilobytes};")
    assert not os.path.exists("out/verdict.txt")  # nothing says that this run is done
    if os.path.exists("out/README.txt") and os.path.exists("out/series"):
        everything_is_whole("out")
    if os.path.exists("out/checkpoint.h5"):
        runs("resume out", "State hash")  # with room again, the run goes on from its checkpoint
