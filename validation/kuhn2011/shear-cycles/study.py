"""Small cycles of simple shear at constant volume with the exact law, merged histories and the usual approximations:
secant modulus and damping against amplitude and number of cycles, on packings of some seeds."""

import math

import numpy as np

import dem
from driver.seeds import SeedMean
from driver.study import curve, panel
from spheres import (BOUNDED, EXACT, FIFTH, LAWS, NONE, PRESSURE, STEP, TENTH, make_packing, springs, tables_of,
                     walton_modulus)

LINEAR = "linear"
MERGED = (TENTH, FIFTH, BOUNDED)
# Amplitude of γ, steps from zero to it, cycles, and steps of rest before the first.
QUICK = [(1e-5, 100, 2, 500), (1e-4, 100, 2, 500), (1e-3, 100, 2, 500)]
FULL = [(1e-5, 250, 20, 3000), (3e-5, 250, 5, 3000), (1e-4, 250, 20, 3000), (3e-4, 250, 5, 3000), (1e-3, 500, 20, 3000)]


def cycles_case(packing, law, amplitude, quarter, cycles, rest):
    """A rest, in which mass damping takes the motion that is left; then cycles 0 → γ → −γ → 0 of γ_xy at a constant
    rate. Dashpots take energy as well, which is not measured: a restitution of 0.97."""
    parts = [1, *cycles * [-2, 2]]
    parts[-1] = 1
    rate = amplitude / (quarter * STEP)
    stages = [{"mass_damping": 0.02 / STEP, "duration": rest * STEP}]
    stages += [{"rate_xy": math.copysign(rate, part), "strain": abs(part) * amplitude} for part in parts]
    tables = tables_of(packing, 0.97) | {
        "title": f"{len(packing[1])} spheres, cycles of simple shear of {amplitude:g}, {law}", "stage": stages}
    if law == LINEAR:
        material = {key: tables["material"][key] for key in ("density", "friction", "restitution")}
        return dem.Case(tables | {"contact": {"law": LINEAR}, "material": material | springs(packing)})
    return dem.Case(tables | {"contact": LAWS[law]})


def loop_values(strain, stress):
    """Secant modulus (Pa), the slope between the points of largest and smallest strain, and damping ratio: the loss of
    the loop over 4π times the energy ½ G γ² at its amplitude, half of its width."""
    low, high = strain.argmin(), strain.argmax()
    width = strain[high] - strain[low]
    modulus = (stress[high] - stress[low]) / width
    work = (0.5 * (stress[1:] + stress[:-1]) * np.diff(strain)).sum()
    return modulus, work / (2 * math.pi * modulus * (0.5 * width) ** 2)


def shear(packing, law, amplitude, quarter, cycles, rest):
    """Modulus and damping of each cycle, with its losses by friction and by dashpots; and the last loop."""
    run, every = dem.Run(cycles_case(packing, law, amplitude, quarter, cycles, rest), threads=1), max(1, quarter // 50)
    record = run.record("step", "strain_xy", "stress_xy", "stress_yx", "friction_loss", "event_loss", "viscous_loss",
                        steps=every)
    run()
    rows, part, values = record.rows[record["step"] >= rest], 4 * quarter // every, []
    if len(rows) != cycles * part + 1:
        raise RuntimeError(f"{cycles} cycles of shear were asked for, {(len(rows) - 1) / part:g} were made: a stage "
                           "has another number of steps than its strain says")
    strain, stress = rows[:, 1] - rows[0, 1], 0.5 * (rows[:, 2] + rows[:, 3])
    losses = np.column_stack([rows[:, 4] + rows[:, 5], rows[:, 6]])
    for start in range(0, cycles * part, part):
        loop = slice(start, start + part + 1)
        modulus, damping = loop_values(strain[loop], stress[loop])
        scale = 2 * math.pi * modulus * amplitude * amplitude * np.prod(packing[0])
        values.append([modulus, damping, *(losses[start + part] - losses[start]) / scale])
    return {"cycles": values, "loop": np.column_stack([strain[loop], stress[loop]]).tolist()}


def all_amplitudes(quick, packing, law, slower):
    """The cycles of all amplitudes with one law on one packing; `slower` times the steps."""
    return [shear(packing, law, amplitude, slower * quarter, cycles, rest)
            for amplitude, quarter, cycles, rest in (QUICK if quick else FULL)]


def cycle_of(packings, k):
    """Values of cycle k of one law by packing and amplitude: secant modulus, damping ratio without the loss of the
    dashpots (dry), friction alone, and the share of the dashpots."""
    modulus, damping, friction, viscous = np.moveaxis([[of["cycles"][k] for of in found] for found in packings], -1, 0)
    return {"modulus": modulus, "dry": damping - viscous, "friction": friction, "viscous": viscous / damping}


def mean_of(values):
    """With its standard error over the packings, at each amplitude."""
    return np.mean(values, axis=0), np.std(values, axis=0, ddof=1) / math.sqrt(len(values))


def draw(run, runs, amplitudes, fifth, spheres):
    loops, moduli, dampings = [], [], []
    stiffest = mean_of(fifth[EXACT]["modulus"])[0][0]
    for law, packings in runs.items():
        strain, stress = np.array(packings[0][-1]["loop"]).T
        loops.append(curve(law, 1e3 * strain, stress / PRESSURE, "line"))
        for curves, key, unit in ((moduli, "modulus", stiffest), (dampings, "dry", 1)):
            y, error = np.array(mean_of(fifth[law][key])) / unit
            curves.append(curve(law, amplitudes, y, low=y - error, high=y + error))
    first = mean_of(fifth[EXACT]["dry"])[0][0]
    dampings.append(curve("jaeger, in proportion to γ", [1e-5, 1e-4], [first, 10 * first], "prediction"))
    run.figure("Cycles of simple shear at constant volume: modulus and damping with exact and approximate tangential "
               "forces",
               f"{len(packings)} packings of {spheres} spheres, compressed without friction to p = 100 kPa; G = 29 "
               "GPa, ν = 0.15, f = 0.5, friction from the first cycle on. Damping: area of the loop less the loss of "
               "the dashpots, over 4π times ½ G γ². Bars: standard error over the packings. Against amplitude: cycle "
               "5, 2 in quick sets. Loops: first packing, last cycle.",
               [panel("loop, amplitude 1e-3", "γ (1e-3)", "τ/p", loops),
                panel("secant modulus", "amplitude of γ", "G over that of jaeger at 1e-5", moduli, "x"),
                panel("damping", "amplitude of γ", "damping ratio", dampings, "xy")])


def study(run):
    choices, count, seeds = (QUICK, 100, 2) if run.quick else (FULL, 1000, 3)
    packings = run.map("packings", make_packing, [(count, 11 + k) for k in range(seeds)])
    laws, amplitudes = (EXACT, *MERGED, NONE, LINEAR), np.array([c[0] for c in choices])
    points = [(run.quick, packing, law, 1) for law in laws for packing in packings]
    *found, slow = run.map("cycles", all_amplitudes, [*points, (run.quick, packings[0], EXACT, 2)])
    runs = {law: found[k * seeds:(k + 1) * seeds] for k, law in enumerate(laws)}
    first, fifth, last = ({law: cycle_of(of, k) for law, of in runs.items()}
                          for k in (0, min(4, choices[0][2] - 1), -1))
    draw(run, runs, amplitudes, fifth, count)

    def each(form, *columns):
        return "; ".join(f"{amplitude:.0e}: " + form.format(*of) for amplitude, *of in zip(amplitudes, *columns))

    off = {law: [mean_of(last[law][key] / last[EXACT][key] - 1) for key in ("modulus", "dry")]
           for law in (*MERGED, NONE)}
    differences = {law: each("G {:+.2f} ± {:.2f} %, damping {:+.2f} ± {:.2f} %", *(100 * of for m in both for of in m))
                   for law, both in off.items()}
    # Of a law at each amplitude, over the loss of the exact law in the last cycle, packing by packing.
    none, linear = ([SeedMean(of) for of in (last[law]["dry"] / last[EXACT]["dry"]).T] for law in (NONE, LINEAR))
    moduli, contacts = np.transpose([walton_modulus(packing) for packing in packings])
    stiff = first[EXACT]["modulus"][:, 0]
    slower = {(key, k): cycle_of([slow], k)[key][0] / cycle_of(runs[EXACT], k)[key][0] - 1
              for key in ("modulus", "dry") for k in (0, -1)}
    low, high = mean_of(fifth[EXACT]["dry"])[0][:2]
    return {
        "full": not run.quick, "none": none[0], "none_text": differences[NONE],
        "none_share": [none[0].text(), last[NONE]["friction"][:, 0].mean() / last[EXACT]["dry"][:, 0].mean()],
        "linear": linear[0], "linear_share": linear[0].text(2),
        "linear_shares": each("{}", [of.text(2) for of in linear]),
        "linear_text": each("{:.5f} ± {:.5f}", *mean_of(last[LINEAR]["dry"])),
        "merged": "".join(f"{law}: {differences[law]}. " for law in MERGED),
        "merged_off": max(abs(mean).max() for law in MERGED for mean, _ in off[law]),
        "stiff": stiff.mean() / 1e6, "walton": moduli.mean() / 1e6, "contacts": contacts.mean(),
        "ratio": SeedMean(stiff / moduli), "ratio_text": SeedMean(stiff / moduli).text(3),
        "rates": each("G {:+.2f} % and {:+.2f} %, damping {:+.1f} % and {:+.1f} %",
                      *(100 * of for of in slower.values())),
        "viscous": 100 * max(0, *last[EXACT]["viscous"].mean(axis=0)),
        "slower": [abs(slower[key, -1]).max() for key in ("modulus", "dry")],
        "power": math.log(high / low) / math.log(amplitudes[1] / amplitudes[0]),
    }
