"""Series of a results folder: one numpy array for each measured column.

A run writes segments 000001.h5, 000002.h5, … and replaces the last one until it is full. The source of this form is
`libdem/results/series.cpp`.
"""
from __future__ import annotations

import html
import pathlib
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dem.result_files import (ByName, FloatArray, MissingModule, ResultsError, ResultsWarning, UnknownColumn,
                              description_of, frozen, nearest, opened, pandas_module, text_of, texts_of, unit_of)


class _Segment:
    """Columns of one segment file."""

    def __init__(self, path: pathlib.Path) -> None:
        self.values: dict[str, FloatArray] = {}
        self.units: dict[str, str] = {}
        self.descriptions: dict[str, str] = {}
        self.bins: dict[str, FloatArray] = {}
        self.bin_units: dict[str, str] = {}
        with opened(path, "series") as file:
            try:
                self._read(file)
            except (KeyError, OSError, ValueError) as error:
                raise ResultsError(path, f"an entry is missing or of another form: {text_of(error)}") from error
        if len({len(v) for v in self.values.values()}) != 1:
            raise ResultsError(path, "its columns differ in length, or it has none", "columns of equal length")

    def _read(self, file: Any) -> None:
        # Earlier versions of the program had a dataset instead of the attribute.
        for name in texts_of(file.attrs["order"] if "order" in file.attrs else file["order"][()]):
            column = file[name]
            self.values[name] = np.asarray(column[()], dtype=np.float64)
            self.units[name], self.descriptions[name] = unit_of(column), description_of(column)
            if column.ndim == 2:
                self.bins[name] = np.asarray(file["bins"][name][()], dtype=np.float64)
                self.bin_units[name] = unit_of(file["bins"][name])

    def same_columns(self, other: _Segment) -> bool:
        """Compare the names in their order, and the bins."""
        return list(self.values) == list(other.values) and self.bins.keys() == other.bins.keys() and all(
            np.array_equal(bins, other.bins[name]) for name, bins in self.bins.items())

    @property
    def rows(self) -> int:
        return len(next(iter(self.values.values())))


class Series(Mapping[str, FloatArray]):
    """Measurements over time, a mapping from the name of a column to its values.

    ``series["shear_ratio"]`` is an array of shape (rows,). A column of profiles has the shape (rows, bins). The arrays
    are read-only float64; use ``.copy()`` before changing one.

    Attributes
    ----------
    folder : pathlib.Path
        The folder of the segments.
    units, descriptions : dict of str
        Unit (``"1"``: none) and meaning of each column.
    bins : dict of numpy.ndarray
        Centres of the bins of each column of profiles, shape (bins,).
    bin_units : dict of str
        Unit of these centres.
    problems : list of str
        Sentences on segments that are missing or damaged. The series leaves their rows out.
    gaps : list of int
        Rows before which rows are lost.
    """

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.units: dict[str, str] = {}
        self.descriptions: dict[str, str] = {}
        self.bins: dict[str, FloatArray] = {}
        self.bin_units: dict[str, str] = {}
        self.problems: list[str] = []
        self.gaps: list[int] = []
        self._values: dict[str, FloatArray] = {}
        self._read()

    def _read(self) -> None:
        segments: list[_Segment] = []
        expected, rows, lost = 1, 0, False
        for path in segment_files(self.folder):
            number = int(path.stem)
            if number > expected:
                which = "is" if number == expected + 1 else f"to {number - 1:06}.h5 are"
                self.problems.append(f"{self.folder / f'{expected:06}.h5'} {which} missing")
                lost = True
            expected = number + 1
            try:
                segment = _Segment(path)
                if segments and not segment.same_columns(segments[0]):
                    raise ResultsError(path, "the segment has other columns", "the columns of the segments before")
            except MissingModule:
                raise
            except ResultsError as error:
                self.problems.append(str(error))
                lost = True
                continue
            if lost:
                self.gaps.append(rows)
            lost = False
            segments.append(segment)
            rows += segment.rows
        if not segments:
            if self.problems:
                raise ResultsError(self.folder, f"no segment can be read: {self.problems[-1]}")
            return
        first = segments[0]
        self.units, self.descriptions = ByName(self.folder, first.units), ByName(self.folder, first.descriptions)
        self.bins = ByName(self.folder, {n: frozen(b) for n, b in first.bins.items()})
        self.bin_units = ByName(self.folder, first.bin_units)
        self._values = {n: frozen(np.concatenate([s.values[n] for s in segments])) for n in first.values}
        for problem in self.problems:
            warnings.warn(f"{problem}; the series has no rows of this segment", ResultsWarning, stacklevel=4)

    @property
    def columns(self) -> list[str]:
        """Names of the columns in the order of the files."""
        return list(self._values)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self._values.values()))) if self._values else 0

    def __getitem__(self, name: str) -> FloatArray:
        """Return a column, shape (rows,) or (rows, bins). Raises `UnknownColumn`, which is a KeyError."""
        try:
            return self._values[name]
        except KeyError:
            if not self._values:
                raise UnknownColumn(self.folder, f"there is no column {name!r}, and no row yet",
                                    "at least one row", "call reload() of the results later") from None
            raise UnknownColumn(self.folder, f"there is no column {name!r}", "one of its columns",
                                nearest(name, self._values)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        """Number of columns, as of every mapping."""
        return len(self._values)

    def to_pandas(self) -> Any:
        """Convert to a ``pandas.DataFrame`` with one row for each row of the series.

        A column of profiles becomes one column for each bin, named ``NAME_1``, ``NAME_2``, … as in series.csv.
        ``frame.attrs["units"]`` has the units.

        Raises
        ------
        MissingModule
            Where pandas is not installed.
        """
        data: dict[str, FloatArray] = {}
        units: dict[str, str] = {}
        for name, values in self._values.items():
            parts = {name: values} if values.ndim == 1 else {f"{name}_{k + 1}": v for k, v in enumerate(values.T)}
            data.update({n: v.copy() for n, v in parts.items()})
            units.update(dict.fromkeys(parts, self.units[name]))
        frame = pandas_module(self.folder).DataFrame(data)
        frame.attrs["units"] = units
        return frame

    def _range_of(self, name: str) -> str:
        values = self._values[name][np.isfinite(self._values[name])]
        return f"{values.min():.6g} … {values.max():.6g}" if values.size else "no finite value"

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        lines = [f"  {n:{width}}  {self.units[n]:5}  {self._range_of(n)}" for n in self]
        return "\n".join([f"series of {self.rows} rows and {len(self)} columns in {self.folder}", *lines])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td><code>{html.escape(n)}</code></td><td>{html.escape(self.units[n])}</td>"
            f"<td>{self._range_of(n)}</td>"
            f"<td style='text-align:left'>{html.escape(self.descriptions[n])}</td></tr>" for n in self)
        return (f"<table><caption>{self.rows} rows in {html.escape(str(self.folder))}</caption>"
                f"<tr><th>column</th><th>unit</th><th>range</th><th>meaning</th></tr>{rows}</table>")

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns


def segment_files(folder: pathlib.Path) -> list[pathlib.Path]:
    """List the files 000001.h5, 000002.h5, … of a folder in their order. Other files do not belong to the series."""
    if not folder.is_dir():
        return []
    return sorted(p for p in folder.iterdir() if re.fullmatch(r"[0-9]{6}\.h5", p.name))
