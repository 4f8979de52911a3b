"""Does the admissible time step fall as 1/N? Relaxation threshold and stability limit of packings of 2 to 1024 discs or
polygons in a rigid box, with sticking friction, beside what their normal modes predict. See README.md."""

import math
from functools import partial

import numpy as np

import dem
from driver.seeds import student
from driver.study import curve, panel
from packed import DAMPING, STIFFNESS, T_C, make_packing
from packed_motion import GEOMETRIC_STEPS, VELOCITY_STEPS, measure

DELAY = DAMPING / STIFFNESS / T_C  # τ = γ/k (t_c), the same for all contacts
TOLERANCES = (0.05, 0.02, 0.01)
FEWEST = 4  # bodies of a packing that a power law is fitted to: two discs have one contact with each other
# Particles, seeds, and smallest Δt/t_c of the decays. Decays last the longer, the more particles there are.
FULL = {"disc": ((2, 6, 1e-3), (4, 6, 1e-3), (16, 6, 2e-3), (64, 6, 5e-3), (256, 5, 1e-2), (1024, 3, 1e-2)),
        "polygon": ((2, 6, 1e-3), (4, 6, 2e-3), (16, 6, 5e-3), (64, 6, 1e-2), (256, 5, 1e-2), (1024, 3, 2e-2))}
QUICK = dict.fromkeys(FULL, ((2, 2, 5e-3), (4, 2, 5e-3), (16, 2, 5e-3), (64, 1, 1e-2)))


def threshold(m, tolerance, line="fitted"):
    """Δt/t_c at which t_R is within the tolerance of its limit, from the line through 1/t_R of a packing. The line is
    fitted to decays, or that of its slowest mode."""
    rate, slope = m[line]
    return tolerance / (1 - tolerance) * rate / slope


def change(m):
    """Largest relative change of the rate of `geometric` from that at its smallest step."""
    rates = [r for r in m["rates"]["geometric"] if r == r]
    return max(abs(r / rates[0] - 1) for r in rates)


def power_law(n, y):
    """Exponent of y ~ n^exponent by least squares, and half of its 95 % interval."""
    x, z = (v - v.mean() for v in (np.log(n), np.log(y)))
    slope = (x @ z) / (x @ x)
    freedom = len(x) - 2
    return float(slope), student(freedom, 0.025) * math.sqrt(((z - slope * x) ** 2).sum() / freedom / (x @ x))


def means(measured, of):
    """Geometric means of the number of bodies and of a quantity, a row for each number of particles at the start."""
    sizes = sorted({m["particles"] for m in measured})
    return np.exp([np.mean([np.log([m["bodies"], of(m)]) for m in measured if m["particles"] == n], axis=0)
                   for n in sizes])


def falls_as(kinds, of):
    """The conjecture is one statement for both kinds of packing: −1 must lie in both intervals."""
    laws, texts, holds = [], [], True
    for name, measured in kinds.items():
        large = [m for m in measured if m["bodies"] >= FEWEST]
        exponent, half = power_law([m["bodies"] for m in large], [of(m) for m in large])
        laws.append(f"N^{exponent:+.3f} [{exponent - half:+.3f}, {exponent + half:+.3f}] for {name}")
        holds = holds and abs(exponent + 1) <= half
        y = means(measured, of)[:, 1]
        texts.append(f"{name}: {y[0]:.3g} t_c at 2, {y[-1]:.3g} t_c at about {measured[-1]['bodies']} particles")
    return {"law": ", ".join(laws), "means": "; ".join(texts), "holds": holds}


def ends(values):
    values = list(values)
    return [min(values), max(values)]


def over_size(title, label, measured, dots, lines, floors=()):
    """Points and mean lines are (label, function of a packing), floors are (label, height). A line 1/N begins where the
    first mean line does."""
    size = [m["bodies"] for m in measured]
    curves = [curve(name, size, [f(m) for m in measured], "points") for name, f in dots]
    curves += [curve(name, *means(measured, f).T, "prediction") for name, f in lines]
    most, first = max(size), curves[len(dots)]["y"][0]
    curves += [curve(name, [2, most], [height] * 2, "prediction") for name, height in floors]
    curves.append(curve("1/N", [2, most], [first, first * 2 / most], "prediction"))
    return panel(title, "number of particles N", label, curves, log="xy")


def rates_over_step(kinds):
    """1/t_R against Δt of the last packing of each kind, which is the largest."""
    curves, steps = [], np.geomspace(1e-3, 0.1, 26)
    for name, measured in kinds.items():
        m = measured[-1]
        rate, slope = m["mode"]
        for elongation, at in (("velocity", VELOCITY_STEPS), ("geometric", GEOMETRIC_STEPS)):
            seen = [(step, found / rate) for step, found in zip(at, m["rates"][elongation]) if found == found]
            curves.append(curve(f"{m['bodies']} {name}, {elongation}", *zip(*seen), "points"))
        curves.append(curve(f"{name}: 1 + bΔt t_R(0), from the mode", steps, 1 + slope * steps / rate, "prediction"))
    return panel("decay of the slowest mode", "Δt/t_c", "t_R(0)/t_R(Δt)", curves, log="xy")


def draw(run, kinds):
    text = dem.Case(make_packing("disc", 2, 1).tables).to_toml()
    run.figure(
        "Relaxation threshold against the number of particles",
        "Largest Δt at which t_R of the slowest mode is within 5, 2 and 1 % of its limit, elongation `velocity` "
        "(points: single packings). The prediction needs no run: φᵀCφ and the tangential movement of the slowest mode "
        "of each packing. `geometric` has no threshold below its stability limit. Right: both elongations in the "
        "largest packings.",
        [*(over_size(name, "T_t/t_c", of,
                     [(f"velocity, {100 * tol:g} %", partial(threshold, tolerance=tol)) for tol in TOLERANCES],
                     [("5 %, from the slowest mode of each packing (mean)",
                       partial(threshold, tolerance=0.05, line="mode"))],
                     [(f"floor 2 tol τ/(1 − tol) at {100 * tol:g} %", 2 * tol / (1 - tol) * DELAY)
                      for tol in (0.05, 0.01)])
           for name, of in kinds.items()), rates_over_step(kinds)], case=text)
    run.figure(
        "Stability limit against the number of particles",
        "Largest Δt without growth of a small disturbance (bisection to 0.5 %), and what the modes of each packing "
        "predict.",
        [over_size(name, "largest stable Δt/t_c", of,
                   [(e, lambda m, e=e: m["limit"][e][1]) for e in ("velocity", "geometric")],
                   [("geometric, largest eigenfrequency (mean)", lambda m: m["limit"]["geometric"][0]),
                    ("velocity, modes one by one (mean)", lambda m: m["limit"]["velocity"][0])])
         for name, of in kinds.items()], name="stability", case=text)


def study(run):
    points = [(shape, particles, seed, step) for shape, plan in (QUICK if run.quick else FULL).items()
              for particles, seeds, step in plan for seed in range(1, seeds + 1)]
    found = run.map("packings", measure, points)
    lost = [m["failure"] for m in found if "failure" in m]
    kinds = {f"{shape}s": [m for m, p in zip(found, points) if p[0] == shape and "failure" not in m] for shape in FULL}
    whole = [m for measured in kinds.values() for m in measured]
    draw(run, kinds)
    sizes = ends([m["bodies"] for m in whole if m["bodies"] >= FEWEST])
    return {
        "sizes": f"{sizes[0]} to {sizes[1]} particles, {len(whole)} packings",
        "relaxation": falls_as(kinds, partial(threshold, tolerance=0.05)),
        "stability": {e: falls_as(kinds, lambda m, e=e: m["limit"][e][1]) for e in ("velocity", "geometric")},
        "steps": GEOMETRIC_STEPS, "change": 100 * max(map(change, whole)),
        "slope": max(change(m) / GEOMETRIC_STEPS[-1] * m["mode"][0] / m["fitted"][1] for m in whole),
        "formula": ends(threshold(m, 0.01) / (0.02 * DELAY / m["share"]) for m in kinds["discs"]),
        "modes": {name: ends(threshold(m, 0.05) / threshold(m, 0.05, "mode") for m in measured)
                  for name, measured in kinds.items()},
        "lost": f" Left out, without a result: {'; '.join(lost)}." if lost else "",
    }
