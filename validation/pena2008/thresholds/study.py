"""The threshold T_t(μ, k_t/k_n, ε_t/ε_n) of Eq. 9: the largest Δt/t_c at which t_R has reached its limit for Δt → 0
within a tolerance, beside its prediction 2·tol·τ/f_t (polygon-dem reference, §5)."""

import math
from itertools import groupby, product
from typing import NamedTuple

import numpy as np

from driver.study import curve, panel
from step_map import TwoDiscs, modes, predicted_threshold, predicted_threshold_of_all, slowest, threshold
from two_discs import WORDS, decays, ratios, two_discs

TOLERANCES = (0.05, 0.02, 0.01)
LARGEST = 0.1  # Δt/t_c of the figures of the source
STIFFNESS, RESTITUTION = 1 / 3, 1.0053  # the reference place
FULL = {"friction": (0, 0.01, 0.1, 0.3, 0.5, 0.9, 1.1, 1.2, 2, 10, 100, 500),
        "stiffness": (0.01, 0.02, 0.05, 0.1, 0.2, STIFFNESS, 0.5, 0.8, 1),
        "restitution": (0.98, 0.985, 0.99, 0.995, 1, 1.0025, RESTITUTION, 1.008, 1.01)}
QUICK = {"friction": (0, 0.1, 1.1, 500), "stiffness": (0.1, STIFFNESS, 1), "restitution": (0.98, RESTITUTION, 1.01)}


class Place(NamedTuple):
    """Thresholds of the sticking contact, one for each tolerance. They are infinite where there is none."""

    reading: str
    stiffness: float
    restitution: float
    exact: list  # from the spectrum of the step
    predicted: list
    of_all_modes: list


def place(reading, stiffness, restitution):
    case = TwoDiscs(reading, 1e-3, "predicted", stiffness, restitution)
    limit, found = slowest(case, elongation="geometric"), modes(case)
    return Place(reading, stiffness, restitution, *zip(*(
        (threshold(case, limit, tolerance, LARGEST), predicted_threshold(found, tolerance),
         predicted_threshold_of_all(found, tolerance)) for tolerance in TOLERANCES)))


def along(places, reading, axis):
    """Those of a reading that differ from the reference place along this axis."""
    return [p for p in places if p.reading == reading
            and (p.restitution == RESTITUTION if axis == "stiffness" else p.stiffness == STIFFNESS)]


def on_line(limit, fits, steps):
    """T_t at 5 % on the line 1/t_R = 1/limit + slope Δt/t_c. It is NaN where a decay is not usable."""
    if not all(d.usable for d in (limit, *fits)):
        return math.nan
    slope = np.mean([(1 / d.time - 1 / limit.time) / step for d, step in zip(fits, steps)])
    found = 0.05 / 0.95 / (limit.time * slope) if slope > 0 else math.inf
    return found if found <= LARGEST else math.inf


def from_decays(run, places, frictions):
    """T_t at 5 % of each reading, a list over the frictions. Decays are at steps about the threshold of the spectrum,
    and at larger ones without friction and in the quick set."""
    factors = (2, 4) if run.quick else (1, 2, 3)
    points, steps_of = [], []
    for p in (p for p in places if (p.stiffness, p.restitution) == (STIFFNESS, RESTITUTION)):
        for mu in frictions:
            keys = ratios(STIFFNESS, RESTITUTION) | {"material.friction": mu}
            steps_of.append([factor * (p.exact[0] if mu > 0 else 0.03) for factor in factors])
            points += [(p.reading, 0.01, "geometric", keys)]
            points += [(p.reading, step, "predicted", keys) for step in steps_of[-1]]
    fits = iter(decays(run, "decays", points))
    found = [on_line(next(fits), [next(fits) for _ in factors], steps) for steps in steps_of]
    return {reading: found[k * len(frictions):(k + 1) * len(frictions)] for k, reading in enumerate(WORDS)}


def compare_predictions(places):
    single, others, none = [], [], 0
    for p in places:
        for tolerance, step, first, predicted in zip(TOLERANCES, p.exact, p.predicted, p.of_all_modes):
            if not math.isfinite(step):
                none += predicted > LARGEST
                continue
            # Is another mode the slowest at the threshold?
            crossed = abs(first / (1 - tolerance) / predicted - 1) > 1e-6
            (others if crossed else single).append(100 * abs(step / first - 1))
    return {"single": len(single), "others": len(others), "with_none": none, "off": max(single),
            "off_of_others": max(others, default=0)}


def over_ratios(places):
    """Text of the ranges of T_t at 5 %, and whether each spans a factor 2."""
    texts, varies = [], True
    for reading, name in WORDS.items():
        parts = []
        for axis, label in (("stiffness", "k_t/k_n"), ("restitution", "ε_t/ε_n")):
            here = along(places, reading, axis)
            exact = [p.exact[0] for p in here if math.isfinite(p.exact[0])]
            low, high = (getattr(here[k], axis) for k in (0, -1))
            parts.append(f"{min(exact):.2g} to {max(exact):.2g} over {label} = {low:.3g} to {high:.3g}")
            varies = varies and max(exact) > 2 * min(exact)
        texts.append(f"{name}: " + ", ".join(parts))
    return {"text": "; ".join(texts), "varies": varies}


def over_friction(found, frictions):
    """Text of T_t over μ, frictions of the same threshold together; whether those that stick have the same; and the
    least μ of each reading from which on T_t is that at 500."""
    texts, same, least = [], True, []
    for reading, steps in found.items():
        near = [abs(step / steps[-1] - 1) < 0.05 for step in steps]
        least.append(next((mu for k, mu in enumerate(frictions) if all(near[k:])), math.inf))
        same = same and all(n or math.isnan(step) for n, step in zip(near[1:], steps[1:]))
        same = same and (steps[0] == math.inf or reading == "free no rotation")  # without friction
        words = [{"inf": "none", "nan": "no decay"}.get(word, word) for word in (f"{step:.3g}" for step in steps)]
        groups = [(word, [f"{mu:g}" for mu, _ in of])
                  for word, of in groupby(zip(frictions, words), lambda pair: pair[1])]
        texts.append(f"{WORDS[reading]}: " + ", ".join(
            (mu[0] if len(mu) == 1 else f"{mu[0]} to {mu[-1]}") + f": {word}" for word, mu in groups))
    return {"text": "; ".join(texts), "same": same, "least": least}


def draw(run, places, found, frictions):
    panels = [panel("friction", "μ", "T_t (Δt/t_c)", [
        curve(f"{WORDS[reading]}, 5 %, decays", frictions[1:], steps[1:], "points")
        for reading, steps in found.items()], log="xy")]
    for title, label, axis, log in (("stiffness ratio", "k_t/k_n", "stiffness", "xy"),
                                    ("restitution ratio", "ε_t/ε_n", "restitution", "y")):
        curves = []
        for reading, name in WORDS.items():
            here = along(places, reading, axis)
            x = [getattr(p, axis) for p in here]
            curves += [curve(f"{name}, 5 %, spectrum", x, [p.exact[0] for p in here], "line"),
                       curve(f"{name}, 2·tol·τ/f_t", x, [p.predicted[0] for p in here], "prediction")]
        panels.append(panel(title, label, "T_t (Δt/t_c)", curves, log=log))
    run.figure("Thresholds of the time step",
               "T_t: the largest Δt/t_c at which t_R is within 5 % of its limit for Δt → 0, with velocity elongation. "
               "Points: decays; lines: exact spectrum of the step; dashed: 2·tol·τ/f_t. Without rotation in the "
               "reading `guided` T_t is that with rotation at equal ratios of γ and k. Where a curve has no point t_R "
               "does not leave its limit up to Δt/t_c = 0.1, as with geometric elongation everywhere.",
               panels, case=two_discs("guided", 0.01).to_toml())


def study(run):
    grid = QUICK if run.quick else FULL
    places = [place(*of) for of in product(WORDS, grid["stiffness"], grid["restitution"])]
    found = from_decays(run, places, grid["friction"])
    draw(run, places, found, grid["friction"])
    return {"p": compare_predictions(places), "ratios": over_ratios(places),
            "friction": over_friction(found, grid["friction"])}
