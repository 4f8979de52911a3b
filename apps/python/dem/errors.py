"""Errors of the package. Each message names the place, what was found, what is allowed and what to do."""

from __future__ import annotations

from typing import NamedTuple, Sequence

__all__ = ["CaseError", "FileError", "GeometryError", "LawFailed", "Problem", "RunError", "StepTooLarge"]


class Problem(NamedTuple):
    """One mistake of a case. Parts that a message does not have are empty (line: 0)."""

    message: str
    file: str
    line: int
    key: str
    found: str
    allowed: str

    @property
    def place(self) -> str:
        """File, line and key, as far as the message has them: `case.toml:5: material.friction`."""
        file = f"{self.file or 'text'}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (file, self.key) if part)


class CaseError(ValueError):
    """A case cannot be run as it is. `problems` holds every mistake, not only the first."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Sequence[Sequence[object] | str]) -> None:
        self.problems = tuple(_problem(p) for p in problems)
        super().__init__("\n".join(p.message for p in self.problems))

    def __reduce__(self) -> tuple[type[CaseError], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)


def _problem(parts: Sequence[object] | str) -> Problem:
    if isinstance(parts, str):
        return Problem(parts, "", 0, "", "", "")
    return Problem(*parts)  # type: ignore[arg-type]


class GeometryError(ValueError):
    """A polygon that is not simple, or positions that allow no search."""


class LawFailed(RuntimeError):
    """A contact law failed. The cause is the error of a law in numpy. A run makes this a `RunError` with the step."""


class StepTooLarge(ValueError):
    """The time step is above its limit, a priori or measured."""


class FileError(OSError):
    """A file or results folder that cannot be read or written."""

    def __init__(self, sentence: str, number: int = 0) -> None:
        super().__init__(sentence)
        if number:
            self.errno = number


class RunError(RuntimeError):
    """A callback, a function of the run or a law failed; the cause is its error. A callback leaves a checkpoint.

    Attributes
    ----------
    step : int
        The step after which the function was called.
    """

    step: int

    def __init__(self, message: str, step: int = 0) -> None:
        super().__init__(message)
        self.step = step
