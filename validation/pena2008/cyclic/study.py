"""Packings between plates in cyclic shear. The case is that of slow-shear with fewer grains."""

from dataclasses import dataclass

import numpy as np

import dem
from cyclic_packings import cell, cycled
from driver.seeds import SeedMean
from driver.study import curve, panel

CASE = "../slow-shear/case.toml"
KINDS = {"discs": ("discs", "(G)", "discs", 0.5),
         "discs-without-sliding": ("discs that cannot slide (μ = 500)", "(G)", "discs", 500.0),
         "polygons": ("polygons", "(P)", "polygons", 0.5)}
# Cycles, seeds, and the parts of Δt with either elongation.
FULL = {"discs": (50, 8, (1, 0.5, 0.25), (1, 0.25)), "discs-without-sliding": (40, 8, (1, 0.25), (1, 0.25)),
        "polygons": (40, 5, (1, 0.5), (1, 0.5))}
QUICK = {"discs": (12, 2, (1, 0.5), (1, 0.5)), "discs-without-sliding": (12, 2, (1,), (1,)),
         "polygons": (6, 2, (1,), (1,))}


@dataclass
class Group:
    """Packings of one kind. A variant is an elongation and a part of Δt; its results are those of the seeds."""

    name: str
    words: str
    form: str  # of the geometric elongation
    grains: str
    friction: float
    cycles: int
    seeds: int
    velocity: tuple  # parts of Δt
    geometric: tuple

    def run(self, run):
        self.variants = [(e, share) for e in ("velocity", "geometric") for share in getattr(self, e)]
        points = [(run.case_text(CASE), self.grains, *variant, self.friction, self.cycles, seed)
                  for variant in self.variants for seed in range(1, self.seeds + 1)]
        found = run.map(self.name, cycled, points)
        self.results = {v: found[k * self.seeds:(k + 1) * self.seeds] for k, v in enumerate(self.variants)}

    def label(self, variant):
        elongation, share = variant
        return ("v_t Δt" if elongation == "velocity" else self.form) + f", Δt{'' if share == 1 else f'/{1 / share:g}'}"

    def slopes(self, variant, name="densification"):
        """Least-squares slope of the second half: a cycle's part when the first adjustments are over."""
        y = np.array([r[name][len(r[name]) // 2:] for r in self.results[variant]])
        return np.polyfit(np.arange(y.shape[1]), y.T, 1)[0]

    def less(self, a, b):
        """The difference of the slopes, seed by seed: both start from the same packing."""
        return SeedMean(self.slopes(a) - self.slopes(b))


def millionths(mean):
    half = mean.half_width()
    return f"{1e6 * mean.mean:.2f}e-6 [{1e6 * (mean.mean - half):.2f}e-6, {1e6 * (mean.mean + half):.2f}e-6]"


def ratcheting(g):
    v, geometric, finest = ("velocity", 1), ("geometric", 1), min(g.velocity)
    between, one, mean = g.less(v, geometric), g.results[geometric][0], SeedMean(g.slopes(geometric)).mean
    noise = between.half_width()
    out = {"words": g.words, "seeds": g.seeds, "cycles": g.cycles, "finest": f"{1 / finest:g}",
           "slopes": "; ".join(f"{g.label(k)} {millionths(SeedMean(g.slopes(k)))}" for k in g.variants),
           "between": millionths(between), "coordination": one["coordination"], "sliding": 100 * one["sliding"],
           "residual": abs(mean) / 1e-3,
           "offsets": [millionths(SeedMean(g.slopes(k, "stress"))) for k in (v, geometric)]}
    if finest != 1:
        steps, change = g.less(geometric, ("geometric", finest)), g.less(v, ("velocity", finest))
        noise = max(noise, steps.half_width())
        out["between"] += f"; geometric at Δt less at Δt/{1 / finest:g}: {millionths(steps)}"
        out |= {"steps": millionths(change), "same": abs(change.mean) <= change.half_width()}
    out["seen"] = ("Yes: the difference is larger than the scatter" if abs(between.mean) > noise else
                   "No difference beyond the scatter")
    return out


def densification(g, variant):
    y = np.array([r["densification"] for r in g.results[variant]]).T
    of_cycles = [SeedMean(of) for of in y]
    # The interval of fewer seeds fills the picture.
    half = [m.half_width() if g.seeds >= 5 and n % 10 == 9 else 0.0 for n, m in enumerate(of_cycles)]
    mean = y.mean(axis=1)
    return curve(g.label(variant), range(1, len(y) + 1), mean,
                 "line" if variant[0] == "geometric" else "line-and-points", mean - half, mean + half)


def study(run):
    groups = [Group(name, *KINDS[name], *plan) for name, plan in (QUICK if run.quick else FULL).items()]
    for g in groups:
        g.run(run)
    run.figure("Cyclic shear of packings between plates",
               "Residual vertical strain (compression positive, mean height of each cycle) against the number of the "
               "cycle, mean over the seeds with its 95 % interval at every tenth cycle.",
               [panel(f"Residual vertical strain: {g.words}", "cycle", "−ΔH/H₀",
                      [densification(g, v) for v in g.variants]) for g in groups],
               case=dem.Case(cell(run.case_text(CASE))).to_toml())
    return {g.name.replace("-", "_"): ratcheting(g) for g in groups}
