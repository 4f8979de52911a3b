"""Slow shear of 256 polygons under a held normal stress (polygon-dem reference, §8): seeds, two shapes, two rates, two
definitions of the contact plane; avalanches."""

import math
from dataclasses import dataclass

import numpy as np

from avalanches import KINDS, Fitted, apart, draw_avalanches, interval, two_samples
from driver.seeds import SeedMean
from driver.study import curve, panel
from shear_cell import DISCARDED, LAYERS, Record, shear

SHAPES = {1.0: "isotropic", 2.0: "elongated"}  # elongation of the cells


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


def found_group(groups, rate, elongation, plane):
    return next((g for g in groups if (g.rate, g.elongation, g.plane) == (rate, elongation, plane)), None)


def listed(groups, value, digits=3):
    return "; ".join(f"{g.word}: {g.over_seeds(value).text(digits)}" for g in groups)


def judged(text, holds, **notes):
    """A claim: what was measured, whether it agrees, and the note of this answer."""
    return {"text": text, "holds": holds, "note": notes[{True: "yes", False: "no", None: "open"}[holds]]}


def set_up(groups):
    several = all(len(g.runs) > 1 for g in groups)
    still = not any(g.over_seeds(Record.drift).significant(len(groups)) for g in groups)
    agree = all(abs(g.over_seeds(Record.wall_difference).mean) < 0.005 for g in groups)
    shares = [g.over_seeds(Record.localisation) for g in groups]
    all_above = all(s.mean - s.half_width() > 0.5 for s in shares)
    all_below = all(s.mean + s.half_width() < 0.5 for s in shares)
    return {
        "stationary": judged(
            listed(groups, Record.drift), still if several else None,
            open="one seed has no error: a drift cannot be told from a fluctuation",
            yes="no drift beyond the scatter of the seeds: the window is stationary",
            no="a group still drifts: its means belong to this window and not to a stationary state"),
        "walls": judged(
            listed(groups, Record.wall_difference, 5), agree if several else None,
            open="one seed over a short strain: the difference is the change of momentum of the grains over a short "
                 "time",
            yes="what differs is the momentum that grains gain and lose, which has no mean",
            no="the walls differ by more than a digit of the ratio"),
        "localised": judged(
            listed(groups, Record.localisation), all_above if several and (all_above or all_below) else None,
            open="not in every group: whether it localises depends on shape, rate or contact plane" if several else
                 "one seed: the profiles show where the shear is, not whether it is always there",
            yes="the shear is localised, in every choice of shape, rate and contact plane",
            no="less than half of the shear is in a quarter of the height")}


def log_energy(r):
    return math.log(r.mean("kinetic"))


def difference(a, b, value):
    """Seed by seed."""
    return SeedMean([value(x) - value(y) for x, y in zip(a.runs, b.runs)])


def planes(groups):
    gradient, mean = (found_group(groups, 1e-4, 1.0, plane) for plane in ("area-gradient", "edge-mean"))
    if not mean:
        missing = judged("not measured by the quick set", None, open="the quick set has one definition only")
        return {"edge_ratio": missing, "edge_energy": missing}
    change, gain = difference(mean, gradient, Record.ratio), difference(mean, gradient, log_energy)
    half, two = gain.half_width(), math.log(2)
    jumps = [g.over_seeds(lambda r: r["jumps"]).text() for g in (mean, gradient)]
    note = f"jumps of the contact plane in a million contact steps: edge-mean {jumps[0]}, area-gradient {jumps[1]}"
    return {
        "edge_ratio": judged(
            f"edge-mean {mean.over_seeds(Record.ratio).text()}, area-gradient "
            f"{gradient.over_seeds(Record.ratio).text()}; difference seed by seed {change.text()}",
            change.mean < -change.half_width(),
            yes="edge-mean lowers the shear ratio also under a held stress, beyond the scatter of the seeds",
            no="the published comparison has one seed and another loading; five seeds under a held stress show no "
               "lower ratio"),
        "edge_energy": judged(
            f"mean E_k {math.exp(gain.mean):.2f} times that of area-gradient ({math.exp(gain.mean - half):.2f} to "
            f"{math.exp(gain.mean + half):.2f} with 95 %)",
            False if gain.mean + half < two else True if gain.mean - half > two else None,
            yes=note, no=note, open=note)}


def rates(groups):
    values = {"σ_xy/σ_yy": (Record.ratio, 3), "coordination": (lambda r: r.mean("coordination"), 3),
              "sliding fraction": (lambda r: r.mean("sliding_fraction"), 3), "ln E_k": (log_energy, 2)}
    texts, seen = [], []
    for elongation, word in SHAPES.items():
        fast, slow = (found_group(groups, rate, elongation, "area-gradient") for rate in (1e-4, 1e-5))
        if not slow:
            return judged("not measured by the quick set", None, open="the quick set shears at γ̇t_c = 1e-3 only")
        changes = {name: (difference(fast, slow, value), digits) for name, (value, digits) in values.items()}
        seen += [c.significant(len(values) * len(SHAPES)) for c, _ in changes.values()]
        texts.append("; ".join([f"{word}, 1e-4 minus 1e-5", *(f"{n} {c.text(d)}" for n, (c, d) in changes.items())]))
    return judged(". ".join(texts), any(seen), no="no measured quantity tells 1e-4 from 1e-5",
                  yes="γ̇t_R is 0.024 and 0.0024: at 1e-4 the rate still shows in a measured quantity")


def sizes(fits, quick):
    """Gutenberg-Richter and the influence of the shape, judged at the slowest rate."""
    a, b = fits[-2:]
    text, rate = f"{KINDS[a.kind]}: " + "; ".join(f.text() for f in fits), f"{a.group.rate:.0e}"
    law = same = None
    shapes = "too few events for an exponent of both shapes"
    note = other = "fewer than 50 events of a shape above a cutoff"
    if a.bulk and b.bulk:
        law, same = a.is_power_law and b.is_power_law, not apart(a.bulk, b.bulk)
        distance, chance = two_samples(a.sizes, b.sizes)
        shapes = (f"isotropic α = {interval(a.bulk)}, elongated α = {interval(b.bulk)} at {rate}; Kolmogorov-Smirnov "
                  f"distance of the two distributions of sizes {distance:.3f} (chance {chance:.2g})")
        note = f"judged at {rate}: " + (
            "a power law between the smallest events and the size that the cell of 256 polygons allows" if law else
            "the sizes of a shape lie farther from the law than chance allows"
            if min(a.bulk.goodness, b.bulk.goodness) < 0.1 else
            "for a shape an exponential is as good: the sizes have a scale")
        other = ("within their intervals the exponents are the same" if same else
                 "the exponents differ by more than their intervals") + (
            "; the source's exponents and thresholds were not available") + (
            "" if law else "; the law itself is not confirmed for both")
    if quick:
        law = same = None
        note = other = ("the quick set shears one seed at γ̇t_c = 1e-3, where events overlap: it shows the detection "
                        "only")
    return {"text": text, "holds": law, "note": note, "shapes": {"text": shapes, "holds": same, "note": other}}


def aftershocks(fits, quick):
    text, holds = "; ".join(f.text_after() for f in fits), None
    a, b = (f.after and f.after.decay for f in fits[-2:])
    if quick or not (a and b):
        return judged(text, None, open="the quick set has too few events" if quick else
                      "too few events after main ones")
    if a.low <= 0 and b.low <= 0:
        note = "neither shape has a rate that decays after large events beyond its error: no aftershocks to compare"
    elif apart(a, b):
        holds, note = True, "the rate after large events decays differently for the two shapes"
    else:
        note = ("the decays of both shapes lie within each other's intervals: this number of events cannot decide")
    return {"text": text, "holds": holds, "note": note}


def over_strain(word, records, width, value, style="line"):
    """Mean over the records of value(record, rows) in intervals of strain."""
    x, y = [], []
    for start in np.arange(0, records[0]["strain"][-1] - width + 1e-9, width):
        ends = [np.searchsorted(r["strain"], (start, start + width)) for r in records]
        values = [value(r, slice(*rows)) for r, rows in zip(records, ends) if rows[1] > rows[0]]
        if values:
            x.append(start + width / 2)
            y.append(np.mean(values))
    return curve(word, x, y, style)


def draw_cell(run, groups):
    panels = []
    for g in groups:
        each = [over_strain(f"seed {k}", [r], 0.02, Record.ratio) for k, r in enumerate(g.runs, 1)]
        mean = over_strain("mean", g.runs, 0.02, Record.ratio)
        late = np.array(mean["x"]) >= DISCARDED
        y = np.array(mean["y"])[late]
        running = curve("running mean from 0.5", np.array(mean["x"])[late], np.cumsum(y) / np.arange(1, len(y) + 1),
                        "prediction")
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

    def series(title, label, name, log=""):
        return panel(title, "shear strain γ", label,
                     [over_strain(g.word, g.runs, 0.05, lambda r, rows: r.mean(name, rows)) for g in groups], log)

    run.figure("Profiles, sliding fraction and coordination",
               "Displacement along x from γ = 0.5 to the end over the strain gained and the height, mean over the "
               "seeds, in 16 layers; dashed: homogeneous shear. Sliding fraction and coordination: means over strain "
               "intervals of 0.05 and over the seeds; runs at 1e-5 are sheared at 1e-4 up to γ = 0.45.",
               [profile("displacement", "u_x/(Δγ H)", "shift", [-0.5, 0.5]),
                profile("rotation", "mean rotation/Δγ", "turn", [-0.5, -0.5]),
                series("contacts that slide", "sliding fraction", "sliding_fraction"),
                series("contacts", "coordination number", "coordination"),
                series("kinetic energy", "E_k (J)", "kinetic", "y")], name="profiles", case=run.case_text())
    last = [g for g in groups if g.plane == "area-gradient"][-2:]  # the slowest
    run.figure("The packings at the end of the shear",
               "Free polygons and the two plates; bodies that leave on one side return on the other.",
               [panel(f"{g.word}, γ = {g.runs[0]['strain'][-1]:.2g}, seed 1", "x (m)", "y (m)", [],
                      polygons=g.runs[0]["picture"]) for g in last], name="packings", case=run.case_text())


def study(run):
    groups = groups_of(run)
    fits = {kind: [Fitted(g, kind) for g in groups if g.plane == "area-gradient"] for kind in KINDS}
    draw_cell(run, groups)
    draw_avalanches(run, fits)
    return set_up(groups) | planes(groups) | {"rates": rates(groups)} | {
        kind: sizes(of, run.quick) | {"after": aftershocks(of, run.quick)} for kind, of in fits.items()}
