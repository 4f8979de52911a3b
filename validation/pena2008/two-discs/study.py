"""The tables of the polygon-dem reference, §5: relaxation times, thresholds, final states and readings of the two-disc
test."""

import math

import dem
from driver.digits import csv_rows, log_slope
from driver.study import curve, panel
from relaxation import predicted
from step_map import REDUCED, RESTITUTION, S, contact_duration, damping, slowest
from two_discs import PUSH, Rest, beside_rest, decays, rest, two_discs

STEPS = (1e-1, 0.03162277660168379, 1e-2, 1e-3, 1e-4, 1e-5)
# Column of relaxation.csv: reading, elongation, smallest step of a decay in the full set.
COLUMNS = {"guided-predicted": ("guided", "predicted", 1e-5), "guided-corrected": ("guided", "corrected", 1e-4),
           "guided-trapezoid": ("guided", "trapezoid", 1e-4), "guided-geometric": ("guided", "geometric", 1e-5),
           "held-predicted": ("guided no rotation", "predicted", 1e-5),
           "held-geometric": ("guided no rotation", "geometric", 1e-5)}
HELD, FREE, TANGENTIAL = "guided no rotation", "free no rotation", "free no rotation, tangential"
STIFFNESS = 4e8
LIMIT = 3 * 2 * REDUCED / damping(RESTITUTION, STIFFNESS) / contact_duration()  # 3m/γ_n, the closed form of t_R
# Reading, elongation, displacements and force ratio as in Rest. NaN is "not stated".
NONE = math.nan
FINAL = {"final-guided": ("guided", "geometric", (-2, NONE, 2 * S, 0, NONE)),
         "final-held": (HELD, "geometric", (-1.5, NONE, NONE, 1.5 * S, 1 / 3)),
         "final-free": (FREE, "geometric", (-2, 1, NONE, 3 * S, 1)),
         "final-literal-held": (HELD, "literal", (-12 / 7, NONE, NONE, 0.6060915, NONE)),
         "final-literal-free": (FREE, "literal", (-3.5, 2.5, NONE, NONE, NONE)),
         "final-literal-guided": ("guided", "literal", (NONE, NONE, 0.7071, NONE, NONE))}


def read(run, file):
    rows = csv_rows(run.folder / file)
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def entries(found, spectra, published):
    """Relaxation times beside the published ones: by decay where it is usable, else by the spectrum, with a star."""
    times = [d.time if d and d.usable else s for d, s in zip(found, spectra)]
    stars = ["" if d and d.usable else "*" for d in found]
    return {"times": times, "text": ", ".join(f"{t:.2f}{star}" for t, star in zip(times, stars)),
            "worst": 100 * max(abs(t / p - 1) for t, p in zip(times, published)), "by_decay": stars.count(""),
            "off": [abs(d.time / s - 1) for d, s in zip(found, spectra) if d and d.usable],
            "growing": [d.time for d in found[:3] if d and d.usable and d.time < 0]}


def constants():
    t_c, gamma = contact_duration(), damping(RESTITUTION, STIFFNESS)

    def ratio(gamma_t):
        eta = gamma_t / (2 * REDUCED)
        return math.exp(-math.pi * eta / math.sqrt(STIFFNESS / 3 / REDUCED - eta**2)) / RESTITUTION

    masses = [slowest(dt_over_tc=1e-4), slowest(dt_over_tc=1e-4, reduced=2 * REDUCED)]
    return {"t_c": t_c, "ratio": ratio(gamma / 3), "isotropic": ratio(gamma), "masses": masses,
            "scheme": STIFFNESS * t_c / 2 / gamma}


def contact_time(stiffness):
    """How long two free discs touch that meet head-on, in steps of t_c/1000 (s)."""
    speed = 1e-6 * math.sqrt(stiffness)  # overlaps of about 1e-6 m at any stiffness
    run = dem.Run(two_discs("free no rotation", 1e-3, keys={
        "body.held.fixed": ["rotation"], "body.pushed.velocity": [-speed, -speed]}, stiffness=stiffness, duration=3,
        force=0.0))
    times = []

    @run.every(steps=1)
    def watch(now):
        if len(now.contacts):
            times.append(now.time)

    run()
    return times[-1] - times[0]


def stiffness_inset(run):
    stiffnesses = [4e4, 4e6, 4e8, 4e10]
    found = run.map("contact-times", contact_time, [(k,) for k in stiffnesses])
    return {"text": ", ".join(f"{k:g} N/m: {t:.4g} s" for k, t in zip(stiffnesses, found)),
            "slope": log_slope(stiffnesses, found),
            "off": 100 * max(abs(t / contact_duration(k) - 1) for k, t in zip(stiffnesses, found))}


def relaxation_table(run):
    printed, points, places = read(run, "relaxation.csv"), [], []
    for name, (reading, elongation, finest) in COLUMNS.items():
        for k, step in enumerate(STEPS):
            if step >= 0.999 * (1e-2 if run.quick else finest):
                grows = (beside_rest(), STIFFNESS, 8000, 0.01) if printed[name][k] < 0 else ()
                points.append((reading, step, elongation, *grows))
                places.append((name, k))
    found = dict(zip(places, decays(run, "relaxation", points)))
    return {name: entries([found.get((name, k)) for k in range(len(STEPS))],
                          [slowest(reading=reading, elongation=elongation, dt_over_tc=s) for s in STEPS], printed[name])
            for name, (reading, elongation, _) in COLUMNS.items()}


def free_reading(run):
    """The column of the table is the tangential mode of the spectrum. Late decays see the slower of the two modes."""
    printed, out = read(run, "relaxation.csv"), {}
    for elongation in ("predicted", "geometric"):
        times = [slowest(reading=TANGENTIAL, elongation=elongation, dt_over_tc=s) for s in STEPS]
        out[elongation] = {"text": ", ".join(f"{t:.2f}" for t in times),
                           "worst": 100 * max(abs(t / p - 1) for t, p in zip(times, printed[f"free-{elongation}"]))}
    points = [(FREE, step, elongation) for step in STEPS[:3 if run.quick else 4]
              for elongation in ("predicted", "geometric")]
    worst, shown, left_out = 0.0, [], []
    for (_, step, elongation), d in zip(points, decays(run, "free", points)):
        expected = max(printed[f"free-{elongation}"][STEPS.index(step)], 79.5)
        text = f"{elongation} {step:g} {d.time:.2f}"
        if d.usable:
            worst = max(worst, 100 * abs(d.time / expected - 1))
            shown.append(text)
        else:
            left_out.append(f"{text} (R² {d.r_squared:.4f}, {d.maxima} maxima)")
    return out | {"late": {"text": ", ".join(shown), "worst": worst, "left_out": ", ".join(left_out) or "none"}}


def final_states(run):
    points = [(reading, 0.05, elongation, (), 9000, force) for reading, elongation, _ in FINAL.values()
              for force in (PUSH, 0.1 * PUSH)]
    found, out = iter([Rest(*r) for r in run.map("rests", rest, points)]), {}
    for name, (_, _, expected) in FINAL.items():
        large, small = next(found), next(found)
        stated = [k for k, value in enumerate(expected) if not math.isnan(value)]
        symbols = ("Δx", "Δy", "aΔθ", "ξ", "|F_t/F_n|")
        off, off_large = ([abs(r[k] - expected[k]) for k in stated] for r in (small, large))
        out[name] = {"text": ", ".join(f"{symbols[k]} = {small[k]:.7f}" for k in stated), "off": max(off),
                     # Displacements of the larger force are in 1e-6 m.
                     "off_large": max(off_large)}
    return out


def literal(run):
    cases = [(reading, 0.01, elongation) for reading in (HELD, "guided") for elongation in ("geometric", "literal")]
    held, held_literal, with_rotation, with_rotation_literal = (d.time for d in decays(run, "literal", cases))
    spectra = [slowest(reading=HELD, elongation=e) for e in ("literal", "geometric")]
    return {"held": [held_literal, held], "spectra": spectra, "difference": abs(held_literal / held - 1),
            "rotating": [with_rotation_literal, with_rotation],
            "change": 100 * (with_rotation_literal / with_rotation - 1)}


def energies(case, duration, record):
    """Calls record(t/t_c, E_k) after each step."""
    run, t_c = dem.Run(case), contact_duration()
    run.every(steps=1)(lambda now: record(now.time / t_c, now.series["kinetic_energy"]))
    run()


def rolling(run):
    """The set-up as printed, free in x and y, with rotation: there is no equilibrium."""
    slopes, overtakes, curves = [], [], []
    for factor in (1, 0.01):
        t, energy, unit = [], [], (factor * PUSH) ** 2 * STIFFNESS
        energies(two_discs("free", 0.005, duration=60, force=factor * PUSH), 60,
                 lambda time, e: (t.append(time), energy.append(e / unit)))
        late = [k for k, time in enumerate(t) if time > 20]
        slopes.append(log_slope([t[k] for k in late], [energy[k] for k in late]))
        # The vibration along n, under F/√2, has at most (F/√2)²/(2 k_n).
        overtakes.append(math.sqrt(0.25 / (energy[-1] / 3600)))
        curves.append(curve(f"F = {factor * PUSH:.0e} k_n · 1 m", t[9::10], energy[9::10], "line"))
        if factor == 1:
            curves.append(curve("t²", [1, 60], [energy[-1] / 3600, energy[-1]], "prediction"))
    run.figure("The literal set-up: free in x and y, with rotation",
               "There is no equilibrium: the disc rolls away with E_k ~ t² (dashed) under either force.",
               [panel("", "t/t_c", "E_k in F²/k_n", curves, log="xy")], name="rolling")
    return {"slopes": slopes, "overtakes": max(overtakes)}


def draw(run, table):
    panels = []
    for title, of in (("guided, with rotation", "guided"), ("guided, no rotation", "held")):
        curves = []
        for name, (reading, elongation, _) in COLUMNS.items():
            if not name.startswith(of):
                continue
            times = {s: t for s, t in zip(STEPS, table[name]["times"]) if t > 0}
            curves.append(curve(elongation, list(times), list(times.values()), "points"))
            curves.append(predicted(f"spectrum, {elongation}", 1e-5, 0.1, lambda s: max(
                0, slowest(reading=reading, elongation=elongation, dt_over_tc=s)) or math.nan, 10))
        panels.append(panel(title, "Δt/t_c", "t_R/t_c", curves, log="xy"))
    run.figure("Relaxation time against the time step",
               "Points: the table, by decays of the kinetic energy; dashed: spectrum of the step. Where `corrected` "
               "gains energy it has no point and no line.", panels, name="relaxation",
               case=two_discs("guided", 0.01).to_toml())
    curves = []
    for elongation in ("predicted", "corrected", "trapezoid", "geometric"):
        found = []
        energies(two_discs("guided", 0.01, elongation, beside_rest(), duration=900), 900,
                 lambda t, e: found.append((t, e / (PUSH**2 * STIFFNESS))))
        tops = [b for a, b, c in zip(found, found[1:], found[2:]) if b[1] > a[1] and b[1] >= c[1] and b[1] > 1e-14]
        curves.append(curve(elongation, *zip(*tops), "line"))
    run.figure("Kinetic energy with the three velocities and the geometric elongation, Δt/t_c = 0.01",
               "Guided, with rotation, started 1e-4 of the displacement beside the equilibrium; maxima of the kinetic "
               "energy. The corrected velocity gains energy.",
               [panel("", "t/t_c", "maxima of E_k in F²/k_n", curves, log="y")], name="energy")


def study(run):
    table, free, found = relaxation_table(run), free_reading(run), literal(run)
    draw(run, table)
    trapezoid = max(abs(t / LIMIT - 1) for t in table["guided-trapezoid"]["times"])
    right, left = table["guided-predicted"]["times"], table["guided-corrected"]["times"]
    spectra = {"with": slowest(dt_over_tc=1e-5), "without": slowest(reading=HELD, dt_over_tc=1e-5),
               "frictionless": slowest(friction=0, dt_over_tc=1e-5)}
    increments = max(abs(slowest(reading=r, dt_over_tc=0.1, elongation="from corrected") /
                         slowest(reading=r, dt_over_tc=0.1) - 1) for r in ("guided", HELD))
    masses, off = constants()["masses"], [v for column in table.values() for v in column["off"]]
    return {
        "c": constants(), "inset": stiffness_inset(run), "table": table, "free": free,
        "by_decay": len(off), "spectrum_off": max(off), "trapezoid": 100 * trapezoid,
        "right_off": 100 * (1 - right[0] / LIMIT), "left": left,
        "grows": len(table["guided-corrected"]["growing"]) == 3,
        "trend": right == sorted(right) and abs(right[5] - right[4]) <= 0.01 * right[4] and left[0] < 0,
        "spectra": spectra, "increments": 100 * increments, "final": final_states(run), "literal": found,
        "rolling": rolling(run), "masses": masses[0] / masses[1], "limits": [LIMIT, LIMIT / 2, LIMIT * 2 / 3],
    }
