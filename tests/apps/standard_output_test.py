"""Standard output that cannot be written: said in one sentence, exit code 3, and no work is lost."""
import os
import pathlib
import re

import pytest
from conftest import dem, gives, has, refuses, runs, text, two_discs, write
from contact_test import drive

SENTENCE = "dem: standard output cannot be written"


def test_a_full_disk_under_standard_output_is_told():
    write("table.txt", "0 0 0 1\n3 0 0 1\n")
    gives(0, "run apps/examples/two-discs.toml -o done --until-step 20")
    for command in ("--help", "--version", "run --help", "help", "help keys", "help --reference", "help --man",
                    "help friction", "help rain", "completion bash", "check apps/examples/two-discs.toml",
                    "check --json apps/examples/two-discs.toml", "check --resolved apps/examples/slow-shear.toml",
                    "info apps/examples/two-discs.toml", "info done", "import table.txt",
                    "overlap apps/examples/polygon-pairs.tsv", "contact apps/examples/contact-loop.toml",
                    "resume done --until-step 40"):
        refuses(3, f"{command} >/dev/full", f"{SENTENCE}: No space left on device\n")


def test_a_full_disk_under_the_list_of_studies_is_told():
    refuses(3, "validate --list >/dev/full",
            "dem validate: standard output cannot be written: No space left on device\n")


def test_a_closed_standard_output_is_told():
    for command in ("--version", "help", "check apps/examples/two-discs.toml"):
        refuses(3, f"{command} >&-", f"{SENTENCE}: Bad file descriptor\n")
    # A bad case is told as ever, whatever becomes of standard output.
    assert SENTENCE not in refuses(3, "check no.toml >&-", "no.toml").err


def test_a_run_goes_on_without_its_standard_output():
    # With a line for each of many stages, so that more is printed than waits in a buffer.
    stages = "".join(f'[[stage]]\nname = "a stage with a long name, number {k}"\nduration = 5e-5\n' for k in range(120))
    write("case.toml", two_discs("1e-6", "0.005", stages))
    whole = runs("run case.toml -o whole")
    assert len(whole.out) > 8192
    for where in (">/dev/full", ">&-"):
        refuses(whole.code or 3, f"run case.toml -o cut --overwrite {where}", SENTENCE)
        runs("resume cut", whole.hash)
        for name in ("verdict.json", "case.toml"):
            assert text(f"cut/{name}") == text(f"whole/{name}")
    # Closed streams: no message lands in a file of the results.
    gives(whole.code or 3, "run case.toml -o closed <&- >&- 2>&-")
    for file in pathlib.Path("closed").rglob("*"):
        assert file.is_dir() or file.name == "verdict.txt" or "State hash" not in text(file), file


def test_a_run_goes_on_without_its_reader():
    write("case.toml", two_discs())
    # The reader is gone before the run writes.
    refuses(0, "run case.toml -o out; echo $? >code; } | true", f"{SENTENCE}: Broken pipe\n", before="{ sleep 0.5;")
    assert text("code") == "3\n" and os.path.exists("out/verdict.txt")


@pytest.mark.parametrize("command", ["help --reference", "help --man", "help keys"])
def test_a_reader_that_has_seen_enough_ends_the_program_quietly(command):
    assert dem(f"{command}; echo $? >code; }} | true", "{ sleep 0.2;").err == ""
    assert text("code") == "141\n"  # of SIGPIPE, as with other programs


def test_a_standard_error_that_is_full_changes_no_exit_code():
    write("path.csv", "overlap,shift_1,shift_2\n1e-3,0,0\n")
    write("drive.toml", drive("linear", "normal_stiffness = 1e5\ntangential_stiffness = 1e5\nfriction = 0.5\n"
                              "normal_damping = 1\n"))
    has(dem("contact drive.toml").err, "The path has no time_step")
    gives(0, "run apps/examples/two-discs.toml -o out --until-step 20")
    write("out/case.toml", re.sub("\nseries_interval = .*", "\nseries_interval = 1e-3", text("out/case.toml")))
    for code, command in ((3, "check no.toml"), (2, "chek"), (2, "help frictoin"), (0, "contact drive.toml"),
                          (2, "resume out --until-step 10"), (0, "resume out --until-step 40")):
        gives(code, f"{command} 2>/dev/full")
