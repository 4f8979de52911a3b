#!/usr/bin/env python3
"""Which loop does a sheared contact draw?

Two equal spheres are pressed together. Then one is moved to and fro along the contact, with a small loop inside the
large one. Each law answers with its tangential force. The linear law (dashed) has straight flanks. The exact law draws
the curved loop of Cattaneo and Mindlin. A law that remembers one reversal goes back along the same line after the
second reversal.

    PYTHONPATH=build/release/python python3 apps/examples/python/contact_loop.py [--short] [--picture FILE]

Picture: the tangential force over the movement, one line for each law.
"""
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import dem

RADIUS, SHEAR_MODULUS, POISSON_RATIO, FRICTION = 1e-3, 2.9e10, 0.2, 0.5  # m, Pa: quartz
OVERLAP = 1e-6  # m
HERTZ = {"shear_modulus": SHEAR_MODULUS, "poisson_ratio": POISSON_RATIO, "friction": FRICTION, "radius_i": RADIUS,
         "radius_j": RADIUS}
# Stiffnesses of the linear law: those of the Hertz contact at this overlap and at the start of the shear.
CONTACT_RADIUS = np.sqrt(RADIUS / 2 * OVERLAP)
NORMAL = 2 * SHEAR_MODULUS / (1 - POISSON_RATIO) * CONTACT_RADIUS * 2 / 3  # N/m: force over overlap
TANGENTIAL = 4 * SHEAR_MODULUS / (2 - POISSON_RATIO) * CONTACT_RADIUS  # N/m
LAWS = {  # name, parameters and style of the line
    "jaeger (exact)": ("jaeger", HERTZ, {"color": "#56b4e9", "linewidth": 4}),
    "hertz-mindlin, all turning points": ("hertz-mindlin", {**HERTZ, "memory": "turning-points"}, {"color": "#000000"}),
    "hertz-mindlin, one reversal": ("hertz-mindlin", {**HERTZ, "memory": "single-reversal"}, {"color": "#d55e00"}),
    "linear": ("linear", {"normal_stiffness": NORMAL, "tangential_stiffness": TANGENTIAL, "friction": FRICTION},
               {"color": "#707882", "linestyle": "--"}),
}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="fewer rows")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)

    # The contact is pressed in one row, then sheared from turn to turn.
    turns = np.array([0.0, 1.3, -1.0, 0.9, -1.3, 1.3]) * FRICTION * NORMAL * OVERLAP / TANGENTIAL  # m
    rows = 20 if given.short else 200
    place = np.concatenate([np.linspace(a, b, rows + 1)[1:] for a, b in zip(turns, turns[1:])])
    path = np.zeros((len(place) + 1, 3))
    path[:, 0] = OVERLAP
    path[1:, 1] = np.diff(place, prepend=0.0)

    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    found = {}
    for name, (law, parameters, style) in LAWS.items():
        states = dem.contact(law, parameters, path)
        # The force acts on body i, and j moves: the force follows the movement.
        axes.plot(1e9 * place, states.tangential[2:, 0], label=name, **{"linewidth": 1.3, **style})
        found[name] = {"normal_force": states.normal_force[-1], "dissipated": states.dissipated.sum(),
                       "largest": np.abs(states.tangential).max()}
    axes.set(xlabel="tangential movement (nm)", ylabel="tangential force on body i (N)")
    axes.set_title(f"One contact at a normal force of {states.normal_force[-1]:.3g} N", fontsize="medium")
    axes.legend(frameon=False)
    axes.grid(alpha=0.25)
    figure.savefig(given.picture)
    return found


if __name__ == "__main__":
    for law, values in main().items():
        print(f"{law:<34} dissipates {1e6 * values['dissipated']:.4g} µJ")
