"""Stress probes of a stored state of clusters in triaxial compression. A probe is a small strain in a direction of the
Rendulic plane. It has a stress, and a part of the strain is irreversible. Probes that are looked at together are a
group with a name. Source: linear-frictional-contact reference, §15."""

import math
from pathlib import Path

import numpy as np

import clusters
import dem
from rendulic_plane import in_plane, principal, rendulic

MAGNITUDE = 6e-6  # of a probe's strain
WAIT = 10  # steps at rest after each of 30; the same number in all for other numbers of steps
MODELS = {
    "refined": {},
    "conventional": {"refinements": [], "sliding_work": "trapezoid"},  # law linear, from the same stored forces
    "codes": {"refinements": [], "sliding_work": "trapezoid", "transport": "projection"},
    # Relative velocity times Δt, with the arms of the end of the step.
    "velocity": {"refinements": [], "sliding_work": "trapezoid", "transport": "projection", "elongation": "velocity"},
}


def state(quick, folder, ratio, settled):
    """Runs to the ratio, settles there if asked to, and leaves the results in the folder. Returns the last row."""
    stages = clusters.path(quick, 4e-7 if quick else 5e-8, ratio, settled)
    run = dem.Run(dem.Case(clusters.tables(quick) | {"stage": stages}), folder, threads=1, overwrite=True)
    rows = clusters.watch(run, 200)
    run()
    return rows[-1]


def probe(quick, folder, model, strain, steps, relaxation, no_slip):
    """Stress increment (Pa), friction (J), and change of the ledger's residual over the work. Without slip existing and
    new contacts take any tangential force."""
    step, tables = clusters.time_step(quick), clusters.tables(quick)
    tables["contact"] |= MODELS[model]
    more = {"friction": 1e6} if no_slip else {}
    rates = {f"rate_{a}{a}": -e / (steps * step) for a, e in zip("xyz", principal(strain))}
    both = [clusters.rest(step) | rates | more]
    both += [clusters.rest(relaxation * step) | more] if relaxation else []
    stages = [stage | {"name": f"probe {k}"} for k, stage in enumerate(both * steps)]
    run = dem.Run(dem.Case(tables | {"start_from": folder, "stage": stages}), threads=1)

    def now():
        with run.look() as look:
            return rendulic(*(-look.series[f"stress_{a}{a}"] for a in "xyz")), run.ledger

    before, start = now()
    run()
    after, end = now()
    work = end["absolute_work"] - start["absolute_work"]
    return [(after - before).tolist(), end["friction_loss"] - start["friction_loss"],
            (end["energy_residual"] - start["energy_residual"]) / work if work > 0 else 0.0]


def group(model, directions, steps, relaxation, start=(0.8, True), size=MAGNITUDE, no_slip=False):
    """Probes in unit directions that are looked at together. They start at a ratio q/p, settled there or not."""
    return {"model": model, "strain": [size * np.array(d) for d in directions], "steps": steps, "size": size,
            "relaxation": relaxation, "start": start, "no_slip": no_slip}


def schedule(g):
    return g["start"], g["steps"], g["relaxation"]


def compute(run, groups):
    """Computes the groups that have no results, with a null probe for every schedule and probes without slip for every
    schedule and size: both signs of each axis of the Rendulic plane, those between them, and one across it."""
    for g in list(groups.values()):
        key, timing = schedule(g), (g["steps"], g["relaxation"], g["start"])
        if g["size"] > 0:
            every = 1 if len(g["strain"]) > 20 and not run.quick else 2
            directions = in_plane(k * math.pi / 4 for k in range(0, 8, every)) + [(0.0, 0.0, 1.0)]
            without = group("refined", directions, *timing, g["size"], True)
            groups.setdefault(("no slip", *key, g["size"]), without)
        groups.setdefault(("null", *key), group("refined", [(1.0, 0.0, 0.0)], *timing, 0.0))
    needed = sorted({g["start"] for g in groups.values()})
    folders = {start: str(Path(run.results).absolute() / f"state-{start[0]:g}{'' if start[1] else '-moving'}")
               for start in needed}
    run.map("states", state, [[run.quick, folders[start], *start] for start in needed])
    jobs = [(g, strain) for g in groups.values() if "results" not in g for strain in g["strain"]]
    found = run.map("probes", probe, [[run.quick, folders[g["start"]], g["model"], strain.tolist(), g["steps"],
                                       g["relaxation"], g["no_slip"]] for g, strain in jobs])
    for (g, _), result in zip(jobs, found):
        g.setdefault("results", []).append(result)
    for g in groups.values():
        still = np.array(groups["null", *schedule(g)]["results"][0][0])
        g["stress"] = [np.array(stress) - (still if g["size"] else 0) for stress, *_ in g["results"]]


def stiffness(groups, g):
    """Δσ = K Δε by least squares over the probes without slip, and their misfit."""
    without = groups["no slip", *schedule(g), g["size"]]
    strain, stress = np.array(without["strain"]), np.array(without["stress"])
    k = (np.linalg.inv(strain.T @ strain) @ (strain.T @ stress)).T
    return k, np.linalg.norm(stress - strain @ k.T) / np.linalg.norm(stress)


def irreversible(groups, g, stress=None):
    inverse = np.linalg.inv(stiffness(groups, g)[0])
    return np.array(g["strain"]) - np.array(g["stress"] if stress is None else stress) @ inverse.T


def responses(groups, name, axes=(0, 1)):
    """In the Rendulic plane; axes (1, 2) are the deviatoric plane."""
    g = groups[name]
    strain, stress = (np.array(of)[:, axes] for of in (irreversible(groups, g), g["stress"]))
    return np.arctan2(stress[:, 1], stress[:, 0]), np.hypot(*strain.T) / np.hypot(*stress.T)
