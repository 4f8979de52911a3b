"""Case C of the reference at constant volume, as its own runs were: plane shear of a graded sand whose cell keeps its
solid fraction, with true displacement history and with none. The packings are those of plane-shear."""

import math
import tomllib

import numpy as np

import dem
from driver.study import curve, panel
from sand import ROWS, STIFFNESS, Mean, Sand, make_packing, packing_case

RATE = 0.05  # inertial number 1.5e-3 where κ = 90
SEEDS = (1, 2, 3)
# History, solid fraction, strain; what the reference found in windows of strain.
KINDS = {"loose": ("true", 0.63, 1.05, ((0.1, 0.3, 0.435), (0.3, 0.6, 0.397), (0.6, 1.05, 0.3765))),
         "dense": ("true", 0.64, 0.3, ((0.1, 0.3, 0.503),)),
         "none": ("none", 0.70, 0.33, ((0.1, 0.3, 0.118), (0.3, 0.33, 0.128)))}
COLUMNS = ("strain", "stress_xx", "stress_zz", "stress_xz", "stress_zx", "backbone_coordination_pairs")


def volume_case(given, sand, packing, kind):
    """The packing, squeezed to a solid fraction and sheared in x–z in a cell whose edges keep their lengths."""
    history, solid, strain, _ = KINDS[kind]
    tables = tomllib.loads(given)
    del tables["assembly"]
    tables["cell"]["size"] = packing["cell"]
    tables["time"]["step"] = sand.time_step
    tables["contact"]["history"] = history
    squeeze = {f"rate_{axes}": -0.02 for axes in ("xx", "yy", "zz")}
    return dem.Case(tables | {
        "title": f"Graded sand, plane shear at a solid fraction of {solid:g}",
        "body": dem.spheres(packing["position"], packing["radius"]),
        "stage": [{"name": "squeeze", "void_ratio": 1 / solid - 1} | squeeze,
                  {"name": "shear", "rate_xz": RATE, "strain": strain}]})


def shear(text):
    """Rows over the shear: means over equal parts of it, compression positive."""
    run = dem.Run(dem.Case.parse(text))
    series = run.record(*COLUMNS)
    begin = math.inf

    @run.every(stage_end=True)
    def squeezed(now):
        nonlocal begin
        begin = min(begin, now.step)

    run()
    with run.look() as now:
        solid = 1 / (1 + now.series["void_ratio"])
    parts = np.array_split(np.arange(begin + 1, len(series["strain"])), round(ROWS * series["strain"][-1]))
    mean = {name: [float(np.mean(series[name][part])) for part in parts] for name in COLUMNS}
    return {"solid": solid, "strain": mean["strain"], "coordination": mean[COLUMNS[-1]],
            "xx": np.negative(mean["stress_xx"]).tolist(), "zz": np.negative(mean["stress_zz"]).tolist(),
            "xz": np.mean([mean["stress_xz"], mean["stress_zx"]], axis=0).tolist()}


class Windows:
    """Means of the runs of a kind over windows of strain."""

    def __init__(self, kind, results):
        self.results, self.found, self.off = results, [], []
        for start, end, published in KINDS[kind][3]:
            self.found.append(self.mean(start, end, lambda r, rows: r["xz"][rows] / r["zz"][rows]))
            self.off.append(abs(self.found[-1].value - published))
        self.low, self.high = (limit(m.value for m in self.found) for limit in (min, max))
        start, end, _ = KINDS[kind][3][-1]
        self.stiffness = self.mean(start, end, lambda r, rows: STIFFNESS / r["zz"][rows])
        self.inertial = self.mean(start, end, lambda r, rows: RATE / np.sqrt(r["zz"][rows]))
        self.side = self.mean(start, end, lambda r, rows: r["xx"][rows] / r["zz"][rows])

    def mean(self, start, end, value):
        return Mean([np.mean(value(r, (r["strain"] > start) & (r["strain"] <= end))) for r in self.results])

    @property
    def text(self):
        return ", ".join(f"{m}" for m in self.found)

    @property
    def state(self):
        return f"κ {self.stiffness:.0f}, I {self.inertial:.1e}, σ_xx/σ_zz {self.side:.2f} in the last window"


def study(run):
    given = (run.folder.parent / "plane-shear" / "sand.toml").read_text(encoding="utf-8")
    kinds = ("loose",) if run.quick else KINDS
    sands = [Sand(count=400)] if run.quick else [Sand(seed=seed) for seed in SEEDS]
    packings = run.map("packings", make_packing, [(packing_case(given, sand).to_toml(),) for sand in sands])

    def case_of(sand, packing, kind):
        case = volume_case(given, sand, packing, kind)
        return case.changed({"stage.shear.strain": 0.3}) if run.quick else case

    cases = {kind: [case_of(*pair, kind) for pair in zip(sands, packings)] for kind in kinds}
    results = iter(run.map("shear", shear, [(case.to_toml(),) for of in cases.values() for case in of]))
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
               [panel("strength", "shear strain γ", "τ/σ_zz", curves(lambda r: r["xz"] / r["zz"])
                      + [curve("reference", *zip(*shown), "prediction")]),
                panel("stiffness number", "shear strain γ", "κ = k_n/(σ_zz D50)",
                      curves(lambda r: STIFFNESS / np.maximum(r["zz"], 1e-3)), log="y")],
               case=given)
    if run.quick:
        (only,), rows = runs["loose"], slice(-25, None)
        return {"solid": float(only["solid"]), "ratio": float(np.mean(only["xz"][rows] / only["zz"][rows]))}
    return {kind: Windows(kind, of) for kind, of in runs.items()}
