"""Fig. 5: stress probes around q/p = 0.8 in triaxial compression of clusters, for the refined and the conventional
model. Source: linear-frictional-contact reference, §15."""

import math

import numpy as np

import clusters
from driver.study import curve, panel
from rendulic_plane import LOBE, apart, circle, in_plane, modulus_difference
from stress_probes import MAGNITUDE, WAIT, compute, group, irreversible, responses, schedule, stiffness


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
