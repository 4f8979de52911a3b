"""The shear cell as published, with fixed walls and no dilation (Fig. 1a; polygon-dem reference, §8), and what the time
step does to slow shear with both elongations. The case is that of slow-shear."""

import math

import numpy as np

from driver.seeds import SeedMean
from driver.study import curve, panel
from shear_cell import CONTACT_TIME, Record, shear

PLANES = ("area-gradient", "edge-mean")
SEEDS = 5  # of the fixed height
BEGIN, END = 0.2, 0.5  # γ of the runs with other time steps
STEPS = {("velocity", 0.05): 16, ("geometric", 0.05): 16, ("velocity", 0.02): 8, ("velocity", 0.01): 8,
         ("geometric", 0.01): 4, ("velocity", 0.003): 4, ("velocity", 0.001): 3}  # seeds by elongation and Δt/t_c
QUANTITIES = {"σ_xy/σ_yy": lambda r, rows: r.ratio(rows), "coordination": lambda r, rows: r.mean("coordination", rows),
              "sliding fraction": lambda r, rows: r.mean("sliding_fraction", rows),
              "ln E_k": lambda r, rows: math.log(r.mean("kinetic", rows))}


def between(r, low, high):
    """Rows of a run with γ from low to high."""
    return slice(*np.searchsorted(r["strain"], (low, high)))


def span(values, digits=2):
    return f"{min(values):.{digits}f} … {max(values):.{digits}f}"


def over_strain(word, r, value, width=0.05):
    x = np.arange(width / 2, r["strain"][-1], width)
    return curve(word, x, [value(r, between(r, g - width / 2, g + width / 2)) for g in x], "line")


def text_of_case(run):
    return (run.folder.parent / "slow-shear" / "case.toml").read_text(encoding="utf-8")


def fixed_height(run):
    """The set-up of the reference's prototype: cells of the solid fraction 0.95, γ̇t_c = 1e-3, height held."""
    text = text_of_case(run)
    points = [(text, 1e-3, 1.0, plane, seed, 1.5, 0.0, [], "height") for plane in PLANES
              for seed in range(1, SEEDS + 1)]
    found = [Record(f) for f in run.map("fixed", shear, points)]
    runs = dict(zip(PLANES, (found[:SEEDS], found[SEEDS:])))
    out = {}
    for plane, name in zip(PLANES, ("gradient", "mean")):
        of = runs[plane]
        windows = [[r.ratio(between(r, low, low + 0.1)) for low in np.arange(0.9, 1.45, 0.1)] for r in of]
        out[name] = {"early": [r.ratio(between(r, 0.37, 0.49)) for r in of], "late": [v for w in windows for v in w],
                     "end": [r.ratio(between(r, 0.9, 1.5)) for r in of],
                     "coordination": [r.mean("coordination") for r in of],
                     "sliding": [r.mean("sliding_fraction") for r in of],
                     "sliding_end": [r.mean("sliding_fraction", between(r, 1.2, 1.5)) for r in of],
                     "energy": [r.mean("kinetic") for r in of], "inertial": [r["inertial"] for r in of],
                     "stress": [r.mean("normal", between(r, 0.37, 0.49)) for r in of],
                     "stress_end": [r.mean("normal", between(r, 1.2, 1.5)) for r in of]}
        out[name] |= {f"{key}_text": span(values, 4 if key == "inertial" else 2) for key, values in out[name].items()}
    gain = SeedMean(np.log(out["mean"]["energy"]) - np.log(out["gradient"]["energy"]))
    out["gain"] = [math.exp(gain.mean + k * gain.half_width()) for k in (0, -1, 1)]
    lower = SeedMean(np.subtract(out["mean"]["end"], out["gradient"]["end"]))
    out["lower"] = {"text": lower.text(), "holds": lower.mean < -lower.half_width()}
    out["climbs"] = bool(np.mean(out["gradient"]["stress_end"]) > np.mean(out["gradient"]["stress"]))
    out["residual"] = max(r["residual"] for r in found)
    looks = (("shear ratio", "σ_xy/σ_yy", lambda r, rows: r.ratio(rows)),
             ("normal stress", "σ_yy (N/m)", lambda r, rows: r.mean("normal", rows)),
             ("coordination", "coordination number", lambda r, rows: r.mean("coordination", rows)))
    run.figure("The cell with fixed walls",
               "γ̇t_c = 1e-3, solid fraction 0.95, no dilation; means over 0.05 of strain, three of five seeds.",
               [panel(f"{title}, {plane}", "shear strain γ", label,
                      [over_strain(f"seed {k}", r, value) for k, r in enumerate(runs[plane][:3], 1)])
                for plane in PLANES for title, label, value in looks], name="fixed-height", case=text)
    return out


def time_steps(run):
    """64 polygons under the held stress at γ̇t_c = 3e-4 from γ = 0.2 to 0.5, with both elongations."""
    text, results = text_of_case(run), {}
    for (elongation, step), seeds in STEPS.items():
        keys = [["contact.elongation", elongation], ["time.step", step * CONTACT_TIME], ["assembly.columns", 8],
                ["assembly.rows", 10], ["stage.compress.plate_speed", 0.05],
                ["stage.preshear.shear_rate", 1e-3 / CONTACT_TIME]]
        points = [(text, 3e-4, 1.0, "area-gradient", seed, END, BEGIN, keys, "stress", BEGIN)
                  for seed in range(1, seeds + 1)]
        results[elongation, step] = [Record(f) for f in run.map(f"{elongation}-{step}", shear, points)]
    values = {key: {name: [value(r, between(r, BEGIN, 9)) for r in of] for name, value in QUANTITIES.items()}
              for key, of in results.items()}
    reference = values["geometric", 0.05]

    def change(key, name):
        """From `geometric` at Δt/t_c = 0.05. The runs are chaotic, so that those of a seed have nothing in common."""
        return SeedMean.difference(values[key][name], reference[name])

    usual = {name: change(("velocity", 0.05), name) for name in QUANTITIES}
    same = {name: change(("geometric", 0.01), name) for name in QUANTITIES}

    def text_of(changes):
        return "; ".join(f"{name} {c.mean:+.3f} [{c.mean - c.half_width():+.3f}, {c.mean + c.half_width():+.3f}]"
                         for name, c in changes.items())

    seen = [name for name, c in usual.items() if c.significant(len(usual))]
    trends = "; ".join(f"{step:g} ({STEPS['velocity', step]} seeds): " + text_of(
        {name: change(("velocity", step), name) for name in QUANTITIES}) for step in (0.02, 0.01, 0.003, 0.001))

    def over_steps(elongation, name):
        means = {step: SeedMean(values[elongation, step][name]) for e, step in sorted(STEPS) if e == elongation}
        y, half = [m.mean for m in means.values()], [m.half_width() for m in means.values()]
        return curve(elongation, means, y, low=np.subtract(y, half), high=np.add(y, half))

    run.figure("Slow shear and the time step",
               "64 polygons, held stress, γ̇t_c = 3e-4; mean over the seeds with its 95 % interval.",
               [panel(name, "Δt/t_c", name, [over_steps(e, name) for e in ("velocity", "geometric")], "x")
                for name in QUANTITIES], name="time-step", case=text)
    half = {key: {name: v[:8] for name, v in values[key].items()} for key in (("velocity", 0.05), ("geometric", 0.05))}
    first = SeedMean.difference(*(of["ln E_k"] for of in half.values()))
    return {"usual": text_of(usual), "same": text_of(same), "trends": trends, "holds": True if seen else None,
            "moved": any(c.significant(len(same)) for c in same.values()),
            "number": text_of({"σ_xy/σ_yy": usual["σ_xy/σ_yy"], "ln E_k": usual["ln E_k"]}),
            "reference": "; ".join(f"{n} {SeedMean(v).text()}" for n, v in reference.items()),
            "first": text_of({"ln E_k": first}),
            "note": ("`velocity` changes " + ", ".join(seen) + " beyond the scatter of the seeds" if seen else
                     "no quantity differs beyond the scatter of the seeds: these runs do not show the need")}


def study(run):
    if run.quick:
        keys = [["assembly.columns", 8], ["assembly.rows", 10]]
        small = shear(text_of_case(run), 1e-3, 1.0, "area-gradient", 1, 0.1, keys=keys, held="height", discarded=0.05)
        return {"small": small["residual"]}
    return {"fixed": fixed_height(run), "step": time_steps(run), "seeds": SeedMean}
