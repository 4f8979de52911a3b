"""What a run says of itself: its largest time step, and its end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .verdict import Verdict

__all__ = ["Result", "StepLimit"]


class StepLimit(NamedTuple):
    """The largest admissible time step of a run.

    `value` (s) is the smaller of the limit before the run and the one measured from its contacts. `reason` is a
    sentence. `contact` is the pair of bodies that limits the step, where it was measured, else None.
    """

    value: float
    reason: str
    contact: tuple[int, int] | None


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
        """The results folder as `dem.open` reads it."""
        from .results import open as open_results

        if self.output is None:
            raise ValueError("this run wrote nothing: dem.Run(case, output=FOLDER) writes a results folder")
        return open_results(self.output)

    def __repr__(self) -> str:
        where = f" in {self.output}" if self.output else ""
        return f"<dem.Result: {self.end} at step {self.step}, hash {self.hash}{where}>\n{self.verdict or ''}".rstrip()
