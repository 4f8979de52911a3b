"""--json of check, info and run: one object on standard output and nothing else. --quiet: nothing there."""
import json
import os
from pathlib import Path

import pytest
from conftest import dem, gives, has, refuses, text, two_discs, write


def parsed(words):
    """Python would also read NaN and Infinity, which are no JSON."""
    return json.loads(words, parse_constant=pytest.fail)


def object_of(code, arguments):
    return parsed(gives(code, arguments).out)


def test_check_as_json():
    ran = gives(0, "check --json apps/examples/slow-shear.toml")
    found = parsed(ran.out)
    assert not ran.err
    assert (found["bodies"], found["moving_bodies"], found["groups"]["top-plate"]) == (288, 256, 16)
    assert isinstance(found["contacts"], int) and found["contacts"] >= 0
    assert found["limit"] > found["step"] == 0.005
    first, shear = found["stages"]
    assert first["planned_time"] is None and shear["name"] == "shear" and shear["planned_steps"] > 90000
    assert all(found[cost] > 0 for cost in ("memory", "disk", "rows", "snapshots", "frames"))
    assert found["errors"] == found["warnings"] == []
    assert object_of(0, "check --json apps/examples/two-discs.toml")["seconds"] > 0


def test_errors_as_json():
    write("bad.toml", two_discs("-1.0", "0.005", "strian = 3\n"))
    for command in ("check", "run", "info"):
        ran = gives(2, f"{command} --json bad.toml")
        misspelt, step = parsed(ran.out)["errors"]
        assert misspelt["file"].endswith("bad.toml") and misspelt["key"] == "stage[1].strian"  # this comes first
        assert (step["line"], step["key"], step["found"]) == (9, "time.step", "-1.0")
        assert step["allowed"].startswith("a number")
        has(ran.err, misspelt["message"] + "\n", step["message"] + "\n")
    # Later errors, of the assembly and the step, and errors of files.
    late, = object_of(2, "check --json apps/examples/two-discs.toml --set time.step=2e-5 "
                      "--set output.series_interval=0")["errors"]
    assert late["key"] == "time.step" and late["file"] == "--set" and "line" not in late
    # A key that the case does not give has no line.
    write("rain.toml", """format = 1
dimension = 3
material = {normal_stiffness = 400, tangential_stiffness_ratio = 0.5, friction = 0.5, restitution = 0.9}
time.step = 1e-9
assembly = {generator = "rain", columns = 2, rows = 2, layers = 1, radius = 2.5e-3}
wall = [{shape = "plane", point = [0, 0, 0], normal = [1, 0, 0]}]
stage = [{duration = 1e-6}]
""")
    place, = object_of(2, "check --json rain.toml")["errors"]
    assert place["file"].endswith("rain.toml") and place["key"] == "assembly.centre" and "line" not in place
    assert place["found"] == "(0, 0) m, on a wall"
    assert "no.toml" in object_of(3, "check --json no.toml")["errors"][0]["message"]
    write("syntax.toml", "format = 1\nx = = 3\n")
    syntax = object_of(2, "check --json syntax.toml")["errors"][0]
    assert syntax["line"] == 2 and "key" not in syntax


def test_errors_of_the_command_line_files_and_starts_as_json():
    for command in ("run --json", "run --json two.toml --threads 0", "check two.toml --json --resolved",
                    "info x --csv --json", "resume --json --nonsense x"):
        error, = object_of(2, command)["errors"]
        assert error["message"].startswith("dem") and "file" not in error
    error, = object_of(2, "run --json two.toml --threads ''")["errors"]
    assert (error["key"], error["found"]) == ("--threads", "an empty word")
    assert error["allowed"] == "a whole number in [1, 1024]"
    write("touching.toml", two_discs().replace("[0.8, 0.6]", "[0.4, 0.3]"))
    for command in ("run", "check", "modes"):
        assert object_of(3, f"{command} --json no.toml")["errors"][0]["file"] == "no.toml"
        error, = object_of(2, f"{command} --json touching.toml")["errors"]
        assert "overlap by 0.5 of the smaller diameter" in error["message"]
        assert error["file"] == os.path.abspath("touching.toml")
    error, = object_of(3, "check --json apps/examples/two-discs.toml --picture no/x.svg")["errors"]
    assert error["file"] == "no/x.svg"


def test_run_as_json_and_info_of_its_results():
    plain = gives(0, "run apps/examples/two-discs.toml -o plain")
    found = object_of(0, "run --json apps/examples/two-discs.toml -o out")
    assert found["results"] == "out" and found["finished"] is True and abs(found["time"] / 0.05 - 1) < 1e-4
    has(plain.hash, f"State hash {found['hash']} at step {found['step']}")
    assert found["verdict"] == parsed(text("out/verdict.json"))

    info = object_of(0, "info --json out")
    series = info["series"]
    assert info["kind"] == "results" and series["rows"] > 1000
    assert series["last_step"] == info["checkpoint"]["step"] == found["step"]
    assert (series["columns"][1]["name"], series["columns"][1]["unit"]) == ("time", "s")
    assert info["verdict"] == found["verdict"] and info["problems"] == [] and info.get("profiles") is None
    for file, kind in (("checkpoint.h5", "checkpoint"), ("series/000001.h5", "series"), ("verdict.json", "verdict")):
        assert object_of(0, f"info --json out/{file}")["kind"] == kind
    case = object_of(0, "info --json apps/examples/shear-box.toml")
    assert (case["kind"], case["generator"], case["shear_box"], len(case["stages"])) == ("case", "rain", True, 4)

    stopped = object_of(0, "run --json apps/examples/two-discs.toml -o stopped --until-step 50")
    assert stopped["finished"] is False and stopped["step"] == 50 and stopped.get("verdict") is None
    for _ in range(2):
        assert {**object_of(0, "resume --json stopped"), "results": "out"} == found
    assert len(object_of(3, "resume --json nothing")["errors"]) == 1


def test_problems_of_results_as_json():
    write("two.toml", two_discs("1e-6", "3e-3", "[output]\nseries_interval = 1e-6\n"))
    gives(0, "run two.toml -o out --until-step 2000")
    os.remove("out/series/000001.h5")
    info = parsed(dem("info --json out").out)
    assert info["problems"] == ["out/series/000001.h5 is missing"]
    assert info["checkpoint"]["changes"] == info["checkpoint"]["losses"] == []
    gives(0, "resume out --accept-changes")
    os.remove("out/series/000003.h5")
    info = parsed(dem("info --json out").out)
    assert info["problems"] == ["out/series/000001.h5 is missing",
                                "out/series/000003.h5 is missing: 953 rows, steps 2048 to 3000"]
    assert info["checkpoint"]["losses"] == [
        "series/000001.h5 is missing: 1024 rows, steps 0 to 1023, noticed at step 2000"]
    # Names that cannot be.
    for command in ("info", "info --json", "info --csv", "run two.toml -o"):
        gives(3, f"{command} {'x' * 300}")


def test_quiet_runs_print_nothing():
    for command in ("run --quiet apps/examples/two-discs.toml -o out --until-step 100", "resume -q out"):
        assert gives(0, command)[1:] == ("", "")
    assert os.path.exists("out/verdict.txt")
    assert refuses(3, "run --quiet no.toml", "no.toml").out == ""


def test_the_start_as_a_picture():
    for name, shape in (("slow-shear", "<polygon"), ("spheres-triaxial", "<circle")):
        for _ in range(2):
            ran = gives(0, f"check apps/examples/{name}.toml --picture {name}.svg", "\nStages\n")
            assert ran.out.endswith(f"\nNo errors; the picture of the start is in {name}.svg.\n")
        svg = text(f"{name}.svg")
        assert svg.startswith("<?xml") and svg.endswith("</svg>\n") and shape in svg
    # As the first frame of a run.
    gives(0, "run apps/examples/slow-shear.toml -o out --until-step 0")
    frame, = Path("out/frames").iterdir()
    assert text("slow-shear.svg") == text(frame)
    write("keep.png", "mine")
    refuses(2, "check apps/examples/two-discs.toml --picture keep.png",
            '--picture: found "keep.png", allowed a file name that ends in .svg')
    assert text("keep.png") == "mine"
    gives(3, "check apps/examples/two-discs.toml --picture none/x.svg")
