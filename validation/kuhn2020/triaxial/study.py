"""Triaxial compression of sphere clusters at constant mean stress, for the refined and the conventional law. One path
goes slowly to q/p = 0.8 and settles there, one goes on to the peak and beyond. Source: linear-frictional-contact
reference, §14."""

import time

import numpy as np

import clusters
import dem
from driver.study import curve, panel

LAWS = ("linear-refined", "linear")
PEAK_RATES = {True: (8e-6, 4e-6, 2e-6), False: (1e-6, 3e-7, 1e-7)}  # strain per step, quick and full


def path_case(quick, law, beyond):
    """To q/p = 0.8 and settled there, or (beyond) on to the peak without rest."""
    tables = clusters.tables(quick)
    tables["contact"]["law"] = law
    stages = clusters.path(quick, 4e-7 if quick else 5e-8, settle=not beyond)
    if beyond:
        on = stages[-1] | {"name": "beyond", "strain": 0.02 if quick else 0.025,
                           "rate_xx": -(8e-6 if quick else 1e-6) / clusters.time_step(quick)}
        on.pop("stress_ratio")
        stages.append(on)
    return dem.Case(tables | {"stage": stages})


def follow(quick, law, beyond):
    """Steps, seconds of computing and rows of a path."""
    run = dem.Run(path_case(quick, law, beyond), threads=1)
    rows = clusters.watch(run, (50 if quick else 20) * (10 if beyond else 1))
    start = time.monotonic()
    run()
    return [run.step, time.monotonic() - start, rows]


def peak(quick, rate):
    """Peak of q/p at a strain per step, its strain, and over the second half of the stage the mean unbalanced force and
    the viscous share of the loss."""
    case = path_case(quick, LAWS[0], True).to_dict()
    case["stage"][-1] |= {"rate_xx": -rate / clusters.time_step(quick), "strain": 0.012}
    run = dem.Run(case, threads=1)
    rows = run.record("stage", "strain_xx", "deviator_stress", "mean_pressure", "mean_unbalanced_force", "viscous_loss",
                      "friction_loss", steps=max(20, round(4e-5 / rate)))
    run()
    stage = rows["stage"]
    last, start = rows.rows[stage == stage[-1]], rows.rows[stage < stage[-1] - 1][-1]  # the relaxed state
    ratios = last[:, 2] / last[:, 3]
    half = last[len(last) // 2:]
    viscous, friction = half[-1, 5:7] - half[0, 5:7]
    return [ratios.max(), start[1] - last[ratios.argmax(), 1], half[:, 4].mean(),
            viscous / (viscous + friction)]


def stage(rows, back):
    """Columns of the stage that is `back` stages before the last one, by name, with q/p."""
    columns = dict(zip(clusters.COLUMNS, rows[rows[:, 0] == rows[-1, 0] - back].T))
    return columns | {"ratio": columns["q"] / columns["p"]}


def draw(run, cheap, beyond):
    panels = []
    for rows_of, back, scale, x_label, shown in (
            (cheap, 2, 1e6, "ε1 (1e-6)", (("to q/p = 0.8", "q/p", "ratio"),
                                          ("", "share of contacts sliding", "sliding"),
                                          ("", "mean unbalanced force", "unbalanced"))),
            (beyond, 1, 100, "ε1 (%)", (("full path", "q/p", "ratio"),
                                        ("", "volume change (contraction positive)", "volume"),
                                        ("", "share of contacts sliding", "sliding")))):
        of_law = [[np.concatenate([stage(rows, k)[name] for k in range(back, -1, -1)])
                   for name in ("strain", *(name for *_, name in shown))] for rows in rows_of]
        for k, (title, label, name) in enumerate(shown, 1):
            curves = [curve(law, scale * of[0], of[k], "line") for law, of in zip(LAWS, of_law)]
            panels.append(panel(title, x_label, label, curves, "y" if name == "unbalanced" else ""))
    run.figure("Triaxial compression at constant mean stress",
               f"{clusters.which(run.quick)}; p = 100 kPa, μ = {clusters.FRICTION:g}, k_t = k_n = "
               f"{clusters.STIFFNESS:.4g} N/m. Upper: to q/p = 0.8, then settled; below: on to large strain.", panels,
               case=path_case(run.quick, LAWS[0], True).to_toml())


def both(form, values, unit=""):
    return ", ".join(f"{value:{form}}{unit} {law}" for value, law in zip(values, LAWS))


def study(run):
    points = [(run.quick, law, beyond) for beyond in (False, True) for law in LAWS]
    steps, _, paths = zip(*run.map("paths", follow, points))
    paths = [np.array(rows) for rows in paths]
    cheap, beyond = paths[:2], paths[2:]
    draw(run, cheap, beyond)
    relaxed, loaded, settled = ([{name: of[-1] for name, of in stage(rows, back).items()} for rows in cheap]
                                for back in (3, 2, 0))
    loading = [stage(rows, 2) for rows in cheap]
    rates = PEAK_RATES[run.quick]
    peaks, strains, unbalanced, viscous = np.array(run.map("peaks", peak, [(run.quick, rate) for rate in rates])).T
    # The line through the two slowest.
    at_rest = peaks[2] - (peaks[1] - peaks[2]) * rates[2] / (rates[1] - rates[2])
    last = [stage(rows, 0)["ratio"] for rows in beyond]
    apart = np.abs(np.subtract(*(of[-min(map(len, last)):] for of in last)))  # counted from the end
    of_laws = [of.max() for of in last]
    real, which = clusters.is_real(run.quick), clusters.which(run.quick)
    percent = {name: both(".1f", [100 * row[key] for row in rows], " %")
               for name, rows, key in (("loading", loaded, "sliding"), ("at_limit", loaded, "at_limit"),
                                       ("settled", settled, "at_limit"))}
    return {
        "which": which, "real": real, "relaxed": relaxed[0], "settled": settled,
        "porosity": relaxed[0]["void_ratio"] / (1 + relaxed[0]["void_ratio"]),
        "here": "Whether it is the very assembly of the paper is not known." if real else
                f"{which}, so that numbers of the paper's assembly are only set beside it.",
        "percent": percent, "settled_percent": 100 * settled[0]["at_limit"],
        "unbalanced": max(of["unbalanced"][of["ratio"] >= 0.1].max() for of in loading),  # not the start of the motion
        "settled_text": both(".1e", [row["unbalanced"] for row in settled]),
        "quasi_static": max(row["unbalanced"] for row in settled) <= 1e-5,
        "rate": 4e-7 if run.quick else 5e-8, "steps": steps, "law_peaks": both(".3f", of_laws),
        "peaks": peaks, "rates": rates, "at_rest": at_rest, "peak_off": abs(at_rest - peaks[2]),
        "peak_strain": 100 * strains[2], "peak_unbalanced": unbalanced, "viscous": 100 * viscous,
        "apart": [apart.mean(), apart.max()], "peaks_apart": abs(of_laws[1] / of_laws[0] - 1),
    }
