"""A run goes on with the case and the files it was made with, or says what differs and what is gone."""
import os
import re
import shutil
from pathlib import Path

import h5py
import pytest
from conftest import (column, cut, dem, gives, has, line_with, polygon_shear, refuses, replaced, runs, text, two_discs,
                      write)

#: Two discs of 3000 steps with a row each, so that the series has three segments.
ROWS = "[output]\nseries_interval = 1e-6\nsnapshot_interval = 5e-4\nframe_interval = 1e-3\n"


def stop(more=ROWS):
    """The run is stopped at step 2000 in `out`."""
    write("two.toml", two_discs("1e-6", "3e-3", more))
    gives(0, "run two.toml -o out --until-step 2000")


@pytest.fixture
def stopped(working_folder):
    stop()


def edit(key, value):
    """Replaces a line of out/case.toml; returns its number."""
    before, line, after = text("out/case.toml").partition(f"\n{key} = ")
    assert line, key
    write("out/case.toml", before + line + value + after[after.index("\n"):])
    return before.count("\n") + 2


def whole_hash():
    return gives(0, "run two.toml -o whole --overwrite").hash


def test_an_edited_case_is_compared_key_by_key_and_refused(stopped):
    kept, checkpoint = text("out/case.toml"), Path("out/checkpoint.h5").read_bytes()
    lines = [edit("friction", "0.3"), edit("duration", "0.0025"), edit("radius", "0.51")]
    refuses(2, "resume out",
            f"out/case.toml:{lines[0]}: material.friction: the run was made with 0.5, found 0.3\n",
            f"out/case.toml:{lines[1]}: stage[1].duration: the run was made with 0.003, found 0.0025\n",
            f"out/case.toml:{lines[2]}: body[1].radius: the run was made with 0.5, found 0.51\n",
            "out: its checkpoint of step 2000 was made with another case; put the values back, or go on with those "
            "found: dem resume out --accept-changes\n")
    assert Path("out/checkpoint.h5").read_bytes() == checkpoint
    # Put back, the run goes on with the same bits.
    write("out/case.toml", kept)
    assert gives(0, "resume out").hash == whole_hash()


def test_changes_that_are_accepted_are_named_to_the_end(stopped):
    edit("friction", "0.3")
    change = "material.friction from 0.5 to 0.3 at step 2000"
    gives(0, "resume out --accept-changes --until-step 2200",
          err="material.friction: the run was made with 0.5, found 0.3")
    gives(0, "info out", f"changed on the way: {change}")
    # Later resumes need no flag, know of it, and take note of the next one.
    assert gives(0, "resume out --until-step 2400").err == ""
    edit("restitution", "0.8")
    gives(2, "resume out")
    gives(0, "resume out --accept-changes", f"attention  The case was changed on the way: {change}; "
          "material.restitution from 0.9 to 0.8 at step 2400.")
    has(text("out/verdict.json"), '"name": "changed_on_the_way", "value": 2, "judgement": "attention"')
    has(text("out/README.txt"), f"{change}\n  material.restitution from 0.9 to 0.8 at step 2400\n")
    changes = []
    for snapshot in sorted(Path("out/snapshots").iterdir()):
        with h5py.File(snapshot) as file:
            changes.append(len(file["header"].attrs.get("changed_on_the_way", [])))
    assert (changes[0], changes[-1]) == (0, 2)
    # A run that is over and is asked again.
    gives(0, "resume out", change)


@pytest.mark.parametrize("key, value", [("normal_stiffness", "8e8"), ("density", "3.0")])
def test_accepted_springs_and_densities_act_at_once_and_the_ledger_has_their_energy(stopped, key, value):
    edit(key, value)
    runs("resume out --accept-changes", "at step 2000")
    assert abs(column("out", "event_loss")[-1]) > 5e-5  # J
    # The residual is that of the steps. It was 1.2e-3 and 1.7 of the absolute work without the booked change.
    assert abs(column("out", "energy_residual")[-1]) < 1e-6 * column("out", "absolute_work")[-1]


def test_a_study_that_was_moved_takes_another_density(working_folder):
    Path("then").mkdir()
    write("then/discs.txt", "4 4\n1 1 0.5\n1.96 1 0.5\n")
    write("then/case.toml", 'format = 1\n[assembly]\ngenerator = "import"\nfile = "discs.txt"\n[time]\nstep = 1e-3\n'
          "[material]\nnormal_stiffness = 100.0\ntangential_stiffness_ratio = 0.5\nfriction = 0.5\nrestitution = 0.9\n"
          "[[stage]]\nduration = 0.5\n")
    gives(0, "run then/case.toml -o out --until-step 100")
    os.rename("then", "now")
    write("out/case.toml", text("out/case.toml").replace("/then/", "/now/"))
    edit("density", "3.0")
    runs("resume out --accept-changes", "at step 100")
    # The step leaves a residual of second order. Kinetic energy that nothing books is of the size of the work.
    assert abs(column("out", "energy_residual")[-1]) < 1e-4 * column("out", "absolute_work")[-1]


def test_output_title_threads_and_skin_are_free(stopped):
    interval = edit("series_interval", "2e-6")
    for key, value in (("threads", "2"), ("skin", "0.2"), ("title", '"three"')):
        edit(key, value)
    ran = gives(0, "resume out", "Verdict: good", err=f"out/case.toml:{interval}: output.series_interval: 1e-06 until "
                "step 2000, 2e-06 from then on\n")
    has(text("out/README.txt"), "output.series_interval from 1e-06 to 2e-06 at step 2000")
    assert ran.hash == whole_hash()
    steps = column("out", "step")
    assert len(steps) == 2501 and steps[2001] == 2002


@pytest.mark.parametrize("key, value", [("step", "5e-7"), ("integrator", '"velocity-verlet"'),
                                        ("gravity", "[0.0, -9.81]")])
def test_some_changes_no_state_can_go_on_with(stopped, key, value):
    edit(key, value)
    for flag in ("", "--accept-changes"):
        assert re.search(rf"a run cannot go on with another ([a-z]+\.)?{key}", gives(2, f"resume out {flag}").err)


def test_a_table_more_or_less_is_one_difference(stopped):
    write("out/case.toml", text("out/case.toml") + "\n[[stage]]\nduration = 1e-4\n")
    refuses(2, "resume out", "stage: the run was made with 1 table [[stage]], found 2 tables [[stage]]\n")
    runs("resume out --accept-changes", "at step 3100")


def test_results_of_a_run_that_is_over_stay_those_of_its_case():
    write("two.toml", two_discs("1e-6", "1e-4"))
    gives(0, "run two.toml -o out")
    edit("friction", "0.3")
    for flag in ("", "--accept-changes"):
        refuses(2, f"resume out {flag}", "material.friction: the run was made with 0.5, found 0.3",
                'start_from = "out"')


def test_a_checkpoint_of_another_run_is_refused(stopped):
    write("other.toml", replaced(text("two.toml"), "friction = 0.5", "friction = 0.1"))
    gives(0, "run other.toml -o other --until-step 2100")
    shutil.copy("other/checkpoint.h5", "out/checkpoint.h5")
    for flag in ("", "--accept-changes"):
        refuses(3, f"resume out {flag}", "out/checkpoint.h5 is of another run: ",
                "put a whole one of this run there, or start again with dem run out/case.toml")


def test_a_run_killed_before_its_first_checkpoint_is_started_again(stopped):
    for file in ("checkpoint.h5", "checkpoint.previous.h5"):
        os.remove(f"out/{file}")
    refuses(3, "resume out", "out has no checkpoint: its run ended before the first one",
            "start again with dem run out/case.toml --output out --overwrite")
    os.remove("out/case.toml")
    refuses(3, "resume out", "start again with dem run CASE --output out --overwrite")


def test_a_folder_that_moved_goes_on_and_files_count_by_their_content():
    grains = """1\tPOLYGON((0 0, 1 0, 1 1, 0 1, 0 0))
2\tPOLYGON((2 0, 3 0, 3 1, 2 1, 2 0))
3\tPOLYGON((4 0, 5 0, 5 1, 4 1, 4 0))
"""
    write("grains.wkt", grains)
    write("case.toml", """format = 1
material = {normal_stiffness = 4e4, tangential_stiffness_ratio = 0.3, friction = 0.5, restitution = 0.9}
time.step = 1e-4
assembly = {generator = "grains", file = "grains.wkt"}
stage = [{duration = 0.1}]
""")
    gives(0, "run case.toml -o out --until-step 500")
    os.mkdir("elsewhere")
    os.rename("out", "elsewhere/moved")
    assert gives(0, "resume elsewhere/moved --until-step 600").err == ""
    # The file of the grains moves as well, and the case says so.
    os.rename("elsewhere/moved", "out")
    os.rename("grains.wkt", "elsewhere/stones.wkt")
    edit("file", '"../elsewhere/stones.wkt"')
    assert gives(0, "resume out --until-step 700").err == ""
    # Other grains under the same name.
    write("elsewhere/stones.wkt", replaced(grains, "1 1, 0 1", "1 1.1, 0 1"))
    assert re.search("out/case.toml:[0-9]+: assembly.file: the run was made with another content of the file, found "
                     ".*stones.wkt", gives(2, "resume out").err)


def test_rows_that_are_gone_are_noticed(stopped):
    shutil.copytree("out", "kept")
    os.remove("out/series/000001.h5")
    has(dem("info out").out, "problem: out/series/000001.h5 is missing")
    refuses(3, "resume out", "out/series/000001.h5 is missing: 1024 rows, steps 0 to 1023\n"
            "out: rows are lost that were there at the checkpoint of step 2000; put the files back, or go on without "
            "these rows: dem resume out --accept-changes\n")
    # Put back: as if nothing had been.
    shutil.copy("kept/series/000001.h5", "out/series/000001.h5")
    gives(0, "resume out --until-step 2100")
    # Cut, and the newest one of all: what is left is used where that is accepted.
    cut("out/series/000001.h5", 1000)
    os.remove("out/series/000003.h5")
    refuses(3, "resume out", "out/series/000001.h5 is truncated",
            "out/series/000003.h5 is missing: 53 rows, steps 2048 to 2100")
    gives(0, "resume out --accept-changes --until-step 2200")
    rest = gives(0, "resume out", "attention  Rows of the results were lost on the way: ",
                 "series/000003.h5 is missing: 53 rows, steps 2048 to 2100, noticed at step 2100.")
    has(text("out/README.txt"), "Rows were lost on the way:\n  series/000001.h5 is truncated")
    assert column("out", "step") == [*range(1024, 2048), *range(2101, 3001)]
    assert rest.hash == whole_hash()


def test_rows_of_a_finished_run_that_are_gone_are_named(stopped):
    gives(0, "resume out")
    os.remove("out/series/000003.h5")
    lost = "out/series/000003.h5 is missing: 953 rows, steps 2048 to 3000\n"
    has(dem("info out").out, f"  problem: {lost}")
    for flag in ("", "--accept-changes"):
        refuses(3, f"resume out {flag}", f"{lost}out: rows are lost that were there at the checkpoint of step 3000; "
                "put the files back, or run it again: dem run out/case.toml")


def test_names_with_blanks_are_quoted_in_commands(two):
    gives(0, "run two.toml -o 'my \"out' --until-step 20", "To go on: dem resume 'my \"out'\n")
    write('my "out/checkpoint.h5', "no")
    has(dem("resume 'my \"out'", "rm -f 'my \"out/checkpoint.previous.h5';").err,
        "start again with dem run 'my \"out/case.toml' --output 'my \"out' --overwrite\n")


def test_profiles_are_watched_as_the_series_is():
    write("shear.toml", polygon_shear(600, snapshot_interval=0.15))
    gives(0, "run shear.toml -o out --until-step 500")
    os.remove("out/profiles/000001.h5")
    assert re.search("out/profiles/000001.h5 is missing: [0-9]+ rows, steps 0 to [0-9]+\n", gives(3, "resume out").err)
    runs("resume out --accept-changes")


def test_rows_of_another_run_are_not_taken_for_this_one(stopped):
    shutil.copy("out/series/000001.h5", "out/series/000009.h5")
    refuses(3, "resume out --accept-changes",
            "out/series/000009.h5 holds rows up to step 2000, and this run had not written it then\n",
            "move these files away")
    assert os.path.exists("out/series/000009.h5")
    os.rename("out/series/000009.h5", "out/series/000002.h5")
    refuses(3, "resume out", "out/series/000002.h5 holds 1024 rows, steps 0 to 1023, where this run wrote 977 rows, "
            "steps 1024 to 2000\n")


def test_other_files_in_the_folder_are_left_alone(stopped):
    whole = whole_hash()
    strangers = [Path("out", name) for name in (
        "series/backup.h5", "series/000001 (copy).h5", "series/notes.part", "snapshots/000000000500 (copy).h5",
        "snapshots/mine-000000002500.h5", "frames/000000002500b.svg", "paraview/mine-000000002500.vtp", "thesis.part")]
    for file in strangers:
        shutil.copy("out/series/000001.h5" if "series" in file.parts else "out/snapshots/000000000500.h5", file)
    assert "problem" not in dem("info out").out
    rest = gives(0, "resume out")
    assert rest.err == "" and rest.hash == whole and len(column("out", "step")) == 3001
    assert line_with(dem("info out").out, "snapshots: ") == line_with(dem("info whole").out, "snapshots: ") != ""
    assert all(file.exists() for file in strangers)
    # Nor does a new run in the folder take them away.
    gives(0, "run two.toml -o out --overwrite")
    assert all(file.exists() for file in strangers) and len(column("out", "step")) == 3001


def test_collections_are_made_anew_and_missing_snapshots_named():
    stop(ROWS + "vtk = true\n")
    collection = "out/paraview/particles.pvd"
    whole = text(collection)
    cut(collection, len(whole) - 50)
    os.remove("out/snapshots/000000000500.h5")
    os.remove("out/snapshots/000000001500.h5")
    refuses(0, "resume out --until-step 2100",
            "out/snapshots/000000000500.h5 is missing, and 1 more of its kind until step 1500\n")
    assert text(collection) == whole
    os.remove("out/paraview/particles-000000001000.vtp")
    assert "snapshots" not in refuses(0, "resume out", "out/paraview/particles-000000001000.vtp is missing\n").err
    assert "particles-000000001000.vtp" not in text(collection)
    has(text(collection), "particles-000000003000.vtp")


def test_the_series_as_csv():
    stop(ROWS + "csv = true\n")
    assert text("out/series.csv") == gives(0, "info --csv out").out  # of a run that has stopped
    gives(0, "resume out")
    table = gives(0, "info --csv out").out
    assert text("out/series.csv") == table == gives(0, "info --csv out/series").out
    assert table.startswith("step,time,stage,contacts,") and table.count("\n") == 1 + 3001
    assert gives(0, "info --csv out/series/000003.h5").out.startswith(table.partition("\n")[0] + "\n2048,")
    assert gives(0, "info out/series").out.startswith("series: ")
    gives(0, "info --json out/series", '"kind": "series"')
    gives(3, "info --csv two.toml")


def test_before_the_first_step_a_changed_case_is_simply_the_case():
    write("two.toml", two_discs("1e-6", "3e-4"))
    gives(0, "run two.toml -o out --until-step 0")
    edit("restitution", "0.8")
    edit("friction", "0.3")
    gives(2, "resume out")
    changed = runs("resume out --accept-changes")
    assert "changed on the way" not in changed.out
    plain = dem("run two.toml -o plain --set material.restitution=0.8 --set material.friction=0.3")
    assert plain.hash == changed.hash
    for part in ("case.toml", "series/000001.h5", "README.txt"):
        assert Path("out", part).read_bytes() == Path("plain", part).read_bytes()
