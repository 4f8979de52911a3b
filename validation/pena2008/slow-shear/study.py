"""Slow shear of 256 polygons under a held normal stress (polygon-dem reference, §8): seeds, two shapes, two rates, two
definitions of the contact plane; avalanches."""

from dataclasses import dataclass

import numpy as np

from avalanches import KINDS, Fitted, draw_avalanches, interval, two_samples
from driver.seeds import SeedMean
from driver.study import curve, panel
from shear_cell import DISCARDED, LAYERS, Record, over_strain, shear

SHAPES = {1.0: "isotropic", 2.0: "elongated"}  # elongation of the cells
# Quantities compared between the rates, with the digits of their texts.
OF_RATE = {"σ_xy/σ_yy": (Record.ratio, 3), "coordination": (lambda r: r.mean("coordination"), 3),
           "sliding fraction": (lambda r: r.mean("sliding_fraction"), 3), "ln E_k": (Record.log_energy, 2)}


@dataclass(frozen=True)
class Group:
    """Runs of one choice of rate, shape and contact plane: one a seed."""

    rate: float
    elongation: float
    plane: str
    runs: list

    @property
    def word(self):
        return f"{SHAPES[self.elongation]} at {self.rate:.0e}" + (", edge-mean" if self.plane == "edge-mean" else "")

    def over_seeds(self, value):
        return SeedMean([value(r) for r in self.runs])


def groups_of(run):
    """Strains: what five seeds of both shapes need in an hour on two cores. The slow rate has 0.05 of strain, 21 t_R,
    to take effect before anything counts. The published plane is compared for isotropic cells."""
    text, out = run.case_text(), []
    sets = {"fast": [(1e-3, shape, "area-gradient", 1.0, 0.0) for shape in SHAPES]} if run.quick else {
        "fast": [(1e-4, shape, "area-gradient", 1.5, 0.0) for shape in SHAPES],
        "edge-mean": [(1e-4, 1.0, "edge-mean", 1.5, 0.0)],
        "slow": [(1e-5, shape, "area-gradient", 0.8, 0.45) for shape in SHAPES]}
    seeds = range(1, 2 if run.quick else 6)
    for name, choices in sets.items():
        points = [(text, *choice[:3], seed, *choice[3:]) for choice in choices for seed in seeds]
        found = [Record(f) for f in run.map(name, shear, points)]
        out += [Group(*choice[:3], found[k * len(seeds):(k + 1) * len(seeds)]) for k, choice in enumerate(choices)]
    return out


def listed(groups, value):
    return "; ".join(f"{g.word}: {g.over_seeds(value).text()}" for g in groups)


def of_all_groups(groups):
    shares = [g.over_seeds(Record.localisation) for g in groups]
    above, below = (all(s.mean * sign - s.half_width() > 0.5 * sign for s in shares) for sign in (1, -1))
    return {"drift": listed(groups, Record.drift), "localised": listed(groups, Record.localisation),
            "still": not any(g.over_seeds(Record.drift).significant(len(groups)) for g in groups),
            "above_half": True if above else False if below else None}


def rates(fast, slow):
    """Compares groups of both shapes at two rates, seed by seed."""
    texts, seen = [], False
    for a, b in zip(fast, slow):
        changes = {name: (SeedMean([value(x) - value(y) for x, y in zip(a.runs, b.runs)]), digits)
                   for name, (value, digits) in OF_RATE.items()}
        seen = seen or any(c.significant(len(OF_RATE) * len(SHAPES)) for c, _ in changes.values())
        texts.append("; ".join([f"{SHAPES[a.elongation]}, 1e-4 minus 1e-5",
                                *(f"{name} {c.text(digits)}" for name, (c, digits) in changes.items())]))
    return {"text": ". ".join(texts), "seen": seen}


def avalanches(fits):
    """Texts on one kind of them. The last two groups have the slowest rate, where the shapes are compared."""
    a, b = fits[-2:]
    shapes = "too few events for an exponent of both shapes"
    if a.bulk and b.bulk:
        distance, chance = two_samples(a.sizes, b.sizes)
        shapes = (f"isotropic α = {interval(a.bulk)}, elongated α = {interval(b.bulk)} at {a.group.rate:.0e}; "
                  f"Kolmogorov-Smirnov distance of the two distributions of sizes {distance:.3f} (chance {chance:.2g})")
    return {"text": f"{KINDS[a.kind]}: " + "; ".join(f.text() for f in fits), "shapes": shapes}


def draw_cell(run, groups):
    panels = []
    for g in groups:
        each = [over_strain(f"seed {k}", [r], 0.02, Record.ratio) for k, r in enumerate(g.runs, 1)]
        mean = over_strain("mean", g.runs, 0.02, Record.ratio)
        x, y = (np.array(mean[key])[np.array(mean["x"]) >= DISCARDED] for key in "xy")
        running = curve("running mean from 0.5", x, np.cumsum(y) / np.arange(1, len(y) + 1), "prediction")
        panels.append(panel(g.word, "shear strain γ", "σ_xy/σ_yy", each + [mean] * (len(each) > 1) + [running]))
    run.figure("Shear ratio against strain",
               "Means over strain intervals of 0.02, thin: seeds, last: mean over the seeds. Dashed: running mean over "
               "the seeds from γ = 0.5 on; before it nothing counts. Runs at 1e-5 are sheared at 1e-4 up to γ = 0.45.",
               panels, name="ratio", case=run.case_text())
    height = (np.arange(LAYERS) + 0.5) / LAYERS

    def profile(title, label, name, ends):
        curves = []
        for g in groups:
            values = np.array([r[name] for r in g.runs])
            seen = np.isfinite(values).any(axis=0)
            curves.append(curve(g.word, np.nanmean(values[:, seen], axis=0), height[seen]))
        return panel(title, label, "height above the bottom plate y/H",
                     [*curves, curve("homogeneous", ends, [0, 1], "prediction")])

    run.figure("Profiles",
               "Displacement along x and rotation from γ = 0.5 to the end over the strain gained, mean over the seeds, "
               "in 16 layers. Dashed: homogeneous shear.",
               [profile("displacement", "u_x/(Δγ H)", "shift", [-0.5, 0.5]),
                profile("rotation", "mean rotation/Δγ", "turn", [-0.5, -0.5])], name="profiles", case=run.case_text())
    run.figure("The packings at the end of the shear",
               "Free polygons and the two plates; bodies that leave on one side return on the other.",
               [panel(f"{g.word}, γ = {g.runs[0]['strain'][-1]:.2g}, seed 1", "x (m)", "y (m)", [],
                      polygons=g.runs[0]["picture"]) for g in groups[-2:]], name="packings", case=run.case_text())


def study(run):
    groups = groups_of(run)
    draw_cell(run, groups)
    fits = {kind: [Fitted(g, kind) for g in groups if g.plane == "area-gradient"] for kind in KINDS}
    draw_avalanches(run, fits)
    found = {kind: avalanches(of) for kind, of in fits.items()}
    if run.quick:
        return found
    return found | {"groups": of_all_groups(groups), "rates": rates(groups[:2], groups[-2:])}
