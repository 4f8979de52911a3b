"""Fig. 5: legs whose slopes differ by Δp_max at most become one, with the force kept. The cost in the slip step that
follows (U6). Source: jaeger-contact reference, §9 and §16."""

import numpy as np

from driver.mt64 import between, uniform
from driver.study import curve, panel
from jaeger import along, drive, limit, ratio, reach, table


def difference(a, b):
    return np.hypot(*np.moveaxis(a.tangential - b.tangential, -1, 0))


def largest_errors(m, stuck):
    """Largest error of one slip step after moves that stuck, over the limit, and of F_t where |F_t| ≥ 0.1 of the limit,
    for slip steps of any size at resting, rising or falling normal force, either way."""
    z = stuck[-1, 0]
    change, k, way = (a.ravel() for a in np.meshgrid([-0.1, -0.02, 0.0, 0.02, 0.1], np.arange(1, 151), [-1.0, 1.0],
                                                     indexing="ij"))
    paths = np.tile(np.vstack([stuck, np.zeros(3)]), (len(k), 1, 1))
    paths[:, -1, 0], paths[:, -1, 1] = z * (1 + change), way * reach(m, z) * 2.5 * k / 150
    exact, merged = drive(m, paths), drive({**m, "merge_slope": 0.1 * m["friction"]}, paths)
    slips = exact.regime[:, -1] != "stick"
    error, force = difference(exact, merged)[slips, -1], np.abs(exact.tangential[slips, -1, 0])
    most = limit(m, exact)[slips, -1]
    of_force = (error / force.clip(1e-300))[force >= 0.1 * most]
    return np.array([(error / most).max(initial=0), of_force.max(initial=0)])


def few_legs(m, count):
    """The same after two to eight legs of any length, the slope of each within 0.1 f of the one before."""
    random, worst = uniform(20110500), np.zeros(2)
    for _ in range(count):
        z, slope, moves = 0.0, between(random, -0.98, 0.98), []
        for _ in range(2 + int(between(random, 0, 7))):
            dz = 0.001 * 10 ** between(random, -1, 1)
            z += dz
            slope = min(max(slope + 0.0999 * between(random, -1, 1), -0.98), 0.98)
            moves.append((z, slope * m["friction"] * ratio(m) * dz))
        worst = np.maximum(worst, largest_errors(m, along(moves)))
    return worst


def study(run):
    m, moves, _ = table("U6 exact")
    exact, merged = (drive(table(name)[0], moves, legs_after=[5, 6]) for name in ("U6 exact", "U6 merged"))
    curves, count = [], 100 if run.quick else 3000
    for name, (before, after) in (("exact", exact.legs.values()), ("merged", merged.legs.values())):
        ends, slopes, cut = np.append(0, before[:, 0]), before[:, 1] / m["friction"], after[-2, 0]
        curves += [curve(name, 1000 * np.repeat(ends, 2)[1:-1], np.repeat(slopes, 2), "line"),
                   curve(f"{name}, cut by the slip step", [1000 * cut], [slopes[ends[1:] >= cut][0]], "points")]
    run.figure("What the merging of legs costs",
               "Slopes of the stored legs of the example U6 before its slip step (five legs, two after merging with "
               "Δp_max = 0.1 f), and where this step cuts them.",
               [panel("slopes of the legs of U6", "1000 ζ/R", "p/f", curves)])
    return {"slip": 100 * difference(exact, merged)[6] / abs(exact.tangential[6, 0]), "count": count,
            "u6": 100 * largest_errors(m, moves[:5]), "few": 100 * few_legs(m, count)}
