#!/usr/bin/env python3
"""Large cases of the benchmarks: spheres, polygons and clusters. Writes their case files.

    python3 tests/benchmarks/large_cases.py FOLDER DEM PACKING [CLUSTERS]

PACKING is a text file, also gzipped: in the first line the edges of a periodic box after a colon, then rows
x y z r (m). CLUSTERS is a file for the generator `import`. PYTHONPATH is that of the module `dem`.
"""
import subprocess
import sys
from pathlib import Path

import numpy as np

import dem

QUIET = {"series_interval": 1e3, "snapshot_interval": 1e3}


def read_packing(file):
    with (np.lib.npyio.DataSource().open(str(file), "rt")) as stream:
        edges = [float(word) for word in stream.readline().split(":")[1].split()]
        return edges, np.loadtxt(stream)


def spheres(edges, rows):
    """Pure shear with the springs of LAMMPS in tests/lammps/speed.py. Its dashpots would need a smaller step here."""
    return dem.Case({
        "dimension": 3, "cell": {"periodic": ["x", "y", "z"], "size": edges},
        "body": dem.spheres(rows[:, :3], rows[:, 3]),
        "assembly": {"largest_start_overlap": 0.05},
        "material": {"density": 2650.0, "normal_stiffness": 8e4, "tangential_stiffness": 6.4e4, "friction": 0.5,
                     "restitution": 0.7, "tangential_damping_ratio": 0.5},
        "contact": {"law": "hooke-history", "elongation": "velocity"},
        "time": {"integrator": "velocity-verlet", "step": 1e-6}, "output": QUIET | {"ledger": False},
        "stage": [{"rate_xx": -1.0, "rate_yy": 1.0, "duration": 1.0}]})


def polygons(program, folder):
    """2600 polygons under the stress of the plates."""
    case = dem.Case.read(Path(__file__).parents[2] / "apps" / "examples" / "slow-shear.toml").changed({
        "assembly.columns": 50, "assembly.rows": 52, "output.frame_interval": 1e3})
    tables = case.to_dict()
    compress, shear = tables["stage"]
    file = folder / "compress.toml"
    file.write_text(dem.Case(tables | {"stage": [compress]}).to_toml(), encoding="utf-8")
    subprocess.run([program, "run", file, "-o", folder / "dense", "-q"], check=False, stdout=subprocess.DEVNULL)
    return dem.Case(tables | {"stage": [shear], "output": QUIET, "start_from": str(folder / "dense")})


def many_spheres(edges, rows, folder):
    """Eight packings side by side."""
    shifts = np.stack(np.meshgrid(*[np.arange(2)] * 3), -1).reshape(-1, 3) * edges
    file = folder / "spheres-many.txt"
    np.savetxt(file, np.concatenate([rows + [*shift, 0] for shift in shifts]))
    tables = spheres([2 * edge for edge in edges], rows[:1]).to_dict()
    tables.pop("body")
    tables["assembly"] |= {"generator": "import", "file": str(file)}
    return dem.Case(tables)


def clusters(file):
    """At rest under its own contacts, with Gear, `linear-refined`, elongation from geometry and ledger."""
    return dem.Case({
        "dimension": 3, "cell": {"periodic": ["x", "y", "z"]},
        "assembly": {"generator": "import", "file": str(file), "largest_start_overlap": 0.05},
        "material": {"density": 2650.0, "normal_stiffness": 1.104e5, "tangential_stiffness": 1.104e5, "friction": 0.55,
                     "restitution": 0.7, "tangential_damping_ratio": 0.0},
        "contact": {"law": "linear-refined", "elongation": "geometric"},
        "time": {"integrator": "gear5", "step": 2e-9}, "output": QUIET,
        "stage": [{"duration": 1.0}]})


def main(folder, program, packing, cluster_file=None):
    folder = Path(folder).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    edges, rows = read_packing(packing)
    cases = {"spheres": spheres(edges, rows), "spheres-many": many_spheres(edges, rows, folder),
             "polygons": polygons(Path(program).absolute(), folder)}
    if cluster_file:
        cases["clusters"] = clusters(Path(cluster_file).absolute())
    for name, case in cases.items():
        (folder / f"{name}.toml").write_text(case.to_toml(), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
