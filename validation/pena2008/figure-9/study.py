"""Fig. 9: ratio of the contact forces and angle of the contact plane while a pair of polygons comes to rest, for three
definitions of the plane."""

import math

import numpy as np

import dem
from driver.study import curve, panel
from polygon_pairs import ROUGH, duration_of, has_left, pair_case, shapes_of

PLANES = {"chord": "chord", "edge-mean": "edge-mean (Eq. 13)", "area-gradient": "area-gradient"}
DURATION = 1600  # t_c: three times the time in which an amplitude falls to 1/e
STILL = 1e-9  # degrees, or of the ratio: what is below it does not move


def trace(number, dt, plane):
    """Columns t/t_c, F_t/F_n, α (degrees, continued) and persistent jumps so far (reference §6), and whether the
    vibration grew until the polygon left."""
    shapes, rows = shapes_of(number), []
    t_c = duration_of(shapes)
    run = dem.Run(pair_case(shapes, dt, keys={"contact.contact_plane": plane}, duration=DURATION))
    leaves = has_left(run)

    @run.every(steps=1)
    def watch(now):
        contacts = now.contacts
        if len(contacts) == 1:
            rows.append((now.time / t_c, contacts.tangential_force[0] / contacts.normal_force[0],
                         contacts.plane_angle[0], run.plane_jump_count))

    run()
    t, ratio, alpha, jumps = np.array(rows).T
    return t, ratio, np.degrees(np.unwrap(alpha, period=math.pi)), jumps, leaves()


def oscillation(t, y):
    """Amplitudes about the mean of the last quarter in the second and in the last eighth of the time, and crossings of
    that mean after the first eighth."""
    share = t / DURATION
    mean = y[share > 0.75].mean() if (share > 0.75).any() else 0.0
    from_mean, later = abs(y - mean), share[1:] >= 0.125
    moves = np.maximum(from_mean[1:], from_mean[:-1]) > STILL  # else it crosses by round-off
    return {"early": from_mean[1:][later & (share[1:] < 0.25)].max(initial=0.0),
            "late": from_mean[1:][share[1:] > 0.875].max(initial=0.0),
            "crossings": int((((y[1:] > mean) != (y[:-1] > mean)) & later & moves).sum())}


def damped(o):
    return bool(o["crossings"] >= 20 and o["late"] < 0.5 * o["early"])


def outcome(number, dt, plane):
    """Whether the ratio is a damped oscillation, what the angle is, whether it moves, whether the polygon left, and
    whether the plane jumps at any time."""
    t, ratio, alpha, jumps, lost = trace(number, dt, plane)
    of_ratio, of_alpha = oscillation(t, ratio), oscillation(t, alpha)
    first = jumps[t < DURATION / 8].max(initial=0)
    kind = ("jumps" if jumps[-1] > first else "still" if of_alpha["early"] < STILL else
            "damped" if damped(of_alpha) else "other")
    return [damped(of_ratio), kind, bool(of_alpha["early"] > 1e-3), bool(lost), bool(jumps[-1] > 0)]


def with_jumps(run, steps):
    """Eq. 13 against the chord in random pairs whose chord jumps at each of the steps: the mechanism of the paper."""
    numbers = [ROUGH + k for k in range(1, 1 + (10 if run.quick else 120))]

    def outcomes(name, numbers, plane):
        points = [(number, step, plane) for step in steps for number in numbers]
        return {point[:2]: o for point, o in zip(points, run.map(name, outcome, points))}

    chord = outcomes("chord-of-rough", numbers, "chord")
    jumping = [n for n in numbers if all(chord[n, step][4] for step in steps)]
    edge = outcomes("eq13-of-rough", jumping, "edge-mean")
    found = {step: [(edge[n, step][0], chord[n, step][0]) for n in jumping] for step in steps}
    contrast, both = ([sum(pair == kind for pair in of) for of in found.values()]
                      for kind in ((True, False), (True, True)))

    def text(counts, of=""):
        return "; ".join(f"Δt = {step} t_c: {n}{of}" for step, n in zip(steps, counts))

    return {"candidates": len(numbers), "jumping": len(jumping), "contrast": text(contrast, f" of {len(jumping)}"),
            "both": text(both), "least_contrast": min(contrast),
            "left": [sum(o[n, step][3] for n in jumping for step in steps) for o in (chord, edge)]}


def draw(run, pair, dt):
    traces = {plane: trace(pair, dt, plane) for plane in PLANES}
    first, later = (1, 7) if run.quick else (3, 17)

    def drawn(plane, column, end, every):
        t = traces[plane][0]
        rows = [k for k in range(0, len(t), every) if 100 < t[k] < end]
        return curve(PLANES[plane], t[rows], traces[plane][column][rows], "line")

    panels = []
    for title, label, column in (("Force ratio", "F_t/F_n", 1), ("Contact plane", "α_c (degrees)", 2)):
        panels.append(panel(title, "t/t_c", label, [drawn(plane, column, 160, first) for plane in PLANES]))
        panels.append(panel(f"{title}, area-gradient", "t/t_c", label,
                            [drawn("area-gradient", column, DURATION, later)]))
    run.figure("Fig. 9: a pair of polygons comes to rest",
               f"Pair {pair + 1}, the first in which all three planes turn. Ratio of the contact forces and angle of "
               "the plane against time, in contact times; before 100 t_c the normal force comes near zero in each "
               "vibration and the ratio has spikes.", panels, case=pair_case(shapes_of(pair), dt).to_toml())


def study(run):
    pairs = 6 if run.quick else 63  # the three of the reference, then random ones
    dt, _ = steps = (0.05, 0.1) if run.quick else (0.02, 0.05)
    points = [(number, dt, plane) for number in range(pairs) for plane in PLANES]
    found = dict(zip(points, run.map("outcomes-with-jumps", outcome, points)))
    shown = next((n for n in range(pairs) if all(
        found[n, dt, plane][1] != "jumps" and found[n, dt, plane][2] for plane in PLANES)), None)
    if shown is not None:
        draw(run, shown, dt)
    by_plane = {plane: [found[n, dt, plane] for n in range(pairs)] for plane in PLANES}
    ratios = {plane: sum(r[0] for r in rows) for plane, rows in by_plane.items()}
    kinds = {plane: {kind: sum(r[1] == kind for r in rows) for kind in ("damped", "still", "jumps", "other")}
             for plane, rows in by_plane.items()}
    away = [r for rows in by_plane.values() for r in rows if r[1] != "jumps"]
    return with_jumps(run, steps) | {
        "pairs": pairs, "lost": {plane: sum(r[3] for r in rows) for plane, rows in by_plane.items()},
        "ratios": "; ".join(f"{PLANES[p]}: {n} of {pairs}" for p, n in ratios.items()),
        "angles": "; ".join(f"{PLANES[p]}: damped oscillation in {k['damped']}, constant in {k['still']}, jumps in "
                            f"{k['jumps']}, neither in {k['other']}" for p, k in kinds.items()),
        "away": len(away), "away_damped": sum(r[0] for r in away), "away_lost": sum(r[3] for r in away),
    }
