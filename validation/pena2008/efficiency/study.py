"""Is the geometric elongation worth it? The influence of the step while contacts slide or have no friction, and the
cost of the three summations at equal error, for two discs and a pair of polygons."""

import math
import time

import numpy as np

import dem
from driver.digits import log_slope
from driver.study import curve, panel
from polygon_pairs import duration_of, pair_case, shapes_of
from step_map import MASS, REDUCED, RESTITUTION, contact_duration, damping, slowest
from two_discs import PUSH, decays, two_discs

STIFFNESS, T_C = 4e8, contact_duration()
EXPECTED = 2 * MASS / damping(RESTITUTION, STIFFNESS) / T_C  # t_R of a mode that only the normal dashpot damps
SUMMATIONS = {"predicted": "Cundall (predicted velocity)", "trapezoid": "trapezoid", "geometric": "geometric"}
PER_TC = (5, 7, 10, 14, 20, 28, 40, 80, 160, 320, 640, 1280)  # steps
FINE = 5120
SPAN = 20  # t_c of a trajectory
BARE = {"material.friction": 0.0}
# Disc j is turned ten times faster than its vibration moves the contact: amplitude 2 F/k_n, frequency √(k_n/2m).
SLIDING = {"material.friction": 0.3, "body.pushed.fixed": ["y", "rotation"],
           "body.pushed.spin": 10 * 2 * PUSH * math.sqrt(STIFFNESS / (2 * MASS)) / 0.5}


def case_of(body, elongation, per_tc, duration=SPAN):
    """Two discs, or a pair of polygons by its number, with so many steps in a contact time. The elongation `bare` is
    none: without friction, and the pushed polygon moves along x only, so that the contact stays."""
    bare = elongation == "bare"
    if body == "discs":
        return two_discs("guided", 1 / per_tc, "geometric" if bare else elongation, BARE if bare else (),
                         duration=duration)
    keys = {} if elongation == "geometric" else BARE | {"body.pushed.fixed": ["y", "rotation"]} if bare else {
        "contact.elongation": "velocity", "contact.velocity_source": elongation}
    return pair_case(shapes_of(body), 1 / per_tc, keys=keys, duration=duration)


def trajectory(body, elongation, per_tc):
    """x, y and a θ of body j (a = 0.5 m) at 1, 2 … 20 t_c."""
    run, places = dem.Run(case_of(body, elongation, per_tc, SPAN + 1)), []
    for k in range(1, SPAN + 1):
        run(until_step=k * per_tc)
        with run.look() as now:
            places.append([*map(float, now.bodies.position[1, :2]), 0.5 * float(now.bodies.angle[1])])
    return places


def error(found, reference):
    """Largest distance of two trajectories over the largest displacement of the second one."""
    found, reference = np.array(found), np.array(reference)
    apart = np.linalg.norm(reference[:, None] - reference[None], axis=-1)
    return float(np.linalg.norm(found - reference, axis=-1).max() / apart.max())


def sliding_share(elongation, dt):
    """Share of the steps over 20 t_c in which the contact is at the Coulomb limit."""
    run, slips = dem.Run(two_discs("guided", dt, elongation, SLIDING, duration=SPAN)), []
    run.every(steps=1)(lambda now: slips.extend(now.contacts.regime == 1))
    run()
    return float(np.mean(slips))


def energy_ratio(undamped):
    """Largest kinetic energy of the last hundredth of 2000 t_c over that of the first, without friction."""
    keys, end, found = BARE | ({"material.restitution": 1.0} if undamped else {}), 2000 * T_C, []
    run = dem.Run(two_discs("guided", 0.05, keys=keys, duration=2000))
    run.every(steps=1)(lambda now: found.append((now.time, now.series["kinetic_energy"])))
    run()
    t, energy = np.array(found).T
    return float(energy[t > 0.99 * end].max() / energy[t < 0.01 * end].max())


def step_costs(rounds, steps=20000):
    """Median CPU time of a step (s) for each summation, of discs and of polygons. The runs take turns, so that the
    speed of the machine cancels in ratios."""
    cases = [case_of(body, elongation, 100, (rounds + 2) * steps / 100) for body in ("discs", 0)
             for elongation in SUMMATIONS]
    runs, times = [dem.Run(case) for case in cases], []
    for _ in range(rounds + 1):
        starts = []
        for run in runs:
            start = time.process_time()
            run(until_step=run.step + steps)
            starts.append((time.process_time() - start) / steps)
        times.append(starts)
    return [float(v) for v in np.median(times[1:], axis=0)]


def admissible(steps, errors, tolerance):
    """Largest step at which the error, and that of all finer steps, is within the tolerance, by a power law between two
    tested ones; and whether it is the coarsest tested one. The steps fall."""
    k = len(steps)
    while k > 0 and errors[k - 1] <= tolerance:
        k -= 1
    if k == len(steps):
        return math.nan, False
    if k == 0:
        return steps[0], True
    if not math.isfinite(errors[k - 1]) or not errors[k] > 0:
        return steps[k], False
    power = math.log(tolerance / errors[k]) / math.log(errors[k - 1] / errors[k])
    return steps[k] * (steps[k - 1] / steps[k])**power, False


def at_equal_error(steps, errors, cost, tolerance):
    """Text and gain of the geometric summation over Cundall's."""
    found = {s: admissible(steps, errors[s], tolerance) for s in SUMMATIONS}
    shown = {s: ("at least " if least else "") + f"{step:.3g}" for s, (step, least) in found.items()}
    longer = found["geometric"][0] / found["predicted"][0]
    gain = longer * cost["predicted"] / cost["geometric"]
    nano = {s: f"{1e9 * c:.0f}" for s, c in cost.items()}
    return {
        "cundall": (f"error of {100 * tolerance:.0f} %: largest Δt/t_c: {shown['geometric']} geometric, "
                    f"{shown['predicted']} Cundall, {shown['trapezoid']} trapezoid; a step costs {nano['geometric']}, "
                    f"{nano['predicted']}, {nano['trapezoid']} ns. Steps "
                    f"{'at least ' if found['geometric'][1] else ''}{longer:.3g} times as long, costs "
                    f"{cost['geometric'] / cost['predicted']:.2f} times as much each: {gain:.3g} times "
                    "cheaper"),
        "gain": gain,
    }


def order(errors, first, last):
    """Of the errors of PER_TC between two numbers of steps."""
    of = [(n, e) for n, e in zip(PER_TC, errors) if first <= n <= last]
    return -log_slope(*zip(*of))


def trajectory_errors(run):
    """By body and summation. All against the finest geometric run: the summations have one limit. Runs without an
    elongation are the control: their errors are those of the integrator."""
    kinds = [(body, s) for body in ("discs", 0) for s in SUMMATIONS] + [(1, "geometric"), (2, "geometric")]
    kinds += [(body, "bare") for body in ("discs", 0, 1, 2)]
    own = ("geometric", "bare")
    points = [(body, s, n) for body, s in kinds for n in (*PER_TC, FINE) if n < FINE or s in own]
    found = dict(zip(points, run.map("trajectories", trajectory, points)))
    return {(body, s): [error(found[body, s, n], found[body, s if s in own else "geometric", FINE]) for n in PER_TC]
            for body, s in kinds}


def draw(run, steps, times, panels):
    sticking = [slowest(elongation="predicted", dt_over_tc=dt) for dt in steps]
    of_times = [panel(title, "Δt/t_c", "t_R/t_c", [
        *(curve(name, steps, found[s], "line-and-points") for s, name in SUMMATIONS.items()),
        curve("2m/γ_n", [steps[-1], steps[0]], [EXPECTED] * 2, "prediction"),
        curve("sticking, Cundall", steps, sticking, "prediction")], log="x") for title, found in times.items()]
    run.figure("Relaxation time of a sliding contact and without friction",
               "Guided discs. Left: disc j is turned at a constant spin, so that the contact slides all the time "
               "(μ = 0.3). Right: μ = 0. Dashed: 2m/γ_n, and for comparison the same discs where they stick, with "
               "Cundall's summation (spectrum of the step).", of_times, name="sliding",
               case=two_discs("guided", 0.01, keys=SLIDING).to_toml())
    of_errors = []
    for title, x, errors, cost in panels:
        curves, ends = [], []
        for s, name in SUMMATIONS.items():
            points = [(cost[s] / dt if cost else dt, e) for dt, e in zip(x, errors[s]) if 0 < e <= 10]  # else unstable
            curves.append(curve(name, *zip(*points)))
            ends += [p[0] for p in points]
        curves.append(curve("1 %", [min(ends), max(ends)], [0.01] * 2, "prediction"))
        axis = "CPU time per t_c (s)" if cost else "Δt/t_c"
        of_errors.append(panel(title, axis, "relative error", curves, log="xy"))
    run.figure("Error against the time step and against cost",
               f"Relaxation time from the spectrum of the step; trajectories over {SPAN} t_c against geometric runs "
               f"with Δt/t_c = 1/{FINE}. Cost: CPU time of one t_c. Dashed: 1 %.", of_errors, name="errors",
               case=two_discs("guided", 0.01).to_toml())


def study(run):
    steps = [0.1, 0.0316, 0.01] + ([] if run.quick else [0.00316, 0.001])
    places = [(s, dt) for s in SUMMATIONS for dt in steps]
    times = {}
    for title, keys in (("sliding", SLIDING), ("no friction", BARE)):
        found = [d.time if d.usable else math.nan for d in decays(
            run, title.replace(" ", "-"), [("guided", dt, s, keys) for s, dt in places])]
        times[title] = {s: found[len(steps) * k:][:len(steps)] for k, s in enumerate(SUMMATIONS)}
    share = min(run.map("shares", sliding_share, places))
    damped, undamped = run.map("energies", energy_ratio, [(False,), (True,)])
    (costs,) = run.map("costs", step_costs, [(5 if run.quick else 31,)])
    cost, polygon_cost = (dict(zip(SUMMATIONS, costs[k:k + 3])) for k in (0, 3))
    of = trajectory_errors(run)
    discs, polygons = ({s: of[body, s] for s in SUMMATIONS} for body in ("discs", 0))

    limit, map_steps = slowest(dt_over_tc=1e-5), []
    while not map_steps or map_steps[-1] > (1e-4 if run.quick else 1e-5):
        map_steps.append(0.2 * 10 ** (-len(map_steps) * (0.25 if run.quick else 0.125)))
    map_steps.pop()
    relaxation = {s: [abs(slowest(elongation=s, dt_over_tc=dt) / limit - 1) for dt in map_steps] for s in SUMMATIONS}
    dt = [1 / n for n in PER_TC]
    draw(run, steps, times, [
        ("t_R of two discs", map_steps, relaxation, None), ("trajectory of two discs", dt, discs, None),
        ("trajectory of two polygons", dt, polygons, None), ("two discs: cost", dt, discs, cost),
        ("two polygons: cost", dt, polygons, polygon_cost)])
    both = {title: [t for all_t in found.values() for t in all_t] for title, found in times.items()}
    others, bare = ([order(of[pair, s], 20, 1280) for pair in (0, 1, 2)] for s in ("geometric", "bare"))
    return {
        "ranges": {title.replace(" ", "_"): f"t_R/t_c between {min(found):.3f} and {max(found):.3f} for three "
                   f"summations, Δt/t_c from {steps[0]:g} to {steps[-1]:g}" for title, found in both.items()},
        "off": {title.replace(" ", "_"): max(abs(t / EXPECTED - 1) for t in found) for title, found in both.items()},
        "finite": all(math.isfinite(t) for found in both.values() for t in found),
        "expected": EXPECTED, "share": share, "damped": damped, "undamped": undamped,
        "energy_why": (
            "With the published restitution the normal dashpot damps; stationary only where it is off as well. What is "
            "stationary is the relaxation time against the step." if abs(undamped - 1) <= 0.05 else
            "Not stationary, and without any damping not either."),
        "relaxation": at_equal_error(map_steps, relaxation, cost, 0.05),
        "discs": at_equal_error(dt, discs, cost, 0.01), "polygons": at_equal_error(dt, polygons, polygon_cost, 0.01),
        "order": {"discs": [order(discs["geometric"], 10, 40), order(discs["trapezoid"], 10, 40),
                            order(discs["predicted"], 160, 1280)],
                  "polygons": [*others, order(polygons["trapezoid"], 20, 1280),
                               order(polygons["predicted"], 160, 1280)],
                  "bare": [order(of["discs", "bare"], 10, 40), *bare]},
        "lower": max(without - found for without, found in zip(bare, others)),
        "largest": max(others),
    }
