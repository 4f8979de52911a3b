#!/usr/bin/env python3
"""How does a contact answer whose friction wears off?

A law of one's own, in ten lines of numpy: a spring with a Coulomb limit, whose coefficient of friction falls from mu to
half of it as the contact slips. A contact is sheared to and fro. The library's law `linear` repeats its loop; the loop
of the worn contact becomes smaller.

    PYTHONPATH=build/release/python python3 apps/examples/python/own_law.py [--short] [--picture FILE]

Picture: the tangential force over the movement, of both laws.
"""
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import dem


@dem.law("worn", history=("xi_1", "xi_2", "slipped"), parameters={"wear_length": "m"})
def worn(block, history, p):
    """Linear spring with a Coulomb limit that wears off as the contact slips."""
    k, xi_1, xi_2 = block.stiffness, history.xi_1 + block.shift_1, history.xi_2 + block.shift_2
    size = np.hypot(xi_1, xi_2)
    friction = block.friction * 0.5 * (1 + p.wear_length / (p.wear_length + history.slipped))
    limit = friction * np.maximum(block.normal_end, 0)
    share = np.minimum(1, limit / np.maximum(k * size, 1e-300))
    end_1, end_2 = share * xi_1, share * xi_2
    block.elastic_1[:], block.elastic_2[:] = -k * end_1, -k * end_2
    block.stored[:] = 0.5 * k * (end_1**2 + end_2**2)
    block.work[:] = 0.5 * k * ((history.xi_1 + end_1) * block.shift_1 + (history.xi_2 + end_2) * block.shift_2)
    block.dissipated[:] = block.work - block.stored + 0.5 * k * (history.xi_1**2 + history.xi_2**2)
    block.sliding[:] = share < 1
    history.slipped[:] += (1 - share) * size
    history.xi_1[:], history.xi_2[:] = end_1, end_2


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="fewer rows")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)

    turns = 1e-6 * np.array([0, 4, -4, 4, -4, 4, -4, 4])  # m
    rows = 20 if given.short else 200
    place = np.concatenate([np.linspace(a, b, rows + 1)[1:] for a, b in zip(turns, turns[1:])])
    path = np.zeros((len(place) + 1, 3))
    path[:, 0] = 1e-5  # overlap (m)
    path[1:, 1] = np.diff(place, prepend=0.0)

    figure, axes = plt.subplots(figsize=(7, 5), layout="constrained")
    spring = {"normal_stiffness": 1e6, "tangential_stiffness": 5e6, "friction": 0.5}
    found = {}
    for law, more, style in (("linear", {}, {"color": "#b0b6bd", "linewidth": 4}),
                             ("worn", {"wear_length": 1e-5}, {"color": "#d55e00"})):
        states = dem.contact(law, {**spring, **more}, path)
        axes.plot(1e6 * place, states.tangential[2:, 0], label=law, **style)
        found[law] = {"largest": np.abs(states.tangential).max(), "last": states.tangential[-1, 0],
                      "dissipated": states.dissipated.sum()}
    axes.set(xlabel="tangential movement (µm)", ylabel="tangential force on body i (N)")
    axes.set_title(f"A contact under {states.normal_force[-1]:.3g} N", fontsize="medium")
    axes.legend(frameon=False)
    axes.grid(alpha=0.25)
    figure.savefig(given.picture)
    return found


if __name__ == "__main__":
    for law, values in main().items():
        print(f"{law:<8} largest force {values['largest']:.4g} N, last {values['last']:.4g} N")
