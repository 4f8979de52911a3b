"""Do jumps of the contact plane excite a pair of polygons that comes to rest? The kinetic energy before and after
them."""

import math

import numpy as np

import dem
from driver.study import curve, panel
from plane_paths import share_interval
from polygon_pairs import ROUGH, duration_of, has_left, pair_case, shapes_of

DT = 0.05  # t_c
WINDOW = 40  # steps: two contact times, so four periods of the energy of the normal vibration
DURATION = 400  # t_c: while the energy falls to a few percent of its start


def trace(number):
    """Time (t_c), kinetic energy over its largest, persistent jumps of the chord in the step (reference §6; NaN without
    a contact)."""
    shapes, rows = shapes_of(number), []
    run = dem.Run(pair_case(shapes, DT, keys={"contact.contact_plane": "chord"}, duration=DURATION))
    has_left(run)

    @run.every(steps=1)
    def watch(now):
        contacts, velocity = now.contacts, now.bodies.velocity[1, :2]
        rows.append((now.time, velocity @ velocity, run.plane_jump_count if len(contacts) == 1 else math.nan))

    run()
    t, energy, count = np.array(rows).T
    return t / duration_of(shapes), energy / energy.max(), np.diff(count, prepend=count[0])


def ratios_of(energy, jumps):
    """Largest energy in a window after a step over that in a window before it: at jumps without another one in the
    window before, and at steps without a jump in both windows. The contact lasts in both."""
    at_jump, elsewhere = [], []
    jumped = jumps > 0  # NaN is no jump
    for k in range(WINDOW, len(jumps) - WINDOW):
        window = slice(k - WINDOW, k + WINDOW)
        if np.isnan(jumps[window]).any() or jumped[k - WINDOW:k].any():
            continue
        ratio = energy[k:k + WINDOW].max() / energy[k - WINDOW:k].max()
        if jumped[k]:
            at_jump.append(ratio)
        elif not jumped[window].any() and k % WINDOW == 0:
            elsewhere.append(ratio)
    return at_jump, elsewhere


def outcome(number):
    """Ratios at jumps and elsewhere, number of jumps in the second half, and by what factor the energy falls in it (NaN
    where the polygon leaves)."""
    _, energy, jumps = trace(number)
    half = round(0.5 * DURATION / DT)
    whole = len(energy) >= 2 * half
    fall = energy[2 * half - WINDOW:2 * half].max() / energy[half - WINDOW:half].max() if whole else math.nan
    return *ratios_of(energy, jumps), int((jumps[half:] > 0).sum()), fall


def outside(at_jump, elsewhere):
    """Shares of the jumps above and below the middle 95 % of the ratios elsewhere."""
    low, high = np.percentile(elsewhere, (2.5, 97.5))
    return (np.array(at_jump) > high).mean(), (np.array(at_jump) < low).mean()


def with_error(shares):
    error = 100 * shares.std(ddof=1) / math.sqrt(len(shares)) if len(shares) > 1 else math.inf
    return f"{100 * shares.mean():.0f} ± {error:.0f} %"


def draw(run, number):
    t, energy, count = trace(number)
    jumps = np.flatnonzero(count > 0)
    run.figure("Jumps of the usual contact plane",
               "Kinetic energy of the pair with the most jumps, with the chord as its plane, over its largest. Points: "
               "steps in which the plane jumps.",
               [panel("Kinetic energy", "t/t_c", "E_k/E_k,max", [
                   curve("energy", t[::10], energy[::10], "line"),
                   curve("jumps", t[jumps], energy[jumps], "points")], log="y")],
               case=pair_case(shapes_of(number), DT).to_toml())


def study(run):
    numbers = [ROUGH + k for k in range(1, 1 + (40 if run.quick else 1200))]
    found = run.map("rough-pairs", outcome, [(number,) for number in numbers])
    falls = np.array([[late, fall] for *_, late, fall in found if fall == fall])
    usual = np.percentile(falls[falls[:, 0] == 0, 1], (2.5, 97.5))
    late = falls[falls[:, 0] > 0, 1]
    found = {number: (at, other) for number, (at, other, *_) in zip(numbers, found) if at and len(other) >= 20}
    if found:
        draw(run, max(found, key=lambda number: len(found[number][0])))
    # One value for each pair, so that pairs with many jumps do not count more.
    median = np.array([np.median(at_jump) for at_jump, _ in found.values()])
    calm = np.array([np.median(elsewhere) for _, elsewhere in found.values()])  # the energy falls without jumps, too
    above, below = np.array([outside(*pair) for pair in found.values()]).T
    rises = int((median > calm).sum())
    low, high = share_interval(rises, len(found))
    return {"pairs": len(numbers), "jumping": len(found), "jumps": sum(len(at_jump) for at_jump, _ in found.values()),
            "rises": rises, "low": low, "high": high, "percents": f"{100 * low:.0f} to {100 * high:.0f} %",
            "median": np.median(median),
            "calm": np.median(calm), "over_one": int((median > 1).sum()),
            "above": with_error(above), "below": with_error(below), "late": len(late),
            "sustained": int((late > usual[1]).sum()), "usual": usual}
