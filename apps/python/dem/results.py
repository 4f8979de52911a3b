"""Reading of results folders without the engine: series, profiles, snapshots, verdict, case and pictures.

>>> import dem
>>> old = dem.open("results/slow-shear")                    # doctest: +SKIP
>>> old.series["shear_ratio"].max()                         # doctest: +SKIP
>>> old.snapshots[-1].contacts.force                        # doctest: +SKIP
>>> old.plot("shear_ratio", against="strain")               # doctest: +SKIP

The forms of the files are those of `libdem/results/folder.cpp`. A run that is still being written can be read;
`Results.reload` finds its new rows.
"""
from __future__ import annotations

import html
import os
import pathlib
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np

from dem import plots
from dem.quantities import Bodies, Contacts, Quantities
from dem.result_files import (FILE_FORMAT, MissingModule, ResultsError, ResultsWarning, SnapshotHasNoContacts,
                              UnknownColumn, UnknownQuantity, nearest, read_text)
from dem.series import Series, segment_files
from dem.snapshots import Snapshot, Snapshots, step_files
from dem.verdict import Verdict, VerdictItem

__all__ = ["Bodies", "Contacts", "End", "MissingModule", "Quantities", "Results", "ResultsError", "ResultsWarning",
           "Series", "Snapshot", "SnapshotHasNoContacts", "Snapshots", "UnknownColumn", "UnknownQuantity", "Verdict",
           "VerdictItem", "open"]

T = TypeVar("T")
README_MARK = "Results of a libdem run, format = "
FINGERPRINT = re.compile(r"^fingerprint of the case at the start = ([0-9a-f]{16})$", re.MULTILINE)


@dataclass(frozen=True)
class End:
    """The last row of the series, and whether the run is at its end."""

    finished: bool  #: False for a run that goes on, or that was stopped and can be resumed
    step: int | None  #: None before the first row
    time: float | None  #: s
    strain: float | None  #: of the driver; None for a driver without strain


class Results:
    """A results folder. Parts are read when they are asked for, and kept until `reload`.

    Raises
    ------
    ResultsError
        For a part that is missing or damaged. A damaged segment of a series is left out with a `ResultsWarning`.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)
        self._readme = _checked_readme(self.path)
        self._kept: dict[str, Any] = {}

    def reload(self) -> Results:
        """Forget all that was read, so that new rows and snapshots of a running case are found. Returns itself.

        Raises ResultsError if the folder holds no results any more."""
        self._readme = _checked_readme(self.path)
        self._kept.clear()
        return self

    def _keep(self, name: str, read: Callable[[], T]) -> T:
        if name not in self._kept:
            self._kept[name] = read()
        return cast(T, self._kept[name])

    def _segments(self, name: str) -> Series | None:
        folder = self.path / name
        return self._keep(name, lambda: Series(folder) if segment_files(folder) else None)

    @property
    def case_text(self) -> str:
        """The resolved case as TOML, the file case.toml."""
        return self._keep("case_text", lambda: read_text(self.path / "case.toml"))

    @property
    def case(self) -> dict[str, Any]:
        """The resolved case as plain dictionaries and lists, for example ``case["material"]["friction"]``."""
        def parsed() -> dict[str, Any]:
            try:
                return tomllib.loads(self.case_text)
            except tomllib.TOMLDecodeError as error:
                raise ResultsError(self.path / "case.toml", f"the file is damaged: {error}", "TOML") from error
        return self._keep("case", parsed)

    @property
    def title(self) -> str:
        """Title of the case, or the name of the folder where the case has none."""
        return str(self.case.get("title") or self.path.resolve().name)

    @property
    def fingerprint(self) -> str | None:
        """Fingerprint of the case at the start, 16 hexadecimal digits. None in folders of early versions."""
        found = FINGERPRINT.search(self._readme)
        return found[1] if found else None

    @property
    def verdict(self) -> Verdict | None:
        """The run's judgement of itself. None before the end of the run."""
        def read() -> Verdict | None:
            # The program writes verdict.txt last.
            return Verdict.read(self.path) if (self.path / "verdict.txt").exists() else None
        return self._keep("verdict", read)

    @property
    def series(self) -> Series:
        """Measurements over time. A run that has just begun may have no row and no column yet."""
        return self._segments("series") or Series(self.path / "series")

    @property
    def profiles(self) -> Series | None:
        """Profiles over the height, columns of shape (rows, bins). None where the run writes none."""
        return self._segments("profiles")

    @property
    def plane_jumps(self) -> Series | None:
        """Jumps of contact planes, one row for each. None without jumps, or without the key output.plane_jumps."""
        return self._segments("plane_jumps")

    @property
    def snapshots(self) -> Snapshots:
        """Bodies and contacts at some moments, read when asked for."""
        folder = self.path / "snapshots"
        return self._keep("snapshots", lambda: Snapshots(folder, step_files(folder, ".h5")))

    @property
    def frames(self) -> list[pathlib.Path]:
        """Pictures of the assembly, SVG files in the order of their steps."""
        return step_files(self.path / "frames", ".svg")

    @property
    def end(self) -> End:
        """The last row of the series, and whether the run is at its end."""
        series, finished = self.series, (self.path / "verdict.txt").exists()
        if not series.rows:
            return End(finished, None, None, None)
        return End(finished, int(series["step"][-1]), float(series["time"][-1]),
                   float(series["strain"][-1]) if "strain" in series else None)

    def _rows_of_stage(self, stage: int | str) -> Any:
        """Mask of the rows of a stage, by its name or its number."""
        number = stage
        if isinstance(stage, str):
            names = [str(s.get("name", "")) for s in self.case.get("stage", [])]
            if stage not in names:
                raise UnknownColumn(self.path / "case.toml", f"there is no stage {stage!r}", "the name of a stage",
                                    nearest(stage, filter(None, names)))
            number = names.index(stage) + 1
        elif not 1 <= stage <= (count := len(self.case.get("stage", []))):
            raise UnknownColumn(self.path / "case.toml", f"there is no stage {stage}", f"a number from 1 to {count}")
        return self.series["stage"] == number

    def plot(self, columns: str | Sequence[str], against: str | None = None, ax: Any = None,
             stage: int | str | None = None, **style: Any) -> Any:
        """Draw columns of the series with matplotlib.

        Parameters
        ----------
        columns : str or sequence of str
            Names of columns. Several need the same unit.
        against : str, optional
            ``"strain"``, ``"time"`` or another column. By default it is the strain where the series has one, else time.
        ax : matplotlib.axes.Axes, optional
            By default a new figure is made.
        stage : int or str, optional
            Draw the rows of one stage only, by its name or by its number from 1.
        **style
            Passed to ``Axes.plot``, for example ``color`` or ``label``.

        Returns
        -------
        matplotlib.axes.Axes
            With units on both axes.

        Raises
        ------
        UnknownColumn
            For a name that the series does not have, or a stage that the case does not have.
        ResultsError
            For columns of different units.
        MissingModule
            Where matplotlib is not installed.
        """
        series = self.series
        names = [columns] if isinstance(columns, str) else list(columns)
        over = against or ("strain" if "strain" in series else "time")
        x, values = series[over], [series[n] for n in names]
        if stage is not None:
            x = np.where(self._rows_of_stage(stage), x, np.nan)
        units = list(dict.fromkeys(series.units[n] for n in names))
        if len(units) != 1:
            raise ResultsError("plot", f"the columns have the units {', '.join(units) or '(none)'}", "one unit",
                               "draw each unit with a call and axes of its own")
        is_new, ax = ax is None, plots.axes_of(ax)
        for name, y in zip(names, values):
            label = style.get("label", name.replace("_", " ") if len(names) > 1 else None)
            plots.draw_series(x, y, plots.axis_label(over, series.units[over]),
                              plots.axis_label(name if len(names) == 1 else "", units[0]).strip(), ax, series.gaps,
                              **{**style, "label": label})
        if len(names) > 1 or "label" in style:
            ax.legend(frameon=False)
        if is_new:
            ax.set_title(self.title, fontsize="medium")
        return ax

    def plot_profile(self, column: str, row: int = -1, ax: Any = None, **style: Any) -> Any:
        """Draw one row of a profile over the height of its bins.

        Parameters
        ----------
        column : str
            Column of the profiles.
        row : int
            Row of the profiles. The last one is -1.
        ax : matplotlib.axes.Axes, optional
            By default a new figure is made.
        **style
            Passed to ``Axes.plot``.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ResultsError
            For a run without profiles, or a column without bins.
        """
        profiles = self.profiles
        if profiles is None:
            raise ResultsError(self.path, "the results have no profiles", "results of a case with profiles",
                               "a case with plates writes them")
        values = profiles[column]
        if values.ndim != 2:
            raise ResultsError(profiles.folder, f"the column {column} has no bins", "a column with bins",
                               f"the columns are {', '.join(profiles.bins)}")
        style.setdefault("label", f"t = {profiles['time'][row]:.4g} s")
        ax = plots.draw_series(values[row], profiles.bins[column], plots.axis_label(column, profiles.units[column]),
                               plots.axis_label("height", profiles.bin_units[column]), ax, **style)
        ax.legend(frameon=False)
        return ax

    def _heading(self) -> str:
        try:
            end, verdict = self.end, self.verdict
            state = f"verdict {verdict.overall}" if verdict else "finished" if end.finished else "not finished"
            reached = "no rows yet" if end.step is None else f"step {end.step}, time {end.time:.6g} s"
            return f"{self.title}: {state}, {reached}, {self.series.rows} rows, {len(self.snapshots)} snapshots"
        except ResultsError as error:
            return f"results of which a part cannot be read: {error}"

    def __repr__(self) -> str:
        return f"results {self.path}\n  {self._heading()}"

    def _repr_svg_(self) -> str | None:
        """Return the last picture. Its clipping path gets a name of its own, because a page may show several."""
        frames = self.frames
        if not frames:
            return None
        own = f"window-{id(self):x}-{frames[-1].stem}"
        return read_text(frames[-1]).replace('id="window"', f'id="{own}"').replace("url(#window)", f"url(#{own})")

    def _repr_html_(self) -> str:
        picture = re.sub(r"^<\?xml[^>]*\?>\s*", "", self._repr_svg_() or "")
        return f"<p><b>{html.escape(str(self.path))}</b><br>{html.escape(self._heading())}</p>{picture}"


def open(path: str | os.PathLike[str]) -> Results:
    """Open a results folder.

    Parameters
    ----------
    path : str or path
        Folder of a run, as ``dem run --output`` writes it. The run may still go on.

    Returns
    -------
    Results

    Raises
    ------
    ResultsError
        For a path that is no results folder, or one of another format.
    """
    return Results(path)


def _checked_readme(path: pathlib.Path) -> str:
    """Return the text of README.txt, which marks a results folder."""
    expected, advice = "the results folder of a run", "give the folder that `dem run` named at its end"
    if not path.exists():
        raise ResultsError(path, "there is no such folder", expected, advice)
    if not path.is_dir():
        raise ResultsError(path, "this is a file", expected, "give the folder that holds the file")
    readme = path / "README.txt"
    text = read_text(readme) if readme.is_file() else ""
    if not text.startswith(README_MARK):
        if (path / "journal").exists() or (path / "table.h5").exists():
            raise ResultsError(path, "this is the folder of a sweep", expected, f"read the table {path / 'table.csv'}")
        if segment_files(path):
            raise ResultsError(path, "this is a folder of rows, as a sweep keeps them", expected,
                               "read them with table.series(k) of dem.sweep, or dem info")
        if (path / ".lock").exists():
            raise ResultsError(path, "a run begins here and has written nothing yet", expected, "try again later")
        raise ResultsError(path, "the folder holds no results of this program", f"{expected}, with its README.txt",
                           advice)
    version = text[len(README_MARK):].split("\n", 1)[0]
    if version != str(FILE_FORMAT):
        raise ResultsError(path, f"the folder has format {version}", f"format {FILE_FORMAT}",
                           "read it with a program of the version that wrote it")
    return text
