"""What a run says of itself: its largest time step, its relaxation time, and its end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .verdict import Verdict

__all__ = ["Relaxation", "Result", "StepLimit"]


class StepLimit(NamedTuple):
    """The largest admissible time step of a run.

    `value` (s) is the smaller of the limit before the run and the one measured from its contacts. `reason` is a
    sentence. `contact` is the pair of bodies that limits the step, where it was measured, else None.
    """

    value: float
    reason: str
    contact: tuple[int, int] | None


class Relaxation(NamedTuple):
    """A fit to the maxima of the kinetic energy, E_k ~ exp(-t/time).

    `time` (s) is negative if the energy grows, and nan with fewer than 3 maxima. `r_squared` is the coefficient of
    determination of the fit, and `maxima` the number of maxima in it.
    """

    time: float
    r_squared: float
    maxima: int

    @property
    def usable(self) -> bool:
        """At least 20 maxima and R² above 0.999."""
        return self.maxima >= 20 and self.r_squared > 0.999


@dataclass(frozen=True)
class Result:
    """The end of a run.

    Attributes
    ----------
    end : str
        "finished", "stopped" (it can go on) or "failed".
    hash : str
        Hash of the state, as `dem run` prints it. "0000000000000000" if the run failed.
    step : int
    verdict : Verdict or None
        Sentences in which the run judges itself. None if it was stopped without a reason.
    ledger : dict
        The energy ledger (J; in the plane J per metre of thickness), by the names of its columns in the series.
    failure : str
        Why the run failed, with time and place. Empty if it did not.
    output : pathlib.Path or None
        The results folder.
    """

    end: str
    hash: str
    step: int
    verdict: Verdict | None
    ledger: dict[str, float]
    failure: str
    output: Path | None

    @property
    def results(self) -> Any:
        """The results folder as `dem.open` reads it. Raises ValueError if the run wrote nothing."""
        from .results import open as open_results

        if self.output is None:
            raise ValueError("this run wrote nothing: dem.Run(case, output=FOLDER) writes a results folder")
        return open_results(self.output)

    def __repr__(self) -> str:
        where = f" in {self.output}" if self.output else ""
        return f"<dem.Result: {self.end} at step {self.step}, hash {self.hash}{where}>\n{self.verdict or ''}".rstrip()
