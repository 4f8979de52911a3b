"""The driver of the studies: names, claims, resuming, studies that fail, what is left in the folder."""

import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "validation"
sys.path.insert(0, str(SOURCES))

import validate  # noqa: E402
from driver import catalogue, results, verdicts  # noqa: E402
from driver.digits import agrees_with_print, log_slope  # noqa: E402
from driver.study import StudyRun, curve, files_of, inputs, judged  # noqa: E402
from driver.table import claims_table, width_of  # noqa: E402

HEAD = 'title = "{title}"\nfull_minutes = 2\nquick_seconds = 1\n'
CLAIM = """
[[claim]]
id = "{id}"
origin = "paper"
source = "Fig. 1"
published = "5"
measured = "{{total:.1f}} ± 0.1"
number = "{{total:.0f}}"
tolerance = "0.1"
agrees = "{agrees}"
conditions = "the paper's"
note = "because"
"""
PAPER = """
place = 1
title = "A paper"
studies = ["good", "broken"]
item = [
  {id = "M1", at = "Fig. 1", says = "five", claims = ["good/one"]},
  {id = "M2", at = "Fig. 2", says = "both", claims = ["good/one", "good/two"]},
  {id = "M3", at = "Fig. 3", says = "later", claims = ["broken/one"]},
  {id = "M4", at = "Fig. 4", says = "never", open = "no data"},
]
"""
GOOD = """
from driver.study import curve, panel

def squares(k):
    return k * k

def study(run):
    found = run.map("squares", squares, [(1,), (2,)])
    run.figure("A figure", "caption", [panel("", "x", "y", [curve("c", [1, 2], [1, 2])])], case=run.case_text())
    return {"total": sum(found)}
"""


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Two studies of a made-up paper, one of which fails."""
    broken = "def study(run):\n    return 1 / 0\n"
    for name, script, ids in (("good", GOOD, ("one", "two")), ("broken", broken, ("one",))):
        folder = tmp_path / "sources" / "made" / name
        folder.mkdir(parents=True)
        rules = {"one": "abs(total - 5) <= 0.1", "two": "total < 1"}
        claims = "".join(CLAIM.format(id=word, agrees=rules[word]) for word in ids)
        (folder / "study.toml").write_text(HEAD.format(title="A study") + claims)
        (folder / "study.py").write_text(script)
        (folder / "case.toml").write_text("format = 1\n")
    (tmp_path / "sources" / "made" / "paper.toml").write_text(PAPER)
    monkeypatch.setattr(validate, "SOURCES", tmp_path / "sources")
    monkeypatch.setattr(validate, "find_module", lambda program: Path(__file__))
    monkeypatch.delenv("DEM_PROGRAM", raising=False)
    monkeypatch.setitem(sys.modules, "dem", type(sys)("dem"))
    sys.modules["dem"].__version__ = "1"
    monkeypatch.chdir(tmp_path)
    return tmp_path / "sources"


def claims_in(folder="validation-results"):
    return {c["id"]: c for c in json.loads(Path(folder, "claims.json").read_text(encoding="utf-8"))}


def test_names(sources):
    studies = catalogue.all_studies(sources)
    def names(*words):
        return [s.name for s in catalogue.choose(studies, words)]
    assert names() == names("made") == names("made/") == ["made/good", "made/broken"]  # the order of paper.toml
    assert names("broken", "made/broken") == ["made/broken"]
    with pytest.raises(catalogue.UnknownStudy, match="did you mean made/broken"):
        names("made/brken")
    for bad in ("", "/", "mad"):
        with pytest.raises(catalogue.UnknownStudy, match="made/good"):
            names(bad)


def test_claims_and_a_study_that_fails(sources, capsys):
    assert validate.main(["made"]) == validate.FAILED
    claims = claims_in()
    assert {name: c["verdict"] for name, c in claims.items()} == {"made/good/one": "agrees", "made/good/two": "differs"}
    assert claims["made/good/one"]["measured"] == "5.0 ± 0.1"
    out = capsys.readouterr().out
    assert "FAILED: ZeroDivisionError: division by zero (study.py:2)" in out
    assert "1 agrees, 1 differs, 0 not comparable" in out and "why: because" in out
    figures = json.loads(Path("validation-results/figures.json").read_text(encoding="utf-8"))["studies"]
    assert figures[0]["figures"][0]["case_text"] == "format = 1\n"
    assert figures[1]["error"].startswith("ZeroDivisionError")


def test_a_finished_study_runs_again_only_with_other_inputs(sources, capsys):
    validate.main(["good"])
    capsys.readouterr()
    validate.main(["good"])
    assert "unchanged since" in capsys.readouterr().out
    journal = Path("validation-results/made/good/full/squares.jsonl")
    assert sorted(journal.read_text().splitlines()) == ["[[1], 1]", "[[2], 4]"]
    (sources / "made" / "good" / "case.toml").write_text("format = 2\n")
    validate.main(["good"])
    out = capsys.readouterr().out
    assert "unchanged since" not in out and "--fresh" in out
    assert journal.read_text().count("\n") == 2  # points are kept
    journal.write_text("[[1], 7]\n[[2], ")  # as after an interruption
    (sources / "made" / "good" / "case.toml").write_text("format = 3\n")
    validate.main(["good"])
    assert claims_in()["made/good/one"]["measured"] == "11.0 ± 0.1"
    validate.main(["good", "--fresh"])
    assert claims_in()["made/good/one"]["measured"] == "5.0 ± 0.1"


def test_inputs_of_a_study(sources, tmp_path, monkeypatch):
    monkeypatch.setattr("driver.study.__file__", str(tmp_path / "driver" / "study.py"))
    study, paper, engine = catalogue.all_studies(sources)[0], sources / "made", tmp_path / "python" / "_dem.so"
    (study.folder / "study.toml").write_text((study.folder / "study.toml").read_text() + '# "../broken/case.toml"\n')
    (paper / "shared.py").write_text(f'FILES = PAPER / "broken" / "table.csv", BESIDE / "{tmp_path.name}/data.txt"\n')
    used = [study.folder / "case.toml", paper / "broken" / "case.toml", paper / "broken" / "table.csv",
            tmp_path / "data.txt", tmp_path / "driver" / "results.py", engine, engine.parent / "dem" / "run.py"]
    unused = [paper / "broken" / "study.py", paper / "paper.toml", study.folder / "picture-1.png"]
    for file in used + unused:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    for file in used + unused:
        before = inputs(study, engine)
        file.write_text("changed")
        assert (inputs(study, engine) != before) == (file in used), file


def test_files_of_other_studies_are_found():
    studies = {study.name: study for study in catalogue.all_studies(SOURCES)}
    for name, file in (("pena2008/exact-geometry", "slow-shear/case.toml"), ("pena2008/figure-4", "figure-3/case.toml"),
                       ("pena2008/shear-cell", "slow-shear/case.toml"),
                       ("pena2008/figure-6", "figure-3/case.toml")):
        assert studies[name].folder.parent / file in files_of(studies[name])
    folders = "|".join(study.folder.name for study in studies.values())
    for file in SOURCES.glob("*/**/*.py"):  # each such path is in the form that files_of finds
        assert not re.search(rf'/ "({folders})"(?! / "[\w.-]+")', file.read_text(encoding="utf-8")), file


def test_the_last_of_quick_and_full_counts(sources):
    studies, order = catalogue.all_studies(sources), iter(range(3))
    for quick in (True, False):
        results.folder_of(sources, "made/good", quick).mkdir(parents=True)
    for quick in (True, False, True):
        result = {"study": "made/good", "quick": quick, "date": "", "claims": []}
        results.write_result(sources, result)
        file = results.folder_of(sources, "made/good", quick) / "result.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"order": next(order)}))
        assert results.latest(sources, studies)[0]["quick"] == quick
    file.write_text("{")
    with pytest.raises(results.BadResult, match="is damaged"):
        results.merge(sources, studies)


def test_verdicts(sources):
    validate.main(["good", "--keep"])
    rows = {line.split(" | ")[0][2:]: line.split(" | ") for line in (sources / "VERDICTS.md").read_text().splitlines()
            if line.startswith("| M")}
    assert [rows[name][3] for name in rows] == ["agrees", "in part: 1 agree, 1 differ",
                                               "not judged yet: no full run is kept", "not judged yet: no data"]
    assert rows["M1"][4:6] == ["5", "the paper's"] and "[good](made/CLAIMS.md#good)" in rows["M1"][6]
    page = (sources / "made" / "CLAIMS.md").read_text()
    assert "- **two: differs** (paper; Fig. 1). Published: 5. Found: 5.0 ± 0.1. Tolerance: 0.1. " in page
    reference = [{"origin": "reference", "verdict": "agrees"}]
    assert verdicts.item_verdict(reference) == "reference page only: agrees"
    differs, open_one = ({"origin": "paper", "verdict": word} for word in ("differs", "not comparable"))
    assert verdicts.item_verdict([differs, open_one]) == "differs: 1 differ, 1 not comparable"
    cited = [{"origin": "cited", "verdict": "differs"}]
    assert verdicts.counted(reference + cited) == cited and verdicts.counted(reference) == reference
    validate.main(["good", "--quick", "--keep"])  # a quick result is not kept
    assert json.loads((sources / "claims.json").read_text())[0]["claims"][0]["verdict"] == "agrees"


def test_texts_of_kept_claims(sources):
    """Those without a value change without a run; verdicts go only with their rule, tolerances only without one."""
    validate.main(["good", "--keep"])
    file = sources / "made" / "good" / "study.toml"
    text = file.read_text().replace("the paper's", "ours").replace('tolerance = "0.1"', 'tolerance = "none"')
    file.write_text(text.replace('agrees = "total < 1"\n', ""))
    verdicts.keep(sources, [])
    one, two = json.loads((sources / "claims.json").read_text())[0]["claims"]
    assert [c["conditions"] for c in (one, two)] == ["ours", "ours"] and one["measured"] == "5.0 ± 0.1"
    assert [(c["verdict"], c["tolerance"]) for c in (one, two)] == [("agrees", "0.1"), ("not comparable", "none")]
    assert "ours" in (sources / "VERDICTS.md").read_text()
    file.write_text(file.read_text().replace('id = "two"', 'id = "three"'))
    verdicts.keep(sources, [])
    assert [c["id"] for c in json.loads((sources / "claims.json").read_text())[0]["claims"]] == ["made/good/one"]


@pytest.fixture
def drawn(sources):
    """The two studies, with the scripts that draw their figures."""
    pytest.importorskip("matplotlib")
    for name in ("report.py", "drawing.py", "report.sh"):
        shutil.copy(SOURCES / name, sources)
    shutil.copytree(SOURCES / "driver", sources / "driver")
    finder = sources.parent / "apps" / "find-python.sh"
    finder.parent.mkdir(exist_ok=True)
    finder.write_bytes((SOURCES.parent / "apps" / "find-python.sh").read_bytes())
    return sources


def test_pictures_of_kept_results(drawn):
    folder, old = drawn / "made" / "good", drawn / "made" / "good" / "picture-7.png"
    old.touch()
    validate.main(["good", "--quick", "--keep"])
    assert not (folder / "picture-1.png").exists() and old.exists()
    validate.main(["good", "--keep"])
    assert [file.name for file in folder.glob("*.png")] == ["picture-1.png"]
    assert "[good](made/CLAIMS.md#good) ([picture](made/good/picture-1.png))" in (drawn / "VERDICTS.md").read_text()


@pytest.fixture
def undrawable(drawn):
    """The first study has a second figure that cannot be drawn. The other study has a good one."""
    odd = GOOD.replace("    return {", "    run.figure('', '', [])\n    return {")
    (drawn / "made" / "good" / "study.py").write_text(odd)
    (drawn / "made" / "broken" / "study.py").write_text(GOOD)
    return drawn


def test_a_figure_that_cannot_be_drawn_does_not_cost_the_page(undrawable):
    validate.main(["made"])
    text = Path("validation-results/report.html").read_text(encoding="utf-8")
    assert text.count("This figure could not be drawn: ") == 1 and text.count("<svg") == 2


def test_files_of_a_page_that_cannot_be_read_or_written(drawn, tmp_path):
    def refused(*words):
        ran = subprocess.run(["bash", drawn / "report.sh", *words], capture_output=True, text=True)
        assert ran.returncode == 3, ran.stderr
        return ran.stderr

    assert refused("nowhere.json", "page.html") == "report.py: nowhere.json cannot be read: No such file or directory\n"
    (tmp_path / "figures.json").write_text('{"studies": []}')
    assert "page.html cannot be written: No such file" in refused(tmp_path / "figures.json", tmp_path / "no/page.html")
    (tmp_path / "figures.json").write_text("[]")
    assert "it is no figures.json of dem validate" in refused(tmp_path / "figures.json", "page.html")


def test_a_study_that_cannot_be_drawn_keeps_its_pictures(undrawable, capsys):
    old = undrawable / "made" / "good" / "picture-7.png"
    old.touch()
    validate.main(["made", "--keep"])
    pictures = [str(file.relative_to(undrawable)) for file in undrawable.glob("*/*/*.png")]
    assert sorted(pictures) == ["made/broken/picture-1.png", "made/good/picture-7.png"]
    assert "these studies keep their old pictures: made/good (more in" in capsys.readouterr().out
    assert "ValueError" in Path("validation-results/pictures.log").read_text(encoding="utf-8")


def test_pictures_of_the_repository_are_small():
    assert sum(file.stat().st_size for file in SOURCES.glob("*/*/picture-*.png")) < 5e6


def test_mistakes_in_studies(sources):
    file = sources / "made" / "good" / "study.toml"
    text = file.read_text()
    for change, sentence in ((("origin = \"paper\"", "origin = \"hearsay\""), "allowed paper, cited, reference, own"),
                             (("id = \"two\"", "id = \"one\""), "is there twice"),
                             (("note = ", "nota = "), "has no note"),
                             (("note = ", "set = \"half\"\nnote = "), "allowed quick, full"),
                             (("title = ", "titel = "), "found no title"),
                             (("title = \"", "title = "), "found no TOML")):
        file.write_text(text.replace(*change))
        with pytest.raises(catalogue.BadStudy, match=sentence):
            catalogue.read_study(file, sources)
    file.write_text(text)
    study = catalogue.read_study(file, sources)
    with pytest.raises(ValueError, match="claim one: KeyError"):
        judged(study, {})
    with pytest.raises(ValueError, match="found no number in 'nan"):
        judged(study, {"total": float("nan")})
    file.write_text(text.replace("note = ", "set = \"quick\"\nnote = ", 1))
    study = catalogue.read_study(file, sources)
    assert [[c["id"] for c in judged(study, {"total": 5}, quick)] for quick in (True, False)] == [
        ["made/good/one", "made/good/two"], ["made/good/two"]]
    row = "rows = [{name = \"a\", low = 1}, {name = \"b\", low = \"2\"}]\nnote = "
    spread = text.replace("id = \"one\"", "id = \"<name>-<number>-<k>\"").replace("total - 5", "total - <low>")
    file.write_text(spread.replace("note = ", row, 1))
    first, second = catalogue.read_study(file, sources).claims[:2]
    assert (first["id"], first["agrees"]) == ("a-1-0", "abs(total - 1) <= 0.1")
    assert (second["id"], second["agrees"], "rows" in second) == ("b-2-1", "abs(total - 2) <= 0.1", False)
    (file.parent / "rows.csv").write_text("name,low\na,1\nb,2\n")
    file.write_text(spread.replace("note = ", "rows = \"rows.csv\"\nnote = ", 1))
    assert catalogue.read_study(file, sources).claims[:2] == (first, second)
    own = spread.replace("conditions = \"the paper's\"\n", "", 1)
    file.write_text(own.replace("note = ", row, 1).replace("low = 1", "low = 1, conditions = \"ours\", source = \"-\"")
                    .replace("low = \"2\"", "conditions = \"mine\", low = \"2\""))
    first, second = catalogue.read_study(file, sources).claims[:2]  # keys that the claim lacks
    assert (first["conditions"], first["source"], second["conditions"]) == ("ours", "Fig. 1", "mine")
    for change in (("<low>", "<high>"), ("rows.csv", "no.csv")):
        file.write_text(spread.replace("note = ", "rows = \"rows.csv\"\nnote = ", 1).replace(*change))
        with pytest.raises(catalogue.BadStudy, match="rows of claim 1"):
            catalogue.read_study(file, sources)
    of_most = text.replace("tolerance = \"0.1\"\n", "")
    file.write_text(of_most.replace("[[claim]]", "[default]\ntolerance = \"0.1\"\n\n[[claim]]", 1))
    assert [claim["tolerance"] for claim in catalogue.read_study(file, sources).claims] == ["0.1", "0.1"]


def test_printed_digits():
    for printed, good, bad in (("1.23e-3", 1.2349e-3, 1.2351e-3), ("-84.2799475412", -84.27994754124, -84.2799475413),
                               ("12", 12.4, 12.6)):
        assert agrees_with_print(printed, good) and not agrees_with_print(printed, bad)
    assert log_slope([1, 2, 4], [3, 12, 48]) == pytest.approx(2, rel=1e-12)


def test_columns_of_a_curve():
    assert curve("c", [1, 2], [1, float("nan")])["y"] == [1, None]
    with pytest.raises(ValueError, match="different length"):
        curve("c", [1, 2], [1])


def test_table_fits_the_terminal():
    words = " and some words that go on for more than a line of the table"
    claim = {"id": "made/good/a-very-long-identifier-without-any-space-in-it",
             "published": "γ̇t_c = 1e-3, " + 70 * "x" + words, "measured": "1",
             "verdict": "differs", "note": "a note" + words + words}
    for width in (80, 110, 180):
        result = {"study": "made/good", "title": "A study", "error": "", "claims": [claim]}
        lines = claims_table(result, width).splitlines()
        assert max(map(width_of, lines)) <= width
        assert any("why: a note" in line for line in lines)


def test_goes_on_without_a_reader_of_its_messages():
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, SOURCES / "validate.py", "--list"]
    done = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_failed_map_keeps_what_is_done(sources, tmp_path):
    study = catalogue.all_studies(sources)[0]
    run = StudyRun(study, True, 1, tmp_path)
    with pytest.raises(ValueError):
        run.map("numbers", int, [("1",), ("2",), ("x",)])
    assert sorted((tmp_path / "numbers.jsonl").read_text().splitlines()) == ['[["1"], 1]', '[["2"], 2]']


def test_a_result_that_cannot_be_kept_is_an_error(sources, tmp_path):
    run = StudyRun(catalogue.all_studies(sources)[0], True, 1, tmp_path)
    with pytest.raises(TypeError, match="complex is not JSON"):
        run.map("numbers", eval, [("1",), ("1j",)])
    assert (tmp_path / "numbers.jsonl").read_text() == '[["1"], 1]\n'


def test_a_point_after_a_torn_line_is_kept(sources, tmp_path):
    run, journal = StudyRun(catalogue.all_studies(sources)[0], True, 1, tmp_path), tmp_path / "numbers.jsonl"
    journal.write_text('[["1"], 1]\n[["2"], ')
    assert run.map("numbers", int, [("1",), ("2",)]) == [1, 2]
    assert journal.read_text().splitlines() == ['[["1"], 1]', '[["2"], ', '[["2"], 2]']


def test_points_are_kept_as_they_end_and_the_others_end_with_the_map(sources, tmp_path):
    run = StudyRun(catalogue.all_studies(sources)[0], True, 2, tmp_path)
    with pytest.raises(TypeError):
        run.map("pauses", time.sleep, [(1000,), (0,), ("x",)])
    assert (tmp_path / "pauses.jsonl").read_text() == "[[0], null]\n"
    assert not multiprocessing.active_children()


def test_no_process_outlives_a_killed_driver():
    text = ("import sys, time; sys.path.insert(0, sys.argv[1]); from driver.study import processes\n"
            "with processes(2) as pool:\n"
            "    print(pool.submit(__import__('os').getpid).result(), flush=True)\n"
            "    pool.submit(time.sleep, 1000).result()\n")
    with subprocess.Popen([sys.executable, "-c", text, SOURCES], stdout=subprocess.PIPE) as driver:
        child = Path("/proc", driver.stdout.readline().decode().strip(), "stat")
        driver.kill()
    for _ in range(200):
        if not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("a process of the driver still runs 10 s after the driver was killed")


def test_a_study_whose_process_is_killed(sources, capsys):
    (sources / "made" / "good" / "study.py").write_text("import os\ndef study(run):\n    os.kill(os.getpid(), 9)\n")
    assert validate.main(["good"]) == validate.FAILED
    assert "finished parts are kept" in capsys.readouterr().err


def test_verdicts_of_the_repository_are_those_of_its_claims():
    kept = verdicts.kept_results(SOURCES)
    assert kept
    for file, text in verdicts.pages(SOURCES, kept).items():
        assert file.read_text(encoding="utf-8") == text
    for study in catalogue.all_studies(SOURCES):
        ids = {c["id"] for r in kept if r["study"] == study.name for c in r["claims"]}
        assert not ids or ids == {f"{study.name}/{c['id']}" for c in study.claims if c.get("set") != "quick"}


def test_kept_claims_are_those_of_the_studies():
    """Texts, up to their values. A claim without a rule is not judged."""
    tables = {f"{study.name}/{c['id']}": c for study in catalogue.all_studies(SOURCES) for c in study.claims
              if c.get("set") != "quick"}
    for claim in (c for r in verdicts.kept_results(SOURCES) for c in r["claims"]):
        table = tables[claim["id"]]
        for key in ("origin", "source", "published", "tolerance", "conditions", "note", "number"):
            parts = re.split(r"\{[^{}]*\}", table.get(key, ""))
            assert re.fullmatch(".*".join(map(re.escape, parts)), claim[key], re.DOTALL), (claim["id"], key)
        assert "agrees" in table or claim["verdict"] == "not comparable", claim["id"]
        assert not any("{" in text for text in claim.values()), claim["id"]


def test_items_name_claims_of_kept_studies():
    kept = verdicts.kept_results(SOURCES)
    ids = {c["id"] for r in kept for c in r["claims"]}
    for paper, table in catalogue.read_papers(SOURCES).items():
        assert len({item["id"] for item in table["item"]}) == len(table["item"])
        for item in table["item"]:
            for name in item.get("claims", []):
                study = f"{paper}/{name.rsplit('/', 1)[0]}"
                assert (SOURCES / study).is_dir()
                assert f"{paper}/{name}" in ids or study not in {r["study"] for r in kept}
