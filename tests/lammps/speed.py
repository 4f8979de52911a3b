#!/usr/bin/env python3
"""Speed of dem-lammps beside LAMMPS' own gran/hooke/history, and of two ranks beside one. By hand, on a quiet machine.

    python3 tests/lammps/speed.py DEM DEM_LAMMPS PACKING [--rounds 8]

PACKING is a text file, also gzipped: in the first line the edges of a periodic box after a colon, then rows
x y z r (m).
Every round runs all rows in turn, each for FEW and for MANY steps. A row is the difference of the two least wall times,
so it has the steps without the start. PYTHONPATH is that of the module `dem`.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import dem

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from large_cases import polygons, read_packing, spheres  # noqa: E402

FEW, MANY = 200, 5200
MPIRUN = ["mpirun", "--bind-to", "none", "-n"]  # bound, two runs side by side would share the first core
SEEN = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
LAMMPS = """units si
atom_style sphere
boundary p p p
newton off
comm_modify vel yes
read_data packing.data
pair_style gran/hooke/history 8.0e4 6.4e4 4.5e4 NULL 0.5 1
pair_coeff * *
neighbor 1.0e-4 bin
neigh_modify delay 0 every 1 check yes
timestep 1.0e-6
fix 1 all nve/sphere
fix 2 all deform 1 x erate -1.0 y erate 1.0 remap x
thermo 1000000
"""


def wall_seconds(commands, folder):
    """Of commands side by side."""
    start = time.perf_counter()
    running = [subprocess.Popen([str(word) for word in words], cwd=folder, env=SEEN, stdout=subprocess.DEVNULL)
               for words in commands]
    for words, code in zip(commands, [one.wait() for one in running]):
        if code != 0:
            sys.exit(f"speed.py: exit code {code} of: {' '.join(map(str, words))}")
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("dem", "dem_lammps", "packing"):
        parser.add_argument(name, type=lambda word: Path(word).absolute())
    parser.add_argument("--rounds", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), given)


def compare(folder, given):
    edges, rows = read_packing(given.packing)
    atoms = "".join(f"{k + 1} 1 {2 * r!r} 2650 {x!r} {y!r} {z!r}\n" for k, (x, y, z, r) in enumerate(rows.tolist()))
    box = "".join(f"0 {edge!r} {a}lo {a}hi\n" for edge, a in zip(edges, "xyz"))
    (folder / "packing.data").write_text(f"packing\n\n{len(rows)} atoms\n1 atom types\n{box}\nAtoms\n\n{atoms}")
    for steps in (FEW, MANY):
        (folder / f"{steps}.in").write_text(f"{LAMMPS}run {steps}\n")
    first = {}
    for name, case in (("spheres", spheres(edges, rows)), ("polygons", polygons(given.dem, folder))):
        (folder / f"{name}.toml").write_text(case.to_toml(), encoding="utf-8")
        first[name] = dem.Run(case).step

    def ours(name, ranks, steps, out="out"):
        return [*MPIRUN, ranks, given.dem_lammps, f"{name}.toml", "-o", out, "--overwrite", "-q", "--until-step",
                first[name] + steps]

    def lammps(ranks, steps):
        return [*MPIRUN, ranks, "lmp", "-in", f"{steps}.in", "-log", "none"]

    measured = {
        "LAMMPS, one rank": lambda n: [lammps(1, n)], "LAMMPS, two ranks": lambda n: [lammps(2, n)],
        "spheres, one rank": lambda n: [ours("spheres", 1, n)], "spheres, two ranks": lambda n: [ours("spheres", 2, n)],
        "spheres, two runs side by side": lambda n: [ours("spheres", 1, n), ours("spheres", 1, n, "beside")],
        "polygons, one rank": lambda n: [ours("polygons", 1, n)],
        "polygons, two ranks": lambda n: [ours("polygons", 2, n)]}
    least = {(name, steps): np.inf for name in measured for steps in (FEW, MANY)}
    for _ in range(given.rounds):
        for name, steps in least:
            least[name, steps] = min(least[name, steps], wall_seconds(measured[name](steps), folder))
    step = {name: (least[name, MANY] - least[name, FEW]) / (MANY - FEW) for name in measured}
    for name, seconds in step.items():
        print(f"{name:<32} {1e3 * seconds:7.3f} ms a step")
    for name, ratio in (("LAMMPS over ours, one rank", step["LAMMPS, one rank"] / step["spheres, one rank"]),
                        ("LAMMPS over ours, two ranks", step["LAMMPS, two ranks"] / step["spheres, two ranks"]),
                        ("spheres, one rank over two", step["spheres, one rank"] / step["spheres, two ranks"]),
                        ("LAMMPS, one rank over two", step["LAMMPS, one rank"] / step["LAMMPS, two ranks"]),
                        ("the machine: two runs at once over one",
                         2 * step["spheres, one rank"] / step["spheres, two runs side by side"]),
                        ("polygons, one rank over two", step["polygons, one rank"] / step["polygons, two ranks"])):
        print(f"{name:<40} {ratio:.2f}")


if __name__ == "__main__":
    main()
