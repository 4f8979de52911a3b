"""Safety in a long session: memory, Ctrl-C, random cases turned, mirrored, renumbered and resumed."""

import gc
import importlib
import json
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


SLOW_LAW = (
    "import dem\n"
    "@dem.law('slow', checked=False)\n"
    "def slow(block, history, p):\n"
    "    history.xi_1 += block.shift_1\n"
    "    for _ in range(200):\n"
    "        block.elastic_1 = -block.stiffness * history.xi_1\n"
)


@pytest.mark.parametrize("law", ["linear", "slow"])
def test_ctrl_c_leaves_a_checkpoint(tmp_path, monkeypatch, law):
    """Also in a law of one's own, which is called in the middle of a step."""
    (tmp_path / "slow_law.py").write_text(SLOW_LAW)
    script = tmp_path / "long.py"
    script.write_text(
        "import sys, dem, slow_law\n"
        f"sys.path.append({str(pathlib.Path(__file__).parent)!r})\n"
        "from conftest import falling_discs\n"
        "case = {**falling_discs(), 'stage': [{'duration': 1e4}], 'contact': {'law': " + repr(law) + "}}\n"
        "run = dem.Run(case, output='out')\n"
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
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "slow_law", raising=False)
    importlib.import_module("slow_law")
    assert dem.resume(tmp_path / "out").step == int(out.split()[-1]) > 0


def test_a_killed_run_goes_on_with_the_same_bits(tmp_path):
    case = {**falling_discs(), "stage": [{"duration": 0.4}], "output": {"checkpoint_interval": 0.05}}
    script = tmp_path / "long.py"
    script.write_text(
        "import dem, json, pathlib, time\n"
        "run = dem.Run(json.loads(pathlib.Path('case.json').read_text()), output='out')\n"
        "@run.every(steps=40)\n"
        "def look(now):\n"
        "    time.sleep(0.002)\n"
        "    if now.step == 4000:\n"
        "        print('far', flush=True)\n"
        "        time.sleep(60)\n"
        "run()\n"
    )
    (tmp_path / "case.json").write_text(json.dumps(case))
    whole = dem.Run(case)()
    running = subprocess.Popen([sys.executable, script], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "far\n"
    running.kill()
    running.wait()
    resumed = dem.resume(tmp_path / "out")
    assert 0 < resumed.step < whole.step
    assert resumed().hash == whole.hash


def test_ctrl_c_in_a_notebook(tmp_path):
    client = pytest.importorskip("jupyter_client", reason="jupyter_client is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    manager, kernel = client.manager.start_new_kernel(kernel_name="python3", cwd=str(tmp_path))
    try:
        tests = str(pathlib.Path(__file__).parent)
        begin = f"import sys; sys.path.append({tests!r}); import dem; from conftest import falling_discs"
        kernel.execute_interactive(begin, timeout=60)
        kernel.execute_interactive("run = dem.Run({**falling_discs(), 'stage': [{'duration': 1e4}]}, output='out')",
                                   timeout=60)
        kernel.execute("run()", stop_on_error=False)
        time.sleep(1)
        manager.interrupt_kernel()
        reply = kernel.get_shell_msg(timeout=60)
        assert reply["content"]["ename"] == "KeyboardInterrupt"
        kernel.execute_interactive("open('step', 'w').write(str(run.step)); more = run(until_step=run.step + 10)",
                                   timeout=60)
    finally:
        manager.shutdown_kernel(now=True)
    stopped = int((tmp_path / "step").read_text())
    assert stopped > 0 and dem.resume(tmp_path / "out").step == stopped + 10


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


def grains(bodies):
    """Spheres, and clusters of two unequal spheres, that fly at each other in space without gravity."""
    case = falling_discs()
    del case["gravity"], case["wall"]
    single = bodies["single"]
    n = len(single)
    one = [k for k in range(n) if single[k]]
    two = [k for k in range(n) if not single[k]]

    def of(chosen):
        return {key: bodies[key][chosen] for key in ("velocity", "angular_velocity")}

    listed = {}
    if one:
        listed.update(zip(one, dem.spheres(bodies["position"][one], 0.5, **of(one))))
    if two:
        parts = [[[*(0.1 * bodies["axis"][k]), 0.42], [*(-0.1 * bodies["axis"][k]), 0.4]] for k in two]
        listed.update(zip(two, dem.clusters(bodies["position"][two], parts, **of(two))))
    return dem.Case({**case, "dimension": 3, "material": {**case["material"], "density": 2000.0},
                     "stage": [{"duration": 0.004}], "assembly": {"largest_start_overlap": 0.2},
                     "body": [listed[k] for k in range(n)]})


@hypothesis.settings(max_examples=15, deadline=None, derandomize=True)
@hypothesis.given(hypothesis.strategies.integers(0, 2**32 - 1))
def test_turned_mirrored_renumbered_and_resumed_in_space(seed):
    random = np.random.default_rng(seed)
    n = int(random.integers(3, 9))
    grid = np.array([(k % 2, k // 2 % 2, k // 4) for k in range(n)], dtype=float)
    axis = random.standard_normal((n, 3))
    bodies = {
        "position": 0.98 * grid + random.uniform(-0.02, 0.02, (n, 3)),
        "velocity": random.uniform(-1, 1, (n, 3)),
        "angular_velocity": random.uniform(-5, 5, (n, 3)),
        "axis": axis / np.linalg.norm(axis, axis=1)[:, None],
        "single": random.random(n) < 0.5,
    }
    there, moves, hash_of_run = positions(grains(bodies))
    assert np.abs(moves - bodies["velocity"]).max() > 1e-3  # they met
    scale = 1e-10

    turn = np.linalg.qr(random.standard_normal((3, 3)))[0]
    turn[0] *= np.linalg.det(turn)  # a rotation
    turned = {**bodies, **{key: bodies[key] @ turn.T for key in ("position", "velocity", "angular_velocity", "axis")}}
    assert np.abs(positions(grains(turned))[0] - there @ turn.T).max() < scale

    mirror = np.array([-1.0, 1.0, 1.0])
    mirrored = {**bodies, **{key: bodies[key] * mirror for key in ("position", "velocity", "axis")},
                "angular_velocity": -bodies["angular_velocity"] * mirror}
    assert np.abs(positions(grains(mirrored))[0] - there * mirror).max() < scale

    order = random.permutation(n)
    renumbered = {key: value[order] for key, value in bodies.items()}
    assert np.abs(positions(grains(renumbered))[0] - there[order]).max() < scale

    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        run = dem.Run(grains(bodies), output=folder + "/a")
        run(until_step=int(random.integers(1, 199)))
        assert dem.resume(folder + "/a")().hash == hash_of_run
