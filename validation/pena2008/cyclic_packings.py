"""Cyclic shear of packings between plates: what each closed cycle of strain leaves behind."""

import math
import tomllib

import numpy as np

import dem
from driver.mt64 import uniform


def cell(text):
    """The tables of slow-shear's case with fewer grains, more damping, and cycles of strain."""
    tables = tomllib.loads(text) | {"title": "Cyclic shear"}
    tables["assembly"] |= {"columns": 8, "rows": 10}  # eight rows of free grains and two of plate particles
    tables["material"]["restitution"] = 0.95  # vibrations live shorter than a cycle
    tables["time"]["step"] = 0.003  # s: 0.03 t_c
    tables["stage"][0] |= {"plate_speed": 0.1, "stress_hold_time": 10.0}
    # The height follows: its mean over a cycle is the residual strain. The rate is 5e-5 per contact time.
    tables["stage"][1] = {"name": "cycles", "normal": "hold-stress", "normal_stress": 0.4, "plate_speed": 0.2,
                          "shear_rate": 5e-4, "strain_amplitude": 1e-3, "cycles": 50}
    tables["output"] = {"series_interval": 0.1}  # s: 80 rows a cycle
    return tables


def discs(columns, rows, seed):
    """Discs of radii 0.4 … 0.5 m at random on a triangular lattice; the first and the last row are the plates."""
    spacing, draw, bodies = 1.01, uniform(seed), []
    for row in range(rows):
        group = {0: "bottom-plate", rows - 1: "top-plate"}.get(row)
        for column in range(columns):
            position = [(column + 0.5 + 0.5 * (row % 2)) * spacing, row * spacing * math.sqrt(0.75)]
            radius = 0.5 if group else 0.4 + (0.5 - 0.4) * next(draw)
            bodies.append({"shape": "disc", "radius": radius, "position": position})
            if group:
                bodies[-1] |= {"group": group, "fixed": ["x", "y", "rotation"]}
    return {"body": bodies, "cell": {"periodic": ["x"], "size": [columns * spacing, rows * spacing]}}


def packing(tables, grains, seed):
    """The bodies of a case and its cell after the compression, which is without friction: a dense packing."""
    if grains == "discs":
        made = discs(tables["assembly"]["columns"], tables["assembly"]["rows"], seed)
        tables["contact"]["normal_force"] = "overlap"
        del tables["assembly"]
    else:
        made = {"assembly": tables.pop("assembly") | {"seed": seed}}
    start = tables | made | {"stage": tables["stage"][:1], "material": tables["material"] | {"friction": 0.0}}
    run = dem.Run(dem.Case(start), threads=1)
    run()
    with run.look() as now:
        bodies = now.bodies
        if grains == "polygons":
            held = [bodies.group_names[g] if g else None for g in bodies.group]
            made = {"body": [{"shape": "polygon", "vertices": v.tolist()} |
                             ({"group": g, "fixed": ["x", "y", "rotation"]} if g else {})
                             for v, g in zip(bodies.outlines(placed=False), held)],
                    "cell": {"periodic": ["x"], "origin": now.cell_origin.tolist(),
                             "size": now.cell_vectors.diagonal()[:2].tolist()}}
        for body, position, angle in zip(made["body"], bodies.position[:, :2].tolist(), bodies.angle.tolist()):
            body |= {"position": position, "angle": angle}
    return made


def cyclic_case(text, grains, elongation, share, friction, cycles, seed, amplitude=1e-3):
    """Goes on from the packing with an elongation and a part of Δt: a pause and the cycles. All choices of a seed start
    from the same packing, to the last bit, with every spring at zero. The pause brings it to rest."""
    tables = cell(text)
    compress, turning = tables["stage"]
    tables |= packing(tables, grains, seed)
    tables["material"]["friction"] = friction
    tables["contact"]["elongation"] = elongation
    tables["time"]["step"] *= share
    tables["plates"] = {"from_rows": True}  # their particles are in the list
    hold = {name: compress[name] for name in ("normal", "normal_stress", "plate_speed")}
    # A cycle of the measurement goes from one upper turning point to the next.
    return dem.Case(tables | {"stage": [hold | {"name": "pause", "duration": compress["stress_hold_time"]},
                                        turning | {"cycles": cycles + 1, "strain_amplitude": amplitude}]})


def cycled(*choice):
    return run_cycles(cyclic_case(*choice))


def run_cycles(case):
    """Cycle n goes from one upper turning point to the next. Heights in that of the first one, H₀, stresses in the held
    one. `densification`: −(H − H₀)/H₀, and `stress`: the offset of the loop, means over each cycle."""
    stage = case.to_dict()["stage"][-1]
    run, cycles = dem.Run(case, threads=1), stage["cycles"] - 1
    rows = run.record("stage", "step", "cycles", "height", "wall_shear_bottom", "wall_shear_top")
    sampled, coordination = run.record("step", "sliding_fraction", steps=16), []

    @run.every(strain=stage["strain_amplitude"] * (1 - 1e-9))  # turning points, among others
    def turns(now):
        if now.stage == 2 and now.series["cycles"] >= cycles + 0.25 - 1e-9:
            coordination.append(now.series["coordination"])
            now.stop("the last cycle is over")

    run()
    done, height = rows["cycles"] - 0.25, rows["height"]
    done[:np.argmax(rows["stage"] == 2) + 1] = -1  # up to the step that ended the pause
    ends = np.searchsorted(done, np.arange(cycles + 1) - 1e-9)  # rows at the upper turning points
    stress = 0.5 * (rows["wall_shear_bottom"] + rows["wall_shear_top"]) / stage["normal_stress"]
    parts = [slice(a + 1, b + 1) for a, b in zip(ends, ends[1:])]
    last = parts[-1]
    in_last = (sampled["step"] >= rows["step"][last][0]) & (sampled["step"] <= rows["step"][last][-1])
    return {"densification": [1 - float(height[p].mean()) / float(height[ends[0]]) for p in parts],
            "stress": [float(stress[p].mean()) for p in parts],
            "sliding": 16 * float(sampled["sliding_fraction"][in_last].sum()) / (last.stop - last.start),
            "coordination": coordination[0]}
