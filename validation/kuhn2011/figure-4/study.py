"""Fig. 4: the equivalent load history that a contact stores, step by step. The steps of the paper are not printed;
those of the reference (§16, U3) were chosen to reproduce every history that it describes."""

import numpy as np

from driver.digits import agrees_with_print
from driver.study import curve, panel
from jaeger import drive, table

# The stored histories: ends of the legs as printed, 1000 ζ*, and their slopes.
HISTORIES = [
    ("0–1", ["1"], [0.2]),
    ("0–1–2", ["1", "2"], [0.2, -0.3]),
    ("0–1–2–3", ["1", "2", "3"], [0.2, -0.3, -0.1]),
    ("0–1–2–2a–4", ["1", "2", "2.33333", "3.4"], [0.2, -0.3, -0.1, 0.5]),
    ("0–1–1a–5", ["1", "1.5", "3.2"], [0.2, -0.3, 0.5]),
    ("0–1–1a–5–6", ["1", "1.5", "3.2", "4.2"], [0.2, -0.3, 0.5, 0.1]),
    ("0–1–1a–5–6–7", ["1", "1.5", "3.2", "4.2", "5"], [0.2, -0.3, 0.5, 0.1, 0.4]),
    ("0–1–1a–5–6–6a–8", ["1", "1.5", "3.2", "4.2", "4.55556", "5.2"], [0.2, -0.3, 0.5, 0.1, 0.4, -0.5]),
    ("0–1–1a–5–6–6a–7a–9", ["1", "1.5", "3.2", "4.2", "4.55556", "4.95", "5.1"], [0.2, -0.3, 0.5, 0.1, 0.4, -0.5, 0.5]),
]
KINDS = ["stick", "stick", "stick", "slip, loading", "slip, loading", "stick", "stick", "slip, loading",
         "slip, unloading"]


def kind_of(regime, before, after, friction):
    """Unloading stays inside the cone of a leg that slipped: the leg is shortened and a new one opens."""
    if regime == "stick":
        return "stick"
    slipped = abs(before[-1, 1]) >= friction * (1 - 1e-12)
    return "slip, unloading" if slipped and len(after) == len(before) + 1 else "slip, loading"


def histories_match(legs):
    """Do the ends and the slopes agree, and by how much are the slopes off?"""
    holds, worst = True, 0.0
    for found, (_, ends, slopes) in zip(legs, HISTORIES):
        holds = holds and len(found) == len(ends)
        for (z, slope, _), end, printed in zip(found, ends, slopes):
            holds = holds and agrees_with_print(end, 1000 * z) and abs(slope - printed) <= 1e-12
            worst = max(worst, abs(slope - printed))
    return holds, worst


def draw(run, legs, kinds, friction):
    def polyline(label, of):
        z = np.concatenate([[0], of[:, 0]])
        return curve(label, 1000 * z, 1000 * np.concatenate([[0], np.cumsum(of[:, 1] * np.diff(z))]))

    panels = []
    for k, now in enumerate(legs):
        curves = [polyline(f"after: {len(now)} leg{'s' * (len(now) > 1)}", now)]
        z, y = curves[0]["x"][-1], curves[0]["y"][-1]
        reach = min(z, 2.2)
        curves += [polyline("before", legs[k - 1])] if k else []
        curves.append(curve("cone ±f", [z - reach, z, z - reach], [y - friction * reach, y, y + friction * reach],
                            "prediction"))
        panels.append(panel(f"step {k + 1}: {kinds[k]}", "1000 ζ/R", "1000 ξ/(κR)", curves))
    run.figure("The equivalent load history after each of nine steps",
               "Equivalent history that the contact stores (line, corners where its legs end) after each step, and the "
               "one before the step (second line); f = 0.5. Dashed: the cone of slope ±f behind the new point. A step "
               "sticks where the old end lies inside this cone: one more leg. Else it slips: the old history is kept "
               "up to where it leaves the cone, and the new leg lies on the cone.", panels)


def study(run):
    m, moves, _ = table("U3")
    states = drive(m, moves, legs_after=range(10))
    legs = [states.legs[k] for k in range(1, 10)]
    kinds = [kind_of(states.regime[k + 1], states.legs[k], states.legs[k + 1], m["friction"]) for k in range(9)]
    holds, worst = histories_match(legs)
    draw(run, legs, kinds, m["friction"])
    return {
        "histories": holds, "worst": worst,
        "ends": "; ".join(f"{k}: " + ", ".join(f"{1000 * z:.6g}" for z in of[:, 0]) for k, of in enumerate(legs, 1)),
        "kinds": sum(a == b for a, b in zip(kinds, KINDS)),
    }
