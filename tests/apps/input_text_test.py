"""Input from a shell, a script or a program: standard input, pipes, empty names, bytes that are no text, commas."""
import gzip
import os

import pytest
from conftest import dem, gives, has, refuses, runs, two_discs, unsanitized, write
from contact_test import drive, usual

SQUARE = "POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))"
OTHER = "POLYGON((0.5 0.5, 1.5 0.5, 1.5 1.5, 0.5 1.5, 0.5 0.5))"


def test_a_case_from_standard_input():
    write("case.toml", two_discs())
    checked = gives(0, "check - <case.toml", "No errors", " into results/stdin (")
    assert checked.out.startswith("<stdin>: ")
    ran = runs("run -", "Results in results/stdin", before="cat case.toml |")
    assert ran.hash == dem("run case.toml -o named").hash
    # Messages name it, also those that look for the line of a key after the case has been read.
    write("case.toml", two_discs("1e-2"))
    assert gives(2, "run -", before="cat case.toml |").err.startswith("<stdin>:9: time.step: found 0.01 s")
    write("case.toml", two_discs() + "frictoin = 1\n")
    refuses(2, "check - <case.toml", "<stdin>:24: stage[1].frictoin: found an unknown key")
    refuses(2, "check - </dev/zero", "<stdin>:1: found more than 16 MB")


def test_files_of_standard_input_are_relative_to_the_present_folder():
    write("table.txt", "5 5 5\n1 1 1 0.5\n1.99 1 1 0.5\n")
    gives(0, "import table.txt --to case.toml --pressure 10")
    gives(0, "check - <case.toml")


@unsanitized
@pytest.mark.parametrize("command", ["run", "check", "info", "import", "overlap", "overlap --all-pairs", "contact",
                                     "sweep", "sweep time-step"])
def test_pipes_and_devices_do_not_block(command):
    os.mkfifo("pipe", 0o600)
    for file in ("pipe", "/dev/zero", "."):
        ran = dem(f"{command} {file}", "ulimit -v 4000000; timeout 20")
        assert ran.code in (2, 3) and file in ran.err


@unsanitized
def test_a_line_without_end_in_a_compressed_file_is_bounded():
    with gzip.open("bomb.gz", "wb", compresslevel=1) as file:
        file.write(b"1 1 1 0.5\n")
        for _ in range(3000):
            file.write(b"1" * (1 << 20))
    for command in ("import bomb.gz", "overlap bomb.gz", "overlap --all-pairs bomb.gz"):
        ran = dem(command, "ulimit -v 1000000;")
        assert ran.code >= 2
        has(ran.err, "bomb.gz: found a line 2 of more than 64 MB")


def test_empty_names_are_refused():
    write("case.toml", two_discs())
    for command in ("run case.toml --output ''", "run case.toml -o ''", "run ''", "check ''", "resume ''", "info ''",
                    "contact ''", "overlap ''", "import ''", "sweep ''", "sweep time-step case.toml --output ''",
                    "check case.toml --picture ''", "plot ''", "plot apps --output ''", "plot apps --labels ''"):
        refuses(2, command, "empty name")
    assert not os.path.exists("results")


def test_bytes_that_are_no_text_are_not_repeated():
    bad, long = b"\x1b[2J\0\x07\xff\x1b]0;title\x07", "x" * 1000000
    square, case = SQUARE.encode(), two_discs().encode()
    write("pairs.tsv", bad + b"\tPOLYGON((" + bad + b"\t" + square + b"\n")
    write("grains.tsv", b"a\t" + square + b"\n" + bad + b"\tPOLYGON((0 0, 1 1, 1 0, 0 1, 0 0))\n")
    write("table.txt", b"1 1 1 0.5\n1 " + bad + b" 1 0.5\n")
    write("header.txt", b"x y " + bad + b"\n1 1 0.5\n")
    write("path.csv", b"overlap,shift_1," + bad + b"\n1,2,3\n")
    write("drive.toml", drive("linear", usual))
    write("cells.csv", b"overlap,shift_1,shift_2\n1,2," + bad + b"\n1,2," + b"9" * 1000000 + b"x\n")
    write("cells.toml", drive("linear", usual).replace("path.csv", "cells.csv"))
    write("words.toml", f'law = "\\u001b[2J{long}"\n"\\u001b[2J{long}" = 1\n')
    write("case.toml", case + b'"\\u001b[2J" = 1\n')
    write("raw.toml", case + bad)
    for command in ("overlap pairs.tsv", "overlap --all-pairs grains.tsv", "import table.txt", "import header.txt",
                    "contact drive.toml", "contact cells.toml", "contact words.toml", "contact path.csv",
                    "check case.toml", "check raw.toml", "'\x1b[2J'", "run --'x\x1b[2J'", "help '\x1b[2J'"):
        err = gives(2, command).err
        # Nothing that a terminal would obey, on few and short lines.
        assert 0 < len(err) < 2000, err[:2000]
        assert not any((c < " " and c != "\n") or c == "\x7f" for c in err), repr(err)


def test_polygons_in_tables_with_commas_and_headers():
    write("tabs.tsv", f"a\t{SQUARE}\t{OTHER}\n")
    expected = gives(0, "overlap tabs.tsv").out
    for table in (f"a,{SQUARE},{OTHER}\n", f"a;{SQUARE} ; {OTHER}\n", f'id,first,second\na, "{SQUARE}", "{OTHER}"\n',
                  f"# made elsewhere\nid\ti\tj\na\t{SQUARE}\t{OTHER}\n",
                  f"\ufeffid;i;j\r\na;{SQUARE};{OTHER}\r\n"):
        write("table.csv", table)
        assert gives(0, "overlap table.csv").out == expected, table
    write("grains.tsv", f"a\t{SQUARE}\nb\tname\t{OTHER}\n")
    write("grains.csv", f'id,name,outline\na,x,{SQUARE}\nb,"name",{OTHER}\n')
    assert dem("overlap --all-pairs grains.csv").out == dem("overlap --all-pairs grains.tsv").out
    write("two.csv", "id,first,second\nid,first,second\n")
    refuses(2, "overlap two.csv", "two.csv:2: polygon 1 of pair 'id': expected POLYGON")


def test_coincident_spheres_are_counted_and_refused():
    write("same.txt", "5 5 5\n1 1 1 0.5\n1 1 1 0.5\n3 3 3 0.5\n3.9 3 3 0.5\n")
    gives(0, "import same.txt", "contacts            2 between 2 touching pairs",
          "coincident          1 of the contacts", "without contact     0 particles")
    refused = refuses(2, "import same.txt --to case.toml --pressure 10",
                      "same.txt: particles 1 and 2 (lines 2 and 3) have one centre: no force can part them; one of "
                      "each pair must go\n")
    assert "nan" not in refused.out and not os.path.exists("case.toml")
    # A case of one's own, whatever overlap it allows.
    write("case.toml", """format = 1
dimension = 3
assembly = {generator = "import", file = "same.txt", largest_start_overlap = 1.0}
material = {normal_stiffness = 1e3, tangential_stiffness_ratio = 1, friction = 0.5, restitution = 0.9}
time.step = 1e-3
stage = [{duration = 0.01}]
""")
    refuses(2, "check case.toml", "at the start body 0 (group free) and body 1 (group free) have centres at one point: "
            "their contact has no direction")
