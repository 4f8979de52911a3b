#!/usr/bin/env python3
"""Which stress ratio does a packing of discs reach in biaxial compression?

The case apps/examples/biaxial-discs.toml runs with several friction coefficients. Half the difference of the principal
stresses (q) over the mean pressure (p) is the sine of the mobilised friction angle. A callback collects this ratio
during the stage "biaxial". Friction raises the strength less and less.

    PYTHONPATH=build/release/python python3 apps/examples/python/biaxial_discs.py [--short] [--picture FILE]

Picture: q/p and volumetric strain over axial strain, a line for each friction coefficient.
"""
import argparse
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import dem

CASE = Path(__file__).parents[1] / "biaxial-discs.toml"


def compress(case):
    """Runs a case and returns axial strain, volumetric strain (both compression positive) and q/p."""
    run, rows = dem.Run(case), []

    @run.every(time=0.5)
    def collect(now):
        if now.stage == 2:
            s = now.series
            rows.append((s["strain_xx"], s["strain_yy"], s["deviator_stress"] / s["mean_pressure"]))

    result = run()
    if result.end != "finished":
        raise RuntimeError(result.verdict)
    xx, yy, ratio = np.array(rows).T
    axial, volumetric = yy[0] - yy, (xx + yy)[0] - (xx + yy)
    return axial, volumetric, ratio


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="100 discs, two coefficients and half the strain")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)

    case = dem.Case.read(CASE)
    if given.short:
        case = case.changed({"assembly.count": 100, "stage.biaxial.strain": 0.005})

    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(6.5, 6.5), layout="constrained")
    found = {}
    for friction in (0.1, 0.5) if given.short else (0.1, 0.3, 0.5):
        # The stage "compress" keeps its own friction, so all runs begin with the same packing.
        axial, volumetric, ratio = compress(case.changed({"material.friction": friction}))
        above.plot(100 * axial, ratio, label=f"{friction:g}", linewidth=1.2)
        below.plot(100 * axial, 100 * volumetric, linewidth=1.2)
        found[friction] = {"q/p": ratio[-len(ratio) // 4:].mean(), "axial": axial[-1], "volumetric": volumetric[-1]}
    above.set_ylabel("q/p")
    above.legend(title="friction", frameon=False)
    below.set(xlabel="axial strain (%), compression positive", ylabel="volumetric strain (%)")
    for axes in (above, below):
        axes.grid(alpha=0.25)
    figure.savefig(given.picture)
    return found


if __name__ == "__main__":
    for friction, values in main().items():
        print(f"friction {friction:g}: q/p = {values['q/p']:.3f} in the last quarter, "
              f"volumetric strain {100 * values['volumetric']:.2f} %")
