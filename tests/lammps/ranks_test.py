"""dem-lammps against dem run: every law of space on 1, 2 and 4 ranks, resume, what is refused, a rank that is killed.

Positions may differ by 100 times what a shift of all positions by one rounding error grows to in the same steps.
"""
import copy
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import tomllib

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "sameness"))
import case_table

DEM, RANKS = os.environ.get("DEM_PROGRAM", ""), os.environ.get("DEM_LAMMPS_PROGRAM", "")
if not RANKS or not pathlib.Path(RANKS).exists():
    pytest.skip("dem-lammps is not built: cmake -DLIBDEM_LAMMPS=ON, packages in apps/packages-lammps.txt",
        allow_module_level=True)

MPI = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_rmaps_base_oversubscribe="1")
# When a rank ends with 1, which it does after a bad verdict, mpirun waits two seconds before it stops the others.
NO_WAIT = dict(MPI, OMPI_MCA_orte_abort_on_non_zero_status="0")


def write(folder, case):
    file = folder / "case.toml"
    file.write_text(case_table.text_of(case))
    return file


def run(words, allowed=(0, 1), env=NO_WAIT):  # 1: the verdict is bad, as it is of such short runs
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, env=env)
    assert done.returncode in allowed, done.stderr
    return done


def on_ranks(n, *words, **more):
    return run(["mpirun", "-n", n, RANKS, *words, "-q"], **more)


def positions(folder):
    with h5py.File(sorted((folder / "snapshots").glob("*.h5"))[-1]) as file:
        return file["bodies/position"][()]


def shifted(case):
    case = copy.deepcopy(case)
    for body in case["body"]:
        body["position"] = [float(np.nextafter(x, 2 * x + 1)) for x in body["position"]]
    return case


def as_dict(text):
    case = tomllib.loads(text)
    del case["format"]  # text_of() writes it
    return case


ALL = {name: as_dict(text) for name, text in case_table.all_cases().items() if ".sphere." in name}
NAMES = [name for name in ALL if name.split(".")[2] in ("free", "walls", "cell")]


@pytest.mark.parametrize("name", NAMES)
def test_ranks_agree_with_one_process(tmp_path, name):
    case = ALL[name]
    file, other = write(tmp_path, case), tmp_path / "other"
    other.mkdir()
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    run([DEM, "run", write(other, shifted(case)), "-o", tmp_path / "shifted", "-q"])
    one = positions(tmp_path / "one")
    growth = max(np.abs(positions(tmp_path / "shifted") - one).max(), np.finfo(float).eps)
    for n in (1, 2, 4):
        on_ranks(n, file, "-o", tmp_path / f"ranks{n}")
        found = positions(tmp_path / f"ranks{n}")
        assert found.shape == one.shape
        assert np.abs(found - one).max() <= 100 * growth
    # The ledger of all ranks is that of one process.
    assert (tmp_path / "ranks4" / "verdict.txt").read_text().splitlines()[-1] == \
        (tmp_path / "one" / "verdict.txt").read_text().splitlines()[-1]


@pytest.fixture
def cell_case():
    return ALL["jaeger.sphere.cell.velocity-verlet.velocity"]


def test_a_run_goes_on_with_other_ranks_and_in_one_process(tmp_path, cell_case):
    file = write(tmp_path, cell_case)
    run([DEM, "run", file, "-o", tmp_path / "one", "-q"])
    on_ranks(2, file, "-o", tmp_path / "a", "--until-step", 40)
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    on_ranks(4, "--resume", tmp_path / "a")
    run([DEM, "resume", tmp_path / "b", "-q"])
    for folder in ("a", "b"):
        assert np.abs(positions(tmp_path / folder) - positions(tmp_path / "one")).max() < 1e-12
    assert "Verdict" in run([DEM, "info", tmp_path / "a"]).stdout


def test_what_is_not_carried_is_refused_by_its_key(tmp_path, cell_case):
    case = copy.deepcopy(cell_case)
    case["stage"][0]["unbalanced"] = 0.01
    done = on_ranks(2, write(tmp_path, case), "-o", tmp_path / "none", allowed=(2,), env=MPI)
    assert "stage[1].unbalanced: found this end" in done.stderr
    assert done.stderr.count("unbalanced") == 1
    assert not (tmp_path / "none").exists()


def test_a_killed_rank_leaves_a_good_checkpoint(tmp_path, cell_case):
    case = case_table.changed(cell_case, output=dict(checkpoint_interval=0.2))
    case["stage"][0]["duration"] = 1000 * case["stage"][0].get("duration", 1.0)
    with subprocess.Popen(["mpirun", "-n", "2", RANKS, str(write(tmp_path, case)), "-o", str(tmp_path / "a"), "-q"],
            env=MPI, stderr=subprocess.PIPE, text=True) as mpirun:
        while not (tmp_path / "a" / "checkpoint.previous.h5").exists():
            assert mpirun.poll() is None
            time.sleep(0.05)
        children = pathlib.Path(f"/proc/{mpirun.pid}/task/{mpirun.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGKILL)
        message = mpirun.communicate()[1]
    assert mpirun.returncode != 0 and "signal 9" in message
    with h5py.File(tmp_path / "a" / "checkpoint.h5"):
        pass
    on_ranks(4, "--resume", tmp_path / "a", "--until-step", 10)  # a step of the past: reads the state and stops


def test_the_program_holds_no_cgal():
    names = subprocess.run(["nm", "-C", RANKS], capture_output=True, text=True, check=True).stdout
    assert "dem::Part::step" in names and "CGAL" not in names
