"""Looks at a run: bodies, contacts and the row of the series at one moment."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from types import TracebackType
from typing import Any, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

import _dem

from .arrays import Array, LookOver, Moment, ReadOnly
from .result_files import ByName

__all__ = ["Bodies", "Contacts", "Look", "Row"]


# The same for all looks, which are many.
_describe_contacts = cache(_dem.describe_contacts)


@cache
def _describe_bodies(dimension: int) -> list[tuple[str, str, str]]:
    return [
        ("id", "", "number of the body, as used by the contacts"),
        ("name", "", "names given in the case; empty: none"),
        *_dem.describe_bodies(dimension),
    ]


def _units(rows: list[tuple[str, str, str]]) -> dict[str, str]:
    return ByName("units", {name: unit for name, unit, _ in rows})


class _Columns(ReadOnly):
    """Arrays by name, made when they are asked for."""

    _what = "column"
    _engine: _dem.Run
    _moment: Moment
    _rows: list[tuple[str, str, str]]
    _made: dict[str, Array]

    def __init__(self, engine: _dem.Run, moment: Moment, rows: list[tuple[str, str, str]]) -> None:
        self.__dict__.update(_engine=engine, _moment=moment, _rows=rows, _made={})  # quickly, since looks are many

    def _make(self, name: str) -> NDArray[Any]:
        raise NotImplementedError

    @property
    def units(self) -> dict[str, str]:
        """Unit of each array (SI; "1" or "" without a unit)."""
        return _units(self._rows)

    @property
    def descriptions(self) -> dict[str, str]:
        """One sentence for each array."""
        return ByName("descriptions", {name: text for name, _, text in self._rows})

    def __getitem__(self, name: str) -> Array:
        if name not in self._made:
            self._moment.check()
            known = [row[0] for row in self._rows]
            if name not in known:
                near = get_close_matches(name, known)
                raise KeyError(
                    f"found {name!r}, allowed {', '.join(known)}" + (f"; nearest: {', '.join(near)}" if near else "")
                )
            self._made[name] = Array(self._make(name), self._moment)
        return self._made[name]

    def __getattr__(self, name: str) -> Array:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self]

    def __iter__(self) -> Iterator[str]:
        return (row[0] for row in self._rows)

    def keys(self) -> list[str]:
        """Names of the arrays."""
        return list(self)

    def __contains__(self, name: object) -> bool:
        return name in self.keys()

    def _ipython_key_completions_(self) -> list[str]:
        return self.keys()

    def _live(self) -> _dem.Run:
        self._moment.check()
        return self._engine

    def __repr__(self) -> str:
        lines = [f"  {name:<22}{unit:<8}{text}" for name, unit, text in self._rows]
        return f"<{len(self) if self._moment.open else 'closed'} {self._what}>\n" + "\n".join(lines)

    def __len__(self) -> int:
        raise NotImplementedError


class Bodies(_Columns):
    """Arrays of the bodies, by id: the same names, shapes and units as in snapshots."""

    _what = "bodies"

    def __init__(self, engine: _dem.Run, moment: Moment) -> None:
        super().__init__(engine, moment, _describe_bodies(engine.dimension))

    def _make(self, name: str) -> NDArray[Any]:
        if name == "id":
            return np.arange(self._engine.body_count(), dtype=np.uint64)
        if name == "name":
            return np.array(self._engine.body_names() or [""] * self._engine.body_count())
        return self._engine.body_array(name)

    def __len__(self) -> int:
        return self._live().body_count()

    @property
    def group_names(self) -> list[str]:
        """Names of the groups: `bodies.group` is an index into them."""
        return self._live().group_names()

    @property
    def names(self) -> list[str]:
        """Names of the bodies, "" where the case gives none."""
        return list(self["name"].tolist())

    def in_group(self, name: str) -> NDArray[np.bool_]:
        """Returns which bodies are in a group, shape (n,). Raises KeyError if there is no such group."""
        groups = self.group_names
        if name not in groups:
            raise KeyError(f"found the group {name!r}, allowed {', '.join(groups)}")
        return np.asarray(self["group"] == groups.index(name))

    def outlines(self, placed: bool = True) -> list[NDArray[np.float64]]:
        """Returns the placed outline of each body (m), shape (k, 2): polygons, and 32 points on the circle of discs.
        Walls, spheres and clusters have none. Not placed: the vertices of polygons about the centroid, as a case lists
        them."""
        return self._live().outlines(placed)


class Contacts(_Columns):
    """Arrays of the contacts, in the order of their keys: the same names and units as in snapshots. A contact joins
    body i to body j (i < j); its normal points from i to j; its force acts on i."""

    _what = "contacts"

    def __init__(self, engine: _dem.Run, moment: Moment) -> None:
        super().__init__(engine, moment, _describe_contacts())

    def _make(self, name: str) -> NDArray[Any]:
        return self._engine.contact_array(name)

    def __len__(self) -> int:
        return self._live().contact_count()


class Row(ReadOnly, Mapping[str, float]):
    """Values of the columns of the series at this moment, worked out when they are asked for."""

    _engine: _dem.Run
    _moment: Moment
    _made: list[tuple[str, str, str]]

    def __init__(self, engine: _dem.Run, moment: Moment) -> None:
        self.__dict__.update(_engine=engine, _moment=moment, _made=[])

    @property
    def _columns(self) -> list[tuple[str, str, str]]:
        self._made = self._made or self._engine.columns()
        return self._made

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column."""
        return _units(self._columns)

    @property
    def descriptions(self) -> dict[str, str]:
        """One sentence for each column."""
        return ByName("descriptions", {name: text for name, _, text in self._columns})

    def __getitem__(self, name: str) -> float:
        self._moment.check()
        try:
            return self._engine.row_value(name)
        except KeyError:
            near = get_close_matches(name, list(self))
        nearest = f"; nearest: {', '.join(near)}" if near else ""
        raise KeyError(f"found {name!r}, which is no column of this run; list(look.series) has them{nearest}")

    def __iter__(self) -> Iterator[str]:
        return (name for name, _, _ in self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def __repr__(self) -> str:
        return "<row of the series: " + ", ".join(self) + ">"


class Look(ReadOnly):
    """The state of a run at one moment. It changes nothing. Its arrays are read-only and end with it.

    Attributes
    ----------
    step : int
    time : float
        s
    strain : float
        Plates: shear strain of all stages. Cell: strain of the present stage.
    stage : int
        Number of the present stage, from 1. The number of stages plus one once the run is over.
    bodies : Bodies
    contacts : Contacts
    series : Row
        The columns of the series at this moment.
    """

    _engine: _dem.Run
    _moment: Moment
    _reasons: list[str]
    step: int
    time: float
    strain: float
    stage: int
    bodies: Bodies
    contacts: Contacts
    series: Row

    def __init__(self, engine: _dem.Run, reasons: list[str] | None = None) -> None:
        moment = Moment(engine.step)
        self.__dict__.update(
            _engine=engine,
            _moment=moment,
            _reasons=[] if reasons is None else reasons,  # to stop, of all looks at this step
            step=engine.step,
            time=engine.time,
            strain=engine.strain,
            stage=engine.stage + 1,
            bodies=Bodies(engine, moment),
            contacts=Contacts(engine, moment),
            series=Row(engine, moment),
        )

    def stop(self, reason: str) -> None:
        """Ends the run after this step, with a checkpoint and a verdict that has the reason as a sentence.

        Reasons of several calls are joined.

        Raises
        ------
        TypeError, ValueError
            The reason is no text, or empty.
        LookOver
            The look is over.
        RuntimeError
            The run is not running: the look is not that of a callback.
        """
        if not self._moment.open:
            raise LookOver(f"the look at step {self._moment.step} is over; stop() is for callbacks")
        if not self._engine.running:
            raise RuntimeError("stop: found a run that is not running, allowed in a callback; run.every calls one")
        if not isinstance(reason, str):
            raise TypeError(f"stop: found {reason!r}, allowed a sentence without full stop")
        sentence = " ".join(reason.split()).removesuffix(".")  # a verdict has a line for each sentence
        if not sentence:
            raise ValueError("stop: found no reason, allowed a sentence without full stop")
        if sentence not in self._reasons:
            self._reasons.append(sentence)
        self._engine.stop("; ".join(self._reasons))

    @property
    def hash(self) -> str:
        """Hash of the state, as `dem run` prints it: equal for equal bits."""
        return self._live().hash

    @property
    def cell_vectors(self) -> NDArray[np.float64]:
        """Vectors a, b, c of the cell (m), one in each row of an array (3, 3)."""
        return self._live().cell_vectors()

    @property
    def cell_origin(self) -> NDArray[np.float64]:
        """Lower left corner of the cell (m), shape (2,) in the plane and (3,) in space."""
        return self._live().cell_origin()

    @property
    def cell_periodic(self) -> NDArray[np.bool_]:
        """Whether the cell is periodic along a, b, c, shape (3,)."""
        return self._live().cell_periodic()

    def _live(self) -> _dem.Run:
        self._moment.check()
        return self._engine

    def close(self) -> None:
        """Ends the look: its arrays raise from now on."""
        self._moment.open = False

    def __enter__(self) -> Look:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "" if self._moment.open else ", over"
        return f"<dem.Look at step {self.step}, t = {self.time:.6g} s, strain {self.strain:.6g}{state}>"

    def _repr_svg_(self) -> str | None:
        return self._engine.frame() if self._moment.open else None
