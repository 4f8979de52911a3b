"""Memory, disk and time as `dem check` and `dem run` print them, beside those that a run really takes."""
import os
import re
from pathlib import Path

import pytest
from conftest import dem, gives, has, polygon_shear, refuses, start, text, two_discs, unsanitized, write


def spheres(count, stage, output=""):
    return f"""format = 1
dimension = 3
assembly = {{generator = "random", shape = "sphere", {count = }, radius = 1e-3, spread = 0.15e-3, void_ratio = 0.9}}
time.step = 1.2e-6
stage = [{{name = "press", {stage}}}]
[material]
density = 2650.0
normal_stiffness = 2e4
tangential_stiffness_ratio = 0.8
friction = 0.5
restitution = 0.8
tangential_damping_ratio = 0.1
{output}"""


def lattice(duration, columns, rows, spacing):
    """Discs on a lattice."""
    case = re.sub(r"\[\[body\]\].*(?=\[\[stage)", "", two_discs("1e-6", duration), flags=re.DOTALL)
    return f"""{case}[assembly]
generator = "lattice"
shape = "disc"
{columns = }
{rows = }
radius = 0.5
{spacing = }
"""


def bytes_after(whole, word):
    """The bytes in "about 3.2 MB" after a word of the program's output."""
    number, unit = re.search("about ([0-9.]+) (B|kB|MB|GB)", whole[whole.index(word):]).groups()
    return float(number) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]


@pytest.mark.parametrize("name, case", {
    "plane": polygon_shear(600),
    "discs": two_discs(),
    "space": spheres(1000, "rate_xx = -100.0, rate_yy = -100.0, rate_zz = -100.0, duration = 1.2e-3"),
    "full": spheres(1000, "rate_xx = -100.0, rate_yy = -100.0, rate_zz = -100.0, duration = 1.2e-3",
                    "[output]\ncontacts = true\nvtk = true\n"),
}.items())
def test_disk_space_is_estimated(name, case):
    write(f"{name}.toml", case)
    check, run = gives(0, f"check {name}.toml").out, dem(f"run {name}.toml").out
    really = sum(file.stat().st_size for file in Path("results", name).rglob("*") if file.is_file())
    assert really / 1.5 < bytes_after(check, "  disk ") < 1.5 * really
    # The same words before the run.
    assert check.partition("  disk           ")[2][:20] == run.partition("Writes ")[2][:20] != ""


@pytest.mark.parametrize("output", [
    "", "[output]\nseries_interval = 7e-5\nsnapshot_interval = 1e-3\nframe_interval = 9e-4\n"])
def test_files_and_rows_are_counted(output):
    write("case.toml", two_discs("1e-6", "1e-3", "[[stage]]\nduration = 2e-3\n" + output))
    run = dem("run case.toml -o out").out
    has(run, f" {len(os.listdir('out/snapshots'))} snapshots with contacts (for ParaView as well), "
        f"{len(os.listdir('out/frames'))} pictures: about ")
    rows = re.search("series: (.*?) rows", dem("info out").out)[1]
    has(run, f"Writes {rows} rows, ")


@unsanitized
@pytest.mark.parametrize("case", [spheres(10000, "duration = 24e-6"), lattice("2e-5", 100, 100, 0.9999)])
def test_memory_is_estimated(case):
    write("case.toml", case)
    child = start("run", "case.toml")
    _, status, usage = os.wait4(child.pid, 0)
    assert status == 0, text("stderr.txt")
    told, really = bytes_after(text("stdout.txt"), "memory "), 1024 * usage.ru_maxrss
    assert really / 2.2 < told < 2.2 * really


def test_a_disk_that_will_not_suffice_is_named_before():
    # A row and a snapshot a step, for ever: more than any disk holds.
    write("disk.toml", two_discs("1e-6", "1e6", "[output]\nseries_interval = 1e-6\nsnapshot_interval = 1e-6\n"))
    gives(0, "check disk.toml", "  attention      disk: about ", "output.snapshot_interval")
    gives(0, "check --json disk.toml", '"warnings": [\n    "disk: about ')


@unsanitized
def test_memory_that_will_not_suffice_is_named_before():
    write("memory.toml", spheres(20000, "duration = 24e-6"))
    has(dem("check memory.toml", "ulimit -v 110000;").out, "  attention      memory: about ")


def test_time_is_measured_by_a_trial():
    write("short.toml", two_discs())
    assert gives(0, "check short.toml", "  time           about ",
                 " for 5000 steps on 1 thread (from a trial of ").err == ""
    write("open.toml", spheres(50, "mean_pressure = 1e4, unbalanced = 0.01"))
    has(dem("check open.toml").out, "the time of stage 1 'press' is unknown", "at least ")


def test_the_making_of_many_bodies_is_announced():
    write("many.toml", lattice("2e-6", 400, 250, 1.1))
    refuses(0, "check many.toml", "Making 100000 bodies and finding their contacts, about ", "  done in ")
    assert dem("run many.toml --quiet --until-step 1")[1:] == ("", "")
    # The number of bodies of a file is estimated from its size.
    write("table.txt", " " * 6600000 + "\n10 10 10\n1 1 1 0.5\n")
    write("import.toml", re.sub("assembly = .*", 'assembly = {generator = "import", file = "table.txt"}',
                                spheres(1, "duration = 24e-6")))
    has(dem("check import.toml").err, "Making about 110000 bodies and finding their contacts, about ")


@unsanitized
def test_many_bodies_that_find_no_memory():
    write("many.toml", lattice("2e-6", 400, 250, 1.1))
    failed = gives(1, "check --json many.toml", '"message": "out of memory"', err="Making 100000 bodies",
                   before="ulimit -v 120000;")
    assert "done in" not in failed.err


def test_trials_that_fail_are_an_error():
    write("wild.toml", two_discs("2e-4\noverride_limit = true", "1.0"))
    words = "No errors in the case file; the trial of its first steps failed: step "
    check = gives(5, "check wild.toml")
    assert check.err.startswith(words) and "No errors" not in check.out
    gives(5, "check --json wild.toml", words)


def test_the_cold_step_of_a_trial_does_not_count():
    write("many.toml", lattice("1.0", 300, 200, 0.9999))
    assert int(re.search("from a trial of ([0-9]+) step", dem("check many.toml").out)[1]) > 1
