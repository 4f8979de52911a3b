"""Does the admissible time step fall as 1/N? Relaxation threshold and stability limit of packings of 2 to 1024 discs or
polygons in a rigid box, with sticking friction, beside what their normal modes predict. See README.md."""

import math

import numpy as np

import dem
from driver.seeds import student
from driver.study import curve, panel
from packed import DAMPING, STIFFNESS, T_C
from packed_motion import GEOMETRIC_STEPS, VELOCITY_STEPS, measure

DELAY = DAMPING / STIFFNESS / T_C  # τ = γ/k (t_c), the same for all contacts
TOLERANCES = (0.05, 0.02, 0.01)
FEWEST = 4  # bodies of a packing that a power law is fitted to: two discs have one contact with each other
SHAPES = ("disc", "polygon")
# Particles, seeds in the full and in the quick set, smallest Δt/t_c of the decays of discs and of polygons. Decays last
# the longer, the more particles there are.
PLANS = ((2, 6, 2, 1e-3, 1e-3), (4, 6, 2, 1e-3, 2e-3), (16, 6, 2, 2e-3, 5e-3), (64, 6, 1, 5e-3, 1e-2),
         (256, 5, 0, 1e-2, 1e-2), (1024, 3, 0, 1e-2, 2e-2))


def points(quick):
    out = []
    for particles, seeds, quick_seeds, *steps in PLANS:
        least = 0 if not quick else 5e-3 if particles < 64 else 1e-2
        for shape, step in zip(SHAPES, steps):
            out += [(shape, particles, seed, max(step, least), particles <= (4 if quick else 16))
                    for seed in range(1, 1 + (quick_seeds if quick else seeds))]
    return out


class Measured(dict):
    """What `measure` found of a packing."""

    def threshold(self, tolerance):
        return tolerance / (1 - tolerance) * self["fitted_rate"] / self["fitted_slope"]

    def predicted_threshold(self, tolerance):
        return tolerance / (1 - tolerance) * self["rate"] / self["slope"]

    def change(self, largest_step):
        """Largest relative change of the rate of `geometric` from its smallest step to those up to this one."""
        rates = [r for step, r in zip(GEOMETRIC_STEPS, self["rates"]["geometric"]) if step <= largest_step and r == r]
        return max(abs(r / rates[0] - 1) for r in rates)


def power_law(n, y):
    """Exponent of y ~ n^exponent by least squares, and half of its 95 % interval."""
    x, z = np.log(n), np.log(y)
    x, z = x - x.mean(), z - z.mean()
    slope = (x @ z) / (x @ x)
    freedom = len(x) - 2
    variance = max(z @ z - slope * (x @ z), 0) / freedom / (x @ x)
    return float(slope), student(freedom, 0.025) * math.sqrt(variance)


def mean_at(measured, low, high, of):
    """Geometric mean over the packings of so many bodies."""
    return math.exp(np.mean([math.log(of(m)) for m in measured if low <= m["bodies"] <= high]))


def falls_as(kinds, of):
    """The conjecture is one statement for both kinds of packing: −1 must lie in both intervals."""
    out, texts = {}, []
    for name, measured in kinds.items():
        large = [m for m in measured if m["bodies"] >= FEWEST]
        out[name] = power_law([m["bodies"] for m in large], [of(m) for m in large])
        most = measured[-1]["bodies"]
        texts.append(f"{name}: {mean_at(measured, 0, 2, of):.3g} t_c at 2, "
                     f"{mean_at(measured, 0.9 * most, 2 * most, of):.3g} t_c at about {most} particles")
    law = ", ".join(f"N^{exponent:+.3f} [{exponent - half:+.3f}, {exponent + half:+.3f}] for {name}"
                    for name, (exponent, half) in out.items())
    return {"law": law, "means": "; ".join(texts),
            "holds": all(abs(exponent + 1) <= half for exponent, half in out.values())}


def ends(values):
    values = [v for v in values if math.isfinite(v)]
    return [min(values), max(values)]


def mean_line(label, measured, of):
    """Geometric means over packings of nearly one size, dashed."""
    x, y, rest = [], [], sorted(((m["bodies"], of(m)) for m in measured), key=lambda p: p[0])
    while rest:
        group = [p for p in rest if p[0] < 1.5 * rest[0][0]]
        rest = rest[len(group):]
        x.append(math.exp(np.mean([math.log(n) for n, _ in group])))
        y.append(math.exp(np.mean([math.log(v) for _, v in group])))
    return curve(label, x, y, "prediction")


def over_size(title, label, kinds, dots, lines, straight):
    """Points and mean lines are (label, measured, function). Straight lines are (label, height, exponent); without a
    height the line begins where the first mean line does."""
    curves = [curve(name, [m["bodies"] for m in of], [f(m) for m in of], "points") for name, of, f in dots]
    means = [mean_line(*line) for line in lines]
    most = max(m["bodies"] for measured in kinds for m in measured)
    for name, height, exponent in straight:
        height = height or means[0]["y"][0]
        means.append(curve(name, [2, most], [height, height * (most / 2) ** exponent], "prediction"))
    return panel(title, "number of particles N", label, curves + means, log="xy")


def rates_over_step(kinds):
    """1/t_R against Δt of the last packing of each kind, which is the largest."""
    curves, steps = [], np.geomspace(1e-3, 0.1, 26)
    for name, measured in kinds.items():
        m = measured[-1]
        for elongation, at in (("velocity", VELOCITY_STEPS), ("geometric", GEOMETRIC_STEPS)):
            seen = [(step, rate / m["rate"]) for step, rate in zip(at, m["rates"][elongation]) if rate == rate]
            curves.append(curve(f"{m['bodies']} {name}, {elongation}", *zip(*seen), "points"))
        curves.append(curve(f"{name}: 1 + bΔt t_R(0), from the mode", steps, 1 + m["slope"] * steps / m["rate"],
                            "prediction"))
    return panel("decay of the slowest mode", "Δt/t_c", "t_R(0)/t_R(Δt)", curves, log="xy")


def picture(text, title):
    with dem.Run(dem.Case.parse(text)).look() as now:
        outlines = [o.copy() for o in now.bodies.outlines() if len(o)]
    width = dem.Case.parse(text)["wall.bottom.to"][0]
    drawn = [{"x": o[:, 0].tolist(), "y": o[:, 1].tolist(), "label": "", "role": "body-i"} for o in outlines]
    box = {"x": [0, width, width, 0, 0], "y": [0, 0, width, width, 0], "label": "walls", "role": "plane"}
    return panel(title, "x (m)", "y (m)", [], polygons=[*drawn, box])


def draw(run, kinds):
    examples = {name: next(m for m in measured if "case" in m) for name, measured in kinds.items()}
    text = examples["discs"]["case"]
    run.figure(
        "Relaxation threshold against the number of particles",
        "Largest Δt at which t_R of the slowest mode is within 5, 2 and 1 % of its limit, elongation `velocity` "
        "(points: single packings). The prediction needs no run: φᵀCφ and the tangential movement of the slowest mode "
        "of each packing. `geometric` has no threshold below its stability limit.",
        [over_size(name, "T_t/t_c", [of],
                   [(f"velocity, {100 * t:g} %", of, lambda m, t=t: m.threshold(t)) for t in TOLERANCES],
                   [("5 %, from the slowest mode of each packing (mean)", of, lambda m: m.predicted_threshold(0.05))],
                   [("floor 2 tol τ at 5 %", 2 * 0.05 / 0.95 * DELAY, 0), ("floor at 1 %", 2 * 0.01 / 0.99 * DELAY, 0),
                    ("1/N", None, -1)]) for name, of in kinds.items()], case=text)
    run.figure(
        "Stability limit against the number of particles",
        "Largest Δt without growth of a small disturbance (bisection to 0.5 %), and what the modes of each packing "
        "predict.",
        [over_size(name, "largest stable Δt/t_c", [of],
                   [(e, of, lambda m, e=e: m["limit"][e][1]) for e in ("velocity", "geometric")],
                   [(label, of, lambda m, e=e: m["limit"][e][0]) for e, label in
                    (("geometric", "geometric, largest eigenfrequency (mean)"),
                     ("velocity", "velocity, modes one by one (mean)"))],
                   [("1/N", None, -1)]) for name, of in kinds.items()], name="stability", case=text)
    discs, polygons = kinds.values()

    def predicted(m):
        return 1 / m["rate"]

    def geometric(m):
        return 1 / m["rates"]["geometric"][1]

    run.figure(
        "What does grow with the number of particles",
        "Left: t_R grows nearly as N, because the slowest mode spans the box (ω ~ 1/√N, t_R = 1/(τω²) with uniform τ). "
        "Middle: both schemes in one picture for the largest packings. Right: another criterion, the energy left at a "
        "fixed time, has no 1/N either.",
        [over_size("relaxation time of the slowest mode", "t_R/t_c", [discs],
                   [("discs, geometric", discs, geometric), ("polygons, geometric", polygons, geometric),
                    ("discs, velocity for Δt → 0", discs, lambda m: 1 / m["fitted_rate"])],
                   [("discs, normal modes (mean)", discs, predicted),
                    ("polygons, normal modes (mean)", polygons, predicted)], [("∝ N", None, 1)]),
         rates_over_step(kinds),
         over_size("energy left at 300 t_c within 5 %, all modes excited (from the modes)", "Δt/t_c", [discs], [],
                   [(name, of, lambda m: m["fixed_time"]) for name, of in kinds.items()], [])],
        name="times", case=text)
    run.figure("Two of the packings", "64 bodies less {} and {} that carry no force.".format(
        *(m["rattlers"] for m in examples.values())),
        [picture(m["case"], name) for name, m in examples.items()], name="packings", case=text)


def study(run):
    all_points = points(run.quick)
    found = [Measured(m) for m in run.map("packings", measure, all_points)]
    lost = [m["failure"] for m in found if "failure" in m]
    kinds = {f"{shape}s": [m for m, p in zip(found, all_points) if p[0] == shape and "failure" not in m]
             for shape in SHAPES}
    whole = [m for measured in kinds.values() for m in measured]
    draw(run, kinds)
    sizes = ends([m["bodies"] for m in whole if m["bodies"] >= FEWEST])
    most, below = (max(m.change(step) for m in whole) for step in (GEOMETRIC_STEPS[-1], GEOMETRIC_STEPS[1]))
    late = [(ratio, fit) for m in whole for ratio, fit in m["late"] if math.isfinite(ratio)]
    used = [ratio for ratio, fit in late if fit > 0.99999]
    return {
        "sizes": f"{sizes[0]} to {sizes[1]} particles, {len(whole)} packings",
        "relaxation": falls_as(kinds, lambda m: m.threshold(0.05)),
        "stability": {e: falls_as(kinds, lambda m, e=e: m["limit"][e][1]) for e in ("velocity", "geometric")},
        "steps": GEOMETRIC_STEPS, "change": 100 * most, "below": 100 * below,
        "slope": max(m.change(GEOMETRIC_STEPS[-1]) / GEOMETRIC_STEPS[-1] * m["rate"] / m["fitted_slope"]
                     for m in whole),
        "above": min(m.threshold(t) / (2 * t / (1 - t) * DELAY) for m in whole for t in TOLERANCES),
        "floor": 2 * 0.05 / 0.95 * DELAY,
        "formula": ends(m.threshold(0.01) / (0.02 * DELAY / m["share"]) for m in kinds["discs"]),
        "modes": {name: ends(m.threshold(0.05) / m.predicted_threshold(0.05) for m in measured)
                  for name, measured in kinds.items()},
        "late": ends(used), "used": len(used), "unclear": len(late) - len(used),
        "limit": {e: ends(m["limit"][e][1] / m["limit"][e][0] for m in whole) for e in ("velocity", "geometric")},
        "lost": f" Left out, without a result: {'; '.join(lost)}." if lost else "",
    }
