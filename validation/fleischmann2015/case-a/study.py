"""Fig. 2, case A of the reference: 1800 spheres in direct shear with true, pseudo and no displacement history, from the
same packings; how T/(σA) splits into plate load, weight of the grains and drag of the walls."""

import time
from pathlib import Path

import h5py
import numpy as np

import dem
from box import QUICK_PACKING, QUICK_TEST, SPHERES, drawn, of_stages, shear_boxes, spread
from driver.study import curve, panel

STEPS = 100  # of a timed round, in which the packing hardly changes
# As in the paper: "1 mm/s", "1e-5 s", "friction off" while the plate compacts.
LITERAL = {"time.step": 1e-5, "stage.compact.friction": 0.0, "stage.shear.shear_velocity": 1e-3}
WITHOUT_HISTORY = 7  # numbers of a contact in a checkpoint: normal, direction that turns with it, overlap


def history_cost(case, folder, rounds):
    """Bytes of a contact in the checkpoint of a packing, and of them those of the spring and of its direction.
    Nanoseconds a sphere and step with each history, by the fastest quarter of the rounds."""
    times = {"true": [], "pseudo": [], "none": []}
    run = dem.Run(of_stages(case, ("rest", "shear"), start_from=folder))
    run(until_step=run.step + 1)
    with run.look() as now:
        contacts, spheres = len(now.contacts), int((now.bodies["radius"] > 0).sum())
    for _ in range(rounds):
        for history, taken in times.items():
            run = dem.Run(of_stages(case.changed({"contact.history": history}), ("rest", "shear"), start_from=folder))
            first = run.step
            run(until_step=first + 20)
            start = time.perf_counter()
            run(until_step=first + 20 + STEPS)
            taken.append(time.perf_counter() - start)
    cost = {h: 1e9 * np.mean(sorted(t)[:max(1, rounds // 4)]) / (STEPS * spheres) for h, t in times.items()}
    with h5py.File(Path(folder) / "checkpoint.h5") as file:
        (values,) = file["state/contacts/values/hertz-history"].values()
        numbers = 2 * len(values) // len(file["state/contacts/pairs"])
    spring = 8 * (numbers - WITHOUT_HISTORY)
    return cost | {"all": 8 * numbers, "spring": spring, "direction": 24, "contacts": contacts, "spheres": spheres,
                   "bytes": spring + 24, "memory": 1e-3 * (spring + 24) * contacts,
                   "share": 100 * (1 - cost["none"] / cost["true"])}


def draw(run, tests):
    first = tests["true"][0]
    d = first.diameter
    run.figure("Direct shear of 1800 spheres with true, pseudo and no displacement history",
               "Means over 0.1 mm and over the packings, bands from the lowest to the highest of them. Left: shear "
               "force over the prescribed plate load, as published; middle: over the normal force on the shear plane; "
               "right: rise of the plate.",
               [panel(title, "displacement/d", label,
                      [drawn(history, of_history, name, d) for history, of_history in tests.items()])
                for name, title, label in (("over_load", "as published", "T/(σA)"),
                                           ("over_plane", "on the shear plane", "T/N"), ("lift", "plate", "rise/d"))],
               case=SPHERES.read_text(encoding="utf-8"))
    plate, above, drag = (first.rows[name] for name in ("plate", "above", "drag"))
    lines = {"T": first.rows["shear"], "N": first.rows["plane"], "plate": plate,
             "plate + weight above": plate + above, "plate + weight above + wall drag": plate + above + drag}
    run.figure("What the normal force on the shear plane is made of, true history",
               "In units of the prescribed plate load σA: plate, with the weight of the grains above the plane, with "
               "the drag of the dilating sample on the upper walls. T over the last is the tangent of the angle of "
               "friction, T over the first is not.",
               [panel("packing 1", "displacement/d", "force/(σA)",
                      [curve(label, first.travel / d, force / first.load, "line") for label, force in lines.items()])],
               "normal-force")


def as_printed(run, true, pseudo, none):
    run.figure("Direct shear of 1800 spheres at the speed and the time step of the paper",
               "1 mm/s, Δt 1e-5 s, compacted without friction; one packing. Means over 0.1 mm.",
               [panel("as published", "displacement/d", "T/(σA)",
                      [drawn(history, [test], "over_load", test.diameter)
                       for history, test in (("true", true), ("none", none), ("pseudo", pseudo))])], "as-printed")
    return {"peak": true.peak_ratio, "place": 1e3 * true.travel[true.peak], "residual": true.ratio(6e-3, 10e-3),
            "end": true.ratio(9e-3, 10e-3), "none": none.ratio(0, 10e-3),
            "apart": abs(pseudo.ratio(6e-3, 10e-3) - none.ratio(6e-3, 10e-3)),
            "porosity": true.porosity, "angle": true.peak_angle}


def study(run):
    seeds = 1 if run.quick else 3
    given = dem.Case.read(SPHERES).changed(QUICK_PACKING | QUICK_TEST if run.quick else {})
    packings = [given.changed({"assembly.seed": 1 + k}) for k in range(seeds)]
    packings += [] if run.quick else [packings[0].changed(LITERAL)]
    histories = ("true", "none") if run.quick else ("true", "pseudo", "none")
    folders, curves = shear_boxes(run, packings, [(k, case.changed({"contact.history": h})) for h in histories
                                                  for k, case in enumerate(packings)])
    tests = {h: curves[k * len(packings):(k + 1) * len(packings)] for k, h in enumerate(histories)}
    printed = {} if run.quick else {h: of_packings.pop() for h, of_packings in tests.items()}
    draw(run, tests)
    values = {"history": history_cost(packings[0], folders[0], 4 if run.quick else 60)}
    true, none = tests["true"], tests["none"]
    if run.quick:
        return values | {"peak": true[0].peak_ratio, "none_peak": none[0].peak_ratio, "rise": true[0].lift[-1],
                         "none_rise": none[0].lift[-1],
                         "factor": true[0].ratio(2e-3, 4e-3) / none[0].ratio(2e-3, 4e-3)}
    late, without, pseudo = ([c.ratio(6e-3, 10e-3) for c in of_history]
                             for of_history in (true, none, tests["pseudo"]))
    found = {
        "plane_peak": ([c.peak_angle for c in true], 1), "plane_residual": ([c.angle(6e-3, 10e-3) for c in true], 1),
        "plane_none": ([c.angle(6e-3, 10e-3) for c in none], 1), "porosity": ([c.porosity for c in true], 3),
        "rise": ([c.mean("rise", 9.5e-3, 10e-3) / c.diameter for c in true], 2),
        "none_rise": ([c.mean("rise", 9.5e-3, 10e-3) / c.diameter for c in none], 2),
        "place": ([1e3 * c.travel[c.peak] for c in true], 1), "peak": ([c.peak_ratio for c in true], 2),
        "residual": (late, 2), "none_mean": ([c.ratio(0, 10e-3) for c in none], 2),
        "apart": (np.subtract(pseudo, without), 3), "factor": (np.divide(late, without), 1)}
    return values | {name: spread(of_packings, digits) for name, (of_packings, digits) in found.items()} | {
        "printed": as_printed(run, **printed)}
