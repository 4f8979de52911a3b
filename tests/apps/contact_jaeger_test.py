"""dem contact with law jaeger (jaeger-contact reference, §16): contacts made and lost, in space, tractions, merging."""
import math
from math import cos, hypot, pi, sin, sqrt

import pytest
from conftest import ROOT, gives, has, refuses, rows_of, text, write
from contact_test import GLOBAL_HEADER, HEADER, drive, near, numbers_of, run, usual


def parameters(shear_modulus, poisson_ratio, friction, radius_i, radius_j, more=""):
    return f"{shear_modulus = }\n{poisson_ratio = }\n{friction = }\n{radius_i = }\n{radius_j = }\n{more}"


USUAL_JAEGER = parameters(1, 0.5, 0.5, 1, 1)


def line(*numbers):
    return ",".join(map(repr, numbers)) + "\n"


def test_contacts_made_and_lost():
    """A contact that parts dissipates the energy that it still holds.

    A gap at the start of a row takes its part of the movement away (§12)."""
    rows = run(drive("jaeger", USUAL_JAEGER, "start_overlap = -0.002\n"),
               HEADER + "0.002,0.0016,0\n0.002,0,0\n-1,0,0\n-2,1,0\n")
    whole = run(drive("jaeger", USUAL_JAEGER), HEADER + "0.002,0.0008,0\n")
    assert rows[1]["tangential_1"] == whole[1]["tangential_1"] > 0
    assert (rows[2]["regime"], rows[3]["regime"]) == ("unchanged", "separated")
    assert rows[3]["dissipated"] == rows[2]["stored_tangential"] and rows[4]["dissipated"] == 0
    # A start overlap is a contact that was pressed without any movement.
    pressed = run(drive("jaeger", USUAL_JAEGER), HEADER + "0.02,0,0\n0.018,0.001,0.0005\n")
    started = run(drive("jaeger", USUAL_JAEGER, "start_overlap = 0.02\n"), HEADER + "0.018,0.001,0.0005\n")
    for name in ("normal_force", "tangential_1", "tangential_2", "stored_normal", "stored_tangential"):
        assert started[1][name] == pressed[2][name]
    assert started[0]["normal_force"] == pressed[1]["normal_force"]
    # Unequal spheres: F_n = 4/3 E* √R δ^{3/2}, K_t = 8 G* √(R δ), R = 3/4 m.
    unequal = run(drive("jaeger", parameters(2, 0.3, 0.5, 1, 3)), HEADER + "0.02,0,0\n0.02,1e-9,0\n")
    force, stiffness = 4 / 3 * 2 / 0.7 * sqrt(0.75 * 0.02) * 0.02, 4 * 2 / 1.7 * sqrt(0.75 * 0.02)
    near(unequal[1]["normal_force"], force, 1e-15 * force)
    near(unequal[2]["tangential_1"], stiffness * 1e-9, 1e-6 * stiffness * 1e-9)


#: Pair motions with closed-form answers (§16, U8), constant overlap: T(ξ) = f F_n [1 − (1 − ξ/(κ f ζ))^{3/2}].
Z, FRICTION, STEPS = 0.01, 0.5, 800
SLID, LIMIT = 1.5 * FRICTION * Z, FRICTION * 16 / 3 * sqrt(Z) * Z


def size_at(xi):
    return LIMIT * (1 - max(0.0, 1 - xi / SLID)**1.5)


START = size_at(0.6 * SLID)


def end_of(arc=0.0, spin_i=0.0, spin_j=0.0, rigid=False):
    """The force after a motion: the pair is loaded along x with n = z.

    Then n turns about y by `arc`, with the bodies (rigid) or because j moves. Spins are about n."""
    path, step, about_y = GLOBAL_HEADER + line(2 * Z, 0, 0, 1, 1.2 * SLID, *8 * [0]), arc / STEPS, rigid * arc / STEPS
    for k in range(1, STEPS + 1):
        n_x, n_z, shift = sin(arc * k / STEPS), cos(arc * k / STEPS), 0 if rigid else step * (2 - 2 * Z)
        turns = [x for spin in (spin_i / STEPS, spin_j / STEPS) for x in (n_x * spin, about_y, n_z * spin)]
        path += line(2 * Z, n_x, 0, n_z, shift * n_z, 0, -shift * n_x, *turns)
    row = run(drive("jaeger", USUAL_JAEGER, "start_normal = [0, 0, 1]\nstart_overlap = 0.02\n", "global"), path)[-1]
    return [row[f"tangential_{axis}"] for axis in "xyz"]


def test_the_force_turns_with_a_pair_that_turns_rigidly():
    x, _, z = end_of(1.2, rigid=True)
    near(x, START * cos(1.2), 1e-12 * START)
    near(z, -START * sin(1.2), 1e-12 * START)


@pytest.mark.parametrize("spin_j, turn", [(0.7, 0.7), (0.0, 0.35)])
def test_the_force_turns_with_the_mean_spin_about_the_normal(spin_j, turn):
    x, y, _ = end_of(spin_i=0.7, spin_j=spin_j)
    near(x, START * cos(turn), 1e-12 * START)
    near(y, START * sin(turn), 1e-12 * START)


@pytest.mark.parametrize("arc", [0.2 * SLID, 0.01])
def test_a_body_that_moves_on_along_an_arc(arc):
    """More of the same movement, at last sliding."""
    x, _, z = end_of(arc)
    size = size_at(0.6 * SLID + arc * (1 - Z))
    near(x, size * cos(arc), 1e-6 * LIMIT)
    near(hypot(x, z), size, 1e-6 * LIMIT)


def test_a_normal_once_round_a_cone():
    """The force returns turned by the solid angle."""
    sine, cosine = sin(0.4), cos(0.4)
    path = GLOBAL_HEADER + line(2 * Z, sine, 0, cosine, 1.2 * SLID * cosine, 0, -1.2 * SLID * sine, *6 * [0])
    for k in range(1, STEPS + 1):
        turn = 2 * pi * k / STEPS
        path += line(2 * Z, sine * cos(turn), sine * sin(turn), cosine, *9 * [0])
    row = run(drive("jaeger", USUAL_JAEGER, f"start_normal = [{sine!r}, 0, {cosine!r}]\nstart_overlap = 0.02\n",
                    "global"), path)[-1]
    along = row["tangential_x"] * cosine - row["tangential_z"] * sine
    near(math.atan2(row["tangential_y"], along), 2 * pi * (1 - cosine), 1e-4)


def test_tractions_after_a_row():
    """Tractions of U2 after steps 3, 4, 5 (reference, §16): at the centre, their rings, and what they add up to."""
    u2 = [row for row in rows_of(text(ROOT / "validation/kuhn2011/tables.csv")) if row["table"] == "U2"]
    steps = [{name: float(row[name]) for name in ("z", "shift_1", "shift_2", "normal", "force_1")} for row in u2]
    write("drive.toml", drive("jaeger", USUAL_JAEGER))
    write("path.csv", HEADER + "".join(line(2 * s["z"], 2 * s["shift_1"], 2 * s["shift_2"]) for s in steps))
    printed = rows_of(gives(0, "contact drive.toml --tractions 3,4,5").out)
    assert [row["regime"] for row in printed[1:]] == [row["regime"] for row in u2] and len(u2) == 5
    rows = numbers_of(text("drive-tractions.csv"))
    for step, centre, rings in ((3, 0.07099428123189172, (0.04829963840545164, 0.10405841649670135)),
                                (4, 0.02707583841041423,
                                 (0.04829963840545164, 0.0849952110744635, 0.10042546998348993)),
                                (5, -0.065843485694909, (0.0447953904911149, 0.09650874322758259))):
        here = [row for row in rows if row["step"] == step]
        assert len(here) > 50 and here[0]["radius"] == 0
        near(here[0]["shear_1"], centre, 1e-14)
        for ring in rings:
            assert any(abs(row["radius"] - ring) <= 1e-15 for row in here)
        near(here[-1]["radius"], rings[-1], 1e-15)
        near(here[-1]["pressure"], 0, 1e-8)
        expected = steps[step - 1]
        for name, total in (("pressure", expected["normal"]), ("shear_1", expected["force_1"])):
            near(sum(pi * (b["radius"] - a["radius"]) * (a["radius"] * a[name] + b["radius"] * b[name])
                     for a, b in zip(here, here[1:])), total, 1e-3 * expected["normal"])  # by trapezoids


# Law hertz-mindlin has legs in a pool as well, of another meaning.
@pytest.mark.parametrize("drive_text, rows, message", [
    (drive("jaeger", USUAL_JAEGER), "3,6", "--tractions: found row 6, allowed 0 (the start) to 5"),
    (drive("linear", usual), "3", '--tractions: found law = "linear", allowed "jaeger"'),
    (drive("hertz-mindlin", USUAL_JAEGER), "1", '--tractions: found law = "hertz-mindlin", allowed "jaeger"'),
])
def test_tractions_that_are_refused(drive_text, rows, message):
    write("drive.toml", drive_text)
    write("path.csv", HEADER + 5 * "1e-3,0,0\n")
    assert refuses(2, f"contact drive.toml --tractions {rows}", message).out == ""


def test_merging_checked():
    """The forces of `jaeger` with the same merging, to the bit, and on standard error how far the exact ones are."""
    write("path.csv", HEADER + "0.02,0,0\n0.0204,1e-4,0\n0.0208,2.2e-4,0\n0.0206,-1e-3,0\n")
    ran = {}
    for law in ("jaeger", "jaeger-checked"):
        write("drive.toml", drive(law, parameters(1, 0.3, 0.5, 1, 1, "merge_error = 0.0625\n")))
        ran[law] = gives(0, "contact drive.toml")
    plain, checked = ran.values()
    assert checked.out == plain.out and plain.err == "" and "at most 0 f F_n" not in checked.err
    has(checked.err, "Merging changed the tangential force by at most ")
