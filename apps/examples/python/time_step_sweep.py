#!/usr/bin/env python3
"""How small must the time step be?

A disc is pushed against another, rocks and comes to rest. Its relaxation time t_R must not depend on the time step.
An elongation that adds v_t Δt (velocity) needs a very small step. An elongation that follows from positions (geometric)
does not. apps/examples/time-step-sweep.toml is the same sweep for the program.

    PYTHONPATH=build/release/python python3 apps/examples/python/time_step_sweep.py [--short] [--picture FILE]

Picture: relaxation time over time step, both in contact times t_c, for both elongations.
"""
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import dem

CASE = Path(__file__).parents[1] / "two-discs.toml"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="large steps only")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)

    case = dem.Case.read(CASE)
    # Half a period of the damped oscillator of two equal discs (reduced mass m/2).
    mass = case["material.density"] * np.pi * case["body.pushed.radius"] ** 2
    restitution = case["material.restitution"]
    t_c = np.sqrt((np.pi**2 + np.log(restitution) ** 2) * mass / 2 / case["material.normal_stiffness"])
    case["stage.rest.duration"] = 6000 * t_c  # at most: a run ends when its relaxation time is known

    steps = np.logspace(-3 if given.short else -4, -1, 5 if given.short else 13) * t_c
    table = dem.sweep(case, {"contact.elongation": ["velocity", "geometric"], "time.step": steps}, "relaxation")
    assert np.allclose(table["t_c"], t_c, rtol=1e-6)

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    found = {"t_c": t_c}
    for elongation, marker in (("geometric", "o"), ("velocity", "s")):
        rows = table["contact.elongation"] == elongation
        axes.plot(table["time.step"][rows] / t_c, table["t_R_over_t_c"][rows], marker=marker, label=elongation)
        found[elongation] = table["t_R_over_t_c"][rows]
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set(xlabel="time step (contact times)", ylabel="relaxation time (contact times)")
    axes.legend(title="elongation", frameon=False)
    axes.grid(alpha=0.25)
    figure.savefig(given.picture)
    return found


if __name__ == "__main__":
    result = main()
    print(f"t_c = {result['t_c']:.6g} s")
    for name in ("geometric", "velocity"):
        print(f"{name:<10} t_R/t_c =", " ".join(f"{x:.1f}" for x in result[name]))
