"""The program runs: results, verdict, exit codes, stopping and going on."""
import os
import re
import shutil
import signal
import time
from pathlib import Path

import pytest
from conftest import (case_in, column, cut, dem, end_of, gives, has, line_with, polygon_shear, refuses, replaced,
                      runs, start, text, two_discs, wait_for, write)

ENDLESS = two_discs("1e-6", "1000.0", "[output]\nseries_interval = 1.0\nsnapshot_interval = 500.0\n")
#: A limit on the size of files stands for the full disk: writing fails in the same place.
FULL_DISK = "trap '' XFSZ; ulimit -f 8;"


def test_a_run_leaves_a_whole_results_folder(two):
    gives(0, "run two.toml", "Verdict: ", "State hash ")
    out = Path("results/two")
    for part in ("README.txt", "case.toml", "checkpoint.h5", "verdict.txt", "verdict.json", "paraview/particles.pvd"):
        assert (out / part).exists()
    assert len(list(out.glob("frames/*"))) == len(list(out.glob("snapshots/*"))) == 6
    steps, times = column(out, "step"), column(out, "time")
    assert (steps[0], steps[-1]) == (0, 5000) and abs(times[-1] / 0.005 - 1) < 1e-9
    gives(0, "info results/two")
    verdict = text(out / "verdict.txt")
    assert "contact plane" not in verdict  # discs have none to choose
    for name in ("verdict.json", "verdict.txt"):
        assert gives(0, f"info results/two/{name}").out == f"verdict:\n{verdict}"
    assert "profiles/" not in text(out / "README.txt") and "strain" not in text(out / "frames/000000005000.svg")
    gives(0, "check results/two/case.toml")


def test_stop_at_a_step_and_go_on_gives_the_same_bits(two):
    whole = gives(0, "run two.toml -o whole")
    gives(0, "run two.toml -o parts --until-step 1234", "Stopped at step 1234", "dem resume parts")
    assert not os.path.exists("parts/verdict.txt")
    gives(0, "resume parts --until-step 1300", "Going on from step 1234")
    refuses(2, "resume parts --until-step 7",
            "--until-step 7 is in the past: the last checkpoint is of step 1300; nothing was done")
    # A run that is done can be asked again: nothing happens but the verdict.
    for parts in ((), ("parts is already finished, at step 5000; nothing to do\n", "Verdict: good")):
        assert gives(0, "resume parts --threads 2", *parts).hash == whole.hash
        assert text("whole/verdict.txt") == text("parts/verdict.txt")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_writes_a_checkpoint_and_says_how_to_go_on(number):
    write("long.toml", ENDLESS + "checkpoint_interval = 0.05\n")
    child = start("run", "long.toml", "--output", "out")
    wait_for("out/checkpoint.previous.h5")  # the first checkpoint is of step 0
    assert end_of(child, number) == 4
    out = text("stdout.txt")
    has(out, "with a checkpoint. To go on: dem resume out")
    step = int(re.search("Stopped at step ([0-9]+), t = ", out)[1])
    assert step > 0
    gives(0, f"resume out --until-step {step + 10}", f"Going on from step {step}")


def test_one_process_writes_into_a_folder():
    write("long.toml", ENDLESS)
    write("two.toml", two_discs("1e-6", "1e-4"))
    for command in ("run long.toml --output out", "resume out"):
        first = command.startswith("run")
        child = start(*command.split())
        wait_for("out/.lock")
        wait_for("out/checkpoint.h5")
        while f"process {child.pid} " not in text("out/.lock"):  # that of the killed run is still there
            assert child.poll() is None
            time.sleep(0.005)
        time.sleep(0.2)
        for other in ("run two.toml --overwrite -o out", "resume out"):
            refuses(3, other, f"out is in use by process {child.pid} (dem {command.split()[0]}, since ",
                    "wait for it or stop it")
        gives(0, "info out")  # reading stays possible
        # Killed: nothing is left that would have to be cleaned up.
        assert end_of(child, signal.SIGKILL if first else signal.SIGTERM) == (-signal.SIGKILL if first else 4)
        assert os.path.exists("out/.lock") == first
    gives(0, "run two.toml -o out --overwrite")
    assert not os.path.exists("out/.lock")


def test_damaged_checkpoints_are_refused(two):
    gives(0, "run two.toml -o out --until-step 100")
    # The newest is damaged: the one before is used, and said so.
    cut("out/checkpoint.h5", 0.5)
    gives(0, "resume out --until-step 50", "Going on from step 0", err="checkpoint")
    for file in Path("out").glob("checkpoint*.h5"):
        cut(file, 100)
    again = "start again with dem run out/case.toml --output out --overwrite"
    refuses(3, "resume out", "checkpoint.h5", again)
    for file in Path("out").glob("checkpoint*.h5"):
        file.unlink()
    refuses(3, "resume out", again)
    gives(0, again.partition("dem ")[2])  # as it says


def test_full_disk_is_a_file_problem(two):
    refuses(3, "run two.toml -o out", "there is no checkpoint yet; lift the limit of the file size (ulimit -f), then: "
            "dem run out/case.toml --output out --overwrite", before=FULL_DISK)
    # Later in a run, the last checkpoint is named, and it is one to go on from.
    gives(0, "run two.toml -o out --overwrite --until-step 77")
    refuses(3, "resume out", "last checkpoint: step 77 in out; lift the limit of the file size (ulimit -f), then: "
            "dem resume out", before=FULL_DISK)
    runs("resume out", "Going on from step 77")
    gives(3, "run two.toml -o two.toml/out")


def test_every_stage_has_its_share_and_the_time_to_go():
    """Every stage line has a percentage, and the time to go is that of the whole run."""
    case = polygon_shear(567, snapshot_interval=100.0)
    case = replaced(case, 'name = "press"', 'name = "first"\nduration = 0.2\n[[stage]]\nname = "press"')
    case = replaced(case, "duration = 1.2", "until_target = true\nstress_tolerance = 0.05\nstress_hold_time = 0.3")
    case = replaced(case, "[output]", """[[stage]]
name = "rest"
normal = "hold-stress"
normal_stress = 4.0
plate_speed = 1.0
quiet = 1e-9
duration = 0.5
[output]""")
    write("shear.toml", case)
    out = runs("run shear.toml -o out").out
    for name in ("stage press 2/4", "stage shear 3/4", "stage rest 4/4"):
        line = line_with(out, name)
        assert " %, step " in line and (" to go" in line or "is not in sight yet" in line), out
    line = line_with(out, "stage press")
    assert ("at least " in line) == ("the end of stage 2 'press' is not in sight yet" in line)


def test_a_folder_that_may_not_be_written(two):
    """The advice fits what the system refused."""
    gives(0, "run two.toml -o out --until-step 77")
    as_another = "chmod 555 out/series &&"
    if os.geteuid() == 0:  # the superuser may write anywhere, so that another user resumes
        if not shutil.which("setpriv"):
            pytest.skip("needs setpriv")
        as_another = ("chmod 755 . && chmod -R a+rwX out && chmod 555 out/series && "
                      "setpriv --reuid=65534 --clear-groups")
    refuses(3, "resume out", "ermission denied; last checkpoint: step 77 in out; allow writing into the folder, then: "
            "dem resume out", before=as_another)
    os.chmod("out/series", 0o755)


def test_a_folder_that_may_not_be_entered(two):
    """It is not said to hold no results."""
    gives(0, "run two.toml -o out --until-step 7")
    as_another = "chmod 000 out &&"
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            pytest.skip("needs setpriv")
        as_another = "chmod 755 . && chmod 000 out && setpriv --reuid=65534 --clear-groups"
    for command in ("info", "resume"):
        refuses(3, f"{command} out", "cannot read folder out: Permission denied\n", before=as_another)
    os.chmod("out", 0o755)


def test_a_folder_that_was_removed_has_no_checkpoint():
    write("case.toml", polygon_shear(100000, checkpoint_interval=1))
    child = start("run", "case.toml", "-o", "out")
    wait_for("out/checkpoint.h5")
    os.rename("out", "moved")
    assert end_of(child) == 3
    has(text("stderr.txt"), "cannot write out/", "there is no checkpoint yet; mend that, then: dem run ")


def test_movements_below_the_last_bit_are_no_blow_up():
    """A step may move a body by less than a last bit of its position. The work on that movement is booked as none."""
    write("fall.toml", case_in(gives(0, "help").out))
    for settings in ("--set time.step=1e-9 --set 'stage[1].duration=2e-7'",
                     "--set time.step=1e-7 --set 'body[1].position=[0,1000]' --set 'stage[1].duration=2e-5'"):
        gives(0, f"run fall.toml -o out --overwrite {settings}", "Verdict: good")


@pytest.mark.parametrize("option", ["run two.toml --until-step", "resume out --until-step",
                                    "check two.toml --objectivity --steps",
                                    "contact apps/examples/contact-jaeger.toml --tractions"])
def test_numbers_of_steps_and_rows_are_whole(two, option):
    for number in ("-1", "-3", "99999999999999999999999", "1.5", "x"):
        refuses(2, f"{option} {number}", f": found {number}, allowed a whole number >= 0")


def test_a_link_to_nothing_is_no_folder(two):
    os.symlink("nowhere", "link")
    assert gives(3, "run two.toml -o link").err == (
        "link is a link to nowhere, and there is no such folder; make it, or choose another one\n")


def test_info_finds_what_is_damaged_and_how_far_a_run_is(two):
    gives(0, "run two.toml -o out --until-step 77")
    gives(0, "info out", "\nnot finished: step 77 of stage 1, one of 1\n")
    gives(0, "resume out")
    assert "not finished" not in gives(0, "info out").out
    for part in ("series/000001.h5", "snapshots/000000000000.h5", "case.toml"):
        shutil.copytree("out", "bad")
        os.remove(f"bad/{part}")
        for how in ("info bad", "info --json bad"):
            gives(3, how, f"bad/{part} is missing")
        shutil.rmtree("bad")
    assert gives(3, "info --csv two.toml").err == (
        "--csv: found two.toml, a case file, which has no series; expected a results folder, a folder of segments or "
        "one segment\n")
    os.mkdir("sweep")
    write("sweep/journal", "")
    assert dem("info sweep").err == (
        "folder sweep is that of a sweep, not of a run: its results are in the table sweep/table.csv\n")


def test_the_phases_of_the_steps_are_printed_when_asked_for(two):
    plain = dem("run two.toml -o plain")
    assert " steps took " not in plain.out
    gives(0, "run two.toml -o out --profile --until-step 77", "77 steps took ")
    assert gives(0, "resume out --profile", ": search ").hash == plain.hash
    # Of a resumed run, the steps since it went on.
    has(text("out/verdict.txt"), "4923 steps took ")
