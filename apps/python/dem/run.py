"""Runs: a case from its start to its end, and what a run says of itself."""

from __future__ import annotations

import json
import tomllib
from os import PathLike
from pathlib import Path
from typing import Any, Callable

import _dem

from .case import Case, case_of
from .checks import whole
from .errors import LawFailed, RunError
from .own_law import defined as defined_laws, interrupts_between_steps, law_errors
from .result_files import ByName
from .run_code import RunCode, mover_of
from .run_end import Relaxation, Result, StepLimit
from .verdict import Verdict

__all__ = ["Run", "resume"]


class Run(RunCode):
    """A case at its start, ready to run. Calling it runs the case to its end.

    Parameters
    ----------
    case : Case, mapping or path
        A path names a case file.
    output : path, optional
        The results folder. Without one nothing is written, and the run cannot be resumed.
    threads : int, optional
        Instead of those of the case. No bit of the results depends on it.
    overwrite : bool
        Replace the results that are in the folder.

    Raises
    ------
    CaseError, GeometryError, StepTooLarge
        The case cannot run as it is.
    FileError
        The file of the case cannot be read, or the folder cannot be written, or holds other results.
    ValueError
        `threads` is no whole number from 1 to 1024.
    LawRefused, LawFailed, RunError
        A law of one's own does not pass the check before the run, fails there, or fails at the start of the run.

    Examples
    --------
    >>> run = dem.Run(case, output="results/a")
    >>> @run.every(strain=1e-3)
    ... def watch(now):
    ...     print(now.time, now.series["shear_ratio"])
    >>> result = run()
    """

    def __init__(
        self,
        case: Case | dict[str, Any] | str | PathLike[str],
        output: str | PathLike[str] | None = None,
        *,
        threads: int | None = None,
        overwrite: bool = False,
    ) -> None:
        case, folder = case_of(case), None if output is None else Path(output)
        text, name, count = case._engine.text(), case._engine.name, _threads(threads)
        made = False

        def make(code: _dem.OwnCode | None) -> _dem.Run:
            nonlocal made
            engine = _dem.Run(text, name, folder, count, overwrite or made, code)
            made = True  # a run that is made anew with more functions replaces its own empty folder
            return engine

        self._take(make, lambda: text)
        self._engine

    @classmethod
    def _of(cls, make: Callable[[_dem.OwnCode | None], _dem.Run], text: Callable[[], str], waits: bool) -> Run:
        run = cls.__new__(cls)
        run._take(make, text)
        if not waits:
            run._engine
        return run

    # ---- state -------------------------------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """Steps made so far."""
        return self._engine.step

    @property
    def time(self) -> float:
        """Time (s)."""
        return self._engine.time

    @property
    def time_step(self) -> float:
        """The time step (s); of a case with `step = "auto"` the chosen one."""
        return self._engine.time_step

    @property
    def finished(self) -> bool:
        """True if all stages are over."""
        return self._engine.finished

    @property
    def hash(self) -> str:
        """Hash of the state, as `dem run` prints it: equal for equal bits."""
        return self._engine.hash

    @property
    def ledger(self) -> dict[str, float]:
        """The energy ledger (J; in the plane J per metre of thickness), by the names of its columns in the series."""
        return ByName("ledger", self._engine.ledger)

    @property
    def servo(self) -> dict[str, float] | None:
        """Errors of the stresses that the servo of the cell holds, over the steps of the present or last stage: their
        root mean square `mean` and the `largest`, relative to the stress. None without a servo."""
        return self._engine.servo

    @property
    def plane_jump_rate(self) -> float | None:
        """Jumps of contact planes so far, for each step of a contact, with those at which parts of an overlap merged or
        split. None without polygons."""
        return self._engine.plane_jump_rate

    @property
    def plane_jump_count(self) -> int | None:
        """Number of jumps of contact planes so far, found by bisection of the steps. None without polygons."""
        return self._engine.plane_jump_count

    @property
    def case(self) -> Case:
        """The resolved case, with the time step that the run uses."""
        return Case.parse(self._engine.case_text)

    @property
    def output(self) -> Path | None:
        """The results folder; None if nothing is written."""
        return self._engine.folder

    @property
    def step_limit(self) -> StepLimit:
        """The largest admissible time step, with its reason and the contact that limits it."""
        limit, measured = self._engine.step_limit, self.measured_limit
        if measured is not None and measured.value <= limit["value"]:
            return measured
        return StepLimit(limit["value"], limit["reason"], None if measured is None else measured.contact)

    @property
    def measured_limit(self) -> StepLimit | None:
        """The largest admissible time step of the contacts as a run last measured it; None before. `step_limit` is the
        smaller one of this and of the limit that is known before the run."""
        measured = self._engine.step_limit["measured"]
        return None if measured is None else StepLimit(measured["value"], measured["reason"], measured["contact"])

    @property
    def history_memory(self) -> dict[str, float] | None:
        """Memory of the histories of the contacts: numbers of `contacts` and `legs`, the `bytes` that they need, and
        those `reserved`, with room for more. Law jaeger-checked: `exact_legs` without merging, and the largest
        `merge_error` of a tangential force so far, over f F_n. None for laws whose history has one size."""
        return self._engine.history_memory

    @property
    def phase_times(self) -> dict[str, float] | None:
        """Wall time (s) of each phase of the steps since `profile()`; None before."""
        return self._engine.phase_times

    def profile(self) -> None:
        """Times the phases of the following steps. Changes no bit of the run."""
        self._engine.profile()

    # ---- running -----------------------------------------------------------------------------------------------------

    def __call__(self, until_step: int | None = None) -> Result:
        """Runs to the end of the case, or to a step, or until a callback stops it. It ends with a checkpoint.

        The interpreter lock is free between callbacks. Ctrl-C raises KeyboardInterrupt after a checkpoint, so that
        `dem.resume` goes on from there.

        Parameters
        ----------
        until_step : int, optional
            The last step, counted from step 0 of the case. If it is not beyond the present step, no step is made. A
            new run with `until_step` 0 has no checkpoint, so that `dem.resume` cannot open it.

        Raises
        ------
        RunError
            A callback, a function of the run or a law of one's own failed. The message has the step; the cause is the
            error of the function.
        ValueError
            `until_step` is no whole number >= 0.
        MemoryError
            Memory ended, after a checkpoint.
        FileError
            The disk is full, or the folder cannot be written.
        """
        step = whole("run: until_step", until_step, 0) if until_step is not None else None
        if step == 0 and self.step == 0:  # the engine takes 0 as no limit
            return Result("stopped", self.hash, 0, None, self.ledger, "", self.output)
        return self._go(lambda engine: engine.go(0 if step is None else max(step, 1)))

    def relaxation(
        self, *, high: float = 1e-3, low: float = 1e-9, end_at: float = 1e-9, growth: float = 4
    ) -> Relaxation:
        """Runs until the kinetic energy has decayed or grown, or to the end of the case. Returns the relaxation time.

        Parameters
        ----------
        high, low : float
            The fit takes the maxima of the energy between these shares of the largest one. Of a growing energy it
            takes the maxima above 1e-4 of the largest.
        end_at : float
            The energy has decayed when ten maxima in a row are below this share of the largest.
        growth : float
            The energy has grown when the last of at least 20 maxima is the largest and exceeds the first by this.

        Raises
        ------
        RunError
            A callback failed, or the run itself.
        ValueError
            Not 0 <= low < high, not 0 <= end_at, or not growth > 1.
        """
        if not (0 <= low < high and end_at >= 0 and growth > 1):
            found = f"low = {low}, high = {high}, end_at = {end_at}, growth = {growth}"
            raise ValueError(f"relaxation: found {found}, allowed 0 <= low < high, end_at >= 0 and growth > 1")
        fit: list[Any] = []

        def go(engine: _dem.Run) -> _dem.RunResult:
            end, *values = engine.relax(high, low, end_at, growth)
            fit.extend(values)
            return end

        if failure := self._go(go).failure:
            raise RunError(f"step {self.step}: {failure}", self.step)
        return Relaxation(*fit)

    def _go(self, go: Callable[[_dem.Run], _dem.RunResult]) -> Result:
        self._close_looks()
        engine = self._engine
        self._begun = True
        self._failed = ""
        self._reasons.clear()
        try:
            with law_errors():
                if self.case["contact.law"] in defined_laws:
                    with interrupts_between_steps(lambda: engine.stop("")):
                        end = go(engine)
                else:
                    end = go(engine)
        except LawFailed as error:
            raise RunError(
                f"step {self.step}: {error}; the step is lost, dem.resume goes on from the last checkpoint", self.step
            ) from error.__cause__
        except Exception as error:
            refused = mover_of(error, self._functions)
            if not (failed := self._failed or refused):
                raise
            lost = "the step is lost, dem.resume goes on from the last checkpoint"
            more = lost if engine.broken else f"its checkpoint is in {self.output}"
            raise RunError(
                f"step {self.step} (t = {self.time:.6g} s): the function {failed} failed with "
                f"{type(error).__name__}: {error}{f'; {more}' if self.output else ''}",
                self.step,
            ) from error
        verdict = Verdict(end.verdict, json.loads(end.verdict_json)) if end.verdict else None
        return Result(end.end.name, end.hash, end.step, verdict, self.ledger, end.failure, self.output)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("dem.Run: a run cannot be copied or pickled; make another, or open its output by dem.resume")

    def __repr__(self) -> str:
        title = self.case["title"] or "run"
        return (
            f"<dem.Run {title!r}: {self._engine.body_count()} bodies, {self._engine.contact_count()} contacts, "
            f"step {self.step}, t = {self.time:.6g} s{', finished' if self.finished else ''}>"
        )

    def _repr_svg_(self) -> str | None:
        return None if self._engine.running else self._engine.frame()


def resume(output: str | PathLike[str], *, threads: int | None = None) -> Run:
    """Opens a results folder at its last checkpoint, ready to go on.

    Callbacks must be given again. Motions and forces of the run, too, from the same source; until then a run that has
    some is not open. A law of one's own must be defined before, from the same source.

    Parameters
    ----------
    output : path
        The results folder of the run.
    threads : int, optional
        As of `Run`.

    Raises
    ------
    ValueError
        `threads` is no whole number from 1 to 1024.
    FileError
        The folder has no checkpoint, another process writes into it, or another version wrote it.
    CaseError
        The case or a function was changed since the run began.
    """
    folder, count = Path(output), _threads(threads)
    file = folder / "case.toml"
    return Run._of(
        lambda code: _dem.Run.resume(folder, count, code),
        lambda: file.read_text(encoding="utf-8"),
        _has_own_code(file),
    )


def _has_own_code(file: Path) -> bool:
    try:
        return "python" in tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False  # the engine says it


def _threads(threads: int | None) -> int:
    if threads is None:
        return 0
    return whole("threads", threads, 1, 1024)
