"""Checks of arguments."""

from __future__ import annotations

from numbers import Integral
from typing import Any

__all__ = ["whole"]


def whole(place: str, x: Any, low: int, high: int | None = None) -> int:
    """Returns a whole number of a range, which numpy may have made."""
    number = int(x) if isinstance(x, Integral) and not isinstance(x, bool) else low - 1
    if number < low or (high is not None and number > high):
        allowed = f">= {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{place}: found {x!r}, allowed a whole number {allowed}")
    return number
