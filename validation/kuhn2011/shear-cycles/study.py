"""Small cycles of simple shear at constant volume with the exact law, merged histories and the usual approximations:
secant modulus and damping against amplitude and number of cycles, on packings of some seeds."""

import math

import numpy as np

import dem
from driver.seeds import SeedMean
from driver.study import curve, panel
from spheres import BOUNDED, EXACT, LAWS, POISSON_RATIO, PRESSURE, SHEAR_MODULUS, STEP, USUAL, make_packing, tables_of

TURNING, NONE, LINEAR = "hertz-mindlin, turning points", "hertz-mindlin, no memory", "linear"
# Amplitude of γ, steps from zero to it, cycles, and steps of rest before the first.
QUICK = [(1e-5, 100, 2, 500), (1e-4, 100, 2, 500), (1e-3, 100, 2, 500)]
FULL = [(1e-5, 250, 20, 3000), (3e-5, 250, 5, 3000), (1e-4, 250, 20, 3000), (3e-4, 250, 5, 3000), (1e-3, 500, 20, 3000)]
MODULUS, DAMPING, BY_FRICTION, VISCOUS = range(4)


def contacts_of(packing):
    """Overlaps (m) and normal forces (N) of a packing at rest."""
    run = dem.Run(dem.Case(tables_of(packing) | {"stage": [{"duration": STEP}]}), threads=1)
    with run.look() as now:
        return now.contacts.overlap.copy(), now.contacts.normal_force.copy()


def springs(packing):
    """Of law linear: the normal stiffness that carries the pressure of the packing, and the tangential one without slip
    (N/m)."""
    overlap, force = contacts_of(packing)
    normal = float(force.sum() / overlap.sum())
    return {"normal_stiffness": normal, "tangential_stiffness": normal * 2 * (1 - POISSON_RATIO) / (2 - POISSON_RATIO)}


def cycles_case(packing, law, amplitude, quarter, cycles, rest):
    """A rest, in which mass damping takes the motion that is left; then cycles 0 → γ → −γ → 0 of γ_xy at a constant
    rate. Dashpots take energy as well, which is not measured: a restitution of 0.97."""
    rate = amplitude / (quarter * STEP)

    def sheared(sign, strain):
        return {"name": "forth" if sign > 0 else "back", "rate_xy": sign * rate, "strain": strain}

    stages = [{"name": "rest", "mass_damping": 0.02 / STEP, "duration": rest * STEP}, sheared(1, amplitude)]
    for k in range(cycles):
        stages += [sheared(-1, 2 * amplitude), sheared(1, (2 if k + 1 < cycles else 1) * amplitude)]
    for k, stage in enumerate(stages[1:], 1):
        stage["name"] += f" {k}"
    tables = tables_of(packing, 0.97) | {
        "title": f"{len(packing[1])} spheres, cycles of simple shear of {amplitude:g}, {law}", "stage": stages}
    if law == LINEAR:
        material = {key: tables["material"][key] for key in ("density", "friction", "restitution")}
        return dem.Case(tables | {"contact": {"law": LINEAR}, "material": material | springs(packing)})
    return dem.Case(tables | {"contact": LAWS[law]})


def loop_values(loop):
    """Secant modulus (Pa), the slope between the points of largest and smallest strain, and damping ratio: the loss of
    the loop over 4π times the energy ½ G γ² at its amplitude, half of its width."""
    strain, stress = np.array(loop).T
    low, high = strain.argmin(), strain.argmax()
    width = strain[high] - strain[low]
    modulus = (stress[high] - stress[low]) / width
    work = (0.5 * (stress[1:] + stress[:-1]) * np.diff(strain)).sum()
    return modulus, work / (2 * math.pi * modulus * (0.5 * width) ** 2)


def shear(packing, law, amplitude, quarter, cycles, rest):
    """Values of each cycle, with its losses by friction and by dashpots; and the last loop."""
    run = dem.Run(cycles_case(packing, law, amplitude, quarter, cycles, rest), threads=1)
    length = 4 * quarter
    every, values, loops, loop, books = max(1, length // 200), [], [], [], []
    start = {}

    @run.every(steps=every)
    def watch(now):
        done, s = now.step - rest, now.series
        if done < 0:
            return
        if done == 0:
            start.update(strain=s["strain_xy"], volume=abs(np.linalg.det(now.cell_vectors)))
        loop.append((s["strain_xy"] - start["strain"], 0.5 * (s["stress_xy"] + s["stress_yx"])))
        if done % length:
            return
        books.append((s["friction_loss"] + s["event_loss"], s["viscous_loss"]))
        if done == 0:
            return
        modulus, damping = loop_values(loop)
        scale = 2 * math.pi * modulus * amplitude * amplitude * start["volume"]
        values.append([modulus, damping, *((b - a) / scale for a, b in zip(*books[-2:]))])
        loops.append(list(loop))
        loop[:] = loop[-1:]

    run()
    if len(values) != cycles:
        raise RuntimeError(f"{cycles} cycles of shear were asked for, {len(values)} were made: a stage has another "
                           "number of steps than its strain says")
    return {"cycles": values, "loop": loops[-1]}


def all_amplitudes(quick, packing, law, slower):
    """The cycles of all amplitudes with one law on one packing; `slower` times the steps."""
    return [shear(packing, law, amplitude, slower * quarter, cycles, rest)
            for amplitude, quarter, cycles, rest in (QUICK if quick else FULL)]


def walton_modulus(packing):
    """Shear modulus of Walton's effective medium of perfectly rough equal spheres (J. Mech. Phys. Solids 35 (1987)
    213), in which all spheres move as the mean does, and contacts a sphere."""
    contacts = 2 * len(contacts_of(packing)[0]) / len(packing[1])
    lame = 2 * SHEAR_MODULUS * POISSON_RATIO / (1 - 2 * POISSON_RATIO)
    a, b = ((1 / SHEAR_MODULUS + sign / (SHEAR_MODULUS + lame)) / (4 * math.pi) for sign in (-1, 1))
    solid = 1 / (1 + packing[3])
    bulk = np.cbrt(3 * solid**2 * contacts**2 * PRESSURE / (math.pi**4 * b**2)) / 6
    return 0.6 * bulk * (5 * b + a) / (2 * b + a), contacts


def mean_of(values):
    """With its standard error over the packings."""
    values = np.array(values)
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else 0.0
    return values.mean(), error


def percent(mean):
    return f"{100 * mean[0]:+.2f} ± {100 * mean[1]:.2f} %"


def modulus(c):
    return c[MODULUS]


def dry(c):
    """Damping ratio without the loss of the dashpots."""
    return c[DAMPING] - c[VISCOUS]


def over(runs, law, amplitude, cycle, value):
    """A value of a cycle, over the packings. Runs: by law, packing and amplitude."""
    return mean_of([value(of[amplitude]["cycles"][cycle]) for of in runs[law]])


def against(runs, law, amplitude, cycle, value):
    """The same over that of the exact law, minus 1, packing by packing."""
    pairs = [(of[amplitude]["cycles"][cycle], exact[amplitude]["cycles"][cycle])
             for of, exact in zip(runs[law], runs[EXACT])]
    return mean_of([value(a) / value(b) - 1 for a, b in pairs])


def draw(run, runs, choices, spheres, packings):
    amplitudes = [c[0] for c in choices]
    small, middle, large = (amplitudes.index(a) for a in (1e-5, 1e-4, 1e-3))
    fifth = min(4, choices[0][2] - 1)
    stiffest = over(runs, EXACT, small, fifth, modulus)[0]
    panels = [panel("loop, amplitude 1e-3", "γ (1e-3)", "τ/p", []),
              panel("loop without its secant, amplitude 1e-4", "γ over its amplitude", "(τ − Gγ)/(G times amplitude)",
                    []),
              panel("secant modulus", "amplitude of γ", "G over that of jaeger at 1e-5", [], "x"),
              panel("damping", "amplitude of γ", "damping ratio", [], "xy"),
              panel("damping in the course of cycles, 1e-4", "cycle", "damping ratio", []),
              panel("modulus in the course of cycles, 1e-3", "cycle", "G (MPa)", [])]
    for law in runs:
        strain, stress = np.array(runs[law][0][large]["loop"]).T
        panels[0]["curves"].append(curve(law, 1e3 * strain, stress / PRESSURE, "line"))
        strain, stress = np.array(runs[law][0][middle]["loop"]).T
        g, low, high = runs[law][0][middle]["cycles"][-1][MODULUS], strain.argmin(), strain.argmax()
        centre, width = 0.5 * (stress[high] + stress[low]), 0.5 * (strain[high] - strain[low])
        panels[1]["curves"].append(curve(law, strain / width, (stress - centre - g * strain) / (g * width), "line"))
        for place, x, means, unit in (
                (2, amplitudes, [over(runs, law, a, fifth, modulus) for a in range(len(choices))], stiffest),
                (3, amplitudes, [over(runs, law, a, fifth, dry) for a in range(len(choices))], 1),
                (4, range(1, choices[middle][2] + 1),
                 [over(runs, law, middle, k, dry) for k in range(choices[middle][2])], 1),
                (5, range(1, choices[large][2] + 1),
                 [over(runs, law, large, k, modulus) for k in range(choices[large][2])], 1e6)):
            y, error = np.array(means).T / unit
            panels[place]["curves"].append(curve(law, x, y, low=y - error, high=y + error))
    first = over(runs, EXACT, small, fifth, dry)[0]
    panels[3]["curves"].append(curve("jaeger, in proportion to γ", [1e-5, 1e-4], [first, 10 * first], "prediction"))
    run.figure("Cycles of simple shear at constant volume: modulus and damping with exact and approximate tangential "
               "forces",
               f"{packings} packings of {spheres} spheres, compressed without friction to p = 100 kPa; G = 29 GPa, ν = "
               f"0.15, f = 0.5, friction from the first cycle on. Damping: area of the loop less the loss of the "
               f"dashpots, over 4π times ½ G γ². Bars: standard error over the packings. Against amplitude: cycle "
               f"{fifth + 1}. Loops: first packing, last cycle; the second one without its secant line.", panels)


def study(run):
    choices, count, seeds = (QUICK, 100, 2) if run.quick else (FULL, 1000, 3)
    packings = run.map("packings", make_packing, [(count, 11 + k) for k in range(seeds)])
    points = [(run.quick, packing, law, 1) for law in (*LAWS, LINEAR) for packing in packings]
    points.append((run.quick, packings[0], EXACT, 2))
    *found, slow = run.map("cycles", all_amplitudes, points)
    runs = {law: found[k * seeds:(k + 1) * seeds] for k, law in enumerate((*LAWS, LINEAR))}
    draw(run, runs, choices, count, seeds)
    amplitudes = [c[0] for c in choices]
    small, middle = amplitudes.index(1e-5), amplitudes.index(1e-4)

    def each(text):
        return "; ".join(f"{amplitude:.0e}: {text(a)}" for a, amplitude in enumerate(amplitudes))

    def differences(law, cycle=-1):
        return each(lambda a: f"G {percent(against(runs, law, a, cycle, modulus))}, damping "
                              f"{percent(against(runs, law, a, cycle, dry))}")

    def largest(law, of):
        return max(abs(against(runs, law, a, -1, f)[0]) for a in of for f in (modulus, dry))

    def slower(a, cycle, f):
        return f(slow[a]["cycles"][cycle]) / f(runs[EXACT][0][a]["cycles"][cycle]) - 1

    def rates(a):
        g, d = ([100 * slower(a, cycle, f) for cycle in (0, -1)] for f in (modulus, dry))
        return f"G {g[0]:+.2f} % and {g[1]:+.2f} %, damping {d[0]:+.1f} % and {d[1]:+.1f} %"

    def share(law, a):
        """Loss of a law over that of the exact law in the last cycle, packing by packing."""
        return SeedMean([dry(of[a]["cycles"][-1]) / dry(exact[a]["cycles"][-1])
                         for of, exact in zip(runs[law], runs[EXACT])])

    merged = ("jaeger, merged 0.10 f", "jaeger, merged 0.20 f", BOUNDED)
    at = range(len(amplitudes))
    exact_dry = over(runs, EXACT, small, -1, dry)[0]
    walton = [walton_modulus(packing) for packing in packings]
    theory, stiff = mean_of([g for g, _ in walton])[0], over(runs, EXACT, small, 0, modulus)[0]
    ratio = SeedMean([modulus(of[small]["cycles"][0]) / g for of, (g, _) in zip(runs[EXACT], walton)])
    reversal = [against(runs, USUAL, a, -1, dry) for a in (small, middle)]
    values = {
        "full": not run.quick, "reversal": [differences(USUAL), differences(USUAL, 0)],
        "misses": all(abs(m) > max(0.1, 2 * error) for m, error in reversal),
        "turning": differences(TURNING), "turning_off": largest(TURNING, (small, middle)),
        "none": share(NONE, small), "none_share": [
            share(NONE, small).text(),
                 over(runs, NONE, small, -1, lambda c: c[BY_FRICTION])[0] / exact_dry], "none_text": differences(NONE),
        "linear": share(LINEAR, small),
        "linear_shares": "; ".join(f"{a:.0e}: {share(LINEAR, k).text(2)}" for k, a in enumerate(amplitudes)),
        "linear_share": share(LINEAR, small).text(2),
        "linear_text": each(lambda a: "{:.5f} ± {:.5f}".format(*over(runs, LINEAR, a, -1, dry))),
        "merged": "".join(f"{law}: {differences(law)}. " for law in merged),
        "merged_off": max(largest(law, at) for law in merged),
        "stiff": stiff / 1e6, "walton": theory / 1e6, "ratio": ratio, "ratio_text": ratio.text(3),
        "contacts": sum(z for _, z in walton) / len(walton),
        "rates": each(rates), "viscous": 100 * max(0, *(over(runs, EXACT, a, -1, lambda c: c[VISCOUS] / c[DAMPING])[0]
                                                       for a in at)),
        "slower": [max(abs(slower(a, -1, f)) for a in at) for f in (modulus, dry)],
    }
    if not run.quick:
        both = [over(runs, EXACT, amplitudes.index(a), 4, dry)[0] for a in (1e-5, 3e-5)]
        values["power"] = math.log(both[1] / both[0]) / math.log(3)
    return values
