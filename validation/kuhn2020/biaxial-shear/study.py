"""Biaxial compression and simple shear of discs and of pentagons in a periodic cell at constant stress: strength,
volume change, fabric, and where the strength of each shape comes from."""

import math
import tomllib
from pathlib import Path

import numpy as np

import dem
from driver.study import curve, panel

FOLDER = Path(__file__).parent
TESTS = [(loading, bodies) for loading in ("biaxial", "simple shear") for bodies in ("discs", "pentagons")]
ROWS, BINS = 800, 18  # over the shear; of contact normals, of 10° each
PEAK, SLOPE = 0.005, 0.01  # windows of γ: of the running mean of the peak; of the slope of the volume, to either side
COLUMNS = ("xx", "yy", "xy", "yx", "strain_xx", "strain_yy", "strain_xy", "void_ratio", "inertial", "unbalanced",
           "coordination", "backbone", "share", "sliding", "fabric_xx", "fabric_xy", "contact", "normal", "tangential",
           "branch")
SERIES = ("stress_xx", "stress_yy", "stress_xy", "stress_yx", "strain_xx", "strain_yy", "strain_xy", "void_ratio",
          "inertial_number", "mean_unbalanced_force", "coordination_pairs", "backbone_coordination_pairs",
          "backbone_share", "sliding_fraction", "fabric_xx", "fabric_xy")


def shear_case(loading, bodies, quick):
    """discs.toml, or the same with pentagons of equal area. Simple shear has another last stage: γ_xy at the same shear
    rate with the width held and the normal stress on the planes of shear. Quick: fewer bodies, faster, less strain."""
    tables = tomllib.loads((FOLDER / "discs.toml").read_text(encoding="utf-8"))
    if bodies == "pentagons":
        tables["title"] = tables["title"].replace("discs", bodies)
        tables["assembly"] |= {"shape": "polygon", "sides": 5}
    stage = tables["stage"][-1]
    if quick:
        tables["assembly"]["count"] = 300 if bodies == "discs" else 100
        stage["strain"] = 0.02
        stage["rate_yy"] *= 3
    if loading == "simple shear":
        tables["title"] += ": simple shear at constant normal stress instead"
        tables["stage"][-1] = {"name": stage["name"], "stress_yy": stage["stress_xx"], "rate_xy": -2 * stage["rate_yy"],
                               "strain": 2 * stage["strain"]}
    return dem.Case(tables)


def anisotropies(contacts, theta):
    """The sources of the strength (Rothenburg and Bathurst, Géotechnique 39 (1989) 601; Azéma et al., Phys. Rev. E 76
    (2007) 011301). The anisotropy of a tensor T is 2 (T_1 − T_2)/(T_1 + T_2), with 1 along the major compression at θ.
    contact: that of Σ n⊗n. normal: that of Σ f_n n⊗n less `contact`. tangential: the part that Σ f⊗n has beyond
    Σ f_n n⊗n. branch: that of Σ l⊗n less `contact`."""
    n, f, branch = (a[:, :2] for a in (contacts.normal, contacts.force, contacts.branch))

    def of(vectors):
        t = vectors.T @ n
        along = (t[0, 0] - t[1, 1]) * math.cos(2 * theta) + (t[0, 1] + t[1, 0]) * math.sin(2 * theta)
        return 2 * along / (t[0, 0] + t[1, 1])

    contact, normal = of(n), of(-(f * n).sum(axis=1, keepdims=True) * n)
    return [contact, normal - contact, of(-f) - normal, of(branch) - contact]


def direction(xy, difference):
    """Of the major axis (rad from x)."""
    return 0.5 * np.arctan2(xy, difference)


def test(loading, bodies, quick):
    """Packs and shears. Returns rows of COLUMNS, numbers of normals over their last tenth, and checks of the run."""
    case = shear_case(loading, bodies, quick)
    run, rows, normals, last = dem.Run(case, threads=1), [], np.zeros(BINS), [-1]

    def look(now):
        if now.step == last[0]:
            return
        last[0] = now.step
        row = [now.series[name] for name in SERIES]
        xx, yy, xy, yx = row[:4]
        if len(rows) >= 0.9 * ROWS:
            x, y = now.contacts.normal[:, 0], now.contacts.normal[:, 1]
            angle = np.arctan2(y, x) + np.where(y < 0, math.pi, 0)
            normals[:] += np.bincount(np.minimum((angle / math.pi * BINS).astype(int), BINS - 1), minlength=BINS)
        rows.append(row + anisotropies(now.contacts, direction(-0.5 * (xy + yx), -0.5 * (xx - yy))))

    @run.every(stage_end=True)
    def ends(now):
        look(now)

    # A little less, for rounding where a row is due just at the end of a step.
    interval = case["stage.shear.strain"] / ROWS * (1 - 1e-9)

    @run.every(strain=interval)
    def during(now):
        if now.stage == 2 and abs(now.strain) >= interval:  # a shortening passes 0 at its first step
            look(now)

    run()
    ledger = run.ledger
    return [rows, normals.tolist(), {
        "residual": abs(ledger["energy_residual"]) / ledger["absolute_work"],
        "circulation": abs(ledger["circulation"]) / ledger["absolute_work"], "servo": run.servo}]


def table(loading, rows):
    """Columns of the rows as arrays, strains from the start of the shear (dilation positive), with γ, sin φ and the
    axes of stress and fabric (rad)."""
    t = dict(zip(COLUMNS, np.array(rows).T))
    for name in ("strain_xx", "strain_yy", "strain_xy"):
        t[name] = t[name] - t[name][0]
    t["gamma"] = t["strain_xx"] - t["strain_yy"] if loading == "biaxial" else t["strain_xy"]
    t["pressure"] = -0.5 * (t["xx"] + t["yy"])
    t["sine"] = np.hypot(0.5 * (t["xx"] - t["yy"]), 0.5 * (t["xy"] + t["yx"])) / t["pressure"]
    t["compression"] = direction(-0.5 * (t["xy"] + t["yx"]), -0.5 * (t["xx"] - t["yy"]))
    t["fabric"] = direction(t["fabric_xy"], t["fabric_xx"] - 0.5)
    t["volume"] = t["strain_xx"] + t["strain_yy"]
    return t


def mean_between(t, low, high, values):
    return values[(t["gamma"] >= low) & (t["gamma"] <= high)].mean()


def at_end(t, values):
    """Mean over the last quarter of the strain, and its standard error from five blocks."""
    end, blocks = t["gamma"][-1], 5
    low, width = 0.75 * end, 0.25 * end / blocks
    means = np.array([mean_between(t, low + b * width, low + (b + 1) * width, values) for b in range(blocks)])
    return means.mean(), means.std() / math.sqrt(blocks - 1)


def peak_of(t):
    """γ and sin φ of the largest running mean."""
    inside = (t["gamma"] >= PEAK / 2) & (t["gamma"] <= t["gamma"][-1] - PEAK / 2)
    means = [(mean_between(t, g - PEAK / 2, g + PEAK / 2, t["sine"]), -g) for g in t["gamma"][inside]]
    sine, g = max(means)
    return -g, sine


def increment(t, gamma, window=SLOPE):
    """Change of ε_xx, ε_yy, γ_xy between the rows next to γ ∓ window, cut at the ends."""
    before, after = np.flatnonzero(t["gamma"] <= gamma - window), np.flatnonzero(t["gamma"] >= gamma + window)
    first, last = before[-1] if len(before) else 0, after[0] if len(after) else -1
    return [t[name][last] - t[name][first] for name in ("strain_xx", "strain_yy", "strain_xy")]


def dilatancy(xx, yy, xy):
    """sin ψ = dε_v/dγ of the increment, dγ the difference of the principal strains."""
    return (xx + yy) / math.hypot(xx - yy, xy)


def ratio(sine):
    return (1 + sine) / (1 - sine)


def between_axes(a, b):
    """Angle between two axes (degrees)."""
    return np.degrees(np.abs((a - b + math.pi / 2) % math.pi - math.pi / 2))


def angle(sine):
    return math.degrees(math.asin(sine))


def draw(run, tables, normals, case):
    panels = []
    for title, label, values in (
            ("stress ratio", "sin φ = q/p", lambda t: t["sine"]),
            ("volume change", "volumetric strain (%, dilation positive)", lambda t: 100 * t["volume"]),
            ("coordination", "touching bodies of a body, without rattlers", lambda t: t["backbone"]),
            ("fabric", "anisotropy of the contacts a_c", lambda t: t["contact"]),
            ("forces", "anisotropy of the forces a_n + a_t", lambda t: t["normal"] + t["tangential"])):
        curves = [curve(name, 100 * t["gamma"], values(t), "line") for name, t in tables.items()]
        panels.append(panel(title, "shear strain γ (%)", label, curves))
    middle, fine, curves = (np.arange(BINS) + 0.5) * math.pi / BINS, np.radians(np.arange(0, 181, 3)), []
    for name, counts in zip(tables, normals):
        density = np.array(counts) / sum(counts) * BINS
        cosine, sine = (2 * (density * f(2 * middle)).mean() for f in (np.cos, np.sin))
        form = 1 + cosine * np.cos(2 * fine) + sine * np.sin(2 * fine)
        curves += [curve(name, np.degrees(middle), density, "points"),
                   curve(name + ", second order", np.degrees(fine), form, "prediction")]
    panels.append(panel("directions of contacts", "angle from x (degrees)", "density of normals, 1: isotropic", curves))
    run.figure("Biaxial compression and simple shear at constant stress",
               f"{case['assembly.count']} discs and as many regular pentagons of the same sizes and friction 0.5 in a "
               "periodic cell, packed with friction 0.05, single runs. γ: difference of the principal strains in the "
               "biaxial compression, γ_xy in the simple shear. sin φ = (σ1 − σ2)/(σ1 + σ2). Lower right: normals over "
               "the last tenth of the strain; dashed: their second-order form.", panels, case=case.to_toml())


def mean_text(mean):
    return f"{mean[0]:.3f} ± {mean[1]:.3f}"


def strength(t):
    """Peak, end, and their sentence."""
    (gamma, top), end = peak_of(t), at_end(t, t["sine"])
    text = (f"{top:.3f} ({100 * gamma:.1f} %), {mean_text(end)}, i.e. σ1/σ2 {ratio(top):.2f} and {ratio(end[0]):.2f}, "
            f"φ {angle(top):.1f}° and {angle(end[0]):.1f}°")
    return {"gamma": gamma, "peak": top, "end": end, "text": text, "peaked": top > end[0] + 2 * end[1]}


def rowe(t, s):
    """Rowe's K at the peak and at the end, and the sentence."""
    at_peak, last = dilatancy(*increment(t, s["gamma"])), t["gamma"][-1]
    late = dilatancy(*increment(t, 0.875 * last, 0.125 * last))
    first = ratio(mean_between(t, s["gamma"] - SLOPE, s["gamma"] + SLOPE, t["sine"])) / ratio(at_peak)
    end = ratio(s["end"][0]) / ratio(late)
    text = f"ψ {angle(at_peak):.1f}° at the peak, {angle(late):.1f}° at the end, K {first:.2f} and {end:.2f}"
    return {"text": text, "off": abs(first / end - 1)}


def coordination(t):
    end = {name: at_end(t, t[name])[0] for name in ("backbone", "coordination", "share", "sliding")}
    return (f"{t['backbone'][0]:.2f} then {end['backbone']:.2f} without rattlers, {t['coordination'][0]:.2f} then "
            f"{end['coordination']:.2f} with; share of rattlers {100 * (1 - t['share'][0]):.1f} then "
            f"{100 * (1 - end['share']):.1f} %, sliding {100 * end['sliding']:.0f} %")


def volumes(t):
    return (f"{100 * min(t['volume'].min(), 0):.3f} % at least, {100 * t['volume'][-1]:.2f} % at the end "
            f"(e {t['void_ratio'][0]:.3f} to {t['void_ratio'][-1]:.3f})")


def coaxial(t):
    axes = [direction(-xy, -(xx - yy)) for xx, yy, xy in (increment(t, g) for g in t["gamma"])]
    return at_end(t, between_axes(np.array(axes), t["compression"]))[0]


def study(run):
    found = run.map("tests", test, [(*of, run.quick) for of in TESTS])
    names = [f"{loading}, {bodies}" for loading, bodies in TESTS]
    tables = {name: table(of[0], rows) for name, of, (rows, *_) in zip(names, TESTS, found)}
    checks = [check for *_, check in found]
    draw(run, tables, [normals for _, normals, _ in found], shear_case("biaxial", "pentagons", run.quick))
    every = list(tables.values())

    def each(texts):
        return "; ".join(f"{name}: {text}" for name, text in zip(names, texts))

    strengths = [strength(t) for t in every]
    ends, peaks = [s["end"] for s in strengths], [s["peak"] for s in strengths]
    unsymmetric = [(np.abs(t["xy"] - t["yx"]) / t["pressure"])[t["gamma"] > 0].max() for t in every]
    unbalanced = [mean_between(t, 0.1 * t["gamma"][-1], 1, t["unbalanced"]) for t in every]
    parts = [{part: at_end(t, t[part]) for part in ("contact", "normal", "tangential", "branch")} for t in every]
    forces = [at_end(t, t["normal"] + t["tangential"])[0] for t in every]
    sums = [(0.5 * sum(t[part] for part in parts[0]) / t["sine"])[t["gamma"] > 0.01].mean() for t in every]
    rowes = [rowe(t, s) for t, s in zip(every, strengths)]
    fabric = [at_end(t, between_axes(t["fabric"], t["compression"]))[0] for t in every]
    rates = [coaxial(t) for t in every]
    tangent = at_end(every[2], np.abs(every[2]["xy"] / every[2]["yy"]))
    shear = [math.degrees(at_end(t, t["compression"])[0]) for t in every[2:]]
    pairs = ((0, 1), (2, 3))  # discs and pentagons of a loading
    apart = [ends[2][0] / ends[0][0] - 1, ends[3][0] / ends[1][0] - 1]
    return {
        "full": not run.quick,
        "servo": max(c["servo"]["mean"] for c in checks),
        "servos": each(f"{c['servo']['mean']:.1e}" for c in checks),
        "servo_largest": max(c["servo"]["largest"] for c in checks),
        "unsymmetric": max(unsymmetric), "unsymmetric_text": each(f"{u:.1e}" for u in unsymmetric),
        "residual": max(c["residual"] for c in checks), "circulation": max(c["circulation"] for c in checks),
        "inertial": max(t["inertial"][t["gamma"] > 0].max() for t in every),
        "unbalanced": max(unbalanced), "unbalanced_text": each(f"{u:.1e}" for u in unbalanced),
        "strengths": each(s["text"] for s in strengths), "peaked": all(s["peaked"] for s in strengths),
        "void": [t["void_ratio"][0] for t in every[:2]],
        "tangent": tangent[0], "tangent_text": mean_text(tangent),
        "over": [peaks[1] / peaks[0], ends[1][0] / ends[0][0], peaks[3] / peaks[2], ends[3][0] / ends[2][0]],
        "stronger": all(ends[p][0] - ends[d][0] > 2 * math.hypot(ends[p][1], ends[d][1]) and peaks[p] > peaks[d]
                        for d, p in pairs),
        "parts": each(", ".join(f"a_{letter} {mean_text(p[part])}" for letter, part in
                                zip("cntl", ("contact", "normal", "tangential", "branch"))) for p in parts),
        "fabric_holds": all(parts[p]["contact"][0] < parts[d]["contact"][0] and forces[p] > forces[d]
                            for d, p in pairs),
        "sums": each(f"{s:.3f}" for s in sums), "sums_off": max(abs(s - 1) for s in sums),
        "volumes": each(map(volumes, every)),
        "turns": all(t["volume"].min() < 0 < t["volume"][-1] for t in every),
        "rowe": each(r["text"] for r in rowes), "rowe_off": max(r["off"] for r in rowes),
        "coordinations": each(map(coordination, every)),
        "between": all(t["backbone"][0] <= 4.15 and at_end(t, t["backbone"])[0] >= 3 for t in (every[0], every[2])),
        "fabric": each(f"{f:.1f}°" for f in fabric), "fabric_off": max(fabric),
        "rates": each(f"{r:.1f}°" for r in rates), "rates_off": max(rates), "shear": shear,
        "gamma": 100 * every[0]["gamma"][-1], "apart": [100 * a for a in apart], "apart_off": max(map(abs, apart)),
    }
