"""The shear cell as published, with fixed walls and no dilation (Fig. 1a; polygon-dem reference, §8), and what the time
step does to slow shear with both elongations. The case is that of slow-shear."""

import math

import numpy as np

from driver.seeds import SeedMean
from driver.study import panel
from shear_cell import Record, other_cells, over_strain, shear

PLANES = {"gradient": "area-gradient", "mean": "edge-mean"}
SEEDS = 5  # of the fixed height
# Quantities of the cell with fixed walls, with their interval of γ.
MEANS = {"early": (Record.ratio, 0.37, 0.49), "end": (Record.ratio, 0.9, 1.5),
         "stress": (lambda r, rows: r.mean("normal", rows), 0.37, 0.49),
         "stress_end": (lambda r, rows: r.mean("normal", rows), 1.2, 1.5),
         "coordination": (lambda r, rows: r.mean("coordination", rows), 0.5, math.inf),
         "sliding": (lambda r, rows: r.mean("sliding_fraction", rows), 0.5, math.inf),
         "sliding_end": (lambda r, rows: r.mean("sliding_fraction", rows), 1.2, 1.5),
         "inertial": (lambda r, rows: r["inertial"], 0, math.inf)}
USUAL, VELOCITY, SMALL = ("geometric", 0.05), ("velocity", 0.05), ("geometric", 0.01)  # elongation and Δt/t_c
SMALLER = {("velocity", 0.02): 8, ("velocity", 0.01): 8, ("velocity", 0.003): 4, ("velocity", 0.001): 3}  # seeds
QUANTITIES = {"σ_xy/σ_yy": Record.ratio, "coordination": lambda r: r.mean("coordination"),
              "sliding fraction": lambda r: r.mean("sliding_fraction"), "ln E_k": Record.log_energy}


def span(values, digits=2):
    return f"{min(values):.{digits}f} … {max(values):.{digits}f}"


def fixed_height(run):
    """The set-up of the reference's prototype: cells of the solid fraction 0.95, γ̇t_c = 1e-3, height held."""
    text = run.case_text("../slow-shear/case.toml")
    points = [(text, 1e-3, 1.0, plane, seed, 1.5, 0.0, [], "height") for plane in PLANES.values()
              for seed in range(1, SEEDS + 1)]
    found = [Record(f) for f in run.map("fixed", shear, points)]
    runs = dict(zip(PLANES, (found[:SEEDS], found[SEEDS:])))
    out = {}
    for name, of in runs.items():
        out[name] = {key: [value(r, r.rows(low, high)) for r in of] for key, (value, low, high) in MEANS.items()}
        out[name]["late"] = [r.ratio(r.rows(low, low + 0.1)) for r in of for low in np.arange(0.9, 1.45, 0.1)]
        out[name] |= {f"{key}_text": span(values, 4 if key == "inertial" else 2) for key, values in out[name].items()}
    gain = SeedMean([a.log_energy() - b.log_energy() for a, b in zip(runs["mean"], runs["gradient"])])
    out["gain"] = [math.exp(gain.mean + k * gain.half_width()) for k in (0, -1, 1)]
    out["lower"] = SeedMean(np.subtract(out["mean"]["end"], out["gradient"]["end"])).text()
    out["climbs"] = bool(np.mean(out["gradient"]["stress_end"]) > np.mean(out["gradient"]["stress"]))
    looks = (("shear ratio", "σ_xy/σ_yy", "early"), ("normal stress", "σ_yy (N/m)", "stress"),
             ("coordination", "coordination number", "coordination"))
    run.figure("The cell with fixed walls",
               "γ̇t_c = 1e-3, solid fraction 0.95, no dilation; means over 0.05 of strain, three of five seeds.",
               [panel(f"{title}, {plane}", "shear strain γ", label,
                      [over_strain(f"seed {k}", [r], 0.05, MEANS[key][0]) for k, r in enumerate(runs[name][:3], 1)])
                for name, plane in PLANES.items() for title, label, key in looks], name="fixed-height", case=text)
    return out


def changes_text(changes):
    return "; ".join(f"{name} {c.mean:+.3f} [{c.mean - c.half_width():+.3f}, {c.mean + c.half_width():+.3f}]"
                     for name, c in changes.items())


def time_steps(run):
    """64 polygons under the held stress at γ̇t_c = 3e-4 from γ = 0.2 to 0.5, with both elongations. The runs are
    chaotic, so that those of a seed have nothing in common."""
    values = {}
    for which, seeds in ({USUAL: 16, VELOCITY: 16, SMALL: 4} | SMALLER).items():
        records = other_cells(run, f"{which[0]}-{which[1]}", 8, *which, seeds)
        values[which] = {name: [value(r) for r in records] for name, value in QUANTITIES.items()}
    changes = {which: {name: SeedMean.difference(of[name], values[USUAL][name]) for name in QUANTITIES}
               for which, of in values.items()}
    usual, same = changes[VELOCITY], changes[SMALL]
    trends = "; ".join(f"{which[1]:g} ({seeds} seeds): {changes_text(changes[which])}"
                       for which, seeds in SMALLER.items())
    first = SeedMean.difference(*(values[which]["ln E_k"][:8] for which in (VELOCITY, USUAL)))
    seen = [name for name, c in usual.items() if c.significant(len(usual))]
    return {"usual": changes_text(usual), "same": changes_text(same), "trends": trends, "holds": True if seen else None,
            "moved": any(c.significant(len(same)) for c in same.values()),
            "number": changes_text({name: usual[name] for name in ("σ_xy/σ_yy", "ln E_k")}),
            "reference": "; ".join(f"{name} {SeedMean(v).text()}" for name, v in values[USUAL].items()),
            "first": changes_text({"ln E_k": first}),
            "note": ("`velocity` changes " + ", ".join(seen) + " beyond the scatter of the seeds" if seen else
                     "no quantity differs beyond the scatter of the seeds: these runs do not show the need")}


def study(run):
    if run.quick:
        keys = [["assembly.columns", 8], ["assembly.rows", 10]]
        small = shear(run.case_text("../slow-shear/case.toml"), 1e-3, 1.0, "area-gradient", 1, 0.1, keys=keys,
                      held="height", discarded=0.05)
        return {"small": small["residual"]}
    return {"fixed": fixed_height(run), "step": time_steps(run), "seeds": SeedMean}
