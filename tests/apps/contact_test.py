"""dem contact, run as a user does: laws of the linear-frictional-contact reference, rotation in space, bad paths.

tests/bad-drives has bad drives."""
import math
import os

import pytest
from conftest import dem, example_of, gives, has, refuses, rows_of, text, write

GLOBAL_HEADER = ("overlap,normal_x,normal_y,normal_z,shift_x,shift_y,shift_z,rotation_i_x,rotation_i_y,rotation_i_z,"
                 "rotation_j_x,rotation_j_y,rotation_j_z\n")
HEADER = "overlap,shift_1,shift_2\n"
usual = "normal_stiffness = 1e5\ntangential_stiffness = 1e5\nfriction = 0.5\n"


def drive(law, parameters, path="", frame="contact"):
    """A drive. `path` has the lines of [path] beside file and frame."""
    return f'law = "{law}"\n[parameters]\n{parameters}\n[path]\nfile = "path.csv"\nframe = "{frame}"\n{path}'


def numbers_of(table):
    """The rows of dem contact, numbers as such."""
    return [{name: cell if name == "regime" else float(cell) for name, cell in row.items()} for row in rows_of(table)]


def run(drive_text, path):
    write("drive.toml", drive_text)
    write("path.csv", path)
    ran = gives(0, "contact drive.toml")
    assert ran.err == ""
    return numbers_of(ran.out)


def refused(drive_text, message, path=HEADER + "1e-3,0,0\n"):
    """The drive is refused with the message, or with one that has it where it does not end a line."""
    write("drive.toml", drive_text)
    write("path.csv", path)
    ran = gives(2, "contact drive.toml")
    assert ran.out == "" and (ran.err == message if message.endswith("\n") else message in ran.err), (
        f"found\n{ran.err}expected\n{message}")


def near(found, expected, within):
    assert abs(found - expected) <= within, f"found {found}, expected {expected}"


def test_dashpots_without_time():
    def printed(parameters, path=""):
        write("path.csv", HEADER + "1e-3,1e-4,0\n")
        write("drive.toml", drive("linear", usual + parameters, path))
        return gives(0, "contact drive.toml")

    plain, idle, tangential = printed(""), printed("normal_damping = 3.0\n"), printed("tangential_damping = 3.0\n")
    assert plain.err == "" and idle.out == plain.out
    for ran in (idle, tangential):
        has(ran.err, "no time_step: the dashpots are off")
    damped = printed("normal_damping = 3.0\n", "time_step = 1e-3\n")
    assert damped.err == "" and damped.out != plain.out


def test_header_digits_and_regimes():
    # Any order of columns, comments, blanks.
    write("path.csv", "# path\nshift_2,overlap,shift_1\n0,-1e-4,0\n\n0, 1e-3, 0\n1e-4,1e-3,0\n0,1e-3,0\n1e-3,1e-3,0\n"
          "+1e-3,1e-3,0\n0,-1e-4,0\n0,-1e-4,0\n")
    write("drive.toml", 'title = "a title"\nformat = 1\n' + drive("linear-refined", usual))
    out = gives(0, "contact drive.toml").out
    assert out.startswith("step,normal_force,tangential_1,tangential_2,regime,stored_normal,stored_tangential,"
                          "work_tangential,dissipated\n0,0,0,0,separated,0,0,0,0\n")
    assert [row["regime"] for row in rows_of(out)] == ["separated", "separated", "stick", "stick", "unchanged", "slip",
                                                       "slide", "separated", "separated"]
    assert [row["step"] for row in rows_of(out)] == [str(k) for k in range(9)]
    rows = numbers_of(out)
    # Nothing is stored in the end.
    near(sum(row["work_tangential"] for row in rows), sum(row["dissipated"] for row in rows), 1e-15)
    assert rows_of(out)[3]["tangential_2"] == f"{1e5 * 1e-4:.17g}"


def test_one_step_in_space():
    """Carrying table of the reference, §16, then a tangential movement in the end frame."""
    n1, turns = "-0.019998333374999504,-0.009999166687499752,0.999750010416493", "0.012,-0.02,0.03,0.008,-0.018,0.05\n"
    start = "start_overlap = 1e-3\nstart_normal = [0, 0, 1]\nstart_force = [3.0, 4.0, 0.0]\n"
    projected, rescaled = (2.9980003333111118, 3.9990001666555561, 0.099966669999841273), 5 / 4.9990000666688896
    for transport, carried in {
        "none": (3, 4, 0),
        "projection": projected,
        "projection-rescaled": [rescaled * x for x in projected],
        "projection-twirl": (2.8381203066466671, 4.1189101866538893, 0.097967836516516665),
        "swing-twist": (2.8367461374611831, 4.1162220913526335, 0.097913463117259139),
        "exact": (2.8367397937141909, 4.1162264651962275, 0.097913379966896377),
    }.items():
        for law in ("linear", "linear-refined"):
            before, after = run(drive(law, f'{usual}transport = "{transport}"\n', start, "global"),
                                f"{GLOBAL_HEADER}1e-3,{n1},0,0,0,{turns}")
            assert before["tangential_y"] == 4 and after["regime"] == "unchanged"
            for axis, x in zip("xyz", carried):
                near(after[f"tangential_{axis}"], x, 1e-14)
    # Across e = ŷ × n1/|…|, which is tangential at the end: the force there grows by k_t times the movement.
    size = math.hypot(0.999750010416493, 0.019998333374999504)
    e_x, e_z, far = 0.999750010416493 / size, 0.019998333374999504 / size, 1e-5
    after = run(drive("linear", usual, start, "global"),
                f"{GLOBAL_HEADER}1e-3,{n1},{far * e_x!r},0,{far * e_z!r},{turns}")[1]
    near(after["tangential_x"], 2.8367397937141909 + 1e5 * far * e_x, 1e-13)
    near(after["tangential_z"], 0.097913379966896377 + 1e5 * far * e_z, 1e-13)


def test_laws_refinements_and_work():
    def moved(law, more=""):
        return run(drive(law, usual + more, "start_overlap = 1e-3\nstart_force = [30.0, 0.0]\n"),
                   HEADER + "1.2e-3,2e-4,6e-4\n")[1]

    radial = moved("linear")["tangential_1"]
    near(radial, 60 * 50 / math.hypot(50, 60), 1e-12)
    near(moved("linear-refined", "refinements = []")["tangential_1"], radial, 1e-12)
    near(moved("linear-refined", 'refinements = ["part-of-step", "onset", "direction"]')["tangential_1"],
         37.542523162300157, 1e-12)
    near(moved("linear-refined", 'sliding_work = "trapezoid"')["work_tangential"], 0.023998182526702161, 1e-15)
    # On first touch the conventional law takes the whole movement.
    for law, force in (("linear", 20), ("linear-refined", 10)):
        near(run(drive(law, usual, "start_overlap = -1e-3\n"), HEADER + "1e-3,2e-4,0\n")[1]["tangential_1"], force,
             1e-12)


def test_dashpots_by_the_speed_of_a_row():
    """Reference §6. The speed is the movement of the row over its time. Dashpots are no part of the friction check.

    They rest while the contact slides, and there is no tension."""
    damped, start = usual + "normal_damping = 40\ntangential_damping = 20\n", "start_overlap = 1e-3\n"

    def rows(law, parameters, time="time_step = 1e-4\n"):
        return run(drive(law, parameters, start + time), HEADER + "1.1e-3,1e-5,-2e-5\n1.1e-3,1e-2,0\n0.7e-3,0,0\n")

    damping, without = rows("linear-refined", damped), rows("linear-refined", usual, "")
    near(without[1]["normal_force"], 110, 1e-12)
    near(damping[1]["normal_force"], 110 + 40 * 1e-4 / 1e-4, 1e-10)
    near(damping[1]["tangential_1"], 1 + 20 * 0.1, 1e-12)
    near(damping[1]["tangential_2"], -2 - 20 * 0.2, 1e-12)
    assert damping[1]["dissipated"] == 0 and damping[2]["tangential_1"] == without[2]["tangential_1"]
    assert damping[3]["normal_force"] == 0  # 70 N − 160 N
    for law, more in (("linear-refined", "clip_tension = false\n"), ("linear", "")):
        near(rows(law, damped + more)[3]["normal_force"], -90, 1e-10)
    near(rows("linear-refined", damped + "damp_while_sliding = true\n")[2]["tangential_1"],
         damping[2]["tangential_1"] + 20 * 100, 1e-9)
    # Default of the tangential dashpot: γ_n k_t/k_n.
    near(rows("linear", usual + "normal_damping = 40\n")[1]["tangential_1"], 1 + 40 * 0.1, 1e-12)


def test_files_that_are_missing():
    write("drive.toml", drive("linear", usual))
    refuses(3, "contact drive.toml", "path.csv")
    gives(3, "contact nowhere.toml")
    gives(2, "contact")


COLUMNS = "the columns overlap, shift_1, shift_2"


@pytest.mark.parametrize("path, message", {
    "": f"1: found an empty file, allowed a header line with {COLUMNS}",
    "# only a comment\n": f"1: found an empty file, allowed a header line with {COLUMNS}",
    HEADER: "1: found no row behind the header, allowed a row a step",
    "overlap,shift_1\n1e-3,0\n": f'1: found no column "shift_2", allowed {COLUMNS}',
    "overlap,shift_1,shft_2\n1e-3,0,0\n":
        f'1:3: found an unknown column "shft_2", allowed {COLUMNS}; nearest known column: shift_2\n'
        f'path.csv:1: found no column "shift_2", allowed {COLUMNS}',
    "overlap,shift_1,shift_1,shift_2\n": '1:3: found column "shift_1" twice, allowed each column once',
    f"# c\n{HEADER}1e-3,0,0\n1e-3,abc,0\n": '4:2: shift_1: found "abc", allowed a finite number',
    f"{HEADER}1e-3,0,nan\n": '2:3: shift_2: found "nan", allowed a finite number',
    f"{HEADER}1e-3,1e999,0\n": '2:2: shift_1: found "1e999", allowed a finite number',
    f"{HEADER}1e-3,,0\n": "2:2: shift_1: found an empty cell, allowed a number",
    f"{HEADER}1e-3,0\n": "2: found 2 values, allowed 3, one for each column of the header",
    f"{HEADER}1e-3,x,0\n1e-3,0\n": '2:2: shift_1: found "x", allowed a finite number\n'
                                   "path.csv:3: found 2 values, allowed 3, one for each column of the header",
}.items())
def test_bad_paths_are_refused_with_line_and_column(path, message):
    refused(drive("linear", usual), f"path.csv:{message}\n", path)


def test_movements_too_large_for_a_case():
    spheres = "shear_modulus = 1e9\npoisson_ratio = 0.25\nradius_i = 0.1\nradius_j = 0.2\nfriction = 0.5\n"
    refused(drive("linear", usual), "path.csv:2: overlap: found 100000 m, allowed from -10000 to 10000 m",
            HEADER + "1e5,0,0\n")
    refused(drive("linear", usual), "path.csv:2: shift_1: found 100000 m, allowed from -1e+04 to 1e+04 in a row",
            HEADER + "1e-3,1e5,0\n")
    refused(drive("jaeger", spheres), "path.csv:2: overlap: found 0.5 m, allowed from -10000 to 0.3 m: with the sum of "
            "the radii the centres meet", HEADER + "0.5,0,0\n")


@pytest.mark.parametrize("row, message", [
    ("0,0,1.1,0,0,0", "normal_x, normal_y, normal_z: found a vector of length 1.1, allowed a vector of unit length "
     "(within 1e-6)"),
    ("0,0,-1,0,0,0", "normal_x, normal_y, normal_z: found the opposite of the normal before, allowed a turn of less "
     "than half a turn in a row"),
    ("0,0,1,1e-5,0,1e-6", "shift_x, shift_y, shift_z: found 1e-06 m along the normal, allowed a tangential movement, "
     "square to the normal at the end of the row (within 1e-6)"),
])
def test_bad_rows_in_space(row, message):
    refused(drive("linear", usual, "start_normal = [0, 0, 1]\n", "global"), f"path.csv:2: {message}\n",
            f"{GLOBAL_HEADER}1e-3,{row},0,0,0,0,0,0\n")


def test_help_examples_and_picture():
    example = gives(0, example_of(gives(0, "contact --help").out)).out
    assert len(rows_of(example)) > 60
    last = numbers_of(gives(0, "contact apps/examples/contact-rotation.toml").out)[-1]
    near(math.hypot(*(last[f"tangential_{axis}"] for axis in "xyz")), 40, 1e-12)

    for word in ("contact", "linear-refined", "linear"):
        gives(0, f"help {word}", "normal_stiffness", "tangential_damping", "transport")
    gives(0, "help contact", "law linear-refined: ", "contact.elongation")
    assert "refinements" not in gives(0, "help linear").out

    drawn = dem("contact apps/examples/contact-loop.toml --plot")
    assert drawn.out == example
    if "No plot:" in drawn.err:
        assert drawn.code == 1
        pytest.skip("no Python with matplotlib")
    assert drawn[::2] == (0, "Plot in contact-loop.svg\n")
    has(text("contact-loop.svg"), "<svg")
    os.remove("contact-loop.svg")
    full = gives(3, "contact apps/examples/contact-loop.toml --plot", before="trap '' XFSZ; ulimit -f 8;")
    assert full.out == example and not os.path.exists("contact-loop.svg")
    has(full.err, "cannot write ", "contact-loop.svg: File too large\n")
