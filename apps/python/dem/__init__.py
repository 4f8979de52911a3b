"""libdem in Python: prepare, run, watch and evaluate discrete element simulations.

    >>> import dem
    >>> case = dem.Case.read("slow-shear.toml")
    >>> case["material.friction"] = 0.4
    >>> run = dem.Run(case, output="results/a", threads=2)
    >>> result = run()
    >>> dem.open("results/a").plot("shear_ratio")

Quantities are in SI units; in the plane they are per metre of thickness. Angles are in radians. `dem.help("friction")`
explains a key of a case. The tutorial is apps/python/README.md of the source.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import CaseError, FileError, GeometryError, LawFailed, Problem, RunError, StepTooLarge

if TYPE_CHECKING:
    from .arrays import LookOver as LookOver
    from .assembly import clusters as clusters, discs as discs, polygons as polygons, spheres as spheres
    from .avalanches import Aftershocks as Aftershocks, Event as Event, EventsOfRun as EventsOfRun
    from .avalanches import PowerLaw as PowerLaw, aftershocks as aftershocks, bursts as bursts, drops as drops
    from .avalanches import power_law as power_law
    from .case import Case as Case, help as help
    from .driven_pairs import DrivenPair as DrivenPair, driven_pair as driven_pair
    from .one_contact import ContactPath as ContactPath, contact as contact, laws as laws, tractions as tractions
    from .geometry import Overlap as Overlap, contact_planes as contact_planes, overlap as overlap
    from .geometry import plane_path as plane_path
    from .law_block import LawBlock as LawBlock
    from .own_law import Law as Law, LawRefused as LawRefused, law as law
    from .integrators import gear_steps as gear_steps, spectral_radius as spectral_radius
    from .integrators import stability_limit as stability_limit
    from .look import Look as Look
    from .own_code import Motion as Motion
    from .placed_bodies import PlacedBodies as PlacedBodies, PlacedContacts as PlacedContacts
    from .results import Results as Results, ResultsError as ResultsError, ResultsWarning as ResultsWarning
    from .results import MissingModule as MissingModule, Snapshot as Snapshot, Verdict as Verdict, open as open
    from .run import Run as Run, resume as resume
    from .run_end import Relaxation as Relaxation, Result as Result, StepLimit as StepLimit
    from .small_motions import Modes as Modes, SmallMotion as SmallMotion, small_motion as small_motion
    from .sweeps import SweepTable as SweepTable, sweep as sweep, sweep_file as sweep_file

# Names and their modules. They are loaded when they are first used, so that results can be read where the engine is not
# installed.
_home = {
    "LookOver": "arrays",
    "clusters": "assembly",
    "discs": "assembly",
    "polygons": "assembly",
    "spheres": "assembly",
    "Aftershocks": "avalanches",
    "Event": "avalanches",
    "EventsOfRun": "avalanches",
    "PowerLaw": "avalanches",
    "aftershocks": "avalanches",
    "bursts": "avalanches",
    "drops": "avalanches",
    "power_law": "avalanches",
    "Case": "case",
    "help": "case",
    "DrivenPair": "driven_pairs",
    "driven_pair": "driven_pairs",
    "ContactPath": "one_contact",
    "contact": "one_contact",
    "laws": "one_contact",
    "tractions": "one_contact",
    "LawBlock": "law_block",
    "Law": "own_law",
    "LawRefused": "own_law",
    "law": "own_law",
    "Overlap": "geometry",
    "contact_planes": "geometry",
    "overlap": "geometry",
    "plane_path": "geometry",
    "gear_steps": "integrators",
    "spectral_radius": "integrators",
    "stability_limit": "integrators",
    "Look": "look",
    "Motion": "own_code",
    "PlacedBodies": "placed_bodies",
    "PlacedContacts": "placed_bodies",
    "MissingModule": "results",
    "Results": "results",
    "ResultsError": "results",
    "ResultsWarning": "results",
    "Snapshot": "results",
    "Verdict": "results",
    "open": "results",
    "Relaxation": "run_end",
    "Result": "run_end",
    "StepLimit": "run_end",
    "Run": "run",
    "resume": "run",
    "Modes": "small_motions",
    "SmallMotion": "small_motions",
    "small_motion": "small_motions",
    "SweepTable": "sweeps",
    "sweep": "sweeps",
    "sweep_file": "sweeps",
}

__all__ = ["CaseError", "FileError", "GeometryError", "LawFailed", "Problem", "RunError", "StepTooLarge", *_home]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("_dem").version
    if name not in _home:
        raise AttributeError(f"module 'dem' has no attribute {name!r}")
    try:
        found = getattr(import_module("." + _home[name], __name__), name)
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "numpy":
            raise ImportError(
                f"dem.{name} needs numpy, which the Python {sys.executable} does not have; install it "
                "(Debian: python3-numpy), or use a Python that has it (Debian: /usr/bin/python3).",
                name="numpy",
            ) from error
        if error.name != "_dem":
            raise
        raise ImportError(
            f"dem.{name} needs the compiled module _dem, which is not on the path; build libdem and set "
            "PYTHONPATH=BUILD/python, or install it. Results can be read without it: dem.open.",
            name="_dem",
        ) from error
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
