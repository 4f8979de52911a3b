"""The verdict of a run about itself: of a run from Python, or of a results folder."""
from __future__ import annotations

import html
import json
import pathlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from dem.result_files import ResultsError, UnknownColumn, nearest, read_text


@dataclass(frozen=True)
class VerdictItem:
    """One sentence of the verdict."""

    name: str
    value: float | None  #: in the unit that the sentence names
    judgement: str
    sentence: str


class Verdict(Sequence[VerdictItem]):
    """The run's judgement of itself, one item for each sentence. ``verdict["energy_residual"]`` finds one by name.

    Attributes
    ----------
    text : str
        Lines for people, as in verdict.txt.
    data : dict
        The same for programs, as in verdict.json.
    overall : str
        The worst judgement, for example ``"good"``.
    """

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text = text
        self.data = data
        self.overall = str(data["overall"])
        self._items = [VerdictItem(i["name"], i["value"], i["judgement"], i["sentence"]) for i in data["items"]]

    @classmethod
    def read(cls, path: pathlib.Path) -> Verdict:
        """Reads the verdict of a results folder. Raises ResultsError if it is damaged."""
        text, place = read_text(path / "verdict.txt"), path / "verdict.json"
        try:
            return cls(text, json.loads(read_text(place)))
        except (ValueError, KeyError, TypeError) as error:
            raise ResultsError(place, f"the file is damaged: {error}",
                               "the verdict that a run writes at its end") from error

    @property
    def sentences(self) -> list[str]:
        """All sentences in their order."""
        return [i.sentence for i in self._items]

    @overload
    def __getitem__(self, index: int | str) -> VerdictItem: ...
    @overload
    def __getitem__(self, index: slice) -> list[VerdictItem]: ...
    def __getitem__(self, index: int | str | slice) -> VerdictItem | list[VerdictItem]:
        if not isinstance(index, str):
            return self._items[index]
        for item in self._items:
            if item.name == index:
                return item
        raise UnknownColumn("verdict", f"there is no item {index!r}", "the name of an item",
                            nearest(index, [i.name for i in self._items]))

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[VerdictItem]:
        return iter(self._items)

    def _ipython_key_completions_(self) -> list[str]:
        return [i.name for i in self._items]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return "\n".join([f"verdict: {self.overall}", *(f"  {i.judgement:10} {i.sentence}" for i in self._items)])

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{html.escape(i.judgement)}</td>"
                       f"<td style='text-align:left'>{html.escape(i.sentence)}</td></tr>" for i in self._items)
        return f"<table><caption>verdict: {html.escape(self.overall)}</caption>{rows}</table>"
