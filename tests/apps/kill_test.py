"""The program is killed, or stopped by Ctrl-C, and goes on: the end is that of a run that was never interrupted."""
import os
import random
import shutil
import signal
import time

import pytest
from conftest import Ran, end_of, gives, polygon_shear, start, text, write

STEPS = 4000


class Undisturbed:
    """The run without interruption."""

    def __init__(self):
        write("shear.toml", polygon_shear(STEPS, 0.02) + "plane_jumps = true\n")
        begin = time.monotonic()
        self.hash = gives(0, "run shear.toml -o whole").hash
        self.seconds = time.monotonic() - begin
        self.rows = self.rows_of("whole")
        assert self.rows[0].count("\n") == 1 + STEPS // 10 + 1 and self.rows[2].count("\n") > 20

    @staticmethod
    def rows_of(results):
        """Rows of the series, of the profiles and of the plane jumps, with all digits."""
        return [gives(0, f"info --csv {results}/{kind}").out for kind in ("series", "profiles", "plane_jumps")]

    def check(self, ran):
        """Checks that `out` is as without interruption."""
        assert ran.hash == self.hash
        assert self.rows_of("out") == self.rows
        assert text("out/verdict.json") == text("whole/verdict.json")


@pytest.fixture
def whole(working_folder):
    return Undisturbed()


def test_killed_at_twenty_random_moments(whole):
    random.seed(20)
    kills = ends = resumed = before_first_checkpoint = 0
    exists = False
    for starts in range(1, 200):
        if kills >= 20 and not exists and ends:
            break
        # Any number of threads may go on.
        child = start(*f"resume out --threads {1 + starts % 3}".split()) if exists else start(
            *"run shear.toml -o out --overwrite".split())
        if kills < 20:
            time.sleep(0.7 * whole.seconds * random.random())
            child.kill()
        if (code := end_of(child)) == -signal.SIGKILL:
            kills += 1
            resumed += exists
            exists = os.path.exists("out/checkpoint.h5") or os.path.exists("out/checkpoint.previous.h5")
            before_first_checkpoint += not exists
            continue
        assert code == 0, text("stdout.txt") + text("stderr.txt")
        whole.check(Ran(code, text("stdout.txt"), ""))
        ends += 1
        exists = False
    print(f"{kills} kills, {resumed} of them of resumed runs, {before_first_checkpoint} before the first checkpoint; "
          f"{ends} runs came to their end; one takes {whole.seconds:.2f} s")
    assert kills == 20 and ends >= 1 and resumed >= 5 and kills - before_first_checkpoint >= 10


def test_killed_while_it_overwrites(whole):
    """Results of a finished run are being removed for a new one: whatever is left with a checkpoint is whole."""
    random.seed(21)
    emptied = 0
    for k in range(60):
        shutil.rmtree("out", ignore_errors=True)
        shutil.copytree("whole", "out")
        child = start(*"run shear.toml -o out --overwrite".split())
        # Around the moment at which the removal begins: each second time waits for that of the last checkpoint.
        if k % 2 == 0:
            while os.path.exists("out/series/000001.h5") and child.poll() is None:
                pass
        else:
            time.sleep(0.1 * whole.seconds * random.random())
        child.kill()
        child.wait()
        if os.path.exists("out/checkpoint.h5"):
            whole.check(gives(0, "resume out"))
        else:
            emptied += 1
    print(f"{60 - emptied} kills left a run to go on with, {emptied} none")
    assert emptied > 0
