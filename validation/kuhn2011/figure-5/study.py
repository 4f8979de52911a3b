"""Fig. 5: legs whose slopes differ by Δp_max at most become one, with the force kept. The cost in the slip step that
follows (U6), and cost and gain over random histories. Source: jaeger-contact reference, §9 and §16."""

import math

import numpy as np

from driver import mt64
from driver.study import curve, panel
from jaeger import along, drive, limit, material, ratio, reach, table

TOLERANCES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]  # Δp_max/f
TENTH, FIFTH, ALL = 3, 4, 7
KINDS = {"line-wandering": (False, True), "plane-wandering": (True, True),  # in the plane, slopes wander
         "line-independent": (False, False), "plane-independent": (True, False)}
FIRST, BLOCKS, STICKS, SLIPS = 400, 20, 100, 5  # steps of a random history


def between(random, low, high):
    return low + (high - low) * next(random)


def difference(a, b):
    return np.hypot(*np.moveaxis(a.tangential - b.tangential, -1, 0))


def pair(m, moves, merge_slope):
    """The same moves with exact and with merged legs."""
    return drive(m, moves), drive({**m, "merge_slope": merge_slope}, moves)


def largest_errors(m, stuck):
    """Largest error of one slip step after moves that stuck, over the limit, and of F_t where |F_t| ≥ 0.1 of the limit,
    for slip steps of any size at resting, rising or falling normal force, either way."""
    z = stuck[-1, 0]
    change, k, way = (a.ravel() for a in np.meshgrid([-0.1, -0.02, 0.0, 0.02, 0.1], np.arange(1, 151), [-1.0, 1.0],
                                                     indexing="ij"))
    paths = np.tile(np.vstack([stuck, np.zeros(3)]), (len(k), 1, 1))
    paths[:, -1, 0], paths[:, -1, 1] = z * (1 + change), way * reach(m, z) * 2.5 * k / 150
    exact, merged = pair(m, paths, 0.1 * m["friction"])
    slips = exact.regime[:, -1] != "stick"
    error, force = difference(exact, merged)[slips, -1], np.abs(exact.tangential[slips, -1, 0])
    most = limit(m, exact)[slips, -1]
    of_force = (error / force.clip(1e-300))[force >= 0.1 * most]
    return np.array([(error / most).max(initial=0), of_force.max(initial=0)])


def few_legs(m, count):
    """The same after two to eight legs of any length, the slope of each within 0.1 f of the one before."""
    random, worst = mt64.uniform(20110500), np.zeros(2)
    for _ in range(count):
        z, slope, moves = 0.0, between(random, -0.98, 0.98), []
        for _ in range(2 + int(between(random, 0, 7))):
            dz = 0.001 * 10 ** between(random, -1, 1)
            z += dz
            slope = min(max(slope + 0.0999 * between(random, -1, 1), -0.98), 0.98)
            moves.append((z, slope * m["friction"] * ratio(m) * dz))
        worst = np.maximum(worst, largest_errors(m, along(moves)))
    return worst


def random_history(random, plane, wanders, m):
    """400 steps that stick, from first touch; then 20 times five that slip and 100 that stick. Slopes of successive
    steps that stick differ by 0.1 f at most, or are independent; along a line or in the plane."""
    f, scale, moves = m["friction"], ratio(m), []
    z, p = 0.0, (0.0, 0.0)

    def vector(size):
        """Evenly distributed on an interval or a disc."""
        while True:
            x = size * between(random, -1, 1)
            y = size * between(random, -1, 1) if plane else 0.0
            if x * x + y * y <= size * size:
                return x, y

    def stick(dz):
        nonlocal z, p
        while True:
            if not wanders:
                p = vector(0.98 * f)
                break
            dx, dy = vector(0.1 * f)
            x, y = p[0] + dx, p[1] + dy
            if x * x + y * y <= (0.98 * f) * (0.98 * f):
                p = x, y
                break
        z += dz
        moves.append((z, scale * dz * p[0], scale * dz * p[1]))

    for _ in range(FIRST):
        stick(0.01 / FIRST * between(random, 0.1, 1.9))
    for _ in range(BLOCKS):
        for _ in range(SLIPS):
            far = scale * f * z * 10 ** between(random, -2.5, -0.5)
            angle = between(random, 0, 2 * math.pi) if plane else 0 if next(random) < 0.5 else math.pi
            z *= 1 + between(random, -0.05, 0.01)
            moves.append((z, far * math.cos(angle), far * math.sin(angle) if plane else 0.0))
        for _ in range(STICKS):
            stick(1e-3 * z * between(random, 0.1, 1.9))
    return moves


def random_histories(kind, count):
    """At each Δp_max the errors of all slip steps over f F_n, the share with more than 3 % of F_t, and legs a step."""
    plane, wanders = KINDS[kind]
    m, random = material(1.0, 0.2, 0.5), mt64.uniform(20110500 + list(KINDS).index(kind))
    errors, above, legs, exact_legs, steps = [], np.zeros(len(TOLERANCES)), np.zeros(len(TOLERANCES)), 0, 0
    for _ in range(count):
        moves = random_history(random, plane, wanders, m)
        exact = drive(m, moves)
        slips = exact.regime != "stick"
        slips[0] = False  # the start
        exact_legs, steps = exact_legs + exact.leg_count.sum(), steps + len(moves)
        merged = [drive({**m, "merge_slope": t * m["friction"]}, moves) for t in TOLERANCES]
        error = np.array([difference(exact, other)[slips] for other in merged])
        legs += [other.leg_count.sum() for other in merged]
        above += (error > 0.03 * np.hypot(*exact.tangential[slips].T)).sum(axis=1)
        errors.append(error / limit(m, exact)[slips])
    error = np.sort(np.concatenate(errors, axis=1), axis=1)
    slips = error.shape[1]
    return {"slips": slips, "exact_legs": exact_legs / steps, "mean": error.mean(axis=1), "largest": error[:, -1],
            "most": error[:, int(0.95 * (slips - 1))], "above": above / slips, "legs": legs / steps,
            "share": legs / exact_legs}


def sentence(s, t):
    return (f"{s['legs'][t]:.0f} legs ({s['share'][t]:.2f}), error {s['mean'][t]:.2g} f F_n on average, "
            f"{s['most'][t]:.2g} at 95 %, {s['largest'][t]:.2g} at most")


def summary(s):
    fewer = (np.diff([s["exact_legs"], *s["legs"]]) < 0).all()
    return {"slips": s["slips"], "exact": s["exact_legs"], "tenth": sentence(s, TENTH), "fifth": sentence(s, FIFTH),
            "all": sentence(s, ALL), "above": 100 * s["above"][TENTH], "holds": fewer and s["most"][TENTH] < 0.03}


def stairs(label, legs, friction):
    ends = np.concatenate([[0], legs[:, 0]])
    return curve(label, 1000 * np.repeat(ends, 2)[1:-1], np.repeat(legs[:, 1], 2) / friction, "line")


def front(label, before, after, friction):
    """Where the leg ends that the slip step cuts."""
    z = after[-2, 0]
    return curve(label, [1000 * z], [before[before[:, 0] >= z][0, 1] / friction], "points")


def draw(run, friction, exact, merged, samples, count):
    panels = [panel("slopes of the legs of U6", "1000 ζ/R", "p/f", [
        stairs("exact", exact[5], friction), stairs("merged", merged[5], friction),
        front("front of the slip step, exact", exact[5], exact[6], friction),
        front("front, merged", merged[5], merged[6], friction)])]
    for wandering, title in ((True, "error, wandering slopes"), (False, "error, independent slopes")):
        curves = [curve(f"{'plane' if plane else 'line'}, {label}", TOLERANCES, samples[kind][key])
                  for kind, (plane, wanders) in KINDS.items() if wanders == wandering
                  for key, label in (("mean", "mean"), ("most", "95 %"), ("largest", "largest"))]
        panels.append(panel(title, "Δp_max/f", "|ΔF_t|/(f F_n) of slip steps", curves, "xy"))
    lengths = [curve(f"{kind.replace('-', ', ')} ({s['exact_legs']:.0f} legs)", TOLERANCES, s["share"])
               for kind, s in samples.items()]
    lengths += [curve("assembly of the paper", [0.1, 0.2], [171 / 260, 107 / 260], "prediction")]
    panels.append(panel("length of the histories", "Δp_max/f", "legs over legs without merging", lengths, "xy"))
    run.figure("What the merging of legs costs and saves",
               f"Upper left: slopes of the stored legs of the example U6 before its slip step (five legs, two after "
               f"merging with Δp_max = 0.1 f), and where this step cuts them. Others: {count} random histories of each "
               f"kind: 400 steps that stick, then 20 times 5 that slip and 100 that stick, along a line or in the "
               f"plane; slopes wander by at most 0.1 f a step or are independent. Error of F_t at the slip steps "
               f"against the same history without merging. Lower right: mean number of legs over that without merging; "
               f"dashed: the paper's assembly.", panels)


def study(run):
    m, moves, _ = table("U6 exact")
    exact, merged = (drive(table(name)[0], moves, legs_after=[5, 6]) for name in ("U6 exact", "U6 merged"))
    of_force = 100 * difference(exact, merged)[6] / abs(exact.tangential[6, 0])
    u6, counts = largest_errors(m, moves[:5]), (100, 20) if run.quick else (3000, 400)
    few = few_legs(m, counts[0])
    samples = {kind: random_histories(kind, counts[1]) for kind in KINDS}
    draw(run, m["friction"], exact.legs, merged.legs, samples, counts[1])
    return {
        "slip": [of_force],
        "u6": 100 * u6, "few": 100 * few, "counts": counts,
        "reached": "can be reached" if few[1] >= 0.03 else "is not reached here",
        "random": {kind: summary(s) for kind, s in samples.items()},
    }
