"""Is the geometric elongation worth it? The influence of the step while contacts slide or have no friction, and the
cost of the three summations at equal error, for two discs and a pair of polygons."""

import math

import numpy as np

from driver.digits import log_slope
from driver.study import curve, panel
from step_map import MASS, RESTITUTION, contact_duration, damping, slowest
from summations import (BARE, SLIDING, SPAN, STIFFNESS, SUMMATIONS, energy_ratio, sliding_share, step_costs,
                        trajectory)
from two_discs import decays, two_discs

EXPECTED = 2 * MASS / damping(RESTITUTION, STIFFNESS) / contact_duration()  # t_R where only the normal dashpot damps
PER_TC = (5, 7, 10, 14, 20, 28, 40, 80, 160, 320, 640, 1280)  # steps
FINE = 5120


def error(found, reference):
    """Largest distance of two trajectories over the largest displacement of the second one."""
    found, reference = np.array(found), np.array(reference)
    apart = np.linalg.norm(reference[:, None] - reference[None], axis=-1)
    return float(np.linalg.norm(found - reference, axis=-1).max() / apart.max())


def admissible(steps, errors, tolerance):
    """Largest step at which the error, and that of all finer steps, is within the tolerance, by a power law between two
    tested ones. The steps fall."""
    k = len(steps)
    while k > 0 and errors[k - 1] <= tolerance:
        k -= 1
    if k == 0:
        return steps[0]
    if not math.isfinite(errors[k - 1]):
        return steps[k]
    power = math.log(tolerance / errors[k]) / math.log(errors[k - 1] / errors[k])
    return steps[k] * (steps[k - 1] / steps[k])**power


def at_equal_error(steps, errors, cost, tolerance):
    """Steps of all summations at the same error, costs of a step, and the gain of the geometric one over Cundall's."""
    found = {s: admissible(steps, errors[s], tolerance) for s in SUMMATIONS}
    least = {s: "at least " if step == steps[0] else "" for s, step in found.items()}
    longer, dearer = found["geometric"] / found["predicted"], cost["geometric"] / cost["predicted"]
    return {"error": 100 * tolerance, "steps": {s: f"{least[s]}{step:.3g}" for s, step in found.items()},
            "nano": {s: 1e9 * c for s, c in cost.items()}, "longer": f"{least['geometric']}{longer:.3g}",
            "dearer": dearer, "gain": longer / dearer}


def order(errors, first, last):
    """Of the errors of PER_TC between two numbers of steps."""
    of = [(n, e) for n, e in zip(PER_TC, errors) if first <= n <= last]
    return -log_slope(*zip(*of))


def trajectory_errors(run):
    """By body and summation. All against the finest geometric run: the summations have one limit. Runs without an
    elongation are the control: their errors are those of the integrator."""
    limit = {s: "geometric" for s in SUMMATIONS} | {"bare": "bare"}
    kinds = [(body, s) for body in ("discs", 0, 1, 2) for s in limit if body in ("discs", 0) or s == limit[s]]
    points = [(body, s, n) for body, s in kinds for n in (*PER_TC, FINE) if n < FINE or s == limit[s]]
    found = dict(zip(points, run.map("trajectories", trajectory, points)))
    return {(body, s): [error(found[body, s, n], found[body, limit[s], FINE]) for n in PER_TC] for body, s in kinds}


def influence_of_the_step(run, name, keys):
    """Range of t_R over the summations and steps, and how far it is off 2m/γ_n (infinite without a t_R)."""
    steps = [0.1, 0.0316, 0.01] + ([] if run.quick else [0.00316, 0.001])
    found = decays(run, name, [("guided", dt, s, keys) for s in SUMMATIONS for dt in steps])
    times = [d.time if d.usable else math.inf for d in found]
    return {"low": min(times), "high": max(times), "off": max(abs(t / EXPECTED - 1) for t in times),
            "steps": steps, "last": steps[-1]}


def draw(run, found):
    """Steps and errors by summation, by the title of their panel."""
    panels = []
    for title, (steps, errors) in found.items():
        curves = [curve(name, *zip(*((dt, e) for dt, e in zip(steps, errors[s]) if 0 < e <= 10)))  # else unstable
                  for s, name in SUMMATIONS.items()]
        curves.append(curve("1 %", [steps[-1], steps[0]], [0.01] * 2, "prediction"))
        panels.append(panel(title, "Δt/t_c", "relative error", curves, log="xy"))
    run.figure("Error against the time step",
               f"Relaxation time from the spectrum of the step; trajectories over {SPAN} t_c against geometric runs "
               f"with Δt/t_c = 1/{FINE}. Dashed: 1 %.", panels, name="errors", case=two_discs("guided", 0.01).to_toml())


def study(run):
    sliding, bare = (influence_of_the_step(run, *kind) for kind in (("sliding", SLIDING), ("no-friction", BARE)))
    share = min(run.map("shares", sliding_share, [(s, dt) for s in SUMMATIONS for dt in sliding["steps"]]))
    damped, undamped = run.map("energies", energy_ratio, [(False,), (True,)])

    (costs,) = run.map("costs", step_costs, [(5 if run.quick else 31,)])
    cost, polygon_cost = (dict(zip(SUMMATIONS, costs[k:k + 3])) for k in (0, 3))
    of, dt = trajectory_errors(run), [1 / n for n in PER_TC]
    discs, polygons = ({s: of[body, s] for s in SUMMATIONS} for body in ("discs", 0))
    limit = slowest(dt_over_tc=1e-5)
    map_steps = (0.2 * 10 ** (-np.arange(14) / 4 if run.quick else -np.arange(35) / 8)).tolist()
    relaxation = {s: [abs(slowest(elongation=s, dt_over_tc=dt) / limit - 1) for dt in map_steps] for s in SUMMATIONS}
    draw(run, {"t_R of two discs": (map_steps, relaxation), "trajectory of two discs": (dt, discs),
               "trajectory of two polygons": (dt, polygons)})
    pairs = {s: [order(of[pair, s], 20, 1280) for pair in range(3)] for s in ("geometric", "bare")}
    return {
        "sliding": sliding, "bare": bare, "expected": EXPECTED, "share": share, "damped": damped, "undamped": undamped,
        "relaxation": at_equal_error(map_steps, relaxation, cost, 0.05),
        "discs": at_equal_error(dt, discs, cost, 0.01), "polygons": at_equal_error(dt, polygons, polygon_cost, 0.01),
        "order": {s: order(of["discs", s], *((160, 1280) if s == "predicted" else (10, 40)))
                  for s in (*SUMMATIONS, "bare")},
        "pairs": pairs, "lower": max(bare - own for own, bare in zip(*pairs.values())),
    }
