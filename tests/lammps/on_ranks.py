"""Runs of dem and of dem-lammps, and the cases of the table of sameness, for the tests of this folder."""
import copy
import os
import pathlib
import subprocess
import sys
import tomllib

import h5py
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "sameness"))
import case_table

DEM, RANKS = os.environ.get("DEM_PROGRAM", ""), os.environ.get("DEM_LAMMPS_PROGRAM", "")
if not RANKS or not pathlib.Path(RANKS).exists():
    pytest.skip("dem-lammps is not built: cmake -DLIBDEM_LAMMPS=ON, packages in apps/packages-lammps.txt",
        allow_module_level=True)

MPI = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_rmaps_base_oversubscribe="1")
# A bad verdict, as of such short runs, is no failure. mpirun would wait two seconds before it stops the other ranks.
BAD_VERDICT_IS_GOOD = ["sh", "-c", '"$@"; code=$?; [ $code -eq 1 ] || exit $code', "sh"]


def write(folder, case):
    file = folder / "case.toml"
    file.write_text(case_table.text_of(case))
    return file


def run(words, allowed=(0, 1)):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=MPI)
    assert done.returncode in allowed, done.stderr
    return done


def on_ranks(n, *words, allowed=(0,)):
    return run(["mpirun", "-n", n, *BAD_VERDICT_IS_GOOD, RANKS, *words, "-q"], allowed)


def positions(folder):
    with h5py.File(sorted((folder / "snapshots").glob("*.h5"))[-1]) as file:
        return file["bodies/position"][()]


def as_dict(text):
    case = tomllib.loads(text)
    del case["format"]  # text_of() writes it
    return case


ALL = {name: as_dict(text) for name, text in case_table.all_cases().items()}
ALL["stage.coordination"] = case_table.changed(ALL["stage.unbalanced"],
    stage=[dict(rate_xx=-0.5, rate_yy=-0.5, coordination=3.5, duration=1.0)])
ALL["held-mover.space"] = copy.deepcopy(ALL["linear.sphere.walls.gear5.geometric"])
ALL["held-mover.space"]["body"][0].update(fixed=["x", "y", "z", "rotation"], velocity=[0.5, 0.3, 0.0],
    angular_velocity=[0.0, 2.0, 0.0])

BALLS = dict(dimension=3,
    material=dict(density=1000.0, normal_stiffness=1e5, tangential_stiffness_ratio=0.3, friction=0.5, restitution=0.9),
    time=dict(step=1e-4), wall=[dict(shape="plane", point=[0.0, 0.0, 0.0], normal=[0.0, 0.0, 1.0], name="floor")],
    body=[dict(shape="sphere", radius=0.1, position=[0.3 * k, 0.0, 0.15]) for k in range(3)])

ROW_OF_DISCS = dict(material=dict(normal_stiffness=1e4, tangential_stiffness_ratio=0.5, friction=0.5, restitution=0.5),
    time=dict(step=4e-5), stage=[dict(duration=0.02)],
    body=[dict(shape="disc", radius=0.1, position=[3.0 + 0.25 * k, 0.5], velocity=[-1.0 * k, 0.0]) for k in range(4)])

DRIVEN_DISCS = dict(cell=dict(periodic=["x", "y"]),
    assembly=dict(generator="lattice", columns=5, rows=4, radius=0.5, spacing=0.999),
    material=dict(normal_stiffness=1000.0, tangential_stiffness_ratio=0.5, friction=0.3, restitution=0.9),
    time=dict(step=7e-4), stage=[dict(duration=0.1, rate_xy=5.0)])
