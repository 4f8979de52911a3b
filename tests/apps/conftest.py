"""Runs the program in a working folder of its own, which has the examples as apps/examples."""
import csv
import os
import pathlib
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEM = os.environ.get("DEM_PROGRAM", "dem")
#: Sanitizers take terabytes of address space, and memory of their own.
unsanitized = pytest.mark.skipif(os.environ.get("LIBDEM_SANITIZE", "") not in ("", "OFF"), reason="sanitized")
plotting = pytest.mark.skipif(
    subprocess.run(["bash", ROOT / "apps/find-python.sh", "h5py", "matplotlib", "numpy", "tomllib"],
                   capture_output=True, check=False).returncode != 0, reason="no Python with matplotlib and h5py")
#: Programs that `start` has started. Those that a failed test leaves behind are killed.
started = []


@pytest.fixture(autouse=True)
def working_folder(monkeypatch):
    """Removed at the end. Those of pytest cannot be read by another user, as one test needs it."""
    with tempfile.TemporaryDirectory(prefix="dem-apps-", ignore_cleanup_errors=True) as folder:
        monkeypatch.chdir(folder)
        os.mkdir("apps")
        os.symlink(ROOT / "apps" / "examples", "apps/examples")
        yield
        while started:
            started.pop().kill()


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def hash(self):
        return re.findall("State hash .*", self.out)[-1]


def dem(arguments, before=""):
    """Runs the program with arguments as in a shell. The same shell runs the commands `before` first."""
    done = subprocess.run(f"{before} '{DEM}' {arguments}", shell=True, capture_output=True, check=False)
    code = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return Ran(code, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def has(found, *parts):
    for part in parts:
        assert part in found, f"expected {part!r} in\n{found}"


def gives(code, arguments, *out, err=(), before=""):
    """Runs the program, and checks its exit code and parts of what it writes to standard output and standard error."""
    ran = dem(arguments, before)
    assert ran.code == code, f"dem {arguments}: exit code {ran.code}, expected {code}\n{ran.out}{ran.err}"
    has(ran.out, *out)
    has(ran.err, *([err] if isinstance(err, str) else err))
    return ran


def refuses(code, arguments, *err, before=""):
    return gives(code, arguments, err=err, before=before)


def runs(arguments, *out, before=""):
    """Runs a case that is so short that its verdict may be bad."""
    ran = dem(arguments, before)
    assert ran.code <= 1, ran.err
    has(ran.out, *out)
    return ran


def write(name, text):
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())


def text(name):
    return Path(name).read_bytes().decode(errors="replace")


def cut(name, size):
    """Leaves that much of a file: a number of bytes, or a share."""
    whole = Path(name).read_bytes()
    write(name, whole[:size if isinstance(size, int) else int(size * len(whole))])


def replaced(whole, part, instead):
    has(whole, part)
    return whole.replace(part, instead, 1)


def line_with(whole, part):
    """From the part to the end of its line; empty where the text has no such part."""
    return part + whole.partition(part)[2].partition("\n")[0] if part in whole else ""


def case_in(page):
    """The case that stands in a page of help, from its first line to an empty line that no table follows."""
    return re.split(r"\n\n(?! *\[)", page[page.index("format = 1"):])[0] + "\n"


def example_of(page):
    """The line after "Example:", without "dem"."""
    return line_with(page, "Example:\n  dem ").removeprefix("Example:\n  dem ") or re.findall(
        r"Example:\n  dem (.*)", page)[0]


def start(*arguments):
    """Starts the program without a shell between, so that signals reach it. Its output goes into two files."""
    with open("stdout.txt", "w") as out, open("stderr.txt", "w") as err:
        started.append(subprocess.Popen([DEM, *arguments], stdout=out, stderr=err))
    return started[-1]


def end_of(child, number=0):
    """Sends a signal to the process, unless it is 0, and waits for its end. Its code, negative after a signal."""
    if number:
        child.send_signal(number)
    return child.wait()


def wait_for(*files):
    """Waits until one of the files is there."""
    until = time.monotonic() + 30
    while not any(map(os.path.exists, files)):
        assert time.monotonic() < until, files
        time.sleep(0.005)


def rows_of(table):
    """The rows of a CSV text by column."""
    return list(csv.DictReader(table.splitlines()))


def column(results, name):
    """A column of the series of results."""
    return [float(row[name]) for row in rows_of(dem(f"info --csv {results}").out)]


#: A sphere of 3 mm at rest on a plane. Tests replace parts of it and add stages.
SPHERE_ON_A_FLOOR = """format = 1
dimension = 3
gravity = [0.0, 0.0, -9.81]
contact = {law = "hooke-history", elongation = "velocity"}
time = {integrator = "velocity-verlet", step = 1e-5}
body = [{name = "ball", shape = "sphere", radius = 3e-3, position = [0.0, 0.0, 3e-3]}]
wall = [{name = "floor", shape = "plane", point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0]}]
[material]
density = 2550.0
normal_stiffness = 2000.0
tangential_stiffness = 1600.0
friction = 0.5
restitution = 0.5
"""


def two_discs(step="1e-6", duration="0.005", more=""):
    """A case of two discs that takes a moment; `step` and `duration` in s, `more` is appended."""
    return f"""format = 1
title = "two"
[material]
normal_stiffness = 4e8
tangential_stiffness_ratio = 0.3
friction = 0.5
restitution = 0.9
[time]
step = {step}
[[body]]
name = "a"
shape = "disc"
radius = 0.5
position = [0.0, 0.0]
fixed = ["x", "y", "rotation"]
[[body]]
name = "b"
shape = "disc"
radius = 0.5
position = [0.8, 0.6]
force = [-400.0, 0.0]
[[stage]]
duration = {duration}
{more}"""


@pytest.fixture
def two():
    """The case of two discs as two.toml."""
    write("two.toml", two_discs())


def polygon_shear(steps, checkpoint_interval=60, snapshot_interval=1e4):
    """Voronoi polygons between plates, pressed and then sheared from step 400 on, in `steps` steps of 0.003 s.

    There is a row each ten steps and few pictures. `checkpoint_interval` is in s of wall-clock time."""
    return f"""format = 1
title = "shear"
assembly = {{generator = "voronoi", columns = 6, rows = 7, solid_fraction = 0.97, seed = 3}}
plates.from_rows = true
time.step = 0.003
[material]
normal_stiffness = 400.0
tangential_stiffness_ratio = 0.3333333333333333
friction = 0.5
restitution = 0.9
[[stage]]
name = "press"
normal = "hold-stress"
normal_stress = 4.0
plate_speed = 0.2
duration = 1.2
[[stage]]
name = "shear"
normal = "hold-stress"
normal_stress = 4.0
plate_speed = 1.0
shear_rate = 0.05
duration = {0.003 * (steps - 400)}
[output]
series_interval = 0.03
snapshot_interval = {snapshot_interval}
frame_interval = 1e4
checkpoint_interval = {checkpoint_interval}
"""
