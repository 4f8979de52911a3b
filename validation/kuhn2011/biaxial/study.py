"""Table 1 and Fig. 1 of the paper: plane-strain biaxial compression of spheres with the exact law, with merged
histories and with the usual approximations, all from one packing; what the exact law costs and remembers; how contacts
move."""

import time
from itertools import islice

import numpy as np

import dem
from contact_movement import MovementWatch
from driver import mt64
from driver.study import curve, panel
from spheres import (BOUNDED, EXACT, FRICTION, LAWS, POISSON_RATIO, PRESSURE, RADIUS, SHEAR_MODULUS, STEP, USUAL,
                     make_packing, packing_case, tables_of)

NONE, TENTH, FIFTH = "hertz-mindlin, no memory", "jaeger, merged 0.10 f", "jaeger, merged 0.20 f"
TIMED = [EXACT, USUAL, NONE, BOUNDED]
STRAIN_A_STEP = 1e-6  # of zz, as in the paper
MEMORY_PEAK = 0.005  # strain at which the paper has its most memory
EARLY = 0.001  # of a panel: strain up to which two runs that differ by nothing but chance are still one
PAPER_LEGS = [260, 171, 107]  # mean lengths: exact, Δp_max = 0.10 f, 0.20 f
STRAIN, VOLUME, RATIO, CONTACTS, LEGS, BYTES, UNBALANCED, INERTIAL = range(8)


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
        rows.append([-s["strain_zz"], s["strain_xx"] + s["strain_yy"] + s["strain_zz"], s["stress_ratio"],
                     len(now.contacts), memory["legs"] / memory["contacts"], memory["reserved"],
                     s["mean_unbalanced_force"], s["inertial_number"] if now.step else 0.0])

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
    path, zoom = [], []

    def keep(into):
        kept = np.full((at_start, 3), np.nan)
        alive = np.searchsorted(first_keys, watch.keys[watch.from_start])
        kept[alive] = 0.5 * np.column_stack([watch.overlap, watch.shift])[watch.from_start]
        into.append(kept)

    with run.look() as now:
        watch = MovementWatch(now, packing[1], SHEAR_MODULUS, POISSON_RATIO, FRICTION)
        first_keys, at_start = watch.keys, len(watch.keys)
        keep(path)

    @run.every(steps=1)
    def follow(now):
        watch.observe(now)
        if now.step % path_every == 0:
            keep(path)
        if 0.5 * strain <= -now.strain <= 0.5 * strain + zoom_width:
            keep(zoom)

    run()
    alive = watch.from_start
    survivors = np.column_stack([watch.reversals, watch.corners, watch.normal_reversals])[alive]
    shown = np.argsort(survivors[:, 0], kind="stable")[len(survivors) // 2]
    of_start = np.searchsorted(first_keys, watch.keys[alive])[shown]
    return {"steps": run.step, "at_start": at_start, "survivors": survivors.tolist(), "reversals": survivors[shown, 0],
            "path": [kept[of_start].tolist() for kept in path], "zoom": [kept[of_start].tolist() for kept in zoom]}


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
    """Strain, contacts, and of the laws TIMED the CPU time a step and that of the forces, in blocks of steps that take
    turns over whole runs: what else happens on the machine meets them all. Without ledger, which is not compared."""
    runs = [TimedRun(compression_case(packing, law, strain, ledger=False), block) for law in TIMED]
    blocks = []
    while not any(of.run.finished for of in runs):
        took = [()] * len(runs)
        for k in range(len(runs)):  # whoever comes first has other caches than those that follow
            law = (len(blocks) + k) % len(runs)
            took[law] = runs[law].advance()
        exact = runs[0].run
        blocks.append([exact.step * STRAIN_A_STEP, exact.history_memory["contacts"], *zip(*took)])
    return blocks


def column(c, k):
    return np.array(c["rows"])[:, k]


def off(c, exact, to=np.inf):
    """Differences of q/p from the exact law up to a strain."""
    rows = min(len(c["rows"]), len(exact["rows"]))
    differences = column(c, RATIO)[:rows] - column(exact, RATIO)[:rows]
    return differences[column(exact, STRAIN)[:rows] <= to]


def mean_off(c, exact):
    return abs(off(c, exact)).mean()


def quartiles(values):
    return np.percentile(values, [50, 25, 75])


def ratio_of(blocks, k, a, b):
    """Median and quartiles of a law over another, block by block; k: 2 whole steps, 3 forces."""
    return "{:.2f} (half of the blocks {:.2f} to {:.2f})".format(*quartiles([of[k][a] / of[k][b] for of in blocks]))


def draw_laws(run, laws, shift, blocks, packing):
    label = "axial strain (%)"
    panels = [panel("stress ratio", label, "q/p", []),
              panel("difference from the exact law", label, "q/p minus that of jaeger", []),
              panel("difference from the exact law, small strains", label, "q/p minus that of jaeger", []),
              panel("volume change", label, "volumetric strain (%, dilation positive)", []),
              panel("length of histories", label, "mean number of legs of a contact", [], "y"),
              panel("cost", label, "CPU time a step (ms)", [])]
    exact = laws[EXACT]
    for law, c in laws.items():
        strain = 100 * column(c, STRAIN)
        panels[0]["curves"].append(curve(law, strain, column(c, RATIO), "line"))
        panels[3]["curves"].append(curve(law, strain, 100 * column(c, VOLUME), "line"))
        if c["rows"][-1][LEGS] > 1:
            panels[4]["curves"].append(curve(law, strain, column(c, LEGS), "line"))
    for of, to in ((1, np.inf), (2, 1.01 * EARLY)):
        for law, c in (laws | {"jaeger, shifted start": shift}).items():
            differences = off(c, exact, to)
            strain = 100 * column(exact, STRAIN)[:len(differences)]
            panels[of]["curves"].append(curve(law, strain, differences, "line"))
    if not run.quick:
        for name, legs in zip(("exact", "0.10 f", "0.20 f"), PAPER_LEGS):
            panels[4]["curves"].append(curve(f"paper, {name}", [100 * MEMORY_PEAK], [legs], "prediction"))
    for k, law in enumerate(TIMED):
        panels[5]["curves"].append(curve(law, [100 * b[0] for b in blocks], [1e3 * b[2][k] for b in blocks]))
    run.figure("Plane-strain biaxial compression with exact and approximate tangential forces",
               f"{len(packing[1])} spheres (radii ± 20 %) packed without friction to p = 100 kPa, void ratio "
               f"{packing[3]:.3f}; G = 29 GPa, ν = 0.15, f = 0.5; lateral stress held, no strain along y, "
               f"{STRAIN_A_STEP:g} of strain a step. q = √(3 J2), J2 of the deviatoric stress. Differences are those "
               f"from `jaeger`; shifted: the exact law from places moved by 1e-10 radii, so that its difference is "
               f"chance. Cost: CPU time of blocks of steps that take turns.", panels)


def draw_movement(run, m, spheres, strain):
    whole, zoom = np.array(m["path"]), np.array(m["zoom"])
    mean = whole[:, 0].mean()
    unit = (2 - POISSON_RATIO) / (2 * (1 - POISSON_RATIO)) * FRICTION * mean  # a straight movement of 1 makes it slide
    panels = []
    for title, points, k in (("whole path, tangential", whole, 2), ("step by step, tangential", zoom, 2),
                             ("step by step, normal", zoom, 0)):
        x, y = points[:, 1] / unit, points[:, k] / (unit if k else mean)
        panels.append(panel(title, "ξ_1/(κ f ζ)", "ξ_2/(κ f ζ)" if k else "ζ over its mean",
                            [curve("", x, y, "line"), curve("start", x[:1], y[:1], "points")]))

    def shares(name, counts):
        return curve(name, np.maximum(1, np.sort(counts)), 1 - np.arange(len(counts)) / len(counts), "line")

    names = ("tangential reversals", "turns of more than 45°", "normal reversals")
    panels.append(panel("changes of direction", "number in the life of a contact",
                        "share of the contacts with as many or more",
                        [shares(name, of) for name, of in zip(names, np.transpose(m["survivors"]))], "x"))
    run.figure("Movement of a contact in a compressed packing",
               f"{spheres} spheres, biaxial compression to {100 * strain:g} %. Of the {len(m['survivors'])} contacts "
               f"that lived through it the one with the median number of reversals ({m['reversals']:.0f}), "
               f"half-movements ξ in its own frame over κ f ζ with its mean ζ = {1e9 * mean:.3g} nm: a straight "
               f"movement of 1 from rest makes it slide. Step by step: {len(zoom)} steps at half the way.", panels,
               "figure-1")


def study(run):
    count, small, strain, every = (120, 80, 0.001, 20) if run.quick else (4096, 1000, 0.04, 100)
    packing, small_packing = run.map("packings", make_packing, [(count, 1), (small, 2)])
    point = (strain, every, STRAIN_A_STEP)
    *found, shift, slow = run.map(
        "runs", compress, [(packing, law, *point) for law in LAWS] +
        [(shifted(packing, 3), EXACT, *point), (packing, EXACT, strain, 2 * every, 0.5 * STRAIN_A_STEP)])
    laws = dict(zip(LAWS, found))
    m, = run.map("movement", watch_movement, [(small_packing, strain, 1e-4 if run.quick else 4e-4)])
    looser, = run.map("looser", peak_of_looser, [(count, strain)])
    blocks, = run.map("cost", compare_cost, [(packing, strain, 100 if run.quick else 500)])  # alone
    draw_laws(run, laws, shift, blocks, packing)
    draw_movement(run, m, small, strain)

    exact = laws[EXACT]
    legs = [column(laws[law], LEGS) for law in (EXACT, TENTH, FIFTH)]
    near = abs(column(exact, STRAIN) - MEMORY_PEAK).argmin()  # the row nearest to it
    most = column(exact, BYTES).argmax()
    rows = np.concatenate([np.array(c["rows"])[column(c, STRAIN) > 0] for c in found])
    peak = column(exact, RATIO).max()

    def megabytes(law):
        return column(laws[law], BYTES).max() / 1e6

    reversals, corners, normal = (quartiles(of) for of in np.transpose(m["survivors"]))
    forces = [b[3][0] / b[2][0] for b in blocks]
    return {
        "full": not run.quick, "of_step": 100 * np.mean(forces),
        "force": ratio_of(blocks, 3, 0, 1), "force_none": ratio_of(blocks, 3, 0, 2),
        "force_over": quartiles([b[3][0] / b[3][1] for b in blocks])[0],
        "total": ratio_of(blocks, 2, 0, 1), "total_none": ratio_of(blocks, 2, 0, 2),
        "total_over": quartiles([b[2][0] / b[2][1] for b in blocks])[0],
        "sums": sum(b[2][0] for b in blocks) / sum(b[2][1] for b in blocks),
        "contact_step": 1e6 * sum(b[2][0] for b in blocks) / sum(b[1] for b in blocks),
        "largest": [of.max() for of in legs], "at": 100 * min(MEMORY_PEAK, strain),
        "there": [of[near] for of in legs], "mean": [of.mean() for of in legs], "slow_legs": column(slow, LEGS).max(),
        "close": all(abs(of.max() / paper - 1) <= 0.2 for of, paper in zip(legs, PAPER_LEGS)),
        "entry": column(exact, BYTES)[most] / (column(exact, LEGS)[most] * column(exact, CONTACTS)[most]),
        "megabytes": [megabytes(law) for law in (EXACT, TENTH, FIFTH, USUAL)],
        "particles": [count / megabytes(law) for law in (EXACT, TENTH, FIFTH)],
        "peaks": [peak, *(100 * column(c, STRAIN)[column(c, RATIO).argmax()] for c in (exact, shift, slow))],
        "looser": looser, "void_ratio": packing[3],
        "most_contacts": column(exact, CONTACTS)[most], "most_strain": 100 * column(exact, STRAIN)[most],
        "shift_off": mean_off(shift, exact),
        "contacts": exact["contact_steps"] / exact["steps"], "near_contacts": column(exact, CONTACTS)[near],
        "near_strain": 100 * column(exact, STRAIN)[near], "first_contacts": exact["rows"][0][CONTACTS],
        "contact_steps": sum(c["contact_steps"] for c in found),
        "inertial": rows[:, INERTIAL].max(), "unbalanced": rows[:, UNBALANCED].mean(),
        "slow_peak": 100 * (column(slow, RATIO).max() / peak - 1), "slow_off": mean_off(slow, exact),
        "survivors": len(m["survivors"]), "moved_steps": m["steps"],
        "at_start": m["at_start"], "reversals": reversals, "corners": corners, "normal": normal,
        "several": 100 * np.mean(np.transpose(m["survivors"])[0] >= 2)}
