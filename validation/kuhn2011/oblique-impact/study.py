"""A sphere meets a plate at an angle: measurements of Kharaz, Gorham and Salman (2001) and the benchmark of Chung and
Ooi (2011), which tell contact laws apart.

published.csv has angles (degrees from the normal) with the restitution of the measurements (kharaz) and of the
benchmark. The spins (rad/s) of its figure are those digitised for benchmark 4 of Kratos Multiphysics, to whole numbers:
aluminium oxide (spin), and the experiment shown there."""

import math
from functools import cache
from pathlib import Path

import numpy as np

from driver.digits import csv_rows
from driver.study import curve, panel
from sphere_on_plate import (BENCHMARK, KHARAZ, LAWS, impact_case, ratio_of, rebound, sliding_restitution, slides,
                             spin_of, spring_restitution)


@cache
def published(name):
    rows = csv_rows(Path(__file__).with_name("published.csv"))
    return [(float(row["angle"]), float(row["value"])) for row in rows if row["set"] == name]


def row(angles, values):
    return ", ".join(f"{value:.3f} at {angle:g}°" for angle, value in zip(angles, values))


def furthest(values, wanted, angles):
    """The largest difference, with its sign, and its angle."""
    return max(((v - w, a) for v, w, a in zip(values, wanted, angles)), key=lambda d: abs(d[0]))


def restitutions(pair, angles, steps, law="", dashpots="both"):
    return [rebound(law, pair, a, steps, dashpots)["e_t"] for a in angles]


def measurements(steps):
    (angles, measured), by_law = zip(*published("kharaz")), {}
    for law, (name, _) in LAWS.items():
        values, bare = (restitutions(KHARAZ, angles, steps, law, dashpots) for dashpots in ("both", "normal"))
        off, without = furthest(values, measured, angles), furthest(bare, measured, angles)
        by_law[law or "jaeger"] = {"off": off[0], "text": (
            f"{name}: {row(angles, values)}; furthest off: {off[0]:+.3f} at {off[1]:g}°. Without a tangential dashpot "
            f"{without[0]:+.3f} at {without[1]:g}°")}
    return {"published": row(angles, measured), "kharaz": by_law}


def spin_differences(spins, steps):
    """rms of the spins computed less published ones, by law jaeger and by the spring."""
    jaeger = [rebound("", BENCHMARK, a, steps)["spin"] - v for a, v in spins]
    spring = [spin_of(spring_restitution(ratio_of(BENCHMARK), a), a) - v for a, v in spins]
    return [math.sqrt(np.square(off).mean()) for off in (jaeger, spring)]


def benchmark(steps):
    (slow, slow_print), (few, few_print) = (zip(*(p for p in published("benchmark") if slides(BENCHMARK, p[0]) == s))
                                            for s in (True, False))
    sliding = restitutions(BENCHMARK, slow, steps)
    partial = {"jaeger": restitutions(BENCHMARK, few, steps),
               "none": restitutions(BENCHMARK, few, steps, "-no-memory"),
               "spring": [spring_restitution(ratio_of(BENCHMARK), a) for a in few],
               "history": restitutions(BENCHMARK, few, steps, "-hertz-history"),
               "elastic": restitutions(BENCHMARK, few, steps, "-hertz-history", "none")}
    angle, spin = published("spin")[0]
    some, shown = ([of for of in published(name) if not slides(BENCHMARK, of[0])] for name in ("spin", "experiment"))
    scatter = max(abs(v - spin_of(sliding_restitution(a), a)) for a, v in published("experiment")
                  if slides(BENCHMARK, a))
    return {
        "sliding_print": row(slow, slow_print), "sliding": row(slow, sliding),
        "sliding_off": furthest(sliding, slow_print, slow),
        "sliding_closed": furthest(slow_print, map(sliding_restitution, slow), slow)[0],
        "few_print": row(few, few_print),
        "row": {name: row(few, values) for name, values in partial.items()},
        "off": {name: furthest(values, few_print, few) for name, values in partial.items()},
        "against": furthest(partial["elastic"], partial["spring"], few)[0],
        "spins": spin_differences(some, steps), "count": len(some),
        "first": [spin, angle, 1 - spin / spin_of(0, angle)],
        "experiment": [rebound("", BENCHMARK, a, steps)["spin"] for a, _ in shown],
        "measured": spin_differences(shown, steps), "experiment_scatter": scatter,
    }


def draw(run, steps):
    angles = [float(a) for a in (*range(2, 30, 4 if run.quick else 1), *range(30, 86, 5))]
    spring = [spring_restitution(ratio_of(BENCHMARK), a) for a in angles]

    for name, pair, id_of, more, title, text in (
            ("kharaz", KHARAZ, "",
             curve("slides all the time", range(22, 86), map(sliding_restitution, range(22, 86)), "prediction"),
             "Oblique impact of aluminium oxide spheres on glass",
             "Tangential restitution e_t of the centre, measured and computed with μ = 0.092 and e_n = 0.98, nothing "
             "fitted; dashed: closed form of an impact that slides all the time."),
            ("benchmark", BENCHMARK, "benchmark", curve("spring without slip", angles, spring, "prediction"),
             "Test 4 of Chung and Ooi",
             "Aluminium oxide sphere, 2.5 mm, on a rigid plane at 3.9 m/s, μ = 0.092, e_n = 0.98. Published values of "
             "the benchmark. Dashed: a spring T = K_t(a) δ_t cut off at μ N, which the published values follow where "
             "the contact does not slide all the time.")):
        curves = [curve("published", *zip(*published(name)), "points"), more]
        curves += [curve(of, angles, restitutions(pair, angles, steps, law), "line") for law, (of, _) in LAWS.items()]
        run.figure(title, text, [panel("tangential restitution", "angle from the normal (degrees)", "e_t", curves)],
                   id_of, impact_case("", pair, math.radians(9.5), "both", steps).to_toml())


def study(run):
    steps = 500 if run.quick else 2000
    draw(run, steps)
    return measurements(steps) | {"test": benchmark(steps)}
