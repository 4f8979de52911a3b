"""Contact laws of one's own: in numpy, compiled by numba, or from a C plugin.

A law answers to the movement of contacts with forces and energies. n points from body i to body j. Directions 1 and 2
span the contact plane; in a plane case direction 2 stays zero. Movement and velocity are those of j relative to i.
Forces are those on j: the force of a spring opposes its elongation.
"""

from __future__ import annotations

import ctypes
import re
import signal
import threading
from collections import namedtuple
from contextlib import contextmanager
from hashlib import sha256
from keyword import iskeyword
from os import PathLike
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

import _dem

from .errors import LawFailed
from .own_code import check_arguments, source_of

__all__ = ["Law", "LawRefused", "law"]

INPUTS = (
    "normal_start",
    "normal_end",
    "normal_viscous",
    "shift_1",
    "shift_2",
    "velocity_1",
    "velocity_2",
    "stiffness",
    "damping",
    "friction",
)
REPLIES = ("elastic_1", "elastic_2", "viscous_1", "viscous_2", "stored", "dissipated", "work", "sliding")
ELONGATION = ("xi_1", "xi_2")


@contextmanager
def interrupts_between_steps(stop: Callable[[], None]) -> Iterator[None]:
    """Makes Ctrl-C call `stop` and raise KeyboardInterrupt at the end, so that no law ends a step in the middle.

    A second Ctrl-C raises it at once. Another handler of the caller, and another thread, stay as they are."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or not usual:
        yield
        return
    came: list[int] = []

    def note(number: int, frame: Any) -> None:
        if came:
            signal.default_int_handler(number, frame)
        came.append(number)
        stop()

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came:
        raise KeyboardInterrupt


class LawRefused(ValueError):
    """A law makes energy, is not objective, or depends on how a step is split. See `dem.law`."""


class Law:
    """A law that was defined: its name, histories, parameters and source text."""

    def __init__(
        self, name: str, history: Sequence[str], parameters: Mapping[str, str], source: str, checked: bool
    ) -> None:
        self.name, self.history, self.parameters = name, tuple(history), dict(parameters)
        self.source, self.checked = source, checked

    def __repr__(self) -> str:
        history, parameters = ", ".join(self.history), ", ".join(self.parameters) or "none"
        return f"<dem law {self.name!r}: history {history}; parameters {parameters}>"


defined: dict[str, Law] = {}
_failures: dict[str, BaseException] = {}  # last error of each law in numpy, which the engine cannot carry


class _Failure(Exception):
    """A law in numpy has failed; the cause is its error."""

    def __init__(self, law: str) -> None:
        super().__init__(law)
        self.law = law


def note_failure(failure: BaseException) -> None:
    """Keeps the error of a law for `law_errors`. The engine calls it with what the call of a law raised."""
    if isinstance(failure, _Failure) and failure.__cause__ is not None:
        _failures[failure.law] = failure.__cause__


@contextmanager
def law_errors() -> Iterator[None]:
    """Adds the error of a law in numpy to the `LawFailed` of the engine, as its text and cause."""
    try:
        yield
    except LawFailed as error:
        named = re.search("law '(.*)'", str(error))
        cause = _failures.pop(named[1], None) if named else None
        if cause is None:
            raise
        raise LawFailed(f"{error} with {type(cause).__name__}: {cause}") from cause


class _Fields:
    """Values by name; only some of the names may be assigned, and no others are known."""

    def __init__(self, what: str, values: Mapping[str, Any], writable: Iterable[str]) -> None:
        self.__dict__.update(values, _what=what, _writable=frozenset(writable))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._writable:
            allowed = ", ".join(sorted(self._writable)) or "none"
            raise AttributeError(f"{self._what}: found an assignment to {name!r}, allowed {allowed}")
        self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        allowed = ", ".join(known for known in self.__dict__ if not known.startswith("_")) or "none"
        raise AttributeError(f"{self._what}: found {name!r}, allowed {allowed}")


class _Maker:
    """Defines laws: `@dem.law(...)` for numpy, `dem.law.compile(...)` for numba, `dem.law.load(...)` for C."""

    def __call__(
        self,
        name: str,
        history: Sequence[str] = ELONGATION,
        parameters: Mapping[str, str] | None = None,
        *,
        checked: bool = True,
    ) -> Callable[[Callable[..., None]], Law]:
        """Decorates a function `f(block, history, p)` that is a contact law in numpy.

        The function gets some contacts at once. `block` has one array for each quantity, shape (n,): normal_start and
        normal_end, the elastic normal force at both ends of the step (N); normal_viscous (N); shift_1 and shift_2, the
        movement during the step (m); velocity_1 and velocity_2 at its end (m/s); stiffness k_t (N/m), damping gamma_t
        (kg/s) and friction mu of the pair. It fills elastic_1, elastic_2, viscous_1, viscous_2 (N), stored, dissipated
        and work (J: change of stored plus dissipated) and sliding (> 0 at the limit); these start at zero. `history`
        has one array for each name, to be read and changed, zero where a contact begins. `p` has the parameters. The
        engine uses the memory of the arrays again after the call, so a law that keeps one keeps its `copy()`.

        Parameters
        ----------
        name : str
            As in `contact.law`. A law of one's own with this name is replaced; cases that were read keep theirs.
        history : sequence of str
            Numbers that a contact keeps. With xi_1 and xi_2 first these are the elongation that observers show (m).
        parameters : mapping
            Names and units of keys of `[contact]`. A parameter may be named as one of the pair, like friction: then
            `p.friction` is that of `[contact]`, and `block.friction` that of the material.
        checked : bool
            A run first drives the law along test paths. `LawRefused` has the measured violation.

        Raises
        ------
        ValueError, TypeError
            A name is no name of Python, is there twice, or belongs to a law of the library or a key of all contacts.
        """

        names, keys = _checked_names(name, history, parameters)

        def decorate(function: Callable[..., None]) -> Law:
            check_arguments(f"law {name!r}", function, 3, "three arguments: block, history and parameters")
            own = Law(name, names, keys, source_of(function), checked)

            def call(inputs: Any, replies: Any, memory: NDArray[np.float64], numbers: NDArray[np.float64]) -> None:
                block = _Fields("block", {**dict(zip(INPUTS, inputs)), **dict(zip(REPLIES, replies))}, REPLIES)
                columns = _Fields("history", {column: memory[:, k] for k, column in enumerate(names)}, names)
                try:
                    p = _Fields("p", {key: float(numbers[k]) for k, key in enumerate(keys)}, ())
                    if (found := function(block, columns, p)) is not None:
                        what = f"a returned {type(found).__name__}"
                        raise TypeError(f"found {what}, allowed none; fill the arrays in place: block.elastic_1[:] = 1")
                    for reply, array in zip(REPLIES, replies):  # `block.stored = x` in place of `block.stored[:] = x`
                        if getattr(block, reply) is not array:
                            array[:] = getattr(block, reply)
                    for k, column in enumerate(names):
                        memory[:, k] = getattr(columns, column)
                except BaseException as error:
                    raise _Failure(name) from error

            return _define(own, 0, call, function)

        return decorate

    def compile(
        self,
        function: Callable[..., Any],
        name: str | None = None,
        history: Sequence[str] = ELONGATION,
        parameters: Mapping[str, str] | None = None,
        *,
        checked: bool = True,
    ) -> Law:
        """Compiles a law for one contact by numba (package python3-numba) and defines it.

        `function(contact, history, p)` gets numbers: `contact.shift_1` and the other inputs of `dem.law`, `history` as
        an array to be changed, `p.NAME`. It returns (elastic_1, elastic_2, viscous_1, viscous_2, stored, dissipated,
        work, sliding). It runs on any thread without the interpreter.

        Default of `name`: that of the function, with hyphens. A contact for which the function raises makes the run
        fail with `dem.RunError`.

        Raises
        ------
        ImportError
            numba is not installed.
        ValueError, TypeError
            As of `dem.law`.
        """
        if not callable(function):
            raise TypeError(f"law.compile: found {function!r}, allowed a function of contact, history and p")
        name = name or function.__name__.replace("_", "-")
        names, keys = _checked_names(name, history, parameters)
        own = Law(name, names, keys, source_of(function), checked)
        compiled = _compiled(function, len(names), tuple(keys))
        return _define(own, compiled.address, compiled, function)

    def load(self, library: str | PathLike[str], *, checked: bool = True) -> Law:
        """Defines the law of a C plugin: a shared library with a function `const dem_law* dem_law_plugin(void)`.

        The struct dem_law is in the installed header libdem/laws/law_plugin.h. The law runs on any thread without the
        interpreter. A law that was loaded stays in memory.

        Raises
        ------
        OSError
            The file is no shared library.
        ValueError
            The library has no such function, or the struct is of another version.
        """
        path = Path(library).resolve()
        try:
            plugin = ctypes.CDLL(str(path)).dem_law_plugin
        except AttributeError:
            raise ValueError(f"{path}: found no function dem_law_plugin, which returns a dem_law") from None
        plugin.restype = ctypes.c_void_p
        address = plugin()
        if not address:
            raise ValueError(f"{path}: found no law, dem_law_plugin returned a null pointer")
        name, size, keys, units, has_elongation = _dem.add_law(address)
        history = [f"h_{k}" for k in range(size)]
        if has_elongation:
            history[:2] = ELONGATION
        source = f"C plugin, SHA-256 {sha256(path.read_bytes()).hexdigest()}"
        own = Law(name, history, dict(zip(keys, units)), source, checked)
        defined[name] = own
        return own


def _checked_names(
    law: str, history: Sequence[str], parameters: Mapping[str, str] | None
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Returns the names of the history, and names and units of the parameters."""
    if not isinstance(law, str):
        raise TypeError(f'law: found {law!r}, allowed a name, as in @dem.law("soft-slip")')
    if isinstance(history, str):
        raise TypeError(f"law {law!r}: found history = {history!r}, allowed a list of names: [{history!r}]")
    if not isinstance(parameters or {}, Mapping):
        raise TypeError(f"law {law!r}: found parameters {parameters!r}, allowed names with units: {{'cohesion': 'N'}}")
    names, keys = tuple(history), dict(parameters or {})
    for what, given in (("history", names), ("parameters", tuple(keys))):
        for name in given:
            if not isinstance(name, str) or not name.isidentifier() or not name.isascii() or iskeyword(name):
                raise ValueError(f"law {law!r}: found {name!r} in {what}, allowed a name of Python")
            if name.startswith("_"):
                raise ValueError(f"law {law!r}: found {name!r} in {what}, allowed a name that begins with a letter")
        if len(set(given)) != len(given):
            raise ValueError(f"law {law!r}: found {what} {', '.join(given)}, allowed each name once")
    for name, unit in keys.items():
        if not isinstance(unit, str):
            raise TypeError(f"law {law!r}: found the unit {unit!r} of {name}, allowed a text; '' without a unit")
    return names, keys


def _define(own: Law, address: int, held: Any, function: Callable[..., Any]) -> Law:
    description = (function.__doc__ or "law of the caller's own").strip().splitlines()[0].rstrip(".")
    has_elongation = own.history[:2] == ELONGATION

    def define(parameters: dict[str, str]) -> None:
        names, units = list(parameters), list(parameters.values())
        _dem.define_law(own.name, description, len(own.history), has_elongation, names, units, address, held)

    define(own.parameters)
    try:
        _dem.key_names()
    except ValueError as error:
        # A key of every contact: with it no case could be read any more.
        define({})
        _dem.hide_law(own.name)
        defined.pop(own.name, None)
        found = ", ".join(own.parameters)
        raise ValueError(f"law {own.name!r}: found parameters {found}, allowed other names: {error}") from None
    _failures.pop(own.name, None)
    defined[own.name] = own
    return own


def _compiled(function: Callable[..., Any], history_size: int, parameters: tuple[str, ...]) -> Any:
    try:
        import numba
        from numba import carray, types
        from numba.extending import intrinsic
    except ImportError as error:
        raise ImportError("dem.law.compile needs numba, which is not installed: apt install python3-numba") from error

    @intrinsic  # type: ignore[misc]
    def pointer(context: Any, address: Any) -> Any:
        def make(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], target.get_value_type(signature.return_type))

        return types.CPointer(types.float64)(address), make

    Contact = namedtuple("Contact", INPUTS)  # type: ignore[misc]
    Parameters = namedtuple("Parameters", parameters or ("none",))  # type: ignore[misc]
    one = numba.njit(function)
    # The words of dem_law_block (libdem/laws/law_plugin.h): four numbers of 32 bits, then pointers.
    inputs = ", ".join(f"{x}[k]" for x in INPUTS)
    lines = [
        "def contacts(words):",
        "    w = carray(words, 22)",
        "    count = w[0] >> 32",
        f"    memory = carray(pointer(w[3]), (count, {history_size}))",
        f"    given = carray(pointer(w[2]), {max(1, len(parameters))})",
        f"    p = Parameters({', '.join(f'given[{k}]' for k in range(max(1, len(parameters))))})",
        *(f"    {x} = carray(pointer(w[{4 + k}]), count)" for k, x in enumerate(INPUTS)),
        *(f"    {x} = carray(pointer(w[{4 + len(INPUTS) + k}]), count)" for k, x in enumerate(REPLIES)),
        "    for k in range(count):",
        f"        r = one(Contact({inputs}), memory[k], p)",
        *(f"        {x}[k] = r[{k}]" for k, x in enumerate(REPLIES)),
        "def entry(words, user):",
        "    try:",
        "        contacts(words)",
        "    except Exception:",  # numba would print it and return 0
        "        return 1",
        "    return 0",
    ]
    names = {"carray": carray, "pointer": pointer, "Contact": Contact, "Parameters": Parameters, "one": one}
    exec("\n".join(lines), names)
    names["contacts"] = numba.njit(names["contacts"])
    return numba.cfunc(types.int32(types.CPointer(types.int64), types.voidptr))(names["entry"])


law = _Maker()
