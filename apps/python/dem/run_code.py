"""The engine of a run with the caller's own code: looks, callbacks, records, motions, forces and laws."""

from __future__ import annotations

import re
import tomllib
import weakref
from numbers import Real
from typing import Any, Callable, TypeVar

import _dem

from .case import Case
from .checks import whole
from .errors import CaseError, LawFailed, RunError
from .look import Look
from .own_code import ForceFunction, MotionFunction, OwnFunction, check_arguments, engine_code
from .own_law import defined as defined_laws, law_errors
from .record import Record

__all__ = ["RunCode", "mover_of"]

Callback = TypeVar("Callback", bound=Callable[[Look], object])


class RunCode:
    """The part of a run that the caller's own code sees and changes. `Run` adds its state and the running."""

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
        self._failed = ""  # name of the function that failed

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
                failed = self._failed or mover_of(error, self._functions)
                if not failed:
                    raise
                raise RunError(
                    f"step 0 (t = 0 s): the function {failed} failed with {type(error).__name__}: {error}", 0
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

    # ---- looks and callbacks -----------------------------------------------------------------------------------------

    def look(self) -> Look:
        """Returns a look at the present state. Use it in a `with` block; a later step ends it, too.

        Raises RuntimeError while the run is running."""
        if self._engine.running:
            raise RuntimeError("look: the run is running; a callback gets its look as an argument")
        look = Look(self._engine)
        self._looks = [old for old in self._looks if old() is not None]
        self._looks.append(weakref.ref(look))
        return look

    def _close_looks(self) -> None:
        for reference in self._looks:
            if (look := reference()) is not None:
                look.close()
        self._looks.clear()

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
            When the strain reaches a multiple of this, upwards or downwards.
        stage_end : bool
            After the last step of each stage, before the next one begins.

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
        if not isinstance(stage_end, bool):
            raise TypeError(f"every: found stage_end = {stage_end!r}, allowed True or False")
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
            if self._made is not None and self._made.running:
                raise RuntimeError("every: the run is running; allowed before it runs and after, not in a callback")
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
        steps = whole("record: steps", steps, 1)
        record = Record(columns, steps)
        record._begin(self._engine)
        self._records.append(record)
        return record

    def motion(self, target: str) -> Callable[[MotionFunction], MotionFunction]:
        """Decorates a function `f(t) -> dem.Motion` that moves a wall, a body or a group, asked before every step.

        `t` is the middle of the step (s). The bodies must be held by the case (`fixed`), or be walls. The stage moves
        plates along y, so that their motion has no velocity along y. The work of the motion is `own_motion_work` in the
        ledger. The source text of the function is stored with the results, and `dem.resume` needs the same function
        again.

        Raises
        ------
        CaseError
            When the run is used: there is no such wall, body or group, it is free to move, or has another motion.
        TypeError, ValueError
            The function has other arguments, or moves what another one moves.
        RuntimeError
            The run has begun.
        """
        _check_target("motion", target, "floor")

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
        _check_target("force", target, "free")

        def decorate(function: ForceFunction) -> ForceFunction:
            self._add_function("force", target, function)
            return function

        return decorate


def _check_target(kind: str, target: Any, example: str) -> None:
    """Refuses a decorator without parentheses, which would drop the function."""
    if not isinstance(target, str):
        found = "the function without a name" if callable(target) else repr(target)
        allowed = f"the name of a wall, a body or a group, as in @run.{kind}({example!r})"
        raise TypeError(f"{kind}: found {found}, allowed {allowed}")


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


def _note_failure(place: weakref.ref[RunCode], name: str) -> None:
    if (run := place()) is not None:
        run._failed = name


def mover_of(error: Exception, functions: list[OwnFunction]) -> str:
    """Returns the name of the motion that the engine refused after it was asked; empty for any other error."""
    found = re.match(r"motion of body \d+(?: '(.*)')? \(group (.*?)\): ", str(error))
    return next((own.name for own in functions if found and own.kind == "motion" and own.target in found.groups()), "")
