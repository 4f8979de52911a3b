"""Contacts of one law that are advanced together."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import _dem

from .checks import numbers, whole
from .own_law import INPUTS, REPLIES, law_errors

__all__ = ["LawBlock"]

_columns = (*INPUTS, "indentation", "modulus", "ratio", "radius")
_regimes = np.array(_dem.contact_regimes())


class LawBlock:
    """Contacts of one law that are advanced together, a step at a time: for motions that answer the force.

    `dem.contact` drives a contact along a path that is known before. Here the next movement may follow from the force.

    Parameters
    ----------
    law : str
        One of `dem.laws()`.
    count : int
        Number of contacts.
    **options
        Keys of the law, as in `[contact]`.

    Raises
    ------
    ValueError
        There is no such law, no such option, or its value is not allowed. `count` is no whole number >= 0.
    TypeError
        The law is no name, or an option is no number, text, switch or list.

    Examples
    --------
    >>> springs = dem.LawBlock("hooke-history", 2, history="true")
    >>> springs.step(normal_end=1.0, stiffness=1000.0, friction=[0.5, 0.1], shift_1=2e-4).elastic_1
    array([-0.2, -0.1])
    """

    def __init__(self, law: str, count: int, **options: Any) -> None:
        try:
            self._engine = _dem.LawBlock(law, dict(options))
        except TypeError:
            found = f"{law!r} with {options}"
            raise TypeError(f"LawBlock: found {found}, allowed the name of a law and values of its keys") from None
        self._given = np.zeros((len(_columns), whole("LawBlock: count", count, 0)))
        self._history = np.zeros((count, self._engine.history_size))

    @property
    def history(self) -> NDArray[np.float64]:
        """What the law stores of each contact, shape (count, size). Each step changes this array.

        It may be changed: a contact that begins has zeros. The legs of the laws jaeger lie elsewhere, so their history
        is not to be changed. There a contact ends in a step with `indentation` 0. Values of another shape, or
        that are not finite, raise ValueError.
        """
        return self._history

    @history.setter
    def history(self, values: ArrayLike) -> None:
        given, shape = numbers("LawBlock: history", values), self._history.shape
        if given.shape not in ((), shape):
            raise ValueError(f"LawBlock: history: found shape {given.shape}, expected one number, or {shape}")
        self._history[:] = given

    def set(self, **columns: ArrayLike) -> None:
        """Sets columns for the next steps. All are zero at first.

        Columns are those of a law of one's own (`dem.law`). Hertz contacts have also `indentation` (half of the
        overlap, m), `modulus` 8 G/(3 (1 - nu)) (Pa), `ratio` (2 - nu)/(2 (1 - nu)) and `radius`
        2 r_i r_j/(r_i + r_j) (m).

        Raises
        ------
        TypeError
            There is no such column.
        ValueError
            A column is neither one finite number nor one for each contact.
        """
        count = self._given.shape[1]
        for name, values in columns.items():
            if name not in _columns:
                raise TypeError(f"LawBlock: found the column {name!r}, allowed {', '.join(_columns)}")
            given = numbers(f"LawBlock: {name}", values)
            if given.shape not in ((), (count,)):
                found = f"length {len(given)}" if given.ndim == 1 else f"shape {given.shape}"
                raise ValueError(f"LawBlock: {name}: found {found}, expected one number, or length {count}: one for "
                                 "each contact")
            self._given[_columns.index(name)] = given

    def step(self, **columns: ArrayLike) -> SimpleNamespace:
        """Sets columns, advances all contacts and returns the replies of the law, an array of each.

        Beside the replies of a law of one's own there is `elongation`, the elastic one (2, count) (m). Hertz laws with
        a memory of turning points tell the `regime`, as in `ContactPath`, and the laws jaeger their `leg_count`.

        Raises
        ------
        LawFailed
            A law of one's own failed. The cause is its error.
        TypeError, ValueError
            As of `set`.
        """
        self.set(**columns)
        with law_errors():
            replies, regime, leg_count = self._engine.pass_columns(self._given, self.history)
        told = SimpleNamespace(**dict(zip(REPLIES, replies)), elongation=replies[-2:])
        if regime is not None:
            told.regime = _regimes[regime]
        if leg_count is not None:
            told.leg_count = leg_count
        return told
