#!/usr/bin/env python3
"""Speed of dem-lammps beside LAMMPS' own gran/hooke/history, and of two ranks beside one. By hand, on a quiet machine.

    python3 tests/lammps/speed.py DEM DEM_LAMMPS PACKING [--rounds 8]

PACKING is a text file, also gzipped: in the first line the edges of a periodic box after a colon, then rows
x y z r (m).
Every round runs all rows in turn, for STEPS steps each. A time is that of the fastest TOGETHER steps in a row, over all
rounds. So it has no start, no output and no new list, and less of what other programs on the machine take. PYTHONPATH
is that of the module `dem`.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import dem

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from large_cases import polygons, read_packing, spheres  # noqa: E402

STEPS, TOGETHER = 5200, 200
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


def step_times(commands, folder):
    """Fastest steps (s) of commands side by side."""
    running = [subprocess.Popen([str(word) for word in words], cwd=folder, env=SEEN, stdout=subprocess.PIPE, text=True)
               for words in commands]
    times = []
    for words, one, text in [(words, one, one.communicate()[0]) for words, one in zip(commands, running)]:
        ours = re.findall(rf"fastest {TOGETHER} steps in a row: ([\d.e-]+) ms", text)
        # The first of LAMMPS' blocks has its set-up.
        lammps = re.findall(rf"Loop time of ([\d.e-]+) on \d+ procs for {TOGETHER} steps", text)[1:]
        if one.returncode != 0 or not ours + lammps:
            sys.exit(f"speed.py: exit code {one.returncode} of: {' '.join(map(str, words))}")
        times += [1e-3 * float(t) for t in ours] or [min(map(float, lammps)) / TOGETHER]
    return times


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
    last = {}
    atoms = "".join(f"{k + 1} 1 {2 * r!r} 2650 {x!r} {y!r} {z!r}\n" for k, (x, y, z, r) in enumerate(rows.tolist()))
    box = "".join(f"0 {edge!r} {a}lo {a}hi\n" for edge, a in zip(edges, "xyz"))
    (folder / "packing.data").write_text(f"packing\n\n{len(rows)} atoms\n1 atom types\n{box}\nAtoms\n\n{atoms}")
    blocks = STEPS // TOGETHER
    path = f"start 0 stop {TOGETHER * (blocks + 1)}"  # fix deform would begin anew with each block
    (folder / "lammps.in").write_text(LAMMPS + f"run {TOGETHER} post no {path}\n" +
                                     f"run {TOGETHER} pre no post no {path}\n" * blocks)
    for name, case in (("spheres", spheres(edges, rows)), ("polygons", polygons(given.dem, folder))):
        (folder / f"{name}.toml").write_text(case.to_toml(), encoding="utf-8")
        last[name] = dem.Run(case).step + STEPS

    def ours(name, ranks, out="out"):
        return [*MPIRUN, ranks, given.dem_lammps, f"{name}.toml", "-o", out, "--overwrite", "-q", "--traffic",
                "--until-step", last[name]]

    def lammps(ranks):
        return [*MPIRUN, ranks, "lmp", "-in", "lammps.in", "-log", "none"]

    measured = {
        "LAMMPS, one rank": [lammps(1)], "LAMMPS, two ranks": [lammps(2)],
        "spheres, one rank": [ours("spheres", 1)], "spheres, two ranks": [ours("spheres", 2)],
        "spheres, two runs side by side": [ours("spheres", 1), ours("spheres", 1, "beside")],
        "polygons, one rank": [ours("polygons", 1)], "polygons, two ranks": [ours("polygons", 2)]}
    step = dict.fromkeys(measured, np.inf)
    for _ in range(given.rounds):
        for name, commands in measured.items():
            step[name] = min(step[name], max(step_times(commands, folder)))
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
