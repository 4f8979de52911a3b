"""Cases: read, made from a dictionary, changed by dotted key, checked, written."""

from __future__ import annotations

import re
import tomllib
from os import PathLike
from pathlib import Path
from typing import Any, Iterator, Mapping

import _dem

from . import toml
from .errors import CaseError, FileError

__all__ = ["Case", "case_of", "help"]


class Case:
    """A case that was checked: every key of the case file, given or at its default.

    Parameters
    ----------
    tables : mapping
        The case file as a dictionary: `{"dimension": 2, "material": {"friction": 0.5, ...}, "stage": [{...}]}`.
        numpy arrays and numbers are allowed. Lists of bodies come from `dem.discs`, `dem.polygons`, `dem.spheres` and
        `dem.clusters`.
    folder : path, optional
        File names in the case are relative to this folder. Default: the present folder.

    Raises
    ------
    CaseError
        With every problem: place, found, allowed.
    TypeError
        The tables are no dictionary, or have a value that TOML has not.
    """

    __slots__ = ("_engine", "__weakref__")  # so that case.friction = 0.4, which is no key, is refused

    _engine: _dem.Case

    def __init__(self, tables: Mapping[str, Any] | Case, *, folder: str | PathLike[str] | None = None) -> None:
        if isinstance(tables, Case):
            self._engine = _dem.Case(tables._engine)
            return
        if not isinstance(tables, Mapping):
            raise TypeError(
                f"dem.Case: found {type(tables).__name__}, allowed a dictionary; dem.Case.read reads a file, "
                "dem.Case.parse a text"
            )
        name = str(Path(folder or ".").absolute() / "case")
        try:
            self._engine = _dem.Case(toml.document({"format": 1, **tables}), name)
        except CaseError as error:
            raise _by_key(error, name) from None

    @classmethod
    def read(cls, file: str | PathLike[str]) -> Case:
        """Reads a case file (TOML). Raises CaseError with all its problems, FileError without the file."""
        return cls._of(_dem.Case(_dem.read_text(Path(file)), str(file)))

    @classmethod
    def parse(cls, text: str, *, folder: str | PathLike[str] | None = None) -> Case:
        """Reads a case from TOML text. File names in it are relative to `folder`.

        Raises CaseError with all its problems, each with the line of the text."""
        if not isinstance(text, str):
            raise TypeError(f"dem.Case.parse: found {type(text).__name__}, allowed a text; dem.Case.read reads a file")
        name = str(Path(folder or ".").absolute() / "case")
        try:
            return cls._of(_dem.Case(text, name))
        except CaseError as error:
            raise _in_text(error, name) from None

    @classmethod
    def _of(cls, engine: _dem.Case) -> Case:
        case = cls.__new__(cls)
        case._engine = engine
        return case

    def __getitem__(self, key: str) -> Any:
        """Returns the value of a dotted key ("material.friction", "stage[2].duration", "body.NAME.force"), given or
        default, in SI units; None where there is neither. Raises KeyError with the nearest key."""
        _check_key(key)
        try:
            text = self._engine.value(key)
        except ValueError as error:
            raise self._no_key(key, error) from None
        return tomllib.loads(f"value = {text}")["value"] if text else None

    def __setitem__(self, key: str, value: Any) -> None:
        """Sets a dotted key and checks the case at once. A change that is refused leaves the case as it was.

        Raises the errors of `update`."""
        self.update({key: value})

    def update(self, changes: Mapping[str, Any]) -> None:
        """Sets some dotted keys and then checks the case: for keys that fit together only. All are set, or none.

        Raises
        ------
        KeyError
            The key is not one of a case.
        CaseError
            The value is not allowed, or does not fit the rest of the case.
        TypeError
            The changes are no dictionary. A key is no text, or a value is no number, text, switch, list or dictionary.
        """
        if not isinstance(changes, Mapping):
            raise TypeError(f'found {changes!r}, allowed a dictionary of keys, as {{"material.friction": 0.3}}')
        for key in changes:
            _check_key(key)
        try:
            self._engine.set([(key, toml.value(value)) for key, value in changes.items()])
        except CaseError as error:
            raise _by_key(error, "--set") from None
        except ValueError as error:
            raise self._no_key(next((key for key in changes if f'"{key}"' in str(error)), ""), error) from None

    def _no_key(self, key: str, error: ValueError) -> KeyError:
        """The error for a key that is none, or that names a table."""
        inside = [known for known in self if key and known.startswith((f"{key}.", f"{key}["))]
        return KeyError(f'found the table "{key}", allowed a key, as {inside[0]}' if inside else f"found {error}")

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and self[key] is not None
        except KeyError:
            return False

    def __iter__(self) -> Iterator[str]:
        """Returns all keys that the case has, tables and lists written as dotted keys."""
        return (key for key, _ in _dotted(self.to_dict()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_text, (self._engine.text(), self._engine.name)

    def copy(self) -> Case:
        """Returns an independent copy."""
        return Case(self)

    def changed(self, changes: Mapping[str, Any]) -> Case:
        """Returns a copy with these dotted keys set. Raises the errors of `update`."""
        case = self.copy()
        case.update(changes)
        return case

    def to_toml(self) -> str:
        """Returns the resolved case: every key, given or default, with units. It reads back to the same case."""
        return str(self._engine.resolved())

    def to_dict(self) -> dict[str, Any]:
        """Returns the resolved case as a dictionary."""
        return tomllib.loads(self.to_toml())

    def write(self, file: str | PathLike[str]) -> None:
        """Writes the resolved case to a file, which is replaced. Raises FileError if it cannot be written."""
        try:
            Path(file).write_text(self.to_toml(), encoding="utf-8")
        except OSError as error:
            raise FileError(f"cannot write {file}: {error.strerror}", error.errno or 0) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and self.to_toml() == other.to_toml()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        case = self.to_dict()
        title = case.get("title") or Path(str(self._engine.name)).stem
        law = case.get("contact", {}).get("law", "")
        stages = len(case.get("stage", []))
        return f"<dem.Case {title!r}: {case.get('dimension', 2)}D, law {law}, {stages} stage{'s' * (stages != 1)}>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<details><summary>{escape(repr(self))}</summary><pre>{escape(self.to_toml())}</pre></details>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def case_of(given: Case | Mapping[str, Any] | str | PathLike[str]) -> Case:
    """Returns the case that is given: itself, as a dictionary, or by the name of its file."""
    if isinstance(given, Case):
        return given
    return Case.read(given) if isinstance(given, (str, PathLike)) else Case(given)


def _check_key(key: Any) -> None:
    if not isinstance(key, str):
        raise TypeError(f'found the key {key!r}, allowed a text, as "material.friction"')


def _from_text(text: str, name: str) -> Case:
    return Case._of(_dem.Case(text, name))


def _by_key(error: CaseError, file: str) -> CaseError:
    """The same problems without the file and line of a text that the user never saw."""
    return CaseError(
        [
            p._replace(message=re.sub(rf"^{re.escape(file)}(:[0-9]+)*: ", "", p.message), file="", line=0)
            if p.file == file
            else p
            for p in error.problems
        ]
    )


def _in_text(error: CaseError, name: str) -> CaseError:
    """The same problems, with the word `text` instead of a file that does not exist."""
    return CaseError(
        [
            p._replace(message=re.sub(rf"^{re.escape(name)}:", "text:", p.message), file="") if p.file == name else p
            for p in error.problems
        ]
    )


def _dotted(tables: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from _dotted(value, f"{place}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for number, entry in enumerate(value, 1):
                yield from _dotted(entry, f"{place}{key}[{number}].")
        else:
            yield place + key, value


def help(word: str = "") -> None:  # noqa: A001  (the name of the command)
    """Prints the page of `dem help WORD`: a key, a table, a generator, driver or law, or a value of a key.

    Raises
    ------
    KeyError
        Nothing is known about the word.
    TypeError
        The word is no text.
    """
    if not isinstance(word, str):
        raise TypeError(f'found {word!r}, allowed a word, as "friction"')
    page = _dem.help(word)
    if page is None:
        allowed = "keys of a case, their values, generators, drivers, laws"
        nearest = _dem.nearest_key(word)
        near = f"; nearest known key: {nearest}" if nearest else ""
        raise KeyError(f"found the unknown word {word!r}, allowed {allowed}{near}")
    print(page, end="")
