"""Contacts of one law that are advanced together."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

from .own_law import INPUTS, REPLIES

__all__ = ["LawBlock"]

_columns = (*INPUTS, "indentation", "modulus", "ratio", "radius")


class LawBlock:
    """Contacts of one law that are advanced together, a step at a time: for motions that answer the force.

    `dem.contact` drives a contact along a path that is known before. Here the next movement may follow from the force.

    Parameters
    ----------
    law : str
        One of `dem.laws()` whose history has one size; `jaeger` has legs.
    count : int
        Number of contacts.
    **options
        Keys of the law, as in `[contact]`.

    Attributes
    ----------
    history : (count, size) array
        What the law stores of each contact. It may be changed: a contact that begins has zeros.

    Examples
    --------
    >>> springs = dem.LawBlock("hooke-history", 2, history="true")
    >>> springs.step(normal_end=1.0, stiffness=1000.0, friction=[0.5, 0.1], shift_1=2e-4).elastic_1
    array([-0.2, -0.1])
    """

    history: NDArray[np.float64]

    def __init__(self, law: str, count: int, **options: Any) -> None:
        self._engine = _dem.LawBlock(law, dict(options))
        self._given = np.zeros((len(_columns), count))
        self.history = np.zeros((count, self._engine.history_size))

    def set(self, **columns: ArrayLike) -> None:
        """Sets columns for the next steps. All are zero at first.

        Columns are those of a law of one's own (`dem.law`). Hertz contacts have also `indentation` (half of the
        overlap, m), `modulus` 8 G/(3 (1 - nu)) (Pa), `ratio` (2 - nu)/(2 (1 - nu)) and `radius`
        2 r_i r_j/(r_i + r_j) (m).
        """
        for name, values in columns.items():
            if name not in _columns:
                raise TypeError(f"LawBlock: found the column {name!r}, allowed {', '.join(_columns)}")
            self._given[_columns.index(name)] = values

    def step(self, **columns: ArrayLike) -> SimpleNamespace:
        """Sets columns, advances all contacts and returns the replies of the law, an array of each."""
        self.set(**columns)
        replies = self._engine.pass_columns(self._given, self.history)
        return SimpleNamespace(**dict(zip(REPLIES, replies)))
