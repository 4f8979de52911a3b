"""dem sweep --part, --slurm, --collect and --status as a user meets them. tests/slurm has a real queue."""
import fcntl
import os
import re
import signal
from pathlib import Path

import pytest
from conftest import end_of, gives, has, refuses, start, text, two_discs, wait_for, write


def prepare(duration="0.005"):
    write("two.toml", two_discs("1e-6", duration, "[output]\ncheckpoint_interval = 0.05\n"))
    write("sweep.toml", """format = 1
title = "friction"
case = "two.toml"
axis = [{key = "material.friction", values = [0.1, 0.2, 0.4]},
        {key = "contact.elongation", values = ["geometric", "velocity"]}]
quantity = [{kind = "final", column = "b_x"}, {kind = "mean", column = "kinetic_energy"}]
""")


@pytest.fixture
def prepared(working_folder):
    prepare()


def columns_of(table):
    """The table without its last columns, which are CPU times and messages."""
    return [line.rsplit(",", 2)[0] for line in text(table).splitlines()]


def test_parts_run_at_once_one_is_killed_and_the_table_is_that_of_one_machine():
    prepare("3")  # a point takes about ten intervals of its checkpoint
    gives(0, "sweep sweep.toml -o one")
    first, second = [start("sweep", "sweep.toml", "--part", part) for part in ("1/2", "2/2")]
    parts = Path("results/sweep/parts")
    wait_for(*(parts / f"point-{point}.h5" for point in (1, 3, 5)))
    first.send_signal(signal.SIGSTOP)  # it holds its part and its point as long as the test looks
    gives(0, "sweep sweep.toml --status", "friction: 6 points", "(dem sweep --part 1/2 on ")
    refuses(3, "sweep sweep.toml --part 1/2", "results/sweep: part 1/2 is run by process", "wait for it")
    refuses(3, "sweep sweep.toml", "results/sweep is in use by process")
    assert end_of(second) == 0 and end_of(first, signal.SIGKILL) == -signal.SIGKILL
    found = gives(0, "sweep sweep.toml --status", "running        0", " was killed").out
    done = int(re.search("done +([0-9]+)", found)[1])
    assert 3 <= done < 6  # the first part was held in the middle
    gives(1, "sweep sweep.toml --collect", f"{done} of 6 points are in", err=f"{6 - done} of 6 points are missing")
    gives(0, "sweep sweep.toml --part 1/2", f"3 points, {done - 3} finished earlier")
    with open("results/sweep/.lock", "w", buffering=1) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write("process 1 (a test, since now)\n")
        gives(0, "sweep sweep.toml --status", "In use by process", "(a test, since")
    os.remove("results/sweep/.lock")
    gives(0, "sweep sweep.toml --collect", "6 of 6 points are in results/sweep/table.csv")
    assert columns_of("results/sweep/table.csv") == columns_of("one/table.csv")
    assert {file.suffix for file in parts.iterdir()} == {".journal"}


def test_ctrl_c_leaves_a_checkpoint():
    prepare("10.0")
    for number in (signal.SIGINT, signal.SIGTERM):
        part = start("sweep", "sweep.toml", "-o", "out", "--part", "1/1")
        wait_for("out/parts/point-1.lock")
        assert end_of(part, number) == 4
        has(text("stderr.txt"), "part 1/1 interrupted: 0 of 6 points are finished, point 1 (material.friction = 0.1, "
            "contact.elongation = geometric) is stopped at step ",
            "with a checkpoint; the same command goes on there")
        assert not os.path.exists("out/parts/point-1.lock")


@pytest.mark.parametrize("words, code, parts", [
    ("sweep.toml --part 0/3", 2, ("--part: found 0/3, allowed k/T with whole numbers k from 1 to T",)),
    ("sweep.toml --part 4/3", 2, ("--part: found 4/3",)),
    ("sweep.toml --part 1/3 --collect", 2, ("excludes",)),
    ("sweep.toml --part 1/3 --overwrite", 2, ("excludes",)),
    ("sweep.toml --tasks 5", 2, ("--tasks requires --slurm",)),
    ("sweep.toml --cores 2", 2, ("--cores requires --slurm or --part",)),
    ("sweep.toml --slurm --time 4x", 2, ("--time: found 4x, allowed a time of 1min to 365d",)),
    ("sweep.toml --slurm --tasks 1000", 2, ("dem sweep: --tasks: found 1000, allowed a whole number in [1, 999]",)),
    ("nowhere.toml --status", 3, ("nowhere.toml",)),
    ("sweep.toml --status", 3, ("results/sweep: found no sweep there",)),
    ("sweep.toml --collect", 3, ("results/sweep: found no sweep there",)),
    ("sweep.toml --part 1/2 -o .", 3, ("holds ", " but no sweep")),
    ("sweep.toml --part 1/2 -o two.toml", 3, ("cannot create folder two.toml",)),
])
def test_bad_options_have_sentences(prepared, words, code, parts):
    refuses(code, f"sweep {words}", *parts)
    assert not os.path.exists("results")


def test_a_full_disk_stops_a_part_and_keeps_what_is_finished(prepared):
    gives(0, "sweep sweep.toml -o out --part 1/6")
    refuses(3, "sweep sweep.toml -o out --part 2/6", "cannot write out/parts/2-of-6.journal",
            before="ulimit -f 1; trap '' XFSZ;")
    gives(0, "sweep sweep.toml -o out --part 2/6", "1 point, 0 finished earlier, 1 now")


def test_a_script_for_slurm_is_written_and_handed_over(prepared):
    gives(0, "sweep sweep.toml --slurm --tasks 4 --time 90min",
          "Script in results/sweep/sweep.slurm: 6 of 6 points are left", "sbatch results/sweep/sweep.slurm")
    has(text("results/sweep/sweep.slurm"), "--array=1-4\n", "--time=1:30:00\n", "export OMP_NUM_THREADS=1\n")
    refuses(1, "sweep sweep.toml --slurm --submit", "--submit: found no program sbatch", before="PATH=/nowhere")
    # A program in place of the queue runs the tasks of the array.
    write("sbatch", 'for k in 1 2 3 4; do SLURM_ARRAY_TASK_ID=$k bash "$1" >/dev/null 2>&1; done\n')
    os.chmod("sbatch", 0o700)
    gives(0, "sweep sweep.toml --slurm --tasks 4 --submit", before="PATH=$PWD:$PATH")
    gives(0, "sweep sweep.toml --status", "done           6")
    gives(0, "sweep sweep.toml --slurm --submit", "There is nothing to submit.", before="PATH=$PWD:$PATH")
    gives(0, "sweep sweep.toml --collect", "6 of 6 points are in")
