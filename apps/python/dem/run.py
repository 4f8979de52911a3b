"""Runs: a case from its start to its end, with callbacks that look at it."""

from __future__ import annotations

import json
import tomllib
import weakref
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any, Callable, TypeVar

import _dem

from .case import Case
from .errors import CaseError, LawFailed, RunError
from .look import Look
from .own_code import ForceFunction, MotionFunction, OwnFunction, check_arguments, engine_code
from .own_law import Law, defined as defined_laws, law_errors
from .record import Record
from .run_end import Relaxation, Result, StepLimit
from .verdict import Verdict

__all__ = ["Run", "resume"]

Callback = TypeVar("Callback", bound=Callable[[Look], object])


class Run:
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
        The folder cannot be written, or holds other results.
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
        if isinstance(case, (str, PathLike)):
            case = Case.read(case)
        elif not isinstance(case, Case):
            case = Case(case)
        folder = None if output is None else Path(output)
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

    def _take(self, make: Callable[[_dem.OwnCode | None], _dem.Run], text: Callable[[], str]) -> None:
        self._make = make
        self._text = text  # of the case
        self._made: _dem.Run | None = None
        self._begun = False
        self._functions: list[OwnFunction] = []
        self._looks: list[weakref.ref[Look]] = []
        self._callbacks: list[tuple[Any, float, Callable[[Look], object]]] = []
        self._records: list[Record] = []
        self._reasons: list[str] = []  # of callbacks that stop the run
        self._failed = ""

    @property
    def _engine(self) -> _dem.Run:
        """The engine. It is made anew once the run has more functions of its own, which are part of its case."""
        if self._made is None:
            # The engine holds no strong reference: a function that uses its run would keep both alive for ever.
            place = weakref.ref(self)
            law = self._law_source()
            dimension = tomllib.loads(self._text()).get("dimension", 2) if self._functions else 0
            code = engine_code(self._functions, law, dimension, lambda name: _note_failure(place, name))
            self._failed = ""
            try:
                with law_errors():
                    made = self._make(code)
            except LawFailed as error:
                raise RunError(f"step 0 (t = 0 s): {error}", 0) from error.__cause__
            except Exception as error:
                if not self._failed:
                    raise
                raise RunError(
                    f"step 0 (t = 0 s): the function {self._failed} failed with {type(error).__name__}: {error}", 0
                ) from error
            _check_functions(self._functions, made)
            for number in range(len(self._callbacks)):
                self._add_trigger(made, number)
            for record in self._records:
                record._begin(made)
            self._made = made
        return self._made

    def _law_source(self) -> str:
        """Source text of the case's law if it is one of the caller's own, which is checked before the run."""
        if not defined_laws:
            return ""
        case = Case.parse(self._text())
        law = defined_laws.get(case["contact.law"])
        if law is None:
            return ""
        if law.checked:
            from .law_check import check_law

            check_law(law, _pair(case), {key: case[f"contact.{key}"] for key in law.parameters})
        return law.source

    def _add_trigger(self, engine: _dem.Run, number: int) -> None:
        kind, interval, _ = self._callbacks[number]
        if kind == _dem.TriggerOf.strain and not any(name == "strain" for name, _, _ in engine.columns()):
            raise ValueError("every: found strain in a case without strain, allowed steps, time, stage_end")
        place = weakref.ref(self)

        def call() -> None:
            run = place()
            if run is None:
                return
            function = run._callbacks[number][2]
            try:
                with Look(run._engine, run._reasons) as now:
                    function(now)
            except BaseException:
                run._failed = getattr(function, "__name__", "callback")
                raise

        engine.add_trigger(kind, interval, call)

    def _add_function(self, kind: str, target: str, function: Any) -> None:
        if self._begun:
            raise RuntimeError(f"{kind}: the run has begun; allowed before it begins or goes on")
        own = OwnFunction(kind, target, function)
        if kind == "motion" and any((other.kind, other.target) == (kind, target) for other in self._functions):
            raise ValueError(f"motion: found a second motion of {target!r}, allowed one")
        self._functions.append(own)
        self._close_looks()
        self._made = None

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
        return self._engine.ledger

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

    def look(self) -> Look:
        """Returns a look at the present state. Use it in a `with` block; a later step ends it, too.

        Raises RuntimeError while the run is running."""
        if self._engine.running:
            raise RuntimeError("look: the run is running; a callback gets its look as an argument")
        look = Look(self._engine)
        self._looks = [old for old in self._looks if old() is not None]
        self._looks.append(weakref.ref(look))
        return look

    # ---- callbacks ---------------------------------------------------------------------------------------------------

    def every(
        self,
        function: None = None,
        /,
        *,
        steps: int | None = None,
        time: float | None = None,
        strain: float | None = None,
        stage_end: bool = False,
    ) -> Callable[[Callback], Callback]:
        """Decorates a function that looks at the run, called after a step.

        Parameters
        ----------
        steps : int
            Every so many steps, counted from step 0 of the case.
        time : float
            When the time passes a multiple of this (s).
        strain : float
            When the strain passes a multiple of this.
        stage_end : bool
            After the last step of each stage.

        Give exactly one of them. The steps do not depend on where a run was interrupted and resumed. No bit of the
        run depends on callbacks that only look.

        Raises
        ------
        ValueError, TypeError
            The interval is none, the case has no strain, or the function has another argument than the look.
        """
        if function is not None:
            found = "the function without an interval" if callable(function) else f"{function!r} without a name"
            raise TypeError(f"every: found {found}, needed @run.every(steps=100) or the like")
        of = _dem.TriggerOf
        given = [
            (kind, interval)
            for kind, interval in (
                (of.steps, steps),
                (of.time, time),
                (of.strain, strain),
                (of.stage_end, 1 if stage_end else None),
            )
            if interval is not None
        ]
        if len(given) != 1:
            raise ValueError(f"every: found {len(given)} of steps, time, strain, stage_end; allowed exactly one")
        kind, interval = given[0]
        if isinstance(interval, bool) or not isinstance(interval, Real):
            raise TypeError(f"every: found {interval!r}, allowed a number")
        if not 0 < interval < float("inf"):
            raise ValueError(f"every: found {interval}, allowed a finite number > 0")
        if kind == of.steps and (int(interval) != interval or interval < 1):
            raise ValueError(f"every: found steps = {interval}, allowed a whole number >= 1")

        def decorate(function: Callback) -> Callback:
            check_arguments("every", function, 1, "one argument: the look")
            self._callbacks.append((kind, float(interval), function))
            if self._made is not None:
                try:
                    self._add_trigger(self._made, len(self._callbacks) - 1)
                except ValueError:
                    self._callbacks.pop()
                    raise
            return function

        return decorate

    def record(self, *columns: str, steps: int = 1) -> Record:
        """Keeps columns of the series in memory: a row every so many steps, counted from step 0 of the case.

        It costs far less than a callback that reads them. `list(look.series)` names the columns.

        Examples
        --------
        >>> rows = run.record("strain", "wall_shear_top")  # doctest: +SKIP
        >>> result = run()  # doctest: +SKIP
        >>> rows["wall_shear_top"].mean()  # doctest: +SKIP

        Raises
        ------
        KeyError
            The run has no such column.
        ValueError
            There is no column, or `steps` is no whole number >= 1.
        """
        if not columns or not all(isinstance(column, str) for column in columns):
            raise ValueError(f"record: found {len(columns)} columns {columns}, allowed one or more names")
        steps = _whole("record: steps", steps, 1)
        record = Record(columns, steps)
        record._begin(self._engine)
        self._records.append(record)
        return record

    def motion(self, target: str) -> Callable[[MotionFunction], MotionFunction]:
        """Decorates a function `f(t) -> dem.Motion` that moves a wall, a body or a group, asked before every step.

        `t` is the middle of the step (s). The bodies must be held by the case (`fixed`), or be walls. The work of the
        motion is `own_motion_work` in the ledger. The source text of the function is stored with the results, and
        `dem.resume` needs the same function again.

        Raises
        ------
        CaseError
            When the run is used: there is no such wall, body or group, it is free to move, or has another motion.
        TypeError, ValueError
            The function has other arguments, or moves what another one moves.
        RuntimeError
            The run has begun.
        """

        def decorate(function: MotionFunction) -> MotionFunction:
            self._add_function("motion", target, function)
            return function

        return decorate

    def force(self, target: str) -> Callable[[ForceFunction], ForceFunction]:
        """Decorates a function `f(t, bodies, force, torque)` that loads the bodies of a group, or a body by its name.

        It is called after the contacts of each step. `bodies` has the arrays of these bodies at that moment. `force`
        (n, 3) and `torque`, in the plane (n,), in space (n, 3), start at zero and are to be filled (N, N m). The work
        is `own_force_work` in the ledger. The source text is stored with the results, as for `motion`.

        Raises
        ------
        CaseError
            When the run is used: there is no such body or group, or the case holds it.
        TypeError
            The function has other arguments.
        RuntimeError
            The run has begun.
        """

        def decorate(function: ForceFunction) -> ForceFunction:
            self._add_function("force", target, function)
            return function

        return decorate

    # ---- running -----------------------------------------------------------------------------------------------------

    def __call__(self, until_step: int | None = None) -> Result:
        """Runs to the end of the case, or to a step from 0, or until a callback stops it.

        The interpreter lock is free between callbacks. Ctrl-C raises KeyboardInterrupt after a checkpoint, so that
        `dem.resume` goes on from there.

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
        step = _whole("run: until_step", until_step, 0) if until_step is not None else None
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
        """
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
                end = go(engine)
        except LawFailed as error:
            raise RunError(
                f"step {self.step}: {error}; the step is lost, dem.resume goes on from the last checkpoint", self.step
            ) from error.__cause__
        except Exception as error:
            if not self._failed:
                raise
            kept = f"; its checkpoint is in {self.output}" if self.output else ""
            raise RunError(
                f"step {self.step} (t = {self.time:.6g} s): the function {self._failed} failed with "
                f"{type(error).__name__}: {error}{kept}",
                self.step,
            ) from error
        verdict = Verdict(end.verdict, json.loads(end.verdict_json)) if end.verdict else None
        return Result(end.end.name, end.hash, end.step, verdict, self.ledger, end.failure, self.output)

    def _close_looks(self) -> None:
        for reference in self._looks:
            if (look := reference()) is not None:
                look.close()
        self._looks.clear()

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
    some is not open.

    Raises
    ------
    FileError
        The folder has no checkpoint, another process writes into it, or another version wrote it.
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


def _pair(case: Case) -> dict[str, float]:
    """Stiffnesses and friction of a contact of the case. Those that the case leaves to others are examples."""
    k_n = case["material.normal_stiffness"] or 1e5
    k_t = case["material.tangential_stiffness"] or 0.8 * k_n
    friction = case["material.friction"]
    return {"normal_stiffness": k_n, "tangential_stiffness": k_t, "friction": 0.5 if friction is None else friction}


def _check_functions(functions: list[OwnFunction], engine: _dem.Run) -> None:
    """Refuses functions without effect: two motions of a body, or a force on bodies that the case holds."""
    moved: dict[int, str] = {}
    for own in functions:
        bodies = engine.bodies_named(own.target)
        if own.kind == "force" and not engine.body_array("freedom")[bodies].any():
            found = f"a force on {own.target}, which is held"
            raise CaseError([f"python: found {found}, allowed bodies that are free to move"])
        for body in bodies if own.kind == "motion" else ():
            if body in moved:
                found = f"motions of {moved[body]} and {own.target}, which share a body"
                raise CaseError([f"python: found {found}, allowed one motion of a body"])
            moved[body] = own.target


def _note_failure(place: weakref.ref[Run], name: str) -> None:
    if (run := place()) is not None:
        run._failed = name


def _threads(threads: int | None) -> int:
    if threads is None:
        return 0
    return _whole("threads", threads, 1, 1024)


def _whole(place: str, x: Any, low: int, high: int | None = None) -> int:
    """Returns a whole number of a range, which numpy may have made."""
    number = int(x) if isinstance(x, Integral) and not isinstance(x, bool) else low - 1
    if number < low or (high is not None and number > high):
        allowed = f">= {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{place}: found {x!r}, allowed a whole number {allowed}")
    return number
