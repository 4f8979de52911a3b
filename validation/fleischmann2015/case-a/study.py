"""Fig. 2, case A of the reference: 1800 spheres in direct shear with true, pseudo and no displacement history, from the
same packings; how T/(σA) splits into plate load, weight of the grains and drag of the walls."""

import time
from pathlib import Path

import h5py
import numpy as np

import dem
from box import QUICK_PACKING, QUICK_TEST, SPHERES, drawn, of_stages, over_load, over_plane, rise, shear_boxes, spread
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
    d = tests["true"][0].diameter
    parts = ((over_load, "as published", "T/(σA)"), (over_plane, "on the shear plane", "T/N"),
             (rise, "plate", "rise/d"))
    run.figure("Direct shear of 1800 spheres with true, pseudo and no displacement history",
               "Means over 0.1 mm and over the packings, bands from the lowest to the highest of them. Left: shear "
               "force over the prescribed plate load, as published; middle: over the normal force on the shear plane; "
               "right: rise of the plate.",
               [panel(title, "displacement/d", label,
                      [drawn(history, tests[history], value, d) for history in ("true", "pseudo", "none")
                       if tests[history]]) for value, title, label in parts], case=SPHERES.read_text(encoding="utf-8"))
    first = tests["true"][0]
    plate, above, drag = (first.column(name) for name in ("plate", "above", "drag"))
    lines = {"T": first.column("shear"), "N": first.column("plane"), "plate": plate,
             "plate + weight above": plate + above, "plate + weight above + wall drag": plate + above + drag}
    run.figure("What the normal force on the shear plane is made of, true history",
               "In units of the prescribed plate load σA: plate, with the weight of the grains above the plane, with "
               "the drag of the dilating sample on the upper walls. T over the last is the tangent of the angle of "
               "friction, T over the first is not.",
               [panel("packing 1", "displacement/d", "force/(σA)",
                      [curve(label, first.travel / d, force / first.load, "line") for label, force in lines.items()])],
               "normal-force")


def draw_as_printed(run, tests):
    run.figure("Direct shear of 1800 spheres at the speed and the time step of the paper",
               "1 mm/s, Δt 1e-5 s, compacted without friction; one packing. Means over 0.1 mm.",
               [panel("as published", "displacement/d", "T/(σA)",
                      [drawn(history, [test], over_load, test.diameter)
                       for history, test in zip(("true", "none", "pseudo"), tests)])], "as-printed")


def study(run):
    seeds = 1 if run.quick else 3
    given = dem.Case.read(SPHERES).changed(QUICK_PACKING | QUICK_TEST if run.quick else {})
    packings = [given.changed({"assembly.seed": 1 + k}) for k in range(seeds)]
    histories = ("true", "none") if run.quick else ("true", "none", "pseudo")
    tests = [(k, case.changed({"contact.history": h})) for h in histories for k, case in enumerate(packings)]
    if not run.quick:
        literal = packings[0].changed(LITERAL)
        tests += [(seeds, literal.changed({"contact.history": h})) for h in histories]
    made, curves = shear_boxes(run, packings + ([] if run.quick else [literal]), tests)
    as_printed, curves = curves[seeds * len(histories):], curves[:seeds * len(histories)]
    tests = {h: curves[seeds * k:seeds * (k + 1)] for k, h in enumerate(("true", "none", "pseudo"))}
    draw(run, tests)
    values = {"history": history_cost(packings[0], made[0]["folder"], 4 if run.quick else 60)}
    with_history, none = tests["true"], tests["none"]
    peak, none_peak = ([c.peak_ratio for c in group] for group in (with_history, none))
    if run.quick:
        late = with_history[0].ratio(2e-3, 4e-3) / none[0].ratio(2e-3, 4e-3)
        return values | {"peak": peak[0], "none_peak": none_peak[0], "factor": late, "rise": with_history[0].rise,
                         "none_rise": none[0].rise}

    def last(group):
        return [c.mean("rise", 9.5e-3, 10e-3) / c.diameter for c in group]

    def late(group, start=6e-3):
        return [c.ratio(start, 10e-3) for c in group]

    true, none_printed, pseudo = as_printed
    draw_as_printed(run, as_printed)
    return values | {
        "printed": {"peak": true.peak_ratio, "place": 1e3 * true.travel[true.peak], "residual": true.ratio(6e-3, 10e-3),
                    "end": true.ratio(9e-3, 10e-3), "none": none_printed.ratio(0, 10e-3),
                    "apart": abs(pseudo.ratio(6e-3, 10e-3) - none_printed.ratio(6e-3, 10e-3)),
                    "porosity": true.porosity, "angle": true.peak_angle},
        "plane_peak": spread([c.peak_angle for c in with_history], 1),
        "plane_residual": spread([c.angle(6e-3, 10e-3) for c in with_history], 1),
        "plane_none": spread([c.angle(6e-3, 10e-3) for c in none], 1),
        "rise": spread(last(with_history), 2), "none_rise": spread(last(none), 2),
        "peak": spread(peak, 2), "place": spread([1e3 * c.travel[c.peak] for c in with_history], 1),
        "residual": spread(late(with_history), 2), "end": spread(late(with_history, 9e-3), 2),
        "none_mean": spread([c.ratio(0, 10e-3) for c in none], 2), "none_peak": spread(none_peak, 2),
        "apart": spread(np.subtract(late(tests["pseudo"]), late(none)), 3),
        "factor": spread(np.divide(late(with_history), late(none)), 1),
        "porosity": spread([c.porosity for c in with_history], 3)}
