"""Errors about results, and the reading of one sealed HDF5 file of the program.

A sealed file starts with 512 bytes of text that hold the kind of the file, its length and its checksum. The HDF5
file follows. The source of this form is `libdem/results/hdf5_sealed.cpp`.
"""
from __future__ import annotations

import difflib
import io
import pathlib
import re
import zlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

FILE_FORMAT = 1  #: format of the files that this module reads
SEAL_SIZE = 512  #: bytes of text before the HDF5 file

FloatArray = npt.NDArray[np.float64]
Value = TypeVar("Value")


class ResultsError(Exception):
    """Results that cannot be read.

    Parameters
    ----------
    place : str
        File or folder, or the name of an entry in a file.
    found : str
        The state of the place.
    expected : str, optional
        The state that the reader needs.
    advice : str, optional
        The next action of the user.
    """

    def __init__(self, place: object, found: str, expected: str = "", advice: str = "") -> None:
        self.place, self.found, self.expected, self.advice = str(place), found, expected, advice
        super().__init__("; ".join(filter(None, [f"{place}: {found}", expected and f"expected {expected}", advice])))

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownColumn(ResultsError, KeyError):
    """A name that a series does not have. The text of the error lists the nearest names."""


class UnknownQuantity(ResultsError, KeyError, AttributeError):
    """A name that the bodies or the contacts of a snapshot do not have. The text lists the nearest names."""


class SnapshotHasNoContacts(ResultsError, AttributeError):
    """Contacts of a snapshot that was written without contacts."""


class MissingModule(ResultsError, ImportError):
    """A Python module that a function needs and that is not installed."""


class ResultsWarning(UserWarning):
    """Part of the results that is missing or damaged. The rest can be read."""


def nearest(name: object, names: Iterable[str]) -> str:
    """Describe the names next to a misspelt one, as a clause of a message."""
    known = list(names)
    text = str(name)
    close = difflib.get_close_matches(text, known, n=3, cutoff=0.6)
    close += [n for n in known if text and (text in n or n in text) and n not in close][: 3 - len(close)]
    if close:
        return f"the nearest names are {', '.join(close)}" if len(close) > 1 else f"the nearest name is {close[0]}"
    return f"the names are {', '.join(known)}" if known else "there are no names"


class ByName(dict[str, Value]):
    """Values by the name of a column. Another name raises `UnknownColumn` with the nearest names."""

    def __init__(self, place: object, values: Mapping[str, Value] = MappingProxyType({})) -> None:
        super().__init__(values)
        self._place = place

    def __missing__(self, name: object) -> Value:
        raise UnknownColumn(self._place, f"there is no column {name!r}", "one of its columns", nearest(name, self))


def checksum(data: bytes, start: int, end: int) -> int:
    """Compute the checksum of a file, with the digits of the sum itself, [start, end), taken as zeros.

    Eight digits: CRC-32. Sixteen, as in earlier files: the 64-bit FNV-1a sum (Fowler, Noll and Vo).
    """
    data = data[:start] + b"0" * (end - start) + data[end:]
    if end - start == 8:
        return zlib.crc32(data)
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def sealed_content(path: pathlib.Path, kind: str) -> bytes:
    """Read a file of the program and check its kind, its length and its checksum.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    kind : str
        Kind of the file, ``"series"``, ``"snapshot"`` or ``"checkpoint"``.

    Returns
    -------
    bytes
        The HDF5 file behind the seal.

    Raises
    ------
    ResultsError
        For a file that is missing, truncated, damaged, or of another kind or format.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ResultsError(path, f"the file cannot be read: {error.strerror or error}", f"a {kind} file") from error
    if not data.startswith(b"libdem "):
        found = "the file is empty" if not data else "this is no file of this program, or its first line is damaged"
        raise ResultsError(path, found, f"a {kind} file")
    head = data[:SEAL_SIZE]
    fields = {key: re.search(rb"\n" + key.encode() + rb" = ([^\n]*)\n", head)
              for key in ("format", "bytes", "checksum")}
    version = fields["format"][1].decode("utf-8", "replace") if fields["format"] else "(none)"
    if version != str(FILE_FORMAT):
        raise ResultsError(path, f"the file has format {version}", f"format {FILE_FORMAT}",
                           "read it with a program of the version that wrote it")
    length, total = fields["bytes"], fields["checksum"]
    if not length or not total or not length[1].isdigit() or not re.fullmatch(rb"(?:[0-9a-f]{8}){1,2}", total[1]):
        raise ResultsError(path, "the file is damaged: its first lines are not complete", "length and checksum")
    if int(length[1]) != len(data):
        state = "truncated" if len(data) < int(length[1]) else "damaged"
        raise ResultsError(path, f"the file is {state}: it has {len(data)} bytes", f"{int(length[1])} bytes")
    if checksum(data, *total.span(1)) != int(total[1], 16):
        raise ResultsError(path, "the file is damaged: its checksum does not fit its content")
    found_kind = data[7:data.index(b"\n")].decode("utf-8", "replace")
    if found_kind != kind:
        raise ResultsError(path, f"this is a {found_kind} file", f"a {kind} file")
    return data[SEAL_SIZE:]


def opened(path: pathlib.Path, kind: str) -> Any:
    """Open the HDF5 part of a sealed file from memory, as ``h5py.File``. Raises `ResultsError`."""
    content = sealed_content(path, kind)
    try:
        import h5py
    except ImportError as error:
        raise MissingModule(path, "the Python module h5py is not installed", "h5py, which reads HDF5 files",
                            "install h5py (Debian: python3-h5py)") from error
    try:
        return h5py.File(io.BytesIO(content), "r")
    except OSError as error:
        raise ResultsError(path, f"its HDF5 part cannot be read: {error}") from error


def read_text(path: pathlib.Path) -> str:
    """Read a text file, or raise `ResultsError`."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ResultsError(path, f"the file cannot be read: {reason}", f"a text file {path.name}") from error


def text_of(value: object) -> str:
    """Convert text of an HDF5 file to `str`."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def texts_of(values: Any) -> list[str]:
    """Convert an array or a single value of HDF5 texts to a list."""
    return [text_of(v) for v in np.atleast_1d(values)]


def unit_of(dataset: Any) -> str:
    """Return the unit of a dataset, ``""`` where it has none."""
    return text_of(dataset.attrs.get("unit", ""))


def description_of(dataset: Any) -> str:
    """Return the description of a dataset, ``""`` where it has none."""
    return text_of(dataset.attrs.get("description", ""))


def frozen(values: Any) -> Any:
    """Make an array read-only, against changes of results by mistake."""
    array = np.ascontiguousarray(values)
    array.setflags(write=False)
    return array


def pandas_module(place: object) -> Any:
    """Import pandas, or raise `MissingModule`."""
    try:
        import pandas
    except ImportError as error:
        raise MissingModule(place, "the Python module pandas is not installed", "pandas, which makes tables",
                            "install pandas (Debian: python3-pandas), or use the numpy arrays") from error
    return pandas
