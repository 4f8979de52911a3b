"""Runs from Python: the same bits as the program, callbacks, stops, resume."""

import subprocess
import threading

import numpy as np
import pytest

import dem


def hash_of_program(program, case, folder):
    file = folder / "case.toml"
    case.write(file)
    out = subprocess.run(
        [program, "run", str(file), "--output", str(folder / "by-program")], capture_output=True, text=True, check=True
    )
    return out.stdout.split("State hash ")[1].split()[0]


def test_same_hash_as_the_program(program, cases, tmp_path):
    for name, case in cases.items():
        folder = tmp_path / name
        folder.mkdir()
        expected = hash_of_program(program, case, folder)
        assert dem.Run(case)().hash == expected
        for threads in (1, 3):
            run = dem.Run(case, output=folder / f"threads-{threads}", threads=threads)
            seen = []

            @run.every(steps=7)
            def watch(now):
                seen.append((now.bodies.position.copy(), now.contacts.force.copy(), dict(now.series)))

            assert run().hash == expected, name
            assert len(seen) > 3


def test_interrupted_and_resumed(cases, tmp_path):
    for name, case in cases.items():
        whole = dem.Run(case)()
        run = dem.Run(case, output=tmp_path / name)
        run(until_step=whole.step // 3)
        del run
        again = dem.resume(tmp_path / name)
        assert again.step == whole.step // 3
        again(until_step=whole.step // 2)
        assert again().hash == whole.hash


def test_a_callback_stops_the_run(cases, tmp_path):
    run = dem.Run(cases["discs"], output=tmp_path / "a")

    @run.every(steps=10)
    def watch(now):
        if now.step == 40:
            now.stop("strong enough.")

    result = run()
    assert result.end == "stopped" and result.step == 40
    assert "at step 40" in result.verdict and "strong enough." in result.verdict
    assert "strong enough" in (tmp_path / "a" / "verdict.txt").read_text()
    assert dem.resume(tmp_path / "a")().hash == dem.Run(cases["discs"])().hash


def test_a_callback_that_fails_leaves_a_checkpoint(cases, tmp_path):
    run = dem.Run(cases["discs"], output=tmp_path / "a")

    @run.every(steps=25)
    def divide(now):
        1 / (now.step - 50)

    with pytest.raises(dem.RunError, match=r"step 50 .*divide failed with ZeroDivisionError") as caught:
        run()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.step == 50
    assert dem.resume(tmp_path / "a").step == 50


def test_two_runs_in_two_threads(cases):
    names = ["discs", "spheres"]
    alone = {name: dem.Run(cases[name])().hash for name in names}
    for _ in range(3):
        runs = {name: dem.Run(cases[name]) for name in names}
        found = {}
        threads = [threading.Thread(target=lambda n=n: found.update({n: runs[n]().hash})) for n in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == alone


def test_arrays_end_with_their_look(cases):
    run = dem.Run(cases["discs"])
    kept = []

    @run.every(steps=10)
    def watch(now):
        force = now.contacts.force
        kept.append((now, force, force[:, 0], now.bodies.position))
        with pytest.raises(ValueError, match="read-only"):
            force[0, 0] = 1
        with pytest.raises(ValueError):
            np.add(force, 1, out=force)
        assert np.asarray(force).flags.owndata

    run(until_step=20)
    for now, *arrays in kept:
        for array in arrays:
            with pytest.raises(dem.LookOver, match="which is over"):
                array + 1
            with pytest.raises(dem.LookOver):
                np.linalg.norm(array)
            with pytest.raises(dem.LookOver):
                array.sum()
        with pytest.raises(dem.LookOver):
            now.contacts.normal
        with pytest.raises(dem.LookOver):
            now.series["time"]
    look = run.look()
    position = look.bodies.position
    run(until_step=30)
    with pytest.raises(dem.LookOver):
        position.max()


def test_mistakes_of_every(cases):
    run = dem.Run(cases["discs"])
    for wrong in ({}, {"steps": 1, "time": 2.0}, {"steps": 0}, {"steps": 1.5}, {"time": -1.0}, {"strain": float("inf")}):
        with pytest.raises(ValueError, match="every: found"):
            run.every(**wrong)
    with pytest.raises(TypeError, match="one argument"):

        @run.every(steps=1)
        def no_argument():
            pass
