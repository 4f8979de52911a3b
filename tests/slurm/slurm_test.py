#!/usr/bin/env python3
"""A sweep of 200 points in 8 tasks of a real Slurm: cancelled, killed, out of time, submitted again.

  /usr/bin/python3 tests/slurm/slurm_test.py build/ci/apps/dem

Needs sbatch and a running Slurm with one node or more; without it the test is skipped (code 77). Takes some minutes.
The table must equal that of one machine in every bit but those of CPU times, and no point may run twice.
"""

import csv
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASE = """format = 1
material = {normal_stiffness = 4e8, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.9}
time.step = 1e-6
body = [{name = "a", shape = "disc", radius = 0.5, position = [0.0, 0.0], fixed = ["x", "y", "rotation"]},
        {name = "b", shape = "disc", radius = 0.5, position = [0.8, 0.6], force = [-400.0, 0.0], fixed = ["y"]}]
stage = [{duration = 0.05}]
output = {series_interval = 1e-4, checkpoint_interval = 2.0}
"""
SWEEP = """format = 1
case = "two.toml"
[[axis]]
name = "length"                      # two points last longer than a task may
range = { from = 1, to = 100, count = 100 }
[[axis]]
key = "contact.elongation"
values = ["geometric", "velocity"]
[set]
"stage.duration" = "length < 99.5 ? 0.05 + 0.0005 * length : LONG"
[[quantity]]
kind = "mean"
column = "kinetic_energy"
[[quantity]]
kind = "final"
column = "b_x"
"""
LONG_SECONDS = 60  # of a core; Slurm stops a task after 45 s or earlier. The discs stay in contact: steps cost alike.


def output_of(*words):
    return subprocess.run(words, text=True, capture_output=True, check=False)


def wait_for(what, reached, seconds=300):
    end = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > end:
            sys.exit(f"slurm_test: found no {what} in {seconds} s, expected it")
        time.sleep(0.3)


class Sweep:
    def __init__(self, program, folder):
        self.program, self.folder, self.output = program, folder, folder / "the table"
        (folder / "two.toml").write_text(CASE)
        (folder / "sweep.toml").write_text(SWEEP.replace("LONG", f"{self.long():.3g}"))

    def long(self):
        """The duration of a case (s) whose point takes LONG_SECONDS of a core here."""
        trial, duration = self.folder / "trial.toml", 4.0
        trial.write_text("format = 1\ncase = \"two.toml\"\n"
                         f"axis = [{{key = \"stage.duration\", values = [{duration}]}}]\n"
                         "quantity = [{kind = \"mean\", column = \"kinetic_energy\"}]\n")
        ran = output_of(self.program, "sweep", str(trial), "--output", str(self.folder / "trial"))
        if ran.returncode != 0:
            sys.exit(f"slurm_test: the trial failed: {ran.stderr}")
        with open(self.folder / "trial" / "table.csv", newline="") as table:
            return duration * LONG_SECONDS / float(next(csv.DictReader(table))["cpu_seconds"])

    def dem(self, *words):
        return output_of(self.program, "sweep", str(self.folder / "sweep.toml"), "--output", str(self.output), *words)

    def count(self, state):
        found = re.search(rf"^{state} +(\d+)", self.dem("--status").stdout, re.MULTILINE)
        return int(found[1]) if found else 0

    def submit(self):
        ran = output_of("sbatch", "--parsable", str(self.output / "sweep.slurm"))
        if ran.returncode != 0:
            sys.exit(f"slurm_test: sbatch said {ran.stderr}")
        return ran.stdout.strip()

    def logs(self):
        return "".join(file.read_text() for file in sorted((self.output / "parts/log").iterdir()))

    def finished(self):
        """Numbers of the points in all journals, each as often as it was finished."""
        lines = [line for file in (self.output / "parts").glob("*.journal") for line in file.read_text().split("\n")]
        return sorted(int(line.split("\t")[0]) for line in lines if line.split("\t")[1:2] == ["done"])


def is_gone(job):
    return output_of("squeue", "-h", "-j", job).stdout.strip() == ""


def numbers(file):
    with open(file, newline="") as stream:
        return [[cell for name, cell in row.items() if name != "cpu_seconds"] for row in csv.DictReader(stream)]


def check(truth, what):
    print(("ok      " if truth else "FAILED  ") + what, flush=True)
    if not truth:
        sys.exit(1)


def main():
    if output_of("sh", "-c", "command -v sbatch && sinfo -h").returncode != 0:
        print("slurm_test: skipped, found no running Slurm (sbatch, sinfo)")
        return 77
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="dem slurm ") as folder:  # a path with a blank
        return tested(Sweep(program, Path(folder)))


def tested(sweep):
    script = sweep.dem("--slurm", "--tasks", "8", "--time", "1min")
    check(script.returncode == 0, f"a script is written{script.stderr}")
    check("--array=1-8\n" in (sweep.output / "sweep.slurm").read_text(), "200 points are an array of 8 tasks")

    job = sweep.submit()
    wait_for("task that stopped before its limit", lambda: "interrupted" in sweep.logs())
    check("with a checkpoint" in sweep.logs(), "a task stops before its limit and leaves a checkpoint")
    wait_for("20 points", lambda: sweep.count("done") >= 20)
    output_of("scancel", job)
    wait_for("end of the job", lambda: is_gone(job))
    done = sweep.count("done")
    check(done < 200 and sweep.count("running") == 0, f"cancelled with {done} points done, none runs")

    job = sweep.submit()
    wait_for("running point", lambda: sweep.count("running") > 0)
    time.sleep(3)
    killed = re.search(r"process (\d+) \(dem sweep --part (\d+)/8 on", sweep.dem("--status").stdout)
    os.kill(int(killed[1]), signal.SIGKILL)
    wait_for("killed point", lambda: "was killed" in sweep.dem("--status").stdout, 60)
    check(True, f"part {killed[2]} was killed, and the status says so")
    wait_for("end of the job", lambda: is_gone(job), 600)
    collected = sweep.dem("--collect")
    check(collected.returncode == 1 and "are missing" in collected.stderr, "points are missing, --collect says so")

    rounds = 2
    while sweep.dem("--collect").returncode != 0 and rounds < 30:
        job, rounds = sweep.submit(), rounds + 1
        wait_for("end of the job", lambda: is_gone(job), 600)
    check(sweep.count("done") == 200, f"all points are done after {rounds} submissions")
    check(sweep.finished() == list(range(200)), "no point was finished twice")
    sweep.dem("--collect")

    alone = sweep.folder / "alone"
    output_of(sweep.program, "sweep", str(sweep.folder / "sweep.toml"), "--output", str(alone))
    check(len(numbers(alone / "table.csv")) == 200, "one machine has 200 rows")
    check(numbers(sweep.output / "table.csv") == numbers(alone / "table.csv"),
          "the table equals that of one machine bit by bit, but for CPU times")
    left = [file.name for file in (sweep.output / "parts").iterdir() if file.name.startswith("point-")]
    check(left == [], "no lock and no checkpoint is left")
    return 0


if __name__ == "__main__":
    sys.exit(main())
