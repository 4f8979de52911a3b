"""Sweeps: one case, many values of some keys."""

from __future__ import annotations

import re
import tomllib
from numbers import Integral
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import AbstractSet, Any, Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

import _dem

from . import toml
from .case import Case, _by_key, _check_key, _dotted
from .errors import CaseError
from .result_files import ByName, ResultsError, pandas_module
from .series import Series

__all__ = ["SweepTable", "sweep", "sweep_file"]


class SweepTable:
    """One row for each point of the grid. Columns are the axes, then t_c, steps and the quantities.

    `table["shear_ratio_mean"]` is a column as an array; `table.messages` say why a point has no result. The last part
    of the key of an axis is enough. `table.series(k)` are the rows of the run of point k, if the sweep keeps them.
    """

    def __init__(self, found: Mapping[str, Any], folder: Path | None = None) -> None:
        self._folder = folder
        self._columns: dict[str, NDArray[Any]] = {}
        self.units: dict[str, str] = ByName("table")
        self.descriptions: dict[str, str] = ByName("table")
        for kind, rows in (("parameters", found["parameter"]), ("results", found["result"])):
            for k, (name, unit, text) in enumerate(found[kind]):
                self._columns[name] = np.array([row[k] for row in rows])
                self.units[name], self.descriptions[name] = unit, text
        self.messages: list[str] = found["message"]
        self.seconds: NDArray[np.float64] = np.array(found["seconds"])
        self.csv: str = found["csv"]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        found = [column for column in self._columns if column == name or column.endswith(f".{name}")]
        if name in self._columns or len(found) == 1:
            return self._columns[name if name in self._columns else found[0]]
        raise KeyError(f"found {name!r}, allowed {', '.join(self._columns)}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self.messages)

    def series(self, point: int) -> Series:
        """Returns the kept series of a row of the table: the columns over the run of that point.

        Raises
        ------
        IndexError
            The table has no such row.
        ResultsError
            The sweep keeps no series, or this point has none yet.
        """
        if not -len(self) <= point < len(self):
            raise IndexError(f"found point {point}, allowed -{len(self)} to {len(self) - 1}")
        folder = (self._folder or Path()) / "series" / f"point-{point % len(self) + 1}"
        if self._folder is None or not folder.is_dir():
            why = self.messages[point] or "the sweep keeps no series"
            raise ResultsError(f"point {point}", f"no series: {why}", 'a point that was run, with keep="series"')
        return Series(folder)

    def to_pandas(self) -> Any:
        """Returns the table as a pandas.DataFrame. Raises `MissingModule` where pandas is not installed."""
        return pandas_module("sweep").DataFrame(self._columns)

    def __repr__(self) -> str:
        return self.csv.rstrip("\n")

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._columns)


def _run(
    file: Path, workers: int, output: str | PathLike[str] | None, overwrite: bool, progress: bool, part: str
) -> SweepTable:
    if isinstance(workers, bool) or not isinstance(workers, Integral) or not 0 <= workers <= 1024:
        raise ValueError(f"workers: found {workers!r}, allowed a whole number from 0 to 1024")
    if not isinstance(part, str) or (part and not re.fullmatch("[0-9]+/[0-9]+", part)):
        raise ValueError(f'part: found {part!r}, allowed a text k/T, as "1/4"')
    if part and output is None:
        raise ValueError(f"part: found {part!r} without output, needed the folder that the parts share")
    if part and (workers or overwrite):
        raise ValueError(f"part: found {part!r} with workers or overwrite, allowed without them")
    folder = "" if output is None else fspath(output)
    try:
        found = _dem.sweep(file, int(workers), folder, overwrite, progress, part)
    except ValueError as error:
        if part and str(error).startswith(f"found {part}"):
            raise ValueError(f"part: {error}") from None
        raise
    return SweepTable(found, None if output is None else Path(folder).absolute())


def sweep(
    case: Case | Mapping[str, Any],
    axes: Mapping[str, Iterable[Any]],
    quantity: str | Iterable[str] | Mapping[str, str],
    *,
    workers: int = 0,
    output: str | PathLike[str] | None = None,
    overwrite: bool = False,
    progress: bool = False,
    part: str = "",
    keep: str = "table",
    columns: Iterable[str] = (),
    start_from: Case | Mapping[str, Any] | None = None,
    by: str = "",
) -> SweepTable:
    """Runs a case for all combinations of some values, each in a process of its own.

    Parameters
    ----------
    case : Case or mapping
        The base case.
    axes : mapping
        Dotted key to values; the last axis is the fastest. The last part of a key is enough where only one key of the
        case has it ("disorder", "seed").
    quantity : str, list or mapping
        "KIND COLUMN": KIND is final, mean, minimum, maximum or deviation; COLUMN is one of the series. "relaxation" for
        the relaxation time of the kinetic energy. "... in STAGE" counts only the rows of a stage. A mapping gives the
        names of the columns of the table.
    workers : int
        Processes, at most 1024; 0 for one per core.
    output : path, optional
        Folder for journal and tables, where the same sweep goes on after an interruption.
    overwrite : bool
        Replace another sweep in the folder.
    progress : bool
        Show the done share on standard error.
    part : str
        "k/T" runs only part k of T, from "1/T" to "T/T", one point after the other; it needs `output`. Parts may run
        at the same time on machines that share the folder. Returns the table so far. Without `part`, the same sweep
        then goes on with what the parts have finished.
    keep : str
        "series" keeps the rows of each point too, in `output`. `table.series(k)` reads those of row k. `quantity` may
        be empty.
    columns : list of str
        The columns that are kept; all by default.
    start_from : Case or mapping, optional
        A packing: a case that is run first, and whose last state each point starts from. It is made once, in `output`.
    by : str
        An axis, as in `axes`. One packing is made for each of its values, which goes to the same key of the packing.

    Raises
    ------
    CaseError
        With every problem of case, axes and quantities.
    FileError
        The folder cannot be written, or holds another sweep.
    ValueError, TypeError
        An argument is of another form.
    KeyboardInterrupt
        After Ctrl-C. Finished points are kept in the folder, and the same call goes on there.
    """
    if not isinstance(case, Case):
        case = Case(case)
    if not isinstance(axes, Mapping):
        raise TypeError(f'axes: found {axes!r}, allowed a dictionary, as {{"material.friction": [0.1, 0.5]}}')
    tables: dict[str, Any] = {
        "format": 1,
        "case": "case.toml",
        "axis": [_axis(case, key, values) for key, values in axes.items()],
    }
    if quantities := [_quantity(name, text) for name, text in _named(quantity)]:
        tables["quantity"] = quantities
    if not isinstance(keep, str):
        raise TypeError(f'keep: found {keep!r}, allowed "table" or "series"')
    if keep != "table":
        tables["keep"] = keep
    if not isinstance(columns, Iterable):
        raise TypeError(f"columns: found {columns!r}, allowed a list of columns of the series")
    if columns := [columns] if isinstance(columns, str) else list(columns):
        tables["columns"] = columns
    if start_from is not None and not isinstance(start_from, (Case, Mapping)):
        raise TypeError(f"start_from: found {start_from!r}, allowed a case; dem.Case.read reads a file")
    if not isinstance(by, str):
        raise TypeError(f"by: found {by!r}, allowed the name of an axis")
    if start_from is not None:
        tables["start_from"] = {"case": "packing.toml"} | _by(by, tables["axis"])
    elif by:
        raise ValueError(f"by: found {by!r} without start_from, allowed with it")
    if output is None and (keep != "table" or start_from is not None):
        raise ValueError("output: found nothing, needed a folder with keep or start_from")
    # The files of `dem sweep` bring its checks and sentences.
    with TemporaryDirectory(prefix="dem-sweep-") as folder:
        (Path(folder) / "case.toml").write_text(_given(case), encoding="utf-8")
        if start_from is not None:
            packing = start_from if isinstance(start_from, Case) else Case(start_from)
            (Path(folder) / "packing.toml").write_text(_given(packing), encoding="utf-8")
        file = Path(folder) / "sweep.toml"
        file.write_text(toml.document(tables), encoding="utf-8")
        try:
            return _run(file, workers, output, overwrite, progress, part)
        except CaseError as error:
            raise _by_key(error, str(file)) from None


def sweep_file(
    file: str | PathLike[str],
    *,
    workers: int = 0,
    output: str | PathLike[str] | None = None,
    overwrite: bool = False,
    progress: bool = False,
    part: str = "",
) -> SweepTable:
    """Runs a sweep file, as `dem sweep FILE` does; the other parameters are those of `dem.sweep`.

    Raises
    ------
    CaseError
        With every problem of the file and its case.
    FileError
        The file cannot be read, or the folder holds another sweep.
    KeyboardInterrupt
        After Ctrl-C. Finished points are kept in the folder, and the same call goes on there.
    """
    return _run(Path(file), workers, output, overwrite, progress, part)


def _values(key: str, values: Iterable[Any]) -> list[Any]:
    try:
        if not isinstance(values, (str, Mapping, AbstractSet)):
            return list(values)
    except TypeError:
        pass
    raise TypeError(f"axes: found {key} = {values!r}, allowed a list of values")


def _given(case: Case) -> str:
    """Returns the keys that the case gives, with full names of files. The resolved case will not do: it fixes defaults
    that follow from a key of an axis."""
    full = case.copy()
    for key, value in _dotted(tomllib.loads(case._engine.text())):
        if isinstance(value, str) and isinstance(resolved := case[key], str) and resolved != value:
            full[key] = resolved
    return full._engine.text()


def _axis(case: Case, key: str, values: Iterable[Any]) -> dict[str, Any]:
    """Returns an axis of the file. A short key is the one of that name, or the one that the case has."""
    _check_key(key)
    full, names = key, set(_dem.key_names())
    if "." not in key and key not in names:
        ends = [name for name in names if name.endswith("." + key)]
        ends = ends if len(ends) == 1 else [name for name in ends if name in case]
        full = ends[0] if len(ends) == 1 else key
    # The columns that every table has.
    is_taken = key in ("t_c", "replicate", "seed", "steps", "message")
    return {"key": full, "name": full if is_taken else key, "values": _values(key, values)}


def _by(name: str, axes: list[dict[str, Any]]) -> dict[str, str]:
    """Returns by and key of a packing, from the name, the key or the last part of the key of an axis."""
    if not name:
        return {}
    for axis in axes:
        if name in (axis["name"], axis["key"], axis["key"].rpartition(".")[2]):
            return {"by": axis["name"], "key": axis["key"]}
    raise ValueError(f"by: found {name!r}, allowed an axis: {', '.join(axis['name'] for axis in axes)}")


def _named(quantity: str | Iterable[str] | Mapping[str, str]) -> list[tuple[str, str]]:
    if isinstance(quantity, str):
        return [("", quantity)]
    if isinstance(quantity, Mapping):
        named = list(quantity.items())
    else:
        named = [("", text) for text in quantity] if isinstance(quantity, Iterable) else [("", quantity)]
    for _, text in named:
        if not isinstance(text, str):
            raise TypeError(f'quantity: found {text!r}, allowed a text, as "mean shear_ratio"')
    return named


def _quantity(name: str, text: str) -> dict[str, str]:
    words = text.split()
    stage = ""
    if len(words) >= 4 and words[2] == "in":
        stage, words = " ".join(words[3:]), words[:2]
    if not 1 <= len(words) <= 2:
        allowed = '"KIND COLUMN" or "KIND COLUMN in STAGE", as "mean shear_ratio"'
        raise ValueError(f"quantity: found {text!r}, allowed {allowed}")
    out = {"kind": words[0]}
    if len(words) == 2:
        out["column"] = words[1]
    if stage:
        out["stage"] = stage
    if name:
        out["name"] = name
    return out
