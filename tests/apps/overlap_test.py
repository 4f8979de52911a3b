"""dem overlap, run as a user does."""
import csv
import math
import os

import pytest
from conftest import ROOT, gives, write

HEADER = ("id\tcomponent\tarea\tcentroid_x\tcentroid_y\tperimeter\tarea-gradient\tchord\tedge-mean\t"
          "edge-mean-unsigned\tedge-mean-branch\tedge-axial\n")
SQUARE = "POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))"
CLOCKWISE = "POLYGON((0.9 0.6, 0.9 1.6, 1.9 1.6, 1.9 0.6, 0.9 0.6))"  # U1, the other way round
APART = "POLYGON((5 5, 6 5, 6 6, 5 5))"
HOLED = "POLYGON((-1 -1, 2 -1, 2 2, -1 2, -1 -1),(0.2 0.2, 0.4 0.2, 0.4 0.4, 0.2 0.2))"
GRAINS = ROOT.parent / "shared/data/grains"


def table(words):
    ran = gives(0, f"overlap {words}")
    assert ran.err == "" and ran.out.startswith(HEADER)
    return list(csv.reader(ran.out.splitlines(), delimiter="\t"))[1:]


@pytest.mark.parametrize("method", ["", "--geometry fast", "--geometry exact"])
def test_a_table_of_pairs(method):
    write("pairs.tsv", f"# comment\n\nU1\t{SQUARE}\t{CLOCKWISE}\nfar\t{SQUARE}\t{APART}\n")
    (name, *found), far = table(f"pairs.tsv {method}")
    angles = [-75.963756532073521, -75.963756532073521, -18, -18, -72, 90]
    expected = [1, 0.04, 0.95, 0.8, 1, *map(math.radians, angles)]
    assert name == "U1" and max(abs(float(x) - y) for x, y in zip(found, expected, strict=True)) < 1e-12
    assert far == ["far", "0", "0"] + 9 * ["nan"]


def test_seventeen_digits_give_the_double_back():
    write("p.tsv", f"a\t{SQUARE}\tPOLYGON((0.3 0.3, 0.7 0.3, 0.3 0.9, 0.3 0.3))\n")
    row, = table("p.tsv")
    assert len(row[5]) >= 18 and f"{float(row[5]):.17g}" == row[5]  # the perimeter is irrational


def test_all_pairs_prints_only_overlapping_ones_of_different_ids():
    write("grains.tsv", f"a\tquartz\t{SQUARE}\nb\t{APART}\nc\t{CLOCKWISE}\nd\t{HOLED}\n")
    assert gives(2, "overlap --all-pairs grains.tsv")[1:] == (
        "", "grains.tsv:4: outline 'd': has 1 hole; take outer rings only with --fill-holes\n")
    for method in ("fast", "exact"):
        rows = table(f"--all-pairs grains.tsv --fill-holes --geometry {method}")
        assert [row[0] for row in rows] == ["a-c", "a-d", "c-d"]
        assert abs(float(rows[1][2]) - 1) < 1e-14 and rows[1][6] == "nan"  # a lies inside d
    write("twice.tsv", f"a\t{SQUARE}\n# b\nb\t{APART}\na\t{CLOCKWISE}\n")
    assert gives(2, "overlap --all-pairs twice.tsv")[1:] == (
        "", "twice.tsv:4: id 'a' is that of line 1 already; ids name the pairs and must differ\n")


COLUMNS = ("expected a pair, id<TAB>POLYGON((x y, ...))<TAB>POLYGON((x y, ...)) (or with commas or semicolons), found "
           "{} column{}")
OPEN = "POLYGON((0 0, 1 0, 1 1))"
NOT_CLOSED = "the outer ring is not closed: its last vertex (1, 1) must repeat the first (0, 0)"


@pytest.mark.parametrize("bad, message", {
    f"# one\nx\t{SQUARE}": f"2: {COLUMNS.format(2, 's')}",
    f"x {SQUARE} {SQUARE}": f"1: {COLUMNS.format(1, '')}",  # blanks where tabs belong
    f"x\t{OPEN}\t{SQUARE}": f"1: polygon 1 of pair 'x': {NOT_CLOSED}",
    f"x\t{SQUARE}\t{OPEN}": f"1: polygon 2 of pair 'x': {NOT_CLOSED}",
    "# nothing": " holds no pair",
    f"x\tPOLYGON((0 0, 1 0, 1 0, 0 1, 0 0))\t{SQUARE}":
        "1: polygon 1 of pair 'x': vertex 3 repeats vertex 2 at (1, 0)",
    f"x\t{SQUARE}\t{HOLED}": "1: polygon 2 of pair 'x': has 1 hole; take outer rings only with --fill-holes",
}.items())
def test_bad_input_is_refused_with_file_and_line(bad, message):
    write("bad.tsv", bad + "\n")
    assert gives(2, "overlap bad.tsv")[1:] == ("", f"bad.tsv:{message}\n")


def test_bad_command_lines():
    assert gives(3, "overlap no-such-file.tsv").err == "no-such-file.tsv: the file does not exist\n"
    assert gives(3, "overlap apps").err == "apps: is not a file\n"
    write("bad.tsv", f"a\t{SQUARE}\t{APART}\n")
    for words in ("", "bad.tsv --all-pairs bad.tsv", "bad.tsv --geometry guessed"):
        gives(2, f"overlap {words}")


@pytest.mark.skipif(not os.path.exists(GRAINS), reason="the grain outlines are not here")
@pytest.mark.parametrize("method", ["fast", "exact"])
@pytest.mark.parametrize("file, count, components, area", [
    ("beach_pebbles.tsv.gz", 178, 457, 990.9655788886173),
    ("rock_thin_section.tsv.gz", 28, 28, 0.017171287762557077),
])
def test_real_grains(file, count, components, area, method):
    """Counts and sums of data/grains/README.md (exact arithmetic). The fast method decides exactly too."""
    rows = table(f"--fill-holes --all-pairs '{GRAINS / file}' --geometry {method}")
    assert len(rows) == components and len({row[0] for row in rows}) == count
    assert abs(sum(float(row[2]) for row in rows) / area - 1) < 1e-13
