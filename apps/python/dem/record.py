"""Columns of the series that a run keeps in memory."""

from __future__ import annotations

from typing import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

import _dem

__all__ = ["Record"]


class Record(Mapping[str, NDArray[np.float64]]):
    """What `run.record` keeps: an array for each column, of the rows so far."""

    def __init__(self, columns: tuple[str, ...], steps: int) -> None:
        self._columns = list(columns)
        self._steps = steps
        self._rows = np.empty((0, len(columns)))

    def _begin(self, engine: _dem.Run) -> None:
        try:
            self._number = engine.add_recording(self._columns, self._steps)
        except KeyError as error:
            raise KeyError(
                f"found {error.args[0]!r}, which is no column of this run; list(look.series) has them"
            ) from None
        self._engine = engine

    @property
    def rows(self) -> NDArray[np.float64]:
        """All columns, shape (rows, columns)."""
        if self._engine.recorded_rows(self._number) != len(self._rows):
            self._rows = self._engine.recorded(self._number)
        return self._rows

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        if name not in self._columns:
            raise KeyError(f"found {name!r}, allowed {', '.join(self._columns)}")
        return self.rows[:, self._columns.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"<record of {', '.join(self._columns)}: {len(self.rows)} rows>"
