"""Fig. 8: oblique loading and unloading (U2) with the Jäger contact in four steps, and incremental models beside it in
more and more steps. Source: jaeger-contact reference, §14."""

import numpy as np

from driver.digits import agrees_with_print, csv_rows, log_slope
from driver.study import curve, panel
from jaeger import CHORDS, along, drive, in_parts, limit, material, normal_force, oblique, reach

M, Z = material(1.0, 0.5, 0.5), 0.01
NAMES = {"jaeger": "Jäger", "turning-points": "turning points (A)", "single-reversal": "single reversal (B)",
         "none": "no memory"}
PARTS = [n * 10**k for k in range(4) for n in (1, 2, 5)]


def states_of(model, moves, parts):
    """A contact pressed to ζ_0, then each move in equal parts."""
    moves = np.vstack([along([(Z, 0)]), in_parts(moves, parts, Z)])
    if model == "jaeger":
        return drive(M, moves)
    return drive({**M, "memory": model}, moves, "hertz-mindlin")


def stations(model, moves, parts):
    """F_t/(f F_n) at the end of every move."""
    states = states_of(model, moves, parts)
    return (states.tangential[:, 0] / limit(M, states).clip(1e-300))[1 + parts:: parts]


def all_agree(printed, found):
    return all(agrees_with_print(text, value) for text, value in zip(printed, found))


def listed(values):
    return ", ".join(f"{v:.6f}" for v in values)


def printed_table(file):
    """Rows of the printed stations by model and steps per chord."""
    return {(row["model"], int(row["parts"])): [row[f"station_{k}"] for k in (1, 2, 3, 4)] for row in csv_rows(file)}


def errors_of(moves):
    """Differences from the Jäger contact in one step per move, at each station, by model: (parts, stations)."""
    exact = stations("jaeger", moves, 1)
    return {model: np.array([np.abs(stations(model, moves, n) - exact) for n in PARTS]) for model in NAMES}


def orders(errors):
    """At each station, over the last decade."""
    return [-log_slope(PARTS[-4:], column[-4:]) for column in errors.T]


def path_curve(label, model, moves, parts, style):
    """F_t/(f F_0) over ξ/(κ f ζ_0)."""
    states = states_of(model, moves, parts)
    x = np.concatenate([[0], np.cumsum(in_parts(moves, parts, Z)[:, 1])]) / reach(M, Z)
    return curve(label, x, states.tangential[1:, 0] / limit(M, states)[1], style)


def error_panel(title, errors):
    curves = [curve(NAMES[model], PARTS, np.maximum(e.max(axis=1), 1e-17)) for model, e in errors.items()]
    ends = np.array([PARTS[0], PARTS[-1]])
    first = 2 * errors["turning-points"][2].max() * PARTS[2] / ends
    return panel(title, "steps per movement", "largest |ΔF_t|/(f F_n) at the stations",
                 [*curves, curve("first order", ends, first, "prediction")], "xy")


def draw(run, errors):
    exact = oblique(M, Z, 4, 0.9)
    n0, most = exact["start"], M["friction"] * exact["start"]
    forces = []
    for model in NAMES:
        states = states_of(model, CHORDS, 1)
        forces.append(curve(NAMES[model], states.normal_force[1:] / n0, states.tangential[1:, 0] / most,
                            "points"))
    ends = np.array([exact["end"], exact["turn"]])
    forces += [curve("", ends / n0, exact["force"](ends) / most, "prediction"),
               curve("", [0.85, 1.15, np.nan, 0.85, 1.15], [0.85, 1.15, np.nan, -0.85, -1.15], "prediction")]
    panels = [panel("one step per chord; dotted: ±f F_n", "F_n/F_0", "F_t/(f F_0)", forces)]
    moves = exact["moves"](200)
    theory = curve("Mindlin, Deresiewicz", [0, *(np.cumsum(moves[:, 1]) / reach(M, Z))],
                   [0, *(exact["force"](normal_force(M, moves[:, 0])) / most)], "prediction")
    for parts, title in ((1, "one step per chord"), (5, "five steps per chord")):
        style = "points" if parts == 1 else "line-and-points"
        curves = [path_curve(NAMES[model], model, CHORDS, parts, style) for model in NAMES]
        panels.append(panel(title, "ξ/(κ f ζ_0)", "F_t/(f F_0)", [*curves, theory]))
    run.figure("Oblique loading and unloading: the Jäger contact in four steps and incremental models",
               "A contact pressed to F_0 is sheared with dF_t/dF_n = 4 to F_t = 0.9 f F_n (B) and back to −0.9 f F_n "
               "(D); ν = 0.5, f = 0.5, ζ_0 = 0.01 R. Dashed: Mindlin and Deresiewicz, and the limit of friction. "
               "Points: the ends of the steps, one, then five for each of the four chords. Lower right: largest error "
               "at the four stations; the error of the Jäger contact is rounding at any number of steps.",
               [*panels, error_panel("error", errors)])


def study(run):
    printed = printed_table(run.folder / "stations.csv")
    keys = [key for key in printed if key[0] == "turning-points"]
    found = {key: stations(key[0], CHORDS, key[1]) for key in keys}
    exact = [stations("jaeger", CHORDS, n) for n in (1, 5, 50, 5000)]
    jaeger_print = ["0.476821", "0.900000", "0.101250", "-0.900000"]
    errors = errors_of(CHORDS)
    order = {model: orders(errors[model]) for model in ("turning-points", "single-reversal")}
    draw(run, errors)
    return {
        "a": {"printed": "; ".join(f"{n} steps: {', '.join(printed[key])}" for key in keys for n in key[1:]),
              "found": "; ".join(f"{n}: {listed(found[key])}" for key in keys for n in key[1:]),
              "off": max(abs(v - float(p)) for key in keys for v, p in zip(found[key], printed[key])),
              "holds": all(all_agree(printed[key], found[key]) for key in keys)},
        "parts": [PARTS[-4], PARTS[-1]],
        "jaeger": listed(exact[0]), "spread": max(np.abs(e - exact[0]).max() for e in exact),
        "jaeger_holds": all(all_agree(jaeger_print, e) for e in exact),
        "orders": "; ".join(f"{NAMES[model]}: " + " ".join(f"{n:.3f}" for n in of) for model, of in order.items()),
        "order_holds": all(0.85 < n < 1.15 for of in order.values() for n in of),
    }
