"""Safety in a long session: memory, Ctrl-C, random cases turned, mirrored, renumbered and resumed."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import falling_discs

import dem

pytest.importorskip("_dem", reason="the module _dem is not built")


def resident():
    """Memory of this process (bytes)."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_runs_that_are_dropped_leave_no_memory():
    case = dem.Case(falling_discs())

    def one():
        run = dem.Run(case)

        @run.every(steps=50)
        def watch(now):
            assert run.step == now.step  # a callback that holds its run

        @run.force("free")
        def wind(t, bodies, force, torque):
            force[:, 0] += 0.1 * bodies.mass

        run(until_step=100)

    for _ in range(200):
        one()
    gc.collect()
    before = resident()
    for _ in range(1000):
        one()
    gc.collect()
    assert resident() - before < 4e6


def test_ctrl_c_leaves_a_checkpoint(tmp_path):
    script = tmp_path / "long.py"
    script.write_text(
        "import sys, dem\n"
        f"sys.path.append({str(pathlib.Path(__file__).parent)!r})\n"
        "from conftest import falling_discs\n"
        "run = dem.Run({**falling_discs(), 'stage': [{'duration': 1e4}]}, output='out')\n"
        "print('begins', flush=True)\n"
        "try:\n"
        "    run()\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped at', run.step, flush=True)\n"
    )
    running = subprocess.Popen([sys.executable, script], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    assert running.stdout.readline() == "begins\n"
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    out = running.communicate(timeout=60)[0]
    assert out.startswith("stopped at ")
    assert dem.resume(tmp_path / "out").step == int(out.split()[-1]) > 0


def positions(case):
    run = dem.Run(case)
    run()
    with run.look() as now:
        return now.bodies.position.copy(), now.bodies.velocity.copy(), run.hash


def random_case(random, law="linear"):
    """Discs without gravity or walls that fly at each other."""
    n = int(random.integers(3, 9))
    grid = np.array([(k % 3, k // 3) for k in range(n)], dtype=float)
    return {
        "position": grid + random.uniform(-0.02, 0.02, (n, 2)),
        "radius": random.uniform(0.44, 0.49, n),
        "velocity": random.uniform(-1, 1, (n, 2)),
        "spin": random.uniform(-5, 5, n),
    }


def with_bodies(bodies, **more):
    case = falling_discs()
    del case["gravity"], case["wall"]
    case["stage"] = [{"duration": 0.004}]
    return dem.Case({**case, "body": dem.discs(bodies["position"], bodies["radius"], velocity=bodies["velocity"],
                                               spin=bodies["spin"]), **more})


hypothesis = pytest.importorskip("hypothesis", reason="hypothesis is not installed")


@hypothesis.settings(max_examples=15, deadline=None, derandomize=True)
@hypothesis.given(hypothesis.strategies.integers(0, 2**32 - 1))
def test_turned_mirrored_renumbered_and_resumed(seed):
    random = np.random.default_rng(seed)
    bodies = random_case(random)
    there, moves, hash_of_run = positions(with_bodies(bodies))
    scale = 1e-10  # growth of round-off over these steps

    angle = random.uniform(0, 6)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turned = {**bodies, "position": bodies["position"] @ turn.T, "velocity": bodies["velocity"] @ turn.T}
    assert np.abs(positions(with_bodies(turned))[0][:, :2] - there[:, :2] @ turn.T).max() < scale

    mirror = np.array([-1.0, 1.0])
    mirrored = {**bodies, "position": bodies["position"] * mirror, "velocity": bodies["velocity"] * mirror,
                "spin": -bodies["spin"]}
    assert np.abs(positions(with_bodies(mirrored))[0][:, :2] - there[:, :2] * mirror).max() < scale

    order = random.permutation(len(there))
    renumbered = {key: value[order] for key, value in bodies.items()}
    assert np.abs(positions(with_bodies(renumbered))[0] - there[order]).max() < scale

    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        run = dem.Run(with_bodies(bodies), output=folder + "/a")
        run(until_step=int(random.integers(1, 199)))
        assert dem.resume(folder + "/a")().hash == hash_of_run
