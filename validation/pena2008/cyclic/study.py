"""Cyclic loading: closed loops of two bodies (polygon-dem reference, §3 and §4), and packings between plates in cyclic
shear."""

import math
from dataclasses import dataclass

import numpy as np

from closed_loops import disc_loop, polygon_loop
from cyclic_packings import cycled
from driver.seeds import SeedMean
from driver.study import curve, panel

OVERLAPS = (1e-4, 1e-3, 1e-2, 3e-2)
FORM_G = {"elongation": "geometric", "lever": "conjugate"}
VELOCITY = {"elongation": "velocity"}


class Spread:
    """Sizes of a quantity over random loops."""

    def __init__(self, loops, value):
        sizes = sorted(abs(value(loop)) for loop in loops)
        self.low, self.median, self.high = sizes[0], sizes[len(sizes) // 2], sizes[-1]

    def __str__(self):
        return f"{100 * self.low:.2g} … {100 * self.high:.2g} %, median {100 * self.median:.2g} %"


def random_loops(count, **choice):
    return [disc_loop(seed=seed, **choice) for seed in range(1, count + 1)]


def left(loop):
    return loop.relative


def work(loop):
    return loop.work / loop.exchanged


def loops_of_discs(run):
    count = 20 if run.quick else 200
    conjugate, proportional, radius = (random_loops(count, lever=lever) for lever in ("conjugate", "proportional",
                                                                                      "radius"))
    velocity = {lever: random_loops(count, lever=lever, **VELOCITY) for lever in ("contact-point", "proportional",
                                                                                  "radius")}
    levers = {lever: Spread(loops, left).median for lever, loops in velocity.items()}
    fine_and_coarse = [[disc_loop(seed=seed, steps=steps, **VELOCITY).left[0] for steps in (100, 10000)]
                       for seed in range(1, 11)]
    rest = [disc_loop(lever="proportional", steps=steps).work for steps in (100, 10000)]
    created = Spread(proportional, work)
    of_radius = Spread(radius, lambda loop: loop.couple)

    def medians(amplitude, overlaps=OVERLAPS, **choice):
        return [Spread(random_loops(20, overlap=o, amplitude=amplitude, **choice), left).median for o in overlaps]

    sizes = {amplitude: medians(amplitude, **VELOCITY) for amplitude in (0.1, 1.0, 5.0)}
    growth = np.array(sizes[5.0]) / np.array(sizes[0.1])
    drawn = panel("Two discs: left after one loop", "mean δ/(a_i + a_j)", "|ξ| left / amplitude of ξ",
                  [*(curve(f"v_t Δt, angles ±{0.05 * a:g} rad", OVERLAPS, y) for a, y in sizes.items()),
                   curve("(G)", OVERLAPS, medians(1.0, **FORM_G), "points")], "xy")
    return {
        "loops": count, "form_g": Spread(conjugate, left).high, "velocity": Spread(velocity["contact-point"], left),
        "levers": ", ".join(f"{lever.replace('-', ' ')} {100 * m:.2g} %" for lever, m in levers.items()),
        "least_lever": min(levers.values()), "steps": max(abs(coarse / fine - 1) for coarse, fine in fine_and_coarse),
        "conjugate": Spread(conjugate, work).high, "created": created,
        "rest": abs(rest[0] / rest[1] - 1), "kept": Spread(proportional, lambda loop: loop.couple).high,
        "broken": of_radius, "constant": max(growth.max() - 1, 1 - growth.min()),
        "power": math.log(sizes[1.0][2] / sizes[1.0][0]) / math.log(100), "share": sizes[1.0][2] / 0.01}, drawn


def loops_of_polygons():
    by_p, by_v = (polygon_loop(elongation, 6400) for elongation in ("geometric", "velocity"))
    sizes = (0.03, 0.1, 0.3, 1.0)
    looks = {"geometric": "line-and-points", "velocity": "points"}
    drawn = [panel("Two polygons: left after one loop", "amplitude of the motion (1: reference §6)",
                   "|ξ| left / amplitude of ξ",
                   [curve(label, sizes, [abs(polygon_loop(e, amplitude=a).relative) for a in sizes], looks[e])
                    for label, e in (("(P)", "geometric"), ("v_t Δt", "velocity"))], "xy")]
    again = {"discs, (G)": (disc_loop, "geometric"), "discs, v_t Δt": (disc_loop, "velocity"),
             "polygons, (P)": (polygon_loop, "geometric"), "polygons, v_t Δt": (polygon_loop, "velocity")}
    again = {label: (of(e, loops=20).left, looks[e]) for label, (of, e) in again.items()}
    drawn.append(panel("The same loop again and again", "loop", "ξ left (m)",
                       [curve(label, range(1, 21), y, look) for label, (y, look) in again.items()]))
    return {"p": by_p.left[0], "v": by_v.left[0], "percent": 100 * by_p.relative,
            "uneven": max(abs(y[-1] / (20 * y[0]) - 1) for label, (y, _) in again.items()
                          if label != "discs, (G)")}, drawn


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
    discs, first = loops_of_discs(run)
    polygons, others = loops_of_polygons()
    run.figure("Closed loops of two bodies",
               "What is left in the spring when both bodies are back where they were, as a share of the largest "
               "elongation on the way. Discs: median of 20 random loops.", [first, *others], name="loops")
    groups = groups_of(run.quick)
    for g in groups:
        g.run(run)
    run.figure("Cyclic shear of packings between plates",
               "Residual vertical strain (compression positive, mean height of each cycle) against the number of the "
               "cycle, mean over the seeds with its 95 % interval at every tenth cycle; change from cycle to cycle, "
               "root mean square over the seeds; loops of shear stress over strain from one upper turning point to the "
               "next, seed 1.", [p for g in groups for p in drawn(g)], name="shear", case=run.case_text())
    return {"discs": discs, "polygons": polygons,
            "strain_error": max(r["strain_error"] for g in groups for of in g.results.values() for r in of)} | {
        g.name.replace("-", "_") + "_cycles": ratcheting(g) for g in groups}
