"""The two-disc test: constants, relaxation times with each velocity, readings of the set-up (polygon-dem reference,
§1, §3 and §5)."""

import math

import dem
from driver.digits import log_slope
from driver.study import curve, panel
from relaxation import predicted
from step_map import REDUCED, RESTITUTION, contact_duration, damping, slowest
from two_discs import PUSH, beside_rest, decays, two_discs

STEPS = (1e-1, 0.03162277660168379, 1e-2, 1e-3, 1e-4, 1e-5)
FINEST = {"predicted": 1e-5, "corrected": 1e-4, "trapezoid": 1e-4}  # step of a decay in the full set
HELD, STIFFNESS = "guided no rotation", 4e8
LIMIT = 3 * 2 * REDUCED / damping(RESTITUTION, STIFFNESS) / contact_duration()  # 3m/γ_n, the closed form of t_R


def entries(found, spectra):
    """Relaxation times: by decay where it is usable, else by the spectrum, with a star."""
    times = [d.time if d and d.usable else s for d, s in zip(found, spectra)]
    stars = ["" if d and d.usable else "*" for d in found]
    return {"times": times, "text": ", ".join(f"{t:.2f}{star}" for t, star in zip(times, stars))}


def constants():
    t_c, gamma = contact_duration(), damping(RESTITUTION, STIFFNESS)

    def ratio(gamma_t):
        eta = gamma_t / (2 * REDUCED)
        return math.exp(-math.pi * eta / math.sqrt(STIFFNESS / 3 / REDUCED - eta**2)) / RESTITUTION

    return {"t_c": t_c, "ratio": ratio(gamma / 3), "isotropic": ratio(gamma), "scheme": STIFFNESS * t_c / 2 / gamma}


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
    """Of the guided disc with rotation by each velocity. At the larger steps the corrected one gains energy."""
    points, places = [], []
    for elongation, finest in FINEST.items():
        for k, step in enumerate(STEPS):
            if step >= 0.999 * (1e-2 if run.quick else finest):
                grows = (beside_rest(), STIFFNESS, 8000, 0.01) if elongation == "corrected" and k < 3 else ()
                points.append(("guided", step, elongation, *grows))
                places.append((elongation, k))
    found = dict(zip(places, decays(run, "relaxation", points)))
    return {f"guided-{elongation}": entries([found.get((elongation, k)) for k in range(len(STEPS))],
                                            [slowest(elongation=elongation, dt_over_tc=s) for s in STEPS])
            for elongation in FINEST}


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
    curves = []
    for elongation in FINEST:
        times = {s: t for s, t in zip(STEPS, table[f"guided-{elongation}"]["times"]) if t > 0}
        curves.append(curve(elongation, list(times), list(times.values()), "points"))
        curves.append(predicted(f"spectrum, {elongation}", 1e-5, 0.1, lambda s: max(
            0, slowest(elongation=elongation, dt_over_tc=s)) or math.nan, 10))
    run.figure("Relaxation time against the time step",
               "Points: decays of the kinetic energy; dashed: spectrum of the step. Where `corrected` gains energy it "
               "has no point and no line.", [panel("guided, with rotation", "Δt/t_c", "t_R/t_c", curves, log="xy")],
               name="relaxation", case=two_discs("guided", 0.01).to_toml())


def study(run):
    table = relaxation_table(run)
    draw(run, table)
    trapezoid = max(abs(t / LIMIT - 1) for t in table["guided-trapezoid"]["times"])
    right, left = table["guided-predicted"]["times"], table["guided-corrected"]["times"]
    return {
        "c": constants(), "inset": stiffness_inset(run), "table": table, "trapezoid": 100 * trapezoid,
        "trend": right == sorted(right) and abs(right[5] - right[4]) <= 0.01 * right[4] and left[0] < 0,
        "literal": literal(run), "rolling": rolling(run),
    }
