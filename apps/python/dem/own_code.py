"""Motions and body forces of a run that are written in Python."""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass
from typing import Any, Callable, Sequence

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
        The point about which all bodies turn (m). Default: each about its own centre; a line wall about its middle.
    """

    velocity: Sequence[float] = (0.0, 0.0, 0.0)
    spin: float | Sequence[float] = 0.0
    about: Sequence[float] | None = None

    def _numbers(self) -> list[float]:
        about_z = isinstance(self.spin, (int, float, np.floating))
        spin = [0.0, 0.0, float(self.spin)] if about_z else _three(self.spin, "spin")  # type: ignore[arg-type]
        return _three(self.velocity, "velocity") + spin + ([] if self.about is None else _three(self.about, "about"))


def _three(x: Any, name: str) -> list[float]:
    numbers = [float(part) for part in x]
    if len(numbers) not in (2, 3):
        raise ValueError(f"Motion: found {name} with {len(numbers)} numbers, allowed 2 (in the plane) or 3")
    return numbers + [0.0] * (3 - len(numbers))


class GroupBodies(Bodies):
    """Arrays of the bodies of one group: the names, units and meanings of `Bodies`, rows of these bodies only.

    Attributes
    ----------
    ids : (n,) array
        Numbers of the bodies in the run.
    """

    def __init__(self, engine: Any, moment: Moment, ids: NDArray[np.int64]) -> None:
        super().__init__(engine, moment)
        self.ids = ids
        connected = len(ids) > 0 and int(ids[-1]) - int(ids[0]) + 1 == len(ids)
        self._rows_of_group: Any = slice(int(ids[0]), int(ids[-1]) + 1) if connected else ids

    def _make(self, name: str) -> NDArray[Any]:
        part: NDArray[Any] = super()._make(name)[self._rows_of_group]
        part.setflags(write=False)
        return part

    def __len__(self) -> int:
        return len(self.ids)


class OwnFunction:
    """A function of a run: what it moves or loads, and its source text."""

    def __init__(self, kind: str, target: str, function: Callable[..., Any]) -> None:
        wanted = {"motion": 1, "force": 4}[kind]
        signature = inspect.signature(function)
        if len(signature.parameters) != wanted:
            takes = {"motion": "one argument: t", "force": "four arguments: t, bodies, force, torque"}[kind]
            raise TypeError(f"{kind}: found {function.__name__}{signature}, allowed {takes}")
        self.kind, self.target, self.function = kind, target, function
        self.name: str = function.__name__
        self.source = f"# {kind} of {target}\n{source_of(function)}"

    def move(self, t: float) -> list[float]:
        """Returns the numbers of a motion for the engine."""
        motion = self.function(t)
        if not isinstance(motion, Motion):
            raise TypeError(f"{self.name}: found {motion!r}, allowed dem.Motion(velocity=..., spin=...)")
        return motion._numbers()

    def load(self, t: float, state: _dem.StateView, ids: Any) -> NDArray[np.float64]:
        """Returns forces and torques for the engine, shape (n, 6)."""
        loads = np.zeros((len(ids), 6))
        moment = Moment(state.step)
        try:
            bodies = GroupBodies(state, moment, np.asarray(ids))
            self.function(t, bodies, loads[:, :3], loads[:, 5] if state.dimension == 2 else loads[:, 3:])
        finally:
            moment.open = False
        return loads


def source_of(function: Callable[..., Any]) -> str:
    """Returns the source text of a function. Of a function typed at a prompt, its code in hexadecimal digits."""
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        code = getattr(function, "__code__", None)
        if code is None:
            raise TypeError(f"found {function!r}, allowed a function written with def or lambda") from None
        return f"{function.__name__}: {code.co_code.hex()} {code.co_consts!r} {code.co_names!r}\n"


def engine_code(
    functions: Sequence[OwnFunction], law_source: str, failed: Callable[[str], None]
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
                return own.move(*arguments) if own.kind == "motion" else own.load(*arguments)
            except BaseException:
                failed(own.name)
                raise

        (code.add_motion if f.kind == "motion" else code.add_force)(f.target, call)
    return code
