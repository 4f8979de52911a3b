#!/usr/bin/env python3
"""Draws pictures of results folders, laid over each other, and of sweep folders. `dem plot` runs it through plot.sh."""
import _signal  # a built-in module, so that no file is read before

if __name__ == "__main__":
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # Ctrl-C ends it without a traceback, even during the imports

import argparse
import os
import pathlib
import sys

from plots.pictures import draw_runs
from plots.results import PlotError, Run, labels_of
from plots.sweep import draw_sweep, sweep_table


def options():
    parser = argparse.ArgumentParser(prog="dem plot", description=__doc__)
    parser.add_argument("folders", nargs="+", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--output", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--labels", nargs="+", metavar="LABEL")
    parser.add_argument("--against", choices=["strain", "time"])
    parser.add_argument("--format", choices=["png", "svg", "pdf"])
    parser.add_argument("--x", metavar="COLUMN")
    parser.add_argument("--y", nargs="+", metavar="COLUMN")
    return parser.parse_args()


def draw(given):
    folders = list(dict.fromkeys(given.folders))
    for folder in folders:
        if not folder.is_dir():
            raise PlotError(f"there is no folder {folder}" if not folder.exists() else
                            f"{folder} is no folder; give the folder it is in")
    sweeps = [f for f in folders if sweep_table(f)]
    results = [f for f in folders if f not in sweeps]
    if given.labels and len(given.labels) != len(results):
        raise PlotError(f"--labels: found {len(given.labels)} labels, "
                        f"allowed one for each of the {len(results)} results folders", 2)
    for option in ("x", "y"):
        if getattr(given, option) and not sweeps:
            raise PlotError(f"--{option} chooses columns of a sweep, but none of the folders is one", 2)
    if given.against and not results:
        raise PlotError("--against chooses the axis of results folders, but all of the folders are sweeps", 2)
    for folder, name in zip(sweeps, labels_of(sweeps) if sweeps else []):
        ending = given.format or "svg"
        picture = given.output / f"{name.replace('/', '-')}.{ending}" if given.output else folder / f"plot.{ending}"
        draw_sweep(folder, picture, given.x, given.y)
    if not results:
        return
    runs = [Run(f, label) for f, label in zip(results, given.labels or labels_of(results))]
    output = given.output or (results[0] if len(results) == 1 else results[0].resolve().parent) / "figures"
    if not draw_runs(runs, given.against, output, given.format or "png"):
        raise PlotError("nothing to draw: the series have none of the columns that the pictures need", 1)


def main():
    given = options()
    try:
        draw(given)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of the lines is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(3)
    except PlotError as error:
        print(f"dem plot: {error}", file=sys.stderr)
        sys.exit(error.code)
    except OSError as error:
        print(f"dem plot: {error.filename or 'standard output'} cannot be read or written: {error.strerror or error}",
              file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
