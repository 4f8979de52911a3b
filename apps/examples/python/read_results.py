#!/usr/bin/env python3
"""Which parts does a results folder have, and how are they read in Python?

dem.open reads a results folder without the engine: the compiled module is not needed. The series, the snapshots, the
verdict and the case are at hand, with units. Give the folder of a run of your own. Without one, the script first runs a
slow shear into a temporary folder.

    PYTHONPATH=build/release/python python3 apps/examples/python/read_results.py [FOLDER] [--short] [--picture FILE]

Picture: the shear ratio over strain, the rotation of the bodies over their height, and the last snapshot.
"""
import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np

import dem

CASE = Path(__file__).parents[1] / "slow-shear.toml"


def run_a_case(folder, short):
    case = dem.Case.read(CASE).changed({"stage.shear.strain": 0.01 if short else 0.1})
    if short:
        case = case.changed({"assembly.columns": 8, "assembly.rows": 10})
    dem.Run(case, output=folder)()


def evaluate(folder, picture):
    old = dem.open(folder)
    print(old)
    print(old.verdict)
    column = "shear_ratio" if "shear_ratio" in old.series else "kinetic_energy"
    print(f"{column}: {old.series.descriptions[column]}")

    snapshot = old.snapshots[-1]
    print(snapshot)
    bodies = snapshot.bodies
    figure, (curve, profile, packing) = plt.subplots(1, 3, figsize=(13, 4.2), width_ratios=(2, 1.3, 2.4),
                                                     layout="constrained")
    old.plot(column, stage=len(old.case["stage"]), ax=curve)  # the last stage
    profile.plot(np.degrees(bodies.angle), bodies.position[:, 1], ".", color="#d55e00")
    profile.set(xlabel="rotation (degrees)", ylabel=f"y ({bodies.units['position']})")
    profile.grid(alpha=0.25)
    snapshot.plot(colour="coordination", ax=packing)
    figure.savefig(picture)
    return {"rows": old.series.rows, "last": float(old.series[column][-1]), "unit": old.series.units[column],
            "snapshots": len(old.snapshots), "bodies": len(bodies),
            "largest_force": float(snapshot.contacts.normal_force.max())}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="a results folder of a plane case")
    parser.add_argument("--short", action="store_true", help="a smaller packing and less strain")
    parser.add_argument("--picture", type=Path, default=Path(__file__).with_suffix(".svg"))
    given = parser.parse_args(arguments)
    if given.folder:
        return evaluate(given.folder, given.picture)
    with TemporaryDirectory() as folder:
        run_a_case(Path(folder) / "slow-shear", given.short)
        return evaluate(Path(folder) / "slow-shear", given.picture)


if __name__ == "__main__":
    found = main()
    print(f"{found['rows']} rows, {found['snapshots']} snapshots, largest normal force {found['largest_force']:.3g} N")
