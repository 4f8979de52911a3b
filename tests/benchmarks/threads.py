#!/usr/bin/env python3
"""Two threads of `dem run` beside one, and what the machine gives: two runs of one thread side by side. By hand.

    python3 tests/benchmarks/threads.py DEM CASE.toml... [--few 200] [--many 2200] [--rounds 5]

Every round runs all rows in turn, each for FEW and for MANY steps after the first step of the case. A row is the
difference of the two least wall times, so it has the steps without the start.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROWS = {"one thread": [1], "two threads": [2], "two runs of one thread": [1, 1]}


def command(dem, case, threads, until, output):
    return [dem, "run", case, "--output", output, "--overwrite", "--threads", str(threads), "--until-step", str(until),
            "--quiet"]


def wall_seconds(commands):
    """Of commands side by side."""
    start = time.perf_counter()
    running = [subprocess.Popen(words, cwd=words[2].parent, stdout=subprocess.DEVNULL) for words in commands]
    if any([one.wait() for one in running]):
        sys.exit("threads.py: a run failed")
    return time.perf_counter() - start


def first_step(dem, case):
    """A case that starts from results goes on at their last step."""
    start_from = re.search(r'^start_from = "(.*)"', case.read_text(encoding="utf-8"), re.M)
    if not start_from:
        return 0
    info = subprocess.run([dem, "info", case.parent / start_from[1], "--json"], capture_output=True, check=True)
    return json.loads(info.stdout)["checkpoint"]["step"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dem", type=lambda word: Path(word).absolute())
    parser.add_argument("case", type=lambda word: Path(word).absolute(), nargs="+")
    for option, steps in (("--few", 200), ("--many", 2200), ("--rounds", 5)):
        parser.add_argument(option, type=int, default=steps)
    given = parser.parse_args()
    os.environ.pop("OMP_NUM_THREADS", None)
    with tempfile.TemporaryDirectory() as folder:
        for case in given.case:
            compare(given, case, Path(folder))


def compare(given, case, folder):
    first = first_step(given.dem, case)
    least = {(row, steps): float("inf") for row in ROWS for steps in (given.few, given.many)}
    for _ in range(given.rounds):
        for row, steps in least:
            runs = [command(given.dem, case, threads, first + steps, folder / str(k))
                    for k, threads in enumerate(ROWS[row])]
            least[row, steps] = min(least[row, steps], wall_seconds(runs))
    one, two, beside = ((least[row, given.many] - least[row, given.few]) / (given.many - given.few) for row in ROWS)
    print(f"{case.stem}: one thread {1e3 * one:.3f} ms a step, two threads {1e3 * two:.3f} ms, ratio {one / two:.2f}; "
          f"two runs side by side {2 * one / beside:.2f}; share {beside / two / 2:.2f}")


if __name__ == "__main__":
    main()
