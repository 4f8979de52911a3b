"""Avalanches of the shear cell: drops of the shear stress and bursts of the kinetic energy, and their sizes."""

import math

import numpy as np

import dem
from driver.study import curve, panel

# Thresholds. A drop: 1 % of the held stress, about the force of one contact over the width of the plates. A burst: the
# energy doubles and rises by a thousandth of σ d². That is the work of the stress on a grain that moves by its size.
STRESS, DROP, FACTOR, BURST = 0.4, 0.01, 2, 1e-3  # N/m, of case.toml; the others 1
GRAIN_ENERGY = STRESS * 4 * 0.95 / math.pi  # σ d² (J)
KINDS = {"drops": f"falls of σ_xy by at least {DROP:g} σ_yy that no rise by as much interrupts",
         "bursts": f"rises of E_k by at least a factor {FACTOR} and {BURST:g} σ d² (σ d² = {GRAIN_ENERGY:.2g} J)"}


class Fitted:
    """The avalanches of a group and the law of their sizes: drops of the shear stress (in σ) or bursts of the kinetic
    energy (in σ d²)."""

    def __init__(self, group, kind):
        self.group, self.kind, self.strain, sizes = group, kind, 0.0, []
        for r in group.runs:
            strain = r["strain"][r.window]
            if kind == "drops":
                series, unit = 0.5 * (r["bottom"] + r["top"])[r.window], STRESS
                events = dem.drops(series, DROP * unit)
            else:
                series, unit = r["kinetic"][r.window], GRAIN_ENERGY
                events = dem.bursts(series, FACTOR, BURST * unit)
            sizes += [e.size / unit for e in events]
            self.strain += strain[-1] - strain[0]
        self.sizes = np.sort(sizes)
        self.law = self.bulk = None
        try:
            self.law, self.bulk = dem.power_law(self.sizes), dem.power_law(self.sizes, cutoff=True)
        except ValueError:  # too few: said in the text
            pass

    def text(self):
        b, p = self.bulk, self.law
        text = f"{self.group.word}: {len(self.sizes)} {self.kind} in strain {self.strain:.2g}"
        if not b:
            return text + ", too few for a fit"
        return (f"{text}, x^−α e^(−x/x_c) with α = {interval(b)}, x_c = {b.scale:.2g} for {b.count} sizes ≥ "
                f"{b.lower:.2g} (KS distance {b.distance:.3f}, goodness {b.goodness:.2f}, chance of an exponential "
                f"{b.exponential_chance:.1g}), pure power law for the {p.count} sizes ≥ {p.lower:.2g}: α = "
                f"{interval(p)} (KS {p.distance:.3f}, goodness {p.goodness:.2f}, likelihood ratio to the exponential "
                f"{p.against_exponential:+.1f}, chance {p.exponential_chance:.2g})")

    def line(self):
        """The law with cutoff as the share of sizes above x, summed up from far above the largest one."""
        b = self.bulk
        x = b.lower * np.exp(np.linspace(0, math.log(20 * self.sizes[-1] / b.lower), 401))
        share = np.cumsum(((x / b.lower) ** (1 - b.exponent) * np.exp(-(x - b.lower) / b.scale))[::-1])[::-1]
        inside = x <= self.sizes[-1]
        share = share[inside] / share[0] * b.count / len(self.sizes)
        return curve(f"α = {interval(b)}", x[inside], share, "prediction")


def interval(fit):
    return f"{fit.exponent:.2f} [{fit.low:.2f}, {fit.high:.2f}]"


def two_samples(a, b):
    """Largest distance of two samples' distributions and its chance were they of one (Kolmogorov-Smirnov)."""
    x = np.concatenate((a, b))
    distance = float(abs(np.searchsorted(a, x, "right") / len(a) - np.searchsorted(b, x, "right") / len(b)).max())
    root = math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    t = (root + 0.12 + 0.11 / root) * distance  # Stephens' correction
    chance = sum((2 if k % 2 else -2) * math.exp(-2 * k * k * t * t) for k in range(1, 101))
    return distance, 1.0 if t < 0.2 else min(max(chance, 0.0), 1.0)


def draw_avalanches(run, fits):
    panels = []
    for kind, title, label in (("drops", "drops of σ_xy", "size Δσ_xy/σ_yy"),
                               ("bursts", "bursts of kinetic energy", "size ΔE_k/(σ d²)")):
        curves = []
        for f in fits[kind]:
            n = len(f.sizes)
            shown = sorted({*range(0, n, max(1, n // 300)), *range(max(0, n - 50), n)})
            curves.append(curve(f.group.word, f.sizes[shown], 1 - np.array(shown) / n, "points"))
            curves += [f.line()] if f.bulk else []
        panels.append(panel(title, label, "share of events at least this large", curves, "xy"))
    run.figure("Sizes of avalanches",
               f"Drops: {KINDS['drops']}. Bursts: {KINDS['bursts']}. Rows every 0.5 s: a third of the inertial time "
               "d√(ρ/σ) = 1.6 s. Dashed: power laws with exponential cutoff by maximum likelihood above the lower end "
               "of least Kolmogorov-Smirnov distance, 95 % interval by resampling.", panels, name="avalanches",
               case=run.case_text())
