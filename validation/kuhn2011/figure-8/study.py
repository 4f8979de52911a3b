"""Fig. 8: oblique loading and unloading (U2) with the Jäger contact in four steps, and incremental models beside it in
more and more steps. Source: jaeger-contact reference, §14."""

import numpy as np

from driver.digits import agrees_with_print, csv_rows
from driver.study import curve, panel
from jaeger import along, drive, in_parts, limit, normal_force, oblique, reach, table

M, (_, *CHORDS), _ = table("U2")  # the first move presses the contact to ζ_0
Z = 0.01
NAMES = {"jaeger": "Jäger", "turning-points": "turning points (A)", "single-reversal": "single reversal (B)",
         "none": "no memory"}
PARTS = [n * 10**k for k in range(4) for n in (1, 2, 5)]


def states_of(model, parts):
    """A contact pressed to ζ_0, then each chord in equal parts."""
    moves = np.vstack([along([(Z, 0)]), in_parts(CHORDS, parts, Z)])
    if model == "jaeger":
        return drive(M, moves)
    return drive({**M, "memory": model}, moves, "hertz-mindlin")


def stations(model, parts):
    """F_t/(f F_n) at the end of every chord."""
    states = states_of(model, parts)
    return (states.tangential[:, 0] / limit(M, states).clip(1e-300))[1 + parts:: parts]


def all_agree(printed, found):
    return all(agrees_with_print(text, value) for text, value in zip(printed, found))


def listed(values):
    return ", ".join(f"{v:.6f}" for v in values)


def draw(run, errors):
    exact = oblique(M, Z, 4, 0.9)
    n0, most, moves = exact["start"], M["friction"] * exact["start"], exact["moves"](200)
    x = np.cumsum(np.vstack([np.zeros(3), in_parts(CHORDS, 5, Z)])[:, 1]) / reach(M, Z)
    forces, paths = [], []
    for model, name in NAMES.items():
        one, five = states_of(model, 1), states_of(model, 5)
        forces.append(curve(name, one.normal_force[1:] / n0, one.tangential[1:, 0] / most, "points"))
        paths.append(curve(name, x, five.tangential[1:, 0] / most))
    ends = np.array([exact["end"], exact["turn"]])
    forces += [curve("", ends / n0, exact["force"](ends) / most, "prediction"),
               curve("", [0.85, 1.15, np.nan, 0.85, 1.15], [0.85, 1.15, np.nan, -0.85, -1.15], "prediction")]
    paths.append(curve("Mindlin, Deresiewicz", [0, *(np.cumsum(moves[:, 1]) / reach(M, Z))],
                       [0, *(exact["force"](normal_force(M, moves[:, 0])) / most)], "prediction"))
    largest = [curve(NAMES[model], PARTS, np.maximum(e.max(axis=1), 1e-17)) for model, e in errors.items()]
    ends = np.array([PARTS[0], PARTS[-1]])
    first = 2 * errors["turning-points"][2].max() * PARTS[2] / ends
    largest.append(curve("first order", ends, first, "prediction"))
    run.figure("Oblique loading and unloading: the Jäger contact in four steps and incremental models",
               "A contact pressed to F_0 is sheared with dF_t/dF_n = 4 to F_t = 0.9 f F_n (B) and back to −0.9 f F_n "
               "(D); ν = 0.5, f = 0.5, ζ_0 = 0.01 R. Dashed: Mindlin and Deresiewicz, and the limit of friction. "
               "Points: the ends of the steps, one, then five for each of the four chords. Last: largest error at the "
               "four stations; the error of the Jäger contact is rounding at any number of steps.",
               [panel("one step per chord; dotted: ±f F_n", "F_n/F_0", "F_t/(f F_0)", forces),
                panel("five steps per chord", "ξ/(κ f ζ_0)", "F_t/(f F_0)", paths),
                panel("error", "steps per movement", "largest |ΔF_t|/(f F_n) at the stations", largest, "xy")])


def study(run):
    printed = {int(row["parts"]): [row[f"station_{k}"] for k in (1, 2, 3, 4)]
               for row in csv_rows(run.folder / "stations.csv") if row["model"] == "turning-points"}
    found = {n: stations("turning-points", n) for n in printed}
    exact = [stations("jaeger", n) for n in (1, 5, 50, 5000)]
    jaeger_print = ["0.476821", "0.900000", "0.101250", "-0.900000"]
    # Differences from the Jäger contact in one step per chord, by model: numbers of steps, stations.
    errors = {model: np.array([np.abs(stations(model, n) - exact[0]) for n in PARTS]) for model in NAMES}
    draw(run, errors)
    return {
        "a": {"printed": "; ".join(f"{n} steps: {', '.join(texts)}" for n, texts in printed.items()),
              "found": "; ".join(f"{n}: {listed(values)}" for n, values in found.items()),
              "off": max(abs(v - float(p)) for n in printed for v, p in zip(found[n], printed[n])),
              "holds": all(all_agree(printed[n], found[n]) for n in printed)},
        "jaeger": listed(exact[0]), "spread": max(np.abs(e - exact[0]).max() for e in exact),
        "jaeger_holds": all(all_agree(jaeger_print, e) for e in exact),
    }
