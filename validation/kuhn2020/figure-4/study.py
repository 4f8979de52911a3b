"""Fig. 4: a contact at its limit moves square to its force, at constant normal force. The final angle of the force by
the closed form (law linear-refined) and by radial return (law linear). x = k_t |Δξ|/(μ f_n)."""

import math
from functools import cache

import numpy as np

import dem
from driver.study import curve, panel

MATERIAL = {"normal_stiffness": 1e5, "tangential_stiffness": 1e5, "friction": 0.5}
OVERLAP = 1e-3
LIMIT = MATERIAL["friction"] * MATERIAL["normal_stiffness"] * OVERLAP


@cache
def moved(law, x, sliding_work="exact"):
    """Angle of the force from the movement (rad), and the work in units of F²/k_t."""
    parameters = MATERIAL | ({"sliding_work": sliding_work} if law == "linear-refined" else {})
    shift = x * LIMIT / MATERIAL["tangential_stiffness"]
    # The force on i at the start is square to the movement of j, which pulls it along.
    path = dem.contact(law, parameters, [[OVERLAP, shift, 0]], start_overlap=OVERLAP, start_force=[0, -LIMIT])
    force_1, force_2 = path.tangential[-1]
    return math.atan2(force_2, force_1), path.work.sum() * MATERIAL["tangential_stiffness"] / LIMIT**2


def refined(x):
    return moved("linear-refined", x)[0]


def conventional(x):
    return moved("linear", x)[0]


def lag(x):
    return refined(x) - conventional(x)


def closed_forms():
    angle = radial = work = 0.0
    x = 1e-4
    while x < 30:
        angle = max(angle, abs(refined(x) + 2 * math.atan(math.exp(-x))))
        radial = max(radial, abs(conventional(x) + math.atan(1 / x)))
        exact = math.log(math.cosh(x)) if x < 1 else x + math.log1p(math.exp(-2 * x)) - math.log(2)
        work = max(work, abs(moved("linear-refined", x)[1] - exact) / (1 + exact))
        x *= 1.05
    return angle, radial, work


def first_degree():
    """The first of x = 0.2, 0.2001, … at which the difference, which grows there, is a degree."""
    low, high = 0, 8000
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if math.degrees(lag(0.2 + 1e-4 * middle)) < 1 else (low, middle)
    return 0.2 + 1e-4 * high


def draw(run):
    x = 0.01 * 1.12 ** np.arange(62)
    exact, radial = np.degrees([refined(v) for v in x]), np.degrees([conventional(v) for v in x])
    cubic = np.where(x < 1.5, np.degrees(x**3 / 6), np.nan)
    axis = "k_t|Δξ|/(μ f_n)"
    run.figure("Final angle of the tangential force after a movement square to it",
               "The contact starts at its limit, the force at −90° from the movement; constant normal force; "
               "x = k_t|Δξ|/(μ f_n). Dashed: closed forms.",
               [panel("", axis, "final angle (degrees)",
                      [curve("linear-refined", x, exact, "points"),
                       curve("linear (radial return)", x, radial, "points"),
                       curve("linear-refined, −2 atan(e^−x)", x, np.degrees(-2 * np.arctan(np.exp(-x))), "prediction"),
                       curve("linear (radial return), −atan(1/x)", x, np.degrees(-np.arctan(1 / x)), "prediction")]),
                panel("difference", axis, "angle (degrees)",
                      [curve("linear-refined minus linear", x, exact - radial, "points"),
                       curve("x³/6", x, cubic, "prediction")], log="xy")])


def study(run):
    angle, radial, work = closed_forms()
    draw(run)
    return {"angle": angle, "radial": radial, "work": work, "trapezoid": moved("linear-refined", 2, "trapezoid")[1],
            "exact_work": math.log(math.cosh(2)), "fifth": math.degrees(lag(0.2)), "one": first_degree()}
