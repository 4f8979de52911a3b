"""One study: what its script is given, and how its values become claims."""

import ctypes
import hashlib
import importlib.util
import json
import math
import multiprocessing
import re
import signal
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path


class Interrupted(Exception):
    """Ctrl-C or SIGTERM during a study. Its finished parts are kept."""


class StudyRun:
    """Given to the functions of study.py."""

    def __init__(self, study, quick, workers, results):
        self.study, self.quick, self.workers, self.results = study, quick, workers, results
        self.folder = study.folder  # cases, tables
        self.figures = []

    def case_text(self, file="case.toml"):
        return (self.folder / file).read_text(encoding="utf-8")

    def map(self, name, function, points):
        """[function(*point) for point in points] in processes. Each result is kept, and not computed again.

        Points and results are numbers, words and lists of them. The function is one of a module, for the processes."""
        journal = self.results / f"{name}.jsonl"
        text = journal.read_text(encoding="utf-8") if journal.exists() else ""
        done = {}
        for line in text.splitlines():
            try:
                point, result = json.loads(line)
            except ValueError:
                continue  # the last line of an interrupted call
            done[json.dumps(point)] = result
        keys = [json.dumps(list(point)) for point in points]
        missing, open_points = [k for k, key in enumerate(keys) if key not in done], {}
        with open(journal, "a", encoding="utf-8") as file:
            if text and not text.endswith("\n"):
                print(file=file, flush=True)  # ends the last line of an interrupted call

            def keep(future):
                k, result = open_points[future], future.result()
                print(json.dumps([list(points[k]), result]), file=file, flush=True)
                done[keys[k]] = result
                del open_points[future]

            try:
                with processes(self.workers) as pool:
                    open_points |= {pool.submit(function, *points[k]): k for k in missing}
                    for future in as_completed(open_points):
                        keep(future)
            except BaseException:
                for future in list(open_points):  # those that ended meanwhile
                    with suppress(Exception):  # the first error rises
                        keep(future)
                raise
        return [done[key] for key in keys]

    def figure(self, title, caption, panels, name="", case=""):
        """Adds a figure. `case` is the text of the case behind it."""
        self.figures.append({"id": self.study.name + ("/" + name if name else ""), "title": title, "caption": caption,
                             "panels": panels, "case_text": case})


def _begin_process():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: nothing computes on after a kill of the driver
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver hears Ctrl-C and ends its processes
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def processes(count):
    """A pool whose processes are terminated on an exception. They need not keep anything."""
    pool = ProcessPoolExecutor(count or None, initializer=_begin_process)
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def curve(label, x, y, style="line-and-points", low=(), high=()):
    """Style: line, points, line-and-points, or prediction (dashed; theory and published values)."""
    columns = {"x": x, "y": y, "y_low": low, "y_high": high}
    columns = {key: [float(v) if math.isfinite(v) else None for v in values] for key, values in columns.items()}
    if len(columns["x"]) != len(columns["y"]) or len(columns["y_low"]) not in (0, len(columns["y"])):
        raise ValueError(f"the curve '{label}' has columns of different length")
    return {"label": label, **columns, "style": style}


def panel(title, x_label, y_label, curves, log="", polygons=()):
    """`log` names the logarithmic axes: "", "x", "y" or "xy"."""
    return {"title": title, "x_label": x_label, "y_label": y_label, "log_x": "x" in log, "log_y": "y" in log,
            "curves": list(curves), "polygons": list(polygons)}


def judged(study, values, quick=False):
    """The claims of study.toml in this set, with the values of study.py in them."""
    claims = []
    names = {name: getattr(math, name) for name in ("isfinite", "inf", "nan")} | {"abs": abs, "max": max, "min": min}
    for table in study.claims:
        if table.get("set", "quick" if quick else "full") != ("quick" if quick else "full"):
            continue
        try:
            shown = {key: table.get(key, "").format(**values)
                     for key in ("published", "measured", "number", "conditions", "note")}
            holds = eval(table["agrees"], {"__builtins__": {}}, names | values) if "agrees" in table else None
        except Exception as error:
            raise ValueError(f"claim {table['id']}: {type(error).__name__}: {error}") from error
        verdict = "not comparable" if holds is None else "agrees" if holds else "differs"
        if table.get("measured") == "" or "nan" in shown["measured"]:
            raise ValueError(f"claim {table['id']}: found no number in {shown['measured']!r}")
        claims.append({"id": f"{study.name}/{table['id']}", "source": table["source"], "published": shown["published"],
                       "measured": shown["measured"], "tolerance": table["tolerance"], "verdict": verdict,
                       "note": shown["note"], "origin": table["origin"], "conditions": shown["conditions"],
                       "number": shown["number"]})
    return claims


def files_of(study):
    """The files of a study, those of its paper's folder, and each file that these name by a path in quotes, such as
    "../figure-3/case.toml", "slow-shear" / "case.toml", or data beside the project."""
    paper, ends = study.folder.parent, (".toml", ".csv", ".py")
    files = [p for folder in (study.folder, paper) for p in sorted(folder.glob("*")) if p.suffix in ends]
    files = [p for p in files if p.name != "paper.toml"]
    text = "".join(p.read_text(encoding="utf-8") for p in files).replace('" / "', "/")
    named = sorted(set(re.findall(r'"(?:\.\./)?([\w.-]+(?:/[\w.-]+)+)"', text)))
    return files + [p for name in named for p in (paper / name, paper / "../../.." / name) if p.is_file()]


def inputs(study, engine):
    """A hash for each input of a study: its files, those of the driver, and the engine."""
    def digest(paths):
        total = hashlib.sha256()
        for path in paths:
            total.update(path.name.encode() + b"\0" + path.read_bytes())
        return total.hexdigest()[:16]

    driver = sorted(Path(__file__).parent.glob("*.py"))
    module = [engine, *sorted((engine.parent / "dem").rglob("*.py"))]
    return {"files": digest(files_of(study) + driver), "engine": digest(module)}


def script_of(study):
    """The module study.py. Modules of the paper's folder can be imported by it."""
    sys.path.insert(0, str(study.folder.parent))
    try:
        spec = importlib.util.spec_from_file_location("study_" + study.name.replace("/", "_").replace("-", "_"),
                                                      study.folder / "study.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # processes of StudyRun.map find functions by it
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.pop(0)


def run_script(study, quick, workers, folder, version):
    """The result of a study."""
    run, error, claims = StudyRun(study, quick, workers, folder), "", []
    start = time.monotonic()
    try:
        claims = judged(study, script_of(study).study(run), quick)
    except KeyboardInterrupt:
        raise Interrupted from None
    except Exception as caught:  # one study must not cost the others
        where = traceback.extract_tb(caught.__traceback__)[-1]
        error = f"{type(caught).__name__}: {caught} ({Path(where.filename).name}:{where.lineno})"
    return {"format": 1, "study": study.name, "title": study.title, "quick": quick,
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M"), "version": version,
            "seconds": time.monotonic() - start, "remark": "", "error": error, "claims": claims, "figures": run.figures}
