"""Fig. 5: stress probes around q/p = 0.8 in triaxial compression of clusters, for the refined and the conventional
model. A probe is a small strain in a direction of the Rendulic plane. It has a stress, and a part of the strain is
irreversible. Source: linear-frictional-contact reference, §15."""

import math
from pathlib import Path

import numpy as np

import clusters
import dem
from driver.study import curve, panel

MAGNITUDE = 6e-6  # of a probe's strain
WAIT = 10  # steps at rest after each of 30; the same number in all for other numbers of steps
LOBE = math.radians(75)  # half of the large one
MODELS = {
    "refined": {},
    "conventional": {"refinements": [], "sliding_work": "trapezoid"},  # law linear, from the same stored forces
    "codes": {"refinements": [], "sliding_work": "trapezoid", "transport": "projection"},
    # Relative velocity times Δt, with the arms of the end of the step.
    "velocity": {"refinements": [], "sliding_work": "trapezoid", "transport": "projection", "elongation": "velocity"},
}


# Orthonormal components, compression positive: (x11 + x22 + x33)/√3, (2 x11 − x22 − x33)/√6, (x22 − x33)/√2. The first
# two are the Rendulic axes.
def rendulic(x11, x22, x33):
    axial = (2 * x11 - x22 - x33) / math.sqrt(6)
    return np.array([(x11 + x22 + x33) / math.sqrt(3), axial, (x22 - x33) / math.sqrt(2)])


def principal(r):
    v, d, t = r[0] / math.sqrt(3), r[1] / math.sqrt(6), r[2] / math.sqrt(2)
    return v + 2 * d, v - d + t, v - d - t


# Runs.

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


def in_plane(angles):
    return [(math.cos(a), math.sin(a), 0.0) for a in angles]


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


# Analysis. A response is a point of the plot: the direction of Δσ in the Rendulic plane, and |Δε_irr|/|Δσ| there.

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


def apart(a, b):
    return np.abs((a - b + math.pi) % (2 * math.pi) - math.pi)


def fitted(points, lobe):
    """a + ib of r = a cos φ + b sin φ by least squares: the diameter of a circle, and its direction."""
    directions, radii = (p[lobe] for p in points)
    columns = np.column_stack([np.cos(directions), np.sin(directions)])
    return complex(*np.linalg.lstsq(columns, radii, rcond=None)[0])


def large_lobe(points):
    directions, radii = points
    direction = directions[np.argmax(radii)]
    for _ in range(4):
        lobe = np.flatnonzero(apart(directions, direction) < LOBE)
        if len(lobe) < 2:
            break
        direction = np.angle(fitted(points, lobe))
    return lobe


def circle(points):
    """The circle over the large lobe: its diameter is 1/H. The standard error is relative, by leaving out one point
    after the other; `opposite` is the largest radius more than 110° away, over the diameter."""
    lobe = large_lobe(points)
    if len(lobe) < 3:
        return {"diameter": 0.0, "direction": 0.0, "misfit": 0.0, "points": len(lobe),
                "text": f"no circle through {len(lobe)} points"}
    fit = fitted(points, lobe)
    size, direction = abs(fit), np.angle(fit)
    off = points[1][lobe] - size * np.cos(points[0][lobe] - direction)
    without = np.abs([fitted(points, np.delete(lobe, k)) for k in range(len(lobe))]) / size - 1
    error = math.sqrt((without**2).sum() * (len(lobe) - 1) / len(lobe))
    misfit = math.sqrt((off**2).mean()) / size
    opposite = (points[1][apart(points[0], direction) > math.radians(110)] / size).max(initial=0)
    text = (f"1/H = {size:.3g} 1/Pa (±{100 * error:.1g} %), φ_f = {math.degrees(direction):.1f}°, misfit "
            f"{100 * misfit:.1f} % of the diameter ({len(lobe)} points), opposite lobe {100 * opposite:.1f} %")
    return {"diameter": size, "direction": direction, "misfit": misfit, "points": len(lobe), "text": text}


def modulus_difference(reference, other):
    """H of `other` over H of `reference` − 1, from probes with equal strains, and its standard error."""
    lobe = large_lobe(reference)
    if len(lobe) < 4:
        return math.nan, math.nan

    def value(points):
        return abs(fitted(reference, points) / fitted(other, points)) - 1

    left_out = np.array([value(np.delete(lobe, k)) for k in range(len(lobe))])
    return value(lobe), math.sqrt(((left_out - left_out.mean()) ** 2).sum() * (len(lobe) - 1) / len(lobe))


def compared(groups, a, b):
    """Difference of the moduli of two groups with equal strains, rms difference of their irreversible strains over the
    rms of the first, and both in words."""
    value, error = modulus_difference(responses(groups, a), responses(groups, b))
    first, second = irreversible(groups, groups[a]), irreversible(groups, groups[a], groups[b]["stress"])
    off = math.sqrt(((first - second) ** 2).sum() / (first**2).sum())
    shown = "not determined" if math.isnan(value) else f"{100 * value:+.3f} ± {100 * error:.3f} %"
    return {"value": value, "error": error, "apart": off,
            "text": f"{shown} (irreversible strains {100 * off:.3f} % apart)"}


def over_the_lobe(groups, count):
    """Directions around those of the first set whose stress lies in the large lobe, and 25° more on either side: other
    schedules slide at other strains."""
    points = responses(groups, "refined")
    inside = apart(points[0], circle(points)["direction"]) <= LOBE
    angles = np.array([math.atan2(s[1], s[0]) for s, there in zip(groups["refined"]["strain"], inside) if there])
    off = (angles - angles[0] + math.pi) % (2 * math.pi) - math.pi
    low, high = off.min() - math.radians(25), off.max() + math.radians(25)
    return in_plane(angles[0] + low + (high - low) * np.arange(count) / (count - 1))


def unloading(groups):
    """Irreversible share of strains of 2e-6 (%), misfit of the probes without slip (%), both also as root mean squares,
    and least friction loss beyond that of the null probe (J)."""
    g = groups["unloading"]
    share = 100 * np.linalg.norm(irreversible(groups, g), axis=1) / g["size"]
    (_, still, _), = groups["null", *schedule(g)]["results"]
    return {"low": share.min(), "high": share.max(), "rms": math.sqrt((share**2).mean()), "still": still,
            "misfit": 100 * stiffness(groups, g)[1], "friction": min(loss for _, loss, _ in g["results"]) - still}


def draw(run, groups, by_steps):
    plane = []
    for name in ("refined", "conventional"):
        directions, radii = responses(groups, name)
        fit, t = circle((directions, radii)), 2 * math.pi * np.arange(61) / 60
        for label, radius, angle, style in ((name, radii, directions, "points"),
                                           (name + ", circle", fit["diameter"] * np.cos(t - fit["direction"]), t,
                                            "prediction")):
            plane.append(curve(label, 1e9 * radius * np.cos(angle), 1e9 * radius * np.sin(angle), style))
    run.figure("Irreversible strain of stress probes in the Rendulic plane",
               f"{clusters.which(run.quick)}; q/p = 0.8, settled. Radius |Δε_irr|/|Δσ| in the direction of Δσ; axes "
               f"σ_v = √3 p and σ_d = √(2/3) q, compression positive; strain {MAGNITUDE:g} in 30 steps with "
               f"relaxation. Dashed: fitted circles.",
               [panel("", "along σ_v (1/GPa)", "along σ_d (1/GPa)", plane),
                panel("conventional against refined", "steps of the probe", "relative difference of Δε_irr",
                      [curve("measured", by_steps.keys(), by_steps.values()),
                       curve("paper, modulus at 30 steps", [30], [0.05], "prediction")], "xy")])


def full_set(groups, moduli):
    """Texts of H against relaxation and ratio."""
    def modulus(suffix):
        size = circle(responses(groups, "refined" + suffix))["diameter"]
        return 1e-9 / size if size else math.inf

    h = [modulus(suffix) for suffix in ("", " relaxation 3", " relaxation 30")]
    waits = (f"{w}: {modulus(f' relaxation {w}'):.4g} GPa (conventional {moduli[f' relaxation {w}']['text']})"
             for w in (3, 30))
    ratios = (f"{r:g}: {modulus(f' q/p {r:g}'):.4g} GPa, {moduli[f' q/p {r:g}']['text']}" for r in (0.4, 1.2))
    off = [moduli[f" q/p {r:g}" if r != 0.8 else ""] for r in (0.4, 0.8, 1.2)]
    sizes = [(abs(of["value"]), of["error"]) for of in off]
    if any(math.isnan(value) for value, _ in sizes):
        sizes = [(of["apart"], 0.0) for of in off]
    rises = all(b - error_b > a + error_a for (a, error_a), (b, error_b) in zip(sizes, sizes[1:]))
    return {
        "further": f"; strain of 6e-4: {moduli[' hundredfold']['text']}; from the moving state that has not settled: "
                   f"{moduli[' moving']['text']}",
        "by_ratio": [*(100 * of["apart"] for of in off), rises],
        "waits_apart": max(h) / min(h) - 1,
        "waits": "; ".join([f"10 steps a strain step: {h[0]:.4g} GPa", *waits]),
        "ratios": "; ".join([f"0.8: {h[0]:.4g} GPa, {moduli['']['text']}", *ratios]),
    }


def study(run):
    many, few, around = (36, 9, 9) if run.quick else (72, 10, 12)
    groups = {}

    def pair(suffix, directions, *timing):
        for model in ("refined", "conventional"):
            groups[model + suffix] = group(model, directions, *timing)

    pair("", in_plane(2 * math.pi * k / many for k in range(many)), 30, WAIT)
    deviatoric = [(0.0, d, t) for d, t, _ in in_plane(2 * math.pi * k / around for k in range(around))]
    groups["deviatoric"] = group("refined", deviatoric, 30, WAIT)
    compute(run, groups)
    lobe = over_the_lobe(groups, few)
    timings = {" 1 step": (1, 30 * WAIT), " 5 steps": (5, 6 * WAIT), " no rest": (30, 0),
               " tenfold": (30, 0, (0.8, True), 10 * MAGNITUDE)}
    if not run.quick:
        timings |= {f" relaxation {w}": (30, w) for w in (3, 30)}
        timings |= {f" q/p {r:g}": (30, WAIT, (r, True)) for r in (0.4, 1.2)}
        timings |= {" hundredfold": (30, 0, (0.8, True), 100 * MAGNITUDE), " moving": (30, 0, (0.8, False))}
    for suffix, timing in timings.items():
        pair(suffix, lobe, *timing)
    groups |= {model + " no rest": group(model, lobe, 30, 0) for model in ("codes", "velocity")}
    groups["unloading"] = group("refined", [(-v, -d, 0.0) for v, d, _ in lobe[::2]], 30, WAIT, (0.8, True), 2e-6)
    compute(run, groups)

    moduli = {s: compared(groups, "refined" + s, "conventional" + s) for s in ("", *timings)}
    apart = {steps: moduli[s]["apart"] for steps, s in ((1, " 1 step"), (5, " 5 steps"), (30, ""))}
    draw(run, groups, apart)
    first = groups["refined"]
    matrix, misfit = stiffness(groups, first)
    asymmetry = abs(matrix[0, 1] - matrix[1, 0]) / abs(0.5 * (matrix[0, 1] + matrix[1, 0]))
    still = np.linalg.norm(groups["null", *schedule(first)]["results"][0][0])
    least = min(np.linalg.norm(s) for s in first["stress"])
    plane = np.linalg.norm(irreversible(groups, groups["deviatoric"]), axis=1)
    plane /= np.linalg.norm(groups["deviatoric"]["stress"], axis=1)
    circles = {name: circle(responses(groups, name)) for name in ("refined", "conventional")}
    circles["deviatoric"] = circle(responses(groups, "deviatoric", (1, 2)))
    real = clusters.is_real(run.quick)
    values = circles | {
        "real": real, "here": "" if real else f" {clusters.which(run.quick)}.", "many": many,
        "still": still, "least": least, "misfit": misfit,
        "k": [matrix[k] / 1e6 for k in ((0, 0), (1, 1), (0, 1), (1, 0))],
        "no_rest": moduli[" no rest"], "codes": compared(groups, "refined no rest", "codes no rest"),
        "ends": compared(groups, "refined no rest", "velocity no rest"),
        "tenfold": moduli[" tenfold"], "further": "", "unloading": unloading(groups),
        "at_30": moduli[""], "at_5": moduli[" 5 steps"], "at_1": moduli[" 1 step"],
        "plane": [len(plane), plane.min(), plane.max(), plane[0]],
        "percent": {"null": 100 * still / least, "misfit": 100 * misfit, "asymmetry": 100 * asymmetry,
                    "circle": 100 * circles["refined"]["misfit"], "deviatoric": 100 * circles["deviatoric"]["misfit"],
                    "at_1": 100 * apart[1], "at_30": 100 * apart[30]},
    }
    return values if run.quick else values | full_set(groups, moduli)
