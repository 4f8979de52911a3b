"""The threshold T_t(μ, k_t/k_n, ε_t/ε_n) of Eq. 9: the largest Δt/t_c at which t_R has reached its limit for Δt → 0
within a tolerance, beside its prediction 2·tol·τ/f_t (polygon-dem reference, §5)."""

import math
from dataclasses import dataclass, field
from itertools import product

from driver.study import curve, panel
from step_map import (TwoDiscs, contact_duration, modes, predicted_threshold, predicted_threshold_of_all, slowest,
                      threshold)
from two_discs import Decay, decay, ratios, two_discs

READINGS = {"guided": "with rotation, guided", "guided no rotation": "no rotation, guided",
            "free no rotation": "no rotation, free"}
TOLERANCES = (0.05, 0.02, 0.01)
LARGEST = 0.1  # Δt/t_c of the figures of the source
STIFFNESS, RESTITUTION = 1 / 3, 1.0053  # the reference place
FULL = {"friction": (0, 0.01, 0.1, 0.3, 0.5, 0.9, 1.1, 1.2, 2, 10, 100, 500),
        "stiffness": (0.01, 0.02, 0.05, 0.1, 0.2, STIFFNESS, 0.5, 0.8, 1),
        "restitution": (0.98, 0.985, 0.99, 0.995, 1, 1.0025, RESTITUTION, 1.008, 1.01)}
QUICK = {"friction": (0, 0.1, 1.1, 500), "stiffness": (0.1, STIFFNESS, 1), "restitution": (0.98, RESTITUTION, 1.01)}


@dataclass
class Place:
    reading: str
    friction: float
    stiffness: float
    restitution: float
    decays: bool  # measured from decays as well
    exact: list = field(init=False)  # at each tolerance
    predicted: list = field(init=False)
    modes: list = field(init=False)
    limit = slope = scatter = math.nan  # of the decays: 1/t_R = 1/limit + slope Δt/t_c
    usable = False  # every fit was

    def __post_init__(self):
        case = TwoDiscs(self.reading, 1e-3, "predicted", self.stiffness, self.restitution, self.friction)
        self.modes = modes(case)
        limit = slowest(case, elongation="geometric")
        self.exact = [threshold(case, limit, tolerance, LARGEST) for tolerance in TOLERANCES]
        self.predicted = [predicted_threshold(self.modes, tolerance) for tolerance in TOLERANCES]
        _, _, k_t, gamma_t = TwoDiscs(self.reading, 1e-3, "predicted", self.stiffness, self.restitution).coefficients()
        self.tangential_delay = gamma_t / k_t / contact_duration()

    def steps(self, quick):
        """About the threshold itself. Where there is none, and in the quick set, larger ones and the straight line."""
        centre = self.exact[0] if math.isfinite(self.exact[0]) else 0.03
        return [factor * centre for factor in ((2, 4) if quick else (1, 2, 3))]

    def measure(self, quick, limit, *found):
        steps = self.steps(quick)
        self.usable = all(d.usable for d in (limit, *found))
        self.limit = limit.time
        slopes = [(1 / d.time - 1 / limit.time) / step for d, step in zip(found, steps)]
        self.slope = sum(slopes) / len(slopes)
        self.scatter = max(abs(s / self.slope - 1) for s in slopes)

    @property
    def measured(self):
        """T_t at 5 % from the decays."""
        step = 0.05 / 0.95 / (self.limit * self.slope) if self.slope > 0 else math.inf
        return step if step <= LARGEST else math.inf


def work_out(run, grid):
    """Each axis through the reference place with decays, and the map over both ratios from the spectrum."""
    found = []
    for reading in READINGS:
        for k, e in product(grid["stiffness"], grid["restitution"]):
            on_axis = (k == STIFFNESS and e == RESTITUTION) if run.quick else (k == STIFFNESS or e == RESTITUTION)
            found.append(Place(reading, 500, k, e, on_axis))
        found += [Place(reading, mu, STIFFNESS, RESTITUTION, True) for mu in grid["friction"] if mu != 500]
    points, owners = [], []
    for place in found:
        if place.decays:
            keys = ratios(place.stiffness, place.restitution) | {"material.friction": place.friction}
            points.append((place.reading, 0.01, "geometric", keys))
            points += [(place.reading, step, "predicted", keys) for step in place.steps(run.quick)]
            owners.append(place)
    decays = [Decay(*d) for d in run.map("decays", decay, points)]
    each = len(decays) // len(owners)
    for k, place in enumerate(owners):
        place.measure(run.quick, *decays[k * each:(k + 1) * each])
    return found


def compare_decays(found):
    """Decays against the spectrum. A decay shows one mode where the next one decays clearly faster, and slip may leave
    another mixture of modes."""
    out = {"alone": 0, "two": 0, "other": 0, "without": 0, "unusable": 0, "off": 0.0, "scatter": 0.0, "off_of_two": 0.0}
    for p in found:
        if not p.decays:
            continue
        if not p.usable:
            out["unusable"] += 1
        elif abs(p.limit / p.modes[0].time - 1) > 0.005:
            out["other"] += 1
        elif not math.isfinite(p.exact[0]) and not math.isfinite(p.measured):
            out["without"] += 1
        else:
            both = math.isfinite(p.measured) and math.isfinite(p.exact[0])
            off = 100 * abs(p.measured / p.exact[0] - 1) if both else math.inf
            if len(p.modes) > 1 and p.modes[1].time > 0.8 * p.modes[0].time:
                out["two"], out["off_of_two"] = out["two"] + 1, max(out["off_of_two"], off)
            else:
                out["alone"], out["off"] = out["alone"] + 1, max(out["off"], off)
                out["scatter"] = max(out["scatter"], 100 * p.scatter)
    out["text_of_two"] = (f"; {out['two']} with a second mode that has more than 0.8 of its t_R: within "
                          f"{out['off_of_two']:.2g} %" if out["two"] else "")
    return out


def compare_predictions(found):
    out = {"single": 0, "others": 0, "with_none": 0, "off": 0.0, "off_of_others": 0.0, "general": 0.0,
           "floor": math.inf}
    for p in found:
        if p.friction != 500:  # the spectrum is that of the sticking contact
            continue
        for tolerance, step, first in zip(TOLERANCES, p.exact, p.predicted):
            of_all = predicted_threshold_of_all(p.modes, tolerance)
            if not math.isfinite(step):
                out["with_none"] += of_all > LARGEST
                out["general"] = out["general"] if of_all > LARGEST else math.inf
                continue
            out["general"] = max(out["general"], 100 * abs(step / of_all - 1))
            out["floor"] = min(out["floor"], step / (2 * tolerance * p.tangential_delay))
            # Is another mode the slowest at the threshold?
            crossed = abs(first / (1 - tolerance) / of_all - 1) > 1e-6
            name, count = ("off_of_others", "others") if crossed else ("off", "single")
            out[name], out[count] = max(out[name], 100 * abs(step / first - 1)), out[count] + 1
    return out


def over_ratios(found, grid):
    """Text of the ranges of T_t at 5 %, and whether each spans a factor 2."""
    texts, varies = [], True
    for reading, name in READINGS.items():
        here = [p for p in found if p.reading == reading and p.friction == 500 and math.isfinite(p.exact[0])]
        k = [p.exact[0] for p in here if p.restitution == RESTITUTION]
        e = [p.exact[0] for p in here if p.stiffness == STIFFNESS]
        varies = varies and max(k) / min(k) > 2 and max(e) / min(e) > 2
        ends = [(grid[axis][0], grid[axis][-1]) for axis in ("stiffness", "restitution")]
        texts.append(f"{name}: {min(k):.2g} to {max(k):.2g} over k_t/k_n = {ends[0][0]:.3g} to {ends[0][1]:.3g}, "
                     f"{min(e):.2g} to {max(e):.2g} over ε_t/ε_n = {ends[1][0]:g} to {ends[1][1]:g}")
    return "; ".join(texts), varies


def over_friction(at, grid):
    """Text of T_t over μ, frictions of the same threshold together; whether those that stick have the same; and the
    least μ of each reading from which on T_t is that at 500."""
    texts, same, least = [], True, {}
    for reading, name in READINGS.items():
        groups = []  # word, first and last friction
        for mu in grid["friction"]:
            p = at(reading, mu)
            none = not math.isfinite(p.measured)
            word = ("none" if none else f"{p.measured:.3g}") if p.usable else "no decay"
            if groups and groups[-1][0] == word:
                groups[-1][2] = mu
            else:
                groups.append([word, mu, mu])
            near = p.usable and not none and abs(p.measured / at(reading, 500).measured - 1) < 0.05
            least[reading] = least.get(reading, mu) if near else math.inf
            if least[reading] == math.inf:
                del least[reading]
            if p.usable and mu > 0:
                same = same and near
            if mu == 0 and reading != "free no rotation":
                same = same and p.usable and none
        texts.append(f"{name}: " + ", ".join((f"{a:g}" if a == b else f"{a:g} to {b:g}") + f": {word}"
                                             for word, a, b in groups))
    return "; ".join(texts), same, least


def axis_panel(found, title, label, log, axis, fixed):
    curves = []
    for reading, name in READINGS.items():
        here = [p for p in found if p.reading == reading and all(getattr(p, a) == v for a, v in fixed.items())
                and (not log or getattr(p, axis) > 0)]
        fits = {getattr(p, axis): p.measured for p in here if p.usable and math.isfinite(p.measured)}
        theory = {getattr(p, axis): p.predicted[0] for p in here if p.predicted[0] < 1}
        if axis == "friction":  # the spectrum knows sticking contacts alone
            spectrum, theory = {}, dict.fromkeys(fits, theory[500])
        else:
            spectrum = {getattr(p, axis): p.exact[0] for p in here if math.isfinite(p.exact[0])}
        curves += [curve(f"{name}, {what}", list(points), list(points.values()), style) for what, points, style in (
            ("5 %, decays", fits, "points"), ("5 %, spectrum", spectrum, "line"),
            ("2·tol·τ/f_t", theory, "prediction")) if points]
    return panel(title, label, "T_t (Δt/t_c)", curves, log="xy" if log else "y")


def draw(run, found, at, grid):
    place = {"friction": 500, "stiffness": STIFFNESS, "restitution": RESTITUTION}
    panels = [axis_panel(found, title, label, log, axis, {a: v for a, v in place.items() if a != axis})
              for title, label, log, axis in (("friction", "μ", True, "friction"),
                                              ("stiffness ratio", "k_t/k_n", True, "stiffness"),
                                              ("restitution ratio", "ε_t/ε_n", False, "restitution"))]
    curves = []
    for reading, name in READINGS.items():
        p = at(reading)
        curves += [curve(f"{name}, spectrum", TOLERANCES, p.exact, "points"),
                   curve(f"{name}, 2·tol·τ/f_t", TOLERANCES, p.predicted, "prediction")]
    panels.append(panel("tolerance, reference parameters", "tolerance", "T_t (Δt/t_c)", curves, log="xy"))
    for reading in ("guided", "free no rotation"):
        curves = []
        for e in grid["restitution"]:
            here = [p for p in found if p.reading == reading and p.friction == 500 and p.restitution == e
                    and math.isfinite(p.exact[0])]
            if here:
                curves.append(curve(f"ε_t/ε_n = {e:g}", [p.stiffness for p in here], [p.exact[0] for p in here]))
        panels.append(panel(f"map over both ratios, 5 %: {READINGS[reading]}", "k_t/k_n", "T_t (Δt/t_c)", curves,
                            log="xy"))
    run.figure("Thresholds of the time step",
               "T_t: the largest Δt/t_c at which t_R is within a tolerance of its limit for Δt → 0, with velocity "
               "elongation. Points: decays; lines: exact spectrum of the step; dashed: 2·tol·τ/f_t. Without rotation "
               "in the reading `guided` T_t is that with rotation at equal ratios of γ and k. Where a curve has no "
               "point t_R does not leave its limit up to Δt/t_c = 0.1, as with geometric elongation everywhere.",
               panels, case=two_discs("guided", 0.01).to_toml())


def study(run):
    grid = QUICK if run.quick else FULL
    found = work_out(run, grid)
    by_place = {(p.reading, p.friction): p for p in found
                if p.stiffness == STIFFNESS and p.restitution == RESTITUTION}

    def at(reading, friction=500):
        return by_place[reading, friction]

    draw(run, found, at, grid)
    predictions = compare_predictions(found)
    ratios_text, varies = over_ratios(found, grid)
    friction_text, same, least = over_friction(at, grid)
    return {
        "decays": compare_decays(found), "p": predictions, "total": predictions["single"] + predictions["others"],
        "floor": 0.1 * at("free no rotation").tangential_delay,
        "why": ("It holds for the mode that decides; where two modes decay at nearly equal rates the second takes over "
                "within the tolerance and the threshold comes later." if predictions["others"] else
                "τ is the mean of γ/k over normal and tangential weighted by strain energy, the reference's τ where "
                "the two are equal."),
        "ratios": ratios_text, "varies": varies, "friction": friction_text, "same": same,
        "least": [least.get(reading, math.inf) for reading in READINGS],
        "friction_why": (
            "μ decides whether the contact sticks at rest; where it does the threshold is that of the sticking "
            "contact, where it slides there is none." if same else
            "In the reading `free` slip near μ = 1 leaves the normal mode, which hardly depends on Δt; where the "
            "contact sticks T_t does not depend on μ, and where it slides there is none."),
    }
