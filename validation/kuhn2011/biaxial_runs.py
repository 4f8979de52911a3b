"""Runs of plane-strain biaxial compression of spheres: rows over the strain, how contacts move, and what a step
costs. Source: Table 1 and Fig. 1 of the paper."""

import time
from itertools import islice

import numpy as np

import dem
from contact_movement import MovementWatch
from driver import mt64
from spheres import EXACT, FRICTION, LAWS, NONE, PRESSURE, RADIUS, STEP, STRAIN_A_STEP, USUAL, packing_case, tables_of

TIMED = [EXACT, USUAL, NONE]
STRAIN, RATIO, CONTACTS, LEGS, BYTES, UNBALANCED, INERTIAL = range(7)  # of a row


def compression_case(packing, law, strain, strain_a_step=STRAIN_A_STEP, ledger=True):
    """Compression along z at a constant rate, no strain along y, the confining pressure held along x."""
    rate = -strain_a_step / STEP
    return dem.Case(tables_of(packing) | {
        "title": f"{len(packing[1])} spheres, biaxial compression, {law}",
        "contact": LAWS[law],
        "output": {"ledger": ledger, "series_interval": abs(strain / rate)},  # rows are those of the study
        "stage": [{"name": "compress", "stress_xx": -1e5, "rate_zz": rate, "strain": strain}]})


def shifted(packing, seed):
    """Places moved by less than a millionth of the overlaps: what a run has of its own chance."""
    cell, radii, positions, void_ratio = packing
    moves = np.reshape(list(islice(mt64.uniform(seed), 3 * len(radii))), (-1, 3))
    return [cell, radii, (np.array(positions) + 1e-10 * RADIUS * (2 * moves - 1)).tolist(), void_ratio]


def compress(packing, law, strain, every, strain_a_step):
    """Rows of a compression, and steps of its contacts."""
    run = dem.Run(compression_case(packing, law, strain, strain_a_step), threads=1)
    rows = []

    def measure(now):
        s, memory = now.series, run.history_memory or {"contacts": 1, "legs": 0, "reserved": 0}
        rows.append([-s["strain_zz"], s["stress_ratio"], len(now.contacts), memory["legs"] / memory["contacts"],
                     memory["reserved"], s["mean_unbalanced_force"], s["inertial_number"] if now.step else 0.0])

    run.every(steps=every)(measure)
    with run.look() as now:
        measure(now)
    run()
    if run.step % every:
        with run.look() as now:
            measure(now)
    return {"rows": rows, "steps": run.step, "contact_steps": sum(row[CONTACTS] for row in rows[1:]) * every}


def peak_of_looser(count, strain):
    """Peak of q/p of a packing that was compressed with the friction of the run, its strain (%) and void ratio."""
    case = packing_case(count, 1).to_dict()
    for stage in case["stage"]:
        stage["friction"] = FRICTION
    case["stage"].append({"name": "compress", "stress_xx": -PRESSURE, "rate_zz": -STRAIN_A_STEP / STEP,
                          "strain": strain})
    run = dem.Run(case, threads=1)
    rows = run.record("stage", "strain_zz", "stress_ratio", "void_ratio", steps=100)
    run()
    strains, ratios = (rows[name][rows["stage"] == rows["stage"][-1]] for name in ("strain_zz", "stress_ratio"))
    packed = rows.rows[rows["stage"] < rows["stage"][-1]][-1]
    top = ratios.argmax()
    return [float(ratios[top]), float(100 * (packed[1] - strains[top])), float(packed[3])]


def watch_movement(packing, strain, zoom_width):
    """Of the contacts that live through a run their turns, and the path of the one with the median number of
    reversals."""
    run = dem.Run(compression_case(packing, EXACT, strain), threads=1)
    path_every = max(1, round(strain / STRAIN_A_STEP) // 1000)
    path, zoom = [], []  # keys of the contacts and half-movements of all of them

    def keep(into):
        into.append((watch.keys, 0.5 * np.column_stack([watch.overlap, watch.shift])))

    with run.look() as now:
        watch, at_start = MovementWatch(now, packing[1]), len(now.contacts)
        keep(path)

    @run.every(steps=1)
    def follow(now):
        watch.observe(now)
        if now.step % path_every == 0:
            keep(path)
        if 0.5 * strain <= -now.strain <= 0.5 * strain + zoom_width:
            keep(zoom)

    run()
    survivors = np.column_stack([watch.reversals, watch.corners, watch.normal_reversals])[watch.from_start]
    shown = np.argsort(survivors[:, 0], kind="stable")[len(survivors) // 2]
    key = watch.keys[watch.from_start][shown]
    path, zoom = ([of[np.searchsorted(keys, key)].tolist() for keys, of in kept] for kept in (path, zoom))
    return {"steps": run.step, "at_start": at_start, "survivors": survivors.tolist(), "reversals": survivors[shown, 0],
            "path": path, "zoom": zoom}


class TimedRun:
    """A run whose steps are timed in blocks, with the phases of a step."""

    def __init__(self, case, block):
        self.run, self.block, self.end = dem.Run(case, threads=1), block, 0.0
        self.run.profile()

        @self.run.every(steps=block)
        def stop_clock(now):  # before the hash of the state, which ends a call
            self.end = time.thread_time()

    def advance(self):
        """CPU time (s) a step of a block, and that of the forces by their share of the wall time."""
        first, before, start = self.run.step, self.run.phase_times, time.thread_time()
        self.run(until_step=first + self.block)
        end = self.end if self.run.step == first + self.block else time.thread_time()
        took = {phase: wall - before[phase] for phase, wall in self.run.phase_times.items()}
        seconds = (end - start) / (self.run.step - first)
        return seconds, seconds * (took["geometry"] + took["forces"]) / sum(took.values())


def compare_cost(packing, strain, block):
    """Contacts, and of the laws TIMED the CPU time a step and that of the forces, in blocks of steps that take turns
    over whole runs: what else happens on the machine meets them all. Without ledger, which is not compared."""
    runs = [TimedRun(compression_case(packing, law, strain, ledger=False), block) for law in TIMED]
    blocks = []
    while not any(of.run.finished for of in runs):
        took = [()] * len(runs)
        for k in range(len(runs)):  # whoever comes first has other caches than those that follow
            law = (len(blocks) + k) % len(runs)
            took[law] = runs[law].advance()
        blocks.append([runs[0].run.history_memory["contacts"], *zip(*took)])
    return blocks
