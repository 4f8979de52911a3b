"""Case C of the reference: plane shear of a graded sand at constant normal stress, with true displacement history and
with none."""

import math

import numpy as np

from driver.seeds import SeedMean
from driver.study import curve, panel
from sand import Sand, make_packing, of_runs, packing_case, ratio, shear, shear_case

USUAL, SLOW, SLOWEST = 2e-3, 5e-4, 2e-4  # inertial numbers
BLOCK = 0.02  # of strain, of a point of the figure
# True history at a constant solid fraction of 0.63, 1500 grains; 0.3765 stands for 0.373 to 0.380.
WINDOWS = ((0.1, 0.3, 0.435), (0.3, 0.6, 0.397), (0.6, 1.0, 0.3765))
END = 9.0  # beyond every strain


def plan(quick):
    """Sands, each with its runs: kind, history, inertial number, strain, friction. Runs without history have their
    inertial number as kind."""
    def true(kind, strain=1.0, inertial_number=USUAL):
        return kind, "true", inertial_number, strain, 0.5

    def none(inertial_number, strain):
        return inertial_number, "none", inertial_number, strain, 0.5

    if quick:
        return [(Sand(count=400), [true("standard", 0.3), none(0.5 * USUAL, 0.2)])]
    return [
        (Sand(), [true("standard"), none(USUAL, 0.4), none(SLOW, 0.25), none(SLOWEST, 0.16),
                  true("slow", 0.8, 0.5 * USUAL), ("frictionless", "none", SLOW, 0.25, 0.0)]),
        (Sand(seed=2), [true("standard"), none(USUAL, 0.4), none(SLOW, 0.25)]),
        (Sand(seed=3), [true("standard")]),
        (Sand(stiffness=1e4), [true("stiff", 0.75)]),
        (Sand(friction=0.0), [true("dense")])]


def compute(run):
    """The number of grains, and rows of the runs of each kind."""
    sands, given, cases = plan(run.quick), run.case_text("sand.toml"), []
    packings = run.map("packings", make_packing, [(packing_case(given, sand).to_toml(),) for sand, _ in sands])
    for (sand, runs), packing in zip(sands, packings):
        cases += [(kind, shear_case(given, sand, packing, *rest)) for kind, *rest in runs]
    of = {}
    results = run.map("rows", shear, [(case.to_toml(),) for _, case in cases])
    for (kind, _), rows in zip(cases, results):
        of.setdefault(kind, []).append({name: np.array(row) for name, row in rows.items()})
    return sands[0][0].count, of


def solid(rows):
    return rows["solid"]


def course(label, runs, value=ratio):
    """Means over BLOCK of strain, with their standard errors."""
    starts = BLOCK * np.arange(math.ceil(runs[0]["strain"][-1] / BLOCK - 0.5))
    means = [of_runs(runs, start, start + BLOCK, value) for start in starts]
    errors = [m.error for m in means] if len(runs) > 1 else []
    y = [m.mean for m in means]
    return curve(label, starts + 0.5 * BLOCK, y, "line", np.subtract(y[:len(errors)], errors),
                 np.add(y[:len(errors)], errors))


def draw(run, count, of, rates):
    whole, panels = of["standard"], []
    for title, label, value in (("strength", "τ/σ_zz", ratio), ("volume", "solid fraction", solid)):
        panels.append(panel(title, "shear strain γ", label, [course("true", whole, value)] + [
            course(f"none, I = {rate:g}", of[rate], value) for rate in rates if rate != SLOWEST]))
    end = whole[0]["strain"][-1]
    shown = [(x, published) for start, stop, published in WINDOWS if start < end - 0.1 for x in (start, stop)]
    panels[0]["curves"].append(curve("reference, true", *zip(*shown), "prediction"))
    if not run.quick:  # what the strength does and does not depend on
        panels.append(panel("true history, other conditions", "shear strain γ", "τ/σ_zz", [
            course("first packing", whole[:1]), course("compressed without friction", of["dense"]),
            course("κ = 10 000", of["stiff"]), course("I = 0.001", of["slow"])]))
    more = ("" if run.quick else "; bars: standard error over three packings (none: two). Last panel: single runs "
            "under other conditions")
    run.figure("Plane shear of a graded sand at constant normal stress, with true displacement history and with none",
               f"{count} grains, log-normal by mass with C_u = 1.7, in a periodic cell; μ = 0.5, k_t = 0.8 k_n, "
               "κ = k_n/(σ D50) = 1000, restitution 0.6, γ_t = γ_n/2; true history at I = 0.002. The same packings for "
               "both models, compressed with friction 0.2. Dashed: the reference, true history at a constant solid "
               f"fraction of 0.63. Means over {BLOCK:g} of strain{more}.", panels, case=run.case_text("sand.toml"))


def study(run):
    count, of = compute(run)
    rates = sorted(kind for kind in of if isinstance(kind, float))
    draw(run, count, of, rates)
    whole, none = of["standard"], {rate: of_runs(of[rate], 0.1, END, ratio) for rate in rates}
    values = {"true": [of_runs(whole, start, end, ratio) for start, end, _ in WINDOWS[:1 if run.quick else 3]],
              "rates": "; ".join(f"I = {rate:g}: {strength}" for rate, strength in none.items())}
    if run.quick:
        return values | {"factor": of_runs(whole, 0.1, END, ratio).mean / none[rates[0]].mean}
    dense, late = of["dense"], of_runs(whole, 0.6, END, ratio)
    highest = course("", dense)
    top = int(np.argmax(highest["y"]))

    def side(rows):
        return rows["xx"] / rows["zz"]

    def angles(tangent):
        return {"atan": math.degrees(math.atan(tangent)), "asin": math.degrees(math.asin(tangent))}

    return values | {
        "start": SeedMean([rows["solid"][0] for rows in whole]), "late": late, "none": [none[rate] for rate in rates],
        "side": of_runs(whole, 0.6, END, side), "side_none": of_runs(of[USUAL], 0.1, END, side),
        "angles": angles(late.mean), "peak_angles": angles(highest["y"][top]), "peak_strain": highest["x"][top],
        "dense_start": dense[0]["solid"][0], "dense": of_runs(dense, 0.6, END, ratio),
        "dense_solid": of_runs(dense, 0.6, END, solid), "late_solid": of_runs(whole, 0.6, END, solid),
        "none_solid": of_runs(of[SLOWEST], 0.1, END, solid), "stiff": of_runs(of["stiff"], 0.6, END, ratio),
        "slow": of_runs(of["slow"], 0.6, END, ratio), "smooth": of_runs(of["frictionless"], 0.1, END, ratio)}
