#!/usr/bin/env python3
"""The studies of `dem validate`, which starts this script with the same words.

    validate.py [STUDY...] [--quick] [--output FOLDER] [--workers N] [--fresh] [--list] [--keep]

--keep puts the full results in the folder into claims.json and VERDICTS.md beside this script, and their pictures into
the folders of the studies.

The environment variable DEM_PROGRAM names the program. The module dem beside it is used.
"""
import argparse
import fcntl
import importlib.util
import math
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from driver import catalogue, results, verdicts  # noqa: E402
from driver.results import counts_text, duration_text  # noqa: E402
from driver.study import Interrupted, inputs, processes, run_script  # noqa: E402
from driver.table import claims_table  # noqa: E402

SOURCES = Path(__file__).resolve().parent
GOOD, FAILED, BAD_INPUT, BAD_FILE, STOPPED = range(5)


def options(words):
    parser = argparse.ArgumentParser("dem validate", description=__doc__.splitlines()[0])
    parser.add_argument("studies", nargs="*", metavar="STUDY")
    parser.add_argument("--output", type=Path, default=Path("validation-results"))
    parser.add_argument("--workers", type=int, default=cores())
    for switch in ("--quick", "--fresh", "--list", "--keep"):
        parser.add_argument(switch, action="store_true")
    return parser.parse_args(words)


def cores():
    return len(os.sched_getaffinity(0))


def find_module(program):
    """Finds the compiled module beside the program, in its build folder or its installation, and returns its file."""
    if program:
        root = Path(program).resolve().parents[1]
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        for folder in (root / "python", root / "lib" / version / "dist-packages"):
            if list(folder.glob("_dem*.so")):
                sys.path.insert(0, str(folder))
                break
    spec = importlib.util.find_spec("_dem")
    if spec is None:
        raise OSError("found no Python module _dem; install pybind11-dev and python3-dev, then build it: "
                      "cmake --preset release; cmake --build build/release --target programs")
    return Path(spec.origin)


def only_writer(output):
    """Holds the lock of the folder as the program does."""
    output.mkdir(parents=True, exist_ok=True)
    lock = open(output / ".lock", "a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError("another dem validate writes here; wait for its end, or name another folder") from None
    return lock


def one_study(study, choice, module, workers):
    """The result of a study, and whether an earlier call had made it. Runs in a process of its own, which takes no
    other study after an interruption."""
    signal.signal(signal.SIGTERM, stop)
    try:
        if one_study.interrupted:
            raise Interrupted
        expected = duration_text(study.seconds(choice.quick, workers, cores()))
        print(f"{study.name}: {study.title}, about {expected}", flush=True)
        return result_of(study, choice, module, workers)
    except (Interrupted, KeyboardInterrupt):
        one_study.interrupted = True
        raise Interrupted from None
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


one_study.interrupted = False


def result_of(study, choice, module, workers):
    import dem

    folder = results.folder_of(choice.output, study.name, choice.quick)
    if choice.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    now = inputs(study, module)
    before = results.read_result(choice.output, study.name, choice.quick)
    if before and not before["error"] and before.get("inputs") == now:
        return before, True
    result = run_script(study, choice.quick, workers, folder, dem.__version__)
    if before and before.get("inputs", now) != now:
        result["remark"] = ("Finished sweeps and points of an earlier call were used, made by other files or another "
                            "build; --fresh computes all of them again.")
    result |= {"inputs": now, "commit": commit()}
    results.write_result(choice.output, result)
    return result, False


def commit():
    """The commit of the sources, with + where files differ from it; empty outside a working copy."""
    words = ["git", "-C", str(SOURCES), "describe", "--always", "--abbrev=10", "--dirty=+", "--exclude=*"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def draw(output, log, *what):
    """Draws by report.sh. Returns why it could not, or nothing."""
    log = output / log
    words = ["bash", str(SOURCES / "report.sh"), str(output / "figures.json"), *what]
    with open(log, "w", encoding="utf-8") as file:
        code = subprocess.run(words, stdout=file, stderr=file, check=False).returncode
    if code == 0:
        log.unlink()
        return ""
    last = log.read_text(encoding="utf-8").strip().split("\n")[-1]
    reason = ("there is no Python with matplotlib; install it (apt-get install python3-matplotlib), or name an "
              "interpreter that has it in the environment variable LIBDEM_PYTHON"
              if code == 69 else f"{last} (more in {log})")
    return f"{reason}, then: {' '.join(words)}"


def run_studies(chosen, studies, choice, module):
    """Runs studies, as many at a time as each of them has workers, so that serial parts leave no core idle; the longest
    begin. Returns their results and whether Ctrl-C stopped them."""
    found, workers = {}, choice.workers
    at_a_time = min(len(chosen), math.isqrt(workers - 1) + 1)
    total = sum(s.seconds(choice.quick, workers, cores()) for s in chosen)
    print(f"{len(chosen)} {'study' if len(chosen) == 1 else 'studies'}, {'quick' if choice.quick else 'full'} set: "
          f"about {duration_text(total)}; less where an earlier call has finished a part of it\n", flush=True)
    interrupted = False
    try:
        with processes(at_a_time) as pool:
            tasks = {pool.submit(one_study, s, choice, module, workers // at_a_time): s
                     for s in sorted(chosen, key=lambda s: -s.seconds(choice.quick, 1, 1))}
            for task in as_completed(tasks):
                result, kept = task.result()
                found[result["study"]] = result
                failed = f"FAILED: {result['error']}; " if result["error"] else ""
                time = f"unchanged since {result['date']} UTC" if kept else duration_text(result["seconds"])
                print(f"[{len(found)}/{len(chosen)}] {result['study']}: "
                      f"{failed}{counts_text(result['claims'])} ({time})")
                if result["remark"]:
                    print("  " + result["remark"])
                results.merge(choice.output, studies)
    except (Interrupted, KeyboardInterrupt):
        interrupted = True
    return [found[s.name] for s in chosen if s.name in found], interrupted


def report(found, choice, studies, of, interrupted):
    print()
    width = min(max(shutil.get_terminal_size((110, 24)).columns, 80), 180)
    for result in found:
        print(claims_table(result, width))
    claims = [claim for result in found for claim in result["claims"]]
    failed = sum(bool(result["error"]) for result in found)
    if found:
        print(f"{len(claims)} claims: {counts_text(claims)}")
    if failed:
        print(f"{failed} {'study' if failed == 1 else 'studies'} failed, see FAILED above")
    if interrupted:
        print(f"Interrupted after {len(found)} of {of} studies: finished ones are kept, and the same command continues")
    if found:
        latest = results.latest(choice.output, studies)
        results.write_text(choice.output / "VERDICTS.md", verdicts.text_of(SOURCES, latest))
        if choice.keep:
            if why_not := draw(choice.output, "pictures.log", "--pictures", str(SOURCES)):
                print(f"Not all pictures were drawn: {why_not}")
            verdicts.keep(SOURCES, latest)
        page = choice.output / "report.html"
        if why_not := draw(choice.output, "report.log", str(page)):
            page.unlink(missing_ok=True)  # an older one
        print(choice.output / "claims.json", choice.output / "VERDICTS.md",
              f"No page was drawn: {why_not}" if why_not else page, sep="\n")
    return STOPPED if interrupted else FAILED if failed else GOOD


class Messages:
    """Standard output. The studies go on without a reader of their messages, as `dem run` does."""

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        try:
            self.stream.write(text)
            self.stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stream.fileno())

    def flush(self):
        self.stream.flush()


def stop(_signal, _frame):
    raise KeyboardInterrupt


def main(words):
    choice = options(words)
    signal.signal(signal.SIGTERM, stop)
    try:
        studies = catalogue.all_studies(SOURCES)
        if choice.list:
            print(f"{'study':<28} {'quick':>9}  {'full':>9}  on 2 cores")
            for s in catalogue.choose(studies, choice.studies):
                times = duration_text(s.quick_seconds), duration_text(60 * s.full_minutes)
                print(f"{s.name:<28} {times[0]:>9}  {times[1]:>9}  {s.title}")
            return GOOD
        chosen = catalogue.choose(studies, choice.studies)
        with only_writer(choice.output):
            found, interrupted = run_studies(chosen, studies, choice, find_module(os.environ.get("DEM_PROGRAM", "")))
            return report(found, choice, studies, len(chosen), interrupted)
    except (catalogue.UnknownStudy, catalogue.BadStudy) as error:
        code, message = BAD_INPUT, error
    except OSError as error:
        reason = error.strerror or error
        code, message = BAD_FILE, (f"standard output cannot be written: {reason}" if choice.list and not error.filename
                                   else f"{error.filename or choice.output}: {reason}; finished parts are kept")
    except results.BadResult as error:
        code, message = BAD_FILE, error
    except BrokenProcessPool:
        code, message = FAILED, ("the process of a study was killed, perhaps because the memory is full; finished "
                                 "parts are kept, and the same command continues")
    print(f"dem validate: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.stdout = Messages(sys.stdout)
    sys.exit(main(sys.argv[1:]))
