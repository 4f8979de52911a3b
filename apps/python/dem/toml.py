"""Python values as TOML text: for cases, sweeps and contact drives that are given as dictionaries."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from typing import Any

__all__ = ["document", "value"]


def value(x: Any) -> str:
    """Returns a value as TOML text. numpy numbers and arrays are taken like Python's."""
    if hasattr(x, "tolist"):  # numpy
        x = x.tolist()
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, int):
        if not -(2**63) <= x < 2**63:
            raise TypeError(f"found {reprlib.repr(x)}, allowed whole numbers from -2^63 to 2^63 - 1")
        return str(x)
    if isinstance(x, float):
        return repr(x) if math.isfinite(x) else ("nan" if math.isnan(x) else "inf" if x > 0 else "-inf")
    if isinstance(x, str):
        return text(x)
    if isinstance(x, PathLike):
        return text(fspath(x))
    if isinstance(x, Mapping):
        return "{ " + ", ".join(f"{name(k)} = {value(v)}" for k, v in x.items()) + " }"
    if isinstance(x, Iterable):
        return "[" + ", ".join(value(v) for v in x) + "]"
    raise TypeError(f"found {x!r} of type {type(x).__name__}, allowed numbers, texts, switches, lists and dictionaries")


def text(x: str) -> str:
    """Returns a text in quotes, with escapes."""
    out = []
    for c in x:
        if c in '"\\':
            out.append("\\" + c)
        elif ord(c) < 0x20 or ord(c) == 0x7F:
            out.append(f"\\u{ord(c):04x}")
        elif 0xD800 <= ord(c) <= 0xDFFF:
            raise TypeError(f"found the text {x!r}, allowed Unicode characters: {c!r} is half of one")
        else:
            out.append(c)
    return '"' + "".join(out) + '"'


def name(key: str) -> str:
    """Returns a key, in quotes where TOML needs them."""
    if not isinstance(key, str):
        raise TypeError(f"found the key {key!r}, allowed a text")
    bare = key and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if bare else text(key)


def _is_table(x: Any) -> bool:
    return isinstance(x, Mapping)


def _is_list_of_tables(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and len(x) > 0 and all(isinstance(entry, Mapping) for entry in x)


def document(tables: Mapping[str, Any]) -> str:
    """Returns a dictionary as a TOML document: plain keys first, then [tables] and [[lists of tables]]."""
    lines = [f"{name(k)} = {value(v)}" for k, v in tables.items() if not _is_table(v) and not _is_list_of_tables(v)]
    for key, part in tables.items():
        if _is_table(part):
            lines += ["", f"[{name(key)}]"] + [f"{name(k)} = {value(v)}" for k, v in part.items()]
        elif _is_list_of_tables(part):
            for entry in part:
                lines += ["", f"[[{name(key)}]]"] + [f"{name(k)} = {value(v)}" for k, v in entry.items()]
    return "\n".join(lines) + "\n"
