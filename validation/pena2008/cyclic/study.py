"""Packings between plates in cyclic shear."""

from dataclasses import dataclass

import numpy as np

from cyclic_packings import cycled
from driver.seeds import SeedMean
from driver.study import curve, panel


@dataclass
class Group:
    """Packings of one kind: results[elongation, part of Δt] has one for each seed."""

    name: str
    words: str
    form: str  # of the geometric elongation
    grains: str
    friction: float
    cycles: int
    seeds: int
    variants: list
    results: dict = None

    def label(self, variant):
        elongation, share = variant
        return ("v_t Δt" if elongation == "velocity" else self.form) + f", Δt{'' if share == 1 else f'/{1 / share:g}'}"

    def run(self, run):
        points = [(run.case_text(), self.grains, elongation, share, self.friction, self.cycles, seed)
                  for elongation, share in self.variants for seed in range(1, self.seeds + 1)]
        found = run.map(self.name, cycled, points)
        self.results = {v: found[k * self.seeds:(k + 1) * self.seeds] for k, v in enumerate(self.variants)}

    def slopes(self, variant, name="densification"):
        """Least-squares slope of the second half: a cycle's part when the first adjustments are over."""
        out = []
        for r in self.results[variant]:
            y = np.array(r[name][len(r[name]) // 2:])
            x = np.arange(len(y)) - 0.5 * (len(y) - 1)
            out.append(float(x @ y / (x @ x)))
        return out

    def difference(self, a, b):
        """Of the slopes, seed by seed: both start from the same packing."""
        return SeedMean(np.subtract(self.slopes(a), self.slopes(b)))


def groups_of(quick):
    def variants(velocity, geometric):
        return [("velocity", share) for share in velocity] + [("geometric", share) for share in geometric]

    if quick:
        return [Group("discs", "discs", "(G)", "discs", 0.5, 12, 2, variants((1, 0.5), (1, 0.5))),
                Group("discs-without-sliding", "discs that cannot slide (μ = 500)", "(G)", "discs", 500.0, 12, 2,
                      variants((1,), (1,))),
                Group("polygons", "polygons", "(P)", "polygons", 0.5, 6, 2, variants((1,), (1,)))]
    return [Group("discs", "discs", "(G)", "discs", 0.5, 50, 8, variants((1, 0.5, 0.25), (1, 0.25))),
            Group("discs-without-sliding", "discs that cannot slide (μ = 500)", "(G)", "discs", 500.0, 40, 8,
                  variants((1, 0.25), (1, 0.25))),
            Group("polygons", "polygons", "(P)", "polygons", 0.5, 40, 5, variants((1, 0.5), (1, 0.5)))]


def millionths(mean):
    half = mean.half_width()
    return f"{1e6 * mean.mean:.2f}e-6 [{1e6 * (mean.mean - half):.2f}e-6, {1e6 * (mean.mean + half):.2f}e-6]"


def ratcheting(g):
    v, geometric, finest = ("velocity", 1), ("geometric", 1), min(share for _, share in g.variants)
    between, one = g.difference(v, geometric), g.results[geometric][0]
    noise, text = between.half_width(), ""
    out = {"words": g.words, "seeds": g.seeds, "cycles": g.cycles, "finest": f"{1 / finest:g}",
           "slopes": "; ".join(f"{g.label(k)} {millionths(SeedMean(g.slopes(k)))}" for k in g.variants)}
    if finest != 1:
        steps, change = g.difference(geometric, ("geometric", finest)), g.difference(v, ("velocity", finest))
        noise = max(noise, steps.half_width())
        text = f"; geometric at Δt less at Δt/{1 / finest:g}: {millionths(steps)}"
        same = abs(change.mean) <= change.half_width()
        out |= {"steps": millionths(change), "same": same,
                "why": "What ratcheting there is does not come from Δt." if same else
                       "The residual strain changes with Δt although all is slow."}
    seen = ("Yes: the difference is larger than the scatter." if abs(between.mean) > noise else
            "No difference beyond the scatter.")
    offsets = [millionths(SeedMean(g.slopes(k, "stress"))) for k in (v, geometric)]
    return out | {
        "between": millionths(between) + text,
        "note": f"{seen} With `geometric` (seed 1): coordination {one['coordination']:.2f}, "
                f"{100 * one['sliding']:.0f} % of the contacts slide; residual "
                f"{abs(SeedMean(g.slopes(geometric)).mean) / 1e-3:.1e} of the strain amplitude a cycle; the "
                f"shear-stress offset of the loop changes by {offsets[0]} of the normal stress a cycle with "
                f"`velocity`, {offsets[1]} with `geometric`."}


def drawn(g):
    def densification(variant):
        of_cycles = [SeedMean(y) for y in zip(*(r["densification"] for r in g.results[variant]))]
        # The interval of fewer seeds fills the picture.
        half = [m.half_width() if g.seeds >= 5 and n % 10 == 9 else 0.0 for n, m in enumerate(of_cycles)]
        y = np.array([m.mean for m in of_cycles])
        return curve(g.label(variant), range(1, len(y) + 1), y, "line" if variant[0] == "geometric" else
                     "line-and-points", y - half, y + half)

    def change(variant):
        steps = np.diff([r["densification"] for r in g.results[variant]], axis=1)
        return curve(g.label(variant), range(2, steps.shape[1] + 2), np.sqrt((steps**2).mean(axis=0)))

    two = [("velocity", 1), ("geometric", 1)]
    loops = [curve(f"{'v_t Δt' if v[0] == 'velocity' else 'geometric'}, {which} cycle", *g.results[v][0][which],
                   "points" if v[0] == "velocity" else "line") for v in two for which in ("first", "last")]
    return [panel(f"Residual vertical strain: {g.words}", "cycle", "−ΔH/H₀", [densification(v) for v in g.variants]),
            panel(f"Change from cycle to cycle: {g.words}", "cycle", "|change of −ΔH/H₀|", [change(v) for v in two],
                  "xy"),
            panel(f"Loops: {g.words}", "shear strain γ", "shear stress / normal stress", loops)]


def study(run):
    groups = groups_of(run.quick)
    for g in groups:
        g.run(run)
    run.figure("Cyclic shear of packings between plates",
               "Residual vertical strain (compression positive, mean height of each cycle) against the number of the "
               "cycle, mean over the seeds with its 95 % interval at every tenth cycle; change from cycle to cycle, "
               "root mean square over the seeds; loops of shear stress over strain from one upper turning point to the "
               "next, seed 1.", [p for g in groups for p in drawn(g)], case=run.case_text())
    return {"strain_error": max(r["strain_error"] for g in groups for of in g.results.values() for r in of)} | {
        g.name.replace("-", "_") + "_cycles": ratcheting(g) for g in groups}
