"""Fig. 4: a contact at its limit moves square to its force, at constant normal force. The final angle of the force by
the closed form (law linear-refined) and by radial return (law linear). x = k_t |Δξ|/(μ f_n)."""

import math

import numpy as np

import dem
from driver.study import curve, panel

MATERIAL = {"normal_stiffness": 1e5, "tangential_stiffness": 1e5, "friction": 0.5}
OVERLAP = 1e-3
LIMIT = MATERIAL["friction"] * MATERIAL["normal_stiffness"] * OVERLAP


def angles(law, x):
    """Of the force from the movement (rad), after a step of each x."""
    paths = np.zeros((len(x), 1, 3))
    paths[:, 0, 0], paths[:, 0, 1] = OVERLAP, x * LIMIT / MATERIAL["tangential_stiffness"]
    # The force on i at the start is square to the movement of j, which pulls it along.
    states = dem.contact(law, MATERIAL, paths, start_overlap=OVERLAP, start_force=[0, -LIMIT])
    return [math.atan2(force_2, force_1) for force_1, force_2 in states.tangential[:, -1]]


def degrees(x):
    return np.degrees(angles("linear-refined", x)), np.degrees(angles("linear", x))


def draw(run):
    x = 0.01 * 1.12 ** np.arange(62)
    exact, radial = degrees(x)
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
    draw(run)
    x, near = 1e-4 * 1.05 ** np.arange(259), 0.2 + 1e-4 * np.arange(8000)
    lag = np.subtract(*degrees(near))  # it grows there
    return {"angle": max(abs(a + 2 * math.atan(math.exp(-v))) for a, v in zip(angles("linear-refined", x), x)),
            "radial": max(abs(a + math.atan(1 / v)) for a, v in zip(angles("linear", x), x)),
            "fifth": lag[0], "one": near[lag >= 1][0]}
