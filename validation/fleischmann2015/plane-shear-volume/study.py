"""Case C of the reference at constant volume, as its own runs were: plane shear of a graded sand whose cell keeps its
solid fraction, with true displacement history and with none. The packings are those of plane-shear."""

import numpy as np

from driver.study import curve, panel
from sand import ROWS, STIFFNESS, Sand, make_packing, of_runs, packed_case, packing_case, ratio, sheared

RATE = 0.05  # inertial number 1.5e-3 where κ = 90
SEEDS = (1, 2, 3)
# History, solid fraction, strain; what the reference found in windows of strain.
KINDS = {"loose": ("true", 0.63, 1.05, ((0.1, 0.3, 0.435), (0.3, 0.6, 0.397), (0.6, 1.05, 0.3765))),
         "dense": ("true", 0.64, 0.3, ((0.1, 0.3, 0.503),)),
         "none": ("none", 0.70, 0.33, ((0.1, 0.3, 0.118), (0.3, 0.33, 0.128)))}


def volume_case(given, sand, packing, kind):
    """The packing, squeezed to a solid fraction and sheared in x–z in a cell whose edges keep their lengths."""
    history, solid, strain, _ = KINDS[kind]
    squeeze = {f"rate_{axes}": -0.02 for axes in ("xx", "yy", "zz")}
    return packed_case(given, sand, packing, history, f"Graded sand, plane shear at a solid fraction of {solid:g}", [
        {"name": "squeeze", "void_ratio": 1 / solid - 1} | squeeze,
        {"name": "shear", "rate_xz": RATE, "strain": strain}])


def shear(text):
    """Rows over the shear by name: means over equal parts of it."""
    _, steps = sheared(text)
    count = round(ROWS * steps["strain"][-1])
    return {name: [float(part.mean()) for part in np.array_split(column, count)] for name, column in steps.items()}


def measure(kind, runs):
    """Strength in each window of strain, and the state in the last one."""
    windows = KINDS[kind][3]
    start, end, _ = windows[-1]
    stiffness = of_runs(runs, start, end, lambda rows: STIFFNESS / rows["zz"])
    inertial = of_runs(runs, start, end, lambda rows: RATE / np.sqrt(rows["zz"]))
    side = of_runs(runs, start, end, lambda rows: rows["xx"] / rows["zz"])
    return {"found": [of_runs(runs, start, end, ratio) for start, end, _ in windows],
            "state": f"κ {stiffness:.0f}, I {inertial:.1e}, σ_xx/σ_zz {side:.2f} in the last window"}


def study(run):
    given = (run.folder.parent / "plane-shear" / "sand.toml").read_text(encoding="utf-8")
    kinds = ("loose",) if run.quick else KINDS
    sands = [Sand(count=400)] if run.quick else [Sand(seed=seed) for seed in SEEDS]
    packings = run.map("packings", make_packing, [(packing_case(given, sand).to_toml(),) for sand in sands])
    cases = {kind: [volume_case(given, *pair, kind) for pair in zip(sands, packings)] for kind in kinds}
    if run.quick:
        cases["loose"][0]["stage.shear.strain"] = 0.3
    results = iter(run.map("rows", shear, [(case.to_toml(),) for of in cases.values() for case in of]))
    runs = {kind: [{name: np.array(column) for name, column in next(results).items()} for _ in of]
            for kind, of in cases.items()}
    labels = {kind: f"{KINDS[kind][0]}, solid fraction {KINDS[kind][1]:g}" for kind in kinds}

    def curves(value):
        return [curve(labels[kind] if k == 0 else "", r["strain"], value(r), "line")
                for kind, of in runs.items() for k, r in enumerate(of)]

    shown = [(x, y) for start, end, y in KINDS["loose"][3] for x in (start, end)]
    run.figure("Plane shear of a graded sand at constant volume",
               f"Each packing a line. {sands[0].count} grains, C_u = 1.7, μ = 0.5, k_t = 0.8 k_n. Dashed: the "
               "reference, true history at 0.63.",
               [panel("strength", "shear strain γ", "τ/σ_zz", curves(ratio)
                      + [curve("reference", *zip(*shown), "prediction")]),
                panel("stiffness number", "shear strain γ", "κ = k_n/(σ_zz D50)",
                      curves(lambda r: STIFFNESS / np.maximum(r["zz"], 1e-3)), log="y")],
               case=given)
    if run.quick:
        (only,) = runs["loose"]
        return {"solid": only["solid"][-1], "ratio": ratio(only)[-25:].mean()}
    return {kind: measure(kind, of) for kind, of in runs.items()}
