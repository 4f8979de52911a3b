"""Table 1 and Fig. 1 of the paper: plane-strain biaxial compression of spheres with the exact law, with merged
histories and with the usual approximations, all from one packing; what the exact law costs and remembers; how contacts
move."""

import numpy as np

from biaxial_runs import (BYTES, CONTACTS, INERTIAL, LEGS, RATIO, STRAIN, UNBALANCED, compare_cost, compress,
                          peak_of_looser, shifted, watch_movement)
from driver.study import curve, panel
from spheres import EXACT, FIFTH, FRICTION, LAWS, POISSON_RATIO, STRAIN_A_STEP, TENTH, USUAL, make_packing

MEMORY_PEAK = 0.005  # strain at which the paper has its most memory
PAPER_LEGS = [260, 171, 107]  # mean lengths: exact, Δp_max = 0.10 f, 0.20 f


def column(c, k):
    return np.array(c["rows"])[:, k]


def off(c, exact):
    """Differences of q/p from the exact law."""
    rows = min(len(c["rows"]), len(exact["rows"]))
    return column(c, RATIO)[:rows] - column(exact, RATIO)[:rows]


def quartiles(values):
    return np.percentile(values, [50, 25, 75])


def draw_laws(run, laws, shift, packing):
    ratios, differences, lengths = [], [], []
    for law, c in (laws | {"jaeger, shifted start": shift}).items():
        strain, apart = 100 * column(c, STRAIN), off(c, laws[EXACT])
        ratios.append(curve(law, strain, column(c, RATIO), "line"))
        differences.append(curve(law, strain[:len(apart)], apart, "line"))
        if c["rows"][-1][LEGS] > 1:
            lengths.append(curve(law, strain, column(c, LEGS), "line"))
    for name, legs in zip(("exact", "0.10 f", "0.20 f"), PAPER_LEGS):
        lengths.append(curve(f"paper, {name}", [100 * MEMORY_PEAK], [legs], "prediction"))
    label = "axial strain (%)"
    run.figure("Plane-strain biaxial compression with exact and approximate tangential forces",
               f"{len(packing[1])} spheres (radii ± 20 %) packed without friction to p = 100 kPa, void ratio "
               f"{packing[3]:.3f}; G = 29 GPa, ν = 0.15, f = 0.5; lateral stress held, no strain along y, "
               f"{STRAIN_A_STEP:g} of strain a step. q = √(3 J2), J2 of the deviatoric stress. Differences are those "
               f"from `jaeger`; shifted: the exact law from places moved by 1e-10 radii, so that its difference is "
               f"chance.",
               [panel("stress ratio", label, "q/p", ratios),
                panel("difference from the exact law", label, "q/p minus that of jaeger", differences),
                panel("length of histories", label, "mean number of legs of a contact", lengths, "y")])


def draw_movement(run, m, spheres, strain):
    whole, zoom = np.array(m["path"]), np.array(m["zoom"])
    mean = whole[:, 0].mean()
    unit = (2 - POISSON_RATIO) / (2 * (1 - POISSON_RATIO)) * FRICTION * mean  # a straight movement of 1 makes it slide
    panels = []
    for title, points in (("whole path, tangential", whole), ("step by step, tangential", zoom)):
        x, y = points[:, 1:].T / unit
        panels.append(panel(title, "ξ_1/(κ f ζ)", "ξ_2/(κ f ζ)",
                            [curve("", x, y, "line"), curve("start", x[:1], y[:1], "points")]))
    shares = [curve(name, np.maximum(1, np.sort(counts)), 1 - np.arange(len(counts)) / len(counts), "line")
              for name, counts in zip(("tangential reversals", "turns of more than 45°", "normal reversals"),
                                      np.transpose(m["survivors"]))]
    panels.append(panel("changes of direction", "number in the life of a contact",
                        "share of the contacts with as many or more", shares, "x"))
    run.figure("Movement of a contact in a compressed packing",
               f"{spheres} spheres, biaxial compression to {100 * strain:g} %. Of the {len(m['survivors'])} contacts "
               f"that lived through it the one with the median number of reversals ({m['reversals']:.0f}), "
               f"half-movements ξ in its own frame over κ f ζ with its mean ζ = {1e9 * mean:.3g} nm: a straight "
               f"movement of 1 from rest makes it slide. Step by step: {len(zoom)} steps at half the way.", panels,
               "figure-1")


def study(run):
    count, small, strain, every = (120, 80, 0.001, 20) if run.quick else (4096, 1000, 0.04, 100)
    packing, small_packing = run.map("packings", make_packing, [(count, 1), (small, 2)])
    point = (strain, every, STRAIN_A_STEP)
    *found, shift, slow = run.map(
        "compressed", compress, [(packing, law, *point) for law in LAWS] +
        [(shifted(packing, 3), EXACT, *point), (packing, EXACT, strain, 2 * every, 0.5 * STRAIN_A_STEP)])
    laws = dict(zip(LAWS, found))
    m, = run.map("movement", watch_movement, [(small_packing, strain, 1e-4 if run.quick else 4e-4)])
    looser, = run.map("looser", peak_of_looser, [(count, strain)])
    contacts, steps, forces = map(np.array, zip(*run.map(  # alone
        "blocks", compare_cost, [(packing, strain, 100 if run.quick else 500)])[0]))
    draw_laws(run, laws, shift, packing)
    draw_movement(run, m, small, strain)

    exact = laws[EXACT]
    legs = [column(laws[law], LEGS) for law in (EXACT, TENTH, FIFTH)]
    megabytes = [column(laws[law], BYTES).max() / 1e6 for law in (EXACT, TENTH, FIFTH, USUAL)]
    near = abs(column(exact, STRAIN) - MEMORY_PEAK).argmin()  # the row nearest to it
    most = column(exact, BYTES).argmax()
    rows = np.concatenate([np.array(c["rows"])[column(c, STRAIN) > 0] for c in found])
    peak = column(exact, RATIO).max()
    reversals, corners, normal = (quartiles(of) for of in np.transpose(m["survivors"]))

    def against(times, k):
        """Median and quartiles of the exact law over another, block by block."""
        return "{:.2f} (half of the blocks {:.2f} to {:.2f})".format(*quartiles(times[:, 0] / times[:, k]))

    return {
        "full": not run.quick, "of_step": 100 * np.mean(forces[:, 0] / steps[:, 0]),
        "force": against(forces, 1), "force_none": against(forces, 2),
        "force_over": np.median(forces[:, 0] / forces[:, 1]),
        "total": against(steps, 1), "total_none": against(steps, 2), "total_over": np.median(steps[:, 0] / steps[:, 1]),
        "sums": steps[:, 0].sum() / steps[:, 1].sum(), "contact_step": 1e6 * steps[:, 0].sum() / contacts.sum(),
        "largest": [of.max() for of in legs], "at": 100 * min(MEMORY_PEAK, strain),
        "there": [of[near] for of in legs], "mean": [of.mean() for of in legs], "slow_legs": column(slow, LEGS).max(),
        "close": all(abs(of.max() / paper - 1) <= 0.2 for of, paper in zip(legs, PAPER_LEGS)),
        "entry": column(exact, BYTES)[most] / (column(exact, LEGS)[most] * column(exact, CONTACTS)[most]),
        "megabytes": megabytes, "particles": [count / of for of in megabytes[:3]],
        "peaks": [peak, *(100 * column(c, STRAIN)[column(c, RATIO).argmax()] for c in (exact, shift, slow))],
        "looser": looser, "void_ratio": packing[3],
        "most_contacts": column(exact, CONTACTS)[most], "most_strain": 100 * column(exact, STRAIN)[most],
        "shift_off": abs(off(shift, exact)).mean(), "slow_off": abs(off(slow, exact)).mean(),
        "slow_peak": 100 * (column(slow, RATIO).max() / peak - 1),
        "contacts": exact["contact_steps"] / exact["steps"], "near_contacts": column(exact, CONTACTS)[near],
        "near_strain": 100 * column(exact, STRAIN)[near], "first_contacts": exact["rows"][0][CONTACTS],
        "contact_steps": sum(c["contact_steps"] for c in found),
        "inertial": rows[:, INERTIAL].max(), "unbalanced": rows[:, UNBALANCED].mean(),
        "survivors": len(m["survivors"]), "moved_steps": m["steps"],
        "at_start": m["at_start"], "reversals": reversals, "corners": corners, "normal": normal,
        "several": 100 * np.mean(np.transpose(m["survivors"])[0] >= 2)}
