"""The slow shear with overlaps in CGAL's exact numbers beside the usual doubles, from the same sheared state."""

import time

import numpy as np

import dem
from shear_cell import shear_case

SHEARED = 0.1  # strain of the common start
EVERY = 10  # steps between comparisons


def start(text, folder):
    """Sheared to SHEARED at the rate of the paper's group; its results are left in the folder."""
    dem.Run(shear_case(text, 1e-4, 1.0, "area-gradient", 1, SHEARED), folder, overwrite=True)()
    return folder


def go_on(text, folder, geometry, steps):
    """Positions, angles and normal forces every EVERY steps, and seconds a step."""
    case = shear_case(text, 1e-4, 1.0, "area-gradient", 1, SHEARED, keys={"contact.geometry": geometry})
    tables = case.to_dict()
    run = dem.Run(dem.Case(tables | {"stage": [tables["stage"][-1]], "start_from": folder}), threads=1)
    first, rows = run.step, []

    @run.every(steps=EVERY)
    def watch(now):
        order = np.lexsort((now.contacts.j, now.contacts.i))
        rows.append([now.bodies.position[:, :2].tolist(), now.bodies.angle.tolist(),
                     now.contacts.normal_force[order].tolist()])

    began = time.process_time()
    run(until_step=first + steps)
    return rows, (time.process_time() - began) / steps


def study(run):
    steps = 20 if run.quick else 400
    text = run.case_text("../slow-shear/case.toml")
    folder, = run.map("start", start, [(text, str(run.results.absolute() / "sheared"))])
    (fast, fast_cost), (exact, exact_cost) = run.map(
        "runs", go_on, [(text, folder, geometry, steps) for geometry in ("fast", "exact")])
    off = []
    for one, other in zip(fast, exact):
        place, angle, force = (abs(np.array(a) - np.array(b)).max() if len(a) == len(b) else np.inf
                               for a, b in zip(one, other))
        off.append((place, angle, force / np.mean(one[2])))
    place, angle, force = np.max(off, axis=0)
    return {"steps": steps, "contacts": len(fast[-1][2]), "place": place, "angle": angle, "force": force,
            "ratio": exact_cost / fast_cost, "cost": 1e3 * exact_cost}
