"""Arrays of a look: numpy arrays without a copy, read-only, that raise once the look is over."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "LookOver", "Moment", "ReadOnly"]


class LookOver(RuntimeError):
    """An array was used after its look. The engine may have moved or changed that memory. Copy it during the look."""


class Moment:
    """The time during which arrays of a look may be used."""

    def __init__(self, step: int) -> None:
        self.step = step
        self.open = True

    def check(self) -> None:
        """Raises LookOver once the look is over."""
        if not self.open:
            raise LookOver(f"the look at step {self.step} is over; look again")


class ReadOnly:
    """An object of a look, to which nothing can be assigned."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(
                f"{name}: found an assignment, allowed none, since a look changes nothing; run.motion and run.force "
                "act on bodies, and a force fills its arrays force and torque"
            )
        object.__setattr__(self, name, value)


# Parts of an array that would show its memory after the look.
_lasting = {"base", "ctypes", "data", "flat", "getfield", "setflags"}


class Array(ReadOnly, np.lib.mixins.NDArrayOperatorsMixin):
    """An array that belongs to a look at a run. It behaves like a read-only numpy array while the look lasts.

    Arithmetic and numpy functions read the memory of the engine without a copy. Their results are plain numpy arrays,
    which stay. `copy()` and `numpy.asarray()` give a plain array, too. Parts (`force[:, 0]`, `force.T`) are arrays of
    the same look.

    Raises
    ------
    LookOver
        By any use after the look.
    ValueError
        By writing into the array.
    """

    __slots__ = ("_memory", "_moment")
    _memory: NDArray[Any]
    _moment: Moment

    def __init__(self, memory: NDArray[Any], moment: Moment) -> None:
        object.__setattr__(self, "_memory", memory)  # quickly
        object.__setattr__(self, "_moment", moment)

    def _live(self) -> NDArray[Any]:
        if not self._moment.open:
            raise LookOver(
                f"this array belongs to a look at step {self._moment.step}, which is over; allowed only during the "
                "look; keep a copy: array.copy()"
            )
        return self._memory

    def _wrap(self, result: Any) -> Any:
        """Parts of the memory stay arrays of the look; everything else is plain."""
        if isinstance(result, np.ndarray):
            shared = np.may_share_memory(result, self._memory) or (result.size == 0 and result.base is not None)
            return Array(result, self._moment) if shared else result
        if isinstance(result, (tuple, list)) and any(isinstance(part, np.ndarray) for part in result):
            return type(result)(self._wrap(part) for part in result)
        return result

    def __array__(self, dtype: Any = None) -> NDArray[Any]:
        return np.array(self._live(), dtype=dtype, copy=True)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if any(isinstance(out, Array) for out in options.get("out", ()) or ()):
            raise ValueError("arrays of a look are read-only; write into a copy: array.copy()")
        return getattr(ufunc, method)(*(_plain(x) for x in inputs), **{k: _plain(v) for k, v in options.items()})

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], options: dict[str, Any]
    ) -> Any:
        return self._wrap(function(*_plain(args), **{k: _plain(v) for k, v in options.items()}))

    def __getitem__(self, place: Any) -> Any:
        return self._wrap(self._live()[_plain(place)])

    def __setitem__(self, place: Any, value: Any) -> None:
        self._live()
        raise ValueError("arrays of a look are read-only; write into a copy: array.copy()")

    def __getattr__(self, name: str) -> Any:
        if name in _lasting:
            raise AttributeError(f"{name}: found on an array of a look, allowed on a copy: array.copy().{name}")
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"an array of a look has no attribute {name!r}")
        found = getattr(self._live(), name)
        if not callable(found):
            return self._wrap(found)

        def method(*args: Any, **options: Any) -> Any:
            live = self._live()
            return self._wrap(getattr(live, name)(*_plain(args), **{k: _plain(v) for k, v in options.items()}))

        return method

    def copy(self) -> NDArray[Any]:
        """Returns a plain numpy array that stays after the look."""
        return self._live().copy()

    def __len__(self) -> int:
        return len(self._live())

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __contains__(self, x: Any) -> bool:
        return x in self._live()

    def __bool__(self) -> bool:
        return bool(self._live())

    def __float__(self) -> float:
        return float(self._live())

    def __int__(self) -> int:
        return int(self._live())

    def __reduce__(self) -> Any:
        return np.array, (self._live().copy(),)

    def __copy__(self) -> NDArray[Any]:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> NDArray[Any]:
        return self.copy()

    def __repr__(self) -> str:
        if not self._moment.open:
            return f"<array of a look at step {self._moment.step}, which is over>"
        return repr(self._memory)

    def __dir__(self) -> list[str]:
        return [name for name in dir(np.ndarray) if not name.startswith("_") and name not in _lasting]


def _plain(x: Any) -> Any:
    if isinstance(x, Array):
        return x._live()
    if isinstance(x, (tuple, list)):
        return type(x)(_plain(part) for part in x)
    return x
