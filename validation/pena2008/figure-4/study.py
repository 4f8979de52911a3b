"""Fig. 4: the relaxation time of two discs against friction, without rotation (a) and with it (b)."""

import math

from driver.study import curve, panel
from relaxation import drawn
from two_discs import curves_of, decays, two_discs

STEP = 1e-2  # Δt/t_c of the limit; with geometric elongation t_R does not depend on it
READINGS = {"free no rotation": "free", "guided": "guided", "guided no rotation": "guided without rotation"}
FRICTIONS = (0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.7, 0.9, 0.95, 0.98, 1, 1.02, 1.05, 1.1, 1.2, 1.5, 2,
             3, 5, 10, 30, 100, 500)
QUICK = (0, 0.01, 0.1, 0.3, 0.5, 0.98, 1.2, 2, 100, 500)
# With the velocity elongation. At the published step a run takes 5e8 steps.
CONVENTIONAL = {"free no rotation": (0.5, 0.9, 1.1, 1.2, 2, 10, 500), "guided": (0, 0.1, 0.5, 1, 500),
                "guided no rotation": (0, 0.1, 0.5, 1, 500)}
QUICK_CONVENTIONAL = {"free no rotation": (1.2, 500), "guided": (0.1, 500), "guided no rotation": (0.1, 500)}
PUBLISHED_STEP, AT_PUBLISHED = 1e-5, {"free no rotation": (1.2, 500), "guided": (0.1, 500)}


def vibrates(d):
    """Perhaps not as one exponential."""
    return d.maxima >= 20 and d.time > 0


def shown(d):
    if not vibrates(d):
        return "no decay"
    return f"{d.time:.2f}" if d.usable else f"{d.time:.1f} (R² = {d.r_squared:.4f})"


def times(found, least):
    """The shortest and the longest t_R from a friction on."""
    usable = [d.time for mu, d in found.items() if d.usable and mu >= least]
    return [min(usable), max(usable)]


def conventional(run, step, frictions):
    """Points over friction with the velocity elongation, by reading."""
    return curves_of(run, f"velocity-{step:g}", {
        reading: {mu: (reading, step, "predicted", {"material.friction": mu}) for mu in of}
        for reading, of in frictions.items()})


def draw(run, limits, velocity):
    """`velocity` has the points of each reading by the legend."""
    panels = []
    for reading, title in zip(READINGS, ("a: no rotation, free", "b: with rotation, guided", "a: no rotation, guided")):
        found = limits[reading]
        good, mixed = ({mu: d.time for mu, d in found.items() if mu > 0 and vibrates(d) and d.usable == single}
                       for single in (True, False))
        curves = [curve("geometric elongation (limit Δt → 0)", list(good), list(good.values()))]
        if mixed:
            curves.append(curve("the same, not one exponential (R² < 0.999)", list(mixed), list(mixed.values()),
                                "points"))
        curves += [drawn(f"velocity elongation, Δt/t_c = {step}", [p for p in points[reading] if p.x > 0])
                   for step, points in velocity.items() if reading in points]
        if found[0].usable:
            curves.append(curve("no friction", [0.01, 500], [found[0].time] * 2, "prediction"))
        panels.append(panel(title, "μ", "t_R/t_c", curves, log="x"))
    run.figure("Relaxation time against friction",
               "Panels a and b of the figure in the readings that give them, and a in the reading `guided`, which does "
               "not. Where no point is drawn the kinetic energy does not decay. The limit of small steps is taken with "
               "geometric elongation, a few points as published.", panels,
               case=two_discs("free no rotation", STEP, "predicted").to_toml())


def study(run):
    frictions = QUICK if run.quick else FRICTIONS
    found = iter(decays(run, "decays", [(reading, STEP, "geometric", {"material.friction": mu})
                                        for reading in READINGS for mu in frictions]))
    limits = {reading: {mu: next(found) for mu in frictions} for reading in READINGS}
    free, guided, held = limits.values()
    step, of = (1e-2, QUICK_CONVENTIONAL) if run.quick else (1e-4, CONVENTIONAL)
    published = {} if run.quick else conventional(run, PUBLISHED_STEP, AT_PUBLISHED)
    draw(run, limits, {f"{step:g}": conventional(run, step, of), f"{PUBLISHED_STEP:g}, as published": published})

    low, high = times(guided, 0.1)
    least, most = times(held, 0.7)
    return {
        "last_without": max(mu for mu, d in free.items() if not vibrates(d)),
        "first_with": min(mu for mu, d in free.items() if vibrates(d)),
        "free_at": [shown(free[mu]) for mu in (1.2, 2, 500)],
        "guided": [low, high, 100 * (high / low - 1)], "guided_at": [shown(guided[0.01]), shown(guided[0])],
        "held": [least, most, most / least - 1], "held_at": [shown(held[0.01]), shown(held[0])],
        "plateau": max((100 * abs(p.time / limits[reading][p.x].time - 1) if p.usable else math.inf
                        for reading, points in published.items() for p in points if limits[reading][p.x].usable),
                       default=math.nan),
        "published": "; ".join(f"{READINGS[reading]}: " + ", ".join(
            f"{p.x:g}: " + (f"{p.time:.2f}" if p.usable else "no single decay") for p in points)
            for reading, points in published.items()),
    }
