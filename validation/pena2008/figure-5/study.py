"""Fig. 5: the relaxation time of two discs and the ratios k_t/k_n (a, b) and ε_t/ε_n (c, d)."""

import math

import numpy as np

from driver.study import curve, panel
from relaxation import drawn, falls, points, straight_line, value_at, values
from step_map import slowest

NO_ROTATION = "guided no rotation"


def given(axis, value):
    """The two-disc case at a value of either ratio."""
    return {"stiffness_ratio": value if axis == "stiffness_ratio" else 1 / 3,
            "restitution_ratio": value if axis == "restitution_ratio" else 1.0053}


def limit(table, axis, reading):
    """t_R for Δt → 0: the fits, and the same with the spectrum where a fit sees two modes."""
    found = points(table, axis, elongation="geometric")
    return found, [p if p.decays else p.at(slowest(reading=reading, **given(axis, p.x))) for p in found]


def over_step(table, axis, value):
    return points(table, "dt_over_tc", **{"elongation": "velocity", axis: value})


def line(found, log_x=False, log_y=False, start=0.0):
    x, y = values([p for p in found if p.x >= start * (1 - 1e-9)])
    return straight_line(np.log(x) if log_x else x, np.log(y) if log_y else y)


def listed(pairs, digits):
    return ", ".join(f"{x:.3g}: {100 * deviation:.{digits}f} %" for x, deviation in pairs)


def deviations(table, found):
    """Of t_R at Δt/t_c = 1e-3 from the limit, with rotation."""
    out = []
    for p in found:
        at_step = (value_at(over_step(table, "stiffness_ratio", p.x), 1e-3) if p.decays else
                   slowest(dt_over_tc=1e-3, elongation="predicted", **given("stiffness_ratio", p.x)))
        out.append((p.x, 1 - at_step / p.time))
    return out


def draw(run, tables, limits):
    panels = []
    for name, axis, symbol, part in (("a, b", "stiffness_ratio", "k_t/k_n", 0),
                                     ("c, d", "restitution_ratio", "ε_t/ε_n", 2)):
        ends, with_rotation = (limits[part][0].x, limits[part][-1].x), tables[part]
        over = [drawn(f"{symbol} = {v:.5g}", over_step(with_rotation, axis, v), "line-and-points")
                for v in np.unique(with_rotation[axis])]
        panels.append(panel(f"{name}: {symbol}, with rotation", "Δt/t_c", "t_R/t_c", over, log="x"))
        x = np.geomspace(*ends, 1 + math.ceil(math.log10(ends[1] / ends[0]) * (12 if part == 0 else 1500)))
        spectra = [curve(label, x, [slowest(reading=reading, **given(axis, v)) for v in x], "prediction")
                   for label, reading in (("spectrum of the step", "guided"), ("spectrum, no rotation", NO_ROTATION))]
        plateaus = [drawn("with rotation", limits[part]), drawn("no rotation", limits[part + 1])]
        panels.append(panel(f"{name}: plateau against {symbol}", symbol, "t_R/t_c", plateaus + spectra,
                            log="x" if part == 0 else "y"))
    run.figure("Relaxation time and the ratios of stiffness and restitution",
               "Reading `guided`. Against the time step: velocity elongation; plateaus: geometric elongation. γ_t "
               "follows from ε_t and k_t by Eq. 6. "
               "The caption of c, d in the paper says k_t/k_n where ε_t/ε_n is meant.",
               panels, case=run.case_text("../figure-3/case.toml"))


def study(run):
    kinds = [(axis, end) for axis in ("stiffness", "restitution") for end in ("", "-no-rotation")]
    tables = [run.sweep(f"{axis}-ratio{end}.toml") for axis, end in kinds]
    axes = ["stiffness_ratio"] * 2 + ["restitution_ratio"] * 2
    found = [limit(t, axis, reading) for t, axis, reading in zip(tables, axes, ("guided", NO_ROTATION) * 2)]
    limits, (k, k_held, e, e_held) = [f[0] for f in found], [f[1] for f in found]
    draw(run, tables, limits)

    least = values(k)[1].min()
    a, held, whole = line(k, True, start=0.1), line(k_held, True, start=0.1), line(k, True)
    rotating, still, over_k = (line(f, log_y=True) for f in (e, e_held, k))
    at_held = [(p.x, 1 - value_at(over_step(tables[1], "stiffness_ratio", p.x), 1e-2) / p.time)
               for p in k_held if p.usable]
    all_k = deviations(tables[0], k)
    above, below = ([d for d in all_k if (d[0] >= 0.1 * (1 - 1e-9)) == side] for side in (True, False))
    at = {round(x, 9): deviation for x, deviation in all_k}
    return {
        "decade": a["slope"] * math.log(10), "a": a, "residual": 100 * a["residual"] / least,
        "held_decade": held["slope"] * math.log(10), "held": held, "first": k[0].x, "whole": whole,
        "whole_residual": 100 * whole["residual"] / least, "falling": falls(k) and falls(k_held),
        "held_text": listed(at_held, 1), "held_order": at_held == sorted(at_held, key=lambda d: -d[1]),
        "text": listed(above, 2) + ("; below: " + listed(below, 2) + " (spectrum)" if below else ""),
        "order": above == sorted(above, key=lambda d: -d[1]),
        "at_tenth": 100 * at[0.1], "at_one": 100 * at[1.0],
        "e_ends": [e[0].x, e[-1].x], "e": rotating, "e_held": still, "over_k": over_k,
        "e_residual": 100 * rotating["residual"], "e_held_residual": 100 * still["residual"],
    }
