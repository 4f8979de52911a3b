"""dem import as a program: report, case file, refusals."""
import os

import pytest
from conftest import gives, has, refuses, text, write

#: A simple cubic lattice of 4³ spheres of radius 0.5 that overlap by 0.01.
#: So e = 0.99³ · 6/π − 1 and p/k_n = 3 · 0.01 · 0.99/(3 · 0.99³).
CUBIC = "3.96 3.96 3.96\n" + "".join(
    f"{0.99 * (k % 4)} {0.99 * (k // 4 % 4)} {0.99 * (k // 16)} 0.5\n" for k in range(64))


@pytest.fixture
def lattice():
    write("lattice.txt", CUBIC)


def test_a_table_becomes_a_case_that_checks_and_runs(lattice):
    gives(0, "import lattice.txt --to case.toml --pressure 1000", "64 spheres", "void ratio          0.853135",
          "192 between 192 touching pairs", "coordination        6.000", "without contact     0",
          "mean 0.01, median 0.01, largest 0.01", "mean stress / k_n   0.010203", "k_n = 98010 N/m")
    gives(0, "check case.toml", "64 bodies of 64 spheres", "mean pressure 1000 Pa by xx, yy, zz")
    gives(0, "run case.toml -o out --until-step 20")
    assert not os.path.exists("out/frames/000000000000.svg")  # in space on request
    gives(0, "info case.toml", "import of ")


def test_refusals_write_nothing():
    write("short.txt", "4\n3 10 10 10\n0 0 0\n.5 1 1 1\n.5 2 2\n")
    assert gives(2, "import short.txt --to case.toml --pressure 1000").err == (
        "short.txt:6: found the end of the file, wanted x3 of particle 2 of 3\n")
    assert not os.path.exists("case.toml")
    write("loose.txt", "10 10 10\n1 1 1 0.5\n5 5 5 0.5\n")
    refuses(2, "import loose.txt --to case.toml --pressure 1000", "no particles touch")
    write("open.txt", "1 1 1 0.5\n1.9 1 1 0.5\n")
    refuses(2, "import open.txt --to case.toml --pressure 1000", "--cell")
    for edges, code in (("5 5 5", 0), ("5,5,5", 0), ("5", 2), ("5 5 5 5", 2)):
        gives(code, f"import open.txt --cell {edges}")
    refuses(2, "import open.txt --cell 5", "dem import: --cell: found too few values, 1, allowed at least 2\n")
    refuses(2, "import open.txt --cell 1e-3 1e-3 1e-3", "--cell: the periodic cell is 0.001 m wide, but body 0")
    refuses(2, "import open.txt --cell 5 5 0", "--cell: found 0, allowed a number > 0")
    write("discs.txt", "1 1 0.5\n1.9 1 0.5\n")
    gives(0, "import --cell 5 5 discs.txt", "contacts            1 between 1")
    refuses(2, "import discs.txt --cell 5 5 5", "--cell: found 3 edges, allowed 2 for discs")
    gives(0, "import --help", "--cell X Y [Z]", "two for discs, three for spheres")
    refuses(2, "import open.txt --to case.toml")
    for option in ("--pressure 5", "--friction 0.1", "--stiffness-ratio 0.5", "--density 3", "--overwrite"):
        refuses(2, f"import open.txt {option}", f"{option.split()[0]} requires --to")  # it belongs to the case


@pytest.mark.parametrize("option, message", [
    ("--scale 1e200", "--scale: found 1e200, allowed a number > 0, from 1e-12 to 1e+09"),
    ("--scale 1e-12",
     "--scale: found 1e-12, which makes a radius of 5e-13 m; expected a length > 0, from 1e-12 to 1e+09 m"),
    ("--scale 5e8", "--scale: found 5e+08, which makes an edge of the cell of 1.98e+09 m; expected a length"),
    ("--friction 1e9", "--friction: found 1e9, allowed a number >= 0, at most 1e+06"),
    ("--stiffness-ratio 1e9", "--stiffness-ratio: found 1e9, allowed"),
    ("--density 1e30", "--density: found 1e30, allowed"),
    ("--pressure 1e18",
     "--pressure: found 1e+18, which needs k_n = 9.801e+19 N/m; expected a k_n > 0, from 1e-12 to 1e+18 N/m"),
])
def test_numbers_beyond_what_a_case_may_have_are_told_of_the_option(lattice, option, message):
    pressure = "" if "pressure" in option else "--pressure 1000"
    refuses(2, f"import lattice.txt --to new.toml {option} {pressure}", message)
    assert not os.path.exists("new.toml")


def test_files_that_are_there_are_never_overwritten(lattice):
    write("case.toml", "mine")
    refuses(3, "import lattice.txt --to case.toml --pressure 1000", "case.toml exists")
    assert text("case.toml") == "mine"
    os.symlink("lattice.txt", "link.toml")
    for to in ("lattice.txt", "./lattice.txt", "link.toml"):
        assert gives(2, f"import lattice.txt --pressure 1000 --overwrite --to {to}").err == (
            f"--to: found {to}, which is the file of the assembly itself; expected another name\n")
        assert text("lattice.txt") == CUBIC
    assert gives(3, "import lattice.txt --pressure 1000 --to nowhere/case.toml").err == (
        "--to nowhere/case.toml: there is no folder nowhere; make it, or choose another one\n")


def test_deep_overlaps_are_allowed_by_the_case():
    write("deep.txt", "10 10 10\n0 0 0 1\n1.9 0 0 1\n5 5 5 1\n")  # 0.05, and a last bit
    gives(0, "import deep.txt --to case.toml --pressure 1e5")
    has(text("case.toml"), "largest_start_overlap = 0.051 ")
    gives(0, "check case.toml")
    refuses(2, "check case.toml --set assembly.largest_start_overlap=0.05",
            "overlap by 0.05000000000000004 of the smaller diameter; assembly.largest_start_overlap allows 0.05:")
