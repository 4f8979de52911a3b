"""The two-disc test: constants and the literal form of the elongation (polygon-dem reference, §1, §3 and §5)."""

import math

import dem
from driver.digits import log_slope
from step_map import REDUCED, RESTITUTION, contact_duration, damping, slowest
from two_discs import decays, two_discs

HELD, STIFFNESS = "guided no rotation", 4e8


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


def literal(run):
    cases = [(reading, 0.01, elongation) for reading in (HELD, "guided") for elongation in ("geometric", "literal")]
    held, held_literal, with_rotation, with_rotation_literal = (d.time for d in decays(run, "literal", cases))
    spectra = [slowest(reading=HELD, elongation=e) for e in ("literal", "geometric")]
    return {"held": [held_literal, held], "spectra": spectra, "difference": abs(held_literal / held - 1),
            "rotating": [with_rotation_literal, with_rotation],
            "change": 100 * (with_rotation_literal / with_rotation - 1)}


def study(run):
    return {"c": constants(), "inset": stiffness_inset(run), "literal": literal(run)}
