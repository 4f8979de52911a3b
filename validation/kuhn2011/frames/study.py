"""Frame of a contact that turns (Eqs. 9 to 20 of the paper): motions of a pair with closed-form answers, and what the
printed updates of the frame do. Source: jaeger-contact reference, §12 and §16 (U8)."""

import math

import numpy as np

from driver.pair import RADIUS, conjugate, dot, follow, product, quaternion, rotated, unit
from driver.study import curve, panel
from jaeger import material, normal_force, reach, share_of

M = material(1e6, 0.25, 0.5, RADIUS)
Z = 1e-3  # ζ (m), constant
APART = 2 * (RADIUS - Z)  # of the centres
N0, T0 = unit([0.48, -0.6, 0.64]), unit([0.3192, 0.176, -0.0744])  # a normal and a tangential direction
ANGLE, ORBIT, CONE = 2.0, 0.5, 0.4  # rad
STEPS = (100, 200, 400, 800, 1000)


def turned_by(vector):
    """Orientations along s from 0 to 1."""
    return lambda s: quaternion(s * np.asarray(vector))


def motion(branch, spin_i, spin_j):
    """A path of `follow`: i stays, j follows the turned branch."""
    return lambda s: (np.zeros((len(s), 3)), APART * rotated(branch(s), N0), spin_i(s), spin_j(s))


def cone(s):
    """The pair turns rigidly so that n goes once round a cone, without a spin about n."""
    axis = math.cos(CONE) * N0 + math.sin(CONE) * T0
    return product(quaternion(2 * math.pi * s * axis), quaternion(-2 * math.pi * math.cos(CONE) * s * N0))


def motions():
    """Of each motion: its path, the movement before it over the half-movement that slides, and the answer: the share of
    f F_n and the direction of the force on i."""
    still, across = turned_by(np.zeros(3)), np.cross(N0, T0)
    any_axis, orbit = unit([1.0, 2.0, 3.0]), ORBIT * across  # an orbit about `across` moves n against T0
    turned = {name: rotated(quaternion(np.array(v)), T0) for name, v in
              (("rigid", ANGLE * any_axis), ("spin", ANGLE * N0), ("half", 0.5 * ANGLE * N0), ("roll", orbit),
               ("cone", 2 * math.pi * (1 - math.cos(CONE)) * N0))}
    small = 0.8 * 2 * reach(M, Z) / APART  # an arc that ends before the contact slides
    tangent = unit(np.cross(small * across, rotated(quaternion(small * across), N0)))
    rigid = turned_by(ANGLE * any_axis)
    return {
        "the pair turns rigidly": (motion(rigid, rigid, rigid), 0.6, share_of(0.6), turned["rigid"]),
        "j on an arc, no spin": (motion(turned_by(small * across), still, still), 0, share_of(0.8), tangent),
        "both spin about n": (motion(still, *2 * [turned_by(ANGLE * N0)]), 0.6, share_of(0.6), turned["spin"]),
        "one spins about n": (motion(still, still, turned_by(ANGLE * N0)), 0.6, share_of(0.6), turned["half"]),
        "j rolls round i": (motion(turned_by(orbit), still, turned_by(2 * orbit)), 0.6, share_of(0.6), turned["roll"]),
        "n round a cone": (motion(cone, cone, cone), 0.6, share_of(0.6), turned["cone"]),
    }


def error_of(path, before, share, direction):
    """|F_t − answer|/(f F_n) after the most steps."""
    limit = M["friction"] * normal_force(M, Z)
    moves = [before * 2 * reach(M, Z) * T0] if before else []
    end = follow(path, STEPS[-1], M, "jaeger", before=moves).tangential[-1]
    return np.linalg.norm(end / limit - share * direction)


def frame_of(n):
    """Eq. 16 without trigonometry: the quaternion that turns components of space into those of the contact."""
    return unit([1 + n[2], n[1], -n[0], 0.0])


def updated(q, turn, corrected):
    """Eq. 17 as printed, with the global turn of the frame; or for the conjugate, which is the frame itself."""
    half = 0.5 * np.concatenate([[0.0], turn])
    return unit(q - product(q, half) if corrected else q + product(half, q))


def glued(corrected, steps):
    """A pair turns rigidly by ANGLE: error of the direction of a force that is stored in the frame."""
    axis = unit([1.0, 2.0, 3.0])
    q = frame_of(N0)
    local = rotated(q, T0)
    for _ in range(steps):
        q = updated(q, ANGLE / steps * axis, corrected)
    return np.linalg.norm(rotated(conjugate(q), local) - rotated(quaternion(ANGLE * axis), T0))


def left_plane(steps=1000):
    """Eq. 15 on an orbit of j by 1.2 rad without spins, at an overlap of 1.25 % of the radii: angle (rad) between its
    normal and the line of the centres."""
    axis = np.cross(N0, T0)
    apart, n = 2 * RADIUS * (1 - 0.0125), N0
    places = apart * rotated(quaternion(np.arange(steps + 1)[:, None] / steps * 1.2 * axis), N0)
    for moved in np.diff(places, axis=0):
        half = 0.5 * (moved - dot(moved, n) * n)  # Δξ
        n = unit(n + RADIUS / (2 * RADIUS) * 2 / RADIUS * half)
    return math.acos(min(1.0, float(n @ unit(places[-1]))))


def study(run):
    found = {name: error_of(*of) for name, of in motions().items()}
    printed = [glued(False, n) for n in STEPS]
    corrected = [glued(True, n) for n in STEPS]
    run.figure("Force of a contact that turns",
               f"A pair of spheres turns rigidly by {ANGLE:g} rad, its force stored in the frame of the paper: error "
               f"of its direction.",
               [panel("Eq. 17", "steps", "error of the direction",
                      [curve("as printed", STEPS, printed), curve("for the conjugate", STEPS, corrected)], "xy")])
    return {
        "worst": max(found.values()), "angle": ANGLE, "text": "; ".join(f"{name} {e:.1e}" for name, e in found.items()),
        "printed": [min(printed), max(printed)], "corrected": corrected[-1], "left": left_plane(),
    }
