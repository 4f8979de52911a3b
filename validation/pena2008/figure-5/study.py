"""Fig. 5: the relaxation time of two discs and the ratios k_t/k_n (a, b) and ε_t/ε_n (c, d)."""

import math

import numpy as np

from driver.study import panel
from relaxation import drawn, falls, predicted, straight_line, value_at, values
from step_map import slowest
from two_discs import curves_of, ratios, two_discs

VALUES = {"stiffness_ratio": (0.01, 0.1, 0.2, 1 / 3, 0.5, 0.8, 1.0),
          "restitution_ratio": (0.98, 0.99, 1.0, 1.0025, 1.0053, 1.008, 1.01)}
QUICK = {"stiffness_ratio": (0.1, 1 / 3, 1.0), "restitution_ratio": (0.98, 1.0053, 1.01)}
STEPS = (1e-4, 1e-3, 0.00316227766, 1e-2, 0.0316227766, 0.1)  # Δt/t_c
QUICK_STEPS = (1e-3, 1e-2, 0.1)
READINGS = {"guided": "with rotation", "guided no rotation": "no rotation"}


def given(axis, value):
    """The ratios at a place of either axis."""
    return {"stiffness_ratio": 1 / 3, "restitution_ratio": 1.0053} | {axis: value}


def plateaus(run, axis, places):
    """t_R for Δt → 0 by the reading: decays with geometric elongation."""
    return curves_of(run, axis, {reading: {
        v: (reading, 0.01, "geometric", ratios(**given(axis, v)), 4e8, 20000) for v in places} for reading in READINGS})


def over_step(run, axis, places):
    """Decays with the velocity elongation, with rotation, by the place."""
    return curves_of(run, axis + "-steps", {v: {
        step: ("guided", step, "predicted", ratios(**given(axis, v)), 4e8, 20000)
        for step in (QUICK_STEPS if run.quick else STEPS)} for v in places})


def complete(points, axis, reading):
    """The points, with the spectrum where a fit sees two modes."""
    return [p if p.usable else p.at(slowest(reading=reading, **given(axis, p.x))) for p in points]


def line(found, log_x=False, log_y=False, start=0.0):
    x, y = values([p for p in found if p.x >= start * (1 - 1e-9)])
    return straight_line(np.log(x) if log_x else x, np.log(y) if log_y else y)


def deviations(limits, steps):
    """Of t_R at Δt/t_c = 1e-3 from the limit, with rotation, by k_t/k_n."""
    at_step = [value_at(steps[p.x], 1e-3) if p.decays else
               slowest(dt_over_tc=1e-3, elongation="predicted", **given("stiffness_ratio", p.x)) for p in limits]
    return [(p.x, 1 - time / p.time) for p, time in zip(limits, at_step)]


def draw(run, limits, steps):
    panels = []
    for axis, symbol, part, log, density in (("stiffness_ratio", "k_t/k_n", "a, b", "x", 12),
                                             ("restitution_ratio", "ε_t/ε_n", "c, d", "y", 1500)):
        over = [drawn(f"{symbol} = {v:.5g}", points, "line-and-points") for v, points in steps[axis].items()]
        panels.append(panel(f"{part}: {symbol}, with rotation", "Δt/t_c", "t_R/t_c", over, log="x"))
        curves = [drawn(words, limits[axis][reading]) for reading, words in READINGS.items()]
        ends = [limits[axis]["guided"][k].x for k in (0, -1)]
        curves += [predicted(label, *ends, lambda v: slowest(reading=reading, **given(axis, v)), density)
                   for label, reading in (("spectrum of the step", "guided"),
                                          ("spectrum, no rotation", "guided no rotation"))]
        panels.append(panel(f"{part}: plateau against {symbol}", symbol, "t_R/t_c", curves, log=log))
    run.figure("Relaxation time and the ratios of stiffness and restitution",
               "Reading `guided`. Against the time step: velocity elongation; plateaus: geometric elongation. γ_t "
               "follows from ε_t and k_t by Eq. 6. "
               "The caption of c, d in the paper says k_t/k_n where ε_t/ε_n is meant.",
               panels, case=two_discs("guided", 0.01, "predicted").to_toml())


def study(run):
    places = QUICK if run.quick else VALUES
    limits = {axis: plateaus(run, axis, of) for axis, of in places.items()}
    steps = {axis: over_step(run, axis, of) for axis, of in places.items()}
    draw(run, limits, steps)

    (k, k_held), (e, e_held) = ([complete(points, axis, reading) for reading, points in of.items()]
                                for axis, of in limits.items())
    least = values(k)[1].min()
    a, held, whole = line(k, True, start=0.1), line(k_held, True, start=0.1), line(k, True)
    rotating, still, over_k = (line(f, log_y=True) for f in (e, e_held, k))
    all_k = deviations(k, steps["stiffness_ratio"])
    above = [(x, deviation) for x, deviation in all_k if x >= 0.1]
    listed, below = (", ".join(f"{x:.3g}: {100 * deviation:.2f} %" for x, deviation in all_k if (x >= 0.1) == side)
                     for side in (True, False))
    return {
        "decade": a["slope"] * math.log(10), "a": a, "residual": 100 * a["residual"] / least,
        "held_decade": held["slope"] * math.log(10), "held": held, "first": k[0].x, "whole": whole,
        "whole_residual": 100 * whole["residual"] / least, "falling": falls(k) and falls(k_held),
        "text": listed + (f"; below: {below} (spectrum)" if below else ""),
        "order": above == sorted(above, key=lambda d: -d[1]),
        "at_tenth": 100 * dict(all_k)[0.1], "at_one": 100 * dict(all_k)[1.0],
        "e_ends": [e[0].x, e[-1].x], "e": rotating, "e_held": still, "over_k": over_k,
        "e_residual": 100 * rotating["residual"], "e_held_residual": 100 * still["residual"],
    }
