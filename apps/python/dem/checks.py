"""Checks of arguments."""

from __future__ import annotations

import reprlib
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["numbers", "table", "whole"]


def numbers(place: str, values: ArrayLike) -> NDArray[np.float64]:
    """Returns finite numbers as an array of their shape."""
    try:
        if np.iscomplexobj(values):  # numpy would only warn
            raise TypeError
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):  # ragged lists, texts, complex numbers
        raise ValueError(f"{place}: found {reprlib.repr(values)}, allowed numbers, in rows of one length") from None
    for index in np.argwhere(~np.isfinite(found)):
        at = f"[{', '.join(map(str, index))}]" if len(index) else ""
        raise ValueError(f"{place}{at}: found {found[tuple(index)]}, allowed a finite number")
    return found


def table(place: str, values: ArrayLike, columns: int) -> NDArray[np.float64]:
    """Returns finite numbers as an array of shape (n, columns)."""
    rows = numbers(place, values)
    if rows.ndim != 2 or rows.shape[1] != columns:
        raise ValueError(f"{place}: found an array of shape {rows.shape}, allowed (n, {columns})")
    return rows


def whole(place: str, x: Any, low: int, high: int | None = None) -> int:
    """Returns a whole number of a range, which numpy may have made."""
    number = int(x) if isinstance(x, Integral) and not isinstance(x, bool) else low - 1
    if number < low or (high is not None and number > high):
        allowed = f">= {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{place}: found {x!r}, allowed a whole number {allowed}")
    return number
