"""Case C of the reference: plane shear of a graded sand at constant normal stress, with true displacement history and
with none."""

import math

import numpy as np

from driver.study import curve, panel
from sand import NAMES, Mean, Path, Sand, grading, make_packing, packing_case, shear, shear_case

USUAL, SLOW, SLOWEST = 2e-3, 5e-4, 2e-4  # inertial numbers
BLOCK = 0.02  # of strain, of a point of the figure
# True history at a constant solid fraction of 0.63, 1500 grains; 0.3765 stands for 0.373 to 0.380.
WINDOWS = ((0.1, 0.3, 0.435), (0.3, 0.6, 0.397), (0.6, 1.0, 0.3765))
END = 9.0  # beyond every strain


def plan(quick):
    """Sands, each with its runs: kind, history, inertial number, strain, friction."""
    def whole(kind, strain=1.0, inertial_number=USUAL):
        return kind, "true", inertial_number, strain, 0.5

    def none(inertial_number, strain):
        return "none", "none", inertial_number, strain, 0.5

    if quick:
        return [(Sand(count=400), [whole("standard", 0.3), none(0.5 * USUAL, 0.2)])]
    return [
        (Sand(), [whole("standard"), none(USUAL, 0.4), none(SLOW, 0.25), none(SLOWEST, 0.16),
                  whole("slow", 0.8, 0.5 * USUAL), ("frictionless", "none", SLOW, 0.25, 0.0)]),
        (Sand(seed=2), [whole("standard"), none(USUAL, 0.4), none(SLOW, 0.25)]),
        (Sand(seed=3), [whole("standard")]),
        (Sand(stiffness=1e4), [whole("stiff", 0.75)]),
        (Sand(friction=0.0), [whole("dense")])]


def compute(run):
    sands, given = plan(run.quick), run.case_text("sand.toml")
    packings = run.map("packings", make_packing, [(packing_case(given, sand).to_toml(),) for sand, _ in sands])
    runs = [(number, *of_run) for number, (_, of_sand) in enumerate(sands) for of_run in of_sand]
    results = run.map("shear", shear, [(shear_case(given, sands[k][0], packings[k], *rest).to_toml(),)
                                       for k, _, *rest in runs])
    paths = [Path(kind, number, inertial_number, dict(zip(NAMES, np.array(result["rows"]))))
             for (number, kind, _, inertial_number, _, _), result in zip(runs, results)]
    return [sand for sand, _ in sands], packings, paths, results


def ratio(rows):
    return rows["xz"] / rows["zz"]


def mean_of(paths, start, end, value=ratio):
    return Mean([path.mean(start, end, value) for path in paths])


def solid(rows):
    return rows["solid"]


def course(label, paths, value=ratio):
    """Means over BLOCK of strain, with their standard errors."""
    end = paths[0].rows["strain"][-1]
    starts = BLOCK * np.arange(math.ceil(end / BLOCK - 0.5))
    means = [mean_of(paths, start, start + BLOCK, value) for start in starts]
    x, y = starts + 0.5 * BLOCK, [m.value for m in means]
    if len(paths) == 1:
        return curve(label, x, y, "line")
    return curve(label, x, y, "line", [m.value - m.error for m in means], [m.value + m.error for m in means])


def with_bars(label, points, style="line-and-points"):
    """Curve of (x, mean)."""
    bar = [0 if math.isnan(m.error) else m.error for _, m in points]
    y = [m.value for _, m in points]
    return curve(label, [x for x, _ in points], y, style, np.subtract(y, bar), np.add(y, bar))


def checks(of, none):
    """What the strength does and does not depend on."""
    return [panel("true history, other conditions", "shear strain γ", "τ/σ_zz",
                  [course("first packing", of("standard")[:1]), course("compressed without friction", of("dense")),
                   course("κ = 10 000", of("stiff")), course("I = 0.001", of("slow"))]),
            panel("rate", "inertial number I", "τ/σ_zz, steady",
                  [with_bars("true, γ > 0.6", [(0.5 * USUAL, mean_of(of("slow"), 0.6, END)),
                                               (USUAL, mean_of(of("standard"), 0.6, END))]),
                   with_bars("none, γ > 0.1", [(rate, mean_of(paths, 0.1, END)) for rate, paths in none.items()]),
                   with_bars("no friction, γ > 0.1", [(SLOW, mean_of(of("frictionless"), 0.1, END))], "points")],
                  log="x")]


def draw(run, packings, of, none, more):
    whole, panels = of("standard"), []
    for title, label, value in (("strength", "τ/σ_zz", ratio), ("volume", "solid fraction", solid),
                                ("contacts", "contacts of a grain, without rattlers",
                                 lambda rows: rows["coordination"])):
        panels.append(panel(title, "shear strain γ", label, [course("true", whole, value)] + [
            course(f"none, I = {rate:g}", paths, value) for rate, paths in none.items()
            if run.quick or rate != SLOWEST]))
    end = whole[0].rows["strain"][-1]
    shown = [(x, published) for start, stop, published in WINDOWS if start < end - 0.1 for x in (start, stop)]
    panels[0]["curves"].append(curve("reference, true", *zip(*shown), "prediction"))
    bars = f"; bars: standard error over {len(whole)} packings (none: two)" if len(whole) > 1 else ""
    lower = "" if run.quick else " Lower row: single runs under other conditions; steady strength against rate."
    run.figure("Plane shear of a graded sand at constant normal stress, with true displacement history and with none",
               f"{len(packings[0]['radius'])} grains, log-normal by mass with C_u = 1.7, in a periodic cell; μ = 0.5, "
               "k_t = 0.8 k_n, κ = k_n/(σ D50) = 1000, restitution 0.6, γ_t = γ_n/2; true history at I = 0.002. The "
               f"same packings for both models, compressed with friction 0.2. Means over {BLOCK:g} of strain{bars}. "
               f"Dashed: the reference, true history at a constant solid fraction of 0.63.{lower}",
               panels + more, case=run.case_text("sand.toml"))


def set_up(sand, packings):
    return f"{sand.count} grains, {packings} packing{'s' if packings > 1 else ''}, κ = {sand.stiffness:g}"


def study(run):
    sands, packings, paths, results = compute(run)

    def of(kind):
        return [path for path in paths if path.kind == kind]

    rates = sorted({path.inertial_number for path in of("none")})
    none = {rate: [path for path in of("none") if path.inertial_number == rate] for rate in rates}
    whole, late_from = of("standard"), 0.1 if run.quick else 0.6
    fastest, slowest = (mean_of(none[rate], 0.1, END) for rate in (rates[-1], rates[0]))
    late = mean_of(whole, late_from, END)
    factor = f"{late.value / slowest.value:.2f} times none at I = {rates[0]:g}"
    if len(rates) > 1:
        factor += f"; {late.value / fastest.value:.2f} times none at the same I = {USUAL:g}"
    values = {"true": [mean_of(whole, start, end) for start, end, _ in WINDOWS[:1 if run.quick else 3]],
              "start": Mean([path.rows["solid"][0] for path in whole]), "set_up": set_up(sands[0], len(whole)),
              "rates": "; ".join(f"I = {rate:g}: {mean_of(none[rate], 0.1, END)}" for rate in rates),
              "set_up_none": set_up(sands[0], len(none[rates[-1]])), "fastest": fastest, "slowest": slowest,
              "late": late, "late_from": late_from, "factor": factor}
    if run.quick:
        draw(run, packings, of, none, [])
        return values
    draw(run, packings, of, none, checks(of, none))
    dense = of("dense")
    highest = course("", dense)
    top = int(np.argmax(highest["y"]))

    def angles(value):
        return math.degrees(math.atan(value)), math.degrees(math.asin(value))

    def side(rows):
        return rows["xx"] / rows["zz"]

    def mohr_sine(rows):
        return np.hypot(0.5 * (rows["xx"] - rows["zz"]), rows["xz"]) / (0.5 * (rows["xx"] + rows["zz"]))

    (tangent, sine), (none_tangent, none_sine) = angles(late.value), angles(slowest.value)
    peak_tangent, peak_sine = angles(highest["y"][top])
    return values | {
        "side": mean_of(whole, 0.6, END, side), "side_none": mean_of(none[rates[-1]], 0.1, END, side),
        "tangent": tangent, "sine": sine, "none_tangent": none_tangent, "none_sine": none_sine, "none_rate": rates[0],
        "mohr": Mean([math.degrees(math.asin(path.mean(0.6, END, mohr_sine))) for path in whole]),
        "dense_start": dense[0].rows["solid"][0], "peak_tangent": peak_tangent, "peak_sine": peak_sine,
        "peak_strain": highest["x"][top], "dense": mean_of(dense, 0.6, END),
        "dense_solid": mean_of(dense, 0.6, END, solid), "late_solid": mean_of(whole, 0.6, END, solid),
        "none_solid": mean_of(none[rates[0]], 0.1, END, solid), "stiff": mean_of(of("stiff"), 0.6, END),
        "slow": mean_of(of("slow"), 0.6, END), "smooth": mean_of(of("frictionless"), 0.1, END),
        "rough": mean_of(none[SLOW], 0.1, END), "sand": grading(packings[0]),
        "servo": 100 * max(r["servo"] for r in results), "margin": max(r["margin"] for r in results)}
