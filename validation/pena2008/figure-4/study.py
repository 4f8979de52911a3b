"""Fig. 4: the relaxation time of two discs against friction, without rotation (a) and with it (b)."""

import math

from driver.study import curve, panel
from relaxation import drawn, points
from two_discs import Decay, decay

STEP = 1e-2  # Δt/t_c of the limit; with geometric elongation t_R does not depend on it
READINGS = {"free no rotation": "free", "guided": "guided", "guided no rotation": "guided without rotation"}
FRICTIONS = (0, 0.01, 0.03, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.7, 0.9, 0.95, 0.98, 1, 1.02, 1.05, 1.1, 1.2, 1.5, 2,
             3, 5, 10, 30, 100, 500)
QUICK = (0, 0.01, 0.1, 0.3, 0.5, 0.98, 1.2, 2, 100, 500)


def limit(reading, friction):
    """The decay for small steps."""
    return decay(reading, STEP, "geometric", {"material.friction": friction})


def decays(d):
    """Perhaps not as one exponential."""
    return d.maxima >= 20 and d.time > 0


def shown(d):
    if not decays(d):
        return "no decay"
    return f"{d.time:.2f}" if d.usable else f"{d.time:.1f} (R² = {d.r_squared:.4f})"


def times(found, least):
    """The shortest and the longest t_R from a friction on."""
    usable = [d.time for mu, d in found.items() if d.usable and mu >= least]
    return [min(usable), max(usable)]


def over_friction(table):
    """Text of t_R."""
    return ", ".join(f"{p.x:g}: " + (f"{p.time:.2f}" if p.usable else "no single decay")
                     for p in points(table, "friction"))


def from_limit(table, limits):
    """Largest deviation of the decays at the published step from the limit of small steps."""
    return max((abs(p.time / limits[p.x].time - 1) if p.usable else math.inf
                for p in points(table, "friction") if limits[p.x].usable), default=0)


def draw(run, limits, conventional, published):
    panels = []
    for reading, title in zip(READINGS, ("a: no rotation, free", "b: with rotation, guided", "a: no rotation, guided")):
        found = limits[reading]
        good = {mu: d.time for mu, d in found.items() if mu > 0 and decays(d) and d.usable}
        mixed = {mu: d.time for mu, d in found.items() if mu > 0 and decays(d) and not d.usable}
        curves = [curve("geometric elongation (limit Δt → 0)", list(good), list(good.values()))]
        if mixed:
            curves.append(curve("the same, not one exponential (R² < 0.999)", list(mixed), list(mixed.values()),
                                "points"))
        for tables, end in ((conventional, ""), (published, ", as published")):
            if reading in tables:
                step = f"{tables[reading]['dt_over_tc'][0]:g}"
                curves.append(drawn(f"velocity elongation, Δt/t_c = {step}{end}",
                                    [p for p in points(tables[reading], "friction") if p.x > 0]))
        if found[0].usable:
            curves.append(curve("no friction", [0.01, 500], [found[0].time] * 2, "prediction"))
        panels.append(panel(title, "μ", "t_R/t_c", curves, log="x"))
    run.figure("Relaxation time against friction",
               "Panels a and b of the figure in the readings that give them, and a in the reading `guided`, which does "
               "not. Where no point is drawn the kinetic energy does not decay. The limit of small steps is taken with "
               "geometric elongation, a few points as published.", panels, case=run.case_text("../figure-3/free.toml"))


def study(run):
    frictions = QUICK if run.quick else FRICTIONS
    found = run.map("decays", limit, [(reading, mu) for reading in READINGS for mu in frictions])
    found = dict(zip([(reading, mu) for reading in READINGS for mu in frictions], found))
    limits = {reading: {mu: Decay(*found[reading, mu]) for mu in frictions} for reading in READINGS}
    free, guided, held = limits.values()
    conventional = dict(zip(READINGS, (run.sweep("free.toml"), run.sweep("guided.toml"), run.sweep(
        "guided.toml", "../figure-3/guided-no-rotation.toml"))))
    published = {} if run.quick else {r: run.sweep(f"{f}-published-step.toml")
                                      for r, f in zip(READINGS, ("free", "guided"))}
    draw(run, limits, conventional, published)

    plateau = [from_limit(table, limits[reading]) for reading, table in published.items()]
    at_published = "; ".join(f"{READINGS[r]}: {over_friction(t)}" for r, t in published.items())
    low, high = times(guided, 0.1)
    least, most = times(held, 0.7)
    return {
        "last_without": max(mu for mu, d in free.items() if not decays(d)),
        "first_with": min(mu for mu, d in free.items() if decays(d)),
        "free_at": [shown(free[mu]) for mu in (1.2, 2, 500)],
        "guided": [low, high, 100 * (high / low - 1)], "guided_at": [shown(guided[0.01]), shown(guided[0])],
        "held": [least, most, most / least - 1], "held_at": [shown(held[0.01]), shown(held[0])],
        "plateau": max(plateau) if published else None,
        "published": (f"{at_published} t_c; where the contact sticks at most {100 * max(plateau):.2g} % from the "
                      "limit of small steps" if published else "not in this set"),
        "published_note": (
            "The published step lies below the threshold in every reading; the other points of the figure use "
            "geometric elongation, which has no threshold." if published else
            "A run at the published step takes 5e8 steps; the full study has four of them."),
    }
