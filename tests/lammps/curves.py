#!/usr/bin/env python3
"""Are the curves of dem-lammps those of dem run, within the scatter of seeds? By hand: some ten minutes a study.

    python3 tests/lammps/curves.py STUDY DEM DEM_LAMMPS [--ranks 2] [--seeds 3] [--folder FOLDER]

Studies: `triaxial` (10 000 spheres), `shear-256` and `shear-2500` (polygons). Both programs run each seed. The stage of
shear is cut into ten equal parts of its strain. A row has the means of q/p or of the shear ratio in such a part, over
the seeds, with the standard deviation of the seeds. PYTHONPATH is that of the module `dem`.
"""
import argparse
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import dem

EXAMPLES = Path(__file__).parents[2] / "apps" / "examples"
PARTS = 10
MPI = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1")


def triaxial(seed):
    return dem.Case.read(EXAMPLES / "spheres-triaxial.toml").changed({
        "assembly.count": 10000, "assembly.seed": seed, "output.vtk": False, "output.contacts": False,
        "output.frame_interval": 1.0, "stage.shear.strain": 0.03, "stage.shear.rate_zz": -1.6})


def shear(columns, rows, seed):
    return dem.Case.read(EXAMPLES / "slow-shear.toml").changed({
        "assembly.columns": columns, "assembly.rows": rows, "assembly.seed": seed, "stage.shear.strain": 0.1,
        "output.frame_interval": 1e3})


STUDIES = {"triaxial": (triaxial, "stress_ratio"),
           "shear-256": (lambda seed: shear(16, 18, seed), "shear_ratio"),
           "shear-2500": (lambda seed: shear(50, 52, seed), "shear_ratio")}


def curve(folder, column):
    """Means of the column in equal parts of the last stage."""
    series = dem.open(folder).series
    last = series["stage"] == series["stage"].max()
    time, values = series["time"][last], series[column][last]
    part = np.minimum(((time - time[0]) / (time[-1] - time[0]) * PARTS).astype(int), PARTS - 1)
    return [values[part == k].mean() for k in range(PARTS)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("dem", type=Path)
    parser.add_argument("dem_lammps", type=Path)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="for the results; else they are removed")
    given = parser.parse_args()
    make, column = STUDIES[given.study]
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        programs = {"one": [given.dem, "run"], "ranks": ["mpirun", "-n", given.ranks, given.dem_lammps]}
        curves = {name: [] for name in programs}
        for seed in range(1, given.seeds + 1):
            file = folder / f"{seed}.toml"
            file.write_text(make(seed).to_toml(), encoding="utf-8")
            for name, words in programs.items():
                out = folder / f"{name}-{seed}"
                if not (out / "verdict.json").exists():
                    subprocess.run([str(w) for w in (*words, file, "-o", out, "-q")], env=MPI, check=False)
                curves[name].append(curve(out, column))
    one, ranks = (np.array(curves[name]) for name in programs)
    print(f"{given.study}, {column}, {given.seeds} seeds: one process, {given.ranks} ranks, difference of the means, "
          "standard deviation of the seeds, largest difference of a seed")
    for k in range(PARTS):
        scatter = np.hypot(one[:, k].std(ddof=1), ranks[:, k].std(ddof=1)) / np.sqrt(2)
        print(f"  {(k + 0.5) / PARTS:4.2f}  {one[:, k].mean():.4f}  {ranks[:, k].mean():.4f}  "
              f"{ranks[:, k].mean() - one[:, k].mean():+.4f}  {scatter:.4f}  {abs(ranks - one)[:, k].max():.4f}")


if __name__ == "__main__":
    main()
