#!/usr/bin/env python3
"""What the Python module costs, as ratios in one run: 10 000 dense spheres with 3.06 contacts each, one thread.

    PYTHONPATH=build/release/python python3 tests/benchmarks/python_benchmark.py build/release/apps/dem [--rounds 10]

Every round runs all rows in turn, each for FEW and for MANY steps. A row is the difference of the two least CPU times,
so it has the steps without the start.
"""
import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import dem

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
import law_test

FEW, MANY = 50, 450


def dense(folder):
    """Compresses the spheres, and returns the step from which the runs of the rows start."""
    run = dem.Run(dem.Case({
        **ANY_CASE, "contact": {"law": "linear", "elongation": "velocity"},
        "stage": [{"rate_xx": -20.0, "rate_yy": -20.0, "rate_zz": -20.0, "void_ratio": 0.6, "duration": 1e3}]}),
        output=folder)
    run()
    return run.step


def case(law, folder):
    return dem.Case({
        **ANY_CASE, "start_from": str(folder), "contact": {"law": law, "elongation": "velocity"},
        "stage": [{"rate_xx": -0.1, "duration": 1e3}]})


ANY_CASE = {"dimension": 3,
           "assembly": {"generator": "random", "shape": "sphere", "count": 10000, "void_ratio": 0.9, "radius": 1e-3},
           "material": {"density": 2650.0, "normal_stiffness": 1e4, "tangential_stiffness_ratio": 0.5, "friction": 0.5,
                        "restitution": 0.7},
           "time": {"integrator": "velocity-verlet", "step": 5e-6},
           "output": {"ledger": True, "series_interval": 1e3, "snapshot_interval": 1e3}}


def cpu_seconds(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def in_module(start, law, steps, looks=False):
    folder, first = start
    run = dem.Run(case(law, folder), threads=1)
    if looks:
        @run.every(steps=1)
        def watch(now):
            return now.bodies.position[0, 0] + now.contacts.force[0, 0]
    before = cpu_seconds(resource.RUSAGE_SELF)
    run(until_step=first + steps)
    return cpu_seconds(resource.RUSAGE_SELF) - before


def in_program(start, program, steps):
    folder, first = start
    with tempfile.TemporaryDirectory() as results:
        file = Path(results) / "case.toml"
        file.write_text(case("linear", folder).to_toml(), encoding="utf-8")
        before = cpu_seconds(resource.RUSAGE_CHILDREN)
        words = [program, "run", file, "-o", Path(results) / "out", "--until-step", str(first + steps), "-q"]
        subprocess.run([*words, "--threads", "1"], check=False, stdout=subprocess.DEVNULL)
        return cpu_seconds(resource.RUSAGE_CHILDREN) - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="dem of the same build")
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder) / "dense", given)


def compare(start, given):
    start = start, dense(start)
    dem.law("numpy-spring")(law_test.spring)
    looked = "module, all positions and forces seen at every step"
    rows = {"dem run": lambda steps: in_program(start, given.program, steps),
            "module": lambda steps: in_module(start, "linear", steps),
            looked: lambda steps: in_module(start, "linear", steps, looks=True),
            "law in numpy": lambda steps: in_module(start, "numpy-spring", steps)}
    try:
        dem.law.compile(law_test.spring_of_one)
        rows["law compiled by numba"] = lambda steps: in_module(start, "spring-of-one", steps)
    except ImportError:
        print("numba is not installed: its row is left out (package python3-numba)")
    least = {(name, steps): 1e9 for name in rows for steps in (FEW, MANY)}
    for _ in range(given.rounds):
        for name, steps in least:
            least[name, steps] = min(least[name, steps], rows[name](steps))
    row = {name: least[name, MANY] - least[name, FEW] for name in rows}
    print(f"step of 10 000 spheres in the module: {1e3 * row['module'] / (MANY - FEW):.3g} ms")
    for name, seconds in row.items():
        print(f"{name:<52} {seconds / row['module']:.3f}")
    print(f"{'a look over a step':<52} {row[looked] / row['module'] - 1:.3f}")


if __name__ == "__main__":
    main()
