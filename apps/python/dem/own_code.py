"""Motions and body forces of a run that are written in Python."""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import isfinite
from types import CodeType, FunctionType
from typing import Any, Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

import _dem

from .arrays import Moment
from .look import Bodies

__all__ = ["GroupBodies", "Motion", "OwnFunction", "source_of"]

MotionFunction = Callable[[float], "Motion"]
ForceFunction = Callable[..., None]


@dataclass(frozen=True)
class Motion:
    """Prescribed motion of a wall, a body or a group.

    Parameters
    ----------
    velocity : (2,) or (3,) sequence
        m/s.
    spin : float or (3,) sequence
        Angular velocity (rad/s): about z, or a vector in space axes.
    about : (2,) or (3,) sequence, optional
        The point about which all bodies turn (m), where it is at time t. Default: each about its own centre; a line
        wall about its middle.
    """

    velocity: Sequence[float] = (0.0, 0.0, 0.0)
    spin: float | Sequence[float] = 0.0
    about: Sequence[float] | None = None

    def _numbers(self, dimension: int) -> list[float]:
        velocity, spin = _vector("velocity", self.velocity), _vector("spin", self.spin, (0, 3))
        if len(spin) == 1:  # about z
            spin = [0.0, 0.0, *spin]
        about = [] if self.about is None else _vector("about", self.about)
        if dimension == 2 and (velocity[2] or spin[0] or spin[1]):
            raise ValueError(
                f"Motion: found velocity = {self.velocity} and spin = {self.spin}, allowed in the plane a velocity "
                "along x and y and a spin about z"
            )
        return velocity + spin + about


def _vector(name: str, given: Any, sizes: tuple[int, ...] = (2, 3)) -> list[float]:
    """Returns three numbers, or one if size 0 is allowed: a number."""
    allowed = "a number or 3 numbers" if 0 in sizes else "2 numbers (in the plane) or 3"
    try:
        x = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        x = np.empty((0, 0))
    if x.ndim > 1 or (x.size if x.ndim else 0) not in sizes:
        raise ValueError(f"Motion: found {name} = {given!r}, allowed {allowed}")
    if not np.isfinite(x).all():
        raise ValueError(f"Motion: found {name} = {given!r}, allowed finite numbers")
    numbers: list[float] = x.reshape(-1).tolist()
    return numbers + [0.0] * (3 - len(numbers)) if x.ndim else numbers


class GroupBodies(Bodies):
    """Arrays of the bodies of one group: the names, units and meanings of `Bodies`, rows of these bodies only.

    Attributes
    ----------
    ids : (n,) array
        Numbers of the bodies in the run.
    """

    ids: NDArray[np.int64]
    _rows_of_group: Any

    def __init__(self, engine: Any, moment: Moment, ids: NDArray[np.int64]) -> None:
        super().__init__(engine, moment)
        connected = len(ids) > 0 and int(ids[-1]) - int(ids[0]) + 1 == len(ids)
        self.__dict__.update(ids=ids, _rows_of_group=slice(int(ids[0]), int(ids[-1]) + 1) if connected else ids)

    def _make(self, name: str) -> NDArray[Any]:
        part: NDArray[Any] = super()._make(name)[self._rows_of_group]
        part.setflags(write=False)
        return part

    def __len__(self) -> int:
        self._live()
        return len(self.ids)

    def outlines(self, placed: bool = True) -> list[NDArray[np.float64]]:
        """A force has no outlines, which only a look has. Raises AttributeError."""
        raise AttributeError("bodies of a force: found outlines, allowed the arrays; a look of run.every has outlines")


class OwnFunction:
    """A function of a run: what it moves or loads, and its source text."""

    def __init__(self, kind: str, target: str, function: Callable[..., Any]) -> None:
        takes = {"motion": "one argument: t", "force": "four arguments: t, bodies, force, torque"}[kind]
        self.name = check_arguments(kind, function, {"motion": 1, "force": 4}[kind], takes)
        self.kind, self.target, self.function = kind, target, function
        self.source = f"# {kind} of {target}\n{source_of(function)}"

    def move(self, t: float, dimension: int) -> list[float]:
        """Returns the numbers of a motion for the engine."""
        motion = self.function(t)
        if not isinstance(motion, Motion):
            raise TypeError(f"{self.name}: found {motion!r}, allowed dem.Motion(velocity=..., spin=...)")
        return motion._numbers(dimension)

    def load(self, t: float, state: _dem.StateView, ids: Any) -> NDArray[np.float64]:
        """Returns forces and torques for the engine, shape (n, 6)."""
        loads = np.zeros((len(ids), 6))
        moment = Moment(state.step)
        try:
            bodies = GroupBodies(state, moment, np.asarray(ids))
            returned = self.function(t, bodies, loads[:, :3], loads[:, 5] if state.dimension == 2 else loads[:, 3:])
        finally:
            moment.open = False
        if returned is not None:
            raise TypeError(
                f"{self.name}: found a returned {type(returned).__name__}, allowed none; fill the arrays in place: "
                "force[:, 0] = 1"
            )
        if not isfinite(np.add.reduce(loads, axis=None)) and not np.isfinite(loads).all():  # the first is quick
            found = loads[~np.isfinite(loads)][0]
            raise ValueError(f"{self.name}: found {found} in force or torque, allowed finite numbers")
        return loads


def check_arguments(place: str, function: Any, count: int, takes: str) -> str:
    """Returns the name of a function that takes so many arguments. Raises TypeError for any other."""
    if not callable(function):
        raise TypeError(f"{place}: found {function!r}, allowed a function of {takes}")
    plain = function.func if isinstance(function, partial) else function
    name: str = getattr(plain, "__name__", type(plain).__name__)
    try:
        signature = inspect.signature(function)
    except ValueError:  # of a function in C
        raise TypeError(f"{place}: found {function!r}, allowed a function of {takes}") from None
    try:
        signature.bind(*[None] * count)
    except TypeError:
        raise TypeError(f"{place}: found {name}{signature}, allowed {takes}") from None
    return name


def source_of(function: Any) -> str:
    """Returns the source text of a function without its decorators, and the simple values that it takes from outside.

    Of a function typed at a prompt it returns the code in hexadecimal digits. A value that the function itself changes
    is left out: it is a state, and no source.
    """
    given, values = function, {}
    if isinstance(function, partial):
        values = {f"argument {k + 1}": x for k, x in enumerate(function.args)} | function.keywords
        function = function.func
    if not inspect.isroutine(function):
        function = getattr(function, "__wrapped__", None) or function.__call__  # of an object that can be called
    if inspect.ismethod(function):
        values |= {f"self.{name}": x for name, x in getattr(function.__self__, "__dict__", {}).items()}
        function = function.__func__
    function = inspect.unwrap(function)
    if not inspect.isfunction(function):
        raise TypeError(f"found {given!r}, allowed a function written with def or lambda")
    code = function.__code__
    words = list(_instructions(code))
    used = {x.argval for x in words if x.opname == "LOAD_GLOBAL"} & function.__globals__.keys()
    values |= {name: function.__globals__[name] for name in used}
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        with suppress(ValueError):  # a value that comes later
            values[name] = cell.cell_contents
    arguments = inspect.signature(function).parameters
    values |= {name: x.default for name, x in arguments.items() if x.default is not x.empty}
    changed = {x.argval for x in words if x.opname.startswith("STORE_")}
    changed |= {f"self.{name}" for name in changed}
    texts = [(name, _value_text(x)) for name, x in sorted(values.items()) if name not in changed]
    return _text_of(function) + "".join(f"# {name} = {text}\n" for name, text in texts if text)


def _instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """Those of the code and of functions in it."""
    yield from dis.get_instructions(code)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _instructions(inner)


def _text_of(function: FunctionType) -> str:
    """Returns the text of a definition without decorators, or of a lambda without its line."""
    code = function.__code__
    try:
        text = "".join(inspect.findsource(function)[0])
        nodes = [node for node in ast.walk(ast.parse(text)) if _begins(node) == (code.co_name, code.co_firstlineno)]
    except (OSError, SyntaxError):
        nodes = []
    if len(nodes) > 1:  # lambdas of one line; of nested ones the inner one is last
        nodes = [node for node in nodes if _spans(node, code)][-1:]
    source = ast.get_source_segment(text, nodes[0], padded=True) if nodes else None
    return f"{code.co_name}: {_code_text(code)}\n" if source is None else textwrap.dedent(source).rstrip() + "\n"


def _begins(node: Any) -> tuple[str, int]:
    """Name and first line of the code of a definition or lambda."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return ("<lambda>", node.lineno) if isinstance(node, ast.Lambda) else ("", 0)


def _spans(node: Any, code: CodeType) -> bool:
    """Whether all of the code comes from the body of a lambda."""
    body = node.body
    places = [place for place in code.co_positions() if all(place)]  # not the entry of the code
    begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    return all(begin <= (line, column) and (last, final) <= end for line, last, column, final in places)


def _code_text(code: CodeType) -> str:
    constants = [_code_text(x) if isinstance(x, CodeType) else repr(x) for x in code.co_consts]
    return f"{code.co_code.hex()} ({', '.join(constants)}) {code.co_names!r}"


def _value_text(x: Any) -> str:
    """Returns a text that is the same for equal values in each process; empty for all but simple values."""
    if isinstance(x, np.ndarray) and x.dtype.kind in "biufcSU":
        data = sha256(np.ascontiguousarray(x).tobytes()).hexdigest()
        return f"array of {x.dtype}, shape {x.shape}, SHA-256 {data}"
    if isinstance(x, tuple):
        parts = [_value_text(part) for part in x]
        return f"({', '.join(parts)})" if all(parts) else ""
    simple = x is None or isinstance(x, (bool, int, float, complex, str, bytes, np.generic))
    return repr(x) if simple else ""


def engine_code(
    functions: Sequence[OwnFunction], law_source: str, dimension: int, failed: Callable[[str], None]
) -> _dem.OwnCode | None:
    """Returns the functions and the source of the law for the engine; None without any. `failed` gets the name of a
    function that raises."""
    if not functions and not law_source:
        return None
    sources = ([f"# contact law\n{law_source}"] if law_source else []) + [f.source for f in functions]
    code = _dem.OwnCode("\n".join(sources))
    for f in functions:

        def call(*arguments: Any, own: OwnFunction = f) -> Any:
            try:
                return own.move(arguments[0], dimension) if own.kind == "motion" else own.load(*arguments)
            except BaseException:
                failed(own.name)
                raise

        (code.add_motion if f.kind == "motion" else code.add_force)(f.target, call)
    return code
